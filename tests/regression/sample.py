"""The seed and the size of a random sample.

The seed is a hash of the project's files, so each change samples other situations. `SEED=12ab34` repeats a sample, and
`FULL=1` tries the full sample.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from random import Random

from build_scripts.paths import ROOT

HASHED_FOLDERS = ("docs", "scratch_core", "site_overrides", "tests")


@cache
def seed() -> str:
    """Return the seed of the sample.

    It is the environment variable `SEED` where it is set, otherwise eight hexadecimal digits of the hash of the files.
    """
    if given := os.environ.get("SEED"):
        return given
    digest = hashlib.sha256()
    for folder in HASHED_FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.relative_to(ROOT).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:8]


def generator(name: str) -> Random:
    """Return the random numbers of a test, the same in every process.

    This prints the seed for the report of a failure.
    """
    print(f"SEED={seed()} repeats this sample of {name}.")
    return Random(f"{seed()} {name}")


def sample_size(part: int, *, full: int) -> int:
    """Return how many situations to try: `part`, or all with `FULL=1`."""
    return full if os.environ.get("FULL") else part
