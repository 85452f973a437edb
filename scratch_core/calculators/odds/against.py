"""A character against others of the cast, one after the other, and what one more level of an ability is worth.

Each duel is worked on when those before it are known, for a share of work of its own: what it comes to by then stands,
as bounds where it isn't solved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scratch_core.calculators.odds.pairs import Other, Table, Terms
from scratch_core.calculators.odds.working import chance_of
from scratch_core.calculators.slices import GoOn
from scratch_core.odds import Bounds

TOO_LARGE = "too large to work out"


@dataclass(frozen=True, slots=True)
class Against:
    """Somebody of the cast, and the chance to win against it: in words, "" while it isn't known, and as bounds."""

    id: str
    name: str
    chance: str
    bounds: Bounds | None = None


def against_each(table: Table, others: Sequence[Other], terms: Terms, go_on: GoOn) -> tuple[tuple[Against, ...], bool]:
    """A character's chances against each of the others, in their order; and whether that is all."""
    known = [against_one(table, other, terms, go_on) for other in others]
    return tuple(row for row, _ in known), all(is_all for _, is_all in known)


def against_one(table: Table, other: Other, terms: Terms, go_on: GoOn) -> tuple[Against, bool]:
    """A character's chance against another; and whether that is all."""
    member, name, theirs = other
    bounds, is_all = chance_of([table, theirs], 0, terms, go_on)
    return Against(member, name, words(bounds, is_all=is_all), bounds), is_all


def words(bounds: Bounds | None, *, is_all: bool) -> str:
    """A chance in percent; "" while it is worked on, and a word for one of which nothing could be found."""
    if not is_all:
        return ""
    return TOO_LARGE if bounds is None or bounds.high - bounds.low >= 1 else bounds.words


def worths(
    raised: Mapping[str, Sequence[Table]], place: int, now: Bounds, terms: Terms, go_on: GoOn
) -> tuple[dict[str, float | None], bool]:
    """What one more level of each ability adds to the chance to win, which is exactly `now`; and whether that is all.

    `raised` are the two characters with that level, by ability, `place` says which of them has it. Left out is what
    isn't known by now; None stands for what is too large to be solved.
    """
    found: dict[str, float | None] = {}
    is_whole = True
    for ability, more in raised.items():
        bounds, is_all = chance_of(more, place, terms, go_on)
        is_whole = is_whole and is_all
        if is_all:
            is_exact = bounds is not None and bounds.low == bounds.high
            found[ability] = bounds.low - now.low if bounds and is_exact else None
    return found, is_whole
