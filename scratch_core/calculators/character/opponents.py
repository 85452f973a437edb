"""Against whom: a character and someone of the cast as the two sides of a fight, ready to begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from scratch_core.calculators.characters_text.built_character import sheet_for_fight
from scratch_core.calculators.shared.query import query_string
from scratch_core.cast import CAST, INDEPENDENT_MEMBERS, KINDS, OPPONENTS, CastMember, sheet_of
from scratch_core.characters import Character
from scratch_core.rulebook import RulingSettings

FIRST_RIVAL = OPPONENTS[0].id
"""Whom the chances against the cast begin with, until someone else is chosen."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """Someone of the cast to fight, and the query of the fight.

    `odds` is the query of the odds page with both, "" for someone who brings minions.
    """

    member: CastMember
    character: Character
    query: str
    odds: str


@cache
def _ready() -> tuple[tuple[CastMember, Character, str], ...]:
    """Everyone to be fought, with the stat blocks of all who come: opponents first, then the rulebook's own."""
    chosen = [member for kind in ("opponent", "printed") for member in CAST if member.kind == kind]
    ready = [(member, member.build_character(), sheet_of(member)) for member in chosen]
    return tuple(each for each in ready if not each[1].minion_of)


RIVAL_IDS = frozenset(member.id for member in INDEPENDENT_MEMBERS)
"""The ids of those of the cast who fight alone. Rule: `command.minions`."""


@cache
def rivals() -> tuple[tuple[str, str], ...]:
    """Those of the cast who fight alone, as id and name, the opponents first."""
    return tuple(
        (member.id, member.name) for member in sorted(INDEPENDENT_MEMBERS, key=lambda each: each.kind != "opponent")
    )


def fight_query(ours: str, theirs: str) -> str:
    """The fight page's query for the stat blocks of two sides. Rules: `char.stat-line`, `turn.group`."""
    return query_string({"sheets": f"side: us\n\n{ours}\n\nside: them\n\n{theirs}"})


def opponents(
    people: Sequence[Character], name: str, rulings: RulingSettings, hp: int | None = None
) -> Mapping[str, Sequence[Opponent]]:
    """Everyone that a leader, called `name`, and its minions may be set against, under the headings of their kinds.

    `hp` is as in `sheet_for_fight`.
    """
    ours = sheet_for_fight(people, name, rulings, hp)
    groups: dict[str, list[Opponent]] = {}
    for member, character, sheet in _ready():
        alone = {"first_sheet": ours, "second": member.id, "everybody": "1"} if len(people) == 1 else {}
        found = Opponent(member, character, fight_query(ours, sheet), query_string(alone))
        groups.setdefault(KINDS[member.kind], []).append(found)
    return groups
