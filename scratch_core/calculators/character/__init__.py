"""The character calculator: a builder, stat blocks, level previews, a sheet to print and a sheet in play."""

from __future__ import annotations

from dataclasses import replace

from scratch_core.calculators.character.ability_rows import AbilityRow
from scratch_core.calculators.character.answer import CharacterAnswer
from scratch_core.calculators.character.commands import execute_request
from scratch_core.calculators.character.print_sheet import CharacterSummary
from scratch_core.calculators.character.request import CHARACTER_RULINGS, CONTROLS, PARTS, parse_request
from scratch_core.calculators.character.view_model import MAX_PROBLEMS, View, build_view
from scratch_core.calculators.shared.jobs import ShouldContinue, can_always_continue
from scratch_core.calculators.shared.query import Query
from scratch_core.dice import Roller

__all__ = [
    "CHARACTER_RULINGS",
    "CONTROLS",
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
"""`view` takes `should_continue` and works in time slices, see `scratch_core.calculators.shared.jobs`."""


def view(query: Query, roller: Roller | None = None, should_continue: ShouldContinue = can_always_continue) -> View:
    """Answer a query.

    `odds` is the id of a member of the cast: then the view has the win chances against every member, that member first.
    The roller is used only by commands, for a random character (`start=chance`) and for rolls on the sheet in play.
    Never raises: invalid input is a problem at its control. Rules: `char.stat-line`, `create.cp`, `create.max-level`,
    `carry.table`, `command.minions`.
    """
    request = parse_request(query, roller)
    answer = build_view(request, execute_request(request))
    return add_win_chances(answer, should_continue) if answer.needs_win_chances else answer


def add_win_chances(answer_view: View, should_continue: ShouldContinue) -> View:
    """Return a view with the win chances against the cast, if it has an answer."""
    from scratch_core.calculators.character.odds import compute_cast_duel_win_chances  # loaded only on request

    answer = answer_view.answer
    if answer is None:
        return answer_view
    named_character = replace(answer.main.character, name=answer.name)
    characters = (named_character, *(each.character for each in answer.minions))
    win_chances = compute_cast_duel_win_chances(
        characters, answer_view.fields["odds"], answer_view.limits, answer_view.rulings, should_continue
    )
    return replace(answer_view, win_chances=win_chances, is_incomplete=win_chances.is_incomplete)
