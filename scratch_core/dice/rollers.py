"""Sources of die faces, and their validation."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import NoReturn, Protocol, TypeVar

from scratch_core.dice.notation import refuse
from scratch_core.errors import format_input

SIDES = 20
"""The number of sides of the only die that checks and fights use. Rule: `roll.d20`."""

_Choice = TypeVar("_Choice")


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


class RecordedRoller:
    """A roller that returns known faces in order, to replay a roll."""

    def __init__(self, faces: Iterable[int], fallback: Roller | None = None) -> None:
        """Start at the first face.

        `fallback` rolls the dice after the last face. None: there are no further dice.
        """
        self.faces = tuple(faces)
        self.used = 0
        self.fallback = fallback

    def roll(self, sides: int) -> int:
        """Return the next face.

        Raises `dice.faces.few` if none is left and there is no fallback.
        """
        if self.used == len(self.faces):
            if self.fallback is not None:
                return self.fallback.roll(sides)
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


class SeededRoller:
    """A roller that returns the same faces for the same seed, so that a link or an estimate stays the same."""

    def __init__(self, seed: int) -> None:
        """Start the sequence of the seed, any whole number."""
        self.state = seed

    def roll(self, sides: int) -> int:
        """Return the next face.

        The generator is SplitMix64. Its 64 bits are so many that each face of any die is practically as likely as the
        others.
        """
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % 2**64
        return (mixed ^ mixed >> 31) % sides + 1


class FixedRoller:
    """A roller that always returns the same face, or the highest of each die."""

    def __init__(self, face: int | None = None) -> None:
        """Set the face. None: the highest of each die."""
        self.face = face

    def roll(self, sides: int) -> int:
        """Return the face."""
        return sides if self.face is None else self.face


def roll_valid_face(roller: Roller, sides: int = SIDES, face_number: int = 1) -> int:
    """Roll one die, a d20 unless `sides` is given, and validate its face.

    Any substitute for a die gives a whole number from 1 to `sides` (`roll.die-substitute`). Anything else raises
    `dice.face`, which names the face by its `face_number` in the roll.
    """
    face = roller.roll(sides)
    if not is_face(face, sides):
        refuse_face(face, sides, f"a whole number from 1 to {sides} as face {face_number}", "faces")
    return face


def is_face(face: object, sides: int = SIDES) -> bool:
    """Return whether a die, a d20 unless `sides` is given, has this face."""
    return type(face) is int and 1 <= face <= sides


def choose(roller: Roller, choices: Sequence[_Choice]) -> _Choice:
    """Choose an element by a roll."""
    return choices[roll_valid_face(roller, len(choices)) - 1]


def choose_several(roller: Roller, choices: Sequence[_Choice], count: int) -> list[_Choice]:
    """Choose `count` elements at different places by rolls.

    Returns all in the order of the rolls if there are fewer.
    """
    left, chosen = list(choices), []
    for _ in range(min(count, len(left))):
        chosen.append(left.pop(roll_valid_face(roller, len(left)) - 1))
    return chosen


def refuse_face(face: object, sides: int, expected: str, where: str) -> NoReturn:
    """Raise `dice.face` for a number that a die with `sides` sides does not have."""
    refuse("dice.face", expected, format_input(face), where, "roll.die-substitute", sides=sides)
