"""Scenario files with a board: what is read and refused, and how steps wait for interrupts."""

import json
from typing import Any

import pytest

from scratch_core.encounter.state import Settled, Walked
from scratch_core.errors import ScratchError
from scratch_core.scenario import ScenarioResult, play, scenario_from_dict
from tests.support.known import require
from tests.support.rollers import ForbiddenRoller


def build_table(own_id: str, at: list[int], **more: Any) -> dict[str, Any]:
    """Build the table of a character with toughness 4 on a space."""
    return {"id": own_id, "at": at, "abilities": {"toughness": 4, **more.pop("abilities", {})}, **more}


def tree(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a scenario in which B shoots next to A, its enemy.

    D is far away on A's side, and B has the first turn.
    """
    return {
        "format": "scratch-scenario/1",
        "board": {"rows": ["......", "......"]},
        "characters": [
            build_table("b", [1, 0], abilities={"shooting": 2}),
            build_table("a", [0, 0], side="x"),
            build_table("d", [5, 0], side="x"),
        ],
        "initiative": {"b": [20], "a": [10], "d": [5]},
        "steps": list(steps),
        **more,
    }


def play_steps(*steps: dict[str, Any], waiting: bool = False) -> ScenarioResult:
    """The play of some steps, without dice of its own."""
    return play(scenario_from_dict(tree(*steps)), ForbiddenRoller(), waiting=waiting)


SHOT: dict[str, Any] = {"actor": "b", "do": "shoot", "target": "d"}
TRY: dict[str, Any] = {"actor": "a", "do": "interrupt", "target": "b"}
MOVE: dict[str, Any] = {"actor": "b", "do": "move", "path": [[2, 0], [3, 0], [4, 0]]}

# Reading


@pytest.mark.parametrize(("downed_are_inert", "hp", "is_valid"), [(True, 0, True), (True, 1, False), (False, 0, False)])
def test_space_of_an_incapacitated_character_may_be_shared(downed_are_inert: bool, hp: int, is_valid: bool) -> None:
    """Only if the ruling G12 lets others enter it (`grid.move.blocked`)."""
    pair = [build_table("b", [1, 0]), build_table("a", [1, 0], hp=hp)]
    read = tree(characters=pair, initiative={}, rulings={"downed_are_inert": downed_are_inert})
    if is_valid:
        assert [each.at for each in scenario_from_dict(read).fighters] == [(1, 0), (1, 0)]
    else:
        with pytest.raises(ScratchError, match="a space of their own for a"):
            scenario_from_dict(read)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"board": 3}, "board"),
        ({"board": {"rows": ["..", "..."]}}, "board.rows[1]"),
        ({"board": {"rows": ["x....."]}}, "board.rows[0]"),
        ({"board": {"rows": ["......"], "cover": [[9, 9]]}}, "board.cover[0]"),
        ({"characters": [build_table("b", [1, 0]), {"id": "a"}]}, "characters[1].at"),
        ({"characters": [build_table("b", [1, 0]), build_table("a", [9, 0])]}, "characters[1].at"),
        ({"characters": [build_table("b", [1, 0]), build_table("a", [1, 0])]}, "characters"),
        ({"characters": [build_table("b", [1, 0], here=["cover"])]}, "characters[0].here"),
        ({"board": {"rows": [".#...."]}}, "characters[0].at"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_broken_boards_have_their_place(change: dict[str, Any], where: str) -> None:
    """A problem of a board or a position has its place (`grid.space`)."""
    with pytest.raises(ScratchError) as caught:
        scenario_from_dict(tree(**change))
    assert where in [problem.where for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("step", "where"),
    [
        ({"do": "move"}, "path"),
        ({"do": "move", "path": [[1, 0], 3]}, "path[1]"),
        ({"do": "move", "path": [[1, 0]] * 101}, "path"),
        ({"do": "move", "path": [[2, 0]], "target": "a"}, "target"),
        ({"do": "blast", "targets": ["a"]}, "at"),
        ({"do": "blast", "at": [1, True]}, "at"),
        ({"do": "reposition", "target": "a"}, ""),
        ({"do": "reposition", "target": "a", "to": [1, 1], "swap": True}, ""),
        ({"do": "reposition", "to": [1, 1]}, "target"),
        ({"do": "interrupt"}, "target"),
        ({"do": "interrupt", "target": "a", "when": -1}, "when"),
        ({"do": "evade", "path": [[1, 0]]}, "path"),
    ],
    ids=str,
)
def test_broken_steps_have_their_place(step: dict[str, Any], where: str) -> None:
    """A missing, unknown or invalid key of a board's step has its place."""
    with pytest.raises(ScratchError) as caught:
        scenario_from_dict(tree({"actor": "b", **step}))
    assert f"steps[0].{where}".rstrip(".") in [problem.where for problem in caught.value.problems]


def test_map_steps_without_a_map_are_refused() -> None:
    """Without a board there is no place, and no action that needs one (`grid.scope`)."""
    bare = tree(MOVE)
    del bare["board"]
    with pytest.raises(ScratchError) as caught:
        scenario_from_dict(bare)
    assert {"characters[0].at", "steps[0].do"} <= {problem.where for problem in caught.value.problems}


# Waiting


def test_step_without_interrupts_happens_at_once() -> None:
    """A step without later interrupts in the file is resolved at once.

    The fighters who could interrupt it are listed.
    """
    step = {**SHOT, "faces": [12], "expect": {"success": [True], "hp.d": 2, "can.a": ["interrupt"]}}
    result = play_steps(step, {"actor": "b", "do": "end-turn"})
    assert result.differences == ()
    assert result.results[0].declared_state is not None
    assert result.results[0].faces == (12,)


def test_failed_interrupt_lets_the_action_happen() -> None:
    """A shot takes effect after the last failed interrupt (`grid.interrupt.what`).

    Its dice are in the shot's own step.
    """
    result = play_steps({**SHOT, "faces": [12]}, {**TRY, "with": "none", "faces": [1], "expect": {"hp.d": 4}})
    assert result.differences == ()
    assert result.states[1].fighter("d").hp == 4
    assert result.final_state.fighter("d").hp == 2
    assert [record.faces for record in result.results] == [(12,), (1,)]
    steps = [{**SHOT, "faces": [12]}, {**TRY, "with": "none", "faces": [1]}]
    assert (
        play(
            scenario_from_dict(tree(*steps, expect={"hp.d": 2, "cannot.a": ["interrupt"]})), ForbiddenRoller()
        ).differences
        == ()
    )
    assert any(isinstance(event, Settled) for event in result.results[1].events)


def test_prevented_step_needs_no_faces() -> None:
    """A prevented step needs no faces, and preserves those it has (`grid.interrupt.prevent`)."""
    for given in ({}, {"faces": [12]}):
        result = play_steps({**SHOT, **given}, {**TRY, "faces": [20]})
        assert result.results[0].prevented
        assert result.problems == ()
        written = result.to_dict()["steps"][0]
        assert written["prevented"] is True
        assert written.get("faces") == given.get("faces")


def test_illegal_interrupt_does_not_prevent_the_step() -> None:
    """After an interrupt that is not allowed the step happens all the same."""
    result = play_steps(MOVE, {**TRY, "actor": "d", "when": 0, "faces": [20]}, {"actor": "b", "do": "bonus"})
    assert [record.is_legal for record in result.results] == [True, False, True]
    assert result.final_state.fighter("b").at == (4, 0)


def test_settle_step_ends_the_interrupts() -> None:
    """`settle` ends the wait, and has the dice of the pending action."""
    end = {"actor": "b", "do": "settle"}
    for steps in (({**SHOT, "faces": [12]}, end), (SHOT, {**end, "faces": [12]})):
        result = play_steps(*steps)
        assert result.final_state.fighter("d").hp == 2
        assert result.results[1].faces == (12,)
        assert play_steps(*result.to_dict()["steps"]).final_state == result.final_state
    assert not play_steps(end).results[0].is_legal


def test_last_step_can_remain_pending() -> None:
    """An unfinished fight may end while an interrupt is possible."""
    result = play_steps(SHOT, waiting=True)
    assert require(result.states[-1].pending_action).who == "b"
    assert play_steps(SHOT, {**TRY, "faces": [1]}, waiting=True).states[-1].pending_action is not None


def test_too_many_faces_are_reported_when_the_step_is_settled() -> None:
    """Two faces for a shot that needs one are an error of its step.

    The shot is not prevented, but not played.
    """
    result = play_steps({**SHOT, "faces": [12, 12]}, {**TRY, "faces": [1]})
    assert [problem.where for problem in result.problems] == ["steps[0].faces"]
    assert result.final_state.fighter("d").hp == 4
    assert result.states[-1].pending_action is None
    assert [problem.where for problem in play_steps({**SHOT, "faces": []}).problems] == ["steps[0].faces"]


def test_played_map_scenario_replays_with_same_outcome() -> None:
    """The JSON of a map fight with all its faces replays the final state."""
    hold = {"actor": "d", "do": "hold", "target": "b", "faces": [20]}
    swap = {"actor": "d", "do": "reposition", "target": "b", "swap": True}
    result = play_steps(MOVE, {**TRY, "faces": [1]}, {"actor": "a", "do": "end-turn"}, hold, swap)
    assert all(record.is_legal for record in result.results)
    again = play(scenario_from_dict(json.loads(json.dumps(result.to_dict()))), ForbiddenRoller())
    assert again.final_state == result.final_state
    assert again.to_dict()["state"]["at"] == {"b": [5, 0], "a": [0, 0], "d": [4, 0]}
    assert [event for event in again.results[1].events if isinstance(event, Walked)]


def test_illegal_moves_leave_everything_in_place() -> None:
    """An illegal step changes nothing, not even whose turn it is (`grid.move.blocked`)."""
    result = play_steps({"actor": "b", "do": "move", "path": [[0, 0]]}, {"actor": "b", "do": "blast", "at": [1, 1]})
    assert [record.is_legal for record in result.results] == [False, False]
    assert result.final_state == result.opening_state
