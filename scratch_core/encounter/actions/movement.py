"""Moves on a board, and repositioning a held target."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from scratch_core.board import Board, Route, Space, find_cheapest_routes, format_space, path_problems
from scratch_core.encounter.actions.action import Action
from scratch_core.encounter.actions.attacks import ActionOutcome, RollD20
from scratch_core.encounter.actions.escape import leave_board_problems
from scratch_core.encounter.actions.phrases import ACTION_TITLES, build_missing_map_problems, build_too_far_problems
from scratch_core.encounter.actions.positions import (
    CLOSE_REACH,
    build_movement_traits,
    list_ally_spaces,
    list_enemy_spaces,
    list_occupied_spaces,
    measure_distance,
)
from scratch_core.encounter.actions.preconditions import (
    TurnContext,
    build_delayed_problems,
    build_no_encounter_problems,
    build_off_board_problems,
    down_or_away_problems,
)
from scratch_core.encounter.state import (
    CoverLeft,
    EncounterState,
    Event,
    Fighter,
    MoveUsed,
    Placed,
    Repositioned,
    Walked,
)
from scratch_core.errors import Problem, build_rule_problems
from scratch_core.turn_systems import narrate

# Moves


def may_step_between_solids(state: EncounterState) -> bool:
    """Return whether a diagonal step may pass between two solid spaces (ruling G11). Rule: `grid.move.step`."""
    return state.rulings.corners == "free"


def move_problems(context: TurnContext, action: Action) -> list[Problem]:
    """Return everything that forbids a move: its actor, its time, or its path.

    Rules: `grid.scope`, `grid.move.who`, `grid.move.once`, `grid.hold.immobilize`, `grid.escape.exit`.
    """
    board, actor = context.state.board, context.actor
    problems = path_independent_move_problems(context)
    if board is None or actor.at is None or context.state.has_left_board_by_edge(actor):
        return problems
    leave_problems = leave_board_problems(context)
    enemies, allies = list_enemy_spaces(context.state, actor), list_ally_spaces(context.state, actor)
    squeezes = may_step_between_solids(context.state)
    problems += path_problems(
        board,
        build_movement_traits(actor),
        actor.at,
        action.path,
        enemies=enemies,
        allies=allies,
        may_leave=not leave_problems,
        may_squeeze=squeezes,
    )
    if leave_problems and action.path and action.path[-1] not in board:
        problems += leave_problems
    return problems


def path_independent_move_problems(context: TurnContext) -> list[Problem]:
    """Return what forbids a move, whatever its path.

    A delayed actor may move, unless the ruling G07 says otherwise.
    Rules: `grid.scope`, `grid.move.who`, `grid.move.once`, `grid.hold.immobilize`, `turn.encounter`.
    """
    state, actor, where = context.state, context.actor, ACTION_TITLES["move"]
    if state.board is None:
        return build_missing_map_problems(where)
    absence = down_or_away_problems(actor, "move")
    if absence:
        return [replace(absence[0], rule="grid.move.who"), *absence]
    if not context.is_encounter_running:
        return build_no_encounter_problems("move")
    problems = []
    if state.has_left_board_by_edge(actor):
        problems += build_off_board_problems(actor, "a move", where)
    if actor.is_immobilized:
        rules, got = "grid.hold.immobilize grid.move.who", f"{actor.name}, immobilized by a hold"
        problems += build_rule_problems("move.held", rules, "an actor who may move", got, where, actor=actor.name)
    if actor.delays and state.rulings.delayed_blocks_move:
        delays = build_delayed_problems(actor, "move")
        problems += [replace(delays[0], rule="grid.move.who"), *delays]
    if state.ledger.moved:
        expected = "one move a turn, in one go"
        problems += build_rule_problems(
            "move.used", "grid.move.once", expected, "a second one", where, actor=actor.name
        )
    return problems


def list_move_routes(context: TurnContext) -> dict[Space, Route]:
    """Map every space where the actor's move can end to its route.

    The actor's own space is not included. Returns {} if the actor can't move. Rules: `grid.move.base`, `grid.move.who`.
    """
    board, actor = context.state.board, context.actor
    if board is None or actor.at is None or path_independent_move_problems(context):
        return {}
    enemies, allies = list_enemy_spaces(context.state, actor), list_ally_spaces(context.state, actor)
    may_leave = not leave_board_problems(context)
    routes = find_cheapest_routes(
        board,
        build_movement_traits(actor),
        actor.at,
        enemies=enemies,
        allies=allies,
        may_leave=may_leave,
        may_squeeze=may_step_between_solids(context.state),
    )
    return {space: route for space, route in routes.items() if route.path}


def build_unreachable_space_problem(context: TurnContext, space: Space) -> Problem:
    """Build the problem that keeps the actor's move from ending in a space.

    Rules: `grid.move.who`, `grid.move.blocked`, `grid.move.allies`, `swimming.requires`, `grid.zoc.stop`,
    `grid.move.base`.
    """
    actor, problems = context.actor, path_independent_move_problems(context)
    if problems:
        return problems[0]
    board = context.state.required_board
    assert actor.at is not None
    holder = next((each for each, occupied in list_occupied_spaces(context.state) if occupied == space), None)
    got, where = format_space(space), ACTION_TITLES["move"]
    if board.has_wall_or_obstacle(space):
        terrain, expected = board.terrain(space), "a space to stand in"
        return build_rule_problems(
            "way.solid", "grid.move.blocked", expected, f"{terrain} {got}", where, terrain=terrain
        )[0]
    if holder and holder.side == actor.side:
        expected, taken_by = "a free space at the end", f"{holder.name} in {got}"
        return build_rule_problems("way.ally", "grid.move.allies", expected, taken_by, where, target=holder.name)[0]
    if holder:
        expected, taken_by = "a space without an enemy", f"{holder.name} in {got}"
        return build_rule_problems("way.enemy", "grid.move.blocked", expected, taken_by, where, target=holder.name)[0]
    traits = build_movement_traits(actor)
    if board.terrain(space) == "deep-water" and not (traits.swimming or traits.flying):
        expected, name = "an actor who can swim", actor.name
        return build_rule_problems(
            "way.deep-water", "swimming.requires", expected, f"deep water in {got}", where, actor=name
        )[0]
    if space in find_cheapest_routes(board, traits, actor.at, may_squeeze=may_step_between_solids(context.state)):
        return build_rule_problems("way.enemies", "grid.zoc.stop", "a way past the enemies", got, where)[0]
    return build_rule_problems(
        "way.too-far", "grid.move.base", "a space within one move", got, where, actor=actor.name
    )[0]


def resolve_move(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Move the actor along the whole path. Rules: `grid.move.once`, `grid.move.step`."""
    events = (*build_move_used_events(context), *build_walk_events(context.actor, action.path))
    board, end = context.state.board, action.path[-1]
    off = "" if board is None or end in board else ", off the map"
    return ActionOutcome(events, (), narrate("{} moves to {}{}.", context.actor, format_space(end), off))


def build_move_used_events(context: TurnContext) -> tuple[Event, ...]:
    """Return the event that spends the move of the turn. Rule: `grid.move.once`."""
    return (MoveUsed(context.actor.id, "after" if context.state.ledger.regular else "before"),)


def build_walk_events(actor: Fighter, path: tuple[Space, ...]) -> tuple[Event, ...]:
    """Return the events of walking along a path or part of it.

    The first step leaves cover. Returns () for an empty path. Rules: `grid.move.step`, `act.cover.stay`.
    """
    if not path:
        return ()
    left = (CoverLeft(actor.id),) if actor.in_cover else ()
    return (*left, Walked(actor.id, path))


# Repositioning


def reposition_problems(context: TurnContext, action: Action) -> list[Problem]:
    """Return what forbids a reposition of a held target.

    It either swaps places with the actor, or goes 1 space further (ruling G16).
    Rules: `grid.hold.reposition`, `grid.scope`.
    """
    state, actor, where = context.state, context.actor, ACTION_TITLES["reposition"]
    problems = missing_held_target_problems(context)
    if problems or state.board is None:
        return problems
    rule = "grid.hold.reposition"
    target = state.fighter(state.ledger.held)
    if action.targets != (state.ledger.held,):
        got, facts = ", ".join(action.targets) or "no one", {"actor": actor.name, "target": target.name}
        return build_rule_problems("reposition.not-held", rule, target.name, got, where, **facts)
    if action.swap == (action.space is not None):
        expected, got = "a space to put the target, or a swap", "both" if action.swap else "neither"
        return build_rule_problems("reposition.space-or-swap", rule, expected, got, where, target=target.name)
    if action.swap:
        return _swap_terrain_problems(state, state.board, actor, target)
    return _push_problems(state, state.board, target, action.space)


def missing_held_target_problems(context: TurnContext) -> list[Problem]:
    """Return why there is no target to reposition.

    There is one after a successful hold, once, while it is still next to the actor.
    Rules: `grid.hold.reposition`, `grid.scope`.
    """
    state, actor, where = context.state, context.actor, ACTION_TITLES["reposition"]
    if state.board is None:
        return build_missing_map_problems(where)
    absence = down_or_away_problems(actor, "reposition")
    if absence:
        return absence
    if not context.is_encounter_running or not state.ledger.held:
        expected, rule = "a hold that has just succeeded", "grid.hold.reposition"
        return build_rule_problems("reposition.no-hold", rule, expected, "none", where, actor=actor.name)
    target = state.fighter(state.ledger.held)
    if measure_distance(state.board, actor, target) > CLOSE_REACH:
        return build_too_far_problems(
            "grid.hold.reposition", target.name, measure_distance(state.board, actor, target), actor.name, where
        )
    return []


def _swap_terrain_problems(state: EncounterState, board: Board, actor: Fighter, target: Fighter) -> list[Problem]:
    """Return what forbids a swap.

    An actor enters deep water only if it can swim, or fly there (ruling G15).
    """
    if (
        actor.at
        and target.at
        and not may_step_between_solids(state)
        and board.is_step_between_solids(actor.at, target.at)
    ):
        expected = "nothing solid on both sides of the corner"
        rule, got = "grid.hold.reposition", f"a swap across {format_space(target.at)}"
        return build_rule_problems(
            "reposition.corner", rule, expected, got, ACTION_TITLES["reposition"], target=target.name
        )
    if target.at is None or board.terrain(target.at) != "deep-water" or actor.level("swimming"):
        return []
    if actor.level("flying") and target.at not in board.cramped:
        return []
    rules = "grid.hold.reposition swimming.requires"
    expected, got = "an actor who can swim", f"{actor.name}, into deep water"
    return build_rule_problems(
        "reposition.deep-water", rules, expected, got, ACTION_TITLES["reposition"], actor=actor.name
    )


def _push_problems(state: EncounterState, board: Board, target: Fighter, space: Space | None) -> list[Problem]:
    rule, where = "grid.hold.reposition", ACTION_TITLES["reposition"]
    if space is None or target.at is None or space not in board.neighbours(target.at):
        expected = f"a space of the board next to {target.name}"
        facts = {"space": format_space(space), "target": target.name}
        return build_rule_problems("reposition.not-next", rule, expected, format_space(space), where, **facts)
    if board.has_wall_or_obstacle(space) or (
        not may_step_between_solids(state) and board.is_step_between_solids(target.at, space)
    ):
        facts = {"space": format_space(space), "target": target.name}
        return build_rule_problems(
            "reposition.blocked", rule, "a space that can be entered", format_space(space), where, **facts
        )
    if space in {occupied for _, occupied in list_occupied_spaces(state)}:
        return build_rule_problems(
            "reposition.taken", rule, "a free space", format_space(space), where, space=format_space(space)
        )
    return []


def resolve_reposition(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Resolve a swap or a push, which is not a move (ruling G16). Rule: `grid.hold.reposition`."""
    actor, target = context.actor, context.state.fighter(action.targets[0])
    assert actor.at is not None
    assert target.at is not None
    events: list[Event] = [Repositioned(actor.id)]
    if target.in_cover:
        events.append(CoverLeft(target.id))
    if action.swap:
        events += [Placed(target.id, actor.id, actor.at), Placed(actor.id, actor.id, target.at)]
        return ActionOutcome(tuple(events), (), narrate("{} swaps places with {}.", actor, target))
    assert action.space is not None
    events.append(Placed(target.id, actor.id, action.space))
    sentences = narrate("{} moves {} to {}.", actor, target, format_space(action.space))
    return ActionOutcome(tuple(events), (), sentences)


# Listing


def list_legal_moves(context: TurnContext, routes: Mapping[Space, Route] | None = None) -> Iterator[Action]:
    """Yield a move to each space where it can end, by the cheapest route.

    `routes` is the result of `list_move_routes`, for callers that have it already.
    """
    for route in (list_move_routes(context) if routes is None else routes).values():
        yield Action(context.actor.id, "move", path=route.path)


def list_legal_repositions(context: TurnContext) -> Iterator[Action]:
    """Yield every legal reposition of the held target: the swap first. Rule: `grid.hold.reposition`."""
    actor, state = context.actor, context.state
    if state.board is None or missing_held_target_problems(context):
        return
    target = state.fighter(state.ledger.held)
    around = state.board.neighbours(target.at) if target.at is not None else ()
    swap = Action(actor.id, "reposition", (target.id,), swap=True)
    puts = (Action(actor.id, "reposition", (target.id,), space=space) for space in around)
    yield from (action for action in (swap, *puts) if not reposition_problems(context, action))


PROBLEMS = {"move": move_problems, "reposition": reposition_problems}
"""The function that returns what forbids each action, by its name."""

RESOLVE: dict[str, Callable[[TurnContext, Action, RollD20], ActionOutcome]] = {
    "move": resolve_move,
    "reposition": resolve_reposition,
}
"""The function that resolves each action, by its name."""
