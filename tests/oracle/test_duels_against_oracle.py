"""Solved duels held against a second solver of another kind, written without reading the first.

`DUELS=200 DUEL_STATES=20000 pytest tests/oracle/test_duels_against_oracle.py` holds as many random pairs, larger ones.
`DUEL_STATES=60000 pytest tests/oracle/test_duels_against_oracle.py -k trap` holds the pair of the trap too,
which takes a quarter of an hour.
"""

from __future__ import annotations

import os
import random

import pytest

from scratch_core.catalogue import Rulings
from scratch_core.characters import Draft
from scratch_core.odds import Duel, duel
from scratch_core.state import Fighter, fighter
from tests.core.duels import CHOKESTAR, TRICKY, who
from tests.oracle.duel_oracle import explore, worth
from tests.oracle.fight_situations import ABILITIES

pytestmark = pytest.mark.no_cover

DUELS = int(os.environ.get("DUELS", "1"))
MOST_STATES = int(os.environ.get("DUEL_STATES", "1500"))
TRAP_STATES = 57_000
AROUND = ("cover", "throwable", "climbable", "open-air", "water", "deep-water")


def somebody(name: str, dice: random.Random) -> Fighter:
    """A character of few hit points with one ability or two, somewhere."""
    abilities = dice.sample(ABILITIES, dice.choice((1, 1, 2)))
    lines = [f"{dice.choice((1, 1, 2))} toughness", *(f"{dice.randint(1, 4)} {each}" for each in abilities)]
    here = ["level"] * dice.choice((0, 1, 1, 1)) + dice.sample(AROUND, dice.choice((0, 0, 1)))
    return fighter(Draft.from_stat_block("\n".join([name, *lines])).character(), here=here)


def differences(solved: Duel, order: str, escape: str, most: int = MOST_STATES) -> tuple[float, float] | None:
    """How far both solvers are apart on what each of two can make sure of; None for a pair with too many states."""
    try:
        raw = explore(solved.begun[order], escape, most)  # type: ignore[index]
    except OverflowError:
        return None
    chances = solved.solve().chances(order)  # type: ignore[arg-type]
    return worth(raw, 0)[0] - chances.first_wins.low, worth(raw, 1)[0] - chances.second_wins.low


@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(1, DUELS + 1))
def test_random_duels_are_worth_the_same(seed: int) -> None:
    """A random pair, in a random order, with escape counted one way or the other: the same to 1e-9."""
    dice = random.Random(seed)
    for _ in range(600):
        one, other, order = somebody("Ada", dice), somebody("Bo", dice), dice.choice(("first", "second"))
        escape = dice.choice(("draw", "loss"))
        found = differences(Duel(one, other, escape=escape), order, escape)
        if found is not None:
            break
    assert found is not None, "every pair of this seed was too large"
    assert max(map(abs, found)) < 1e-9


if MOST_STATES >= TRAP_STATES:

    def test_the_pair_of_the_trap_is_worth_the_same() -> None:
        """Where bettering both sides at once ends at a wrong value, told apart from the right one by every state."""
        found = differences(Duel(who("one", TRICKY), who("other", CHOKESTAR)), "first", "draw")
        assert found is not None
        assert max(map(abs, found)) < 1e-9


@pytest.mark.heavy
@pytest.mark.parametrize(("twice", "is_safe"), [(True, True), (False, False)])
def test_a_swimmer_who_holds_is_worth_the_same(twice: bool, is_safe: bool) -> None:
    """Swimming on top of itself makes each hold of this swimmer certain, and who is held never strikes: A11."""
    rulings = Rulings(swimming_twice=twice)
    one = fighter(Draft.from_stat_block("Ada\n1 toughness\n4 swimming").character(), here=("water",))
    other = fighter(Draft.from_stat_block("Bo\n1 toughness\n8 stealth").character(), here=("level",))
    solved = Duel(one, other, rulings=rulings)
    found = differences(solved, "first", "draw", most=4_000)
    assert found is not None
    assert max(map(abs, found)) < 1e-9
    assert (solved.chances("first").second_wins.high == 0) == is_safe


@pytest.mark.heavy
def test_a_duel_that_may_never_end_is_worth_the_same() -> None:
    """Somebody on foot against somebody out of reach in the air: what nobody can make sure of is told as that."""
    one = fighter(Draft.from_stat_block("Ada\n1 toughness\n2 fighting").character(), here=("level",))
    other = fighter(Draft.from_stat_block("Bo\n1 toughness\n4 flying").character(), here=("open-air",))
    found = differences(Duel(one, other), "first", "draw")
    assert found is not None
    assert max(map(abs, found)) < 1e-9
    assert duel(one, other, escape="draw").chances("first").nobody.low > 0.01
