"""The character calculator: levels or a stat block in; figures, problems, weights, minions, actions, an audit out.

Read in this order: `starting` (from nothing, an archetype, chance, a stat block), `growing` (what one more level
changes), `saying` (problems in a player's words), `against` (into a fight), `steps` and `playing` (the sheet in play),
`fights` (its hit points in a fight), `view` (the answer).
"""

from scratch_core.calculators.character.view import (
    CONTROLS,
    MOST_PROBLEMS,
    PARTS,
    QUERY_LIMIT,
    SWITCHES,
    Answer,
    Row,
    Shown,
    View,
    view,
)

__all__ = ["CONTROLS", "MOST_PROBLEMS", "PARTS", "QUERY_LIMIT", "SWITCHES", "Answer", "Row", "Shown", "View", "view"]
