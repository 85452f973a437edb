"""The browser for the tests: a Chromium that is there, or one that can be had."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HEADLESS_SHELL = "chromium-headless-shell"
"""Chromium without the windows that no one looks at here: the same engine for two thirds of the processor's time."""
FULL_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
"""The browsers that readers have: what is measured is measured in one of these."""
CHROMIUM_NAMES = (HEADLESS_SHELL, *FULL_BROWSERS)
MAC_PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
INSTALL_ADVICE = (
    "No Chromium was found and none could be installed: install Chromium or Google Chrome, "
    "or name one in the environment variable CHROMIUM, then run the command again."
)
# What keeps a test's browser from asking any host but ours.
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--font-render-hinting=none",  # the shell alone rounds the width of letters
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# Asked in a process of its own: whoever looks for a browser may have Playwright running already.
_PLAYWRIGHT_PATH_SCRIPT = (
    "from playwright.sync_api import sync_playwright\n"
    "with sync_playwright() as playwright: print(playwright.chromium.executable_path)"
)


def find_chromium(names: Sequence[str] = CHROMIUM_NAMES) -> str | None:
    """The path of a Chromium on this machine: the environment's, the first of these names, or Playwright's own."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    for mac in MAC_PATHS:
        if Path(mac).exists():
            return mac
    asked = subprocess.run([sys.executable, "-c", _PLAYWRIGHT_PATH_SCRIPT], check=True, capture_output=True, text=True)
    own = asked.stdout.strip()
    return own if Path(own).exists() else None


def install_chromium(names: Sequence[str] = CHROMIUM_NAMES) -> str | None:
    """Get a Chromium: Debian's package where this user may install one, else Playwright's download."""
    wanted = [name for name in (HEADLESS_SHELL, "chromium") if name in names]
    if _may_install() and _run_apt_get("update", "-qq"):
        for name in wanted:
            if _run_apt_get("install", "-y", "-qq", name):
                return find_chromium(names)
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return find_chromium(names)


def get_chromium(names: Sequence[str] = CHROMIUM_NAMES) -> str:
    """The path of a Chromium, installed if need be; raises SystemExit with one sentence of advice."""
    path = find_chromium(names) or install_chromium(names)
    if not path:
        raise SystemExit(INSTALL_ADVICE)
    return path


@contextmanager
def launch_chromium(names: Sequence[str] = CHROMIUM_NAMES) -> Iterator[Browser]:
    """A Chromium without a window, which asks no host but ours; raises SystemExit where there is none."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=get_chromium(names), args=list(CHROMIUM_FLAGS))
        yield browser
        browser.close()


def _may_install() -> bool:
    """Whether this user may install Debian's packages."""
    return bool(shutil.which("apt-get")) and hasattr(os, "geteuid") and os.geteuid() == 0


# Debian's packages of the other two engines; xvfb is a screen in memory for the one that wants a screen.
OTHER_BROWSERS = {"firefox": ("firefox-esr",), "webkit": ("webkit2gtk-driver", "xvfb")}


def install_other_browsers() -> None:
    """Install Firefox and WebKitGTK where this user may; say which are left out, and why."""
    wanted = {engine: packages for engine, packages in OTHER_BROWSERS.items() if _find_driver(engine) is None}
    if wanted and _may_install() and _run_apt_get("update", "-qq"):
        for packages in wanted.values():
            _run_apt_get("install", "-y", "-qq", "--no-install-recommends", *packages)
    for engine, packages in OTHER_BROWSERS.items():
        missing = f"left out; it is in the Debian packages {' and '.join(packages)}"
        print(f"{engine}: {_find_driver(engine) or missing}")


def _find_driver(engine: str) -> str | None:
    """The program that the tests drive this engine by."""
    programs = ("firefox-esr", "firefox") if engine == "firefox" else ("WebKitWebDriver",)
    return next(filter(None, map(shutil.which, programs)), None)


def _run_apt_get(*arguments: str) -> bool:
    """Whether it went well, within two minutes and without waiting long for a line that is not there."""
    command = ["apt-get", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20", *arguments]
    quiet = subprocess.DEVNULL
    try:
        return subprocess.run(command, check=False, stdout=quiet, stderr=quiet, timeout=120).returncode == 0
    except subprocess.TimeoutExpired:
        return False


if __name__ == "__main__":
    if "CHROMIUM" not in os.environ and not shutil.which(HEADLESS_SHELL) and _may_install():
        _run_apt_get("install", "-y", "-qq", HEADLESS_SHELL)  # else the whole browser does as well, if there is one
    print("Browser for the tests:", get_chromium())
    if "--all" in sys.argv:
        install_other_browsers()
