"""The board: square and hexagonal spaces, what stands on them, who sees whom and who gets where. All of it is exact.

Read in this order: `spaces` (the board itself), `reading` (from a file's tree and back), `sight` (lines of sight),
`movement` (reach and paths).
"""

from scratch_core.board.movement import Walker, Way, path_cost, path_prices, path_problems, reach
from scratch_core.board.reading import SIDE_LIMIT, board_tree, read_board, read_space
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
