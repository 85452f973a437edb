"""Defences and rolls as they stand at a moment: sums whose every part names its rule."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.dice import Check, check, face_needed
from scratch_core.encounter.actions.ability_choice import Uses, water_bonus
from scratch_core.encounter.state import BY_HAND, Fighter
from scratch_core.figures import Figure, Part
from scratch_core.rulebook import Rulings
from scratch_core.rulebook.abilities import BY_NAME
from scratch_core.rulebook.actions import CARDS, ENGAGE, TAKE_COVER


@dataclass(frozen=True, slots=True)
class FightRoll:
    """One roll of a fight: who threw, at whom ("" at no one), the check, and what it was held against."""

    who: str
    target: str
    check: Check
    against: Figure


def agility(fighter: Fighter) -> Figure:
    """Agility now: evade, cover, engage and water on top of what the levels give.

    Rules: `def.agility`, `act.evade`, `act.cover.effect`, `act.engage.penalty`, `swimming.in-water`.
    """
    parts = [*_evade_part(fighter)]
    if fighter.in_cover:
        parts.append(Part("cover", TAKE_COVER.gain, "act.cover.effect"))
    if fighter.engage_penalty:
        parts.append(Part("engage", -ENGAGE.cost, "act.engage.penalty"))
    if fighter.is_in_water and fighter.level("swimming"):
        parts.append(Part("swimming in water", fighter.level("swimming"), "swimming.in-water"))
    return _with(fighter.numbers.agility, parts)


def strength(fighter: Fighter) -> Figure:
    """Strength now: an evade comes on top. Rules: `def.strength`, `def.strength.fallback`, `act.evade`."""
    return _with(fighter.numbers.strength, _evade_part(fighter))


def intelligence(fighter: Fighter) -> Figure:
    """Intelligence now: nothing in a fight changes it. Rule: `def.intelligence`."""
    return fighter.numbers.intelligence


def _evade_part(fighter: Fighter) -> list[Part]:
    evading = fighter.evading
    if evading is None or not evading.bonus:
        return []
    return [Part(f"evade by {evading.ability or BY_HAND}", evading.bonus, "act.evade")]


def _with(figure: Figure, parts: list[Part]) -> Figure:
    return Figure(figure.name, (*figure.parts, *parts)) if parts else figure


def defence(do: str, target: Fighter) -> Figure:
    """What an attack on the target is held against: by its type, or the better of two against intimidation.

    Rules: `attack.type-map`, `act.intimidate.defence`, `grid.interrupt.roll`.
    """
    figures = [_DEFENCES[name](target) for name in CARDS[do].against]
    return figures[0] if len(figures) == 1 else max(figures, key=lambda figure: figure.value)


_DEFENCES = {"agility": agility, "intelligence": intelligence, "strength": strength}


def roll_parts(actor: Fighter, do: str, uses: Uses, rulings: Rulings) -> tuple[Part, ...]:
    """What the actor adds to the face: abilities, engage, water and cover.

    Rules: `roll.modifier`, `roll.ability-optional`, `act.engage`, `act.cover.effect`, `swimming.in-water`,
    `act.fighting.bonus`, `act.wrestling.bonus`, `act.knockout.basic`, `detection.hold`, `move.use`, `craft.bonus`.
    """
    parts: list[Part] = []
    card = CARDS[do]
    for name in uses:
        parts += actor.character.level_parts(name, card.adds_rules.get(name, BY_NAME[name].rule))
    if actor.engaged and card.is_close:
        parts.append(Part("engage", ENGAGE.gain, "act.engage"))
    water = water_bonus(actor, do, uses, rulings)
    if water:
        parts.append(Part("swimming in water", water, "swimming.in-water"))
    if actor.in_cover:
        parts.append(Part("cover", -TAKE_COVER.cost, "act.cover.effect"))
    return tuple(parts)


@dataclass(frozen=True, slots=True)
class Aim:
    """An attack before its die is thrown: by whom, at whom, what is added to the face, and what it is held against."""

    who: str
    target: str
    added: tuple[Part, ...]
    against: Figure
    difficulty: int

    @property
    def least(self) -> int:
        """The least face with which it succeeds, 1 to 20. Rules: `roll.success`, `roll.beyond-reach`."""
        return face_needed(sum(part.value for part in self.added), self.difficulty)

    def roll(self, face: int) -> FightRoll:
        """Judge a face. Rules: `roll.success`, `roll.auto-success`."""
        return FightRoll(self.who, self.target, check(face, self.added, self.difficulty), self.against)


def aim(actor: Fighter, do: str, uses: Uses, target: Fighter, rulings: Rulings) -> Aim:
    """An attack of someone at someone. Rules: `roll.modifier`, `attack.type-map`."""
    against = defence(do, target)
    return Aim(actor.id, target.id, roll_parts(actor, do, uses, rulings), against, against.value)
