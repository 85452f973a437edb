"""A play: one step more, one step less, nothing rewritten, and the same as the file played whole."""

from dataclasses import replace
from itertools import pairwise

import pytest

from scratch_core.errors import ScratchError
from scratch_core.scenario import SHIPPED, NoDice, Play, play, read, unfolded


@pytest.mark.parametrize("name", SHIPPED)
def test_step_by_step_is_as_played_whole(name: str) -> None:
    """Added one after the other, the steps of a file come to the records and states of the whole play."""
    scenario = read(SHIPPED[name])
    whole = play(scenario, NoDice())
    now = Play.through(scenario, NoDice())
    assert (now.records, now.states, now.begun) == (whole.records, whole.states, whole.begun)


@pytest.mark.parametrize("name", SHIPPED)
def test_each_step_back_is_where_the_play_has_been(name: str) -> None:
    """A play stays as it was when a step is added to it, and comes back to it."""
    scenario = read(SHIPPED[name])
    plays = [Play.start(scenario, NoDice(), [step.action for step in scenario.steps])]
    for step, answers in unfolded(scenario):
        plays.append(plays[-1].add(step, NoDice(), answers))
    for before, after in pairwise(plays):
        assert after.back() == before
    assert len(plays[0].records) == 0
    assert len(plays[-1].records) == len(scenario.steps)


def test_what_waits_is_a_state_and_no_record_of_it_changes() -> None:
    """Mara's move waits, Odo stops her: only then is she prevented, and what came of her own step stays as it was.

    Rules: `grid.interrupt.what`, `grid.interrupt.prevent`.
    """
    scenario = read(SHIPPED["harbour"])
    move, interrupt = scenario.steps[:2]
    waiting = Play.start(scenario, NoDice()).add(move, NoDice())
    assert waiting.state.exposure is not None
    assert not waiting.records[0].prevented
    stopped = waiting.add(interrupt, NoDice())
    assert stopped.came[0] == waiting.came[0]
    assert stopped.records[0].prevented
    assert stopped.state.exposure is None
    assert stopped.back() == waiting


def test_a_move_that_nobody_may_answer_happens_at_once() -> None:
    """The same move with no answers, as a file has it in which nothing follows, goes all the way."""
    scenario = read(SHIPPED["harbour"])
    gone = Play.start(scenario, NoDice()).add(scenario.steps[0], NoDice(), ())
    assert gone.state.exposure is None
    assert gone.state.fighter("mara").at == (6, 2)


def test_dice_that_nobody_throws_are_told() -> None:
    """A fight whose dice are not known can't begin without any."""
    scenario = read(SHIPPED["first-fight"])
    with pytest.raises(ScratchError, match="the faces of its dice"):
        Play.start(replace(scenario, initiative={}), NoDice())
