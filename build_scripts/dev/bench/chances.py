"""Time the odds in this process and inside Pyodide: medians in milliseconds of processor time.

Timed are the outcomes of an attack and of a double attack; the cold solution of ten-point duels on level ground; duels
with cover and things to throw, in both orders, until there are first bounds and until they are solved; and fights of
four against four, played out until the interval is narrow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

from build_scripts.dev.bench.shared import compute_median, measure_cpu_milliseconds, measure_median
from scratch_core.cast import ARCHETYPES
from scratch_core.characters import DEFAULT_RULINGS, CharacterDraft
from scratch_core.dice import SeededRoller
from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply_events, begin
from scratch_core.encounter.state import EncounterState, Fighter, build_fighter, build_initial_state
from scratch_core.odds import Duel, Tally, choose_sensible_action, list_outcomes, tally_playouts

PAIRS, RICH_PAIRS = 60, 9
RICH = ("level", "cover", "throwable")
TARGET_MARGIN = 0.1
"""The margin of the interval, to each side, at which fights are no longer played out."""


def build_bench_fighter(name: str, levels: str, here: tuple[str, ...] = ("level",)) -> Fighter:
    """Build a fighter with these levels, such as `4 fighting, 6 toughness`."""
    block = "\n".join([name, *levels.split(", ")])
    return build_fighter(CharacterDraft.from_stat_block(block).build_character(), here=here)


def list_independent_archetypes(here: tuple[str, ...] = ("level",)) -> list[Fighter]:
    """List the archetypes that are not minions."""
    people = [each.build_character() for each in ARCHETYPES]
    return [build_fighter(each, here=here) for each in people if not each.minion_of]


def build_duels(here: tuple[str, ...] = ("level",)) -> list[Duel]:
    """Build unsolved duels of the first `PAIRS` pairs of independent archetypes."""
    return [Duel(one, other) for one, other in list(combinations(list_independent_archetypes(here), 2))[:PAIRS]]


def build_group_fight() -> EncounterState:
    """Build the state of a fight of eight archetypes on two sides that has begun."""
    people = [
        replace(each, side="ab"[n % 2], group="ab"[n % 2]) for n, each in enumerate(list_independent_archetypes()[:8])
    ]
    decision = begin(build_initial_state(tuple(people), DEFAULT_RULINGS), SeededRoller(13))
    return apply_events(build_initial_state(tuple(people), DEFAULT_RULINGS), decision.events)


def play_out_group_fight() -> Tally:
    """Play out a fight of four against four until the margin is at most `TARGET_MARGIN`."""
    state, tally, dice = build_group_fight(), Tally(0, {}), SeededRoller(13)
    while True:
        tally = tally_playouts(state, {"a": choose_sensible_action, "b": choose_sensible_action}, dice, 5, tally)
        low, high = tally.confidence_interval("a")
        if (high - low) / 2 <= TARGET_MARGIN:
            return tally


def measure(batches: int) -> dict[str, float]:
    """Measure all tasks, in milliseconds."""
    one, other = (build_bench_fighter(name, "4 fighting, 6 toughness") for name in "ab")
    opening_state = Duel(one, other).opening_states["first"]
    single = Action("a", "basic-attack", ("b",), ("fighting",))
    double = Action("a", "double-attack", ("b", "b"), ("fighting",))
    rich = [_measure_bounds_and_solve(each) for each in build_duels(RICH)[:: PAIRS // RICH_PAIRS]]
    bounds, solutions = zip(*rich, strict=True)
    return {
        "odds: attack": measure_median(lambda: list_outcomes(opening_state, single), 20 * batches),
        "odds: double attack": measure_median(lambda: list_outcomes(opening_state, double), 10 * batches),
        "odds: duel": compute_median(
            measure_cpu_milliseconds(build_single_order_solver(each)) for each in build_duels()
        ),
        "odds: first bounds, cover and things to throw": compute_median(bounds),
        "odds: exact after bounds, cover and things to throw": compute_median(solutions),
        "odds: four against four within 0.1": measure_cpu_milliseconds(play_out_group_fight),
    }


def _measure_bounds_and_solve(duel: Duel) -> tuple[float, float]:
    """Measure the times until both orders of a duel have bounds, and are solved."""
    to_bounds = measure_cpu_milliseconds(lambda: list(duel.bound_chances_in_steps()))
    return to_bounds, to_bounds + measure_cpu_milliseconds(duel.solve)


def build_single_order_solver(duel: Duel) -> Callable[[], object]:
    """Return a function that solves one order of a duel from scratch."""
    unsolved = Duel(duel.first, duel.second)
    unsolved.game.starts = unsolved.game.starts[:1]
    return unsolved.game.solve
