"""The odds calculator's work, in slices: a duel, one against others, and what one more level of an ability is worth.

Where there are many duels each is worked on when those before it are known, for a share of work of its own: what it
comes to by then stands, as bounds where it isn't solved.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from scratch_core.calculators.odds.duelists import Other, Table, Terms
from scratch_core.calculators.odds.presentation import Answer, Attack, attacks_of, told
from scratch_core.calculators.shared.jobs import MOST_HP, MOST_PIECES, GoOn, Slices
from scratch_core.odds import ORDERS, Duel, Escape, Order, ProbabilityRange
from scratch_core.scenario import scenario_from_dict

SHARE = 5_000
"""As many pieces of work as are done for one of many duels, before its bounds are told instead."""
LONG = 40
"""Both hit points and the words of the ground multiplied: from here on bounds are found before a duel is solved."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of a duel: the answer so far, or why it is too large to be solved in a page; what the attacks do.

    `won` are both chances to win by who begins, once they are exact.
    """

    answer: Answer | None
    too_large: str = ""
    attacks: tuple[Attack, ...] = ()
    won: Mapping[Order, tuple[float, float]] = field(default_factory=dict)


_duels: Slices[Found] = Slices(8)
_worths: Slices[dict[Order, ProbabilityRange]] = Slices(120)


def forget() -> None:
    """Forget all work done."""
    _duels.forget()
    _worths.forget()


def read_duel(tree: str, escape: Escape, asked: tuple[int, ...] = (0, 1)) -> Duel:
    """The duel of a scenario's two characters, not solved. Raises `ScratchError` for what no scenario may have."""
    scenario = scenario_from_dict(json.loads(tree))
    first, second = scenario.fighters
    return Duel(first, second, rulings=scenario.rulings, escape=escape, asked=asked)


def known_of(tables: Sequence[Table], terms: Terms, go_on: GoOn) -> tuple[Found | None, bool]:
    """What is known of a duel after some more work, and whether that is all. Raises `ScratchError`."""
    tree = terms.tree(tables)
    return _duels.known((tree, terms.escape), lambda: _solving(tree, terms.escape), go_on)


def _solving(tree: str, escape: Escape) -> Iterator[Found | None]:
    """Solve a duel: what each attack does at once, and what is known whenever another hundredth of the work is done."""
    duel = read_duel(tree, escape)
    large = next((each for each in (duel.first, duel.second) if each.hp > MOST_HP), None)
    if large:
        most = f"{large.name} has {large.hp} hit points, and the maximum is {MOST_HP}"
        yield Found(None, f"This duel is too big to calculate here: {most}.")
        return
    attacks = attacks_of(duel)
    yield Found(told(duel, 0), attacks=attacks)
    if duel.first.hp * duel.second.hp * max(1, len(duel.first.here)) >= LONG:
        for _ in duel.bound_steps():
            yield None
        yield Found(told(duel, 0), attacks=attacks)
    done = 0
    for number, share in enumerate(duel.steps()):
        if number >= MOST_PIECES:
            yield Found(None, TOO_LARGE)
            return
        is_further = int(100 * share) > done
        done = int(100 * share)
        yield Found(told(duel, done), attacks=attacks) if is_further else None
    won = {order: duel.win_probabilities(order) for order in ORDERS}
    both = {order: (each.first_wins.low, each.second_wins.low) for order, each in won.items()}
    yield Found(told(duel), attacks=attacks, won=both)


TOO_LARGE = (
    "This duel is too big to calculate here. Lower the hit points or simplify the ground, or use the command line."
)


# One chance of many


def chance_of(tables: Sequence[Table], us: int, terms: Terms, go_on: GoOn) -> tuple[ProbabilityRange | None, bool]:
    """The chance of one of two to win, as bounds where it takes more than its share of the work; and whether it is all.

    None while nothing is known, and where no one could find out. Raises `ScratchError`.
    """
    tree = terms.tree(tables)
    chances, is_all = _worths.known((tree, terms.escape, us), lambda: _weighing(tree, terms.escape, us), go_on)
    return (chances[terms.begins] if chances else None), is_all


def _weighing(tree: str, escape: Escape, us: int) -> Iterator[dict[Order, ProbabilityRange] | None]:
    duel = read_duel(tree, escape, (us,))
    if max(duel.first.hp, duel.second.hp) > MOST_HP:
        return
    for pieces in (duel.steps(), duel.bound_steps()):
        for _ in islice(pieces, SHARE):
            yield None
        if duel.is_solved:
            break
    both = {order: duel.win_probabilities(order) for order in ORDERS}
    yield {order: (each.first_wins, each.second_wins)[us] for order, each in both.items()}


# Someone against others, and against itself with one more level

NOT_FOUND = "too big to calculate"
"""What stands for a chance that no one could find out."""


@dataclass(frozen=True, slots=True)
class Against:
    """Someone of the cast, and the chance to win against it: in words, "" while it isn't known, and as bounds."""

    id: str
    name: str
    chance: str
    bounds: ProbabilityRange | None = None


def against_each(table: Table, others: Sequence[Other], terms: Terms, go_on: GoOn) -> tuple[tuple[Against, ...], bool]:
    """A character's chances against each of the others, in their order; and whether that is all."""
    known = [against_one(table, other, terms, go_on) for other in others]
    return tuple(row for row, _ in known), all(is_all for _, is_all in known)


def against_one(table: Table, other: Other, terms: Terms, go_on: GoOn) -> tuple[Against, bool]:
    """A character's chance against another; and whether that is all."""
    member, name, theirs = other
    bounds, is_all = chance_of([table, theirs], 0, terms, go_on)
    return Against(member, name, words(bounds, is_all=is_all), bounds), is_all


def words(bounds: ProbabilityRange | None, *, is_all: bool) -> str:
    """A chance in percent; "" while it is worked on, and a word for one of which nothing could be found."""
    if not is_all:
        return ""
    return NOT_FOUND if bounds is None or bounds.high - bounds.low >= 1 else bounds.words


def worths(
    raised: Mapping[str, Sequence[Table]], place: int, now: ProbabilityRange, terms: Terms, go_on: GoOn
) -> tuple[dict[str, float | None], bool]:
    """What one more level of each ability adds to the chance to win, which is exactly `now`; and whether that is all.

    `raised` are the two characters with that level, by ability, `place` says which of them has it. Left out is what
    isn't known by now; None stands for what is too large to be solved.
    """
    found: dict[str, float | None] = {}
    is_whole = True
    for ability, more in raised.items():
        bounds, is_all = chance_of(more, place, terms, go_on)
        is_whole = is_whole and is_all
        if is_all:
            is_exact = bounds is not None and bounds.low == bounds.high
            found[ability] = bounds.low - now.low if bounds and is_exact else None
    return found, is_whole
