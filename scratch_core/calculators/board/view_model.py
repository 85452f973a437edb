"""What the template of the map calculator prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby

from scratch_core.board import Board, Shape, format_space
from scratch_core.calculators.board.analysis import BoardAnalysis, analyse_board
from scratch_core.calculators.board.commands import BoardSession
from scratch_core.calculators.board.edits import list_sides_with_unused
from scratch_core.calculators.board.import_export import build_fight_query, list_tokens_left_over
from scratch_core.calculators.board.query_analysis import draw_board_of_query
from scratch_core.calculators.board.request import DEFAULT_BRUSH, LEVELS_OWNER_CONTROL, SHEETS_CONTROL, BoardRequest
from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS, SampleMap
from scratch_core.calculators.board.setup import FEATURES, TERRAINS
from scratch_core.calculators.board_drawing.drawing import SIGNS, Drawing, Pen
from scratch_core.calculators.board_drawing.state_drawing import draw_board
from scratch_core.calculators.characters_text.chooser import Chooser
from scratch_core.calculators.shared.page_view import PageView
from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.calculators.shared.query import format_query
from scratch_core.calculators.shared.sides import assign_side_colours

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
    waiting_ids: frozenset[str] = frozenset()
    """The ids of the tokens without a character, empty if no token has one."""


@dataclass(frozen=True, slots=True)
class View(PageView):
    """What the template shows."""

    answer: BoardAnswer
    """The map and its analysis."""
    updated_fields: frozenset[str] = frozenset()
    """The controls whose text the answer has changed."""
    brush: str = DEFAULT_BRUSH
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
        return list_labelled_brush_drawings(self.answer.analysis.setup.board.shape)


def build_view(request: BoardRequest, session: BoardSession) -> View:
    """Build the view of the map, with its analysis."""
    setup = session.setup
    analysis = analyse_board(setup)
    waiting = list_tokens_left_over(setup, session.sheets)
    drawing = draw_board(analysis.state, analysis.build_answer_overlay())
    answer = BoardAnswer(
        analysis,
        drawing=drawing.mark_waiting_tokens({format_space(each.space) for each in waiting}),
        side_colours=assign_side_colours(list_sides_with_unused(setup)),
        row_texts=tuple(map(_format_terrain_runs, setup.board.rows)),
        fight_query=build_fight_query(setup, session.sheets),
        waiting_ids=frozenset(each.id for each in waiting),
    )
    return View(
        query=_format_canonical_query(session),
        summary=_format_selection_summary(analysis),
        problems=session.problems,
        fields={**session.fields, LEVELS_OWNER_CONTROL: session.levels_owner, SHEETS_CONTROL: session.sheets},
        answer=answer,
        updated_fields=session.updated_fields,
        brush=request.brush,
        chooser=request.chooser,
    )


def _format_canonical_query(session: BoardSession) -> str:
    """Format the query that reopens the map."""
    texts = {name: text.strip() for name, text in session.fields.items()}
    link_fields = {name: text for name, text in texts.items() if text != DEFAULT_FIELDS.get(name)}
    owner = session.levels_owner if session.levels_owner != session.setup.selected_id else ""
    return format_query({**link_fields, LEVELS_OWNER_CONTROL: owner, SHEETS_CONTROL: session.sheets})


@lru_cache
def list_labelled_brush_drawings(shape: Shape) -> tuple[tuple[str, str, Drawing], ...]:
    """List the brushes for squares or hexes.

    Each has its label, and a drawing of a space with that terrain, or of the mark alone.
    """
    pen = Pen(Board(shape, (".",)))
    terrain_brushes = (
        (brush, words, draw_board_of_query(format_query({"shape": shape, "map": brush}), ()))
        for brush, words in TERRAINS.items()
    )
    feature_brushes = (
        (brush, words, pen.build_mark(f"sign {brush}", [(0, 0)], SIGNS[brush])) for brush, words in FEATURES.items()
    )
    return (
        *terrain_brushes,
        *((brush, words, Drawing(*pen.compute_size(), (), (mark,), (), ())) for brush, words, mark in feature_brushes),
    )


def _format_terrain_runs(letters: str) -> str:
    """Format a row in words: `0 to 3 ground, 4 wall`."""
    parts, first = [], 0
    for letter, run in groupby(letters):
        last = first + len(list(run)) - 1
        columns = f"{first}" if first == last else f"{first} to {last}"
        parts.append(f"{columns} {TERRAINS[letter]}")
        first = last + 1
    return ", ".join(parts)


def _format_selection_summary(analysis: BoardAnalysis) -> str:
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
