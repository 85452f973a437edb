"""The initiative calculator and the pages of the other turn orders as their readers use them."""

import re

from playwright.sync_api import Page, expect

from tests.browser.following import follow_scrolling
from tests.browser.pages.calculator import READY, SUBMIT, open_ready, settled, shared, tap

TOOL = "tools/initiative/"


def order(page: Page) -> list[str]:
    """The names, as they stand."""
    return [name.strip() for name in page.locator(".initiative-who").all_inner_texts()]


def test_initiative_is_rolled_and_reopened(page: Page, other: Page) -> None:
    """A roll gives an order; its link shows the same in another profile. A wrong line is told, and stays as typed."""
    open_ready(page, TOOL)
    page.click("[data-text] > summary")
    page.fill("[name=who]", "Ash: stealth lots")
    tap(page, SUBMIT)
    expect(page.locator("[data-problem][data-field=who]")).to_be_visible()
    assert page.input_value("[name=who]") == "Ash: stealth lots"
    page.fill("[name=who]", "Ash: stealth 3\nBirch\nCedar: detection 2")
    page.click(SUBMIT)
    page.wait_for_selector(f"{READY} .initiative-order")
    assert sorted(order(page)) == ["Ash", "Birch", "Cedar"]
    open_ready(other, shared(page))
    assert order(other) == order(page)


def test_the_same_dice_by_another_order(page: Page) -> None:
    """The links under an answer take the people and the faces to another order.

    A total opens into its parts, each with a link to its rule, which comes into view on a slow net too.
    """
    who = "Ash:+stealth+3,+bonus+3%0ABirch:+reach+3%0ADogwood:+bonus+4"
    open_ready(page, f"{TOOL}?who={who}&faces=ash+12,birch+17,dogwood+14")
    assert order(page) == ["Ash", "Birch", "Dogwood"]  # 12 + 6, 17, 14
    tap(page, ".initiative-others a:has-text('Choose-next')")
    expect(page.locator(".initiative-who").first).to_have_text("Dogwood")  # 14 + 4, against 17 and 15
    page.select_option("[name=system]", "mano")
    expect(page.locator(".initiative-who").first).to_have_text("Birch")  # the longest reach
    assert page.locator("[name=ambush]").is_visible()
    page.select_option("[name=system]", "scratch")
    expect(page.locator(".initiative-who").first).to_have_text("Ash")
    settled(page)
    page.click(".initiative-row:has-text('Ash') details.why > summary")
    page.click(".explainer table.sum a[href*='#stealth.initiative']")
    link = ".explainer p:last-child > a[href$='#stealth.initiative']"
    expect(page.locator(link)).to_have_text("Open page")
    follow_scrolling(page, "(link) => document.querySelector(link)", link)
    expect(page.locator("[id='stealth.initiative']")).to_be_in_viewport()
    expect(page).to_have_url(re.compile(r"#stealth\.initiative$"))


def test_rows_write_the_lines_and_keep_the_dice(page: Page) -> None:
    """A stepper changes the order by the same dice; a name typed, someone added and removed stand in the text."""
    open_ready(page, f"{TOOL}?who=Ash:+stealth+3%0ABirch:+reach+3%0ACedar&faces=ash+12,birch+17,cedar+9")
    tap(page, "button[name=faces]")  # new dice, and none are typed
    before = order(page)
    for _ in range(3):
        page.click("[aria-label='Cedar: detection: one more']")
    expect(page.locator("[name=who]")).to_have_value("Ash: stealth 3\nBirch: reach 3\nCedar: detection 3")
    expect(page.locator(".initiative-who").first).to_have_text("Cedar")  # 30 more, against 20 + 6
    assert [name for name in order(page) if name != "Cedar"] == [name for name in before if name != "Cedar"]
    page.fill("[name=name-2]", "Beech")
    expect(page.locator("[name=who]")).to_have_value("Ash: stealth 3\nBeech: reach 3\nCedar: detection 3")
    page.click("text=+ Add row")
    expect(page.locator("[name=name-4]")).to_have_value("Fighter 4")
    page.click("[aria-label='Remove Ash']")
    expect(page.locator("[name=who]")).to_have_value("Beech: reach 3\nCedar: detection 3\nFighter 4")
    expect(page.locator("[name=name-1]")).to_have_value("Beech")
    page.click("[data-text] > summary")
    page.fill("[name=who]", "Elm: stealth 2")
    expect(page.locator("[name=name-1]")).to_have_value("Elm")
    expect(page.locator("[name=name-2]")).to_have_count(0)
