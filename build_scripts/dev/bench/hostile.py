"""Time the slowest response to a hostile input in this process and inside Pyodide, in milliseconds.

Each input of tests/fuzz is put into the first three controls of each calculator. The slowest input is printed. A
response's time is the shortest of three tries, because a pause of the machine is not the input's fault.
"""

from __future__ import annotations

import json
import sys
from functools import partial

from build_scripts.dev.bench.shared import measure_cpu_milliseconds
from build_scripts.render import answer_json_request
from tests.fuzz import HOSTILE, calculators, controls, typed

MAX_CONTROLS = 3
TRIES = 3


def measure(rounds: int) -> dict[str, float]:
    """Measure the slowest response to hostile input, in milliseconds.

    Returns this one time under its name, and prints which request it was. Each request is sent up to `TRIES` times, and
    its shortest time counts. With 0 rounds only the empty pages are requested."""
    queries = {(calculator, "the page"): "" for calculator in calculators()}
    for calculator in calculators() if rounds else ():
        _measure_answer(
            calculator, ""
        )  # the first request loads modules and templates, which a page does before the user types
        for control in controls(calculator)[:MAX_CONTROLS]:
            queries |= {(calculator, f"{control} = {name}"): f"{control}={typed(name)}" for name in HOSTILE}
    times = {
        each: min(_measure_answer(each[0], query) for _ in range(min(rounds, TRIES) or 1))
        for each, query in queries.items()
    }
    slowest = max(times, key=lambda each: times[each])
    print(f"  slowest: {', '.join(slowest)}", file=sys.stderr)
    return {"slowest hostile answer": times[slowest]}


def _measure_answer(calculator: str, query: str) -> float:
    request = json.dumps({"name": calculator, "query": query, "ask": True, "uid": "c1", "root": "../../"})
    return measure_cpu_milliseconds(partial(answer_json_request, request))
