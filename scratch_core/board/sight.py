"""Lines of sight from the centre of one space to that of another, in integers throughout (ruling G10).

A blocking space blocks a line that crosses its interior. A line along an edge or through a corner is blocked only by
two spaces, one on each side.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import gcd

from scratch_core.board.spaces import Board, Space

Run = tuple[int, int, int]
"""A row, and the first and last column of its spaces that a line crosses."""

Pair = tuple[Space, Space]
"""Two spaces on opposite sides of a line that touch it at the same corner or along the same edge."""


@dataclass(frozen=True, slots=True)
class Sight:
    """The line of sight between two spaces. Rules: `grid.long.los`, `grid.diagrams`."""

    start: Space
    """The space of the viewer."""
    end: Space
    """The target space."""
    blocking_spaces: tuple[Space, ...]
    """The spaces that block the line, from start to end; both of two spaces that block together."""

    @property
    def is_clear(self) -> bool:
        """Whether the line of sight is clear. Rule: `grid.long.los`."""
        return not self.blocking_spaces


def trace_sight(board: Board, start: Space, end: Space, blockers: Collection[Space] = ()) -> Sight:
    """Trace the line of sight between two spaces.

    Walls, obstacles and `blockers` block it; `blockers` are the spaces of the viewer's enemies, because allies do not
    block. The two ends never block, so the line is symmetric unless a character is on it. Rules: `grid.long.los`,
    `grid.long.allies`.
    """
    enemies = frozenset(blockers)
    solid = {
        space
        for space in _list_crossed_or_touched_spaces(board, start, end)
        if space in enemies or board.has_wall_or_obstacle(space)
    }
    inside = {
        (column, row) for row, first, last in _list_crossed_runs(board, start, end) for column in range(first, last + 1)
    }
    found = solid & inside
    for pair in _list_pairs_touching_line(board, start, end):
        if solid.issuperset(pair):
            found.update(pair)
    x, y = board.scaled_centre(start)
    scale = 3 if board.shape == "hex" else 1  # in `scaled_centre`, a unit across is √3 times as long as a unit down
    across, down = scale * (board.scaled_centre(end)[0] - x), board.scaled_centre(end)[1] - y

    def distance_along_line(space: Space) -> tuple[int, Space]:
        middle = board.scaled_centre(space)
        return across * (middle[0] - x) + down * (middle[1] - y), space

    return Sight(start, end, tuple(sorted(found, key=distance_along_line)))


def find_visible_spaces(board: Board, start: Space, blockers: Collection[Space] = ()) -> frozenset[Space]:
    """Find every space with a clear line of sight, including the start. Rules: `grid.long.los`."""
    masks = _build_row_masks(board, frozenset(blockers))
    return frozenset(end for end in board.spaces if _is_clear(board, masks, start, end))


def _build_row_masks(board: Board, blockers: frozenset[Space]) -> list[int]:
    """Build one integer for each row, with a bit for every blocking space."""
    masks = [sum(1 << column for column, letter in enumerate(row) if letter in "#o") for row in board.rows]
    for column, row in blockers:
        masks[row] |= 1 << column
    return masks


def _is_clear(board: Board, masks: list[int], start: Space, end: Space) -> bool:
    for row, first, last in _list_crossed_runs(board, start, end):
        if masks[row] >> first & (1 << (last - first + 1)) - 1:
            return False
    return not any(
        masks[a[1]] >> a[0] & masks[b[1]] >> b[0] & 1 for a, b in _list_pairs_touching_line(board, start, end)
    )


def _list_crossed_or_touched_spaces(board: Board, start: Space, end: Space) -> Iterator[Space]:
    for row, first, last in _list_crossed_runs(board, start, end):
        yield from ((column, row) for column in range(first, last + 1))
    for pair in _list_pairs_touching_line(board, start, end):
        yield from pair


# Which spaces a line crosses: a space with its centre at (x, y) is left or right of the line from the start in the
# direction (across, down) by s = across * (y - start y) - down * (x - start x). The corners of the space extend h
# further to both sides, so the line crosses its interior if -h < s < h, and touches it if s is h or -h.


def _list_crossed_runs(board: Board, start: Space, end: Space) -> Iterator[Run]:
    """Yield the spaces that the line crosses between its ends, from the top."""
    if start[1] > end[1]:
        start, end = end, start
    if start[1] == end[1]:
        first, last = min(start[0], end[0]) + 1, max(start[0], end[0]) - 1
        if first <= last:
            yield start[1], first, last
        return
    is_hex = board.shape == "hex"
    high, wide = (3, start[1] & 1) if is_hex else (2, 0)
    down = high * (end[1] - start[1])
    across = 2 * (end[0] - start[0]) + ((end[1] & 1) - wide if is_hex else 0)
    reach = max(2 * abs(across), abs(across) + down) if is_hex else abs(across) + down
    width = board.width
    for row in range(start[1], end[1] + 1):
        # x - start x is strictly between (middle - reach) / down and (middle + reach) / down
        middle = across * high * (row - start[1])
        shift = 2 * start[0] + (wide - (row & 1) if is_hex else 0)
        first = -(-((middle - reach) // down + 1 + shift) // 2)
        last = (-(-(middle + reach) // down) - 1 + shift) // 2
        if row == start[1]:
            first, last = _clip_run_toward_other_end(start[0], across, first, last)
        if row == end[1]:
            first, last = _clip_run_toward_other_end(end[0], -across, first, last)
        first, last = max(first, 0), min(last, width - 1)
        if first <= last:
            yield row, first, last


def _clip_run_toward_other_end(end_column: int, distance_to_other_end: int, first: int, last: int) -> tuple[int, int]:
    """Clip the run in one end's row to the other end's side."""
    if distance_to_other_end > 0:
        return max(first, end_column + 1), last
    return (first, min(last, end_column - 1)) if distance_to_other_end < 0 else (0, -1)


def _list_pairs_touching_line(board: Board, start: Space, end: Space) -> Iterator[Pair]:
    """Yield the pairs of spaces that touch the line from both sides, from the top.

    They touch it at corners of squares and along edges of hexagons. Three hexagons meet in a corner, and a line through
    it crosses the interior of two of them.
    """
    if start[1] > end[1]:
        start, end = end, start
    if start[1] == end[1]:
        return
    (x, y), (to_x, to_y) = board.scaled_centre(start), board.scaled_centre(end)
    across, down = to_x - x, to_y - y
    if board.shape == "hex":
        if across == 0:
            edges = _list_vertical_edge_pairs(start, end)
        elif abs(across) == down:
            edges = _list_pairs_along_slanted_line(start, end, 1 if across > 0 else -1)
        else:
            return
        yield from (pair for pair in edges if pair[0] in board and pair[1] in board)
    else:
        yield from _list_corner_pairs(start, end)


def _list_corner_pairs(start: Space, end: Space) -> Iterator[Pair]:
    """Yield the pairs at corners of squares on the line.

    There are corners on it only if its steps across and down are odd multiples of the same length.
    """
    across, down = end[0] - start[0], end[1] - start[1]
    common = gcd(across, down)
    wide, high = across // common, down // common
    if not (wide & 1 and high & 1):
        return
    side = 1 if wide > 0 else -1
    for turn in range(common):
        # halfway between two centres on the line
        left = start[0] + turn * wide + (wide - side) // 2
        top = start[1] + turn * high + (high - 1) // 2
        yield (left + side, top), (left, top + 1)


def _list_vertical_edge_pairs(start: Space, end: Space) -> Iterator[Pair]:
    """Yield the pairs along edges on a vertical line, one in every second row."""
    for row in range(start[1] + 1, end[1], 2):
        left = start[0] - 1 + (start[1] & 1)
        yield (left, row), (left + 1, row)


def _list_pairs_along_slanted_line(start: Space, end: Space, column_step: int) -> Iterator[Pair]:
    """Yield the pairs along edges on a slanted line.

    From a corner, the line follows the edge between the space to the side and the space below, into the space after
    them.
    """
    column, row = start
    while row < end[1]:
        side = (column + column_step, row)
        below = (column + ((row & 1) if column_step > 0 else (row & 1) - 1), row + 1)
        yield side, below
        column, row = below[0] + column_step, below[1]
