"""Analysis and drawing of the map in a query, for pictures in texts and on buttons."""

from __future__ import annotations

from collections.abc import Collection

from scratch_core.board import Space
from scratch_core.calculators.board.analysis import LAYERS, BoardAnalysis, analyse_board
from scratch_core.calculators.board.request import MAX_QUERY_LENGTH, parse_query_setup
from scratch_core.calculators.board.setup_parser import parse_spaces
from scratch_core.calculators.board_drawing.drawing import Drawing
from scratch_core.calculators.board_drawing.state_drawing import draw_board
from scratch_core.calculators.shared.query import parse_query
from scratch_core.errors import Problem, Problems, ScratchError, format_input


def draw_board_of_query(text: str, layers: Collection[str] = LAYERS) -> Drawing:
    """Draw the board of a query with some of the `LAYERS`.

    Raises `ScratchError` with every problem of the query.
    """
    analysis, _, _ = analyse_board_of_query(text, layers, "", "")
    return draw_board(analysis.state, analysis.build_overlay(layers))


def analyse_board_of_query(
    text: str, layers: Collection[str], sight_targets_text: str, path_goals_text: str
) -> tuple[BoardAnalysis, list[Space], list[Space]]:
    """Analyse the board of a query.

    `layers` are some of the `LAYERS`. `sight_targets_text` and `path_goals_text` are spaces like `3,4 5,6`, for lines
    of sight and for paths. Returns the analysis and both lists of spaces. Raises `ScratchError` with every problem of
    the query, and `board.layer` for an unknown layer.
    """
    unknown = [layer for layer in layers if layer not in LAYERS]
    if unknown:
        raise ScratchError(Problem("board.layer", f"one of {', '.join(LAYERS)}", format_input(unknown[0]), "show"))
    parsed = parse_query_setup(parse_query(text, MAX_QUERY_LENGTH))
    setup = parsed.setup
    targets, target_problems = parse_spaces(setup.board, "lines", sight_targets_text)
    goals, goal_problems = parse_spaces(setup.board, "ways", path_goals_text)
    Problems((*parsed.problems, *target_problems, *goal_problems)).raise_if_any()
    return analyse_board(setup), targets, goals
