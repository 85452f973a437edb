"""What the game master's hand does to a state of an encounter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scratch_core.encounter.state import (
    BY_HAND,
    ConditionEnded,
    ConditionGiven,
    Delay,
    Evade,
    Event,
    Fighter,
    Gone,
    HitPointsSet,
    Initiative,
    Joined,
    Reordered,
    Returned,
    State,
    SurroundingsChanged,
)
from scratch_core.fast_replace import changed
from scratch_core.turn_systems import DELAYED, EVADING, IMMOBILIZED, IN_COVER, PANICKED


def _set(state: State, event: HitPointsSet) -> State:
    """Also before an encounter, which then begins with so many."""
    return state.with_fighter(changed(state.fighter(event.who), hp=event.hp, fresh=False))


GIVES: dict[str, Callable[[Fighter, ConditionGiven], Fighter]] = {
    DELAYED: lambda who, event: changed(who, delays=(*who.delays, Delay(BY_HAND, "", event.until))),
    PANICKED: lambda who, event: changed(who, panicked_until=max(who.panicked_until, event.until)),
    EVADING: lambda who, event: changed(who, evading=Evade("", event.bonus, event.until)),
    IN_COVER: lambda who, event: changed(who, in_cover=True),
    IMMOBILIZED: lambda who, event: changed(who, immobilized_until=max(who.immobilized_until, event.until)),
}
ENDS: dict[str, Callable[[Fighter], Fighter]] = {
    DELAYED: lambda who: changed(who, delays=()),
    PANICKED: lambda who: changed(who, panicked_until=0),
    EVADING: lambda who: changed(who, evading=None),
    IN_COVER: lambda who: changed(who, in_cover=False),
    IMMOBILIZED: lambda who: changed(who, immobilized_until=0),
}
"""What it is to be given a condition, and to be rid of every cause of it."""


def _given(state: State, event: ConditionGiven) -> State:
    return state.with_fighter(GIVES[event.condition](state.fighter(event.who), event))


def _ended(state: State, event: ConditionEnded) -> State:
    return state.with_fighter(ENDS[event.condition](state.fighter(event.who)))


def _joined(state: State, event: Joined) -> State:
    """The turn that is on, or next, stays so; a new group that comes before it acts from the next round on."""
    who = event.fighter.with_character(event.fighter.character, state.rulings)
    fighters = (*state.fighters, changed(who.placed(state.board, who.at), fresh=False))
    return _in_order(changed(state, fighters=fighters), event.initiative)


def _gone(state: State, event: Gone) -> State:
    """Nothing of what has befallen it lasts; no one holds it any more."""
    who = changed(state.fighter(event.who).unburdened(), gone=True).placed(state.board, None)
    held = "" if state.ledger.held == event.who else state.ledger.held
    return changed(state.with_fighter(who), ledger=changed(state.ledger, held=held))


def _returned(state: State, event: Returned) -> State:
    """Hit points are as they were."""
    who = changed(state.fighter(event.who).unburdened(), gone=False, escaped=False)
    return state.with_fighter(who.placed(state.board, event.space))


def _surroundings_changed(state: State, event: SurroundingsChanged) -> State:
    """Without cover no one is in cover any more. Rule: `act.cover`."""

    def change(who: Fighter) -> Fighter:
        here = who.here | {event.surrounding} if event.on else who.here - {event.surrounding}
        return changed(who, here=here, in_cover=who.in_cover and "cover" in here)

    return changed(state, fighters=tuple(map(change, state.fighters)))


def _reordered(state: State, event: Reordered) -> State:
    by_group = {each.group: each for each in state.initiative}
    return _in_order(state, tuple(by_group[group] for group in event.order))


def _in_order(state: State, initiative: tuple[Initiative, ...]) -> State:
    """The same turn in another order of groups; before the first turn the first group begins."""
    groups = [each.group for each in initiative]
    place = groups.index(state.initiative[state.place].group) if state.active else 0
    return changed(state, initiative=initiative, place=place)


HAND_EFFECTS: dict[type[Event], Callable[[State, Any], State]] = {
    HitPointsSet: _set,
    ConditionGiven: _given,
    ConditionEnded: _ended,
    Joined: _joined,
    Gone: _gone,
    Returned: _returned,
    Reordered: _reordered,
    SurroundingsChanged: _surroundings_changed,
}
