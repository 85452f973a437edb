"""The initiative tool and the pages of the other turn systems."""

import re

from playwright.sync_api import Page, expect

from tests.browser.navigation import follow_scrolling
from tests.browser.pages.calculator import READY, SUBMIT, open_ready, read_share_link, tap, wait_for_answer

TOOL = "tools/initiative/"


def list_order(page: Page) -> list[str]:
    """Return the names in their order."""
    return [name.strip() for name in page.locator(".initiative-who").all_inner_texts()]


def test_initiative_is_rolled_and_its_link_shows_the_same_order(page: Page, other: Page) -> None:
    """A wrong line shows a problem and keeps its text."""
    open_ready(page, TOOL)
    page.click("[data-text] > summary")
    page.fill("[name=who]", "Ash: stealth lots")
    tap(page, SUBMIT)
    expect(page.locator("[data-problem][data-field=who]")).to_be_visible()
    assert page.input_value("[name=who]") == "Ash: stealth lots"
    page.fill("[name=who]", "Ash: stealth 3\nBirch\nCedar: detection 2")
    page.click(SUBMIT)
    page.wait_for_selector(f"{READY} .initiative-order")
    assert sorted(list_order(page)) == ["Ash", "Birch", "Cedar"]
    open_ready(other, read_share_link(page))
    assert list_order(other) == list_order(page)


def test_initiative_links_take_characters_and_faces_to_another_system(page: Page) -> None:
    """A total opens into its parts, each with a link to its rule."""
    who = "Ash:+stealth+3,+bonus+3%0ABirch:+reach+3%0ADogwood:+bonus+4"
    open_ready(page, f"{TOOL}?who={who}&faces=ash+12,birch+17,dogwood+14")
    assert list_order(page) == ["Ash", "Birch", "Dogwood"]  # 12 + 6, 17, 14
    tap(page, ".initiative-others a:has-text('Choose-next')")
    expect(page.locator(".initiative-who").first).to_have_text("Dogwood")  # 14 + 4, against 17 and 15
    page.select_option("[name=system]", "mano")
    expect(page.locator(".initiative-who").first).to_have_text("Birch")  # the longest reach
    assert page.locator("[name=ambush]").is_visible()
    page.select_option("[name=system]", "scratch")
    expect(page.locator(".initiative-who").first).to_have_text("Ash")
    wait_for_answer(page)
    page.click(".initiative-row:has-text('Ash') details.why > summary")
    page.click(".initiative-row table.sum a[href*='#stealth.initiative']")
    link = ".explainer p:last-child > a[href$='#stealth.initiative']"
    expect(page.locator(link)).to_have_text("Open page")
    follow_scrolling(page, "(link) => document.querySelector(link)", link)
    expect(page.locator("[id='stealth.initiative']")).to_be_in_viewport()
    expect(page).to_have_url(re.compile(r"#stealth\.initiative$"))


def test_initiative_rows_update_the_text_and_keep_the_dice(page: Page) -> None:
    """Steppers, names, added and removed rows change the lines."""
    open_ready(page, f"{TOOL}?who=Ash:+stealth+3%0ABirch:+reach+3%0ACedar&faces=ash+12,birch+17,cedar+9")
    tap(page, "button[name=faces]")  # new dice, and none are typed
    before = list_order(page)
    for _ in range(3):
        page.click("[aria-label='Cedar: +1 detection']")
    expect(page.locator("[name=who]")).to_have_value("Ash: stealth 3\nBirch: reach 3\nCedar: detection 3")
    expect(page.locator(".initiative-who").first).to_have_text("Cedar")  # 30 more, against 20 + 6
    assert [name for name in list_order(page) if name != "Cedar"] == [name for name in before if name != "Cedar"]
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


def test_enter_in_a_field_uses_the_entered_rolls(page: Page) -> None:
    """Only the button rolls again."""
    open_ready(page, f"{TOOL}?who=Ash%0ABirch&faces=ash+12,birch+17")
    rolls = page.locator("input[name=faces]")
    page.click(".initiative-own > summary")
    rolls.fill("Ash 18, Birch 3")
    rolls.press("Enter")
    wait_for_answer(page)
    expect(rolls).to_have_value("Ash 18, Birch 3")
    assert list_order(page) == ["Ash", "Birch"]
    page.press("[name=name-2]", "Enter")
    wait_for_answer(page)
    expect(rolls).to_have_value("Ash 18, Birch 3")
    assert list_order(page) == ["Ash", "Birch"]
    tap(page, "button[name=faces]")
    expect(rolls).to_have_value("")
