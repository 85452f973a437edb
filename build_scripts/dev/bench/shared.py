"""What the works of the bench share: a clock, and dice that fall alike.

The clock is that of the processor where it is told, so that the work of others does not count.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable


def measure_milliseconds(job: Callable[[], object]) -> float:
    """Time one run of a job."""
    start = time.process_time()
    job()
    return 1000 * (time.process_time() - start)


def compute_median(numbers: Iterable[float]) -> float:
    """The middle one, or the higher of the two in the middle."""
    ordered = sorted(numbers)
    return ordered[len(ordered) // 2]


def measure_median(job: Callable[[], object], runs: int) -> float:
    """The median over so many runs of a job."""
    return compute_median(measure_milliseconds(job) for _ in range(runs))


class RepeatableDice:
    """The same faces each time: the bench does the same work in each run."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def roll(self, sides: int) -> int:
        """A face."""
        self.state = (self.state * 1103515245 + 12345) % 2**31
        return self.state // 2**11 % sides + 1
