"""The cast: ready-made characters. Tests hold every number that a member claims against the engine."""

from scratch_core.cast.lookup import ALONE, ARCHETYPES, BY_ID, CAST, MINIONS, OPPONENTS, by_kind, find, sheet_of
from scratch_core.cast.members import KINDS, Member

__all__ = [
    "ALONE",
    "ARCHETYPES",
    "BY_ID",
    "CAST",
    "KINDS",
    "MINIONS",
    "OPPONENTS",
    "Member",
    "by_kind",
    "find",
    "sheet_of",
]
