"""The actions of a fight. A function for each of them returns the outcome of an action in a state."""

from scratch_core.encounter.actions import attacks, interrupts, movement, support, turn_actions
from scratch_core.encounter.actions.ability_choice import (
    Uses,
    choose_best_abilities,
    list_ability_options,
    requirement_problems,
    uses_of,
)
from scratch_core.encounter.actions.action import (
    ABILITY_ACTIONS,
    ACTION_NAMES,
    ALL_SPECS,
    BOARD_ACTION_NAMES,
    BOARD_SPECS,
    MULTI_TARGET_ACTIONS,
    OUT_OF_TURN_ACTIONS,
    ROLL_ACTIONS,
    TARGETED_ACTIONS,
    TURN_ACTIONS,
    Action,
)
from scratch_core.encounter.actions.attacks import (
    ActionOutcome,
    Throw,
    can_be_passed_over,
    damage_of,
    target_problems,
    total_over_faces,
)
from scratch_core.encounter.actions.board_effects import BOARD_EFFECTS
from scratch_core.encounter.actions.current_figures import (
    FightRoll,
    compute_agility,
    compute_defence,
    compute_intelligence,
    compute_strength,
    list_roll_parts,
)
from scratch_core.encounter.actions.escape import build_edge_escapes
from scratch_core.encounter.actions.gm_effects import GM_EFFECTS
from scratch_core.encounter.actions.interrupts import (
    InterruptWindow,
    approach,
    build_pending_action,
    continue_move,
    declare_action,
    interrupt_problems,
    list_fighters_in_cover,
    list_interrupt_moments,
    list_interrupt_windows,
    list_interrupts,
    list_possible_interrupts,
    map_guarded_spaces,
    may_uncover,
    settle_problems,
    without_cover,
)
from scratch_core.encounter.actions.legality import (
    actor_problems,
    list_peace_actions,
    list_turn_action_names,
    list_turn_actions,
    turn_action_problems,
)
from scratch_core.encounter.actions.movement import (
    check_destination,
    holder_problems,
    list_board_actions,
    list_move_routes,
    mover_problems,
)
from scratch_core.encounter.actions.phrases import ACTION_TITLES, describe_failure, format_hit_points
from scratch_core.encounter.actions.positions import (
    aim_problems,
    build_walker,
    enemy_spaces,
    find_line_of_sight,
    list_blast_targets,
    list_occupied_spaces,
    list_spaces_in_sight,
)
from scratch_core.encounter.actions.preconditions import (
    LONG_ATTACKS,
    TurnContext,
    absence_problems,
    idle_problems,
    must_evade_problems,
    needs_to_evade,
)
from scratch_core.encounter.actions.support import (
    HEALING,
    check_problems,
    craft_problems,
    is_locked,
    list_craft_actions,
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
"""The function that resolves each action, by its name. `settle` is missing: it resolves the pending action."""

WITHOUT_FUNCTION = {*ACTION_NAMES, *BOARD_ACTION_NAMES} - {*RESOLVE, SETTLE.do}
if WITHOUT_FUNCTION:
    raise NotImplementedError(
        f"no function resolves {', '.join(sorted(WITHOUT_FUNCTION))}: add it to a RESOLVE in this package"
    )

__all__ = [
    "ABILITY_ACTIONS",
    "ACTION_NAMES",
    "ACTION_TITLES",
    "ALL_SPECS",
    "BOARD_ACTION_NAMES",
    "BOARD_EFFECTS",
    "BOARD_SPECS",
    "GM_EFFECTS",
    "HEALING",
    "LONG_ATTACKS",
    "MULTI_TARGET_ACTIONS",
    "OUT_OF_TURN_ACTIONS",
    "RESOLVE",
    "ROLL_ACTIONS",
    "TARGETED_ACTIONS",
    "TURN_ACTIONS",
    "Action",
    "ActionOutcome",
    "FightRoll",
    "InterruptWindow",
    "Throw",
    "TurnContext",
    "Uses",
    "absence_problems",
    "actor_problems",
    "aim_problems",
    "approach",
    "build_edge_escapes",
    "build_pending_action",
    "build_walker",
    "can_be_passed_over",
    "check_destination",
    "check_problems",
    "choose_best_abilities",
    "compute_agility",
    "compute_defence",
    "compute_intelligence",
    "compute_strength",
    "continue_move",
    "craft_problems",
    "damage_of",
    "declare_action",
    "describe_failure",
    "enemy_spaces",
    "find_line_of_sight",
    "format_hit_points",
    "holder_problems",
    "idle_problems",
    "interrupt_problems",
    "is_locked",
    "list_ability_options",
    "list_blast_targets",
    "list_board_actions",
    "list_craft_actions",
    "list_fighters_in_cover",
    "list_interrupt_moments",
    "list_interrupt_windows",
    "list_interrupts",
    "list_move_routes",
    "list_occupied_spaces",
    "list_peace_actions",
    "list_possible_interrupts",
    "list_roll_parts",
    "list_spaces_in_sight",
    "list_turn_action_names",
    "list_turn_actions",
    "map_guarded_spaces",
    "may_uncover",
    "mover_problems",
    "must_evade_problems",
    "needs_to_evade",
    "patient_problems",
    "requirement_problems",
    "settle_problems",
    "target_problems",
    "total_over_faces",
    "turn_action_problems",
    "uses_of",
    "without_cover",
]
