"""How changes by the game master affect the state of an encounter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scratch_core.encounter.state import (
    GM_CAUSE,
    ConditionEnded,
    ConditionGiven,
    Delay,
    EncounterState,
    Evade,
    Event,
    Fighter,
    Gone,
    HitPointsSet,
    Initiative,
    JoinedWithInitiative,
    Reordered,
    ReturnedToSpace,
    SurroundingsChanged,
)
from scratch_core.record_copies import replace_fields
from scratch_core.turn_systems import DELAYED, EVADING, IMMOBILIZED, IN_COVER, PANICKED


def _set_hit_points(state: EncounterState, event: HitPointsSet) -> EncounterState:
    """Set the hit points of a fighter.

    Before an encounter they are those with which it begins.
    """
    return state.with_changed_fighter(event.who, hp=event.hp, fresh=False)


CONDITION_STARTS: dict[str, Callable[[Fighter, ConditionGiven], Fighter]] = {
    DELAYED: lambda who, event: replace_fields(who, delays=(*who.delays, Delay(GM_CAUSE, "", event.until))),
    PANICKED: lambda who, event: replace_fields(who, panicked_until=max(who.panicked_until, event.until)),
    EVADING: lambda who, event: replace_fields(who, evading=Evade("", event.bonus, event.until)),
    IN_COVER: lambda who, event: replace_fields(who, in_cover=True),
    IMMOBILIZED: lambda who, event: replace_fields(who, immobilized_until=max(who.immobilized_until, event.until)),
}
"""How to give a fighter each condition."""
CONDITION_ENDS: dict[str, Callable[[Fighter], Fighter]] = {
    DELAYED: lambda who: replace_fields(who, delays=()),
    PANICKED: lambda who: replace_fields(who, panicked_until=0),
    EVADING: lambda who: replace_fields(who, evading=None),
    IN_COVER: lambda who: replace_fields(who, in_cover=False),
    IMMOBILIZED: lambda who: replace_fields(who, immobilized_until=0),
}
"""How to end every cause of each condition."""


def _give_condition(state: EncounterState, event: ConditionGiven) -> EncounterState:
    return state.with_fighter(CONDITION_STARTS[event.condition](state.fighter(event.who), event))


def _end_condition(state: EncounterState, event: ConditionEnded) -> EncounterState:
    return state.with_fighter(CONDITION_ENDS[event.condition](state.fighter(event.who)))


def _add_fighter(state: EncounterState, event: JoinedWithInitiative) -> EncounterState:
    """Add a fighter, without changing whose turn it is or comes next.

    A new group placed before that turn acts from the next round on.
    """
    who = event.fighter.with_character(event.fighter.character, state.rulings)
    fighters = (*state.fighters, replace_fields(who.with_position_and_surroundings(state.board, who.at), fresh=False))
    return _set_initiative_keeping_turn(replace_fields(state, fighters=fighters), event.initiative)


def _remove_fighter(state: EncounterState, event: Gone) -> EncounterState:
    """Remove a fighter, with all effects on it and any hold on it."""
    who = replace_fields(state.fighter(event.who).without_effects(), gone=True).with_position_and_surroundings(
        state.board, None
    )
    held = "" if state.ledger.held == event.who else state.ledger.held
    return replace_fields(state.with_fighter(who), ledger=replace_fields(state.ledger, held=held))


def _return_fighter(state: EncounterState, event: ReturnedToSpace) -> EncounterState:
    """Put a removed or escaped fighter back, with the same hit points."""
    who = replace_fields(state.fighter(event.who).without_effects(), gone=False, escaped=False)
    return state.with_fighter(who.with_position_and_surroundings(state.board, event.space))


def _change_surroundings(state: EncounterState, event: SurroundingsChanged) -> EncounterState:
    """Change the surroundings of all fighters.

    Without cover, no fighter is in cover. Rule: `act.cover`.
    """

    def change(who: Fighter) -> Fighter:
        here = who.here | {event.surrounding} if event.on else who.here - {event.surrounding}
        return replace_fields(who, here=here, in_cover=who.in_cover and "cover" in here)

    return replace_fields(state, fighters=tuple(map(change, state.fighters)))


def _apply_turn_order(state: EncounterState, event: Reordered) -> EncounterState:
    by_group = {each.group: each for each in state.initiative}
    return _set_initiative_keeping_turn(state, tuple(by_group[group] for group in event.order))


def _set_initiative_keeping_turn(state: EncounterState, initiative: tuple[Initiative, ...]) -> EncounterState:
    """Reorder the groups, without changing whose turn it is.

    Before the first turn the first group begins.
    """
    groups = [each.group for each in initiative]
    place = groups.index(state.initiative[state.place].group) if state.active else 0
    return replace_fields(state, initiative=initiative, place=place)


GM_EFFECTS: dict[type[Event], Callable[[EncounterState, Any], EncounterState]] = {
    HitPointsSet: _set_hit_points,
    ConditionGiven: _give_condition,
    ConditionEnded: _end_condition,
    JoinedWithInitiative: _add_fighter,
    Gone: _remove_fighter,
    ReturnedToSpace: _return_fighter,
    Reordered: _apply_turn_order,
    SurroundingsChanged: _change_surroundings,
}
