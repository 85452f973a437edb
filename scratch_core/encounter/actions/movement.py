"""Moves on a board, and repositioning a held target."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from scratch_core.board import Board, Route, Space, format_space, list_routes, path_problems
from scratch_core.encounter.actions.action import Action
from scratch_core.encounter.actions.attacks import ActionOutcome, Throw
from scratch_core.encounter.actions.escape import edge_problems
from scratch_core.encounter.actions.phrases import ACTION_TITLES, distance_problems, missing_map_problems
from scratch_core.encounter.actions.positions import (
    CLOSE_REACH,
    ally_spaces,
    build_walker,
    enemy_spaces,
    list_occupied_spaces,
    measure_distance,
)
from scratch_core.encounter.actions.preconditions import (
    TurnContext,
    absence_problems,
    delay_problems,
    idle_problems,
    off_map_problems,
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
from scratch_core.errors import Problem, rule_problems

# Moves


def may_squeeze(state: EncounterState) -> bool:
    """Return whether a diagonal step may pass between two solid spaces (ruling G11). Rule: `grid.move.step`."""
    return state.rulings.corners == "free"


def move_problems(scene: TurnContext, action: Action) -> list[Problem]:
    """Return everything that forbids a move: its actor, its time, or its path.

    Rules: `grid.scope`, `grid.move.who`, `grid.move.once`, `grid.hold.immobilize`, `grid.escape.exit`.
    """
    board, actor = scene.state.board, scene.actor
    found = mover_problems(scene)
    if board is None or actor.at is None or scene.state.is_off_board(actor):
        return found
    leaving = edge_problems(scene)
    enemies, allies = enemy_spaces(scene.state, actor), ally_spaces(scene.state, actor)
    squeezes = may_squeeze(scene.state)
    found += path_problems(board, build_walker(actor), actor.at, action.path, enemies, allies, not leaving, squeezes)
    if leaving and action.path and not board.contains(action.path[-1]):
        found += leaving
    return found


def mover_problems(scene: TurnContext) -> list[Problem]:
    """Return what forbids a move, whatever its path.

    A delayed actor may move, unless the ruling G07 says otherwise.
    Rules: `grid.scope`, `grid.move.who`, `grid.move.once`, `grid.hold.immobilize`, `turn.encounter`.
    """
    state, actor, where = scene.state, scene.actor, ACTION_TITLES["move"]
    if state.board is None:
        return missing_map_problems(where)
    absent = absence_problems(actor, "move")
    if absent:
        return [replace(absent[0], rule="grid.move.who"), *absent]
    if not scene.is_encounter:
        return idle_problems("move")
    found = []
    if state.is_off_board(actor):
        found += off_map_problems(actor, "a move", where)
    if actor.is_immobilized:
        rules, got = "grid.hold.immobilize grid.move.who", f"{actor.name}, immobilized by a hold"
        found += rule_problems("move.held", rules, "an actor who may move", got, where, actor=actor.name)
    if actor.delays and state.rulings.delayed_blocks_move:
        delays = delay_problems(actor, "move")
        found += [replace(delays[0], rule="grid.move.who"), *delays]
    if state.ledger.moved:
        expected = "one move a turn, in one go"
        found += rule_problems("move.used", "grid.move.once", expected, "a second one", where, actor=actor.name)
    return found


def list_move_routes(scene: TurnContext) -> dict[Space, Route]:
    """Map every space where the actor's move can end to its route.

    The actor's own space is not included. Returns {} if the actor can't move. Rules: `grid.move.base`, `grid.move.who`.
    """
    board, actor = scene.state.board, scene.actor
    if board is None or actor.at is None or mover_problems(scene):
        return {}
    enemies, allies = enemy_spaces(scene.state, actor), ally_spaces(scene.state, actor)
    may_leave = not edge_problems(scene)
    found = list_routes(board, build_walker(actor), actor.at, enemies, allies, may_leave, may_squeeze(scene.state))
    return {space: way for space, way in found.items() if way.path}


def check_destination(scene: TurnContext, space: Space) -> Problem:
    """Return why the actor's move can't end in a space of the board.

    Rules: `grid.move.who`, `grid.move.blocked`, `grid.move.allies`, `swimming.requires`, `grid.zoc.stop`,
    `grid.move.base`.
    """
    actor, problems = scene.actor, mover_problems(scene)
    if problems:
        return problems[0]
    board = scene.state.required_board
    assert actor.at is not None
    holder = next((each for each, taken in list_occupied_spaces(scene.state) if taken == space), None)
    got, where = format_space(space), ACTION_TITLES["move"]
    if board.is_solid(space):
        terrain, expected = board.terrain(space), "a space to stand in"
        return rule_problems("way.solid", "grid.move.blocked", expected, f"{terrain} {got}", where, terrain=terrain)[0]
    if holder and holder.side == actor.side:
        expected, taken_by = "a free space at the end", f"{holder.name} in {got}"
        return rule_problems("way.ally", "grid.move.allies", expected, taken_by, where, target=holder.name)[0]
    if holder:
        expected, taken_by = "a space without an enemy", f"{holder.name} in {got}"
        return rule_problems("way.enemy", "grid.move.blocked", expected, taken_by, where, target=holder.name)[0]
    legs = build_walker(actor)
    if board.terrain(space) == "deep-water" and not (legs.swimming or legs.flying):
        expected, name = "an actor who can swim", actor.name
        return rule_problems(
            "way.deep-water", "swimming.requires", expected, f"deep water in {got}", where, actor=name
        )[0]
    if space in list_routes(board, legs, actor.at, may_squeeze=may_squeeze(scene.state)):
        return rule_problems("way.enemies", "grid.zoc.stop", "a way past the enemies", got, where)[0]
    return rule_problems("way.too-far", "grid.move.base", "a space within one move", got, where, actor=actor.name)[0]


def move(scene: TurnContext, action: Action, throw: Throw) -> ActionOutcome:
    """Move the actor along the whole path. Rules: `grid.move.once`, `grid.move.step`."""
    events = (*build_move_used_events(scene), *build_walk_events(scene.actor, action.path))
    board, end = scene.state.board, action.path[-1]
    off = "" if board is None or board.contains(end) else ", off the map"
    return ActionOutcome(events, (), f"{scene.actor.name} moves to {format_space(end)}{off}.")


def build_move_used_events(scene: TurnContext) -> tuple[Event, ...]:
    """Return the event that spends the move of the turn. Rule: `grid.move.once`."""
    return (MoveUsed(scene.actor.id, "after" if scene.state.ledger.regular else "before"),)


def build_walk_events(actor: Fighter, path: tuple[Space, ...]) -> tuple[Event, ...]:
    """Return the events of walking along a path or part of it.

    The first step leaves cover. Returns () for an empty path. Rules: `grid.move.step`, `act.cover.stay`.
    """
    if not path:
        return ()
    left = (CoverLeft(actor.id),) if actor.in_cover else ()
    return (*left, Walked(actor.id, path))


# Repositioning


def reposition_problems(scene: TurnContext, action: Action) -> list[Problem]:
    """Return what forbids a reposition of a held target.

    It either swaps places with the actor, or goes 1 space further (ruling G16).
    Rules: `grid.hold.reposition`, `grid.scope`.
    """
    state, actor, where = scene.state, scene.actor, ACTION_TITLES["reposition"]
    found = holder_problems(scene)
    if found or state.board is None:
        return found
    rule = "grid.hold.reposition"
    target = state.fighter(state.ledger.held)
    if action.targets != (state.ledger.held,):
        got, facts = ", ".join(action.targets) or "nobody", {"actor": actor.name, "target": target.name}
        return rule_problems("reposition.not-held", rule, target.name, got, where, **facts)
    if action.swap == (action.space is not None):
        expected, got = "a space to put the target, or a swap", "both" if action.swap else "neither"
        return rule_problems("reposition.space-or-swap", rule, expected, got, where, target=target.name)
    if action.swap:
        return _swap_problems(state, state.board, actor, target)
    return _put_problems(state, state.board, target, action.space)


def holder_problems(scene: TurnContext) -> list[Problem]:
    """Return why there is no target to reposition.

    There is one after a successful hold, once, while it is still next to the actor.
    Rules: `grid.hold.reposition`, `grid.scope`.
    """
    state, actor, where = scene.state, scene.actor, ACTION_TITLES["reposition"]
    if state.board is None:
        return missing_map_problems(where)
    absent = absence_problems(actor, "reposition")
    if absent:
        return absent
    if not scene.is_encounter or not state.ledger.held:
        expected, rule = "a hold that has just succeeded", "grid.hold.reposition"
        return rule_problems("reposition.no-hold", rule, expected, "none", where, actor=actor.name)
    target = state.fighter(state.ledger.held)
    if measure_distance(state.board, actor, target) > CLOSE_REACH:
        return distance_problems(
            "grid.hold.reposition", target.name, measure_distance(state.board, actor, target), actor.name, where
        )
    return []


def _swap_problems(state: EncounterState, board: Board, actor: Fighter, target: Fighter) -> list[Problem]:
    """Return what forbids a swap.

    An actor enters deep water only if it can swim, or fly there (ruling G15).
    """
    if actor.at and target.at and not may_squeeze(state) and board.is_across_corner(actor.at, target.at):
        expected = "nothing solid on both sides of the corner"
        rule, got = "grid.hold.reposition", f"a swap across {format_space(target.at)}"
        return rule_problems("reposition.corner", rule, expected, got, ACTION_TITLES["reposition"], target=target.name)
    if target.at is None or board.terrain(target.at) != "deep-water" or actor.level("swimming"):
        return []
    if actor.level("flying") and target.at not in board.cramped:
        return []
    rules = "grid.hold.reposition swimming.requires"
    expected, got = "an actor who can swim", f"{actor.name}, into deep water"
    return rule_problems("reposition.deep-water", rules, expected, got, ACTION_TITLES["reposition"], actor=actor.name)


def _put_problems(state: EncounterState, board: Board, target: Fighter, space: Space | None) -> list[Problem]:
    rule, where = "grid.hold.reposition", ACTION_TITLES["reposition"]
    if space is None or target.at is None or space not in board.neighbours(target.at):
        expected = f"a space of the board next to {target.name}"
        facts = {"space": format_space(space), "target": target.name}
        return rule_problems("reposition.not-next", rule, expected, format_space(space), where, **facts)
    if board.is_solid(space) or (not may_squeeze(state) and board.is_across_corner(target.at, space)):
        facts = {"space": format_space(space), "target": target.name}
        return rule_problems(
            "reposition.blocked", rule, "a space that can be entered", format_space(space), where, **facts
        )
    if space in {taken for _, taken in list_occupied_spaces(state)}:
        return rule_problems(
            "reposition.taken", rule, "a free space", format_space(space), where, space=format_space(space)
        )
    return []


def reposition(scene: TurnContext, action: Action, throw: Throw) -> ActionOutcome:
    """Resolve a swap or a push, which is not a move (ruling G16). Rule: `grid.hold.reposition`."""
    actor, target = scene.actor, scene.state.fighter(action.targets[0])
    assert actor.at is not None
    assert target.at is not None
    events: list[Event] = [Repositioned(actor.id)]
    if target.in_cover:
        events.append(CoverLeft(target.id))
    if action.swap:
        events += [Placed(target.id, actor.id, actor.at), Placed(actor.id, actor.id, target.at)]
        return ActionOutcome(tuple(events), (), f"{actor.name} swaps places with {target.name}.")
    assert action.space is not None
    events.append(Placed(target.id, actor.id, action.space))
    return ActionOutcome(tuple(events), (), f"{actor.name} moves {target.name} to {format_space(action.space)}.")


# Listing


def list_board_actions(scene: TurnContext) -> Iterator[Action]:
    """Yield every move and every reposition that is legal.

    Each space is moved to by its cheapest route.
    """
    actor, state = scene.actor, scene.state
    yield from (Action(actor.id, "move", path=way.path) for way in list_move_routes(scene).values())
    if state.board is None or holder_problems(scene):
        return
    target = state.fighter(state.ledger.held)
    around = state.board.neighbours(target.at) if target.at is not None else ()
    swap = Action(actor.id, "reposition", (target.id,), swap=True)
    puts = (Action(actor.id, "reposition", (target.id,), space=space) for space in around)
    yield from (each for each in (swap, *puts) if not reposition_problems(scene, each))


PROBLEMS = {"move": move_problems, "reposition": reposition_problems}
"""The function that returns what forbids each action, by its name."""

RESOLVE: dict[str, Callable[[TurnContext, Action, Throw], ActionOutcome]] = {"move": move, "reposition": reposition}
"""The function that resolves each action, by its name."""
