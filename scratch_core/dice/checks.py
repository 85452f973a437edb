"""The rulebook's roll: one d20, what is added to it, and a difficulty to meet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from scratch_core.dice.faces import Roller
from scratch_core.dice.notation import refuse
from scratch_core.errors import shown
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
        refuse("dice.face", "a whole number from 1 to 20", shown(face), "face", "roll.die-substitute")
    figure = Figure("roll", (Part("face", face, "roll.d20"), *modifiers))
    return Check(figure, difficulty, face == SIDES)


def ability_roll(
    ability: Part, difficulty: int, roller: Roller, *, requires: bool = False, modifiers: Iterable[Part] = ()
) -> Check:
    """Roll a d20 with an ability's level, its part's value, against a difficulty; one face is taken from the roller.

    Anyone may try; a level of 1 or more is added, without one the bare face stands (`roll.ability-optional`). Where
    the roll `requires` the ability, level 0 raises `roll.ability-required` and no die is rolled, so that no face of 20
    helps (`roll.ability-required`).
    """
    if requires and ability.value < 1:
        got = f"level {ability.value}"
        refuse("roll.ability-required", "level 1 or more", got, ability.what, "roll.ability-required")
    added = (ability,) if ability.value >= 1 else ()
    return check(roller.roll(SIDES), (*added, *modifiers), difficulty)


def face_needed(modifier: int, difficulty: int) -> int:
    """The least face of a d20 that succeeds, 1 to 20.

    Beyond 19 + modifier only face 20 does (`roll.beyond-reach`); where every face reaches the difficulty it is 1
    (`roll.no-auto-fail`).
    """
    return max(1, min(SIDES, difficulty - modifier))


def chance_of_check(modifier: int, difficulty: int) -> Fraction:
    """The exact chance of a d20 and a modifier against a difficulty, from 1/20 to 1 (`roll.beyond-reach`)."""
    return Fraction(SIDES + 1 - face_needed(modifier, difficulty), SIDES)


@dataclass(frozen=True, slots=True)
class RollPhrase:
    """What the rulebook's wording of a roll asks for."""

    ability: str
    difficulty: int
    requires: bool


_PHRASE = (
    r"(?:beat )?(?:an? )?([a-z ]{1,40}?) roll(?: of (\d{1,7})| \(difficulty (\d{1,7})\))"
    r"( \(requires ([a-z ]{1,40})\))?"
)


def read_roll_phrase(text: str) -> RollPhrase:
    """Read the rulebook's wordings of a roll, which all mean the same test (`roll.notation`).

    "X roll (difficulty N)", "X roll of N" and "beat an X roll of N", each with "(requires X)" after it where the
    ability is needed. Raises `dice.phrase` for another wording.
    """
    match = re.fullmatch(_PHRASE, " ".join(text[:200].lower().split()), re.ASCII)
    if match is None or (match[4] and match[5] != match[1]):
        refuse(
            "dice.phrase",
            "a wording such as 'healing roll of 11 (requires healing)'",
            shown(text),
            "phrase",
            "roll.notation",
        )
    return RollPhrase(match[1], int(match[2] or match[3]), bool(match[4]))
