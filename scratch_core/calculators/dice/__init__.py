"""The dice calculator: parse dice notation, roll, and compute the exact chances."""

from __future__ import annotations

from scratch_core.calculators.dice.answer import answer_request
from scratch_core.calculators.dice.request import CONTROLS, parse_request
from scratch_core.calculators.dice.view_model import View, build_view
from scratch_core.calculators.shared.query import Query
from scratch_core.dice import Roller

__all__ = ["CONTROLS", "View", "view"]


def view(query: Query, roller: Roller | None) -> View:
    """Answer a query with a roll.

    `roll` is the notation, `against` a difficulty, `bonus` a level to add and `faces` the recorded faces. The roller,
    if there is one, rolls the dice unless `faces` records them. Without both, the faces in `example` count: a page
    shows a worked answer, and its form, which has no such control, rolls. Each problem names its control, and does not
    prevent the rest of the answer (`roll.modifier`, `roll.success`, `roll.auto-success`).
    """
    request = parse_request(query)
    return build_view(request, answer_request(request, roller))
