"""Escapes from an encounter, and the ways off a board."""

from __future__ import annotations

from scratch_core.board import format_space
from scratch_core.encounter.actions.phrases import ACTION_TITLES
from scratch_core.encounter.actions.preconditions import (
    TurnContext,
    build_delayed_problems,
    used_regular_action_problems,
)
from scratch_core.encounter.state import EncounterState, Escaped, Event, RegularUsed
from scratch_core.errors import Problem, build_rule_problems
from scratch_core.rulebook.actions import ESCAPE, MOVE


def escape_timing_and_exit_problems(context: TurnContext) -> list[Problem]:
    """Return what forbids an escape, apart from conditions and used actions.

    On a board the actor must be on an exit or off the board.
    Rules: `act.escape`, `grid.escape.exit`, `grid.interrupt.escape-ban`.
    """
    actor = context.actor
    problems = _escape_too_early_problems(context)
    if not _can_leave_from_here(context):
        expected = "an actor on an exit or off the board"
        got = f"{actor.name} in {format_space(actor.at)}"
        problems += build_rule_problems(
            "exit.not-there", "grid.escape.exit", expected, got, ACTION_TITLES[ESCAPE.do], actor=actor.name
        )
    return problems


def has_escape_specific_problems(context: TurnContext) -> bool:
    """Return whether `escape_timing_and_exit_problems` would return any problem.

    It is faster.
    """
    return (
        not context.actor.evaded_last_turn
        or bool(context.actor.escape_banned_until)
        or not _can_leave_from_here(context)
    )


def _can_leave_from_here(context: TurnContext) -> bool:
    """Return whether the actor can leave from its space. Rule: `grid.escape.exit`."""
    state, actor = context.state, context.actor
    return (
        state.board is None or actor.at is None or state.has_left_board_by_edge(actor) or state.board.is_exit(actor.at)
    )


def _escape_too_early_problems(context: TurnContext) -> list[Problem]:
    """Return why an escape comes too early: no evade, or an interrupt.

    Rules: `act.escape`, `grid.interrupt.escape-ban` (ruling G22).
    """
    actor, where, problems = context.actor, ACTION_TITLES[ESCAPE.do], []
    if not actor.evaded_last_turn:
        expected = "an escape in the turn right after an evade"
        got = f"{actor.name} without an evade in their last turn"
        problems += build_rule_problems("escape.no-evade", "act.escape", expected, got, where, actor=actor.name)
    if actor.escape_banned_until:
        expected = "an actor who has not just been interrupted"
        rule = "grid.interrupt.escape-ban"
        problems += build_rule_problems("escape.interrupted", rule, expected, actor.name, where, actor=actor.name)
    return problems


def leave_board_problems(context: TurnContext) -> list[Problem]:
    """Return what forbids a step off the board.

    Only an actor who could escape at once may leave it (ruling G21).
    Rules: `grid.escape.exit`, `act.escape`, `grid.interrupt.escape-ban`, `cond.delayed`, `act.regular`.
    """
    actor = context.actor
    problems = _escape_too_early_problems(context) + used_regular_action_problems(context, ESCAPE.do)
    if actor.delays:
        problems += build_delayed_problems(actor, ESCAPE.do)
    if not problems:
        return []
    expected, rule = "a step off the board to escape", "grid.escape.exit"
    closed = build_rule_problems(
        "exit.no-escape-now", rule, expected, "no escape now", ACTION_TITLES[MOVE.do], actor=actor.name
    )
    return [*closed, *problems]


def build_active_off_board_escape_events(state: EncounterState) -> tuple[Event, ...]:
    """Build the escape of an active fighter who is off the board.

    It happens at the end of the turn at the latest. Returns () if there is none. Rule: `grid.escape.exit`.
    """
    active = None if state.turn_over else state.fighter(state.active)
    if active is None or active.is_away or not state.has_left_board_by_edge(active):
        return ()
    return RegularUsed(active.id, ESCAPE.do), Escaped(active.id)
