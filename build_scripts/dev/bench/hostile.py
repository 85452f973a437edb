"""The slowest answer to a hostile input, timed in this process, and inside Pyodide, in milliseconds.

It is the slowest of all answers to the inputs of tests/fuzz, each in the three controls of each calculator that
matter most; which input that was is said beside it. An answer's time is the shortest of three tries: a pause of the
machine is not the input's fault.
"""

from __future__ import annotations

import json
import sys
from functools import partial

from build_scripts.dev.bench.shared import measure_milliseconds
from build_scripts.render import answer
from tests.fuzz import HOSTILE, calculators, controls, typed

MAX_CONTROLS = 3
TRIES = 3


def measure(rounds: int) -> dict[str, float]:
    """The slowest answer; with no rounds no input is asked, and the figure is that of the pages alone."""
    asked = {(calculator, "the page"): "" for calculator in calculators()}
    for calculator in calculators() if rounds else ():
        _measure_answer(
            calculator, ""
        )  # the first answer loads modules and templates; a page does that before anyone types
        for control in controls(calculator)[:MAX_CONTROLS]:
            asked |= {(calculator, f"{control} = {name}"): f"{control}={typed(name)}" for name in HOSTILE}
    times = {
        each: min(_measure_answer(each[0], query) for _ in range(min(rounds, TRIES) or 1))
        for each, query in asked.items()
    }
    worst = max(times, key=lambda each: times[each])
    print(f"  slowest: {', '.join(worst)}", file=sys.stderr)
    return {"slowest hostile answer": times[worst]}


def _measure_answer(calculator: str, query: str) -> float:
    request = json.dumps({"name": calculator, "query": query, "ask": True, "uid": "c1", "root": "../../"})
    return measure_milliseconds(partial(answer, request))
