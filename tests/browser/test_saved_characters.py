"""Saved characters: when they are saved, the list with hundreds, export, import, and failing storage."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from scratch_core.calculators.shared.query import format_query
from scratch_core.scenario import SAMPLE_SCENARIOS
from tests.browser.navigation import visit
from tests.browser.pages.builder import open_character, paste
from tests.browser.pages.calculator import READY, is_uncovered, open_ready, save_download, tap, wait_for_answer
from tests.browser.pages.saved_entries import (
    FORBIDDEN,
    FULL,
    IMPORT,
    LIST,
    choose,
    import_file,
    list_entry_names,
    open_entry,
    open_saved_list,
    press,
    press_in_menu,
    read_saved_characters,
    save_characters,
    show_all_entries,
)

FILE_SIZE = 500
SHORT_LIST = 5
CAMPAIGN_QUERY = "&cp=10&max_level=4"  # parameters that the form adds to every request of its own


def build_export(count: int) -> str:
    """Return an export file with this number of characters."""
    each = {"version": "character/1"}
    many = [{**each, "id": f"id-{n}", "name": f"Guard {n}", "query": f"toughness={n}"} for n in range(1, count + 1)]
    return json.dumps({"format": "scratch-kept/1", "entries": many})


def set_level(page: Page, ability: str, level: int) -> None:
    """Enter a level, and wait for its answer."""
    page.fill(f"[name={ability}]", str(level))
    expect(page).to_have_url(re.compile(f"[?&]{ability}={level}"))
    page.wait_for_selector(READY)


def rename_entry(page: Page, name: str, of: str = "") -> None:
    """Rename the entry with a name, or the only one, in the list."""
    press_in_menu(page, "Rename", of)
    page.keyboard.type(name)
    page.keyboard.press("Enter")


def test_changed_character_is_saved_and_an_unchanged_one_is_offered(page: Page) -> None:
    """A changed character is saved, and saving an unchanged one is offered.

    Random characters, archetypes and links are unchanged, and each is an entry of its own.
    """
    open_character(page, "toughness=3&shooting=2")
    expect(page.locator(".calculator-saved__offer")).to_be_visible()
    expect(page.locator(".is-saved")).to_be_hidden()
    assert read_saved_characters(page) == {}
    page.click("button.calculator-saved__offer")
    expect(page.locator(".is-saved")).to_be_visible()
    assert list(read_saved_characters(page).values()) == ["toughness=3&shooting=2"]
    expect(page.locator(".calculator-saved__offer")).to_have_count(0)
    assert page.evaluate("document.activeElement.matches('.calculator-saved > summary')")
    tap(page, "button[name=start][value=chance]")
    expect(page.locator(".calculator-saved__offer")).to_be_visible()
    assert len(read_saved_characters(page)) == 1
    tap(page, "button[name=start][value=empty]")
    page.wait_for_selector(".paper-blank", state="attached")
    assert page.locator(".calculator-saved__offer").count() == 0
    set_level(page, "toughness", 4)
    set_level(page, "fighting", 2)
    assert sorted(read_saved_characters(page).values()) == [
        "toughness=3&shooting=2",
        f"toughness=4&fighting=2{CAMPAIGN_QUERY}",
    ]
    assert page.locator(f"{LIST} .calculator-saved__now").inner_text() in read_saved_characters(page)
    page.click("[data-back]")
    page.wait_for_selector(READY)
    page.reload()
    page.wait_for_selector(READY)
    assert len(read_saved_characters(page)) == 2
    assert page.input_value("[name=toughness]") == "4"


def test_saved_character_is_renamed_copied_shared_deleted_and_restored(page: Page) -> None:
    """Another tab with the character reports a conflict.

    The link opens it elsewhere, and a deletion is undone.
    """
    open_character(page, "name=Ria&toughness=3")
    set_level(page, "toughness", 4)
    behind = page.context.new_page()
    open_character(behind)
    open_saved_list(page)
    rename_entry(page, "Ria the Bold", of="Ria")
    assert page.input_value("[name=name]") == "Ria the Bold"
    expect(page.locator(".paper-name").first).to_have_text("Ria the Bold")
    set_level(page, "shooting", 2)
    expect(behind.locator("[data-notice=conflict]")).to_contain_text("This character was changed in another tab")
    assert list(read_saved_characters(page)) == ["Ria the Bold"]
    assert "name=Ria%20the%20Bold&" in read_saved_characters(page)["Ria the Bold"]
    shares = page.locator(f"{LIST} button[data-share]")
    assert str(shares.get_attribute("data-share")).endswith(f"?at=play&{read_saved_characters(page)['Ria the Bold']}")
    press_in_menu(page, "Share", "Ria the Bold")
    expect(shares).to_have_text("Copied")
    page.keyboard.press("Escape")
    press_in_menu(page, "Duplicate", "Ria the Bold")
    press_in_menu(page, "Delete", "Ria the Bold")
    assert list(read_saved_characters(page)) == ["Copy of Ria the Bold"]
    page.keyboard.press("Enter")  # the focus is at Undo
    assert sorted(read_saved_characters(page)) == ["Copy of Ria the Bold", "Ria the Bold"]
    current = page.locator(f"{LIST} [aria-current=true] .list-row__name")
    expect(current).to_have_text("Ria the Bold")
    set_level(page, "shooting", 3)
    press_in_menu(page, "Delete", "Ria the Bold")
    open_entry(page, "Copy of")
    press(page, "Undo")
    expect(current).to_have_text("Copy of Ria the Bold")
    assert len(read_saved_characters(page)) == 2
    open_entry(page, "Ria the Bold")
    assert page.input_value("[name=shooting]") == "3"


def test_shared_character_opens_in_play_and_is_saved_once(page: Page, other: Page) -> None:
    """One tap saves it.

    The same link then opens the saved one, also after "Edit character".
    """
    open_character(page, "name=Ria&toughness=3")
    set_level(page, "toughness", 4)
    link = str(page.locator("a.share", has_text="Copy link to this character").get_attribute("href"))
    visit(other, link)
    expect(other.locator(".play-name strong")).to_have_text("Ria")
    other.get_by_role("button", name="Save", exact=True).click()
    expect(other.locator(".calculator-saved__offer")).to_have_count(0)
    assert list(read_saved_characters(other)) == ["Ria"]
    tap(other, "[name=do][value=build]")
    other.wait_for_selector("scratch-calculator[data-durably-saved]")
    assert "at=" not in read_saved_characters(other)["Ria"]
    visit(other, "")
    visit(other, link)
    expect(other.locator(".play-name strong")).to_have_text("Ria")
    expect(other.locator(f"{LIST} .calculator-saved__now")).to_have_text("Ria")
    expect(other.locator(".calculator-saved__offer")).to_have_count(0)
    assert list(read_saved_characters(other)) == ["Ria"]


def test_answer_keeps_the_name_typed_into_the_saved_list(page: Page) -> None:
    """The list is rendered again while typing."""
    open_character(page, "toughness=3")
    set_level(page, "toughness", 4)
    open_saved_list(page)
    press_in_menu(page, "Rename")
    page.keyboard.type("Clo")
    page.keyboard.press("ArrowLeft")
    field = page.locator("[data-list-rename]").get_by_label("Name").element_handle()
    page.evaluate("document.querySelector('[data-step=\"1\"][data-control=shooting]').click()")
    page.wait_for_function("(field) => !field.isConnected", arg=field)
    page.keyboard.type("e")
    page.keyboard.press("Enter")
    expect(page.locator("[name=name]")).to_have_value("Cleo")


def test_finished_fight_links_saved_sheets_and_offers_hit_points(page: Page) -> None:
    """The sheet changes only on request."""
    open_character(page, "name=Chokestar&toughness=3&stealth=3")
    set_level(page, "wrestling", 2)
    before = read_saved_characters(page)["Chokestar"]
    visit(page, f"tools/fight/?{format_query({'log': SAMPLE_SCENARIOS['worked-combat']})}")
    page.wait_for_selector("[data-winner]")
    expect(page.locator(".fight-ending a.button:not(.fight-replay)")).to_have_text(["Update Chokestar's sheet …"])
    page.click(".fight-ending a.button:not(.fight-replay)")
    offered = page.locator("button[name=do][value='fight 3']")
    expect(offered).to_have_text("Set Chokestar’s hit points to 3 of 3")
    expect(page.locator(".play-offer")).to_contain_text("From the fight “Chokestar and Flipfire against Breakhelm")
    assert is_uncovered(offered), "the button is in view, and nothing lies over it"
    page.wait_for_selector("scratch-calculator[data-durably-saved]")
    assert read_saved_characters(page) == {"Chokestar": f"{before}&at=play"}
    tap(page, "button[name=do][value='fight 3']")
    page.wait_for_selector("scratch-calculator[data-durably-saved]")
    assert read_saved_characters(page)["Chokestar"].startswith(f"{before}&at=play&play=fight%203")


def test_offered_hit_points_survive_a_roll_and_are_in_no_link(page: Page) -> None:
    """Neither the address nor the saved entry contains other fights."""
    open_character(page, "name=Chokestar&toughness=3&stealth=3")
    set_level(page, "wrestling", 2)
    visit(page, f"tools/fight/?{format_query({'log': SAMPLE_SCENARIOS['worked-combat']})}")
    page.wait_for_selector("[data-winner]")
    page.click(".fight-ending a.button:not(.fight-replay)")
    offered = page.locator("button[name=do][value='fight 3']")
    expect(offered).to_be_visible()
    tap(page, "button[name=do][value=roll]")
    page.wait_for_selector("scratch-calculator[data-durably-saved]")
    assert "play=roll" in read_saved_characters(page)["Chokestar"]
    expect(offered).to_be_visible()
    for text in (page.url, read_saved_characters(page)["Chokestar"]):
        assert "kept=" not in text
        assert "Flipfire" not in text
    tap(page, "button[name=do][value='fight 3']")
    expect(page.locator(".play-offer")).to_have_count(0)


def test_saved_list_and_sheet_share_one_name(page: Page) -> None:
    """Rename in the list and on the sheet, in play and while another is open.

    A pasted stat block is a new character, and the open one is unchanged.
    """
    open_character(page, "toughness=3&wrestling=3")
    set_level(page, "toughness", 4)
    open_saved_list(page)
    rename_entry(page, "Anna Bell")
    expect(page.locator("[name=name]")).to_have_value("Anna Bell")
    page.fill("[name=name]", "Ann")
    expect(page.locator(f"{LIST} [aria-current=true] .list-row__name")).to_have_text("Ann")
    press_in_menu(page, "Duplicate", "Ann")
    rename_entry(page, "Bo", of="Copy of Ann")
    before = read_saved_characters(page)["Bo"]
    assert before.startswith("name=Bo&")
    page.click("button[name=do][value=play]")
    expect(page.locator(".play-name strong")).to_have_text("Ann")
    rename_entry(page, "Cleo", of="Ann")
    expect(page.locator(".play-name strong")).to_have_text("Cleo")
    open_entry(page, "Bo")
    expect(page.locator("[name=name]")).to_have_value("Bo")
    paste(page, "Rat\n1 toughness")
    expect(page.locator(f"{LIST} [aria-current=true] .list-row__name")).to_have_text("Rat")
    rename_entry(page, "Vermin", of="Rat")
    paste(page, "Rat\n2 toughness")
    expect(page).to_have_url(re.compile("2%20toughness"))
    now = read_saved_characters(page)
    assert sorted(now) == ["Bo", "Cleo", "Vermin"]
    assert now["Bo"] == before
    assert "wrestling" not in now["Vermin"]


def test_imported_file_restores_a_deleted_character(phone: Page, tmp_path: Path) -> None:
    """The result of the import is in view on a phone, and undo is removed."""
    file = tmp_path / "guards.json"
    file.write_text(build_export(20))
    open_character(phone, "name=Ria&toughness=3")
    set_level(phone, "toughness", 4)
    open_saved_list(phone)
    taken = phone.locator(IMPORT)
    import_file(phone, file)
    expect(taken).to_contain_text("Imported 20.")
    show_all_entries(phone)
    phone.locator(f"{LIST} .calculator-saved__lasting").scroll_into_view_if_needed()
    expect(taken).not_to_be_in_viewport()
    out = save_download(phone, f"{LIST} [data-list-button=all]", tmp_path / "out.json")
    press_in_menu(phone, "Delete", "Guard 18")
    expect(phone.locator(".calculator-saved__deleted")).to_contain_text("Deleted: Guard 18.")
    import_file(phone, out)
    expect(taken).to_contain_text("Imported 1. Skipped 20 you already had.")
    expect(phone.locator(".calculator-saved__deleted")).to_have_count(0)
    assert len(read_saved_characters(phone)) == 21
    expect(taken).to_be_in_viewport()
    assert phone.evaluate("document.activeElement.closest('[data-notice=import]') !== null")


def test_imported_characters_are_skipped_if_already_saved(page: Page, other: Page, tmp_path: Path) -> None:
    """Import five hundred characters twice."""
    file = tmp_path / "many.json"
    file.write_text(build_export(FILE_SIZE))
    open_character(page)
    open_saved_list(page)
    import_file(page, file)
    expect(page.locator(IMPORT)).to_contain_text(f"Imported {FILE_SIZE}.")
    assert len(read_saved_characters(page)) == FILE_SIZE
    out = save_download(page, f"{LIST} [data-list-button=all]", tmp_path / "out.json")
    open_character(other, "name=Guard%207&toughness=1")
    set_level(other, "toughness", 2)
    open_saved_list(other)
    other.set_input_files(f"{LIST} input[type=file]", out)
    expect(other.locator(IMPORT)).to_contain_text(f"{FILE_SIZE - 1} new. 1 differs from yours.")
    other.locator(IMPORT).get_by_role("button", name="Import", exact=True).click()
    expect(other.locator(IMPORT)).to_contain_text(f"Imported {FILE_SIZE}.")
    other.set_input_files(f"{LIST} input[type=file]", out)
    expect(other.locator(IMPORT)).to_contain_text(f"Skipped {FILE_SIZE} you already had.")
    assert len(read_saved_characters(other)) == FILE_SIZE + 1
    assert len(list_entry_names(other)) == SHORT_LIST
    show_all_entries(other)
    assert len(list_entry_names(other)) == FILE_SIZE + 1
    assert read_saved_characters(other)["Guard 7"] == f"name=Guard%207&toughness=2{CAMPAIGN_QUERY}"
    assert read_saved_characters(other)["Guard 7 2"] == "toughness=7"


@pytest.mark.parametrize("how", ["full", "forbidden"])
def test_failing_storage_shows_a_message_with_an_export(loaded: Page, other: Page, how: str, tmp_path: Path) -> None:
    """Full or forbidden storage shows a message with an export.

    The file opens in another profile.
    """
    if how == "forbidden":
        loaded.add_init_script(FORBIDDEN)
    open_character(loaded, "name=Ria&toughness=3")
    if how == "full":
        loaded.evaluate(FULL)
    set_level(loaded, "toughness", 4)
    loaded.click(".notes-aside > summary")
    loaded.fill("[name=notes]", "toughness: long words, " + "and more of them, " * 60)
    notice = "[data-notice=unsaved]"
    expect(loaded.locator(notice)).to_contain_text("full" if how == "full" else "blocks saving")
    file = save_download(loaded, f"{notice} >> role=button[name='Export']", tmp_path / "ria.json")
    open_character(other)
    open_saved_list(other)
    other.set_input_files(f"{LIST} input[type=file]", file)
    expect(other.locator("[name=name]")).to_have_value("Ria")
    assert "toughness=4" in read_saved_characters(other)["Ria"]


def test_fight_imported_on_the_character_page_links_the_fight_tracker(page: Page, tmp_path: Path) -> None:
    """It replaces no character."""
    open_character(page, "name=Ria&toughness=3")
    set_level(page, "toughness", 4)
    (tmp_path / "fight.toml").write_text(SAMPLE_SCENARIOS["worked-combat"])
    open_saved_list(page)
    page.set_input_files(f"{LIST} input[type=file]", tmp_path / "fight.toml")
    page.get_by_role("link", name="Open in the fight tracker").click()
    page.wait_for_selector("[data-winner]")
    assert list(read_saved_characters(page)) == ["Ria"]


CHOOSER_RESULTS = {
    ("tools/odds/", "second"): (
        "[data-person=second]:has-text('3 of 4 HP')",
        "[data-person=first]:has-text('Guard')",
        "[data-sentence]:focus",
    ),
    ("tools/initiative/?who=Ash", "who"): (
        "[name=name-2][value=Mira]",
        "[name=stealth-2][value='2']",
        "[name=name-3][value=Guard]",
        "[data-choose=who]:focus",
    ),
    ("tools/board/?map=....../......&tokens=kim@1,0,blue%20rook@5,1,red", "red"): (
        "[name=tokens][value*=' mira@']",
        "[name=tokens][value*=' guard@']",
    ),
}
"""A tool and the place that characters are chosen for, with the elements that appear."""


def test_saved_and_cast_characters_are_chosen_together(page: Page) -> None:
    """Hit points are carried over, and no dice are rolled.

    The map takes both into its fight.
    """
    save_characters(page, "Mira", stealth="2", toughness="4", at="play", play="hp 3")
    for (tool, target), there in CHOOSER_RESULTS.items():
        open_ready(page, tool)
        choose(page, target, "Mira", "Guard")
        expect(page.locator(".chooser")).to_have_count(0)
        for each in there:
            expect(page.locator(each)).to_have_count(1)
        assert page.locator(".initiative-order").count() == 0
    page.click(".board__to-fight")
    expect(page.locator("[data-ready=mira]")).to_contain_text("3 of 4 HP")


def test_undo_returns_to_a_random_character_after_a_new_one(page: Page) -> None:
    """*New character* doesn't lose a random character, which is unsaved until it is changed."""
    open_character(page, "toughness=3")
    set_level(page, "shooting", 2)
    tap(page, "button[name=start][value=chance]")
    rolled = page.locator(".paper-name").first.inner_text()
    open_saved_list(page)
    page.locator(f"{LIST} button", has_text="New character").click()
    page.wait_for_selector(".paper-blank", state="attached")
    wait_for_answer(page)
    page.click("[data-back]")
    wait_for_answer(page)
    expect(page.locator(".paper-name").first).to_have_text(rolled)
