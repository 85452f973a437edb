"""What can be done in a fight: one function for each rule, from a scene and an action to what comes of it.

Read in this order: `action` (what is declared), `choosing` (abilities in a roll), `figures_now` (defences and rolls),
`bars` (the moment of an act: conditions and the turn's ledger), `places` (who is where on a board), `attacks`,
`leaving`, `moving`, `turn_acts`, `support`, `interrupting`, `legality` (all of it as yes or no), `board_effects` (what
a board's events do), `hand_effects` (what the game master's do).
"""

from scratch_core.actions import attacks, interrupting, moving, support, turn_acts
from scratch_core.actions.action import (
    AT_SOMEBODY,
    BOARD_NAMES,
    EVERY,
    LISTED,
    NAMES,
    ON_BOARD,
    REFEREE,
    ROLLING,
    WITH,
    Action,
)
from scratch_core.actions.attacks import Outcome, Throw, is_barred
from scratch_core.actions.bars import Scene, absence_problems, must_evade
from scratch_core.actions.board_effects import BOARD_EFFECTS
from scratch_core.actions.figures_now import FightRoll, agility, defence, intelligence, strength
from scratch_core.actions.hand_effects import HAND_EFFECTS
from scratch_core.actions.interrupting import (
    approach,
    declared,
    hiding,
    interrupt_problems,
    interrupts,
    may_uncover,
    moments,
    openings,
    settle_move,
    settle_problems,
    uncovered,
    waiting_action,
)
from scratch_core.actions.leaving import gone
from scratch_core.actions.legality import listed_actions, listed_names, peace_actions, problems
from scratch_core.actions.support import check_problems, craft_problems, is_locked
from scratch_core.actions.words import TITLES, broken
from scratch_core.cards import SETTLE

RESOLVE = {
    **attacks.RESOLVE,
    **turn_acts.RESOLVE,
    **support.RESOLVE,
    **moving.RESOLVE,
    **interrupting.RESOLVE,
}
"""What carries out each action, by its name; `settle` carries out what waits."""

WITHOUT_FUNCTION = {*NAMES, *BOARD_NAMES} - {*RESOLVE, SETTLE.do}
if WITHOUT_FUNCTION:
    raise NotImplementedError(f"no function carries out {', '.join(sorted(WITHOUT_FUNCTION))}")

__all__ = [
    "AT_SOMEBODY",
    "BOARD_EFFECTS",
    "BOARD_NAMES",
    "EVERY",
    "HAND_EFFECTS",
    "LISTED",
    "NAMES",
    "ON_BOARD",
    "REFEREE",
    "RESOLVE",
    "ROLLING",
    "TITLES",
    "WITH",
    "Action",
    "FightRoll",
    "Outcome",
    "Scene",
    "Throw",
    "absence_problems",
    "agility",
    "approach",
    "broken",
    "check_problems",
    "craft_problems",
    "declared",
    "defence",
    "gone",
    "hiding",
    "intelligence",
    "interrupt_problems",
    "interrupts",
    "is_barred",
    "is_locked",
    "listed_actions",
    "listed_names",
    "may_uncover",
    "moments",
    "must_evade",
    "openings",
    "peace_actions",
    "problems",
    "settle_move",
    "settle_problems",
    "strength",
    "uncovered",
    "waiting_action",
]
