"""Faces: where they come from, and that a die has them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Protocol

from scratch_core.dice.notation import refuse
from scratch_core.errors import shown


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
            refuse("dice.faces.few", f"a face of a d{sides} as face {self.used + 1}", "no more faces", "faces")
        self.used += 1
        return self.faces[self.used - 1]

    def finish(self) -> None:
        """Raise `dice.faces.many` when faces are left over."""
        if self.used < len(self.faces):
            rest = shown(self.faces[self.used])
            expected = {0: "no faces", 1: "one face"}.get(self.used, f"{self.used:,} faces")
            refuse("dice.faces.many", expected, f"{len(self.faces):,}, with {rest} as face {self.used + 1}", "faces")


def throw(roller: Roller, sides: int, place: int = 1) -> int:
    """Take one face from a roller and see that a die with so many sides has it.

    Whatever stands in for a die gives a whole number from 1 to `sides` (`roll.die-substitute`); anything else raises
    `dice.face`, which names the face by its `place` in the roll.
    """
    face = roller.roll(sides)
    if type(face) is not int or not 1 <= face <= sides:
        refuse(
            "dice.face",
            f"a whole number from 1 to {sides} as face {place}",
            shown(face),
            "faces",
            "roll.die-substitute",
        )
    return face
