"""Who rolls initiative, a line each, and the order as the engine finds it, each place with its sum and its reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core import rounds
from scratch_core.calculators.form import at_control
from scratch_core.calculators.people import People
from scratch_core.calculators.people.lines import read_lines
from scratch_core.catalogue import Setting
from scratch_core.dice import Roller
from scratch_core.errors import ScratchError
from scratch_core.scenario import FORMAT, AnySystem, read_tree
from scratch_core.turns import Field, Place, Reason

LEVELS = (
    Field("stealth", "number", 0, "its level", 0, 100, rule="stealth.initiative"),
    Field("detection", "number", 0, "its level", 0, 100, rule="detection.initiative"),
)
"""What of a sheet counts in Scratch's own order."""

WORDS: Mapping[str, Field] = {
    field.key: field
    for field in (*LEVELS, *(field for order in rounds.SYSTEMS.values() for field in order.character))
    if field in LEVELS or field.key in ("reach", "group", "bonus")
}
"""What a line may say behind a name, in every order; a line may have words that count only in others.

Rules: `stealth.initiative`, `detection.initiative`, `turn.group`, `mano.start.reach`, `mano-old.initiative.reach`,
`seize.bonus`, `seize.gm-roll`."""


@dataclass(frozen=True, slots=True)
class Order:
    """The rows, a sentence of what holds after them, with its rule, and every face by the id that it was thrown for."""

    rows: tuple[Place, ...]
    after: Reason
    faces: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Start:
    """What is known before the dice: the fields of the beginning, an ambush as a first step, the rulings, faces."""

    head: Mapping[str, Any]
    steps: Sequence[Mapping[str, Any]]
    rulings: Mapping[str, Setting]
    faces: Mapping[str, Sequence[int]]


def counted(order: AnySystem) -> tuple[Field, ...]:
    """The words that count in an order."""
    own = [field.key for field in order.character] or ["stealth", "detection", "group"]
    return tuple(field for key, field in WORDS.items() if key in own)


def read_people(text: str, order: AnySystem) -> People:
    """Read the lines; one without a colon is a name alone. Never raises; problems stand at `who`."""
    own = counted(order)
    words = tuple(dict.fromkeys((*own, *WORDS.values())))
    bare = next((field.key for field in own if order.character and field.kind == "number"), "")
    people = read_lines(text, order, words, bare)
    return replace(people, problems=tuple(at_control(people.problems, "who")))


def groups_of(people: People, order: AnySystem) -> dict[str, str]:
    """The id of the group of everybody's id: in Scratch and in choose-next several may share one roll.

    Rules: `turn.group`, `seize.gm-roll`.
    """
    is_shared = WORDS["group"] in counted(order)
    return {each["id"]: each.get("group", each["id"]) if is_shared else each["id"] for each in people.characters}


def find_order(people: People, order: AnySystem, start: Start, roller: Roller) -> Order:
    """Begin a fight by the engine, after the rolls of an ambush, and read the order off it.

    Raises `ScratchError` for what can't go together. Rules: `turn.order`, `mano.surprise.two-rolls`,
    `mano.order.seating`, `mano-old.order.seating`, `seize.highest-first`.
    """
    tree = {"format": FORMAT, "system": order.name, "characters": [_table(each, order) for each in people.characters]}
    scenario = read_tree({**tree, "rulings": dict(start.rulings), **start.head, "steps": list(start.steps)})
    system, state = scenario.system, scenario.start()
    for step in scenario.steps:
        decision = system.decide(state, step.action)
        if decision.problems:
            raise ScratchError(*decision.problems)
        state = system.replay(state, decision.events)
    begun = system.begin(state, roller, start.faces)
    rows, after = system.reasons(system.replay(state, begun.events), begun.rolls)
    return Order(rows, after, {each.who: each.faces for each in begun.rolls})


def _table(told: Mapping[str, Any], order: AnySystem) -> dict[str, Any]:
    """Somebody as a scenario has it: what its line says and the order asks for; what must be there besides is 1."""
    needed = {field.key: 1 for field in order.character if field.default is None}
    table = {key: told[key] for key in ("id", "name", *(field.key for field in counted(order))) if key in told}
    if order.character:
        return {**needed, **table}
    levels = {field.key: table.pop(field.key) for field in LEVELS if field.key in table}
    return {**table, "abilities": {"toughness": 1, **{name: level for name, level in levels.items() if level}}}
