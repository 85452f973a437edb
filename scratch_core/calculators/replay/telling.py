"""What every answer of a replay tells, whatever the order of turns: the moment, the fork, the log, the file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from scratch_core.calculators.replay.changes import Changes, deleted, file_step, inserted, without_step, write_changes
from scratch_core.calculators.replay.log import LONGEST_SAID, differ, expected_number, log_lines, window
from scratch_core.calculators.replay.shown import Edit, Line, StepShown, Told
from scratch_core.calculators.replay.stories import Story
from scratch_core.calculators.words import one_line
from scratch_core.scenario import Played, Record

MOST_GROUPS = 12
T = TypeVar("T", bound=Told)


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a story that is shown: the state after `step` and before it, and the same of the file's own story.

    `label` names the step by those of the file, "0" before the first. `record` is what came of it, `own` what came of
    it in the file where that differs; `beside` is the state that the file has there. `first` is the step at which the
    fork parts from the file. `own`, `beside` and `first` are None where there is no fork.
    """

    text: str
    original: Story
    story: Story
    changes: Changes
    step: int
    label: str
    is_fork: bool
    state: Any
    before: Any
    beside: Any
    record: Record | None
    own: Record | None
    first: int | None


def place_in(text: str, original: Story, story: Story, changes: Changes, step: int) -> Place:
    """The place after `step` (0 to the number of steps) of a story, beside the file's own where it is a fork."""
    played, own = story.played, original.played
    is_fork = story is not original and (bool(changes) or played.scenario.rulings != own.scenario.rulings)
    label = story.labels[step - 1] if step else "0"
    record = played.records[step - 1] if step else None
    return Place(
        *(text, original, story, changes, step, label, is_fork),
        played.states[step],
        played.states[max(0, step - 1)],
        own.states[file_step(label)] if is_fork else None,
        record,
        _told_otherwise(own, label, record) if is_fork and record else None,
        story.first if is_fork else None,
    )


def _told_otherwise(own: Played, label: str, record: Record) -> Record | None:
    """The file's own step of that label, where it came otherwise than in a fork; a new step is none of the file's."""
    theirs = own.records[int(label) - 1] if label.isdigit() else None
    return theirs if theirs and differ(theirs, record) else None


def told(place: Place, edit: Edit, log: tuple[Line, ...] | None = None) -> Told:
    """What every answer tells of a place; `log` are its lines, where they are not simply those of `lines_at`."""
    played, story = place.story.played, place.story
    low, high = window(place.step, len(played.records))
    return Told(
        title=one_line(played.scenario.title, LONGEST_SAID),
        step=place.step,
        last=len(played.records),
        note=place.record.step.note if place.record else "",
        unmet=_unmet(place),
        log=lines_at(place) if log is None else log,
        log_from=low,
        log_to=high,
        is_fork=place.is_fork,
        labels=("with your changes", "in the file"),
        first_difference=place.first,
        edit=edit,
        is_thrown=place.original.is_thrown or story.is_thrown,
        file_name=f"scenario.{'json' if place.text.lstrip()[:1] == '{' else 'toml'}",
        file_text=place.text,
        made_text=story.text if place.is_fork or story.is_thrown else "",
    )


def telling(kind: type[T], common: Told, **own: Any) -> T:
    """An answer of that kind: what every answer tells, and what only this one has."""
    return kind(**{each.name: getattr(common, each.name) for each in fields(Told)}, **own)


def lines_at(place: Place) -> tuple[Line, ...]:
    """The lines of the log around a place."""
    low, high = window(place.step, len(place.story.played.records))
    own = place.original.played if place.is_fork else None
    return log_lines(low, high, place.story, own, place.first, place.changes)


def _unmet(place: Place) -> tuple[str, ...]:
    """What did not come as the file expects; a fork is held to nothing."""
    if place.is_fork:
        return ()
    played = place.story.played
    numbers = (place.step, expected_number(place.step, played))
    return tuple(each.message for each in played.differences if each.n in numbers)


def forks(place: Place, before: Sequence[tuple[str, str]], after: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The forks that the fields of a step lead to; `before` and `after` are new steps for the places around it."""
    changes, label, record = place.changes, place.label, place.record
    written = write_changes(changes)
    at = place.story.labels.index(label) if record else 0
    label_before = place.story.labels[at - 1] if at else "0"
    earlier = inserted(changes, label_before, "", dict(before)) if record else None
    later = inserted(changes, label, "", dict(after))
    return {
        "label": label,
        "take": f"{written}; {label}.*" if written else f"{label}.*",
        "drop": write_changes(without_step(changes, label)),
        "is_changed": any(each == label for each, _ in changes),
        "is_new": not label.isdigit(),
        "before": write_changes(earlier) if earlier else "",
        "after": write_changes(later) if later else "",
        "delete": write_changes(deleted(changes, label)) if record else "",
    }


def group_control(n: int, group: str) -> str:
    """The field that changes the faces of the `n`-th group (from 1), "" where a fork's text can't hold its name."""
    is_writable = group == group.strip() and not any(sign in group for sign in ";=\n")
    return f"initiative_{n}" if n <= MOST_GROUPS and is_writable else ""


def summary(answer: Told | None, now: StepShown | None) -> str:
    """One sentence for who hears the page."""
    if answer is None:
        return ""
    if now is None:
        return one_line(f"Before the first of {answer.last} steps.", LONGEST_SAID)
    return one_line(f"Step {answer.step} of {answer.last}: {now.say}", LONGEST_SAID)
