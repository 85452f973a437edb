"""Saved fights: several entries, two tabs, files, and the fragment of the address."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Page, expect

from scratch_core.calculators.shared.query import format_query
from scratch_core.scenario import SAMPLE_SCENARIOS
from tests.browser.navigation import follow, visit
from tests.browser.pages.calculator import FRAMES, READY, open_ready, read_share_link, tap, wait_for_answer
from tests.browser.pages.fight import (
    EXAMPLE,
    FACES,
    FIGHT,
    HOLD,
    begin,
    expect_steps,
    list_log_entries,
    read_hit_points,
    write,
)
from tests.browser.pages.saved_entries import (
    LIST,
    list_entry_names,
    open_entry,
    open_saved_list,
    press,
    press_in_menu,
    read_saved_fights,
)

LINK = f"{FIGHT}?{format_query({'log': SAMPLE_SCENARIOS['worked-combat']})}"


def begin_with_hold(page: Page) -> None:
    """Begin a fight and hold an opponent."""
    begin(page)
    tap(page, HOLD, "11")


def test_fight_opened_by_a_link_is_a_second_saved_entry(page: Page) -> None:
    """It is named after its characters, and the first entry opens unchanged."""
    begin_with_hold(page)
    linked = page.context.new_page()
    linked.goto(LINK)
    linked.wait_for_selector("[data-winner]")
    open_saved_list(linked)
    expect(linked.locator(f"{LIST} .list-row__name")).to_have_count(2)
    assert "Chokestar and Flipfire against Breakhelm X-19 · round 1" in list_entry_names(linked)
    linked.reload()
    linked.wait_for_selector("[data-winner]")
    assert len(read_saved_fights(linked)) == 2
    open_entry(linked, "X-19 · round 1")
    expect(linked.locator("[data-active]")).to_be_visible()
    assert read_hit_points(linked)["breakhelm-x-19"] == "5"
    linked.goto(FIGHT)
    linked.wait_for_selector("[data-active]")
    assert read_hit_points(linked)["breakhelm-x-19"] == "5"


def test_new_fight_after_a_finished_one_is_an_entry_of_its_own(page: Page) -> None:
    """An unchanged set-up isn't saved."""
    visit(page, LINK)
    open_saved_list(page)
    expect(page.locator(f"{LIST} .list-row__name")).to_have_count(1)
    tap(page, "[data-action=end-encounter]")
    expect(page.locator(f"{LIST} .list-row__name")).to_contain_text("over")
    over = read_saved_fights(page)
    assert len(over) == 1
    tap(page, ".fight-ending [value=setup]")
    assert read_saved_fights(page) == over
    tap(page, "[name=log][value=resume]")
    assert read_saved_fights(page) == over
    tap(page, ".fight-ending [value=setup]")
    tap(page, "[name=log][value=begin]")
    expect(page.locator(f"{LIST} .list-row__name")).to_have_count(2)
    assert any(each["query"] == over[0]["query"] for each in read_saved_fights(page))


def test_fight_keeps_the_entry_name_and_campaign_of_its_set_up(page: Page) -> None:
    """A new fight of the same characters is the next in the campaign."""
    open_ready(page, FIGHT)
    write(page, sheets=EXAMPLE, initiative=FACES)
    page.wait_for_selector(f"{READY}[data-durably-saved]")  # saving renders the list again
    open_saved_list(page)
    press_in_menu(page, "Rename")
    for words in ("The toll", "Ferry road"):
        page.keyboard.type(words)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(f"{LIST} .list-row__name")).to_have_text(["The toll · not begun"])
    page.wait_for_selector(READY)
    tap(page, "[name=log][value=begin]")
    page.wait_for_selector("[data-active]")
    first = read_saved_fights(page)
    assert [(each["name"], each["label"]) for each in first] == [("The toll · round 1", "Ferry road")]
    tap(page, ".fight-file [value=setup]")
    assert read_saved_fights(page) == first
    tap(page, "[name=log][value=begin]")
    page.wait_for_selector("[data-active]")
    assert sorted((each["name"], each["label"]) for each in read_saved_fights(page)) == [
        ("The toll 2 · round 1", "Ferry road"),
        ("The toll · round 1", "Ferry road"),
    ]
    visit(page, "")
    expect(page.locator(".home__begin .primary")).to_have_text("Continue: The toll 2 · round 1")


def test_fight_with_undone_steps_stays_one_entry_after_the_way_back(page: Page) -> None:
    """The way back from the next set-up forgets the undone steps."""
    begin_with_hold(page)
    tap(page, "[data-action=end-turn]")
    tap(page, "[data-undo]")
    first = read_saved_fights(page)
    assert "redo=" in first[0]["query"]
    tap(page, ".fight-file [value=setup]")
    tap(page, "[name=log][value=resume]")
    page.wait_for_selector("[data-active]")
    assert [each["id"] for each in read_saved_fights(page)] == [first[0]["id"]]


def test_new_fight_in_the_list_is_empty_and_unsaved(page: Page) -> None:
    """The open entry stays unchanged."""
    begin_with_hold(page)
    first = read_saved_fights(page)
    open_saved_list(page)
    press(page, "New fight")
    expect(page.locator(".calculator-body [data-active]")).to_have_count(0)
    wait_for_answer(page)
    expect(page.locator("[data-ready]")).to_have_count(0)
    assert read_saved_fights(page) == first
    open_entry(page, "Chokestar")
    expect(page.locator("[data-active]")).to_be_visible()


ACTIVE = "document.activeElement.textContent"


def test_menu_of_an_entry_is_used_by_keyboard(page: Page) -> None:
    """Escape and Tab close it, and the focus returns."""
    begin_with_hold(page)
    open_saved_list(page)
    more, menu = page.locator(f"{LIST} .list-row .list-row__more"), page.locator(f"{LIST} .list-row .list-menu")
    more.focus()
    page.keyboard.press("Enter")
    expect(menu).to_be_visible()
    for key, item in (("ArrowDown", "Duplicate"), ("ArrowUp", "Share"), ("ArrowUp", "Delete"), ("Home", "Share")):
        page.keyboard.press(key)
        assert page.evaluate(ACTIVE) == item, key
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(more).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(menu).to_be_visible()
    page.keyboard.press("Tab")
    expect(menu).to_be_hidden()
    more.click()
    more.click()
    expect(menu).to_be_hidden()


def test_emptied_set_up_leaves_its_saved_entry_unchanged(page: Page) -> None:
    """The next set-up is an entry of its own."""
    open_ready(page, FIGHT)
    write(page, sheets=EXAMPLE)
    page.wait_for_selector("[data-ready=chokestar]")
    first = read_saved_fights(page)
    tap(page, "[data-remove-everyone]")
    assert read_saved_fights(page) == first
    write(page, sheets="Ash\n3 toughness")
    page.wait_for_selector("[data-ready=ash]")
    assert len(read_saved_fights(page)) == 2
    open_entry(page, "Chokestar")
    page.wait_for_selector("[data-ready=chokestar]")
    assert [each for each in read_saved_fights(page) if each["id"] == first[0]["id"]] == first


def test_two_tabs_with_one_fight_report_a_conflict(page: Page) -> None:
    """The older of two tabs with a fight reports a conflict.

    It overwrites nothing, and reloads the entry or saves a copy.
    """
    begin_with_hold(page)
    other = page.context.new_page()
    other.goto(FIGHT)
    other.wait_for_selector("[data-active]")
    tap(other, "[data-action=end-turn]")
    notice = page.locator("[data-notice=conflict]")
    expect(notice).to_contain_text("was changed in another tab")
    notice.get_by_role("button", name="Use the other tab's version").click()
    expect_steps(page, 2)
    assert len(read_saved_fights(page)) == 1
    tap(page, "[data-undo]")
    theirs = read_saved_fights(page)
    behind = other.locator("[data-notice=conflict]")
    expect(behind).to_be_visible()
    tap(other, "[data-action=end-turn]")
    assert read_saved_fights(page) == theirs
    mine = list_log_entries(other)
    behind.get_by_role("button", name="Save this one as a copy").click()
    expect(behind).to_have_count(0)
    assert len(read_saved_fights(page)) == 2
    other.reload()
    wait_for_answer(other)
    assert (list_log_entries(other), len(list_log_entries(page))) == (mine, 1)


def test_file_of_saved_fights_imported_in_the_replay_links_them(page: Page, tmp_path: Path) -> None:
    """Unreadable entries are counted."""
    query = format_query({"log": SAMPLE_SCENARIOS["worked-combat"]})
    file = tmp_path / "kept.json"
    entry = {"version": "fight/1", "id": "a", "name": "The pier", "query": query}
    file.write_text(json.dumps({"format": "scratch-kept/1", "entries": [entry, {"name": 3}]}))
    open_ready(page, "tools/replay/")
    page.set_input_files("[data-into=scenario]", file)
    notice = page.locator("[data-notice=import]")
    expect(notice).to_contain_text("Imported 1. 1 entry couldn't be read.")
    notice.get_by_role("link").click()
    page.wait_for_selector("[data-winner]")
    open_saved_list(page)
    expect(page.locator(f"{LIST} .list-row__name")).to_have_count(1)


def test_saved_fight_is_named_while_python_starts_and_can_be_deleted(page: Page) -> None:
    """The example is hidden until the answer.

    An answer doesn't save a deleted entry again, and the deletion can be undone.
    """
    begin_with_hold(page)
    waiting: list[Any] = []
    page.route("**/pyodide.mjs", lambda route: waiting.append(route))  # noqa: PLW0108 (a method of a list has no place for Playwright)
    with page.expect_request("**/pyodide.mjs"):
        page.goto(FIGHT)
    expect(page.locator(".calculator-coming")).to_contain_text(
        "Loading your fight: Chokestar and Flipfire against Breakhelm X-19 · round 1"
    )
    assert not page.locator(".calculator-body").is_visible()
    open_saved_list(page)
    press_in_menu(page, "Delete")
    waiting[0].continue_()
    page.wait_for_selector(f"{READY} [data-active]")
    assert read_saved_fights(page) == []
    press(page, "Undo")
    expect(page.locator(f"{LIST} [aria-current=true]")).to_have_count(1)
    assert len(read_saved_fights(page)) == 1
    page.unroute("**/pyodide.mjs")


def test_link_with_an_invalid_fragment_causes_no_script_error(page: Page) -> None:
    """The link is `#%E0%A4%A` on another page."""
    open_ready(page, "tools/dice/")
    follow(page, "/rules/rolls/#%E0%A4%A")
    page.wait_for_selector("[id='roll.success']")
    page.evaluate(FRAMES)  # errors of the page fail the test at its end


def test_fight_is_in_the_fragment_of_its_address_and_link(page: Page, other: Page) -> None:
    """The server doesn't see it, and both open it in another profile."""
    begin(page)
    page.fill("[name=note]", "A long word about it. " * 250)
    tap(page, HOLD, "11")
    for address in (page.url, read_share_link(page)):
        assert "/tools/fight/#?log=" in address
        visit(other, address)
        other.wait_for_selector("[data-active]")
        assert read_hit_points(other)["breakhelm-x-19"] == "5"
        assert quote("A long word") in other.url


RECORD_HIDDEN_EXAMPLE = """
new MutationObserver(() => {
  if (document.documentElement.dataset.comes !== undefined) sessionStorage.setItem("hidden", "yes");
}).observe(document, { attributeFilter: ["data-comes"], subtree: true });
"""


def test_example_is_hidden_for_entries_of_the_tool_on_this_site_only(fresh_page: Page) -> None:
    """Another site on the host has the same storage, with its path before the key."""
    fresh_page.add_init_script(RECORD_HIDDEN_EXAMPLE)
    fresh_page.goto("rules/")
    for key, hidden in (
        ("/other/scratch-kept-dice/x", None),
        ("scratch-kept-fight/x", None),
        ("scratch-kept-dice/x", "yes"),
    ):
        fresh_page.evaluate("(key) => localStorage.setItem(key, '{}')", key)
        fresh_page.goto("tools/dice/")
        fresh_page.wait_for_selector(READY)
        assert fresh_page.evaluate("sessionStorage.getItem('hidden')") == hidden, key
