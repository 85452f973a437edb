"""What a user has entered without saving it opens again in the same tab."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.pages.calculator import open_ready, unfold, wait_for_answer

ENTRIES = {
    "board": ("map", "....\n.##."),
    "character": ("name", "Wren the tall"),
    "initiative": ("who", "Ash\nBirch"),
    "odds": ("first_sheet", "Ash\n2 fighting\n1 toughness"),
}
"""A field of each tool with a text."""


@pytest.mark.parametrize("calculator", ENTRIES)
def test_entered_text_opens_again_in_the_same_tab(page: Page, calculator: str) -> None:
    """It does not open for a link with a query."""
    name, text = ENTRIES[calculator]
    start = "?start=empty" if calculator == "character" else ""
    open_ready(page, f"tools/{calculator}/{start}")
    field = page.locator(f"[name={name}]")
    unfold(field)
    field.fill(text)
    page.evaluate("document.querySelector('scratch-calculator form').requestSubmit()")
    wait_for_answer(page)
    page.goto("")
    open_ready(page, f"tools/{calculator}/")
    expect(field).to_have_value(text)
