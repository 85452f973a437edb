"""Analysis of a board by the rules: spaces in reach, lines of sight and blast targets of the selected token."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from scratch_core.board import Route, Sight, Space, compute_path_cost, format_space, trace_sight
from scratch_core.calculators.board.setup import BoardSetup, Token
from scratch_core.calculators.board_drawing.overlay import Overlay, build_reach_overlay
from scratch_core.encounter.actions import (
    Action,
    InterruptWindow,
    TurnContext,
    blast_space_problems,
    build_movement_traits,
    build_unreachable_space_problem,
    list_blast_target_ids,
    list_enemy_spaces,
    list_interrupt_windows,
    trace_line_of_sight,
)
from scratch_core.encounter.state import EncounterState, Fighter
from scratch_core.errors import Problem
from scratch_core.figures import Figure, Part
from scratch_core.rulebook.actions import BLAST

LAYERS = ("moves", "sight", "lines", "zone", "blast", "path")
"""The layers that may be drawn over terrain and tokens.

`moves` are the spaces where the selected token can stop, `sight` marks those it can't see. `lines` is its line of sight
to the selected space, `zone` the spaces next to enemies, `blast` the area of a blast at the selected space. `path` is
the way there, with the spaces where others may interrupt it."""


@dataclass(frozen=True, slots=True)
class OtherToken:
    """Another token, seen from the selected token."""

    token: Token
    """The other token."""
    sight: Sight
    """The line of sight to it."""
    blocker_text: str
    """What blocks the line of sight, in words. Empty if it is clear."""


@dataclass(frozen=True, slots=True)
class SpaceAnalysis:
    """The selected space, seen from the selected token."""

    space: Space
    """The selected space."""
    route: Route | None = None
    """The cheapest way there. None if the token can't stop there."""
    cost: Figure | None = None
    """The cost of the way, with its parts. None if the token can't stop there."""
    move_problem: Problem | None = None
    """Why the token can't stop there, or None."""
    stopping_enemies: tuple[Fighter, ...] = ()
    """The enemies next to the space, where a move has to stop."""
    interrupt_windows: tuple[InterruptWindow, ...] = ()
    """The spaces of the way where others may interrupt the move."""
    sight: Sight | None = None
    """The line of sight. None without a selected token."""
    blocker_text: str = ""
    """What blocks the line of sight, in words. Empty if it is clear."""
    can_aim_blast: bool = False
    """Whether the token may aim a blast at the space."""
    blast_targets: tuple[Fighter, ...] = ()
    """The characters that a blast aimed there rolls for."""
    interrupters: tuple[Fighter, ...] = ()
    """The characters that may interrupt the blast."""
    is_far_enemy: bool = False
    """Whether an enemy is there, and not next to the token."""


@dataclass(frozen=True, slots=True)
class BoardAnalysis:
    """The analysis of a board. Without a selected token it has only the board and the selected space."""

    setup: BoardSetup
    """The parsed controls."""
    state: EncounterState
    """The board as a state of the basic rules."""
    context: TurnContext | None = None
    """The state with the selected token as actor. None without one."""
    overlay: Overlay = field(default_factory=Overlay)
    """The reach and sight of the selected token."""
    enemy_zone: frozenset[Space] = frozenset()
    """The free and passable spaces next to enemies."""
    other_tokens: tuple[OtherToken, ...] = ()
    """The other tokens, seen from the selected token."""
    space_analysis: SpaceAnalysis | None = None
    """The selected space. None without one."""
    allowances: tuple[Part, ...] = ()
    """The parts of the token's movement allowance."""

    def build_answer_overlay(self) -> Overlay:
        """Build the overlay of the map tool: reach, sight, and what answers the selected space.

        Only a blast that catches someone has an area. What stops a move is said in words.
        """
        overlay = self.build_overlay([layer for layer in LAYERS if layer != "zone"])
        is_blast = overlay.is_blast and self.space_analysis is not None and bool(self.space_analysis.blast_targets)
        return replace(overlay, is_blast=is_blast)

    def build_overlay(
        self, layers: Collection[str] = LAYERS, sight_targets: Sequence[Space] = (), path_goals: Sequence[Space] = ()
    ) -> Overlay:
        """Build the overlay for some of the `LAYERS`.

        `sight_targets` are further spaces for lines of sight, `path_goals` further spaces for paths.
        """
        context, selected_space = self.context, self.setup.selected_space
        if context is None or context.actor.at is None:
            return Overlay(selected_space=selected_space if {"lines", "path"} & set(layers) else None)
        start, reach = context.actor.at, self.overlay.with_selected_space(selected_space, context.actor.at)
        is_aim = "blast" in layers and not {"lines", "path"} & set(layers)
        targets = dict.fromkeys((*sight_targets, *([selected_space] if selected_space is not None else [])))
        sights = (trace_line_of_sight(context, each) for each in targets) if "lines" in layers else ()
        return Overlay(
            context.actor.id,
            reach.routes if "moves" in layers else {},
            reach.interrupt_windows if {"moves", "path"} <= set(layers) else {},
            reach.visible_spaces if "sight" in layers else None,
            self.enemy_zone | list_enemy_spaces(self.state, context.actor) if "zone" in layers else frozenset(),
            selected_space if {"lines", "path", "blast"} & set(layers) else None,
            "blast" in layers and self.space_analysis is not None and self.space_analysis.can_aim_blast,
            is_aim,
            reach.path if "path" in layers else (),
            goal_paths=tuple((start, *reach.routes[each].path) for each in path_goals if each in reach.routes),
            interrupt_lines=reach.interrupt_lines if "path" in layers else (),
            sight_lines=tuple(each for each in sights if each),
        )


def analyse_board(setup: BoardSetup) -> BoardAnalysis:
    """Analyse a board and its selected token by the rules.

    Covers reach and cost (`grid.move.base`, `grid.move.blocked`, `grid.move.allies`, `grid.zoc.stop`), sight
    (`grid.long.los`, `grid.long.allies`), blasts (`grid.blast.area`) and interrupts (`grid.interrupt.trigger.move`).
    """
    board, state, token, space = (
        setup.board,
        setup.build_selected_turn_state(),
        setup.selected_token,
        setup.selected_space,
    )
    space_analysis = None if space is None else SpaceAnalysis(space)
    if token is None:
        return BoardAnalysis(setup, state, space_analysis=space_analysis)
    context = TurnContext(state, state.fighter(token.id))
    enemy_spaces = list_enemy_spaces(state, context.actor)
    reach = build_reach_overlay(context)
    reach = replace(reach, routes={token.space: Route(0, ()), **reach.routes})
    adjacent_spaces = frozenset(each for enemy in enemy_spaces for each in board.neighbours(enemy)) - enemy_spaces
    zone = frozenset(each for each in adjacent_spaces if not board.has_wall_or_obstacle(each))
    others = tuple(
        OtherToken(
            other, line := trace_sight(board, token.space, other.space, enemy_spaces), format_blockers(state, line)
        )
        for other in setup.tokens
        if other is not token
    )
    if space is not None:
        space_analysis = _analyse_space(context, reach, space, token.space)
    return BoardAnalysis(
        setup,
        state,
        context=context,
        overlay=reach,
        enemy_zone=zone,
        other_tokens=others,
        space_analysis=space_analysis,
        allowances=build_movement_traits(context.actor).allowance_parts,
    )


def format_blockers(state: EncounterState, line: Sight) -> str:
    """Format what blocks a line of sight: `wall at 4,2 and red-1 at 5,2`.

    Returns "" if nothing blocks it.
    """
    holders = {each.at: each.name for each in state.fighters}
    return " and ".join(
        f"{holders.get(each) or state.required_board.terrain(each)} at {format_space(each)}"
        for each in line.blocking_spaces
    )


def _analyse_space(context: TurnContext, reach: Overlay, space: Space, actor_space: Space) -> SpaceAnalysis:
    """Analyse the selected space as seen from the token at `actor_space`.

    Includes the way there, or the problem if there is none.
    """
    state, actor, board = context.state, context.actor, context.state.required_board
    line = trace_sight(board, actor_space, space, list_enemy_spaces(state, actor))
    blast = Action(actor.id, BLAST.do, space=space)
    is_aim = not blast_space_problems(context, blast)
    way = reach.routes.get(space)
    return SpaceAnalysis(
        space,
        route=way,
        cost=compute_path_cost(board, build_movement_traits(actor), way.path) if way else None,
        move_problem=None if way else build_unreachable_space_problem(context, space),
        stopping_enemies=_list_stopping_enemies(context, space) if way and way.path else (),
        interrupt_windows=reach.interrupt_windows.get(space, ()),
        sight=line,
        blocker_text=format_blockers(state, line),
        can_aim_blast=is_aim,
        blast_targets=tuple(map(state.fighter, list_blast_target_ids(state, space))) if is_aim else (),
        interrupters=tuple(
            interrupter for moment in list_interrupt_windows(context, blast) for interrupter in moment.interrupters
        )
        if is_aim
        else (),
        is_far_enemy=space in list_enemy_spaces(state, actor) and board.distance(actor_space, space) > 1,
    )


def _list_stopping_enemies(context: TurnContext, space: Space) -> tuple[Fighter, ...]:
    """List the enemies next to a space, at which every move stops. Rule: `grid.zoc.stop`."""
    enemy_spaces = list_enemy_spaces(context.state, context.actor)
    adjacent_spaces = enemy_spaces.intersection(context.state.required_board.neighbours(space))
    return tuple(each for each in context.state.fighters if each.at in adjacent_spaces)
