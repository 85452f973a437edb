"""The long computations of the odds calculator: a duel, a character against opponents, the gain of one more level.

Each of many duels gets a limited amount of work. A duel that isn't solved by then has bounds in place of chances.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from scratch_core.calculators.odds.duelists import CastOpponent, CharacterData, DuelTerms
from scratch_core.calculators.odds.presentation import Attack, DuelAnswer, build_answer, list_best_attacks_of_both
from scratch_core.calculators.shared.jobs import MAX_DUEL_HP, MAX_DUEL_PIECES, JobCache, ShouldContinue
from scratch_core.odds import ORDERS, Duel, Escape, Order, ProbabilityRange
from scratch_core.scenario import scenario_from_dict

MAX_PIECES_PER_DUEL = 5_000
"""The most pieces of work for one of many duels, before its bounds are shown instead."""
MIN_SIZE_FOR_BOUNDS = 40
"""The size from which a duel is bounded before it is solved: both hit points times the number of surroundings."""


@dataclass(frozen=True, slots=True)
class DuelResult:
    """The result of a duel so far."""

    answer: DuelAnswer | None
    """The chances known so far. None if the duel is too large, or there is no duel."""
    too_large: str = ""
    """The sentence about a duel that is too large to be solved in a page, else ""."""
    attacks: tuple[Attack, ...] = ()
    """What each attack does."""
    exact_chances: Mapping[Order, tuple[float, float]] = field(default_factory=dict)
    """The win chances of both, 0 to 1, by who goes first. Empty until the duel is solved."""


_duel_jobs: JobCache[DuelResult] = JobCache(8)
_chance_jobs: JobCache[dict[Order, ProbabilityRange]] = JobCache(120)


def clear_duel_jobs() -> None:
    """Clear the cache of duels."""
    _duel_jobs.clear()
    _chance_jobs.clear()


def parse_duel(scenario_json: str, escape: Escape, rated_duelists: tuple[int, ...] = (0, 1)) -> Duel:
    """Parse a scenario of two characters as a duel, not solved yet.

    `rated_duelists` are those whose chances are computed: 0, 1 or both. Raises `ScratchError` if the scenario is
    invalid.
    """
    scenario = scenario_from_dict(json.loads(scenario_json))
    first, second = scenario.fighters
    return Duel(first, second, rulings=scenario.rulings, escape=escape, rated_sides=rated_duelists)


def advance_duel(
    characters_data: Sequence[CharacterData], terms: DuelTerms, should_continue: ShouldContinue
) -> tuple[DuelResult | None, bool]:
    """Advance the solution of a duel while `should_continue` allows it.

    Returns the result so far, None if there is none yet, and whether it is complete. Raises `ScratchError` if the
    characters or the terms are invalid.
    """
    scenario_json = terms.format_scenario(characters_data)
    return _duel_jobs.advance(
        (scenario_json, terms.escape), lambda: _run_duel_job(scenario_json, terms.escape), should_continue
    )


def _run_duel_job(scenario_json: str, escape: Escape) -> Iterator[DuelResult | None]:
    """Solve a duel in small steps.

    Yields a result with the attacks first, then one for each percent of the work done, and None in between.
    """
    duel = parse_duel(scenario_json, escape)
    too_tough = next((each for each in (duel.first, duel.second) if each.hp > MAX_DUEL_HP), None)
    if too_tough:
        reason = f"{too_tough.name} has {too_tough.hp} hit points, and the maximum is {MAX_DUEL_HP}"
        yield DuelResult(None, f"This duel is too big to calculate here: {reason}.")
        return
    attacks = list_best_attacks_of_both(duel)
    yield DuelResult(build_answer(duel, 0), attacks=attacks)
    if duel.first.hp * duel.second.hp * max(1, len(duel.first.here)) >= MIN_SIZE_FOR_BOUNDS:
        for _ in duel.bound_chances_in_steps():
            yield None
        yield DuelResult(build_answer(duel, 0), attacks=attacks)
    percent_done = 0
    for number, share in enumerate(duel.solve_in_steps()):
        if number >= MAX_DUEL_PIECES:
            yield DuelResult(None, TOO_LARGE_SENTENCE, attacks)
            return
        has_advanced = int(100 * share) > percent_done
        percent_done = int(100 * share)
        yield DuelResult(build_answer(duel, percent_done), attacks=attacks) if has_advanced else None
    chances = {order: duel.win_probabilities(order) for order in ORDERS}
    exact_chances = {order: (each.first_wins.low, each.second_wins.low) for order, each in chances.items()}
    yield DuelResult(build_answer(duel), attacks=attacks, exact_chances=exact_chances)


TOO_LARGE_SENTENCE = (
    "This duel is too big to calculate here. Lower the hit points or simplify the ground, or use the command line."
)


# The chance in one of many duels


def advance_win_chance(
    characters_data: Sequence[CharacterData], duelist_index: int, terms: DuelTerms, should_continue: ShouldContinue
) -> tuple[ProbabilityRange | None, bool]:
    """Advance the computation of one character's win chance while `should_continue` allows it.

    `duelist_index` is the number of the character, 0 or 1. Returns the chance, and whether the computation is complete.
    The chance is None while it is unknown, and if the duel is too large. It has bounds if the duel takes more than
    `MAX_PIECES_PER_DUEL` pieces. Raises `ScratchError` if the characters or the terms are invalid.
    """
    scenario_json = terms.format_scenario(characters_data)
    chances, is_complete = _chance_jobs.advance(
        (scenario_json, terms.escape, duelist_index),
        lambda: _run_win_chance_job(scenario_json, terms.escape, duelist_index),
        should_continue,
    )
    return (chances[terms.starting_order] if chances else None), is_complete


def _run_win_chance_job(
    scenario_json: str, escape: Escape, duelist_index: int
) -> Iterator[dict[Order, ProbabilityRange] | None]:
    """Compute the win chance of one character, by who goes first.

    Yields None after each piece of work, and the chances at the end. Stops without them if the duel is too large.
    """
    duel = parse_duel(scenario_json, escape, (duelist_index,))
    if max(duel.first.hp, duel.second.hp) > MAX_DUEL_HP:
        return
    for pieces in (duel.solve_in_steps(), duel.bound_chances_in_steps()):
        for _ in islice(pieces, MAX_PIECES_PER_DUEL):
            yield None
        if duel.is_solved:
            break
    chances = {order: duel.win_probabilities(order) for order in ORDERS}
    yield {order: (each.first_wins, each.second_wins)[duelist_index] for order, each in chances.items()}


# A character against several opponents, and with one more level

TOO_BIG_TEXT = "too big to calculate"
"""The text in place of a chance that couldn't be computed."""


@dataclass(frozen=True, slots=True)
class OpponentChance:
    """The chance to win against a member of the cast."""

    id: str
    """The opponent's id."""
    name: str
    """The opponent's name."""
    chance_text: str
    """The chance in words; "" while it is unknown."""
    probability_range: ProbabilityRange | None = None
    """The chance or its bounds; None while it is unknown, and if the duel is too large."""


def advance_opponent_chances(
    character_data: CharacterData, opponents: Sequence[CastOpponent], terms: DuelTerms, should_continue: ShouldContinue
) -> tuple[tuple[OpponentChance, ...], bool]:
    """Rate a character's chances against several opponents.

    Returns the chances in the order of `opponents`, and whether all are complete.
    """
    results = [advance_opponent_chance(character_data, other, terms, should_continue) for other in opponents]
    return tuple(row for row, _ in results), all(is_complete for _, is_complete in results)


def advance_opponent_chance(
    character_data: CharacterData, opponent: CastOpponent, terms: DuelTerms, should_continue: ShouldContinue
) -> tuple[OpponentChance, bool]:
    """Rate a character's chance against an opponent.

    Returns the chance, and whether it is complete.
    """
    member_id, name, opponent_data = opponent
    bounds, is_complete = advance_win_chance([character_data, opponent_data], 0, terms, should_continue)
    return OpponentChance(
        member_id, name, format_chance_if_complete(bounds, is_complete=is_complete), bounds
    ), is_complete


def format_chance_if_complete(bounds: ProbabilityRange | None, *, is_complete: bool) -> str:
    """Format a chance in percent.

    Returns "" until the computation is complete, and `TOO_BIG_TEXT` if it could compute nothing.
    """
    if not is_complete:
        return ""
    return TOO_BIG_TEXT if bounds is None or bounds.high - bounds.low >= 1 else bounds.words


def advance_level_gains(
    raised_pairs_by_ability: Mapping[str, Sequence[CharacterData]],
    duelist_index: int,
    present_chance: ProbabilityRange,
    terms: DuelTerms,
    should_continue: ShouldContinue,
) -> tuple[dict[str, float | None], bool]:
    """Compute what one more level of each ability adds to a win chance.

    `raised_pairs_by_ability` has both characters with that level, by ability (`map_abilities_to_raised_pairs`).
    `duelist_index` is the number of the raised character, 0 or 1, and `present_chance` its exact chance. Returns the
    gains by ability, and whether they are complete. Leaves unknown gains out. A gain is None if the duel is too large
    to be solved.
    """
    gains: dict[str, float | None] = {}
    are_complete = True
    for ability, pair in raised_pairs_by_ability.items():
        bounds, is_complete = advance_win_chance(pair, duelist_index, terms, should_continue)
        are_complete = are_complete and is_complete
        if is_complete:
            is_exact = bounds is not None and bounds.low == bounds.high
            gains[ability] = bounds.low - present_chance.low if bounds and is_exact else None
    return gains, are_complete
