"""Explained numbers: a value as the sum of parts, each with its rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Part:
    """One summand of a figure."""

    label: str
    """What it is, in the rulebook's words."""
    value: int
    """How much it adds; may be negative."""
    rule: str
    """The id of the rule that adds it."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A derived number with its reasons. Its value is the sum of its parts."""

    name: str
    """What the number is: `roll`."""
    parts: tuple[Part, ...]
    """The summands, in the order of the explanation."""

    @property
    def value(self) -> int:
        """The sum of the parts."""
        total = 0
        for part in self.parts:  # `sum` over a generator takes twice as long, and every roll needs the total
            total += part.value
        return total

    @property
    def explanation(self) -> str:
        """The sum as text: `10 base + 3 stealth = 13`."""
        words = " + ".join(f"{part.value} {part.label}" for part in self.parts)
        return f"{words} = {self.value}".replace("+ -", "− ")


def format_signed(number: int, without_plus: bool = False) -> str:
    """Format a number with its sign: `+2` or `−1`.

    `without_plus` omits the plus.
    """
    return f"−{-number}" if number < 0 else f"{number}" if without_plus else f"+{number}"


def format_hit_points(count: int) -> str:
    """Format a number of hit points: `1 hit point`, `3 hit points`."""
    return f"{count} hit point{'' if count == 1 else 's'}"


def parts_to_dicts(parts: Iterable[Part]) -> list[dict[str, Any]]:
    """Convert the parts of a sum to JSON."""
    return [{"what": part.label, "value": part.value, "rule": part.rule} for part in parts]
