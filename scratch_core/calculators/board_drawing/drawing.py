"""The board as lines and letters: where each part lies, counted from the engine's own corners and centres.

A space is 40 units wide. Nothing here knows a colour, and no rule: what is drawn was worked out before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from scratch_core.board import Board, Space, format_space

UNITS_PER_HALF_SPACE = 20
"""Units of the drawing for each unit of the engine's geometry, sideways."""
_HEX_UNITS_DOWN = 11.547
"""The same downwards, on hexes: half of a side that is 40 / √3 long."""
_FRAME_UNITS = 2
"""Room around the board for its outermost lines."""
EDGE_UNITS = 26
"""Room at the left and on top for the numbers of rows and columns."""
_MAX_PHONE_UNITS, _MAX_DESK_UNITS = 364, 524
"""How wide and high a board may be for a phone and for a desk to have all of it in one piece."""

Point = tuple[float, float]
SignPainter = Callable[["Pen", Space, float, float], str]


@dataclass(frozen=True, slots=True)
class DrawnSpace:
    """One space: its outline, how it looks in words of the stylesheet, and what is said of it aloud.

    `cost` is None where the selected token cannot stop, `is_seen` None while none is selected; `interrupter_ids` are
    the ids of those who may interrupt the cheapest way there; `is_in_blast` says whether a blast at the space asked
    about would catch whoever stands there.
    """

    space: Space
    points: str
    css_class: str
    label: str
    cost: int | None = None
    is_seen: bool | None = None
    interrupter_ids: str = ""
    is_in_blast: bool = False

    @property
    def coordinates(self) -> str:
        """Column and row, as the query has them."""
        return format_space(self.space)


@dataclass(frozen=True, slots=True)
class Mark:
    """Lines of one kind, all in one path."""

    css_class: str
    path: str


@dataclass(frozen=True, slots=True)
class Label:
    """A few letters at a place; `css_class` is a word of the stylesheet."""

    x: float
    y: float
    text: str
    css_class: str


@dataclass(frozen=True, slots=True)
class DrawnToken:
    """A token: where, the few letters on it, the number of its side's colour, and how it looks."""

    x: float
    y: float
    space: str
    letters: str
    side_colour: int
    css_class: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """The parts of a drawing in drawing order: spaces row by row, marks, labels, tokens, then `top_marks`.

    `width` and `height` are in the drawing's units. `edge_labels` numbers the columns above the board
    and the rows beside it, outside of that width and height; `framed_view_box` is the view box that shows it too.
    """

    width: float
    height: float
    rows: tuple[tuple[DrawnSpace, ...], ...]
    marks: tuple[Mark, ...]
    labels: tuple[Label, ...]
    tokens: tuple[DrawnToken, ...]
    top_marks: tuple[Mark, ...] = ()
    edge_labels: tuple[Label, ...] = ()

    @property
    def css_classes(self) -> frozenset[str]:
        """Every word of the stylesheet that something drawn here has: what a legend has to tell, and no more."""
        marks = (mark.css_class for mark in (*self.marks, *self.top_marks))
        looks = chain(
            (one.css_class for row in self.rows for one in row), marks, (label.css_class for label in self.labels)
        )
        return frozenset(" ".join(looks).split())

    @property
    def framed_view_box(self) -> str:
        """The board and the numbers at its edge."""
        return f"{-EDGE_UNITS} {-EDGE_UNITS} {self.width + EDGE_UNITS:g} {self.height + EDGE_UNITS:g}"

    @property
    def size_class(self) -> str:
        """What all of it fits: a phone, no more than a desk, or neither, so that it is moved in its frame."""
        if self.width <= _MAX_PHONE_UNITS and self.height <= _MAX_PHONE_UNITS:
            return "small"
        return "medium" if self.width <= _MAX_DESK_UNITS and self.height <= _MAX_DESK_UNITS else "large"


class Pen:
    """Turns the places of one board into the drawing's units."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.units_down = UNITS_PER_HALF_SPACE if board.shape == "square" else _HEX_UNITS_DOWN
        # from the middle of a space: a mark in a corner sideways, a sign above a number, the number's foot
        self.corner_offset, self.sign_offset, self.number_offset = (
            (12.5, -11.5, 5.5) if board.shape == "square" else (6.0, -9.0, 6.5)
        )

    def scale_point(self, at: tuple[int, int]) -> Point:
        """Place a point of the engine's geometry."""
        return at[0] * UNITS_PER_HALF_SPACE + _FRAME_UNITS, round(at[1] * self.units_down + _FRAME_UNITS, 1)

    def compute_centre(self, space: Space) -> Point:
        """The middle of a space, on the board or just off it."""
        return self.scale_point(self.board.scaled_centre(space))

    def format_outline_points(self, space: Space) -> str:
        """The outline of a space."""
        return " ".join(f"{x:g},{y:g}" for x, y in map(self.scale_point, self.board.scaled_corners(space)))

    def format_outline_path(self, space: Space, inset: float = 0) -> str:
        """The outline of a space as a path, drawn a little inside of it."""
        x, y = self.compute_centre(space)
        shrink = 1 - inset / UNITS_PER_HALF_SPACE
        corners = [self.scale_point(corner) for corner in self.board.scaled_corners(space)]
        return "M" + "L".join(f"{x + (a - x) * shrink:.1f} {y + (b - y) * shrink:.1f}" for a, b in corners) + "Z"

    def compute_size(self) -> Point:
        """Width and height of the whole."""
        corners = [
            self.scale_point(corner)
            for row in range(self.board.height)
            for column in {0, self.board.width - 1}
            for corner in self.board.scaled_corners((column, row))
        ]
        return max(x for x, _ in corners) + _FRAME_UNITS, round(max(y for _, y in corners) + _FRAME_UNITS, 1)

    def list_edge_labels(self) -> Iterator[Label]:
        """The number of each column above the first row, and of each row beside its first column: those of `3,1`."""
        for column in range(self.board.width):
            yield Label(self.compute_centre((column, 0))[0], -8, str(column), "edge")
        for row in range(self.board.height):
            yield Label(-EDGE_UNITS / 2, round(self.compute_centre((0, row))[1] + 5, 1), str(row), "edge")

    def format_border_path(self, spaces: Iterable[Space]) -> str:
        """The line around a number of spaces: those of their edges that no two of them share."""
        edges: dict[frozenset[tuple[int, int]], tuple[Point, Point]] = {}
        for space in spaces:
            corners = self.board.scaled_corners(space)
            for one, two in zip(corners, (*corners[1:], corners[0]), strict=True):
                if edges.pop(frozenset((one, two)), None) is None:
                    edges[frozenset((one, two))] = self.scale_point(one), self.scale_point(two)
        return "".join(f"M{a:g} {b:g}L{c:g} {d:g}" for (a, b), (c, d) in edges.values())

    def format_line_path(self, path: Iterable[Space]) -> str:
        """A way from middle to middle."""
        return "M" + "L".join(f"{x:g} {y:g}" for x, y in map(self.compute_centre, path))

    def format_arrow_head(self, path: Sequence[Space]) -> str:
        """The head of an arrow at the end of a way."""
        (x, y), (a, b) = self._find_end(path)
        back_x, back_y = x - 9 * a, y - 9 * b
        return f"M{back_x - 6 * b:.1f} {back_y + 6 * a:.1f}L{x:g} {y:g}L{back_x + 6 * b:.1f} {back_y - 6 * a:.1f}"

    def format_end_bar(self, path: Sequence[Space]) -> str:
        """A bar across the end of a way."""
        (x, y), (a, b) = self._find_end(path)
        return f"M{x - 10 * b:.1f} {y + 10 * a:.1f}L{x + 10 * b:.1f} {y - 10 * a:.1f}"

    def _find_end(self, path: Sequence[Space]) -> tuple[Point, Point]:
        """The end of a way, and its last direction with a length of 1."""
        before, last = (self.compute_centre(space) for space in path[-2:])
        across, down = last[0] - before[0], last[1] - before[1]
        length = (across**2 + down**2) ** 0.5
        return last, (across / length, down / length)

    def build_mark(
        self, look: str, spaces: Iterable[Space], shape: SignPainter, across: float = 0, down: float = 0
    ) -> Mark:
        """The same sign in many spaces, as one path: its middle so far from theirs, sideways in steps to a corner."""
        return Mark(look, "".join(shape(self, space, across * self.corner_offset, down) for space in spaces))


def _build_sign_painter(*strokes: str) -> SignPainter:
    """A sign made of strokes, each relative to where it begins; it begins relative to the sign's own middle."""
    parts = []
    for stroke in strokes:
        begin, _, rest = stroke.partition(" ")
        dx, dy = map(float, begin.split(","))
        parts.append((dx, dy, rest))

    def draw(pen: Pen, space: Space, across: float, down: float) -> str:
        x, y = pen.compute_centre(space)
        return "".join(f"M{x + across + dx:g} {y + down + dy:g}{rest}" for dx, dy, rest in parts)

    return draw


_WAVE = "q4.5-4 9 0t9 0 9 0 9 0"
SIGNS: dict[str, SignPainter] = {
    "wall": lambda pen, space, *_: SIGNS[f"{pen.board.shape} wall"](pen, space, 0, 0),
    "square wall": _build_sign_painter(
        *("-20,-10 l10-10", "-20,0 l20-20", "-20,10 l30-30", "-20,20 l40-40", "-10,20 l30-30", "0,20 l20-20"),
        "10,20 l10-10",
    ),
    "hex wall": _build_sign_painter(
        "-20,-4 l18-18", "-20,8 l27-27", "-14.6,14.6 l29-29", "-7,19 l27-27", "2,22 l18-18"
    ),
    "obstacle": lambda pen, space, *_: pen.format_outline_path(space, 6) + pen.format_outline_path(space, 11),
    "rough": _build_sign_painter("-16,4 l7.5-8 7.5 8", "1,4 l7.5-8 7.5 8"),
    "water": _build_sign_painter("-18,-2.5 " + _WAVE, "-18,2.5 " + _WAVE),
    "deep-water": _build_sign_painter("-18,-4.5 " + _WAVE, "-18,0 " + _WAVE, "-18,4.5 " + _WAVE),
    "exit": _build_sign_painter("-5,-5 h-7v10h7", "-8,0 h19", "7,-4 l4 4-4 4"),
    "cover": _build_sign_painter("-5,4 v-8h10v8z", "0,-4 v8"),
    "throwable": _build_sign_painter("-4,0 a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"),
    "cramped": _build_sign_painter("-8,-1.4 h16", "-8,1.4 h16"),
    "unseen": _build_sign_painter("-13,5 l18-18", "-9,9 l18-18", "-5,13 l18-18"),
    "blocks": _build_sign_painter("-8,-8 l16 16", "-8,8 l16-16"),
    "line-end": _build_sign_painter("-2,0 a2 2 0 1 0 4 0a2 2 0 1 0-4 0z"),
    "line-ring": _build_sign_painter("-9,0 a9 9 0 1 0 18 0a9 9 0 1 0-18 0z"),
    "moment": _build_sign_painter("-11,0 a11 11 0 1 0 22 0a11 11 0 1 0-22 0z"),
    "moment-around": _build_sign_painter("-18,0 a18 18 0 1 0 36 0a18 18 0 1 0-36 0z"),
    "asked": lambda pen, space, *_: pen.format_outline_path(space, 3),
    "aim": _build_sign_painter("-11,0 a11 11 0 1 0 22 0a11 11 0 1 0-22 0z", "-16,0 h8", "8,0 h8", "0,-16 v8", "0,8 v8"),
}
"""What is drawn into a space, by the stylesheet's word for it, each about its own middle."""
FEATURE_OFFSETS = {"cover": (-1, 12.5), "throwable": (1, 12.5), "cramped": (0, -16.4)}
"""Where what a space has besides its terrain stands in it: clear of a number, and seen beside a token."""
