"""The step of a playthrough that is shown, next to the original playthrough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.replay.fork_changes import Edits, get_file_step_number
from scratch_core.calculators.replay.playthroughs import PlayedScenario, is_different
from scratch_core.scenario import AnySystem, StepResult


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayPosition:
    """The step of a playthrough that is shown, with its states and those of the original playthrough."""

    scenario_text: str
    """The text of the scenario."""
    original: PlayedScenario
    """The original playthrough, as the file has it."""
    current: PlayedScenario
    """The playthrough shown: the fork if there is one, otherwise the original."""
    edits: Edits
    """The changes of the fork."""
    step: int
    """The step shown, 0 before the first."""
    label: str
    """The label of the step in the file, "0" before the first."""
    is_fork: bool
    """Whether changes or rulings differ from the file."""
    state: Any
    """The state after the step, of the turn system's own class."""
    previous_state: Any
    """The state before the step."""
    original_state: Any
    """The state of the original playthrough after the same step. None without a fork."""
    result: StepResult | None
    """The result of the step. None before the first."""
    original_result: StepResult | None
    """The result of the same step of the file. None without a fork, for a new step, or if it is the same."""
    first_different_step: int | None
    """The first step of the fork that differs from the file. None without a fork, or if none differs."""

    @property
    def system(self) -> AnySystem:
        """The turn system."""
        return self.current.result.system


def build_position(
    text: str, original: PlayedScenario, story: PlayedScenario, changes: Edits, step: int
) -> ReplayPosition:
    """Build the position after `step` of a playthrough.

    `step` is from 0 to the number of steps. A fork's position has the original playthrough's state and result, too.
    """
    result, original_result = story.result, original.result
    is_fork = story is not original and (bool(changes) or result.scenario.rulings != original_result.scenario.rulings)
    label = story.labels[step - 1] if step else "0"
    record = result.results[step - 1] if step else None
    is_step_of_file = is_fork and step and label.isdigit()
    original_record = original_result.results[int(label) - 1] if is_step_of_file else None
    return ReplayPosition(
        scenario_text=text,
        original=original,
        current=story,
        edits=changes,
        step=step,
        label=label,
        is_fork=is_fork,
        state=result.states[step],
        previous_state=result.states[max(0, step - 1)],
        original_state=original_result.states[get_file_step_number(label)] if is_fork else None,
        result=record,
        original_result=original_record
        if record and original_record and is_different(original_record, record)
        else None,
        first_different_step=story.first_different_step if is_fork else None,
    )
