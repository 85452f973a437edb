"""The common fields and texts of all pictures."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scratch_core.figures import Figure

WIDTH = 350
"""The width in units; on a phone a unit is a pixel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """The base class of pictures. All positions and sizes are in units."""

    title: str
    """The title."""
    description: str
    """The content in words."""
    height: float
    """The height."""
    width: int = WIDTH
    """The width."""


def join_words(words: Iterable[str]) -> str:
    """Join words to a list in a sentence: `a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def format_parts_as_sum(figure: Figure) -> str:
    """Format a figure's parts as a short sum: `10 + 3 stealth`.

    A base has no name.
    """
    parts = [
        f"{part.value}" if part.label.startswith("base") else f"{part.value} {part.label}" for part in figure.parts
    ]
    return " + ".join(parts)


def format_hit_points(count: int) -> str:
    """Format a number of hit points: `1 hit point`."""
    return f"{count} hit point{'' if count == 1 else 's'}"
