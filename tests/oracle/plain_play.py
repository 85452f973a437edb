"""The plain policy of an earlier version: the sensible policy is compared with it."""

from collections.abc import Sequence

from scratch_core.encounter.actions import Action
from scratch_core.encounter.state import EncounterState
from scratch_core.odds import compute_damage_distribution
from scratch_core.record_copies import replace_fields
from scratch_core.rulebook.actions import ACTION_SPECS, END_TURN, EVADE, LEAVE_COVER


def plain(state: EncounterState, actions: Sequence[Action]) -> Action:
    """Choose the attack with the highest average damage to the weakest enemy.

    The policy does nothing else.
    """
    hurting = _at_the_weakest(state, actions)
    if hurting:
        means = [compute_damage_distribution(state, _whole(action), action.targets[0]).mean for action in hurting]
        if max(means) > 0:
            return hurting[means.index(max(means))]
    names = {action.do: action for action in reversed(actions)}
    for do in (END_TURN.do, EVADE.do, LEAVE_COVER.do):
        if do in names:
            return names[do]
    return actions[0]


def _whole(action: Action) -> Action:
    """Return an attack with its follow-up, all of it at its target."""
    return (
        replace_fields(action, targets=action.targets[:1] * ACTION_SPECS[action.do].targets.most)
        if ACTION_SPECS[action.do].follow_up
        else action
    )


def _at_the_weakest(state: EncounterState, actions: Sequence[Action]) -> list[Action]:
    """List the attacks that hurt the weakest enemy within reach.

    The weakest enemy has the fewest hit points and is not incapacitated.
    """
    found: dict[str, dict[str, Action]] = {}
    for action in actions:
        if len(set(action.targets)) == 1 and ACTION_SPECS[action.do].damage:
            found.setdefault(action.targets[0], {}).setdefault(action.do, replace_fields(action, uses=None))
    enemies = [
        state.fighter(each) for each in found if state.fighter(each).side != state.fighter(actions[0].actor).side
    ]
    standing = [each for each in enemies if not each.is_down]
    return list(found[min(standing, key=lambda each: each.hp).id].values()) if standing else []
