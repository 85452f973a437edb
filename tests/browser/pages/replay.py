"""The replay's page."""

from playwright.sync_api import Page, expect

from tests.browser.pages.calculator import settled


def at_step(page: Page, step: int) -> None:
    """Wait until a step is shown and no request is pending."""
    expect(page.locator("[data-step]:not(button)").first).to_have_text(str(step))
    settled(page)
