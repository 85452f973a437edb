"""Fights of two against one, solved by the engine's odds and by the rules' text alone.

`GROUP_FIGHTS=20 pytest tests/oracle/test_groups_against_oracle.py` compares as many random fights.
`WORKED_COMBAT=1 pytest tests/oracle/test_groups_against_oracle.py -k worked` compares the worked combat in 8 minutes.
"""

import os
from random import Random
from typing import Any

import pytest

from scratch_core.odds.solver import Game
from scratch_core.scenario import play, scenario_from_dict
from tests.oracle import fight_oracle, group_oracle

FIGHTS = int(os.environ.get("GROUP_FIGHTS", "1"))
MAX_STATES = 6_000
ABILITIES = ("fighting", "fighting", "wrestling", "shooting", "knockout", "healing", "stealth", "quickness", "command")


def tree(us: list[dict[str, int]], them: dict[str, int], faces: tuple[int, int, int]) -> dict[str, Any]:
    """Build a fight of two against one, with these faces of initiative."""
    levels, sides = dict(zip("abc", [*us, them], strict=True)), dict(zip("abc", ("us", "us", "them"), strict=True))
    return {
        "format": "scratch-scenario/1",
        "title": "Two against one",
        "system": "scratch",
        "characters": [{"id": name, "side": sides[name], "abilities": levels[name]} for name in levels],
        "initiative": {name: [face] for name, face in zip(levels, faces, strict=True)},
        "steps": [],
    }


def difference(fight: dict[str, Any], most: int = MAX_STATES) -> float:
    """Return the difference of both chances for the side of one character."""
    solved = (
        Game([play(scenario_from_dict(fight)).states[0]], "loss")
        .solve()
        .win_probability(play(scenario_from_dict(fight)).states[0], 1)
    )
    return solved - group_oracle.chance(fight_oracle.begin_encounter(fight_oracle.new_state(fight)), "them", most)


@pytest.mark.no_cover
@pytest.mark.heavy
def test_second_attack_targets_a_remaining_enemy() -> None:
    """The second attack of one against two targets an enemy not yet incapacitated."""
    fight = tree([{"toughness": 1}, {"toughness": 2, "fighting": 1}], {"toughness": 2, "fighting": 3}, (9, 5, 15))
    assert abs(difference(fight)) < 1e-9


@pytest.mark.no_cover
@pytest.mark.heavy
@pytest.mark.parametrize("seed", range(1, FIGHTS + 1))
def test_random_groups_have_the_chances_of_the_oracle(seed: int) -> None:
    """Random fights have the same chance to 1e-9.

    Each character has few hit points and one ability.
    """
    random = Random(seed)
    for _ in range(60):
        people = [
            {"toughness": random.choice((1, 1, 2)), random.choice(ABILITIES): random.randint(1, 4)} for _ in range(3)
        ]
        faces = random.sample(range(1, 21, 7), 3)  # far apart: bonuses of stealth make no tie
        try:
            found = difference(tree(people[:2], people[2], (faces[0], faces[1], faces[2])))
        except OverflowError:
            continue
        break
    assert abs(found) < 1e-9


if os.environ.get("WORKED_COMBAT"):

    @pytest.mark.no_cover
    def test_worked_combat_value_equals_the_oracle() -> None:
        """The chance of the whole worked combat, with 292,353 states, is the oracle's."""
        chokestar = {"wrestling": 2, "stealth": 3, "toughness": 3}
        flipfire = {"shooting": 2, "healing": 1, "fighting": 2, "acrobatics": 1, "toughness": 4}
        breakhelm = {"shooting": 4, "fighting": 4, "toughness": 6}
        assert abs(difference(tree([chokestar, flipfire], breakhelm, (13, 17, 14)), most=400_000)) < 1e-9
