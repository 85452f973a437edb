"""A press in a fight, early and late, in Chromium: from the press until the page with its answer is painted."""

from __future__ import annotations

import json
import statistics
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from build_scripts.browser import FLAGS, WHOLE, chromium
from build_scripts.judges.bench.presses import EARLY, LATE, weary_fight
from build_scripts.serve import site_server

READY = "scratch-calculator[data-state=ready]:not([stale])"
LIMIT_MS = 120_000
PAUSE_MS = 8000
"""After a fight is opened: what a page does in its first quiet moments is no part of a press."""
FIRST = 2
"""So many presses are thrown away."""

# The answer stands in the page when its calculator is ready again; the frame after that has painted it.
PRESS = """([selector, faces]) => new Promise((resolve) => {
  const calculator = document.querySelector("scratch-calculator");
  const button = calculator.querySelector(selector);
  if (faces) calculator.querySelector("[name=faces]").value = faces;
  const query = calculator.dataset.query;
  const look = () => {
    if (calculator.dataset.query === query || calculator.dataset.state !== "ready") return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
  };
  const observer = new MutationObserver(look);
  observer.observe(calculator, { attributeFilter: ["data-query", "data-state", "stale"] });
  const began = performance.now();
  button.click();
})"""


def measure_painted(site: Path, batches: int) -> dict[str, float]:
    """Press once after so many steps, take it back, and again; medians in milliseconds."""
    tree = weary_fight(LATE + 1)
    with site_server(site) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(WHOLE), args=list(FLAGS))
        found = {}
        for steps in (EARLY, LATE):  # a profile each: a kept fight would stand in the way of the other's file
            with browser.new_page(base_url=url) as page:
                found[f"painted {steps}"] = _pressed(page, tree, steps, batches)
        browser.close()
    return found


def _pressed(page: Page, tree: dict[str, Any], steps: int, batches: int) -> float:
    """One press after so many steps of a fight opened from its file."""
    text = json.dumps({**tree, "steps": tree["steps"][:steps]}, separators=(",", ":"))
    page.goto("tools/fight/")
    page.wait_for_selector(READY, timeout=LIMIT_MS)
    file = {"name": "fight.json", "mimeType": "application/json", "buffer": text.encode()}
    page.set_input_files("[data-into=log]", [file])  # type: ignore[list-item]
    page.wait_for_selector(f".fight-log [data-entry='{steps}']", timeout=LIMIT_MS)
    page.wait_for_selector(READY, timeout=LIMIT_MS)
    page.wait_for_timeout(PAUSE_MS)
    blow = f".fight-acts [data-action={tree['steps'][steps]['do']}]"
    times = []
    for _ in range(batches + FIRST):
        times.append(page.evaluate(PRESS, [blow, "1"]))
        page.evaluate(PRESS, ["[data-undo]", ""])
    return statistics.median(times[FIRST:])
