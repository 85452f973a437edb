"""The campaign: everything on this device under one name, its file, and an import that asks before it replaces."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from scratch_core.calculators.shared.query import format_query
from tests.browser.axe import find_violations
from tests.browser.navigation import visit
from tests.browser.pages.calculator import PHONE, open_ready, save_download
from tests.browser.pages.saved_entries import (
    FULL,
    IMPORT,
    LIST,
    import_file,
    open_saved_list,
    read_saved_characters,
    save_characters,
)

CAMPAIGN = "tools/campaign/"
FILE_INPUT = "scratch-campaign input[type=file]"
MIRA, RIA = "name=Mira&toughness=3", format_query({"name": "Ria", "toughness": "3", "shooting": "4"})


def open_campaign(page: Page) -> None:
    """Open the page, and wait for its script."""
    visit(page, CAMPAIGN)
    page.wait_for_selector("scratch-campaign.is-ready")


def build_entry(version: str, name: str, query: str, **more: str) -> dict[str, Any]:
    """Return an entry of a file."""
    return {"version": version, "id": f"file-{name}", "name": name, "query": query, "summary": f"about {name}", **more}


def write_file(folder: Path, **more: Any) -> Path:
    """Write an export file with two characters and a campaign."""
    entries = [build_entry("character/1", "Ria", RIA), build_entry("character/1", "Mira", MIRA)]
    head = {"campaign": "Ferry road", "exported": "2026-11-28T12:00:00.000Z", "notes": "The ferryman lies."}
    file = folder / "campaign.json"
    file.write_text(json.dumps({"format": "scratch-kept/1", **head, "entries": entries, **more}))
    return file


def press_button(page: Page, name: str) -> None:
    """Press a button of the import."""
    page.locator(IMPORT).get_by_role("button", name=name, exact=True).click()


def test_campaign_moves_to_another_device_in_one_file(page: Page, other: Page, tmp_path: Path) -> None:
    """Name and notes survive a reload.

    A saved character opens in play by one press.
    """
    save_characters(page, "Ria", play="hp 1")
    open_campaign(page)
    page.get_by_label("Campaign name").fill("Ferry road")
    page.get_by_label("Notes").fill("The ferryman lies.\nBuy a rope.")
    page.reload()
    expect(page.get_by_label("Campaign name")).to_have_value("Ferry road")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export all").click()
    assert re.fullmatch(r"scratch-ferry-road-\d{4}-\d\d-\d\d\.json", download.value.suggested_filename)
    file = tmp_path / "ferry.json"
    download.value.save_as(file)
    open_campaign(other)
    import_file(other, file, FILE_INPUT)
    expect(other.locator(IMPORT)).to_contain_text("Imported 2.")
    expect(other.get_by_label("Campaign name")).to_have_value("Ferry road")
    expect(other.get_by_label("Notes")).to_have_value("The ferryman lies.\nBuy a rope.")
    other.get_by_role("link", name="Ria").click()
    expect(other.locator("[data-hp-left]")).to_have_text("1")


def test_import_asks_for_each_difference_and_is_undone(page: Page, tmp_path: Path) -> None:
    """Nothing changes before the answer.

    A second import of the file adds no second copy.
    """
    save_characters(page, "Ria")
    before = read_saved_characters(page)
    open_campaign(page)
    page.get_by_label("Campaign name").fill("Marsh")
    file = write_file(tmp_path)
    page.set_input_files(FILE_INPUT, file)
    notice = page.locator(IMPORT)
    expect(notice).to_contain_text("“Ferry road”, exported on 28 November 2026: 2 characters, notes.")
    expect(notice.locator("select:focus")).to_have_count(1)
    assert read_saved_characters(page) == before
    press_button(page, "Import")
    expect(notice).to_contain_text("Imported 3. Kept 1 of yours.")
    both = {**before, "Ria 2": "name=Ria%202&toughness=3&shooting=4", "Mira": MIRA}
    assert read_saved_characters(page) == both
    expect(page.locator("scratch-campaign h2").first).to_have_text("Characters (3)")
    press_button(page, "Undo")
    expect(notice).to_contain_text("The import is undone.")
    assert read_saved_characters(page) == before
    expect(page.get_by_label("Notes")).to_have_value("")
    press_button(page, "Redo")
    assert read_saved_characters(page) == both
    page.set_input_files(FILE_INPUT, file)
    expect(notice).to_contain_text("1 differs from yours. Choose below. Skipped 2 you already had.")
    press_button(page, "Import")
    expect(notice).to_contain_text("Imported 0. Kept 1 of yours.")
    assert read_saved_characters(page) == both


def test_open_character_is_replaced_by_that_of_a_file(page: Page, tmp_path: Path) -> None:
    """The page shows the new one, and after an undo the old one."""
    save_characters(page, "Ria")
    open_ready(page, "tools/character/")
    expect(page.locator("[name=shooting]")).to_have_value("")
    open_saved_list(page)
    import_file(page, write_file(tmp_path), Ria="file")
    expect(page.locator("[name=shooting]")).to_have_value("4")
    expect(page.locator("[data-notice=conflict]")).to_have_count(0)
    press_button(page, "Undo")
    expect(page.locator("[name=shooting]")).to_have_value("")
    page.locator(LIST).get_by_role("link", name="Your campaign").click()
    expect(page.get_by_label("Campaign name")).to_have_value("")


def test_import_into_full_storage_changes_nothing(loaded: Page, tmp_path: Path) -> None:
    """A message says so.

    A damaged and a newer file have theirs.
    """
    save_characters(loaded, "Ria")
    open_campaign(loaded)
    before = loaded.evaluate("Object.keys(localStorage).length")
    loaded.evaluate(FULL)
    filled = loaded.evaluate("Object.keys(localStorage).length")
    import_file(loaded, write_file(tmp_path), FILE_INPUT)
    expect(loaded.locator(IMPORT)).to_contain_text("Your browser's storage is full, so nothing was imported.")
    assert before < filled == loaded.evaluate("Object.keys(localStorage).length")
    for text, words in (
        ('{"format": "scratch-kept/1", "entries": [', "This exported list can't be read."),
        ('{"format": "scratch-kept/2"}', "This file comes from a newer version of this site."),
    ):
        (tmp_path / "broken.json").write_text(text)
        loaded.set_input_files(FILE_INPUT, tmp_path / "broken.json")
        expect(loaded.locator("[data-notice=opened]")).to_contain_text(words)


def test_campaign_is_used_by_keyboard(page: Page, tmp_path: Path) -> None:
    """Tab leads from the choices to Import, and the focus stays in the notice."""
    save_characters(page, "Ria")
    open_campaign(page)
    page.set_input_files(FILE_INPUT, write_file(tmp_path))
    expect(page.locator(f"{IMPORT} select:focus")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Import"
    page.keyboard.press("Enter")
    expect(page.locator(f"{IMPORT} button:focus")).to_have_text("Undo")
    page.keyboard.press("Enter")
    expect(page.locator(f"{IMPORT} button:focus")).to_have_text("Redo")


def test_axe_finds_nothing_on_the_campaign_in_any_state(page: Page, tmp_path: Path) -> None:
    """Check it empty, and while an import asks, on a dark phone.

    Nothing is wider than 320 px at 200 % text.
    """
    page.set_viewport_size(PHONE)
    page.emulate_media(color_scheme="dark")
    open_campaign(page)
    found = {"empty": find_violations(page)}
    save_characters(page, "Ria")
    open_campaign(page)
    page.get_by_label("Campaign name").fill("Marsh")
    page.get_by_label("Notes").fill("Buy a rope.")
    page.set_input_files(FILE_INPUT, write_file(tmp_path))
    page.wait_for_selector(IMPORT)
    expect(page.locator(IMPORT).locator("p").first).to_be_in_viewport()
    found["asking"] = find_violations(page)
    page.set_viewport_size({"width": 320, "height": 664})
    page.evaluate("document.documentElement.style.fontSize = '250%'")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.emulate_media(color_scheme="light", media="print")
    expect(page.locator(".campaign__paper")).to_contain_text("Buy a rope.")
    expect(page.locator(IMPORT)).to_be_hidden()
    assert found == {"empty": [], "asking": []}


def test_campaign_without_javascript_says_what_it_needs(new_context: Callable[..., BrowserContext]) -> None:
    """The text below it is readable."""
    page = new_context(java_script_enabled=False).new_page()
    page.goto(CAMPAIGN)
    expect(page.locator("scratch-campaign")).to_contain_text("JavaScript is off")
    expect(page.get_by_role("heading", name="Move it to another device")).to_be_visible()


def test_saved_list_exports_the_campaign(page: Page, tmp_path: Path) -> None:
    """The file of a tool's list has the same content."""
    save_characters(page, "Ria")
    open_campaign(page)
    page.get_by_label("Campaign name").fill("Ferry road")
    open_ready(page, "tools/character/")
    open_saved_list(page)
    file = save_download(page, f"{LIST} [data-list-button=all]", tmp_path / "out.json")
    written = json.loads(file.read_text())
    assert [written["campaign"], [each["name"] for each in written["entries"]]] == ["Ferry road", ["Ria"]]
