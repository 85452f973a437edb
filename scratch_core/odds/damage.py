"""Damage: what one act does, over several rounds, until somebody drops, and two who only attack against each other."""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType

from scratch_core.actions import Action
from scratch_core.characters import lose_hp
from scratch_core.dice import Distribution
from scratch_core.odds.outcomes import SIDES, ways
from scratch_core.state import Damaged, State


def damage(state: State, action: Action, target: str = "") -> Distribution:
    """How many of the faces of an act do each number of points of damage, to one target or to all together.

    Damage counts in full, whatever hit points are left. The total is `20 ** throws`. Rules: `hp.damage`,
    `hp.auto-damage`, `hp.auto-no-damage`.
    """
    found = ways(state, action)
    counts: dict[int, int] = {}
    for way in found:
        done = sum(
            event.damage for event in way.decision.events if isinstance(event, Damaged) and target in ("", event.who)
        )
        counts[done] = counts.get(done, 0) + way.weight
    return Distribution(MappingProxyType(dict(sorted(counts.items()))), SIDES ** found[0].throws)


def dropped_after(once: Distribution, hp: int, rounds: int) -> tuple[Fraction, ...]:
    """The chance that a target with `hp` hit points is down after 0, 1, … `rounds` rounds of the same act.

    Rules: `hp.damage`, `hp.incapacitated`.
    """
    assert hp >= 0
    left, total = {hp: 1}, 1
    found = [Fraction(hp == 0)]
    for _ in range(rounds):
        after: dict[int, int] = {}
        for points, count in left.items():
            for done, many in once.counts.items():
                rest = lose_hp(points, done)
                after[rest] = after.get(rest, 0) + count * many
        left, total = after, total * once.total
        found.append(Fraction(left.get(0, 0), total))
    return tuple(found)


def rounds_to_drop(once: Distribution, hp: int) -> Fraction | None:
    """The mean number of rounds until a target with `hp` hit points is down; None where the act does no damage.

    Rules: `hp.damage`, `hp.incapacitated`.
    """
    none = once.counts.get(0, 0)
    if none == once.total and hp:
        return None
    mean = [Fraction(0)]
    for points in range(1, hp + 1):
        further = [many * mean[lose_hp(points, done)] for done, many in once.counts.items() if done]
        mean.append(sum(further, Fraction(once.total)) / (once.total - none))
    return mean[hp]
