"""The odds calculator's work, in slices: a duel, one against others, and what one more level of an ability is worth.

Where there are many duels each is worked on when those before it are known, for a share of work of its own: what it
comes to by then stands, as bounds where it isn't solved.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from scratch_core.calculators.odds.duelists import CastOpponent, CharacterData, DuelTerms
from scratch_core.calculators.odds.presentation import Attack, DuelAnswer, build_answer, list_attacks
from scratch_core.calculators.shared.jobs import MAX_DUEL_HP, MAX_DUEL_PIECES, JobCache, ShouldContinue
from scratch_core.odds import ORDERS, Duel, Escape, Order, ProbabilityRange
from scratch_core.scenario import scenario_from_dict

MAX_PIECES_PER_DUEL = 5_000
"""The most pieces of work for one of many duels, before its bounds are shown instead."""
MIN_SIZE_FOR_BOUNDS = 40
"""Both hit points and the words of the ground multiplied: from here on bounds are found before a duel is solved."""


@dataclass(frozen=True, slots=True)
class DuelResult:
    """What is known of a duel: the answer so far, or why it is too large to be solved in a page; what the attacks do.

    `exact_chances` are both chances to win by who begins, once they are exact.
    """

    answer: DuelAnswer | None
    too_large: str = ""
    attacks: tuple[Attack, ...] = ()
    exact_chances: Mapping[Order, tuple[float, float]] = field(default_factory=dict)


_duel_jobs: JobCache[DuelResult] = JobCache(8)
_chance_jobs: JobCache[dict[Order, ProbabilityRange]] = JobCache(120)


def clear_duel_jobs() -> None:
    """Forget all work done."""
    _duel_jobs.clear()
    _chance_jobs.clear()


def parse_duel(tree: str, escape: Escape, asked: tuple[int, ...] = (0, 1)) -> Duel:
    """The duel of a scenario's two characters, not solved. Raises `ScratchError` for what no scenario may have."""
    scenario = scenario_from_dict(json.loads(tree))
    first, second = scenario.fighters
    return Duel(first, second, rulings=scenario.rulings, escape=escape, asked=asked)


def advance_duel(
    tables: Sequence[CharacterData], terms: DuelTerms, go_on: ShouldContinue
) -> tuple[DuelResult | None, bool]:
    """What is known of a duel after some more work, and whether that is all. Raises `ScratchError`."""
    tree = terms.format_scenario(tables)
    return _duel_jobs.advance((tree, terms.escape), lambda: _run_duel_job(tree, terms.escape), go_on)


def _run_duel_job(tree: str, escape: Escape) -> Iterator[DuelResult | None]:
    """Solve a duel: what each attack does at once, and what is known whenever another hundredth of the work is done."""
    duel = parse_duel(tree, escape)
    large = next((each for each in (duel.first, duel.second) if each.hp > MAX_DUEL_HP), None)
    if large:
        most = f"{large.name} has {large.hp} hit points, and the maximum is {MAX_DUEL_HP}"
        yield DuelResult(None, f"This duel is too big to calculate here: {most}.")
        return
    attacks = list_attacks(duel)
    yield DuelResult(build_answer(duel, 0), attacks=attacks)
    if duel.first.hp * duel.second.hp * max(1, len(duel.first.here)) >= MIN_SIZE_FOR_BOUNDS:
        for _ in duel.bound_in_steps():
            yield None
        yield DuelResult(build_answer(duel, 0), attacks=attacks)
    done = 0
    for number, share in enumerate(duel.solve_in_steps()):
        if number >= MAX_DUEL_PIECES:
            yield DuelResult(None, TOO_LARGE_SENTENCE)
            return
        is_further = int(100 * share) > done
        done = int(100 * share)
        yield DuelResult(build_answer(duel, done), attacks=attacks) if is_further else None
    won = {order: duel.win_probabilities(order) for order in ORDERS}
    both = {order: (each.first_wins.low, each.second_wins.low) for order, each in won.items()}
    yield DuelResult(build_answer(duel), attacks=attacks, exact_chances=both)


TOO_LARGE_SENTENCE = (
    "This duel is too big to calculate here. Lower the hit points or simplify the ground, or use the command line."
)


# One chance of many


def advance_win_chance(
    tables: Sequence[CharacterData], us: int, terms: DuelTerms, go_on: ShouldContinue
) -> tuple[ProbabilityRange | None, bool]:
    """The chance of one of two to win, as bounds where it takes more than its share of the work; and whether it is all.

    None while nothing is known, and where no one could find out. Raises `ScratchError`.
    """
    tree = terms.format_scenario(tables)
    chances, is_all = _chance_jobs.advance(
        (tree, terms.escape, us), lambda: _run_chance_job(tree, terms.escape, us), go_on
    )
    return (chances[terms.starting_order] if chances else None), is_all


def _run_chance_job(tree: str, escape: Escape, us: int) -> Iterator[dict[Order, ProbabilityRange] | None]:
    duel = parse_duel(tree, escape, (us,))
    if max(duel.first.hp, duel.second.hp) > MAX_DUEL_HP:
        return
    for pieces in (duel.solve_in_steps(), duel.bound_in_steps()):
        for _ in islice(pieces, MAX_PIECES_PER_DUEL):
            yield None
        if duel.is_solved:
            break
    both = {order: duel.win_probabilities(order) for order in ORDERS}
    yield {order: (each.first_wins, each.second_wins)[us] for order, each in both.items()}


# Someone against others, and against itself with one more level

TOO_BIG_TEXT = "too big to calculate"
"""What stands for a chance that no one could find out."""


@dataclass(frozen=True, slots=True)
class OpponentChance:
    """Someone of the cast, and the chance to win against it: in words, "" while it isn't known, and as bounds."""

    id: str
    name: str
    chance_text: str
    probability_range: ProbabilityRange | None = None


def rate_opponents(
    table: CharacterData, others: Sequence[CastOpponent], terms: DuelTerms, go_on: ShouldContinue
) -> tuple[tuple[OpponentChance, ...], bool]:
    """A character's chances against each of the others, in their order; and whether that is all."""
    known = [rate_opponent(table, other, terms, go_on) for other in others]
    return tuple(row for row, _ in known), all(is_all for _, is_all in known)


def rate_opponent(
    table: CharacterData, other: CastOpponent, terms: DuelTerms, go_on: ShouldContinue
) -> tuple[OpponentChance, bool]:
    """A character's chance against another; and whether that is all."""
    member, name, theirs = other
    bounds, is_all = advance_win_chance([table, theirs], 0, terms, go_on)
    return OpponentChance(member, name, format_chance(bounds, is_all=is_all), bounds), is_all


def format_chance(bounds: ProbabilityRange | None, *, is_all: bool) -> str:
    """A chance in percent; "" while it is worked on, and a word for one of which nothing could be found."""
    if not is_all:
        return ""
    return TOO_BIG_TEXT if bounds is None or bounds.high - bounds.low >= 1 else bounds.words


def rate_level_gains(
    raised: Mapping[str, Sequence[CharacterData]],
    place: int,
    now: ProbabilityRange,
    terms: DuelTerms,
    go_on: ShouldContinue,
) -> tuple[dict[str, float | None], bool]:
    """What one more level of each ability adds to the chance to win, which is exactly `now`; and whether that is all.

    `raised` are the two characters with that level, by ability, `place` says which of them has it. Left out is what
    isn't known by now; None stands for what is too large to be solved.
    """
    found: dict[str, float | None] = {}
    is_whole = True
    for ability, more in raised.items():
        bounds, is_all = advance_win_chance(more, place, terms, go_on)
        is_whole = is_whole and is_all
        if is_all:
            is_exact = bounds is not None and bounds.low == bounds.high
            found[ability] = bounds.low - now.low if bounds and is_exact else None
    return found, is_whole
