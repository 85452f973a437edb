"""Lines of sight, from the middle of a space to the middle of another, in whole numbers throughout (ruling G10).

A line is blocked where it runs through the inside of a space that blocks. Where it only touches, at a corner or along
an edge, it takes two: the spaces on both sides of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import gcd

from scratch_core.board.spaces import Board, Space

Run = tuple[int, int, int]
"""A row, and the first and last column of the spaces in it that a line runs through."""

Pair = tuple[Space, Space]
"""Two spaces on both sides of a line that touch it at the same corner or along the same edge."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What came of looking from one space to another: whether the line is clear, and the spaces that block it.

    `blocks` goes from the start to the end; of two spaces that block together, both are there.
    Rules: `grid.long.los`, `grid.diagrams`.
    """

    start: Space
    end: Space
    blocking_spaces: tuple[Space, ...]

    @property
    def is_clear(self) -> bool:
        """Whether one can be seen from the other. Rule: `grid.long.los`."""
        return not self.blocking_spaces


def trace_sight(board: Board, start: Space, end: Space, blockers: Collection[Space] = ()) -> Sight:
    """Look along the straight line between two spaces; walls and obstacles block, and so do the `blockers`.

    `blockers` are the spaces of the enemies of whoever looks: allies are no hindrance. The two ends never block, so
    the way back is as clear as the way there while no one stands between. Rules: `grid.long.los`, `grid.long.allies`.
    """
    enemies = frozenset(blockers)
    solid = {space for space in _between(board, start, end) if space in enemies or board.is_solid(space)}
    inside = {(column, row) for row, first, last in _runs(board, start, end) for column in range(first, last + 1)}
    found = solid & inside
    for pair in _pairs(board, start, end):
        if solid.issuperset(pair):
            found.update(pair)
    x, y = board.centre(start)
    squeezed = 3 if board.shape == "hex" else 1  # a step across counts √3 of a step down in the centres of hexagons
    across, down = squeezed * (board.centre(end)[0] - x), board.centre(end)[1] - y

    def far(space: Space) -> tuple[int, Space]:
        middle = board.centre(space)
        return across * (middle[0] - x) + down * (middle[1] - y), space

    return Sight(start, end, tuple(sorted(found, key=far)))


def find_visible_spaces(board: Board, start: Space, blockers: Collection[Space] = ()) -> frozenset[Space]:
    """Every space to which the line of sight is clear, the start itself too. Rules: `grid.long.los`."""
    masks = _masks(board, frozenset(blockers))
    return frozenset(end for end in board.spaces if _is_clear(board, masks, start, end))


def _masks(board: Board, blockers: frozenset[Space]) -> list[int]:
    """One whole number for each row, with a bit set for every space that blocks."""
    masks = [sum(1 << column for column, letter in enumerate(row) if letter in "#o") for row in board.rows]
    for column, row in blockers:
        masks[row] |= 1 << column
    return masks


def _is_clear(board: Board, masks: list[int], start: Space, end: Space) -> bool:
    for row, first, last in _runs(board, start, end):
        if masks[row] >> first & (1 << (last - first + 1)) - 1:
            return False
    return not any(masks[a[1]] >> a[0] & masks[b[1]] >> b[0] & 1 for a, b in _pairs(board, start, end))


def _between(board: Board, start: Space, end: Space) -> Iterator[Space]:
    for row, first, last in _runs(board, start, end):
        yield from ((column, row) for column in range(first, last + 1))
    for pair in _pairs(board, start, end):
        yield from pair


# Where a line runs. A space whose middle lies at (x, y) is left or right of the line from the start in the direction
# (across, down) by s = across * (y - start y) - down * (x - start x). The corners of the space reach h further to both
# sides, so the line runs through its inside where -h < s < h, and touches it where s is h or -h.


def _runs(board: Board, start: Space, end: Space) -> Iterator[Run]:
    """The spaces that the line runs through between its ends, row by row from the top."""
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
        # x - start x lies strictly between (middle - reach) / down and (middle + reach) / down
        middle = across * high * (row - start[1])
        shift = 2 * start[0] + (wide - (row & 1) if is_hex else 0)
        first = -(-((middle - reach) // down + 1 + shift) // 2)
        last = (-(-(middle + reach) // down) - 1 + shift) // 2
        if row == start[1]:
            first, last = _beyond(start[0], across, first, last)
        if row == end[1]:
            first, last = _beyond(end[0], -across, first, last)
        first, last = max(first, 0), min(last, width - 1)
        if first <= last:
            yield row, first, last


def _beyond(column: int, across: int, first: int, last: int) -> tuple[int, int]:
    """Of the spaces in an end's own row, those on the other end's side of it."""
    if across > 0:
        return max(first, column + 1), last
    return (first, min(last, column - 1)) if across < 0 else (0, -1)


def _pairs(board: Board, start: Space, end: Space) -> Iterator[Pair]:
    """The pairs of spaces that touch the line from both sides, from the top: at corners of squares, edges of hexagons.

    Three hexagons meet in a corner, and a line through it runs through the inside of two of them.
    """
    if start[1] > end[1]:
        start, end = end, start
    if start[1] == end[1]:
        return
    (x, y), (to_x, to_y) = board.centre(start), board.centre(end)
    across, down = to_x - x, to_y - y
    if board.shape == "hex":
        if across == 0:
            edges = _upright_edges(start, end)
        elif abs(across) == down:
            edges = _slanted_edges(start, end, 1 if across > 0 else -1)
        else:
            return
        yield from (pair for pair in edges if board.contains(pair[0]) and board.contains(pair[1]))
    else:
        yield from _corners(start, end)


def _corners(start: Space, end: Space) -> Iterator[Pair]:
    """Corners of squares lie on a line only where its steps across and down are odd multiples of the same length."""
    across, down = end[0] - start[0], end[1] - start[1]
    common = gcd(across, down)
    wide, high = across // common, down // common
    if not (wide & 1 and high & 1):
        return
    side = 1 if wide > 0 else -1
    for turn in range(common):
        # half way between two middles on the line
        left = start[0] + turn * wide + (wide - side) // 2
        top = start[1] + turn * high + (high - 1) // 2
        yield (left + side, top), (left, top + 1)


def _upright_edges(start: Space, end: Space) -> Iterator[Pair]:
    """Straight down, every second row has an edge on the line."""
    for row in range(start[1] + 1, end[1], 2):
        left = start[0] - 1 + (start[1] & 1)
        yield (left, row), (left + 1, row)


def _slanted_edges(start: Space, end: Space, side: int) -> Iterator[Pair]:
    """From a corner along the edge between the space beside and the one below it, into the space after them."""
    column, row = start
    while row < end[1]:
        beside = (column + side, row)
        below = (column + ((row & 1) if side > 0 else (row & 1) - 1), row + 1)
        yield beside, below
        column, row = below[0] + side, below[1]
