"""`mkdocs serve` serves a working site and shows every kind of change in the open page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.live import EDITS, measure_update_seconds, serve_copy
from tests.browser.pages.calculator import wait_for_answer
from tests.browser.patience import be_patient


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the copy that is changed."""
    return tmp_path_factory.mktemp("copy")


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """Serve the copy, and return its address."""
    with serve_copy(folder) as address:
        yield address


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """Open a tab in a fresh profile."""
    page = browser.new_page()
    be_patient(page)
    yield page
    page.close()


def test_served_page_answers_with_rule_links(address: str, tab: Page) -> None:
    """The unmodified Pyodide runs our sources."""
    tab.goto(f"{address}tools/dice/")
    tab.fill("scratch-calculator [name=roll]", "d20+3")
    tab.locator("scratch-calculator form [type=submit]").first.click()
    wait_for_answer(tab)
    assert tab.locator("scratch-calculator [href*='rules/rolls/#roll.']").count()


@pytest.mark.parametrize("kind", EDITS)
def test_change_of_a_source_appears_in_the_open_page(kind: str, address: str, folder: Path, tab: Page) -> None:
    """Change a style, a script, the text, a template or a rule."""
    assert measure_update_seconds(EDITS[kind], 7, folder, tab, address)
