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
from itertools import accumulate

from scratch_core.dice.notation import Dice, refuse

MAX_OUTCOMES = 20_000
"""The maximum number of distinct totals to count."""
MAX_WORK = 20_000_000
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


def require_few_outcomes(total_count: int) -> None:
    """Raise `dice.limit.outcomes` for more than 20,000 distinct totals."""
    if total_count > MAX_OUTCOMES:
        refuse("dice.limit.outcomes", f"at most {MAX_OUTCOMES:,} different totals to count", f"{total_count:,}")


def require_few_digits(bits: float) -> None:
    """Raise `dice.limit.digits` if the number of outcomes has more than 4,000 digits."""
    digits = int(bits * math.log10(2))
    if digits > MAX_DIGITS:
        expected = f"a number of outcomes of at most {MAX_DIGITS:,} digits"
        refuse("dice.limit.digits", expected, f"about {digits:,} digits")


def count_ways_by_die_value(pool: Dice) -> list[int]:
    """Count the ways to each value of one die of a pool, from value 0.

    Includes rerolls and extra dice. The ways have no common divisor.
    """
    require_few_outcomes(pool.sides * (pool.depth + 1))
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


def count_pool_totals(pools: Iterable[CountedPool], work: WorkBudget) -> Counts:
    """Count the totals of dice rolled together.

    Pools of equal dice are counted together, so that d6+d6 costs the same as 2d6, and so does d6-d6.
    """
    start = 0
    equal_dice: Counter[tuple[tuple[int, ...], int]] = Counter()
    for ways, count, factor in pools:
        low, step, values = _compress_ways(ways)
        start += count * factor * (low if factor > 0 else low + step * (len(values) - 1))
        equal_dice[values if factor > 0 else values[::-1], step * abs(factor)] += count
    require_few_digits(sum(math.log2(sum(values)) * count for (values, _), count in equal_dice.items()))
    totals: Counts = {start: 1}
    for (values, step), count in sorted(equal_dice.items(), key=lambda dice: dice[0][1]):  # the finest steps first
        sums = _count_sums_of_equal_dice(values, count, work)
        totals = count_sums_of_two(totals, {step * place: ways for place, ways in enumerate(sums) if ways}, work)
    return totals


def _compress_ways(ways: list[int]) -> tuple[int, int, tuple[int, ...]]:
    """Find the first value with ways, the step between such values, and their ways.

    The ways run from the first to the last such value.
    """
    places = [place for place, number in enumerate(ways) if number]
    step = math.gcd(*(place - places[0] for place in places)) or 1
    return places[0], step, tuple(ways[places[0] : places[-1] + 1 : step])


def _count_sums_of_equal_dice(die_ways: Sequence[int], count: int, work: WorkBudget) -> list[int]:
    """Count the sums of equal dice, from the lowest sum.

    `die_ways` are the ways of one die; the first and last are not zero. The sums are the coefficients of f = p^n, where
    p has the ways as coefficients. With q = (1 - x) p, which has few terms, q (1 - x) f' = n (q' (1 - x) + q) f.
    Comparing coefficients gives each coefficient of f from a few earlier ones. The sums of dice whose ways are a
    palindrome, as those of fair dice, are one too, so the second half is copied from the first.
    """
    length = (len(die_ways) - 1) * count + 1
    require_few_outcomes(length)
    jumps = _compute_differences(die_ways)
    left = _multiply_by_one_minus_x(jumps)
    right = _multiply_by_one_minus_x({place - 1: place * number for place, number in jumps.items() if place})
    for place, number in jumps.items():
        right[place] = right.get(place, 0) + number
    delays = sorted({*left, *(place + 1 for place in right)} - {0})
    terms = [(delay, count * right.get(delay - 1, 0), left.get(delay, 0)) for delay in delays]
    work.spend(length * len(terms) * TERM, math.log2(sum(die_ways)) * count)
    counted = (length + 1) // 2 if die_ways == die_ways[::-1] else length
    sums = [die_ways[0] ** count]
    for place in range(1, counted):
        ways = 0
        for delay, b, a in terms:
            if delay > place:
                break
            ways += (b - a * (place - delay)) * sums[place - delay]
        sums.append(ways // (die_ways[0] * place))
    return sums + sums[: length - counted][::-1]


def _compute_differences(ways: Sequence[int]) -> Counts:
    """Find where the coefficients change, and by how much.

    The result is the polynomial times 1 - x. It has few terms, because the ways of dice seldom change.
    """
    steps = map(operator.sub, (*ways, 0), (0, *ways))
    return {place: step for place, step in enumerate(steps) if step}


def _multiply_by_one_minus_x(polynomial: Counts) -> Counts:
    """Multiply a sparse polynomial by 1 - x."""
    places = {*polynomial, *(place + 1 for place in polynomial)}
    return {place: polynomial.get(place, 0) - polynomial.get(place - 1, 0) for place in places}


# The best dice of a pool


def count_kept_sums(ways: list[int], count: int, kept: int, highest: bool, work: WorkBudget) -> Counts:
    """Count the sums of the highest or lowest `kept` of `count` dice.

    `ways` are those of one die by value; `kept` is less than `count`. The lowest kept die shows some value, and fewer
    than `kept` dice show a better one: the sums are added up over that value and that number.
    """
    if not highest:
        best = count_kept_sums(ways[::-1], count, kept, True, work)
        return {kept * (len(ways) - 1) - total: number for total, number in best.items()}
    low, step, values = _compress_ways(ways)
    bits = math.log2(sum(values)) * count
    require_few_digits(bits)
    require_few_outcomes((len(values) - 1) * kept + 1)
    # Over all values: the sum of the ranges of better values, and the additions to multiply by one better die each.
    reaches, once, jumps = len(values) * (len(values) - 1) / 2, 0, 2
    for reach in range(1, len(values)):
        jumps += reach > 1 and values[-reach] != values[1 - reach]
        once += reach * jumps
    cost = (once * (kept - 2) + 8 * reaches) * (kept - 1) / 2  # kept² / 2 multiplications, the first of them short
    work.spend(cost + 10 * len(values) * kept * (1 + bits / 1_500), bits)
    sums, worse = [0] * ((len(values) - 1) * kept + 1), 0
    for place, number in enumerate(values):
        if number:
            complete = _count_not_better_ways(count - kept, kept, number, worse)
            worse += number
            up_ways = [math.comb(count, up) * complete[kept - up] for up in range(kept)]
            _add_shifted_in_place(sums, _add_better_dice(up_ways, values[place + 1 :]), place * kept)
    return {low * kept + step * place: number for place, number in enumerate(sums) if number}


def _count_not_better_ways(spare: int, kept: int, equal_ways: int, worse_ways: int) -> list[int]:
    """Count the ways of the dice that are not better, by how many are needed.

    `worse_ways` and `equal_ways` are the ways of one die to show a value worse than the worst kept one, and exactly
    that value. With t needed dice, from 0 to `kept`, there are `spare` + t dice, of which at least t show the value.
    One more die may show either; it has to show the value where otherwise only t - 1 dice would.
    """
    ways, edge = [(equal_ways + worse_ways) ** spare], worse_ways ** (spare + 1)
    for needed in range(1, kept + 1):
        ways.append((equal_ways + worse_ways) * ways[-1] - math.comb(spare + needed - 1, spare) * edge)
        edge *= equal_ways
    return ways


def _add_better_dice(ways_by_better_count: list[int], better_value_ways: Sequence[int]) -> list[int]:
    """Add the sums of better dice above the worst kept value, by Horner's rule.

    `ways_by_better_count` are the ways to have 0, 1, … better dice; each step multiplies by one more better die.
    """
    if not any(better_value_ways):
        return ways_by_better_count[:1]
    gap, content = (
        1 + next(place for place, number in enumerate(better_value_ways) if number),
        math.gcd(*better_value_ways),
    )
    jumps = _compute_differences([number // content for number in better_value_ways[gap - 1 :]])
    sums = [ways_by_better_count[-1] * content ** (len(ways_by_better_count) - 1)]
    for up in reversed(range(len(ways_by_better_count) - 1)):
        sums = [ways_by_better_count[up] * content**up, *[0] * (gap - 1), *_add_one_die(sums, jumps)]
    return sums


def _add_one_die(sums: list[int], jumps: Counts) -> list[int]:
    """Multiply the sums by one more die.

    Adds shifted copies where the die's ways jump; a running sum then divides by 1 - x.
    """
    first, *others = jumps
    steps = [jumps[first] * ways for ways in sums] if jumps[first] > 1 else sums.copy()
    steps += [0] * others[-1]
    for place in others:
        _add_shifted_in_place(steps, sums, place, jumps[place])
    return list(accumulate(steps[:-1]))


def _add_shifted_in_place(sums: list[int], addend: Sequence[int], shift: int, factor: int = 1) -> None:
    """Add a polynomial, multiplied by `factor`, to another in place, shifted by `shift`."""
    here = slice(shift, shift + len(addend))
    if factor == -1:
        sums[here] = map(operator.sub, sums[here], addend)
    else:
        sums[here] = map(operator.add, sums[here], addend if factor == 1 else [factor * ways for ways in addend])


# Two numbers


def count_sums_of_two(one: Counts, other: Counts, work: WorkBudget) -> Counts:
    """Count the sums of two independent numbers.

    Combines them pair by pair, or packs each into one integer, whose product contains all sums.
    """
    bits = _bound_outcome_bits(one) + _bound_outcome_bits(other)
    require_few_digits(bits)
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


def _pack_into_integer(counts: Counts, step: int, bytes_per_count: int) -> int:
    """Pack counts into one integer, `bytes_per_count` bytes for each total."""
    totals = range(min(counts), max(counts) + 1, step)
    return int.from_bytes(
        b"".join(counts.get(total, 0).to_bytes(bytes_per_count, "little") for total in totals), "little"
    )


def count_products_of_two(one: Counts, other: Counts, work: WorkBudget) -> Counts:
    """Count the products of two independent numbers."""
    require_few_digits(_bound_outcome_bits(one) + _bound_outcome_bits(other))
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
        require_few_outcomes(len(sums))
    return sums


def _bound_outcome_bits(counts: Counts) -> int:
    """Return an upper bound of the bits of the number of outcomes."""
    return max(counts.values()).bit_length() + len(counts).bit_length()
