"""The win chance of one side over a fight: its curve, and the rolls that changed it most.

The chances are exact where `win_chances` finds them, otherwise estimated by playouts in time slices: a few for each
step first, so that the whole curve is there early, then more. Calculators import this module only on request.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from itertools import pairwise

from scratch_core.calculators.shared.jobs import JobCache, ShouldContinue
from scratch_core.calculators.shared.sides import is_players_side
from scratch_core.calculators.shared.win_chances import (
    PLAYOUT_SEED,
    SideChance,
    SideChances,
    advance_exact_chances,
    build_estimated_chances,
    explain_unavailable_chances,
    find_certain_chances,
    play_one_fight,
)
from scratch_core.dice import SeededRoller
from scratch_core.encounter.actions import FightRoll
from scratch_core.encounter.state import EncounterState
from scratch_core.odds import Tally
from scratch_core.odds.lookup_table import WinProbabilityTable
from scratch_core.scenario import MAX_STEPS, StepResult

MAX_TURNING_POINTS = 3
"""The most rolls that are listed."""
MIN_EXACT_CHANGE, MIN_ESTIMATED_CHANGE = 0.02, 0.05
"""The least change of the win chance that is listed: exact, and estimated, where smaller ones may be noise."""


@dataclass(frozen=True, slots=True)
class PlayedFight:
    """The steps of a fight."""

    states: Sequence[EncounterState]
    """The state before the first step and after each step."""
    results: Sequence[StepResult]
    """The results of the steps."""
    rounds: Sequence[int]
    """The rounds of the steps."""


class Detail(IntEnum):
    """How many playouts estimate the chance after a step."""

    COARSE = 40
    """A first look at every step."""
    FINE = 160
    """The final estimate: a margin of eight points at most."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The win chance after a step."""

    step: int
    """The step's number; 0 for the beginning of the fight."""
    x: float
    """Its place in the chart, from 0 (the beginning) to 100 (the last step)."""
    y: float
    """The chance in the chart, from 0 (certain to win) to 100 (certain to lose)."""
    texts: tuple[str, ...]
    """The chance of each side, in words."""
    low_y: float
    """The lower bound in the chart."""
    high_y: float
    """The upper bound in the chart."""

    @property
    def percent(self) -> str:
        """The chance in whole percent, as text."""
        return format_percent(1 - self.y / 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurningPoint:
    """A roll that changed the win chance much."""

    step: int
    """The number of the step."""
    round: int
    """The round of the step."""
    narration: str
    """What happened."""
    faces: tuple[int, ...]
    """The die rolls."""
    before: CurvePoint
    """The chance before the roll."""
    after: CurvePoint
    """The chance after it."""

    @property
    def is_gain(self) -> bool:
        """Whether the chance of the curve's side rose."""
        return self.after.y < self.before.y

    @property
    def points(self) -> int:
        """The size of the change in percentage points."""
        return round(abs(self.after.y - self.before.y))


@dataclass(frozen=True, slots=True, kw_only=True)
class WinCurve:
    """The win chance of one side over a fight."""

    sides: tuple[str, ...] = ()
    """Both sides; the curve is that of the first."""
    points: tuple[CurvePoint, ...] = ()
    """The steps whose chance is known."""
    turning_points: tuple[TurningPoint, ...] = ()
    """The largest changes by rolls, in the order of the fight."""
    round_marks: tuple[tuple[int, float], ...] = ()
    """The rounds after the first, each with the place in the chart where it begins."""
    step_count: int = 0
    """The number of steps of the fight."""
    playout_count: int = 0
    """The least number of playouts of a step; 0 if the chances are exact."""
    finished_count: int = 0
    """The number of estimates that are finished."""
    total_count: int = 0
    """The number of estimates."""
    note: str = ""
    """The reason why there is no curve, or ""."""
    is_incomplete: bool = False
    """Whether a repeated request gives more."""

    @property
    def polyline_points(self) -> tuple[str, ...]:
        """The points of the parts of the curve without a gap.

        Each is the points of a line in a square of 100.
        """
        return tuple(" ".join(f"{each.x:g},{each.y:g}" for each in part) for part in self._parts)

    @property
    def gap_points(self) -> tuple[str, ...]:
        """The gaps of the curve, where a step has no chance.

        Each is the points of a line in a square of 100.
        """
        ends = zip(self._parts, self._parts[1:], strict=False)
        return tuple(f"{left[-1].x:g},{left[-1].y:g} {right[0].x:g},{right[0].y:g}" for left, right in ends)

    @property
    def band_points(self) -> tuple[str, ...]:
        """The bounds of the chance, an area for each part of the curve.

        Each is the points of a polygon in a square of 100. () if the chances are exact.
        """
        if not self.playout_count:
            return ()
        bounds = (
            (*((each.x, each.high_y) for each in part), *((each.x, each.low_y) for each in part[::-1]))
            for part in self._parts
        )
        return tuple(" ".join(f"{x:g},{y:g}" for x, y in each) for each in bounds)

    @property
    def _parts(self) -> tuple[tuple[CurvePoint, ...], ...]:
        """The points in parts: between two of them is a step without a chance."""
        starts = [n for n, each in enumerate(self.points) if n == 0 or each.step > self.points[n - 1].step + 1]
        return tuple(self.points[start:end] for start, end in pairwise((*starts, len(self.points))))

    @property
    def spoken_text(self) -> str:
        """The curve in one sentence, for screen readers: its ends and its turning points."""
        if not self.points:
            return ""
        first, last = self.points[0], self.points[-1]
        changes = "".join(
            f" Step {each.step}: {each.before.percent} to {each.after.percent}." for each in self.turning_points
        )
        return f"From {first.percent} at step {first.step} to {last.percent} at step {last.step}.{changes}"


def format_percent(chance: float) -> str:
    """Format a chance in whole percent: `under 1%`, `61%`, `over 99%`."""
    if 0 < chance < 0.005:
        return "under 1%"
    return "over 99%" if 0.995 < chance < 1 else f"{100 * chance:.0f}%"


_estimates: JobCache[Tally] = JobCache(len(Detail) * (MAX_STEPS + 1))


def clear_estimates() -> None:
    """Clear the cache of estimated chances."""
    _estimates.clear()


def compute_win_curve(
    fight: PlayedFight,
    should_continue: ShouldContinue,
    table: WinProbabilityTable | None = None,
    *,
    detail: Detail = Detail.FINE,
) -> WinCurve:
    """Compute the win chance over a fight, and the rolls that changed it most.

    The curve is that of the players' side, else of the first. Larger fights are estimated only before and after rolls,
    up to `detail`. Rules: `turn.order`, `act.escape.effect`.
    """
    states, results = fight.states, fight.results
    note = explain_unavailable_chances(states[0])
    if note:
        return WinCurve(note=note)
    exact, is_complete = advance_exact_chances(states, should_continue, table)
    if not is_complete:
        return WinCurve(step_count=len(results), is_incomplete=True)
    by_step = {step: both for step, both in enumerate(exact) if both}
    steps = [] if by_step else _list_steps_around_rolls(results)
    open_states = {step: states[step] for step in steps if not explain_unavailable_chances(states[step])}
    estimates = _estimate_chances(open_states, should_continue, detail)
    sides = sorted(states[0].sides, key=is_players_side, reverse=True)
    points = _build_points({**by_step, **estimates.by_step}, sides[0], len(results))
    return WinCurve(
        sides=tuple(sides),
        points=tuple(points.values()),
        turning_points=_find_turning_points(points, fight, is_estimated=bool(steps)) if estimates.is_usable else (),
        round_marks=_list_round_marks(fight.rounds),
        step_count=len(results),
        playout_count=estimates.playout_count,
        finished_count=estimates.finished_count,
        total_count=estimates.total_count,
        is_incomplete=estimates.finished_count < estimates.total_count,
    )


def _list_steps_around_rolls(results: Sequence[StepResult]) -> list[int]:
    """List the beginning, the end, and the steps before and after each roll."""
    rolled = [number for number, record in enumerate(results, 1) if _has_rolls(record)]
    return sorted({0, len(results), *rolled, *(step - 1 for step in rolled)})


def _has_rolls(record: StepResult) -> bool:
    return any(isinstance(roll, FightRoll) for roll in record.rolls)


# Estimates


@dataclass(frozen=True, slots=True)
class _Estimates:
    """The estimated chances so far."""

    by_step: Mapping[int, SideChances]
    """The chances by step."""
    playout_count: int
    """The least number of playouts of a step."""
    finished_count: int
    """The number of estimates that are finished."""
    total_count: int
    """The number of estimates."""
    is_usable: bool
    """Whether each step has a first estimate."""


def _estimate_chances(
    states: Mapping[int, EncounterState], should_continue: ShouldContinue, detail: Detail
) -> _Estimates:
    """Estimate the chances in these states, all of them coarsely first."""
    by_step = {step: both for step, state in states.items() if (both := find_certain_chances(state))}
    open_states = {step: state for step, state in states.items() if step not in by_step}
    tallies: dict[int, Tally] = {}
    finished = dict.fromkeys(Detail, 0)
    for level in Detail:
        for step, state in open_states.items():
            allowed = should_continue if level <= detail else _can_never_continue
            begin = partial(_play_out_until_count, state, level, tallies.get(step))
            tally, is_finished = _estimates.advance((state, level), begin, allowed)
            if tally:
                tallies[step] = tally
            finished[level] += is_finished
        if finished[level] < len(open_states):
            break
    by_step |= {step: build_estimated_chances(open_states[step], tally) for step, tally in tallies.items()}
    return _Estimates(
        by_step,
        min((tally.fights for tally in tallies.values()), default=0),
        sum(finished.values()),
        len(open_states) * len(Detail),
        finished[Detail.COARSE] == len(open_states),
    )


def _can_never_continue() -> bool:
    return False


def _play_out_until_count(state: EncounterState, count: int, earlier: Tally | None) -> Iterator[Tally | None]:
    """Play a fight out until it has been played `count` times.

    Yields the tally after each playout. The roller depends on the number of earlier ones, so that none is repeated.
    """
    tally = earlier or Tally(0, {})
    roller = SeededRoller(PLAYOUT_SEED + tally.fights)
    while tally.fights < count:
        tally = play_one_fight(state, roller, tally)
        yield tally


# The curve


def _build_points(by_step: Mapping[int, SideChances], side: str, step_count: int) -> dict[int, CurvePoint]:
    """Build the points of the curve by step."""
    points = {}
    for step, both in sorted(by_step.items()):
        own = next((each for each in both if each.side == side), None)
        if own is None:
            continue
        ordered = (own, *(each for each in both if each is not own))
        points[step] = _build_point(step, ordered, step_count)
    return points


def _build_point(step: int, chances: SideChances, step_count: int) -> CurvePoint:
    own: SideChance = chances[0]
    return CurvePoint(
        step,
        _find_place(step, step_count),
        round(100 - 50 * (own.low + own.high), 2),
        tuple(each.words for each in chances),
        round(100 - 100 * own.low, 2),
        round(100 - 100 * own.high, 2),
    )


def _find_place(step: int, step_count: int) -> float:
    return round(100 * step / max(1, step_count), 2)


def _find_turning_points(
    points: Mapping[int, CurvePoint], fight: PlayedFight, *, is_estimated: bool
) -> tuple[TurningPoint, ...]:
    """Find the rolls that changed the chance most, in the order of the fight."""
    least = 100 * (MIN_ESTIMATED_CHANGE if is_estimated else MIN_EXACT_CHANGE)
    changes = {
        step: abs(points[step].y - points[step - 1].y)
        for step, record in enumerate(fight.results, 1)
        if _has_rolls(record) and step in points and step - 1 in points
    }
    largest = sorted((step for step in changes if changes[step] >= least), key=lambda step: -changes[step])
    return tuple(_build_turning_point(points, fight, step) for step in sorted(largest[:MAX_TURNING_POINTS]))


def _build_turning_point(points: Mapping[int, CurvePoint], fight: PlayedFight, step: int) -> TurningPoint:
    record = fight.results[step - 1]
    return TurningPoint(
        step=step,
        round=fight.rounds[step - 1],
        narration=record.narration,
        faces=record.faces,
        before=points[step - 1],
        after=points[step],
    )


def _list_round_marks(rounds: Sequence[int]) -> tuple[tuple[int, float], ...]:
    """List where each round after the first begins, between two steps."""
    begun: dict[int, float] = {}
    for step, number in enumerate(rounds, 1):
        if number > max(begun, default=1):
            begun[number] = _find_place(step - 1, len(rounds))
    return tuple(begun.items())
