"""The slowest answers to hostile inputs, in this process: `python -m build_scripts.judges.bench.hostile ROUNDS`.

Also run inside Pyodide, by pyodide.mjs. Prints JSON, in milliseconds: for each calculator the slowest of its answers to
the inputs of tests/hostile, each in the controls that matter most, and the input's name. An answer's time
is the shortest of ROUNDS tries: a pause of the machine is not the input's fault.
"""

from __future__ import annotations

import json
import sys
import time

from build_scripts.calculator_html import answer
from tests.hostile import HOSTILE, calculators, controls, typed

MOST_CONTROLS = 3
"""As many of a calculator's controls as each input is tried in, the weightiest first."""


def measure(rounds: int) -> dict[str, tuple[float, str]]:
    """For each calculator the slowest answer in milliseconds and what was asked, as `control = name of the input`.

    With no rounds none is asked, and the figure is that of the page alone.
    """
    if not rounds:
        return {calculator: (_one(calculator, ""), "the page") for calculator in calculators()}
    slowest: dict[str, tuple[float, str]] = {}
    for calculator in calculators():
        _one(calculator, "")  # the first answer loads modules and templates; a page does that before anybody types
        times = {
            f"{control} = {name}": min(_one(calculator, f"{control}={typed(name)}") for _ in range(rounds))
            for control in controls(calculator)[:MOST_CONTROLS]
            for name in HOSTILE
        }
        worst = max(times, key=lambda asked: times[asked])
        slowest[calculator] = times[worst], worst
    return slowest


def _one(calculator: str, query: str) -> float:
    request = json.dumps({"name": calculator, "query": query, "ask": True, "uid": "c1", "root": "../../"})
    start = time.perf_counter()
    answer(request)
    return 1000 * (time.perf_counter() - start)


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
