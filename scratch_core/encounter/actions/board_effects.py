"""How the events of a board affect the state of an encounter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scratch_core.encounter.state import (
    EncounterState,
    Event,
    Exposed,
    Immobilized,
    InterruptTried,
    MoveUsed,
    PendingAction,
    Placed,
    Prevented,
    Repositioned,
    Settled,
    Walked,
)
from scratch_core.record_copies import convert_record, replace_fields


def _move_along_path(state: EncounterState, event: Walked) -> EncounterState:
    """Move a fighter to the last space of a path.

    If its move is pending, the spaces count as walked. Rule: `grid.move.step`.
    """
    pending = state.pending_action
    if pending and pending.who == event.who:
        pending = replace_fields(pending, walked=pending.walked + len(event.path), tried=())
    return replace_fields(_place_fighter(state, event.who, event.path[-1]), pending_action=pending)


def _place_fighter(state: EncounterState, who: str, space: tuple[int, int]) -> EncounterState:
    return state.with_fighter(state.fighter(who).with_position_and_surroundings(state.board, space))


def _immobilize(state: EncounterState, event: Immobilized) -> EncounterState:
    """Immobilize a fighter, which its holder may reposition. Rules: `grid.hold.immobilize`, `grid.hold.reposition`."""
    who = state.fighter(event.who)
    held = replace_fields(who, immobilized_until=max(who.immobilized_until, event.until))
    return replace_fields(state.with_fighter(held), ledger=replace_fields(state.ledger, held=event.who))


def _set_pending_action(state: EncounterState, event: Exposed) -> EncounterState:
    """Make the declared action the pending one. Rule: `grid.interrupt.what`."""
    return replace_fields(state, pending_action=convert_record(event, PendingAction))


def _record_interrupt_attempt(state: EncounterState, event: InterruptTried) -> EncounterState:
    """Record an attempt to interrupt. Rule: `grid.interrupt.once`."""
    pending = state.pending_action
    if pending:
        pending = replace_fields(pending, tried=(*pending.tried, event.who))
    return replace_fields(
        state, pending_action=pending, ledger=replace_fields(state.ledger, attempts=(*state.ledger.attempts, event.who))
    )


def _prevent_action_evade_and_escape(state: EncounterState, event: Prevented) -> EncounterState:
    """Discard the pending action and its actor's evade, and bar an escape.

    Rules: `grid.interrupt.prevent`, `grid.interrupt.evade-loss`, `grid.interrupt.escape-ban`.
    """
    who = state.fighter(event.who)
    stopped = replace_fields(who, evading=None, evaded_this_turn=False, escape_banned_until=event.until)
    return replace_fields(state.with_fighter(stopped), pending_action=None)


BOARD_EFFECTS: dict[type[Event], Callable[[EncounterState, Any], EncounterState]] = {
    MoveUsed: lambda state, event: replace_fields(state, ledger=replace_fields(state.ledger, moved=event.moved)),
    Walked: _move_along_path,
    Placed: lambda state, event: _place_fighter(state, event.who, event.space),
    Repositioned: lambda state, event: replace_fields(state, ledger=replace_fields(state.ledger, held="")),
    Immobilized: _immobilize,
    Exposed: _set_pending_action,
    InterruptTried: _record_interrupt_attempt,
    Prevented: _prevent_action_evade_and_escape,
    Settled: lambda state, event: replace_fields(state, pending_action=None),
}
"""The function that applies each event. Rules: `grid.move.once`, `grid.hold.reposition`, `grid.interrupt.what`."""
