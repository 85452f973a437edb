"""The cast: characters ready to play, each with what it claims to be; the engine holds every claim.

Read in this order: `records` (what a member is), `printed` (the rulebook's own), `archetypes` (ten points each),
`opponents` (from a rat to a captain), `finding` (by id or name).
"""

from scratch_core.cast.archetypes import ARCHETYPES
from scratch_core.cast.finding import ALONE, CAST, find, sheet_of
from scratch_core.cast.opponents import OPPONENTS
from scratch_core.cast.printed import PRINTED
from scratch_core.cast.records import KINDS, Claim, Member

__all__ = ["ALONE", "ARCHETYPES", "CAST", "KINDS", "OPPONENTS", "PRINTED", "Claim", "Member", "find", "sheet_of"]
