"""What a fight is called in a list of several: who fights, and how far it has come."""

from __future__ import annotations

from collections.abc import Iterable

from scratch_core.calculators.words import one_line

NAME_LIMIT = 90
"""Characters of a fight's name."""

_NAMED = 2
"""As many of a side are called by their names; more are counted."""


def who_fights(people: Iterable[tuple[str, str]]) -> str:
    """Everybody's sides against each other, from names and sides in order; "" when there is nobody.

    A side of one or two is called by their names, a larger one by its number and its own name.
    """
    sides: dict[str, list[str]] = {}
    for name, side in people:
        sides.setdefault(side, []).append(name)
    return " against ".join(_side_words(side, names) for side, names in sides.items())


def fight_name(people: Iterable[tuple[str, str]], stage: str) -> str:
    """A fight's name in at most `NAME_LIMIT` characters: who fights, and the stage it has come to, "round 3"."""
    who = one_line(who_fights(people), NAME_LIMIT - len(stage) - 3)
    return f"{who} · {stage}" if who else ""


def _side_words(side: str, names: list[str]) -> str:
    return " and ".join(names) if len(names) <= _NAMED else f"{len(names)} {side}"
