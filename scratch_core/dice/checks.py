"""Checks of the rulebook: one d20 plus modifiers against a difficulty."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from scratch_core.dice.rollers import SIDES, is_face, refuse_face
from scratch_core.figures import Figure, Part


@dataclass(frozen=True, slots=True)
class Check:
    """A total compared with a difficulty."""

    figure: Figure
    """The die roll and its modifiers."""
    difficulty: int
    """The total that succeeds."""
    automatic: bool
    """Whether the die roll is 20, which succeeds with any total."""

    @property
    def total(self) -> int:
        """The die roll plus the modifiers (`roll.modifier`)."""
        return self.figure.value

    @property
    def is_success(self) -> bool:
        """Whether the check succeeds.

        It succeeds if the total is at least the difficulty (`roll.success`), and always on a natural 20
        (`roll.auto-success`). Otherwise it fails (`roll.failure`). A natural 1 has no effect of its own
        (`roll.no-auto-fail`).
        """
        return self.automatic or self.total >= self.difficulty


def check(face: int, modifiers: Iterable[Part], difficulty: int) -> Check:
    """Compare a d20's face plus its modifiers with a difficulty.

    `face` is the face of one d20 (`roll.d20`), 1 to 20. Modifiers may be negative (`roll.modifier`). Raises `dice.face`
    for a face that a d20 does not have (`roll.die-substitute`).
    """
    if not is_face(face):
        refuse_face(face, SIDES, f"a whole number from 1 to {SIDES}", "face")
    figure = Figure("roll", (Part("die roll", face, "roll.d20"), *modifiers))
    return Check(figure, difficulty, face == SIDES)


def face_needed(modifier: int, difficulty: int) -> int:
    """Return the lowest face of a d20 that succeeds, 1 to 20.

    Returns 20 for difficulties above 19 + modifier (`roll.beyond-reach`), and 1 if every face reaches the difficulty
    (`roll.no-auto-fail`).
    """
    return max(1, min(SIDES, difficulty - modifier))


def chance_of_check(modifier: int, difficulty: int) -> Fraction:
    """Return the exact chance of success, from 1/20 to 1 (`roll.beyond-reach`)."""
    return Fraction(SIDES + 1 - face_needed(modifier, difficulty), SIDES)
