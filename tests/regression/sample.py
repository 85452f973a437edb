"""The seed and the size of a random sample.

The seed is the same in every run, so that a change elsewhere can't turn a test red by drawing another sample.
`SEED=12ab34` draws another, and `FULL=1` tries all situations.
"""

from __future__ import annotations

import os
from random import Random

SEED = "5c7a7c48"
"""The seed, unless the environment variable `SEED` gives another."""


def generator(name: str) -> Random:
    """Return the random numbers of a test, the same in every process.

    This prints the seed for the report of a failure.
    """
    seed = os.environ.get("SEED") or SEED
    print(f"SEED={seed} repeats this sample of {name}.")
    return Random(f"{seed} {name}")


def sample_size(part: int, *, full: int) -> int:
    """Return how many situations to try: `part`, or all with `FULL=1`."""
    return full if os.environ.get("FULL") else part
