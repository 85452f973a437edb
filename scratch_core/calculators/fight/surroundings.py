"""What the place of a fight without a map offers everyone in it: cover, things to throw, water and the like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.fight.session import format_compact_json
from scratch_core.turn_systems import CHANGE_SURROUNDINGS

SURROUNDINGS_OFFERED = (
    ("cover", "Cover nearby"),
    ("throwable", "Things to throw"),
    ("climbable", "Something to climb"),
    ("open-air", "Open air"),
    ("water", "Water"),
    ("deep-water", "Deep water"),
)
"""The surroundings that a page offers to set, each with its words."""


@dataclass(frozen=True, slots=True)
class Surrounding:
    """Something that the place may offer: its word, what a button says, and whether everyone has it around them."""

    word: str
    label: str
    is_there: bool

    @property
    def toggle_command(self) -> str:
        """What changes it in a set-up."""
        return f"here {self.word} {'off' if self.is_there else 'on'}"

    @property
    def gm_step(self) -> str:
        """The game master's step that changes it in a fight."""
        return format_compact_json({"do": CHANGE_SURROUNDINGS, "what": self.word, "on": not self.is_there})


def list_surroundings(fighters: Sequence[Any]) -> tuple[Surrounding, ...]:
    """Find what the place offers everyone in a fight. Rule: `move.terrain`."""
    return tuple(
        Surrounding(word, words, all(word in each.here for each in fighters)) for word, words in SURROUNDINGS_OFFERED
    )
