"""The order as the engine finds it, a row for everybody who has a place in it, each with its sum and its reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.initiative.people import People, Person
from scratch_core.catalogue import Setting
from scratch_core.dice import Roller
from scratch_core.errors import ScratchError
from scratch_core.rounds import Act
from scratch_core.rounds.mano import AMBUSH
from scratch_core.scenario import FORMAT, SYSTEMS, AnySystem, read_tree
from scratch_core.turns import Place, Reason


@dataclass(frozen=True, slots=True)
class Order:
    """The rows, a sentence of what holds after them, with its rule, and every face by the id that it was thrown for."""

    rows: tuple[Place, ...]
    after: Reason
    faces: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Start:
    """What is known before the dice: who strikes first in the story, the rolls of an ambush, the rulings, faces."""

    first: tuple[str, ...]
    ambush: tuple[tuple[str, bool], ...]
    rulings: Mapping[str, Setting]
    faces: Mapping[str, Sequence[int]]


def groups_of(people: People, system: str) -> dict[str, str]:
    """The id of the group of everybody's id: in Scratch and in choose-next several may share one roll.

    Rules: `turn.group`, `seize.gm-roll`.
    """
    order = SYSTEMS[system]
    is_shared = not order.character or any(field.key == "group" for field in order.character)
    return {each.id: each.group if is_shared and each.group else each.id for each in people.people}


def find_order(people: People, system_name: str, start: Start, roller: Roller) -> Order:
    """Begin a fight by the engine, after the rolls of an ambush, and read the order off it.

    Raises `ScratchError` for what can't go together. Rules: `turn.order`, `mano.surprise.two-rolls`,
    `mano.order.seating`, `mano-old.order.seating`, `seize.highest-first`.
    """
    scenario = read_tree(_tree(people, system_name, start))
    system, state = scenario.system, scenario.start()
    if start.ambush and AMBUSH in system.facts:
        decision = system.decide(state, Act("", AMBUSH, stalkers=start.ambush))
        if decision.problems:
            raise ScratchError(*decision.problems)
        state = system.replay(state, decision.events)
    begun = system.begin(state, roller, start.faces)
    rows, after = system.reasons(system.replay(state, begun.events), begun.rolls)
    return Order(rows, after, {each.who: each.faces for each in begun.rolls})


def _tree(people: People, system: str, start: Start) -> dict[str, Any]:
    order, groups = SYSTEMS[system], groups_of(people, system)
    ambushers = [who for who, success in start.ambush if success]
    said = {"first": list(start.first), "ambush": ambushers[0] if ambushers else ""}
    head = {field.key: said[field.key] for field in order.head if said.get(field.key)}
    return {
        "format": FORMAT,
        "system": system,
        "characters": [_character(each, order, groups[each.id]) for each in people.people],
        "rulings": dict(start.rulings),
        **head,
    }


def _character(person: Person, order: AnySystem, group: str) -> dict[str, Any]:
    """Somebody as a scenario has it: what its line says and the order asks for; what must be there besides is 1."""
    table = {"id": person.id, "name": person.name}
    if not order.character:
        levels = {word: person.numbers[word] for word in ("stealth", "detection") if person.numbers.get(word)}
        return {**table, "group": group, "abilities": {"toughness": 1, **levels}}
    told = {"group": group, **person.numbers}
    needed = {field.key: 1 for field in order.character if field.default is None}
    return {**table, **needed, **{field.key: told[field.key] for field in order.character if field.key in told}}
