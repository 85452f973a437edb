"""Minions that no command allows are pointed out in a fight, and the fight is played all the same."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from scratch_core.calculators import fight, replay
from scratch_core.calculators.shared.query import parse_query
from scratch_core.cli import main
from scratch_core.scenario import play, scenario_from_dict


def gang(command: int, minions: list[dict[str, int]]) -> dict[str, Any]:
    """A boss with minions, and someone else to fight them."""
    boss = {"id": "boss", "name": "The Boss", "abilities": {"toughness": 3} | ({"command": command} if command else {})}
    led = [{"id": f"m{n}", "abilities": levels, "minion_of": "boss"} for n, levels in enumerate(minions, 1)]
    characters = [boss, *led, {"id": "hero", "abilities": {"toughness": 3}}]
    return {
        "format": "scratch-scenario/1",
        "characters": characters,
        "initiative": {"boss": [12], "hero": [4]},
        "steps": [{"actor": "boss", "do": "evade"}],
    }


@pytest.mark.parametrize(
    ("command", "minions", "rule", "piece"),
    [
        (1, [{"toughness": 5}, {"toughness": 2}, {"toughness": 3}], "command.minions", "3 minions of 10 points"),
        (4, [{"toughness": 2}, {"toughness": 3}], "command.cp-limit", "at most 2 of 4 points together"),
        (4, [{"toughness": 2, "command": 1}], "command.no-command", "1 minion of 3 points, command with m1"),
        (0, [{"toughness": 1}], "command.minions", "expected command for The Boss, who has minions"),
    ],
    ids=["three of 10 points with command 1", "a point too many", "a minion with command", "no command at all"],
)
def test_minions_beyond_the_command_get_advice(
    command: int, minions: list[dict[str, int]], rule: str, piece: str
) -> None:
    """Minions beyond their leader's command are one sentence of advice (`command.minions`).

    The steps are played.
    """
    played = play(scenario_from_dict(gang(command, minions)))
    [advice] = played.scenario.minion_problems
    assert (advice.severity, advice.rule) == ("advice", rule)
    assert piece in advice.message
    assert played.to_dict()["advice"] == [advice.message]
    assert played.results[0].is_legal


@pytest.mark.parametrize("minions", [[], [{"toughness": 4}], [{"toughness": 1}, {"toughness": 3}]], ids=str)
def test_minions_within_the_command_get_no_advice(minions: list[dict[str, int]]) -> None:
    """None, one or two minions within the points get no advice (`command.illustration-4`)."""
    assert play(scenario_from_dict(gang(4, minions))).to_dict()["advice"] == []


def test_play_command_prints_warning_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`play` prints the warning in one line on standard error and exits with 0.

    The warning is in the JSON, too.
    """
    path = tmp_path / "gang.json"
    path.write_text(json.dumps(gang(1, [{"toughness": 5}, {"toughness": 2}, {"toughness": 3}])), encoding="utf-8")
    assert main(["play", str(path), "--json"]) == 0
    out, err = capsys.readouterr()
    assert err.startswith("advice: ")
    assert err.count("\n") == 1
    assert len(json.loads(out)["advice"]) == 1
    assert play(scenario_from_dict(json.loads(out))).scenario.minion_problems, "a play can be played again"


def test_pages_show_warning_until_the_first_step() -> None:
    """A fight's setup, its beginning and a replay show the warning.

    Later steps do not show it.
    """
    tree = gang(1, [{"toughness": 5}, {"toughness": 2}, {"toughness": 3}])
    sheets = "Boss\n3 toughness\n1 command\n\nRook\n5 toughness\nminion of Boss\n\nHero\n3 toughness"
    query = f"sheets={quote(sheets)}"
    shown = {
        "set-up": fight.view(parse_query(query), None).problems,
        "begun": fight.view(parse_query(f"log={quote(json.dumps({**tree, 'steps': []}))}"), None).problems,
        "replay": replay.view(parse_query(f"scenario={quote(json.dumps(tree))}")).problems,
        "going on": fight.view(parse_query(f"log={quote(json.dumps(tree))}"), None).problems,
    }
    found = {
        name: [each.severity for each in problems if each.code == "command.advice"] for name, problems in shown.items()
    }
    assert found == {"set-up": ["advice"], "begun": ["advice"], "replay": ["advice"], "going on": []}
