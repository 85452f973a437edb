"""The first fight of the page for strangers: allowed from end to end, by characters that keep the limits."""

from __future__ import annotations

import re

import pytest

from build_scripts.folders import DOCS
from scratch_core.scenario import SHIPPED, play, read

PLAYED = play(read(SHIPPED["first-fight"]))
STORY = (DOCS / "start-here.md").read_text(encoding="utf-8").partition("## A first fight")[2]


def test_every_step_is_allowed_and_comes_out_as_told() -> None:
    """No step breaks a rule, every expectation is met, and the travellers win in the third round."""
    assert [record.n for record in PLAYED.records if not record.legal] == []
    assert PLAYED.differences == ()
    assert (PLAYED.final.winner, PLAYED.final.round) == ("travellers", 3)


def test_it_uses_what_it_is_to_show() -> None:
    """Two blows, a hold, cover, a shot, a lost turn, an injury, healing and a face of 20 are all in it."""
    done = {record.do for record in PLAYED.records}
    assert done >= {"double-attack", "basic-attack", "hold", "take-cover", "leave-cover", "shoot", "heal", "nothing"}
    assert PLAYED.records[-1].rolls[0].check.automatic


@pytest.mark.parametrize("number", [0, 1], ids=["Wren", "Tolk"])
def test_the_travellers_are_average_people(number: int) -> None:
    """They cost ten points and have no level above 4 (`create.average`)."""
    levels = PLAYED.scenario.tree["characters"][number]["abilities"].values()
    assert sum(levels) == 10
    assert max(levels) == 4


def allowed(number: int) -> set[int]:
    """Every number that the engine has in a round: faces, sums and their parts, what they were against, hit points."""
    found = {number, 20}
    for record in PLAYED.records:
        if record.state.round == number:
            for roll in record.rolls:
                found |= {
                    roll.check.figure.value,
                    roll.against.value,
                    *(abs(part.value) for part in roll.check.figure.parts),
                }
            for who in record.state.fighters:
                found |= {who.hp, who.numbers.max_hp - who.hp, who.numbers.stamina}
    return found


@pytest.mark.parametrize("number", [1, 2, 3], ids=["first", "second", "third"])
def test_the_story_has_the_engines_numbers(number: int) -> None:
    """Each figure that the story of a round gives is one that the engine has there, and no die goes untold."""
    told = STORY.partition(f"**Round {number}.**")[2].partition("**Round" if number < 3 else "Every step")[0]
    figures = {int(figure) for figure in re.findall(r"\d+", told)}
    assert figures - allowed(number) == set()
    faces = [face for record in PLAYED.records if record.state.round == number for face in record.faces]
    assert [face for face in faces if face not in figures] == []
