"""The order as the engine finds it, a row for everybody who has a place in it, each with its sum and its reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.initiative.people import People, Person
from scratch_core.catalogue import Rulings
from scratch_core.dice import Roller
from scratch_core.errors import ScratchError
from scratch_core.rounds import Act
from scratch_core.rounds.mano import AMBUSH
from scratch_core.scenario import FORMAT, read_tree
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
    rulings: Mapping[str, str]
    faces: Mapping[str, Sequence[int]]


def groups_of(people: People, system: str) -> dict[str, str]:
    """The id of the group of everybody's id: in Scratch and in choose-next several may share one roll.

    Rules: `turn.group`, `seize.gm-roll`.
    """
    shared = system in ("scratch", "seize")
    return {each.id: each.group if shared and each.group else each.id for each in people.people}


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
    groups = groups_of(people, system)
    characters = [_character(each, system, groups[each.id]) for each in people.people]
    head: dict[str, Any] = {}
    if system == "mano" and start.first:
        head["first"] = list(start.first)
    ambushers = [who for who, success in start.ambush if success]
    if system == "mano-old" and ambushers:
        head["ambush"] = ambushers[0]
    read = Rulings.read(start.rulings)
    rulings = {name: getattr(read, name) for name in start.rulings}
    return {"format": FORMAT, "system": system, "characters": characters, "rulings": rulings, **head}


def _character(person: Person, system: str, group: str) -> dict[str, Any]:
    table: dict[str, Any] = {"id": person.id, "name": person.name}
    if system == "scratch":
        levels = {word: person.numbers[word] for word in ("stealth", "detection") if person.numbers.get(word)}
        return {**table, "group": group, "abilities": {"toughness": 1, **levels}}
    if system == "seize":
        return {**table, "group": group, "bonus": person.numbers.get("bonus", 0)}
    reach = {"reach": person.numbers.get("reach", 0)}
    return {**table, **reach, **({"hp": 1, "hp_round": 1} if system == "mano-old" else {})}
