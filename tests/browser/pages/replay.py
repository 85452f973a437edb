"""The replay's page."""

from playwright.sync_api import Page, expect

from tests.browser.pages.calculator import wait_for_answer


def wait_for_step(page: Page, step: int) -> None:
    """Wait until a step is shown and no request is pending."""
    expect(page.locator("[data-step]:not(button)").first).to_have_text(str(step))
    wait_for_answer(page)
