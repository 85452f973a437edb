"""What the rules say of a board: where the selected token can go, whom it sees, whom a blast catches."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from scratch_core.board import Route, Sight, Space, compute_path_cost, format_space, trace_sight
from scratch_core.calculators.board.request import Setup, Token
from scratch_core.calculators.board_drawing.overlay import Stage, reach_of
from scratch_core.encounter.actions import (
    Action,
    InterruptWindow,
    TurnContext,
    aim_problems,
    build_walker,
    check_destination,
    enemy_spaces,
    find_line_of_sight,
    list_blast_targets,
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
class Other:
    """What the selected token has to do with another one; `sight` says why it is not seen."""

    token: Token
    sight: Sight
    blocks: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The space asked about.

    `way` and `cost` are None, and `why_not` says why, where the selected token cannot stop there. `caught`
    are those whom a blast aimed there rolls for, `guards` those to whom it exposes; `is_aim` where one may be aimed.
    `is_shot`: any attack on the enemy there does, for that is far.
    """

    space: Space
    way: Route | None = None
    cost: Figure | None = None
    why_not: Problem | None = None
    moments: tuple[InterruptWindow, ...] = ()
    sight: Sight | None = None
    blocks: str = ""
    is_aim: bool = False
    caught: tuple[Fighter, ...] = ()
    guards: tuple[Fighter, ...] = ()
    is_shot: bool = False


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything worked out for one board; without a selected token only the board, and the space asked about.

    `reach` says where the selected token comes and what it sees, `zone` are the spaces next to enemies in which
    someone could stand, `allowances` what may be spent on a move.
    """

    setup: Setup
    state: EncounterState
    scene: TurnContext | None = None
    reach: Stage = field(default_factory=Stage)
    zone: frozenset[Space] = frozenset()
    others: tuple[Other, ...] = ()
    asked: Asked | None = None
    allowances: tuple[Part, ...] = ()

    def stage(self, layers: Collection[str] = LAYERS, lines: Sequence[Space] = (), ways: Sequence[Space] = ()) -> Stage:
        """What is to be seen of all this in some of the `LAYERS`, with lines of sight and ways to further spaces."""
        scene, asked = self.scene, self.setup.space
        if scene is None or scene.actor.at is None:
            return Stage(asked=asked if {"lines", "path"} & set(layers) else None)
        start, shown = scene.actor.at, self.reach.asking(asked, scene.actor.at)
        is_aim = "blast" in layers and not {"lines", "path"} & set(layers)
        targets = dict.fromkeys((*lines, *([asked] if asked is not None else [])))
        sights = (find_line_of_sight(scene, each) for each in targets) if "lines" in layers else ()
        return Stage(
            scene.actor.id,
            shown.ways if "moves" in layers else {},
            shown.exposed if {"moves", "path"} <= set(layers) else {},
            shown.seen if "sight" in layers else None,
            self.zone | enemy_spaces(self.state, scene.actor) if "zone" in layers else frozenset(),
            asked if {"lines", "path", "blast"} & set(layers) else None,
            "blast" in layers and self.asked is not None and self.asked.is_aim,
            is_aim,
            shown.path if "path" in layers else (),
            goals=tuple((start, *shown.ways[each].path) for each in ways if each in shown.ways),
            strikes=shown.strikes if "path" in layers else (),
            lines=tuple(each for each in sights if each),
        )


def find(setup: Setup) -> Findings:
    """Ask the engine everything about a board and its selected token.

    Reach and cost (`grid.move.base`, `grid.move.blocked`, `grid.move.allies`, `grid.zoc.stop`), sight (`grid.long.los`,
    `grid.long.allies`), blasts (`grid.blast.area`) and exposures (`grid.interrupt.trigger.move`).
    """
    board, state, own, space = setup.board, setup.state(), setup.token, setup.space
    asked = None if space is None else Asked(space)
    if own is None:
        return Findings(setup, state, asked=asked)
    scene = TurnContext(state, state.fighter(own.id))
    places = enemy_spaces(state, scene.actor)
    reach = reach_of(scene)
    reach = replace(reach, ways={own.space: Route(0, ()), **reach.ways})
    around_them = frozenset(each for enemy in places for each in board.neighbours(enemy)) - places
    zone = frozenset(each for each in around_them if not board.is_solid(each))
    others = tuple(
        Other(other, line := trace_sight(board, own.space, other.space, places), blocked_by(state, line))
        for other in setup.tokens
        if other is not own
    )
    if space is not None:
        asked = _asked(scene, reach, space, own.space)
    return Findings(setup, state, scene, reach, zone, others, asked, build_walker(scene.actor).allowance_parts)


def blocked_by(state: EncounterState, line: Sight) -> str:
    """What blocks a line of sight, in words: `wall at 4,2 and red-1 at 5,2`."""
    holders = {each.at: each.name for each in state.fighters}
    return " and ".join(
        f"{holders.get(each) or state.required_board.terrain(each)} at {format_space(each)}"
        for each in line.blocking_spaces
    )


def _asked(scene: TurnContext, reach: Stage, space: Space, start: Space) -> Asked:
    """The space asked about, what it has to do with the token, and the way there or why there is none."""
    state, actor, board = scene.state, scene.actor, scene.state.required_board
    line = trace_sight(board, start, space, enemy_spaces(state, actor))
    blast = Action(actor.id, BLAST.do, space=space)
    is_aim = not aim_problems(scene, blast)
    way = reach.ways.get(space)
    return Asked(
        space,
        way=way,
        cost=compute_path_cost(board, build_walker(actor), way.path) if way else None,
        why_not=None if way else check_destination(scene, space),
        moments=reach.exposed.get(space, ()),
        sight=line,
        blocks=blocked_by(state, line),
        is_aim=is_aim,
        caught=tuple(map(state.fighter, list_blast_targets(state, space))) if is_aim else (),
        guards=tuple(who for moment in list_interrupt_windows(scene, blast) for who in moment.interrupters)
        if is_aim
        else (),
        is_shot=space in enemy_spaces(state, actor) and board.distance(start, space) > 1,
    )
