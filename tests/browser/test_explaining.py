"""The explainer: terms, whys, † and rules, by finger, mouse and keys; it covers no line that it explains."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.pages.calculator import PHONE, open_ready
from tests.browser.pages.fight import begin
from tests.support.known import require

EXPLAINER = ".explainer:popover-open"
COVERED = """(asker) => {
  const box = document.querySelector(".explainer").getBoundingClientRect();
  return [...asker.getClientRects()].every(({ top, bottom }) => top < box.bottom && bottom > box.top);
}"""
DESK = {"width": 1280, "height": 800}


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def page(request: pytest.FixtureRequest, new_context: Callable[..., BrowserContext]) -> Page:
    """A phone with a finger, and a desk with a mouse."""
    return new_context(viewport=request.param, has_touch=request.param == PHONE).new_page()


def press(page: Page, selector: str) -> None:
    """Tap or click something, scrolled to the middle, and see that it is explained beside its line, in reading size."""
    asker = page.locator(selector).first
    asker.evaluate("asker => asker.scrollIntoView({ block: 'center' })")
    before = page.evaluate("scrollY")
    asker.click()
    explainer = page.locator(EXPLAINER)
    expect(explainer).to_be_visible()
    assert not asker.evaluate(COVERED)
    assert page.evaluate("scrollY") == before
    assert explainer.evaluate("box => parseFloat(getComputedStyle(box).fontSize)") >= 15
    box = require(explainer.bounding_box())
    assert 0 <= box["x"] <= require(page.viewport_size)["width"] - box["width"]


def test_a_number_says_why(page: Page) -> None:
    """The parts of a sum stand in the explainer; Escape closes it and gives the focus back."""
    open_ready(page, "tools/dice/?roll=d20%2B5&against=13&faces=11")
    press(page, ".why > summary")
    expect(page.locator(f"{EXPLAINER} tfoot")).to_contain_text("16")
    page.keyboard.press("Escape")
    expect(page.locator(EXPLAINER)).to_have_count(0)
    assert page.evaluate("document.activeElement.matches('.why > summary')")


def test_a_rule_is_looked_at_from_within_a_fight(page: Page) -> None:
    """A rule's link in a fight shows its text, with the way to its page, and the fight stays where it was."""
    begin(page)
    address = page.url
    press(page, "form.fight-running [data-action=basic-attack] >> xpath=ancestor::li//a[contains(@class, 'rule')]")
    expect(page.locator(EXPLAINER)).to_contain_text("Basic attack")
    way = page.locator(f"{EXPLAINER} a", has_text="Open page")
    assert str(way.get_attribute("href")).endswith("rules/actions/#act.basic-attack")
    assert page.url == address


def test_a_ruling_stands_beside_its_line(page: Page) -> None:
    """A † opens the ruling's readings, and nothing on the page moves."""
    page.goto("rules/turns/")
    page.wait_for_selector("abbr[role=button]")
    press(page, ".ruling-mark > summary")
    expect(page.locator(f"{EXPLAINER} .readings li").first).to_be_visible()
    assert page.locator(".ruling-mark[open]").count() == 0


def test_a_term_is_told(page: Page) -> None:
    """A term is explained by a finger or a mouse's press, by resting on it, and by the keys that press buttons."""
    page.goto("rules/actions/")
    page.wait_for_selector("abbr[role=button]")
    term = page.locator("main abbr").first
    words = term.get_attribute("title")
    press(page, "main abbr")
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
