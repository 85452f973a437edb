"""The character page: opening it, pasting a stat block, and counting taps."""

from playwright.sync_api import Page

from tests.browser.pages.calculator import open_ready

CHARACTER = "tools/character/"


class Taps:
    """Taps elements and counts the taps."""

    def __init__(self, page: Page) -> None:
        """Begin with no tap."""
        self.page = page
        self.count = 0

    def __call__(self, place: str) -> None:
        """Tap the first of that kind, and wait until the page has answered."""
        self.page.locator(place).first.tap()
        self.count += 1


def paste(page: Page, sheet: str) -> None:
    """Paste a stat block into its field, or start with one."""
    if not page.locator("[name=sheet]").is_visible():
        page.click(".start-from > summary")
    page.fill("[name=sheet]", sheet)


def open_character(page: Page, query: str = "") -> None:
    """Open the character page, and wait for Python."""
    open_ready(page, f"{CHARACTER}?{query}" if query else CHARACTER)
