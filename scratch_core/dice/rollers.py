"""Faces: where they come from, and that a die has them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import NoReturn, Protocol

from scratch_core.dice.notation import refuse
from scratch_core.errors import format_input


class Roller(Protocol):
    """A source of faces: a person at a table, a record, or the system's randomness."""

    def roll(self, sides: int) -> int:
        """Give one face of a die with so many sides, from 1 to `sides`."""
        ...


class SystemRoller:
    """Faces from the operating system's randomness, each as likely as the others: the only randomness of the engine."""

    def roll(self, sides: int) -> int:
        """Give a face from 1 to `sides` (`roll.d20`)."""
        return secrets.randbelow(sides) + 1


class RecordedFaces:
    """Faces known beforehand, given out in their order, to replay a roll."""

    def __init__(self, faces: Iterable[int]) -> None:
        """Begin with the first of the faces."""
        self.faces = tuple(faces)
        self.used = 0

    def roll(self, sides: int) -> int:
        """Give the next face; raises `dice.faces.few` when there is none left."""
        if self.used == len(self.faces):
            place = self.used + 1
            expected = f"a face of a d{sides} as face {place}"
            refuse("dice.faces.few", expected, "no more faces", "faces", place=place, sides=sides)
        self.used += 1
        return self.faces[self.used - 1]

    def finish(self) -> None:
        """Raise `dice.faces.many` when faces are left over."""
        if self.used < len(self.faces):
            rest = format_input(self.faces[self.used])
            expected = {0: "no faces", 1: "one face"}.get(self.used, f"{self.used:,} faces")
            got, given = f"{len(self.faces):,}, with {rest} as face {self.used + 1}", len(self.faces)
            refuse("dice.faces.many", expected, got, "faces", needed=self.used, given=given)


def throw(roller: Roller, sides: int, place: int = 1) -> int:
    """Take one face from a roller and see that a die with so many sides has it.

    Whatever stands in for a die gives a whole number from 1 to `sides` (`roll.die-substitute`); anything else raises
    `dice.face`, which names the face by its `place` in the roll.
    """
    face = roller.roll(sides)
    if type(face) is not int or not 1 <= face <= sides:
        refuse_face(face, sides, f"a whole number from 1 to {sides} as face {place}", "faces")
    return face


def refuse_face(face: object, sides: int, expected: str, where: str) -> NoReturn:
    """Raise `dice.face` for a number that a die with so many sides does not have."""
    refuse("dice.face", expected, format_input(face), where, "roll.die-substitute", sides=sides)
