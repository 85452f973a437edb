"""The moment after a step of a story, whatever its order of turns: what is there, and what can be made of it."""

from __future__ import annotations

from collections.abc import Mapping

from scratch_core.calculators.replay.board_view import board_shown
from scratch_core.calculators.replay.fighter_cards import cards
from scratch_core.calculators.replay.fork_changes import (
    Changes,
    deleted,
    file_step,
    inserted,
    listed,
    without_step,
    write_changes,
)
from scratch_core.calculators.replay.log import (
    LONGEST_SAID,
    differ,
    log_lines,
    names_of,
    step_came,
)
from scratch_core.calculators.replay.playthroughs import Story
from scratch_core.calculators.replay.printed_narration import STORY
from scratch_core.calculators.replay.step_editor import edit_fields, offered_step
from scratch_core.calculators.replay.view_model import Answer, Edit, Moment, RollShown, StepShown, Throw
from scratch_core.calculators.shared.form import one_line
from scratch_core.encounter.actions import FightRoll
from scratch_core.scenario import SAMPLE_SCENARIOS, Difference, StepResult

MOST_GROUPS = 12


def place_in(text: str, original: Story, story: Story, changes: Changes, step: int) -> Moment:
    """The place after `step` (0 to the number of steps) of a story, beside the file's own where it is a fork."""
    played, own = story.played, original.played
    is_fork = story is not original and (bool(changes) or played.scenario.rulings != own.scenario.rulings)
    label = story.labels[step - 1] if step else "0"
    record = played.results[step - 1] if step else None
    theirs = own.results[int(label) - 1] if is_fork and step and label.isdigit() else None  # a new step is none of its
    return Moment(
        *(text, original, story, changes, step, label, is_fork),
        played.states[step],
        played.states[max(0, step - 1)],
        own.states[file_step(label)] if is_fork else None,
        record,
        theirs if record and theirs and differ(theirs, record) else None,
        story.first if is_fork else None,
    )


def answer_at(place: Moment) -> Answer:
    """Everything that is told of a moment."""
    story, state, record, system = place.story, place.state, place.record, place.system
    played, last = story.played, len(story.played.results)
    has_sides = len({each.side for each in system.fighters(state)}) > 1
    due = system.build_prompt(state)
    begins = 0 if played.states[0].phase != "before" else 1
    edit = edit_at(place)
    return Answer(
        title=one_line(played.scenario.title, LONGEST_SAID),
        place=place,
        last=last,
        winner=system.find_winner(state) if has_sides else "",
        cards=cards(system, state, place.before, place.beside),
        board=board_shown(place.before, state, record) if "board" in played.scenario.tree else None,
        question=due if due and due.sentence else None,
        order=system.explain_order(played.opening_state, played.beginning.rolls) if place.step == begins else None,
        throws=throws(story),
        now=_came(record, place.changes, place.label) if record else None,
        beside=_came(place.own, None, place.label) if place.own else None,
        printed=STORY.get(place.step) if place.text == SAMPLE_SCENARIOS["worked-combat"] else None,
        note=record.step.note if record and not (place.is_fork and edit.is_changed) else "",  # it tells of the file's
        unmet=unmet(place),
        log=log_lines(place),
        labels=("with your changes", "in the file"),
        edit=edit,
        made_text=story.text if place.is_fork or story.is_thrown else "",
    )


def _came(record: StepResult, changes: Changes | None, label: str) -> StepShown:
    """What came of a step; of the one shown with what another face would change."""
    names = names_of(record)
    rolls = []
    for place, roll in enumerate(each for each in record.rolls if isinstance(each, FightRoll)):
        face, options = record.faces[place], []
        for other in (1, 20):
            if changes is not None and other != face:
                faces = [other if n == place else each for n, each in enumerate(record.faces)]
                options.append((other, write_changes({**changes, (label, "faces"): listed(faces)})))
        who, target = names.get(roll.who, roll.who), names.get(roll.target, "")
        rolls.append(RollShown(who, target, face, roll, tuple(options)))
    return step_came(record, names, tuple(rolls))


def unmet(place: Moment) -> tuple[tuple[str, str], ...]:
    """What did not come as the file expects, as a sentence and in detail; a fork is held to nothing."""
    if place.is_fork:
        return ()
    played = place.story.played
    numbers = (place.step, 0 if place.step == len(played.results) else place.step)  # at the end they have no number
    names = {each.id: each.name for each in played.final_state.fighters}
    return tuple((_unmet_sentence(each, names), each.message) for each in played.differences if each.n in numbers)


def _unmet_sentence(difference: Difference, names: Mapping[str, str]) -> str:
    """Write for players what the file expects and what the rules give."""
    key, _, value = difference.expected.partition(" = ")
    path, _, who = key.partition(".")
    if path == "hp" and who in names:
        points = f"{value} hit point{'' if value == '1' else 's'}"
        return f"The file expects {names[who]} to have {points} here, but the rules give {difference.got}."
    whom = f"{names[who]} to be different" if who in names else "something else"
    return f"The file expects {whom} here. The rules give what you see."


def edit_at(place: Moment) -> Edit:
    """The fields of the step at a place, and the forks that they lead to."""
    changes, label, record, system = place.changes, place.label, place.record, place.system
    written = write_changes(changes)
    at = place.story.labels.index(label) if record else 0
    label_before = place.story.labels[at - 1] if at else "0"
    actor = record.actor if record else ""
    earlier = inserted(changes, label_before, offered_step(system, place.before, actor)) if record else None
    later = inserted(changes, label, offered_step(system, place.state, actor))
    return Edit(
        fields=edit_fields(system, record) if record else (),
        take=f"{written}; {label}.*" if written else f"{label}.*",
        drop=write_changes(without_step(changes, label)),
        is_changed=any(each == label for each, _ in changes),
        before=write_changes(earlier) if earlier else "",
        after=write_changes(later) if later else "",
        delete=write_changes(deleted(changes, label)) if record else "",
    )


def throws(story: Story) -> tuple[Throw, ...]:
    """The dice of the beginning. A name that a fork's text could not hold has no field."""
    system, begun = story.played.system, story.played.opening_state
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
    return one_line(f"Step {answer.place.step} of {answer.last}: {answer.now.say}", LONGEST_SAID)
