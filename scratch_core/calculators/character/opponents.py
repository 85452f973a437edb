"""Opponents: a character and a member of the cast as the two sides of a fight."""

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
"""The first opponent of the win chances, until the user chooses another."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """Someone of the cast to fight, and the query of the fight.

    `query_for_odds` is the query of the odds page with both, "" for someone who brings minions.
    """

    member: CastMember
    character: Character
    query_for_fight: str
    query_for_odds: str


@cache
def _list_opponents() -> tuple[tuple[CastMember, Character, str], ...]:
    """Everyone to be fought, with the stat blocks of all who come: opponents first, then the rulebook's own."""
    chosen = [member for kind in ("opponent", "printed") for member in CAST if member.kind == kind]
    ready = [(member, member.build_character(), format_sheet_with_minions(member)) for member in chosen]
    return tuple(each for each in ready if not each[1].minion_of)


INDEPENDENT_IDS = frozenset(member.id for member in INDEPENDENT_MEMBERS)
"""The ids of those of the cast who fight alone. Rule: `command.minions`."""


@cache
def list_independent_members() -> tuple[tuple[str, str], ...]:
    """Those of the cast who fight alone, as id and name, the opponents first."""
    return tuple(
        (member.id, member.name) for member in sorted(INDEPENDENT_MEMBERS, key=lambda each: each.kind != "opponent")
    )


def build_fight_query(ours: str, theirs: str) -> str:
    """The fight page's query for the stat blocks of two sides. Rules: `char.stat-line`, `turn.group`."""
    return format_query({"sheets": f"side: us\n\n{ours}\n\nside: them\n\n{theirs}"})


def group_opponents(
    people: Sequence[Character], name: str, rulings: RulingSettings, hp: int | None = None
) -> Mapping[str, Sequence[Opponent]]:
    """Everyone that a leader, called `name`, and its minions may be set against, under the headings of their kinds.

    `hp` is as in `format_fight_sheet`.
    """
    ours = format_fight_sheet(people, name, rulings, hp)
    groups: dict[str, list[Opponent]] = {}
    for member, character, sheet in _list_opponents():
        alone = {"first_sheet": ours, "second": member.id, "everybody": "1"} if len(people) == 1 else {}
        found = Opponent(member, character, build_fight_query(ours, sheet), format_query(alone))
        groups.setdefault(KINDS[member.kind], []).append(found)
    return groups
