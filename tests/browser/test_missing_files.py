"""Missing files and denied permissions: messages in view, with a way on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.pages.calculator import open_ready
from tests.browser.patience import be_patient
from tests.support.known import require

DICE = "tools/dice/"
READ_DELAY = """() => document.querySelector(".calculator-missing").getAnimations()[0].effect.getTiming().delay"""
FINISH_ANIMATIONS = "document.getAnimations().forEach((each) => each.finish())"  # the seconds that it waits
IS_MESSAGE_VISIBLE = """() => {
  const box = document.querySelector(".calculator-missing").getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight && box.height > 0;
}"""
CUT_SCRIPT = {"body": 'import{a}from"./shared', "content_type": "text/javascript"}
PORTAL_PAGE = {"body": "<html>Please log in</html>", "content_type": "text/html"}


@pytest.mark.parametrize("script", ["calculator", "shared-*"])
@pytest.mark.parametrize("how", [CUT_SCRIPT, PORTAL_PAGE, None], ids=["cut", "a portal's page", "dropped"])
def test_broken_script_shows_a_message_without_scrolling(
    new_context: Callable[..., BrowserContext], script: str, how: dict[str, Any] | None
) -> None:
    """A broken script shows a message that suggests a reload.

    The script is cut, replaced or dropped. The message is visible without scrolling.
    """
    context = new_context(viewport={"width": 390, "height": 664})
    context.route(f"**/{script}.mjs", lambda route: route.fulfill(**how) if how else route.abort())
    page = context.new_page()
    page.goto(DICE)
    assert page.evaluate(READ_DELAY) == 6000  # ms in which the script may still arrive
    page.evaluate(FINISH_ANIMATIONS)
    expect(page.locator(".calculator-missing")).to_be_visible()
    assert page.evaluate(IS_MESSAGE_VISIBLE)
    assert "Reload this page" in page.inner_text(".calculator-missing")


def test_page_opened_as_a_file_explains_how_to_serve_the_site(browser: Browser, site: Path) -> None:
    """Browsers run none of our scripts from a disk."""
    context = browser.new_context()
    be_patient(context)
    page = context.new_page()
    page.goto((site / DICE / "index.html").as_uri())
    page.evaluate(FINISH_ANIMATIONS)
    assert "http.server" in page.inner_text(".calculator-missing")
    assert "connection" not in page.inner_text(".calculator-missing")
    assert page.evaluate(IS_MESSAGE_VISIBLE)
    context.close()


def test_link_that_cannot_be_copied_is_selected_as_text(page: Page) -> None:
    """Plain http has no clipboard."""
    open_ready(page, f"{DICE}?roll=2d6&faces=3,4")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })")
    copied = page.locator("[data-copy]:visible").first
    text = copied.get_attribute("data-copy")
    copied.click()
    expect(page.locator(".copied-by-hand")).to_have_text(str(text))
    assert page.evaluate("`${getSelection()}`") == text
    page.evaluate("delete navigator.clipboard")


# While scripts are loading, and without them, an example is never shown as the user's own

LINK = "tools/dice/?roll=d20&against=16&faces=11"


def test_shared_roll_without_scripts_is_labelled_as_an_example(new_context: Callable[..., BrowserContext]) -> None:
    """The label is above the example, which has no faces filled in."""
    page = new_context(java_script_enabled=False).new_page()
    page.goto(LINK)
    label = page.locator(".calculator-noscript")
    expect(label).to_have_text(
        "Turn on JavaScript to use this calculator and open shared links. What you see is an example."
    )
    box, answer = (require(each.bounding_box()) for each in (label, page.locator("[data-answer]").first))
    assert box["y"] + box["height"] <= answer["y"]
    expect(page.locator(".calculator-awaited")).to_be_hidden()
    assert page.input_value("[name=faces]") == ""


def test_calculator_before_its_scripts_hides_the_example(page: Page) -> None:
    """Then it names the link's content while Python starts."""
    held: list[Route] = []
    page.route("**/calculator.mjs", lambda route: held.append(route))  # noqa: PLW0108 (a method of a list has no place for Playwright)
    page.route("**/pyodide.mjs", lambda route: None)
    with page.expect_request("**/calculator.mjs"):
        page.goto(LINK, wait_until="commit")
    expect(page.locator(".calculator-awaited")).to_be_visible()
    expect(page.locator(".calculator-body")).to_be_hidden()
    held[0].continue_()
    expect(page.locator(".calculator-coming")).to_have_text("Loading: d20, against 16, faces 11")
    assert page.input_value("[name=against]") == "16"
    assert not page.locator("[data-answer]").first.is_visible()
    page.unroute_all()  # releases the held requests
    expect(page.locator("[data-success=false]")).to_be_visible()
    expect(page.locator(".calculator-awaited")).to_be_hidden()


def test_replay_without_scripts_tells_the_whole_story(new_context: Callable[..., BrowserContext]) -> None:
    """The log says what came of every step, which can't be opened one by one."""
    page = new_context(java_script_enabled=False).new_page()
    page.goto("tools/replay/")
    expect(page.locator("tr[data-line='15'] .replay__say")).to_be_visible()
    expect(page.locator(".replay__outline").first).to_be_hidden()


def test_character_without_scripts_shows_the_levels_as_text(new_context: Callable[..., BrowserContext]) -> None:
    """The fields are hidden, and the printed sheet takes their place."""
    page = new_context(java_script_enabled=False).new_page()
    page.goto("tools/character/")
    expect(page.get_by_role("rowheader", name="shooting")).to_be_visible()
    expect(page.locator(".builder__levels").first).to_be_hidden()
