"""The fight tracker: a fight by taps alone, through a reload, undone to its start and redone."""

import json
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from scratch_core.calculators.shared.query import format_query
from scratch_core.scenario import SAMPLE_SCENARIOS
from tests.browser.navigation import visit
from tests.browser.pages.calculator import open_ready, press_and_wait, tap, wait_for_answer
from tests.browser.pages.fight import (
    ADD,
    BEGIN,
    FIGHT,
    HOLD,
    SHEETS,
    STEPS,
    begin,
    list_log_entries,
    read_hit_points,
    write,
)
from tests.browser.pages.saved_entries import format_checkbox_selector
from tests.support.known import require


def test_fight_runs_to_its_end_by_offered_actions_alone(page: Page) -> None:
    """It survives a reload, and undo and redo go all the way."""
    begin(page)
    before = read_hit_points(page)
    steps = 0
    while not page.locator("[data-winner]").count():
        steps += 1
        assert steps < 60, "no winner"
        blow = page.locator(".fight-acts [data-key='1']:has(.act__odds)")
        if blow.count():
            page.fill("[name=faces]", "19")
        tap(page, ".fight-acts [data-key='1']" if blow.count() else "[data-action=end-turn]")
        if steps == 5:
            now, story = read_hit_points(page), list_log_entries(page)
            page.reload()
            wait_for_answer(page)
            assert (read_hit_points(page), list_log_entries(page)) == (now, story)
    end, story = read_hit_points(page), list_log_entries(page)
    assert page.evaluate(STEPS) > 5
    while page.locator("[data-undo]:enabled").count():
        tap(page, "[data-undo]")
    assert (read_hit_points(page), list_log_entries(page)) == (before, [])
    while page.locator("[data-redo]:enabled").count():
        tap(page, "[data-redo]")
    assert (read_hit_points(page), list_log_entries(page)) == (end, story)


def test_ticked_characters_stay_ticked_while_the_list_is_filtered(page: Page) -> None:
    """Escape and Back close the chooser and discard the selection."""
    open_ready(page, FIGHT)
    page.click("[data-choose=them]")
    page.click(format_checkbox_selector("Rat"))
    page.fill("[name=find]", "guard")
    expect(page.locator(".chooser__list label")).to_have_count(3)
    expect(page.locator(".chooser :checked + .name")).to_have_text("Rat")
    page.locator(format_checkbox_selector("Guard")).click()
    expect(page.locator(ADD)).to_have_text("Add 2 to them")
    page.keyboard.press("Escape")
    expect(page.locator(".chooser")).to_have_count(0)
    wait_for_answer(page)
    assert page.locator("[data-ready]").count() == 0
    page.click("[data-choose=us]")
    expect(page.locator(".chooser")).to_be_visible()
    wait_for_answer(page)
    expect(page.locator(".chooser :checked")).to_have_count(0)
    page.locator("a.md-logo").first.focus()  # the key reaches the browser only, as Android's Back does
    page.keyboard.press("Escape")
    expect(page.locator(".chooser")).to_have_count(0)


def test_removed_character_comes_back_by_undo(page: Page) -> None:
    """The other rows keep their position."""
    open_ready(page, f"{FIGHT}?{format_query({'sheets': SHEETS})}")
    box = page.locator("[data-ready=chokestar]").bounding_box()
    page.click("[value='remove flipfire']")
    expect(page.locator("[data-added]")).to_have_text("Flipfire removed.")
    wait_for_answer(page)
    assert page.locator("[data-ready=chokestar]").bounding_box() == box
    page.click("[data-back]")
    expect(page.locator("[data-ready=flipfire]")).to_be_visible()


TYPE_SHEETS = """(text) => {
  const box = document.querySelector("[name=sheets]");
  box.value = text;
  box.dispatchEvent(new Event("input", { bubbles: true }));
}"""
"""Types into the set-up without moving the page under the mouse."""


def test_answer_waits_while_a_button_is_held_down(page: Page) -> None:
    """The press counts when the button is released."""
    open_ready(page, FIGHT)
    page.locator(BEGIN).scroll_into_view_if_needed()
    at = require(page.locator(BEGIN).bounding_box())
    page.mouse.move(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    page.mouse.down()  # first: on a fast machine the answer is there before the mouse is
    people = "Rook\nside: black\n2 fighting\n\nPawn\nside: white\n2 fighting"
    press_and_wait(page, lambda: page.evaluate(TYPE_SHEETS, people))
    page.wait_for_selector("scratch-calculator[stale]")
    assert page.locator(BEGIN).bounding_box() == at
    page.mouse.up()
    page.wait_for_selector("[data-active]")
    assert set(read_hit_points(page)) == {"rook", "pawn"}


def test_typed_faces_are_used_or_refused_without_losing_the_form(page: Page) -> None:
    """Typed faces are used, or a problem is shown at their field.

    Enter rolls nothing, and a refusal leaves the form as it was.
    """
    begin(page)
    page.fill("[name=faces]", "7")
    page.press("[name=faces]", "Enter")
    wait_for_answer(page)
    assert (list_log_entries(page), page.input_value("[name=faces]")) == ([], "7")
    page.fill("[name=note]", "From behind.")
    tap(page, HOLD, "11, 4")
    expect(page.locator("[data-problem][data-field=faces]")).to_be_visible()
    expect(page.locator(".calculator-announcement")).to_contain_text("The action wasn't carried out. ")
    assert "carried out" not in page.title()
    assert (page.input_value("[name=faces]"), page.input_value("[name=note]")) == ("11, 4", "From behind.")
    assert list_log_entries(page) == []
    tap(page, HOLD, "11")
    assert read_hit_points(page)["breakhelm-x-19"] == "5"  # 11 + 2 against 13: held, and 1 damage by a healthy wrestler
    assert (page.input_value("[name=faces]"), page.input_value("[name=note]")) == ("", "")
    expect(page.locator(".fight-note")).to_have_text("From behind.")
    expect(page.locator("[data-chip=breakhelm-x-19]")).to_contain_text("delayed")
    tap(page, "[data-card-button=breakhelm-x-19]")
    expect(page.locator("[data-card=breakhelm-x-19]")).to_contain_text("until the end of their next turn")


SINGLE_ENTRY = json.dumps({"version": "fight/1", "query": format_query({"log": SAMPLE_SCENARIOS["worked-combat"]})})
"""A saved fight exported as one entry."""


@pytest.mark.parametrize("text", [SAMPLE_SCENARIOS["worked-combat"], SINGLE_ENTRY], ids=["TOML", "set aside"])
def test_imported_fight_can_be_continued_and_undone(page: Page, tmp_path: Path, text: str) -> None:
    """Open a scenario file and an exported entry."""
    file = tmp_path / "worked.txt"
    file.write_text(text, encoding="utf-8")
    open_ready(page, FIGHT)
    page.set_input_files(".fight-begin [data-into=log]", file)
    page.wait_for_selector("[data-winner]")
    assert read_hit_points(page) == {
        "chokestar": "3",
        "flipfire": "4",
        "breakhelm": "0",
    }  # catalogue 3.2
    tap(page, "[data-undo]")
    assert page.locator("[data-winner]").count() == 0


DAMAGED_ENTRIES = (
    json.dumps({"version": "fight/1", "query": "log=" + quote('{"format":"scratch-scenario/1","system":"mano",')}),
    json.dumps({"version": "fight/0", "query": "log=%7B%7D"}),
    "no json at all",
)
"""Entries that are cut off, of another version, or unreadable."""


def test_damaged_saved_fights_are_preserved_and_can_be_exported(page: Page) -> None:
    """A new fight begins as usual."""
    visit(page, "")
    for name, text in enumerate(DAMAGED_ENTRIES):
        page.evaluate("([name, text]) => localStorage.setItem(name, text)", [f"scratch-kept-fight/{name}", text])
    visit(page, FIGHT)
    files = page.locator(".calculator-aside [data-download]")
    expect(files).to_have_count(len(DAMAGED_ENTRIES))
    assert {each.get_attribute("data-text") for each in files.all()} == {*DAMAGED_ENTRIES}
    begin(page)
    page.reload()
    page.wait_for_selector("[data-active]")
    assert {*DAMAGED_ENTRIES} <= {*page.evaluate("Object.values(localStorage)")}


def test_page_title_is_hidden_while_a_fight_runs(page: Page) -> None:
    """Before the fight it is a strip.

    Its heading stays for a screen reader.
    """
    visit(page, FIGHT)
    title = page.locator("h1")
    assert require(title.bounding_box())["height"] <= 72
    begin(page)
    assert require(title.bounding_box())["y"] < 0
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    assert require(page.locator("scratch-calculator").bounding_box())["y"] < 120


def test_opened_line_of_the_log_stays_that_line(page: Page) -> None:
    """New lines come before it."""
    begin(page)
    page.fill("[name=faces]", "19")
    tap(page, ".fight-acts [data-key='1']")
    line = page.locator(".fight-log details").first
    line.locator("summary").click()
    entry = require(line.locator("xpath=ancestor::li").get_attribute("data-entry"))
    tap(page, "[data-action=end-turn]")
    page.fill("[name=faces]", "19")
    tap(page, ".fight-acts [data-key='1']")
    opened = page.locator(".fight-log li:has(details[open])")
    expect(opened).to_have_count(1)
    expect(opened).to_have_attribute("data-entry", entry)


def test_closed_fold_opens_for_an_answer_with_a_problem_in_it(page: Page) -> None:
    """A refused start opens the fold of the wrong entry, and otherwise it stays closed."""
    open_ready(page, FIGHT)
    write(page, sheets=SHEETS, initiative="chokestar 17")
    fold = page.locator("details.fight-rules")
    fold.locator("> summary").click()
    tap(page, "[data-turns=hunters]")
    expect(fold).not_to_have_attribute("open", "")
    write(page, initiative="chokestar 99")
    wait_for_answer(page)
    fold.locator("> summary").click()
    expect(fold).not_to_have_attribute("open", "")
    tap(page, BEGIN)
    expect(fold).to_have_attribute("open", "")
    expect(page.locator("[name=initiative]")).to_be_visible()
