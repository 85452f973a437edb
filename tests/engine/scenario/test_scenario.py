"""The scenario file: parsing with all problems, playing, expectations, forks, serialization, and hostile files."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from scratch_core.cli import main
from scratch_core.dice import FixedRoller
from scratch_core.encounter.engine import legal_actions
from scratch_core.errors import ScratchError
from scratch_core.scenario import (
    SAMPLE_SCENARIOS,
    WORKED_COMBAT_RULINGS,
    build_worked_combat,
    find_first_difference,
    fork,
    parse_scenario,
    play,
    scenario_from_dict,
)
from tests.support.clock import limit_time

SMALL = """\
format = "scratch-scenario/1"
system = "scratch"
initiative = { a = [20], b = [1] }

[[characters]]
id = "a"
abilities = { toughness = 3, shooting = 2 }

[[characters]]
id = "b"
abilities = { toughness = 3 }

[[steps]]
actor = "a"
do = "shoot"
target = "b"
faces = [10]
"""

# The worked combat

HP = {  # catalogue 3.2: after each step that changes them
    "rules": {"breakhelm": [6, 5, 4, 2, 1, 0], "chokestar": [3], "flipfire": [4]},
    "as-printed": {"breakhelm": [6, 5, 3, 2, 0], "chokestar": [3, 1, 2], "flipfire": [4]},
    "base-8": {"breakhelm": [6, 5, 3, 2, 0], "chokestar": [3, 1, 2], "flipfire": [4]},
}
ILLEGAL = {  # catalogue 3.2: e2, e4 with e5, e7, e10, e14
    "rules": {2: "act.regular", 4: "cond.delayed", 6: "act.heal.injured", 10: "act.regular", 14: "act.regular"},
    "as-printed": {},
    "base-8": {2: "act.regular", 10: "act.regular", 14: "act.regular"},
}
TOTALS = {  # catalogue 3.2: printed totals, by step; e15 was not printed and is ours
    1: [13],
    2: [10],
    3: [9],
    4: [18, 14],
    5: [7],
    6: [14],
    8: [10],
    9: [15],
    10: [9],
    11: [19],
    13: [16],
    14: [11],
    15: [14],
}


@pytest.mark.parametrize("way", WORKED_COMBAT_RULINGS)
def test_worked_combat_has_the_outcomes_of_the_catalogue(way: str) -> None:
    """E117 and variants: hit points, illegal steps and totals (`act.wrestling.hold-damage`, `act.heal.injured`)."""
    played = play(build_worked_combat(way))
    assert played.differences == ()
    for who, chain in HP[way].items():
        hp = [state.fighter(who).hp for state in played.states]
        assert [hp[0]] + [now for before, now in pairwise(hp) if before != now] == chain
    assert {record.n: record.rule for record in played.results if not record.is_legal} == ILLEGAL[way]
    for record in played.results:
        assert not record.rolls or [roll.check.total for roll in record.rolls] == TOTALS[record.n]
    assert played.final_state.winner == "hunters"


def test_worked_combat_damages_breakhelm_at_the_catalogue_steps() -> None:
    """With base 8, Breakhelm has 6, 5, 3, 2 and 0 hit points (E117).

    He has them after the steps e1, e9, e11, e13 and e15.
    """
    states = play(build_worked_combat("base-8")).states
    assert [states[n].fighter("breakhelm").hp for n in (1, 9, 11, 13, 15)] == [6, 5, 3, 2, 0]


# Reading


@pytest.mark.parametrize(
    ("old", "new", "expected", "where"),
    [
        ('format = "scratch-scenario/1"', "", "scratch-scenario/1", "format"),
        ('system = "scratch"', 'system = "mano"', "one of id, name, side", "characters[0].abilities"),
        ('system = "scratch"', 'system = "chess"', "one of scratch", "system"),
        ('system = "scratch"', 'system = "scratch"\nboard = {}', "a list of rows of letters", "board.rows"),
        (
            'system = "scratch"',
            'system = "scratch"\nrulings = { strength_base = 9 }',
            "one of 7, 8",
            "rulings.strength_base",
        ),
        ('system = "scratch"', 'system = "scratch"\nrulings = { luck = 1 }', "one of strength_base", "rulings.luck"),
        ('system = "scratch"', 'system = "scratch"\nrulings = { "it\'s" = 1 }', "one of strength_base", "rulings.it's"),
        ('system = "scratch"', 'system = "scratch"\nmood = "grim"', "one of format", "mood"),
        ('id = "b"', 'id = "a"', "each id once", "characters[1].id"),
        ('id = "b"', 'id = "B!"', "small letters", "characters[1].id"),
        ('id = "b"', "", "small letters", "characters[1].id"),
        ('id = "b"', 'id = "b"\nhp = 4', "0 to 3", "characters[1].hp"),
        ('id = "b"', 'id = "b"\nminion_of = "zed"', "another character", "characters[1].minion_of"),
        ('id = "b"', 'id = "b"\nhere = ["moon"]', "one of level", "characters[1].here"),
        ('id = "b"', 'id = "b"\nat = [0, 0]', "there is no board", "characters[1].at"),
        ("shooting = 2", "shooting = -2", "from 0 to", "characters[0].abilities.shooting"),
        ("shooting = 2", "luck = 2", "one of the abilities", "characters[0].abilities.luck"),
        ("b = [1]", "b = [21]", "a face from 1 to 20", "initiative.b[0]"),
        ("b = [1]", "z = [1]", "one of the groups a, b", "initiative.z"),
        ('do = "shoot"', 'do = "dance"', "one of basic-attack", "steps[0].do"),
        ('do = "shoot"', 'do = "shot"', "shoot, or else one of basic-attack", "steps[0].do"),
        ('do = "shoot"', 'do = "move"', "needs no board", "steps[0].do"),
        ('target = "b"', 'target = "zed"', "the id of a character", "steps[0].target"),
        ('target = "b"', "", "the id of a character", "steps[0].target"),
        ('target = "b"', 'target = "b"\nwith = "luck"', "one of the abilities", "steps[0].with"),
        ('target = "b"', 'target = "b"\npath = []', "one of actor", "steps[0].path"),
        ("faces = [10]", "faces = [0]", "a face from 1 to 20", "steps[0].faces[0]"),
        ("faces = [10]", 'faces = "10"', "a list of faces", "steps[0].faces"),
        ("faces = [10]", 'expect = { "hp.z" = 3 }', "the id of a character", "steps[0].expect.hp.z"),
        ("faces = [10]", "expect = { luck = 3 }", "one of legal", "steps[0].expect.luck"),
        ("faces = [10]", 'expect = { rule = "act.fly" }', "a rule id", "steps[0].expect.rule"),
        ("faces = [10]", 'expect = { total = ["x"] }', "whole number", "steps[0].expect.total"),
        ("faces = [10]", 'expect = { "can.a" = ["dance"] }', "names of actions", "steps[0].expect.can.a"),
    ],
    ids=lambda value: None,
)
def test_problems_have_their_place(old: str, new: str, expected: str, where: str) -> None:
    """A problem has what was expected, and its place in the file."""
    with pytest.raises(ScratchError) as caught:
        parse_scenario(SMALL.replace(old, new, 1))
    problem = caught.value.problem
    assert expected in problem.expected
    assert problem.where.split(" (line")[0] == where


def test_all_problems_are_reported_at_once_with_their_lines() -> None:
    """Three mistakes are three problems, each with its line."""
    text = SMALL.replace('do = "shoot"', 'do = "dance"').replace("toughness = 3 }", "toughness = x }")
    with pytest.raises(ScratchError) as caught:
        parse_scenario(text)
    assert caught.value.code == "scenario.syntax"
    text = (
        SMALL.replace("faces = [10]", "faces = [99]").replace("shooting = 2", "luck = 2").replace("b = [1]", "b = [0]")
    )
    with pytest.raises(ScratchError) as caught:
        parse_scenario(text)
    assert [problem.where for problem in caught.value.problems] == [
        "characters[0].abilities.luck (line 7)",
        "initiative.b[0] (line 3)",
        "steps[0].faces[0] (line 17)",
    ]


def test_json_and_toml_are_the_same_tree() -> None:
    """The tree read from JSON plays as that read from TOML."""
    scenario = parse_scenario(SAMPLE_SCENARIOS["worked-combat"])
    again = parse_scenario(json.dumps(scenario.tree))
    assert play(again).results == play(scenario).results


# Playing


def test_illegal_steps_change_nothing_and_the_play_continues() -> None:
    """An illegal step is marked and does not change the state (`turn.order`).

    The play continues; a strict play stops there.
    """
    tree = {**parse_scenario(SMALL).tree, "steps": [{"actor": "b", "do": "bonus"}, {"actor": "a", "do": "bonus"}]}
    played = play(scenario_from_dict(tree))
    assert [record.is_legal for record in played.results] == [False, True]
    assert played.states[0] == played.states[1]
    assert play(scenario_from_dict(tree), strict=True).is_stopped
    assert len(play(scenario_from_dict(tree), strict=True).results) == 1
    assert len(play(scenario_from_dict(tree), until=1).results) == 1


@pytest.mark.parametrize(
    ("faces", "message"),
    [([], "expected 1 face, got 0"), ([3, 4], "expected 1 face, got 2")],
    ids=["few", "many"],
)
def test_wrong_numbers_of_faces_are_errors_of_their_step(faces: list[int], message: str) -> None:
    """Too few or too many faces are an error with the step's place.

    The step is not played.
    """
    played = play(fork(parse_scenario(SMALL), 1, faces=faces))
    assert [problem.message for problem in played.problems] == [f"{message} in steps[0].faces"]
    assert played.states[0] == played.states[1]
    assert not played.results[0].is_legal


def test_played_scenario_json_replays_with_same_outcome() -> None:
    """Rolled faces are filled in, and the JSON is a scenario with the same outcome."""
    played = play(fork(parse_scenario(SMALL), 1, faces=None), FixedRoller(17))
    tree = json.loads(json.dumps(played.to_dict()))
    assert tree["steps"][0]["faces"] == [17]
    assert tree["state"]["hp"] == {"a": 3, "b": 1}
    again = play(scenario_from_dict(tree))
    assert again.to_dict()["steps"][0]["rolls"] == tree["steps"][0]["rolls"]


def test_record_has_every_key_of_the_format() -> None:
    """A record has every key that the format promises."""
    tree = play(parse_scenario(SMALL)).to_dict()
    assert {"format", "steps", "state"} <= set(tree)
    record = tree["steps"][0]
    assert {"n", "actor", "do", "legal", "rule", "rolls", "events", "say"} <= set(record)
    (roll,) = record["rolls"]
    assert {"face", "parts", "total", "against", "success", "automatic"} <= set(roll)
    assert roll["parts"][1] == {"what": "shooting", "value": 2, "rule": "act.shooting"}
    assert roll["against"]["what"] == "agility"
    assert record["say"] == "a shoots b: 12 against agility 10. Hit: 2 damage, 1 hit point left."


def test_unmet_expectation_is_listed_as_a_difference() -> None:
    """Each expectation that is not met is one line with step, expected and got."""
    wrong: dict[str, Any] = {
        "success": [False],
        "hp.b": 3,
        "rule": "act.regular",
        "can.a": ["shoot"],
        "order": ["b", "a"],
    }
    played = play(fork(parse_scenario(SMALL), 1, expect=wrong))
    assert [each.message for each in played.differences] == [
        "step 1 (steps[0].expect): expected success = [false], got [true]",
        "step 1 (steps[0].expect): expected hp.b = 3, got 1",
        "step 1 (steps[0].expect): expected rule = act.regular, got a legal step",
        "step 1 (steps[0].expect): expected can.a = ['shoot'], got shoot not among the legal actions",
        "step 1 (steps[0].expect): expected order = ['b', 'a'], got ['a', 'b']",
    ]


def test_fork_differs_from_the_first_changed_step() -> None:
    """A fork differs from the step of its changed die.

    With a changed ruling it differs from the step at which the ruling first matters.
    """
    scenario = build_worked_combat()
    original = play(scenario)
    assert find_first_difference(original, play(fork(scenario, 3, faces=[19]))) == 3
    assert find_first_difference(original, play(fork(scenario, rulings={"strength_base": 8}))) == 1
    assert find_first_difference(original, play(scenario)) is None
    assert "strength_base" not in scenario.tree.get("rulings", {}) or scenario.tree["rulings"]["strength_base"] == 7


def test_fork_replaces_a_ruling_of_the_file() -> None:
    """A given ruling wins over that of the file, and the others stay."""
    tree = {**build_worked_combat().tree, "rulings": {"strength_base": 8, "corners": "free"}}
    changed = fork(scenario_from_dict(tree), rulings={"strength_base": 7})
    assert (changed.rulings.strength_base, changed.rulings.corners) == (7, "free")


# Hostile files


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[" * 100_000,
        "{" * 100_000,
        '{"format": ' + "[" * 5000,
        "a" + ".a" * 200_000 + " = 1",
        "[a" + ".a" * 200_000 + "]",
        "x = " + "9" * 100_000,
        "x = " + "[" * 5000,
        "\x00",
        "\ufeff" + SMALL.replace("[10]", "[77]"),
        SMALL + "[[steps]]\n" * 1001,
        SMALL.replace("toughness = 3", "toughness = " + "9" * 4000),
        SMALL.replace("[10]", "[" + "1," * 200 + "]"),
        SMALL.replace('"shoot"', '"' + "x" * 100_000 + '"'),
        json.dumps({"format": "scratch-scenario/1", "characters": {"a": 1}, "steps": "none", "rulings": []}),
        json.dumps(
            {"format": "scratch-scenario/1", "characters": [None, 3, "x", [], {}], "steps": [None, 3, {}, {"do": []}]}
        ),
        json.dumps({"format": ["scratch-scenario/1"]}),
        json.dumps({"format": "scratch-scenario/1", "system": {}}),
        '{"format": "scratch-scenario/1", "title": NaN, "characters": [{"id": "a", "hp": Infinity}]}',
        "x" * 1_000_001,
        SMALL + "x = " + '\\"' * 300_000,
        '{"format": ' + '\\"' * 300_000,
        SMALL + '"""\n' * 200_001 + "\\",
        SMALL + "x = ['''\n\"''', " + "[" * 5000 + '"]',
        SMALL + "x = ['''\n\"''', { a" + ".a" * 50_000 + ' = 1, b = "" }]',
        SMALL + "x = [" + '""""a"""", ' + "[" * 5000,
    ],
    ids=lambda text: repr(text[-20:] + text[:20]),
)
def test_hostile_files_are_refused(text: str) -> None:
    """Files made to hang or to crash a reader are refused in time."""
    with limit_time(), pytest.raises(ScratchError) as caught:
        parse_scenario(text)
    assert all(len(problem.message) < 2_000 for problem in caught.value.problems)


def test_brackets_and_dots_in_texts_do_not_count_as_depth() -> None:
    """Texts, notes and comments may have any number of brackets, dots and quotes.

    A note may have several lines.
    """
    prose = "[.{" * 60 + " \\" + "\" it's"
    text = SMALL.replace('id = "a"', f'# "{prose}\nid = "a"', 1)
    text += f'note = """\n{prose}\n{prose}"""\n\n[[steps]]\nactor = "a"\ndo = "bonus"\nnote = "{prose[:150]}"\n'
    assert len(parse_scenario(text).steps) == 2


def test_circular_minions_are_refused() -> None:
    """Two who lead each other are no scenario."""
    text = SMALL.replace('id = "a"', 'id = "a"\nminion_of = "b"').replace('id = "b"', 'id = "b"\nminion_of = "a"', 1)
    with pytest.raises(ScratchError, match="no minion in turn"):
        parse_scenario(text)


# The command


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run the command: exit code, what it prints, what it says went wrong."""
    code = main(["play", *arguments])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_play_prints_the_story(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file plays in sentences, with exit code 0."""
    file = tmp_path / "small.toml"
    file.write_text(SMALL)
    code, out, err = run(capsys, str(file))
    assert (code, err) == (0, "")
    assert "   1  a shoots b: 12 against agility 10. Hit: 2 damage, 1 hit point left." in out


def test_play_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    """`play --json` prints the file with the result of each step.

    `--ruling` changes a ruling. Shipped scenarios are found by name.
    """
    code, out, _ = run(capsys, "worked-combat", "--json", "--ruling", "strength_base=8", "--until", "5")
    assert code == 0
    tree = json.loads(out)
    assert [step["n"] for step in tree["steps"]] == [1, 2, 3, 4, 5]
    assert tree["state"]["strength"]["breakhelm"] == 14


@pytest.mark.parametrize(
    ("text", "arguments", "code", "message"),
    [
        (SMALL + 'expect = { "hp.b" = 3 }\n', ["--check"], 1, "step 1 (steps[0].expect): expected hp.b = 3, got 1"),
        (SMALL + 'expect = { "hp.b" = 3 }\n', [], 0, ""),
        (SMALL.replace("shooting = 2", "healing = 2"), ["--strict"], 1, ""),
        (SMALL.replace("[10]", "[10, 3]"), [], 2, "expected 1 face, got 2 in steps[0].faces"),
        (SMALL.replace('"shoot"', '"dance"'), [], 2, "steps[0].do (line 15)"),
        ("?", [], 2, "expected TOML"),
    ],
    ids=["difference", "unchecked", "strict", "faces", "no-action", "no-toml"],
)
def test_play_exit_code_reports_the_outcome(  # noqa: PLR0913 -- a table's columns
    *, text: str, arguments: list[str], code: int, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`play` exits with 0 if played, 1 for differences and 2 for problems.

    A strict play that stops at an illegal step exits with 1, too. Each problem is a line with its place.
    """
    file = tmp_path / "file.toml"
    file.write_text(text)
    got, _, err = run(capsys, str(file), *arguments)
    assert got == code
    assert message in err
    assert "Traceback" not in err


def test_missing_file_is_reported_with_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file is reported, with exit code 2."""
    code, _, err = run(capsys, "no-such-file.toml")
    assert (code, "a file that can be read" in err) == (2, True)


@pytest.mark.parametrize("stacked", [False, True], ids=["one", "stacked"])
def test_every_legal_action_is_a_step(stacked: bool) -> None:
    """A listed action that is written as a step is parsed to itself.

    It is legal.
    """
    levels = {"toughness": 3, "blasting": 1, "fighting": 1, "wrestling": 1, "knockout": 1, "healing": 1, "stealth": 1}
    here = ["level", "water", "throwable", "cover"]
    tree: dict[str, Any] = {
        "format": "scratch-scenario/1",
        "rulings": {"stack_abilities": stacked},
        "characters": [
            {"id": "a", "side": "x", "here": here, "abilities": {**levels, "quickness": 1, "craftsmanship": 1}},
            {"id": "b", "side": "y", "abilities": {"toughness": 3}, "hp": 1},
            {"id": "c", "side": "y", "abilities": {"toughness": 3}, "hp": 0},
        ],
        "initiative": {"a": [15], "b": [2], "c": [1]},
    }
    start = scenario_from_dict(tree)
    actions = (*legal_actions(play(start).states[0]), *legal_actions(start.initial_state))
    assert {action.do for action in actions} > {
        "blast",
        "double-attack",
        "heal",
        "revive",
        "craft",
        "take-cover",
        "nothing",
    }
    for action in actions:
        again = scenario_from_dict({**tree, "steps": [action.to_step()]})
        assert again.steps[0].action == action
        (record,) = play(again, FixedRoller(11)).results
        assert record.is_legal, record.narration


def test_ability_check_is_parsed_back_from_its_step() -> None:
    """A bare roll written as a step is read as it was (`roll.ability-optional`)."""
    step = {"actor": "b", "do": "check", "ability": "stealth", "difficulty": 12, "requires": False}
    tree = {**parse_scenario(SMALL).tree, "steps": [{**step, "faces": [12]}]}
    scenario = scenario_from_dict(tree)
    assert scenario.steps[0].action.to_step() == step
    assert play(scenario).results[0].rolls[0].check.is_success
