"""What a reader wrote survives undo and redo in a fight, and stays beside its own step in a replay that was changed."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from scratch_core.calculators import fight, replay
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.dice import RecordedRoller
from scratch_core.scenario import SAMPLE_SCENARIOS, find_first_difference, fork, parse_scenario, play
from tests.support.known import require

CASES = Path(__file__).parents[2] / "rules" / "cases"
FILES = {
    "scratch": tomllib.loads(SAMPLE_SCENARIOS["worked-combat"]),
    **{
        system: tomllib.loads((CASES / f"{name}.toml").read_text("utf-8"))
        for system, name in (
            ("mano", "mano-nested-counters"),
            ("mano-old", "mano-old-stun-and-damage"),
            ("seize", "seize-chain"),
        )
    },
}
DUEL: dict[str, Any] = {
    "format": "scratch-scenario/1",
    "title": "A duel",
    "characters": [
        {"id": "a", "name": "Ann", "abilities": {"fighting": 2, "toughness": 9}},
        {"id": "b", "name": "Bo", "abilities": {"fighting": 2, "acrobatics": 5, "toughness": 9}},
    ],
    "initiative": {"a": [20], "b": [1]},
    "steps": [
        {"actor": "a", "do": "basic-attack", "target": "b", "faces": [3]},
        {"actor": "b", "do": "basic-attack", "target": "a", "faces": [15]},
        {"actor": "a", "do": "basic-attack", "target": "b", "faces": [14]},
        {"actor": "b", "do": "basic-attack", "target": "a", "faces": [2]},
    ],
}


def annotate_legal_steps(tree: dict[str, Any]) -> dict[str, Any]:
    """The file's legal steps, which alone can be done again, with a note and an expectation in each."""
    records = play(parse_scenario(json.dumps(tree))).results
    legal = [step for step, record in zip(tree["steps"], records, strict=True) if record.is_legal]
    steps = [{"expect": {"legal": True}, **step, "note": f"Step {n}"} for n, step in enumerate(legal, 1)]
    return {**{key: value for key, value in tree.items() if key != "expect"}, "steps": steps}


def fought(log: str, redo: str, act: str = "") -> Any:
    """The fight's view of a file, what was undone of it, and what is pressed."""
    fields = {name: text for name, text in {"log": log, "redo": redo, "act": act}.items() if text}
    return fight.view(parse_query(format_query(fields), fight.MAX_QUERY_LENGTH), None)


@pytest.mark.parametrize("system", FILES)
def test_note_and_expect_of_a_step_survive_undo_and_redo(system: str) -> None:
    """After undo of all steps and redo, every step is unchanged, its note and `expect` included."""
    seen = fought(json.dumps(annotate_legal_steps(FILES[system])), "")
    before = json.loads(seen.fields["log"])["steps"]
    assert [step["note"] for step in before] == [f"Step {n}" for n in range(1, len(before) + 1)]
    assert all(step["expect"] for step in before)
    count = 0
    for act in ("undo", "redo"):
        for _ in before:
            seen = fought(seen.fields["log"], seen.fields["redo"], act)
            assert not seen.problems
        count = max(count, seen.undone_count)
    assert count == len(before)
    assert json.loads(seen.fields["log"])["steps"] == before


@pytest.mark.parametrize(
    ("change", "step"),
    [
        pytest.param("1a.actor = a; 1a.do = bonus; 3.faces = 1", 4, id="a step put in before it"),
        pytest.param("1.delete; 3.faces = 1", 2, id="a step left out before it"),
        pytest.param("1a.actor = a; 1a.do = bonus; 1b.actor = a; 1b.do = nothing; 3.faces = 1", 5, id="two put in"),
    ],
)
def test_beside_a_step_stands_the_same_step_of_the_file(change: str, step: int) -> None:
    """Whatever was put in or left out before it, step 3 is compared with step 3: a hit of the file beside a miss."""
    fields = {"scenario": json.dumps(DUEL), "step": str(step), "fork": change}
    seen = replay.view(parse_query(format_query(fields), replay.MAX_QUERY_LENGTH), None)
    assert not seen.problems
    assert (
        require(require(seen.answer).original_step).narration
        == play(parse_scenario(json.dumps(DUEL))).results[2].narration
    )
    bo = next(each for each in require(seen.answer).cards if each.id == "b")
    assert (bo.status.hp, bo.original_text) == (9, "8, healthy")


@pytest.mark.parametrize(("step", "face"), [(1, 4), (1, 12), (2, 16), (4, 1)])
def test_another_face_is_a_difference_whatever_comes_of_it(step: int, face: int) -> None:
    """A die changed from one miss to another, or from one hit to another, is the first difference."""
    scenario = parse_scenario(json.dumps(DUEL))
    one = play(scenario, RecordedRoller(()))
    other = play(fork(scenario, step, faces=[face]), RecordedRoller(()))
    assert [each.hp for each in one.final_state.fighters] == [each.hp for each in other.final_state.fighters]
    assert find_first_difference(one, other) == step
