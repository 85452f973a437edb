"""The surroundings of a fight without a map, which all characters share: cover, things to throw, water and the like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.fight.session import format_compact_json
from scratch_core.turn_systems import CHANGE_SURROUNDINGS

SURROUNDING_COMMAND = "surrounding"
"""The command that sets a surrounding of all characters. Its key and `on` or `off` follow it."""

SURROUNDINGS_OFFERED = (
    ("cover", "Cover nearby"),
    ("throwable", "Things to throw"),
    ("climbable", "Something to climb"),
    ("open-air", "Open air"),
    ("water", "Water"),
    ("deep-water", "Deep water"),
)
"""The surroundings that a page offers, each with its label."""


@dataclass(frozen=True, slots=True)
class Surrounding:
    """A kind of surroundings that a fight may have."""

    word: str
    """Its key in files: `cover`."""
    label: str
    """Its label on a button."""
    is_there: bool
    """Whether all characters have it."""

    @property
    def toggle_command(self) -> str:
        """The command that turns it on or off in a setup."""
        return f"{SURROUNDING_COMMAND} {self.word} {'off' if self.is_there else 'on'}"

    @property
    def gm_toggle_step(self) -> str:
        """The GM's step that turns it on or off in a fight, as JSON."""
        return format_compact_json({"do": CHANGE_SURROUNDINGS, "what": self.word, "on": not self.is_there})


def list_surroundings_to_toggle(fighters: Sequence[Any]) -> tuple[Surrounding, ...]:
    """List the surroundings offered, each with whether all characters have it.

    Rule: `move.terrain`.
    """
    return tuple(
        Surrounding(word, label, all(word in each.here for each in fighters)) for word, label in SURROUNDINGS_OFFERED
    )
