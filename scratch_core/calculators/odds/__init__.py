"""The odds calculator: the exact win chances in a duel of two characters who both play as well as possible."""

from __future__ import annotations

from scratch_core.calculators.odds.chances import compute_session_chances
from scratch_core.calculators.odds.commands import execute_commands
from scratch_core.calculators.odds.duelists import build_duel_scenario_data, parse_single_character
from scratch_core.calculators.odds.presentation import DuelAnswer, format_frequency
from scratch_core.calculators.odds.request import CONTROLS, parse_request
from scratch_core.calculators.odds.view_model import MAX_LINK_LENGTH, View, build_view
from scratch_core.calculators.shared.jobs import ShouldContinue, can_always_continue
from scratch_core.calculators.shared.query import Query

IN_SLICES = True
"""The view works in time slices, see `scratch_core.calculators.shared.jobs`."""

__all__ = [
    "CONTROLS",
    "IN_SLICES",
    "MAX_LINK_LENGTH",
    "DuelAnswer",
    "View",
    "build_duel_scenario_data",
    "format_frequency",
    "parse_single_character",
    "view",
]


def view(query: Query, roller: object = None, should_continue: ShouldContinue = can_always_continue) -> View:
    """Compute the win chances of a duel from a query.

    `first` and `second` are members of the cast, by id. A stat block in `first_sheet` or `second_sheet` counts in their
    place. `here` is the terrain for both, in place of the stat blocks' own. `rulings` are settings that differ from the
    defaults, such as `strength_base=8`. `act` opens the chooser of characters, or takes over those ticked in it.
    `change` is the value of a level button, such as `first shooting 3`. `worth` requests the gain of one more level of
    each ability, `everybody` the first character's chances against the cast. The chances are exact, so `roller` is
    unused. Never raises.
    Rules: `turn.order`, `turn.initiative-roll`.
    """
    request = parse_request(query)
    session = execute_commands(request)
    return build_view(request, session, compute_session_chances(session, request.terms, should_continue))
