"""The character calculator: a builder, stat blocks, level previews, a printed sheet and a sheet in play."""

from __future__ import annotations

from dataclasses import replace

from scratch_core.calculators.character.page import (
    CONTROLS,
    MAX_PROBLEMS,
    PARTS,
    AbilityRow,
    CharacterAnswer,
    View,
    answer_query,
)
from scratch_core.calculators.character.print_sheet import CharacterSummary
from scratch_core.calculators.characters_text.built_character import FIGURE_RULINGS
from scratch_core.calculators.shared.jobs import ShouldContinue, can_always_continue
from scratch_core.calculators.shared.query import Query
from scratch_core.dice import Roller

__all__ = [
    "CONTROLS",
    "FIGURE_RULINGS",
    "IN_SLICES",
    "MAX_PROBLEMS",
    "PARTS",
    "AbilityRow",
    "CharacterAnswer",
    "CharacterSummary",
    "View",
    "view",
]

IN_SLICES = True
"""Its view is given `go_on`, see `scratch_core.calculators.shared.jobs`."""


def view(query: Query, roller: Roller | None = None, go_on: ShouldContinue = can_always_continue) -> View:
    """Answer a query; the roller is asked only where a character is to come from chance (`start=chance`).

    `odds` is the id of someone of the cast: then the chances against everyone come along, that one first. Never
    raises: what can't be read is a problem at its control. Rules: `char.stat-line`, `create.cp`, `create.max-level`,
    `carry.table`, `command.minions`.
    """
    shown = answer_query(query, roller)
    if shown.answer is None or not shown.needs_win_chances:
        return shown
    from scratch_core.calculators.character.odds import compute_cast_win_chances  # only where someone asks for them

    named = replace(shown.answer.main.character, name=shown.answer.name)
    people = (named, *(each.character for each in shown.answer.minions))
    found = compute_cast_win_chances(people, shown.fields["odds"], shown.limits, shown.rulings, go_on)
    return replace(shown, win_chances=found, is_incomplete=found.is_incomplete)
