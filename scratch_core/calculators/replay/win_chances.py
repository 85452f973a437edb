"""Each side's win chances in a replay by the basic rules: at the current step, and their curve with turning points."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from scratch_core.calculators.replay.position import ReplayPosition
from scratch_core.calculators.replay.view_model import View
from scratch_core.calculators.shared.jobs import ShouldContinue
from scratch_core.calculators.shared.resources import WIN_CHANCES_PATH, find_fetched_text
from scratch_core.calculators.shared.turning_points import Detail, PlayedFight, WinCurve, compute_win_curve
from scratch_core.calculators.shared.win_chances import FightChances, compute_fight_chances
from scratch_core.errors import ScratchError
from scratch_core.odds.lookup_table import WinProbabilityTable, parse_table
from scratch_core.scenario import list_step_rounds

FIRST_PLAYOUTS = 60
"""The playouts of the current step before the first ones of the other steps."""


def add_win_chances(view: View, should_continue: ShouldContinue) -> View:
    """Add each side's win chances to the view.

    A view that `needs` a resource has none yet. Rules: `turn.order`, `hp.damage`.
    """
    table = None
    if view.is_worked_combat:
        text = find_fetched_text(WIN_CHANCES_PATH)
        if text is None:
            return replace(view, needs=WIN_CHANCES_PATH)
        with suppress(ScratchError):  # without a table the chances are computed
            table = parse_table(text)
    assert view.answer is not None
    chances, curve = _compute_chances_and_curve_alternately(view.answer.position, table, should_continue)
    return replace(
        view, win_chances=chances, win_curve=curve, is_incomplete=chances.is_incomplete or curve.is_incomplete
    )


def _compute_chances_and_curve_alternately(
    position: ReplayPosition, table: WinProbabilityTable | None, should_continue: ShouldContinue
) -> tuple[FightChances, WinCurve]:
    """Compute the current chances and the curve: first roughly, then with all their playouts."""
    played = position.current.result
    has_rolls = [bool(record.rolls) for record in played.results]
    rounds = list_step_rounds(played.system, played.results, played.states)
    fight = PlayedFight(played.states, played.results, rounds)

    def chances(is_allowed: ShouldContinue) -> FightChances:
        return compute_fight_chances(played.states, has_rolls, position.step, is_allowed, table)

    def curve(detail: Detail) -> WinCurve:
        return compute_win_curve(fight, should_continue, table, detail=detail)

    chances(_limit(should_continue, FIRST_PLAYOUTS - chances(lambda: False).playout_count))
    curve(Detail.COARSE)
    return chances(should_continue), curve(Detail.FINE)


def _limit(should_continue: ShouldContinue, count: int) -> ShouldContinue:
    """Return whether to continue, at most `count` times."""
    numbers = iter(range(count))
    return lambda: next(numbers, None) is not None and should_continue()
