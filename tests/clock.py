"""A guard against hangs: how fast something is belongs to `make bench`, a test only sees that it comes to an end."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

HANGS_AFTER = 10.0
"""Seconds of the processor, far beyond what anything here takes on the slowest machine, traced line by line."""


@contextmanager
def in_time(what: object = "") -> Iterator[None]:
    """Fail when what is done within takes so long that a reader would call it hanging."""
    begun = time.process_time()
    yield
    seconds = time.process_time() - begun
    assert seconds < HANGS_AFTER, f"{what} took {seconds:.1f} s"
