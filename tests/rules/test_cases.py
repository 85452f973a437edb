"""The catalogue's worked cases as scenario files, named by their numbers: each plays as expected, step by step."""

from __future__ import annotations

from pathlib import Path

import pytest

from scratch_core.scenario import play, read

CASES = sorted((Path(__file__).parent / "cases").glob("*.toml"))


class Unwanted:
    """Dice that nobody should need: a case gives every face, or tells that initiative does not matter."""

    def roll(self, sides: int) -> int:
        """Give 10, so that groups without faces tie and are told."""
        raise AssertionError("a die was thrown that the case does not give")


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_cases_play_as_expected(path: Path) -> None:
    """Every expectation of the case holds, and every face it needs is given."""
    scenario = read(path.read_bytes())
    played = play(scenario, Unwanted() if scenario.initiative else None)
    assert [each.message for each in (*played.differences, *played.problems)] == []
    assert scenario.title.startswith(f"{path.stem}: ") or not path.stem.startswith("E")


def test_there_is_a_case_for_every_group_of_numbers() -> None:
    """Cases are there, and each expects something."""
    assert len(CASES) > 100
    for path in CASES:
        scenario = read(path.read_bytes())
        assert scenario.expect or any(step.expect for step in scenario.steps), path.name
