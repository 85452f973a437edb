"""Saved entries: their list, the chooser, and storage that is full or forbidden."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from scratch_core.calculators.shared.query import format_query
from tests.browser.navigation import visit
from tests.browser.pages.calculator import tap, wait_for_answer

LIST = ".calculator-saved"
ENTRIES = """() => Object.keys(localStorage).filter((name) => name.startsWith("scratch-kept-fight/"))
  .map((name) => JSON.parse(localStorage.getItem(name)))"""
FULL = """() => {
  let piece = "x".repeat(2 ** 20);
  for (let number = 0; piece; ) {
    try { localStorage.setItem(`filler-${number++}`, piece); } catch { piece = piece.slice(piece.length / 2 + 1); }
  }
}"""
FORBIDDEN = """Storage.prototype.setItem = () => { throw new DOMException("not here", "SecurityError"); };"""


FORGET = """async () => {
  localStorage.clear();
  const gone = indexedDB.deleteDatabase("scratch-kept");
  await new Promise((done) => (gone.onsuccess = gone.onblocked = done));
}"""


STORED = """() => Object.keys(localStorage).filter((name) => name.startsWith("scratch-kept-character/"))
  .map((name) => JSON.parse(localStorage.getItem(name))).map((entry) => [entry.name, entry.query])"""


def read_saved_characters(page: Page) -> dict[str, str]:
    """Return the saved characters' queries by name."""
    found: list[tuple[str, str]] = page.evaluate(STORED)
    assert len({name for name, _ in found}) == len(found), "two of one name"
    return dict(found)


def clear_saved_data(page: Page) -> None:
    """Delete the site's data in the browser."""
    page.evaluate(FORGET)


def read_saved_fights(page: Page) -> list[dict[str, Any]]:
    """Return the saved fights."""
    found: list[dict[str, Any]] = page.evaluate(ENTRIES)
    return found


def open_saved_list(page: Page) -> None:
    """Open the saved list."""
    if not page.locator(f"{LIST}[open]").count():
        page.click(f"{LIST} > summary")


def press(page: Page, name: str) -> None:
    """Press the first button of the list whose name begins like this."""
    page.locator(LIST).get_by_role("button", name=name).first.click()


def press_in_menu(page: Page, item: str, name: str = "") -> None:
    """Press an item in the menu of the first entry whose name begins like this."""
    rows = page.locator(f"{LIST} .list-row")
    rows.get_by_role("button", name=f"More: {name}").first.click()
    rows.get_by_role("menuitem", name=f"{item}: {name}").first.click()


def show_all_entries(page: Page) -> None:
    """Show more than the five newest entries."""
    page.click(f"{LIST} [data-list-button=length]")


def list_entry_names(page: Page) -> list[str]:
    """Return the names in the list, the latest first."""
    return page.locator(f"{LIST} .list-row__name").all_inner_texts()


def open_entry(page: Page, name: str) -> None:
    """Open the entry whose name begins like this."""
    open_saved_list(page)
    page.locator(f"{LIST} .list-row__name").filter(has_text=name).first.click()
    wait_for_answer(page)


def save_characters(page: Page, *names: str, **levels: str) -> None:
    """Save characters with these names, and with levels and other fields."""
    visit(page, "")
    for name in names:
        query = format_query({"name": name, "toughness": "3", **levels})
        entry = {"version": "character/1", "name": name, "query": query}
        page.evaluate(
            "([name, entry]) => localStorage.setItem(`scratch-kept-character/${name}`, entry)",
            [name, json.dumps(entry)],
        )


# Import of an export file

IMPORT = "[data-notice=import]"


def import_file(page: Page, file: Path, place: str = f"{LIST} input[type=file]", **choices: str) -> None:
    """Import a file after its review, with choices by the names of entries."""
    page.set_input_files(place, file)
    notice = page.locator(IMPORT)
    for name, choice in choices.items():
        notice.get_by_label(name, exact=True).select_option(choice)
    notice.get_by_role("button", name="Import", exact=True).click()


# The chooser of characters, with those that the user has saved


def format_checkbox_selector(name: str) -> str:
    """Return the selector of a character in the chooser."""
    return f".chooser label:has(.name:text-is('{name}'))"


def choose(page: Page, target: str, *names: str) -> None:
    """Open a chooser, tick characters by name, and add them."""
    tap(page, f"[data-choose={target}]")
    for name in names:
        page.click(format_checkbox_selector(name))
        wait_for_answer(page)
    tap(page, ".chooser [name=act][value=add]")
