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
    IN_TURN,
    LISTED,
    NAMES,
    ON_BOARD,
    REFEREE,
    ROLLING,
    WITH,
    Action,
)
from scratch_core.actions.attacks import Outcome, Throw, is_barred, target_problems, worth
from scratch_core.actions.bars import LONG, Scene, absence_problems, idle_problems, must_evade, must_evade_problems
from scratch_core.actions.board_effects import BOARD_EFFECTS
from scratch_core.actions.choosing import Uses, best, options, requirement_problems, uses_of
from scratch_core.actions.figures_now import FightRoll, agility, defence, intelligence, roll_parts, strength
from scratch_core.actions.hand_effects import HAND_EFFECTS
from scratch_core.actions.interrupting import (
    Moment,
    approach,
    declared,
    guards,
    hiding,
    interrupt_problems,
    interruptions,
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
from scratch_core.actions.legality import actor_problems, listed_actions, listed_names, peace_actions, problems
from scratch_core.actions.moving import board_actions, holder_problems, mover_problems, ways, why_no_way
from scratch_core.actions.places import aim_problems, bodies, caught, enemy_spaces, line_to, visible, walker
from scratch_core.actions.support import (
    HEALING,
    check_problems,
    craft_actions,
    craft_problems,
    is_locked,
    patient_problems,
)
from scratch_core.actions.words import TITLES, describe_failure, points
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
    raise NotImplementedError(
        f"no function carries out {', '.join(sorted(WITHOUT_FUNCTION))}: no RESOLVE of scratch_core/actions names it"
    )

__all__ = [
    "AT_SOMEBODY",
    "BOARD_EFFECTS",
    "BOARD_NAMES",
    "EVERY",
    "HAND_EFFECTS",
    "HEALING",
    "IN_TURN",
    "LISTED",
    "LONG",
    "NAMES",
    "ON_BOARD",
    "REFEREE",
    "RESOLVE",
    "ROLLING",
    "TITLES",
    "WITH",
    "Action",
    "FightRoll",
    "Moment",
    "Outcome",
    "Scene",
    "Throw",
    "Uses",
    "absence_problems",
    "actor_problems",
    "agility",
    "aim_problems",
    "approach",
    "best",
    "board_actions",
    "bodies",
    "caught",
    "check_problems",
    "craft_actions",
    "craft_problems",
    "declared",
    "defence",
    "describe_failure",
    "enemy_spaces",
    "gone",
    "guards",
    "hiding",
    "holder_problems",
    "idle_problems",
    "intelligence",
    "interrupt_problems",
    "interruptions",
    "interrupts",
    "is_barred",
    "is_locked",
    "line_to",
    "listed_actions",
    "listed_names",
    "may_uncover",
    "moments",
    "mover_problems",
    "must_evade",
    "must_evade_problems",
    "openings",
    "options",
    "patient_problems",
    "peace_actions",
    "points",
    "problems",
    "requirement_problems",
    "roll_parts",
    "settle_move",
    "settle_problems",
    "strength",
    "target_problems",
    "uncovered",
    "uses_of",
    "visible",
    "waiting_action",
    "walker",
    "ways",
    "why_no_way",
    "worth",
]
