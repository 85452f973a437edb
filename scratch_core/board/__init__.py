"""The maps of the Grid: square and hexagonal spaces, lines of sight, movement and paths, all in exact arithmetic."""

from scratch_core.board.movement import (
    MovementTraits,
    Route,
    compute_path_cost,
    find_cheapest_routes,
    list_path_prices,
    path_problems,
)
from scratch_core.board.serialization import MAX_BOARD_SIDE, board_from_dict, board_to_dict, parse_space_pair
from scratch_core.board.sight import Sight, find_visible_spaces, trace_sight
from scratch_core.board.spaces import SHAPES, TERRAIN, Board, Shape, Space, format_space, parse_space_text

__all__ = [
    "MAX_BOARD_SIDE",
    "SHAPES",
    "TERRAIN",
    "Board",
    "MovementTraits",
    "Route",
    "Shape",
    "Sight",
    "Space",
    "board_from_dict",
    "board_to_dict",
    "compute_path_cost",
    "find_cheapest_routes",
    "find_visible_spaces",
    "format_space",
    "list_path_prices",
    "parse_space_pair",
    "parse_space_text",
    "path_problems",
    "trace_sight",
]
