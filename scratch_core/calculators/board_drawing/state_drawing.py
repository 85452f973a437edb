"""A state's board as a drawing: each space with its look, its cost and its words, signs, fighters and ways."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from string import ascii_lowercase

from scratch_core.board import Sight, Space, format_space
from scratch_core.calculators.board_drawing.drawing import CORNERS, SIGNS, Drawing, Drawn, Label, Mark, Pen, Piece
from scratch_core.calculators.board_drawing.overlay import Stage, standing
from scratch_core.calculators.shared.form import tints
from scratch_core.encounter.actions import enemy_spaces
from scratch_core.encounter.state import EncounterState

_SIGNED = ("wall", "obstacle", "rough", "water", "deep-water", "exit")


def draw(state: EncounterState, stage: Stage | None = None) -> Drawing:
    """Draw a state's board, which must be there, with everyone on it and what is to be seen of them.

    Rules: `grid.scope`, `grid.space`.
    """
    return _Drawer(state, stage or Stage()).drawing()


class _Drawer:
    """One board while it is drawn."""

    def __init__(self, state: EncounterState, stage: Stage) -> None:
        self.state, self.stage, self.board = state, stage, state.required_board
        self.pen = Pen(state.required_board)
        self.holders = {each.at: each for each in standing(state) if each.at}
        self.ways = {space: way for space, way in stage.ways.items() if self.board.contains(space)}
        self.planned, fire = self.waiting()
        self.lines = (*stage.lines, *fire)
        self.blast = self.board.area(stage.asked) if stage.asked and stage.is_blast else ()

    def waiting(self) -> tuple[tuple[Space, ...], list[Sight]]:
        """What is still to be walked of an act that waits, and its lines of fire. Rule: `grid.interrupt.what`."""
        places, exposure = {each.id: each.at for each in self.state.fighters}, self.state.exposure
        at = places.get(exposure.who) if exposure else None
        if exposure is None or at is None:
            return (), []
        path = (at, *exposure.path[exposure.walked :]) if exposure.is_move else ()
        spaces = [exposure.space] if exposure.space else [places.get(each) for each in exposure.targets]
        return path, [Sight(at, space, ()) for space in spaces if space]

    def drawing(self) -> Drawing:
        """The whole of it."""
        columns, rows = range(self.board.width), range(self.board.height)
        return Drawing(
            *self.pen.size(),
            tuple(tuple(self.drawn((column, row)) for column in columns) for row in rows),
            tuple(mark for mark in self.marks() if mark.path),
            tuple(self.labels()),
            tuple(self.pieces()),
            tuple(mark for mark in self.over() if mark.path),
            tuple(self.pen.edge()),
        )

    def drawn(self, space: Space) -> Drawn:
        """One space."""
        way, seen = self.ways.get(space), self.stage.seen
        cost = None if way is None else way.cost
        is_seen = None if seen is None else space in seen
        terrain = self.board.terrain(space)
        dark = "unseen" if is_seen is False and terrain == "ground" else ""
        look = (terrain, "stop" if way and way.path else dark)
        exposed = {who.id: who.name for moment in self.stage.exposed.get(space, ()) for who in moment.interrupters}
        words = [f"{format_space(space)} {terrain.replace('-', ' ')}"]
        if space in self.holders:
            who = self.holders[space]
            words.append(who.name if who.side in (who.id, who.name) else f"{who.name} of {who.side}")
            words += ["down"] if who.is_down else []
        if cost:
            words.append(f"costs {cost}")
            words += [f"{' and '.join(exposed.values())} may interrupt"] if exposed else []
        if is_seen is False:
            words.append("not seen")
        return Drawn(
            space,
            self.pen.points(space),
            " ".join(filter(None, look)),
            ", ".join(words),
            cost,
            is_seen,
            " ".join(exposed),
            space in self.blast,
        )

    def marks(self) -> Iterator[Mark]:
        """Everything that lies flat on the board, what comes later over what came before."""
        board, pen, stage, numbered = self.board, self.pen, self.stage, self.stage.ways and not self.stage.goals
        for kind in _SIGNED:
            there = (space for space in board.spaces if board.terrain(space) == kind)
            yield pen.mark(f"sign {kind}", there, SIGNS[kind], down=pen.above if numbered else 0)
        for feature, corner in CORNERS.items():
            yield pen.mark(f"sign {feature}", sorted(getattr(board, feature)), SIGNS[feature], *corner)
        if stage.seen is not None:
            hidden = (space for space in board.spaces if space not in stage.seen and not board.is_solid(space))
            yield pen.mark("unseen-lines", hidden, SIGNS["unseen"])
        yield Mark("zone", pen.border(sorted(stage.zone)))
        if stage.asked is not None:
            yield Mark("blast", "".join(map(pen.outline, self.blast)))
            yield Mark("blast-edge", pen.border(self.blast))
            sign = "aim" if stage.is_aim else "asked"
            yield pen.mark(sign, [stage.asked], SIGNS[sign])
        yield from self.along()
        rings = self.lettered().values()
        ends = (line.end for line in self.lines if line.end not in rings)
        yield pen.mark("line-end", ends, SIGNS["line-end"])
        yield pen.mark("line-ring", rings, SIGNS["line-ring"])
        moments = (end for end in self.interrupted() if end not in self.holders)
        yield pen.mark("moment", moments, SIGNS["moment"])

    def along(self) -> Iterator[Mark]:
        """Ways with the strikes at them, and lines, of clear ones only where no way is drawn.

        A way that has to end beside an enemy has a bar at its end, any other an arrow. Rule: `grid.zoc.stop`.
        """
        pen, stage = self.pen, self.stage
        if len(stage.path) > 1:
            yield Mark("way", pen.along(stage.path))
        yield Mark("strike", "".join(map(pen.along, stage.strikes)))
        for goal in stage.goals:
            yield Mark("way goal", pen.along(goal))
            enemies = enemy_spaces(self.state, self.state.fighter(stage.selected))
            is_stopped = not enemies.isdisjoint(self.board.adjacent_coordinates(goal[-1]))
            yield Mark("way-stop", pen.bar(goal)) if is_stopped else Mark("way goal", pen.arrow(goal))
        if len(self.planned) > 1:
            yield Mark("line blocked", pen.along(self.planned))
        for line in self.lines:
            yield Mark(
                "line clear" if line.is_clear else "line blocked",
                "" if line.is_clear and len(stage.path) > 1 else pen.along([line.start, line.end]),
            )

    def over(self) -> Iterator[Mark]:
        """A ring around whoever is interrupted where it stands, and what stands in the way of lines."""
        yield self.pen.mark("moment-around", filter(self.holders.get, self.interrupted()), SIGNS["moment-around"])
        blocks = dict.fromkeys(space for line in self.lines for space in line.blocking_spaces)
        for look in ("blocks-halo", "blocks"):
            yield self.pen.mark(look, blocks, SIGNS["blocks"])

    def interrupted(self) -> dict[Space, None]:
        """Where someone interrupts, each space once."""
        return dict.fromkeys(end for _, end in self.stage.strikes)

    def labels(self) -> Iterator[Label]:
        """What free spaces cost, unless ways are drawn over them, and the letters of several lines of sight."""
        for space, way in self.ways.items() if not self.stage.goals else ():
            if way.path and space not in self.holders:
                x, y = self.pen.centre(space)
                look = "cost exposing" if space in self.stage.exposed else "cost"
                yield Label(x, round(y + self.pen.foot, 1), str(way.cost), look)
        for letter, space in self.lettered().items():
            x, y = self.pen.centre(space)
            yield Label(x, round(y + 4.5, 1), letter, "line-letter")

    def lettered(self) -> dict[str, Space]:
        """A letter for each of several lines that end where no one stands."""
        ends = [line.end for line in self.lines] if len(self.lines) > 1 else []
        pairs = zip(ascii_lowercase, ends, strict=False)
        return {letter: space for letter, space in pairs if space not in self.holders}

    def pieces(self) -> Iterator[Piece]:
        """Everyone who stands there; sides are counted in the order in which they turn up."""
        everybody = self.state.fighters
        letters = shorts(each.name for each in everybody)
        colours = tints(each.side for each in everybody)
        for each in standing(self.state):
            assert each.at is not None
            look = "selected" if each.id == self.stage.selected else "other"
            yield Piece(
                *self.pen.centre(each.at),
                format_space(each.at),
                letters[each.name],
                colours[each.side],
                "fallen" if each.is_down else look,
            )


def shorts(names: Iterable[str]) -> dict[str, str]:
    """The few letters that stand on a piece, for each name: the first one, and the number at the end if there is one.

    Two names that begin alike have one letter more.
    """
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        number = re.search(r"(\d{1,2})$", name[1:])
        last = number[1] if number else ""
        first, taken = name[0].upper(), set(found.values())
        choices = (first + last, name[:2].capitalize() + last, *(f"{first}{n}" for n in range(2, 100)))
        found[name] = next((each for each in choices if each not in taken), choices[0])
    return found
