"""Each side's chances in a replay by the basic rules: at the step shown, and at every step where they are known."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from scratch_core.calculators.replay.view_model import ReplayPosition, View
from scratch_core.calculators.shared.jobs import ShouldContinue
from scratch_core.calculators.shared.resources import WIN_CHANCES_PATH, find_text
from scratch_core.calculators.shared.win_chances import compute_chances
from scratch_core.errors import ScratchError
from scratch_core.odds.lookup_table import parse_table


def add_win_chances(view: View, place: ReplayPosition, go_on: ShouldContinue) -> View:
    """The view with each side's chances; a view that `needs` a text has none yet. Rules: `turn.order`, `hp.damage`."""
    table = None
    if view.is_worked_combat:
        text = find_text(WIN_CHANCES_PATH)
        if text is None:
            return replace(view, needs=WIN_CHANCES_PATH)
        with suppress(ScratchError):  # one that could not be had is as good as none
            table = parse_table(text)
    played = place.current.result
    rolled = [bool(record.rolls) for record in played.results]
    found = compute_chances(played.states, rolled, place.step, go_on, table)
    return replace(view, win_chances=found, is_incomplete=found.is_incomplete)
