"""The odds calculator: two characters in; who wins their duel when both play as well as they can, exactly, out.

The way through: `reading` reads the query and gives the view, `pairs` makes the duel, `working` does the work in
slices, `telling` says what came of it and what each attack does, `levels` holds the builds.
"""

from scratch_core.calculators.odds.pairs import duel_tree, read_one
from scratch_core.calculators.odds.reading import CONTROLS, LINK_LIMIT, View, view
from scratch_core.calculators.odds.telling import Answer, how_often

IN_SLICES = True
"""Its view is given `go_on`, see `scratch_core.calculators.slices`."""

__all__ = ["CONTROLS", "IN_SLICES", "LINK_LIMIT", "Answer", "View", "duel_tree", "how_often", "read_one", "view"]
