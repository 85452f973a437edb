"""`python -m scratch_core abilities`: what it prints, where, and with which exit code."""

from __future__ import annotations

import json

import pytest

from scratch_core.abilities import ABILITIES, BY_NAME
from scratch_core.cli import main


def test_all_fifteen_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a name each ability has a line with its main use."""
    assert main(["abilities"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines] == [each.name for each in ABILITIES]
    assert lines[0] == "toughness      hit points, stamina, strength"


def test_the_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` prints a list with name, group, what it is and its use among others."""
    assert main(["abilities", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(each["name"], each["group"], each["is"], each["use"]) for each in told] == [
        (each.name, each.group, each.meaning, each.use) for each in ABILITIES
    ]


def test_one_as_json_is_an_object(capsys: pytest.CaptureFixture[str]) -> None:
    """One ability is one object with the rolls it is added to, its defence, its terrain and its page."""
    assert main(["abilities", "Flying", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "name": "flying",
        "group": "movement",
        "is": BY_NAME["flying"].meaning,
        "use": BY_NAME["flying"].use,
        "adds_to": ["hold", "distract"],
        "required_by": [],
        "defence": "agility",
        "terrain": "open air with room to fly",
        "rule": "flying.terrain",
        "page": "rules/abilities/#flying.terrain",
    }


def test_one_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """One ability is told in its sentences, then its facts, and what it has not is left out."""
    assert main(["abilities", "stealth"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["stealth", BY_NAME["stealth"].meaning, ""]
    assert lines[-1] == "rule        stealth.initiative"
    assert not [line for line in lines if line.startswith("works in")]


def test_an_unknown_one_is_exit_2(capsys: pytest.CaptureFixture[str]) -> None:
    """A name that no ability has prints nothing but the near ones on standard error, and is exit code 2."""
    assert main(["abilities", "shoting", "--json"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "expected an ability, such as shooting, fighting, blasting, got 'shoting' in the abilities\n"
