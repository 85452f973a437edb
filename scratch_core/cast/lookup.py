"""The members of the cast by kind, id or name, and the text to import a member into a fight."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache

from scratch_core.cast.members import KINDS, CastMember, Kind
from scratch_core.characters import format_sheet
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.rulebook.toml_records import load_records

CAST = load_records("cast/cast", CastMember, kind=KINDS)
"""Every member, the rulebook's own characters first."""

ARCHETYPES = tuple(member for member in CAST if member.kind == "archetype")
"""Twelve ways to spend ten points with no ability above 4, to play at once or to build on. Rule: `create.average`.

One of them, a leader, has two minions. Rules: `command.minions`, `command.cp-limit`.
"""

OPPONENTS = tuple(member for member in CAST if member.kind == "opponent")
"""Opponents for a game master, in rising order of their character points.

They may exceed an average person's limits; each says what it spends. Rules: `create.setting`, `tough.benchmarks`.
"""

MINIONS = frozenset(each for member in CAST for each in member.minions)
"""The ids of all minions in the cast. Rule: `command.minions`."""

INDEPENDENT_MEMBERS = tuple(member for member in CAST if member.id not in MINIONS)
"""The members that are not minions. Rule: `command.minions`."""

IdAndName = tuple[str, str]
"""The id and the name of a member."""

MEMBERS_BY_ID = {member.id: member for member in CAST}
"""Every member by its id."""


@cache
def group_members_by_kind(first_kind: Kind = "printed") -> tuple[tuple[str, tuple[IdAndName, ...]], ...]:
    """Group the ids and names of all members under the headings of their kinds.

    `first_kind` is the kind to list first.
    """
    groups: dict[str, list[IdAndName]] = {KINDS[kind]: [] for kind in (first_kind, *KINDS)}
    for member in CAST:
        groups[KINDS[member.kind]].append((member.id, member.name))
    return tuple((heading, tuple(members)) for heading, members in groups.items())


def get_member(id_or_name: str) -> CastMember:
    """Return the member with that id (`the-boss`) or name, in any case.

    Raises `ScratchError` with the ids of similar names.
    """
    wanted = " ".join(id_or_name.split()).casefold()
    found = MEMBERS_BY_ID.get(wanted) or next((each for each in CAST if each.name.casefold() == wanted), None)
    if found:
        return found
    expected = f"one of the cast, such as {', '.join(_list_similar_ids(wanted))}"
    raise ScratchError(Problem("cast.unknown", expected, format_input(id_or_name), "the cast"))


def _list_similar_ids(wanted: str) -> list[str]:
    """List up to three ids most similar to a name.

    Returns the first three of the cast if none is similar.
    """
    names = {each: member.id for member in CAST for each in (member.id, member.name.casefold())}
    close = get_close_matches(wanted[:60], names, n=6, cutoff=0.5)
    return list(dict.fromkeys(names[each] for each in close))[:3] or [member.id for member in CAST[:3]]


def format_sheet_with_minions(member: CastMember) -> str:
    """Format a member and its minions as a sheet, with the computed figures.

    `parse_sheet` and the set-up of a fight parse it. Rules: `char.stat-line`, `command.minions`.
    """
    minions = [MEMBERS_BY_ID[each].build_character() for each in member.minions]
    return format_sheet([member.build_character(), *minions])
