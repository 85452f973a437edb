"""Finding an installed browser."""

import pytest
from playwright.sync_api import sync_playwright

from build_scripts.browsers import find_chromium


def test_find_chromium_works_while_playwright_is_running(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measuring starts Playwright first, even on a machine without Chromium."""
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", "")
    with sync_playwright():
        find_chromium()
