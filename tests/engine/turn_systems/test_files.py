"""Files of the other turn systems: parsed, played, forked, compared, and refused with the place of their damage."""

import json
from pathlib import Path

import pytest

from scratch_core.cli import main
from scratch_core.dice import SeededRoller
from scratch_core.errors import ScratchError
from scratch_core.scenario import Scenario, find_first_difference, fork, parse_scenario, play, scenario_from_dict
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

CASES = Path(__file__).parents[2] / "rules" / "cases"
FILES = [
    path
    for path in sorted(CASES.glob("*.toml"))
    if any(f'system = "{name}"' in path.read_text() for name in VARIANT_TURN_SYSTEMS)
]
ILLUSTRATION = CASES / "E157.toml"
CHAIN = CASES / "seize-chain.toml"


def order(path: Path) -> Scenario:
    """A scenario of another turn order."""
    scenario = parse_scenario(path.read_bytes())
    assert isinstance(scenario, Scenario)
    return scenario


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_played_turn_system_file_replays_with_same_outcome(path: Path) -> None:
    """The output of `--json` is a scenario with the same outcome.

    The events alone rebuild each state.
    """
    scenario = order(path)
    played = play(scenario, SeededRoller(1))
    again = scenario_from_dict(json.loads(json.dumps(played.to_dict())))
    assert isinstance(again, Scenario)
    other = play(again, SeededRoller(1))
    assert find_first_difference(played, other) is None
    assert other.final_state == played.final_state
    assert not other.differences
    for n, record in enumerate(played.results, 1):
        assert scenario.system.apply_events(played.states[n - 1], record.events) == played.states[n]


def test_fork_differs_from_the_changed_step() -> None:
    """A fork changes one step, which is the first difference."""
    scenario = order(ILLUSTRATION)
    other = fork(scenario, 4, do="let-pass", target=None, expect=None)
    assert isinstance(other, Scenario)
    assert find_first_difference(play(scenario), play(other)) == 4
    changed = fork(scenario, rulings={"seize_on_total": True})
    assert changed.rulings.seize_on_total


@pytest.mark.parametrize(
    ("old", "new", "where", "expected"),
    [
        ('do = "prepare-counter"', 'do = "hold"', "steps[0].do", "one of active, combo"),
        ('first = "1"', 'first = "9"', "first", "the id of a character"),
        ('first = "1"', 'first = ["1", "1"]', "first", "each id once"),
        ('first = "1"', 'second = "1"', "second", "one of format"),
        ('id = "1", side', 'id = "1", speed = 0.75, side', "characters[0].speed", "a speed of 1/4"),
        ('id = "1", side', 'id = "1", speed = "1/0", side', "characters[0].speed", "a speed of 1/4"),
        ('id = "1", side', 'id = "1", speed = nan, side', "characters[0].speed", "a speed of 1/4"),
        ('id = "1", side', 'id = "1", weapons = 0, side', "characters[0].weapons", "from 1 to 10"),
        ('target = "3"', 'target = "nobody"', "steps[1].target", "the id of a character"),
        ('target = "3"', "targets = []", "steps[1].targets", "one of actor"),
        ("prepared.1 = true", "prepared.1 = 1", "steps[0].expect.prepared.1", "true or false"),
        ("prepared.1 = true", "hp.1 = 1", "steps[0].expect.hp", "one of stun"),
        ("prepared.1 = true", "prepared.7 = true", "steps[0].expect.prepared.7", "the id of a character"),
        ("prepared.1 = true", 'rule = "mano.x"', "steps[0].expect.rule", "a rule id"),
        ("prepared.1 = true", 'can.1 = ["fly"]', "steps[0].expect.can.1", "names of acts"),
        ('id = "2"', 'id = "1"', "characters[1].id", "each id once"),
    ],
)
def test_problems_have_their_place(old: str, new: str, where: str, expected: str) -> None:
    """A problem of a file has its place and what is expected there."""
    text = ILLUSTRATION.read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(ScratchError) as error:
        parse_scenario(text.replace(old, new, 1))
    problems = error.value.problems
    assert any(each.where.startswith(where) and expected in each.expected for each in problems), problems


@pytest.mark.parametrize(
    ("pools", "expected", "rule"),
    [
        ("{ stun = 4, other = 1 }", "expected 6 points in all, got 5", "mano-old.pools"),
        ("3", "expected a table of points by pool: ", None),
        ("{ stun = 5, luck = 1 }", "expected one of ", None),
    ],
    ids=["another-sum", "no-table", "no-pool"],
)
def test_pools_must_hold_every_hit_point(pools: str, expected: str, rule: str | None) -> None:
    """Pools that do not sum to the hit points are refused (`mano-old.pools`).

    So are values that are no pools.
    """
    text = (CASES / "E162.toml").read_text(encoding="utf-8").replace("{ stun = 5, other = 1 }", pools)
    with pytest.raises(ScratchError, match=expected) as error:
        parse_scenario(text)
    assert error.value.problem.where.startswith("characters[0].pools")
    assert error.value.problem.rule == rule


def test_faces_of_a_step_without_dice_are_refused() -> None:
    """A step with faces is not played, because no action rolls dice."""
    scenario = fork(order(ILLUSTRATION), 1, faces=[3], expect=None)
    played = play(scenario)
    assert [each.message for each in played.problems] == ["expected no faces, got 1 in steps[0].faces"]
    assert played.states[0] == played.states[1]


def test_play_command_supports_turn_system_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """`play` prints the story, checks expectations and prints JSON.

    With `--strict` it stops at an illegal step.
    """
    assert main(["play", str(ILLUSTRATION), "--check"]) == 0
    printed = capsys.readouterr().out
    assert "3 moves and attacks 1. 1 is prepared and may counterattack first." in printed
    assert "round 2" in printed
    assert main(["play", str(CHAIN), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["state"]["round"] == 1
    assert main(["play", str(CHAIN), "--strict"]) == 1
    file = tmp_path / "wrong.toml"
    file.write_text(ILLUSTRATION.read_text(encoding="utf-8").replace("prepared.1 = true", "prepared.1 = false"))
    capsys.readouterr()
    assert main(["play", str(file), "--check"]) == 1
    assert "expected prepared.1 = false, got true" in capsys.readouterr().err
