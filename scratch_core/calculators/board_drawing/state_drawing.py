"""A state's board as a drawing: each space with its look, its cost and its words, signs, fighters and ways."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from string import ascii_lowercase

from scratch_core.board import Sight, Space, format_space
from scratch_core.calculators.board_drawing.drawing import (
    FEATURE_OFFSETS,
    SIGNS,
    Drawing,
    DrawnSpace,
    DrawnToken,
    Label,
    Mark,
    Pen,
)
from scratch_core.calculators.board_drawing.overlay import Overlay, list_placed_fighters
from scratch_core.calculators.shared.form import assign_side_colours
from scratch_core.calculators.shared.sides import side_name_of
from scratch_core.encounter.actions import list_enemy_spaces
from scratch_core.encounter.state import EncounterState

_TERRAINS_WITH_SIGN = ("wall", "obstacle", "rough", "water", "deep-water", "exit")


def draw_board(state: EncounterState, stage: Overlay | None = None) -> Drawing:
    """Draw a state's board, which must be there, with everyone on it and what is to be seen of them.

    Rules: `grid.scope`, `grid.space`.
    """
    return _Drawer(state, stage or Overlay()).build_drawing()


class _Drawer:
    """One board while it is drawn."""

    def __init__(self, state: EncounterState, stage: Overlay) -> None:
        self.state, self.overlay, self.board = state, stage, state.required_board
        self.pen = Pen(state.required_board)
        self.holders = {each.at: each for each in list_placed_fighters(state) if each.at}
        self.routes = {space: way for space, way in stage.routes.items() if space in self.board}
        self.pending_path, fire = self.find_pending_lines()
        self.sight_lines = (*stage.sight_lines, *fire)
        self.blast = self.board.blast_area(stage.selected_space) if stage.selected_space and stage.is_blast else ()

    def find_pending_lines(self) -> tuple[tuple[Space, ...], list[Sight]]:
        """What is still to be walked of an act that waits, and its lines of fire. Rule: `grid.interrupt.what`."""
        places, exposure = {each.id: each.at for each in self.state.fighters}, self.state.exposure
        at = places.get(exposure.who) if exposure else None
        if exposure is None or at is None:
            return (), []
        path = (at, *exposure.path[exposure.walked :]) if exposure.is_move else ()
        spaces = [exposure.space] if exposure.space else [places.get(each) for each in exposure.targets]
        return path, [Sight(at, space, ()) for space in spaces if space]

    def build_drawing(self) -> Drawing:
        """The whole of it."""
        columns, rows = range(self.board.width), range(self.board.height)
        return Drawing(
            *self.pen.compute_size(),
            tuple(tuple(self.build_space((column, row)) for column in columns) for row in rows),
            tuple(mark for mark in self.list_marks() if mark.path),
            tuple(self.list_labels()),
            tuple(self.list_tokens()),
            tuple(mark for mark in self.list_top_marks() if mark.path),
            tuple(self.pen.list_edge_labels()),
        )

    def build_space(self, space: Space) -> DrawnSpace:
        """One space."""
        way, seen = self.routes.get(space), self.overlay.visible_spaces
        cost = None if way is None else way.cost
        is_seen = None if seen is None else space in seen
        terrain = self.board.terrain(space)
        dark = "unseen" if is_seen is False and terrain == "ground" else ""
        look = (terrain, "stop" if way and way.path else dark)
        exposed = {
            who.id: who.name for moment in self.overlay.interrupt_windows.get(space, ()) for who in moment.interrupters
        }
        words = [f"{format_space(space)} {terrain.replace('-', ' ')}"]
        if space in self.holders:
            who = self.holders[space]
            side = side_name_of(who)
            words.append(f"{who.name} of {side}" if side else who.name)
            words += ["down"] if who.is_down else []
        if cost:
            words.append(f"costs {cost}")
            words += [f"{' and '.join(exposed.values())} may interrupt"] if exposed else []
        if is_seen is False:
            words.append("not seen")
        return DrawnSpace(
            space,
            self.pen.format_outline_points(space),
            " ".join(filter(None, look)),
            ", ".join(words),
            cost,
            is_seen,
            " ".join(exposed),
            space in self.blast,
        )

    def list_marks(self) -> Iterator[Mark]:
        """Everything that lies flat on the board, what comes later over what came before."""
        board, pen, stage, numbered = (
            self.board,
            self.pen,
            self.overlay,
            self.overlay.routes and not self.overlay.goal_paths,
        )
        for kind in _TERRAINS_WITH_SIGN:
            there = (space for space in board.spaces if board.terrain(space) == kind)
            yield pen.build_mark(f"sign {kind}", there, SIGNS[kind], down=pen.sign_offset if numbered else 0)
        for feature, corner in FEATURE_OFFSETS.items():
            yield pen.build_mark(f"sign {feature}", sorted(getattr(board, feature)), SIGNS[feature], *corner)
        if stage.visible_spaces is not None:
            hidden = (
                space for space in board.spaces if space not in stage.visible_spaces and not board.is_solid(space)
            )
            yield pen.build_mark("unseen-lines", hidden, SIGNS["unseen"])
        yield Mark("zone", pen.format_border_path(sorted(stage.enemy_zone)))
        if stage.selected_space is not None:
            yield Mark("blast", "".join(map(pen.format_outline_path, self.blast)))
            yield Mark("blast-edge", pen.format_border_path(self.blast))
            sign = "aim" if stage.is_aiming else "asked"
            yield pen.build_mark(sign, [stage.selected_space], SIGNS[sign])
        yield from self.list_line_marks()
        rings = self.assign_line_letters().values()
        ends = (line.end for line in self.sight_lines if line.end not in rings)
        yield pen.build_mark("line-end", ends, SIGNS["line-end"])
        yield pen.build_mark("line-ring", rings, SIGNS["line-ring"])
        moments = (end for end in self.list_interrupted_spaces() if end not in self.holders)
        yield pen.build_mark("moment", moments, SIGNS["moment"])

    def list_line_marks(self) -> Iterator[Mark]:
        """Ways with the strikes at them, and lines, of clear ones only where no way is drawn.

        A way that has to end beside an enemy has a bar at its end, any other an arrow. Rule: `grid.zoc.stop`.
        """
        pen, stage = self.pen, self.overlay
        if len(stage.path) > 1:
            yield Mark("way", pen.format_line_path(stage.path))
        yield Mark("strike", "".join(map(pen.format_line_path, stage.interrupt_lines)))
        for goal in stage.goal_paths:
            yield Mark("way goal", pen.format_line_path(goal))
            enemies = list_enemy_spaces(self.state, self.state.fighter(stage.selected_id))
            is_stopped = not enemies.isdisjoint(self.board.adjacent_coordinates(goal[-1]))
            yield (
                Mark("way-stop", pen.format_end_bar(goal))
                if is_stopped
                else Mark("way goal", pen.format_arrow_head(goal))
            )
        if len(self.pending_path) > 1:
            yield Mark("line blocked", pen.format_line_path(self.pending_path))
        for line in self.sight_lines:
            yield Mark(
                "line clear" if line.is_clear else "line blocked",
                "" if line.is_clear and len(stage.path) > 1 else pen.format_line_path([line.start, line.end]),
            )

    def list_top_marks(self) -> Iterator[Mark]:
        """Draw a ring around the interrupted fighter, and what blocks lines."""
        yield self.pen.build_mark(
            "moment-around", filter(self.holders.get, self.list_interrupted_spaces()), SIGNS["moment-around"]
        )
        blocks = dict.fromkeys(space for line in self.sight_lines for space in line.blocking_spaces)
        for look in ("blocks-halo", "blocks"):
            yield self.pen.build_mark(look, blocks, SIGNS["blocks"])

    def list_interrupted_spaces(self) -> dict[Space, None]:
        """Where someone interrupts, each space once."""
        return dict.fromkeys(end for _, end in self.overlay.interrupt_lines)

    def list_labels(self) -> Iterator[Label]:
        """What free spaces cost, unless ways are drawn over them, and the letters of several lines of sight."""
        for space, way in self.routes.items() if not self.overlay.goal_paths else ():
            if way.path and space not in self.holders:
                x, y = self.pen.compute_centre(space)
                look = "cost exposing" if space in self.overlay.interrupt_windows else "cost"
                yield Label(x, round(y + self.pen.number_offset, 1), str(way.cost), look)
        for letter, space in self.assign_line_letters().items():
            x, y = self.pen.compute_centre(space)
            yield Label(x, round(y + 4.5, 1), letter, "line-letter")

    def assign_line_letters(self) -> dict[str, Space]:
        """A letter for each of several lines that end where no one stands."""
        ends = [line.end for line in self.sight_lines] if len(self.sight_lines) > 1 else []
        pairs = zip(ascii_lowercase, ends, strict=False)
        return {letter: space for letter, space in pairs if space not in self.holders}

    def list_tokens(self) -> Iterator[DrawnToken]:
        """Everyone who stands there; sides are counted in the order in which they turn up."""
        fighters = self.state.fighters
        letters = abbreviate_names(each.name for each in fighters)
        colours = assign_side_colours(each.side for each in fighters)
        for each in list_placed_fighters(self.state):
            assert each.at is not None
            look = "selected" if each.id == self.overlay.selected_id else "other"
            yield DrawnToken(
                *self.pen.compute_centre(each.at),
                format_space(each.at),
                letters[each.name],
                colours[each.side],
                "fallen" if each.is_down else look,
            )


def abbreviate_names(names: Iterable[str]) -> dict[str, str]:
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
