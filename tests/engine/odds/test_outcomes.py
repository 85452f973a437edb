"""The outcomes of actions, compared with a count over all faces; turn orders, damage and playouts.

`ODDS_SITUATIONS` in the environment raises the number of random situations: 100000 takes about 12 minutes of a core.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from types import MappingProxyType

import pytest

from scratch_core.dice import Distribution, SeededRoller
from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply_events, begin, decide, legal_actions
from scratch_core.encounter.state import EncounterState, build_initial_state
from scratch_core.errors import ScratchError
from scratch_core.odds import (
    Duel,
    choose_sensible_action,
    compute_chance_to_begin,
    compute_damage_distribution,
    compute_event_chances,
    compute_incapacitation_chances,
    compute_mean_rounds_to_incapacitate,
    compute_order_chances,
    duel,
    list_initiative_bonuses,
    list_outcomes,
    tally_playouts,
)
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.actions import ACTION_SPECS
from scratch_core.scenario import play, scenario_from_dict
from tests.oracle import fight_situations as situations
from tests.support.duels import CHOKESTAR, FLIPFIRE, PLAIN, build_duelist
from tests.support.encounters import count_outcomes

SITUATIONS = int(os.environ.get("ODDS_SITUATIONS", "1000"))
EACH_KIND = 20
THROWS = 2
"""A third roll makes eight thousand cases: only the larger run has blasts with three targets."""


def open_to(state: EncounterState, random: Random) -> list[Action]:
    """Return the listed actions of a state, an ability check and the encounter's end."""
    someone = random.choice(state.fighters)
    check = Action(
        someone.id, "check", ability=random.choice(("stealth", "healing")), difficulty=random.randint(-2, 30)
    )
    end = [Action("", "end-encounter")] if state.phase == "running" else []
    return [*legal_actions(state), check, *end]


def build_held_wrestler(random: Random) -> EncounterState:
    """Return a state with a healthy wrestler held by another.

    Random fights rarely reach it.
    """
    levels = [{"wrestling": random.randint(1, 6), "toughness": random.randint(3, 6)} for _ in "ab"]
    state = duel_begun(levels[0], levels[1])
    state = apply_events(state, decide(state, Action("a", "hold", ("b",), ()), (20,)).events)
    return apply_events(state, decide(state, Action("a", "end-turn"), ()).events)


def half_way(random: Random) -> EncounterState:
    """After the first of two blows."""
    state = duel_begun({"fighting": random.randint(1, 6), "toughness": 4}, {"toughness": random.randint(2, 6)})
    first = Action("a", "double-attack", ("b",))
    return apply_events(state, decide(state, first, (random.randint(1, 20),)).events)


def random_situations(count: int) -> Iterator[tuple[EncounterState, Action]]:
    """States of random fights, each with an act of the kind seen least."""
    seen = Counter(dict.fromkeys(set(ACTION_SPECS) - ON_BOARD, 0))
    seed = 0
    while seen.total() < count or min(seen.values()) < EACH_KIND:
        random = Random(seed)
        played = play(scenario_from_dict(situations.random_tree(seed)))
        seed += 1
        assert seed < SITUATIONS, seen
        for state in (
            build_held_wrestler(random),
            half_way(random),
            *random.sample(played.states, min(6, len(played.states))),
        ):
            kinds: dict[str, list[Action]] = {}
            for action in open_to(state, random):
                if len(action.targets) <= THROWS or SITUATIONS > 10_000:
                    kinds.setdefault(action.do, []).append(action)
            kind = min(kinds, key=lambda do: (seen[do], do))
            seen[kind] += 1
            yield state, random.choice(kinds[kind])


ON_BOARD = {"move", "reposition", "interrupt", "settle"}


@pytest.mark.no_cover
@pytest.mark.heavy
def test_outcome_chances_equal_counts_over_all_faces() -> None:
    """In random situations every outcome has exactly the chance that counting all faces gives."""
    for state, action in random_situations(SITUATIONS):
        counted = count_outcomes(state, action)
        shares = {events: Fraction(many, counted.total()) for events, many in counted.items()}
        assert compute_event_chances(state, action) == shares, action


def duel_begun(one: dict[str, int], other: dict[str, int], here: tuple[str, ...] = ("level",)) -> EncounterState:
    """A duel begun, the first having the first turn."""
    return Duel(build_duelist("a", one, here), build_duelist("b", other, here)).opening_states["first"]


def test_weights_of_ways_sum_to_all_faces() -> None:
    """One roll has three classes, two rolls have nine, and no roll is one way."""
    state = duel_begun(PLAIN, PLAIN)
    for action, count in (
        (Action("a", "basic-attack", ("b",), ("fighting",)), 3),
        (Action("a", "double-attack", ("b", "b"), ("fighting",)), 9),
        (Action("a", "engage"), 1),
    ):
        found = list_outcomes(state, action)
        assert len(found) == count
        assert sum(way.weight for way in found) == 20 ** found[0].throws
        assert sum(way.chance for way in found) == 1


# Who begins


def counted_orders(added: Sequence[int]) -> dict[tuple[str, ...], Fraction]:
    """Each order's chance by every face, ties split evenly among all orders of those level."""
    names = "abcd"[: len(added)]
    found: dict[tuple[str, ...], Fraction] = {}
    for faces in product(range(1, 21), repeat=len(added)):
        totals = {name: face + more for name, face, more in zip(names, faces, added, strict=True)}
        orders: list[tuple[str, ...]] = [()]
        for total in sorted(set(totals.values()), reverse=True):
            level = [name for name in names if totals[name] == total]
            orders = [(*order, *each) for order in orders for each in _orders(level)]
        for order in orders:
            found[order] = found.get(order, Fraction(0)) + Fraction(1, len(orders) * 20 ** len(added))
    return found


def _orders(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    if not names:
        yield ()
    for name in names:
        for rest in _orders([each for each in names if each != name]):
            yield (name, *rest)


@pytest.mark.parametrize("added", [(0, 0), (0, 6), (3, 0, 0), (0, 10, 4), (0, 30), (0, 20)], ids=str)
def test_turn_order_chances_equal_a_count_over_all_faces(added: tuple[int, ...]) -> None:
    """The chances of turn orders equal a count over all faces.

    There are two or three groups with similar or different bonuses; impossible orders are left out.
    """
    given = dict(zip("abc", added, strict=False))
    assert compute_order_chances(given) == counted_orders(added)


def test_initiative_bonuses_equal_those_of_the_engine() -> None:
    """Stealth 3 adds 6, and detection 2 adds 20 by the default ruling.

    A group takes the highest bonus of its members.
    """
    state = build_initial_state(
        (build_duelist("a", {"stealth": 3, "toughness": 2}), build_duelist("b", {"detection": 2, "toughness": 2})),
        RulingSettings(),
    )
    assert list_initiative_bonuses(state) == {"a": 6, "b": 20}
    wins = sum(face + 6 > other + 20 for face in range(1, 21) for other in range(1, 21))
    ties = sum(face + 6 == other + 20 for face in range(1, 21) for other in range(1, 21))
    assert compute_chance_to_begin(state, "a") == Fraction(2 * wins + ties, 800)
    assert begin(state, SeededRoller(1)).is_legal


# Damage


def spread(counts: dict[int, int]) -> Distribution:
    """A distribution of damage."""
    return Distribution(MappingProxyType(counts), sum(counts.values()))


BLOW = spread({0: 9, 1: 10, 2: 1})
SHOT = spread({0: 13, 2: 6, 5: 1})
NOTHING = spread({0: 20})


def test_damage_of_a_double_attack_is_that_of_two_attacks() -> None:
    """The damage of a double attack is the sum of two attacks.

    Fighting 4 against agility 10: of 20 faces one does 2 damage and fourteen do 1; the distribution of two attacks is
    the square of that of one.
    """
    state = duel_begun(PLAIN, PLAIN)
    one = compute_damage_distribution(state, Action("a", "basic-attack", ("b",), ("fighting",)))
    assert dict(one.counts) == {0: 5, 1: 14, 2: 1}
    two = compute_damage_distribution(state, Action("a", "double-attack", ("b", "b"), ("fighting",)), "b")
    squared: Counter[int] = Counter()
    for (a, n), (b, m) in product(one.counts.items(), repeat=2):
        squared[a + b] += n * m
    assert two.counts == squared
    assert compute_damage_distribution(state, Action("a", "double-attack", ("b", "b"), ("fighting",)), "a").counts == {
        0: 400
    }


def test_survival_chances_equal_those_worked_out_by_hand() -> None:
    """With 1 hit point the chance to survive n rounds is (9/20) to the n.

    The mean is 20/11 rounds. Both were worked out by hand.
    """
    assert compute_incapacitation_chances(BLOW, 1, 3) == (
        0,
        Fraction(11, 20),
        1 - Fraction(9, 20) ** 2,
        1 - Fraction(9, 20) ** 3,
    )
    assert compute_mean_rounds_to_incapacitate(BLOW, 1) == Fraction(20, 11)
    assert compute_mean_rounds_to_incapacitate(BLOW, 2) == Fraction(20, 11) * (1 + Fraction(10, 11))
    assert compute_mean_rounds_to_incapacitate(NOTHING, 1) is None
    assert compute_mean_rounds_to_incapacitate(NOTHING, 0) == 0
    assert compute_incapacitation_chances(SHOT, 0, 1) == (1, 1)


# Playouts


@pytest.mark.parametrize("seed", range(3))
def test_playout_interval_contains_the_solved_chance(seed: int) -> None:
    """The interval of simulated fights contains the chance of the solved duel.

    Both players use the sensible policy, and the interval is of four standard deviations.
    """
    solved = duel(
        build_duelist("a", FLIPFIRE),
        build_duelist("b", CHOKESTAR),
        policies={"a": choose_sensible_action, "b": choose_sensible_action},
        escape="loss",
    )
    tally = tally_playouts(
        solved.opening_states["first"],
        {"a": choose_sensible_action, "b": choose_sensible_action},
        SeededRoller(seed),
        60,
    )
    more = tally_playouts(
        solved.opening_states["first"],
        {"a": choose_sensible_action, "b": choose_sensible_action},
        SeededRoller(seed + 100),
        40,
        tally,
    )
    assert more.fights == 100
    low, high = more.confidence_interval("a")
    assert low - 0.1 < solved.win_probabilities("first").first_wins.low < high + 0.1
    assert high - low < 0.2
    assert sum(more.wins.values()) == 100


def test_policy_choosing_illegal_action_is_rejected() -> None:
    """A playout must not continue for ever with an action that changes nothing."""
    state = duel_begun(PLAIN, PLAIN)
    wrong = Action("a", "counter-hold", ("b",))
    with pytest.raises(ScratchError, match="a policy that chooses a legal act"):
        tally_playouts(state, {"a": lambda *_: wrong, "b": choose_sensible_action}, SeededRoller(1), 1)
