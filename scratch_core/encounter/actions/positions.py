"""Positions on a board: occupied spaces, reach and line of sight."""

from __future__ import annotations

from collections.abc import Iterator

from scratch_core.board import Board, MovementTraits, Sight, Space, find_visible_spaces, format_space, trace_sight
from scratch_core.encounter.actions.action import Action
from scratch_core.encounter.actions.phrases import ACTION_TITLES, build_too_far_problems
from scratch_core.encounter.actions.preconditions import CLOSE_ATTACKS, LONG_ATTACKS, TurnContext
from scratch_core.encounter.state import EncounterState, Fighter
from scratch_core.errors import Problem, build_rule_problems, join_words


def list_occupied_spaces(state: EncounterState) -> Iterator[tuple[Fighter, Space]]:
    """Yield the fighters that occupy a space, each with its space.

    Incapacitated fighters occupy theirs, unless the ruling G12 makes them inert. Rule: `grid.move.blocked`.
    """
    for fighter in state.fighters:
        is_inert = fighter.is_down and state.rulings.downed_are_inert
        if (
            fighter.at is not None
            and not fighter.is_away
            and not is_inert
            and not state.has_left_board_by_edge(fighter)
        ):
            yield fighter, fighter.at


def list_enemy_spaces(state: EncounterState, actor: Fighter) -> frozenset[Space]:
    """List the spaces that the actor's enemies occupy.

    Rules: `grid.move.blocked`, `grid.zoc.stop`, `grid.long.los`.
    """
    return frozenset(space for each, space in list_occupied_spaces(state) if each.side != actor.side)


def list_ally_spaces(state: EncounterState, actor: Fighter) -> frozenset[Space]:
    """List the spaces that the actor's allies occupy, without its own.

    Rules: `grid.move.allies`, `grid.long.allies`.
    """
    return frozenset(
        space for each, space in list_occupied_spaces(state) if each.side == actor.side and each.id != actor.id
    )


def build_movement_traits(fighter: Fighter) -> MovementTraits:
    """Build the movement traits of a fighter. Rules: `grid.move.base`, `grid.move.who`."""
    levels = (fighter.level(name) for name in ("quickness", "flying", "acrobatics", "swimming"))
    return MovementTraits(fighter.is_healthy, *levels)


CLOSE_REACH = 1
"""The number of spaces that a close attack reaches. Rule: `grid.close.reach`."""


def measure_distance(board: Board, one: Fighter, other: Fighter) -> int:
    """Return the number of steps between two fighters.

    Returns 0 if one of them has no space. Rule: `grid.move.step`.
    """
    return 0 if one.at is None or other.at is None else board.distance(one.at, other.at)


def is_beyond_close_reach(context: TurnContext, do: str, target: Fighter) -> bool:
    """Return whether the target is too far away for a close attack. Rule: `grid.close.reach`."""
    board = context.state.board
    return board is not None and measure_distance(board, context.actor, target) > CLOSE_REACH


def is_line_of_sight_blocked(context: TurnContext, do: str, target: Fighter) -> bool:
    """Return whether the line of sight to the target is blocked. Rules: `grid.long.los`, `grid.long.allies`."""
    line = None if target.at is None else trace_line_of_sight(context, target.at)
    return line is not None and not line.is_clear


def trace_line_of_sight(context: TurnContext, end: Space) -> Sight | None:
    """Find the line of sight from the actor to a space.

    Returns None if there is no board, or if the actor is not on it. Rules: `grid.long.los`, `grid.long.allies`.
    """
    board, actor = context.state.board, context.actor
    if board is None or actor.at is None or actor.at not in board:
        return None
    return trace_sight(board, actor.at, end, list_enemy_spaces(context.state, actor))


def list_spaces_in_sight(context: TurnContext) -> frozenset[Space] | None:
    """Return every space in the actor's sight, including its own.

    Returns None if there is no board, or if the actor is not on it. Rules: `grid.long.los`, `grid.long.allies`.
    """
    board, actor = context.state.board, context.actor
    if board is None or actor.at is None or actor.at not in board:
        return None
    return find_visible_spaces(board, actor.at, list_enemy_spaces(context.state, actor))


def attack_reach_problems(context: TurnContext, do: str, target: Fighter) -> list[Problem]:
    """Return why an attack can't reach its target.

    Close attacks reach adjacent spaces, long-range attacks every space in line of sight (ruling G08).
    Rules: `grid.close.reach`, `grid.long.los`, `grid.long.allies`.
    """
    board, actor, where = context.state.board, context.actor, ACTION_TITLES[do]
    if board is None or actor.at is None or target.at is None:
        return []
    if do in CLOSE_ATTACKS and measure_distance(board, actor, target) > CLOSE_REACH:
        return build_too_far_problems(
            "grid.close.reach", target.name, measure_distance(board, actor, target), actor.name, where
        )
    if do in LONG_ATTACKS:
        return line_of_sight_problems(context, do, target.at, target.name)
    return []


def line_of_sight_problems(context: TurnContext, do: str, end: Space, name: str = "") -> list[Problem]:
    """Return why the line of sight to a space is blocked.

    Walls, obstacles and enemies block it. Rules: `grid.long.los`, `grid.long.allies`.
    """
    line = trace_line_of_sight(context, end)
    if line is None or line.is_clear:
        return []
    blocks = join_words([format_space(block) for block in line.blocking_spaces[:2]])
    got = f"{f'{name} in ' if name else ''}{format_space(end)} behind {blocks}"
    facts = {"actor": context.actor.name, "target": name or format_space(end), "blocks": blocks}
    return build_rule_problems(
        "sight.blocked", "grid.long.los", "a clear line of sight", got, ACTION_TITLES[do], **facts
    )


def is_too_far_to_help(context: TurnContext, do: str, target: Fighter) -> bool:
    """Return whether the target is not adjacent, during an encounter. Rule: `grid.heal.adjacent`."""
    board = context.state.board
    return (
        board is not None
        and context.is_encounter_running
        and measure_distance(board, context.actor, target) > CLOSE_REACH
    )


def build_too_far_to_help_problems(context: TurnContext, do: str, target: Fighter) -> list[Problem]:
    """Build the problem of a target that is not adjacent. Rule: `grid.heal.adjacent`."""
    spaces = measure_distance(context.state.required_board, context.actor, target)
    return build_too_far_problems("grid.heal.adjacent", target.name, spaces, context.actor.name, ACTION_TITLES[do])


# Blasts


def blast_space_problems(context: TurnContext, action: Action) -> list[Problem]:
    """Return what is wrong with the space that a blast is aimed at.

    Any space in sight will do, empty or not, unless it is solid (ruling G24).
    Rules: `grid.blast.target`, `grid.long.los`.
    """
    board, where = context.state.board, ACTION_TITLES[action.do]
    if board is None:
        expected, got = "targets, for there is no board", f"the space {format_space(action.space)}"
        return build_rule_problems("blast.no-map", "grid.scope", expected, got, where)
    if action.targets or action.space is None:
        got = "targets" if action.targets else "none"
        return build_rule_problems("blast.no-space", "grid.blast.target", "a space to aim at", got, where)
    space = format_space(action.space)
    if action.space not in board:
        return build_rule_problems(
            "blast.off-map", "grid.blast.target", "a space of the board", space, where, space=space
        )
    if board.has_wall_or_obstacle(action.space):
        terrain, expected = board.terrain(action.space), "a space without wall or obstacle"
        facts = {"space": space, "terrain": terrain}
        return build_rule_problems("blast.solid", "grid.blast.target", expected, f"{terrain} {space}", where, **facts)
    return line_of_sight_problems(context, action.do, action.space)


def list_blast_target_ids(state: EncounterState, space: Space) -> tuple[str, ...]:
    """List the ids of the fighters that a blast at a space attacks.

    They are in file order, and include allies and the actor (ruling G19). Walls make no difference (ruling G20). A
    fighter who evades in deep water is out of reach.
    Rules: `grid.blast.area`, `grid.blast.max`, `swimming.deep-evade`.
    """
    if state.board is None:
        return ()
    area = state.board.blast_area(space)
    return tuple(
        each.id for each in state.fighters if each.at in area and not each.is_away and not each.is_deep_evading
    )
