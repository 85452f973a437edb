"""The fight calculator: set up a fight, then play it step by step with legal actions only."""

from __future__ import annotations

from dataclasses import replace

from scratch_core.calculators.fight.handler import execute_request
from scratch_core.calculators.fight.request import CONTROLS, MAX_QUERY_LENGTH, parse_request
from scratch_core.calculators.fight.view_model import MAX_SUMMARY_LENGTH, View, build_view
from scratch_core.calculators.shared.jobs import ShouldContinue, can_always_continue
from scratch_core.calculators.shared.limits import truncate_line
from scratch_core.calculators.shared.query import Query
from scratch_core.dice import Roller

__all__ = ["CONTROLS", "IN_SLICES", "MAX_QUERY_LENGTH", "View", "view"]

IN_SLICES = True
"""Whether `view` takes `should_continue` and works in time slices, see `scratch_core.calculators.shared.jobs`."""


def view(query: Query, roller: Roller | None, should_continue: ShouldContinue = can_always_continue) -> View:
    """Answer a query of the fight calculator.

    `act` is what the player pressed (a step as JSON, or one word), `log` the fight as a scenario file. Without a `log`
    the answer is a set-up of `sheets` or `fighters`, `initiative` and rulings. `faces` are the dice of the next action;
    without them the roller rolls. `odds` asks for each side's chance of winning, `turning` for the turning points of a
    fight that has ended. An action that isn't possible changes
    nothing, and its problem belongs to a control. Never raises.
    Rules: `turn.encounter`, `turn.initiative-roll`, `act.basic.available`, `mano.order.seating`,
    `mano-old.order.seating`, `seize.roll`, `mano.surprise.two-rolls`.
    """
    request = parse_request(query, roller)
    answer = build_view(request, execute_request(request))
    answer = add_win_chances(answer, should_continue) if answer.needs_win_chances else answer
    return add_win_curve(answer, should_continue) if answer.needs_win_curve else answer


def add_win_chances(answer: View, should_continue: ShouldContinue) -> View:
    """Return a view with each side's chance of winning.

    A transient view is never marked as incomplete: a repeated request would lose what it shows.
    """
    from scratch_core.calculators.shared.win_chances import (  # loaded only on request
        compute_chances_before_fight,
        compute_current_chances,
    )

    if answer.fight_view is not None:
        fight = answer.fight_view.fight
        rolled = [bool(record.rolls) for record in fight.results]
        chances = compute_current_chances(
            (fight.playthrough_with_beginning.opening_state, *fight.states[1:]), rolled, should_continue
        )
    else:
        assert answer.initial_state is not None
        chances = compute_chances_before_fight(answer.initial_state, should_continue)
    summary = truncate_line(f"{answer.summary} {chances.spoken_text}".strip(), MAX_SUMMARY_LENGTH)
    return replace(
        answer, win_chances=chances, summary=summary, is_incomplete=chances.is_incomplete and not answer.is_transient
    )


def add_win_curve(answer: View, should_continue: ShouldContinue) -> View:
    """Return the view of a won fight with its turning points."""
    from scratch_core.calculators.shared.turning_points import PlayedFight, compute_win_curve  # loaded only on request

    assert answer.fight_view is not None
    fight = answer.fight_view.fight
    states = (fight.playthrough_with_beginning.opening_state, *fight.states[1:])
    curve = compute_win_curve(PlayedFight(states, fight.results, fight.rounds_by_step), should_continue)
    is_incomplete = answer.is_incomplete or (curve.is_incomplete and not answer.is_transient)
    return replace(answer, win_curve=curve, is_incomplete=is_incomplete)
