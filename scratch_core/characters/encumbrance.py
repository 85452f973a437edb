"""What a strength carries, in kilograms and in pounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scratch_core.errors import Problem, ScratchError, format_input

Effort = Literal["pack", "carry", "lift", "drag"]


@dataclass(frozen=True, slots=True)
class Weights:
    """The usual limits of one strength: a pack all day, a load for a few minutes, a lift in place.

    What can be lifted can also be dragged a short way (`carry.drag`).
    """

    strength: int
    pack_kg: int
    pack_lb: int
    carry_kg: int
    carry_lb: int
    lift_kg: int
    lift_lb: int

    def limit_kg(self, effort: Effort) -> int:
        """The limit for an effort in kilograms. Rule: `carry.drag` (a drag is as heavy as a lift)."""
        return {"pack": self.pack_kg, "carry": self.carry_kg, "lift": self.lift_kg, "drag": self.lift_kg}[effort]


def compute_weights(strength: int) -> Weights:
    """The weights of a strength: 2, 5 and 10 kg a point; 4.4, 11 and 22 lb a point, to the nearest 1, 5 and 10 lb.

    A half goes up. The formulas serve any strength from 0, on the printed table and off it; raises `ScratchError`
    below 0; nothing refuses more (`carry.soft`). Rules: `carry.pack`, `carry.short`, `carry.lift`, `carry.table`.
    """
    if strength < 0:
        raise ScratchError(Problem("carry.strength", "a strength of 0 or more", format_input(strength), "strength"))
    return Weights(
        strength,
        pack_kg=2 * strength,
        pack_lb=_nearest(44 * strength, 1),
        carry_kg=5 * strength,
        carry_lb=_nearest(110 * strength, 5),
        lift_kg=10 * strength,
        lift_lb=_nearest(220 * strength, 10),
    )


def _nearest(tenths: int, step: int) -> int:
    """Tenths of a pound to the nearest `step` pounds, half up."""
    return (2 * tenths + 10 * step) // (20 * step) * step
