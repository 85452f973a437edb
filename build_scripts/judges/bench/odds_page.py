"""The odds page in Chromium: the answer before Python, a press on a stepper, a long computation stopped.

A press is timed from the click to the first answer, in which stands what each attack does, and to the last, in which
the duel is solved; no two presses ask for the same duel. What is measured is wall time, so others' work counts.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Page, sync_playwright

from build_scripts.browser import FLAGS, WHOLE, chromium
from build_scripts.judges.bench.servers import bench_server

PAGE = "tools/odds/"
PAIR = f"{PAGE}?first=sharpshooter&second=duellist"
LARGE = "A\n3 fighting\n2 healing\n10 toughness"
LONG = f"{PAGE}?first_sheet={quote(LARGE)}&second_sheet={quote(LARGE)}&here=level,cover,throwable,climbable"
PRESSES = ("stealth", "detection", "healing", "swimming", "craftsmanship", "quickness", "command", "acrobatics")
READY = "scratch-calculator[data-state=ready]:not([stale])"
LIMIT_MS = 120_000

# When the page's own text has been read, before any script of it ran: whether an answer stands there.
STANDS_SCRIPT = """
document.addEventListener("DOMContentLoaded", () => {
  const isPython = document.querySelector("scratch-calculator")?.dataset.state === "ready";
  window.stands = document.querySelector("[data-sentence]") && !isPython ? performance.now() : 0;
});
"""
PRESS_SCRIPT = """(selector) => new Promise((resolve) => {
  const calculator = document.querySelector("scratch-calculator");
  const began = performance.now();
  let first = 0;
  const look = () => {
    if (calculator.dataset.state === "ready" && first) resolve([first, performance.now() - began]);
    else setTimeout(look, 4);
  };
  const observer = new MutationObserver(() => {
    first = performance.now() - began;
    observer.disconnect();
    look();
  });
  observer.observe(calculator, { attributeFilter: ["data-query"] });
  document.querySelector(selector).click();
})"""
STOP_SCRIPT = """() => new Promise((resolve) => {
  const calculator = document.querySelector("scratch-calculator");
  const began = performance.now();
  const look = () => {
    if (calculator.dataset.state === "ready") resolve(performance.now() - began);
    else setTimeout(look, 4);
  };
  document.querySelector("[data-stop]").click();
  look();
})"""


def measure_odds_page(site: Path) -> dict[str, float]:
    """Milliseconds of each, medians where there are several."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        bench_server(site) as (url, _),
        sync_playwright() as playwright,
        playwright.chromium.launch_persistent_context(
            profile, executable_path=chromium(WHOLE), args=list(FLAGS), base_url=url
        ) as context,
    ):
        page = context.pages[0] if context.pages else context.new_page()
        page.set_default_timeout(LIMIT_MS)
        page.add_init_script(STANDS_SCRIPT)
        page.goto(PAGE)
        stands = page.evaluate("window.stands")
        page.wait_for_selector(READY)
        return {"stands": float(stands), **_pressed(page), **_stopped(page)}


def _pressed(page: Page) -> dict[str, float]:
    page.goto(PAIR)
    page.wait_for_selector(READY)
    times: list[Any] = []
    for ability in PRESSES:
        button = f"button[name=change][value^='first {ability} ']:last-of-type"
        times.append(page.evaluate(PRESS_SCRIPT, button))
        page.wait_for_selector(READY)
    firsts, wholes = zip(*times, strict=True)
    return {"first": statistics.median(firsts), "whole": statistics.median(wholes)}


def _stopped(page: Page) -> dict[str, float]:
    page.goto(LONG)
    page.wait_for_selector("[data-stop]")
    page.wait_for_timeout(500)
    stopped = page.evaluate(STOP_SCRIPT)
    first, _ = page.evaluate(PRESS_SCRIPT, "button[name=change][value='first healing 1']")
    return {"stopped": float(stopped), "after": float(first)}
