"""The parts of a map's drawing, with coordinates computed from the corners and centres of the engine.

A space is 40 units wide. This module has no colours and no rules: the callers decide what is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from scratch_core.board import Board, Space, format_space

UNITS_PER_HALF_SPACE = 20
"""Horizontal units of the drawing for each unit of the engine's geometry."""
_HEX_UNITS_DOWN = 11.547
"""Vertical units on hexes: half of a side, which is 40 / √3 long."""
_FRAME_UNITS = 2
"""The margin for the outermost lines of the board."""
EDGE_UNITS = 26
"""The margin at the left and top for the numbers of rows and columns."""
_MAX_PHONE_UNITS, _MAX_DESK_UNITS = 364, 524
"""The largest width and height of a board that fits a phone, and of one that fits a desktop window."""

Point = tuple[float, float]
"""A point in units of the drawing: x to the right, y down."""
SignPainter = Callable[["Pen", Space, float, float], str]
"""Returns the path of a sign in a space, shifted right and down by two numbers of units."""


@dataclass(frozen=True, slots=True)
class DrawnSpace:
    """A space of the drawing."""

    space: Space
    """The column and row."""
    points: str
    """The points of its outline, as in an SVG polygon."""
    css_class: str
    """The CSS classes of its terrain and state."""
    label: str
    """The accessible name."""
    cost: int | None = None
    """The cost to move there. None if the selected token can't stop there."""
    is_seen: bool | None = None
    """Whether the selected token can see the space. None without one."""
    interrupter_ids: str = ""
    """The ids of those who may interrupt the cheapest way there, separated by blanks."""
    is_in_blast: bool = False
    """Whether a blast at the selected space would affect this space."""

    @property
    def coordinates(self) -> str:
        """Column and row as in the query."""
        return format_space(self.space)


@dataclass(frozen=True, slots=True)
class Mark:
    """Lines of one kind, all in one path."""

    css_class: str
    """The CSS classes."""
    path: str
    """The SVG path data."""


@dataclass(frozen=True, slots=True)
class Label:
    """A short text in the drawing."""

    x: float
    """The horizontal position of its middle."""
    y: float
    """The vertical position of its baseline."""
    text: str
    """The text."""
    css_class: str
    """The CSS classes."""


@dataclass(frozen=True, slots=True)
class DrawnToken:
    """A token of the drawing."""

    x: float
    """The horizontal position of its centre."""
    y: float
    """The vertical position of its centre."""
    space: str
    """Column and row as in the query."""
    letters: str
    """The abbreviated name."""
    side_colour: int
    """The number of the side's colour, from 1."""
    css_class: str
    """The CSS class: `selected`, `other` or `fallen`."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """The parts of a drawing in the order in which they are drawn."""

    width: float
    """The width in units."""
    height: float
    """The height in units."""
    rows: tuple[tuple[DrawnSpace, ...], ...]
    """The spaces, row by row."""
    marks: tuple[Mark, ...]
    """The lines and signs below the tokens."""
    labels: tuple[Label, ...]
    """The texts on spaces."""
    tokens: tuple[DrawnToken, ...]
    """The tokens."""
    top_marks: tuple[Mark, ...] = ()
    """The lines and signs above the tokens."""
    edge_labels: tuple[Label, ...] = ()
    """The numbers of columns above the board and of rows at its left, outside of its width and height."""

    @property
    def css_classes(self) -> frozenset[str]:
        """The CSS classes of spaces, marks and labels, for a legend that explains only these."""
        marks = (mark.css_class for mark in (*self.marks, *self.top_marks))
        looks = chain(
            (one.css_class for row in self.rows for one in row), marks, (label.css_class for label in self.labels)
        )
        return frozenset(" ".join(looks).split())

    def mark_waiting_tokens(self, spaces: Collection[str]) -> Drawing:
        """Return the drawing with the tokens in these spaces as waiting for a character.

        The selected token keeps its look.
        """
        tokens = (
            replace(each, css_class="waiting") if each.space in spaces and each.css_class != "selected" else each
            for each in self.tokens
        )
        return replace(self, tokens=tuple(tokens))

    @property
    def framed_view_box(self) -> str:
        """The SVG view box that includes the numbers at the edges."""
        return f"{-EDGE_UNITS} {-EDGE_UNITS} {self.width + EDGE_UNITS:g} {self.height + EDGE_UNITS:g}"

    @property
    def size_class(self) -> str:
        """The size: `small` fits a phone, `medium` a desktop window, `large` needs to scroll."""
        if self.width <= _MAX_PHONE_UNITS and self.height <= _MAX_PHONE_UNITS:
            return "small"
        return "medium" if self.width <= _MAX_DESK_UNITS and self.height <= _MAX_DESK_UNITS else "large"


class Pen:
    """Converts spaces of a board to coordinates and paths of the drawing."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.units_down = UNITS_PER_HALF_SPACE if board.shape == "square" else _HEX_UNITS_DOWN
        # offsets from the centre of a space: of a mark in a corner, of a sign above a number, of the number's baseline
        self.corner_offset, self.sign_offset, self.number_offset = (
            (12.5, -11.5, 5.5) if board.shape == "square" else (6.0, -9.0, 6.5)
        )

    def scale_point(self, at: tuple[int, int]) -> Point:
        """Scale a point of the engine's geometry to units of the drawing."""
        return at[0] * UNITS_PER_HALF_SPACE + _FRAME_UNITS, round(at[1] * self.units_down + _FRAME_UNITS, 1)

    def compute_centre(self, space: Space) -> Point:
        """Return the centre of a space, on the board or next to it."""
        return self.scale_point(self.board.scaled_centre(space))

    def format_outline_points(self, space: Space) -> str:
        """Format the outline of a space as points."""
        return " ".join(f"{x:g},{y:g}" for x, y in map(self.scale_point, self.board.scaled_corners(space)))

    def format_outline_path(self, space: Space, inset: float = 0) -> str:
        """Format the outline of a space as a path, `inset` units inside of it."""
        x, y = self.compute_centre(space)
        shrink = 1 - inset / UNITS_PER_HALF_SPACE
        corners = [self.scale_point(corner) for corner in self.board.scaled_corners(space)]
        return "M" + "L".join(f"{x + (a - x) * shrink:.1f} {y + (b - y) * shrink:.1f}" for a, b in corners) + "Z"

    def compute_size(self) -> Point:
        """Return the width and height of the drawing."""
        corners = [
            self.scale_point(corner)
            for row in range(self.board.height)
            for column in {0, self.board.width - 1}
            for corner in self.board.scaled_corners((column, row))
        ]
        return max(x for x, _ in corners) + _FRAME_UNITS, round(max(y for _, y in corners) + _FRAME_UNITS, 1)

    def list_edge_labels(self) -> Iterator[Label]:
        """List the numbers of the columns and rows at the edges of the board."""
        for column in range(self.board.width):
            yield Label(self.compute_centre((column, 0))[0], -8, str(column), "edge")
        for row in range(self.board.height):
            yield Label(-EDGE_UNITS / 2, round(self.compute_centre((0, row))[1] + 5, 1), str(row), "edge")

    def format_border_path(self, spaces: Iterable[Space]) -> str:
        """Format the border around spaces, without the edges between two of them."""
        edges: dict[frozenset[tuple[int, int]], tuple[Point, Point]] = {}
        for space in spaces:
            corners = self.board.scaled_corners(space)
            for one, two in zip(corners, (*corners[1:], corners[0]), strict=True):
                if edges.pop(frozenset((one, two)), None) is None:
                    edges[frozenset((one, two))] = self.scale_point(one), self.scale_point(two)
        return "".join(f"M{a:g} {b:g}L{c:g} {d:g}" for (a, b), (c, d) in edges.values())

    def format_line_path(self, path: Iterable[Space]) -> str:
        """Format a path from centre to centre."""
        return "M" + "L".join(f"{x:g} {y:g}" for x, y in map(self.compute_centre, path))

    def format_arrow_head(self, path: Sequence[Space]) -> str:
        """Format an arrow head at the end of a path."""
        (x, y), (a, b) = self._compute_end_and_direction(path)
        back_x, back_y = x - 9 * a, y - 9 * b
        return f"M{back_x - 6 * b:.1f} {back_y + 6 * a:.1f}L{x:g} {y:g}L{back_x + 6 * b:.1f} {back_y - 6 * a:.1f}"

    def format_end_bar(self, path: Sequence[Space]) -> str:
        """Format a bar across the end of a path."""
        (x, y), (a, b) = self._compute_end_and_direction(path)
        return f"M{x - 10 * b:.1f} {y + 10 * a:.1f}L{x + 10 * b:.1f} {y - 10 * a:.1f}"

    def _compute_end_and_direction(self, path: Sequence[Space]) -> tuple[Point, Point]:
        """Return the end of a path, and its last direction as a unit vector."""
        before, last = (self.compute_centre(space) for space in path[-2:])
        across, down = last[0] - before[0], last[1] - before[1]
        length = (across**2 + down**2) ** 0.5
        return last, (across / length, down / length)

    def build_mark(
        self, look: str, spaces: Iterable[Space], shape: SignPainter, across: float = 0, down: float = 0
    ) -> Mark:
        """Build a mark with the same sign in many spaces.

        `across` shifts the sign towards a corner, in steps of `corner_offset`; `down` is in units.
        """
        return Mark(look, "".join(shape(self, space, across * self.corner_offset, down) for space in spaces))


def _build_sign_painter(*strokes: str) -> SignPainter:
    """Build a painter for a sign from its strokes.

    Each stroke is its start, relative to the centre of the sign, and relative SVG path data.
    """
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
    "cover": _build_sign_painter("-5,-5.5 h10v5q0 4-5 6.5q-5-2.5-5-6.5z"),
    "throwable": _build_sign_painter(
        "-7,3.5 a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0z", "-5.5,-2 q3-5 10.5-1.5", "1,-5.5 l4.5 2.2-2.6 4"
    ),
    "cramped": _build_sign_painter("-8,-3 h16", "-4,3.5 l4-4 4 4"),
    "unseen": lambda pen, space, *_: SIGNS[f"{pen.board.shape} unseen"](pen, space, 0, 0),
    "square unseen": _build_sign_painter("-20,0 l20 20", "-20,-20 l40 40", "0,-20 l20 20"),
    "hex unseen": _build_sign_painter("20,8 l-27-27", "14.6,14.6 l-29-29", "7,19 l-27-27"),
    "blocks": _build_sign_painter("-8,-8 l16 16", "-8,8 l16-16"),
    "line-end": _build_sign_painter("-2,0 a2 2 0 1 0 4 0a2 2 0 1 0-4 0z"),
    "line-ring": _build_sign_painter("-9,0 a9 9 0 1 0 18 0a9 9 0 1 0-18 0z"),
    "moment": _build_sign_painter("-11,0 a11 11 0 1 0 22 0a11 11 0 1 0-22 0z"),
    "moment-around": _build_sign_painter("-18,0 a18 18 0 1 0 36 0a18 18 0 1 0-36 0z"),
    "asked": lambda pen, space, *_: pen.format_outline_path(space, 3),
    "aim": _build_sign_painter("-11,0 a11 11 0 1 0 22 0a11 11 0 1 0-22 0z", "-16,0 h8", "8,0 h8", "0,-16 v8", "0,8 v8"),
}
"""The painters of signs, by CSS class."""
FEATURE_OFFSETS = {"cover": (-1, 12.5), "throwable": (1, 12.5), "cramped": (0, -14.8)}
"""The offsets of a feature's sign from the centre, as in `Pen.build_mark`: clear of numbers and tokens."""
