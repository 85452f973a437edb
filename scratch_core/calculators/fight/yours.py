"""The reader's own characters in a fight: each comes in as it stands on its sheet, with the hit points left there."""

from __future__ import annotations

from scratch_core.calculators import character
from scratch_core.calculators.character.against import sheet_for_fight
from scratch_core.calculators.query import parse_query

ASK = "yours"
"""The press that asks for the reader's characters, and the button's name that brings one of them in."""


def sheet_of_query(query: str) -> str:
    """The stat blocks of a kept character and its minions; "" for what is none.

    One in play has the hit points that it has there. Rules: `char.stat-line`, `hp.start`.
    """
    seen = character.view(parse_query(query), None)
    if seen.answer is None:
        return ""
    people = [each.character for each in (seen.answer.main, *seen.answer.minions)]
    return sheet_for_fight(people, seen.answer.name, seen.rulings, seen.hp_left)
