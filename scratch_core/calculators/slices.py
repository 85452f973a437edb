"""Long computations answered in slices: what has been done of each is remembered, by what was asked.

A calculator that works in slices says so by `IN_SLICES = True`; its `view` is given `go_on`, which it asks between two
pieces of work, and an answer that stops before the end calls itself `unfinished`. Whoever asks the same again goes on
where it stopped. An empty memory gives the same answer, only later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")
GoOn = Callable[[], bool]
"""Whether there is time for one more piece of work."""


def to_the_end() -> bool:
    """There is always time: the build's way, and the tests'."""
    return True


class _Work(Generic[T]):
    """A computation under way: what it knows so far, None at first, and the pieces still to come."""

    def __init__(self, pieces: Iterator[T | None]) -> None:
        self.pieces: Iterator[T | None] | None = pieces
        self.known: T | None = None

    def go(self, go_on: GoOn) -> None:
        while self.pieces is not None and go_on():
            try:
                known = next(self.pieces)
            except StopIteration:
                self.pieces = None
            else:
                self.known = self.known if known is None else known


class Slices(Generic[T]):
    """Computations by what they answer; the `most` asked for last are remembered."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._works: dict[object, _Work[T]] = {}

    def known(self, key: object, begin: Callable[[], Iterator[T | None]], go_on: GoOn) -> tuple[T | None, bool]:
        """What is known of a computation after some more pieces of it, and whether that is all.

        `begin` starts it: an iterator that gives, now and then, all that is known by then, and at last the answer.
        What it raises is raised here, and it is forgotten.
        """
        work = self._works.pop(key, None) or _Work(begin())
        work.go(go_on)
        self._works[key] = work
        while len(self._works) > self.most:
            del self._works[next(iter(self._works))]
        return work.known, work.pieces is None

    def forget(self) -> None:
        """Forget everything."""
        self._works.clear()
