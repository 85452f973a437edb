"""The other turn orders: Mano a Mano in both revisions, and choose-next with seizing, each whole and apart.

Read in this order: `shape` (what they have in common), `mano_records`, `mano_legality`, `mano`,
`mano_old_records`, `mano_old`, `seize_records`, `seize`.
"""

from collections.abc import Mapping
from typing import Any

from scratch_core.rounds.mano import AMBUSH, Mano
from scratch_core.rounds.mano_old import ManoOld
from scratch_core.rounds.mano_old_records import USES, OldFighter, OldState
from scratch_core.rounds.mano_records import ManoFighter, ManoState, combo_limit, required_skips
from scratch_core.rounds.seize import Seize
from scratch_core.rounds.seize_records import SeizeFighter, SeizeState
from scratch_core.rounds.shape import Act, ActCard, Event, Fighter, Rounds, State
from scratch_core.turns import LEAVE, Decision, Field, System, Thrown

MANO, MANO_OLD, SEIZE = Mano(), ManoOld(), Seize()

SYSTEMS: Mapping[str, Rounds[Any]] = {system.name: system for system in (MANO, MANO_OLD, SEIZE)}
"""The three systems by the name that a scenario gives them."""

__all__ = [
    "AMBUSH",
    "LEAVE",
    "MANO",
    "MANO_OLD",
    "SEIZE",
    "SYSTEMS",
    "USES",
    "Act",
    "ActCard",
    "Decision",
    "Event",
    "Field",
    "Fighter",
    "ManoFighter",
    "ManoState",
    "OldFighter",
    "OldState",
    "Rounds",
    "SeizeFighter",
    "SeizeState",
    "State",
    "System",
    "Thrown",
    "combo_limit",
    "required_skips",
]
