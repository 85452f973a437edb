"""A clock for the benchmarks: it counts processor time, so that other processes do not count."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable


def measure_cpu_milliseconds(job: Callable[[], object]) -> float:
    """Measure the milliseconds of one run of a job."""
    start = time.process_time()
    job()
    return 1000 * (time.process_time() - start)


def compute_median(numbers: Iterable[float]) -> float:
    """Return the median, or the higher of the two numbers in the middle."""
    ordered = sorted(numbers)
    return ordered[len(ordered) // 2]


def measure_median(job: Callable[[], object], runs: int) -> float:
    """Measure the median milliseconds of this many runs of a job."""
    return compute_median(measure_cpu_milliseconds(job) for _ in range(runs))
