"""Characters kept on the device: what is kept when, the list with hundreds, files in and out, storage that fails."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from scratch_core.calculators.query import query_string
from scratch_core.scenario import SHIPPED
from tests.browser.following import visit
from tests.browser.pages.builder import open_character, paste
from tests.browser.pages.calculator import READY, tap
from tests.browser.pages.kept import FORBIDDEN, FULL, LIST, names, open_entry, unfold

MANY = 500
CAMPAIGN = "&cp=10&max_level=4"  # what the form adds as soon as it is the form that asks
STORED = """() => Object.keys(localStorage).filter((name) => name.startsWith("scratch-kept-character/"))
  .map((name) => JSON.parse(localStorage.getItem(name))).map((entry) => [entry.name, entry.query])"""


def kept(page: Page) -> dict[str, str]:
    """The kept characters' queries by name, as they are stored."""
    found: list[tuple[str, str]] = page.evaluate(STORED)
    assert len({name for name, _ in found}) == len(found), "two of one name"
    return dict(found)


def set_level(page: Page, ability: str, level: int) -> None:
    """Write a level, and wait for the answer to it."""
    page.fill(f"[name={ability}]", str(level))
    expect(page).to_have_url(re.compile(f"[?&]{ability}={level}"))
    page.wait_for_selector(READY)


def rename(page: Page, name: str, of: str = "") -> None:
    """Give the one of a name, or the only one, another in the list."""
    page.locator(LIST).get_by_role("button", name=f"Rename: {of}").click()
    page.keyboard.type(name)
    page.keyboard.press("Enter")


def exported(page: Page, file: Path) -> Path:
    """All that is kept, as the file that the page saves."""
    unfold(page)
    with page.expect_download() as saving:
        page.locator(LIST).get_by_role("button", name="Save all as a file").click()
        expect(page.locator(f"{LIST} [data-kept-button=all]")).to_have_text("Saved")
    saving.value.save_as(file)
    return file


def test_what_the_reader_made_is_kept_and_what_was_dealt_is_offered(page: Page) -> None:
    """Chance, an archetype and a link are kept when one changes them or asks for it; each is an entry of its own."""
    open_character(page, "toughness=3&shooting=2")
    expect(page.locator(".kept-offer")).to_be_visible()
    expect(page.locator(".is-kept")).to_be_hidden()
    assert kept(page) == {}
    page.click("button.kept-offer")
    expect(page.locator(".is-kept")).to_be_visible()
    assert list(kept(page).values()) == ["toughness=3&shooting=2"]
    expect(page.locator(".kept-offer")).to_have_count(0)
    assert page.evaluate("document.activeElement.matches('.calculator-kept > summary')")
    tap(page, "button[name=start][value=chance]")
    expect(page.locator(".kept-offer")).to_be_visible()
    assert len(kept(page)) == 1
    tap(page, "button[name=start][value=empty]")
    page.wait_for_selector(".paper-blank", state="attached")
    assert page.locator(".kept-offer").count() == 0
    set_level(page, "toughness", 4)
    set_level(page, "fighting", 2)
    assert sorted(kept(page).values()) == ["toughness=3&shooting=2", f"toughness=4&fighting=2{CAMPAIGN}"]
    assert page.locator(f"{LIST} .kept-now").inner_text() in kept(page)
    page.click("[data-back]")
    page.wait_for_selector(READY)
    page.reload()
    page.wait_for_selector(READY)
    assert len(kept(page)) == 2
    assert page.input_value("[name=toughness]") == "4"


def test_a_character_is_renamed_copied_shared_deleted_and_brought_back(page: Page) -> None:
    """The list's buttons do what they say, a link opens the character elsewhere, and a deletion is undone."""
    open_character(page, "name=Ria&toughness=3")
    set_level(page, "toughness", 4)
    unfold(page)
    buttons = page.locator(LIST)
    buttons.get_by_role("button", name="Rename: Ria").click()
    page.keyboard.type("Ria the Bold")
    page.keyboard.press("Enter")
    assert page.input_value("[name=name]") == "Ria the Bold"
    expect(page.locator(".paper-name").first).to_have_text("Ria the Bold")
    set_level(page, "shooting", 2)
    assert list(kept(page)) == ["Ria the Bold"]
    assert "name=Ria%20the%20Bold&" in kept(page)["Ria the Bold"]
    address = str(buttons.locator("button[data-share]").get_attribute("data-share"))
    assert address.endswith(f"?{kept(page)['Ria the Bold']}")
    buttons.get_by_role("button", name="Share: Ria the Bold").click()
    expect(buttons.locator("button[data-share]")).to_have_text("Copied")
    buttons.get_by_role("button", name="Copy: Ria the Bold").click()
    expect(buttons.locator(".kept-open")).to_have_count(2)
    buttons.get_by_role("button", name="Delete: Ria the Bold").click()
    assert list(kept(page)) == ["Copy of Ria the Bold"]
    page.keyboard.press("Enter")  # the focus is at Undo
    assert sorted(kept(page)) == ["Copy of Ria the Bold", "Ria the Bold"]
    current = page.locator(f"{LIST} [aria-current=true]")
    expect(current).to_have_text("Ria the Bold")
    set_level(page, "shooting", 3)
    assert "shooting=3" in kept(page)["Ria the Bold"]
    buttons.get_by_role("button", name="Delete: Ria the Bold").click()
    open_entry(page, "Copy of")
    buttons.get_by_role("button", name="Undo").click()
    expect(current).to_have_text("Copy of Ria the Bold")
    assert len(kept(page)) == 2
    open_entry(page, "Ria the Bold")
    assert page.input_value("[name=shooting]") == "3"


def test_an_answer_leaves_the_name_that_is_typed(page: Page) -> None:
    """While a name is typed an answer comes, and the list is drawn anew: what was typed stays, and typing goes on."""
    open_character(page, "toughness=3")
    set_level(page, "toughness", 4)
    unfold(page)
    page.locator(LIST).get_by_role("button", name="Rename: ").click()
    page.keyboard.type("Clo")
    page.keyboard.press("ArrowLeft")
    field = page.locator("[data-kept-rename] [aria-label='Its name']").element_handle()
    page.eval_on_selector(
        "[name=shooting]", "(input) => { input.value = 2; input.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    page.wait_for_function("(field) => !field.isConnected", arg=field)
    page.keyboard.type("e")
    page.keyboard.press("Enter")
    expect(page.locator("[name=name]")).to_have_value("Cleo")


def test_a_fight_s_end_leads_to_the_sheets_of_yours(page: Page) -> None:
    """Whoever fought and is kept here has a link; the sheet offers what is left, and takes nothing by itself."""
    open_character(page, "name=Chokestar&toughness=3&stealth=3")
    set_level(page, "wrestling", 2)
    before = kept(page)["Chokestar"]
    visit(page, f"tools/fight/?{query_string({'log': SHIPPED['worked-combat']})}")
    page.wait_for_selector("[data-winner]")
    expect(page.locator(".fight-ending a.button")).to_have_text(["Chokestar: hit points to the sheet"])
    page.click(".fight-ending a.button")
    offered = page.locator("button[name=do][value='fight 3']")
    expect(offered).to_contain_text("3 of 3, Chokestar from Chokestar and Flipfire against Breakhelm")
    expect(offered).to_be_in_viewport()
    page.wait_for_selector("scratch-calculator[data-lasts]")
    assert kept(page) == {"Chokestar": f"{before}&at=play"}
    tap(page, "button[name=do][value='fight 3']")
    page.wait_for_selector("scratch-calculator[data-lasts]")
    assert kept(page)["Chokestar"].startswith(f"{before}&at=play&play=fight%203")


def test_a_pasted_stat_block_stands_beside_what_is_open(page: Page) -> None:
    """Pasted where one starts from, it is somebody new; the character that was open stays as it was."""
    open_character(page, "name=Oda&wrestling=3")
    set_level(page, "toughness", 4)
    before = kept(page)["Oda"]
    paste(page, "Bren\n4 toughness")
    expect(page.locator(f"{LIST} .kept-now")).to_have_text("Bren")
    assert kept(page)["Oda"] == before
    assert "wrestling" not in kept(page)["Bren"]


def test_list_and_sheet_have_one_name(page: Page) -> None:
    """A name from the list is the sheet's, built, played, typed over or not even open; a stat block keeps its own."""
    open_character(page, "toughness=3")
    set_level(page, "toughness", 4)
    unfold(page)
    rename(page, "Anna Bell")
    expect(page.locator("[name=name]")).to_have_value("Anna Bell")
    page.fill("[name=name]", "Ann")
    expect(page.locator(f"{LIST} [aria-current=true]")).to_have_text("Ann")
    page.locator(LIST).get_by_role("button", name="Copy: Ann").click()
    rename(page, "Bo", of="Copy of Ann")
    assert kept(page)["Bo"].startswith("name=Bo&")
    page.click("button[name=do][value=play]")
    expect(page.locator(".play-name strong")).to_have_text("Ann")
    rename(page, "Cleo", of="Ann")
    expect(page.locator(".play-name strong")).to_have_text("Cleo")
    open_entry(page, "Bo")
    expect(page.locator("[name=name]")).to_have_value("Bo")
    assert sorted(kept(page)) == ["Bo", "Cleo"]
    paste(page, "Rat\n1 toughness")
    expect(page.locator(f"{LIST} [aria-current=true]")).to_have_text("Rat")
    rename(page, "Vermin", of="Rat")
    paste(page, "Rat\n2 toughness")
    expect(page).to_have_url(re.compile("2%20toughness"))
    assert sorted(kept(page)) == ["Bo", "Cleo", "Vermin"]


def test_a_file_brings_back_what_was_deleted(phone: Page, tmp_path: Path) -> None:
    """What a file did is in view on a phone; what has come back by it isn't taken back a second time."""
    guards = [{"version": "character/1", "name": f"Guard {n}", "query": f"toughness={n}"} for n in range(1, 9)]
    (tmp_path / "guards.json").write_text(json.dumps({"format": "scratch-kept/1", "entries": guards}))
    open_character(phone, "name=Ria&toughness=3")
    set_level(phone, "toughness", 4)
    unfold(phone)
    taken, opens = phone.locator("[data-notice=taken]"), phone.locator(f"{LIST} input[type=file]")
    opens.set_input_files(tmp_path / "guards.json")
    expect(taken).to_contain_text("Taken in from the file: 8.")
    phone.locator(f"{LIST} .kept-lasting").scroll_into_view_if_needed()
    expect(taken).not_to_be_in_viewport()
    out = exported(phone, tmp_path / "out.json")
    phone.locator(LIST).get_by_role("button", name="Delete: Guard 1").click()
    expect(phone.locator(".kept-deleted")).to_contain_text("Deleted: Guard 1.")
    opens.set_input_files(out)
    expect(taken).to_contain_text("Taken in from the file: 1. Here already: 8.")
    expect(phone.locator(".kept-deleted")).to_have_count(0)
    assert len(kept(phone)) == 9
    expect(taken).to_be_in_viewport()
    assert phone.evaluate("document.activeElement.closest('[data-notice=taken]') !== null")
    phone.locator(LIST).get_by_role("button", name="Delete: Guard 1").click()
    phone.evaluate(
        """() => localStorage.setItem("scratch-kept-character/back",
          JSON.stringify({ version: "character/1", name: "Guard 1", query: "toughness=1" }))"""
    )
    phone.locator(LIST).get_by_role("button", name="Undo").click()
    assert len(kept(phone)) == 9


def test_hundreds_go_out_and_in_twice(page: Page, new_context: Callable[..., BrowserContext], tmp_path: Path) -> None:
    """Five hundred characters are a file that doubles nothing and replaces nobody, however often it is taken in."""
    many = [
        {"version": "character/1", "id": f"id-{number}", "name": f"Guard {number}", "query": f"toughness={number}"}
        for number in range(MANY)
    ]
    file = tmp_path / "many.json"
    file.write_text(json.dumps({"format": "scratch-kept/1", "entries": many}))
    open_character(page)
    unfold(page)
    page.set_input_files(f"{LIST} input[type=file]", file)
    expect(page.locator("[data-notice=taken]")).to_contain_text(f"Taken in from the file: {MANY}.")
    assert len(kept(page)) == MANY
    out = exported(page, tmp_path / "out.json")
    other = new_context().new_page()
    open_character(other, "name=Guard%207&toughness=1")
    set_level(other, "toughness", 2)
    unfold(other)
    for words in (f"Taken in from the file: {MANY}.", f"Here already: {MANY}."):
        other.set_input_files(f"{LIST} input[type=file]", out)
        expect(other.locator("[data-notice=taken]")).to_contain_text(words)
        assert len(kept(other)) == MANY + 1
    assert kept(other)["Guard 7"] == f"name=Guard%207&toughness=2{CAMPAIGN}"
    assert kept(other)["Guard 7 2"] == "toughness=7"
    assert len(names(other)) == MANY + 1


@pytest.mark.parametrize("how", ["full", "forbidden", "damaged"])
def test_a_storage_that_fails_is_told_with_the_file(loaded: Page, how: str, tmp_path: Path) -> None:
    """Full or forbidden: said at once, with a file that opens again. Damaged: set aside, and the others are there."""
    page = loaded
    open_character(page, "name=Ria&toughness=3")
    if how == "damaged":
        set_level(page, "toughness", 4)
        page.evaluate(
            """() => { localStorage.setItem("scratch-kept-character/x", '{"version": "character/1", "query": 7');
              localStorage.setItem("scratch-kept-character/y", "what is this?"); }"""
        )
        open_character(page)
        expect(page.locator(f"{LIST} .calculator-aside").first).to_contain_text("could not be read")
        unfold(page)
        assert names(page) == ["Ria"]
        return
    page.evaluate(FULL if how == "full" else f"() => {{ {FORBIDDEN} }}")
    set_level(page, "toughness", 4)
    page.click(".notes-aside > summary")
    page.fill("[name=notes]", "toughness: long words, " + "and more of them, " * 60)
    notice = page.locator("[data-notice=unkept]")
    expect(notice).to_contain_text("full" if how == "full" else "lets the site keep nothing")
    with page.expect_download() as saving:
        notice.get_by_role("button", name="Save it as a file").click()
    assert saving.value.suggested_filename == "ria.json"
    saving.value.save_as(tmp_path / "ria.json")
    visit(page, "")
    page.evaluate("localStorage.clear()")
    other = page.context.new_page()
    open_character(other)
    unfold(other)
    other.set_input_files(f"{LIST} input[type=file]", tmp_path / "ria.json")
    expect(other.locator("[name=name]")).to_have_value("Ria")
    assert "toughness=4" in kept(other)["Ria"]


def test_two_tabs_on_one_character(page: Page) -> None:
    """The tab that falls behind says so, writes over nothing, and keeps its own beside the other's."""
    open_character(page, "name=Ria&toughness=3")
    set_level(page, "toughness", 4)
    behind = page.context.new_page()
    open_character(behind)
    assert behind.input_value("[name=name]") == "Ria"
    set_level(page, "shooting", 1)
    notice = behind.locator("[data-notice=conflict]")
    expect(notice).to_contain_text("This character went on in another tab")
    set_level(behind, "healing", 2)
    assert "shooting=1" in kept(page)["Ria"]
    notice.get_by_role("button", name="Keep this one beside it").click()
    assert "shooting=1" in kept(page)["Ria"]
    assert "healing=2" in kept(page)["Ria 2"]
    behind.close()


def test_a_fight_s_file_is_known_on_the_character_page(page: Page, tmp_path: Path) -> None:
    """A scenario opened among characters replaces nothing and leads to the fight; a character's file leads home."""
    open_character(page, "name=Ria&toughness=3")
    set_level(page, "toughness", 4)
    (tmp_path / "fight.toml").write_text(SHIPPED["worked-combat"])
    unfold(page)
    page.set_input_files(f"{LIST} input[type=file]", tmp_path / "fight.toml")
    page.get_by_role("link", name="Open it as a fight").click()
    page.wait_for_selector("[data-winner]")
    assert list(kept(page)) == ["Ria"]
