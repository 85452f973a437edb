"""The other faces of a die that would have changed the outcome of a roll, for the replay's what-if."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from scratch_core.dice import SIDES, RecordedRoller
from scratch_core.encounter.engine import apply_events, decide
from scratch_core.encounter.state import EncounterState
from scratch_core.errors import ScratchError
from scratch_core.scenario import StepResult


@dataclass(frozen=True, slots=True)
class FaceRange:
    """Consecutive faces of a die with the same outcome."""

    low: int
    """The lowest face."""
    high: int
    """The highest face."""

    @property
    def text(self) -> str:
        """The faces as text: `9 or less`, `10 to 19`, `20`."""
        if self.low == self.high:
            return f"{self.low}"
        if self.low == 1:
            return f"{self.high} or less"
        return f"{self.low} or more" if self.high == SIDES else f"{self.low} to {self.high}"

    def find_nearest(self, face: int) -> int:
        """Return the face of the range that is nearest to another."""
        return min(max(face, self.low), self.high)


def list_face_ranges_with_other_outcome(
    before: EncounterState, record: StepResult, die_index: int, lowest_success_face: int
) -> tuple[FaceRange, ...]:
    """List the faces of a die with another outcome, in ranges.

    `before` is the state before the step, `die_index` the number of the die, from 0, and `lowest_success_face` its
    lowest face that succeeds. A step whose outcome was decided later, by an interrupt on a map, has success and failure
    only.
    """
    outcomes = [_find_state_with_other_face(before, record, die_index, face) for face in range(1, SIDES + 1)]
    if outcomes[record.faces[die_index] - 1] != record.state:
        outcomes = [face >= lowest_success_face for face in range(1, SIDES + 1)]
    ranges = []
    for _, faces in groupby(range(1, SIDES + 1), key=lambda face: outcomes.index(outcomes[face - 1])):
        low, *more = faces
        ranges.append(FaceRange(low, more[-1] if more else low))
    return tuple(each for each in ranges if not each.low <= record.faces[die_index] <= each.high)


def _find_state_with_other_face(before: EncounterState, record: StepResult, die_index: int, face: int) -> Any:
    """Find the state after the step if this die had shown another face.

    Returns None if the step can't be played with these dice.
    """
    faces: Sequence[int] = [face if n == die_index else each for n, each in enumerate(record.faces)]
    try:
        decision = decide(before, record.action, RecordedRoller(faces))
    except ScratchError:
        return None
    return apply_events(before, decision.events) if decision.is_legal else None
