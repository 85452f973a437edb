"""Long computations answered in slices: what has been done of each is remembered, by what was asked.

A calculator that works in slices says so by `IN_SLICES = True`; its `view` is given `go_on`, which it asks between two
pieces of work, and an answer that stops before the end calls itself `unfinished`. A request for the same goes on
where it stopped. An empty memory gives the same answer, only later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")
ShouldContinue = Callable[[], bool]
"""Whether there is time for one more piece of work."""

MAX_DUEL_HP = 24
"""As many hit points as anyone may have for a duel to be solved in a page."""
MAX_DUEL_PIECES = 20_000
"""As many pieces of work as a page does for one duel: a piece is about a third of a millisecond under CPython."""


def can_always_continue() -> bool:
    """There is always time: the build's way, and the tests'."""
    return True


class JobCache(Generic[T]):
    """Computations by what they answer, each with its pieces to come; the `max_jobs` asked for last are remembered."""

    def __init__(self, most: int) -> None:
        self.max_jobs = most
        self._jobs: dict[object, tuple[Iterator[T | None] | None, T | None]] = {}

    def advance(
        self, key: object, begin: Callable[[], Iterator[T | None]], go_on: ShouldContinue
    ) -> tuple[T | None, bool]:
        """What is known of a computation after some more pieces of it, and whether that is all.

        `begin` starts it: an iterator that gives, now and then, all that is known by then, and at last the answer.
        What it raises is raised here, and it is forgotten.
        """
        if key not in self._jobs:
            self._jobs[key] = begin(), None
        pieces, known = self._jobs.pop(key)
        while pieces is not None and go_on():
            try:
                found = next(pieces)
            except StopIteration:
                pieces = None
            else:
                known = known if found is None else found
        self._jobs[key] = pieces, known
        while len(self._jobs) > self.max_jobs:
            del self._jobs[next(iter(self._jobs))]
        return known, pieces is None

    def clear(self) -> None:
        """Forget everything."""
        self._jobs.clear()
