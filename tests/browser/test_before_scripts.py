"""What a page says while its scripts are on their way, and without them: its example is never taken for yours."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.known import known

ROLLED = "tools/dice/?roll=d20&against=16&faces=11"


def test_a_shared_roll_without_scripts_is_said_to_be_the_pages_own(new_context: Callable[..., BrowserContext]) -> None:
    """Above the example, which has no faces to be thrown again, stands that it is one, and not what the link holds."""
    page = new_context(java_script_enabled=False).new_page()
    page.goto(ROLLED)
    told = page.locator(".calculator-noscript")
    expect(told).to_have_text(
        "Scripts are off: this is the page’s own example, and not what a link that you followed holds."
    )
    box, answer = (known(each.bounding_box()) for each in (told, page.locator("[data-answer]").first))
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
    expect(page.locator(".calculator-coming")).to_have_text("Coming: d20, against 16, faces 11")
    assert page.input_value("[name=against]") == "16"
    assert not page.locator("[data-answer]").first.is_visible()
    page.unroute_all()  # lets go what was held
    expect(page.locator("[data-success=false]")).to_be_visible()
    expect(page.locator(".calculator-awaited")).to_be_hidden()


def test_a_screen_that_follows_does_not_say_that_nothing_can(page: Page) -> None:
    """What stands there without scripts is gone once they are there, whatever is shown."""
    page.goto("tools/players-screen/")
    expect(page.locator(".screen-waiting")).to_be_visible()
    expect(page.get_by_text("Scripts are off, or have not arrived")).to_have_count(0)
