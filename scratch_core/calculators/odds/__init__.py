"""The odds calculator: two characters in; who wins their duel when both play as well as they can, exactly, out.

The way through: `reading` reads the query and gives the view, `pairs` makes the duel, `working` does the work in
slices, `telling` says what came of it and what each attack does, `levels` holds the builds.
"""

from scratch_core.calculators.odds.duelists import build_duel_data, parse_single_character
from scratch_core.calculators.odds.presentation import DuelAnswer, format_frequency
from scratch_core.calculators.odds.request import CONTROLS, MAX_LINK_LENGTH, View, view

IN_SLICES = True
"""Its view is given `go_on`, see `scratch_core.calculators.shared.jobs`."""

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
