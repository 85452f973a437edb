"""Fights played out with dice: an estimate with its interval, for teams that nothing can solve in good time.

What comes out holds for the policies that played, not for the best of play, and says so by their names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from scratch_core.actions import Action
from scratch_core.cards import CARDS, END_TURN, EVADE, LEAVE_COVER
from scratch_core.changing import changed
from scratch_core.dice import Roller
from scratch_core.encounter import decide, legal_actions, replay
from scratch_core.errors import Problem, ScratchError
from scratch_core.odds.game import Game
from scratch_core.odds.moments import Policy, next_turns
from scratch_core.odds.outcomes import damage
from scratch_core.state import State

ROUNDS_LIMIT = 200
"""A fight that goes on for longer counts as nobody's."""

_Z = 1.959963984540054
"""How many standard deviations either way hold 95 of 100 normal results."""


def plain(state: State, actions: Sequence[Action]) -> Action:
    """The plain attacker: every turn the attack that does most damage on average, at the weakest enemy.

    The weakest has the fewest hit points, of equals the first; the second of two blows has a target of its own, chosen
    after the first. Who can't attack evades when panicked, out of cover if
    need be, and else ends the turn. It never engages, hides, holds or heals. Rule: `turn.do-nothing`.
    """
    hurting = _at_the_weakest(state, actions)
    if hurting:
        means = [damage(state, _whole(action), action.targets[0]).mean for action in hurting]
        if max(means) > 0:
            return hurting[means.index(max(means))]
    names = {action.do: action for action in reversed(actions)}
    for do in (END_TURN.do, EVADE.do, LEAVE_COVER.do):
        if do in names:
            return names[do]
    return actions[0]


def _whole(action: Action) -> Action:
    """An attack with what it opens, all of it at its target. Rule: `act.fighting.double`."""
    return (
        changed(action, targets=action.targets[:1] * CARDS[action.do].targets.most)
        if CARDS[action.do].opens
        else action
    )


def _at_the_weakest(state: State, actions: Sequence[Action]) -> list[Action]:
    """The attacks that hurt one enemy still standing, whoever can be reached with the fewest hit points.

    Each stands once, with the best that may be added to it.
    """
    found: dict[str, dict[str, Action]] = {}
    for action in actions:
        if len(set(action.targets)) == 1 and CARDS[action.do].damage:
            found.setdefault(action.targets[0], {}).setdefault(action.do, changed(action, uses=None))
    enemies = [
        state.fighter(each) for each in found if state.fighter(each).side != state.fighter(actions[0].actor).side
    ]
    standing = [each for each in enemies if not each.is_down]
    return list(found[min(standing, key=lambda each: each.hp).id].values()) if standing else []


def best_of(game: Game) -> Policy:
    """The policy that a solved game has found: its best act in every state.

    Where a turn can only end, the game looks on to the next choice, which is none of this turn: then it ends.
    """

    def choose(state: State, actions: Sequence[Action]) -> Action:
        action = game.choices(state)[0].action
        if action is not None and action in actions:
            return action
        return next((each for each in actions if each.do == END_TURN.do), actions[0])

    return choose


def play_out(state: State, policies: Mapping[str, Policy], roller: Roller) -> str:
    """Play a fight to its end and give the side that wins, "" for nobody's; `policies` are by side.

    Whose turn may begin is taken in the file's order. Raises `ScratchError` for a policy that chooses what isn't legal.
    Rules: `turn.order`, `turn.member-order`, `act.escape.effect`.
    """
    until = state.round + ROUNDS_LIMIT
    while _goes_on(state) and state.round <= until:
        if state.turn_over:
            state = next_turns(state)[0]
        actions = legal_actions(state)
        action = policies[state.fighter(actions[0].actor).side](state, actions)
        decision = decide(state, action, roller)
        if not decision.is_legal:
            raise ScratchError(Problem("odds.policy", "a policy that chooses a legal act", decision.say, "the playout"))
        state = replay(state, decision.events)
    return "" if _goes_on(state) else state.winner


def _goes_on(state: State) -> bool:
    return len({each.side for each in state.fighters if not each.is_down and not each.is_away}) > 1


@dataclass(frozen=True, slots=True)
class Tally:
    """How often each side has won in how many fights; fights of nobody's are missing from `wins`."""

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


def play_outs(
    state: State, policies: Mapping[str, Policy], roller: Roller, fights: int, before: Tally | None = None
) -> Tally:
    """Play so many fights from a state, on top of those of `before`: call it again for a narrower interval."""
    wins = dict(before.wins) if before else {}
    for _ in range(fights):
        winner = play_out(state, policies, roller)
        if winner:
            wins[winner] = wins.get(winner, 0) + 1
    return Tally(fights + (before.fights if before else 0), wins)
