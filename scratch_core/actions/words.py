"""Small words that the sentences of a fight are made of."""

from __future__ import annotations

from scratch_core.cards import CARDS
from scratch_core.errors import Problem

TITLES = {do: card.title.lower() for do, card in CARDS.items()}
"""What an action is called within a sentence."""


def points(count: int) -> str:
    """`1 hit point`, `3 hit points`."""
    return f"{count} hit point{'' if count == 1 else 's'}"


def signed(number: int) -> str:
    """Format a number with its sign: `+2`, `−1`."""
    return f"{'−' if number < 0 else '+'}{abs(number)}"


def failing(verb: str) -> str:
    """Return the words for a failed attempt: `fails to hold`."""
    return f"fails to {verb.removesuffix('s')}"


def broken(rules: str, expected: str, got: str, where: str) -> list[Problem]:
    """Why something is illegal: one problem for each of the rule ids in `rules`, separated by spaces."""
    return [Problem(rule, expected, got, where, rule) for rule in rules.split()]
