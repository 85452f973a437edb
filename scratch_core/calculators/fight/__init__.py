"""The fight calculator: set up a fight, then play it step by step with legal actions only."""

from __future__ import annotations

from dataclasses import replace

from scratch_core.calculators.fight.handler import SUMMARY_LIMIT, answer
from scratch_core.calculators.fight.request import CONTROLS, QUERY_LIMIT, View
from scratch_core.calculators.shared.form import one_line
from scratch_core.calculators.shared.jobs import GoOn, to_the_end
from scratch_core.calculators.shared.query import Query
from scratch_core.dice import Roller

__all__ = ["CONTROLS", "IN_SLICES", "QUERY_LIMIT", "View", "view"]

IN_SLICES = True
"""Its view is given `go_on`, see `scratch_core.calculators.shared.jobs`."""


def view(query: Query, roller: Roller | None, go_on: GoOn = to_the_end) -> View:
    """Answer a query: `act` is what was pressed (a step as JSON, or one word), `log` the fight as a scenario file.

    Without a `log` there is a set-up of `sheets` or `fighters`, `initiative` and rulings. `faces` are those of the next
    act's dice; without them the roller throws. `odds` asks for each side's chance to win. What can't be done changes
    nothing, and its problem stands at the control it belongs to. Never raises. Rules: `turn.encounter`,
    `turn.initiative-roll`, `act.basic.available`, `mano.order.seating`, `mano-old.order.seating`, `seize.roll`,
    `mano.surprise.two-rolls`.
    """
    seen = answer(query, roller)
    return with_odds(seen, go_on) if seen.asks_odds else seen


def with_odds(seen: View, go_on: GoOn) -> View:
    """The view with each side's chance to win. While it shows what only a press brings, it isn't asked for more."""
    from scratch_core.calculators.shared.win_chances import (  # only where someone asks for them
        chances_before,
        chances_now,
    )

    if seen.shown is not None:
        fight = seen.shown.fight
        rolled = [bool(record.rolls) for record in fight.records]
        found = chances_now((fight.ready.opening_state, *fight.states[1:]), rolled, go_on)
    else:
        assert seen.before is not None
        found = chances_before(seen.before, go_on)
    summary = one_line(f"{seen.summary} {found.aloud}".strip(), SUMMARY_LIMIT)
    return replace(seen, odds=found, summary=summary, unfinished=found.unfinished and not seen.is_passing)
