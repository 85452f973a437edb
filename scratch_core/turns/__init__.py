"""What every order of turns answers, so that files, plays and pages treat all alike.

Read in this order: `records` (decisions, fields of a file, what a page says of somebody and of the moment), `dice`
(whose roll is highest), `interrupts` (acts that wait), `hand` (what the
game master changes), `system` (the questions themselves).
"""

from scratch_core.turns.dice import TIES_LIMIT, RecordingRoller, breaks_tie, d20, roll_off
from scratch_core.turns.hand import (
    ANYWHERE,
    CHANGE_SURROUNDINGS,
    CONDITION,
    CONDITIONS,
    DELAYED,
    EVADING,
    IMMOBILIZED,
    IN_COVER,
    JOIN,
    LEAVE,
    ORDER,
    PANICKED,
    REORDER,
    RETURN,
    SET_HP,
    TARGET,
    Hand,
    refused,
)
from scratch_core.turns.interrupts import Interrupts
from scratch_core.turns.records import (
    Clash,
    Decision,
    Due,
    Field,
    Lasting,
    Number,
    Place,
    Reason,
    Standing,
    Thrown,
    broken,
)
from scratch_core.turns.system import Moment, Path, System

__all__ = [
    "ANYWHERE",
    "CHANGE_SURROUNDINGS",
    "CONDITION",
    "CONDITIONS",
    "DELAYED",
    "EVADING",
    "IMMOBILIZED",
    "IN_COVER",
    "JOIN",
    "LEAVE",
    "ORDER",
    "PANICKED",
    "REORDER",
    "RETURN",
    "SET_HP",
    "TARGET",
    "TIES_LIMIT",
    "Clash",
    "Decision",
    "Due",
    "Field",
    "Hand",
    "Interrupts",
    "Lasting",
    "Moment",
    "Number",
    "Path",
    "Place",
    "Reason",
    "RecordingRoller",
    "Standing",
    "System",
    "Thrown",
    "breaks_tie",
    "broken",
    "d20",
    "refused",
    "roll_off",
]
