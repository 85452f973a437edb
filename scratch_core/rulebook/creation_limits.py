"""The limits for building a character.

They are here so that a calculator without characters, such as the dice, does not import the package of characters.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits for building a character. Rules: `create.cp`, `create.max-level`, `create.setting` (the table
    decides).
    """

    cp: int
    """The character points to spend."""
    max_level: int
    """The maximum level of an ability."""

    @property
    def min_ability_count(self) -> int:
        """The minimum number of abilities to spend all points on. Rule: `create.above-average`."""
        return -(-self.cp // self.max_level) if self.max_level else 0


AVERAGE = Limits(cp=10, max_level=4)
"""The limits of an average person. Rule: `create.average`."""

ABOVE_AVERAGE = Limits(cp=12, max_level=5)
"""The limits of a slightly stronger character: 12 points need at least three abilities. Rule: `create.above-average`.
"""
