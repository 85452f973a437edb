"""Current defences and rolls: sums in which every part names its rule."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.dice import Check, check, face_needed
from scratch_core.encounter.actions.ability_choice import AbilityNames, compute_water_bonus
from scratch_core.encounter.state import GM_CAUSE, Fighter
from scratch_core.figures import Figure, Part
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITIES_BY_NAME
from scratch_core.rulebook.actions import ACTION_SPECS, ENGAGE, TAKE_COVER


@dataclass(frozen=True, slots=True)
class FightRoll:
    """A roll in a fight."""

    who: str
    """The id of the actor."""
    target: str
    """The id of the target, or "" if there is none."""
    check: Check
    """The die roll with its total and its success."""
    against: Figure
    """The defence or difficulty that it was rolled against."""


def compute_agility(fighter: Fighter) -> Figure:
    """Return the current agility, with evade, cover, engage penalty and water.

    Rules: `def.agility`, `act.evade`, `act.cover.effect`, `act.engage.penalty`, `swimming.in-water`.
    """
    parts = [*_list_evade_parts(fighter)]
    if fighter.in_cover:
        parts.append(Part("cover", TAKE_COVER.gain, "act.cover.effect"))
    if fighter.engage_penalty:
        parts.append(Part("engage", -ENGAGE.cost, "act.engage.penalty"))
    if fighter.is_in_water and fighter.level("swimming"):
        parts.append(Part("swimming in water", fighter.level("swimming"), "swimming.in-water"))
    return _add_parts(fighter.numbers.agility, parts)


def compute_strength(fighter: Fighter) -> Figure:
    """Return the current strength, which an evade raises.

    Rules: `def.strength`, `def.strength.fallback`, `act.evade`.
    """
    return _add_parts(fighter.numbers.strength, _list_evade_parts(fighter))


def compute_intelligence(fighter: Fighter) -> Figure:
    """Return the current intelligence, which nothing in a fight changes. Rule: `def.intelligence`."""
    return fighter.numbers.intelligence


def _list_evade_parts(fighter: Fighter) -> list[Part]:
    evading = fighter.evading
    if evading is None or not evading.bonus:
        return []
    return [Part(f"evade by {evading.ability or GM_CAUSE}", evading.bonus, "act.evade")]


def _add_parts(figure: Figure, parts: list[Part]) -> Figure:
    return Figure(figure.name, (*figure.parts, *parts)) if parts else figure


def compute_defence(do: str, target: Fighter) -> Figure:
    """Return the defence that an attack on the target is rolled against.

    It depends on the type of the attack. Intimidation is rolled against the greater of two.
    Rules: `attack.type-map`, `act.intimidate.defence`, `grid.interrupt.roll`.
    """
    figures = [_DEFENCES[name](target) for name in ACTION_SPECS[do].against]
    return figures[0] if len(figures) == 1 else max(figures, key=lambda figure: figure.value)


_DEFENCES = {"agility": compute_agility, "intelligence": compute_intelligence, "strength": compute_strength}


def list_roll_parts(actor: Fighter, do: str, uses: AbilityNames, rulings: RulingSettings) -> tuple[Part, ...]:
    """List the parts added to the actor's die roll.

    They are abilities, engage, water and cover.
    Rules: `roll.modifier`, `roll.ability-optional`, `act.engage`, `act.cover.effect`, `swimming.in-water`,
    `act.fighting.bonus`, `act.wrestling.bonus`, `act.knockout.basic`, `detection.hold`, `move.use`, `craft.bonus`.
    """
    parts: list[Part] = []
    spec = ACTION_SPECS[do]
    for name in uses:
        parts += actor.character.level_parts(name, spec.ability_rules.get(name, ABILITIES_BY_NAME[name].rule))
    if actor.engaged and spec.is_close_attack:
        parts.append(Part("engage", ENGAGE.gain, "act.engage"))
    water = compute_water_bonus(actor, do, uses, rulings)
    if water:
        parts.append(Part("swimming in water", water, "swimming.in-water"))
    if actor.in_cover:
        parts.append(Part("cover", -TAKE_COVER.cost, "act.cover.effect"))
    return tuple(parts)


@dataclass(frozen=True, slots=True)
class PreparedAttack:
    """An attack before its die roll."""

    who: str
    """The id of the actor."""
    target: str
    """The id of the target."""
    modifiers: tuple[Part, ...]
    """The parts added to the die roll."""
    against: Figure
    """The defence that it is rolled against."""
    difficulty: int
    """The value of that defence."""

    @property
    def lowest_success_face(self) -> int:
        """The lowest face that succeeds, from 1 to 20. Rules: `roll.success`, `roll.beyond-reach`."""
        return face_needed(sum(part.value for part in self.modifiers), self.difficulty)

    def build_roll_with_face(self, face: int) -> FightRoll:
        """Return the roll with this face of the die. Rules: `roll.success`, `roll.auto-success`."""
        return FightRoll(self.who, self.target, check(face, self.modifiers, self.difficulty), self.against)


def build_prepared_attack(
    actor: Fighter, do: str, abilities: AbilityNames, target: Fighter, rulings: RulingSettings
) -> PreparedAttack:
    """Prepare the actor's attack on a target. Rules: `roll.modifier`, `attack.type-map`."""
    against = compute_defence(do, target)
    return PreparedAttack(actor.id, target.id, list_roll_parts(actor, do, abilities, rulings), against, against.value)
