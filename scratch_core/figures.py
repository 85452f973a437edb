"""Numbers that can be asked why: a value and the parts that it is the sum of, each with its rule."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """One summand: what it is in the rulebook's words, how much it adds, and the rule id that says so."""

    label: str
    value: int
    rule: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A derived number with its reasons. `value` is the sum of the parts' values."""

    name: str
    parts: tuple[Part, ...]

    @property
    def value(self) -> int:
        """The sum of the parts."""
        total = 0
        for part in self.parts:  # a plain loop: `sum` over a generator takes twice as long, and every roll asks for it
            total += part.value
        return total

    @property
    def explanation(self) -> str:
        """The sum in words: `10 base + 3 stealth = 13`."""
        words = " + ".join(f"{part.value} {part.label}" for part in self.parts)
        return f"{words} = {self.value}".replace("+ -", "− ")


def format_signed(number: int, bare: bool = False) -> str:
    """Format a number with its sign, `+2` or `−1`; `bare` leaves the plus out."""
    return f"−{-number}" if number < 0 else f"{number}" if bare else f"+{number}"
