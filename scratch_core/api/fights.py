"""Play fights, action by action or from a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scratch_core import scenario
from scratch_core.characters import DEFAULT_RULINGS, Character
from scratch_core.dice import RecordedRoller, SystemRoller
from scratch_core.encounter import apply_events, begin, decide
from scratch_core.encounter.actions import Action
from scratch_core.encounter.state import EncounterState, Fighter, build_fighter, build_initial_state
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.rulebook import RulingSettings
from scratch_core.turn_systems import Decision


def start_fight(
    sides: Mapping[str, Sequence[Character]],
    rulings: RulingSettings = DEFAULT_RULINGS,
    faces: Iterable[int] | None = None,
) -> EncounterState:
    """Roll initiative for a fight by the basic rules, and start its first round.

    There is no map. `sides` are the characters by side. `faces` are the d20s of the characters in that order, and those
    of tie-breaks; without them the dice are random. Raises `ScratchError` if two characters have the same name.
    Rules: `turn.encounter`, `turn.initiative-roll`.
    """
    fighters: list[Fighter] = []
    for side, characters in sides.items():
        fighters += [build_fighter(each, side=side, rulings=rulings) for each in characters]
    names = [each.id for each in fighters]
    for name in names:
        if names.count(name) > 1:
            raise ScratchError(
                Problem("fight.same-name", "different names", format_input(name), "sides", facts={"name": name})
            )
    state = build_initial_state(tuple(fighters), rulings)
    return apply_events(state, begin(state, SystemRoller() if faces is None else RecordedRoller(faces)).events)


def act(state: EncounterState, action: Action, faces: Iterable[int] | None = None) -> tuple[EncounterState, Decision]:
    """Carry out an action and return the state after it.

    `faces` are those of its dice in order; without them the dice are random. An illegal action changes nothing, and its
    decision has the problems. Raises `ScratchError` for impossible faces, and for unknown actions and characters.
    """
    decision = decide(state, action, SystemRoller() if faces is None else faces)
    return apply_events(state, decision.events), decision


def play(text: str) -> scenario.ScenarioResult:
    """Play the text of a scenario file, in any turn system.

    Dice without faces in the file are random. Raises `ScratchError` with every problem of the file.
    """
    return scenario.play(scenario.parse_scenario(text))
