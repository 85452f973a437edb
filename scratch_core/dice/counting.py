"""Counting: how many of the equally likely outcomes of many dice give each total, in exact integers.

A pool's counts are the coefficients of a polynomial, so that a sum of pools is a product of polynomials. Three ways
of multiplying keep that fast: a recurrence for powers, running sums for a few more dice, and whole polynomials
packed into one Python integer each for everything else.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate

from scratch_core.dice.notation import Dice, refuse

OUTCOMES_LIMIT = 20_000
"""The most distinct totals counted."""
WORK_LIMIT = 1_000_000
"""The most work spent on one distribution, in operations on small integers (about 0.1 microseconds each)."""
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


def sum_of_pools(pools: Iterable[tuple[list[int], int, int]], work: Work) -> Counts:
    """Count the totals of dice thrown together; each pool is the ways of one die, how many dice, and a sign.

    Pools of equal dice are counted together, so that d6+d6 costs what 2d6 does.
    """
    start, groups = 0, dict[tuple[int, ...], int]()
    for ways, count, sign in pools:
        low, values = _trimmed(ways)
        if sign < 0:
            low, values = 1 - low - len(values), values[::-1]
        start += low * count
        groups[values] = groups.get(values, 0) + count
    step = math.gcd(*(place for values in groups for place, ways in enumerate(values) if ways)) or 1
    slim = [(list(values[::step]), count) for values, count in groups.items()]
    totals = _product_of_powers(slim, work)
    return {start + step * place: ways for place, ways in enumerate(totals) if ways}


def _trimmed(ways: list[int]) -> tuple[int, tuple[int, ...]]:
    """The first value that has ways, and the ways from there to the last value that has some."""
    places = [place for place, number in enumerate(ways) if number]
    return places[0], tuple(ways[places[0] : places[-1] + 1])


def _product_of_powers(groups: list[tuple[list[int], int]], work: Work) -> list[int]:
    """Multiply polynomials, each taken to a power; first and last coefficients are not zero."""
    length = 1 + sum((len(values) - 1) * count for values, count in groups)
    limit_outcomes(length)
    bits = sum(math.log2(sum(values)) * count for values, count in groups)
    limit_digits(bits)
    by_recurrence: list[tuple[list[int], int]] = []
    one_by_one: list[list[int]] = []
    terms = 2
    for values, count in sorted(groups, key=lambda group: -group[1]):
        jumps = len(_jumps(values))
        if count > 1 and count * (jumps + 1) > terms * (jumps - 1):
            by_recurrence.append((values, count))
            terms *= jumps
        else:
            one_by_one += [values] * count
    product = _powers(by_recurrence, work, int(bits)) if by_recurrence else [1]
    for values in sorted(one_by_one, key=len):
        product = _times(product, values, work, int(bits))
    return product


def _jumps(values: list[int]) -> Counts:
    """The polynomial times 1 - x: zero but where its coefficients change, which in dice they seldom do."""
    return {
        place: after - before
        for place, (before, after) in enumerate(zip([0, *values], [*values, 0], strict=True))
        if after != before
    }


def _times(product: list[int], values: list[int], work: Work, bits: int) -> list[int]:
    """Multiply by one more die: shifted copies where its coefficients jump, then a running sum divides by 1 - x."""
    jumps = _jumps(values)
    work.spend(len(product) * (len(jumps) + 2), bits)
    length = len(product) + len(values)
    steps = [0] * length
    for place, jump in jumps.items():
        for at, ways in enumerate(product, place):
            steps[at] += jump * ways
    return list(accumulate(steps))[:-1]


def _powers(groups: list[tuple[list[int], int]], work: Work, bits: int) -> list[int]:
    """Multiply powers of polynomials by the recurrence that their product obeys.

    For f = p^n q^m … it is f'/f = n p'/p + m q'/q + …. With p = u/(1 - x), where u has few terms, multiplying out
    gives A f' = B f with few terms in A and B; comparing coefficients gives each coefficient of f from a few before.
    """
    jumps = [_jumps(values) for values, _ in groups]
    dice = sum(count for _, count in groups)
    all_jumps = _all(jumps)
    left = _multiply(all_jumps, {0: 1, 1: -1})
    right = {place: dice * jump for place, jump in all_jumps.items()}
    for index, (_, count) in enumerate(groups):
        slope = {place - 1: count * place * jump for place, jump in jumps[index].items() if place}
        others = _all(jumps[:index] + jumps[index + 1 :])
        _add(right, _multiply(_multiply(slope, others), {0: 1, 1: -1}))
    delays = sorted({place for place in left if place} | {place + 1 for place, value in right.items() if value})
    terms = [(delay, right.get(delay - 1, 0), left.get(delay, 0)) for delay in delays]
    length = 1 + sum((len(values) - 1) * count for values, count in groups)
    mirrored = all(values == values[::-1] for values, _ in groups)
    known = (length + 1) // 2 if mirrored else length
    work.spend(known * (2 * len(terms) + 2), bits)
    first = math.prod(values[0] ** count for values, count in groups)
    product = _run(first, left[0], terms, known)
    return product + product[length - known - 1 :: -1] if mirrored and length > known else product


def _run(first: int, lead: int, terms: list[tuple[int, int, int]], known: int) -> list[int]:
    """Run the recurrence: lead · m · f[m] = Σ (b - a (m - delay)) · f[m - delay]."""
    product = [first]
    for place in range(1, known):
        ways = 0
        for delay, b, a in terms:
            at = place - delay
            if at < 0:
                break
            ways += (b - a * at) * product[at]
        product.append(ways // (lead * place))
    return product


def _all(polynomials: list[Counts]) -> Counts:
    product: Counts = {0: 1}
    for polynomial in polynomials:
        product = _multiply(product, polynomial)
    return product


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

    Values are taken from the best downwards; the state is how many dice have come up so far, with the polynomial of
    their sum packed into one integer. Once `kept` dice are up the rest no longer matters, and is counted as a number.
    """
    values = [(value, number) for value, number in enumerate(ways) if number]
    if highest:
        values.reverse()
    origin = values[-1][0]
    span = abs(values[0][0] - origin)
    limit_outcomes(span * kept + 1)
    whole = sum(ways)
    bits = math.log2(whole) * count
    limit_digits(bits)
    width = int(bits) // 8 + 1
    digits = (span * kept + 1) * width * 8 / 30
    factor_digits = 1 + (count + kept * math.log2(max(number for _, number in values))) / 60
    work.spend(len(values) * (kept * (kept - 1) / 2) * (4 + digits * (0.012 + 0.003 * factor_digits)))
    finishing = kept * (8 + 0.012 * digits) + 0.0015 * digits * (kept - 1) * bits / 30
    work.spend(len(values) * finishing)
    binomials = [[math.comb(count - up, more) for more in range(kept - up)] for up in range(kept)]
    states, done, rest = [1] + [0] * (kept - 1), 0, whole
    for value, number in values:
        shift = abs(value - origin) * width * 8
        finished = _finished(count, kept, number, rest)
        for up in range(kept):
            if states[up]:
                done += (states[up] * finished[up]) << (shift * (kept - up))
        powers = [number**more for more in range(kept)]
        for up in range(kept - 1, 0, -1):
            states[up] += sum(
                (states[before] * (binomials[before][up - before] * powers[up - before])) << (shift * (up - before))
                for before in range(up)
                if states[before]
            )
        rest -= number
    sign = 1 if highest else -1
    sums = _unpacked(done, width, span * kept + 1)
    return {kept * origin + sign * place: number for place, number in enumerate(sums) if number}


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
