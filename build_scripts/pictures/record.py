"""What every picture has, whatever it shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scratch_core.figures import Figure

WIDTH = 350
"""Units across; on a phone a unit is a pixel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture's title, what it shows in words, and its height and width in units."""

    title: str
    description: str
    height: float
    width: int = WIDTH


def join_words(words: Iterable[str]) -> str:
    """A list as one says it: `a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def format_sum(figure: Figure) -> str:
    """A figure's parts as a short sum: `10 + 3 stealth`; a base is not named."""
    parts = [
        f"{part.value}" if part.label.startswith("base") else f"{part.value} {part.label}" for part in figure.parts
    ]
    return " + ".join(parts)


def format_hit_points(count: int) -> str:
    """Hit points in words: `1 hit point`."""
    return f"{count} hit point{'' if count == 1 else 's'}"
