"""The board as its readers use it: by pointer, by keys, by finger, by link, on a phone."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS as READY_MAPS
from scratch_core.calculators.shared.query import format_query
from tests.browser.pages.board import drag, middle
from tests.browser.pages.calculator import open_ready, settled, shared

BOARD = "tools/board/?map=......%23./........&tokens=kim@1,0,blue%20rook@5,1,red&selected=kim"


def query(page: Page) -> str:
    """The query of the answer shown, once nothing is under way."""
    settled(page)
    return str(page.get_attribute("scratch-calculator", "data-query"))


def take(page: Page, brush: str) -> None:
    """Choose what to draw with, which is one press away while one picks and asks."""
    if page.locator(".board-draw").is_visible():
        page.locator(".board-draw").click()
    page.locator("label.brush").filter(has=page.get_by_text(brush, exact=True)).click()


def test_a_token_dragged_and_the_same_move_by_keys(page: Page, other: Page) -> None:
    """Dragged by the mouse or carried by the arrow keys, a token ends in the same space with the same query."""
    open_ready(page, BOARD)
    drag(page, "1,0", "3,1")
    expect(page.locator("input[name=tokens]")).to_have_value("kim@3,1,blue rook@5,1,red")
    open_ready(other, BOARD)
    other.locator("[data-space='1,0']").focus()
    for key in (" ", "ArrowDown", "ArrowRight", "ArrowRight", " "):
        other.keyboard.press(key)
    expect(other.locator("input[name=tokens]")).to_have_value("kim@3,1,blue rook@5,1,red")
    assert query(other) == query(page)
    expect(other.locator("[data-space='3,1']")).to_be_focused()


def test_costs_and_sight_follow_the_token(page: Page) -> None:
    """Spaces' attributes change with the token picked; Escape drops what the keys hold, and a wall refuses a token."""
    open_ready(page, BOARD)
    expect(page.locator("[data-space='3,0']")).to_have_attribute("data-cost", "2")  # `grid.move.base`
    expect(page.locator("[data-space='7,1']")).to_have_attribute("data-seen", "false")  # `grid.long.los`
    before = query(page)
    page.locator("[data-space='1,0']").focus()
    for key in (" ", "ArrowRight", "Escape"):
        page.keyboard.press(key)
    assert page.locator("[data-passed], [data-gathering]").count() == 0
    drag(page, "1,0", "6,0")
    expect(page.locator("[data-problem][data-field=stroke]")).to_contain_text("6,0 is blocked (wall)")
    assert query(page) == before
    assert page.locator("[data-rides][transform]").count() == 0
    page.locator("[data-space='5,1']").click()
    expect(page.locator("[data-selected=rook]")).to_be_visible()
    expect(page.locator("[data-space='7,1']")).to_have_attribute("data-seen", "true")
    page.locator("[data-space='3,1']").click()
    expect(page.locator("[data-asked='3,1']")).to_contain_text("costs 2")


def test_a_token_without_levels_shows_none_after_another(page: Page) -> None:
    """The page takes the answer's levels for the token picked, and keeps nothing of the one before."""
    sheets = "Rook\n2 quickness\n4 toughness\n\nKim\n2 toughness"
    open_ready(
        page, f"tools/board/?{format_query({'map': '........', 'tokens': 'kim@1,0,a rook@5,0,a', 'sheets': sheets})}"
    )
    page.locator("[data-space='5,0']").click()
    expect(page.locator("[name=quickness]")).to_have_value("2")
    page.locator("[data-space='1,0']").click()
    expect(page.locator("[data-selected=kim]")).to_be_visible()
    expect(page.locator("[name=quickness]")).to_have_value("")
    page.locator("[data-space='3,0']").click()
    expect(page.locator("[data-asked='3,0']")).to_be_visible()
    expect(page.locator("[name=quickness]")).to_have_value("")
    expect(page.locator("section.board-selected")).not_to_contain_text("more on level ground")


def test_terrain_is_painted_by_a_stroke_and_by_keys(page: Page) -> None:
    """A stroke paints every space it passes; by keys the same; undo takes back the one and the other.

    Nothing that is drawn while an answer is under way gets lost.
    """
    open_ready(page, BOARD)
    take(page, "wall")
    drag(page, "2,0", "4,0")
    painted = page.locator("textarea[name=map]")
    expect(painted).to_have_value("..###.#./........")
    page.locator("[data-space='0,1']").focus()
    page.keyboard.press("5")
    for key in (" ", "ArrowRight", " "):
        page.keyboard.press(key)
    expect(painted).to_have_value("..###.#./^^......")
    expect(page.locator("[value='^']")).to_be_checked()
    for before in ("..###.#./........", "......#./........"):
        settled(page)
        page.get_by_role("button", name="Undo").click()
        expect(painted).to_have_value(before)
    take(page, "rough")
    for column in range(8):
        drag(page, f"{column},0")
    expect(painted).to_have_value("^^^^^^^^/........")


def test_a_finger_drags_a_token(phone: Page) -> None:
    """By touch a token is dragged like by the mouse."""
    page = phone
    page.set_viewport_size({"width": 390, "height": 844})
    open_ready(page, BOARD)
    page.locator("[data-space='1,0']").scroll_into_view_if_needed()
    touch = page.context.new_cdp_session(page)
    places = [middle(page, space) for space in ("1,0", "2,0", "3,1")]
    for kind, at in zip(("touchStart", "touchMove", "touchMove"), places, strict=True):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at[0], "y": at[1]}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("input[name=tokens]")).to_have_value("kim@3,1,blue rook@5,1,red")


def test_a_link_opens_the_same_board(page: Page, other: Page) -> None:
    """Whoever opens the link in another profile has the same board, the same token picked and the same question."""
    open_ready(page, BOARD)
    take(page, "red")
    drag(page, "7,1")
    page.locator("[data-space]").first.press("1")
    page.locator("[data-space='3,0']").click()
    expect(page.locator("[data-asked='3,0']")).to_be_visible()
    settled(page)
    open_ready(other, shared(page))
    assert query(other) == query(page)
    assert other.inner_text("[data-answer]") == page.inner_text("[data-answer]")
    expect(other.locator("input[name=tokens]")).to_have_value("kim@1,0,blue rook@5,1,red red-1@7,1,red")


@pytest.mark.parametrize("shape", ["square", "hex"])
def test_the_arrow_keys_go_there_and_back(page: Page, shape: str) -> None:
    """On squares and hexes a way up or down comes back to where it began, and the edge holds."""
    open_ready(page, f"tools/board/?map=..../..../..../....&shape={shape}&tokens=kim@1,1")
    page.locator("[data-space='1,1']").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    expect(page.locator("[data-space='1,1']")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-selected=kim]")).to_be_visible()
    assert page.locator("[data-space][tabindex='0']").count() == 1


TAVERN = next(each for each in READY_MAPS if each.id == "tavern")
RUIN = next(each for each in READY_MAPS if each.id == "ruin")
ASKED = {"tokens": "kim@1,1,hunters bo@8,5,guards", "selected": "kim", "space": "4,4"}


def mapped(fields: dict[str, str]) -> str:
    """The address of a board."""
    return "tools/board/?" + format_query(fields)


ON_ONE_SCREEN = """([asked, least]) => {
  const top = document.querySelector(".md-header").getBoundingClientRect().bottom;
  const wrong = [];
  const look = (part, from, to) => {
    const box = document.querySelector(part).getBoundingClientRect();
    const isHigh = box.width && box.top >= from - 1 && box.bottom <= to + 1;
    if (!isHigh || box.left < 0 || box.right > innerWidth)
      wrong.push(`${part}: ${Math.round(box.top)} to ${Math.round(box.bottom)} of ${from} to ${to}`);
    return box;
  };
  look(".board-bar", top, top + 90);
  const sheet = look("[data-asked]", top, innerHeight);
  const frame = look(".board-scroll", top, sheet.top);
  const space = look(`[data-space="${asked}"]`, frame.top, frame.bottom);
  if (Math.min(space.width, space.height) < least) wrong.push(`a space is ${space.width} × ${space.height}`);
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page goes sideways");
  return wrong;
}"""
"""What of tools, map and answer is out of sight, with the space asked about; whether a space is less than so high."""
PANS = "(b => b.scrollWidth > b.clientWidth)(document.querySelector('.board-scroll'))"
TO_ITS_TOP = """() => {
  document.querySelector("scratch-calculator").scrollIntoView();
  scrollBy(0, -document.querySelector(".md-header").offsetHeight);
}"""


def test_on_a_phone_map_and_answer_share_the_screen_and_the_map_is_moved_in_its_frame(phone: Page) -> None:
    """Tools in one row, map and answer are on one screen, a space 36 px or more; or all of the map, small."""
    page = phone
    for fields in ({"map": "/".join(["." * 10] * 14)}, TAVERN.to_fields(), RUIN.to_fields()):
        open_ready(page, mapped({**fields, **ASKED, "space": ""}))
        page.evaluate(TO_ITS_TOP)
        page.locator("[data-space='4,4']").tap()
        expect(page.locator("[data-asked='4,4']")).to_be_visible()
        settled(page)
        assert page.evaluate(ON_ONE_SCREEN, ["4,4", 36]) == []
        assert page.evaluate(PANS)
    page.locator(".board-whole > summary").tap()
    assert not page.evaluate(PANS)
    page.locator("[data-space='4,1']").tap()
    expect(page.locator("[data-asked='4,1']")).to_be_visible()
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator("[data-asked='4,4']")).to_be_visible()
    assert not page.evaluate(PANS)
    open_ready(page, f"tools/board/?map={'/'.join(['.' * 30] * 30)}&tokens=kim@1,1,blue%20rook@3,3,red")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate(PANS)
    page.locator("[data-space='1,1']").tap()
    expect(page.locator("[data-selected=kim]")).to_be_visible()


def test_what_a_link_asks_about_is_moved_into_the_frame(phone: Page) -> None:
    """On a map wider than a phone, the space asked about is seen, wherever it lies."""
    open_ready(
        phone, mapped({"map": "/".join(["." * 30] * 30), "tokens": "kim@28,27,a", "selected": "kim", "space": "27,27"})
    )
    phone.evaluate(TO_ITS_TOP)
    assert phone.evaluate(ON_ONE_SCREEN, ["27,27", 36]) == []


LINES = """() => {
  const shade = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const light = (colour) => {
    shade.fillStyle = colour;
    shade.fillRect(0, 0, 1, 1);
    return [...shade.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, n) => sum + part * [0.2126, 0.7152, 0.0722][n], 0);
  };
  const ratio = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const of = (part) => getComputedStyle(document.querySelector(`svg[role=grid] ${part}`));
  const paper = getComputedStyle(document.body).backgroundColor;
  return {
    plain: ratio(of(".ground:not(.stop)").stroke, of(".ground:not(.stop)").fill),
    reached: ratio(of(".stop").stroke, of(".stop").fill),
    wall: ratio(of(".wall").fill, paper),
    isFarPlain: of("[data-space='9,1']").fill === paper,
    isReachPlain: of(".stop").fill === paper,
  };
}"""
"""The contrast of lines and ground, of a wall and the paper, and whether ground out of reach is as plain as paper."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_lines_are_seen_reach_is_tinted_and_a_wall_is_no_lamp(loaded: Page, scheme: Any) -> None:
    """Lines stand 2 to 1 against the ground; out of reach is plain; in the dark a wall is dark, and hatched."""
    loaded.emulate_media(color_scheme=scheme)
    open_ready(loaded, "tools/board/?map=..........%23.%2F............&tokens=kim@0,0,blue&selected=kim")
    seen = loaded.evaluate(LINES)
    assert seen["plain"] >= 2
    assert seen["reached"] >= 2
    assert seen["isFarPlain"]
    assert not seen["isReachPlain"]
    assert loaded.locator("svg[role=grid] .board-sign.wall").count() == 1
    if scheme == "dark":
        assert seen["wall"] < 3


BESIDE = """() => {
  const box = (part) => document.querySelector(part).getBoundingClientRect();
  const [map, column, found] = ["svg[role=grid]", ".board-map", "[data-asked]"].map(box);
  return { map: map.width, column: column.width, all: box("scratch-calculator").width,
    space: box("[data-space]").width,
    isBeside: found.left >= map.right && found.top < map.bottom && found.top >= column.top - 1 };
}"""


def test_on_a_desk_the_map_fills_its_column_and_the_answer_stands_beside_it(page: Page) -> None:
    """At 1280 and 1920 pixels the map is as wide as its column, most of what there is, with the answer at its side."""
    open_ready(page, mapped({**RUIN.to_fields(), **ASKED}))
    for width, height in ((1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        seen = page.evaluate(BESIDE)
        assert seen["isBeside"]
        assert abs(seen["map"] - seen["column"]) < 2
        assert seen["column"] > 0.55 * seen["all"]
        assert seen["all"] == pytest.approx(920, abs=2)
        assert seen["space"] >= 40
