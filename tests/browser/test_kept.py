"""What is kept on the device: several fights, two tabs, files in and out; storage full, forbidden or damaged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from scratch_core.calculators.query import query_string
from scratch_core.scenario import SHIPPED
from tests.browser.following import visit
from tests.browser.pages.calculator import FRAMES, KNOWN, READY, settled, tap
from tests.browser.pages.fight import EXAMPLE, FACES, FIGHT, HOLD, begin, hp, log_of, throw, write
from tests.browser.pages.kept import ENTRIES, FORBIDDEN, FULL, LIST, entries, names, open_entry, unfold

LINK = f"{FIGHT}?{query_string({'log': SHIPPED['worked-combat']})}"


def held(page: Page) -> None:
    """A begun fight with one blow in it."""
    begin(page)
    throw(page, HOLD, "11")


def test_a_link_opens_beside_what_is_kept(page: Page) -> None:
    """A link is a second entry, named by who fights; both are listed, and the first comes back whole."""
    held(page)
    linked = page.context.new_page()
    linked.goto(LINK)
    linked.wait_for_selector("[data-winner]")
    unfold(linked)
    expect(linked.locator(f"{LIST} .kept-open")).to_have_count(2)
    assert "Chokestar and Flipfire against Breakhelm X-19 · round 1" in names(linked)
    assert names(linked)[0].startswith("Chokestar and Flipfire against Breakhelm")
    linked.reload()
    linked.wait_for_selector("[data-winner]")
    assert len(entries(linked)) == 2
    open_entry(linked, "X-19 · round 1")
    expect(linked.locator("[data-active]")).to_be_visible()
    assert hp(linked)["breakhelm-x-19"] == "5"
    linked.goto(FIGHT)
    linked.wait_for_selector("[data-active]")
    assert hp(linked)["breakhelm-x-19"] == "5"


def test_entries_are_copied_renamed_and_deleted(page: Page) -> None:
    """A copy stands beside, a name of one's own stays when the fight goes on, a deleted entry comes back by undo."""
    held(page)
    unfold(page)
    page.locator(LIST).get_by_role("button", name="Copy:").click()
    expect(page.locator(f"{LIST} .kept-open")).to_have_count(2)
    assert names(page)[0].startswith("Copy of Chokestar")
    expect(page.locator(LIST)).to_contain_text("A shared link holds the whole fight, hidden people")
    open_entry(page, "Chokestar and Flipfire")
    current = page.locator(f"{LIST} li:has([aria-current=true])")
    current.get_by_role("button", name="Rename:").click()
    page.keyboard.type("The alley")
    page.keyboard.press("Enter")
    expect(page.locator(f"{LIST} [aria-current=true]")).to_have_text("The alley")
    tap(page, "[data-action=end-turn]")
    expect(page.locator(f"{LIST} [aria-current=true]")).to_have_text("The alley")
    before = sorted(each["query"] for each in entries(page))
    page.locator(LIST).get_by_role("button", name="Delete: The alley").click()
    expect(page.locator(f"{LIST} .kept-open")).to_have_count(1)
    assert len(entries(page)) == 1
    page.locator(LIST).get_by_role("button", name="Undo").click()
    expect(page.locator(f"{LIST} .kept-open")).to_have_count(2)
    assert sorted(each["query"] for each in entries(page)) == before


def test_a_new_fight_leaves_the_finished_one(page: Page) -> None:
    """It begins as an entry of its own; nothing of the set-up is kept before one has changed it, and back is back."""
    visit(page, LINK)
    page.wait_for_selector("[data-winner]")
    finished = entries(page)
    tap(page, "[data-action=end-encounter]")
    over = entries(page)
    assert len(over) == len(finished) == 1
    tap(page, ".fight-ending [value=setup]")
    assert entries(page) == over
    tap(page, "[name=log][value=resume]")
    assert entries(page) == over
    tap(page, ".fight-ending [value=setup]")
    tap(page, "[name=log][value=begin]")
    unfold(page)
    expect(page.locator(f"{LIST} .kept-open")).to_have_count(2)
    assert any(each["query"] == over[0]["query"] for each in entries(page))


def test_a_fight_bears_the_name_of_its_encounter(page: Page) -> None:
    """Begun twice, each fight has it, with a number, and the campaign; the encounter stays, and home says the name."""
    visit(page, FIGHT)
    page.wait_for_selector(KNOWN)
    write(page, sheets=EXAMPLE, initiative=FACES)
    settled(page)
    unfold(page)
    page.locator(LIST).get_by_role("button", name="Rename:").click()
    for words in ("The toll", "Ferry road"):
        page.keyboard.type(words)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    for _ in range(2):
        unfold(page)
        page.locator(f"{LIST} .kept-open").last.click()
        tap(page, "[name=log][value=begin]")
        page.wait_for_selector("[data-active]")
    assert sorted((each["name"], each["label"]) for each in entries(page)) == [
        ("The toll", "Ferry road"),
        ("The toll 2 · round 1", "Ferry road"),
        ("The toll · round 1", "Ferry road"),
    ]
    visit(page, "")
    expect(page.locator(".begin .primary")).to_have_text("Go on: The toll 2 · round 1")


def test_two_tabs_on_one_fight_notice_each_other(page: Page) -> None:
    """The tab that falls behind says so at once, writes over nothing, and offers both fights."""
    held(page)
    other = page.context.new_page()
    other.goto(FIGHT)
    other.wait_for_selector("[data-active]")
    tap(other, "[data-action=end-turn]")
    notice = page.locator("[data-notice=conflict]")
    expect(notice).to_contain_text("went on in another tab")
    theirs = entries(page)
    assert len(theirs) == 1
    tap(page, "[data-action=shoot][data-target=breakhelm-x-19] >> nth=0") if page.locator(
        "[data-action=shoot][data-target=breakhelm-x-19]"
    ).count() else tap(page, "[data-undo]")
    assert entries(page) == theirs
    mine = log_of(page)
    notice.get_by_role("button", name="Keep this one beside it").click()
    expect(notice).to_have_count(0)
    assert len(entries(page)) == 2
    assert log_of(page) == mine
    page.reload()
    page.wait_for_selector("[data-active]")
    page.wait_for_selector(READY)
    assert log_of(page) == mine
    assert len(log_of(other)) == 2


def test_the_other_tab_s_fight_is_taken_over(page: Page) -> None:
    """The other way out of two tabs: go on as the other one has it."""
    held(page)
    other = page.context.new_page()
    other.goto(FIGHT)
    other.wait_for_selector("[data-active]")
    tap(other, "[data-action=end-turn]")
    page.locator("[data-notice=conflict]").get_by_role("button", name="Go on as the other tab has it").click()
    expect(page.locator(".fight-log li")).to_have_count(2)
    assert len(entries(page)) == 1
    tap(page, "[data-undo]")
    expect(other.locator("[data-notice=conflict]")).to_be_visible()


@pytest.mark.parametrize("how", ["full", "forbidden"])
def test_storage_that_keeps_nothing_is_told_with_the_file(loaded: Page, how: str, tmp_path: Path) -> None:
    """A full or forbidden storage is said at the first act, with a file that opens again; a link destroys nothing."""
    page = loaded
    if how == "full":
        held(page)
        page.evaluate(FULL)
    else:
        page.add_init_script(FORBIDDEN)
        begin(page)
        page.fill("[name=note]", "x")
    kept = page.evaluate(f"() => {{ try {{ return ({ENTRIES})().map(JSON.stringify) }} catch {{ return [] }} }}")
    for _ in range(3):
        page.fill("[name=note]", "Long words. " * 40)
        tap(page, "[data-action=end-turn]")
    notice = page.locator("[data-notice=unkept]")
    expect(notice).to_contain_text("full" if how == "full" else "lets the site keep nothing")
    with page.expect_download() as saving:
        notice.get_by_role("button", name="Save it as a file").click()
    file = tmp_path / "fight.json"
    saving.value.save_as(file)
    written = json.loads(file.read_text(encoding="utf-8"))
    assert written["format"] == "scratch-kept/1"
    story = log_of(page)
    if how == "full":
        linked = page.context.new_page()
        linked.goto(LINK)
        linked.wait_for_selector("[data-winner]")
        assert page.evaluate(f"() => ({ENTRIES})().map(JSON.stringify)") == kept
        page.evaluate(
            "Object.keys(localStorage).filter((n) => n.startsWith('filler')).map((n) => localStorage.removeItem(n))"
        )
        linked.set_input_files(f"{LIST} input[type=file]", file)
        expect(linked.locator(".fight-log li")).to_have_count(len(story))
        assert log_of(linked) == story


def test_all_are_exported_and_imported_without_doubles(page: Page, other: Page, tmp_path: Path) -> None:
    """One file has all; taken in twice elsewhere it doubles nothing, and never replaces one of the same name."""
    held(page)
    visit(page, LINK)
    page.wait_for_selector("[data-winner]")
    unfold(page)
    with page.expect_download() as saving:
        page.locator(LIST).get_by_role("button", name="Save all as a file").click()
    file = tmp_path / "all.json"
    saving.value.save_as(file)
    written = json.loads(file.read_text(encoding="utf-8"))
    assert written["format"] == "scratch-kept/1"
    assert len(written["entries"]) == 2
    begin(other)
    throw(other, HOLD, "12")
    for _ in range(2):
        unfold(other)
        other.set_input_files(f"{LIST} input[type=file]", file)
        expect(other.locator("[data-notice=taken]")).to_be_visible()
        expect(other.locator(f"{LIST} .kept-open")).to_have_count(3)
    expect(other.locator("[data-notice=taken]")).to_contain_text("Here already: 2")
    assert "Chokestar and Flipfire against Breakhelm X-19 · round 1 2" in names(other)
    assert len(log_of(other)) == 1


def test_a_file_set_aside_opens_again(page: Page, tmp_path: Path) -> None:
    """What was set aside, and is one entry alone, opens as a fight."""
    query = query_string({"log": SHIPPED["worked-combat"]})
    file = tmp_path / "scratch-kept-fight-aside-1700000000000.txt"
    file.write_text(json.dumps({"version": "fight/1", "query": query}))
    visit(page, FIGHT)
    page.wait_for_selector("scratch-calculator[data-state]")
    page.set_input_files(".fight-begin [data-into=log]", file)
    page.wait_for_selector("[data-winner]")
    assert hp(page) == {"chokestar": "3", "flipfire": "4", "breakhelm": "0"}  # catalogue 3.2, by the rules' text


def test_a_kept_file_opened_on_another_page_says_where_it_went(page: Page, tmp_path: Path) -> None:
    """The replay takes a file of kept fights too, keeps them, and leads to them."""
    query = query_string({"log": SHIPPED["worked-combat"]})
    file = tmp_path / "kept.json"
    entry = {"version": "fight/1", "id": "a", "name": "The pier", "query": query}
    file.write_text(json.dumps({"format": "scratch-kept/1", "entries": [entry, {"name": 3}]}))
    visit(page, "tools/replay/")
    page.wait_for_selector(READY)
    page.set_input_files("[data-into=scenario]", file)
    notice = page.locator("[data-notice=taken]")
    expect(notice).to_contain_text("Taken in from the file: 1. Not to be read: 1.")
    notice.get_by_role("link").click()
    page.wait_for_selector("[data-winner]")
    unfold(page)
    assert len(names(page)) == 1


def test_while_python_starts_the_kept_fight_is_told(page: Page) -> None:
    """Before any answer the page says whose fight comes back, and its own example is not seen."""
    held(page)
    page.route("**/*.wasm", lambda route: None)
    page.goto(FIGHT)
    expect(page.locator(".calculator-coming")).to_contain_text(
        "Your fight is coming back: Chokestar and Flipfire against Breakhelm X-19 · round 1"
    )
    assert not page.locator(".calculator-body").is_visible()
    page.unroute("**/*.wasm")


def test_a_fight_deleted_while_python_starts_stays_deleted(page: Page) -> None:
    """The answer to what was deleted meanwhile is not kept, and the deletion can still be undone."""
    held(page)
    waiting: list[Any] = []
    page.route("**/*.wasm", lambda route: waiting.append(route))  # noqa: PLW0108 (a method of a list has no place for Playwright)
    with page.expect_request("**/*.wasm"):
        page.goto(FIGHT)
    unfold(page)
    page.locator(LIST).get_by_role("button", name="Delete:").click()
    waiting[0].continue_()
    page.wait_for_selector(f"{READY} [data-active]")
    assert entries(page) == []
    page.locator(LIST).get_by_role("button", name="Undo").click()
    expect(page.locator(f"{LIST} [aria-current=true]")).to_have_count(1)
    assert len(entries(page)) == 1
    page.unroute("**/*.wasm")


def test_no_example_is_painted_where_a_link_has_another(page: Page) -> None:
    """With the script held back the example stays out of sight; then the link's own words stand there."""
    waiting: list[Any] = []
    page.route("**/calculator.mjs", lambda route: waiting.append(route))  # noqa: PLW0108 (a method of a list has no place for Playwright)
    page.route("**/*.wasm", lambda route: None)
    with page.expect_request("**/calculator.mjs"):
        page.goto("tools/dice/?roll=d20%2B5&faces=11", wait_until="commit")
    page.wait_for_selector("scratch-calculator", state="attached")
    page.evaluate(FRAMES)
    assert not page.locator(".calculator-body").is_visible()
    waiting[0].continue_()
    expect(page.locator(".calculator-coming")).to_have_text("Coming: d20+5, faces 11")
    assert page.input_value("[name=roll]") == "d20+5"
    assert not page.locator("[data-answer]").first.is_visible()
    page.unroute("**/*.wasm")


def test_a_damaged_history_stops_nothing(page: Page) -> None:
    """Earlier answers that can't be read are left out, and dice roll."""
    for damaged in ("{}", '"x"', "[null]", "[1", '[{"query": 3}]'):
        visit(page, "look-up/")
        page.evaluate("(text) => sessionStorage.setItem('scratch-history-dice', text)", damaged)
        visit(page, "tools/dice/")
        page.wait_for_selector(READY)
        page.click("scratch-calculator form [type=submit] >> nth=0")
        page.wait_for_selector(f"{READY} [data-total]")
        expect(page.locator(".calculator-history li")).to_have_count(1)


def test_a_fragment_that_is_no_text_stops_nothing(page: Page) -> None:
    """A link to `#%E0%A4%A` on another page leads there without an error of a script."""
    visit(page, "tools/dice/")
    page.wait_for_selector(READY)
    page.evaluate(
        "() => { const link = document.createElement('a'); link.href = '../../rules/rolls/#%E0%A4%A';"
        "link.textContent = 'there'; link.id = 'there'; document.querySelector('.md-content article').prepend(link); }"
    )
    page.click("#there")
    page.wait_for_url("**/rules/rolls/**")
    page.wait_for_selector("[id='roll.success']")
    page.evaluate(FRAMES)  # errors of the page fail the test at its end


def test_a_fight_lies_behind_the_hash(page: Page, other: Page) -> None:
    """A fight, short or long, is in the fragment of its address and of its link, which no server sees; both open it
    elsewhere.
    """
    begin(page)
    assert "/tools/fight/#?log=" in page.url
    page.fill("[name=note]", "A long word about it. " * 250)
    throw(page, HOLD, "11")
    assert "/tools/fight/#?log=" in page.url
    shared = str(page.locator("a[data-share]").first.get_attribute("href"))
    assert "/tools/fight/#?log=" in shared
    for address in (page.url, shared):
        visit(other, "look-up/")
        visit(other, address)
        other.wait_for_selector("[data-active]")
        assert hp(other)["breakhelm-x-19"] == "5"
        assert quote("A long word") in other.url
