"""Comparison of solved duels with fights that the same policies play with seeded dice.

`FIGHTS=100000 pytest tests/oracle/test_fights_against_odds.py` plays as many fights in all.
"""

import os
from collections.abc import Sequence
from math import sqrt

import pytest

from scratch_core.cast import get_member
from scratch_core.dice import SeededRoller
from scratch_core.encounter.actions import Action
from scratch_core.encounter.state import EncounterState, build_fighter
from scratch_core.odds import Policy, choose_sensible_action, duel, tally_playouts
from scratch_core.odds.lookup_table import hash_relevant_state
from tests.support.policies import best_policy

PAIRS = (("duellist", "bruiser"), ("sharpshooter", "wrestler"), ("medic", "shadow"), ("skyrider", "diver"))
FIGHTS = int(os.environ.get("FIGHTS", "400"))
EACH = FIGHTS // (2 * len(PAIRS))
DEVIATIONS = 4
"""A share of fights is within so many standard deviations of the chance, except six times in 100,000."""


def remembered(policy: Policy) -> Policy:
    """Cache a policy's action for each distinct state."""
    known: dict[str, Action] = {}

    def choose(state: EncounterState, actions: Sequence[Action]) -> Action:
        key = hash_relevant_state(state)
        if key not in known:
            known[key] = policy(state, actions)
        return known[key]

    return choose


@pytest.mark.no_cover
@pytest.mark.heavy
@pytest.mark.parametrize("is_best", [False, True], ids=["sensible", "best"])
@pytest.mark.parametrize("pair", PAIRS, ids=" against ".join)
def test_as_many_fights_are_won_as_the_odds_say(pair: tuple[str, str], is_best: bool) -> None:
    """The share of won fights is the solved chance.

    Two members of the cast fight, both by the sensible policy or both by the best.
    """
    one, other = (build_fighter(get_member(each).build_character(), here=("level",)) for each in pair)
    fixed = {} if is_best else {one.side: choose_sensible_action, other.side: choose_sensible_action}
    solved = duel(one, other, policies=fixed, escape="loss")
    played = remembered(best_policy(solved.game) if is_best else choose_sensible_action)
    tally = tally_playouts(
        solved.opening_states["first"], {one.side: played, other.side: played}, SeededRoller(13), EACH
    )
    for side, chance in zip(
        (one.side, other.side), solved.compute_guaranteed_chances(solved.opening_states["first"]), strict=True
    ):
        share = tally.wins.get(side, 0) / tally.fights
        assert abs(share - chance) <= DEVIATIONS * sqrt(chance * (1 - chance) / tally.fights) + 1e-9
