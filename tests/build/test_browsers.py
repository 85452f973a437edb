"""Finding an installed browser."""

import os
import subprocess
import sys

from build_scripts.paths import ROOT

FIND_WHILE_RUNNING = """
from playwright.sync_api import sync_playwright
from build_scripts.browsers import find_chromium
with sync_playwright():
    find_chromium()
"""


def test_find_chromium_works_while_playwright_is_running() -> None:
    """Measuring starts Playwright first, even on a machine without Chromium."""
    # A process of its own, because browser tests may have started Playwright in this one.
    environment = {name: value for name, value in os.environ.items() if name != "CHROMIUM"} | {"PATH": ""}
    subprocess.run([sys.executable, "-c", FIND_WHILE_RUNNING], cwd=ROOT, env=environment, check=True)
