"""Craftsmanship: temporary bonuses among people who travel together, kept as a frozen book."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from scratch_core.cards import CRAFT
from scratch_core.catalogue import Rulings
from scratch_core.characters.character import DEFAULT_RULINGS, Character, TemporaryBonus
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.figures import Figure, Part

Change = Callable[[Character], Character]

Lost = tuple[str, str, str]
"""A bonus lost to a failed hurried roll: crafter, companion, ability."""

HURRY_DIFFICULTY = CRAFT.difficulty
"""The usual difficulty of adding a bonus in a hurry. Rule: `craft.hurry`."""


@dataclass(frozen=True, slots=True)
class Travellers:
    """Who travels together, and what time they have.

    Names are unique. `unavailable` are the bonuses lost to failed hurried rolls, as (crafter, companion, ability);
    they come back when nobody is in a hurry any more.
    """

    members: tuple[Character, ...]
    in_encounter: bool = False
    in_hurry: bool = False
    unavailable: tuple[Lost, ...] = ()

    def __post_init__(self) -> None:
        """Refuse two travellers of one name: raises `ScratchError`."""
        names = [member.name for member in self.members]
        for name in names:
            if names.count(name) > 1:
                raise ScratchError(Problem("craft.names", "each name once", shown(name), "the travellers"))

    def member(self, name: str) -> Character | None:
        """The traveller of that name, or None."""
        return next((member for member in self.members if member.name == name), None)

    def bonuses_by(self, crafter: str) -> int:
        """How many of a crafter's bonuses stand now. Rule: `craft.bonus`."""
        return sum(bonus.crafter == crafter for member in self.members for bonus in member.bonuses)

    def hurried(self, in_hurry: bool) -> Travellers:
        """The same people in a hurry, or with time again; time brings back what a failed roll took.

        Rules: `craft.hurry`, `craft.hurry-fail`.
        """
        return replace(self, in_hurry=in_hurry, unavailable=self.unavailable if in_hurry else ())

    def without(self, name: str) -> Travellers:
        """The company after somebody has left it: bonuses given by that one are gone. Rule: `craft.duration`."""
        stay = tuple(
            replace(member, bonuses=tuple(bonus for bonus in member.bonuses if bonus.crafter != name))
            for member in self.members
            if member.name != name
        )
        return replace(self, members=stay)


@dataclass(frozen=True, slots=True)
class Crafted:
    """What came of an attempt: the company afterwards, why it was refused (None if allowed), and the hurried roll.

    `success` is false when it was refused or the roll failed; `roll` is None where none was needed.
    """

    travellers: Travellers
    refused: Problem | None = None
    roll: Figure | None = None
    success: bool = False


def add_bonus(  # noqa: PLR0913 -- who, for whom, what, and the roll: a record would only rename them
    travellers: Travellers,
    crafter: str,
    companion: str,
    ability: str,
    *,
    face: int | None = None,
    difficulty: int = HURRY_DIFFICULTY,
    rulings: Rulings = DEFAULT_RULINGS,
) -> Crafted:
    """Place a +1 on a companion's ability; in a hurry `face` is rolled, with craftsmanship added (ruling A36).

    Bonuses already given stay when the crafter's level drops. Raises `ScratchError` for a missing or impossible face.
    Rules: `craft.bonus`, `craft.needs-level`, `craft.one-per-ability`, `craft.encounter-lock`, `craft.hurry`,
    `craft.hurry-fail`, `roll.auto-success`.
    """
    refused = _refusal(travellers, crafter, companion, ability, rulings)
    if refused:
        return Crafted(travellers, refused)
    roll = _hurried_roll(travellers, crafter, face) if travellers.in_hurry else None
    if roll and roll.value < difficulty and face != 20:
        lost = (*travellers.unavailable, (crafter, companion, ability))
        return Crafted(replace(travellers, unavailable=lost), roll=roll)
    bonus = TemporaryBonus(ability, crafter)
    return Crafted(_changed(travellers, companion, lambda member: member.with_bonus(bonus)), None, roll, True)


def remove_bonus(travellers: Travellers, crafter: str, companion: str, ability: str) -> Crafted:
    """Take one's own bonus away again; no roll, hurry or not. Rules: `craft.duration`, `craft.encounter-lock`."""
    member = travellers.member(companion)
    bonus = TemporaryBonus(ability, crafter)
    if travellers.in_encounter:
        return Crafted(travellers, _refuse("a time outside encounters", "an encounter", "craft.encounter-lock"))
    if member is None or bonus not in member.bonuses:
        refused = _refuse(f"a bonus by {crafter} on {ability} of {companion}", "none", "craft.duration")
        return Crafted(travellers, refused)
    return Crafted(_changed(travellers, companion, lambda member: member.without_bonus(bonus)), None, None, True)


def _refusal(travellers: Travellers, crafter: str, companion: str, ability: str, rulings: Rulings) -> Problem | None:
    """The first reason why that bonus can't be added, None if it can."""
    maker, taker = travellers.member(crafter), travellers.member(companion)
    if travellers.in_encounter:
        return _refuse("a time outside encounters", "an encounter", "craft.encounter-lock")
    if maker is None or taker is None:
        return _refuse("two who travel together", shown(crafter if maker is None else companion), "craft.bonus")
    if maker is taker:
        return _refuse("a companion", "the crafter", "craft.bonus")
    if not taker.level(ability):
        return _refuse(f"{ability} of level 1 or more", "none", "craft.needs-level")
    if taker.bonus(ability):
        return _refuse(f"{ability} without a temporary bonus", "one that has it", "craft.one-per-ability")
    level, used = maker.level("craftsmanship"), travellers.bonuses_by(crafter)
    if used >= level:
        return _refuse(f"{level} bonuses at most by craftsmanship {level}", str(used + 1), "craft.bonus")
    lost = [each for each in travellers.unavailable if each[0] == crafter]
    if travellers.in_hurry and is_lost(lost, (crafter, companion, ability), level - used, rulings):
        return _refuse("time enough, after the roll failed", "a hurry", "craft.hurry-fail")
    return None


def is_lost(lost: Sequence[Lost], wanted: Lost, left: int, rulings: Rulings) -> bool:
    """Whether a crafter's failures in this hurry bar a bonus, with so many left to place (ruling A37).

    Each takes one of them; or, ruled otherwise, locks that ability of that companion. Rule: `craft.hurry-fail`.
    """
    return wanted in lost if rulings.failed_hurry == "ability" else bool(lost) and len(lost) >= left


def _hurried_roll(travellers: Travellers, crafter: str, face: int | None) -> Figure:
    if face is None or not 1 <= face <= 20:
        raise ScratchError(Problem("roll.face", "a face from 1 to 20", shown(face), "face", "craft.hurry"))
    maker = travellers.member(crafter)
    assert maker is not None
    return Figure("craft", (Part("face", face, "roll.d20"), *maker.level_parts("craftsmanship", "craft.hurry")))


def _changed(travellers: Travellers, name: str, change: Change) -> Travellers:
    members = tuple(change(member) if member.name == name else member for member in travellers.members)
    return replace(travellers, members=members)


def _refuse(expected: str, got: str, rule: str) -> Problem:
    return Problem(rule, expected, got, "craftsmanship", rule)
