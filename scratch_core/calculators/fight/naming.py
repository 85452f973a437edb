"""What a fight is called in a list of several: who fights, and how far it has come."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scratch_core.calculators.words import one_line
from scratch_core.turns.hand import listed

NAME_LIMIT = 90
"""Characters of a fight's name."""

_NAMED = 2
"""As many of a side are called by their names; more are counted."""

_MOST_NAMED = 3
"""As many of a side without a name are named; of more the first, and how many others."""

_POINTERS = frozenset(
    ("yours", "theirs", "ours", "mine", "hers", "his", "its", "you", "they", "we", "us", "them", "me")
)


def is_pointer(side: str) -> bool:
    """Whether a side has no name, but points at people, as the character's page calls them: its people are named."""
    return side.lower() in _POINTERS


def named(names: Sequence[str]) -> str:
    """People by their names: `Guard and Rat`, `Guard and 3 others`."""
    return listed(names if len(names) <= _MOST_NAMED else (names[0], f"{len(names) - 1} others"))


def who_fights(people: Iterable[tuple[str, str]]) -> str:
    """Everybody's sides against each other, from names and sides in order; "" when there is nobody.

    A side of one or two is called by their names, a larger one by its number and its own name, if it has one.
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
    return named(names) if len(names) <= _NAMED or is_pointer(side) else f"{len(names)} {side}"
