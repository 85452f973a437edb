"""The character calculator: levels or a stat block in; figures, problems, weights, minions, actions, an audit out.

Read in this order: `starting` (from nothing, an archetype, chance, a stat block), `growing` (what one more level
changes), `against` (into a fight), `playing` (the sheet in play),
`fights` (its hit points in a fight), `view` (the answer), `odds` (how it fares against the cast, where asked for).
"""

from __future__ import annotations

from dataclasses import replace

from scratch_core.calculators.character.paper import Shown
from scratch_core.calculators.character.view import (
    CONTROLS,
    MOST_PROBLEMS,
    PARTS,
    Answer,
    Row,
    View,
    answered,
)
from scratch_core.calculators.people.built import SWITCHES
from scratch_core.calculators.query import Query
from scratch_core.calculators.slices import GoOn, to_the_end
from scratch_core.dice import Roller

__all__ = [
    "CONTROLS",
    "IN_SLICES",
    "MOST_PROBLEMS",
    "PARTS",
    "SWITCHES",
    "Answer",
    "Row",
    "Shown",
    "View",
    "view",
]

IN_SLICES = True
"""Its view is given `go_on`, see `scratch_core.calculators.slices`."""


def view(query: Query, roller: Roller | None = None, go_on: GoOn = to_the_end) -> View:
    """Answer a query; the roller is asked only where a character is to come from chance (`start=chance`).

    `odds` is the id of somebody of the cast: then the chances against everybody come along, that one first. Never
    raises: what can't be read is a problem at its control. Rules: `char.stat-line`, `create.cp`, `create.max-level`,
    `carry.table`, `command.minions`.
    """
    shown = answered(query, roller)
    if shown.answer is None or not shown.asks_odds:
        return shown
    from scratch_core.calculators.character.odds import cast_odds  # only where somebody asks for them

    named = replace(shown.answer.main.character, name=shown.answer.name)
    people = (named, *(each.character for each in shown.answer.minions))
    found = cast_odds(people, shown.fields["odds"], shown.limits, shown.rulings, go_on)
    return replace(shown, odds=found, unfinished=found.unfinished)
