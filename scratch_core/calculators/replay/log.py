"""The replay's log, the same for every turn order: a line for each step, and beside it that of the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scratch_core.calculators.replay.fork_changes import DELETE_KEY, drop_step_edits, format_edits, get_file_step
from scratch_core.calculators.replay.view_model import LogLine, ReplayPosition, RollDisplay, StepDisplay
from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.scenario import StepResult

MAX_WHOLE_LOG = 60
STEPS_AROUND = 20
"""A log so long is shown whole; of a longer one, so many steps before and after the one shown."""

MAX_SENTENCE_LENGTH = 300


def find_window(step: int, last: int) -> tuple[int, int]:
    """The first and the last step that the log shows around `step`, numbered from 1."""
    if last <= MAX_WHOLE_LOG:
        return 1, last
    return max(1, step - STEPS_AROUND), min(last, step + STEPS_AROUND)


def names_of(record: StepResult) -> dict[str, str]:
    """The names of all who take part, by id."""
    return {each.id: each.name for each in record.state.fighters}


def build_step_display(
    record: StepResult, names: Mapping[str, str], rolls: tuple[RollDisplay, ...] = ()
) -> StepDisplay:
    """What came of a step: its sentence, why it is not allowed, and its rolls.

    The sentence of an illegal one says only that it is none, for the rules it breaks are told beside it.
    """
    broken: dict[str, tuple[str, ...]] = {}
    for problem in (record.error,) if record.error else record.problems:
        words = format_problem_sentence(problem)
        broken[words] = (*broken.get(words, ()), *([problem.rule] if problem.rule else []))
    what = "the rolls don't fit" if record.error else "not allowed"
    say = record.narration if record.is_legal else f"{names.get(record.actor, 'Game master')}, {record.title}: {what}."
    return StepDisplay(say, record.is_legal, record.rule, tuple(broken.items()), rolls)


def is_different(one: StepResult, other: StepResult) -> bool:
    """Whether two steps differ in what was done, thrown or said."""
    return (one.narration, one.faces, one.action) != (other.narration, other.faces, other.action)


def list_log_lines(place: ReplayPosition) -> tuple[LogLine, ...]:
    """The lines of the steps around the one shown, and between them those of the file that a fork leaves out."""
    lines: list[LogLine] = []
    labels, played, number = place.current.labels, place.current.result, 0
    low, high = find_window(place.step, len(labels))
    before = get_file_step(labels[low - 2]) if low > 1 else 0
    for n in range(low, high + 1):
        label = labels[n - 1]
        gone = _list_removed_lines(place, range(before + 1, get_file_step(label) + (not label.isdigit())), n)
        now = played.system.find_step_round(played.results[n - 1].do, played.states[n - 1], played.states[n])
        line = _build_line(place, n)
        is_parted = line.is_first_difference and not gone
        lines += [*gone, replace(line, round=now if now != number else 0, is_first_difference=is_parted)]
        number = now
        before = get_file_step(label)
    if high == len(labels):
        lines += _list_removed_lines(place, range(before + 1, len(place.original.labels) + 1), high + 1)
    return tuple(lines)


def _list_removed_lines(place: ReplayPosition, numbers: range, n: int) -> list[LogLine]:
    """The steps of the file, by number, that are left out before step `n` of a fork."""
    lines: list[LogLine] = []
    for number in numbers if place.is_fork else ():
        record = place.original.result.results[number - 1]
        if (str(number), DELETE_KEY) in place.edits:
            restore = format_edits(drop_step_edits(place.edits, str(number)))
            own_part, is_parted = (
                build_step_display(record, names_of(record)),
                n == place.first_different_step and not lines,
            )
            lines.append(
                LogLine(0, own_part, own_part, 0, True, is_parted, restore_fork=restore, note=record.step.note)
            )
    return lines


def _build_line(place: ReplayPosition, n: int) -> LogLine:
    record, label = place.current.result.results[n - 1], place.current.labels[n - 1]
    theirs = place.original.result.results[int(label) - 1] if place.is_fork and label.isdigit() else None
    names = names_of(record)
    return LogLine(
        n=n,
        current=build_step_display(record, names),
        original=build_step_display(theirs, names) if theirs else None,
        round=0,
        is_different=theirs is not None and is_different(record, theirs),
        is_first_difference=n == place.first_different_step,
        is_changed=any(each == label for each, _ in place.edits),
        is_new=not label.isdigit(),
        note=record.step.note,
    )
