"""The map tool by mouse, keyboard, touch and link, on a desktop and a phone."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS
from scratch_core.calculators.shared.query import format_query
from tests.browser.pages.board import drag, find_centre
from tests.browser.pages.calculator import open_ready, read_share_link, wait_for_answer

BOARD = "tools/board/?map=......%23./........&tokens=kim@1,0,blue%20rook@5,1,red&selected=kim"


def read_query(page: Page) -> str:
    """Return the query of the answer, once it has settled."""
    wait_for_answer(page)
    return str(page.get_attribute("scratch-calculator", "data-query"))


def choose_brush(page: Page, brush: str) -> None:
    """Choose a brush, which is one more press away while picking."""
    if page.locator(".board-draw").is_visible():
        page.locator(".board-draw").click()
    page.locator("label.board-palette__brush").filter(has=page.get_by_text(brush, exact=True)).click()


def test_token_moved_by_drag_or_keys_gives_the_same_query(page: Page, other: Page) -> None:
    """The moved token's space has the focus after keys."""
    open_ready(page, BOARD)
    drag(page, "1,0", "3,1")
    expect(page.locator("input[name=tokens]")).to_have_value("kim@3,1,blue rook@5,1,red")
    open_ready(other, BOARD)
    other.locator("[data-space='1,0']").focus()
    for key in (" ", "ArrowDown", "ArrowRight", "ArrowRight", " "):
        other.keyboard.press(key)
    expect(other.locator("input[name=tokens]")).to_have_value("kim@3,1,blue rook@5,1,red")
    assert read_query(other) == read_query(page)
    expect(other.locator("[data-space='3,1']")).to_be_focused()


def test_costs_and_visible_spaces_follow_the_selected_token(page: Page) -> None:
    """Escape drops a token carried by keys, and a wall refuses one."""
    open_ready(page, BOARD)
    expect(page.locator("[data-space='3,0']")).to_have_attribute("data-cost", "2")  # `grid.move.base`
    expect(page.locator("[data-space='7,1']")).to_have_attribute("data-seen", "false")  # `grid.long.los`
    before = read_query(page)
    page.locator("[data-space='1,0']").focus()
    for key in (" ", "ArrowRight", "Escape"):
        page.keyboard.press(key)
    assert page.locator("[data-in-stroke], [data-stroking]").count() == 0
    drag(page, "1,0", "6,0")
    expect(page.locator("[data-problem][data-field=stroke]")).to_contain_text("6,0 is blocked (wall)")
    assert read_query(page) == before
    assert page.locator("[data-drag-preview][transform]").count() == 0
    page.locator("[data-space='5,1']").click()
    expect(page.locator("[data-selected=rook]")).to_be_visible()
    expect(page.locator("[data-space='7,1']")).to_have_attribute("data-seen", "true")
    page.locator("[data-space='3,1']").click()
    expect(page.locator("[data-selected-space='3,1']")).to_contain_text("costs 2")


def test_token_without_levels_shows_none_after_a_token_with_levels(page: Page) -> None:
    """Fields don't keep the levels of the token selected before."""
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
    expect(page.locator("[data-selected-space='3,0']")).to_be_visible()
    expect(page.locator("[name=quickness]")).to_have_value("")
    expect(page.locator("section.board-selected")).not_to_contain_text("more on level ground")


def test_stroke_and_keys_paint_terrain_and_undo_restores_it(page: Page) -> None:
    """Strokes drawn while an answer is pending all count."""
    open_ready(page, BOARD)
    choose_brush(page, "wall")
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
        wait_for_answer(page)
        page.get_by_role("button", name="Undo").click()
        expect(painted).to_have_value(before)
    choose_brush(page, "rough")
    for column in range(8):
        drag(page, f"{column},0")
    expect(painted).to_have_value("^^^^^^^^/........")


def test_touch_drags_a_token(phone: Page) -> None:
    """Send touch events from space to space."""
    page = phone
    page.set_viewport_size({"width": 390, "height": 844})
    open_ready(page, BOARD)
    page.locator("[data-space='1,0']").scroll_into_view_if_needed()
    touch = page.context.new_cdp_session(page)
    places = [find_centre(page, space) for space in ("1,0", "2,0", "3,1")]
    for kind, at in zip(("touchStart", "touchMove", "touchMove"), places, strict=True):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": at[0], "y": at[1]}]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("input[name=tokens]")).to_have_value("kim@3,1,blue rook@5,1,red")


def test_share_link_opens_the_same_map_in_another_profile(page: Page, other: Page) -> None:
    """The selected token and space are the same, too."""
    open_ready(page, BOARD)
    choose_brush(page, "red")
    drag(page, "7,1")
    page.locator("[data-space]").first.press("1")
    page.locator("[data-space='3,0']").click()
    expect(page.locator("[data-selected-space='3,0']")).to_be_visible()
    wait_for_answer(page)
    open_ready(other, read_share_link(page))
    assert read_query(other) == read_query(page)
    assert other.inner_text("[data-answer]") == page.inner_text("[data-answer]")
    expect(other.locator("input[name=tokens]")).to_have_value("kim@1,0,blue rook@5,1,red red-1@7,1,red")


@pytest.mark.parametrize("shape", ["square", "hex"])
def test_arrow_keys_return_to_the_first_space_on_each_grid(page: Page, shape: str) -> None:
    """The edge of the map stops the focus."""
    open_ready(page, f"tools/board/?map=..../..../..../....&shape={shape}&tokens=kim@1,1")
    page.locator("[data-space='1,1']").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    expect(page.locator("[data-space='1,1']")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-selected=kim]")).to_be_visible()
    assert page.locator("[data-space][tabindex='0']").count() == 1


TAVERN = next(each for each in SAMPLE_MAPS if each.id == "tavern")
RUIN = next(each for each in SAMPLE_MAPS if each.id == "ruin")
SELECTED_SPACE = {"tokens": "kim@1,1,hunters bo@8,5,guards", "selected": "kim", "space": "4,4"}


def build_address(fields: dict[str, str]) -> str:
    """Return the address of a map."""
    return "tools/board/?" + format_query(fields)


FIND_HIDDEN_PARTS = """([selected, least]) => {
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
  const sheet = look("[data-selected-space]", top, innerHeight);
  const frame = look(".board-scroll", top, sheet.top);
  const space = look(`[data-space="${selected}"]`, frame.top, frame.bottom);
  if (Math.min(space.width, space.height) < least) wrong.push(`a space is ${space.width} × ${space.height}`);
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page goes sideways");
  return wrong;
}"""
"""Returns which tools, map and answer parts are out of view, and whether a space is too small."""
IS_PANNABLE = "(b => b.scrollWidth > b.clientWidth)(document.querySelector('.board-scroll'))"
SCROLL_TO_TOP = """() => {
  document.querySelector("scratch-calculator").scrollIntoView();
  scrollBy(0, -document.querySelector(".md-header").offsetHeight);
}"""


def test_map_on_a_phone_shares_the_screen_with_its_answer_and_pans(phone: Page) -> None:
    """A map of 14 columns and rows is whole on a phone, above its answer.

    A larger map has spaces of at least 22 px and pans. All of it is shown on request.
    """
    page = phone
    for fields in ({"map": "/".join(["." * 10] * 14)}, TAVERN.to_fields(), RUIN.to_fields()):
        open_ready(page, build_address({**fields, **SELECTED_SPACE, "space": ""}))
        page.evaluate(SCROLL_TO_TOP)
        page.locator("[data-space='4,4']").tap()
        expect(page.locator("[data-selected-space='4,4']")).to_be_visible()
        wait_for_answer(page)
        assert page.evaluate(FIND_HIDDEN_PARTS, ["4,4", 22]) == []
        assert not page.evaluate(IS_PANNABLE)
    open_ready(page, f"tools/board/?map={'/'.join(['.' * 30] * 30)}&tokens=kim@1,1,blue%20rook@3,3,red")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.evaluate(IS_PANNABLE)
    page.locator("[data-space='1,1']").tap()
    expect(page.locator(".board-peek")).to_contain_text("Kim, movement 4")
    page.locator(".board-whole > summary").tap()
    assert not page.evaluate(IS_PANNABLE)
    page.locator("[data-space='2,9']").tap()
    expect(page.locator("[data-selected-space='2,9']")).to_be_visible()
    assert not page.evaluate(IS_PANNABLE)


def test_answer_on_a_phone_is_pulled_up_by_tap_drag_and_key(phone: Page) -> None:
    """Two lines pull up the rest, and stay up with the next answer."""
    page = phone
    open_ready(page, "tools/board/")
    summary, rest = page.locator(".board-peek > summary"), page.locator("section.board-asked")
    expect(summary).to_contain_text("4,3 costs 4")
    assert page.evaluate("document.querySelector('.board-peek').getBoundingClientRect().height") == pytest.approx(
        96, abs=8
    )
    expect(rest).to_be_hidden()
    summary.tap()
    expect(rest).to_be_visible()
    page.locator("[data-space='2,2']").press("Enter")
    expect(summary).to_contain_text("2,2 costs 2")
    expect(rest).to_be_visible()
    summary.press("Enter")
    expect(rest).to_be_hidden()
    box = summary.bounding_box()
    assert box
    touch = page.context.new_cdp_session(page)
    for way, is_up in ((-60, True), (60, False)):
        x, y = box["x"] + 80, (summary.bounding_box() or box)["y"] + 40
        for kind, at in (("touchStart", y), ("touchMove", y + way / 2), ("touchMove", y + way)):
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": at}]})
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        expect(rest).to_be_visible(visible=is_up)


def test_link_on_a_phone_scrolls_its_space_into_view(phone: Page) -> None:
    """The map is wider than the phone."""
    open_ready(
        phone,
        build_address({"map": "/".join(["." * 30] * 30), "tokens": "kim@28,27,a", "selected": "kim", "space": "27,27"}),
    )
    phone.evaluate(SCROLL_TO_TOP)
    assert phone.evaluate(FIND_HIDDEN_PARTS, ["27,27", 22]) == []


READ_CONTRASTS = """() => {
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
"""Returns the contrast of lines and walls, and whether spaces out of reach have the paper's colour."""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_map_lines_have_contrast_and_reach_is_tinted(loaded: Page, scheme: Any) -> None:
    """The lines of a map have a contrast of 2, and reach is tinted.

    A wall is dark and hatched in dark mode.
    """
    loaded.emulate_media(color_scheme=scheme)
    open_ready(loaded, "tools/board/?map=..........%23.%2F............&tokens=kim@0,0,blue&selected=kim")
    seen = loaded.evaluate(READ_CONTRASTS)
    assert seen["plain"] >= 2
    assert seen["reached"] >= 2
    assert seen["isFarPlain"]
    assert not seen["isReachPlain"]
    assert loaded.locator("svg[role=grid] .board-sign.wall").count() == 1
    if scheme == "dark":
        assert seen["wall"] < 3


MEASURE_COLUMNS = """() => {
  const box = (part) => document.querySelector(part).getBoundingClientRect();
  const [map, column, found] = ["svg[role=grid]", ".board-map", "[data-selected-space]"].map(box);
  return { map: map.width, column: column.width, all: box("scratch-calculator").width,
    space: box("[data-space]").width,
    isBeside: found.left >= map.right && found.top < map.bottom && found.top >= column.top - 1 };
}"""


def test_map_on_a_desktop_fills_its_column_next_to_the_answer(page: Page) -> None:
    """Measure at 1280 and 1920 pixels."""
    open_ready(page, build_address({**RUIN.to_fields(), **SELECTED_SPACE}))
    for width, height, total in ((1280, 800, 920), (1920, 1080, 1200)):
        page.set_viewport_size({"width": width, "height": height})
        seen = page.evaluate(MEASURE_COLUMNS)
        assert seen["isBeside"]
        assert abs(seen["map"] - seen["column"]) < 2
        assert seen["column"] > 0.55 * seen["all"]
        assert seen["all"] == pytest.approx(total, abs=2)
        assert seen["space"] >= 40


def test_added_character_is_seen_on_the_map(page: Page) -> None:
    """The map is in view again, the focus on the button that opened the list.

    The table next to the map has no clipped column.
    """
    open_ready(page, build_address({**RUIN.to_fields(), **SELECTED_SPACE}))
    add = page.locator("[data-choose]").first
    add.click()
    wait_for_answer(page)
    page.locator(".chooser__list label", has_text="Sharpshooter").click()
    wait_for_answer(page)
    page.locator(".chooser__foot button").click()
    wait_for_answer(page)
    expect(page.locator("svg[role=grid]")).to_be_in_viewport(ratio=0.99)
    expect(add).to_be_focused()
    for table in page.locator(".board-findings .table-scroll").all():
        assert table.evaluate("(each) => each.scrollWidth <= each.clientWidth")
