"""`mkdocs serve` shows a whole site in the browser, and every kind of change in the page that is open."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.live import EDITS, seconds_until_shown, served_copy
from tests.browser.pages.calculator import settled
from tests.browser.patience import be_patient


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the copy lies that is changed."""
    return tmp_path_factory.mktemp("copy")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The address of the served copy."""
    with served_copy(folder) as address:
        yield address


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A tab of no one who has been here."""
    page = browser.new_page()
    be_patient(page)
    yield page
    page.close()


def test_a_served_page_answers(address: str, tab: Page) -> None:
    """Pyodide as it was published answers with our sources as they are, and links to rules lead there."""
    tab.goto(f"{address}tools/dice/")
    tab.fill("scratch-calculator [name=roll]", "d20+3")
    tab.locator("scratch-calculator form [type=submit]").first.click()
    settled(tab)
    assert tab.locator("scratch-calculator [href*='rules/rolls/#roll.']").count()


@pytest.mark.parametrize("kind", EDITS)
def test_a_change_shows(kind: str, address: str, folder: Path, tab: Page) -> None:
    """A style, a script, the text, a template, a rule: the page that is open shows it by itself."""
    assert seconds_until_shown(EDITS[kind], 7, folder, tab, address)
