"""A browser killed soon after it has shown presses as saved: are they restored?"""

import contextlib
import os
import select
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Playwright

from build_scripts.browser_drivers import Window, navigate_or_reload, wait_until_true
from build_scripts.browsers import CHROMIUM_FLAGS, get_or_install_chromium
from tests.browser.pages.calculator import READY
from tests.browser.patience import ENDLESS, PATIENCE

SHEETS = "A%0Aside:%20x%0A2%20fighting%0A3%20toughness%0A%0AB%0Aside:%20y%0A2%20fighting%0A3%20toughness"
TOOLS = {
    "fight": (f"?log=begin&sheets={SHEETS}&initiative=a%203,%20b%204", "[data-action=end-turn]"),
    "character": ("?name=Ria&toughness=1", '[data-step="1"][data-control=toughness]'),
}
"""The query that each tool starts with, and the button to press."""
PRESSES = 8
PRESS = """(async () => {
  const shown = document.querySelector("scratch-calculator");
  const before = shown.dataset.query;
  document.querySelector('BUTTON').click();
  const frame = () => new Promise(requestAnimationFrame);
  const saved = "[data-state=ready][data-durably-saved]:not([stale])";
  const isSaved = () => shown.dataset.query !== before && shown.matches(saved);
  for (const until = performance.now() + PATIENCE; !isSaved(); await frame()) {
    if (performance.now() > until) throw new Error(`never shown as saved: ${shown.outerHTML.slice(0, 300)}`);
  }
  return shown.dataset.query;
})()"""
"""Presses a button and waits until the result is shown as saved; returns its query."""
WAIT_FOR_DATABASE = """new Promise((done) => {
  const opening = indexedDB.open("scratch-kept", 1);
  opening.onsuccess = () => {
    opening.result.transaction("entries", "readwrite").oncomplete = () => opening.result.close() || done(true);
  };
})"""
"""Waits until the page has read its database: transactions are sequential."""
READ_QUERY = 'document.querySelector("scratch-calculator").dataset.query'


class Chromium:
    """Chromium as a window for tests and benchmarks."""

    def __init__(self, playwright: Playwright, profile: Path) -> None:
        flags = [*CHROMIUM_FLAGS, "--renderer-process-limit=1"]
        self.context = playwright.chromium.launch_persistent_context(
            profile, executable_path=get_or_install_chromium(), args=flags, timeout=PATIENCE, service_workers="block"
        )
        self.page = self.context.pages[0]
        self.page.set_default_timeout(PATIENCE)
        self.page.add_init_script(f"globalThis.scratchLimits = {ENDLESS}")

    def open(self, url: str) -> None:
        """Go to an address, and wait until its page is loaded."""
        self.page.goto(url)

    def reload(self) -> None:
        """Reload the page, and wait until it is loaded."""
        self.page.reload()

    def evaluate(self, expression: str) -> Any:
        """The value of an expression of JavaScript, awaited."""
        return self.page.evaluate(expression)

    def close(self) -> None:
        """End the browser, or what is left of one that was killed."""
        with contextlib.suppress(PlaywrightError):
            self.context.close()


def list_process_ids(profile: Path) -> list[int]:
    """Return the ids of processes that name a browser's profile, and of their descendants."""
    parents: dict[int, int] = {}
    found = set()
    for each in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            parents[int(each.name)] = int((each / "stat").read_text().rpartition(")")[2].split()[1])
            if str(profile) in (each / "cmdline").read_text():
                found.add(int(each.name))
    while more := {process for process, parent in parents.items() if parent in found} - found:
        found |= more
    return sorted(found)


def kill(profile: Path) -> None:
    """Kill all processes of the browser with a profile, and wait until they have ended."""
    with contextlib.ExitStack() as stack:
        ends = []
        for process in list_process_ids(profile):
            with contextlib.suppress(ProcessLookupError):
                ends.append(os.pidfd_open(process))  # readable once the process has ended
                stack.callback(os.close, ends[-1])
                os.kill(process, signal.SIGKILL)
        while ends:
            ended, _, _ = select.select(ends, [], [], PATIENCE / 1000)
            assert ended, "a killed browser goes on"
            ends = [each for each in ends if each not in ended]


def count_restored_presses(
    start: Callable[[], Window], profile: Path, page: str, pause: Callable[[int], None] = lambda presses: None
) -> int:
    """Return how many of eight presses are restored after a kill.

    Calls `pause` with the number of presses after each press.
    """
    query, button = TOOLS[page.split("/")[-2]]
    window = start()
    navigate_or_reload(window, page + query)
    wait_until_true(window, f"document.querySelector('{READY}')")
    shown = []
    for _ in range(PRESSES):
        shown.append(window.evaluate(PRESS.replace("BUTTON", button).replace("PATIENCE", str(PATIENCE))))
        pause(len(shown))
    kill(profile)
    with contextlib.suppress(OSError, PlaywrightError):
        window.close()
    window = start()
    navigate_or_reload(window, page)
    window.evaluate(WAIT_FOR_DATABASE)
    wait_until_true(window, f"document.querySelector('{READY}')")
    seen = window.evaluate(READ_QUERY)
    window.close()
    return shown.index(seen) + 1 if seen in shown else 0
