"""The fight calculator: set up a fight, then play it step by step with legal actions only."""

from __future__ import annotations

from dataclasses import replace

from scratch_core.calculators.fight.handler import MAX_SUMMARY_LENGTH, answer_query
from scratch_core.calculators.fight.request import CONTROLS, MAX_QUERY_LENGTH, View
from scratch_core.calculators.shared.form import truncate_line
from scratch_core.calculators.shared.jobs import ShouldContinue, can_always_continue
from scratch_core.calculators.shared.query import Query
from scratch_core.dice import Roller

__all__ = ["CONTROLS", "IN_SLICES", "MAX_QUERY_LENGTH", "View", "view"]

IN_SLICES = True
"""Its view is given `go_on`, see `scratch_core.calculators.shared.jobs`."""


def view(query: Query, roller: Roller | None, go_on: ShouldContinue = can_always_continue) -> View:
    """Answer a query: `act` is what was pressed (a step as JSON, or one word), `log` the fight as a scenario file.

    Without a `log` there is a set-up of `sheets` or `fighters`, `initiative` and rulings. `faces` are those of the next
    act's dice; without them the roller throws. `odds` asks for each side's chance to win. What can't be done changes
    nothing, and its problem stands at the control it belongs to. Never raises. Rules: `turn.encounter`,
    `turn.initiative-roll`, `act.basic.available`, `mano.order.seating`, `mano-old.order.seating`, `seize.roll`,
    `mano.surprise.two-rolls`.
    """
    seen = answer_query(query, roller)
    return add_win_chances(seen, go_on) if seen.needs_win_chances else seen


def add_win_chances(seen: View, go_on: ShouldContinue) -> View:
    """The view with each side's chance to win. While it shows what only a press brings, it isn't asked for more."""
    from scratch_core.calculators.shared.win_chances import (  # only where someone asks for them
        compute_chances_before_fight,
        compute_current_chances,
    )

    if seen.fight_view is not None:
        fight = seen.fight_view.fight
        rolled = [bool(record.rolls) for record in fight.results]
        found = compute_current_chances((fight.started_playthrough.opening_state, *fight.states[1:]), rolled, go_on)
    else:
        assert seen.initial_state is not None
        found = compute_chances_before_fight(seen.initial_state, go_on)
    summary = truncate_line(f"{seen.summary} {found.spoken_text}".strip(), MAX_SUMMARY_LENGTH)
    return replace(
        seen, win_chances=found, summary=summary, is_incomplete=found.is_incomplete and not seen.is_transient
    )
