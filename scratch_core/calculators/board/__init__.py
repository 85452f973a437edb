"""The map calculator: from a map, tokens and a selected space to reachable spaces, lines of sight and blast targets."""

from __future__ import annotations

from scratch_core.calculators.board.analysis import LAYERS, BoardAnalysis, OtherToken, SpaceAnalysis
from scratch_core.calculators.board.commands import execute_commands
from scratch_core.calculators.board.edits import BUTTONS
from scratch_core.calculators.board.query_analysis import analyse_board_of_query, draw_board_of_query
from scratch_core.calculators.board.request import CONTROLS, MAX_QUERY_LENGTH, parse_request
from scratch_core.calculators.board.view_model import BoardAnswer, View, build_view
from scratch_core.calculators.shared.query import Query
from scratch_core.dice import Roller

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
    "analyse_board_of_query",
    "draw_board_of_query",
    "view",
]


def view(query: Query, roller: Roller | None) -> View:
    """Answer a query with a `map`, `tokens` and a `selected` token.

    `CONTROLS` lists the other controls. `stroke` and `act` hold the user's latest strokes and button: they change the
    map and are not part of the answer's query. No dice are rolled. Every problem names its control, and invalid parts
    are left out of the map (`grid.scope`, `grid.blast.target`).
    """
    request = parse_request(query)
    return build_view(request, execute_commands(request))
