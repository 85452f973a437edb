"""Exact counting: the number of equally likely outcomes that give each total of many dice.

The ways to the values of one die are the coefficients of a polynomial; the ways to the totals of several dice are the
coefficients of the product. Multiplied by 1 - x, a die's polynomial has few terms: it is zero except where the ways
change from one value to the next. So one more die takes a few shifted copies and a running sum, and hundreds of equal
dice are a recurrence of a few terms.
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
"""The maximum number of distinct totals to count."""
MAX_WORK = 10_000_000
"""The maximum work for one distribution, in additions of small integers (0.02 to 0.04 microseconds each)."""
MAX_DIGITS = 4_000
"""The maximum number of digits of the number of outcomes."""
TERM = 3
"""The cost of a recurrence's term per coefficient, in additions: two multiplications and an addition."""

Counts = dict[int, int]
"""Ways by total, without zeros; or a sparse polynomial: its coefficients by power."""


CountedPool = tuple[list[int], int, int]
"""A pool: the ways of one die by value, the number of dice, and a factor that is not zero."""


class WorkBudget:
    """The remaining work for one distribution. It counts operations, so the result never depends on a clock."""

    def __init__(self) -> None:
        """Start with the whole budget."""
        self.left = MAX_WORK

    def spend(self, additions: float, bits: float = 0) -> None:
        """Subtract additions from the budget.

        An addition costs as much again for every 1,500 bits of its integers. Raises `dice.limit.work` when the budget
        is spent.
        """
        self.left -= int(additions * (1 + bits / 1_500)) + 1
        if self.left < 0:
            refuse("dice.limit.work", f"chances that take at most {MAX_WORK:,} steps to count", "more steps")


def refuse_many_outcomes(totals: int) -> None:
    """Raise `dice.limit.outcomes` for more than 20,000 distinct totals."""
    if totals > MAX_OUTCOMES:
        refuse("dice.limit.outcomes", f"at most {MAX_OUTCOMES:,} different totals to count", f"{totals:,}")


def refuse_many_digits(bits: float) -> None:
    """Raise `dice.limit.digits` if the number of outcomes has more than 4,000 digits."""
    digits = int(bits * math.log10(2))
    if digits > MAX_DIGITS:
        expected = f"a number of outcomes of at most {MAX_DIGITS:,} digits"
        refuse("dice.limit.digits", expected, f"about {digits:,} digits")


def count_single_die_ways(pool: Dice) -> list[int]:
    """Count the ways to each value of one die of a pool, from value 0.

    Includes rerolls and extra dice. The ways have no common divisor.
    """
    refuse_many_outcomes(pool.sides * (pool.depth + 1))
    faces = _count_face_ways(pool)
    sides, extra = pool.sides, [1]
    for depth in range(pool.depth):
        extra = [0, *([sides**depth] * (sides - 1)), *extra]
    scale = sides**pool.depth
    ways = [0, *(number * scale for number in faces[:-1]), *(faces[-1] * number for number in extra)]
    common = math.gcd(*ways)
    return [number // common for number in ways]


def _count_face_ways(pool: Dice) -> list[int]:
    """Count the ways to each face after rerolls, from face 1."""
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
    """A number of equal dice."""

    values: Sequence[int]
    """The ways of one die by value, in units of `step` above its lowest; the first and last are not zero."""
    step: int
    """The distance between adjacent values."""
    count: int
    """How many dice there are."""

    @property
    def sum_span(self) -> int:
        """The difference between the highest and the lowest sum."""
        return (len(self.values) - 1) * self.step * self.count

    @property
    def outcome_bits(self) -> float:
        """The approximate number of bits of the number of outcomes."""
        return math.log2(sum(self.values)) * self.count


def count_pool_totals(pools: Iterable[CountedPool], work: WorkBudget) -> Counts:
    """Count the totals of dice rolled together.

    Pools of equal dice are counted together, so that d6+d6 costs the same as 2d6, and so does d6-d6.
    """
    start = 0
    found: Counter[tuple[tuple[int, ...], int]] = Counter()
    for ways, count, factor in pools:
        low, step, values = _find_start_step_ways(ways)
        start += count * factor * (low if factor > 0 else low + step * (len(values) - 1))
        found[values if factor > 0 else values[::-1], step * abs(factor)] += count
    groups = [_Group(values, step, count) for (values, step), count in found.items()]
    refuse_many_digits(sum(group.outcome_bits for group in groups))
    return {start + total: ways for total, ways in _count_group_totals(groups, work).items()}


def _find_start_step_ways(ways: list[int]) -> tuple[int, int, tuple[int, ...]]:
    """Find the first value with ways, the step between such values, and their ways.

    The ways run from the first to the last such value.
    """
    places = [place for place, number in enumerate(ways) if number]
    step = math.gcd(*(place - places[0] for place in places)) or 1
    return places[0], step, tuple(ways[places[0] : places[-1] + 1 : step])


def _count_group_totals(groups: list[_Group], work: WorkBudget) -> Counts:
    """Count the totals of groups, together unless their shared grid gets too long."""
    apart: list[list[_Group]] = []
    for group in sorted(groups, key=lambda group: group.step):
        if apart and _count_grid_points([*apart[-1], group]) <= _count_grid_points(apart[-1]) * _count_grid_points(
            [group]
        ):
            apart[-1].append(group)
        else:
            apart.append([group])
    parts = [_count_totals_on_grid(part, work) for part in sorted(apart, key=_count_grid_points)]
    return reduce(lambda one, other: count_sums_of_two(one, other, work), parts)


def _count_grid_points(groups: list[_Group]) -> int:
    """Count the totals that groups have at most, on the grid that their steps share."""
    return 1 + sum(group.sum_span for group in groups) // _find_common_step(groups)


def _find_common_step(groups: list[_Group]) -> int:
    """Find the greatest common divisor of the groups' steps."""
    return math.gcd(*(group.step for group in groups)) or 1


def _count_totals_on_grid(groups: list[_Group], work: WorkBudget) -> Counts:
    """Count the totals of groups: many equal dice by one recurrence, others die by die.

    A die costs one addition per coefficient and jump, over sums that on average are half their final length.
    """
    grid = _find_common_step(groups)
    refuse_many_outcomes(_count_grid_points(groups))
    bits = sum(group.outcome_bits for group in groups)
    together: list[_Group] = []
    alone: list[_Group] = []
    recurrence = _build_recurrence([])
    for group in sorted(groups, key=lambda group: -group.count):
        on_grid = _Group(group.values, group.step // grid, group.count)
        more = _build_recurrence([*together, on_grid])
        if (len(more.terms) - len(recurrence.terms)) * TERM < group.count * len(_find_jumps(group.values)) / 2:
            together.append(on_grid)
            recurrence = more
        else:
            alone += [on_grid] * group.count
    known = 1 + sum(group.sum_span for group in together)
    work.spend(known * len(recurrence.terms) * TERM, bits)
    work.spend(
        (known + _count_grid_points(groups)) / 2 * sum(len(_find_jumps(die.values)) for die in alone),
        bits,
    )
    sums = recurrence.compute_coefficients(math.prod(group.values[0] ** group.count for group in together), known)
    for die in alone:
        sums = _add_one_die(sums, _find_jumps(die.values), die.step)
    return {grid * place: ways for place, ways in enumerate(sums) if ways}


def _find_jumps(values: Sequence[int]) -> Counts:
    """Find where the coefficients change, and by how much.

    The result is the polynomial times 1 - x. It has few terms, because the ways of dice seldom change.
    """
    steps = map(operator.sub, (*values, 0), (0, *values))
    return {place: step for place, step in enumerate(steps) if step}


def _add_one_die(sums: list[int], jumps: Counts, step: int = 1) -> list[int]:
    """Multiply the sums by one more die.

    Adds shifted copies where the die's ways jump; a running sum then divides by 1 - x^step.
    """
    first, *others = jumps
    steps = [jumps[first] * ways for ways in sums] if jumps[first] > 1 else sums.copy()
    steps += [0] * (others[-1] * step)
    for place in others:
        _add_shifted(steps, sums, place * step, jumps[place])
    for start in range(step):
        steps[start::step] = accumulate(steps[start::step])
    del steps[-step:]
    return steps


def _add_shifted(sums: list[int], part: Sequence[int], start: int, times: int = 1) -> None:
    """Add a polynomial, multiplied by `times`, to another in place, shifted by `start`."""
    here = slice(start, start + len(part))
    if times == -1:
        sums[here] = map(operator.sub, sums[here], part)
    else:
        sums[here] = map(operator.add, sums[here], part if times == 1 else [times * ways for ways in part])


@dataclass(frozen=True, slots=True)
class _Recurrence:
    """The equation A f' = B f of a polynomial f, where A and B have few terms.

    Comparing coefficients gives each coefficient of f from a few earlier ones.
    """

    left: Counts
    """A: coefficients by power."""
    right: Counts
    """B: coefficients by power."""

    @property
    def terms(self) -> list[tuple[int, int, int]]:
        """The delays in rising order, each with its coefficients of B and A."""
        delays = {*self.left, *(place + 1 for place in self.right)} - {0}
        return [(delay, self.right.get(delay - 1, 0), self.left.get(delay, 0)) for delay in sorted(delays)]

    def compute_coefficients(self, first: int, length: int, source: Sequence[int] = ()) -> list[int]:
        """Return the first `length` coefficients of f.

        `first` is the first of them. With a source, the equation is A f' = B f + source.
        """
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


def _build_recurrence(groups: list[_Group]) -> _Recurrence:
    """Build the recurrence of the product of groups, each to the power of its count.

    For f = p^n q^m it is f'/f = n p'/p + m q'/q. With p = u/(1 - x^step), where u has few terms, all factors have few
    terms, some to a negative power. Multiplied by all of them, both sides have few terms as well.
    """
    powers = [
        ({place * each.step: jump for place, jump in _find_jumps(each.values).items()}, each.count) for each in groups
    ]
    for step in {group.step for group in groups}:
        powers.append(({0: 1, step: -1}, -sum(group.count for group in groups if group.step == step)))
    left: Counts = {0: 1}
    right: Counts = {}
    for factor, power in powers:
        slope = {place - 1: power * place * number for place, number in factor.items() if place}
        right = _add_polynomials(_multiply_polynomials(right, factor), _multiply_polynomials(left, slope))
        left = _multiply_polynomials(left, factor)
    return _Recurrence(left, right)


def _multiply_polynomials(one: Counts, other: Counts) -> Counts:
    """Multiply two sparse polynomials."""
    product: Counts = {}
    for place, number in one.items():
        product = _add_polynomials(product, {place + there: number * factor for there, factor in other.items()})
    return product


def _add_polynomials(one: Counts, other: Counts) -> Counts:
    """Add two sparse polynomials."""
    sums = {place: one.get(place, 0) + other.get(place, 0) for place in one.keys() | other.keys()}
    return {place: number for place, number in sums.items() if number}


def _count_equal_dice_sums(values: Sequence[int], count: int) -> list[int]:
    """Return the ways to the sums of `count` equal dice, from the lowest sum."""
    group = _Group(values, 1, count)
    return _build_recurrence([group]).compute_coefficients(values[0] ** count, group.sum_span + 1)


# The best dice of a pool


def count_kept_sums(ways: list[int], count: int, kept: int, highest: bool, work: WorkBudget) -> Counts:
    """Count the sums of the highest or lowest `kept` of `count` dice.

    `ways` are those of one die by value; `kept` is less than `count`. The lowest kept die shows some value, and fewer
    than `kept` dice show a better one. Three algorithms add that up; the cheapest is used.
    """
    if not highest:
        best = count_kept_sums(ways[::-1], count, kept, True, work)
        return {kept * (len(ways) - 1) - total: number for total, number in best.items()}
    low, step, values = _find_start_step_ways(ways)
    bits = _Group(values, 1, count).outcome_bits
    refuse_many_digits(bits)
    refuse_many_outcomes((len(values) - 1) * kept + 1)
    # Over all values: the sum of the ranges of better values, and the additions to multiply by one better die each.
    reaches, once, jumps = len(values) * (len(values) - 1) / 2, 0, 2
    for reach in range(1, len(values)):
        jumps += reach > 1 and values[-reach] != values[1 - reach]
        once += reach * jumps
    # The estimates in the same order: kept² / 2 multiplications, the first of them short; two more additions for each
    # dropped die, after a recurrence; recurrences with about ten terms. The factors are measured.
    algorithms = (
        (count_kept_by_better_dice, (once * (kept - 2) + 8 * reaches) * (kept - 1) / 2),
        (count_kept_by_dropped_dice, once * count * 2 * (TERM + count - kept)),
        (count_kept_by_recurrence, once * kept * TERM * 10),
    )
    count_sums, cost = min(algorithms, key=operator.itemgetter(1))
    work.spend(cost + 10 * len(values) * kept * (1 + bits / 1_500), bits)
    return {low * kept + step * place: number for place, number in enumerate(count_sums(values, count, kept)) if number}


def count_kept_by_better_dice(values: Sequence[int], count: int, kept: int) -> list[int]:
    """Count by the value of the worst kept die and the number of better dice."""
    sums, worse = [0] * ((len(values) - 1) * kept + 1), 0
    for place, number in enumerate(values):
        if number:
            complete = _count_not_better_ways(count - kept, kept, number, worse)
            worse += number
            ways = [math.comb(count, up) * complete[kept - up] for up in range(kept)]
            _add_shifted(sums, ways if kept == 1 else _add_better_dice(ways, values[place + 1 :]), place * kept)
    return sums


def _count_not_better_ways(spare: int, kept: int, number: int, worse: int) -> list[int]:
    """Count the ways of the dice that are not better, by how many are needed.

    `worse` and `number` are the ways of one die to show a value worse than the worst kept one, and exactly that value.
    With t needed dice, from 0 to `kept`, there are `spare` + t dice, of which at least t show the value. One more die
    may show either; it has to show the value where otherwise only t - 1 dice would.
    """
    ways, edge = [(number + worse) ** spare], worse ** (spare + 1)
    for needed in range(1, kept + 1):
        ways.append((number + worse) * ways[-1] - math.comb(spare + needed - 1, spare) * edge)
        edge *= number
    return ways


def _add_better_dice(ways: list[int], better: Sequence[int]) -> list[int]:
    """Add the sums of better dice above the worst kept value, by Horner's rule.

    `ways` are the ways to have 0, 1, … better dice; each step multiplies by one more better die.
    """
    if not any(better):
        return ways[:1]
    gap, content = 1 + next(place for place, number in enumerate(better) if number), math.gcd(*better)
    jumps = _find_jumps([number // content for number in better[gap - 1 :]])
    sums = [ways[-1] * content ** (len(ways) - 1)]
    for up in reversed(range(len(ways) - 1)):
        sums = [ways[up] * content**up, *[0] * (gap - 1), *_add_one_die(sums, jumps)]
    return sums


def count_kept_by_dropped_dice(values: Sequence[int], count: int, kept: int) -> list[int]:
    """Start with all dice at their best and correct, value by value, for dice below.

    If k + i dice are at a value or above and i of them are dropped, their sum counts with i times the value subtracted.
    The contribution of the same dice at the value before is subtracted again.
    """
    sums, worse, before, spare = _count_equal_dice_sums(values, count), values[0], 0, count - kept
    for place in range(1, len(values)):
        if values[place]:
            power, jumps = _count_equal_dice_sums(values[place:], kept), _find_jumps(values[place:])
            for extra in range(1, spare + 1):
                power = _add_one_die(power, jumps)
                times = math.comb(count, kept + extra) * worse ** (spare - extra)
                part = [times * ways for ways in power]
                _add_shifted(sums, part, place * kept)
                _add_shifted(sums, part, place * kept + (place - before) * extra, -1)
            worse, before = worse + values[place], place
    return sums


def count_kept_by_recurrence(values: Sequence[int], count: int, kept: int) -> list[int]:
    """Subtract, for each value, the outcomes with too few dice at it or better.

    They are subtracted from the outcomes with too few better dice; both are recurrences.
    """
    sums, worse, before = [0] * ((len(values) - 1) * kept + 1), values[0], 0
    for place in range(1, len(values)):
        if values[place]:
            power = _count_equal_dice_sums(values[place:], kept - 1)
            for start, gap, times in ((before, place - before, 1), (place, 0, -1)):
                _add_shifted(
                    sums, _count_sums_of_too_few(values[place:], gap, worse, (count, kept), power), start * kept, times
                )
            worse, before = worse + values[place], place
    sums[-1] += sum(values) ** count
    return sums


def _count_sums_of_too_few(
    values: Sequence[int], gap: int, worse: int, pool: tuple[int, int], power: list[int]
) -> list[int]:
    """Count the sums of fewer than `kept` dice at a value or better.

    `pool` is the number of dice and `kept`. The others show a worse value, in `worse` ways each. A die at the value or
    better has the ways `values`, from the value `gap` on; `power` are the sums of kept - 1 of them, without the gap.
    With y for such a die and L ways for another, the sum f over a < k of C(n, a) y^a L^(n-a) obeys (L + y) f' = n y' f
    - k C(n, k) L^(n-k+1) y^(k-1) y'. Multiplied by (1 - x)², all but the power has few terms.
    """
    (count, kept), fall = pool, {0: 1, 1: -1}
    die = {gap + place: jump for place, jump in _find_jumps(values).items()}
    slope = _add_polynomials(
        _multiply_polynomials({place - 1: place * jump for place, jump in die.items() if place}, fall), die
    )
    left = _multiply_polynomials(_add_polynomials({0: worse, 1: -worse}, die), fall)
    length = (kept - 1) * (len(values) - 1 + gap) + 1
    source = [0] * (length + max(slope, default=0))
    for place, number in slope.items():
        _add_shifted(source, power, (kept - 1) * gap + place, number)
    times = -kept * math.comb(count, kept) * worse ** (count - kept + 1)
    none = 0 if gap else values[0]
    first = sum(math.comb(count, up) * none**up * worse ** (count - up) for up in range(kept if none else 1))
    return _Recurrence(left, {place: count * number for place, number in slope.items()}).compute_coefficients(
        first, length, [times * ways for ways in source]
    )


# Two numbers


def count_sums_of_two(one: Counts, other: Counts, work: WorkBudget) -> Counts:
    """Count the sums of two independent numbers.

    Combines them pair by pair, or packs each into one integer, whose product contains all sums.
    """
    bits = _bound_outcome_bits(one) + _bound_outcome_bits(other)
    refuse_many_digits(bits)
    low, there = min(one), min(other)
    step = math.gcd(*(total - low for total in one), *(total - there for total in other)) or 1
    start, length = low + there, (max(one) - low + max(other) - there) // step + 1
    if length > MAX_OUTCOMES or len(one) * len(other) < 4 * length:
        return _combine_pairwise(one, other, operator.add, work)
    width = bits // 8 + 1
    # Eighty products of 30-bit digits take as long as one addition. Beyond 70 digits CPython multiplies by Karatsuba's
    # algorithm: twice as many digits take three times as long.
    short, long = sorted(width * 8 / 30 * ((max(each) - min(each)) // step + 1) for each in (one, other))
    products = long * (short if short < 70 else 70 * (short / 70) ** (math.log2(3) - 1))
    work.spend(products / 80 + (4 + bits / 500) * length)
    product = _pack_into_integer(one, step, width) * _pack_into_integer(other, step, width)
    raw = product.to_bytes(width * length, "little")
    ways = (int.from_bytes(raw[place : place + width], "little") for place in range(0, width * length, width))
    return {start + step * place: number for place, number in enumerate(ways) if number}


def _pack_into_integer(counts: Counts, step: int, width: int) -> int:
    """Pack counts into one integer, `width` bytes for each total."""
    totals = range(min(counts), max(counts) + 1, step)
    return int.from_bytes(b"".join(counts.get(total, 0).to_bytes(width, "little") for total in totals), "little")


def count_products_of_two(one: Counts, other: Counts, work: WorkBudget) -> Counts:
    """Count the products of two independent numbers."""
    refuse_many_digits(_bound_outcome_bits(one) + _bound_outcome_bits(other))
    return _combine_pairwise(one, other, operator.mul, work)


def _combine_pairwise(one: Counts, other: Counts, combine: Callable[[int, int], int], work: WorkBudget) -> Counts:
    """Combine each number of the first with each of the second.

    A pair costs as much as ten additions.
    """
    work.spend(len(one) * len(other) * 10, _bound_outcome_bits(one) + _bound_outcome_bits(other))
    sums: Counts = {}
    for number, ways in one.items():
        for there, others in other.items():
            total = combine(number, there)
            sums[total] = sums.get(total, 0) + ways * others
        refuse_many_outcomes(len(sums))
    return sums


def _bound_outcome_bits(counts: Counts) -> int:
    """Return an upper bound of the bits of the number of outcomes."""
    return max(counts.values()).bit_length() + len(counts).bit_length()
