"""Starts in Chromium, Firefox and WebKitGTK, where they are there: our site against a stock page or another build."""

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

from build_scripts.browser_app import PYODIDE_FILES, copy_sources
from build_scripts.browser_drivers import Window, launch_browser, visit
from build_scripts.browsers import CHROMIUM_FLAGS, FULL_BROWSERS, find_chromium
from build_scripts.dev.bench.servers import COMPRESSED_SUFFIXES, SlowLine, compress_file, serve_for_bench
from build_scripts.paths import BUILD, NODE_MODULES, OVERRIDES, empty_folder

ENGINES = {"Chromium": "", "Firefox": "firefox", "WebKitGTK": "webkit"}
STOCK_PAGE = Path(__file__).with_name("stock")
STOCK = BUILD / "bench" / "stock"
SOURCES = BUILD / "bench" / "sources"
ROLL_FIELDS = {"roll": "d20+5", "against": "13"}
PAUSE_MS = 1500
"""Between the answer and the reload, so that the browser has written its caches."""
SNAPSHOT_TIMEOUT_MS = 30_000
"""So long a memory is waited for; the wait ends when one is kept, and at once where there is no place for one."""

# A memory is kept when its file is there and nothing was written to it for a while.
SNAPSHOT_SCRIPT = """(async (limit) => {
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
ANSWER_TIMEOUT_MS = 120_000

READ_MS = 4000
"""So long someone reads the page before the first tap."""
SHEETS = "A\nside: x\n2 fighting\n3 toughness\n\nB\nside: y\n2 fighting\n3 toughness"
FIGHT = "tools/fight/?" + urlencode({"log": "begin", "sheets": SHEETS, "initiative": "a 3, b 4"})
IS_RECALLED_SCRIPT = "performance.getEntriesByName('scratch-engine-start').at(-1)?.detail?.isRecalled ?? false"

# Ask for the roll as early as the page can take it: as soon as its calculator is there, long before Python is.
ROLL_SCRIPT = """
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
""".replace("ASKED", json.dumps(ROLL_FIELDS))
WAIT_SCRIPT = """(limit) => new Promise((resolve) => {
  const look = () => {
    const failure = window.failure ?? document.querySelector("[data-state=failed] .calculator-status")?.textContent;
    if (window.firstRoll || failure || performance.now() > limit) resolve([window.firstRoll, failure]);
    else setTimeout(look, 50);
  };
  look();
})"""
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
})""".replace("LIMIT", str(ANSWER_TIMEOUT_MS))


class Chromium:
    """Chromium as a window like the other engines' ones, by Playwright."""

    def __init__(self, program: str, profile: Path) -> None:
        self.playwright = sync_playwright().start()
        browsers = self.playwright.chromium
        self.context = browsers.launch_persistent_context(profile, executable_path=program, args=list(CHROMIUM_FLAGS))
        self.page = self.context.pages[0] if self.context.pages else self.context.new_page()
        self.page.set_default_timeout(ANSWER_TIMEOUT_MS)

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
class Side:
    """One of the two: its folder and page, and what was measured of it, in milliseconds, by the name of the line."""

    name: str
    folder: Path
    path: str
    is_site: bool
    times: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    sent: dict[str, int] = field(default_factory=dict)

    def measure_bundle(self) -> dict[str, float]:
        """The kilobytes of what runs the calculator: the interpreter, its library, the application, and our scripts."""
        folders = ("/assets/pyodide-", "/assets/engine-")
        sizes = {self.folder / path[1:]: size for path, size in self.sent.items() if path.startswith(folders)}
        packed = (
            len(compress_file(file)) if file.suffix in COMPRESSED_SUFFIXES else size for file, size in sizes.items()
        )
        return {"kB of the bundle": sum(sizes.values()) / 1000, "kB of the bundle, gzip": sum(packed) / 1000}


def build_stock_page(site: Path) -> Path:
    """Write the stock page with Pyodide's own files, our sources in a zip, and the headers of our site."""
    empty_folder(STOCK)
    pyodide, engine = STOCK / "assets" / "pyodide-stock", STOCK / "assets" / "engine-stock"
    pyodide.mkdir(parents=True)
    engine.mkdir()
    for name in (*PYODIDE_FILES, "pyodide-lock.json"):
        shutil.copy(NODE_MODULES / "pyodide" / name, pyodide / name)
    for name in ("page.mjs", "worker.mjs"):
        shutil.copy(STOCK_PAGE / name, engine / name)
    copy_sources(SOURCES)
    shutil.copytree(OVERRIDES / "calculators", SOURCES / "templates")
    with zipfile.ZipFile(engine / "app.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(SOURCES.rglob("*")):
            if file.suffix in {".py", ".html", ".toml"}:
                archive.write(file, file.relative_to(SOURCES))
    shutil.copy(STOCK_PAGE / "index.html", STOCK / "index.html")
    shutil.copy(site / "_headers", STOCK / "_headers")
    return STOCK


def open_window(engine: str, profile: Path) -> Window | None:
    """A new browser of that engine; None where this machine has none."""
    if engine != "Chromium":
        return launch_browser(ENGINES[engine], profile)
    program = find_chromium(FULL_BROWSERS)
    return Chromium(program, profile) if program else None


@contextmanager
def open_window_on(engine: str, side: Side, line: SlowLine | None = None) -> Iterator[tuple[Window, str]]:
    """A browser with a fresh profile, and the address of a side's folder. Raises LookupError without such an engine."""
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile,
        serve_for_bench(side.folder, line) as (url, sent),
    ):
        window = open_window(engine, Path(profile))
        if window is None:
            raise LookupError(f"{engine} is not on this machine")
        try:
            yield window, url
        finally:
            window.close()
        if not line:
            side.sent = sent


def measure_first_roll(window: Window, side: Side, url: str = "", read_ms: int = 0) -> float:
    """Go to an address, or load the page anew: the milliseconds from then to the first roll in the page.

    A site is asked as soon as its page is loaded, which is long before Python is there. Of a page that is read first
    it is the milliseconds from the tap.
    """
    visit(window, url)
    time.sleep(read_ms / 1000)
    if side.is_site:
        window.run(f"(() => {{ {ROLL_SCRIPT} return true; }})()")
    first, failure = window.run(f"({WAIT_SCRIPT})({ANSWER_TIMEOUT_MS})")
    if not first:
        raise SystemExit(f"expected a roll in {side.folder}/{side.path}, got {failure or 'none'}")
    return float(first) - (float(window.run("window.clicked")) if read_ms else 0.0)


def measure_side(engine: str, side: Side) -> None:
    """A first visit, a reload and another calculator, and, in fresh profiles, first visits over slow lines."""
    with open_window_on(engine, side) as (window, url):
        side.times["first roll, first visit"].append(measure_first_roll(window, side, url + side.path))
        if side.is_site and not window.run(f"{SNAPSHOT_SCRIPT}(performance.now() + {SNAPSHOT_TIMEOUT_MS})"):
            print(f"  {engine} keeps no memory of Python's", flush=True)
        time.sleep(PAUSE_MS / 1000)
        side.times["first roll, reload"].append(measure_first_roll(window, side))
        if side.is_site:
            time.sleep(READ_MS / 1000)
            arrived = window.run(FOLLOW_SCRIPT.replace("ADDRESS", json.dumps(url + FIGHT)))
            side.times["first answer of another calculator"].append(float(arrived))
    with open_window_on(engine, side, SlowLine(megabits=10, delay_ms=50)) as (window, url):
        what = "first roll, first visit at 10 Mbit/s + 50 ms"
        side.times[what].append(measure_first_roll(window, side, url + side.path))
    if side.is_site:
        with open_window_on(engine, side, SlowLine(megabits=20, delay_ms=20)) as (window, url):
            what = "first tap after four seconds of reading, 20 Mbit/s + 20 ms"
            side.times[what].append(measure_first_roll(window, side, url + side.path, READ_MS))


def measure_starts(site: Path, against: Path | None, runs: int, engines: Sequence[str]) -> dict[str, float]:
    """Measure both sides in turns in each engine that is there; medians, those of the other side with its name."""
    found: dict[str, float] = {}
    for engine in engines:
        ours = Side("", site, "tools/dice/", is_site=True)
        other = Side(", stock Pyodide", build_stock_page(site), f"?{urlencode(ROLL_FIELDS)}", is_site=False)
        if against:
            other = Side(f", {against}", against.resolve(), ours.path, is_site=True)
        try:
            for number in range(runs):
                for side in (ours, other) if number % 2 else (other, ours):
                    measure_side(engine, side)
                print(f"  starts in {engine}, run {number + 1} of {runs}", flush=True)
        except LookupError as error:
            print(f"  {error}", flush=True)
            continue
        for side in (ours, other):
            found |= {f"{what}, {engine}{side.name}": statistics.median(each) for what, each in side.times.items()}
            found |= {f"{what}{side.name}": size for what, size in side.measure_bundle().items()}
    return found
