"""The time to the first roll in Chromium: the site's dice page against a stock Pyodide page that does the same."""

from __future__ import annotations

import json
import shutil
import statistics
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserType, Page, sync_playwright

from build_scripts.browser import FLAGS, WHOLE, chromium
from build_scripts.bundle import PYODIDE_FILES, lay_out_sources
from build_scripts.folders import BUILD, NODE_MODULES, OVERRIDES
from build_scripts.judges.bench.servers import COMPRESSED, Line, bench_server, compressed

STOCK_PAGE = Path(__file__).with_name("stock")
STOCK = BUILD / "bench" / "stock"
SOURCES = BUILD / "bench" / "sources"
ASKED = {"roll": "d20+5", "against": "13"}
QUERY = "roll=d20%2B5&against=13"
PAUSE_MS = 1500
"""Between the answer and the reload, so that the browser has written its caches."""
KEPT_LIMIT_MS = 30_000
"""So long a memory is waited for; the wait ends when one is kept, and at once where there is no place for one."""

# A memory is kept when its file is there and nothing was written to it for a while.
KEPT_SCRIPT = """(async (limit) => {
  const pause = () => new Promise((done) => setTimeout(done, 500));
  const root = await navigator.storage?.getDirectory?.().catch(() => null);
  const seen = async () => {
    const folder = await root.getDirectoryHandle("scratch-engine").catch(() => null);
    for await (const kept of folder?.values() ?? []) {
      const file = await kept.getFile().catch(() => null);
      if (file?.size) return `${file.size} ${file.lastModified}`;
    }
    return "";
  };
  let [last, same] = ["", 0];
  while (root && same < 4 && performance.now() < limit) {
    const now = await seen();
    same = now && now === last ? same + 1 : 0;
    last = now;
    await pause();
  }
  return Boolean(last);
})"""
LIMIT_MS = 120_000

# Ask for the roll as early as the page can take it: as soon as its calculator is there, long before Python is.
OURS_SCRIPT = """
customElements.whenDefined("scratch-calculator").then(() => {
  const calculator = document.querySelector("scratch-calculator");
  const form = calculator.querySelector("form");
  for (const [name, value] of Object.entries({ ...ASKED, faces: "" })) form.elements[name].value = value;
  new MutationObserver(() => {
    if (calculator.querySelector("[data-total]")) window.firstRoll ??= performance.now();
  }).observe(calculator, { attributeFilter: ["data-query"] });
  window.clicked = performance.now();
  form.querySelector("[type=submit]").click();
});
""".replace("ASKED", json.dumps(ASKED))
WAIT_SCRIPT = """(limit) => new Promise((resolve) => {
  const look = () => {
    const failure = window.failure ?? document.querySelector("[data-state=failed] .calculator-status")?.textContent;
    if (window.firstRoll || failure || performance.now() > limit) resolve([window.firstRoll, failure]);
    else setTimeout(look, 50);
  };
  look();
})"""
READ_MS = 4000
"""So long somebody reads the page before the first tap."""
READ_SCRIPT = OURS_SCRIPT.replace(
    '  window.clicked = performance.now();\n  form.querySelector("[type=submit]").click();\n',
    """  setTimeout(() => {
    window.clicked = performance.now();
    form.querySelector("[type=submit]").click();
  }, READ_MS - performance.now());
""".replace("READ_MS", str(READ_MS)),
)
STOCK_SCRIPT = f"window.benchQuery = {json.dumps(QUERY)};"


@dataclass
class Side:
    """One of the two pages, and what was measured of it: milliseconds from the navigation's start, bytes by path."""

    name: str
    folder: Path
    path: str
    script: str
    first: list[float] = field(default_factory=list)
    reload_at_once: list[float] = field(default_factory=list)
    reload: list[float] = field(default_factory=list)
    slow: list[float] = field(default_factory=list)
    fair: list[float] = field(default_factory=list)
    tapped: list[float] = field(default_factory=list)
    reload_asked: list[float] = field(default_factory=list)
    sent: dict[str, int] = field(default_factory=dict)

    def bundle(self) -> dict[str, int]:
        """The bytes of what runs the calculator: the interpreter, its library, the application, and our scripts."""
        return {
            path: size for path, size in self.sent.items() if path.startswith(("/assets/pyodide-", "/assets/engine-"))
        }

    def summary(self) -> dict[str, Any]:
        """What results.json keeps."""
        bundle = self.bundle()
        return {
            "first_ms": self.first,
            "reload_at_once_ms": self.reload_at_once,
            "reload_ms": self.reload,
            "reload_asked_ms": self.reload_asked,
            "slow_first_ms": self.slow,
            "fair_first_ms": self.fair,
            "tap_after_reading_ms": self.tapped,
            "bundle_bytes": sum(bundle.values()),
            "bundle_bytes_compressed": sum(self._compressed(path, size) for path, size in bundle.items()),
            "bundle_files": bundle,
        }

    def _compressed(self, path: str, size: int) -> int:
        file = self.folder / path.lstrip("/")
        return len(compressed(file)) if file.suffix in COMPRESSED else size


def lay_out_stock(site: Path) -> Path:
    """Write the stock page with Pyodide's own files, our sources in a zip, and the headers of our site."""
    shutil.rmtree(STOCK, ignore_errors=True)
    pyodide, engine = STOCK / "assets" / "pyodide-stock", STOCK / "assets" / "engine-stock"
    pyodide.mkdir(parents=True)
    engine.mkdir()
    for name in (*PYODIDE_FILES, "pyodide-lock.json"):
        shutil.copy(NODE_MODULES / "pyodide" / name, pyodide / name)
    for name in ("page.mjs", "worker.mjs"):
        shutil.copy(STOCK_PAGE / name, engine / name)
    lay_out_sources(SOURCES)
    shutil.copytree(OVERRIDES / "calculators", SOURCES / "templates")
    with zipfile.ZipFile(engine / "app.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(SOURCES.rglob("*")):
            if file.suffix in {".py", ".html", ".toml"}:
                archive.write(file, file.relative_to(SOURCES))
    shutil.copy(STOCK_PAGE / "index.html", STOCK / "index.html")
    shutil.copy(site / "_headers", STOCK / "_headers")
    return STOCK


def time_to_first_roll(page: Page, navigate: Callable[[], Any]) -> float:
    """Navigate, and give the milliseconds from the navigation's start to the first roll in the page."""
    navigate()
    first, failure = page.evaluate(WAIT_SCRIPT, LIMIT_MS)
    if not first:
        raise SystemExit(f"expected a roll in {page.url}, got {failure or 'none'} within {LIMIT_MS // 1000} s")
    return float(first)


def visit(browsers: BrowserType, side: Side, line: Line | None = None, found: list[float] | None = None) -> None:
    """Visit a side's page in a fresh profile, and reload it where no line is named; what is measured is added.

    Over a line it is added to `found`; of a page that is read first, the milliseconds from the tap.
    """
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        bench_server(side.folder, line) as (url, sent),
        browsers.launch_persistent_context(profile, executable_path=chromium(WHOLE), args=list(FLAGS)) as context,
    ):
        page = context.pages[0] if context.pages else context.new_page()
        page.add_init_script(side.script)
        first = time_to_first_roll(page, lambda: page.goto(url + side.path))
        if found is not None:
            is_read = side.script is READ_SCRIPT
            found.append(first - float(page.evaluate("window.clicked")) if is_read else first)
            return
        side.first.append(first)
        side.sent = dict(sent)
        page.wait_for_timeout(PAUSE_MS)
        side.reload_at_once.append(time_to_first_roll(page, page.reload))
        if side.script is OURS_SCRIPT:
            is_kept = page.evaluate(f"{KEPT_SCRIPT}(performance.now() + {KEPT_LIMIT_MS})")
            if not is_kept:
                raise SystemExit(f"expected a memory of Python's within {KEPT_LIMIT_MS // 1000} s: none is kept")
        page.wait_for_timeout(PAUSE_MS)
        side.reload.append(time_to_first_roll(page, page.reload))
        side.reload_asked.append(float(page.evaluate("window.clicked")))


def measure_first_rolls(site: Path, runs: int, slow_runs: int) -> tuple[Side, Side]:
    """Measure both pages in turns: first visit and reload, and the first visit on a slow line, so many times."""
    ours = Side("ours", site, "tools/dice/", OURS_SCRIPT)
    stock = Side("stock", lay_out_stock(site), "", STOCK_SCRIPT)
    with sync_playwright() as playwright:
        for number in range(runs):
            for side in (ours, stock) if number % 2 else (stock, ours):
                visit(playwright.chromium, side)
            medians = ", ".join(f"{side.name} {statistics.median(side.reload):,.0f} ms" for side in (ours, stock))
            print(f"  first roll, run {number + 1} of {runs}: reload {medians} so far", flush=True)
        reading = Side("ours, read first", site, ours.path, READ_SCRIPT)
        for number in range(slow_runs):
            for side in (ours, stock):
                visit(playwright.chromium, side, slow_line(), side.slow)
                visit(playwright.chromium, side, fair_line(), side.fair)
            visit(playwright.chromium, reading, fair_line(), ours.tapped)
            print(f"  first roll on slow lines, run {number + 1} of {slow_runs}", flush=True)
    return ours, stock


def slow_line() -> Line:
    """10 Mbit/s and 50 ms, made by the server; compressed as a static host does."""
    return Line(megabits=10, delay_ms=50)


def fair_line() -> Line:
    """20 Mbit/s and 20 ms, made by the server; compressed as a static host does."""
    return Line(megabits=20, delay_ms=20)
