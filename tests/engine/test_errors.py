"""What goes wrong: errors that travel, and the mistakes of whoever calls the engine."""

import pickle

import pytest

from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import check_action, decide
from scratch_core.encounter.state import EncounterState
from scratch_core.errors import Problem, ScratchError
from scratch_core.scenario import build_worked_combat, play

STATES = play(build_worked_combat()).states


def test_error_is_preserved_by_pickling() -> None:
    """Pickled and unpickled it carries the same problems and words."""
    error = ScratchError(Problem("a.b", "one", "'two'", "three", "four"), Problem("c", "five", "six", "seven"))
    again = pickle.loads(pickle.dumps(error))
    assert (again.problems, str(again), type(again)) == (error.problems, str(error), ScratchError)


@pytest.mark.parametrize("state", [STATES[0], STATES[3], STATES[-1]], ids=["before", "running", "over"])
@pytest.mark.parametrize(
    ("action", "code", "words"),
    [
        (Action("flipfire", "fly-away"), "act.do", "expected one of .*basic-attack.*, got 'fly-away' in the action"),
        (Action("flipfire", ""), "act.do", "got '' in the action"),
        (Action("nobody", "basic-attack"), "state.id", "expected one of .*flipfire.*, got 'nobody' in the fight"),
        (Action("", "basic-attack"), "state.id", "got '' in the fight"),
    ],
    ids=["no such act", "no act", "no such fighter", "nobody"],
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
