"""The spaces of a board: which there are, what lies on them, which are next to each other, and where they are drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Space = tuple[int, int]
"""Column and row, from 0, from the top left. Rule: `grid.space`."""

Shape = Literal["square", "hex"]
SHAPES: tuple[Shape, ...] = ("square", "hex")

TERRAIN: dict[str, str] = {
    ".": "ground",
    "#": "wall",
    "o": "obstacle",
    "^": "rough",
    "~": "water",
    "w": "deep-water",
    "E": "exit",
}
"""The letters of a map, and what each stands for. An exit is level ground."""

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
    """A map: its shape, its rows of letters, and the spaces with cover, with things to throw, without room to fly.

    All rows are of one length. Hexagons stand on their points, and every odd row lies half a space to the right.
    Rules: `grid.scope`, `grid.space`.
    """

    shape: Shape
    rows: tuple[str, ...]
    cover: frozenset[Space] = frozenset()
    throwable: frozenset[Space] = frozenset()
    cramped: frozenset[Space] = frozenset()

    @property
    def width(self) -> int:
        """How many columns there are."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """How many rows there are."""
        return len(self.rows)

    @property
    def size(self) -> str:
        """How large it is, read aloud: "5 columns and 1 row"."""
        columns, rows = self.width, self.height
        return f"{columns} {'column' if columns == 1 else 'columns'} and {rows} {'row' if rows == 1 else 'rows'}"

    @property
    def spaces(self) -> tuple[Space, ...]:
        """Every space, row by row."""
        return tuple((column, row) for row in range(self.height) for column in range(self.width))

    def contains(self, space: Space) -> bool:
        """Whether the space lies on the board."""
        return 0 <= space[0] < len(self.rows[0]) and 0 <= space[1] < len(self.rows)

    def terrain(self, space: Space) -> str:
        """What a space is, one of the words of `TERRAIN`; "" off the board."""
        return TERRAIN[self.rows[space[1]][space[0]]] if self.contains(space) else ""

    def is_solid(self, space: Space) -> bool:
        """Whether a wall or an obstacle fills the space. Rules: `grid.move.blocked`, `grid.long.los`."""
        return self.contains(space) and self.rows[space[1]][space[0]] in "#o"

    def is_exit(self, space: Space) -> bool:
        """Whether the space is an exit. Rule: `grid.escape.exit`."""
        return self.terrain(space) == "exit"

    def adjacent_coordinates(self, space: Space) -> tuple[Space, ...]:
        """The 8 or 6 surrounding coordinates, those off the board too. Rule: `grid.move.step`."""
        column, row = space
        steps = _SQUARE if self.shape == "square" else _HEX[row & 1]
        return tuple((column + right, row + down) for right, down in steps)

    def neighbours(self, space: Space) -> tuple[Space, ...]:
        """The surrounding spaces that lie on the board. Rule: `grid.move.step`."""
        return tuple(each for each in self.adjacent_coordinates(space) if self.contains(each))

    def area(self, space: Space) -> tuple[Space, ...]:
        """The spaces within 1, the space itself too, row by row; walls make no difference (ruling G20).

        At most 9 on squares and 7 on hexagons. Rules: `grid.blast.area`, `grid.blast.max`.
        """
        inside = [each for each in (space, *self.adjacent_coordinates(space)) if self.contains(each)]
        return tuple(sorted(inside, key=lambda each: (each[1], each[0])))

    def distance(self, start: Space, end: Space) -> int:
        """How many steps apart two spaces are, whatever lies between: diagonals count 1 (ruling G11).

        Rule: `grid.move.step`.
        """
        across, down = abs(end[0] - start[0]), abs(end[1] - start[1])
        if self.shape == "square":
            return max(across, down)
        slant = (end[0] - end[1] // 2) - (start[0] - start[1] // 2)
        turn = end[1] - start[1]
        return max(abs(slant), abs(turn), abs(slant + turn))

    def is_across_corner(self, start: Space, end: Space) -> bool:
        """Whether a diagonal step leads between two solid spaces (ruling G11). Rule: `grid.move.step`."""
        if self.shape == "hex" or start[0] == end[0] or start[1] == end[1]:
            return False
        return self.is_solid((start[0], end[1])) and self.is_solid((end[0], start[1]))

    def surroundings(self, space: Space) -> frozenset[str]:
        """What a place offers whoever stands there: the words that `here` has without a board.

        There is room to fly wherever it is not cramped. Cover belongs to the space itself; a thing to throw may also
        lie next to it. Rules: `move.terrain`, `act.cover`, `act.throw-object.needs-object`.
        """
        words = {_SURROUNDINGS[self.terrain(space)]}
        if space not in self.cramped:
            words.add("open-air")
        if space in self.cover:
            words.add("cover")
        if not self.throwable.isdisjoint((space, *self.adjacent_coordinates(space))):
            words.add("throwable")
        return frozenset(words)

    def centre(self, space: Space) -> Space:
        """The middle of a space, in whole numbers.

        A square's side is 2. A hexagon is 2 wide and 4 high here: draw x times √3/2 and y times 1/2 for sides of 1.
        """
        column, row = space
        if self.shape == "square":
            return 2 * column + 1, 2 * row + 1
        return 2 * column + (row & 1) + 1, 3 * row + 2

    def corners(self, space: Space) -> tuple[Space, ...]:
        """The corners of a space, clockwise from the top (left), in the measure of `centre`."""
        x, y = self.centre(space)
        offsets = _SQUARE_CORNERS if self.shape == "square" else _HEX_CORNERS
        return tuple((x + right, y + down) for right, down in offsets)


def format_space(space: Iterable[int] | None) -> str:
    """A space in words: `3,1`, column and row; "nowhere" for none. Rule: `grid.space`."""
    return "nowhere" if space is None else ",".join(map(str, space))
