"""Duels solved by moments and layers against the same duels state by state, on random small pairs.

`ODDS_PAIRS` in the environment raises their number.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from scratch_core.catalogue import Rulings
from scratch_core.odds import TOLERANCE, Escape, duel
from tests.core.duels import who
from tests.oracle.fight_situations import ABILITIES
from tests.raw_game import RawGame

pytestmark = pytest.mark.no_cover

PAIRS = int(os.environ.get("ODDS_PAIRS", "2"))
PLACES = (
    *(("level",), ("level", "cover"), ("level", "throwable"), ("open-air", "level"), ("water", "level")),
    *(("deep-water",), ("deep-water", "cover"), ("climbable", "cover", "throwable"), ()),
)
OTHERWISE = {
    "strength_base": 8,
    "unrepeatable_scope": "pair",
    "stack_abilities": True,
    "strength_use_max": True,
    "wrestling_double_legacy": True,
    "swimming_twice": False,
    "flyer_on_foot": "reachable",
}


def random_levels(random: Random) -> dict[str, int]:
    """Little toughness, and up to two abilities: the states are many enough."""
    levels = {"toughness": random.choice((1, 1, 2))}
    for ability in random.sample(ABILITIES, random.choice((0, 1, 1, 2))):
        levels[ability] = random.choice((1, 2, 3, 4, 8))
    return levels


@pytest.mark.heavy
@pytest.mark.parametrize("seed", [10, 13, *range(100, 98 + PAIRS)])
def test_moments_laid_over_hit_points_are_the_raw_game(seed: int) -> None:
    """Both sides' chances in both orders are those of plain sweeps over every state, whatever may be done in it."""
    random = Random(seed)
    chosen = {name: value for name, value in OTHERWISE.items() if random.random() < 0.12}
    rulings = Rulings.read(chosen)  # type: ignore[arg-type]
    here = random.choice(PLACES)
    one, other = (who(name, random_levels(random), here, rulings=rulings) for name in "ab")
    escape: Escape = random.choice(("draw", "loss"))
    solved = duel(one, other, rulings=rulings, escape=escape)
    raw = RawGame(tuple(solved.begun.values()), escape)
    first, second = raw.values(0), raw.values(1)
    for order, node in zip(("first", "second"), raw.starts, strict=True):
        chances = solved.chances(order)  # type: ignore[arg-type]
        assert chances.first_wins.low == pytest.approx(first[node], abs=TOLERANCE)
        assert chances.second_wins.low == pytest.approx(second[node], abs=TOLERANCE)
