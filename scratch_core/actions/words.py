"""Small words that the sentences of a fight are made of."""

from __future__ import annotations

from collections.abc import Sequence

from scratch_core.actions.action import EVERY
from scratch_core.errors import Problem

TITLES = {
    **{do: summary.title.lower() for do, summary in EVERY.items()},
    "end-turn": "end of a turn",
    "settle": "end of the interrupts",
    "check": "check",
    "craft": "crafted bonus",
    "end-encounter": "end of the encounter",
}


def points(count: int) -> str:
    """`1 hit point`, `3 hit points`."""
    return f"{count} hit point{'' if count == 1 else 's'}"


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def broken(rules: str, expected: str, got: str, where: str) -> list[Problem]:
    """Why something is illegal: one problem for each of the rule ids in `rules`, parted by spaces."""
    return [Problem(rule, expected, got, where, rule) for rule in rules.split()]
