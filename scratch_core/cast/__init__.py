"""The cast: ready-made characters. Tests compare every number that a member claims with the engine's."""

from scratch_core.cast.lookup import (
    ARCHETYPES,
    CAST,
    INDEPENDENT_MEMBERS,
    MEMBERS_BY_ID,
    MINIONS,
    OPPONENTS,
    format_sheet_with_minions,
    get_member,
    group_members_by_kind,
)
from scratch_core.cast.members import KINDS, CastMember

__all__ = [
    "ARCHETYPES",
    "CAST",
    "INDEPENDENT_MEMBERS",
    "KINDS",
    "MEMBERS_BY_ID",
    "MINIONS",
    "OPPONENTS",
    "CastMember",
    "format_sheet_with_minions",
    "get_member",
    "group_members_by_kind",
]
