"""Comparison of duels solved by the engine's odds with the same duels state by state, on random and named pairs.

`ODDS_PAIRS` in the environment raises the number of random pairs; `ODDS_TRAP=1` adds the slow pair of the trap.
`NAMED_DUELS=1` derives the figures that other tests use for named duels, about a minute each.
"""

import os
from random import Random
from typing import Any

import pytest

from scratch_core.cast import get_member
from scratch_core.encounter.state import build_fighter
from scratch_core.odds import TOLERANCE, Duel, Escape, duel
from scratch_core.rulebook import RulingSettings
from tests.oracle.fight_situations import ABILITIES
from tests.oracle.raw_game import RawGame
from tests.support.duels import CAST_DUELS, CHOKESTAR, SOLVED_DUELS, TRICKY, build_duelist

PAIRS = int(os.environ.get("ODDS_PAIRS", "2"))
PLACES = (
    *(("level",), ("level", "cover"), ("level", "throwable"), ("open-air", "level"), ("water", "level")),
    *(("deep-water",), ("deep-water", "cover"), ("climbable", "cover", "throwable"), ()),
)
OTHERWISE: dict[str, str | int | bool] = {
    "strength_base": 8,
    "unrepeatable_scope": "pair",
    "stack_abilities": True,
    "strength_use_max": True,
    "wrestling_double_legacy": True,
    "swimming_twice": False,
    "flyer_on_foot": "reachable",
}


def random_levels(random: Random) -> dict[str, int]:
    """Build little toughness and up to two abilities, which limits the states."""
    levels = {"toughness": random.choice((1, 1, 2))}
    for ability in random.sample(ABILITIES, random.choice((0, 1, 1, 2))):
        levels[ability] = random.choice((1, 2, 3, 4, 8))
    return levels


@pytest.mark.no_cover
@pytest.mark.heavy
@pytest.mark.parametrize("seed", [10, 13, *range(100, 98 + PAIRS)])
def test_random_duels_equal_the_raw_game(seed: int) -> None:
    """Random small duels have the values of the raw game.

    Each character has up to two abilities; places and rulings are random.
    """
    random = Random(seed)
    chosen = {name: value for name, value in OTHERWISE.items() if random.random() < 0.12}
    rulings = RulingSettings.from_dict(chosen)
    here = random.choice(PLACES)
    one, other = (build_duelist(name, random_levels(random), here, rulings=rulings) for name in "ab")
    escape: Escape = random.choice(("draw", "loss"))
    hold(duel(one, other, rulings=rulings, escape=escape), escape)


def hold(solved: Duel, escape: Escape) -> None:
    """Compare the chances of both sides in both orders with the raw game."""
    raw = RawGame(tuple(solved.opening_states.values()), escape)
    first, second = raw.values(0), raw.values(1)
    for order, node in zip(("first", "second"), raw.starts, strict=True):
        chances = solved.win_probabilities(order)  # type: ignore[arg-type]  # one of the words that it takes
        assert chances.first_wins.low == pytest.approx(first[node], abs=TOLERANCE)
        assert chances.second_wins.low == pytest.approx(second[node], abs=TOLERANCE)


@pytest.mark.no_cover
@pytest.mark.heavy
@pytest.mark.parametrize("twice", [True, False])
def test_swimmer_hold_value_equals_the_raw_game(twice: bool) -> None:
    """With swimming added twice each hold is certain, and the held fighter never attacks: A11."""
    rulings = RulingSettings(swimming_twice=twice)
    pair = (
        build_duelist("a", {"toughness": 1, "swimming": 4}, ("water",)),
        build_duelist("b", {"toughness": 1, "stealth": 8}),
    )
    solved = duel(*pair, rulings=rulings)
    hold(solved, "draw")
    assert (solved.win_probabilities("first").second_wins.high == 0) == twice


@pytest.mark.no_cover
@pytest.mark.heavy
def test_endless_duel_value_equals_the_raw_game() -> None:
    """A walker against a flyer out of reach: the chance of no winner is reported."""
    pair = (
        build_duelist("a", {"toughness": 1, "fighting": 2}),
        build_duelist("b", {"toughness": 1, "flying": 4}, ("open-air",)),
    )
    solved = duel(*pair, escape="draw")
    hold(solved, "draw")
    assert solved.win_probabilities("first").nobody.low > 0.01


@pytest.mark.no_cover
@pytest.mark.heavy
def test_duel_with_the_same_abilities_at_other_levels_equals_the_raw_game() -> None:
    """Each adds its own best ability to an attack, though both choose among the same."""
    pair = (
        build_duelist("a", {"toughness": 2, "fighting": 3, "wrestling": 1}),
        build_duelist("b", {"toughness": 2, "fighting": 1, "wrestling": 3}),
    )
    hold(duel(*pair), "draw")


if os.environ.get("ODDS_TRAP"):

    @pytest.mark.no_cover
    def test_trap_duel_value_equals_the_raw_game() -> None:
        """A duel in which improving both policies at once ends at a wrong value."""
        hold(duel(build_duelist("one", TRICKY), build_duelist("other", CHOKESTAR)), "draw")


if os.environ.get("NAMED_DUELS"):

    @pytest.mark.no_cover
    @pytest.mark.parametrize("case", SOLVED_DUELS.values(), ids=SOLVED_DUELS)
    def test_named_duel_has_the_known_chances(case: tuple[Any, ...]) -> None:
        """The chances in `SOLVED_DUELS`, found in every state of the duel."""
        one, other, here, escape, expected, _ = case
        solved = duel(build_duelist("one", one, here), build_duelist("other", other, here), escape=escape)
        raw = RawGame((solved.opening_states["first"],), escape)
        assert raw.values(0)[raw.starts[0]] == pytest.approx(expected, abs=TOLERANCE)

    @pytest.mark.no_cover
    @pytest.mark.parametrize("pair", CAST_DUELS, ids=" against ".join)
    def test_named_duel_of_the_cast_has_the_known_chances(pair: tuple[str, str]) -> None:
        """The chances in `CAST_DUELS`, found in every state of the duel."""
        solved = duel(
            *(build_fighter(get_member(each).build_character(), here=("level",)) for each in pair), escape="loss"
        )
        for begun, expected in zip(solved.opening_states.values(), CAST_DUELS[pair], strict=True):
            raw = RawGame((begun,), "loss")
            assert raw.values(0)[raw.starts[0]] == pytest.approx(expected, abs=TOLERANCE)
