"""The chart of a roll's totals, and its percentages."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from scratch_core.dice import Distribution

MAX_SINGLE_ROWS = 60
"""The most totals that have a row each."""
MAX_BUCKETS = 40
"""The most rows for more totals, which share rows."""


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A row of the chart: one total, or a range of totals."""

    label: str
    """The total or the range, in words."""
    percent: str
    """The chance of these totals."""
    exact_fraction: str
    """The same chance as a fraction; "" for a range, and if the fraction is long."""
    at_least_percent: str
    """The chance of the row's lowest total or more."""
    height: int
    """The chance relative to that of the likeliest row, 1 to 100."""
    is_success: bool
    """Whether the row's lowest total reaches the difficulty."""


@dataclass(frozen=True, slots=True)
class Chart:
    """The chart of a distribution."""

    rows: tuple[ChartRow, ...]
    """The rows, from the lowest total to the highest."""
    minimum: int
    """The lowest total."""
    maximum: int
    """The highest total."""
    summary: str
    """The range and the mean of the totals, in a sentence."""
    is_even: bool
    """Whether all totals are equally likely, so that a chart would show nothing."""


def format_percent(share: Fraction) -> str:
    """Format a chance as a percentage with at most two decimals, rounded half up.

    A chance that is rounded to 0 or 100 has words, such as `less than 0.01%`.
    """
    number = _format_at_most_two_places(100 * share)
    if number == "0" and share:
        return "less than 0.01%"
    if number == "100" and share < 1:
        return "more than 99.99%"
    return f"{number}%"


def build_chart(totals: Distribution, difficulty: int | None) -> Chart:
    """Build the chart of a distribution."""
    groups = _group_totals(totals)
    max_ways = max(group.ways for group in groups)
    rows = []
    for low, high, ways, ways_at_least in groups:
        share, at_least = Fraction(ways, totals.total), format_percent(Fraction(ways_at_least, totals.total))
        label, exact = f"{low} to {high}", ""
        if low == high:
            label, exact = str(low), str(share) if share.denominator < 10**9 else ""
        height = max(1, (200 * ways + max_ways) // (2 * max_ways))  # rounded half up, at least 1 so that it is visible
        is_success = difficulty is not None and low >= difficulty
        rows.append(ChartRow(label, format_percent(share), exact, at_least, height, is_success))
    is_even = len(totals.counts) > 1 and len(set(totals.counts.values())) == 1
    even = ", all equally likely" if is_even else ""
    summary = (
        f"Totals from {totals.minimum} to {totals.maximum}{even}, on average {_format_at_most_two_places(totals.mean)}."
    )
    return Chart(tuple(rows), totals.minimum, totals.maximum, summary, is_even)


class _TotalGroup(NamedTuple):
    """The totals of a row."""

    lowest: int
    """The lowest total."""
    highest: int
    """The highest total."""
    ways: int
    """The ways to roll one of them."""
    ways_at_least: int
    """The ways to roll the lowest or more."""


def _group_totals(totals: Distribution) -> list[_TotalGroup]:
    """Group the totals of a distribution into the rows of a chart.

    More than `MAX_SINGLE_ROWS` totals share rows of equal width. The outermost rows also have the totals beyond
    them, which are rarer than one in a thousand.
    """
    singles = list(totals.list_totals_with_cumulative_ways())
    if len(singles) <= MAX_SINGLE_ROWS:
        return [_TotalGroup(number, number, ways, ways_at_least) for number, ways, ways_at_least in singles]
    low = next(
        number
        for number, ways, ways_at_least in singles
        if 1000 * (totals.total - ways_at_least + ways) >= totals.total
    )
    high = next(number for number, _, ways_at_least in reversed(singles) if 1000 * ways_at_least >= totals.total)
    width = max(1, -(-(high - low + 1) // MAX_BUCKETS))
    buckets: dict[int, list[tuple[int, int, int]]] = {}
    for single in singles:
        buckets.setdefault((min(max(single[0], low), high) - low) // width, []).append(single)
    return [
        _TotalGroup(group[0][0], group[-1][0], sum(ways for _, ways, _ in group), group[0][2])
        for group in buckets.values()
    ]


def _format_at_most_two_places(number: Fraction) -> str:
    """Format a number with at most two decimals, rounded half up."""
    hundredths = (200 * number.numerator + number.denominator) // (2 * number.denominator)
    whole, rest = divmod(abs(hundredths), 100)
    return ("-" if hundredths < 0 else "") + f"{whole}.{rest:02}".rstrip("0").rstrip(".")
