"""Time presses in Chromium until their effect: in a fight early and late, and on the odds page.

Wall time is measured, so other processes count, too.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Page

from build_scripts.browsers import FULL_BROWSERS, launch_chromium
from build_scripts.dev.bench.presses import EARLY, LATE, build_endless_fight
from build_scripts.dev.serve import serve_site

READY = "scratch-calculator[data-state=ready]:not([stale])"
TIMEOUT_MS = 120_000
PAUSE_MS = 8000
"""The pause after a fight is opened, so that the page's idle tasks do not count."""
WARM_UP_PRESSES = 2
"""The number of presses that are not counted."""

# Presses, and returns the milliseconds until the response is in the page, until the calculator is ready again, and
# until the next frame is painted.
PRESS_SCRIPT = """([selector, faces]) => new Promise((resolve) => {
  const calculator = document.querySelector("scratch-calculator");
  const button = calculator.querySelector(selector);
  if (faces) calculator.querySelector("[name=faces]").value = faces;
  const query = calculator.dataset.query;
  let first = 0;
  const look = () => {
    if (calculator.dataset.query !== query) first ||= performance.now() - began;
    if (!first || calculator.dataset.state !== "ready") return;
    observer.disconnect();
    const ready = performance.now() - began;
    requestAnimationFrame(() => setTimeout(() => resolve([first, ready, performance.now() - began])));
  };
  const observer = new MutationObserver(look);
  observer.observe(calculator, { attributeFilter: ["data-query", "data-state", "stale"] });
  const began = performance.now();
  button.click();
})"""


@contextmanager
def serve_and_create_blank_page(site: Path) -> Iterator[Page]:
    """Open a page of the site in a new Chromium."""
    with serve_site(site) as url, launch_chromium(FULL_BROWSERS) as browser:
        page = browser.new_page(base_url=url)
        page.set_default_timeout(TIMEOUT_MS)
        yield page


# A fight


def measure_presses_until_painted(site: Path, batches: int) -> dict[str, float]:
    """Measure presses until they are painted, early and late in a fight: medians in milliseconds.

    Each press is undone before the next one.
    """
    tree = build_endless_fight(LATE + 1)
    figures = {}
    for steps in (EARLY, LATE):  # a new profile each, because a saved fight would hide the next file
        with serve_and_create_blank_page(site) as page:
            figures[f"to the page painted after a press at step {steps}"] = _measure_median_press_ms(
                page, tree, steps, batches
            )
    return figures


def _measure_median_press_ms(page: Page, tree: dict[str, Any], steps: int, batches: int) -> float:
    """Measure a press after this many steps of a fight opened from its file."""
    text = json.dumps({**tree, "steps": tree["steps"][:steps]}, separators=(",", ":"))
    page.goto("tools/fight/")
    page.wait_for_selector(READY)
    page.set_input_files(
        "[data-into=log]", {"name": "fight.json", "mimeType": "application/json", "buffer": text.encode()}
    )
    page.wait_for_selector(f".fight-log [data-entry='{steps}']")
    page.wait_for_selector(READY)
    page.wait_for_timeout(PAUSE_MS)
    attack_button = f".fight-acts [data-action={tree['steps'][steps]['do']}]"
    times: list[float] = []
    for _ in range(batches + WARM_UP_PRESSES):
        times.append(page.evaluate(PRESS_SCRIPT, [attack_button, "1"])[-1])
        page.evaluate(PRESS_SCRIPT, ["[data-undo]", ""])
    return statistics.median(times[WARM_UP_PRESSES:])


# The odds

ODDS_URL = "tools/odds/"
PAIR_URL = f"{ODDS_URL}?first=sharpshooter&second=duellist"
LARGE_BLOCK = "A\n3 fighting\n2 healing\n10 toughness"
LONG_DUEL_URL = (
    f"{ODDS_URL}?first_sheet={quote(LARGE_BLOCK)}&second_sheet={quote(LARGE_BLOCK)}"
    "&here=level,cover,throwable,climbable"
)
PRESSED_ABILITIES = (
    "stealth",
    "detection",
    "healing",
    "swimming",
    "craftsmanship",
    "quickness",
    "command",
    "acrobatics",
)
"""The abilities whose steppers are pressed, a different one each time, so that no two presses need the same duel."""

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


def measure_odds_page(site: Path, _: int) -> dict[str, float]:
    """Measure presses on steppers (medians), and the time to stop a long computation."""
    with serve_and_create_blank_page(site) as page:
        page.goto(PAIR_URL)
        page.wait_for_selector(READY)
        presses = []
        for ability in PRESSED_ABILITIES:
            presses.append(
                page.evaluate(PRESS_SCRIPT, [f"button[name=change][value^='first {ability} ']:last-of-type", ""])
            )
            page.wait_for_selector(READY)
        firsts, solutions, _painted = zip(*presses, strict=True)
        page.goto(LONG_DUEL_URL)
        page.wait_for_selector("[data-stop]")
        page.wait_for_timeout(500)
        stopped = page.evaluate(STOP_SCRIPT)
    return {
        "odds: a press on a stepper, what each attack does": statistics.median(firsts),
        "odds: a press on a stepper, the duel solved": statistics.median(solutions),
        "odds: a long computation stopped": stopped,
    }
