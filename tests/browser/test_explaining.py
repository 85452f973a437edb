"""The explainer on real pages: terms, sums, rulings and rules, by touch, mouse and keys."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.pages.calculator import PHONE, open_ready
from tests.browser.pages.fight import begin
from tests.support.known import require

EXPLAINER = ".explainer:popover-open"
IS_COVERED = """(asker) => {
  const box = document.querySelector(".explainer").getBoundingClientRect();
  return [...asker.getClientRects()].every(({ top, bottom }) => top < box.bottom && bottom > box.top);
}"""
DESK = {"width": 1280, "height": 800}


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def page(request: pytest.FixtureRequest, new_context: Callable[..., BrowserContext]) -> Page:
    """Open a phone with touch, and a desktop with a mouse."""
    return new_context(viewport=request.param, has_touch=request.param == PHONE).new_page()


def press_and_check_placement(page: Page, selector: str) -> None:
    """Press an element, and check the place of its explanation.

    The explanation is next to the element's line, in a readable size.
    """
    asker = page.locator(selector).first
    asker.evaluate("asker => asker.scrollIntoView({ block: 'center' })")
    before = page.evaluate("scrollY")
    asker.click()
    explainer = page.locator(EXPLAINER)
    expect(explainer).to_be_visible()
    assert not asker.evaluate(IS_COVERED)
    assert page.evaluate("scrollY") == before
    assert explainer.evaluate("box => parseFloat(getComputedStyle(box).fontSize)") >= 15
    box = require(explainer.bounding_box())
    assert 0 <= box["x"] <= require(page.viewport_size)["width"] - box["width"]


def test_pressed_number_unfolds_its_sum_in_place(page: Page) -> None:
    """Nothing floats over the page.

    The sum pushes down what follows, and a second press closes it.
    """
    open_ready(page, "tools/dice/?roll=d20%2B5&against=13&faces=11")
    why = page.locator(".why > summary")
    what_follows = page.locator(".calculator-dice .dice__chances > summary")
    top = require(what_follows.bounding_box())["y"]
    why.click()
    expect(page.locator(".why tfoot")).to_contain_text("16")
    expect(page.locator(EXPLAINER)).to_have_count(0)
    assert require(what_follows.bounding_box())["y"] > top + 100
    page.keyboard.press("Enter")
    expect(page.locator(".why tfoot")).to_be_hidden()


def test_rule_link_in_a_fight_shows_the_rule_without_leaving(page: Page) -> None:
    """The explainer links to the rule's page."""
    begin(page)
    address = page.url
    press_and_check_placement(
        page, "form.fight-running [data-action=basic-attack] >> xpath=ancestor::li//a[contains(@class, 'rule')]"
    )
    expect(page.locator(EXPLAINER)).to_contain_text("Basic attack")
    way = page.locator(f"{EXPLAINER} a", has_text="Open page")
    assert str(way.get_attribute("href")).endswith("rules/actions/#act.basic-attack")
    assert page.url == address


def test_ruling_mark_shows_the_options_next_to_its_line(page: Page) -> None:
    """The mark's own fold stays closed."""
    page.goto("rules/turns/")
    page.wait_for_selector("abbr[role=button]")
    press_and_check_placement(page, ".ruling-mark > summary")
    expect(page.locator(f"{EXPLAINER} .readings li").first).to_be_visible()
    assert page.locator(".ruling-mark[open]").count() == 0


def test_term_is_explained_by_press_hover_and_keys(page: Page) -> None:
    """Press it by touch or mouse, hover over it, and use Enter and Space."""
    page.goto("rules/actions/")
    page.wait_for_selector("abbr[role=button]")
    term = page.locator("main abbr").first
    words = term.get_attribute("title")
    press_and_check_placement(page, "main abbr")
    expect(page.locator(EXPLAINER)).to_have_text(str(words))
    page.mouse.move(0, 0)
    for key in ("Enter", "Space"):
        page.keyboard.press("Escape")
        expect(page.locator(EXPLAINER)).to_have_count(0)
        term.focus()
        page.keyboard.press(key)
        expect(page.locator(EXPLAINER)).to_have_text(str(words))
    page.keyboard.press("Escape")
    term.hover()
    expect(page.locator(EXPLAINER)).to_have_text(str(words))
