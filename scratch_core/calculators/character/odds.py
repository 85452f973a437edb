"""The character against each of the cast, whom it asks for first, row by row; and what its next level is worth there.

Loaded only where someone asks for it. The duels are those of the odds page: both play as well as they can, the
initiative is rolled, and no one wins where someone escapes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.calculators.odds.builds import LevelRow, level_row, raised
from scratch_core.calculators.odds.duelists import Terms, bare, others_first, read_one, table_of
from scratch_core.calculators.odds.jobs import Against, against_each, against_one, worths
from scratch_core.calculators.shared.jobs import MOST_HP, GoOn
from scratch_core.calculators.shared.problem_sentences import problem_sentence
from scratch_core.calculators.shared.query import query_string
from scratch_core.characters import DEFAULT_RULINGS, Character, Limits, format_sheet
from scratch_core.errors import ScratchError
from scratch_core.rulebook import RulingSettings


@dataclass(frozen=True, slots=True)
class CastOdds:
    """How a character fares against the cast, the chosen one first, and what one more level adds against that one.

    `query` is that of the odds page with the character alone. `best` are the abilities whose next level adds most, once
    all are known; none where nothing adds anything. `note` says why there are no figures, or what they leave out.
    `unfinished`: there is more to come.
    """

    name: str
    rivals: tuple[Against, ...] = ()
    query: str = ""
    levels: tuple[LevelRow, ...] = ()
    best: tuple[str, ...] = ()
    note: str = ""
    unfinished: bool = False


ALONE = "Win chances are for a character who fights alone. They aren’t available with minions."
OTHER_RULING = "These win chances use the default rulings, not the house rules chosen here."


def cast_odds(
    people: Sequence[Character], chosen: str, limits: Limits, rulings: RulingSettings, go_on: GoOn
) -> CastOdds:
    """The chances of a character against all of the cast; none where minions follow it.

    `chosen` is the id of the one who comes first. No level above the campaign's highest is weighed. Rules:
    `turn.order`, `turn.initiative-roll`, `create.max-level`.
    """
    name = people[0].name
    if len(people) > 1:
        return CastOdds(name, note=ALONE)
    try:
        table = read_one(format_sheet(people), "odds")
    except ScratchError as error:
        return CastOdds(name, note=f"No win chances yet. {problem_sentence(error.problem)}")
    hp = int(table.get("hp", table["abilities"].get("toughness", 0)))
    if hp > MOST_HP:
        return CastOdds(name, note=f"Win chances are calculated for up to {MOST_HP} hit points. {name} has {hp}.")
    note = "" if rulings == DEFAULT_RULINGS else OTHER_RULING
    return replace(_worked_out(table, name, chosen, limits, go_on), note=note)


def _worked_out(table: Mapping[str, Any], name: str, chosen: str, limits: Limits, go_on: GoOn) -> CastOdds:
    """The chosen one first, then what the next level is worth, then everyone else."""
    terms, others = Terms(), others_first(chosen)
    first, is_known = against_one(table, others[0], terms, go_on)
    levels, best, is_weighed = _next_levels(table, first, limits, go_on) if is_known else ((), (), False)
    rows, is_all = against_each(table, others, terms, go_on)
    ours, is_open = query_string({"first_sheet": bare(table)}), not (is_all and is_weighed)
    return CastOdds(name, rows, ours, levels, best, unfinished=is_open)


def _next_levels(
    table: Mapping[str, Any], first: Against, limits: Limits, go_on: GoOn
) -> tuple[tuple[LevelRow, ...], tuple[str, ...], bool]:
    """What each next level adds against the chosen one, the best of them once all are known, and whether they are.

    Nothing is told of them where that duel itself isn't solved.
    """
    if first.bounds is None or first.bounds.low < first.bounds.high:
        return (), (), True
    open_to = raised((table, table_of(first.id)), "first", limits.max_level)
    added, is_all = worths(open_to, 0, first.bounds, Terms(), go_on)
    levels = tuple(level_row(table, each, added) for each in open_to)
    return levels, _best(added) if is_all else (), is_all


def _best(added: Mapping[str, float | None]) -> tuple[str, ...]:
    """The abilities whose next level adds most, as far as a reader can tell it from the others."""
    told = {ability: round(worth, 3) for ability, worth in added.items() if worth is not None}
    most = max(told.values(), default=0.0)
    return tuple(ability for ability, worth in told.items() if worth == most > 0)
