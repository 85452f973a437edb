"""Each side's win chances in a replay by the basic rules, at the current step and at every step with known chances."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from scratch_core.calculators.replay.view_model import ReplayPosition, View
from scratch_core.calculators.shared.jobs import ShouldContinue
from scratch_core.calculators.shared.resources import WIN_CHANCES_PATH, find_text
from scratch_core.calculators.shared.win_chances import compute_chances
from scratch_core.errors import ScratchError
from scratch_core.odds.lookup_table import parse_table


def add_win_chances(view: View, position: ReplayPosition, go_on: ShouldContinue) -> View:
    """Add each side's win chances to the view.

    A view that `needs` a resource has none yet. Rules: `turn.order`, `hp.damage`.
    """
    table = None
    if view.is_worked_combat:
        text = find_text(WIN_CHANCES_PATH)
        if text is None:
            return replace(view, needs=WIN_CHANCES_PATH)
        with suppress(ScratchError):  # without a table the chances are computed
            table = parse_table(text)
    played = position.current.result
    has_rolls = [bool(record.rolls) for record in played.results]
    chances = compute_chances(played.states, has_rolls, position.step, go_on, table)
    return replace(view, win_chances=chances, is_incomplete=chances.is_incomplete)
