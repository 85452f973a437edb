"""The board as lines and letters: where each part lies, counted from the engine's own corners and centres.

A space is 40 units wide. Nothing here knows a colour, and no rule: what is drawn was worked out before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from scratch_core.board import Board, Space, format_space

HALF = 20
"""Units of the drawing for each unit of the engine's geometry, sideways."""
_HEX_DOWN = 11.547
"""The same downwards, on hexes: half of a side that is 40 / √3 long."""
_FRAME = 2
"""Room around the board for its outermost lines."""
EDGE = 26
"""Room at the left and on top for the numbers of rows and columns."""
_PHONE, _DESK = 364, 524
"""How wide and high a board may be for a phone and for a desk to have all of it in one piece."""

Point = tuple[float, float]
Sign = Callable[["Pen", Space, float, float], str]


@dataclass(frozen=True, slots=True)
class Drawn:
    """One space: its outline, how it looks in words of the stylesheet, and what is said of it aloud.

    `cost` is None where the selected token cannot stop, `is_seen` None while none is selected; `exposed_to` are the ids
    of those who may interrupt the cheapest way there; `is_caught` says whether a blast at the space asked about would
    catch whoever stands there.
    """

    space: Space
    points: str
    look: str
    label: str
    cost: int | None = None
    is_seen: bool | None = None
    exposed_to: str = ""
    is_caught: bool = False

    @property
    def name(self) -> str:
        """Column and row, as the query has them."""
        return format_space(self.space)


@dataclass(frozen=True, slots=True)
class Mark:
    """Lines of one kind, all in one path."""

    look: str
    path: str


@dataclass(frozen=True, slots=True)
class Label:
    """A few letters at a place; `look` is a word of the stylesheet."""

    x: float
    y: float
    text: str
    look: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A token: where, the few letters on it, the number of its side's colour, and how it looks."""

    x: float
    y: float
    space: str
    text: str
    side: int
    look: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """Everything that is drawn, in the order in which it is: spaces row by row, marks, labels, pieces, then `over`.

    `width` and `height` are in the drawing's units. `edge` numbers the columns above the board
    and the rows beside it, outside of that width and height; `framed` is the view box that shows it too.
    """

    width: float
    height: float
    rows: tuple[tuple[Drawn, ...], ...]
    marks: tuple[Mark, ...]
    labels: tuple[Label, ...]
    pieces: tuple[Piece, ...]
    over: tuple[Mark, ...] = ()
    edge: tuple[Label, ...] = ()

    @property
    def looks(self) -> frozenset[str]:
        """Every word of the stylesheet that something drawn here has: what a legend has to tell, and no more."""
        marks = (mark.look for mark in (*self.marks, *self.over))
        looks = chain((one.look for row in self.rows for one in row), marks, (label.look for label in self.labels))
        return frozenset(" ".join(looks).split())

    @property
    def framed(self) -> str:
        """The board and the numbers at its edge."""
        return f"{-EDGE} {-EDGE} {self.width + EDGE:g} {self.height + EDGE:g}"

    @property
    def size(self) -> str:
        """What all of it fits: a phone, no more than a desk, or neither, so that it is moved in its frame."""
        if self.width <= _PHONE and self.height <= _PHONE:
            return "small"
        return "medium" if self.width <= _DESK and self.height <= _DESK else "large"


class Pen:
    """Turns the places of one board into the drawing's units."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.down = HALF if board.shape == "square" else _HEX_DOWN
        # from the middle of a space: a mark in a corner sideways, a sign above a number, the number's foot
        self.aside, self.above, self.foot = (12.5, -11.5, 5.5) if board.shape == "square" else (6.0, -9.0, 6.5)

    def point(self, at: tuple[int, int]) -> Point:
        """Place a point of the engine's geometry."""
        return at[0] * HALF + _FRAME, round(at[1] * self.down + _FRAME, 1)

    def centre(self, space: Space) -> Point:
        """The middle of a space, on the board or just off it."""
        return self.point(self.board.centre(space))

    def points(self, space: Space) -> str:
        """The outline of a space."""
        return " ".join(f"{x:g},{y:g}" for x, y in map(self.point, self.board.corners(space)))

    def outline(self, space: Space, inset: float = 0) -> str:
        """The outline of a space as a path, drawn a little inside of it."""
        x, y = self.centre(space)
        shrink = 1 - inset / HALF
        corners = [self.point(corner) for corner in self.board.corners(space)]
        return "M" + "L".join(f"{x + (a - x) * shrink:.1f} {y + (b - y) * shrink:.1f}" for a, b in corners) + "Z"

    def size(self) -> Point:
        """Width and height of the whole."""
        corners = [
            self.point(corner)
            for row in range(self.board.height)
            for column in {0, self.board.width - 1}
            for corner in self.board.corners((column, row))
        ]
        return max(x for x, _ in corners) + _FRAME, round(max(y for _, y in corners) + _FRAME, 1)

    def edge(self) -> Iterator[Label]:
        """The number of each column above the first row, and of each row beside its first column: those of `3,1`."""
        for column in range(self.board.width):
            yield Label(self.centre((column, 0))[0], -8, str(column), "edge")
        for row in range(self.board.height):
            yield Label(-EDGE / 2, round(self.centre((0, row))[1] + 5, 1), str(row), "edge")

    def border(self, spaces: Iterable[Space]) -> str:
        """The line around a number of spaces: those of their edges that no two of them share."""
        edges: dict[frozenset[tuple[int, int]], tuple[Point, Point]] = {}
        for space in spaces:
            corners = self.board.corners(space)
            for one, two in zip(corners, (*corners[1:], corners[0]), strict=True):
                if edges.pop(frozenset((one, two)), None) is None:
                    edges[frozenset((one, two))] = self.point(one), self.point(two)
        return "".join(f"M{a:g} {b:g}L{c:g} {d:g}" for (a, b), (c, d) in edges.values())

    def along(self, path: Iterable[Space]) -> str:
        """A way from middle to middle."""
        return "M" + "L".join(f"{x:g} {y:g}" for x, y in map(self.centre, path))

    def arrow(self, path: Sequence[Space]) -> str:
        """The head of an arrow at the end of a way."""
        (x, y), (a, b) = self._end(path)
        back_x, back_y = x - 9 * a, y - 9 * b
        return f"M{back_x - 6 * b:.1f} {back_y + 6 * a:.1f}L{x:g} {y:g}L{back_x + 6 * b:.1f} {back_y - 6 * a:.1f}"

    def bar(self, path: Sequence[Space]) -> str:
        """A bar across the end of a way."""
        (x, y), (a, b) = self._end(path)
        return f"M{x - 10 * b:.1f} {y + 10 * a:.1f}L{x + 10 * b:.1f} {y - 10 * a:.1f}"

    def _end(self, path: Sequence[Space]) -> tuple[Point, Point]:
        """The end of a way, and its last direction with a length of 1."""
        before, last = (self.centre(space) for space in path[-2:])
        across, down = last[0] - before[0], last[1] - before[1]
        length = (across**2 + down**2) ** 0.5
        return last, (across / length, down / length)

    def mark(self, look: str, spaces: Iterable[Space], shape: Sign, across: float = 0, down: float = 0) -> Mark:
        """The same sign in many spaces, as one path: its middle so far from theirs, sideways in steps to a corner."""
        return Mark(look, "".join(shape(self, space, across * self.aside, down) for space in spaces))


def _sign(*strokes: str) -> Sign:
    """A sign made of strokes, each relative to where it begins; it begins relative to the sign's own middle."""
    parts = []
    for stroke in strokes:
        begin, _, rest = stroke.partition(" ")
        dx, dy = map(float, begin.split(","))
        parts.append((dx, dy, rest))

    def draw(pen: Pen, space: Space, across: float, down: float) -> str:
        x, y = pen.centre(space)
        return "".join(f"M{x + across + dx:g} {y + down + dy:g}{rest}" for dx, dy, rest in parts)

    return draw


_WAVE = "q4.5-4 9 0t9 0 9 0 9 0"
SIGNS: dict[str, Sign] = {
    "wall": lambda pen, space, *_: SIGNS[f"{pen.board.shape} wall"](pen, space, 0, 0),
    "square wall": _sign(
        *("-20,-10 l10-10", "-20,0 l20-20", "-20,10 l30-30", "-20,20 l40-40", "-10,20 l30-30", "0,20 l20-20"),
        "10,20 l10-10",
    ),
    "hex wall": _sign("-20,-4 l18-18", "-20,8 l27-27", "-14.6,14.6 l29-29", "-7,19 l27-27", "2,22 l18-18"),
    "obstacle": lambda pen, space, *_: pen.outline(space, 6) + pen.outline(space, 11),
    "rough": _sign("-16,4 l7.5-8 7.5 8", "1,4 l7.5-8 7.5 8"),
    "water": _sign("-18,-2.5 " + _WAVE, "-18,2.5 " + _WAVE),
    "deep-water": _sign("-18,-4.5 " + _WAVE, "-18,0 " + _WAVE, "-18,4.5 " + _WAVE),
    "exit": _sign("-5,-5 h-7v10h7", "-8,0 h19", "7,-4 l4 4-4 4"),
    "cover": _sign("-5,4 v-8h10v8z", "0,-4 v8"),
    "throwable": _sign("-4,0 a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"),
    "cramped": _sign("-8,-1.4 h16", "-8,1.4 h16"),
    "unseen": _sign("-13,5 l18-18", "-9,9 l18-18", "-5,13 l18-18"),
    "blocks": _sign("-8,-8 l16 16", "-8,8 l16-16"),
    "line-end": _sign("-2,0 a2 2 0 1 0 4 0a2 2 0 1 0-4 0z"),
    "line-ring": _sign("-9,0 a9 9 0 1 0 18 0a9 9 0 1 0-18 0z"),
    "moment": _sign("-11,0 a11 11 0 1 0 22 0a11 11 0 1 0-22 0z"),
    "moment-around": _sign("-18,0 a18 18 0 1 0 36 0a18 18 0 1 0-36 0z"),
    "asked": lambda pen, space, *_: pen.outline(space, 3),
    "aim": _sign("-11,0 a11 11 0 1 0 22 0a11 11 0 1 0-22 0z", "-16,0 h8", "8,0 h8", "0,-16 v8", "0,8 v8"),
}
"""What is drawn into a space, by the stylesheet's word for it, each about its own middle."""
CORNERS = {"cover": (-1, 12.5), "throwable": (1, 12.5), "cramped": (0, -16.4)}
"""Where what a space has besides its terrain stands in it: clear of a number, and seen beside a token."""
