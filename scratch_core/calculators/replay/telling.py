"""A place of a story: what is there, what can be made of it, and what is said of it in a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.replay.changes import (
    Changes,
    deleted,
    file_step,
    inserted,
    listed,
    without_step,
    write_changes,
)
from scratch_core.calculators.replay.editing import edit_fields, offered_step
from scratch_core.calculators.replay.log import LONGEST_SAID, differ, expected_number
from scratch_core.calculators.replay.shown import Answer, Edit, Throw
from scratch_core.calculators.replay.stories import Story
from scratch_core.calculators.words import one_line
from scratch_core.scenario import Record

MOST_GROUPS = 12


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
    theirs = own.records[int(label) - 1] if is_fork and step and label.isdigit() else None  # a new step is none of its
    return Place(
        *(text, original, story, changes, step, label, is_fork),
        played.states[step],
        played.states[max(0, step - 1)],
        own.states[file_step(label)] if is_fork else None,
        record,
        theirs if record and theirs and differ(theirs, record) else None,
        story.first if is_fork else None,
    )


def unmet(place: Place) -> tuple[str, ...]:
    """What did not come as the file expects; a fork is held to nothing."""
    if place.is_fork:
        return ()
    played = place.story.played
    numbers = (place.step, expected_number(place.step, played))
    return tuple(each.message for each in played.differences if each.n in numbers)


def edit_at(place: Place) -> Edit:
    """The fields of the step at a place, and the forks that they lead to."""
    changes, label, record, system = place.changes, place.label, place.record, place.story.played.system
    written = write_changes(changes)
    at = place.story.labels.index(label) if record else 0
    label_before = place.story.labels[at - 1] if at else "0"
    actor = record.actor if record else ""
    earlier = inserted(changes, label_before, offered_step(system, place.before, actor)) if record else None
    later = inserted(changes, label, offered_step(system, place.state, actor))
    return Edit(
        label=label,
        fields=edit_fields(system, record) if record else (),
        take=f"{written}; {label}.*" if written else f"{label}.*",
        drop=write_changes(without_step(changes, label)),
        is_changed=any(each == label for each, _ in changes),
        is_new=not label.isdigit(),
        before=write_changes(earlier) if earlier else "",
        after=write_changes(later) if later else "",
        delete=write_changes(deleted(changes, label)) if record else "",
    )


def throws(story: Story) -> tuple[Throw, ...]:
    """The dice of the beginning. A name that a fork's text could not hold has no field."""
    system, begun = story.played.system, story.played.begun
    names: dict[str, list[str]] = {}
    for each in system.fighters(begun):
        names.setdefault(getattr(each, "group", each.id), []).append(each.name)
    rolls = enumerate(story.played.beginning.rolls, 1)
    return tuple(
        Throw(each.who, listed(names[each.who]), _control(n, each.who), listed(each.faces)) for n, each in rolls
    )


def _control(n: int, who: str) -> str:
    """The field that changes the `n`-th faces (from 1), "" where a fork's text can't hold whose they are."""
    is_writable = who == who.strip() and not any(sign in who for sign in ";=\n")
    return f"initiative_{n}" if n <= MOST_GROUPS and is_writable else ""


def summary(answer: Answer | None) -> str:
    """One sentence for who hears the page."""
    if answer is None:
        return ""
    if answer.now is None:
        return one_line(f"Before the first of {answer.last} steps.", LONGEST_SAID)
    return one_line(f"Step {answer.step} of {answer.last}: {answer.now.say}", LONGEST_SAID)
