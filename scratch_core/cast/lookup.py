"""Everyone of the cast, by kind, by id or name, and the text with which someone comes into a fight."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache

from scratch_core.cast.members import KINDS, CastMember, Kind
from scratch_core.characters import format_sheet
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.rulebook.toml_records import load_records

CAST = load_records("cast/cast", CastMember, kind=KINDS)
"""Everyone, the rulebook's own first."""

ARCHETYPES = tuple(member for member in CAST if member.kind == "archetype")
"""Twelve ways to spend ten points with no ability above 4: someone to play at once, or to start building from.

Rule: `create.average`. One leader brings two minions along. Rules: `command.minions`, `command.cp-limit`.
"""

OPPONENTS = tuple(member for member in CAST if member.kind == "opponent")
"""Opponents for a game master, in the order of the points that they are worth.

None of them keeps an average person's limits because it must; each says what it spends. Rules: `create.setting`,
`tough.benchmarks`.
"""

MINIONS = frozenset(each for member in CAST for each in member.minions)
"""The ids of those who are someone's minions. Rule: `command.minions`."""

INDEPENDENT_MEMBERS = tuple(member for member in CAST if member.id not in MINIONS)
"""Those who are no one's minions. Rule: `command.minions`."""

MEMBERS_BY_ID = {member.id: member for member in CAST}


@cache
def group_by_kind(first: Kind = "printed") -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Everyone as ids and names, under the headings of their kinds, one of which stands first."""
    groups: dict[str, list[tuple[str, str]]] = {KINDS[kind]: [] for kind in (first, *KINDS)}
    for member in CAST:
        groups[KINDS[member.kind]].append((member.id, member.name))
    return tuple((heading, tuple(members)) for heading, members in groups.items())


def get_member(name: str) -> CastMember:
    """The member of that id (`the-boss`) or name, in any case. Raises `ScratchError` with those of a similar name."""
    wanted = " ".join(name.split()).casefold()
    found = MEMBERS_BY_ID.get(wanted) or next((each for each in CAST if each.name.casefold() == wanted), None)
    if found:
        return found
    expected = f"one of the cast, such as {', '.join(_near(wanted))}"
    raise ScratchError(Problem("cast.unknown", expected, format_input(name), "the cast"))


def _near(wanted: str) -> list[str]:
    """The ids most like a name; where nothing is like it, those of the first few."""
    names = {each: member.id for member in CAST for each in (member.id, member.name.casefold())}
    close = get_close_matches(wanted[:60], names, n=6, cutoff=0.5)
    return list(dict.fromkeys(names[each] for each in close))[:3] or [member.id for member in CAST[:3]]


def sheet_of(member: CastMember) -> str:
    """The stat blocks of a member and, after it, of its minions, with the figures that the rules give.

    Read by `parse_sheet` and by a fight's set-up. Rules: `char.stat-line`, `command.minions`.
    """
    minions = [MEMBERS_BY_ID[each].build_character() for each in member.minions]
    return format_sheet([member.build_character(), *minions])
