"""The actions of a fight. A function for each of them returns the outcome of an action in a state."""

from scratch_core.encounter.actions import attacks, interrupts, movement, support, turn_actions
from scratch_core.encounter.actions.ability_choice import (
    AbilityNames,
    choose_best_abilities,
    get_named_or_best_abilities,
    list_ability_options,
    required_ability_problems,
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
    RollD20,
    attack_target_problems,
    can_turn_be_skipped,
    compute_usual_damage,
    sum_damage_and_hits_over_faces,
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
from scratch_core.encounter.actions.escape import build_active_off_board_escape_events
from scratch_core.encounter.actions.gm_effects import GM_EFFECTS
from scratch_core.encounter.actions.interrupts import (
    InterruptWindow,
    build_events_before_interrupt,
    continue_move_until_interruptible,
    declare_if_interruptible,
    interrupt_problems,
    list_exposed_moments,
    list_interrupt_windows,
    list_interrupts,
    list_others_in_cover,
    list_possible_interrupters,
    map_interrupters_by_space,
    may_leave_cover_to_interrupt,
    missing_pending_action_problems,
    rebuild_declared_action,
    take_fighters_out_of_cover,
)
from scratch_core.encounter.actions.legality import (
    list_legal_actions_by_name,
    list_legal_turn_action_names,
    list_legal_turn_actions,
    list_target_independent_problems,
    target_independent_problems,
    turn_action_problems,
)
from scratch_core.encounter.actions.movement import (
    build_unreachable_space_problem,
    list_move_routes,
    missing_held_target_problems,
    path_independent_move_problems,
)
from scratch_core.encounter.actions.phrases import ACTION_TITLES, describe_failure
from scratch_core.encounter.actions.positions import (
    blast_space_problems,
    build_movement_traits,
    list_blast_target_ids,
    list_enemy_spaces,
    list_occupied_spaces,
    list_spaces_in_sight,
    trace_line_of_sight,
)
from scratch_core.encounter.actions.preconditions import (
    LONG_ATTACKS,
    TurnContext,
    build_must_evade_problems,
    build_no_encounter_problems,
    down_or_away_problems,
    is_forced_to_evade,
)
from scratch_core.encounter.actions.support import (
    HEALING,
    ability_check_problems,
    craft_problems,
    healing_target_problems,
    is_crafting_locked_by_encounter,
    list_legal_craft_actions,
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
    "AbilityNames",
    "Action",
    "ActionOutcome",
    "FightRoll",
    "InterruptWindow",
    "RollD20",
    "TurnContext",
    "ability_check_problems",
    "attack_target_problems",
    "blast_space_problems",
    "build_active_off_board_escape_events",
    "build_events_before_interrupt",
    "build_movement_traits",
    "build_must_evade_problems",
    "build_no_encounter_problems",
    "build_unreachable_space_problem",
    "can_turn_be_skipped",
    "choose_best_abilities",
    "compute_agility",
    "compute_defence",
    "compute_intelligence",
    "compute_strength",
    "compute_usual_damage",
    "continue_move_until_interruptible",
    "craft_problems",
    "declare_if_interruptible",
    "describe_failure",
    "down_or_away_problems",
    "get_named_or_best_abilities",
    "healing_target_problems",
    "interrupt_problems",
    "is_crafting_locked_by_encounter",
    "is_forced_to_evade",
    "list_ability_options",
    "list_blast_target_ids",
    "list_enemy_spaces",
    "list_exposed_moments",
    "list_interrupt_windows",
    "list_interrupts",
    "list_legal_actions_by_name",
    "list_legal_craft_actions",
    "list_legal_turn_action_names",
    "list_legal_turn_actions",
    "list_move_routes",
    "list_occupied_spaces",
    "list_others_in_cover",
    "list_possible_interrupters",
    "list_roll_parts",
    "list_spaces_in_sight",
    "list_target_independent_problems",
    "map_interrupters_by_space",
    "may_leave_cover_to_interrupt",
    "missing_held_target_problems",
    "missing_pending_action_problems",
    "path_independent_move_problems",
    "rebuild_declared_action",
    "required_ability_problems",
    "sum_damage_and_hits_over_faces",
    "take_fighters_out_of_cover",
    "target_independent_problems",
    "trace_line_of_sight",
    "turn_action_problems",
]
