"""Sources of die faces, and their validation."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import NoReturn, Protocol

from scratch_core.dice.notation import refuse
from scratch_core.errors import format_input


class Roller(Protocol):
    """A source of faces: a player at the table, a recorded roll, or the system's random number generator."""

    def roll(self, sides: int) -> int:
        """Return the face of one die, from 1 to `sides`."""
        ...


class SystemRoller:
    """Uniform faces from the operating system's random number generator, the engine's only source of randomness."""

    def roll(self, sides: int) -> int:
        """Return a random face from 1 to `sides` (`roll.d20`)."""
        return secrets.randbelow(sides) + 1


class RecordedFaces:
    """A source that returns known faces in order, to replay a roll."""

    def __init__(self, faces: Iterable[int]) -> None:
        """Start at the first face."""
        self.faces = tuple(faces)
        self.used = 0

    def roll(self, sides: int) -> int:
        """Return the next face.

        Raises `dice.faces.few` if none is left.
        """
        if self.used == len(self.faces):
            place = self.used + 1
            expected = f"a face of a d{sides} as face {place}"
            refuse("dice.faces.few", expected, "no more faces", "faces", place=place, sides=sides)
        self.used += 1
        return self.faces[self.used - 1]

    def require_all_used(self) -> None:
        """Raise `dice.faces.many` if faces are left over."""
        if self.used < len(self.faces):
            rest = format_input(self.faces[self.used])
            expected = {0: "no faces", 1: "one face"}.get(self.used, f"{self.used:,} faces")
            got, given = f"{len(self.faces):,}, with {rest} as face {self.used + 1}", len(self.faces)
            refuse("dice.faces.many", expected, got, "faces", needed=self.used, given=given)


def throw(roller: Roller, sides: int, place: int = 1) -> int:
    """Roll one die with a roller and validate its face.

    Any substitute for a die gives a whole number from 1 to `sides` (`roll.die-substitute`). Anything else raises
    `dice.face`, which names the face by its `place` in the roll.
    """
    face = roller.roll(sides)
    if type(face) is not int or not 1 <= face <= sides:
        refuse_face(face, sides, f"a whole number from 1 to {sides} as face {place}", "faces")
    return face


def refuse_face(face: object, sides: int, expected: str, where: str) -> NoReturn:
    """Raise `dice.face` for a number that a die with `sides` sides does not have."""
    refuse("dice.face", expected, format_input(face), where, "roll.die-substitute", sides=sides)
