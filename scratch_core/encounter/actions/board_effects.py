"""What the events of a board do to a state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scratch_core.encounter.state import (
    Event,
    Exposed,
    Exposure,
    Immobilized,
    InterruptTried,
    MoveUsed,
    Placed,
    Prevented,
    Repositioned,
    Settled,
    State,
    Walked,
)
from scratch_core.fast_replace import changed


def _walked(state: State, event: Walked) -> State:
    """Someone has come to the last of these spaces; an act that waits has come as far. Rule: `grid.move.step`."""
    waiting = state.exposure
    if waiting and waiting.who == event.who:
        waiting = changed(waiting, walked=waiting.walked + len(event.path), tried=())
    return changed(_at(state, event.who, event.path[-1]), exposure=waiting)


def _at(state: State, who: str, space: tuple[int, int]) -> State:
    return state.with_fighter(state.fighter(who).placed(state.board, space))


def _immobilized(state: State, event: Immobilized) -> State:
    """Held in place, and at the holder's mercy. Rules: `grid.hold.immobilize`, `grid.hold.reposition`."""
    who = state.fighter(event.who)
    held = changed(who, immobilized_until=max(who.immobilized_until, event.until))
    return changed(state.with_fighter(held), ledger=changed(state.ledger, held=event.who))


def _exposed(state: State, event: Exposed) -> State:
    """Rule: `grid.interrupt.what`."""
    waiting = Exposure(event.who, event.do, event.targets, event.uses, event.space, event.path, event.walked)
    return changed(state, exposure=waiting)


def _tried(state: State, event: InterruptTried) -> State:
    """Rule: `grid.interrupt.once`."""
    waiting = state.exposure
    if waiting:
        waiting = changed(waiting, tried=(*waiting.tried, event.who))
    return changed(state, exposure=waiting, ledger=changed(state.ledger, attempts=(*state.ledger.attempts, event.who)))


def _prevented(state: State, event: Prevented) -> State:
    """What waited doesn't happen, and nothing evaded counts. Rules: `grid.interrupt.prevent`,
    `grid.interrupt.evade-loss`, `grid.interrupt.escape-ban`.
    """
    who = state.fighter(event.who)
    stopped = changed(who, evading=None, evaded_this_turn=False, escape_banned_until=event.until)
    return changed(state.with_fighter(stopped), exposure=None)


BOARD_EFFECTS: dict[type[Event], Callable[[State, Any], State]] = {
    MoveUsed: lambda state, event: changed(state, ledger=changed(state.ledger, moved=event.moved)),
    Walked: _walked,
    Placed: lambda state, event: _at(state, event.who, event.space),
    Repositioned: lambda state, event: changed(state, ledger=changed(state.ledger, held="")),
    Immobilized: _immobilized,
    Exposed: _exposed,
    InterruptTried: _tried,
    Prevented: _prevented,
    Settled: lambda state, event: changed(state, exposure=None),
}
"""What each kind of event does. Rules: `grid.move.once`, `grid.hold.reposition`, `grid.interrupt.what`."""
