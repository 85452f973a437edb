"""A reader's notes survive undo and redo in a fight, and stay with their own step in a replay with changes."""

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
    """Return the file with its legal steps only, each with a note and expectation.

    Only legal steps can be redone.
    """
    records = play(parse_scenario(json.dumps(tree))).results
    legal = [step for step, record in zip(tree["steps"], records, strict=True) if record.is_legal]
    steps = [{"expect": {"legal": True}, **step, "note": f"Step {n}"} for n, step in enumerate(legal, 1)]
    return {**{key: value for key, value in tree.items() if key != "expect"}, "steps": steps}


def fought(log: str, redo: str, act: str = "") -> Any:
    """Return the view of a fight's file, with its undone steps and a press."""
    fields = {name: text for name, text in {"log": log, "redo": redo, "act": act}.items() if text}
    return fight.view(parse_query(format_query(fields), fight.MAX_QUERY_LENGTH), None)


@pytest.mark.parametrize("system", FILES)
def test_note_and_expect_of_a_step_survive_undo_and_redo(system: str) -> None:
    """Undo of all steps and redo leave each note and `expect` unchanged."""
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
def test_step_is_compared_with_the_same_step_of_the_file(change: str, step: int) -> None:
    """A step is compared with the same step of the file, despite inserts and deletions.

    Here step 3 is a hit in the file and a miss in the fork.
    """
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
def test_changed_face_is_a_difference_with_any_result(step: int, face: int) -> None:
    """A changed face is the first difference, even if the result is the same.

    A miss stays a miss, or a hit stays a hit.
    """
    scenario = parse_scenario(json.dumps(DUEL))
    one = play(scenario, RecordedRoller(()))
    other = play(fork(scenario, step, faces=[face]), RecordedRoller(()))
    assert [each.hp for each in one.final_state.fighters] == [each.hp for each in other.final_state.fighters]
    assert find_first_difference(one, other) == step
