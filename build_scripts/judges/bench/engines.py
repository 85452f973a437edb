"""Starts in Chromium, Firefox and WebKitGTK, where they are there: our site against a stock page or another build."""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

from build_scripts.browser import FLAGS, WHOLE, found_chromium
from build_scripts.engines import Window, launched, visit
from build_scripts.judges.bench.first_roll import (
    KEPT_LIMIT_MS,
    KEPT_SCRIPT,
    LIMIT_MS,
    OURS_SCRIPT,
    PAUSE_MS,
    QUERY,
    READ_MS,
    WAIT_SCRIPT,
    lay_out_stock,
    slow_line,
)
from build_scripts.judges.bench.servers import Line, bench_server

ENGINES = ("Chromium", "Firefox", "WebKitGTK")
SHEETS = "A\nside: x\n2 fighting\n3 toughness\n\nB\nside: y\n2 fighting\n3 toughness"
FIGHT = "tools/fight/?" + urlencode({"log": "begin", "sheets": SHEETS, "initiative": "a 3, b 4"})
RECALLED = "performance.getEntriesByName('scratch-engine-start').at(-1)?.detail?.isRecalled ?? false"

# From the arrival of another calculator's page, by a link, to its answer there.
FOLLOW_SCRIPT = """new Promise((resolve, reject) => {
  const old = document.querySelector("scratch-calculator");
  let arrived = 0;
  const look = () => {
    const calculator = document.querySelector("scratch-calculator");
    if (!calculator || calculator === old) return;
    arrived ||= performance.now();
    if (!calculator.matches("[data-state=ready]:not([stale])") || !calculator.querySelector("[data-action]")) return;
    observer.disconnect();
    resolve(performance.now() - arrived);
  };
  const observer = new MutationObserver(look);
  observer.observe(document, { childList: true, subtree: true, attributes: true });
  document.body.appendChild(Object.assign(document.createElement("a"), { href: ADDRESS })).click();
  setTimeout(reject, LIMIT, "the other calculator gave no answer");
})""".replace("LIMIT", str(LIMIT_MS))


class Chromium:
    """Chromium as a window like the other engines' ones, by Playwright."""

    def __init__(self, program: str, profile: Path) -> None:
        self.playwright = sync_playwright().start()
        browsers = self.playwright.chromium
        self.context = browsers.launch_persistent_context(profile, executable_path=program, args=list(FLAGS))
        self.page = self.context.pages[0] if self.context.pages else self.context.new_page()
        self.page.set_default_timeout(LIMIT_MS)

    def open(self, url: str) -> None:
        """Go to an address, and wait until its page is loaded."""
        self.page.goto(url)

    def reload(self) -> None:
        """Load the page anew, and wait until it is loaded."""
        self.page.reload()

    def run(self, expression: str) -> Any:
        """The value of an expression of JavaScript, awaited."""
        return self.page.evaluate(f"async () => {expression}")

    def close(self) -> None:
        """End the browser."""
        self.context.close()
        self.playwright.stop()


@dataclass
class Starts:
    """What was measured of one folder's page in one engine, in milliseconds.

    `other` is another calculator's first answer, counted from its page; `recalled` whether reloads began with a memory.
    """

    folder: Path
    path: str
    is_site: bool
    first: list[float] = field(default_factory=list)
    slow: list[float] = field(default_factory=list)
    reload: list[float] = field(default_factory=list)
    other: list[float] = field(default_factory=list)
    recalled: list[bool] = field(default_factory=list)


def window_of(engine: str, profile: Path) -> Window | None:
    """A new browser of that engine; None where this machine has none."""
    if engine != "Chromium":
        return launched({"Firefox": "firefox", "WebKitGTK": "webkit"}[engine], profile)
    program = found_chromium(WHOLE)
    return Chromium(program, profile) if program else None


def first_roll(window: Window, side: Starts, url: str = "") -> float:
    """Go to an address, or load the page anew: the milliseconds from then to the first roll in the page.

    A site is asked as soon as its page is loaded, which is long before Python is there.
    """
    visit(window, url)
    if side.is_site:
        window.run(f"(() => {{ {OURS_SCRIPT} return true; }})()")
    first, failure = window.run(f"({WAIT_SCRIPT})({LIMIT_MS})")
    if not first:
        raise SystemExit(f"expected a roll in {side.folder}/{side.path}, got {failure or 'none'}")
    return float(first)


def measure_side(engine: str, side: Starts, line: Line | None) -> bool:
    """A first visit in a fresh profile; with no line, a reload and another calculator too.

    Gives whether this machine has such an engine.
    """
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        bench_server(side.folder, line) as (url, _),
    ):
        window = window_of(engine, Path(profile))
        if window is None:
            return False
        with closing(window):
            first = first_roll(window, side, url + side.path)
            (side.slow if line else side.first).append(first)
            if not line:
                reload_and_go_on(window, side, url)
    return True


def reload_and_go_on(window: Window, side: Starts, url: str) -> None:
    """After the first answer, and when a memory is kept where one is: a reload, then another calculator by a link."""
    if side.is_site:
        window.run(f"{KEPT_SCRIPT}(performance.now() + {KEPT_LIMIT_MS})")
    time.sleep(PAUSE_MS / 1000)
    side.reload.append(first_roll(window, side))
    if side.is_site:
        side.recalled.append(bool(window.run(RECALLED)))
        time.sleep(READ_MS / 1000)
        side.other.append(float(window.run(FOLLOW_SCRIPT.replace("ADDRESS", json.dumps(url + FIGHT)))))


def measure_engines(site: Path, against: Path | None, runs: int, engines: tuple[str, ...]) -> dict[str, list[Starts]]:
    """Measure both sides in turns in each engine: ours, then the peer. An engine that is not there is left out."""
    found: dict[str, list[Starts]] = {}
    for engine in engines:
        ours = Starts(site, "tools/dice/", is_site=True)
        peer = Starts(against, ours.path, is_site=True) if against else Starts(lay_out_stock(site), f"?{QUERY}", False)
        for number in range(runs):
            for side in (ours, peer) if number % 2 else (peer, ours):
                if not measure_side(engine, side, None):
                    break
                measure_side(engine, side, slow_line())
            medians = " and ".join(f"{statistics.median(side.reload or [0]):,.0f} ms" for side in (ours, peer))
            print(f"  {engine}, run {number + 1} of {runs}: reload {medians} so far", flush=True)
        if ours.first:
            found[engine] = [ours, peer]
    return found


def commit_of(folder: Path) -> str:
    """The commit that a folder is of."""
    asked = ["git", "-C", str(folder), "describe", "--always", "--dirty"]
    return subprocess.run(asked, check=False, capture_output=True, text=True).stdout.strip() or "unknown"
