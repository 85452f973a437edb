"""The odds calculator: two characters in; who wins their duel when both play as well as they can, exactly, out.

The way through: `reading` reads the query and gives the view, `pairs` makes the duel, `working` does the work in
slices, `telling` says what came of it and what each attack does, `levels` holds the builds.
"""

from scratch_core.calculators.odds.duelists import duel_tree, read_one
from scratch_core.calculators.odds.presentation import Answer, how_often
from scratch_core.calculators.odds.request import CONTROLS, LINK_LIMIT, View, view

IN_SLICES = True
"""Its view is given `go_on`, see `scratch_core.calculators.shared.jobs`."""

__all__ = ["CONTROLS", "IN_SLICES", "LINK_LIMIT", "Answer", "View", "duel_tree", "how_often", "read_one", "view"]
