"""A fight on a map by taps, drags and keys, through a reload, an undo and a redo."""

import json

from playwright.sync_api import Page, expect

from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS
from scratch_core.calculators.shared.query import format_query
from tests.browser.pages.board import drag
from tests.browser.pages.calculator import TAP, is_uncovered, open_ready, read_share_link, tap, wait_for_answer
from tests.browser.pages.fight import ON_HEXES, list_log_entries
from tests.browser.pages.replay import wait_for_step

SHEETS = """side: hunters

Kim
2 fighting
2 wrestling
2 quickness
3 toughness

side: guards

Rook
2 fighting
2 toughness

Bo
1 toughness
"""
MAP = ".........\n....##...\n....##...\n........."
TOKENS = "kim@1,1,hunters rook@6,2,guards bo@8,3,guards"
SETUP = "tools/fight/?" + format_query(
    {
        "sheets": SHEETS,
        "map": MAP,
        "tokens": TOKENS,
        "initiative": "kim 19, rook 12, bo 5",
    }
)


def tap_space(page: Page, name: str) -> None:
    """Tap a space of the map."""
    page.locator(f".fight-board [data-space='{name}']").click()
    wait_for_answer(page)


def list_positions(page: Page) -> dict[str, str]:
    """Return each character's position as the page describes it."""
    rows = page.locator(".board-words li").all_text_contents()
    return {name: words for name, _, words in (row.partition(": ") for row in rows)}


def test_fight_on_a_map_runs_by_taps_keys_and_drags(page: Page) -> None:
    """Interrupts, a reposition, a reload, undo and redo are part of it."""
    open_ready(page, SETUP)
    tap(page, "button[name=log][value=begin]")
    page.wait_for_selector(".fight-board")
    first = list_positions(page)
    assert first == {"Kim": "1,1, ground", "Rook": "6,2, ground", "Bo": "8,3, ground"}
    # a move by taps: the first shows the path, the second moves
    tap_space(page, "3,3")
    expect(page.locator("[data-selected-space='3,3'] [data-action=move]")).to_be_visible()
    expect(page.locator(".board-scroll .board-way")).to_have_count(1)
    expect(page.locator(".board-key")).to_contain_text("the path")
    assert list_log_entries(page) == []
    tap_space(page, "3,3")
    assert list_positions(page)["Kim"].startswith("3,3")
    tap(page, "[data-action=end-turn][data-actor=kim]")
    # a move by keys: rook moves next to kim, who may interrupt at the end of the path
    page.locator("[data-space='6,2']").focus()
    for key in ("ArrowDown", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    expect(page.locator("[data-space='4,3']")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-selected-space='4,3']")
    wait_for_answer(page)
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-question=rook]")
    wait_for_answer(page)
    expect(page.locator(".fight-question .ask")).to_contain_text("Does Kim interrupt")
    expect(page.locator("[data-action]:not([data-actor=kim], [data-actor=rook])")).to_have_count(0)
    tap(page, ".fight-question [data-action=interrupt][data-actor=kim]", "1")
    tap(page, "[data-action=settle][data-actor=rook]")
    assert list_positions(page)["Rook"].startswith("4,3")
    tap(page, "[data-action=end-turn][data-actor=rook]")
    # bo is far away, so no one may interrupt; the list of spaces replaces the map
    tap(page, ".fight-moves [data-action=move][data-actor=bo][data-target-space='7,2']")
    assert list_positions(page)["Bo"].startswith("7,2")
    tap(page, "[data-action=end-turn][data-actor=bo]")
    # a hold, and rook is repositioned by dragging its token
    tap(page, "[data-action=hold][data-target=rook]", "18")
    assert "immobilized" in list_positions(page)["Rook"]
    drag(page, "4,3", "5,3")
    wait_for_answer(page)
    assert list_positions(page)["Rook"].startswith("5,3")
    now, story = list_positions(page), list_log_entries(page)
    assert story[-1].startswith("Kim moves Rook to")
    page.reload()
    wait_for_answer(page)
    assert (list_positions(page), list_log_entries(page)) == (now, story)
    while page.locator("[data-undo]:enabled").count():
        tap(page, "[data-undo]")
    assert (list_positions(page), list_log_entries(page)) == (first, [])
    while page.locator("[data-redo]:enabled").count():
        tap(page, "[data-redo]")
    assert (list_positions(page), list_log_entries(page)) == (now, story)


def test_tokens_dragged_in_the_set_up_are_in_the_fight_and_its_link(page: Page, other: Page) -> None:
    """The link opens the fight in another profile."""
    open_ready(page, SETUP)
    drag(page, "1,1", "3,0")
    expect(page.locator("input[name=tokens]")).to_have_value("kim@3,0,hunters rook@6,2,guards bo@8,3,guards")
    tap(page, "button[name=log][value=begin]")
    assert list_positions(page)["Kim"].startswith("3,0")
    tap_space(page, "4,0")
    tap_space(page, "4,0")
    open_ready(other, read_share_link(page))
    assert list_positions(other) == list_positions(page)
    assert list_positions(other)["Kim"].startswith("4,0")


def test_painted_map_and_tokens_go_to_a_fight_and_back(page: Page) -> None:
    """Follow the links between map and set-up, where the tokens wait for characters."""
    open_ready(page, "tools/board/?map=..%23../.....&tokens=kim@0,0,blue%20rook@4,1,red")
    page.click("a.board__to-fight")
    page.wait_for_selector(".fight-board [data-space='4,1']")
    wait_for_answer(page)
    expect(page.locator("[data-side=blue] [data-waiting]")).to_contain_text("Kim")
    page.click("a.to-board")
    page.wait_for_selector(".calculator-board [data-space='4,1']")
    wait_for_answer(page)
    expect(page.locator("input[name=tokens]")).to_have_value("kim@0,0,blue rook@4,1,red")


MAX_TAPS = 5  # in a turn, interrupts apart
FIND_HIDDEN_PARTS = """() => {
  const box = (part) => document.querySelector(part)?.getBoundingClientRect();
  const [top, foot] = [box(".fight-head").bottom, box(".fight-foot").top];
  const wrong = document.documentElement.scrollWidth > screen.width ? ["the page goes sideways"] : [];
  const look = (what, part, from, to) => {
    const at = typeof part === "string" ? box(part) : part.getBoundingClientRect();
    if (!at?.width || at.top < from - 1 || at.bottom > to + 1 || at.left < 0 || at.right > innerWidth + 1)
      wrong.push(`${what}: ${Math.round(at?.top)} to ${Math.round(at?.bottom)}, not in ${Math.round(from)} to ${to}`);
  };
  const header = Math.max(0, document.querySelector(".md-header").getBoundingClientRect().bottom);
  look("turn", "[data-active]", header, foot);
  if (document.querySelector(".fight-log li")) look("result", "[data-last]", header, foot);
  for (const each of document.querySelectorAll("[data-hp]")) look(each.dataset.hp, each, header, foot);
  if (document.querySelector("[data-winner]")) return wrong;
  const question = document.querySelector("[data-question]");
  if (question) look("question", question.querySelector(".ask"), top, foot);
  else {
    const frame = box(".board-scroll");
    look("map", ".board-scroll", top, foot);
    look("whose space it is about", "[data-space][data-in-view]", frame.top, frame.bottom);
  }
  if (document.querySelector("[data-selected-space]")) look("space", "[data-selected-space]", top, foot);
  if (document.querySelectorAll("[data-hp]").length !== 4) wrong.push("hit points are missing");
  return wrong;
}"""
"""Returns which of turn, result, hit points, map and answer are out of view or covered."""
FIND_NEAREST_SPACE = """() => {
  const mine = document.querySelector("[data-chip].is-on").className.match(/side-[0-9]/)[0];
  const middle = (part) => (({ x, y, width, height }) => [x + width / 2, y + height / 2])(part.getBoundingClientRect());
  const far = ([a, b], [c, d]) => Math.hypot(a - c, b - d);
  const foes = [...document.querySelectorAll(`.board-piece:not(.${mine}, .board-fallen)`)].map(middle);
  const own = middle(document.querySelector(".board-piece.board-selected"));
  const near = (at) => Math.min(...foes.map((foe) => far(foe, at)));
  const spaces = [...document.querySelectorAll("[data-cost]")].filter((each) => Number(each.dataset.cost));
  const best = spaces.toSorted((one, two) => near(middle(one)) - near(middle(two)))[0];
  if (!best || near(middle(best)) >= near(own) - 4) return null;
  best.scrollIntoView({ block: "nearest", inline: "nearest" }); // a thumb moves the map in its frame
  return [best.dataset.space, ...middle(best)];
}"""
"""Returns the space in reach nearest to an enemy and its position, or null if none is nearer."""


def move_near_enemy(page: Page) -> int:
    """Tap the map to move towards the enemy, and return the taps.

    Nothing is scrolled.
    """
    found = page.evaluate(FIND_NEAREST_SPACE)
    for tapped in range(2 if found else 0):
        page.touchscreen.tap(*found[1:])
        if not tapped:
            page.wait_for_selector(f"[data-selected-space='{found[0]}']")
        else:
            page.wait_for_selector("[data-selected-space]", state="detached")
        wait_for_answer(page)
        assert page.evaluate(FIND_HIDDEN_PARTS) == []
    return 2 if found else 0


def test_fight_on_hexes_takes_five_taps_a_turn_with_all_parts_in_view(phone: Page) -> None:
    """Play a fight on a phone to its end, by moving, attacking and ending turns."""
    page = phone
    open_ready(page, ON_HEXES)
    tap(page, "button[name=log][value=begin]")
    assert page.evaluate(FIND_HIDDEN_PARTS) == []
    taps, turns, moved, struck, presses = 0, 1, False, False, 0
    while not page.locator("[data-winner]").count():
        presses += 1
        assert presses < 300, "no winner"
        is_asked = page.locator("[data-question]").count()
        blow = page.locator(".fight-acts [data-key='1']:has(.act__odds)")
        if not (is_asked or moved or blow.count()):
            moved = True
            taps += move_near_enemy(page)
            continue
        is_blow = bool(blow.count()) and not struck
        page.evaluate(TAP, "1" if is_blow else "e")
        wait_for_answer(page)
        assert page.evaluate(FIND_HIDDEN_PARTS) == []
        if is_asked:
            continue
        struck, taps = struck or is_blow, taps + 1
        if not is_blow:
            assert taps <= MAX_TAPS
            taps, turns, moved, struck = 0, turns + 1, False, False
    expect(page.locator("[data-winner]")).to_contain_text("in round")
    assert turns > 4


def build_fighter(name: str, side: str, space: tuple[int, int], **abilities: int) -> dict[str, object]:
    """Return a character of a scenario."""
    return {"id": name.lower(), "name": name, "side": side, "abilities": abilities, "at": space}


TWO_ATTACKS_ON_HEXES = {
    "format": "scratch-scenario/1",
    "characters": [
        build_fighter("Kim", "hunters", (4, 3), fighting=2, toughness=3),
        build_fighter("Lou", "hunters", (5, 3), shooting=2, toughness=2),
        build_fighter("Rook", "guards", (6, 2), fighting=2, toughness=3),
        build_fighter("Bo", "guards", (9, 3), fighting=1, toughness=2),
    ],
    "initiative": {"lou": [20], "rook": [13], "kim": [6], "bo": [3]},
    "board": {
        "shape": "hex",
        "rows": next(each for each in SAMPLE_MAPS if each.id == "forest").rows.split("/"),
        "cover": [[3, 0], [5, 2]],
    },
    "steps": [
        {"actor": "lou", "do": "evade", "with": "none"},
        {"actor": "lou", "do": "end-turn"},
        {"actor": "rook", "do": "double-attack", "with": "fighting", "target": "lou", "faces": [14]},
        {"actor": "rook", "do": "second-blow", "with": "fighting", "target": "lou", "faces": [5]},
    ],
}
"""A fight on a map of hexes after two attacks in one action.

The results have two lines each, the target is injured and evading, in a line of its own, and the map has a key. Kim,
who is next, has no one to attack.
"""


def test_first_action_on_hexes_is_in_view_after_two_results_on_a_phone(phone: Page) -> None:
    """Each result has a total and a sentence, and the target a line of conditions."""
    open_ready(phone, "tools/fight/?" + format_query({"log": json.dumps(TWO_ATTACKS_ON_HEXES)}))
    phone.evaluate(TAP, "e")
    wait_for_answer(phone)
    expect(phone.locator(".fight-last")).to_have_count(2)
    assert phone.evaluate(FIND_HIDDEN_PARTS) == []
    assert is_uncovered(phone.locator(".fight-acts [data-key='1']"))


def test_replay_on_a_phone_describes_the_map_at_each_step(phone: Page) -> None:
    """The picture has a description, and the page doesn't scroll sideways."""
    open_ready(phone, "tools/replay/?scenario=harbour&step=2")
    expect(phone.locator(".replay-board svg[role=img]")).to_have_attribute(
        "aria-label",
        "Map, 10 columns and 7 rows. Mara: 3,2, ground. Tam: 1,5, water. Odo: 4,3, ground. Pell: 8,0, ground.",
    )
    expect(phone.locator(".board-told")).to_contain_text("Odo interrupts Mara at 3,2.")
    expect(phone.locator("[data-hp=mara]")).to_have_text("4")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.keyboard.press("ArrowRight")
    wait_for_step(phone, 3)
