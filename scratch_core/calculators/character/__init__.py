"""The character calculator: a builder, stat blocks, level previews, a printed sheet and a sheet in play."""

from __future__ import annotations

from dataclasses import replace

from scratch_core.calculators.character.page import CONTROLS, MOST_PROBLEMS, PARTS, Answer, Row, View, answered
from scratch_core.calculators.character.print_sheet import Shown
from scratch_core.calculators.characters_text.built_character import SWITCHES
from scratch_core.calculators.shared.jobs import GoOn, to_the_end
from scratch_core.calculators.shared.query import Query
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
"""Its view is given `go_on`, see `scratch_core.calculators.shared.jobs`."""


def view(query: Query, roller: Roller | None = None, go_on: GoOn = to_the_end) -> View:
    """Answer a query; the roller is asked only where a character is to come from chance (`start=chance`).

    `odds` is the id of someone of the cast: then the chances against everyone come along, that one first. Never
    raises: what can't be read is a problem at its control. Rules: `char.stat-line`, `create.cp`, `create.max-level`,
    `carry.table`, `command.minions`.
    """
    shown = answered(query, roller)
    if shown.answer is None or not shown.asks_odds:
        return shown
    from scratch_core.calculators.character.odds import cast_odds  # only where someone asks for them

    named = replace(shown.answer.main.character, name=shown.answer.name)
    people = (named, *(each.character for each in shown.answer.minions))
    found = cast_odds(people, shown.fields["odds"], shown.limits, shown.rulings, go_on)
    return replace(shown, odds=found, unfinished=found.unfinished)
