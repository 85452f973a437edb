"""The replay calculator on a map: drawing and text of each step, and forks that change a step's spaces."""

import pytest

from scratch_core.calculators.replay import View, view
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.scenario import SAMPLE_SCENARIOS, parse_scenario, play
from tests.support.known import require

PLAYED = play(parse_scenario(SAMPLE_SCENARIOS["harbour"]))


def view_step(step: int = 0, fork: str = "", **fields: str) -> View:
    """The replay of the harbour at a step."""
    return view(parse_query(format_query({"scenario": "harbour", "step": str(step), "fork": fork, **fields})))


def list_sentences(step: int, fork: str = "") -> tuple[str, ...]:
    """Return the sentences of what a step did on the map."""
    answer = require(view_step(step, fork).answer)
    return require(answer.board).sentences


@pytest.mark.parametrize("step", range(len(PLAYED.states)))
def test_map_of_each_step_shows_every_character(step: int) -> None:
    """At each step the map and its text have every character at its space.

    Rule: `grid.space`.
    """
    seen = view_step(step)
    assert not seen.problems
    board = require(require(seen.answer).board)
    spaces = {f"{each.at[0]},{each.at[1]}" for each in PLAYED.states[step].fighters if each.at}
    assert {piece.space for piece in board.drawing.tokens} == spaces
    assert all(f": {space}," in board.alt for space in spaces)
    assert not require(seen.answer).unmet_expectations


def test_map_sentences_describe_moves_interrupts_and_blasts() -> None:
    """A pending move, an interrupt, a continued move, a reposition, a blast, a long path.

    Rules: `grid.interrupt.what`, `grid.hold.reposition`, `grid.blast.target`.
    """
    assert list_sentences(1) == ("Mara starts moving to 6,2. This can be interrupted.",)
    assert list_sentences(2) == ("Odo interrupts Mara at 3,2.", "Mara is stopped and can't escape on their next turn.")
    assert list_sentences(4)[0] == "Tam moves from 1,5 over 2,4 to 3,3."
    assert list_sentences(7) == ("Odo is moved to 4,4.",)
    assert list_sentences(10) == ("The blast is aimed at 3,2.",)
    assert list_sentences(12) == ("Mara moves from 3,2 over 4,2, 5,2, 6,3, 7,4 to 8,5.",)
    assert list_sentences(17) == ()


@pytest.mark.parametrize(
    ("step", "drawn"),
    [(12, {"way"}), (2, {"strike", "moment-around"}), (0, set())],
    ids=["a way", "a strike", "before"],
)
def test_replay_drawing_shows_path_and_interrupt(step: int, drawn: set[str]) -> None:
    """A step's drawing shows its path, or its interrupt with a ring.

    Step 12 has a path, step 2 an interrupt, and the start has neither.
    """
    drawing = require(require(view_step(step).answer).board).drawing
    looks = {mark.css_class for mark in (*drawing.marks, *drawing.top_marks)}
    assert looks & {"way", "strike", "moment-around"} == drawn


@pytest.mark.parametrize(
    ("fork", "step", "says"),
    [
        pytest.param("1.path = 4,1", 1, "Mara moves to 4,1.", id="path"),
        pytest.param("7.to = 5,2", 7, "Tam moves Odo to 5,2.", id="to"),
        pytest.param("7.to =; 7.swap = true; 10.at = 4,2", 7, "Tam swaps places with Odo.", id="swap"),
        pytest.param("10.at = 4,2", 10, "Pell blasts Mara", id="at"),
        pytest.param("2.when = 1", 2, "Odo, interrupting attack: not allowed.", id="when"),
        pytest.param("1.do = nothing", 1, "Mara does nothing.", id="another-action"),
        pytest.param("3.do = move; 3.path = 4,4", 3, "Odo moves to 4,4.", id="another-move"),
    ],
)
def test_fork_can_change_the_spaces_of_a_step(fork: str, step: int, says: str) -> None:
    """A fork can change `path`, `to`, `swap`, `at` and `when` of a step.

    The fight differs from the file's at that step or before.
    """
    seen = view_step(step, fork)
    assert seen.answer is not None
    assert seen.answer.position.is_fork
    assert require(seen.answer.current_step).narration.startswith(says)
    assert seen.fields["fork"] == fork


@pytest.mark.parametrize(
    "fork", ["1.path = a,b", "7.to = 5,2 5,3", "10.at = 4", "1.path = 4", "2.when = soon", "7.swap = 3"]
)
def test_invalid_space_in_fork_is_reported(fork: str) -> None:
    """An invalid space, flag or count is reported at the changes.

    The file's fight is shown.
    """
    seen = view_step(1, fork)
    assert {problem.where for problem in seen.problems} == {"fork"}
    assert not require(seen.answer).position.is_fork


def fields(step: int) -> dict[str, str]:
    """The fields of a step of the harbour."""
    answer = require(view_step(step).answer)
    return {each.key: each.text for each in answer.step_editor.fields}


def test_map_step_has_the_fields_of_its_action() -> None:
    """A step on a map has its action's fields, and input becomes an edit.

    A move has its path, a blast its space, a reposition its target's space.
    """
    assert fields(1) == {"actor": "mara", "do": "move", "path": "4,1 5,1 6,2", "faces": ""}
    assert fields(10)["at"] == "3,2"
    assert {"target", "to", "swap"} < {*fields(7)}
    assert "path" not in fields(7)
    taken = view_step(1, "1.*", do_1="move", path_1="4,1 4,0", faces_1="")
    assert taken.fields["fork"] == "1.path = 4,1 4,0"
    same = view_step(1, "1.*", do_1="move", path_1="4,1 5,1 6,2")
    assert same.fields["fork"] == ""


@pytest.mark.parametrize("scenario", ["harbour", "first-fight"])
@pytest.mark.parametrize("step", [1, 7, 10])
def test_every_action_can_be_selected_for_a_step(scenario: str, step: int) -> None:
    """Every action can be selected in a step's form and gets its required fields.

    This holds for legal and illegal actions.
    """
    seen = view(parse_query(format_query({"scenario": scenario, "step": str(step)})))
    (acts,) = [each.choices for each in require(seen.answer).step_editor.fields if each.key == "do"]
    for do, _ in acts:
        typed = {f"{each.key}_{step}": each.text for each in require(seen.answer).step_editor.fields}
        query = {"scenario": scenario, "step": str(step), "fork": f"{step}.*", **typed, f"do_{step}": do}
        problems = view(parse_query(format_query(query))).problems
        # the faces of later steps may not fit
        expectations = [each.expected for each in problems if "faces" not in each.expected]
        assert expectations in ([], ["to or swap = true"] if do == "reposition" else []), do
