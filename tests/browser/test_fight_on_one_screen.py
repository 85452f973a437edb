"""A fight run with one thumb on a phone, or by keys: all important parts stay in view."""

import json
from collections.abc import Callable
from itertools import cycle

from playwright.sync_api import Page, expect

from scratch_core.calculators.shared.query import format_query
from tests.browser.pages.calculator import PHONE, TAP, open_ready, tap, unfold, wait_for_answer
from tests.browser.pages.fight import FIGHT, begin_four
from tests.browser.positions import press

MAX_TAPS = 2.5  # in the turn of a character able to act
MAX_STEPS = 400


FIND_HIDDEN_PARTS = """() => {
  const header = document.querySelector(".md-header")?.getBoundingClientRect().bottom ?? 0;
  const foot = innerHeight, top = Math.max(0, header);
  const wrong = [];
  const look = (what, element) => {
    if (!element) return wrong.push(`${what}: missing`);
    const box = element.getBoundingClientRect();
    const isIn = box.top >= top - 1 && box.bottom <= foot + 1 && box.left >= -1 && box.right <= innerWidth + 1;
    if (!isIn || !box.width) wrong.push(`${what}: ${Math.round(box.top)} to ${Math.round(box.bottom)} of ${foot}`);
  };
  look("turn", document.querySelector("[data-active]"));
  if (document.querySelector(".fight-log li")) look("result", document.querySelector("[data-last]"));
  const points = [...document.querySelectorAll("[data-hp]")];
  if (points.length !== 8) wrong.push(`${points.length} hit points`);
  for (const each of points) look(`hit points of ${each.dataset.hp}`, each);
  look("undo", document.querySelector("[data-undo]"));
  if (!document.querySelector("[data-winner]")) {
    const open = document.querySelector(".fight-acts > .fight-choices");
    if (open) look("first action", document.querySelector("[data-key='1']")); // else the turn's end is all there is
    look("end of the turn", document.querySelector("[data-key='e']"));
  }
  const focus = document.activeElement;
  if (!focus || focus === document.body) wrong.push("the focus is on the body");
  else if (!focus.hasAttribute("data-focus")) wrong.push(`the focus is on ${focus.outerHTML.slice(0, 80)}`);
  return wrong;
}"""
"""Returns what is out of view or without the focus after an action."""


def play_to_end(page: Page, press: Callable[[str], None]) -> tuple[int, int]:
    """Play the fight, and return the numbers of turns and presses.

    Each turn takes a bonus action or the first action on its first target, and ends.
    """
    turns = 0
    has_acted = False
    presses = 0
    while not page.locator("[data-winner]").count():
        assert presses < MAX_STEPS, "no winner"
        first = page.locator(".fight-acts [data-key='1']")
        kind = "" if has_acted or not first.count() else "1"
        press(kind or "e")
        wait_for_answer(page)
        assert page.evaluate(FIND_HIDDEN_PARTS) == []
        presses, turns, has_acted = presses + 1, turns + (not kind), bool(kind)
    return turns + 1, presses


def test_fight_of_eight_on_a_phone_takes_few_taps_without_scrolling(phone: Page) -> None:
    """A turn takes 2.5 taps at most, with and without the phone's bars."""
    page = phone
    heights = cycle((844, 664))

    def tap_key(key: str) -> None:
        page.set_viewport_size({"width": 390, "height": next(heights)})
        page.evaluate(TAP, key)

    begin_four(page)
    assert page.evaluate(FIND_HIDDEN_PARTS) == []
    turns, taps = play_to_end(page, tap_key)
    assert taps <= MAX_TAPS * turns
    assert " in round " in page.inner_text("[data-winner]")
    page.evaluate(TAP, "1")
    page.wait_for_selector("[data-focus] [data-active='']")
    assert page.evaluate(FIND_HIDDEN_PARTS) == []


def test_fight_of_eight_runs_by_keys_and_keeps_the_focus(page: Page) -> None:
    """One Tab from the head reaches the first action.

    Buttons show their keys on a desktop; with both actions used only the turn's end is left.
    """
    page.set_viewport_size({"width": 1280, "height": 800})
    begin_four(page)
    assert page.evaluate(FIND_HIDDEN_PARTS) == []
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.key") == "1"
    page.keyboard.press("Enter")
    wait_for_answer(page)
    assert page.locator(".fight-log li").count() == 1
    press(page, "u")
    second = page.locator(".fight-acts [data-key='2']")
    assert second.locator("kbd").is_visible()
    step = json.loads(str(second.get_attribute("value")))
    press(page, "2")
    steps = page.evaluate("JSON.parse(document.querySelector('[name=log]').value).steps")
    assert steps[0]["do"] == step["do"]
    press(page, "u")
    tap(page, "[data-action=evade]")
    tap(page, "[data-action=bonus]")
    keys = page.locator(".fight-running [data-key]:enabled").evaluate_all(
        "(all) => all.map((each) => each.dataset.key)"
    )
    assert sorted(keys) == ["e", "u"]
    for key in "e1" * 8:
        press(page, key)
        assert page.evaluate(FIND_HIDDEN_PARTS) == []


def test_turn_strip_of_ten_characters_wraps_and_cuts_no_name(page: Page) -> None:
    """The active character is among them."""
    page.set_viewport_size(PHONE)
    sheets = "\n\n".join(f"Guard {n}\nside: {n % 2}\n2 toughness\n1 fighting" for n in range(10))
    faces = ", ".join(f"guard-{n} {19 - n}" for n in range(10))
    open_ready(page, f"{FIGHT}?{format_query({'log': 'begin', 'sheets': sheets, 'initiative': faces})}")
    for _ in range(9):
        assert page.locator("[data-chip].is-on").count() == 1
        assert page.evaluate(FIND_CUT_TEXTS) == []
        press(page, "e")


FIND_CUT_TEXTS = """() => [
    ...document.querySelectorAll("[data-chip] :is(.person__name, .person-points, .person__marks)")
  ]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.getBoundingClientRect().right > innerWidth)
  .map((each) => each.textContent)"""
"""Returns the texts of the turn strip that are cut off."""


def test_low_screen_keeps_only_the_bar_of_a_fight_sticky(page: Page) -> None:
    """Below 500 px of height the head scrolls away."""
    page.set_viewport_size({"width": 664, "height": 390})
    begin_four(page)
    for part, position in ((".fight-head", "static"), (".fight-foot", "sticky")):
        assert page.locator(part).evaluate("(each) => getComputedStyle(each).position") == position
    page.evaluate(TAP, "e")
    wait_for_answer(page)
    assert page.locator(".fight-foot").evaluate("(each) => each.offsetHeight") < 390 / 4


def test_wake_lock_is_held_while_a_fight_runs(loaded: Page) -> None:
    """The end of the encounter releases it."""
    page = loaded
    page.add_init_script(
        "window.locks = []; Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => {"
        " const lock = new EventTarget(); lock.release = async () => window.locks.push('released');"
        " window.locks.push('requested'); return lock; } } });"
    )
    begin_four(page)
    assert page.evaluate("locks") == ["requested"]
    tap(page, "[data-action=end-encounter]")
    page.wait_for_selector("[data-focus] [data-active='']")
    page.wait_for_function("() => locks.length === 2")
    assert page.evaluate("locks") == ["requested", "released"]


# Changes by the game master


def test_game_master_sets_hit_points_and_adds_a_character_by_taps(page: Page) -> None:
    """The pressed name's card stays in view with the focus."""
    page.set_viewport_size({"width": 390, "height": 664})
    begin_four(page)
    tap(page, "[data-card-button=bandit]")
    whom = page.locator(".gm-card__name")
    expect(whom).to_be_focused()
    expect(whom).to_be_in_viewport()
    page.locator("[data-step='-1'][data-control=gm_hp]").click()
    tap(page, "[data-action=set-hp]")
    expect(page.locator("[data-last]")).to_contain_text("Game master: ")
    expect(whom).to_be_focused()
    expect(whom).to_be_in_viewport()
    expect(page.locator("[data-action=condition]").first).to_be_in_viewport()
    unfold(page.locator(".gm-join > summary"))
    tap(page, "[data-choose=join]")
    expect(page.locator(".gm-join .chooser")).to_be_in_viewport()
    page.locator(".chooser [name='tick.guard']").check()
    tap(page, "[data-action=join]")
    expect(page.locator("[data-chip]")).to_have_count(9)
    assert page.locator(".fight-log li.fight-log__by-hand").count() == 2
    tap(page, "[data-undo]")
    expect(page.locator("[data-chip]")).to_have_count(8)
