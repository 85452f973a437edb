"""Fights by the other turn systems: played by taps, saved, undone, exported and imported."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scratch_core.calculators.shared.query import format_query
from tests.browser.pages.calculator import open_ready, save_download, tap, unfold, wait_for_answer
from tests.browser.pages.fight import FIGHT, choose_order, list_log_entries, write

BEGIN = "button[name=log][value=begin]"
SET_UPS: dict[str, dict[str, str]] = {
    "mano": {
        "fighters": "Ann: speed 1/2, weapons 2, side red\nBo: speed 2, side blue\nCy: side blue",
        "first": "ann",
    },
    "mano-old": {
        "fighters": "Ann: hp 6, hp/round 3, defence 2, stun 1, side red\nBo: hp 8, hp/round 2, defence 4, side blue",
        "ambush": "ann",
    },
    "seize": {
        "fighters": "Ann: bonus 3, side heroes\nBo: side heroes\nGoblin 1: bonus 2, group goblins, side goblins\n"
        "Goblin 2: group goblins, side goblins",
        "initiative": "ann 9, bo 3, goblins 7",
    },
}
FIGHTS: dict[str, list[tuple[str, dict[str, str]]]] = {
    "mano": [
        ("[data-action=combo][data-actor=ann][data-target=bo]", {"combo_count": "2,2", "combo_move": "true"}),
        ("[data-action=stun][data-target=bo]", {"event_points": "2"}),
        ("[data-action=prepare-counter][data-actor=bo]", {}),
        ("[data-action=active][data-actor=cy]:not([data-target])", {}),
        ("[data-action=skip][data-actor=ann]", {}),  # `mano.speed.half`: one skip is owed
        ("[data-action=active][data-actor=bo][data-target=cy]", {"active_move": "true"}),
        ("[data-action=prepare-counter][data-actor=cy]", {}),
        ("[data-action=active][data-actor=ann][data-target=cy]", {}),
        ("[data-question] [data-action=counter][data-actor=cy][data-target=ann]", {}),
        ("[data-action=active][data-actor=ann]:not([data-target])", {}),
        ("[data-action=leave][data-actor=ann]", {}),
    ],
    "mano-old": [
        ("[data-action=start-turn][data-actor=ann]", {}),
        ("[data-action=ready][data-actor=ann] >> text=1 HP from defence, 2 HP from other", {}),
        (
            ".fight-spend .act-row--small:has-text('power') [data-action=spend] >> text=into other",
            {"spend_points": "2"},
        ),
        ("[data-action=damage][data-target=bo]", {"event_points": "3", "event_from": "defence"}),
        ("[data-action=end-turn][data-actor=ann]", {}),
        ("[data-action=start-turn][data-actor=bo]", {}),
        ("[data-action=ready][data-actor=bo] >> text=2 HP from other", {}),
        (".fight-spend .act-row--small:has-text('manoeuvre') [data-action=spend] >> text=into defence", {}),
        ("[data-action=stun][data-target=bo]", {"event_points": "1"}),
        ("[data-action=end-turn][data-actor=bo]", {}),
        ("[data-action=leave][data-actor=bo]", {}),
    ],
    "seize": [
        ("[data-action=turn][data-actor=ann]", {}),
        ("[data-action=lose-hp][data-target=goblin-1]", {"event_points": "4"}),
        ("[data-action=choose][data-target=bo]", {}),
        ("[data-question] [data-action=seize][data-actor=goblin-1]", {}),
        ("[data-action=turn][data-actor=goblin-1]", {}),
        ("[data-action=lose-hp][data-target=bo]", {}),
        ("[data-question] [data-action=decline][data-actor=bo]", {}),
        ("[data-action=choose][data-target=goblin-2]", {}),
        ("[data-action=turn][data-actor=goblin-2]", {}),
        ("[data-action=leave][data-actor=goblin-1]", {}),
        ("[data-action=leave][data-actor=goblin-2]", {}),
    ],
}
"""A fight in each turn system: the pressed buttons, and the fields filled in before."""


def begin_fight(page: Page, system: str) -> None:
    """Choose a turn system, fill in its set-up, and begin."""
    open_ready(page, FIGHT)
    choose_order(page, system)
    fill_set_up(page, system)


def fill_set_up(page: Page, system: str) -> None:
    """Fill in the set-up on the page, and begin."""
    for name, text in SET_UPS[system].items():
        write(page, **{name: text})
    tap(page, BEGIN)
    page.wait_for_selector(f"[data-system={system}]")


EVENT = re.compile(r"\[data-action=(?:stun|damage|lose-hp|leave)\]\[data-(?:target|actor)=([\w-]+)\]")
"""The button of an event in the row of a character, and its id."""


def select(page: Page, who: str) -> None:
    """Select a character to enter what happened to it."""
    if page.locator(f"[data-event-row='{who}']").count() == 0:
        names = page.locator(".event-row__who")
        names.select_option(names.locator(f"option[value$=' {who}']").get_attribute("value"))
    expect(page.locator(f"[data-event-row='{who}']")).to_have_count(1)


def take_action(page: Page, button: str, fields: dict[str, str]) -> None:
    """Fill in an action's fields and press its button.

    The character of an event is selected before.
    """
    if event := EVENT.search(button):
        select(page, event[1])
    for name, value in fields.items():
        control = page.locator(f"[name={name}]")
        unfold(control)
        kind = control.evaluate("(control) => control.type")
        if kind == "checkbox":
            control.check()
        elif kind.startswith("select"):
            control.select_option(value)
        else:
            control.fill(value)
    tap(page, button)
    assert page.locator("[data-problem]").count() == 0, page.locator("[data-problem]").all_inner_texts()


def read_state(page: Page) -> list[str]:
    """Return the characters with their points, whose turn it is, and the round."""
    words = page.locator("[data-fighter]").all_inner_texts()
    return [*words, page.inner_text(".fight-now .whose"), page.inner_text("[data-round]")]


FIND_HIDDEN_PARTS = """() => {
  const top = Math.max(0, document.querySelector(".md-header").getBoundingClientRect().bottom), wrong = [];
  const look = (what, element) => {
    const box = element?.getBoundingClientRect();
    const isHigh = box?.width && box.top >= top - 1 && box.bottom <= innerHeight + 1;
    const isIn = isHigh && box.left >= 0 && box.right <= innerWidth;
    if (!isIn) wrong.push(`${what}: ${Math.round(box?.top)} to ${Math.round(box?.bottom)} of ${innerHeight}`);
  };
  look("turn", document.querySelector("[data-active]"));
  look("result", document.querySelector("[data-last], [data-question]"));
  look("undo", document.querySelector("[data-undo]"));
  for (const each of document.querySelectorAll("[data-fighter]")) {
    const chip = document.querySelector(`[data-chip="${each.dataset.fighter}"]`);
    look(each.dataset.fighter, chip);
    const words = chip?.querySelector(".person__marks");
    if (words?.scrollWidth > words?.clientWidth + 1) wrong.push(`cut: ${words.textContent}`);
    const isThere = !chip?.querySelector(".is-out");
    const isDone = isThere && each.querySelector("[data-turn-done]");
    const text = words?.parentElement.textContent;
    if (isDone && !text.includes("done")) wrong.push(`${each.dataset.fighter} has had its turn`);
    for (const one of isThere ? each.querySelectorAll("[data-points]:not(.none)") : []) {
      const counted = `${one.dataset.points} ${one.textContent}`;
      if (!words.textContent.includes(counted)) wrong.push(`${counted} in ${words.textContent}`);
    }
  }
  const first = document.querySelector(".fight-acts [data-key='1']");
  if (first && !document.querySelector("[data-winner]")) look("first act", first);
  if (!document.activeElement?.hasAttribute("data-focus")) wrong.push("the focus is elsewhere");
  return wrong;
}"""
"""Returns what is out of view: turn, result, undo, characters with their points, or the first action."""


def check_visibility(page: Page) -> None:
    """Check on two phone heights that all important parts are in view."""
    for height in (844, 664):
        page.set_viewport_size({"width": 390, "height": height})
        assert page.evaluate(FIND_HIDDEN_PARTS) == [], height


@pytest.mark.parametrize("system", FIGHTS)
def test_fight_by_another_turn_system_runs_by_offered_actions(
    page: Page, other: Page, tmp_path: Path, system: str
) -> None:
    """It is restored by a reload, undone, redone, exported and imported."""
    for each in (page, other):
        each.set_viewport_size({"width": 390, "height": 664})
    begin_fight(page, system)
    check_visibility(page)
    states = [read_state(page)]
    for number, (button, fields) in enumerate(FIGHTS[system], 1):
        take_action(page, button, fields)
        check_visibility(page)
        assert len(list_log_entries(page)) == number
        states.append(read_state(page))
        if number == 5:
            page.reload()
            wait_for_answer(page)
            assert read_state(page) == states[-1]
    expect(page.locator("[data-winner]")).to_have_count(1)
    story = list_log_entries(page)

    unfold(page.locator("[data-download='fight.json']"))
    file = save_download(page, "[data-download='fight.json']", tmp_path / "fight.json")
    written = json.loads(file.read_text(encoding="utf-8"))
    assert (written["format"], written["system"], len(written["steps"])) == ("scratch-scenario/1", system, len(story))

    for place in reversed(range(len(story))):
        tap(page, "[data-undo]")
        assert read_state(page) == states[place]
    assert page.locator("[data-undo]:enabled").count() == 0
    assert list_log_entries(page) == []
    while page.locator("[data-redo]:enabled").count():
        tap(page, "[data-redo]")
    assert (read_state(page), list_log_entries(page)) == (states[-1], story)

    open_ready(other, FIGHT)
    other.set_input_files("[data-into=log]", file)
    other.wait_for_selector(f"[data-system={system}]")
    assert (read_state(other), list_log_entries(other)) == (states[-1], story)

    tap(page, "[name=act][value=setup]")
    fill_set_up(page, system)  # with its initiative: a new set-up would roll it
    for button, _ in FIGHTS[system]:  # nothing filled in: each act, and all that the table tells, is a single tap
        take_action(page, button, {})
    expect(page.locator("[data-winner]")).to_have_count(1)


def test_fields_of_an_action_are_reset_after_it(page: Page) -> None:
    """A refused action keeps its fields."""
    begin_fight(page, "mano")
    take_action(page, "[data-action=combo][data-target=bo]", {"combo_count": "2,2", "combo_move": "true"})
    assert not page.locator("[name=combo_move]").is_checked()
    assert page.input_value("[name=combo_count]") == "1,1"
    select(page, "bo")
    page.fill("[name=event_points]", "many")
    page.fill("[name=note]", "A blow.")
    tap(page, "[data-action=stun][data-target=bo]")
    expect(page.locator("[data-problem][data-field=event_points]")).to_be_visible()
    assert (page.input_value("[name=event_points]"), page.input_value("[name=note]")) == ("many", "A blow.")
    take_action(page, "[data-action=stun][data-target=bo]", {"event_points": "3"})
    assert (page.input_value("[name=event_points]"), page.input_value("[name=note]")) == ("1", "")
    expect(page.locator(".fight-note")).to_have_text("A blow.")


SIX = "\n".join(f"{name}: side {side}" for name, side in zip("ABCDEF", ("us", "them") * 3, strict=True))


def begin_six(page: Page) -> None:
    """Begin a fight of six by choose-next."""
    open_ready(page, f"{FIGHT}?{format_query({'system': 'seize', 'fighters': SIX})}")
    write(page, initiative="a 20, b 9, c 8, d 7, e 6, f 5")
    tap(page, BEGIN)
    page.wait_for_selector("[data-system=seize]")
    take_action(page, "[data-action=turn][data-actor=a]", {})


def test_another_character_is_one_tap_away_and_undo_returns(phone: Page) -> None:
    """The stepper and a button do the rest, and the number is 1 again afterwards."""
    begin_six(phone)
    before = read_state(phone)
    phone.locator(".fight-people__aim[data-add=f]").tap()
    wait_for_answer(phone)
    expect(phone.locator(".event-row__who")).to_have_value(re.compile(" f$"))
    assert phone.locator(".event-row [name=act]").count() == 2
    plus = phone.locator(".event-row [data-step='1']")
    plus.tap()
    plus.tap()
    expect(phone.locator("[name=event_points]")).to_have_value("3")
    phone.locator(".event-row [data-action=lose-hp]").tap()
    wait_for_answer(phone)
    expect(phone.locator("[data-log-last], .fight-log li").first).to_contain_text("F loses 3 hit points")
    expect(phone.locator("[name=event_points]")).to_have_value("1")
    tap(phone, "[data-undo]")
    assert read_state(phone) == before


def test_keyboard_selects_a_character_and_enters_what_happened(page: Page) -> None:
    """The focus stays on the ring, and the number can be typed."""
    begin_six(page)
    page.locator(".fight-people__aim[data-add=e]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-event-row=e]")).to_have_count(1)
    expect(page.locator(".fight-people__aim[data-add=e]")).to_be_focused()
    page.locator("[name=event_points]").focus()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("2")
    page.keyboard.press("Tab")  # the button that raises it
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    wait_for_answer(page)
    expect(page.locator(".fight-log li").first).to_contain_text("E loses 2 hit points")


def test_numbers_of_a_set_up_change_in_the_open_row(page: Page) -> None:
    """The row stays open and keeps the focus. Undo returns to the number before."""
    two = {"system": "mano", "fighters": "Ann: side us\nBo: side them"}
    open_ready(page, f"{FIGHT}?{format_query(two)}")
    row = page.locator("[data-ready=ann]")
    row.locator("summary").click()
    button = row.get_by_role("button", name="Ann: raise speed")
    for value in ("2", "3"):
        button.focus()
        page.keyboard.press("Enter")
        expect(row.locator(".person__figures")).to_have_text(f"speed {value}")
        expect(button).to_be_focused()
    expect(page.locator("[name=fighters]")).to_have_value("Ann: speed 3, side us\nBo: side them")
    page.locator("[data-back]").click()
    expect(row.locator(".person__figures")).to_have_text("speed 2")


def test_set_up_text_survives_a_change_of_turn_system(page: Page) -> None:
    """Characters are carried over, and a new set-up restores the text."""
    open_ready(page, FIGHT)
    write(page, sheets="Rook\n2 toughness")
    choose_order(page, "seize")
    write(page, fighters="Ann\nBo: bonus 2")
    page.wait_for_selector("[data-ready=bo]")
    choose_order(page, "")
    expect(page.locator("[name=sheets]")).to_have_value("Rook\n2 toughness\n\nAnn\n1 toughness\n\nBo\n1 toughness")
    choose_order(page, "mano")
    lines = page.locator("[name=fighters]")
    expect(lines).to_have_value("Rook\nAnn\nBo")
    choose_order(page, "seize")
    expect(lines).to_have_value("Ann\nBo: bonus 2\nRook")
    tap(page, BEGIN)
    page.wait_for_selector("[data-system=seize]")
    tap(page, "[name=act][value=setup]")
    expect(lines).to_have_value("Ann\nBo: bonus 2\nRook")
    tap(page, "[name=log][value=resume]")
    expect(page.locator("[data-system=seize]")).to_have_count(1)
