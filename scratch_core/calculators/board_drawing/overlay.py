"""The overlay of a state on a board: what is drawn over terrain and fighters, and positions in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from scratch_core.board import Route, Sight, Space, format_space
from scratch_core.encounter.actions import (
    Action,
    InterruptWindow,
    TurnContext,
    list_interrupt_windows,
    list_move_routes,
    list_spaces_in_sight,
    map_interrupters_by_space,
)
from scratch_core.encounter.state import EncounterState, Fighter
from scratch_core.rulebook.actions import MOVE

InterruptWindowsBySpace = Mapping[Space, tuple[InterruptWindow, ...]]
"""For the end of each way that exposes: the moments at which others may interrupt it."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """What is drawn over the terrain and fighters of a state.

    `selected_id` is someone's id. `routes` are drawn with their costs, `visible_spaces` hatches all other spaces,
    `enemy_zone` has a line around it, `selected_space` is the space asked about, `is_blast` draws a blast there. `path`
    was walked, from its first space, or may be; `goal_paths` are ways with their ends marked, in the place of all
    costs. `interrupt_lines` go from an interrupter to where it interrupts, `sight_lines` are lines of sight or of fire.
    """

    selected_id: str = ""
    routes: Mapping[Space, Route] = field(default_factory=dict)
    interrupt_windows: InterruptWindowsBySpace = field(default_factory=dict)
    visible_spaces: frozenset[Space] | None = None
    enemy_zone: frozenset[Space] = frozenset()
    selected_space: Space | None = None
    is_blast: bool = False
    is_aiming: bool = False
    path: tuple[Space, ...] = ()
    goal_paths: tuple[tuple[Space, ...], ...] = ()
    interrupt_lines: tuple[tuple[Space, Space], ...] = ()
    sight_lines: tuple[Sight, ...] = ()

    @property
    def stops_by_cost(self) -> dict[int, list[Space]]:
        """The spaces to stop in, row by row, by what they cost."""
        found: dict[int, list[Space]] = {}
        for space, way in sorted(self.routes.items(), key=lambda item: (item[1].cost, item[0][1], item[0][0])):
            if way.path:
                found.setdefault(way.cost, []).append(space)
        return found

    def with_selected_space(self, space: Space | None, start: Space | None) -> Overlay:
        """The same with a space asked about, and the way there from `start` with those who may interrupt it."""
        way = self.routes.get(space) if space else None
        if space is None or way is None or not way.path or start is None:
            return replace(self, selected_space=space)
        found = self.interrupt_windows.get(space, ())
        strikes = tuple((who.at, moment.space) for moment in found for who in moment.interrupters if who.at)
        return replace(self, selected_space=space, path=(start, *way.path), interrupt_lines=strikes)


def build_reach_overlay(scene: TurnContext) -> Overlay:
    """How far someone comes in this turn, who may interrupt it on the way, and what it sees.

    Rules: `grid.move.base`, `grid.interrupt.trigger.move`, `grid.long.los`.
    """
    found, guarded, own = list_move_routes(scene), map_interrupters_by_space(scene), scene.actor.id
    moments = {
        end: list_interrupt_windows(scene, Action(own, MOVE.do, path=way.path), guarded) for end, way in found.items()
    }
    exposed = {end: each for end, each in moments.items() if each}
    return Overlay(own, found, exposed, list_spaces_in_sight(scene))


def list_placed_fighters(state: EncounterState) -> tuple[Fighter, ...]:
    """List the fighters on the board, the incapacitated first, so that others are drawn over them."""
    board = state.board
    here = [each for each in state.fighters if board and each.at and each.at in board and not each.escaped]
    return tuple(sorted(here, key=lambda each: not each.is_down))


def list_position_texts(state: EncounterState) -> tuple[str, ...]:
    """Everyone on the board and off it, in words."""
    board, told = state.required_board, []
    for who in state.fighters:
        if who.escaped or who.at is None:
            where = "escaped" if who.escaped else "not on the map"
        elif who.at in board:
            where = f"{format_space(who.at)}, {board.terrain(who.at).replace('-', ' ')}"
        else:
            where = f"off the map at {format_space(who.at)}"
        how = {"down": who.is_down, "immobilized": who.is_immobilized, "evading": bool(who.evading)}
        told.append(", ".join((f"{who.name}: {where}", *(word for word, holds in how.items() if holds))))
    return tuple(told)
