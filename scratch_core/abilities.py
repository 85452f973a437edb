"""The fifteen abilities: their group, the rolls they help, the ground they need, the defence they feed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.figures import Figure, Part

Group = Literal["toughness", "attack", "stalking", "movement", "support"]
Defence = Literal["agility", "intelligence", "strength"]

DEFENCE_AGAINST: dict[str, Defence] = {"normal": "agility", "psychic": "intelligence", "force": "strength"}
"""The figure that each type of attack is rolled against, unless the attack says otherwise. Rule: `attack.type-map`."""

GROUPS: tuple[Group, ...] = ("toughness", "attack", "stalking", "movement", "support")
"""The groups, in the order in which a sheet is filled in."""


@dataclass(frozen=True, slots=True)
class Ability:
    """One ability of the rulebook.

    `adds_to` names the rolls its level may be added to, by the names of actions in a scenario (`basic-attack`, `hold`,
    …; `craft` is the roll of a crafter in a hurry); `required_by` names those that can't be tried without it.
    `defence` is the figure that it feeds, or None; `terrain` says where a movement ability fits, else "".
    """

    name: str
    group: Group
    rule: str
    adds_to: tuple[str, ...] = ()
    required_by: tuple[str, ...] = ()
    defence: Defence | None = None
    terrain: str = ""


ABILITIES: tuple[Ability, ...] = (
    Ability("toughness", "toughness", "hp.max"),
    Ability("shooting", "attack", "act.shooting", ("shoot",), ("shoot",)),
    Ability("blasting", "attack", "act.blasting", ("blast",), ("blast",)),
    Ability("knockout", "attack", "act.knockout", ("knockout", "basic-attack", "interrupt"), ("knockout",)),
    Ability(
        "fighting", "attack", "act.fighting.bonus", ("basic-attack", "double-attack", "interrupt"), ("double-attack",)
    ),
    Ability(
        "wrestling",
        "attack",
        "act.wrestling.bonus",
        ("basic-attack", "hold", "counter-hold", "interrupt"),
        ("counter-hold",),
        "strength",
    ),
    Ability("stealth", "stalking", "act.surprise", ("surprise",), ("surprise",), "agility"),
    Ability("detection", "stalking", "act.surprise", ("surprise", "hold"), ("surprise",), "intelligence"),
    Ability(
        "acrobatics",
        "movement",
        "acrobatics.terrain",
        ("hold", "distract"),
        defence="agility",
        terrain="structures and obstacles: ropes, ledges, ladders, fences, trees, cliffs",
    ),
    Ability(
        "quickness",
        "movement",
        "quickness.terrain",
        ("hold", "distract"),
        defence="agility",
        terrain="fairly level ground",
    ),
    Ability(
        "flying",
        "movement",
        "flying.terrain",
        ("hold", "distract"),
        defence="agility",
        terrain="open air with room to fly",
    ),
    Ability(
        "swimming",
        "movement",
        "swimming.requires",
        ("hold", "distract"),
        defence="strength",
        terrain="water",
    ),
    Ability("healing", "support", "act.heal", ("heal", "revive"), ("heal", "revive"), "intelligence"),
    Ability("craftsmanship", "support", "craft.bonus", ("craft",), ("craft",), "intelligence"),
    Ability("command", "support", "command.minions", ("intimidate",), ("intimidate",), "intelligence"),
)
"""The fifteen, in the rulebook's order: `act.surprise` takes either stalking ability."""

NAMES: tuple[str, ...] = tuple(ability.name for ability in ABILITIES)
BY_NAME: dict[str, Ability] = {ability.name: ability for ability in ABILITIES}

ALIASES: dict[str, str] = {"stalking": "stealth"}
"""Older names, read on import only; the rulebook's own example still has one (ruling K05)."""

INERT: tuple[str, ...] = ("piloting",)
"""Names that cost points and do nothing: they stand in old sheets and have no rule (ruling K05)."""


def group_of(group: Group) -> tuple[Ability, ...]:
    """The abilities of one group, in order."""
    return tuple(ability for ability in ABILITIES if ability.group == group)


def feeding(defence: Defence) -> tuple[str, ...]:
    """The names of the abilities whose highest level is added to a defence.

    Swimming feeds strength and not agility. Rules: `def.agility`, `def.intelligence`, `def.strength`.
    """
    return tuple(ability.name for ability in ABILITIES if ability.defence == defence)


def canonical(text: str) -> str | None:
    """The rulebook's name for what somebody wrote, or None: case and outer space don't matter, aliases are followed."""
    name = " ".join(text.split()).lower()
    name = ALIASES.get(name, name)
    return name if name in BY_NAME or name in INERT else None


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A level of toughness to compare with: who has it."""

    who: str
    toughness: int


BENCHMARKS: tuple[Benchmark, ...] = (
    Benchmark("a child, or somebody old", 2),
    Benchmark("an average adult without armour", 3),
    Benchmark("a big person", 4),
    Benchmark("a horse", 6),
    Benchmark("an elephant", 10),
)
"""Levels of toughness to compare with. Rule: `tough.benchmarks`."""


def built_toughness(body: int, training: int = 0, heavy_armour: bool = False) -> Figure:
    """Toughness put together from a benchmark's level, training worth 0, 1 or 2, and heavy armour worth 2.

    Raises `ScratchError` for a body below 0 or a training beyond 0–2. Rule: `tough.training-armour`.
    """
    if body < 0:
        raise ScratchError(_out_of_range("a level of 0 or more", body, "body"))
    if not 0 <= training <= 2:
        raise ScratchError(_out_of_range("training worth 0, 1 or 2 levels", training, "training"))
    parts = [Part("body", body, "tough.benchmarks")]
    if training:
        parts.append(Part("training", training, "tough.training-armour"))
    if heavy_armour:
        parts.append(Part("heavy armour", 2, "tough.training-armour"))
    return Figure("toughness", tuple(parts))


def swimming_scale(level: int) -> str:
    """What a level of swimming means: none, a trained or talented human (1–2), or more than bare skin.

    Raises `ScratchError` below 0. Rules: `swimming.scale`, `swimming.requires`.
    """
    if level < 0:
        raise ScratchError(_out_of_range("a level of 0 or more", level, "swimming"))
    if level == 0:
        return "can't swim"
    return "a trained or talented human" if level <= 2 else "somebody with fins, or a body made for water"


def _out_of_range(expected: str, got: int, where: str) -> Problem:
    return Problem("ability.range", expected, shown(got), where)
