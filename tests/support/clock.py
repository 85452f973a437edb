"""A guard against hangs: `make bench` measures speed, and a test only checks that the code ends."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.support.sample_counts import IS_IN_BROWSER

MAX_SECONDS = 300.0 if IS_IN_BROWSER else 10.0
"""Seconds of processor time, far beyond what anything here takes, even traced. Pyodide only has the wall clock, which
runs on while other processes use the processor, so the limit there is minutes."""


@contextmanager
def limit_time(what: object = "") -> Iterator[None]:
    """Fail if the body takes so long that a reader would call it hanging."""
    begun = time.process_time()
    yield
    seconds = time.process_time() - begun
    assert seconds < MAX_SECONDS, f"{what} took {seconds:.1f} s"
