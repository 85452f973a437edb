"""The character against each of the cast, whom it asks for first, row by row; and what its next level is worth there.

Loaded only where someone asks for it. The duels are those of the odds page: both play as well as they can, the
initiative is rolled, and no one wins where someone escapes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.calculators.odds.builds import LevelRow, build_level_row, list_raised_pairs
from scratch_core.calculators.odds.duelists import (
    DuelTerms,
    format_bare_block,
    get_cast_character,
    list_cast_opponents,
    parse_single_character,
)
from scratch_core.calculators.odds.jobs import OpponentChance, rate_level_gains, rate_opponent, rate_opponents
from scratch_core.calculators.shared.jobs import MAX_DUEL_HP, ShouldContinue
from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.calculators.shared.query import format_query
from scratch_core.characters import DEFAULT_RULINGS, Character, Limits, format_sheet
from scratch_core.errors import ScratchError
from scratch_core.rulebook import RulingSettings


@dataclass(frozen=True, slots=True)
class CastWinChances:
    """How a character fares against the cast, the chosen one first, and what one more level adds against that one.

    `odds_query` is that of the odds page with the character alone. `best_abilities` are the abilities whose next level
    adds most, once all are known; none where nothing adds anything. `note` says why there are no figures, or what they
    leave out. `is_incomplete`: there is more to come.
    """

    name: str
    rivals: tuple[OpponentChance, ...] = ()
    odds_query: str = ""
    level_rows: tuple[LevelRow, ...] = ()
    best_abilities: tuple[str, ...] = ()
    note: str = ""
    is_incomplete: bool = False


MINIONS_NOTE = "Win chances are for a character who fights alone. They aren't available with minions."
HOUSE_RULES_NOTE = "These win chances use the default rulings, not the house rules chosen here."


def compute_cast_win_chances(
    people: Sequence[Character], chosen: str, limits: Limits, rulings: RulingSettings, go_on: ShouldContinue
) -> CastWinChances:
    """The chances of a character against all of the cast; none where minions follow it.

    `chosen` is the id of the one who comes first. No level above the campaign's highest is weighed. Rules:
    `turn.order`, `turn.initiative-roll`, `create.max-level`.
    """
    name = people[0].name
    if len(people) > 1:
        return CastWinChances(name, note=MINIONS_NOTE)
    try:
        table = parse_single_character(format_sheet(people), "odds")
    except ScratchError as error:
        return CastWinChances(name, note=f"No win chances yet. {format_problem_sentence(error.problem)}")
    hp = int(table.get("hp", table["abilities"].get("toughness", 0)))
    if hp > MAX_DUEL_HP:
        return CastWinChances(
            name, note=f"Win chances are calculated for up to {MAX_DUEL_HP} hit points. {name} has {hp}."
        )
    note = "" if rulings == DEFAULT_RULINGS else HOUSE_RULES_NOTE
    return replace(_compute_win_chances(table, name, chosen, limits, go_on), note=note)


def _compute_win_chances(
    table: Mapping[str, Any], name: str, chosen: str, limits: Limits, go_on: ShouldContinue
) -> CastWinChances:
    """The chosen one first, then what the next level is worth, then everyone else."""
    terms, others = DuelTerms(), list_cast_opponents(chosen)
    first, is_known = rate_opponent(table, others[0], terms, go_on)
    levels, best, is_weighed = _rate_next_levels(table, first, limits, go_on) if is_known else ((), (), False)
    rows, is_all = rate_opponents(table, others, terms, go_on)
    ours, is_open = format_query({"first_sheet": format_bare_block(table)}), not (is_all and is_weighed)
    return CastWinChances(name, rows, ours, levels, best, is_incomplete=is_open)


def _rate_next_levels(
    table: Mapping[str, Any], first: OpponentChance, limits: Limits, go_on: ShouldContinue
) -> tuple[tuple[LevelRow, ...], tuple[str, ...], bool]:
    """What each next level adds against the chosen one, the best of them once all are known, and whether they are.

    Nothing is told of them where that duel itself isn't solved.
    """
    if first.probability_range is None or first.probability_range.low < first.probability_range.high:
        return (), (), True
    open_to = list_raised_pairs((table, get_cast_character(first.id)), "first", limits.max_level)
    added, is_all = rate_level_gains(open_to, 0, first.probability_range, DuelTerms(), go_on)
    levels = tuple(build_level_row(table, each, added) for each in open_to)
    return levels, _list_best_abilities(added) if is_all else (), is_all


def _list_best_abilities(added: Mapping[str, float | None]) -> tuple[str, ...]:
    """The abilities whose next level adds most, as far as a reader can tell it from the others."""
    told = {ability: round(worth, 3) for ability, worth in added.items() if worth is not None}
    most = max(told.values(), default=0.0)
    return tuple(ability for ability, worth in told.items() if worth == most > 0)
