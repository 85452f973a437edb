"""The win chances of a character against each member of the cast, and what its next levels add.

Loaded only on request. The duels are those of the odds page: both sides play optimally, the initiative is rolled, and
no one wins if a character escapes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.calculators.odds.builds import LevelRow, build_level_row, map_abilities_to_raised_pairs
from scratch_core.calculators.odds.duelists import (
    DuelTerms,
    format_block_without_notes,
    get_cast_character,
    list_cast_opponents,
    parse_single_character,
)
from scratch_core.calculators.odds.jobs import (
    OpponentChance,
    advance_level_gains,
    advance_opponent_chance,
    advance_opponent_chances,
)
from scratch_core.calculators.shared.jobs import MAX_DUEL_HP, ShouldContinue
from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.calculators.shared.query import format_query
from scratch_core.characters import DEFAULT_RULINGS, Character, Limits, format_sheet
from scratch_core.errors import ScratchError
from scratch_core.rulebook import RulingSettings


@dataclass(frozen=True, slots=True)
class CastWinChances:
    """The win chances against the cast, and what one more level adds against the chosen opponent."""

    name: str
    """The character's name."""
    rivals: tuple[OpponentChance, ...] = ()
    """The chances against each opponent, the chosen opponent first."""
    odds_query: str = ""
    """The query of the odds page with the character alone."""
    level_rows: tuple[LevelRow, ...] = ()
    """What the next level of each ability adds."""
    best_abilities: tuple[str, ...] = ()
    """The abilities whose next level adds most. Empty while some are unknown, or if none adds anything."""
    note: str = ""
    """Why there are no chances, or what they don't consider."""
    is_incomplete: bool = False
    """Whether another request gives more."""


MINIONS_NOTE = "Win chances are for a character who fights alone. They aren't available with minions."
"""The note for a character with minions."""
HOUSE_RULES_NOTE = "These win chances use the default rulings, not the house rules chosen here."
"""The note for rulings that differ from the default."""


def compute_cast_duel_win_chances(
    leader_and_minions: Sequence[Character],
    first_opponent_id: str,
    limits: Limits,
    rulings: RulingSettings,
    should_continue: ShouldContinue,
) -> CastWinChances:
    """Compute the win chances of a character against the cast.

    `first_opponent_id` is the id of the first opponent. Levels above the campaign's maximum are not considered. Returns
    only a note for a character with minions, with too many hit points, or with an invalid stat block. Rules:
    `turn.order`, `turn.initiative-roll`, `create.max-level`.
    """
    name = leader_and_minions[0].name
    if len(leader_and_minions) > 1:
        return CastWinChances(name, note=MINIONS_NOTE)
    try:
        table = parse_single_character(format_sheet(leader_and_minions), "odds")
    except ScratchError as error:
        return CastWinChances(name, note=f"No win chances yet. {format_problem_sentence(error.problem)}")
    hp = int(table.get("hp", table["abilities"].get("toughness", 0)))
    if hp > MAX_DUEL_HP:
        return CastWinChances(
            name, note=f"Win chances are calculated for up to {MAX_DUEL_HP} hit points. {name} has {hp}."
        )
    note = "" if rulings == DEFAULT_RULINGS else HOUSE_RULES_NOTE
    return replace(_compute_win_chances(table, name, first_opponent_id, limits, should_continue), note=note)


def _compute_win_chances(
    character_data: Mapping[str, Any],
    name: str,
    chosen_opponent_id: str,
    limits: Limits,
    should_continue: ShouldContinue,
) -> CastWinChances:
    """Compute the chances in the order in which the page shows them.

    These are the chosen opponent, the next levels, then all other opponents.
    """
    terms, opponents = DuelTerms(), list_cast_opponents(chosen_opponent_id)
    first, is_first_rated = advance_opponent_chance(character_data, opponents[0], terms, should_continue)
    levels, best_abilities, are_levels_rated = (
        _advance_next_level_gains(character_data, first, limits, should_continue) if is_first_rated else ((), (), False)
    )
    opponent_rows, are_all_rated = advance_opponent_chances(character_data, opponents, terms, should_continue)
    odds_query = format_query({"first_sheet": format_block_without_notes(character_data)})
    is_incomplete = not (are_all_rated and are_levels_rated)
    return CastWinChances(name, opponent_rows, odds_query, levels, best_abilities, is_incomplete=is_incomplete)


def _advance_next_level_gains(
    character_data: Mapping[str, Any], chosen_opponent: OpponentChance, limits: Limits, should_continue: ShouldContinue
) -> tuple[tuple[LevelRow, ...], tuple[str, ...], bool]:
    """Rate what each next level adds against the chosen opponent.

    Returns the rows, the best abilities, and whether all are rated. The best abilities are () until then. Returns no
    rows if the duel with the chosen opponent has no exact chance.
    """
    if (
        chosen_opponent.probability_range is None
        or chosen_opponent.probability_range.low < chosen_opponent.probability_range.high
    ):
        return (), (), True
    raised_pairs = map_abilities_to_raised_pairs(
        (character_data, get_cast_character(chosen_opponent.id)), "first", limits.max_level
    )
    gains, are_all_rated = advance_level_gains(
        raised_pairs, 0, chosen_opponent.probability_range, DuelTerms(), should_continue
    )
    level_rows = tuple(build_level_row(character_data, each, gains) for each in raised_pairs)
    return level_rows, _list_best_abilities(gains) if are_all_rated else (), are_all_rated


def _list_best_abilities(gains: Mapping[str, float | None]) -> tuple[str, ...]:
    """List the abilities whose next level adds most.

    Gains are compared in tenths of a percent.
    """
    rounded_gains = {ability: round(gain, 3) for ability, gain in gains.items() if gain is not None}
    best_gain = max(rounded_gains.values(), default=0.0)
    return tuple(ability for ability, gain in rounded_gains.items() if gain == best_gain > 0)
