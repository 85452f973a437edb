"""The moment after a step of a story, whatever its order of turns: what is there, and what can be made of it."""

from __future__ import annotations

from collections.abc import Mapping

from scratch_core.calculators.replay.board_view import build_replay_board
from scratch_core.calculators.replay.fighter_cards import build_cards
from scratch_core.calculators.replay.fork_changes import (
    Edits,
    delete_step,
    drop_step_edits,
    format_edits,
    get_file_step,
    insert_step,
    join_values,
)
from scratch_core.calculators.replay.log import (
    MAX_SENTENCE_LENGTH,
    build_step_display,
    is_different,
    list_log_lines,
    names_of,
)
from scratch_core.calculators.replay.playthroughs import PlayedScenario
from scratch_core.calculators.replay.printed_narration import PRINTED_STEPS
from scratch_core.calculators.replay.step_editor import build_edit_fields, suggest_step
from scratch_core.calculators.replay.view_model import (
    InitiativeDice,
    ReplayAnswer,
    ReplayPosition,
    RollDisplay,
    StepDisplay,
    StepEditor,
)
from scratch_core.calculators.shared.form import truncate_line
from scratch_core.dice import SIDES
from scratch_core.encounter.actions import FightRoll
from scratch_core.scenario import SAMPLE_SCENARIOS, Difference, StepResult

MAX_GROUPS = 12


def build_position(
    text: str, original: PlayedScenario, story: PlayedScenario, changes: Edits, step: int
) -> ReplayPosition:
    """The place after `step` (0 to the number of steps) of a story, beside the file's own where it is a fork."""
    played, own = story.result, original.result
    is_fork = story is not original and (bool(changes) or played.scenario.rulings != own.scenario.rulings)
    label = story.labels[step - 1] if step else "0"
    record = played.results[step - 1] if step else None
    theirs = own.results[int(label) - 1] if is_fork and step and label.isdigit() else None  # a new step is none of its
    return ReplayPosition(
        *(text, original, story, changes, step, label, is_fork),
        played.states[step],
        played.states[max(0, step - 1)],
        own.states[get_file_step(label)] if is_fork else None,
        record,
        theirs if record and theirs and is_different(theirs, record) else None,
        story.first_different_step if is_fork else None,
    )


def build_answer(place: ReplayPosition) -> ReplayAnswer:
    """Everything that is told of a moment."""
    story, state, record, system = place.current, place.state, place.result, place.system
    played, last = story.result, len(story.result.results)
    has_sides = len({each.side for each in state.fighters}) > 1
    due = system.build_prompt(state)
    begins = 0 if played.states[0].phase != "before" else 1
    edit = build_step_editor(place)
    return ReplayAnswer(
        title=truncate_line(played.scenario.title, MAX_SENTENCE_LENGTH),
        position=place,
        step_count=last,
        winner=state.winner if has_sides else "",
        cards=build_cards(system, state, place.previous_state, place.original_state),
        board=build_replay_board(place.previous_state, state, record) if "board" in played.scenario.tree else None,
        prompt=due if due and due.sentence else None,
        opening_order=system.explain_turn_order(played.opening_state, played.beginning.rolls)
        if place.step == begins
        else None,
        initiative_dice=list_initiative_dice(story),
        current_step=_build_step_with_rolls(record, place.edits, place.label) if record else None,
        original_step=_build_step_with_rolls(place.original_result, None, place.label)
        if place.original_result
        else None,
        printed_step=PRINTED_STEPS.get(place.step)
        if place.scenario_text == SAMPLE_SCENARIOS["worked-combat"]
        else None,
        note=record.step.note if record and not (place.is_fork and edit.is_changed) else "",  # it tells of the file's
        unmet_expectations=list_unmet_expectations(place),
        log_lines=list_log_lines(place),
        column_labels=("with your changes", "in the file"),
        step_editor=edit,
        changed_file_text=story.file_text if place.is_fork or story.has_rolled_faces else "",
    )


def _build_step_with_rolls(record: StepResult, changes: Edits | None, label: str) -> StepDisplay:
    """What came of a step; of the one shown with what another face would change."""
    names = names_of(record)
    rolls = []
    for place, roll in enumerate(each for each in record.rolls if isinstance(each, FightRoll)):
        face, options = record.faces[place], []
        for other in (1, SIDES):
            if changes is not None and other != face:
                faces = [other if n == place else each for n, each in enumerate(record.faces)]
                options.append((other, format_edits({**changes, (label, "faces"): join_values(faces)})))
        who, target = names.get(roll.who, roll.who), names.get(roll.target, "")
        rolls.append(RollDisplay(who, target, face, roll, tuple(options)))
    return build_step_display(record, names, tuple(rolls))


def list_unmet_expectations(place: ReplayPosition) -> tuple[tuple[str, str], ...]:
    """What did not come as the file expects, as a sentence and in detail; a fork is held to nothing."""
    if place.is_fork:
        return ()
    played = place.current.result
    numbers = (place.step, 0 if place.step == len(played.results) else place.step)  # at the end they have no number
    names = {each.id: each.name for each in played.final_state.fighters}
    return tuple((_format_unmet(each, names), each.message) for each in played.differences if each.n in numbers)


def _format_unmet(difference: Difference, names: Mapping[str, str]) -> str:
    """Write for players what the file expects and what the rules give."""
    key, _, value = difference.expected.partition(" = ")
    path, _, who = key.partition(".")
    if path == "hp" and who in names:
        points = f"{value} hit point{'' if value == '1' else 's'}"
        return f"The file expects {names[who]} to have {points} here, but the rules give {difference.got}."
    whom = f"{names[who]} to be different" if who in names else "something else"
    return f"The file expects {whom} here. The rules give what you see."


def build_step_editor(place: ReplayPosition) -> StepEditor:
    """The fields of the step at a place, and the forks that they lead to."""
    changes, label, record, system = place.edits, place.label, place.result, place.system
    written = format_edits(changes)
    at = place.current.labels.index(label) if record else 0
    label_before = place.current.labels[at - 1] if at else "0"
    actor = record.actor if record else ""
    earlier = insert_step(changes, label_before, suggest_step(system, place.previous_state, actor)) if record else None
    later = insert_step(changes, label, suggest_step(system, place.state, actor))
    return StepEditor(
        fields=build_edit_fields(system, record) if record else (),
        take_over_fork=f"{written}; {label}.*" if written else f"{label}.*",
        revert_fork=format_edits(drop_step_edits(changes, label)),
        is_changed=any(each == label for each, _ in changes),
        insert_before_fork=format_edits(earlier) if earlier else "",
        insert_after_fork=format_edits(later) if later else "",
        delete_fork=format_edits(delete_step(changes, label)) if record else "",
    )


def list_initiative_dice(story: PlayedScenario) -> tuple[InitiativeDice, ...]:
    """The dice of the beginning. A name that a fork's text could not hold has no field."""
    begun = story.result.opening_state
    names: dict[str, list[str]] = {}
    for each in begun.fighters:
        names.setdefault(getattr(each, "group", each.id), []).append(each.name)
    rolls = enumerate(story.result.beginning.rolls, 1)
    return tuple(
        InitiativeDice(each.who, join_values(names[each.who]), _find_dice_control(n, each.who), join_values(each.faces))
        for n, each in rolls
    )


def _find_dice_control(n: int, who: str) -> str:
    """The field that changes the `n`-th faces (from 1), "" where a fork's text can't hold whose they are."""
    is_writable = who == who.strip() and not any(sign in who for sign in ";=\n")
    return f"initiative_{n}" if n <= MAX_GROUPS and is_writable else ""


def format_summary(answer: ReplayAnswer | None) -> str:
    """One sentence for who hears the page."""
    if answer is None:
        return ""
    if answer.current_step is None:
        return truncate_line(f"Before the first of {answer.step_count} steps.", MAX_SENTENCE_LENGTH)
    return truncate_line(
        f"Step {answer.position.step} of {answer.step_count}: {answer.current_step.narration}", MAX_SENTENCE_LENGTH
    )
