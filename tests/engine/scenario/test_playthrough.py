"""Playing step by step: adding and undoing steps changes no other step, and equals playing the whole file."""

from dataclasses import replace
from itertools import pairwise

import pytest

from scratch_core.errors import ScratchError
from scratch_core.scenario import (
    SAMPLE_SCENARIOS,
    NoDice,
    Playthrough,
    pair_steps_with_following_answers,
    parse_scenario,
    play,
)

CRAFTED_FIRST = """\
format = "scratch-scenario/1"
characters = [
  { id = "ann", side = "a", abilities = { toughness = 3, craftsmanship = 1 } },
  { id = "bob", side = "a", abilities = { toughness = 3, shooting = 1 } },
  { id = "cy", side = "b", abilities = { toughness = 3 } },
]
initiative = { ann = [20], bob = [15], cy = [5] }
steps = [
  { actor = "ann", do = "craft", target = "bob", ability = "shooting" },
  { actor = "ann", do = "nothing" },
  { actor = "ann", do = "end-turn" },
]
"""
"""A fight that begins with its second step. Rule: `craft.encounter-lock`."""


@pytest.mark.parametrize("name", SAMPLE_SCENARIOS)
def test_steps_added_one_by_one_equal_the_whole_play(name: str) -> None:
    """Steps added one by one have the results and states of the whole play."""
    scenario = parse_scenario(SAMPLE_SCENARIOS[name])
    whole = play(scenario, NoDice())
    now = Playthrough.run(scenario, NoDice())
    assert (now.results, now.states, now.opening_state) == (whole.results, whole.states, whole.opening_state)


@pytest.mark.parametrize("text", [*SAMPLE_SCENARIOS.values(), CRAFTED_FIRST], ids=[*SAMPLE_SCENARIOS, "crafted first"])
def test_undo_restores_the_play_before_the_step(text: str) -> None:
    """An undo returns to the play before the step, which no step has changed."""
    scenario = parse_scenario(text)
    plays = [Playthrough.start(scenario, NoDice(), [step.action for step in scenario.steps])]
    for step, answers in pair_steps_with_following_answers(scenario):
        plays.append(plays[-1].add_step(step, NoDice(), answers))
    for before, after in pairwise(plays):
        assert after.undo_step() == before
    assert len(plays[0].results) == 0
    assert len(plays[-1].results) == len(scenario.steps)


def test_pending_action_is_state_and_results_stay_unchanged() -> None:
    """Mara's pending move is prevented only by Odo's interrupt.

    Her original result is unchanged. Rules: `grid.interrupt.what`, `grid.interrupt.prevent`.
    """
    scenario = parse_scenario(SAMPLE_SCENARIOS["harbour"])
    move, interrupt = scenario.steps[:2]
    waiting = Playthrough.start(scenario, NoDice()).add_step(move, NoDice())
    assert waiting.state.pending_action is not None
    assert not waiting.results[0].prevented
    stopped = waiting.add_step(interrupt, NoDice())
    assert stopped.original_results[0] == waiting.original_results[0]
    assert stopped.results[0].prevented
    assert stopped.state.pending_action is None
    assert stopped.undo_step() == waiting


def test_move_without_interrupts_happens_at_once() -> None:
    """The same move with an empty list of interrupts is completed at once."""
    scenario = parse_scenario(SAMPLE_SCENARIOS["harbour"])
    gone = Playthrough.start(scenario, NoDice()).add_step(scenario.steps[0], NoDice(), ())
    assert gone.state.pending_action is None
    assert gone.state.fighter("mara").at == (6, 2)


def test_fight_without_dice_is_a_problem() -> None:
    """A fight whose dice are not known can't begin without any."""
    scenario = parse_scenario(SAMPLE_SCENARIOS["first-fight"])
    with pytest.raises(ScratchError, match="the faces of its dice"):
        Playthrough.start(replace(scenario, initiative={}), NoDice())
