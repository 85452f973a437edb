"""Counting: how many of the equally likely outcomes of many dice give each total, in exact integers.

A pool's counts are the coefficients of a polynomial, so that a sum of pools is a product of polynomials. A die changes
its ways only at a few values, which makes a product with it a few shifted copies and a running sum, and a power of it
a recurrence with a few terms. Totals that are not sums of dice are packed into one Python integer and multiplied.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate, chain, islice, repeat

from scratch_core.dice.notation import Dice, refuse

OUTCOMES_LIMIT = 20_000
"""The most distinct totals counted."""
WORK_LIMIT = 3_000_000
"""The most work spent on one distribution, in operations on small integers (0.05 to 0.1 microseconds each)."""
DIGITS_LIMIT = 4_000
"""The most digits of the number of outcomes."""

Counts = dict[int, int]
"""Ways by total; no total has zero ways."""


class Work:
    """What is left of the work that one distribution may cost. It counts operations, so it never depends on a clock."""

    def __init__(self) -> None:
        """Begin with the whole limit."""
        self.left = WORK_LIMIT

    def spend(self, operations: float, bits: int = 0) -> None:
        """Take off operations on integers of so many bits; raises `dice.limit.work` when nothing is left."""
        self.left -= int(operations * (1 + bits / 1_500)) + 1
        if self.left < 0:
            refuse("dice.limit.work", f"chances that take at most {WORK_LIMIT:,} steps to count", "more steps")


def limit_outcomes(totals: int) -> None:
    """Raise `dice.limit.outcomes` for more than 20,000 distinct totals."""
    if totals > OUTCOMES_LIMIT:
        refuse("dice.limit.outcomes", f"at most {OUTCOMES_LIMIT:,} different totals to count", f"{totals:,}")


def limit_digits(bits: float) -> None:
    """Raise `dice.limit.digits` when the number of outcomes has more than 4,000 digits."""
    digits = int(bits * math.log10(2))
    if digits > DIGITS_LIMIT:
        refuse(
            "dice.limit.digits", f"a number of outcomes of at most {DIGITS_LIMIT:,} digits", f"about {digits:,} digits"
        )


def die_ways(pool: Dice) -> list[int]:
    """Count the ways to each value of one die of a pool, from value 0 on, rerolls and extra dice included."""
    limit_outcomes(pool.sides * (pool.depth + 1))
    faces = _face_ways(pool)
    if not pool.depth:
        return [0, *faces]
    sides, extra = pool.sides, [1]
    for depth in range(pool.depth):
        extra = [0, *([sides**depth] * (sides - 1)), *extra]
    scale = sides**pool.depth
    return [0, *(ways * scale for ways in faces[:-1]), *(faces[-1] * ways for ways in extra)]


def _face_ways(pool: Dice) -> list[int]:
    """The ways to each face from 1 on, after rerolls."""
    sides, reroll = pool.sides, pool.reroll
    if reroll is None:
        return [1] * sides
    again = [reroll.is_met_by(face) for face in range(1, sides + 1)]
    if reroll.until:
        return [0 if met else 1 for met in again]
    rolled_again = sum(again)
    return [rolled_again if met else sides + rolled_again for met in again]


@dataclass(frozen=True, slots=True)
class _Group:
    """Equal dice: the ways of one by place, first and last not zero; places lie `step` apart."""

    values: tuple[int, ...]
    step: int
    count: int = 1

    @property
    def jumps(self) -> Counts:
        """Where and how much the ways change."""
        return _jumps(self.values)

    def times_cost(self, length: float, bits: float) -> float:
        """What multiplying by one of the dice costs."""
        return _times_cost(length, len(self.jumps), set(self.values) == {1}, bits)

    @property
    def reach(self) -> int:
        """How far the values of one die reach."""
        return (len(self.values) - 1) * self.step

    @property
    def length(self) -> int:
        """How far the dice's sums reach, from 1 on."""
        return 1 + self.reach * self.count

    @property
    def is_mirrored(self) -> bool:
        """Whether the ways read the same from both ends."""
        return self.values == self.values[::-1]

    @property
    def bits(self) -> float:
        """How many bits the number of outcomes has, about."""
        return math.log2(sum(self.values)) * self.count


def sum_of_pools(pools: Iterable[tuple[list[int], int, int]], work: Work) -> tuple[Counts, int]:
    """Count the totals of dice thrown together; a pool is the ways of one die, how many dice, and a factor, not zero.

    Pools of equal dice are counted together, so that d6+d6 costs what 2d6 does. What divides all ways of a die is
    given apart: each count is to be multiplied by it.
    """
    start, same, bits = 0, 1, 0.0
    found = dict[tuple[tuple[int, ...], int], int]()
    for ways, count, factor in pools:
        low, step, values = _trimmed(ways)
        bits += math.log2(sum(values)) * count
        limit_digits(bits)
        start += count * factor * (low if factor > 0 else low + step * (len(values) - 1))
        content = math.gcd(*values)
        same *= content**count
        if len(values) > 1:
            values = tuple(number // content for number in values)
            key = (values if factor > 0 else values[::-1], step * abs(factor))
            found[key] = found.get(key, 0) + count
    groups = [_Group(values, step, count) for (values, step), count in found.items()]
    sums = _sum_of_groups(groups, work)
    return {start + total: ways for total, ways in sums.items()}, same


def _sum_of_groups(groups: list[_Group], work: Work) -> Counts:
    """Count the totals of groups together; apart only where their totals would lie too far from each other."""
    apart: list[list[_Group]] = []
    for group in sorted(groups, key=lambda group: group.step):
        if apart and _length([*apart[-1], group]) <= _length(apart[-1]) * _length([group]):
            apart[-1].append(group)
        else:
            apart.append([group])
    if len(apart) > 1:
        parts = [_sum_of_groups(part, work) for part in sorted(apart, key=_length)]
        return reduce(lambda one, other: add(one, other, work), parts)
    limit_outcomes(_length(groups))
    common = math.gcd(*(group.step for group in groups)) or 1
    totals = _product_of_powers([_Group(one.values, one.step // common, one.count) for one in groups], work)
    return {common * place: ways for place, ways in enumerate(totals) if ways}


def _length(groups: list[_Group]) -> int:
    """How many totals groups have at the most, on the grid that their steps share."""
    common = math.gcd(*(group.step for group in groups)) or 1
    return 1 + sum((group.length - 1) // common for group in groups)


def _trimmed(ways: list[int]) -> tuple[int, int, tuple[int, ...]]:
    """The first value that has ways, how far apart the values that have some lie, and the ways from first to last."""
    places = [place for place, number in enumerate(ways) if number]
    step = math.gcd(*(place - places[0] for place in places)) or 1
    return places[0], step, tuple(ways[places[0] : places[-1] + 1 : step])


def _product_of_powers(groups: list[_Group], work: Work) -> list[int]:
    """Multiply polynomials, each taken to a power; first and last coefficients are not zero."""
    bits = sum(group.bits for group in groups)
    by_recurrence: list[_Group] = []
    one_by_one: list[_Group] = []
    terms, steps, cost = 1, set[int](), 0.0
    for group in sorted(groups, key=lambda group: -group.count):
        more = terms * len(group.jumps) * (1 if group.step in steps else 2)
        each = group.times_cost(1, bits) * (0.8 if by_recurrence else 0.5)
        dearer = _powers_cost([*by_recurrence, group], more, bits)
        if dearer - cost < each * group.count * _length([*by_recurrence, group]):
            by_recurrence.append(group)
            terms, cost = more, dearer
            steps.add(group.step)
        else:
            one_by_one += [group] * group.count
    work.spend(cost)
    one_by_one.sort(key=lambda group: group.reach)
    if by_recurrence or not one_by_one:
        product = _powers(by_recurrence) if by_recurrence else [1]
    else:
        group = one_by_one.pop()
        product = [0] * (group.reach + 1)
        product[:: group.step] = group.values
    for group in one_by_one:
        work.spend(group.times_cost(len(product) + group.reach, bits))
        product = _times(product, group.jumps, group.step)
    return product


def _jumps(values: Sequence[int]) -> Counts:
    """The polynomial times 1 - x: zero but where its coefficients change, which in dice they seldom do."""
    jumps, before = Counts(), 0
    for place, after in enumerate(values):
        if after != before:
            jumps[place] = after - before
            before = after
    jumps[len(values)] = -before
    return jumps


def _times_cost(length: float, jumps: int, is_plain: bool, bits: float) -> float:
    """What multiplying so many coefficients by one more die costs; the ways of a plain one are all 1."""
    return 10 + length * (0.7 if is_plain else 1.1 * jumps + 0.7) * (1 + bits / 1_000)


def _times(product: list[int], jumps: Counts, step: int = 1) -> list[int]:
    """Multiply by one more die: shifted copies where its ways jump, then a running sum divides by 1 - x."""
    last = max(jumps) * step
    if len(jumps) == 2 and jumps[0] == 1:  # all ways are 1
        none = [0] * last
        steps = list(map(operator.sub, chain(product, none), chain(none, product)))
    else:
        steps = [0] * (last + len(product))
        for place, jump in jumps.items():
            here = slice(place * step, place * step + len(product))
            steps[here] = map(operator.add, steps[here], map(operator.mul, repeat(jump), product))
    if step == 1:
        steps = list(accumulate(steps))
    else:
        for first in range(step):
            steps[first::step] = accumulate(steps[first::step])
    del steps[-step:]
    return steps


def _powers_cost(groups: list[_Group], terms: int, bits: float) -> float:
    """What multiplying powers by a recurrence of so many terms costs."""
    known = _length(groups) / (2 if all(group.is_mirrored for group in groups) else 1)
    return 100 + 10 * terms + known * _run_cost(terms - 1, bits)


def _powers(groups: list[_Group]) -> list[int]:
    """Multiply powers of polynomials by the recurrence that their product obeys.

    For f = p^n q^m … it is f'/f = n p'/p + m q'/q + …. With p = u/(1 - x^step), where u has few terms, multiplying
    out gives A f' = B f with few terms in A and B; comparing coefficients gives each coefficient from a few before.
    """
    steps = sorted({group.step for group in groups})
    factors = [{place * group.step: jump for place, jump in group.jumps.items()} for group in groups]
    factors += [{0: 1, step: -1} for step in steps]
    powers = [group.count for group in groups]
    powers += [-sum(group.count for group in groups if group.step == step) for step in steps]
    left, right = _all(factors), Counts()
    for index, power in enumerate(powers):
        slope = {place - 1: power * place * jump for place, jump in factors[index].items() if place}
        _add(right, _multiply(slope, _all(factors[:index] + factors[index + 1 :])))
    length = 1 + sum(group.length - 1 for group in groups)
    mirrored = all(group.is_mirrored for group in groups)
    known = (length + 1) // 2 if mirrored else length
    first = math.prod(group.values[0] ** group.count for group in groups)
    product = _run(first, left[0], _terms(left, right), known)
    return product + product[length - known - 1 :: -1] if mirrored and length > known else product


def _terms(left: Counts, right: Counts) -> list[tuple[int, int, int]]:
    """The recurrence of a polynomial f with left · f' = right · f: delay, and how it goes into the sum."""
    delays = sorted({place for place in left if place} | {place + 1 for place, value in right.items() if value})
    return [(delay, right.get(delay - 1, 0), left.get(delay, 0)) for delay in delays]


def _run_cost(terms: int, bits: float) -> float:
    """What one coefficient costs by a recurrence."""
    return terms * (1.4 + bits / 2_000) + 1.5 + bits / 300


def _run(first: int, lead: int, terms: list[tuple[int, int, int]], known: int, source: Iterable[int] = ()) -> list[int]:
    """Run the recurrence: lead · m · f[m] = Σ (b - a (m - delay)) · f[m - delay], plus the source's m-th number."""
    product = [first]
    for place, more in zip(range(1, known), source or repeat(0), strict=False):
        ways = more
        for delay, b, a in terms:
            at = place - delay
            if at < 0:
                break
            ways += (b - a * at) * product[at]
        product.append(ways // (lead * place))
    return product


def _all(polynomials: list[Counts]) -> Counts:
    return reduce(_multiply, polynomials, {0: 1})


def _multiply(one: Counts, other: Counts) -> Counts:
    product: Counts = {}
    for place, value in one.items():
        _add(product, {place + there: value * factor for there, factor in other.items()})
    return {place: value for place, value in product.items() if value}


def _add(one: Counts, other: Counts) -> None:
    for place, value in other.items():
        one[place] = one.get(place, 0) + value


def best_of_pool(ways: list[int], count: int, kept: int, highest: bool, work: Work) -> Counts:
    """Count the sums of the highest (or lowest) `kept` of `count` dice, each with these ways by value.

    The worst kept die shows some value, and fewer than `kept` dice show a better one: for each value, a sum over how
    many do. Two ways to add that up are at hand, die by die or by a recurrence; where few dice are dropped it may be
    cheaper to add up over those. What is cheapest is taken.
    """
    if not highest:
        top = len(ways) - 1
        best = best_of_pool(ways[::-1], count, kept, True, work)
        return {kept * top - total: number for total, number in best.items()}
    low, step, values = _trimmed(ways)
    length = (len(values) - 1) * kept + 1
    limit_outcomes(length)
    limit_digits(math.log2(sum(values)) * count)
    pool = BestOfPool(values, count, kept)
    by_place, by_dropped = sum(map(min, pool.costs)), pool.dropping_cost()
    work.spend(min(by_place, by_dropped) + 0.2 * length)
    sums = pool.by_dropped() if by_dropped < by_place else pool.by_place()
    return {kept * low + step * place: number for place, number in enumerate(sums) if number}


class BestOfPool:
    """The highest `kept` of `count` dice, fewer than all, whose ways by value these are; ends are not zero."""

    def __init__(self, values: tuple[int, ...], count: int, kept: int) -> None:
        """Work out, for each value, what the better ones look like and what both ways to add up cost."""
        self.values, self.count, self.kept = values, count, kept
        self.bits = math.log2(sum(values)) * count
        self.powers: dict[int, list[int]] = {}
        self.better: list[int] = []
        self.contents: list[int] = []
        self.costs: list[tuple[float, float]] = []
        better, content, jumps, after = len(values), 0, 0, 0
        for place in range(len(values) - 1, -1, -1):
            self.better.append(better)
            self.contents.append(content)
            self.costs.append(self.cost(len(values) - 1 - place, jumps + 1))
            if values[place] != after:
                jumps += 1
                after = values[place]
            if after:
                better, content = place, math.gcd(content, after)
        for found in (self.better, self.contents, self.costs):
            found.reverse()

    def cost(self, reach: int, jumps: int) -> tuple[float, float]:
        """What the sums cost, die by die and by recurrence, when the better values reach so far and jump so often."""
        by_die = (
            5
            + 2 * reach * (self.kept > 1) * (1 + self.bits / 900)
            + self.kept * (8 + self.bits / 100 + self.bits**2 / 2e5)
        )
        by_die += max(0, self.kept - 2) * _times_cost(reach * (self.kept + 1) / 2, jumps, jumps == 2, self.bits)
        if self.kept < LEAST_RUN or not reach:
            return by_die, math.inf
        source = 4 + self.bits / 400 + (self.bits / 2) ** 2 / 7e4
        by_run = 2 * reach * self.kept * (_run_cost(2 * jumps, self.bits) + source) + 300
        return by_die, by_run + reach * self.kept * _run_cost(2 * jumps - 1, self.bits)

    def dropping_cost(self) -> float:
        """What `by_dropped` costs."""
        dropped, reaches = self.count - self.kept, range(len(self.values) - 1, 0, -1)
        jumps, is_plain = len(_jumps(self.values)), set(self.values) == {1}
        factor = dropped * self.bits * (self.bits / self.count + math.log2(self.count)) / 1.4e5
        powers = self.kept * _run_cost(2 * jumps - 1, self.bits) / (2 if is_plain else 1)
        each = _times_cost(self.count, jumps, is_plain, self.bits) + self.count * (2 + self.bits / 400 + factor)
        return sum(100 + reach * (powers + dropped * each) for reach in reaches)

    def by_place(self) -> list[int]:
        """Add up over the value of the worst kept die."""
        sums, worse = [0] * ((len(self.values) - 1) * self.kept + 1), 0
        for place, number in enumerate(self.values):
            if number:
                by_die, by_run = self.costs[place]
                part = self.die_by_die(place, worse) if by_die <= by_run else self.by_recurrence(place, worse)
                _shift_in(sums, part, self.kept * place, len(part))
            worse += number
        return sums

    def by_dropped(self) -> list[int]:
        """Start with all dice at their best and, for each value, correct the outcomes in which few dice are below.

        If k + i dice are at a value or above and i of them are to be dropped, their sum counts with i times the value
        taken off. From the value before, where the same dice stood for the same, that is taken back.
        """
        sums = _powers([_Group(self.values, 1, self.count)])
        worse, before, spare = self.values[0], 0, self.count - self.kept
        for place in range(1, len(self.values)):
            if not self.values[place]:
                continue
            tail, start = _Group(self.values[place:], 1, self.kept), self.kept * place
            power, jumps = _powers([tail]), tail.jumps
            for extra in range(1, spare + 1):
                power = _times(power, jumps)
                factor = math.comb(self.count, self.kept + extra) * worse ** (spare - extra)
                part = list(map(operator.mul, repeat(factor), power))
                _shift_in(sums, part, start, len(part))
                _shift_in(sums, map(operator.neg, part), start + (place - before) * extra, len(part))
            worse, before = worse + self.values[place], place
        return sums

    def die_by_die(self, place: int, worse: int) -> list[int]:
        """Add up over how many dice are better, by Horner's rule: each step multiplies by one more such die."""
        ways = _finished(self.count, self.kept, self.values[place], worse + self.values[place])
        if self.kept == 1 or place == len(self.values) - 1:
            return ways[:1]
        choices, better, content = 1, self.better[place], self.contents[place]
        for above in range(self.kept):
            ways[above] *= choices
            choices = choices * content * (self.count - above) // (above + 1)
        die = self.values[better:] if content == 1 else [number // content for number in self.values[better:]]
        jumps = _jumps(die) if self.kept > 2 else {}
        most, gap = ways.pop(), [0] * (better - place - 1)
        sums = [ways.pop(), *gap, *map(operator.mul, repeat(most), die)]
        while ways:
            sums = [ways.pop(), *gap, *_times(sums, jumps)]
        return sums

    def by_recurrence(self, place: int, worse: int) -> list[int]:
        """Take the ways in which too few dice are as good or better from those in which too few are better."""
        better = self.better[place]
        sums = self.too_few(better, better - place, worse + self.values[place])
        return list(map(operator.sub, sums, self.too_few(place, 0, worse))) if worse else sums

    def too_few(self, first: int, gap: int, worse: int) -> list[int]:
        """Count the sums of fewer than `kept` dice that show a value from `first` on; the others show a worse one.

        Values are `gap` higher than their distance from the first. With y = u/(1 - x) for one die that is up and L
        ways for one that is not, the sum f over a < k of C(n, a) y^a L^(n-a) obeys
        (L + y) f' = n y' f - C(n, k) L^(n-k+1) (y^k)'.
        """
        count, kept = self.count, self.kept
        group = _Group(self.values[first:], 1, kept)
        die = {place + gap: jump for place, jump in group.jumps.items()}
        right = _multiply({place - 1: count * place * jump for place, jump in die.items() if place}, FALL)
        _add(right, {place: count * jump for place, jump in die.items()})
        left = _multiply({0: worse, 1: -worse}, FALL)
        _add(left, _multiply(die, FALL))
        none = 0 if gap else self.values[first]
        start = sum(math.comb(count, up) * none**up * worse ** (count - up) for up in range(kept))
        if first not in self.powers:
            self.powers = {first: _powers([group])}
        length = (kept - 1) * (gap + len(group.values) - 1) + 1
        power = chain(repeat(0, gap * kept), self.powers[first])
        slopes = [place * ways for place, ways in enumerate(islice(power, length))]
        factor = -math.comb(count, kept) * worse ** (count - kept + 1)
        for _ in range(2):  # times 1 - x, twice
            slopes = list(map(operator.sub, slopes, chain([0], slopes)))
        source = (factor * slope if slope else 0 for slope in slopes[1:])
        return _run(start, left[0], _terms(left, right), length, source)


LEAST_RUN = 12
"""How many dice must be kept before a recurrence is thought of; with fewer it never pays."""
FALL: Counts = {0: 1, 1: -1}
"""1 - x: what makes a running sum out of a polynomial when it divides it."""


def _finished(count: int, kept: int, number: int, rest: int) -> list[int]:
    """Count, by how many dice are up before a value, the ways in which the kept dice are complete with it.

    A value comes up in `number` ways, this or a worse one in `rest` ways. Of n = count - up free dice at least
    t = kept - up must show the value; the ways with fewer follow from those for one die less, because n - t is fixed.
    """
    worse, spare = rest - number, count - kept
    too_few, ways = 0, [rest**spare]
    edge = worse ** (spare + 1)
    for needed in range(1, kept + 1):
        too_few = rest * too_few + math.comb(spare + needed - 1, needed - 1) * number ** (needed - 1) * edge
        ways.append(rest ** (spare + needed) - too_few)
    return ways[:0:-1]


def _shift_in(sums: list[int], part: Iterable[int], start: int, length: int) -> None:
    """Add a polynomial to another, from a place on."""
    here = slice(start, start + length)
    sums[here] = map(operator.add, sums[here], part)


def _packed(values: list[int], width: int) -> int:
    return int.from_bytes(b"".join(value.to_bytes(width, "little") for value in values), "little")


def _unpacked(packed: int, width: int, length: int) -> list[int]:
    raw = packed.to_bytes(width * length, "little")
    return [int.from_bytes(raw[place : place + width], "little") for place in range(0, width * length, width)]


def add(one: Counts, other: Counts, work: Work) -> Counts:
    """Count the sums of two independent numbers."""
    bits = _bits(one) + _bits(other)
    limit_digits(bits)
    lows, highs = (min(one), min(other)), (max(one), max(other))
    step = math.gcd(*(total - lows[0] for total in one), *(total - lows[1] for total in other)) or 1
    sizes = [(high - low) // step + 1 for low, high in zip(lows, highs, strict=True)]
    length = sum(sizes) - 1
    pairwise = 3 * len(one) * len(other) * (1 + bits / 1_500)
    if length > OUTCOMES_LIMIT:
        return _pairwise(one, other, operator.add, work)
    width = bits // 8 + 1
    digits = [size * width * 8 / 30 for size in sizes]
    packed = _multiplying(min(digits), max(digits)) + (4 + bits / 500) * length
    if pairwise < packed:
        return _pairwise(one, other, operator.add, work)
    work.spend(packed)
    product = _packed(_listed(one, step), width) * _packed(_listed(other, step), width)
    ways = _unpacked(product, width, length)
    return {sum(lows) + step * place: number for place, number in enumerate(ways) if number}


def _multiplying(short: float, long: float) -> float:
    """What multiplying integers of so many 30-bit digits costs, in small operations (Karatsuba beyond 70 digits)."""
    return 0.0125 * long * (short if short < 70 else 70 * (short / 70) ** 0.585)


def multiply(one: Counts, other: Counts, work: Work) -> Counts:
    """Count the products of two independent numbers."""
    limit_digits(_bits(one) + _bits(other))
    return _pairwise(one, other, operator.mul, work)


def negative(counts: Counts) -> Counts:
    """Count the same numbers with the other sign."""
    return {-total: ways for total, ways in counts.items()}


def _pairwise(one: Counts, other: Counts, combine: Callable[[int, int], int], work: Work) -> Counts:
    work.spend(len(one) * len(other) * 3, _bits(one) + _bits(other))
    sums: Counts = {}
    for number, ways in one.items():
        for there, others in other.items():
            total = combine(number, there)
            sums[total] = sums.get(total, 0) + ways * others
        limit_outcomes(len(sums))
    return sums


def _listed(counts: Mapping[int, int], step: int) -> list[int]:
    low, high = min(counts), max(counts)
    return [counts.get(total, 0) for total in range(low, high + 1, step)]


def _bits(counts: Counts) -> int:
    """How many bits the number of all ways has, or a few more."""
    return max(counts.values()).bit_length() + len(counts).bit_length()
