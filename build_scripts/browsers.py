"""Find or install the browsers of the tests: Chromium, Firefox and WebKitGTK."""

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
"""Chromium without windows: the same engine in two thirds of the processor time."""
FULL_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge")
"""The browsers that users have. Measurements use one of these."""
CHROMIUM_NAMES = (HEADLESS_SHELL, *FULL_BROWSERS)
MAC_PATHS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
INSTALL_ADVICE = (
    "No Chromium was found and none could be installed: install Chromium or Google Chrome, "
    "or name one in the environment variable CHROMIUM, then run the command again."
)
# Some of these keep a test's browser from sending requests to other hosts.
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--font-render-hinting=none",  # otherwise the headless shell rounds the width of letters
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# It runs in a process of its own, because the caller may be running Playwright already.
_PLAYWRIGHT_PATH_SCRIPT = (
    "from playwright.sync_api import sync_playwright\n"
    "with sync_playwright() as playwright: print(playwright.chromium.executable_path)"
)


def find_chromium(names: Sequence[str] = CHROMIUM_NAMES) -> str | None:
    """Find a Chromium on this machine and return its path.

    Looks at the environment variable `CHROMIUM`, then for the names in their order, then for macOS applications and
    Playwright's own download. Returns None if there is none.
    """
    configured = os.environ.get("CHROMIUM")
    if configured:
        return configured
    for name in names:
        path = shutil.which(name)
        if path:
            return path
    for application in MAC_PATHS:
        if Path(application).exists():
            return application
    command = [sys.executable, "-c", _PLAYWRIGHT_PATH_SCRIPT]
    download = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    return download if Path(download).exists() else None


def install_chromium(names: Sequence[str] = CHROMIUM_NAMES) -> str | None:
    """Install Debian's Chromium if the user may install packages, else Playwright's, and return its path."""
    packages = [name for name in (HEADLESS_SHELL, "chromium") if name in names]
    if _may_install() and _run_apt_get("update", "-qq") == 0:
        for package in packages:
            if _run_apt_get("install", "-y", "-qq", package) == 0:
                return find_chromium(names)
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return find_chromium(names)


def get_or_install_chromium(names: Sequence[str] = CHROMIUM_NAMES) -> str:
    """Return the path of a Chromium, and install one if necessary.

    Raises SystemExit with one sentence of advice if that fails.
    """
    path = find_chromium(names) or install_chromium(names)
    if not path:
        raise SystemExit(INSTALL_ADVICE)
    return path


@contextmanager
def launch_chromium(names: Sequence[str] = CHROMIUM_NAMES) -> Iterator[Browser]:
    """Launch a headless Chromium that sends no requests of its own to other hosts.

    Raises SystemExit if there is no Chromium.
    """
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=get_or_install_chromium(names), args=list(CHROMIUM_FLAGS))
        yield browser
        browser.close()


def _may_install() -> bool:
    """Return whether the user may install Debian packages."""
    return bool(shutil.which("apt-get")) and hasattr(os, "geteuid") and os.geteuid() == 0


# The Debian packages of the other two engines. WebKitGTK needs a display, which xvfb simulates.
OTHER_BROWSERS = {"firefox": ("firefox-esr",), "webkit": ("webkit2gtk-driver", "xvfb")}


def install_other_browsers() -> None:
    """Install Firefox and WebKitGTK if the user may.

    Prints their paths, or the packages of those that are missing.
    """
    missing = {engine: packages for engine, packages in OTHER_BROWSERS.items() if _find_driver(engine) is None}
    if missing and _may_install() and _run_apt_get("update", "-qq") == 0:
        for packages in missing.values():
            _run_apt_get("install", "-y", "-qq", "--no-install-recommends", *packages)
    for engine, packages in OTHER_BROWSERS.items():
        advice = f"not installed; install the Debian packages {' and '.join(packages)}"
        print(f"{engine}: {_find_driver(engine) or advice}")


def _find_driver(engine: str) -> str | None:
    """Find the path of the program that the tests use to drive an engine."""
    programs = ("firefox-esr", "firefox") if engine == "firefox" else ("WebKitWebDriver",)
    return next(filter(None, map(shutil.which, programs)), None)


def _run_apt_get(*arguments: str) -> int | None:
    """Run apt-get for at most two minutes, without retries, and return its exit code.

    A host that can't be reached costs at most 20 seconds. Returns None if apt-get takes longer than two minutes.
    """
    command = ["apt-get", "-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20", *arguments]
    quiet = subprocess.DEVNULL
    try:
        return subprocess.run(command, check=False, stdout=quiet, stderr=quiet, timeout=120).returncode
    except subprocess.TimeoutExpired:
        return None


if __name__ == "__main__":
    if "CHROMIUM" not in os.environ and not shutil.which(HEADLESS_SHELL) and _may_install():
        _run_apt_get("install", "-y", "-qq", HEADLESS_SHELL)  # if this fails, the full browser works, too
    print("Browser of the tests:", get_or_install_chromium())
    if "--all" in sys.argv:
        install_other_browsers()
