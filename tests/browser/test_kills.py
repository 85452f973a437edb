"""A killed browser restores all that it has shown as saved; `build_scripts.dev.kill_browsers` kills many more."""

import shutil
from pathlib import Path

from playwright.sync_api import Playwright

from tests.browser.kills import PRESSES, Chromium, count_restored_presses


def test_saved_turns_survive_a_killed_browser(
    playwright: Playwright, site_url: str, warm_profile: Path, tmp_path: Path
) -> None:
    """Kill all processes after eight turns of a fight."""
    profile = tmp_path / "profile"
    shutil.copytree(warm_profile, profile, symlinks=True)
    found = count_restored_presses(lambda: Chromium(playwright, profile), profile, f"{site_url}tools/fight/")
    assert found == PRESSES
