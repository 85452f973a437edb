"""Time starts in Chromium, Firefox and WebKitGTK: our site, and a stock page or another build of the site."""

from __future__ import annotations

import json
import shutil
import statistics
import tempfile
import time
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

from build_scripts.browser_app import PYODIDE_FILES, copy_browser_sources
from build_scripts.browser_drivers import Window, launch_browser, navigate_or_reload
from build_scripts.browsers import CHROMIUM_FLAGS, FULL_BROWSERS, find_chromium
from build_scripts.dev.bench.servers import (
    COMPRESSED_SUFFIXES,
    SentBody,
    SlowLine,
    load_compressed_file,
    serve_for_bench,
)
from build_scripts.paths import BUILD, NODE_MODULES, OVERRIDES, create_empty_folder

ENGINES = {"Chromium": "", "Firefox": "firefox", "WebKitGTK": "webkit"}
STOCK_PAGE = Path(__file__).with_name("stock")
STOCK = BUILD / "bench" / "stock"
SOURCES = BUILD / "bench" / "sources"
ROLL_FIELDS = {"roll": "d20+5", "against": "13"}
BUNDLE_FOLDERS = ("/assets/pyodide-lean-", "/assets/pyodide-stock/", "/assets/engine-")
PAGE_PATHS_SCRIPT = (
    "['navigation', 'resource'].flatMap((kind) => performance.getEntriesByType(kind))"
    ".filter(({ startTime }) => startTime < window.firstRoll).map(({ name }) => new URL(name).pathname)"
)
PAUSE_MS = 1500
"""The pause between the response and the reload, so that the browser can write its caches."""
SNAPSHOT_TIMEOUT_MS = 30_000
"""The maximum wait for a snapshot. The wait ends when a snapshot is saved."""

# A snapshot is complete if the page has recorded it. An earlier build records none: then its file must exist and must
# not have been written to for a while.
SNAPSHOT_SCRIPT = """(async (limit) => {
  const pause = () => new Promise((done) => setTimeout(done, 500));
  const root = await navigator.storage?.getDirectory?.().catch(() => null);
  const isRecorded = () =>
    Object.entries(localStorage).some(([key, text]) => key.endsWith("scratch-snapshot") && text.endsWith("worker.mjs"));
  const seen = async () => {
    const folder = await root?.getDirectoryHandle("scratch-engine").catch(() => null);
    for await (const entry of folder?.values() ?? []) {
      const file = await entry.getFile().catch(() => null);
      if (file?.size) return `${file.size} ${file.lastModified}`;
    }
    return "";
  };
  let [last, same] = ["", 0];
  while (!isRecorded() && same < 4 && performance.now() < limit) {
    const now = await seen();
    same = now && now === last ? same + 1 : 0;
    last = now;
    await pause();
  }
  return isRecorded() || Boolean(last);
})"""
ANSWER_TIMEOUT_MS = 120_000

READ_MS = 4000
"""The milliseconds that the user reads the page before the first tap."""
SHEETS = "A\nside: x\n2 fighting\n3 toughness\n\nB\nside: y\n2 fighting\n3 toughness"
FIGHT = "tools/fight/?" + urlencode({"log": "begin", "sheets": SHEETS, "initiative": "a 3, b 4"})
IS_RECALLED_SCRIPT = "performance.getEntriesByName('scratch-engine-start').at(-1)?.detail?.isFromSnapshot ?? false"

# Requests the roll as early as possible: as soon as the calculator is defined, long before Python has started.
ROLL_SCRIPT = """
customElements.whenDefined("scratch-calculator").then(() => {
  const calculator = document.querySelector("scratch-calculator");
  const form = calculator.querySelector("form");
  for (const [name, value] of Object.entries({ ...ROLL_FIELDS, faces: "" })) form.elements[name].value = value;
  new MutationObserver(() => {
    if (calculator.querySelector("[data-total]")) window.firstRoll ??= performance.now();
  }).observe(calculator, { attributeFilter: ["data-query"] });
  window.clicked = performance.now();
  form.querySelector("[type=submit]").click();
});
""".replace("ROLL_FIELDS", json.dumps(ROLL_FIELDS))
WAIT_SCRIPT = """(limit) => new Promise((resolve) => {
  const look = () => {
    const failure = window.failure ?? document.querySelector("[data-state=failed] .calculator-status")?.textContent;
    if (window.firstRoll || failure || performance.now() > limit) resolve([window.firstRoll, failure]);
    else setTimeout(look, 50);
  };
  look();
})"""
# Measures from the arrival of another calculator's page, by a link, to its response.
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
})""".replace("LIMIT", str(ANSWER_TIMEOUT_MS))


class Chromium:
    """A Chromium window with the interface of the other engines' windows, driven by Playwright."""

    def __init__(self, program: str, profile: Path) -> None:
        self.playwright = sync_playwright().start()
        browsers = self.playwright.chromium
        self.context = browsers.launch_persistent_context(profile, executable_path=program, args=list(CHROMIUM_FLAGS))
        self.page = self.context.pages[0] if self.context.pages else self.context.new_page()
        self.page.set_default_timeout(ANSWER_TIMEOUT_MS)

    def open(self, url: str) -> None:
        """Navigate to an address, and wait until its page is loaded."""
        self.page.goto(url)

    def reload(self) -> None:
        """Reload the page, and wait until it is loaded."""
        self.page.reload()

    def evaluate(self, expression: str) -> Any:
        """Evaluate a JavaScript expression, await it, and return its value."""
        return self.page.evaluate(f"async () => {expression}")

    def close(self) -> None:
        """Quit the browser."""
        self.context.close()
        self.playwright.stop()


@dataclass
class Side:
    """One of the two sides of the comparison."""

    name: str
    """The suffix of its lines in the table; "" for our site."""
    folder: Path
    """The folder to serve."""
    path: str
    """The path and query of its dice page."""
    is_site: bool
    """Whether it is a build of our site."""
    times: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """The measured times in milliseconds, by the name of the line."""
    sent: dict[str, SentBody] = field(default_factory=dict)
    """Each body that was sent, by path."""
    page_paths: list[str] = field(default_factory=list)
    """The paths that the page itself requested until the first roll."""
    first_roll_at: float = 0
    """When the first roll was shown, in seconds since the epoch."""

    def measure_bundle_kilobytes(self) -> dict[str, float]:
        """Return the kilobytes of the bundle and of a first visit.

        The bundle is the interpreter, its library, the application and our scripts. A first visit is the page and all
        that it and its worker request until the first roll, as a host sends them. The modules of other calculators, and
        what is kept for offline use, come later.
        """
        bundle = {path for path in self.sent if path.startswith(BUNDLE_FOLDERS)}
        packed = {path: self._measure_transfer_size(path) for path in bundle.union(self.page_paths) & self.sent.keys()}
        first_paths = [path for path in packed if self.sent[path].requested_at < self.first_roll_at]
        return {
            "kB of the bundle": sum(self.sent[path].size for path in bundle) / 1000,
            "kB of the bundle, compressed": sum(packed[path] for path in bundle) / 1000,
            "kB of a first visit": sum(packed[path] for path in first_paths) / 1000,
        }

    def _measure_transfer_size(self, path: str) -> int:
        file = self.folder / (path + "index.html" if path.endswith("/") else path)[1:]
        return len(load_compressed_file(file)) if file.suffix in COMPRESSED_SUFFIXES else self.sent[path].size


def write_stock_pyodide_page(site_with_headers: Path) -> Path:
    """Build the stock page: Pyodide's own files, our sources in a zip, our headers."""
    create_empty_folder(STOCK)
    pyodide, engine = STOCK / "assets" / "pyodide-stock", STOCK / "assets" / "engine-stock"
    pyodide.mkdir(parents=True)
    engine.mkdir()
    for name in (*PYODIDE_FILES, "pyodide-lock.json"):
        shutil.copy(NODE_MODULES / "pyodide" / name, pyodide / name)
    for name in ("page.mjs", "worker.mjs"):
        shutil.copy(STOCK_PAGE / name, engine / name)
    copy_browser_sources(SOURCES)
    shutil.copytree(OVERRIDES / "calculators", SOURCES / "templates")
    with zipfile.ZipFile(engine / "app.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(SOURCES.rglob("*")):
            if file.suffix in {".py", ".html", ".toml"}:
                archive.write(file, file.relative_to(SOURCES))
    shutil.copy(STOCK_PAGE / "index.html", STOCK / "index.html")
    shutil.copy(site_with_headers / "_headers", STOCK / "_headers")
    return STOCK


def open_window(engine: str, profile: Path) -> Window | None:
    """Open a new browser of an engine.

    Returns None if this machine has no such browser.
    """
    if engine != "Chromium":
        return launch_browser(ENGINES[engine], profile)
    program = find_chromium(FULL_BROWSERS)
    return Chromium(program, profile) if program else None


@contextmanager
def serve_and_open_window(engine: str, side: Side, line: SlowLine | None = None) -> Iterator[tuple[Window, str]]:
    """Open a browser with a new profile.

    Yields it with the address of a side's folder. Raises LookupError if this machine has no such browser.
    """
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        serve_for_bench(side.folder, line) as (url, sent),
    ):
        window = open_window(engine, Path(profile))
        if window is None:
            raise LookupError(f"{engine} is not installed")
        try:
            yield window, url
        finally:
            window.close()
        if not line:
            side.sent = sent


def navigate_and_measure_first_roll_ms(window: Window, side: Side, url: str = "", read_ms: int = 0) -> float:
    """Navigate or reload, and return the milliseconds until the first roll.

    A site gets the request as soon as its page is loaded, long before Python has started. With `read_ms` the user reads
    the page first, and the milliseconds count from the tap.
    """
    navigate_or_reload(window, url)
    time.sleep(read_ms / 1000)
    if side.is_site:
        window.evaluate(f"(() => {{ {ROLL_SCRIPT} return true; }})()")
    first, failure = window.evaluate(f"({WAIT_SCRIPT})({ANSWER_TIMEOUT_MS})")
    if not first:
        raise SystemExit(f"expected a roll in {side.folder}/{side.path}, got {failure or 'none'}")
    return float(first) - (float(window.evaluate("window.clicked")) if read_ms else 0.0)


def measure_and_record_starts_of_side(engine: str, side: Side) -> None:
    """Measure a first visit, a reload, another calculator, and first visits over slow lines.

    Each visit over a slow line has a new profile.
    """
    with serve_and_open_window(engine, side) as (window, url):
        side.times["first roll, first visit"].append(navigate_and_measure_first_roll_ms(window, side, url + side.path))
        side.page_paths = window.evaluate(PAGE_PATHS_SCRIPT)
        side.first_roll_at = window.evaluate("(performance.timeOrigin + window.firstRoll) / 1000")
        if side.is_site and not window.evaluate(f"{SNAPSHOT_SCRIPT}(performance.now() + {SNAPSHOT_TIMEOUT_MS})"):
            print(f"  {engine} saves no snapshot of Python", flush=True)
        time.sleep(PAUSE_MS / 1000)
        side.times["first roll, reload"].append(navigate_and_measure_first_roll_ms(window, side))
        if side.is_site:
            time.sleep(READ_MS / 1000)
            arrived = window.evaluate(FOLLOW_SCRIPT.replace("ADDRESS", json.dumps(url + FIGHT)))
            side.times["first answer of another calculator"].append(float(arrived))
    with serve_and_open_window(engine, side, SlowLine(megabits=10, delay_ms=50)) as (window, url):
        what = "first roll, first visit at 10 Mbit/s + 50 ms"
        side.times[what].append(navigate_and_measure_first_roll_ms(window, side, url + side.path))
    if side.is_site:
        with serve_and_open_window(engine, side, SlowLine(megabits=20, delay_ms=20)) as (window, url):
            what = "first tap after four seconds of reading, 20 Mbit/s + 20 ms"
            side.times[what].append(navigate_and_measure_first_roll_ms(window, side, url + side.path, READ_MS))


def measure_starts(site: Path, against: Path | None, runs: int, engines: Sequence[str]) -> dict[str, float]:
    """Measure both sides by turns in each installed engine: medians.

    The lines of the other side end with its name.
    """
    figures: dict[str, float] = {}
    for engine in engines:
        ours = Side("", site, "tools/dice/", is_site=True)
        other = Side(", stock Pyodide", write_stock_pyodide_page(site), f"?{urlencode(ROLL_FIELDS)}", is_site=False)
        if against:
            other = Side(f", {against}", against.resolve(), ours.path, is_site=True)
        try:
            for number in range(runs):
                for side in (ours, other) if number % 2 else (other, ours):
                    measure_and_record_starts_of_side(engine, side)
                print(f"  starts in {engine}, run {number + 1} of {runs}", flush=True)
        except LookupError as error:
            print(f"  {error}", flush=True)
            continue
        for side in (ours, other):
            figures |= {f"{what}, {engine}{side.name}": statistics.median(each) for what, each in side.times.items()}
            figures |= {f"{what}{side.name}": size for what, size in side.measure_bundle_kilobytes().items()}
    return figures
