"""The board calculator: from a map, tokens and a question to reachable spaces, lines of sight and blast targets."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby

from scratch_core.board import Board, Shape, Space, format_space
from scratch_core.calculators.board.analysis import LAYERS, BoardAnalysis, OtherToken, SpaceAnalysis, analyse_board
from scratch_core.calculators.board.edits import (
    BUTTONS,
    apply_button,
    apply_strokes,
    displaced_token_problems,
    list_sides,
)
from scratch_core.calculators.board.import_export import (
    LEVELS_OWNER_CONTROL,
    SHEETS_CONTROL,
    add_chosen_characters,
    build_fight_query,
    build_level_fields,
)
from scratch_core.calculators.board.request import (
    CONTROLS,
    FEATURES,
    MAX_QUERY_LENGTH,
    TERRAINS,
    TOKEN_CONTROLS,
    BoardForm,
    BoardSetup,
)
from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS, SampleMap
from scratch_core.calculators.board_drawing.drawing import SIGNS, Drawing, Pen
from scratch_core.calculators.board_drawing.state_drawing import draw_board
from scratch_core.calculators.characters_text.chooser import ADD, CHOOSE, Chooser, find_chooser
from scratch_core.calculators.shared import form
from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.calculators.shared.query import Query, format_query, parse_query
from scratch_core.characters import MAX_SHEET_LENGTH
from scratch_core.dice import Roller
from scratch_core.errors import Problem, Problems, ScratchError, format_input

__all__ = [
    "BUTTONS",
    "CONTROLS",
    "LAYERS",
    "MAX_QUERY_LENGTH",
    "BoardAnalysis",
    "BoardAnswer",
    "OtherToken",
    "SpaceAnalysis",
    "View",
    "analyse_query",
    "draw_query",
    "view",
]


DEFAULT_FIELDS = {"shape": "square"}
"""What a form always sends, and a link can do without."""


@dataclass(frozen=True, slots=True)
class BoardAnswer:
    """A board that could be read, what the rules say of it, and how it is drawn.

    `side_colours` are those that a new token may be on, each with its colour's number; `row_texts` the whole board in
    words, row by row. `fight_query` takes the board and everyone on it into the fight calculator.
    """

    analysis: BoardAnalysis
    drawing: Drawing
    side_colours: Mapping[str, int]
    row_texts: tuple[str, ...]
    fight_query: str


@dataclass(frozen=True, slots=True)
class View(form.View):
    """What the template prints.

    `updated_fields` are the controls whose text the answer has changed, `sample_maps` maps to take.
    """

    answer: BoardAnswer
    updated_fields: frozenset[str] = frozenset()
    brush: str = "pick"
    chooser: Chooser | None = None
    terrains: Mapping[str, str] = field(default_factory=lambda: TERRAINS)
    sample_maps: tuple[SampleMap, ...] = SAMPLE_MAPS

    @property
    def palette(self) -> tuple[tuple[str, str, Drawing], ...]:
        """What can be painted: the brush, its words, and one space of it as the map has it."""
        return list_brushes(self.answer.analysis.setup.board.shape)


def view(query: Query, roller: Roller | None) -> View:
    """Answer a query with a `map`, `tokens` and one of them `selected`; see `CONTROLS` for the rest.

    `stroke` and `act` are what was drawn and pressed since: they change the board and vanish. No dice fall here. Every
    problem names its control, and what can be read in spite of it is drawn (`grid.scope`, `grid.blast.target`).
    """
    reader = BoardForm(query)
    typed = reader.fields
    setup = reader.parse_setup()
    sheets = query.text(SHEETS_CONTROL)[:MAX_SHEET_LENGTH].strip()
    owner = query.text(LEVELS_OWNER_CONTROL).strip() or typed["selected"].strip()
    coming = form.Form(query, {})
    if query.text("act").strip() == ADD:
        setup, sheets = add_chosen_characters(setup, coming, sheets)
        reader.fields = {**typed, "tokens": reader.append_unread_tokens("tokens", setup.to_fields()["tokens"])}
    fields, refused = _apply_changes(reader, query, setup)
    if fields != typed:
        reader, setup = _reparse_fields(fields, sheets)
    levels, owner = _find_selected_levels(setup, sheets, owner)
    if levels:
        fields = {**fields, **levels}
        reader, setup = _reparse_fields(fields, sheets)
    found = analyse_board(setup)
    rows, drawing = tuple(map(_format_row, found.setup.board.rows)), draw_board(found.state, found.build_overlay())
    owned = {LEVELS_OWNER_CONTROL: owner} if owner != setup.selected_id else {}
    said = {name: text.strip() for name, text in fields.items() if text.strip() != DEFAULT_FIELDS.get(name)}
    return View(
        format_query({**said, **owned, SHEETS_CONTROL: sheets}),
        _format_summary(found),
        (*reader.problems, *coming.problems, *refused),
        {**fields, LEVELS_OWNER_CONTROL: owner, SHEETS_CONTROL: sheets},
        BoardAnswer(
            found,
            drawing,
            form.assign_side_colours(list_sides(found.setup)),
            rows,
            build_fight_query(found.setup, sheets),
        ),
        frozenset(name for name in CONTROLS if fields[name] != typed[name]),
        query.text("brush", "pick").strip() or "pick",
        find_chooser(query),
    )


def _reparse_fields(fields: Mapping[str, str], sheets: str) -> tuple[BoardForm, BoardSetup]:
    """Read controls that the answer has changed as the link to this answer will be read."""
    reader = BoardForm(
        parse_query(format_query({**fields, SHEETS_CONTROL: sheets}), MAX_QUERY_LENGTH + MAX_SHEET_LENGTH)
    )
    return reader, reader.parse_setup()


def _find_selected_levels(setup: BoardSetup, sheets: str, owner: str) -> tuple[dict[str, str], str]:
    """Find the levels to show instead of those of another token, and whose levels the controls hold then.

    `owner` is the id of the token whose levels they hold now. Returns {} where they stay.
    """
    if setup.selected_id:
        return build_level_fields(sheets, setup.selected_id) if setup.selected_id != owner else {}, setup.selected_id
    is_there = any(token.id == owner for token in setup.tokens)
    return dict.fromkeys(TOKEN_CONTROLS, "") if owner and not is_there else {}, owner if is_there else ""


def draw_query(text: str, layers: Collection[str] = LAYERS) -> Drawing:
    """Draw the board of a query for the text, see `pictured`."""
    found, _, _ = analyse_query(text, layers, "", "")
    return draw_board(found.state, found.build_overlay(layers))


def analyse_query(
    text: str, layers: Collection[str], lines: str, ways: str
) -> tuple[BoardAnalysis, list[Space], list[Space]]:
    """Work a board of the text out: a query, some of the `LAYERS`, spaces like `3,4 5,6` to look at and to go to.

    Raises `ScratchError` with every problem of the query, and `board.layer` for a layer that is none.
    """
    unknown = [layer for layer in layers if layer not in LAYERS]
    if unknown:
        raise ScratchError(Problem("board.layer", f"one of {', '.join(LAYERS)}", format_input(unknown[0]), "show"))
    reader = BoardForm(parse_query(text, MAX_QUERY_LENGTH))
    setup = reader.parse_setup()
    reader.fields = {**reader.fields, "lines": lines, "ways": ways}
    targets, goals = (reader.parse_spaces(setup.board, name) for name in ("lines", "ways"))
    reader.problems.raise_if_any()
    return analyse_board(setup), targets, goals


@lru_cache
def list_brushes(shape: Shape) -> tuple[tuple[str, str, Drawing], ...]:
    """What can be painted on squares or on hexes: each brush, its words, and a space of it, or a mark without one."""
    pen = Pen(Board(shape, (".",)))
    grounds = (
        (brush, words, draw_query(format_query({"shape": shape, "map": brush}), ()))
        for brush, words in TERRAINS.items()
    )
    marks = (
        (brush, words, pen.build_mark(f"sign {brush}", [(0, 0)], SIGNS[brush])) for brush, words in FEATURES.items()
    )
    return (
        *grounds,
        *((brush, words, Drawing(*pen.compute_size(), (), (mark,), (), ())) for brush, words, mark in marks),
    )


def _apply_changes(reader: BoardForm, query: Query, before: BoardSetup) -> tuple[Mapping[str, str], list[Problem]]:
    """Apply strokes and commands, and return the controls' new texts.

    Reports what cannot be done, and leaves the rest unchanged.
    """
    is_map_wrong = any(problem.where == "map" for problem in reader.problems)
    setup, refused = before, Problems()
    for control, act in (("stroke", apply_strokes), ("act", apply_button)):
        asked = query.text(control).strip()
        try:
            if asked.partition(" ")[0] in (CHOOSE, ADD):
                continue
            if asked and asked != "new" and is_map_wrong:
                raise ScratchError(Problem("board.map.first", "a map without a mistake", "one with a mistake", control))
            changed = act(setup, asked) if asked else setup
            refused += displaced_token_problems(setup, changed) if asked.startswith("map-") else ()
            setup = changed
        except ScratchError as error:
            refused.extend_at(control, error.problems)
    old, new = before.to_fields(), setup.to_fields()
    texts = {name: reader.append_unread_tokens(name, new[name]) for name in CONTROLS if new[name] != old[name]}
    return {**reader.fields, **texts}, refused


def _format_row(letters: str) -> str:
    """One row in words: `0 to 3 ground, 4 wall`."""
    parts, first = [], 0
    for letter, run in groupby(letters):
        last = first + len(list(run)) - 1
        where = f"{first}" if first == last else f"{first} to {last}"
        parts.append(f"{where} {TERRAINS[letter]}")
        first = last + 1
    return ", ".join(parts)


def _format_summary(found: BoardAnalysis) -> str:
    """The board in a sentence; with a token selected what it can do, and with a space asked about what of that."""
    setup = found.setup
    if setup.selected_token is None:
        count = len(setup.tokens)
        return f"{setup.board.width} × {setup.board.height} spaces, {count} token{'s' if count != 1 else ''}."
    asked = found.space_analysis
    if asked is not None:
        way = (
            f"costs {asked.route.cost}."
            if asked.route
            else format_problem_sentence(asked.move_problem)
            if asked.move_problem
            else ""
        )
        line = "In sight" if asked.sight and asked.sight.is_clear else f"Out of sight: {asked.blocker_text}"
        return f"{format_space(asked.space)}: {way} {line}."
    stops = sum(map(len, found.overlay.stops_by_cost.values()))
    clear = sum(other.sight.is_clear for other in found.other_tokens)
    others = len(found.other_tokens)
    seen = f"{clear} of {others}" if clear < others else f"{others}"
    sees = f" and can see {seen} other token{'s' if others != 1 else ''}" if others else ""
    return f"{setup.selected_token.name} can reach {stops} space{'s' if stops != 1 else ''}{sees}."
