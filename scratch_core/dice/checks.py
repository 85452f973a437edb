"""The rulebook's roll: one d20, what is added to it, and a difficulty to meet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from scratch_core.dice.faces import refuse_face
from scratch_core.figures import Figure, Part

SIDES = 20


@dataclass(frozen=True, slots=True)
class Check:
    """A sum held against a difficulty. `automatic`: the face is 20, so that it succeeds whatever the sum is."""

    figure: Figure
    difficulty: int
    automatic: bool

    @property
    def total(self) -> int:
        """Face and modifiers together (`roll.modifier`)."""
        return self.figure.value

    @property
    def success(self) -> bool:
        """Whether the check succeeds.

        It does when the total reaches the difficulty, equality included (`roll.success`), and always with a face of 20
        (`roll.auto-success`); otherwise it fails (`roll.failure`). A face of 1 decides nothing (`roll.no-auto-fail`).
        """
        return self.automatic or self.total >= self.difficulty


def check(face: int, modifiers: Iterable[Part], difficulty: int) -> Check:
    """Judge the face of one d20 (`roll.d20`), 1 to 20, with its modifiers, which may be negative (`roll.modifier`).

    Raises `dice.face` for a face that a d20 does not have (`roll.die-substitute`).
    """
    if type(face) is not int or not 1 <= face <= SIDES:
        refuse_face(face, SIDES, f"a whole number from 1 to {SIDES}", "face")
    figure = Figure("roll", (Part("die roll", face, "roll.d20"), *modifiers))
    return Check(figure, difficulty, face == SIDES)


def face_needed(modifier: int, difficulty: int) -> int:
    """The least face of a d20 that succeeds, 1 to 20.

    Beyond 19 + modifier only face 20 does (`roll.beyond-reach`); where every face reaches the difficulty it is 1
    (`roll.no-auto-fail`).
    """
    return max(1, min(SIDES, difficulty - modifier))


def chance_of_check(modifier: int, difficulty: int) -> Fraction:
    """The exact chance of a d20 and a modifier against a difficulty, from 1/20 to 1 (`roll.beyond-reach`)."""
    return Fraction(SIDES + 1 - face_needed(modifier, difficulty), SIDES)
