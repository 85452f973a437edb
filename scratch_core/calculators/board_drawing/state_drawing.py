"""The drawing of a state's board: spaces with costs and labels, signs, fighters and paths."""

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
from scratch_core.calculators.shared.sides import assign_side_colours, side_name_of
from scratch_core.encounter.actions import list_enemy_spaces
from scratch_core.encounter.state import EncounterState

_TERRAINS_WITH_SIGN = ("wall", "obstacle", "rough", "water", "deep-water", "exit")


def draw_board(state: EncounterState, overlay: Overlay | None = None) -> Drawing:
    """Draw the board of a state with its fighters and an overlay.

    The state must have a board. Rules: `grid.scope`, `grid.space`.
    """
    return _Drawer(state, overlay or Overlay()).build_drawing()


class _Drawer:
    """The drawing of one board while it is built."""

    def __init__(self, state: EncounterState, overlay: Overlay) -> None:
        self.state, self.overlay, self.board = state, overlay, state.required_board
        self.pen = Pen(state.required_board)
        self.holders = {each.at: each for each in list_placed_fighters(state) if each.at}
        self.routes = {space: way for space, way in overlay.routes.items() if space in self.board}
        self.pending_path, attack_lines = self.find_pending_path_and_lines()
        self.sight_lines = (*overlay.sight_lines, *attack_lines)
        self.blast = (
            self.board.blast_area(overlay.selected_space) if overlay.selected_space and overlay.is_blast else ()
        )

    def find_pending_path_and_lines(self) -> tuple[tuple[Space, ...], list[Sight]]:
        """Find the rest of a pending move, and the lines of a pending attack.

        Rule: `grid.interrupt.what`.
        """
        positions, pending = {each.id: each.at for each in self.state.fighters}, self.state.pending_action
        position = positions.get(pending.who) if pending else None
        if pending is None or position is None:
            return (), []
        path = (position, *pending.path[pending.walked :]) if pending.is_move else ()
        spaces = [pending.space] if pending.space else [positions.get(each) for each in pending.targets]
        return path, [Sight(position, space, ()) for space in spaces if space]

    def build_drawing(self) -> Drawing:
        """Build the drawing."""
        columns, rows = range(self.board.width), range(self.board.height)
        return Drawing(
            *self.pen.compute_size(),
            tuple(tuple(self.build_space((column, row)) for column in columns) for row in rows),
            tuple(mark for mark in self.list_marks_below_tokens() if mark.path),
            tuple(self.list_labels()),
            tuple(self.list_tokens()),
            tuple(mark for mark in self.list_top_marks() if mark.path),
            tuple(self.pen.list_edge_labels()),
        )

    def build_space(self, space: Space) -> DrawnSpace:
        """Build the drawing of a space, with its CSS classes and accessible name."""
        route, visible_spaces = self.routes.get(space), self.overlay.visible_spaces
        cost = None if route is None else route.cost
        is_seen = None if visible_spaces is None else space in visible_spaces
        terrain = self.board.terrain(space)
        unseen_class = "unseen" if is_seen is False and terrain == "ground" else ""
        css_classes = (terrain, "stop" if route and route.path else unseen_class)
        interrupter_names = {
            fighter.id: fighter.name
            for moment in self.overlay.interrupt_windows.get(space, ())
            for fighter in moment.interrupters
        }
        label_parts = [f"{format_space(space)} {terrain.replace('-', ' ')}"]
        if space in self.holders:
            fighter = self.holders[space]
            side = side_name_of(fighter)
            label_parts.append(f"{fighter.name} of {side}" if side else fighter.name)
            label_parts += ["down"] if fighter.is_down else []
        if cost:
            label_parts.append(f"costs {cost}")
            label_parts += [f"{' and '.join(interrupter_names.values())} may interrupt"] if interrupter_names else []
        if is_seen is False:
            label_parts.append("not seen")
        return DrawnSpace(
            space,
            self.pen.format_outline_points(space),
            " ".join(filter(None, css_classes)),
            ", ".join(label_parts),
            cost,
            is_seen,
            " ".join(interrupter_names),
            space in self.blast,
        )

    def list_marks_below_tokens(self) -> Iterator[Mark]:
        """List the marks below the tokens, in the order in which they are drawn."""
        board, pen, overlay = self.board, self.pen, self.overlay
        has_costs = overlay.routes and not overlay.goal_paths
        for kind in _TERRAINS_WITH_SIGN:
            spaces = (space for space in board.spaces if board.terrain(space) == kind)
            yield pen.build_mark(f"sign {kind}", spaces, SIGNS[kind], down=pen.sign_offset if has_costs else 0)
        for feature, corner in FEATURE_OFFSETS.items():
            yield pen.build_mark(f"sign {feature}", sorted(getattr(board, feature)), SIGNS[feature], *corner)
        if overlay.visible_spaces is not None:
            hidden = (
                space
                for space in board.spaces
                if space not in overlay.visible_spaces and not board.has_wall_or_obstacle(space)
            )
            yield pen.build_mark("unseen-lines", hidden, SIGNS["unseen"])
        yield Mark("zone", pen.format_border_path(sorted(overlay.enemy_zone)))
        if overlay.selected_space is not None:
            yield Mark("blast", "".join(map(pen.format_outline_path, self.blast)))
            yield Mark("blast-edge", pen.format_border_path(self.blast))
            sign = "aim" if overlay.is_aiming else "asked"
            yield pen.build_mark(sign, [overlay.selected_space], SIGNS[sign])
        yield from self.list_line_marks()
        rings = self.assign_letters_to_empty_ends().values()
        ends = (line.end for line in self.sight_lines if line.end not in rings)
        yield pen.build_mark("line-end", ends, SIGNS["line-end"])
        yield pen.build_mark("line-ring", rings, SIGNS["line-ring"])
        interrupted_spaces = (end for end in self.list_interrupted_spaces() if end not in self.holders)
        yield pen.build_mark("moment", interrupted_spaces, SIGNS["moment"])

    def list_line_marks(self) -> Iterator[Mark]:
        """List the marks of paths, of interrupts and of lines of sight.

        Clear lines of sight are omitted if a path is drawn. A path that must end next to an enemy has a bar at its end,
        any other an arrow. Rule: `grid.zoc.stop`.
        """
        pen, overlay = self.pen, self.overlay
        if len(overlay.path) > 1:
            yield Mark("way", pen.format_line_path(overlay.path))
        yield Mark("strike", "".join(map(pen.format_line_path, overlay.interrupt_lines)))
        for goal in overlay.goal_paths:
            yield Mark("way goal", pen.format_line_path(goal))
            enemies = list_enemy_spaces(self.state, self.state.fighter(overlay.selected_id))
            is_stopped = not enemies.isdisjoint(self.board.adjacent_coordinates_even_off_board(goal[-1]))
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
                "" if line.is_clear and len(overlay.path) > 1 else pen.format_line_path([line.start, line.end]),
            )

    def list_top_marks(self) -> Iterator[Mark]:
        """List the rings around interrupted fighters, and the marks of what blocks lines."""
        yield self.pen.build_mark(
            "moment-around", filter(self.holders.get, self.list_interrupted_spaces()), SIGNS["moment-around"]
        )
        blocks = dict.fromkeys(space for line in self.sight_lines for space in line.blocking_spaces)
        for look in ("blocks-halo", "blocks"):
            yield self.pen.build_mark(look, blocks, SIGNS["blocks"])

    def list_interrupted_spaces(self) -> dict[Space, None]:
        """List the spaces of interrupts, each once."""
        return dict.fromkeys(end for _, end in self.overlay.interrupt_lines)

    def list_labels(self) -> Iterator[Label]:
        """List the costs of free spaces, and the letters of lines of sight.

        Costs are omitted if paths are drawn to goals.
        """
        for space, route in self.routes.items() if not self.overlay.goal_paths else ():
            if route.path and space not in self.holders:
                x, y = self.pen.compute_centre(space)
                look = "cost exposing" if space in self.overlay.interrupt_windows else "cost"
                look += " on-way" if space in self.overlay.path else ""
                yield Label(x, round(y + self.pen.number_offset, 1), str(route.cost), look)
        for letter, space in self.assign_letters_to_empty_ends().items():
            x, y = self.pen.compute_centre(space)
            yield Label(x, round(y + 4.5, 1), letter, "line-letter")

    def assign_letters_to_empty_ends(self) -> dict[str, Space]:
        """Assign a letter to each line of sight that ends in an empty space.

        Returns {} for a single line.
        """
        ends = [line.end for line in self.sight_lines] if len(self.sight_lines) > 1 else []
        pairs = zip(ascii_lowercase, ends, strict=False)
        return {letter: space for letter, space in pairs if space not in self.holders}

    def list_tokens(self) -> Iterator[DrawnToken]:
        """List the tokens of all fighters on the board.

        Sides have colours in the order of the fighters.
        """
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
    """Abbreviate each name to one or two letters and its number, for its token.

    Names that differ only in their number have the same letters: the first one, or the first and a later one if an
    alphabetically earlier name has that. So the order of the names does not matter. If nothing is left, names get other
    numbers.
    """
    stems_and_numbers = {name: _split_number_at_end(name) for name in names}
    letters_by_stem: dict[str, str] = {}
    for stem in sorted({stem for stem, _ in stems_and_numbers.values()}):
        initial = stem[0].upper()
        choices = (initial, *(initial + letter.lower() for letter in stem[1:] if letter.isalpha()))
        letters_by_stem[stem] = next((each for each in choices if each not in letters_by_stem.values()), initial)
    letters_by_name: dict[str, str] = {}
    for name, (stem, number) in stems_and_numbers.items():
        choices = (letters_by_stem[stem] + number, *(f"{letters_by_stem[stem]}{n}" for n in range(2, 100)))
        letters_by_name[name] = next((each for each in choices if each not in letters_by_name.values()), choices[0])
    return letters_by_name


def _split_number_at_end(name: str) -> tuple[str, str]:
    """Split a name into its text and its last one or two digits, or ""."""
    number = re.search(r"(\d{1,2})$", name[1:])
    return (name[: -len(number[1])].rstrip(), number[1]) if number else (name, "")
