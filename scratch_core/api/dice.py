"""Roll dice, at random or with known faces."""

from __future__ import annotations

from collections.abc import Iterable

from scratch_core import dice
from scratch_core.dice import Roll, SystemRoller, roll_recorded


def roll(notation: str, *, against: int | None = None, faces: Iterable[int] | None = None) -> Roll:
    """Roll dice, at random or with known faces.

    `against` is the difficulty of a check. Raises `ScratchError` for invalid notation, and for faces that are too few,
    too many or impossible. Rules: `roll.check`, `roll.auto-success`.
    """
    if faces is None:
        return dice.roll(notation, SystemRoller(), against)
    return roll_recorded(notation, faces, against)
