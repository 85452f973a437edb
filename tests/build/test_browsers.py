"""Looking for a browser."""

import pytest
from playwright.sync_api import sync_playwright

from build_scripts.browsers import find_chromium


def test_a_browser_is_looked_for_where_one_is_driven_already(monkeypatch: pytest.MonkeyPatch) -> None:
    """What measures starts Playwright first; a machine without a Chromium gets one all the same."""
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", "")
    with sync_playwright():
        find_chromium()
