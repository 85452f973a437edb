"""The display of a step: its narration, its violations, and its rolls with other faces for the dice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scratch_core.calculators.replay.fork_changes import format_edits, join_values
from scratch_core.calculators.replay.other_faces import list_face_ranges_with_other_outcome
from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.dice import face_needed
from scratch_core.encounter.actions import FightRoll
from scratch_core.scenario import StepResult

if TYPE_CHECKING:
    from scratch_core.calculators.replay.position import ReplayPosition


@dataclass(frozen=True, slots=True)
class RollDisplay:
    """A roll with the names of those involved."""

    actor_name: str
    """The name of the character who rolls."""
    target_name: str
    """The name of the target. Empty without one."""
    face: int
    """The face of the die."""
    roll: FightRoll
    """The roll with its sum and difficulty."""
    alternative_faces: tuple[tuple[str, str], ...] = ()
    """The faces with another outcome, as text, each with the fork in which the die shows the nearest of them."""

    @property
    def lowest_success_face(self) -> int:
        """The lowest face that succeeds. Rules: `roll.success`, `roll.auto-success`."""
        return face_needed(self.roll.check.total - self.face, self.roll.check.difficulty)


@dataclass(frozen=True, slots=True)
class StepDisplay:
    """The result of the step shown, or of the same step in the original playthrough."""

    narration: str
    """What happened, in one sentence."""
    outline: str
    """Who does what, without the result."""
    is_legal: bool
    """Whether the rules allow the step."""
    rule: str | None
    """The id of the most important rule, or None."""
    violations: tuple[tuple[str, tuple[str, ...]], ...]
    """Why the step is not allowed: sentences, each with the ids of the rules that it breaks."""
    rolls: tuple[RollDisplay, ...]
    """The rolls of the step."""


def names_of(record: StepResult) -> dict[str, str]:
    """Return the names of all fighters by id."""
    return {each.id: each.name for each in record.state.fighters}


def build_step_display(
    record: StepResult, names: Mapping[str, str], rolls: tuple[RollDisplay, ...] = ()
) -> StepDisplay:
    """Build the display of a step: its narration, violations and rolls.

    The narration of an illegal step says only that it is not allowed: the violations give the reasons.
    """
    broken: dict[str, tuple[str, ...]] = {}
    for problem in (record.error,) if record.error else record.problems:
        words = format_problem_sentence(problem)
        broken[words] = (*broken.get(words, ()), *([problem.rule] if problem.rule else []))
    reason = "the rolls don't fit" if record.error else "not allowed"
    outline = f"{names.get(record.actor, 'Game master')}, {record.title}"
    narration = record.narration if record.is_legal else f"{outline}: {reason}."
    return StepDisplay(narration, outline, record.is_legal, record.rule, tuple(broken.items()), rolls)


def build_step_with_alternative_rolls(record: StepResult, position: ReplayPosition | None = None) -> StepDisplay:
    """Build the display of a step, with the names of its rolls.

    With the `position` of the step, each roll has the forks in which its die has another outcome.
    """
    names = names_of(record)
    rolls = []
    for index, roll in enumerate(each for each in record.rolls if isinstance(each, FightRoll)):
        actor_name, target_name = names.get(roll.who, roll.who), names.get(roll.target, "")
        shown = RollDisplay(actor_name, target_name, record.faces[index], roll)
        alternatives = _list_alternative_faces_and_forks(record, index, shown, position) if position else ()
        rolls.append(replace(shown, alternative_faces=alternatives))
    return build_step_display(record, names, tuple(rolls))


def _list_alternative_faces_and_forks(
    record: StepResult, index: int, shown: RollDisplay, position: ReplayPosition
) -> tuple[tuple[str, str], ...]:
    """List the faces with another outcome, each with its fork."""
    alternatives = []
    for other in list_face_ranges_with_other_outcome(position.previous_state, record, index, shown.lowest_success_face):
        face = other.find_nearest(shown.face)
        faces = [face if n == index else each for n, each in enumerate(record.faces)]
        edits = {**position.edits, (position.label, "faces"): join_values(faces)}
        alternatives.append((other.text, format_edits(edits)))
    return tuple(alternatives)
