"""The turn order that the engine computes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.characters_text import ParsedCharacters
from scratch_core.calculators.initiative.participants import LEVEL_FIELDS, list_counted_fields
from scratch_core.dice import Roller
from scratch_core.errors import ScratchError
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.scenario import AnySystem, scenario_from_dict
from scratch_core.turn_systems import Reason, TurnOrderEntry


@dataclass(frozen=True, slots=True)
class InitiativeOrder:
    """A turn order with its reasons and dice."""

    rows: tuple[TurnOrderEntry, ...]
    """The entries of the turn order."""
    after_reason: Reason
    """How the order continues after the last entry, with the rule for that."""
    faces: Mapping[str, tuple[int, ...]]
    """The faces of each roll, by the id of the character or group that rolled."""


def begin_and_compute_turn_order(
    participants: ParsedCharacters,
    system: AnySystem,
    start: Mapping[str, Any],
    faces: Mapping[str, Sequence[int]],
    roller: Roller,
) -> InitiativeOrder:
    """Begin a fight in the engine and return its turn order.

    `start` has further keys of the scenario, such as the steps of an ambush, which are played first. `faces` are the
    recorded faces by group; the roller rolls the missing ones. Raises `ScratchError` if the characters or the start are
    invalid, or a die is missing (`fight.dice`). Rules: `turn.order`, `mano.surprise.two-rolls`, `mano.order.seating`,
    `mano-old.order.seating`, `seize.highest-first`.
    """
    characters = [_build_character_data(each, system) for each in participants.characters]
    scenario = scenario_from_dict({"format": SCENARIO_FORMAT, "system": system.name, "characters": characters, **start})
    engine, state = scenario.system, scenario.initial_state
    for step in scenario.steps:
        decision = engine.decide(state, step.action)
        if decision.problems:
            raise ScratchError(*decision.problems)
        state = engine.apply_events(state, decision.events)
    begun = engine.begin(state, roller, faces)
    rows, after_reason = engine.explain_turn_order(engine.apply_events(state, begun.events), begun.rolls)
    return InitiativeOrder(rows, after_reason, {each.who: each.faces for each in begun.rolls})


def _build_character_data(character: Mapping[str, Any], system: AnySystem) -> dict[str, Any]:
    """Build a character for a scenario file.

    It has the fields of its line that the turn system uses. Other required fields are 1.
    """
    required = {field.key: 1 for field in system.character_fields if field.default is None}
    keys = ("id", "name", *(field.key for field in list_counted_fields(system)))
    table = {key: character[key] for key in keys if key in character}
    if system.character_fields:
        return {**required, **table}
    levels = {field.key: table.pop(field.key) for field in LEVEL_FIELDS if field.key in table}
    return {**table, "abilities": {"toughness": 1, **{name: level for name, level in levels.items() if level}}}
