"""`make bench`: all measured in one run on this machine, printed as a table, and kept in build/bench/results.json.

A missed goal fails the run, once all is measured. Times are medians; a ratio is the peer's time divided by ours, so
more than 1 means that ours is faster.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

from build_scripts.bundle import build_bundle
from build_scripts.folders import BUILD, NODE_MODULES, ROOT, SITE
from build_scripts.judges.bench.engines import ENGINES, Starts, commit_of, measure_engines
from build_scripts.judges.bench.exact import LIBRARIES
from build_scripts.judges.bench.first_roll import Side, measure_first_rolls
from build_scripts.judges.bench.odds_page import measure_odds_page
from build_scripts.judges.bench.painted import measure_painted
from build_scripts.judges.bench.peers import install_npm_peers, install_peers, run_measurement, run_script
from build_scripts.judges.bench.presses import EARLY, LATE
from build_scripts.judges.bench.turns import for_the_peer, long_fight
from scratch_core.scenario import play, read_tree

RESULTS = BUILD / "bench" / "results.json"
FIGHT = BUILD / "bench" / "fight.json"
WORKS = ("100d20", "20d20kh10")
GROUPS = ("exact", "rolled", "turns", "presses", "boards", "odds", "hostile", "pages", "engines")
SHOWN_MS = 15
"""In so many milliseconds the 200 positions of a replay are to be shown."""

BOARD_MS = 20
"""In less than that all spaces in reach, or in sight, on a board of 30 × 30 are to be found."""

LATE_PRESS = 2.0
"""As many times an early press in a fight a late one may take, and as many times its HTML."""

TAPPED = "first tap after four seconds of reading, 20 Mbit/s + 20 ms"
TAPPED_MS = 1200
"""In less than that somebody's first tap is to be answered who has read the page for a while."""

OTHER = "first answer of another calculator"
OTHER_MS = 50
"""In less than that another calculator, gone to by a link, is to give its first answer, counted from its page."""

HISTORY = Path(__file__).with_name("history.jsonl")
"""A line for each whole run: its day, commit and machine, and the ratios. In the repository, so that growth is seen."""

HOSTILE_FILES = ("tests/hostile/__init__.py", "tests/taste.py")
"""What the hostile inputs need beside the application."""

HOSTILE_MS = 1000
"""In less than that every hostile input is to be answered."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How often everything is measured, and the seconds after which a library is given up at a work."""

    processes: int
    batches: int
    visits: int
    slow_visits: int
    limit: float
    launches: int


FULL = Counts(processes=7, batches=15, visits=7, slow_visits=7, limit=60.0, launches=5)
QUICK = Counts(processes=3, batches=5, visits=2, slow_visits=0, limit=20.0, launches=2)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: one work, our figure and a peer's in `unit`.

    `theirs` is 0 where there is none, and `note` says why; `peer` is "" for a work that no peer does.
    """

    what: str
    unit: str
    ours: float
    peer: str
    theirs: float
    note: str = ""

    @property
    def ratio(self) -> float:
        """The peer's figure divided by ours."""
        return self.theirs / self.ours


@dataclass(frozen=True, slots=True)
class Goal:
    """Something to reach, what was measured, and whether that is enough."""

    what: str
    measured: str
    reached: bool


def measure_exact(python: Path, counts: Counts) -> list[Row]:
    """Count two pools exactly with each library, in fresh processes taken in turns.

    Raises SystemExit when two libraries do not give the same distribution.
    """
    rows: list[Row] = []
    for work in WORKS:
        runs, notes = _exact_runs(python, work, counts)
        digests = {run["digest"] for library in runs.values() for run in library}
        if len(digests) != 1:
            raise SystemExit(f"the libraries differ about {work}: {digests}")
        for how in ("cold", "warm"):
            medians = {name: _median(run[f"{how}_ms"] for run in library) for name, library in runs.items()}
            for peer in (name for name in LIBRARIES if name != "ours"):
                version = runs[peer][0]["version"] if runs[peer] else ""
                what = f"{work} exactly, {how}"
                rows.append(Row(what, "ms", medians["ours"], f"{peer} {version}", medians[peer], notes.get(peer, "")))
    return rows


def _exact_runs(python: Path, work: str, counts: Counts) -> tuple[dict[str, list[Any]], dict[str, str]]:
    runs: dict[str, list[Any]] = {name: [] for name in LIBRARIES}
    notes: dict[str, str] = {}
    for number in range(counts.processes):
        print(f"  {work} exactly, process {number + 1} of {counts.processes} of each library", flush=True)
        for library in LIBRARIES:
            if library in notes:
                continue
            try:
                runs[library].append(run_measurement(python, "exact", library, work, limit=counts.limit))
            except TimeoutError as error:
                notes[library] = str(error)
                print(f"  {library} is left out of {work}: {error}", flush=True)
    return runs, notes


def measure_rolled(python: Path, batches: int) -> list[Row]:
    """Roll `d20+5` with ours and with d20."""
    print(f"  d20+5 rolled, {batches} batches", flush=True)
    measured = run_measurement(python, "rolled", str(batches))
    medians, peer = measured["medians_us"], f"d20 {measured['version']}"
    return [
        Row("d20+5 rolled", "µs", medians["ours"], peer, medians["d20"]),
        Row("d20+5 rolled, read anew", "µs", medians["ours, read anew"], peer, medians["d20, read anew"]),
    ]


def measure_turns(counts: Counts) -> list[Row]:
    """Act, list what is legal, and replay 200 steps: under CPython, inside Pyodide, and by boardgame.io.

    Raises SystemExit when boardgame.io does not find the same hit points at every position.
    """
    print(f"  turns and the replay under CPython, {counts.batches} batches", flush=True)
    sides = {"CPython": run_measurement(Path(sys.executable), "turns", str(counts.batches))}
    print(f"  turns and the replay inside Pyodide, {counts.batches} batches", flush=True)
    (engine,) = build_bundle().glob("engine-*")
    sides["Pyodide"] = run_script("pyodide.mjs", "turns", NODE_MODULES / "pyodide", engine, str(counts.batches))
    folder = install_npm_peers()
    print(f"  the same replay by boardgame.io, {counts.visits} batches", flush=True)
    FIGHT.parent.mkdir(parents=True, exist_ok=True)
    FIGHT.write_text(json.dumps(for_the_peer(play(read_tree(long_fight())))))
    return turns_rows(sides, run_script("boardgame.mjs", folder, FIGHT, str(counts.visits)))


def turns_rows(sides: dict[str, Any], theirs: Any) -> list[Row]:
    """The table's lines about turns: each work under CPython, then inside Pyodide."""
    peer = f"boardgame.io {theirs['version']}"
    works = (
        ("one decide + apply", "µs", "decide_us", ""),
        ("one legal_actions", "µs", "legal_us", ""),
        ("200 steps played", "ms", "played_ms", "ours: the file read, each step judged; its: moves through its client"),
        ("200 positions shown", "ms", "shown_ms", "its log panel's way: the log replayed up to each"),
        ("200 answers of the replay", "ms", "answered_ms", "with log and link, before the template"),
    )
    rows = []
    for what, unit, key, note in works:
        for side, ours in sides.items():
            name, said = f"{what}, {side}", note or f"{ours['positions']} positions, Python {ours['python']}"
            rows.append(Row(name, unit, ours[key], peer if key in theirs else "", theirs.get(key, 0.0), said))
    return rows


def measure_presses(site: Path, counts: Counts) -> list[Row]:
    """Press once in a fight of 50 steps and in one of 990: CPython, Pyodide, and to the page painted in Chromium.

    The early press is the peer.
    """
    print(f"  presses under CPython, {counts.batches} batches", flush=True)
    sides = {"CPython": run_measurement(Path(sys.executable), "presses", str(counts.batches))}
    print(f"  presses inside Pyodide, {counts.batches} batches", flush=True)
    (engine,) = build_bundle().glob("engine-*")
    folder = NODE_MODULES / "pyodide"
    turns = "build_scripts/judges/bench/turns.py"
    inits = ("build_scripts/judges/__init__.py", "build_scripts/judges/bench/__init__.py")
    sides["Pyodide"] = run_script("pyodide.mjs", "presses", folder, engine, str(counts.batches), turns, *inits)
    print(f"  presses in Chromium, {counts.batches} batches", flush=True)
    sides["Chromium"] = measure_painted(site, counts.batches)
    return presses_rows(sides)


def presses_rows(sides: dict[str, dict[str, float]]) -> list[Row]:
    """The table's lines about presses: the late one, with the early one beside it."""
    rows = []
    works = (
        ("a press", "ms", "pressed"),
        ("HTML of a press", "characters", "html"),
        ("to the page painted after a press", "ms", "painted"),
    )
    for side, ours in sides.items():
        for what, unit, key in (each for each in works if f"{each[2]} {LATE}" in ours):
            name = f"{what} at step {LATE}, {side}"
            rows.append(Row(name, unit, ours[f"{key} {LATE}"], f"at step {EARLY}", ours[f"{key} {EARLY}"]))
    return rows


def measure_boards(counts: Counts) -> list[Row]:
    """Find all spaces in reach and all in sight on boards of three sizes: under CPython and inside Pyodide."""
    print(f"  boards under CPython, {counts.batches} batches", flush=True)
    sides = {"CPython": run_measurement(Path(sys.executable), "boards", str(counts.batches))}
    print(f"  boards inside Pyodide, {counts.batches} batches", flush=True)
    (engine,) = build_bundle().glob("engine-*")
    sides["Pyodide"] = run_script("pyodide.mjs", "boards", NODE_MODULES / "pyodide", engine, str(counts.batches))
    return boards_rows(sides)


def boards_rows(sides: dict[str, dict[str, float]]) -> list[Row]:
    """The table's lines about boards: each work and ground, the sizes one below the other, so that growth is seen."""
    works = {"reach": "all spaces in reach", "sight": "sight to every space"}
    rows = []
    for side, measured in sides.items():
        for key, milliseconds in sorted(measured.items(), key=lambda item: _board_order(item[0])):
            work, size, ground = key.split()
            rows.append(Row(f"{works[work]}, {size} × {size} {ground}, {side}", "ms", milliseconds, "", 0.0, "no peer"))
    return rows


def _board_order(key: str) -> tuple[str, str, int]:
    work, size, ground = key.split()
    return work, ground, int(size)


def measure_odds(python: Path, counts: Counts) -> list[Row]:
    """Work out an attack, a race and duels: under CPython, inside Pyodide, and by icepool and dyce what they do."""
    print(f"  odds under CPython, {counts.batches} batches", flush=True)
    sides = {"CPython": run_measurement(Path(sys.executable), "chances", str(counts.batches))}
    print(f"  odds inside Pyodide, {counts.batches} batches", flush=True)
    (engine,) = build_bundle().glob("engine-*")
    sides["Pyodide"] = run_script("pyodide.mjs", "chances", NODE_MODULES / "pyodide", engine, str(counts.batches))
    theirs = {name: run_measurement(python, "chances", str(counts.batches), name) for name in ("icepool", "dyce")}
    return odds_rows(sides, theirs)


def odds_rows(sides: dict[str, dict[str, float]], theirs: dict[str, dict[str, Any]]) -> list[Row]:
    """The table's lines about odds; a peer counts damage that is told to it, ours asks the engine what may happen."""
    rows = []
    for side, measured in sides.items():
        for what, milliseconds in measured.items():
            peers = {f"{name} {each['version']}": each[what] for name, each in theirs.items() if what in each}
            is_small = what.endswith("attack")
            unit, scale = ("µs", 1000) if is_small else ("ms", 1)
            for peer, their in (peers or {"": 0.0}).items():
                rows.append(Row(f"odds: {what}, {side}", unit, scale * milliseconds, peer, scale * their, ODDS_NOTE))
    return rows


PAGE_STANDS = "the answer of the page, before Python"
PRESSED_ACTION = "a press on a stepper, what each attack does, Chromium"
PRESSED_DUEL = "a press on a stepper, the duel solved, Chromium"
STOPPED = "a long computation stopped, Chromium"
AFTER_STOP = "the next press answered after that, Chromium"
PAGE_ROWS = {
    "stands": PAGE_STANDS,
    "first": PRESSED_ACTION,
    "whole": PRESSED_DUEL,
    "stopped": STOPPED,
    "after": AFTER_STOP,
}


def odds_page_rows(site: Path) -> list[Row]:
    """The table's lines about the odds page in Chromium; an answer that doesn't stand before Python has 0."""
    print("  the odds page in Chromium", flush=True)
    measured = measure_odds_page(site)
    return [Row(f"odds: {what}", "ms", measured[key], "", 0.0, "wall time") for key, what in PAGE_ROWS.items()]


ODDS_NOTE = "ours asks the engine; a peer is told the damage of each face"
ODDS_GOALS = {
    "attack, CPython": 100,
    "double attack, CPython": 300,
    "duel, CPython": 200,
    "duel, Pyodide": 500,
    "first bounds, cover and things to throw, Pyodide": 500,
    "exact after bounds, cover and things to throw, Pyodide": 3000,
    "four against four within 0.1, CPython": 10_000,
    "four against four within 0.1, Pyodide": 10_000,
    PRESSED_ACTION: 100,
    PRESSED_DUEL: 1000,
    STOPPED: 200,
}
"""What each is to take at most: attacks in microseconds, the others in milliseconds."""


def odds_goals(rows: list[Row]) -> list[Goal]:
    """What the odds are to reach."""
    found = {row.what.removeprefix("odds: "): row for row in rows if row.what.startswith("odds: ")}
    return [
        Goal(f"odds: {what} in {most} {found[what].unit} or less", f"{found[what].ours:.1f}", found[what].ours <= most)
        for what, most in ODDS_GOALS.items()
        if what in found
    ]


def measure_hostile(counts: Counts) -> list[Row]:
    """Answer every hostile input in every control and keep each calculator's slowest: CPython and Pyodide."""
    print("  hostile inputs under CPython", flush=True)
    rounds = 3 if counts is FULL else 1
    sides = {"CPython": run_measurement(Path(sys.executable), "hostile", str(rounds))}
    print("  hostile inputs inside Pyodide", flush=True)
    (engine,) = build_bundle().glob("engine-*")
    sides["Pyodide"] = run_script(
        "pyodide.mjs", "hostile", NODE_MODULES / "pyodide", engine, str(rounds), *HOSTILE_FILES
    )
    return [
        Row(f"slowest hostile answer, {calculator}, {side}", "ms", milliseconds, "", 0.0, asked)
        for side, slowest in sides.items()
        for calculator, (milliseconds, asked) in slowest.items()
    ]


def first_roll_rows(ours: Side, stock: Side) -> list[Row]:
    """The table's lines about the pages."""
    peer = "stock Pyodide"
    rows = [
        Row("first roll, first visit", "ms", _median(ours.first), peer, _median(stock.first)),
        Row("first roll, reload", "ms", _median(ours.reload), peer, _median(stock.reload)),
    ]
    if ours.slow:
        note = "made by the server; gzip"
        what = "first roll, first visit at 10 Mbit/s + 50 ms"
        rows.append(Row(what, "ms", _median(ours.slow), peer, _median(stock.slow), note))
        what = "first roll, first visit at 20 Mbit/s + 20 ms"
        rows.append(Row(what, "ms", _median(ours.fair), peer, _median(stock.fair), note))
        rows.append(Row(TAPPED, "ms", _median(ours.tapped), "", 0.0, "counted from the tap"))
    our_size, stock_size = ours.summary(), stock.summary()
    for what, key in (("bundle loaded", "bundle_bytes"), ("bundle loaded, gzip", "bundle_bytes_compressed")):
        rows.append(Row(what, "kB", our_size[key] / 1000, peer, stock_size[key] / 1000))
    return rows


def engines_rows(measured: dict[str, list[Starts]], peer: str) -> list[Row]:
    """The table's lines about starts in each engine; a stock page has no other calculator to go to."""
    rows = []
    for engine, (ours, theirs) in measured.items():
        memories = f"{sum(ours.recalled)} of {len(ours.recalled)} began with a kept memory"
        for what, key, note in (
            ("first roll, first visit", "first", ""),
            ("first roll, first visit at 10 Mbit/s + 50 ms", "slow", "made by the server; gzip"),
            ("first roll, reload", "reload", memories),
            (OTHER, "other", "counted from its page's arrival"),
        ):
            their = _median(getattr(theirs, key))
            rows.append(Row(f"{what}, {engine}", "ms", _median(getattr(ours, key)), peer if their else "", their, note))
    return rows


def engines_goals(rows: list[Row]) -> list[Goal]:
    """What another calculator's first answer is to reach in each engine."""
    return [
        Goal(f"{row.what}: within {OTHER_MS} ms of its page", f"{row.ours:.0f} ms", row.ours <= OTHER_MS)
        for row in rows
        if row.what.startswith(OTHER)
    ]


def goals_of(rows: list[Row]) -> list[Goal]:
    """What the bench is to reach, held against the table."""
    by_name = {(row.what, row.peer.partition(" ")[0]): row for row in rows}
    found: list[Goal] = []
    row = by_name.get(("100d20 exactly, cold", "icepool"))
    if row:
        found.append(Goal("100d20 exactly in 5 ms or less", f"{row.ours:.2f} ms", row.ours <= 5))
    for name, key, least in (
        ("20d20kh10 at least as fast as icepool cold", ("20d20kh10 exactly, cold", "icepool"), 1.0),
        ("first visit at least 2.3 times faster than stock", ("first roll, first visit", "stock"), 2.3),
        (
            "first visit at 10 Mbit/s at least 1.8 times faster than stock",
            ("first roll, first visit at 10 Mbit/s + 50 ms", "stock"),
            1.8,
        ),
        ("reload at least 3.6 times faster than stock", ("first roll, reload", "stock"), 3.6),
        ("bundle at most 60 % of stock's, gzip", ("bundle loaded, gzip", "stock"), 1 / 0.6),
    ):
        row = by_name.get(key)
        if row:
            found.append(Goal(name, f"{row.ratio:.2f} times", row.ratio >= least))
    row = by_name.get((TAPPED, ""))
    if row:
        found.append(Goal(f"{TAPPED}: within {TAPPED_MS:,} ms", f"{row.ours:.0f} ms", row.ours <= TAPPED_MS))
    for side in ("CPython", "Pyodide"):
        row = by_name.get((f"200 positions shown, {side}", "boardgame.io"))
        if row:
            measured = f"{row.ours:.2f} ms; boardgame.io takes {row.ratio:.0f} times that"
            name = f"200 positions shown in {SHOWN_MS} ms or less, {side}"
            found.append(Goal(name, measured, row.ours <= SHOWN_MS))
    for row in rows:
        if "30 × 30" in row.what and row.what.endswith("CPython"):
            found.append(Goal(f"{row.what}: under {BOARD_MS} ms", f"{row.ours:.2f} ms", row.ours < BOARD_MS))
    for row in rows:
        if f"press at step {LATE}" in row.what:
            times = row.ours / row.theirs
            found.append(Goal(f"{row.what}: at most twice step {EARLY}", f"{times:.2f} times", times <= LATE_PRESS))
    hostile = [row for row in rows if row.what.startswith("slowest hostile answer")]
    if hostile:
        worst = max(hostile, key=lambda row: row.ours)
        measured = f"{worst.ours:.0f} ms, {worst.what.split(', ', 1)[1]}: {worst.note}"
        found.append(Goal("each hostile input answered in under a second", measured, worst.ours < HOSTILE_MS))
    return found


def _built(site: Path) -> Path:
    """The folder of a built site. Raises SystemExit where there is none."""
    if not (site / "tools" / "dice" / "index.html").exists():
        raise SystemExit(f"expected a built site in {site}, got none; run `make build` first")
    return site.resolve()


def history_line(rows: list[Row], busy: float, day: str, commit: str) -> str:
    """What a run leaves behind: its ratios by work and peer, where and when they were taken."""
    ratios = {f"{row.what} | {row.peer}": round(row.ratio, 2) for row in rows if row.theirs}
    machine = {"cores": os.cpu_count(), "busy": round(busy, 1)}
    return json.dumps({"day": day, "commit": commit, **machine, "ratios": ratios}, ensure_ascii=False) + "\n"


def append_history(rows: list[Row], busy: float) -> None:
    """Add this run to the history."""
    with HISTORY.open("a", encoding="utf-8") as file:
        file.write(history_line(rows, busy, date.today().isoformat(), commit_of(ROOT)))


def busyness() -> float:
    """How busy the machine is before the bench adds to it: processes that want a core, for each core."""
    return os.getloadavg()[0] / (os.cpu_count() or 1)


def table(rows: list[Row]) -> str:
    """The rows as lines of text."""
    cells = [("", "ours", "peer", "", "ratio", "")]
    for row in rows:
        theirs, ratio = ("–", "–") if row.note and not row.theirs else (_figure(row.theirs), f"{row.ratio:.2f}")
        cells.append((row.what, f"{_figure(row.ours)} {row.unit}", row.peer, theirs, ratio, row.note))
    widths = [max(len(line[column]) for line in cells) for column in range(6)]
    left = (0, 2, 5)
    return "\n".join(
        "  ".join(
            cell.ljust(widths[column]) if column in left else cell.rjust(widths[column])
            for column, cell in enumerate(line)
        ).rstrip()
        for line in cells
    )


def _figure(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def _median(numbers: Iterable[float]) -> float:
    kept = list(numbers)
    return statistics.median(kept) if kept else 0.0


def hold_to(goals: list[Goal]) -> None:
    """Raises SystemExit where a goal is missed."""
    missed = sum(not goal.reached for goal in goals)
    if missed:
        raise SystemExit(f"{missed} of {len(goals)} goals missed")


def main() -> None:
    """`python -m build_scripts.judges.bench.run [--quick] [--only GROUP …] [--site FOLDER] [--against FOLDER]`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer runs, and no slow line")
    parser.add_argument("--only", nargs="+", choices=GROUPS, default=GROUPS)
    parser.add_argument("--site", type=Path, default=SITE, help="the built site to measure")
    parser.add_argument("--against", type=Path, help="engines: another built site as the peer, not a stock page")
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=ENGINES)
    arguments = parser.parse_args()
    counts = QUICK if arguments.quick else FULL
    rows: list[Row] = []
    busy = busyness()
    results: dict[str, Any] = {"runs": asdict(counts), "busy": busy}
    if "exact" in arguments.only:
        rows += measure_exact(install_peers(), counts)
    if "rolled" in arguments.only:
        rows += measure_rolled(install_peers(), counts.batches)
    if "turns" in arguments.only:
        rows += measure_turns(counts)
    if "presses" in arguments.only:
        rows += measure_presses(arguments.site.resolve(), counts)
    if "boards" in arguments.only:
        rows += measure_boards(counts)
    if "odds" in arguments.only:
        rows += measure_odds(install_peers(), counts) + odds_page_rows(_built(arguments.site))
    if "hostile" in arguments.only:
        rows += measure_hostile(counts)
    if "pages" in arguments.only:
        ours, stock = measure_first_rolls(_built(arguments.site), counts.visits, counts.slow_visits)
        rows += first_roll_rows(ours, stock)
        results["pages"] = {side.name: side.summary() for side in (ours, stock)}
    if "engines" in arguments.only:
        against = _built(arguments.against) if arguments.against else None
        measured = measure_engines(_built(arguments.site), against, counts.launches, tuple(arguments.engines))
        rows += engines_rows(measured, f"our {commit_of(against)}" if against else "stock Pyodide")
        results["engines"] = {engine: [asdict(side) for side in sides] for engine, sides in measured.items()}
    goals = goals_of(rows) + odds_goals(rows) + engines_goals(rows)
    print(f"\n{table(rows)}\n\nA ratio is the peer's figure divided by ours: more than 1 is good for us.\n")
    if busy > 0.5:
        print(
            f"The machine was busy with other work at the start ({busy:.1f} processes a core): don't trust the times.\n"
        )
    for goal in goals:
        print(f"{'reached' if goal.reached else 'MISSED '}  {goal.what}: {goal.measured}")
    results |= {"rows": [asdict(row) for row in rows], "goals": [asdict(goal) for goal in goals]}
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False, default=str) + "\n", encoding="utf-8")
    if not arguments.quick:
        append_history(rows, busy)
    hold_to(goals)


if __name__ == "__main__":
    main()
