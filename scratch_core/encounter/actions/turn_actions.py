"""Actions of a turn other than attacks and healing: evade, escape, engage, cover, small actions, passing."""

from __future__ import annotations

from collections.abc import Callable

from scratch_core.encounter.actions.ability_choice import get_named_or_best_abilities
from scratch_core.encounter.actions.action import Action
from scratch_core.encounter.actions.attacks import ActionOutcome, RollD20, flying_or_diving_target_problems
from scratch_core.encounter.actions.escape import (
    build_active_off_board_escape_events,
    escape_timing_and_exit_problems,
    has_escape_specific_problems,
)
from scratch_core.encounter.actions.movement import list_move_routes
from scratch_core.encounter.actions.phrases import ACTION_TITLES
from scratch_core.encounter.actions.preconditions import (
    ActionPrecondition,
    TurnContext,
    build_must_evade_problems,
    is_forced_to_evade,
    list_forbidden_regular_actions,
)
from scratch_core.encounter.state import (
    BonusUsed,
    CoverLeft,
    CoverTaken,
    Engaged,
    Escaped,
    Evaded,
    Event,
    Fighter,
    OutOfReach,
    RegularUsed,
    TurnEnded,
)
from scratch_core.errors import Problem, build_rule_problems
from scratch_core.figures import format_signed
from scratch_core.rulebook.actions import BASIC_ATTACK, ENGAGE, HOLD
from scratch_core.turn_systems import conceal, narrate

# Preconditions


def _build_useless_engage_problems(context: TurnContext) -> list[Problem]:
    """Build the problem of an engage that would be useless.

    It is legal while a close attack is still possible in this turn (ruling A15). Rule: `act.engage`.
    """
    if _is_too_late_for_close_attack(context):
        expected, got = "an engage before a close attack", "one after the regular action"
        return build_rule_problems(
            "engage.too-late", "act.engage", expected, got, ACTION_TITLES["engage"], actor=context.actor.name
        )
    expected, got = "a character to attack at close range", "no one within reach"
    return build_rule_problems(
        "engage.no-target", "act.engage", expected, got, ACTION_TITLES["engage"], actor=context.actor.name
    )


def _is_engage_useless(context: TurnContext) -> bool:
    """Return whether no close attack can follow in this turn.

    It is too late in the turn, or no fighter is within reach. Rule: `act.engage`.
    """
    if _is_too_late_for_close_attack(context):
        return True
    is_reachable, actor = _build_reach_predicate(context), context.actor
    return not any(
        is_reachable(target) for target in context.state.fighters if target.id != actor.id and not target.is_away
    )


def _is_too_late_for_close_attack(context: TurnContext) -> bool:
    return {BASIC_ATTACK.do, HOLD.do} <= list_forbidden_regular_actions(context)


def _build_reach_predicate(context: TurnContext) -> Callable[[Fighter], bool]:
    """Build a function that says whether a close attack can reach a fighter.

    The actor attacks from its own space or, if it can still move, from any space where its move can end. It can't move
    between the two attacks of a double attack. A flying or diving fighter may be out of reach. Without a map, distance
    does not matter.
    Rules: `grid.close.reach`, `act.engage`, `grid.move.once`, `flying.immunity`, `swimming.deep-evade`."""
    board, actor = context.state.board, context.actor
    if board is None or actor.at is None:
        return lambda target: not flying_or_diving_target_problems(actor, BASIC_ATTACK.do, target)
    ends = () if context.state.ledger.regular else list_move_routes(context)
    spaces = {actor.at, *ends}

    def is_reachable(target: Fighter) -> bool:
        near = spaces.intersection(board.blast_area(target.at)) if target.at else ()
        return any(
            not flying_or_diving_target_problems(
                actor.with_position_and_surroundings(board, space), BASIC_ATTACK.do, target
            )
            for space in near
        )

    return is_reachable


def _take_cover_problems(context: TurnContext) -> list[Problem]:
    """Return why the actor can't take cover.

    It needs something to hide behind, before any other action of the turn. Rule: `act.cover`.
    """
    where, name = ACTION_TITLES["take-cover"], context.actor.name
    if context.actor.in_cover:
        return build_rule_problems(
            "cover.already", "act.cover", "an actor out of cover", f"{name} in cover", where, actor=name
        )
    problems = []
    if "cover" not in context.actor.here:
        problems += build_rule_problems("cover.nothing-here", "act.cover", "something to hide behind", "nothing", where)
    if not context.state.ledger.has_no_action_used:
        expected = "cover before any other action of the turn"
        problems += build_rule_problems("cover.too-late", "act.cover", expected, "cover after one", where, actor=name)
    return problems


def _build_must_evade_before_pass_problems(context: TurnContext) -> list[Problem]:
    """Build the problem of passing while panicked (ruling A07).

    A panicked actor must evade or escape first. Rules: `turn.do-nothing`, `cond.panicked`.
    """
    rules, got = "cond.panicked turn.do-nothing", f"nothing from {context.actor.name}"
    return build_must_evade_problems(rules, got, context.actor, ACTION_TITLES["nothing"])


ACTION_PRECONDITIONS = {
    "escape": ActionPrecondition(has_escape_specific_problems, escape_timing_and_exit_problems),
    "engage": ActionPrecondition(_is_engage_useless, _build_useless_engage_problems),
    "take-cover": ActionPrecondition(
        lambda context: (
            context.actor.in_cover or "cover" not in context.actor.here or not context.state.ledger.has_no_action_used
        ),
        _take_cover_problems,
    ),
    "leave-cover": ActionPrecondition(
        lambda context: not context.actor.in_cover,
        lambda context: build_rule_problems(
            "cover.not-in-cover",
            "act.cover.stay",
            "an actor in cover",
            f"{context.actor.name} out of it",
            ACTION_TITLES["leave-cover"],
            actor=context.actor.name,
        ),
    ),
    "nothing": ActionPrecondition(is_forced_to_evade, _build_must_evade_before_pass_problems),
    "end-turn": ActionPrecondition(is_forced_to_evade, _build_must_evade_before_pass_problems),
}
"""The preconditions of single actions, apart from conditions and used actions."""

# Resolution


def resolve_evade(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Resolve an evade, which adds a movement ability to agility and strength.

    An ability that is absent, or that the surroundings don't suit, adds 0.
    Rules: `act.evade`, `act.evade.no-ability`, `move.use`, `move.terrain`, `flying.requires`, `swimming.requires`,
    `flying.immunity`, `swimming.deep-evade`.
    """
    actor = context.actor
    uses = get_named_or_best_abilities(actor, action, context.state.rulings)
    ability, bonus, description = "", 0, " (no bonus)"
    if uses and actor.level(uses[0]) and actor.has_terrain_for(uses[0]):
        ability, bonus = uses[0], actor.level(uses[0])
        description = f" with {ability}: {format_signed(bonus)} agility and strength"
    events: list[Event] = [RegularUsed(actor.id, "evade"), Evaded(actor.id, ability, bonus)]
    if actor.can_fly_here and (ability == "flying" or context.state.rulings.flyer_on_foot == "safe"):  # ruling A12
        events.append(OutOfReach(actor.id))
    return ActionOutcome(tuple(events), (), narrate("{} evades{}.", actor, conceal(actor.id, description)))


def resolve_escape(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Remove the actor from the encounter.

    Afterwards it can only end its turn. Rules: `act.escape`, `act.escape.effect`, `minion.independent`.
    """
    actor = context.actor
    return ActionOutcome((RegularUsed(actor.id, "escape"), Escaped(actor.id)), (), narrate("{} escapes.", actor))


def resolve_engage(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Improve close attacks this turn, and lower agility until the next. Rules: `act.engage`, `act.engage.penalty`."""
    actor = context.actor
    events = (BonusUsed(actor.id, "engage"), Engaged(actor.id))
    gain, cost = format_signed(ENGAGE.gain), format_signed(-ENGAGE.cost)
    numbers = conceal(actor.id, ": {} on close attacks this turn, {} agility until their next turn", gain, cost)
    return ActionOutcome(events, (), narrate("{} engages{}.", actor, numbers))


def resolve_cover_taking(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Put the actor in cover. Rules: `act.cover`, `act.cover.effect`."""
    actor = context.actor
    sentences = narrate("{} takes cover.", actor)
    return ActionOutcome((BonusUsed(actor.id, "take-cover"), CoverTaken(actor.id)), (), sentences)


def resolve_cover_leaving(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Leave cover, which is a free action. Rule: `act.cover.stay`."""
    return ActionOutcome((CoverLeft(context.actor.id),), (), narrate("{} leaves cover.", context.actor))


def resolve_bonus_action(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Spend the bonus action on a door, a button or a hand-over. Rules: `act.bonus`, `act.bonus.examples`."""
    return ActionOutcome((BonusUsed(context.actor.id, "bonus"),), (), narrate("{} uses a bonus action.", context.actor))


def resolve_nothing(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """Spend the regular and the bonus action.

    Like every turn, this one has to be ended afterwards. Rule: `turn.do-nothing`.
    """
    who = context.actor.id
    return ActionOutcome(
        (RegularUsed(who, "nothing"), BonusUsed(who, "nothing")), (), narrate("{} does nothing.", context.actor)
    )


def resolve_turn_end(context: TurnContext, action: Action, roll_d20: RollD20) -> ActionOutcome:
    """End the turn. Rule: `turn.member-turn`."""
    return ActionOutcome(
        (*build_active_off_board_escape_events(context.state), TurnEnded(context.actor.id)),
        (),
        narrate("{} ends their turn.", context.actor),
    )


RESOLVE: dict[str, Callable[[TurnContext, Action, RollD20], ActionOutcome]] = {
    "evade": resolve_evade,
    "escape": resolve_escape,
    "engage": resolve_engage,
    "take-cover": resolve_cover_taking,
    "leave-cover": resolve_cover_leaving,
    "bonus": resolve_bonus_action,
    "nothing": resolve_nothing,
    "end-turn": resolve_turn_end,
}
"""The function that resolves each action, by its name."""
