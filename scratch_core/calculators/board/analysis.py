"""Analysis of a board by the rules: spaces in reach, lines of sight and blast targets of the selected token."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from scratch_core.board import Route, Sight, Space, compute_path_cost, format_space, trace_sight
from scratch_core.calculators.board.request import BoardSetup, Token
from scratch_core.calculators.board_drawing.overlay import Overlay, build_reach_overlay
from scratch_core.encounter.actions import (
    Action,
    InterruptWindow,
    TurnContext,
    blast_space_problems,
    build_unreachable_space_problem,
    build_walker,
    find_line_of_sight,
    list_blast_target_ids,
    list_enemy_spaces,
    list_interrupt_windows,
)
from scratch_core.encounter.state import EncounterState, Fighter
from scratch_core.errors import Problem
from scratch_core.figures import Figure, Part
from scratch_core.rulebook.actions import BLAST

LAYERS = ("moves", "sight", "lines", "zone", "blast", "path")
"""What may be drawn besides terrain and tokens: where the selected token can stop, what it does not see, its line of
sight to the space asked about, the spaces next to enemies, a blast at the space asked about, and the way there with the
moments that expose."""


@dataclass(frozen=True, slots=True)
class OtherToken:
    """What the selected token has to do with another one; `sight` says why it is not seen."""

    token: Token
    sight: Sight
    blocker_text: str


@dataclass(frozen=True, slots=True)
class SpaceAnalysis:
    """The space asked about.

    `route` and `cost` are None, and `move_problem` says why, where the selected token cannot stop there.
    `blast_targets` are those whom a blast aimed there rolls for, `interrupters` those to whom it exposes;
    `can_aim_blast` where one may be aimed. `is_far_enemy`: any attack on the enemy there does, for that is far.
    """

    space: Space
    route: Route | None = None
    cost: Figure | None = None
    move_problem: Problem | None = None
    interrupt_windows: tuple[InterruptWindow, ...] = ()
    sight: Sight | None = None
    blocker_text: str = ""
    can_aim_blast: bool = False
    blast_targets: tuple[Fighter, ...] = ()
    interrupters: tuple[Fighter, ...] = ()
    is_far_enemy: bool = False


@dataclass(frozen=True, slots=True)
class BoardAnalysis:
    """Everything worked out for one board; without a selected token only the board, and the space asked about.

    `overlay` says where the selected token comes and what it sees, `enemy_zone` are the spaces next to enemies in which
    someone could stand, `allowances` what may be spent on a move.
    """

    setup: BoardSetup
    state: EncounterState
    context: TurnContext | None = None
    overlay: Overlay = field(default_factory=Overlay)
    enemy_zone: frozenset[Space] = frozenset()
    other_tokens: tuple[OtherToken, ...] = ()
    space_analysis: SpaceAnalysis | None = None
    allowances: tuple[Part, ...] = ()

    def build_overlay(
        self, layers: Collection[str] = LAYERS, lines: Sequence[Space] = (), ways: Sequence[Space] = ()
    ) -> Overlay:
        """What is to be seen of all this in some of the `LAYERS`, with lines of sight and ways to further spaces."""
        scene, asked = self.context, self.setup.selected_space
        if scene is None or scene.actor.at is None:
            return Overlay(selected_space=asked if {"lines", "path"} & set(layers) else None)
        start, shown = scene.actor.at, self.overlay.with_selected_space(asked, scene.actor.at)
        is_aim = "blast" in layers and not {"lines", "path"} & set(layers)
        targets = dict.fromkeys((*lines, *([asked] if asked is not None else [])))
        sights = (find_line_of_sight(scene, each) for each in targets) if "lines" in layers else ()
        return Overlay(
            scene.actor.id,
            shown.routes if "moves" in layers else {},
            shown.interrupt_windows if {"moves", "path"} <= set(layers) else {},
            shown.visible_spaces if "sight" in layers else None,
            self.enemy_zone | list_enemy_spaces(self.state, scene.actor) if "zone" in layers else frozenset(),
            asked if {"lines", "path", "blast"} & set(layers) else None,
            "blast" in layers and self.space_analysis is not None and self.space_analysis.can_aim_blast,
            is_aim,
            shown.path if "path" in layers else (),
            goal_paths=tuple((start, *shown.routes[each].path) for each in ways if each in shown.routes),
            interrupt_lines=shown.interrupt_lines if "path" in layers else (),
            sight_lines=tuple(each for each in sights if each),
        )


def analyse_board(setup: BoardSetup) -> BoardAnalysis:
    """Ask the engine everything about a board and its selected token.

    Reach and cost (`grid.move.base`, `grid.move.blocked`, `grid.move.allies`, `grid.zoc.stop`), sight (`grid.long.los`,
    `grid.long.allies`), blasts (`grid.blast.area`) and exposures (`grid.interrupt.trigger.move`).
    """
    board, state, own, space = setup.board, setup.build_state(), setup.selected_token, setup.selected_space
    asked = None if space is None else SpaceAnalysis(space)
    if own is None:
        return BoardAnalysis(setup, state, space_analysis=asked)
    scene = TurnContext(state, state.fighter(own.id))
    places = list_enemy_spaces(state, scene.actor)
    reach = build_reach_overlay(scene)
    reach = replace(reach, routes={own.space: Route(0, ()), **reach.routes})
    around_them = frozenset(each for enemy in places for each in board.neighbours(enemy)) - places
    zone = frozenset(each for each in around_them if not board.is_solid(each))
    others = tuple(
        OtherToken(other, line := trace_sight(board, own.space, other.space, places), format_blockers(state, line))
        for other in setup.tokens
        if other is not own
    )
    if space is not None:
        asked = _analyse_space(scene, reach, space, own.space)
    return BoardAnalysis(setup, state, scene, reach, zone, others, asked, build_walker(scene.actor).allowance_parts)


def format_blockers(state: EncounterState, line: Sight) -> str:
    """What blocks a line of sight, in words: `wall at 4,2 and red-1 at 5,2`."""
    holders = {each.at: each.name for each in state.fighters}
    return " and ".join(
        f"{holders.get(each) or state.required_board.terrain(each)} at {format_space(each)}"
        for each in line.blocking_spaces
    )


def _analyse_space(scene: TurnContext, reach: Overlay, space: Space, start: Space) -> SpaceAnalysis:
    """The space asked about, what it has to do with the token, and the way there or why there is none."""
    state, actor, board = scene.state, scene.actor, scene.state.required_board
    line = trace_sight(board, start, space, list_enemy_spaces(state, actor))
    blast = Action(actor.id, BLAST.do, space=space)
    is_aim = not blast_space_problems(scene, blast)
    way = reach.routes.get(space)
    return SpaceAnalysis(
        space,
        route=way,
        cost=compute_path_cost(board, build_walker(actor), way.path) if way else None,
        move_problem=None if way else build_unreachable_space_problem(scene, space),
        interrupt_windows=reach.interrupt_windows.get(space, ()),
        sight=line,
        blocker_text=format_blockers(state, line),
        can_aim_blast=is_aim,
        blast_targets=tuple(map(state.fighter, list_blast_target_ids(state, space))) if is_aim else (),
        interrupters=tuple(who for moment in list_interrupt_windows(scene, blast) for who in moment.interrupters)
        if is_aim
        else (),
        is_far_enemy=space in list_enemy_spaces(state, actor) and board.distance(start, space) > 1,
    )
