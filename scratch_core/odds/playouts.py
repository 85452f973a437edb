"""Playouts: fights simulated with dice, an estimate with its interval for fights too large to be solved.

The results hold for the policies used, not for optimal play, and name them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from scratch_core.dice import SIDES, Roller, face_needed
from scratch_core.encounter.actions import (
    HEALING,
    Action,
    TurnContext,
    choose_best_abilities,
    list_roll_parts,
    sum_damage_and_hits_over_faces,
)
from scratch_core.encounter.engine import apply_events, decide, legal_actions
from scratch_core.encounter.state import EncounterState, Fighter
from scratch_core.errors import Problem, ScratchError
from scratch_core.odds.game_graph import Policy, list_next_turn_states
from scratch_core.record_copies import replace_fields
from scratch_core.rulebook.actions import ACTION_SPECS, END_TURN, ENGAGE, EVADE, LEAVE_COVER, TAKE_COVER

MAX_ROUNDS = 200
"""The number of rounds after which a fight counts as without a winner."""

_Z = 1.959963984540054
"""The number of standard deviations on either side that contain 95 of 100 normal results."""


def choose_sensible_action(state: EncounterState, actions: Sequence[Action]) -> Action:
    """Choose as a sensible player would: the action with the highest estimated value.

    An attack is worth the mean share of the enemy's hit points that it takes, times the value of that enemy's turn. So
    the enemy closest to incapacitation comes first, among equals the most dangerous. An action that costs the actor's
    next turn is worth half. Healing and reviving are rated by the value of the ally's turn.

    An injured actor takes cover before a distant attack, and an actor engages before a close one. Only wrestlers hold;
    no actor escapes, distracts or intimidates. In a duel, the choice depends on health, not on hit points, so that the
    duel can be solved. Rule: `turn.do-nothing`.
    """
    scene = TurnContext(state, state.fighter(actions[0].actor))
    names = {action.do: action for action in reversed(actions)}
    values = _rate_attacks_and_healing(scene, actions)
    if values:
        chosen = max(values, key=values.__getitem__)
        spec = ACTION_SPECS[chosen.do]
        if scene.actor.is_injured and spec.is_allowed_in_cover and TAKE_COVER.do in names:
            return names[TAKE_COVER.do]
        return names[ENGAGE.do] if spec.is_close_attack and ENGAGE.do in names else chosen
    order = (END_TURN.do, EVADE.do, LEAVE_COVER.do)
    for do in order if state.ledger.regular else order[::-1]:
        if do in names:
            return names[do]
    return actions[0]


_HEALED, _REVIVED, _DELAYED, _FELLED = 0.6, 0.8, 0.4, 1.2
"""The values of healing and reviving in turns of the ally, and of a delay in turns of the enemy; the factor for a hit
that incapacitates. Tuned on 800 groups."""


def _rate_attacks_and_healing(scene: TurnContext, actions: Sequence[Action]) -> dict[Action, float]:
    """Rate each action that harms enemies or helps allies, with its best abilities."""
    known: dict[tuple[str, str], float] = {}
    found: dict[tuple[str, tuple[str, ...]], float] = {}
    for action in actions:
        do, targets, spec = action.do, action.targets, ACTION_SPECS[action.do]
        if (do, targets) in found or not (spec.damage or do in HEALING):
            continue
        for target in targets:
            if (do, target) not in known:
                known[do, target] = _rate_action_against(scene, do, scene.state.fighter(target))
        value = sum([known[do, target] for target in targets])
        attacks, turns = (
            2 / len(targets) if spec.follow_up else 1,
            2 if spec.is_self_delaying(scene.actor.is_injured) else 1,
        )
        found[do, targets] = value * attacks / turns
    return {Action(scene.actor.id, *each): value for each, value in found.items() if value > 0}


def _rate_action_against(scene: TurnContext, do: str, target: Fighter) -> float:
    """Rate an action against one of its targets.

    Returns 0 for an attack on an ally or an incapacitated enemy, and for help to an enemy.
    """
    is_friend = target.side == scene.actor.side
    if is_friend is not (do in HEALING) or (target.is_down and not is_friend):
        return 0.0
    uses = choose_best_abilities(scene.actor, do, scene.state.rulings)
    if is_friend:
        added = sum(part.value for part in list_roll_parts(scene.actor, do, uses, scene.state.rulings))
        chance = (SIDES + 1 - face_needed(added, ACTION_SPECS[do].difficulty)) / SIDES
        return chance * (_REVIVED if target.is_down else _HEALED) * _estimate_turn_value(target)
    if len(scene.state.fighters) == 2:
        target = replace_fields(target, hp=target.numbers.max_hp if target.is_healthy else target.numbers.stamina)
    taken, hits = sum_damage_and_hits_over_faces(scene, do, uses, (target,))
    lost_turns = _DELAYED * hits if taken and ACTION_SPECS[do].inflicts else 0
    share = taken / target.hp * (_FELLED if taken == hits * target.hp else 1)
    return (share + lost_turns) * _estimate_turn_value(target) / SIDES


def _estimate_turn_value(who: Fighter) -> float:
    """Estimate the damage of a fighter's turn, in twentieths of a hit point.

    It is doubled with the ability of an attack.
    """
    level = max(who.level(each) for each in ("fighting", "shooting", "blasting", "knockout"))
    return (11 + level) * (2 if level else 1)


def play_until_won(state: EncounterState, policies: Mapping[str, Policy], roller: Roller) -> str:
    """Play a fight to its end and return the winning side, "" without one.

    `policies` are by side. If several turns may begin, the first in the file's order does. Raises `ScratchError` if a
    policy chooses an illegal action. Rules: `turn.order`, `turn.member-order`, `act.escape.effect`.
    """
    until = state.round + MAX_ROUNDS
    while _is_undecided(state) and state.round <= until:
        if state.turn_over:
            state = list_next_turn_states(state)[0]
        actions = legal_actions(state)
        action = policies[state.fighter(actions[0].actor).side](state, actions)
        decision = decide(state, action, roller)
        if not decision.is_legal:
            raise ScratchError(
                Problem("odds.policy", "a policy that chooses a legal act", decision.narration, "the playout")
            )
        state = apply_events(state, decision.events)
    return "" if _is_undecided(state) else state.winner


def _is_undecided(state: EncounterState) -> bool:
    return len({each.side for each in state.fighters if not each.is_out}) > 1


@dataclass(frozen=True, slots=True)
class Tally:
    """The results of a number of fights."""

    fights: int
    """The number of fights."""
    wins: Mapping[str, int]
    """The number of wins by side; fights without a winner are not counted."""

    def win_share(self, side: str) -> float:
        """Return the share of fights that a side has won. There must be a fight."""
        return self.wins.get(side, 0) / self.fights

    def confidence_interval(self, side: str) -> tuple[float, float]:
        """Return the 95 % confidence interval of a side's chance, by Wilson's method.

        Returns 0 to 1 without fights.
        """
        if not self.fights:
            return 0.0, 1.0
        share, square = self.win_share(side), _Z * _Z / self.fights
        middle = (share + square / 2) / (1 + square)
        reach = _Z / (1 + square) * sqrt(share * (1 - share) / self.fights + square / (4 * self.fights))
        return max(0.0, middle - reach), min(1.0, middle + reach)


def tally_playouts(
    state: EncounterState,
    policies: Mapping[str, Policy],
    roller: Roller,
    count: int,
    earlier_tally: Tally | None = None,
) -> Tally:
    """Play `count` fights from a state and add them to those of `earlier_tally`.

    More fights give a narrower interval.
    """
    wins = dict(earlier_tally.wins) if earlier_tally else {}
    for _ in range(count):
        winner = play_until_won(state, policies, roller)
        if winner:
            wins[winner] = wins.get(winner, 0) + 1
    return Tally(count + (earlier_tally.fights if earlier_tally else 0), wins)
