"""The spaces of a map: terrain, marks, adjacency and geometry."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from scratch_core.normalization import normalize_input

Space = tuple[int, int]
"""Column and row, from 0 at the top left. Rule: `grid.space`."""

Point = tuple[int, int]
"""A point of the map, in the units of `Board.scaled_centre`."""

Shape = Literal["square", "hex"]
SHAPES: tuple[Shape, ...] = ("square", "hex")
"""The shapes of spaces."""

TERRAIN: dict[str, str] = {
    ".": "ground",
    "#": "wall",
    "o": "obstacle",
    "^": "rough",
    "~": "water",
    "w": "deep-water",
    "E": "exit",
}
"""The terrain by letter of a map. An exit is level ground."""

_TYPED_SPACE = re.compile(r"(-?[0-9]{1,3})[\s,]+(-?[0-9]{1,3})")
_SURROUNDINGS = {"ground": "level", "exit": "level", "rough": "climbable", "water": "water", "deep-water": "deep-water"}
_SQUARE = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))
_HEX = (
    ((-1, -1), (0, -1), (-1, 0), (1, 0), (-1, 1), (0, 1)),
    ((0, -1), (1, -1), (-1, 0), (1, 0), (0, 1), (1, 1)),
)
_SQUARE_CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))
_HEX_CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))


@dataclass(frozen=True, slots=True)
class Board:
    """A map. Hexagons have a corner on top; odd rows are shifted half a space to the right.

    Rules: `grid.scope`, `grid.space`.
    """

    shape: Shape
    """The shape of its spaces."""
    rows: tuple[str, ...]
    """Its rows of letters of `TERRAIN`, all of the same length."""
    cover: frozenset[Space] = frozenset()
    """The spaces that offer cover."""
    throwable: frozenset[Space] = frozenset()
    """The spaces with objects to throw."""
    cramped: frozenset[Space] = frozenset()
    """The spaces without room to fly."""

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @property
    def size_in_words(self) -> str:
        """Its size in words: "5 columns and 1 row"."""
        columns, rows = self.width, self.height
        return f"{columns} {'column' if columns == 1 else 'columns'} and {rows} {'row' if rows == 1 else 'rows'}"

    @property
    def spaces(self) -> tuple[Space, ...]:
        """Every space, row by row."""
        return tuple((column, row) for row in range(self.height) for column in range(self.width))

    def __contains__(self, space: Space) -> bool:
        """Return whether the space is on the map."""
        return 0 <= space[0] < len(self.rows[0]) and 0 <= space[1] < len(self.rows)

    def terrain(self, space: Space) -> str:
        """Return the terrain of a space, a value of `TERRAIN`.

        Returns "" off the map.
        """
        return TERRAIN[self.rows[space[1]][space[0]]] if space in self else ""

    def has_wall_or_obstacle(self, space: Space) -> bool:
        """Return whether a wall or an obstacle fills the space.

        Rules: `grid.move.blocked`, `grid.long.los`.
        """
        return space in self and self.rows[space[1]][space[0]] in "#o"

    def is_exit(self, space: Space) -> bool:
        """Return whether the space is an exit. Rule: `grid.escape.exit`."""
        return self.terrain(space) == "exit"

    def adjacent_coordinates_even_off_board(self, space: Space) -> tuple[Space, ...]:
        """Return the 8 or 6 adjacent coordinates, on the map or off. Rule: `grid.move.step`."""
        column, row = space
        steps = _SQUARE if self.shape == "square" else _HEX[row & 1]
        return tuple((column + right, row + down) for right, down in steps)

    def neighbours(self, space: Space) -> tuple[Space, ...]:
        """Return the adjacent spaces on the map. Rule: `grid.move.step`."""
        return tuple(each for each in self.adjacent_coordinates_even_off_board(space) if each in self)

    def blast_area(self, space: Space) -> tuple[Space, ...]:
        """Return the spaces that a blast at a space reaches, row by row.

        They are those within 1, including the space itself: at most 9 squares or 7 hexagons. Walls make no difference
        (ruling G20). Rules: `grid.blast.area`, `grid.blast.max`.
        """
        inside = [each for each in (space, *self.adjacent_coordinates_even_off_board(space)) if each in self]
        return tuple(sorted(inside, key=lambda each: (each[1], each[0])))

    def distance(self, start: Space, end: Space) -> int:
        """Return the number of steps between two spaces. Rule: `grid.move.step`.

        Obstacles are ignored; a diagonal step counts 1 (ruling G11).
        """
        across, down = abs(end[0] - start[0]), abs(end[1] - start[1])
        if self.shape == "square":
            return max(across, down)
        slant = (end[0] - end[1] // 2) - (start[0] - start[1] // 2)
        turn = end[1] - start[1]
        return max(abs(slant), abs(turn), abs(slant + turn))

    def is_step_between_solids(self, start: Space, end: Space) -> bool:
        """Return whether a diagonal step leads between two solid spaces (ruling G11).

        Rule: `grid.move.step`.
        """
        if self.shape == "hex" or start[0] == end[0] or start[1] == end[1]:
            return False
        return self.has_wall_or_obstacle((start[0], end[1])) and self.has_wall_or_obstacle((end[0], start[1]))

    def offered_surroundings(self, space: Space) -> frozenset[str]:
        """Return what a space offers a character there, in the words of `here`.

        There is room to fly unless the space is cramped. Cover must be in the space itself; an object to throw may also
        be in an adjacent one. Rules: `move.terrain`, `act.cover`, `act.throw-object.needs-object`.
        """
        words = {_SURROUNDINGS[self.terrain(space)]}
        if space not in self.cramped:
            words.add("open-air")
        if space in self.cover:
            words.add("cover")
        if not self.throwable.isdisjoint((space, *self.adjacent_coordinates_even_off_board(space))):
            words.add("throwable")
        return frozenset(words)

    def scaled_centre(self, space: Space) -> Point:
        """Return the centre of a space, scaled to integers.

        A square's side is 2. A hexagon is 2 wide and 4 high; multiply x by √3/2 and y by 1/2 for sides of 1.
        """
        column, row = space
        if self.shape == "square":
            return 2 * column + 1, 2 * row + 1
        return 2 * column + (row & 1) + 1, 3 * row + 2

    def scaled_corners(self, space: Space) -> tuple[Point, ...]:
        """Return the corners of a space, scaled to integers, clockwise from the top (left).

        The coordinates are those of `scaled_centre`.
        """
        x, y = self.scaled_centre(space)
        offsets = _SQUARE_CORNERS if self.shape == "square" else _HEX_CORNERS
        return tuple((x + right, y + down) for right, down in offsets)


def parse_space_text(text: str) -> Space | None:
    """Parse a space such as `3,1`, also off the map. Rule: `grid.space`.

    Returns None for anything else.
    """
    found = _TYPED_SPACE.fullmatch(normalize_input(text))
    return (int(found[1]), int(found[2])) if found else None


def format_space(space: Iterable[int] | None) -> str:
    """Format a space as `3,1`, column and row. Rule: `grid.space`.

    Returns "nowhere" for None.
    """
    return "nowhere" if space is None else ",".join(map(str, space))
