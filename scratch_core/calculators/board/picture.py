"""From what was found to what is drawn: each space with its look, its cost and its words, signs, tokens and ways."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from string import ascii_lowercase

from scratch_core.board import Sight, Space, sight
from scratch_core.calculators.board.asking import Findings, Moment
from scratch_core.calculators.board.drawing import SIGNS, Drawing, Drawn, Label, Mark, Pen, Piece
from scratch_core.calculators.board.reading import FEATURES, Token

LAYERS = ("moves", "sight", "lines", "zone", "blast", "path")
"""What may be drawn besides terrain and tokens: where the selected token can stop, what it does not see, its line of
sight to the space asked about, the spaces next to enemies, a blast at the space asked about, and the way there with the
moments that expose."""

MOST_SIDES = 4
_SIGNED = ("obstacle", "rough", "water", "deep-water", "exit")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a drawing in the text shows besides its layers: lines of sight, and ways, from the selected token."""

    lines: tuple[Space, ...] = ()
    ways: tuple[Space, ...] = ()


def draw(found: Findings, layers: Iterable[str] = LAYERS, wanted: Wanted | None = None) -> Drawing:
    """Draw a board with some of the `LAYERS`, and what is `wanted` besides."""
    return _Drawer(found, frozenset(layers), wanted or Wanted()).drawing()


class _Drawer:
    """One board while it is drawn."""

    def __init__(self, found: Findings, layers: frozenset[str], wanted: Wanted) -> None:
        self.found = found
        self.wanted = wanted
        self.board = found.board
        self.layers = layers
        self.pen = Pen(found.board)
        self.token = found.setup.token
        self.holders = {token.space: token for token in found.setup.tokens}
        self.ways = found.ways if "moves" in layers else {}
        self.exposed = found.exposed if {"moves", "path"} <= layers else {}
        self.blast = self.aimed_at() if "blast" in layers else frozenset[Space]()
        self.sees = self.token is not None and "sight" in layers

    def aimed_at(self) -> frozenset[Space]:
        """The spaces of a blast at the space asked about; none without somebody selected to aim it."""
        asked = self.found.setup.space
        return frozenset() if self.token is None or asked is None else frozenset(self.board.area(asked))

    def drawing(self) -> Drawing:
        """The whole of it."""
        width, height = self.pen.size()
        board = self.board
        return Drawing(
            width,
            height,
            board.width,
            tuple(tuple(self.drawn((column, row)) for column in range(board.width)) for row in range(board.height)),
            tuple(mark for mark in self.marks() if mark.path),
            tuple(self.labels()),
            tuple(self.pieces()),
            tuple(mark for mark in (*self.interrupts(), *self.blocks()) if mark.path),
            tuple(self.pen.edge()),
        )

    def drawn(self, space: Space) -> Drawn:
        """One space."""
        way = self.ways.get(space)
        seen = space in self.found.seen if self.sees else None
        look = [self.board.terrain(space)]
        if way is not None and way.path:
            look.append("stop")
        if seen is False:
            look.append("unseen")
        words = self.words(space, None if way is None else way.cost, seen)
        exposed_to = dict.fromkeys(enemy.id for moment in self.exposed.get(space, ()) for enemy in moment.enemies)
        return Drawn(
            space,
            self.pen.points(space),
            " ".join(look),
            words,
            None if way is None else way.cost,
            seen,
            " ".join(exposed_to),
            space in self.blast,
        )

    def words(self, space: Space, cost: int | None, seen: bool | None) -> str:
        """What is said of a space aloud."""
        words = [f"{space[0]},{space[1]} {self.board.terrain(space).replace('-', ' ')}"]
        if space in self.holders:
            holder = self.holders[space]
            words.append(holder.id if holder.side == holder.id else f"{holder.id} of {holder.side}")
        if cost:
            words.append(f"costs {cost}, exposes" if self.exposed.get(space) else f"costs {cost}")
        if seen is False:
            words.append("not seen")
        return ", ".join(words)

    def marks(self) -> Iterator[Mark]:
        """Everything that lies flat on the board, what comes later over what came before."""
        yield from self.signs()
        yield from self.shades()
        yield from self.space_asked()
        yield from self.way()
        yield from self.ways_wanted()
        yield from self.lines()
        yield from self.ends()

    def signs(self) -> Iterator[Mark]:
        """The signs of terrain and features."""
        for kind in _SIGNED:
            there = (space for space in self.board.spaces if self.board.terrain(space) == kind)
            yield self.pen.mark(f"sign {kind}", there, SIGNS[kind])
        for feature in FEATURES:
            yield self.pen.mark(f"sign {feature}", sorted(self.found.setup.features[feature]), SIGNS[feature])

    def shades(self) -> Iterator[Mark]:
        """The spaces that are not seen, and those next to enemies."""
        if self.sees:
            hidden = (space for space in self.board.spaces if space not in self.found.seen)
            unseen = (space for space in hidden if not self.board.is_solid(space))
            yield self.pen.mark("unseen-lines", unseen, SIGNS["unseen"])
        if "zone" in self.layers:
            enemies = {enemy.space for enemy in self.found.enemies}
            yield Mark("zone", self.pen.border(sorted(self.found.zone | enemies)))

    def space_asked(self) -> Iterator[Mark]:
        """The space asked about, and a blast at it."""
        asked = self.found.setup.space
        if asked is None:
            return
        area = [space for space in self.board.area(asked) if space in self.blast]
        yield Mark("blast", "".join(self.pen.outline(space) for space in area))
        yield Mark("blast-edge", self.pen.border(area))
        if self.layers & {"lines", "path"}:
            yield self.pen.mark("asked", [asked], SIGNS["asked"])
        elif area:
            yield self.pen.mark("aim", [asked], SIGNS["aim"])

    def labels(self) -> Iterator[Label]:
        """What free spaces cost, unless ways are drawn over them, and the letters of several lines of sight."""
        costs = {} if self.wanted.ways else self.ways
        for space, way in costs.items():
            if way.path and space not in self.holders:
                x, y = self.pen.centre(space)
                down = 4.5 if self.board.terrain(space) == "ground" else 13
                yield Label(
                    x, round(y + down, 1), str(way.cost), "cost exposing" if self.exposed.get(space) else "cost"
                )

        for letter, space in self.lettered().items():
            x, y = self.pen.centre(space)
            yield Label(x, round(y + 4.5, 1), letter, "line-letter")

    def lettered(self) -> dict[str, Space]:
        """A letter for each of several lines that end where nobody stands."""
        ends = self.wanted.lines if len(self.wanted.lines) > 1 and "lines" in self.layers else ()
        return {
            letter: space for letter, space in zip(ascii_lowercase, ends, strict=False) if space not in self.holders
        }

    def pieces(self) -> Iterator[Piece]:
        """The tokens; their sides are counted in the order in which they turn up."""
        numbers = numbered(self.found.setup.tokens)
        for token in self.found.setup.tokens:
            x, y = self.pen.centre(token.space)
            look = "selected" if token is self.token else "other"
            yield Piece(x, y, f"{token.column},{token.row}", short(token.id), numbers[token.side], look)

    def way(self) -> Iterator[Mark]:
        """The way to the space asked about."""
        asked = self.found.asked
        if self.token and asked and asked.way and asked.way.path and "path" in self.layers:
            yield Mark("way", self.pen.along([self.token.space, *asked.way.path]))
            yield Mark("strike", "".join(self.strikes(asked.moments)))

    def interrupts(self) -> Iterator[Mark]:
        """The moments of the way at which somebody may interrupt it."""
        asked = self.found.asked
        if asked and "path" in self.layers:
            around = [moment.space for moment in asked.moments if moment.space in self.holders]
            free = [moment.space for moment in asked.moments if moment.space not in self.holders]
            yield self.pen.mark("moment", free, SIGNS["moment"])
            yield self.pen.mark("moment-around", around, SIGNS["moment-around"])

    def strikes(self, moments: tuple[Moment, ...]) -> Iterator[str]:
        for moment in moments:
            for enemy in moment.enemies:
                yield self.pen.along([enemy.space, moment.space])

    def way_to(self, space: Space) -> tuple[Space, ...]:
        """The way to a space that is wanted; nothing where there is none."""
        way = self.found.ways.get(space)
        return way.path if way else ()

    def ways_wanted(self) -> Iterator[Mark]:
        """Each way that is wanted: with a bar at its end where it has to stop beside an enemy, else with an arrow."""
        for space in self.wanted.ways:
            path = self.way_to(space)
            if self.token and path:
                whole = [self.token.space, *path]
                yield Mark("way", self.pen.along(whole))
                is_stopped = space in self.found.zone
                yield Mark("way-stop", self.pen.bar(whole)) if is_stopped else Mark("way", self.pen.arrow(whole))

    def lines(self) -> Iterator[Mark]:
        """Lines of sight: to the space asked about, and to any others wanted."""
        for line in self.sights():
            yield Mark("line clear" if line.is_clear else "line blocked", self.pen.along([line.start, line.end]))

    def ends(self) -> Iterator[Mark]:
        """Where those lines end."""
        rings = self.lettered().values()
        yield self.pen.mark(
            "line-end", (line.end for line in self.sights() if line.end not in rings), SIGNS["line-end"]
        )
        yield self.pen.mark("line-ring", rings, SIGNS["line-ring"])

    def blocks(self) -> Iterator[Mark]:
        """What stands in the way of those lines."""
        spaces = dict.fromkeys(space for line in self.sights() for space in line.blocks)
        for look in ("blocks-halo", "blocks"):
            yield self.pen.mark(look, spaces, SIGNS["blocks"])

    def sights(self) -> list[Sight]:
        lines, asked = self.wanted.lines, self.found.setup.space
        if self.token is None or "lines" not in self.layers:
            return []
        targets = (*lines, *([asked] if asked is not None and asked not in lines else []))
        enemies = frozenset(enemy.space for enemy in self.found.enemies)
        return [sight(self.board, self.token.space, target, enemies) for target in targets]


def short(name: str) -> str:
    """The few letters that stand on a token: the first one, and the number at the end if there is one."""
    number = re.search(r"(\d{1,2})$", name)
    return name[0].upper() + (number[1] if number and len(name) > 1 else "")


def numbered(tokens: Iterable[Token]) -> dict[str, int]:
    """The number of each side, 1 to `MOST_SIDES`, in the order of the tokens."""
    sides = dict.fromkeys(token.side for token in tokens)
    return {side: min(number, MOST_SIDES) for number, side in enumerate(sides, 1)}
