"""The actions of a fight: one function for each rule, from a state and an action to its outcome."""

from scratch_core.encounter.actions import attacks, interrupts, movement, support, turn_actions
from scratch_core.encounter.actions.ability_choice import Uses, best, options, requirement_problems, uses_of
from scratch_core.encounter.actions.action import (
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
from scratch_core.encounter.actions.attacks import Outcome, Throw, is_barred, target_problems, worth
from scratch_core.encounter.actions.board_effects import BOARD_EFFECTS
from scratch_core.encounter.actions.current_figures import (
    FightRoll,
    agility,
    defence,
    intelligence,
    roll_parts,
    strength,
)
from scratch_core.encounter.actions.escape import gone
from scratch_core.encounter.actions.gm_effects import HAND_EFFECTS
from scratch_core.encounter.actions.interrupts import (
    Moment,
    approach,
    declared,
    guards,
    hiding,
    interrupt_problems,
    interruptions,
    list_interrupts,
    may_uncover,
    moments,
    openings,
    settle_move,
    settle_problems,
    uncovered,
    waiting_action,
)
from scratch_core.encounter.actions.legality import (
    actor_problems,
    listed_actions,
    listed_names,
    peace_actions,
    problems,
)
from scratch_core.encounter.actions.movement import board_actions, holder_problems, mover_problems, ways, why_no_way
from scratch_core.encounter.actions.phrases import TITLES, describe_failure, points
from scratch_core.encounter.actions.positions import (
    aim_problems,
    bodies,
    caught,
    enemy_spaces,
    line_to,
    visible,
    walker,
)
from scratch_core.encounter.actions.preconditions import (
    LONG,
    Scene,
    absence_problems,
    idle_problems,
    must_evade,
    must_evade_problems,
)
from scratch_core.encounter.actions.support import (
    HEALING,
    check_problems,
    craft_actions,
    craft_problems,
    is_locked,
    patient_problems,
)
from scratch_core.rulebook.actions import SETTLE

RESOLVE = {
    **attacks.RESOLVE,
    **turn_actions.RESOLVE,
    **support.RESOLVE,
    **movement.RESOLVE,
    **interrupts.RESOLVE,
}
"""What carries out each action, by its name; `settle` carries out what waits."""

WITHOUT_FUNCTION = {*NAMES, *BOARD_NAMES} - {*RESOLVE, SETTLE.do}
if WITHOUT_FUNCTION:
    raise NotImplementedError(
        f"no function resolves {', '.join(sorted(WITHOUT_FUNCTION))}: add it to a RESOLVE in this package"
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
    "is_barred",
    "is_locked",
    "line_to",
    "list_interrupts",
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
