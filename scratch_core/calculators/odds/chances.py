"""The chances of a request: those of the duel, the gain of one more level, and the chances against the cast."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scratch_core.calculators.odds.builds import (
    DUELIST_KEYS,
    DuelistLevels,
    build_duelist_levels,
    map_abilities_to_raised_pairs,
)
from scratch_core.calculators.odds.commands import OddsSession
from scratch_core.calculators.odds.duelists import CharacterData, DuelTerms, list_cast_opponents
from scratch_core.calculators.odds.jobs import (
    DuelResult,
    OpponentChance,
    advance_duel,
    advance_level_gains,
    advance_opponent_chances,
)
from scratch_core.calculators.shared.jobs import ShouldContinue
from scratch_core.errors import Problem, Problems, ScratchError, has_errors
from scratch_core.odds import ProbabilityRange


@dataclass(frozen=True, slots=True)
class OddsChances:
    """The chances that a request asks for, as far as they are known."""

    result: DuelResult
    """The result of the duel."""
    problems: tuple[Problem, ...] = ()
    """The problems of the request and of the duel."""
    duelist_levels: tuple[DuelistLevels, ...] = ()
    """The levels of both characters; () without an answer."""
    opponent_chances: tuple[OpponentChance, ...] = ()
    """The first character's chances against the cast; () unless the request asks for them."""
    is_pending: bool = False
    """Whether the duel is not solved yet."""
    is_incomplete: bool = False
    """Whether a repeated request gives more."""


def compute_session_chances(session: OddsSession, terms: DuelTerms, should_continue: ShouldContinue) -> OddsChances:
    """Compute the chances that a session asks for, as far as there is time."""
    known_tables = [each.table for each in session.duelists.values() if each.table]
    chances = OddsChances(DuelResult(None), session.problems)
    if len(known_tables) == len(DUELIST_KEYS) and not session.has_errors:
        chances = _compute_duel(session, known_tables, terms, should_continue)
    if chances.result.answer:
        chances = _add_duelist_levels(chances, session, known_tables, terms, should_continue)
    table = session.duelists["first"].table
    if table is None or has_errors(chances.problems) or not session.fields["everybody"].strip():
        return chances
    opponents = list_cast_opponents(session.fields["second"].strip())
    rows, is_complete = advance_opponent_chances(table, opponents, terms, should_continue)
    return replace(chances, opponent_chances=rows, is_incomplete=chances.is_incomplete or not is_complete)


def _compute_duel(
    session: OddsSession, characters_data: list[CharacterData], terms: DuelTerms, should_continue: ShouldContinue
) -> OddsChances:
    """Compute the result of the duel, as far as there is time.

    Reports a problem at the character that it belongs to, and returns an empty result.
    """
    try:
        result, is_complete = advance_duel(characters_data, terms, should_continue)
    except ScratchError as error:
        problems = Problems(session.problems)
        for problem in error.problems:
            key = "second" if problem.location.path[:2] == ("characters", 1) else "first"
            problems.append(problem.with_location(f"{key}_sheet" if session.fields[f"{key}_sheet"].strip() else key))
        return OddsChances(DuelResult(None), tuple(problems))
    return OddsChances(
        result or DuelResult(None), session.problems, is_pending=not is_complete, is_incomplete=not is_complete
    )


def _add_duelist_levels(
    chances: OddsChances,
    session: OddsSession,
    characters_data: list[CharacterData],
    terms: DuelTerms,
    should_continue: ShouldContinue,
) -> OddsChances:
    """Return the chances with the levels of both characters.

    They have the gain of one more level if the session asks for it and the duel is solved.
    """
    exact_chances, is_incomplete = chances.result.exact_chances, chances.is_incomplete
    has_gains = bool(session.fields["worth"].strip()) and terms.starting_order in exact_chances
    levels = []
    for index, key in enumerate(DUELIST_KEYS.values()):
        gains: dict[str, float | None] = {}
        if has_gains:
            now = exact_chances[terms.starting_order][index]
            gains, is_complete = advance_level_gains(
                map_abilities_to_raised_pairs(characters_data, key),
                index,
                ProbabilityRange(now, now),
                terms,
                should_continue,
            )
            is_incomplete = is_incomplete or not is_complete
        levels.append(build_duelist_levels(key, characters_data[index], gains))
    return replace(chances, duelist_levels=tuple(levels), is_incomplete=is_incomplete)
