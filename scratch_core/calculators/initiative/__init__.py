"""The initiative calculator: roll initiative for characters in any turn system, and explain the turn order."""

from __future__ import annotations

from scratch_core.calculators.initiative.answer import answer_request
from scratch_core.calculators.initiative.commands import execute_commands
from scratch_core.calculators.initiative.request import CONTROLS, parse_request
from scratch_core.calculators.initiative.view_model import View, build_view
from scratch_core.calculators.shared.query import Query
from scratch_core.dice import Roller

__all__ = ["CONTROLS", "View", "view"]


def view(query: Query, roller: Roller | None) -> View:
    """Roll initiative for the characters of a query.

    The controls are `system`, `who` with a line for each character, `first`, `ambush`, `faces` (`ash 12, birch 17 4`)
    and rulings. The roller, if there is one, rolls the dice that `faces` doesn't record. Without both, the faces in
    `example` count. Never raises; each problem names its control. Rules: `turn.initiative-roll`, `mano.start.first`,
    `mano-old.initiative.reach`, `seize.roll`.
    """
    request = parse_request(query)
    session = execute_commands(request)
    return build_view(request, session, answer_request(request, session, roller if request.may_roll else None))
