"""Roll dice, and exact chances of rolls."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from scratch_core import dice
from scratch_core.dice import Distribution, Roll, SystemRoller, compute_distribution, roll_recorded


def roll(notation: str, *, against: int | None = None, faces: Iterable[int] | None = None) -> Roll:
    """Roll dice, at random or with known faces.

    `against` is the difficulty of a check. Raises `ScratchError` for invalid notation, and for faces that are too few,
    too many or impossible. Rules: `roll.check`, `roll.auto-success`.
    """
    if faces is None:
        return dice.roll(notation, SystemRoller(), against)
    return roll_recorded(notation, faces, against)


def chance(notation: str, against: int) -> Fraction:
    """Return the exact chance that a roll succeeds, from 0 to 1.

    Raises `ScratchError` for invalid notation. Rules: `roll.success`, `roll.auto-success`.
    """
    return dice.chance(notation, against)


def distribution(notation: str) -> Distribution:
    """Count the outcomes of a roll by total.

    Raises `ScratchError` for invalid notation, and for too many dice.
    """
    return compute_distribution(notation)
