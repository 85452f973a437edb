"""A character against others of the cast, one after the other, and what one more level of an ability is worth.

Each duel is worked on when those before it are known, for a share of work of its own: what it comes to by then stands,
as bounds where it isn't solved.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scratch_core.calculators.odds.pairs import tree_of
from scratch_core.calculators.odds.working import chance_of
from scratch_core.calculators.slices import GoOn
from scratch_core.catalogue import Setting
from scratch_core.odds import Bounds, Escape, Order

Other = tuple[str, str, Mapping[str, Any]]
"""Somebody of the cast: the id, the name, and the character as a scenario has it."""

TOO_LARGE = "too large to work out"


@dataclass(frozen=True, slots=True)
class Terms:
    """How two are set against each other: the ground, over their own; what an escape counts as; who begins; rulings."""

    here: Sequence[str] = ()
    escape: Escape = "draw"
    begins: Order = "initiative"
    rulings: Mapping[str, Setting] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Against:
    """Somebody of the cast, and the chance to win against it: in words, "" while it isn't known, and as bounds."""

    id: str
    name: str
    chance: str
    bounds: Bounds | None = None


def against_each(
    table: Mapping[str, Any], others: Sequence[Other], terms: Terms, go_on: GoOn
) -> tuple[tuple[Against, ...], bool]:
    """A character's chances against each of the others, in their order; and whether that is all."""
    known = [against_one(table, other, terms, go_on) for other in others]
    return tuple(row for row, _ in known), all(is_all for _, is_all in known)


def against_one(table: Mapping[str, Any], other: Other, terms: Terms, go_on: GoOn) -> tuple[Against, bool]:
    """A character's chance against another; and whether that is all."""
    member, name, theirs = other
    bounds, is_all = _chance([table, theirs], 0, terms, go_on)
    return Against(member, name, words(bounds, is_all=is_all), bounds), is_all


def words(bounds: Bounds | None, *, is_all: bool) -> str:
    """A chance in percent; "" while it is worked on, and a word for one of which nothing could be found."""
    if not is_all:
        return ""
    return TOO_LARGE if bounds is None or bounds.high - bounds.low >= 1 else bounds.words


def worths(
    raised: Mapping[str, Sequence[Mapping[str, Any]]], place: int, now: Bounds, terms: Terms, go_on: GoOn
) -> tuple[dict[str, float | None], bool]:
    """What one more level of each ability adds to the chance to win, which is exactly `now`; and whether that is all.

    `raised` are the two characters with that level, by ability, `place` says which of them has it. Left out is what
    isn't known by now; None stands for what is too large to be solved.
    """
    found: dict[str, float | None] = {}
    is_whole = True
    for ability, more in raised.items():
        bounds, is_all = _chance(more, place, terms, go_on)
        is_whole = is_whole and is_all
        if is_all:
            is_exact = bounds is not None and bounds.low == bounds.high
            found[ability] = bounds.low - now.low if bounds and is_exact else None
    return found, is_whole


def _chance(tables: Sequence[Mapping[str, Any]], place: int, terms: Terms, go_on: GoOn) -> tuple[Bounds | None, bool]:
    chances, is_all = chance_of(tree_of(tables, terms.here, terms.rulings), terms.escape, place, go_on)
    return (chances[terms.begins] if chances else None), is_all
