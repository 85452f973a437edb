"""The Grid's maps: square and hexagonal spaces, tokens, lines of sight, movement and paths. All results are exact."""

from scratch_core.board.movement import Walker, Way, path_cost, path_prices, path_problems, reach
from scratch_core.board.serialization import SIDE_LIMIT, board_tree, read_board, read_space
from scratch_core.board.sight import Sight, seen, sight
from scratch_core.board.spaces import SHAPES, TERRAIN, Board, Shape, Space, place

__all__ = [
    "SHAPES",
    "SIDE_LIMIT",
    "TERRAIN",
    "Board",
    "Shape",
    "Sight",
    "Space",
    "Walker",
    "Way",
    "board_tree",
    "path_cost",
    "path_prices",
    "path_problems",
    "place",
    "reach",
    "read_board",
    "read_space",
    "seen",
    "sight",
]
