"""What a strength carries, in kilograms and in pounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scratch_core.errors import Problem, ScratchError, shown

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


@dataclass(frozen=True, slots=True)
class Load:
    """A weight held against a limit. Over it nothing is forbidden, nothing settled: the game master asks for a roll."""

    effort: Effort
    weight_kg: float
    limit_kg: int

    @property
    def over_kg(self) -> float:
        """Kilograms above the usual limit, 0 within it."""
        return max(0, self.weight_kg - self.limit_kg)

    @property
    def needs_gm_roll(self) -> bool:
        """Whether the game master decides by a roll. Rule: `carry.soft`."""
        return self.over_kg > 0


def weights(strength: int) -> Weights:
    """The weights of a strength: 2, 5 and 10 kg a point; 4.4, 11 and 22 lb a point, to the nearest 1, 5 and 10 lb.

    A half goes up. The formulas serve any strength from 0, on the printed table and off it; raises `ScratchError`
    below 0. Rules: `carry.pack`, `carry.short`, `carry.lift`, `carry.table`.
    """
    if strength < 0:
        raise ScratchError(Problem("carry.strength", "a strength of 0 or more", shown(strength), "strength"))
    return Weights(
        strength,
        pack_kg=2 * strength,
        pack_lb=_nearest(44 * strength, 1),
        carry_kg=5 * strength,
        carry_lb=_nearest(110 * strength, 5),
        lift_kg=10 * strength,
        lift_lb=_nearest(220 * strength, 10),
    )


def load(strength: int, effort: Effort, weight_kg: float) -> Load:
    """Hold a weight in kilograms against what a strength usually bears. Rules: `carry.soft`, `carry.drag`.

    Raises `ScratchError` for a weight that is no number of 0 or more.
    """
    if not weight_kg >= 0:
        raise ScratchError(Problem("carry.weight", "a weight of 0 kg or more", shown(weight_kg), "weight_kg"))
    return Load(effort, weight_kg, weights(strength).limit_kg(effort))


def _nearest(tenths: int, step: int) -> int:
    """Tenths of a pound to the nearest `step` pounds, half up."""
    return (2 * tenths + 10 * step) // (20 * step) * step
