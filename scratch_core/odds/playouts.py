"""Fights played out with dice: an estimate with its interval, for teams that nothing can solve in good time.

What comes out holds for the policies that played, not for the best of play, and says so by their names.
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
    total_over_faces,
)
from scratch_core.encounter.engine import apply_events, decide, legal_actions
from scratch_core.encounter.state import EncounterState, Fighter
from scratch_core.errors import Problem, ScratchError
from scratch_core.fast_replace import replace_fields
from scratch_core.odds.game_graph import Policy, next_turns
from scratch_core.rulebook.actions import ACTION_SPECS, END_TURN, ENGAGE, EVADE, LEAVE_COVER, TAKE_COVER

MAX_ROUNDS = 200
"""A fight that goes on for longer counts as no one's."""

_Z = 1.959963984540054
"""How many standard deviations either way hold 95 of 100 normal results."""


def choose_sensible_action(state: EncounterState, actions: Sequence[Action]) -> Action:
    """A sensible player: every turn the act that takes most of what the enemies can still do, or gives most back.

    An attack is worth the share of an enemy's hit points that it takes on average, times what that one does in a turn:
    so whoever falls next comes first, of equals the most dangerous; what costs one's next turn is worth half.
    Healing and reviving are measured by what the friend does. Whoever is injured takes cover before acting at a
    distance, and whoever strikes closely engages. Only wrestlers hold, and no one runs, distracts or threatens. In a
    duel it looks at conditions, not at hit points, so that it can be solved. Rule: `turn.do-nothing`.
    """
    scene = TurnContext(state, state.fighter(actions[0].actor))
    names = {action.do: action for action in reversed(actions)}
    values = _values(scene, actions)
    if values:
        chosen = max(values, key=values.__getitem__)
        card = ACTION_SPECS[chosen.do]
        if scene.actor.is_injured and card.is_allowed_in_cover and TAKE_COVER.do in names:
            return names[TAKE_COVER.do]
        return names[ENGAGE.do] if card.is_close and ENGAGE.do in names else chosen
    order = (END_TURN.do, EVADE.do, LEAVE_COVER.do)
    for do in order if state.ledger.regular else order[::-1]:
        if do in names:
            return names[do]
    return actions[0]


_HEALED, _REVIVED, _DELAYED, _FELLED = 0.6, 0.8, 0.4, 1.2
"""What healing and reviving are worth, in turns of the friend, delaying, in turns of the enemy, and, as a factor, a hit
that fells: tried in 800 groups."""


def _values(scene: TurnContext, actions: Sequence[Action]) -> dict[Action, float]:
    """What each act that hurts enemies or helps friends is worth, with the best that may be added to it."""
    known: dict[tuple[str, str], float] = {}
    found: dict[tuple[str, tuple[str, ...]], float] = {}
    for action in actions:
        do, targets, card = action.do, action.targets, ACTION_SPECS[action.do]
        if (do, targets) in found or not (card.damage or do in HEALING):
            continue
        for target in targets:
            if (do, target) not in known:
                known[do, target] = _value(scene, do, scene.state.fighter(target))
        value = sum([known[do, target] for target in targets])
        blows, turns = (
            2 / len(targets) if card.follow_up else 1,
            2 if card.has_self_delay(scene.actor.is_injured) else 1,
        )
        found[do, targets] = value * blows / turns
    return {Action(scene.actor.id, *each): value for each, value in found.items() if value > 0}


def _value(scene: TurnContext, do: str, who: Fighter) -> float:
    """What an act is worth by one of its targets; nothing where it hurts a friend, the fallen, or helps an enemy."""
    is_friend = who.side == scene.actor.side
    if is_friend is not (do in HEALING) or (who.is_down and not is_friend):
        return 0.0
    uses = choose_best_abilities(scene.actor, do, scene.state.rulings)
    if is_friend:
        added = sum(part.value for part in list_roll_parts(scene.actor, do, uses, scene.state.rulings))
        chance = (SIDES + 1 - face_needed(added, ACTION_SPECS[do].difficulty)) / SIDES
        return chance * (_REVIVED if who.is_down else _HEALED) * _in_a_turn(who)
    if len(scene.state.fighters) == 2:
        who = replace_fields(who, hp=who.numbers.max_hp if who.is_healthy else who.numbers.stamina)
    taken, hits = total_over_faces(scene, do, uses, (who,))
    lost_turns = _DELAYED * hits if taken and ACTION_SPECS[do].inflicts else 0
    share = taken / who.hp * (_FELLED if taken == hits * who.hp else 1)
    return (share + lost_turns) * _in_a_turn(who) / SIDES


def _in_a_turn(who: Fighter) -> float:
    """About what someone does in a turn, in twentieths of a hit point: twice as much with an attack's ability."""
    level = max(who.level(each) for each in ("fighting", "shooting", "blasting", "knockout"))
    return (11 + level) * (2 if level else 1)


def play_out(state: EncounterState, policies: Mapping[str, Policy], roller: Roller) -> str:
    """Play a fight to its end and give the side that wins, "" for no one's; `policies` are by side.

    Whose turn may begin is taken in the file's order. Raises `ScratchError` for a policy that chooses what isn't legal.
    Rules: `turn.order`, `turn.member-order`, `act.escape.effect`.
    """
    until = state.round + MAX_ROUNDS
    while _is_undecided(state) and state.round <= until:
        if state.turn_over:
            state = next_turns(state)[0]
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
    return len({each.side for each in state.fighters if not each.is_down and not each.is_away}) > 1


@dataclass(frozen=True, slots=True)
class Tally:
    """How often each side has won in how many fights; fights of no one's are missing from `wins`."""

    fights: int
    wins: Mapping[str, int]

    def interval(self, side: str) -> tuple[float, float]:
        """Between what a side's chance lies, in 95 of 100 such tallies (Wilson's interval); 0 to 1 without fights."""
        if not self.fights:
            return 0.0, 1.0
        share, square = self.wins.get(side, 0) / self.fights, _Z * _Z / self.fights
        middle = (share + square / 2) / (1 + square)
        reach = _Z / (1 + square) * sqrt(share * (1 - share) / self.fights + square / (4 * self.fights))
        return max(0.0, middle - reach), min(1.0, middle + reach)


def play_out_many(
    state: EncounterState, policies: Mapping[str, Policy], roller: Roller, fights: int, before: Tally | None = None
) -> Tally:
    """Play so many fights from a state, on top of those of `before`: call it again for a narrower interval."""
    wins = dict(before.wins) if before else {}
    for _ in range(fights):
        winner = play_out(state, policies, roller)
        if winner:
            wins[winner] = wins.get(winner, 0) + 1
    return Tally(fights + (before.fights if before else 0), wins)
