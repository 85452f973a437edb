"""The cast: characters ready to play, each with what it claims to be; the engine holds every claim.

Read in this order: `records` (what a member is), `cast.toml` (all of them), `finding` (by kind, by id or name).
"""

from scratch_core.cast.finding import ALONE, ARCHETYPES, BY_ID, CAST, MINIONS, OPPONENTS, by_kind, find, sheet_of
from scratch_core.cast.records import KINDS, Member

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
