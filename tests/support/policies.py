"""A policy for tests of the odds: the best action that a solved game knows."""

from collections.abc import Sequence

from scratch_core.encounter.actions import Action
from scratch_core.encounter.state import EncounterState
from scratch_core.odds import Policy
from scratch_core.odds.solver import Game
from scratch_core.rulebook.actions import END_TURN


def best_policy(game: Game) -> Policy:
    """Return the policy of a solved game.

    The game skips turns that can only end; the policy ends them.
    """

    def choose(state: EncounterState, actions: Sequence[Action]) -> Action:
        action = game.rank_actions(state)[0].action
        if action is not None and action in actions:
            return action
        return next((each for each in actions if each.do == END_TURN.do), actions[0])

    return choose
