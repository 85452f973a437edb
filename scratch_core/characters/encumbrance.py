"""The weights that a strength carries, in kilograms and pounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scratch_core.errors import Problem, ScratchError, format_input

Effort = Literal["pack", "carry", "lift", "drag"]


@dataclass(frozen=True, slots=True)
class Weights:
    """The usual limits of one strength. What can be lifted can also be dragged a short way (`carry.drag`)."""

    strength: int
    """The strength."""
    pack_kg: int
    """A pack carried all day, in kilograms."""
    pack_lb: int
    """A pack carried all day, in pounds."""
    carry_kg: int
    """A load carried for a few minutes, in kilograms."""
    carry_lb: int
    """A load carried for a few minutes, in pounds."""
    lift_kg: int
    """A lift in place, in kilograms."""
    lift_lb: int
    """A lift in place, in pounds."""

    def limit_kg(self, effort: Effort) -> int:
        """Return the limit for an effort in kilograms. Rule: `carry.drag`.

        A drag has the limit of a lift.
        """
        return {"pack": self.pack_kg, "carry": self.carry_kg, "lift": self.lift_kg, "drag": self.lift_kg}[effort]


def compute_weights(strength: int) -> Weights:
    """Return the weights of a strength.

    Each point gives 2, 5 and 10 kg, and 4.4, 11 and 22 lb, rounded to the nearest 1, 5 and 10 lb, half up. The formulas
    apply to any strength from 0, also outside the printed table; no limit is enforced (`carry.soft`). Raises
    `ScratchError` below 0. Rules: `carry.pack`, `carry.short`, `carry.lift`, `carry.table`.
    """
    if strength < 0:
        raise ScratchError(Problem("carry.strength", "a strength of 0 or more", format_input(strength), "strength"))
    return Weights(
        strength,
        pack_kg=2 * strength,
        pack_lb=_round_to_pounds(44 * strength, 1),
        carry_kg=5 * strength,
        carry_lb=_round_to_pounds(110 * strength, 5),
        lift_kg=10 * strength,
        lift_lb=_round_to_pounds(220 * strength, 10),
    )


def _round_to_pounds(tenths: int, step: int) -> int:
    """Round tenths of a pound to the nearest `step` pounds, half up."""
    return (2 * tenths + 10 * step) // (20 * step) * step
