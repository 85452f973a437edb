"""Each side's chances in a replay by the basic rules: at the step shown, and at every step where they are known."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from scratch_core.calculators.replay.view_model import Moment, View
from scratch_core.calculators.shared.jobs import GoOn
from scratch_core.calculators.shared.resources import CHANCES, given
from scratch_core.calculators.shared.win_chances import chances
from scratch_core.errors import ScratchError
from scratch_core.odds.lookup_table import parse_table


def with_chances(view: View, place: Moment, go_on: GoOn) -> View:
    """The view with each side's chances; a view that `needs` a text has none yet. Rules: `turn.order`, `hp.damage`."""
    table = None
    if view.is_shipped:
        text = given(CHANCES)
        if text is None:
            return replace(view, needs=CHANCES)
        with suppress(ScratchError):  # one that could not be had is as good as none
            table = parse_table(text)
    played = place.story.played
    rolled = [bool(record.rolls) for record in played.results]
    found = chances(played.states, rolled, place.step, go_on, table)
    return replace(view, chances=found, unfinished=found.unfinished)
