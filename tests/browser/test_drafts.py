"""What a user has entered without saving it opens again in the same tab."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.held_requests import HOLD_REQUESTS
from tests.browser.pages.calculator import open_ready, unfold, wait_for_answer
from tests.browser.pages.fight import RUNNING_FIGHT

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


DICE = "tools/dice/?roll=d20%2B3&against=13"


@pytest.mark.parametrize(
    ("address", "address_later", "another", "fields"),
    [
        (RUNNING_FIGHT, "tools/fight/", f"{RUNNING_FIGHT}&called=Another", {"faces": "14", "note": "From behind."}),
        (DICE, DICE, "tools/dice/?roll=d6", {"faces": "12"}),
    ],
    ids=["fight", "dice"],
)
def test_unsent_input_survives_a_reload_and_another_page(
    page: Page, address: str, address_later: str, another: str, fields: dict[str, str]
) -> None:
    """Input of another state does not return."""
    open_ready(page, address)
    for name, text in fields.items():
        unfold(page.locator(f"[name={name}]"))
        page.fill(f"[name={name}]", text)
    page.reload()
    for _ in range(2):
        wait_for_answer(page)
        assert {name: page.input_value(f"[name={name}]") for name in fields} == fields
        page.click(".md-header__button.md-logo")  # a link, which replaces the page without loading a document
        page.wait_for_selector(".home__begin")
        page.goto(address_later)
    wait_for_answer(page)
    page.goto("")
    open_ready(page, another)
    assert not any(page.input_value(f"[name={name}]") for name in fields)


def test_text_typed_right_before_a_reload_is_sent_after_it(page: Page) -> None:
    """A form that is sent while the user types has the answer to its text."""
    open_ready(page, "tools/character/?name=Ash&toughness=3")
    page.evaluate(HOLD_REQUESTS)  # until the reload
    page.fill("[name=name]", "Birch")
    page.reload()
    page.wait_for_function("() => document.querySelector('scratch-calculator').dataset.query?.includes('Birch')")
    expect(page.locator("[name=name]")).to_have_value("Birch")
