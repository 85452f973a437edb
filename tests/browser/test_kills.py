"""A killed browser has everything again that it has shown as kept; `build_scripts.dev.kills` kills many more."""

import shutil
from pathlib import Path

from playwright.sync_api import Playwright

from tests.browser.kills import PRESSES, Chromium, found_again


def test_what_is_kept_outlives_a_kill(
    playwright: Playwright, site_url: str, warm_profile: Path, tmp_path: Path
) -> None:
    """Eight turns of a fight are played, and all the browser's processes end at once: all eight are there again."""
    profile = tmp_path / "profile"
    shutil.copytree(warm_profile, profile, symlinks=True)
    found = found_again(lambda: Chromium(playwright, profile), profile, f"{site_url}tools/fight/")
    assert found == PRESSES
