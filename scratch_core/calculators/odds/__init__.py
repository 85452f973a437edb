"""The odds calculator: the exact win chances in a duel of two characters who both play as well as possible.

`request` parses the query and builds the view, `duelists` builds the duel's scenario, `jobs` solves duels in time
slices, `presentation` puts chances and attacks into words and figures, and `builds` compares the characters' levels.
"""

from scratch_core.calculators.odds.duelists import build_duel_data, parse_single_character
from scratch_core.calculators.odds.presentation import DuelAnswer, format_frequency
from scratch_core.calculators.odds.request import CONTROLS, MAX_LINK_LENGTH, View, view

IN_SLICES = True
"""The view works in time slices, see `scratch_core.calculators.shared.jobs`."""

__all__ = [
    "CONTROLS",
    "IN_SLICES",
    "MAX_LINK_LENGTH",
    "DuelAnswer",
    "View",
    "build_duel_data",
    "format_frequency",
    "parse_single_character",
    "view",
]
