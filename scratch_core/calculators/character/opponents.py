"""Opponents from the cast, and the queries for fights and duels against them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from scratch_core.calculators.characters_text.built_character import format_fight_sheet
from scratch_core.calculators.shared.query import format_query
from scratch_core.cast import CAST, INDEPENDENT_MEMBERS, KINDS, OPPONENTS, CastMember, format_sheet_with_minions
from scratch_core.characters import Character
from scratch_core.rulebook import RulingSettings

FIRST_OPPONENT_ID = OPPONENTS[0].id
"""The default opponent of the win chances."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """A member of the cast as opponent."""

    member: CastMember
    """The member of the cast."""
    character: Character
    """The member's character."""
    query_for_fight: str
    """The query of the fight page with both sides."""
    query_for_odds: str
    """The query of the odds page with both characters. Empty if the character has minions."""


@cache
def _list_opponents_with_sheets() -> tuple[tuple[CastMember, Character, str], ...]:
    """List the opponents of the cast, then the rulebook's characters, without minions.

    Each has its character and its stat blocks, which include its minions.
    """
    members = [member for kind in ("opponent", "printed") for member in CAST if member.kind == kind]
    opponents = [(member, member.build_character(), format_sheet_with_minions(member)) for member in members]
    return tuple(each for each in opponents if not each[1].minion_of)


INDEPENDENT_IDS = frozenset(member.id for member in INDEPENDENT_MEMBERS)
"""The ids of the members of the cast that are not minions. Rule: `command.minions`."""


@cache
def list_independent_members() -> tuple[tuple[str, str], ...]:
    """List the members that are not minions, as id and name, the opponents first."""
    return tuple(
        (member.id, member.name) for member in sorted(INDEPENDENT_MEMBERS, key=lambda each: each.kind != "opponent")
    )


def build_fight_query(own_sheets: str, opponent_sheets: str) -> str:
    """Build the fight page's query from the stat blocks of two sides.

    Rules: `char.stat-line`, `turn.group`.
    """
    return format_query({"sheets": f"side: us\n\n{own_sheets}\n\nside: them\n\n{opponent_sheets}"})


def group_cast_opponents(
    own_characters: Sequence[Character], leader_name: str, rulings: RulingSettings, hp: int | None = None
) -> Mapping[str, Sequence[Opponent]]:
    """List the possible opponents of a leader and its minions, by kind.

    `leader_name` is the leader's name; `hp` is as in `format_fight_sheet`.
    """
    own_sheets = format_fight_sheet(own_characters, leader_name, rulings, hp)
    groups: dict[str, list[Opponent]] = {}
    for member, character, sheet in _list_opponents_with_sheets():
        odds_fields = (
            {"first_sheet": own_sheets, "second": member.id, "everybody": "1"} if len(own_characters) == 1 else {}
        )
        opponent = Opponent(member, character, build_fight_query(own_sheets, sheet), format_query(odds_fields))
        groups.setdefault(KINDS[member.kind], []).append(opponent)
    return groups
