"""Whether an action is legal in the actor's turn: as a yes or no, and as a list of violations.

Listing needs only the yes or no, which is faster. Problems are built when a caller asks for the reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scratch_core.encounter.actions import attacks, movement, positions, support, turn_actions
from scratch_core.encounter.actions.ability_choice import choice_problems, list_ability_options, requirement_problems
from scratch_core.encounter.actions.action import ABILITY_ACTIONS, TURN_ACTIONS, Action
from scratch_core.encounter.actions.preconditions import (
    ATTACKS,
    PRECONDITIONS,
    TurnContext,
    absence_problems,
    idle_problems,
    is_absent,
)
from scratch_core.encounter.actions.support import HEALING
from scratch_core.encounter.state import EncounterState, Fighter
from scratch_core.errors import Problem
from scratch_core.rulebook.actions import ACTION_SPECS, END_TURN

ACTION_PRECONDITIONS = {**attacks.ACTION_PRECONDITIONS, **turn_actions.ACTION_PRECONDITIONS}
"""The precondition of single actions, by their names."""

_CAN_TARGET = {**dict.fromkeys(ATTACKS, attacks.can_target), **dict.fromkeys(HEALING, support.can_help)}


def turn_action_problems(scene: TurnContext, action: Action) -> list[Problem]:
    """Return every violation of an action, after the actor's turn has begun."""
    if action.do in movement.PROBLEMS:
        return movement.PROBLEMS[action.do](scene, action)
    found = actor_problems(scene, action.do)
    if action.do in ATTACKS:
        found += attacks.targets_problems(scene, action)
    elif action.do in HEALING and len(action.targets) != 1:
        found += attacks.count_problems(action)
    elif action.do in HEALING:
        found += support.patient_problems(scene, action.do, scene.state.fighter(action.targets[0]))
    if action.do in ABILITY_ACTIONS:
        found += choice_problems(scene.actor, action, scene.state.rulings)
    return found


def actor_problems(scene: TurnContext, do: str) -> list[Problem]:
    """Return what forbids an action, whatever its target.

    A fighter who is down or away may still end a turn. Outside an encounter there are no turns, but there is healing.
    Rules: `turn.encounter`, `act.unrepeatable`, those of conditions, of used actions and of the action itself, and
    `grid.escape.exit` for a fighter off the board.
    """
    if not scene.is_encounter:
        return _peace_problems(scene, do)
    found = [
        problem for bar in PRECONDITIONS if do in bar.list_forbidden(scene) for problem in bar.list_problems(scene, do)
    ]
    own = ACTION_PRECONDITIONS.get(do)
    return found + own.list_problems(scene) if own and own.is_unmet(scene) else found


def _peace_problems(scene: TurnContext, do: str) -> list[Problem]:
    """Return what forbids an action outside an encounter, whatever its target. Rule: `turn.encounter`."""
    found = absence_problems(scene.actor, do) if do != END_TURN.do else []
    if do in HEALING:
        return found + requirement_problems(scene.actor, do)
    return found + idle_problems(do)


# Listing


def list_open_actions(scene: TurnContext) -> Iterator[str]:
    """Yield the names of the actions that `actor_problems` would not forbid.

    It builds no problems, which is faster.
    """
    barred = frozenset[str]().union(*[bar.list_forbidden(scene) for bar in PRECONDITIONS])
    for do in TURN_ACTIONS:
        if do not in barred and not (do in ACTION_PRECONDITIONS and ACTION_PRECONDITIONS[do].is_unmet(scene)):
            yield do


def list_turn_actions(scene: TurnContext) -> Iterator[Action]:
    """Yield every legal action of a turn once.

    There is one for each set of targets, in file order, and each choice of abilities.
    """
    for do in list_open_actions(scene):
        yield from _with_targets(scene, do)
    yield from movement.list_board_actions(scene)


def list_turn_action_names(scene: TurnContext) -> frozenset[str]:
    """Return the names of the legal actions of a turn.

    It doesn't list all their targets and abilities.
    """
    found = frozenset(do for do in list_open_actions(scene) if any(_with_targets(scene, do)))
    return found if scene.state.board is None else found | {action.do for action in movement.list_board_actions(scene)}


def _with_targets(scene: TurnContext, do: str) -> Iterator[Action]:
    actor, card = scene.actor, ACTION_SPECS[do]
    if do not in ABILITY_ACTIONS:
        yield Action(actor.id, do)
        return
    choices = list_ability_options(actor, do, scene.state.rulings) if card.usable_abilities else (None,)
    board = scene.state.board
    if card.targets.spaces and board is not None:
        clear = positions.list_spaces_in_sight(scene) or frozenset()
        spaces = (space for space in board.spaces if space in clear and not board.is_solid(space))
        yield from (Action(actor.id, do, uses=uses, space=space) for space in spaces for uses in choices)
        return
    for targets in _targets(scene, do):
        for uses in choices:
            yield Action(actor.id, do, targets, uses)


def _targets(scene: TurnContext, do: str) -> Iterable[tuple[str, ...]]:
    """Return every legal set of targets of an action, in file order."""
    allowed = ACTION_SPECS[do].targets
    if not allowed.most:
        return ((),)
    can_target = _CAN_TARGET[do]
    open_to = [target.id for target in scene.state.fighters if can_target(scene, do, target)]
    return (tuple(open_to[place] for place in chosen) for chosen in allowed.sets_of(len(open_to)))


def list_peace_actions(state: EncounterState, actor: Fighter) -> Iterator[Action]:
    """Yield every legal action outside an encounter: healing and crafted bonuses.

    Rules: `craft.encounter-lock`, `act.heal`, `minion.no-heal`.
    """
    scene = TurnContext(state, actor)
    if not is_absent(actor):
        for do in HEALING:
            if do not in actor.numbers.beyond:
                yield from _with_targets(scene, do)
    yield from support.list_craft_actions(state, actor)
