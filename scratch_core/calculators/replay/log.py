"""The replay's log, the same for every turn system: a line for each step, compared with the file's step."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scratch_core.calculators.replay.fork_changes import DELETE_KEY, drop_step_edits, format_edits, get_file_step_number
from scratch_core.calculators.replay.playthroughs import is_different
from scratch_core.calculators.replay.position import ReplayPosition
from scratch_core.calculators.replay.step_display import StepDisplay, build_step_display, names_of

MAX_WHOLE_LOG = 60
"""The most steps of a log that is shown in full."""
STEPS_AROUND = 20
"""The steps of a longer log that are shown before and after the current step."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log."""

    n: int
    """The number of the step, from 1. 0 for a step of the file that the fork deletes."""
    current: StepDisplay
    """The result of the step."""
    original: StepDisplay | None
    """The result in the original playthrough. None without a fork, and for a new step."""
    round: int
    """The number of the round that begins with the step, otherwise 0."""
    is_different: bool
    """Whether the result differs from the original playthrough."""
    is_first_difference: bool
    """Whether this is the first difference from the original playthrough."""
    is_changed: bool = True
    """Whether the fork has changes for this step."""
    is_new: bool = False
    """Whether only the fork has this step."""
    restore_fork: str = ""
    """The fork that restores a deleted step. Empty for all other steps."""
    note: str = ""
    """The note of the step in the file."""


def find_shown_step_range(step: int, step_count: int) -> tuple[int, int]:
    """Return the first and last step of the log to show around `step`.

    Steps count from 1. `step_count` is the number of steps.
    """
    if step_count <= MAX_WHOLE_LOG:
        return 1, step_count
    return max(1, step - STEPS_AROUND), min(step_count, step + STEPS_AROUND)


def list_log_lines_around_step(position: ReplayPosition) -> tuple[LogLine, ...]:
    """List the lines of the steps around the current step.

    Steps of the file that a fork deletes have a line where they were.
    """
    lines: list[LogLine] = []
    labels, played, current_round = position.current.labels, position.current.result, 0
    low, high = find_shown_step_range(position.step, len(labels))
    before = get_file_step_number(labels[low - 2]) if low > 1 else 0
    for n in range(low, high + 1):
        label = labels[n - 1]
        removed_lines = _list_removed_lines(
            position, range(before + 1, get_file_step_number(label) + (not label.isdigit())), n
        )
        step_round = played.system.find_step_round(played.results[n - 1].do, played.states[n - 1], played.states[n])
        line = _build_line(position, n)
        is_parted = line.is_first_difference and not removed_lines
        new_round = step_round if step_round != current_round else 0
        lines += [*removed_lines, replace(line, round=new_round, is_first_difference=is_parted)]
        current_round = step_round
        before = get_file_step_number(label)
    if high == len(labels):
        lines += _list_removed_lines(position, range(before + 1, len(position.original.labels) + 1), high + 1)
    return tuple(lines)


def _list_removed_lines(position: ReplayPosition, numbers: range, following_step: int) -> list[LogLine]:
    """List the lines of the file's steps in `numbers` that a fork deletes.

    `following_step` is the step of the fork that follows them.
    """
    lines: list[LogLine] = []
    for number in numbers if position.is_fork else ():
        record = position.original.result.results[number - 1]
        if (str(number), DELETE_KEY) in position.edits:
            restore = format_edits(drop_step_edits(position.edits, str(number)))
            display = build_step_display(record, names_of(record))
            is_parted = following_step == position.first_different_step and not lines
            lines.append(LogLine(0, display, display, 0, True, is_parted, restore_fork=restore, note=record.step.note))
    return lines


def _build_line(position: ReplayPosition, n: int) -> LogLine:
    record, label = position.current.result.results[n - 1], position.current.labels[n - 1]
    original_record = position.original.result.results[int(label) - 1] if position.is_fork and label.isdigit() else None
    names = names_of(record)
    return LogLine(
        n=n,
        current=build_step_display(record, names),
        original=build_step_display(original_record, names) if original_record else None,
        round=0,
        is_different=original_record is not None and is_different(record, original_record),
        is_first_difference=n == position.first_different_step,
        is_changed=any(each == label for each, _ in position.edits),
        is_new=not label.isdigit(),
        note=record.step.note,
    )
