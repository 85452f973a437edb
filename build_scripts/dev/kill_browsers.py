"""Kill browsers, and count how many of eight presses were saved.

`python -m build_scripts.dev.kill_browsers` presses eight times, a second apart, waits 0, 1, 6 and 30 seconds, kills the
browser, restarts it and counts: five runs each with a fight and a character, in Chromium and in Firefox.
"""

import argparse
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Playwright, sync_playwright

from build_scripts.browser_drivers import Window, launch_browser
from build_scripts.build import build_site_if_changed
from build_scripts.dev.serve import serve_site
from build_scripts.paths import SITE
from tests.browser.kills import PRESSES, TOOLS, Chromium, count_restored_presses
from tests.support.known import require

SECONDS_BEFORE_KILL = (0, 1, 6, 30)
"""The seconds between the last press and the kill."""


def main() -> None:
    """Kill browsers, and print how many of eight presses were saved."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--engines", nargs="+", default=["chromium", "firefox"])
    parser.add_argument("--tools", nargs="+", default=[*TOOLS])
    parser.add_argument("--after", nargs="+", type=float, default=[*SECONDS_BEFORE_KILL])
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    build_site_if_changed(site_folder=SITE)
    with serve_site(SITE) as url, sync_playwright() as playwright:
        for engine in arguments.engines:
            for tool in arguments.tools:
                for after in arguments.after:
                    counts = [
                        _count_presses_saved_before_kill(playwright, url, engine, tool, after)
                        for _ in range(arguments.runs)
                    ]
                    print(f"{engine}, {tool}, killed after {after:g} s: {counts} of {PRESSES}", flush=True)


def _count_presses_saved_before_kill(
    playwright: Playwright, url: str, engine: str, tool: str, seconds_before_kill: float
) -> int:
    with tempfile.TemporaryDirectory(prefix="scratch-killed-", ignore_cleanup_errors=True) as folder:
        profile = Path(folder) / "profile"

        def start() -> Window:
            return Chromium(playwright, profile) if engine == "chromium" else require(launch_browser(engine, profile))

        return count_restored_presses(
            start,
            profile,
            f"{url}tools/{tool}/",
            lambda presses: time.sleep(1 if presses < PRESSES else seconds_before_kill),
        )


if __name__ == "__main__":
    main()
