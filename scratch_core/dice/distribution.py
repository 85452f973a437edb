"""Probabilities: the exact distribution of an expression, and the chance of a check."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from types import MappingProxyType
from typing import NamedTuple

from scratch_core.dice.d20_substitutes import find_substitute_modifier
from scratch_core.dice.notation import (
    Dice,
    Expression,
    Node,
    Number,
    Product,
    compute_checked_bounds,
    list_unlabelled_terms,
    parse,
    pool_indices_of,
    refuse,
)
from scratch_core.dice.sum_counts import (
    CountedPool,
    Counts,
    WorkBudget,
    count_kept_sums,
    count_pool_totals,
    count_products_of_two,
    count_sums_of_two,
    count_ways_by_die_value,
)


class TotalWays(NamedTuple):
    """The ways to one total."""

    total: int
    """The total."""
    ways: int
    """The number of outcomes that give it."""
    ways_at_least: int
    """The number of outcomes that give it or a higher total."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """The number of equally likely outcomes that give each total."""

    counts: Mapping[int, int]
    """The outcomes by total, in rising order, none zero."""
    total: int
    """The number of all outcomes."""

    @property
    def minimum(self) -> int:
        """The lowest possible total."""
        return next(iter(self.counts))

    @property
    def maximum(self) -> int:
        """The highest possible total."""
        return next(reversed(self.counts.keys()))  # type: ignore[call-overload, no-any-return]  # a dictionary's keys can be

    @property
    def mean(self) -> Fraction:
        """The exact mean."""
        return Fraction(sum(number * ways for number, ways in self.counts.items()), self.total)

    def chance_of(self, number: int) -> Fraction:
        """Return the chance of exactly this total."""
        return Fraction(self.counts.get(number, 0), self.total)

    def chance_at_least(self, number: int) -> Fraction:
        """Return the chance of at least this total (`roll.success`)."""
        return Fraction(sum(ways for total, ways in self.counts.items() if total >= number), self.total)

    def list_totals_with_cumulative_ways(self) -> Iterator[TotalWays]:
        """Yield each total, its ways, and the ways to it or a higher total.

        Totals rise.
        """
        left = self.total
        for number, ways in self.counts.items():
            yield TotalWays(number, ways, left)
            left -= ways


def compute_distribution(expression: str | Expression) -> Distribution:
    """Count the outcomes of every total of an expression exactly.

    The counts have no common divisor. Raises `ScratchError`: `dice.limit.outcomes` beyond 20,000 distinct totals,
    `dice.limit.digits` beyond 4,000 digits in the number of outcomes, `dice.limit.work` if counting would take too
    long.
    """
    return _count_outcomes(_to_expression(expression).root)


@lru_cache(maxsize=64)
def _count_outcomes(root: Node) -> Distribution:
    """Count the outcomes of a tree. A page needs those of one roll several times."""
    counts = _Counter(None).count_ways_by_value(root)
    common = min(counts.values())
    for ways in counts.values():
        common = math.gcd(common, ways)
        if common == 1:
            break
    ordered = {number: counts[number] // common for number in sorted(counts)}
    return Distribution(MappingProxyType(ordered), sum(ordered.values()))


def chance(expression: str | Expression, against: int | None = None, totals: Distribution | None = None) -> Fraction:
    """Return the exact chance that a roll succeeds (`roll.success`).

    `against` overrides the difficulty in the notation; without either, this raises `ScratchError`. `totals` is the
    expression's distribution if it is already known. A natural 20 on the only kept d20 succeeds with any total
    (`roll.auto-success`): only outcomes without it are counted. For a substitute for a d20, the highest total is its
    natural 20 (`roll.die-substitute`).
    """
    parsed = _to_expression(expression)
    difficulty = parsed.difficulty if against is None else against
    if difficulty is None:
        refuse("dice.difficulty-none", "a difficulty to beat", "none", "against")
    added = find_substitute_modifier(parsed)
    if added is not None:
        difficulty = min(difficulty, 20 + added)
    if parsed.d20 is None:
        return (totals or compute_distribution(parsed)).chance_at_least(difficulty)
    whole = math.prod(sum(count_ways_by_die_value(pool)) ** pool.count for pool in parsed.pools)
    without_20 = _Counter(parsed.d20).count_ways_by_value(parsed.root)
    failures = sum(ways for total, ways in without_20.items() if total < difficulty)
    return 1 - Fraction(failures, whole)


def _to_expression(expression: str | Expression) -> Expression:
    """Parse the expression unless it is parsed already."""
    return parse(expression) if isinstance(expression, str) else expression


def _list_factored_terms(node: Node, times: int = 1) -> Iterator[tuple[int, Number | Dice | Product]]:
    """Yield the terms of a sum, each with its factor, which is not zero.

    Products of a number and dice are expanded.
    """
    for sign, term in list_unlabelled_terms(node):
        factors = term.factors if isinstance(term, Product) else ()
        dice = [factor for factor in factors if pool_indices_of(factor)]
        number = math.prod(compute_checked_bounds(factor)[0] for factor in factors if factor not in dice)
        if len(dice) == 1 and number:
            yield from _list_factored_terms(dice[0], times * sign * number)
        else:
            yield times * sign, term


class _Counter:
    """A counter of the values of a tree, within one work budget.

    Counts are not divided by common divisors, so that counts with and without a face of 20 are comparable.
    """

    def __init__(self, without_20: int | None) -> None:
        """Start a count; `without_20` is the index of the d20 whose face 20 is excluded, or None."""
        self.without_20 = without_20
        self.work = WorkBudget()

    def count_ways_by_value(self, node: Node) -> Counts:
        """Count the ways to each value of a tree.

        Dice that simply add up are counted together, the rest from the smallest on.
        """
        constant = 0
        pools: list[CountedPool] = []
        others: list[Counts] = []
        for factor, term in _list_factored_terms(node):
            if isinstance(term, Number):
                constant += factor * term.value
            elif isinstance(term, Dice) and term.is_all_kept:
                pools.append((self.count_die_ways_excluding_20(term), term.count, factor))
            elif isinstance(term, Dice):
                others.append({factor * total: ways for total, ways in self.count_kept_ways_excluding_20(term).items()})
            else:
                product = reduce(
                    lambda one, other: count_products_of_two(one, other, self.work),
                    map(self.count_ways_by_value, term.factors),
                )
                others.append({factor * total: ways for total, ways in product.items()})
        if pools:
            others.append(count_pool_totals(pools, self.work))
        sums = (
            reduce(lambda one, other: count_sums_of_two(one, other, self.work), sorted(others, key=len))
            if others
            else {0: 1}
        )
        return {total + constant: ways for total, ways in sums.items()}

    def count_die_ways_excluding_20(self, pool: Dice) -> list[int]:
        """Count the ways to each value of one die.

        Without face 20, values of 20 or more are excluded, because they all start with that face.
        """
        ways = count_ways_by_die_value(pool)
        return ways[:20] if pool.index == self.without_20 else ways

    def count_kept_ways_excluding_20(self, pool: Dice) -> Counts:
        """Count the sums of a pool of which only the best dice are kept."""
        counts = count_kept_sums(count_ways_by_die_value(pool), pool.count, pool.kept, pool.keeps_highest, self.work)
        if pool.index == self.without_20:
            return {total: ways for total, ways in counts.items() if total < 20}
        return counts
