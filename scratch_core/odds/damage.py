"""Damage: what one act does, over several rounds, until somebody drops, and two who only attack against each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import lcm, prod
from types import MappingProxyType

from scratch_core.actions import Action
from scratch_core.characters import lose_hp
from scratch_core.dice import Distribution
from scratch_core.errors import Problem, ScratchError
from scratch_core.odds.outcomes import SIDES, Way, ways
from scratch_core.state import Damaged, Delayed, State


def damage(state: State, action: Action, target: str = "") -> Distribution:
    """How many of the faces of an act do each number of points of damage, to one target or to all together.

    Damage counts in full, whatever hit points are left. The total is `20 ** throws`. Rules: `hp.damage`,
    `hp.auto-damage`, `hp.auto-no-damage`.
    """
    return _damage_of(ways(state, action), target)


def _damage_of(found: tuple[Way, ...], target: str) -> Distribution:
    counts: dict[int, int] = {}
    for way in found:
        done = sum(
            event.damage for event in way.decision.events if isinstance(event, Damaged) and target in ("", event.who)
        )
        counts[done] = counts.get(done, 0) + way.weight
    return _distribution(counts, SIDES ** found[0].throws)


def _distribution(counts: Mapping[int, int], total: int) -> Distribution:
    return Distribution(MappingProxyType({number: counts[number] for number in sorted(counts)}), total)


def over_rounds(once: Distribution, rounds: int) -> Distribution:
    """The damage of the same act done so many times, each time anew. Rule: `hp.damage`."""
    assert rounds >= 0
    counts = {0: 1}
    for _ in range(rounds):
        counts = _added(counts, once.counts)
    return _distribution(counts, once.total**rounds)


def _added(one: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for left, ways_left in one.items():
        for right, ways_right in other.items():
            found[left + right] = found.get(left + right, 0) + ways_left * ways_right
    return found


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


# Two who only attack


@dataclass(frozen=True, slots=True)
class Attacker:
    """Somebody who does the same attack turn after turn, and what it does while healthy and while injured.

    `hp` are hit points now, of which `stamina` and fewer mean injured. An attack that `rests` delays its user, whose
    next turn passes. Rules: `hp.stamina`, `act.knockout.self-delay`, `act.shooting.injured-delay`,
    `act.blasting.injured-delay`.
    """

    hp: int
    stamina: int
    healthy: Distribution
    injured: Distribution
    healthy_rests: bool = False
    injured_rests: bool = False

    def attack(self, hp: int) -> tuple[Distribution, bool]:
        """What its attack does with so many hit points, and whether it rests afterwards."""
        return (self.healthy, self.healthy_rests) if hp > self.stamina else (self.injured, self.injured_rests)


def attacker(state: State, healthy: Action, injured: Action | None = None) -> Attacker:
    """Somebody of a state who only attacks: the engine is asked about its attack while healthy and while injured.

    `injured` is the attack from when it is injured; the same one where it isn't given. Conditions of the state, such as
    cover, hold all along. Raises `ScratchError` for an attack that isn't legal. Rules: `hp.healthy`, `hp.injured`.
    """
    who = state.fighter(healthy.actor)
    stamina, most = who.numbers.stamina, who.numbers.max_hp
    asked = []
    for action, hp in ((healthy, most), (injured or healthy, max(1, stamina))):
        found = ways(state.with_fighter(replace(who, hp=hp)), action)
        if not found[0].decision.is_legal:
            raise ScratchError(Problem("odds.attack", "a legal attack", found[0].decision.say, "the race"))
        delays = any(isinstance(each, Delayed) and each.who == who.id for each in found[0].decision.events)
        asked.append((_damage_of(found, action.targets[0]), delays))
    (one, first), (two, second) = asked
    return Attacker(who.hp, stamina, one, two, first, second)


@dataclass(frozen=True, slots=True)
class Race:
    """The exact chance of each of two attackers to drop the other; what is missing to 1 hasn't ended, or never will."""

    first_wins: Fraction
    second_wins: Fraction


Turn = tuple[int, bool]
"""Who attacks next, 0 or 1, and whether the other one's next turn passes."""


def race(first: Attacker, second: Attacker) -> Race:
    """Two who only attack, turn after turn, until one drops; the first of them has the first turn.

    Rules: `turn.order`, `hp.damage`, `hp.incapacitated`, `cond.delayed.expiry`.
    """
    table = _Race((first, second))
    won = table.chance(0)
    return Race(won, table.chance(1) if table.may_last else 1 - won)


def race_by_round(first: Attacker, second: Attacker, rounds: int) -> tuple[Race, ...]:
    """The chances that each has dropped the other by the end of round 0, 1, … `rounds`. Rules: as `race`."""
    sides = (first, second)
    standing = {((first.hp, second.hp), (False, False)): Fraction(1)}
    won = [Fraction(0), Fraction(0)]
    found = [Race(won[0], won[1])]
    for _ in range(rounds):
        for who in (0, 1):
            standing = _after_turn(sides, who, standing, won)
        found.append(Race(won[0], won[1]))
    return tuple(found)


_Standing = dict[tuple[tuple[int, int], tuple[bool, bool]], Fraction]


def _after_turn(sides: tuple[Attacker, Attacker], who: int, standing: _Standing, won: list[Fraction]) -> _Standing:
    """Who stands how after a turn, by hit points and who rests next; what is won is added to `won`."""
    after: _Standing = {}
    for (hps, resting), chance in standing.items():
        if resting[who]:
            free = (False, resting[1]) if who == 0 else (resting[0], False)
            after[hps, free] = after.get((hps, free), Fraction(0)) + chance
            continue
        spread, rests = sides[who].attack(hps[who])
        new = (rests, resting[1]) if who == 0 else (resting[0], rests)
        for done, many in spread.counts.items():
            left = _hit(hps, who, done)
            share = chance * Fraction(many, spread.total)
            if left[1 - who]:
                after[left, new] = after.get((left, new), Fraction(0)) + share
            else:
                won[who] += share
    return after


def _hit(hps: tuple[int, int], who: int, done: int) -> tuple[int, int]:
    return (hps[0], lose_hp(hps[1], done)) if who == 0 else (lose_hp(hps[0], done), hps[1])


@dataclass(frozen=True, slots=True)
class _Blow:
    """An attack of a lap: whose, the turn after it, what it weighs in the lap, and its faces by the damage they do."""

    who: int
    after: Turn
    weight: int
    hits: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Lap:
    """The attacks from a turn until it comes again while nobody is hit, and what their sum is divided by.

    A turn that never comes again is a lap of one attack, whose `misses` lead on to the turn `after`.
    """

    blows: tuple[_Blow, ...]
    divisor: int
    misses: int = 0
    after: Turn | None = None


_Worth = dict[tuple[tuple[int, int], Turn], int]


class _Race:
    """A race as whole numbers over one denominator, `scale` to the sum of the hit points left: no fraction is reduced.

    While nobody is hit the turns go round in a circle of attacks. With `m` misses among `t` faces of each attack, the
    chance to go all round is the product of `m / t`, and the sum over all rounds divides by the product of the `t` less
    that of the `m`: `scale` is a multiple of these for all conditions.
    """

    def __init__(self, sides: tuple[Attacker, Attacker]) -> None:
        self.sides = sides
        self.scale = 1
        self.may_last = not (sides[0].hp or sides[1].hp)
        self._laps: dict[tuple[Turn, bool, bool], _Lap] = {}
        one, two = ({each.hp, min(each.hp, each.stamina)} - {0} for each in sides)
        for hps in product(one, two):
            for who in (0, 1):
                circle = self._circle((who, False), hps)
                totals, misses = self._faces(circle, hps)
                rest = prod(totals) - prod(misses)
                self.may_last = self.may_last or not rest
                self.scale = lcm(self.scale, rest or 1, prod(totals) ** 2)
        self.powers = [self.scale**exponent for exponent in range(sum(each.hp for each in sides) + 1)]

    def chance(self, us: int) -> Fraction:
        """The chance that one of them drops the other."""
        hps = (self.sides[0].hp, self.sides[1].hp)
        if not all(hps):
            return Fraction(hps[us] > 0)
        worth: _Worth = {}
        turns = self._turns()
        for left in product(range(1, hps[0] + 1), range(1, hps[1] + 1)):
            for turn in turns:
                worth[left, turn] = self._worth(left, turn, us, worth)
        return Fraction(worth[hps, (0, False)], self.powers[sum(hps)])

    def _turns(self) -> tuple[Turn, ...]:
        rests = any(each.healthy_rests or each.injured_rests for each in self.sides)
        return _TURNS if rests else _TURNS[:2]

    def _next(self, turn: Turn, hps: tuple[int, int]) -> Turn:
        """The turn after an attack: a turn that passes is over by then. Rule: `cond.delayed.expiry`."""
        who, other_rests = turn
        rests = self.sides[who].attack(hps[who])[1]
        if not other_rests:
            return 1 - who, rests
        return (1 - who, False) if rests else (who, False)

    def _circle(self, turn: Turn, hps: tuple[int, int]) -> list[Turn]:
        """The turns from this one until one comes again, while nobody is hit; the circle begins where it closes."""
        passed: list[Turn] = []
        while turn not in passed:
            passed.append(turn)
            turn = self._next(turn, hps)
        return passed[passed.index(turn) :]

    def _faces(self, circle: list[Turn], hps: tuple[int, int]) -> tuple[list[int], list[int]]:
        spreads = [self.sides[who].attack(hps[who])[0] for who, _ in circle]
        return [each.total for each in spreads], [each.counts.get(0, 0) for each in spreads]

    def _lap(self, turn: Turn, hps: tuple[int, int]) -> _Lap:
        """The lap of a turn: it hangs on both conditions, not on how many hit points there are. Rule: `hp.healthy`."""
        one, other = self.sides
        known = (turn, hps[0] > one.stamina, hps[1] > other.stamina)
        found = self._laps.get(known)
        if found is None:
            found = self._laps[known] = self._made_lap(turn, hps)
        return found

    def _made_lap(self, turn: Turn, hps: tuple[int, int]) -> _Lap:
        circle = self._circle(turn, hps)
        if turn not in circle:
            spread = self.sides[turn[0]].attack(hps[turn[0]])[0]
            return _Lap((self._blow(turn, hps, 1),), spread.total, spread.counts.get(0, 0), self._next(turn, hps))
        totals, misses = self._faces(circle, hps)
        weights = [prod(misses[:place]) * prod(totals[place + 1 :]) for place in range(len(circle))]
        blows = [self._blow(each, hps, weight) for each, weight in zip(circle, weights, strict=True)]
        return _Lap(tuple(blows), prod(totals) - prod(misses))

    def _blow(self, turn: Turn, hps: tuple[int, int], weight: int) -> _Blow:
        spread = self.sides[turn[0]].attack(hps[turn[0]])[0]
        hits = tuple((done, many) for done, many in spread.counts.items() if done)
        return _Blow(turn[0], self._next(turn, hps), weight, hits)

    def _worth(self, hps: tuple[int, int], turn: Turn, us: int, worth: _Worth) -> int:
        lap = self._lap(turn, hps)
        if not lap.divisor:
            return 0
        found = 0
        for blow in lap.blows:
            found += blow.weight * self._hits(hps, blow, us, worth)
        if lap.after is not None:
            found += lap.misses * self._worth(hps, lap.after, us, worth)
        return found // lap.divisor

    def _hits(self, hps: tuple[int, int], blow: _Blow, us: int, worth: _Worth) -> int:
        """What the hits of an attack are worth, over its total and the denominator of these hit points."""
        found, points = 0, hps[1 - blow.who]
        for done, many in blow.hits:
            rest = lose_hp(points, done)
            if rest:
                left = (hps[0], rest) if blow.who == 0 else (rest, hps[1])
                found += many * worth[left, blow.after] * self.powers[points - rest]
            elif blow.who == us:
                found += many * self.powers[hps[0] + hps[1]]
        return found


_TURNS: tuple[Turn, ...] = ((0, False), (1, False), (0, True), (1, True))
