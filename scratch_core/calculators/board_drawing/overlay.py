"""The overlay of a board: what is drawn over terrain and fighters, and positions in words."""

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
"""By end of each path: the spaces where others may interrupt the move."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """What is drawn over the terrain and fighters of a state."""

    selected_id: str = ""
    """The id of the selected fighter. Empty for none."""
    routes: Mapping[Space, Route] = field(default_factory=dict)
    """The reachable spaces, drawn with their costs."""
    interrupt_windows: InterruptWindowsBySpace = field(default_factory=dict)
    """The interrupts on the way to each space."""
    visible_spaces: frozenset[Space] | None = None
    """The spaces in sight: all others are hatched. None draws no sight."""
    enemy_zone: frozenset[Space] = frozenset()
    """The spaces with a border around them."""
    selected_space: Space | None = None
    """The selected space, or None."""
    is_blast: bool = False
    """Whether the area of a blast at the selected space is drawn."""
    is_aiming: bool = False
    """Whether the selected space has the sign of a target."""
    path: tuple[Space, ...] = ()
    """A path from its first space, possible or already moved."""
    goal_paths: tuple[tuple[Space, ...], ...] = ()
    """Paths with their ends marked. They replace all costs."""
    interrupt_lines: tuple[tuple[Space, Space], ...] = ()
    """Lines from an interrupter to the space of the interrupt."""
    sight_lines: tuple[Sight, ...] = ()
    """Lines of sight or of long attacks."""

    @property
    def stops_by_cost(self) -> dict[int, list[Space]]:
        """The spaces to stop in, row by row, by cost."""
        stops: dict[int, list[Space]] = {}
        for space, route in sorted(self.routes.items(), key=lambda item: (item[1].cost, item[0][1], item[0][0])):
            if route.path:
                stops.setdefault(route.cost, []).append(space)
        return stops

    def with_selected_space(self, space: Space | None, start: Space | None) -> Overlay:
        """Return the overlay with a selected space and the path to it.

        The path begins at `start`, and has lines from those who may interrupt it. It is empty if the space is out of
        reach.
        """
        route = self.routes.get(space) if space else None
        if space is None or route is None or not route.path or start is None:
            return replace(self, selected_space=space)
        windows = self.interrupt_windows.get(space, ())
        lines = tuple(
            (interrupter.at, moment.space)
            for moment in windows
            for interrupter in moment.interrupters
            if interrupter.at
        )
        return replace(self, selected_space=space, path=(start, *route.path), interrupt_lines=lines)


def build_reach_overlay(context: TurnContext) -> Overlay:
    """Build the overlay of what the actor can reach and see in this turn.

    It includes those who may interrupt each move. Rules: `grid.move.base`, `grid.interrupt.trigger.move`,
    `grid.long.los`.
    """
    routes, interrupters, actor_id = list_move_routes(context), map_interrupters_by_space(context), context.actor.id
    windows = {
        end: list_interrupt_windows(context, Action(actor_id, MOVE.do, path=way.path), interrupters)
        for end, way in routes.items()
    }
    interrupted = {end: each for end, each in windows.items() if each}
    return Overlay(actor_id, routes, interrupted, list_spaces_in_sight(context))


def list_placed_fighters(state: EncounterState) -> tuple[Fighter, ...]:
    """List the fighters on the board, the incapacitated first.

    Others are drawn over them.
    """
    board = state.board
    placed = [each for each in state.fighters if board and each.at and each.at in board and not each.escaped]
    return tuple(sorted(placed, key=lambda each: not each.is_down))


def list_position_and_condition_texts(state: EncounterState) -> tuple[str, ...]:
    """Format the position of every fighter in words.

    Includes those off the board, and those who are incapacitated, immobilized or evading.
    """
    board, texts = state.required_board, []
    for fighter in state.fighters:
        if fighter.escaped or fighter.at is None:
            position = "escaped" if fighter.escaped else "not on the map"
        elif fighter.at in board:
            position = f"{format_space(fighter.at)}, {board.terrain(fighter.at).replace('-', ' ')}"
        else:
            position = f"off the map at {format_space(fighter.at)}"
        conditions = {"down": fighter.is_down, "immobilized": fighter.is_immobilized, "evading": bool(fighter.evading)}
        texts.append(", ".join((f"{fighter.name}: {position}", *(word for word, holds in conditions.items() if holds))))
    return tuple(texts)
