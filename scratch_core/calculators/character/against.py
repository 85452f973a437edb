"""Against whom: a character and somebody of the cast as the two sides of a fight, ready to begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from scratch_core.calculators.query import query_string
from scratch_core.cast import ALONE, CAST, KINDS, OPPONENTS, Member, sheet_of
from scratch_core.catalogue import Rulings
from scratch_core.characters import Character, write_sheet

FIRST_RIVAL = OPPONENTS[0].id
"""Whom the chances against the cast begin with, until somebody else is chosen."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody of the cast to fight: who it is, in a sentence what it is like, its points, the query of the fight.

    `odds` is the query of the odds page with both, "" for somebody who brings minions.
    """

    id: str
    name: str
    description: str
    cp: int
    query: str
    odds: str


@dataclass(frozen=True, slots=True)
class Group:
    """The opponents of one kind, under its heading."""

    title: str
    opponents: tuple[Opponent, ...]


@dataclass(frozen=True, slots=True)
class _Ready:
    """A member of the cast, read once."""

    member: Member
    character: Character
    sheet: str


@cache
def _ready() -> tuple[_Ready, ...]:
    """Everybody to be fought: opponents first, then the rulebook's own; minions come with their leaders."""
    chosen = [member for kind in ("opponent", "printed") for member in CAST if member.kind == kind]
    ready = [_Ready(member, member.character(), sheet_of(member)) for member in chosen]
    return tuple(each for each in ready if not each.character.minion_of)


@cache
def rival_ids() -> frozenset[str]:
    """The ids of those of the cast who fight alone. Rule: `command.minions`."""
    return frozenset(member.id for member in ALONE)


@cache
def rivals() -> tuple[tuple[str, str], ...]:
    """Those of the cast who fight alone, as id and name, the opponents first."""
    return tuple((member.id, member.name) for member in sorted(ALONE, key=lambda each: each.kind != "opponent"))


def fight_query(ours: str, theirs: str) -> str:
    """The fight page's query for the stat blocks of two sides. Rules: `char.stat-line`, `turn.group`."""
    return query_string({"sheets": f"side: yours\n\n{ours}\n\nside: theirs\n\n{theirs}"})


def sheet_for_fight(people: Sequence[Character], name: str, rulings: Rulings, hp: int | None = None) -> str:
    """A leader, who goes by `name`, and its minions as stat blocks for a fight; with `hp` the leader has so many left.

    Rules: `char.stat-line`, `hp.start`.
    """
    leader, *minions = people
    named = replace(leader, name=name)
    sheet = write_sheet((named, *(replace(minion, minion_of=name) for minion in minions)), rulings)
    if hp is None:
        return sheet
    head, _, rest = sheet.partition("\n")
    return f"{head}\nhp: {hp}\n{rest}"


def opponents(people: Sequence[Character], name: str, rulings: Rulings, hp: int | None = None) -> tuple[Group, ...]:
    """Everybody that a leader, called `name`, and its minions may be set against; `hp` as in `sheet_for_fight`."""
    ours = sheet_for_fight(people, name, rulings, hp)
    alone = ours if len(people) == 1 else ""
    groups = []
    for kind in ("opponent", "printed"):
        ready = [each for each in _ready() if each.member.kind == kind]
        groups.append(Group(KINDS[ready[0].member.kind], tuple(_opponent(ours, alone, each) for each in ready)))
    return tuple(groups)


def _opponent(ours: str, alone: str, ready: _Ready) -> Opponent:
    character = ready.character
    query = fight_query(ours, ready.sheet)
    odds = query_string({"first_sheet": alone, "second": ready.member.id, "everybody": "1"}) if alone else ""
    return Opponent(ready.member.id, character.name, character.description, ready.member.cp, query, odds)
