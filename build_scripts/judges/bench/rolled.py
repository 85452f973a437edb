"""`d20+5` rolled by our engine and by Avrae's d20, batch about: `python -m build_scripts.judges.bench.rolled BATCHES`.

Run in the environment of the peers. Prints JSON: for each way of rolling the median over the batches, in microseconds a
roll. Both keep what they have read of an expression; the ways called `read anew` read it again for every roll.
"""

from __future__ import annotations

import importlib.metadata
import json
import statistics
import sys
import time
from collections.abc import Callable

import d20

from scratch_core.dice import SystemRoller, parse, roll

EXPRESSION = "d20+5"
ROLLS = 500
"""Rolls in a batch."""


def ours() -> object:
    """Parse, and roll with the system's randomness."""
    return roll(parse(EXPRESSION), SystemRoller())


def ours_anew() -> object:
    """The same with nothing kept from earlier rolls."""
    parse.cache_clear()
    return ours()


def peer() -> object:
    """Roll as d20's documentation does."""
    return d20.roll(EXPRESSION)


def peer_anew() -> object:
    """The same with nothing kept from earlier rolls."""
    return d20.Roller().roll(EXPRESSION)


WAYS = {"ours": ours, "d20": peer, "ours, read anew": ours_anew, "d20, read anew": peer_anew}


def microseconds(way: Callable[[], object]) -> float:
    """Time one batch, per roll."""
    start = time.perf_counter()
    for _ in range(ROLLS):
        way()
    return 1e6 * (time.perf_counter() - start) / ROLLS


def measure(batches: int) -> dict[str, object]:
    """Time every way, one batch of each after the other, after one batch that does not count."""
    times: dict[str, list[float]] = {name: [] for name in WAYS}
    for number in range(batches + 1):
        for name, way in WAYS.items():
            taken = microseconds(way)
            if number:
                times[name].append(taken)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    return {"medians_us": medians, "version": importlib.metadata.version("d20")}


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
