"""The odds, timed in this process: `python -m build_scripts.judges.bench.chances BATCHES`.

Also run inside Pyodide, by pyodide.mjs. Prints JSON, medians over the batches in milliseconds of processor time: every
way of one attack and of a double attack through the engine; duels of ten points solved cold on level ground; with cover
and things to throw both orders, until there are first bounds and until all is known; and fights of four against four,
played out until the interval is narrow.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from random import Random

from scratch_core.actions import Action
from scratch_core.cast import ARCHETYPES
from scratch_core.characters import DEFAULT_RULINGS, Draft
from scratch_core.encounter import begin, replay
from scratch_core.odds import Duel, Tally, play_outs, sensible, ways
from scratch_core.state import Fighter, State, fighter, gather

PAIRS, RICH_PAIRS = 60, 9
RICH = ("level", "cover", "throwable")
CLOSE_ENOUGH = 0.1
"""How far to either side the interval of fights played out is to reach."""


def somebody(name: str, levels: str, here: tuple[str, ...] = ("level",)) -> Fighter:
    """A fighter with these levels, such as `4 fighting, 6 toughness`."""
    block = "\n".join([name, *levels.split(", ")])
    return fighter(Draft.from_stat_block(block).character(), here=here)


def alone(here: tuple[str, ...] = ("level",)) -> list[Fighter]:
    """The archetypes who fight alone."""
    people = [each.character() for each in ARCHETYPES]
    return [fighter(each, here=here) for each in people if not each.minion_of]


def duels(here: tuple[str, ...] = ("level",)) -> list[Duel]:
    """The first pairs of the archetypes who fight alone, not solved."""
    return [Duel(one, other) for one, other in list(combinations(alone(here), 2))[:PAIRS]]


def four_against_four() -> State:
    """A fight of eight archetypes that has begun, every other one on the other side."""
    people = [replace(each, side="ab"[n % 2], group="ab"[n % 2]) for n, each in enumerate(alone()[:8])]
    decision = begin(gather(tuple(people), DEFAULT_RULINGS), Seeded())
    return replay(gather(tuple(people), DEFAULT_RULINGS), decision.events)


class Seeded:
    """Dice of a seed."""

    def __init__(self) -> None:
        self.random = Random(13)

    def roll(self, sides: int) -> int:
        """A face."""
        return self.random.randint(1, sides)


def played_out() -> Tally:
    """Four against four, played out until the interval reaches no further than wanted."""
    state, tally, dice = four_against_four(), Tally(0, {}), Seeded()
    while True:
        tally = play_outs(state, {"a": sensible, "b": sensible}, dice, 5, tally)
        low, high = tally.interval("a")
        if (high - low) / 2 <= CLOSE_ENOUGH:
            return tally


def measure(batches: int) -> dict[str, float]:
    """Measure everything; milliseconds."""
    one, other = (somebody(name, "4 fighting, 6 toughness") for name in "ab")
    begun = Duel(one, other).begun["first"]
    single = Action("a", "basic-attack", ("b",), ("fighting",))
    double = Action("a", "double-attack", ("b", "b"), ("fighting",))
    found = {
        "attack": _median(lambda: ways(begun, single), 20 * batches),
        "double attack": _median(lambda: ways(begun, double), 10 * batches),
    }
    times = sorted(milliseconds(solved(each)) for each in duels())
    found |= {"duel": times[len(times) // 2], "slowest duel": times[-1]}
    found |= _rich() | {"four against four within 0.1": milliseconds(played_out)}
    return {f"odds: {what}": taken for what, taken in found.items()}


def _rich() -> dict[str, float]:
    """Until both orders of rich duels have first bounds, and until they are solved: the median, and the slowest."""
    bounds, wholes = [], []
    for each in duels(RICH)[:: PAIRS // RICH_PAIRS]:
        start = time.process_time()
        for _ in each.bound_steps():
            pass
        bounds.append(1000 * (time.process_time() - start))
        each.solve()
        wholes.append(1000 * (time.process_time() - start))
    found = {}
    for what, times in (("first bounds", sorted(bounds)), ("exact after bounds", sorted(wholes))):
        found[f"{what}, cover and things to throw"] = times[len(times) // 2]
        found[f"slowest {what}, cover and things to throw"] = times[-1]
    return found


def solved(duel: Duel) -> Callable[[], object]:
    """The work of solving one order of a duel, nothing known of it before."""
    anew = Duel(duel.first, duel.second)
    anew.game.starts = anew.game.starts[:1]
    return anew.game.solve


def milliseconds(job: Callable[[], object]) -> float:
    """Processor time of one run of a job: what others do on the machine is not counted."""
    start = time.process_time()
    job()
    return 1000 * (time.process_time() - start)


def _median(job: Callable[[], object], batches: int) -> float:
    times = sorted(milliseconds(job) for _ in range(batches))
    return times[len(times) // 2]


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
