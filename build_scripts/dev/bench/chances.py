"""The odds, timed in this process, and inside Pyodide: medians in milliseconds of processor time.

Every way of one attack and of a double attack through the engine; duels of ten points solved cold on level ground; with
cover and things to throw both orders, until there are first bounds and until all is known; and fights of four against
four, played out until the interval is narrow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

from build_scripts.dev.bench.shared import RepeatableDice, compute_median, measure_median, measure_milliseconds
from scratch_core.cast import ARCHETYPES
from scratch_core.characters import DEFAULT_RULINGS, CharacterDraft
from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply_events, begin
from scratch_core.encounter.state import EncounterState, Fighter, build_fighter, build_initial_state
from scratch_core.odds import Duel, Tally, choose_sensible_action, list_outcomes, play_out_many

PAIRS, RICH_PAIRS = 60, 9
RICH = ("level", "cover", "throwable")
TARGET_MARGIN = 0.1
"""How far to either side the interval of fights played out is to reach."""


def build_bench_fighter(name: str, levels: str, here: tuple[str, ...] = ("level",)) -> Fighter:
    """A fighter with these levels, such as `4 fighting, 6 toughness`."""
    block = "\n".join([name, *levels.split(", ")])
    return build_fighter(CharacterDraft.from_stat_block(block).build_character(), here=here)


def list_independent_archetypes(here: tuple[str, ...] = ("level",)) -> list[Fighter]:
    """The archetypes who fight alone."""
    people = [each.build_character() for each in ARCHETYPES]
    return [build_fighter(each, here=here) for each in people if not each.minion_of]


def build_duels(here: tuple[str, ...] = ("level",)) -> list[Duel]:
    """The first pairs of the archetypes who fight alone, not solved."""
    return [Duel(one, other) for one, other in list(combinations(list_independent_archetypes(here), 2))[:PAIRS]]


def build_group_fight() -> EncounterState:
    """A fight of eight archetypes that has begun, every other one on the other side."""
    people = [
        replace(each, side="ab"[n % 2], group="ab"[n % 2]) for n, each in enumerate(list_independent_archetypes()[:8])
    ]
    decision = begin(build_initial_state(tuple(people), DEFAULT_RULINGS), RepeatableDice(13))
    return apply_events(build_initial_state(tuple(people), DEFAULT_RULINGS), decision.events)


def play_out_group_fight() -> Tally:
    """Four against four, played out until the interval reaches no further than wanted."""
    state, tally, dice = build_group_fight(), Tally(0, {}), RepeatableDice(13)
    while True:
        tally = play_out_many(state, {"a": choose_sensible_action, "b": choose_sensible_action}, dice, 5, tally)
        low, high = tally.interval("a")
        if (high - low) / 2 <= TARGET_MARGIN:
            return tally


def measure(batches: int) -> dict[str, float]:
    """Measure everything; milliseconds."""
    one, other = (build_bench_fighter(name, "4 fighting, 6 toughness") for name in "ab")
    begun = Duel(one, other).opening_states["first"]
    single = Action("a", "basic-attack", ("b",), ("fighting",))
    double = Action("a", "double-attack", ("b", "b"), ("fighting",))
    rich = [_measure_bounds_and_solve(each) for each in build_duels(RICH)[:: PAIRS // RICH_PAIRS]]
    bounds, wholes = zip(*rich, strict=True)
    return {
        "odds: attack": measure_median(lambda: list_outcomes(begun, single), 20 * batches),
        "odds: double attack": measure_median(lambda: list_outcomes(begun, double), 10 * batches),
        "odds: duel": compute_median(measure_milliseconds(prepare_solve(each)) for each in build_duels()),
        "odds: first bounds, cover and things to throw": compute_median(bounds),
        "odds: exact after bounds, cover and things to throw": compute_median(wholes),
        "odds: four against four within 0.1": measure_milliseconds(play_out_group_fight),
    }


def _measure_bounds_and_solve(duel: Duel) -> tuple[float, float]:
    """Until both orders of a duel have first bounds, and until they are solved."""
    to_bounds = measure_milliseconds(lambda: list(duel.bound_steps()))
    return to_bounds, to_bounds + measure_milliseconds(duel.solve)


def prepare_solve(duel: Duel) -> Callable[[], object]:
    """The work of solving one order of a duel, nothing known of it before."""
    anew = Duel(duel.first, duel.second)
    anew.game.starts = anew.game.starts[:1]
    return anew.game.solve
