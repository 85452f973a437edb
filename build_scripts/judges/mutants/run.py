"""`make mutants`: mistakes put into the engine one at a time, the share that a test notices, and what is left."""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import time
import tomllib
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from build_scripts.folders import BUILD, ENGINE, ROOT
from build_scripts.judges.mutants.mutate import Mutant, mutants_of
from build_scripts.judges.mutants.session import Baseline, in_child, run_functions, run_module

PACKAGES = ("characters", "actions", "encounter")
TESTS = (
    "tests/core/test_abilities.py",
    "tests/core/test_characters.py",
    "tests/core/test_character_reading.py",
    "tests/core/test_character_reasons.py",
    "tests/core/test_action_outcomes.py",
    "tests/core/test_action_reasons.py",
    "tests/core/test_board_interrupts.py",
    "tests/core/test_board_reasons.py",
    "tests/core/test_turn_reasons.py",
    "tests/core/test_encounter.py",
    "tests/core/test_scenario_board.py",
    "tests/core/test_scenario.py",
    "tests/core/test_calculator_character.py",
    "tests/rules/test_cases.py",
    "tests/rules/test_cases_characters.py",
    "tests/oracle/test_characters_against_oracle.py",
    "tests/oracle/test_fight_against_oracle.py",
)
"""The tests that the mutants are held against: those of rules and figures, none of pages, speed or damaged files."""

KEPT = Path(__file__).with_name("survivors.toml")
FOLDER = BUILD / "mutants"
SEED = 20
SAMPLE = 1600
GOAL = 0.9


def all_mutants() -> list[Mutant]:
    """Every mutant of the packages, in the order of their files."""
    files = [
        file
        for name in PACKAGES
        for file in (sorted((ENGINE / name).glob("*.py")) if (ENGINE / name).is_dir() else [ENGINE / f"{name}.py"])
    ]
    return [mutant for file in files for mutant in mutants_of(file, ROOT)]


def sampled(mutants: Sequence[Mutant], size: int) -> list[Mutant]:
    """So many of them, spread over all functions in turn; the same ones of a function as long as it stays as it is."""
    by_place: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in mutants:
        by_place[mutant.at].append(mutant)
    for place, each in by_place.items():
        random.Random(f"{SEED} {place}").shuffle(each)
    deepest = max(map(len, by_place.values()))
    turns = [each[turn] for turn in range(deepest) for each in by_place.values() if turn < len(each)]
    chosen = {id(mutant) for mutant in turns[:size]}
    return [mutant for mutant in mutants if id(mutant) in chosen]


def main() -> int:
    """Run the mutants asked for, and print what came of them."""
    arguments = _arguments()
    FOLDER.mkdir(parents=True, exist_ok=True)
    mutants = all_mutants()
    if arguments.at:
        mutants = [mutant for mutant in mutants if mutant.at.startswith(arguments.at)]
    if arguments.again:
        left = {tuple(each) for each in json.loads((FOLDER / "survivors.json").read_text())}
        mutants = [mutant for mutant in mutants if (mutant.at, mutant.change) in left]
    found = len(mutants)
    if not (arguments.all or arguments.at or arguments.again):
        mutants = sampled(mutants, arguments.sample)
    print(f"{len(mutants)} of {found} mutants, {len(TESTS)} files of tests", flush=True)
    results = run(mutants)
    return report(mutants, results, goal=0.0 if arguments.at or arguments.again else GOAL)


def run(mutants: Sequence[Mutant]) -> dict[tuple[str, str], str]:
    """What killed each mutant, "" for the survivors. Those of functions share one session of tests."""
    results: dict[tuple[str, str], str] = {}
    begun = time.monotonic()
    log = (FOLDER / "log.txt").open("w", encoding="utf-8")
    screen = os.fdopen(os.dup(1), "w", encoding="utf-8")

    def done(mutant: Mutant, killer: str) -> None:
        results[mutant.at, mutant.change] = killer
        log.write(f"{killer or 'SURVIVED'}\t{mutant.at}\t{mutant.change}\n")
        log.flush()
        if len(results) % 50 == 0:
            survived = sum(not each for each in results.values())
            print(
                f"  {len(results)} tried, {survived} survived, {time.monotonic() - begun:.0f} s",
                file=screen,
                flush=True,
            )

    def functions() -> str:
        baseline, code = run_functions(TESTS, [mutant for mutant in mutants if mutant.function], done)
        return json.dumps(
            {
                "results": [[*key, value] for key, value in results.items()],
                "seconds": baseline.seconds,
                "failed": baseline.failed,
                "code": code,
            }
        )

    told = in_child(functions, loud=True)
    kept = json.loads(told)
    (FOLDER / "seconds.json").write_text(json.dumps(kept["seconds"], indent=1))
    if not kept["seconds"]:
        raise SystemExit(f"the tests could not be collected (pytest gave {kept['code']})")
    if kept["failed"]:
        print(f"  left out, failing without any mutant: {', '.join(kept['failed'])}")
    results |= {(at, change): killer for at, change, killer in kept["results"]}
    baseline = Baseline(seconds=kept["seconds"], failed=kept["failed"])
    for mutant in mutants:
        if not mutant.function:
            done(mutant, run_module(TESTS, mutant, baseline))
    return results


def report(mutants: Sequence[Mutant], results: dict[tuple[str, str], str], *, goal: float) -> int:
    """Print the share killed and the survivors, held against the kept list.

    1 when a survivor is not explained, or a smaller share than `goal` is killed.
    """
    survivors = [mutant for mutant in mutants if not results[mutant.at, mutant.change]]
    (FOLDER / "survivors.json").write_text(json.dumps([[each.at, each.change] for each in survivors], indent=1))
    explained = explanations()
    for name in (*PACKAGES, "all"):
        tried = [mutant for mutant in mutants if name in ("all", mutant.package)]
        killed = sum(bool(results[mutant.at, mutant.change]) for mutant in tried)
        if tried:
            print(f"{name:<12} {killed:5} of {len(tried):5} killed, {killed / len(tried):.1%}")
    open_ = [mutant for mutant in survivors if (mutant.at, mutant.change) not in explained]
    print(f"{len(survivors)} survived, {len(survivors) - len(open_)} of them explained in {KEPT.relative_to(ROOT)}")
    for mutant in open_:
        print(f"  unexplained: {mutant.at}: {mutant.change}")
    dead = [key for key in explained if results.get(key)]
    for at, change in dead:
        print(f"  explained, but killed: {at}: {change}")
    share = 1 - len(survivors) / len(mutants) if mutants else 1
    return 1 if open_ or share < goal else 0


def explanations() -> dict[tuple[str, str], str]:
    """The survivors that are known, by place and change, each with the reason why no test can notice it."""
    kept = tomllib.loads(KEPT.read_text(encoding="utf-8"))
    return {(each["at"], change): each["why"] for each in kept.get("survivor", []) for change in each["changes"]}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=SAMPLE, help=f"how many, spread over all functions ({SAMPLE})")
    parser.add_argument("--all", action="store_true", help="all of them")
    parser.add_argument("--at", default="", help="only those whose place begins so, like encounter._done")
    parser.add_argument("--again", action="store_true", help="only those that survived the last run")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
