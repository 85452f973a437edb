"""Solved duels: the chances if both play their best."""

from random import Random
from typing import Any

import pytest

from scratch_core.dice import RecordedRoller
from scratch_core.encounter.engine import apply, apply_events, legal_actions
from scratch_core.encounter.state import Gone
from scratch_core.errors import ScratchError
from scratch_core.odds import TOLERANCE, Duel, build_twin, duel, list_outcomes, play_until_won
from scratch_core.odds.game_graph import GameGraph
from scratch_core.odds.solver import Game
from scratch_core.rulebook import RulingSettings
from tests.support.duels import CHOKESTAR, FLYER, PLAIN, SOLVED_DUELS, build_duelist


def numbers(solved: Duel, order: Any) -> tuple[float, float, float]:
    """The three chances of an order."""
    chances = solved.win_probabilities(order)
    return chances.first_wins.low, chances.second_wins.low, chances.nobody.low


@pytest.mark.parametrize("case", SOLVED_DUELS.values(), ids=SOLVED_DUELS)
def test_known_duel_has_the_chances_of_the_raw_game(case: tuple[Any, ...]) -> None:
    """Known duels have the chances of a solution state by state.

    The first of a pair has the first turn.
    """
    one, other, here, escape, first, second = case
    found = numbers(duel(build_duelist("one", one, here), build_duelist("other", other, here), escape=escape), "first")
    assert found[0] == pytest.approx(first, abs=TOLERANCE)
    if second is not None:
        assert found[1] == pytest.approx(second, abs=TOLERANCE)
    assert sum(found) == pytest.approx(1, abs=TOLERANCE)


@pytest.mark.parametrize(("twice", "held"), [(True, True), (False, False)])
def test_swimmer_hold_adds_swimming_twice_by_ruling(twice: bool, held: bool) -> None:
    """The ruling adds a swimmer's level to a hold a second time (A11).

    In water, 1 + 3 + 3 and the 2 of engaging reach a strength of 9: the swimmer can hold for ever.
    """
    water, rulings = ("water",), RulingSettings(swimming_twice=twice)
    swimmer = build_duelist("one", {"swimming": 3, "toughness": 2, "command": 1}, water, rulings=rulings)
    other = build_duelist("other", {"stealth": 3, "toughness": 2}, water, rulings=rulings)
    first, second, nobody = numbers(duel(swimmer, other, rulings=rulings, escape="loss"), "first")
    assert first == pytest.approx(0.7112592593, abs=TOLERANCE)
    assert (nobody, second) == pytest.approx((1 - first, 0) if held else (0, 1 - first), abs=TOLERANCE)


def test_only_those_with_room_to_fly_reach_a_flyer() -> None:
    """A flyer without room to fly can't reach a flyer in the open (A12).

    Flying alone is not enough under a roof.
    """
    caged = {"fighting": 4, "flying": 1, "toughness": 4}
    for here, is_safe in (("level", True), ("open-air", False)):
        found = numbers(
            duel(build_duelist("one", FLYER, ("open-air",)), build_duelist("other", caged, (here,)), escape="loss"),
            "first",
        )
        assert (found[0] == pytest.approx(1, abs=TOLERANCE)) is is_safe


def test_duel_of_identical_fighters_is_symmetric() -> None:
    """Going first is worth the same to both of two equal fighters."""
    one = build_duelist("one", CHOKESTAR)
    solved = duel(one, build_twin(one))
    first, second, nobody = numbers(solved, "first")
    assert numbers(solved, "second") == pytest.approx((second, first, nobody), abs=TOLERANCE)
    assert solved.first_begins == pytest.approx(1 / 2)


NO_TOUGHNESS = {
    "the first has none": ({"fighting": 2}, PLAIN, (0, 1, 0)),
    "the second has none": (PLAIN, {"fighting": 2}, (1, 0, 0)),
    "neither has any": ({"stealth": 1}, {"command": 1}, (0, 0, 1)),
}


@pytest.mark.parametrize(("one", "other", "expected"), NO_TOUGHNESS.values(), ids=NO_TOUGHNESS)
def test_without_toughness_a_duel_is_lost_from_the_start(
    one: dict[str, int], other: dict[str, int], expected: tuple[float, float, float]
) -> None:
    """A fighter without toughness has lost before the first turn, in every order."""
    solved = duel(build_duelist("one", one), build_duelist("other", other))
    for order in ("first", "second", "initiative"):
        assert numbers(solved, order) == expected
    assert solved.find_opening_if_solved("first") is None


def test_duel_of_two_fighters_with_one_id_is_refused() -> None:
    """A duel of a character with its twin needs two ids."""
    with pytest.raises(ScratchError, match="different ids") as caught:
        duel(build_duelist("one", PLAIN), build_duelist("one", PLAIN))
    assert caught.value.code == "odds.same"


def test_dive_is_a_separate_useful_evade() -> None:
    """Diving prevents shots, so a higher evade bonus does not replace it."""
    diver = build_duelist("a", PLAIN | {"swimming": 1, "flying": 3}, ("open-air", "deep-water"))
    state = duel(diver, build_duelist("b", PLAIN)).opening_states["first"]
    assert {each.uses for each in GameGraph(state).list_best_useful_actions(state) if each.do == "evade"} == {
        ("flying",),
        ("swimming",),
    }


def test_fighter_removed_by_gm_has_lost() -> None:
    """A character removed by the game master has lost, though no one escaped."""
    begun = duel(build_duelist("a", PLAIN), build_duelist("b", PLAIN)).opening_states["first"]
    assert Game([apply(begun, Gone("b"))]).solve().compute_guaranteed_chances(apply(begun, Gone("b"))) == (1, 0)
    assert play_until_won(apply(begun, Gone("b")), {}, RecordedRoller(())) == "a"


@pytest.mark.no_cover
@pytest.mark.parametrize("escape", ["loss", "draw"])
def test_state_win_probability_is_that_of_its_best_action(escape: Any) -> None:
    """All through a random fight, a state's chance is that of its best action."""
    begun, random, held = duel(build_duelist("a", CHOKESTAR), build_duelist("b", PLAIN), escape=escape), Random(1), 0
    state = begun.opening_states["first"]
    for _ in range(25):
        if state.winner:
            break
        open_to = [each for each in legal_actions(state) if each.do != "nothing"]
        if not state.turn_over and all(each.actor == state.active for each in open_to):
            worth = [begun.game.compute_actor_chance_after(state, each) for each in open_to]
            mine = begun.game.win_probability(state, begun.game.sides.index(state.fighter(state.active).side))
            assert max(worth) == pytest.approx(mine, abs=TOLERANCE)
            held += 1
        way = random.choice(list_outcomes(state, random.choice(open_to)))
        state = apply_events(state, way.decision.events)
    assert held > 5
