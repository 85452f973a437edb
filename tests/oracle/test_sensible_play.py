"""Comparison of the sensible policy, which plays fights out, with the plain policy of an earlier version.

`GROUP_FIGHTS=5000 pytest tests/oracle/test_sensible_play.py` plays 1,000 groups, each four times.
`test_fights_against_odds.py` compares the share of won duels with the solved chance.
"""

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import sqrt
from random import Random

import pytest

from scratch_core.cast import MEMBERS_BY_ID
from scratch_core.characters import DEFAULT_RULINGS
from scratch_core.dice import SeededRoller
from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply_events, legal_actions
from scratch_core.encounter.state import EncounterBegan, EncounterState, Initiative, build_fighter, build_initial_state
from scratch_core.figures import Figure, Part
from scratch_core.odds import Policy, choose_sensible_action, play_until_won
from scratch_core.odds.game_graph import list_next_turn_states
from tests.oracle.plain_play import plain

pytestmark = [pytest.mark.no_cover, pytest.mark.heavy]

FIGHTS = int(os.environ.get("GROUP_FIGHTS", "200"))
GROUPS = FIGHTS // 5
IS_FULL = FIGHTS >= 5000

CHARACTERS = {each.id: each.build_character() for each in MEMBERS_BY_ID.values()}
ALONE = [each for each in MEMBERS_BY_ID.values() if not CHARACTERS[each.id].minion_of]
SMALL = [*(each.id for each in ALONE if each.cp <= 8), "thug", "recruit", "sailor"]
USUAL = [each.id for each in ALONE if each.cp <= 13]
BIG = [each.id for each in ALONE if each.cp >= 13]
HEALERS = ["medic", "flipfire", "all-rounder"]
DISTANT = [
    each.id for each in ALONE if {"shooting", "blasting"} & {line.ability for line in each.build_character().lines}
]

Names = list[str]
Pick = Callable[[Random], tuple[Names, Names]]


def _both(names: Names, count: int, *healers: str) -> Pick:
    def pick(random: Random) -> tuple[Names, Names]:
        one, other = (
            [random.choice(healers) for _ in healers[:1]] + random.choices(names, k=count - bool(healers)) for _ in "ab"
        )
        return one, other

    return pick


KINDS: dict[str, Pick] = {
    "one against one": _both(USUAL, 1),
    "two against two": _both(USUAL, 2),
    "three against three": _both(USUAL, 3),
    "four against four": _both(USUAL, 4),
    "four against four with a healer": _both(USUAL, 4, *HEALERS),
    "one great one against three": lambda random: ([random.choice(BIG)], random.choices(SMALL, k=3)),
    "five small ones against five": _both(SMALL, 5),
    "three at a distance with cover": _both(DISTANT, 3),
}


def gathered(random: Random, kind: str) -> EncounterState:
    """Build a random fight of a kind, with or without cover.

    The characters of a side share a turn or have turns of their own.
    """
    sides = KINDS[kind](random)
    here = ("level", "cover") if "cover" in kind or random.random() < 0.5 else ("level",)
    is_together = random.random() < 0.3
    people = [
        replace(
            build_fighter(CHARACTERS[name], here=here),
            id=f"{side}{n}",
            side=side,
            group=side if is_together else f"{side}{n}",
        )
        for side, names in zip("ab", sides, strict=True)
        for n, name in enumerate(names)
    ]
    return build_initial_state(tuple(people), DEFAULT_RULINGS)


def begin_with_first(before: EncounterState, first: str) -> EncounterState:
    """Begin the encounter with that side, and alternate the turns of both sides."""
    order = sorted(before.initiative_fighter_or_group_ids, key=lambda group: (group[1:], group[0] != first))
    figure = Figure("initiative", (Part("face", 20, "turn.initiative-roll"),))
    return apply_events(before, (EncounterBegan(tuple(Initiative(group, figure) for group in order)),))


@cache
def won(kind: str) -> tuple[int, int]:
    """Count the fights that the sensible policy wins, and all fights.

    It plays both sides, and each begins half of the fights.
    """
    random, winners = Random(kind), Counter[bool]()
    for _ in range(GROUPS // len(KINDS)):
        group = gathered(random, kind)
        for mine, other in ("ab", "ba"):
            for first in "ab":
                policies: dict[str, Policy] = {mine: choose_sensible_action, other: plain}
                winner = play_until_won(begin_with_first(group, first), policies, SeededRoller(random.randrange(10**9)))
                winners[winner == mine] += 1
    return winners[True], winners.total()


def spread(fights: int) -> float:
    """Return how far a small sample's share may be below the limit by chance.

    That is two standard deviations; the full sample has to reach the limit.
    """
    return 0.0 if IS_FULL else 2 * sqrt(0.25 / fights)


LEAST = {"four against four with a healer": 0.55}


@pytest.mark.parametrize("kind", KINDS)
def test_sensible_policy_is_not_worse_in_any_kind_of_group(kind: str) -> None:
    """The sensible policy wins at least 47 % of each kind's fights.

    Of four against four with a healer it wins 55 %.
    """
    wins, fights = won(kind)
    assert wins / fights >= LEAST.get(kind, 0.47) - spread(fights)


def test_sensible_policy_wins_more_fights_overall() -> None:
    """The sensible policy wins at least 52 % of all fights."""
    wins, fights = (sum(numbers) for numbers in zip(*map(won, KINDS), strict=True))
    assert wins / fights >= 0.52 - spread(fights)


# Its choices


def begin_fight_of(*blocks: tuple[str, str, int], cover: bool = False) -> EncounterState:
    """Begin a fight of members of the cast, with side and hit points.

    The first side begins.
    """
    here = ("level", "cover") if cover else ("level",)
    people = [
        replace(build_fighter(CHARACTERS[name], here=here, hp=hp), id=f"{side}{n}", side=side, group=f"{side}{n}")
        for n, (name, side, hp) in enumerate(blocks)
    ]
    return begin_with_first(build_initial_state(tuple(people), DEFAULT_RULINGS), blocks[0][1])


def first_act(state: EncounterState) -> Action:
    """Return the next action of the sensible policy."""
    on_turn = list_next_turn_states(state)[0] if state.turn_over else state
    return choose_sensible_action(on_turn, legal_actions(on_turn))


def test_sensible_policy_revives_and_heals() -> None:
    """A medic revives an incapacitated duellist, and heals an injured one."""
    for hp, do in ((0, "revive"), (1, "heal")):
        act = first_act(begin_fight_of(("medic", "a", 3), ("duellist", "a", hp), ("ogre", "b", 9)))
        assert (act.do, act.targets) == (do, ("a1",))


def test_sensible_policy_takes_cover_when_injured() -> None:
    """An injured sharpshooter takes cover before shooting, and a healthy one shoots."""
    for hp, do in ((1, "take-cover"), (3, "shoot")):
        assert first_act(begin_fight_of(("sharpshooter", "a", hp), ("duellist", "b", 4), cover=True)).do == do


def test_sensible_policy_targets_the_weakest_then_most_dangerous() -> None:
    """The target has the fewest hit points, and of equals is the most dangerous."""
    assert first_act(begin_fight_of(("sharpshooter", "a", 3), ("guard", "b", 3), ("guard", "b", 1))).targets == ("b2",)
    assert first_act(
        begin_fight_of(("sharpshooter", "a", 3), ("rat", "b", 1), ("hawk", "b", 1), ("bandit", "b", 1))
    ).targets == ("b3",)


def test_sensible_policy_leaves_cover_to_attack() -> None:
    """In cover with close attacks only, the policy leaves cover: no fight is endless."""
    state = list_next_turn_states(begin_fight_of(("duellist", "a", 2), ("guard", "b", 3), cover=True))[0]
    hidden = state.with_fighter(replace(state.fighters[0], in_cover=True))
    assert first_act(hidden).do == "leave-cover"
    assert play_until_won(hidden, {"a": choose_sensible_action, "b": choose_sensible_action}, SeededRoller(1)) in (
        "a",
        "b",
    )
