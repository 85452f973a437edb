"""What does not arrive, and what is not allowed, is told where one looks, with a way on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.pages.calculator import open_ready
from tests.browser.patience import be_patient
from tests.support.known import require

DICE = "tools/dice/"
DELAY = """() => document.querySelector(".calculator-missing").getAnimations()[0].effect.getTiming().delay"""
COME = "document.getAnimations().forEach((each) => each.finish())"  # the seconds that it waits
SEEN = """() => {
  const box = document.querySelector(".calculator-missing").getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight && box.height > 0;
}"""
CUT = {"body": 'import{a}from"./shared', "content_type": "text/javascript"}
PORTAL = {"body": "<html>Please log in</html>", "content_type": "text/html"}


@pytest.mark.parametrize("script", ["calculator", "shared-*"])
@pytest.mark.parametrize("how", [CUT, PORTAL, None], ids=["cut", "a portal's page", "dropped"])
def test_a_script_that_comes_as_something_else_is_told_in_view(
    new_context: Callable[..., BrowserContext], script: str, how: dict[str, Any] | None
) -> None:
    """Whatever became of the calculators' script or one that it shares, the sentence is seen without scrolling."""
    context = new_context(viewport={"width": 390, "height": 664})
    context.route(f"**/{script}.mjs", lambda route: route.fulfill(**how) if how else route.abort())
    page = context.new_page()
    page.goto(DICE)
    assert page.evaluate(DELAY) == 6000  # ms in which the script may still arrive
    page.evaluate(COME)
    expect(page.locator(".calculator-missing")).to_be_visible()
    assert page.evaluate(SEEN)
    assert "Reload this page" in page.inner_text(".calculator-missing")


def test_a_page_opened_as_a_file_says_what_to_do_instead(browser: Browser, site: Path) -> None:
    """From a disk no script of ours may run: the page says how the folder is served."""
    context = browser.new_context()
    be_patient(context)
    page = context.new_page()
    page.goto((site / DICE / "index.html").as_uri())
    page.evaluate(COME)
    assert "http.server" in page.inner_text(".calculator-missing")
    assert "connection" not in page.inner_text(".calculator-missing")
    assert page.evaluate(SEEN)
    context.close()


def test_what_may_not_be_copied_stands_there_as_text(page: Page) -> None:
    """Where the browser lets no one copy, as on plain http, the link itself can be chosen."""
    open_ready(page, f"{DICE}?roll=2d6&faces=3,4")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })")
    copied = page.locator("[data-copy]:visible").first
    text = copied.get_attribute("data-copy")
    copied.click()
    expect(page.locator(".copied-by-hand")).to_have_text(str(text))
    assert page.evaluate("`${getSelection()}`") == text
    page.evaluate("delete navigator.clipboard")


# While scripts are on their way, and without them: a page's example is never taken for yours

ROLLED = "tools/dice/?roll=d20&against=16&faces=11"


def test_a_shared_roll_without_scripts_is_said_to_be_the_pages_own(new_context: Callable[..., BrowserContext]) -> None:
    """Above the example, which has no faces to be thrown again, stands that it is one, and not what the link holds."""
    page = new_context(java_script_enabled=False).new_page()
    page.goto(ROLLED)
    told = page.locator(".calculator-noscript")
    expect(told).to_have_text("JavaScript is off, so this is our example, not what your link contains.")
    box, answer = (require(each.bounding_box()) for each in (told, page.locator("[data-answer]").first))
    assert box["y"] + box["height"] <= answer["y"]
    expect(page.locator(".calculator-awaited")).to_be_hidden()
    assert page.input_value("[name=faces]") == ""


def test_before_the_scripts_the_box_says_what_comes(page: Page) -> None:
    """The example is hidden, and in its place stands a sentence, until the script says what the link holds."""
    held: list[Route] = []
    page.route("**/calculator.mjs", lambda route: held.append(route))  # noqa: PLW0108 (a method of a list has no place for Playwright)
    page.route("**/*.wasm", lambda route: None)
    with page.expect_request("**/calculator.mjs"):
        page.goto(ROLLED, wait_until="commit")
    expect(page.locator(".calculator-awaited")).to_be_visible()
    expect(page.locator(".calculator-body")).to_be_hidden()
    held[0].continue_()
    expect(page.locator(".calculator-coming")).to_have_text("Loading: d20, against 16, faces 11")
    assert page.input_value("[name=against]") == "16"
    assert not page.locator("[data-answer]").first.is_visible()
    page.unroute_all()  # lets go what was held
    expect(page.locator("[data-success=false]")).to_be_visible()
    expect(page.locator(".calculator-awaited")).to_be_hidden()
