"""The odds, timed in this process: `python -m build_scripts.judges.bench.chances BATCHES [PEER]`.

Also run inside Pyodide, by pyodide.mjs. Prints JSON, medians over the batches in milliseconds of processor time: every
way of one attack and of a double attack through the engine, the race of two plain attackers with six hit points each,
duels of ten points solved cold, on level ground and with cover and things to throw, and how a duel grows with hit
points. With the name of a peer, in the environment of the peers, it times that one at the same attack and race.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from itertools import combinations
from typing import Any

from scratch_core.actions import Action
from scratch_core.cast import ARCHETYPES
from scratch_core.characters import Draft
from scratch_core.odds import Duel, attacker, race, ways
from scratch_core.state import Fighter, fighter

PAIRS = 60
NEEDED, HITS = 6, 6
"""The face from which fighting 4 hits an agility of 10, and the hit points of the race."""
HIT_POINTS = (2, 4, 6, 8)
RICH = ("level", "cover", "throwable")


def somebody(name: str, levels: str, here: tuple[str, ...] = ("level",)) -> Fighter:
    """A fighter with these levels, such as `4 fighting, 6 toughness`."""
    block = "\n".join([name, *levels.split(", ")])
    return fighter(Draft.from_stat_block(block).character(), here=here)


def duels() -> list[Duel]:
    """The first pairs of the archetypes who fight alone, on level ground, not solved."""
    people = [each.character() for each in ARCHETYPES]
    alone = [fighter(each, here=("level",)) for each in people if not each.minion_of]
    return [Duel(one, other) for one, other in list(combinations(alone, 2))[:PAIRS]]


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
    racers = attacker(begun, single), attacker(Duel(one, other).begun["second"], Action("b", "basic-attack", ("a",)))
    found["race"] = _median(lambda: race(*racers), 5 * batches)
    times = sorted(milliseconds(solved(each)) for each in duels())
    found |= {"duel": times[len(times) // 2], "slowest duel": times[-1]}
    for hp in HIT_POINTS:
        pair = [somebody(name, f"4 fighting, {hp} toughness") for name in "ab"]
        found[f"{hp} hit points"] = milliseconds(solved(Duel(*pair)))
        rich = [somebody(name, f"4 fighting, {hp} toughness", RICH) for name in "ab"]
        found[f"{hp} hit points, cover and things to throw"] = milliseconds(solved(Duel(*rich)))
    return found


def solved(duel: Duel) -> Callable[[], object]:
    """The work of solving one order of a duel, nothing known of it before."""
    anew = Duel(duel.first, duel.second)
    anew.game.starts = anew.game.starts[:1]
    return anew.game.solve


# Peers, each as its documentation does such things


def icepool_attack() -> object:
    """The damage of one attack by icepool."""
    import icepool

    return icepool.d20.map(_damage).items()


def icepool_race() -> object:
    """The race by icepool: the same step mapped until nothing moves."""
    import icepool

    blow = icepool.d20.map(_damage)

    def turn(mine: int, yours: int) -> Any:
        if not mine or not yours:
            return mine, yours
        return blow.map(lambda done: (max(0, yours - done), mine))

    return icepool.Die([(HITS, HITS)]).map(turn, repeat="inf", star=True).items()


def dyce_attack() -> object:
    """The damage of one attack by dyce."""
    from dyce import H

    return H(_damage(face) for face in range(1, 21)).items()


PEERS: dict[str, dict[str, Callable[[], object]]] = {
    "icepool": {"attack": icepool_attack, "race": icepool_race},
    "dyce": {"attack": dyce_attack},
}


def _damage(face: int) -> int:
    if face == 20:
        return 2
    return int(face >= NEEDED)


def measure_peer(name: str, batches: int) -> dict[str, float | str]:
    """Time a peer at what it does; milliseconds, and its version."""
    import importlib.metadata

    found: dict[str, float | str] = {"version": importlib.metadata.version(name)}
    for what, job in PEERS[name].items():
        found[what] = _median(job, batches)
    return found


def milliseconds(job: Callable[[], object]) -> float:
    """Processor time of one run of a job: what others do on the machine is not counted."""
    start = time.process_time()
    job()
    return 1000 * (time.process_time() - start)


def _median(job: Callable[[], object], batches: int) -> float:
    times = sorted(milliseconds(job) for _ in range(batches))
    return times[len(times) // 2]


if __name__ == "__main__":
    count, peers = int(sys.argv[1]), sys.argv[2:]
    print(json.dumps(measure_peer(peers[0], count) if peers else measure(count)))
