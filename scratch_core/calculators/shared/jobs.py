"""Long computations in time slices, with a cache of their progress.

A calculator that works in slices sets `IN_SLICES = True`. Its `view` gets the argument `should_continue`, a
`ShouldContinue` that it calls between two pieces of work. A view that stops early sets `is_incomplete`, and the caller
repeats the request, which continues where the last one stopped. Without the cache the result is the same, but takes
longer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")
ShouldContinue = Callable[[], bool]
"""Whether there is time for one more piece of work."""

MAX_DUEL_HP = 24
"""The most hit points of a fighter whose duel a page solves."""
MAX_DUEL_PIECES = 20_000
"""The most pieces of work that a page does for one duel. A piece takes about a third of a millisecond in CPython."""


def can_always_continue() -> bool:
    """Return True: the site's build and the tests have no time limit."""
    return True


class JobCache(Generic[T]):
    """A cache of computations by key, each with its latest result and the work that is left.

    It holds the `max_jobs` computations that were advanced last.
    """

    def __init__(self, max_jobs: int) -> None:
        self.max_jobs = max_jobs
        self._jobs: dict[object, tuple[Iterator[T | None] | None, T | None]] = {}

    def advance(
        self, key: object, begin: Callable[[], Iterator[T | None]], should_continue: ShouldContinue
    ) -> tuple[T | None, bool]:
        """Advance a computation while `should_continue` allows it.

        Returns the latest result, None if there is none yet, and whether the computation is complete. `begin` starts
        the computation if the cache doesn't have it: an iterator that yields after each piece of work a new result, or
        None if nothing has changed. The last result is the answer. If the iterator raises, this raises the same error
        and the computation is removed from the cache.
        """
        if key not in self._jobs:
            self._jobs[key] = begin(), None
        pieces, latest = self._jobs.pop(key)
        while pieces is not None and should_continue():
            try:
                result = next(pieces)
            except StopIteration:
                pieces = None
            else:
                latest = latest if result is None else result
        self._jobs[key] = pieces, latest
        while len(self._jobs) > self.max_jobs:
            del self._jobs[next(iter(self._jobs))]
        return latest, pieces is None

    def clear(self) -> None:
        """Remove all computations from the cache."""
        self._jobs.clear()
