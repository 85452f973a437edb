"""The map calculator: from a map, tokens and a selected space to reachable spaces, lines of sight and blast targets."""

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
"""Values that the form always sends, and that a link omits."""


@dataclass(frozen=True, slots=True)
class BoardAnswer:
    """A valid map, its analysis by the rules, and its drawing."""

    analysis: BoardAnalysis
    """The analysis of the selected token and space."""
    drawing: Drawing
    """The map with tokens and overlay."""
    side_colours: Mapping[str, int]
    """The sides that a new token may belong to, each with the number of its colour."""
    row_texts: tuple[str, ...]
    """The terrain of each row in words."""
    fight_query: str
    """The query that opens the fight calculator with this map and all of its characters."""


@dataclass(frozen=True, slots=True)
class View(form.View):
    """What the template shows."""

    answer: BoardAnswer
    """The map and its analysis."""
    updated_fields: frozenset[str] = frozenset()
    """The controls whose text the answer has changed."""
    brush: str = "pick"
    """The brush chosen in the palette."""
    chooser: Chooser | None = None
    """The list of characters to add. None unless it is open."""
    terrains: Mapping[str, str] = field(default_factory=lambda: TERRAINS)
    """The letters of a map, with the terrain's names."""
    sample_maps: tuple[SampleMap, ...] = SAMPLE_MAPS
    """The sample maps."""

    @property
    def palette(self) -> tuple[tuple[str, str, Drawing], ...]:
        """The brushes with their labels, each with a drawing in the map's shape."""
        return list_brushes(self.answer.analysis.setup.board.shape)


def view(query: Query, roller: Roller | None) -> View:
    """Answer a query with a `map`, `tokens` and a `selected` token.

    `CONTROLS` lists the other controls. `stroke` and `act` hold the user's latest strokes and button: they change the
    map and are not part of the answer's query. No dice are rolled. Every problem names its control, and invalid parts
    are left out of the map (`grid.scope`, `grid.blast.target`).
    """
    board_form = BoardForm(query)
    typed = board_form.fields
    setup = board_form.parse_setup()
    sheets = query.text(SHEETS_CONTROL)[:MAX_SHEET_LENGTH].strip()
    owner = query.text(LEVELS_OWNER_CONTROL).strip() or typed["selected"].strip()
    chooser_form = form.Form(query, {})
    if query.text("act").strip() == ADD:
        setup, sheets = add_chosen_characters(setup, chooser_form, sheets)
        board_form.fields = {**typed, "tokens": board_form.append_unread_tokens("tokens", setup.to_fields()["tokens"])}
    edit_problems = Problems()
    fields = _apply_changes(board_form, query, setup, edit_problems)
    if fields != typed:
        board_form, setup = _reparse_fields(fields, sheets)
    levels, owner = _find_selected_levels(setup, sheets, owner)
    if levels:
        fields = {**fields, **levels}
        board_form, setup = _reparse_fields(fields, sheets)
    analysis = analyse_board(setup)
    rows = tuple(map(_format_row, analysis.setup.board.rows))
    drawing = draw_board(analysis.state, analysis.build_overlay())
    owner_field = {LEVELS_OWNER_CONTROL: owner} if owner != setup.selected_id else {}
    canonical_fields = {name: text.strip() for name, text in fields.items() if text.strip() != DEFAULT_FIELDS.get(name)}
    return View(
        format_query({**canonical_fields, **owner_field, SHEETS_CONTROL: sheets}),
        _format_summary(analysis),
        (*board_form.problems, *chooser_form.problems, *edit_problems),
        {**fields, LEVELS_OWNER_CONTROL: owner, SHEETS_CONTROL: sheets},
        BoardAnswer(
            analysis,
            drawing,
            form.assign_side_colours(list_sides(analysis.setup)),
            rows,
            build_fight_query(analysis.setup, sheets),
        ),
        frozenset(name for name in CONTROLS if fields[name] != typed[name]),
        query.text("brush", "pick").strip() or "pick",
        find_chooser(query),
    )


def _reparse_fields(fields: Mapping[str, str], sheets: str) -> tuple[BoardForm, BoardSetup]:
    """Parse the changed controls as a link to the answer is parsed."""
    board_form = BoardForm(
        parse_query(format_query({**fields, SHEETS_CONTROL: sheets}), MAX_QUERY_LENGTH + MAX_SHEET_LENGTH)
    )
    return board_form, board_form.parse_setup()


def _find_selected_levels(setup: BoardSetup, sheets: str, owner: str) -> tuple[dict[str, str], str]:
    """Find the level fields to update, and the token that they belong to.

    `owner` is the id of the token whose levels the controls hold now. Returns {} if the fields don't change.
    """
    if setup.selected_id:
        return build_level_fields(sheets, setup.selected_id) if setup.selected_id != owner else {}, setup.selected_id
    is_on_board = any(token.id == owner for token in setup.tokens)
    return dict.fromkeys(TOKEN_CONTROLS, "") if owner and not is_on_board else {}, owner if is_on_board else ""


def draw_query(text: str, layers: Collection[str] = LAYERS) -> Drawing:
    """Draw the board of a query with some of the `LAYERS`.

    Raises `ScratchError` with every problem of the query.
    """
    analysis, _, _ = analyse_query(text, layers, "", "")
    return draw_board(analysis.state, analysis.build_overlay(layers))


def analyse_query(
    text: str, layers: Collection[str], lines: str, ways: str
) -> tuple[BoardAnalysis, list[Space], list[Space]]:
    """Analyse the board of a query.

    `layers` are some of the `LAYERS`. `lines` and `ways` are spaces like `3,4 5,6`, for lines of sight and for paths.
    Returns the analysis and both lists of spaces. Raises `ScratchError` with every problem of the query, and
    `board.layer` for an unknown layer.
    """
    unknown = [layer for layer in layers if layer not in LAYERS]
    if unknown:
        raise ScratchError(Problem("board.layer", f"one of {', '.join(LAYERS)}", format_input(unknown[0]), "show"))
    board_form = BoardForm(parse_query(text, MAX_QUERY_LENGTH))
    setup = board_form.parse_setup()
    board_form.fields = {**board_form.fields, "lines": lines, "ways": ways}
    targets, goals = (board_form.parse_spaces(setup.board, name) for name in ("lines", "ways"))
    board_form.problems.raise_if_any()
    return analyse_board(setup), targets, goals


@lru_cache
def list_brushes(shape: Shape) -> tuple[tuple[str, str, Drawing], ...]:
    """List the brushes for squares or hexes.

    Each has its label, and a drawing of a space with that terrain, or of the mark alone.
    """
    pen = Pen(Board(shape, (".",)))
    terrain_brushes = (
        (brush, words, draw_query(format_query({"shape": shape, "map": brush}), ()))
        for brush, words in TERRAINS.items()
    )
    feature_brushes = (
        (brush, words, pen.build_mark(f"sign {brush}", [(0, 0)], SIGNS[brush])) for brush, words in FEATURES.items()
    )
    return (
        *terrain_brushes,
        *((brush, words, Drawing(*pen.compute_size(), (), (mark,), (), ())) for brush, words, mark in feature_brushes),
    )


def _apply_changes(reader: BoardForm, query: Query, before: BoardSetup, problems: Problems) -> Mapping[str, str]:
    """Apply strokes and button, and return the controls' new texts.

    Adds what cannot be applied to `problems`, and leaves the rest unchanged.
    """
    is_map_wrong = any(problem.where == "map" for problem in reader.problems)
    setup = before
    for control, apply_edit in (("stroke", apply_strokes), ("act", apply_button)):
        request = query.text(control).strip()
        try:
            if request.partition(" ")[0] in (CHOOSE, ADD):
                continue
            if request and request != "new" and is_map_wrong:
                raise ScratchError(Problem("board.map.first", "a map without a mistake", "one with a mistake", control))
            changed = apply_edit(setup, request) if request else setup
            problems += displaced_token_problems(setup, changed) if request.startswith("map-") else ()
            setup = changed
        except ScratchError as error:
            problems.extend_at(control, error.problems)
    old, new = before.to_fields(), setup.to_fields()
    texts = {name: reader.append_unread_tokens(name, new[name]) for name in CONTROLS if new[name] != old[name]}
    return {**reader.fields, **texts}


def _format_row(letters: str) -> str:
    """Format a row in words: `0 to 3 ground, 4 wall`."""
    parts, first = [], 0
    for letter, run in groupby(letters):
        last = first + len(list(run)) - 1
        columns = f"{first}" if first == last else f"{first} to {last}"
        parts.append(f"{columns} {TERRAINS[letter]}")
        first = last + 1
    return ", ".join(parts)


def _format_summary(analysis: BoardAnalysis) -> str:
    """Summarize the board in a sentence.

    With a selected token, it says how far it can move and what it sees. With a selected space, it says the cost of the
    way there, and whether it is in sight.
    """
    setup = analysis.setup
    if setup.selected_token is None:
        count = len(setup.tokens)
        return f"{setup.board.width} × {setup.board.height} spaces, {count} token{'s' if count != 1 else ''}."
    space_analysis = analysis.space_analysis
    if space_analysis is not None:
        way = (
            f"costs {space_analysis.route.cost}."
            if space_analysis.route
            else format_problem_sentence(space_analysis.move_problem)
            if space_analysis.move_problem
            else ""
        )
        line = (
            "In sight"
            if space_analysis.sight and space_analysis.sight.is_clear
            else f"Out of sight: {space_analysis.blocker_text}"
        )
        return f"{format_space(space_analysis.space)}: {way} {line}."
    stops = sum(map(len, analysis.overlay.stops_by_cost.values()))
    clear = sum(other.sight.is_clear for other in analysis.other_tokens)
    others = len(analysis.other_tokens)
    count_in_sight = f"{clear} of {others}" if clear < others else f"{others}"
    sight_text = f" and can see {count_in_sight} other token{'s' if others != 1 else ''}" if others else ""
    return f"{setup.selected_token.name} can reach {stops} space{'s' if stops != 1 else ''}{sight_text}."
