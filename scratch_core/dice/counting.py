"""Counting: how many of the equally likely outcomes of many dice give each total, in exact integers.

The ways to the values of one die are the coefficients of a polynomial, and those to the totals of several dice are the
coefficients of a product. Multiplied by 1 - x, a die's polynomial keeps few terms: it is zero but where the ways change
from one value to the next. So one more die is a few shifted copies and a running sum, and hundreds of equal dice are a
recurrence of a few terms.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate

from scratch_core.dice.notation import Dice, refuse

MAX_OUTCOMES = 20_000
"""The most distinct totals counted."""
MAX_WORK = 10_000_000
"""The most work spent on one distribution, in additions of small integers (0.02 to 0.04 microseconds each)."""
MAX_DIGITS = 4_000
"""The most digits of the number of outcomes."""
TERM = 3
"""What a term of a recurrence costs, in additions: two multiplications and an addition, one coefficient at a time."""

Counts = dict[int, int]
"""Ways by total; no total has zero ways. Or a polynomial of few terms: its coefficients by power."""


class WorkBudget:
    """What is left of the work that one distribution may cost. It counts operations, so it never depends on a clock."""

    def __init__(self) -> None:
        """Begin with the whole limit."""
        self.left = MAX_WORK

    def spend(self, additions: float, bits: float = 0) -> None:
        """Take off additions, each of which costs as much again for every 1,500 bits of its integers.

        Raises `dice.limit.work` when nothing is left.
        """
        self.left -= int(additions * (1 + bits / 1_500)) + 1
        if self.left < 0:
            refuse("dice.limit.work", f"chances that take at most {MAX_WORK:,} steps to count", "more steps")


def limit_outcomes(totals: int) -> None:
    """Raise `dice.limit.outcomes` for more than 20,000 distinct totals."""
    if totals > MAX_OUTCOMES:
        refuse("dice.limit.outcomes", f"at most {MAX_OUTCOMES:,} different totals to count", f"{totals:,}")


def limit_digits(bits: float) -> None:
    """Raise `dice.limit.digits` when the number of outcomes has more than 4,000 digits."""
    digits = int(bits * math.log10(2))
    if digits > MAX_DIGITS:
        expected = f"a number of outcomes of at most {MAX_DIGITS:,} digits"
        refuse("dice.limit.digits", expected, f"about {digits:,} digits")


def die_ways(pool: Dice) -> list[int]:
    """Count the ways to each value of one die of a pool, from value 0 on, rerolls and extra dice included.

    The ways have no common divisor.
    """
    limit_outcomes(pool.sides * (pool.depth + 1))
    faces = _face_ways(pool)
    sides, extra = pool.sides, [1]
    for depth in range(pool.depth):
        extra = [0, *([sides**depth] * (sides - 1)), *extra]
    scale = sides**pool.depth
    ways = [0, *(number * scale for number in faces[:-1]), *(faces[-1] * number for number in extra)]
    common = math.gcd(*ways)
    return [number // common for number in ways]


def _face_ways(pool: Dice) -> list[int]:
    """The ways to each face from 1 on, after rerolls."""
    sides, reroll = pool.sides, pool.reroll
    if reroll is None:
        return [1] * sides
    again = [reroll.is_met_by(face) for face in range(1, sides + 1)]
    if reroll.is_repeated:
        return [0 if met else 1 for met in again]
    rolled_again = sum(again)
    return [rolled_again if met else sides + rolled_again for met in again]


# Dice that all count


@dataclass(frozen=True, slots=True)
class _Group:
    """Equal dice: the ways of one by place, first and last not zero; places lie `step` apart."""

    values: Sequence[int]
    step: int
    count: int

    @property
    def reach(self) -> int:
        """How far the dice's sums reach from the least one."""
        return (len(self.values) - 1) * self.step * self.count

    @property
    def bits(self) -> float:
        """How many bits the number of their outcomes has, about."""
        return math.log2(sum(self.values)) * self.count


def sum_of_pools(pools: Iterable[tuple[list[int], int, int]], work: WorkBudget) -> Counts:
    """Count the totals of dice thrown together; a pool is the ways of one die, how many dice, and a factor, not zero.

    Pools of equal dice are counted together, so that d6+d6 costs what 2d6 does, and so does d6-d6.
    """
    start = 0
    found: Counter[tuple[tuple[int, ...], int]] = Counter()
    for ways, count, factor in pools:
        low, step, values = _trimmed(ways)
        start += count * factor * (low if factor > 0 else low + step * (len(values) - 1))
        found[values if factor > 0 else values[::-1], step * abs(factor)] += count
    groups = [_Group(values, step, count) for (values, step), count in found.items()]
    limit_digits(sum(group.bits for group in groups))
    return {start + total: ways for total, ways in _sum_of_groups(groups, work).items()}


def _trimmed(ways: list[int]) -> tuple[int, int, tuple[int, ...]]:
    """The first value that has ways, how far apart the values that have some lie, and the ways from first to last."""
    places = [place for place, number in enumerate(ways) if number]
    step = math.gcd(*(place - places[0] for place in places)) or 1
    return places[0], step, tuple(ways[places[0] : places[-1] + 1 : step])


def _sum_of_groups(groups: list[_Group], work: WorkBudget) -> Counts:
    """Count the totals of groups together; apart only where their totals would lie too far from each other."""
    apart: list[list[_Group]] = []
    for group in sorted(groups, key=lambda group: group.step):
        if apart and _length([*apart[-1], group]) <= _length(apart[-1]) * _length([group]):
            apart[-1].append(group)
        else:
            apart.append([group])
    parts = [_product(part, work) for part in sorted(apart, key=_length)]
    return reduce(lambda one, other: add_counts(one, other, work), parts)


def _length(groups: list[_Group]) -> int:
    """How many totals groups have at the most, on the grid that their steps share."""
    return 1 + sum(group.reach for group in groups) // _grid(groups)


def _grid(groups: list[_Group]) -> int:
    return math.gcd(*(group.step for group in groups)) or 1


def _product(groups: list[_Group], work: WorkBudget) -> Counts:
    """Count the totals of groups: those of many dice by one recurrence, the others one die after another.

    A die costs an addition a coefficient for each jump, while the sums are half as long as at the end, on average.
    """
    grid = _grid(groups)
    limit_outcomes(_length(groups))
    bits = sum(group.bits for group in groups)
    together: list[_Group] = []
    alone: list[_Group] = []
    recurrence = _recurrence([])
    for group in sorted(groups, key=lambda group: -group.count):
        on_grid = _Group(group.values, group.step // grid, group.count)
        more = _recurrence([*together, on_grid])
        if (len(more.terms) - len(recurrence.terms)) * TERM < group.count * len(_jumps(group.values)) / 2:
            together.append(on_grid)
            recurrence = more
        else:
            alone += [on_grid] * group.count
    known = 1 + sum(group.reach for group in together)
    work.spend(known * len(recurrence.terms) * TERM, bits)
    work.spend((known + _length(groups)) / 2 * sum(len(_jumps(die.values)) for die in alone), bits)
    sums = recurrence.run(math.prod(group.values[0] ** group.count for group in together), known)
    for die in alone:
        sums = _times(sums, _jumps(die.values), die.step)
    return {grid * place: ways for place, ways in enumerate(sums) if ways}


def _jumps(values: Sequence[int]) -> Counts:
    """The polynomial times 1 - x: zero but where its coefficients change, which in dice they seldom do."""
    steps = map(operator.sub, (*values, 0), (0, *values))
    return {place: step for place, step in enumerate(steps) if step}


def _times(sums: list[int], jumps: Counts, step: int = 1) -> list[int]:
    """Multiply by one more die: shifted copies where its ways jump, then a running sum divides by 1 - x^step."""
    first, *others = jumps
    steps = [jumps[first] * ways for ways in sums] if jumps[first] > 1 else sums.copy()
    steps += [0] * (others[-1] * step)
    for place in others:
        _shift_in(steps, sums, place * step, jumps[place])
    for start in range(step):
        steps[start::step] = accumulate(steps[start::step])
    del steps[-step:]
    return steps


def _shift_in(sums: list[int], part: Sequence[int], start: int, times: int = 1) -> None:
    """Add a polynomial, so many times, to another, from a place on."""
    here = slice(start, start + len(part))
    if times == -1:
        sums[here] = map(operator.sub, sums[here], part)
    else:
        sums[here] = map(operator.add, sums[here], part if times == 1 else [times * ways for ways in part])


@dataclass(frozen=True, slots=True)
class _Recurrence:
    """What a polynomial f with A f' = B f obeys, where A and B have few terms: `left` and `right`.

    Comparing coefficients, each of f follows from a few before: their delays, with B's and A's terms, are `terms`.
    """

    left: Counts
    right: Counts

    @property
    def terms(self) -> list[tuple[int, int, int]]:
        """The delays, rising, each with how it goes into the sum."""
        delays = {*self.left, *(place + 1 for place in self.right)} - {0}
        return [(delay, self.right.get(delay - 1, 0), self.left.get(delay, 0)) for delay in sorted(delays)]

    def run(self, first: int, length: int, source: Sequence[int] = ()) -> list[int]:
        """The first coefficients of f, from its first one on; with a source it is A f' = B f + source."""
        sums, terms, lead = [first], self.terms, self.left[0]
        for place in range(1, length):
            ways = source[place - 1] if source else 0
            for delay, b, a in terms:
                at = place - delay
                if at < 0:
                    break
                ways += (b - a * at) * sums[at]
            sums.append(ways // (lead * place))
        return sums


def _recurrence(groups: list[_Group]) -> _Recurrence:
    """The recurrence of the product of the groups' polynomials, each to the power of its count.

    For f = p^n q^m it is f'/f = n p'/p + m q'/q. With p = u/(1 - x^step), where u has few terms, all factors have few
    terms, some to a negative power; multiplied by all of them, both sides have few terms as well.
    """
    powers = [({place * each.step: jump for place, jump in _jumps(each.values).items()}, each.count) for each in groups]
    for step in {group.step for group in groups}:
        powers.append(({0: 1, step: -1}, -sum(group.count for group in groups if group.step == step)))
    left: Counts = {0: 1}
    right: Counts = {}
    for factor, power in powers:
        slope = {place - 1: power * place * number for place, number in factor.items() if place}
        right = _plus(_multiplied(right, factor), _multiplied(left, slope))
        left = _multiplied(left, factor)
    return _Recurrence(left, right)


def _multiplied(one: Counts, other: Counts) -> Counts:
    product: Counts = {}
    for place, number in one.items():
        product = _plus(product, {place + there: number * factor for there, factor in other.items()})
    return product


def _plus(one: Counts, other: Counts) -> Counts:
    sums = {place: one.get(place, 0) + other.get(place, 0) for place in one.keys() | other.keys()}
    return {place: number for place, number in sums.items() if number}


def _power(values: Sequence[int], count: int) -> list[int]:
    """The ways to the sums of so many equal dice."""
    group = _Group(values, 1, count)
    return _recurrence([group]).run(values[0] ** count, group.reach + 1)


# The best dice of a pool


def best_of_pool(ways: list[int], count: int, kept: int, highest: bool, work: WorkBudget) -> Counts:
    """Count the sums of the highest (or lowest) `kept` of `count` dice, fewer than all, with these ways by value.

    The worst kept die shows some value, and fewer than `kept` dice show a better one: that can be added up in three
    ways, of which the cheapest is taken.
    """
    if not highest:
        best = best_of_pool(ways[::-1], count, kept, True, work)
        return {kept * (len(ways) - 1) - total: number for total, number in best.items()}
    low, step, values = _trimmed(ways)
    bits = _Group(values, 1, count).bits
    limit_digits(bits)
    limit_outcomes((len(values) - 1) * kept + 1)
    # For each value, how far the better ones reach, and the additions of multiplying by one of them, once: in all.
    reaches, once, jumps = len(values) * (len(values) - 1) / 2, 0, 2
    for reach in range(1, len(values)):
        jumps += reach > 1 and values[-reach] != values[1 - reach]
        once += reach * jumps
    # So many multiplications, the first of them short; two more additions for each dropped die, after a recurrence; or
    # some ten terms of recurrences (each as it was measured).
    ways_to_count = (
        (count_by_better_dice, (once * (kept - 2) + 8 * reaches) * (kept - 1) / 2),
        (count_by_dropped_dice, once * count * 2 * (TERM + count - kept)),
        (count_by_recurrence, once * kept * TERM * 10),
    )
    counted, cost = min(ways_to_count, key=operator.itemgetter(1))
    work.spend(cost + 10 * len(values) * kept * (1 + bits / 1_500), bits)
    return {low * kept + step * place: number for place, number in enumerate(counted(values, count, kept)) if number}


def count_by_better_dice(values: Sequence[int], count: int, kept: int) -> list[int]:
    """Add up over the value of the worst kept die, and over how many dice show a better one."""
    sums, worse = [0] * ((len(values) - 1) * kept + 1), 0
    for place, number in enumerate(values):
        if number:
            complete = _complete(count - kept, kept, number, worse)
            worse += number
            ways = [math.comb(count, up) * complete[kept - up] for up in range(kept)]
            _shift_in(sums, ways if kept == 1 else _with_better(ways, values[place + 1 :]), place * kept)
    return sums


def _complete(spare: int, kept: int, number: int, worse: int) -> list[int]:
    """In how many ways `spare` dice and t more show a value, t of them or more, and the others a worse one; by t.

    One die more may show either; but it has to show the value where just the spare dice and it would be worse.
    """
    ways, edge = [(number + worse) ** spare], worse ** (spare + 1)
    for needed in range(1, kept + 1):
        ways.append((number + worse) * ways[-1] - math.comb(spare + needed - 1, spare) * edge)
        edge *= number
    return ways


def _with_better(ways: list[int], better: Sequence[int]) -> list[int]:
    """Count the sums of better dice, by how much they are better, from the ways to have so many of them.

    By Horner's rule: each step multiplies by one more better die.
    """
    if not any(better):
        return ways[:1]
    gap, content = 1 + next(place for place, number in enumerate(better) if number), math.gcd(*better)
    jumps = _jumps([number // content for number in better[gap - 1 :]])
    sums = [ways[-1] * content ** (len(ways) - 1)]
    for up in reversed(range(len(ways) - 1)):
        sums = [ways[up] * content**up, *[0] * (gap - 1), *_times(sums, jumps)]
    return sums


def count_by_dropped_dice(values: Sequence[int], count: int, kept: int) -> list[int]:
    """Start with all dice at their best and, for each value, correct the outcomes in which few dice are below.

    If k + i dice are at a value or above and i of them are to be dropped, their sum counts with i times the value
    taken off. From the value before, where the same dice stood for the same, that is taken back.
    """
    sums, worse, before, spare = _power(values, count), values[0], 0, count - kept
    for place in range(1, len(values)):
        if values[place]:
            power, jumps = _power(values[place:], kept), _jumps(values[place:])
            for extra in range(1, spare + 1):
                power = _times(power, jumps)
                times = math.comb(count, kept + extra) * worse ** (spare - extra)
                part = [times * ways for ways in power]
                _shift_in(sums, part, place * kept)
                _shift_in(sums, part, place * kept + (place - before) * extra, -1)
            worse, before = worse + values[place], place
    return sums


def count_by_recurrence(values: Sequence[int], count: int, kept: int) -> list[int]:
    """For each value, take the outcomes in which too few dice show it or better from those where too few are better."""
    sums, worse, before = [0] * ((len(values) - 1) * kept + 1), values[0], 0
    for place in range(1, len(values)):
        if values[place]:
            power = _power(values[place:], kept - 1)
            for start, gap, times in ((before, place - before, 1), (place, 0, -1)):
                _shift_in(sums, _too_few(values[place:], gap, worse, (count, kept), power), start * kept, times)
            worse, before = worse + values[place], place
    sums[-1] += sum(values) ** count
    return sums


def _too_few(values: Sequence[int], gap: int, worse: int, pool: tuple[int, int], power: list[int]) -> list[int]:
    """Count the sums of dice up, fewer than `kept` of `count`; the others show a worse value, in `worse` ways each.

    A die that is up has these ways, from the value `gap` on; `power` are the sums of kept - 1 of them, without the gap.
    With y for one die up and L ways for one that is not, the sum f over a < k of C(n, a) y^a L^(n-a) obeys
    (L + y) f' = n y' f - k C(n, k) L^(n-k+1) y^(k-1) y'; multiplied by (1 - x)², all but the power has few terms.
    """
    (count, kept), fall = pool, {0: 1, 1: -1}
    die = {gap + place: jump for place, jump in _jumps(values).items()}
    slope = _plus(_multiplied({place - 1: place * jump for place, jump in die.items() if place}, fall), die)
    left = _multiplied(_plus({0: worse, 1: -worse}, die), fall)
    length = (kept - 1) * (len(values) - 1 + gap) + 1
    source = [0] * (length + max(slope, default=0))
    for place, number in slope.items():
        _shift_in(source, power, (kept - 1) * gap + place, number)
    times = -kept * math.comb(count, kept) * worse ** (count - kept + 1)
    none = 0 if gap else values[0]
    first = sum(math.comb(count, up) * none**up * worse ** (count - up) for up in range(kept if none else 1))
    return _Recurrence(left, {place: count * number for place, number in slope.items()}).run(
        first, length, [times * ways for ways in source]
    )


# Two numbers


def add_counts(one: Counts, other: Counts, work: WorkBudget) -> Counts:
    """Count the sums of two independent numbers: pair by pair, or packed into two integers, whose product has all."""
    bits = _bits(one) + _bits(other)
    limit_digits(bits)
    low, there = min(one), min(other)
    step = math.gcd(*(total - low for total in one), *(total - there for total in other)) or 1
    start, length = low + there, (max(one) - low + max(other) - there) // step + 1
    if length > MAX_OUTCOMES or len(one) * len(other) < 4 * length:
        return _pairwise(one, other, operator.add, work)
    width = bits // 8 + 1
    # Eighty products of 30-bit digits cost what an addition does. Beyond 70 digits CPython multiplies by Karatsuba's
    # rule: twice as many digits cost three times as much.
    short, long = sorted(width * 8 / 30 * ((max(each) - min(each)) // step + 1) for each in (one, other))
    products = long * (short if short < 70 else 70 * (short / 70) ** (math.log2(3) - 1))
    work.spend(products / 80 + (4 + bits / 500) * length)
    product = _packed(one, step, width) * _packed(other, step, width)
    raw = product.to_bytes(width * length, "little")
    ways = (int.from_bytes(raw[place : place + width], "little") for place in range(0, width * length, width))
    return {start + step * place: number for place, number in enumerate(ways) if number}


def _packed(counts: Counts, step: int, width: int) -> int:
    totals = range(min(counts), max(counts) + 1, step)
    return int.from_bytes(b"".join(counts.get(total, 0).to_bytes(width, "little") for total in totals), "little")


def multiply_counts(one: Counts, other: Counts, work: WorkBudget) -> Counts:
    """Count the products of two independent numbers."""
    limit_digits(_bits(one) + _bits(other))
    return _pairwise(one, other, operator.mul, work)


def _pairwise(one: Counts, other: Counts, combine: Callable[[int, int], int], work: WorkBudget) -> Counts:
    """Combine each number of one with each of the other; a pair costs what ten additions do."""
    work.spend(len(one) * len(other) * 10, _bits(one) + _bits(other))
    sums: Counts = {}
    for number, ways in one.items():
        for there, others in other.items():
            total = combine(number, there)
            sums[total] = sums.get(total, 0) + ways * others
        limit_outcomes(len(sums))
    return sums


def _bits(counts: Counts) -> int:
    """How many bits the number of all ways has, or a few more."""
    return max(counts.values()).bit_length() + len(counts).bit_length()
