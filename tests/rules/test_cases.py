"""The catalogue's worked cases as scenario files, named by their numbers: each plays as expected, step by step."""

from pathlib import Path

import pytest

from scratch_core.scenario import parse_scenario, play
from tests.support.rollers import ForbiddenRoller

CASES = sorted((Path(__file__).parent / "cases").glob("*.toml"))


def format_failure(path: Path, title: str, wrong: list[str]) -> str:
    """Return the text of a failing case.

    It has the title, the rules that it covers, the file, and every difference.
    """
    first, *_ = path.read_text(encoding="utf-8").splitlines()
    rules = first.removeprefix("# ") if first.startswith("# Rules: ") else "Rules: none named"
    return "\n".join([title, rules, f"in {path.parent.name}/{path.name}", *(f"  {each}" for each in wrong)])


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_cases_play_as_expected(path: Path) -> None:
    """Every expectation of the case holds, and every face it needs is given."""
    scenario = parse_scenario(path.read_bytes())
    played = play(scenario, ForbiddenRoller() if scenario.initiative else None)
    wrong = [*(each.message for each in played.differences), *(each.message for each in played.problems)]
    assert not wrong, format_failure(path, scenario.title, wrong)
    assert scenario.title.startswith(f"{path.stem}: ") or not path.stem.startswith("E")


def test_format_failure_names_rules_and_every_difference() -> None:
    """The message has the rules of the first line, the file, and all differences."""
    (path,) = (path for path in CASES if path.stem == "E004")
    said = format_failure(path, "E004: A roll", ["step 1: expected 3, got 2", "step 2: expected 4, got 2"])
    assert said.splitlines() == [
        "E004: A roll",
        "Rules: roll.ability-required, roll.notation",
        "in cases/E004.toml",
        "  step 1: expected 3, got 2",
        "  step 2: expected 4, got 2",
    ]


def test_each_case_expects_something() -> None:
    """At a step or at its end."""
    for path in CASES:
        scenario = parse_scenario(path.read_bytes())
        assert scenario.expect or any(step.expect for step in scenario.steps), path.name
