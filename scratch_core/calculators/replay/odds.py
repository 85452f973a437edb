"""Each side's chances in a replay by the basic rules: at the step shown, and at every step where they are known."""

from __future__ import annotations

from dataclasses import replace

from scratch_core.calculators.chances import Chances, chances, in_words
from scratch_core.calculators.given import CHANCES, given
from scratch_core.calculators.replay.shown import ChancesShown, StepChances, View
from scratch_core.calculators.replay.telling import Place
from scratch_core.calculators.slices import GoOn
from scratch_core.errors import ScratchError
from scratch_core.odds.remembered import Table, read_table


def with_chances(view: View, place: Place, go_on: GoOn) -> View:
    """The view with each side's chances; a view that `needs` a text has none yet. Rules: `turn.order`, `hp.damage`."""
    table = None
    if view.is_shipped:
        text = given(CHANCES)
        if text is None:
            return replace(view, needs=CHANCES)
        table = _table(text)
    played = place.story.played
    rolled = [bool(record.rolls) for record in played.records]
    found = chances(played.states, rolled, place.step, go_on, table)
    return replace(view, chances=_shown(found), unfinished=found.unfinished)


def _table(text: str) -> Table | None:
    """The worked combat's table; None where it could not be had."""
    try:
        return read_table(text)
    except ScratchError:
        return None


def _shown(found: Chances) -> ChancesShown:
    steps = tuple(
        StepChances(n, tuple(in_words(each) for each in both), round(100 - 100 * both[0].middle, 2))
        for n, both in enumerate(found.steps)
        if both
    )
    here = tuple((each.side, in_words(each)) for each in found.here or ())
    return ChancesShown(here, steps, len(found.steps) - 1, found.mattered, found.fights, found.note)
