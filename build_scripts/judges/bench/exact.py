"""One exact distribution by one library, timed in this process.

`python -m build_scripts.judges.bench.exact ours 100d20`
Run in the environment of the peers. Prints JSON: `cold_ms` (the first time in this process, all imports done),
`warm_ms` (the median of the times after it), and `digest`, which is equal where the distributions are.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import math
import statistics
import sys
import time
from collections.abc import Callable, Iterable

WARM_RUNS = 15
WARM_SECONDS = 1.0
"""After so long no more warm runs are begun; there is always one."""

Job = Callable[[], Iterable[tuple[int, int]]]


def ours(work: str) -> Job:
    """Our engine: the notation is read and counted."""
    from scratch_core.dice import distribution, parse

    def job() -> Iterable[tuple[int, int]]:
        parse.cache_clear()  # reading the notation is part of the work
        return distribution(parse(work)).counts.items()

    return job


def icepool(work: str) -> Job:
    """Icepool, as its documentation does it."""
    import icepool

    def job() -> Iterable[tuple[int, int]]:
        totals = 100 @ icepool.d20 if work == "100d20" else icepool.d20.highest(20, keep=10)
        counts: Iterable[tuple[int, int]] = totals.items()
        return counts

    return job


def dyce(work: str) -> Job:
    """Dyce, as its documentation does it."""
    from dyce import H, P

    def job() -> Iterable[tuple[int, int]]:
        totals = 100 @ H(20) if work == "100d20" else (20 @ P(20)).at(slice(-10, None))
        counts: Iterable[tuple[int, int]] = totals.items()
        return counts

    return job


LIBRARIES = {"ours": ours, "icepool": icepool, "dyce": dyce}


def digest(counts: Iterable[tuple[int, int]]) -> str:
    """A name for a distribution: its counts, shortened by their common divisor, by rising total."""
    ways = {int(total): int(number) for total, number in counts if number}
    common = math.gcd(*ways.values())
    text = " ".join(f"{total}:{ways[total] // common}" for total in sorted(ways))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def milliseconds(job: Job) -> float:
    """Time one run of a job."""
    start = time.perf_counter()
    job()
    return 1000 * (time.perf_counter() - start)


def measure(library: str, work: str) -> dict[str, object]:
    """Time a library at a work, cold then warm."""
    job = LIBRARIES[library](work)
    cold = milliseconds(job)
    warm = [milliseconds(job)]
    while len(warm) < WARM_RUNS and sum(warm) < 1000 * WARM_SECONDS:
        warm.append(milliseconds(job))
    version = "" if library == "ours" else importlib.metadata.version(library)
    return {"cold_ms": cold, "warm_ms": statistics.median(warm), "digest": digest(job()), "version": version}


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:3])))
