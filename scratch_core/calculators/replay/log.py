"""The replay's log, the same for every turn order: a line for each step, and beside it that of the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from scratch_core.calculators.replay.fork_changes import DELETE, file_step, without_step, write_changes
from scratch_core.calculators.replay.view_model import Line, Moment, RollShown, StepShown
from scratch_core.calculators.shared.problem_sentences import problem_sentence
from scratch_core.scenario import StepResult

WHOLE_LOG = 60
AROUND = 20
"""A log so long is shown whole; of a longer one, so many steps before and after the one shown."""

LONGEST_SAID = 300


def window(step: int, last: int) -> tuple[int, int]:
    """The first and the last step that the log shows around `step`, numbered from 1."""
    if last <= WHOLE_LOG:
        return 1, last
    return max(1, step - AROUND), min(last, step + AROUND)


def names_of(record: StepResult) -> dict[str, str]:
    """The names of all who take part, by id."""
    return {each.id: each.name for each in record.state.fighters}


def step_came(record: StepResult, names: Mapping[str, str], rolls: tuple[RollShown, ...] = ()) -> StepShown:
    """What came of a step: its sentence, why it is not allowed, and its rolls.

    The sentence of an illegal one says only that it is none, for the rules it breaks are told beside it.
    """
    broken: dict[str, tuple[str, ...]] = {}
    for problem in (record.error,) if record.error else record.problems:
        words = problem_sentence(problem)
        broken[words] = (*broken.get(words, ()), *([problem.rule] if problem.rule else []))
    what = "the rolls don't fit" if record.error else "not allowed"
    say = record.narration if record.is_legal else f"{names.get(record.actor, 'Game master')}, {record.title}: {what}."
    return StepShown(say, record.is_legal, record.rule, tuple(broken.items()), rolls)


def differ(one: StepResult, other: StepResult) -> bool:
    """Whether two steps differ in what was done, thrown or said."""
    return (one.narration, one.faces, one.action) != (other.narration, other.faces, other.action)


def log_lines(place: Moment) -> tuple[Line, ...]:
    """The lines of the steps around the one shown, and between them those of the file that a fork leaves out."""
    lines: list[Line] = []
    labels, played, number = place.story.labels, place.story.played, 0
    low, high = window(place.step, len(labels))
    before = file_step(labels[low - 2]) if low > 1 else 0
    for n in range(low, high + 1):
        label = labels[n - 1]
        gone = _gone(place, range(before + 1, file_step(label) + (not label.isdigit())), n)
        now = played.system.find_step_round(played.results[n - 1].do, played.states[n - 1], played.states[n])
        line = _line(place, n)
        is_parted = line.is_first_difference and not gone
        lines += [*gone, replace(line, round=now if now != number else 0, is_first_difference=is_parted)]
        number = now
        before = file_step(label)
    if high == len(labels):
        lines += _gone(place, range(before + 1, len(place.original.labels) + 1), high + 1)
    return tuple(lines)


def _gone(place: Moment, numbers: range, n: int) -> list[Line]:
    """The steps of the file, by number, that are left out before step `n` of a fork."""
    lines: list[Line] = []
    for number in numbers if place.is_fork else ():
        record = place.original.played.results[number - 1]
        if (str(number), DELETE) in place.changes:
            restore = write_changes(without_step(place.changes, str(number)))
            own_part, is_parted = step_came(record, names_of(record)), n == place.first and not lines
            lines.append(Line(0, own_part, own_part, 0, True, is_parted, restore=restore, note=record.step.note))
    return lines


def _line(place: Moment, n: int) -> Line:
    record, label = place.story.played.results[n - 1], place.story.labels[n - 1]
    theirs = place.original.played.results[int(label) - 1] if place.is_fork and label.isdigit() else None
    names = names_of(record)
    return Line(
        n=n,
        now=step_came(record, names),
        own=step_came(theirs, names) if theirs else None,
        round=0,
        differs=theirs is not None and differ(record, theirs),
        is_first_difference=n == place.first,
        is_changed=any(each == label for each, _ in place.changes),
        is_new=not label.isdigit(),
        note=record.step.note,
    )
