"""Whether an action is legal in the actor's turn: as a yes or no, and as a list of violations.

Listing needs only the yes or no, which is faster. Problems are built when a caller asks for the reasons.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from scratch_core.board import Route, Space
from scratch_core.encounter.actions import attacks, movement, positions, support, turn_actions
from scratch_core.encounter.actions.ability_choice import (
    ability_choice_problems,
    list_ability_options,
    required_ability_problems,
)
from scratch_core.encounter.actions.action import ABILITY_ACTIONS, TURN_ACTIONS, Action
from scratch_core.encounter.actions.preconditions import (
    ATTACKS,
    PRECONDITIONS,
    Precondition,
    TurnContext,
    build_no_encounter_problems,
    down_or_away_problems,
)
from scratch_core.encounter.actions.support import HEALING
from scratch_core.errors import Problem
from scratch_core.rulebook.actions import ACTION_SPECS, CRAFT, END_TURN, MOVE, REPOSITION

ACTION_PRECONDITIONS = {**attacks.ACTION_PRECONDITIONS, **turn_actions.ACTION_PRECONDITIONS}
"""The precondition of single actions, by their names."""

_CAN_TARGET = {**dict.fromkeys(ATTACKS, attacks.can_attack), **dict.fromkeys(HEALING, support.can_heal_or_revive)}


def turn_action_problems(context: TurnContext, action: Action) -> list[Problem]:
    """Return every violation of an action, after the actor's turn has begun."""
    if action.do in movement.PROBLEMS:
        return movement.PROBLEMS[action.do](context, action)
    problems = target_independent_problems(context, action.do)
    if action.do in ATTACKS:
        problems += attacks.target_choice_problems(context, action)
    elif action.do in HEALING and len(action.targets) != 1:
        problems += attacks.build_wrong_target_count_problems(action)
    elif action.do in HEALING:
        problems += support.healing_target_problems(context, action.do, context.state.fighter(action.targets[0]))
    if action.do in ABILITY_ACTIONS:
        problems += ability_choice_problems(context.actor, action, context.state.rulings)
    return problems


def target_independent_problems(context: TurnContext, do: str) -> list[Problem]:
    """Return what forbids an action, whatever its target.

    A fighter who is down or away may still end a turn. Outside an encounter there are no turns, but there is healing.
    Rules: `turn.encounter`, `act.unrepeatable`, those of conditions, of used actions and of the action itself, and
    `grid.escape.exit` for a fighter off the board.
    """
    if not context.is_encounter_running:
        return _action_between_encounters_problems(context, do)
    unmet = [precondition for precondition in PRECONDITIONS if do in precondition.list_forbidden(context)]
    return list(_list_action_problems(context, do, unmet))


def list_target_independent_problems(
    context: TurnContext, action_names: Iterable[str]
) -> Iterator[tuple[str, Iterator[Problem]]]:
    """Yield the names of actions, each with what forbids it whatever its target.

    The problems are built on demand, and what each precondition forbids is found once for all actions.
    """
    if not context.is_encounter_running:
        yield from ((do, iter(_action_between_encounters_problems(context, do))) for do in action_names)
        return
    forbidden = [(precondition, precondition.list_forbidden(context)) for precondition in PRECONDITIONS]
    for do in action_names:
        unmet = [precondition for precondition, forbidden_names in forbidden if do in forbidden_names]
        yield do, _list_action_problems(context, do, unmet)


def _list_action_problems(context: TurnContext, do: str, unmet: Iterable[Precondition]) -> Iterator[Problem]:
    """Yield the problems of the unmet preconditions, and those of the action's own precondition."""
    for precondition in unmet:
        yield from precondition.list_problems(context, do)
    own = ACTION_PRECONDITIONS.get(do)
    if own and own.is_unmet(context):
        yield from own.list_problems(context)


def _action_between_encounters_problems(context: TurnContext, do: str) -> list[Problem]:
    """Return what forbids an action outside an encounter, whatever its target. Rule: `turn.encounter`."""
    problems = down_or_away_problems(context.actor, do) if do != END_TURN.do else []
    if do in HEALING:
        return problems + required_ability_problems(context.actor, do)
    return problems + build_no_encounter_problems(do)


# Listing


def list_available_action_names(context: TurnContext) -> Iterator[str]:
    """Yield the names of the actions that `target_independent_problems` would not forbid.

    It builds no problems, which is faster.
    """
    forbidden = frozenset[str]().union(*[precondition.list_forbidden(context) for precondition in PRECONDITIONS])
    for do in TURN_ACTIONS:
        if do not in forbidden and not (do in ACTION_PRECONDITIONS and ACTION_PRECONDITIONS[do].is_unmet(context)):
            yield do


def list_legal_actions_by_name(
    context: TurnContext,
    routes: Mapping[Space, Route] | None = None,
    visible_spaces: Collection[Space] | None = None,
) -> Iterator[tuple[str, Iterator[Action]]]:
    """Yield the names of the actor's available actions, each with its legal variants.

    An action may have no variant. The variants are listed on demand, because a blast may have thousands of sets of
    targets: one for each set, the smaller first, in file order, and each choice of abilities. A move has one for each
    space where it can end. Outside an encounter there are healing and crafted bonuses.
    `routes` and `visible_spaces` are the results of `list_move_routes` and `list_spaces_in_sight`, for callers that
    have them already.
    Rules: `act.basic.available`, `craft.encounter-lock`, `act.heal`, `minion.no-heal`.
    """
    state, actor = context.state, context.actor
    if not context.is_encounter_running:
        for do in () if actor.is_out else HEALING:
            if do not in actor.numbers.beyond:
                yield do, _list_legal_variants(context, do)
        yield CRAFT.do, support.list_legal_craft_actions(state, actor)
        return
    for do in list_available_action_names(context):
        yield do, _list_legal_variants(context, do, visible_spaces)
    if state.board is not None:
        yield MOVE.do, movement.list_legal_moves(context, routes)
        yield REPOSITION.do, movement.list_legal_repositions(context)


def list_legal_turn_actions(context: TurnContext) -> Iterator[Action]:
    """Yield every legal action of the actor once, in the order of `list_legal_actions_by_name`."""
    for _, variants in list_legal_actions_by_name(context):
        yield from variants


def list_legal_turn_action_names(context: TurnContext) -> frozenset[str]:
    """Return the names of the actor's legal actions.

    It doesn't list all their targets and abilities.
    """
    return frozenset(do for do, variants in list_legal_actions_by_name(context) if any(variants))


def _list_legal_variants(
    context: TurnContext, do: str, visible_spaces: Collection[Space] | None = None
) -> Iterator[Action]:
    actor, spec = context.actor, ACTION_SPECS[do]
    if do not in ABILITY_ACTIONS:
        yield Action(actor.id, do)
        return
    choices = list_ability_options(actor, do, context.state.rulings) if spec.usable_abilities else (None,)
    board = context.state.board
    if spec.targets.spaces and board is not None:
        clear = positions.list_spaces_in_sight(context) or () if visible_spaces is None else visible_spaces
        spaces = (space for space in board.spaces if space in clear and not board.has_wall_or_obstacle(space))
        yield from (Action(actor.id, do, uses=uses, space=space) for space in spaces for uses in choices)
        return
    for targets in _list_legal_target_sets(context, do):
        for uses in choices:
            yield Action(actor.id, do, targets, uses)


def _list_legal_target_sets(context: TurnContext, do: str) -> Iterable[tuple[str, ...]]:
    """Return every legal set of targets of an action, in file order."""
    allowed = ACTION_SPECS[do].targets
    if not allowed.most:
        return ((),)
    can_attack = _CAN_TARGET[do]
    legal_ids = [target.id for target in context.state.fighters if can_attack(context, do, target)]
    return (tuple(legal_ids[place] for place in chosen) for chosen in allowed.list_target_sets(len(legal_ids)))
