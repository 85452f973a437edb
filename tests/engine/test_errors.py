"""Errors of the engine: pickling them, and mistakes of its callers."""

import pickle

import pytest

from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import check_action, decide
from scratch_core.encounter.state import EncounterState
from scratch_core.errors import MISSING_VALUE, Location, Problem, Problems, ScratchError
from scratch_core.scenario import build_worked_combat, play

STATES = play(build_worked_combat()).states


def test_error_is_preserved_by_pickling() -> None:
    """Pickled and unpickled it carries the same problems and words."""
    error = ScratchError(Problem("a.b", "one", "'two'", "three", "four"), Problem("c", "five", "six", "seven"))
    again = pickle.loads(pickle.dumps(error))
    assert (again.problems, str(again), type(again)) == (error.problems, str(error), ScratchError)


@pytest.mark.parametrize(
    ("location", "text", "key"),
    [
        (Location(), "", ""),
        (Location("cp"), "cp", "cp"),
        (Location(line=12), "line 12", ""),
        (Location("steps", 3, "faces", 0), "steps[3].faces[0]", "0"),
        (Location("steps", 3) / "target", "steps[3].target", "target"),
        (Location("characters", 0) / Location("abilities", "sonar"), "characters[0].abilities.sonar", "sonar"),
        (Location("title", line=2), "title (line 2)", "title"),
        (Location("pets", 1, "legs", line=7, file="pets.toml"), "pets[1].legs (pets.toml, line 7)", "legs"),
    ],
)
def test_location_is_text_with_parts(location: Location, text: str, key: str) -> None:
    """Compare a location with its text, and its parts before and after pickling."""
    again = pickle.loads(pickle.dumps(location))
    assert (location, location.key, again) == (text, key, text)
    assert (again.path, again.line, again.file) == (location.path, location.line, location.file)
    assert Location.from_key_or_location(location) is location


def test_moved_problem_has_further_facts() -> None:
    """Move a problem with other words and facts, of which those there have precedence."""
    problem = Problem("a.b", "one", "'two'", Location(line=3), "four", "advice", {"most": 2})
    moved = problem.with_location("sheet", got="'two' on line 3", most=5, line=problem.where)
    assert moved == Problem("a.b", "one", "'two' on line 3", "sheet", "four", "advice")
    assert moved.facts == {"most": 2, "line": "line 3"}
    assert (problem.with_location("cp").got, problem.location.line, moved.location.path) == ("'two'", 3, ("sheet",))


def test_problems_are_collected_and_raised() -> None:
    """Collect words as they are and values as input, and raise them with the advice."""
    problems = Problems()
    problems.raise_if_any()
    problems.report("a.b", "one", "two", "three", "four", severity="advice", most=2)
    assert (problems.has_errors, problems[0].facts) == (False, {"most": 2})
    problems.report_value("a.c", "one", "two", "three")
    problems.report_value("a.c", "one", MISSING_VALUE, "three")
    problems.extend_moved_to("cp", problems[:1])
    assert problems.has_errors
    assert [(each.got, each.where) for each in problems] == [
        *(("two", "three"), ("'two'", "three"), ("nothing", "three"), ("two", "cp")),
    ]
    with pytest.raises(ScratchError) as raised:
        problems.raise_if_any(2)
    assert raised.value.problems == tuple(problems[:2])


@pytest.mark.parametrize("state", [STATES[0], STATES[3], STATES[-1]], ids=["before", "running", "over"])
@pytest.mark.parametrize(
    ("action", "code", "words"),
    [
        (Action("flipfire", "fly-away"), "act.do", "expected one of .*basic-attack.*, got 'fly-away' in the action"),
        (Action("flipfire", ""), "act.do", "got '' in the action"),
        (Action("nobody", "basic-attack"), "state.id", "expected one of .*flipfire.*, got 'nobody' in the fight"),
        (Action("", "basic-attack"), "state.id", "got '' in the fight"),
    ],
    ids=["no such act", "no act", "no such fighter", "no one"],
)
def test_unknown_action_or_fighter_raises_in_every_phase(
    state: EncounterState, action: Action, code: str, words: str
) -> None:
    """An unknown action name or fighter id raises the documented error, in every phase."""
    for ask in (lambda: check_action(state, action), lambda: decide(state, action, [])):
        with pytest.raises(ScratchError, match=words) as raised:
            ask()
        assert raised.value.code == code


def test_unknown_name_error_lists_valid_names() -> None:
    """An unknown action and an unknown variant of the worked combat list the valid names."""
    with pytest.raises(ScratchError, match=r"expected one of basic-attack, .*, got 'fly'"):
        Action("a", "fly").to_step()
    with pytest.raises(ScratchError, match="expected one of rules, as-printed, base-8, got 'fly'"):
        build_worked_combat("fly")
