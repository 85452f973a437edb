"""The answer for one step of a playthrough, in any turn system: the state after it, and the ways to change it."""

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
"""The most fighters or groups whose initiative dice can be edited."""


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
        *(text, original, story, changes, step, label, is_fork),
        result.states[step],
        result.states[max(0, step - 1)],
        original_result.states[get_file_step(label)] if is_fork else None,
        record,
        original_record if record and original_record and is_different(original_record, record) else None,
        story.first_different_step if is_fork else None,
    )


def build_answer(position: ReplayPosition) -> ReplayAnswer:
    """Build everything that the page shows for a position."""
    story, state, record, system = position.current, position.state, position.result, position.system
    played, last = story.result, len(story.result.results)
    has_sides = len({each.side for each in state.fighters}) > 1
    prompt = system.build_prompt(state)
    opening_step = 0 if played.states[0].phase != "before" else 1
    edit = build_step_editor(position)
    return ReplayAnswer(
        title=truncate_line(played.scenario.title, MAX_SENTENCE_LENGTH),
        position=position,
        step_count=last,
        winner=state.winner if has_sides else "",
        cards=build_cards(system, state, position.previous_state, position.original_state),
        board=build_replay_board(position.previous_state, state, record) if "board" in played.scenario.tree else None,
        prompt=prompt if prompt and prompt.sentence else None,
        opening_order=system.explain_turn_order(played.opening_state, played.beginning.rolls)
        if position.step == opening_step
        else None,
        initiative_dice=list_initiative_dice(story),
        current_step=_build_step_with_rolls(record, position.edits, position.label) if record else None,
        original_step=_build_step_with_rolls(position.original_result, None, position.label)
        if position.original_result
        else None,
        printed_step=PRINTED_STEPS.get(position.step)
        if position.scenario_text == SAMPLE_SCENARIOS["worked-combat"]
        else None,
        # The note is about the step as the file has it.
        note=record.step.note if record and not (position.is_fork and edit.is_changed) else "",
        unmet_expectations=list_unmet_expectations(position),
        log_lines=list_log_lines(position),
        column_labels=("with your changes", "in the file"),
        step_editor=edit,
        changed_file_text=story.file_text if position.is_fork or story.has_rolled_faces else "",
    )


def _build_step_with_rolls(record: StepResult, changes: Edits | None, label: str) -> StepDisplay:
    """Build the display of a step, with the names of its rolls.

    With `changes`, each roll has the forks in which its die shows another face.
    """
    names = names_of(record)
    rolls = []
    for index, roll in enumerate(each for each in record.rolls if isinstance(each, FightRoll)):
        face, alternatives = record.faces[index], []
        for other in (1, SIDES):
            if changes is not None and other != face:
                faces = [other if n == index else each for n, each in enumerate(record.faces)]
                alternatives.append((other, format_edits({**changes, (label, "faces"): join_values(faces)})))
        actor_name, target_name = names.get(roll.who, roll.who), names.get(roll.target, "")
        rolls.append(RollDisplay(actor_name, target_name, face, roll, tuple(alternatives)))
    return build_step_display(record, names, tuple(rolls))


def list_unmet_expectations(position: ReplayPosition) -> tuple[tuple[str, str], ...]:
    """List the file's expectations that the step did not meet.

    Each is a sentence and its details. Returns () for a fork.
    """
    if position.is_fork:
        return ()
    played = position.current.result
    is_last = position.step == len(played.results)
    numbers = (position.step, 0 if is_last else position.step)  # expectations of the end have the number 0
    names = {each.id: each.name for each in played.final_state.fighters}
    return tuple((_format_unmet(each, names), each.message) for each in played.differences if each.n in numbers)


def _format_unmet(difference: Difference, names: Mapping[str, str]) -> str:
    """Format a sentence on what the file expects and what the rules give."""
    key, _, value = difference.expected.partition(" = ")
    path, _, fighter_id = key.partition(".")
    if path == "hp" and fighter_id in names:
        points = f"{value} hit point{'' if value == '1' else 's'}"
        return f"The file expects {names[fighter_id]} to have {points} here, but the rules give {difference.got}."
    subject = f"{names[fighter_id]} to be different" if fighter_id in names else "something else"
    return f"The file expects {subject} here. The rules give what you see."


def build_step_editor(position: ReplayPosition) -> StepEditor:
    """Build the fields of the current step, and the forks that the editor links to."""
    changes, label, record, system = position.edits, position.label, position.result, position.system
    fork_text = format_edits(changes)
    index = position.current.labels.index(label) if record else 0
    label_before = position.current.labels[index - 1] if index else "0"
    actor = record.actor if record else ""
    edits_before = (
        insert_step(changes, label_before, suggest_step(system, position.previous_state, actor)) if record else None
    )
    edits_after = insert_step(changes, label, suggest_step(system, position.state, actor))
    return StepEditor(
        fields=build_edit_fields(system, record) if record else (),
        take_over_fork=f"{fork_text}; {label}.*" if fork_text else f"{label}.*",
        revert_fork=format_edits(drop_step_edits(changes, label)),
        is_changed=any(each == label for each, _ in changes),
        insert_before_fork=format_edits(edits_before) if edits_before else "",
        insert_after_fork=format_edits(edits_after) if edits_after else "",
        delete_fork=format_edits(delete_step(changes, label)) if record else "",
    )


def list_initiative_dice(story: PlayedScenario) -> tuple[InitiativeDice, ...]:
    """List the initiative dice of a playthrough.

    A name that a fork's text could not hold has no control.
    """
    opening_state = story.result.opening_state
    names: dict[str, list[str]] = {}
    for each in opening_state.fighters:
        names.setdefault(getattr(each, "group", each.id), []).append(each.name)
    rolls = enumerate(story.result.beginning.rolls, 1)
    return tuple(
        InitiativeDice(each.who, join_values(names[each.who]), _find_dice_control(n, each.who), join_values(each.faces))
        for n, each in rolls
    )


def _find_dice_control(n: int, group: str) -> str:
    """Return the control that edits the `n`-th faces, counted from 1.

    Returns "" if a fork's text can't hold the name `group`, or if there are too many.
    """
    is_writable = group == group.strip() and not any(sign in group for sign in ";=\n")
    return f"initiative_{n}" if n <= MAX_GROUPS and is_writable else ""


def format_summary(answer: ReplayAnswer | None) -> str:
    """Format the answer as one sentence for screen readers.

    Returns "" without an answer.
    """
    if answer is None:
        return ""
    if answer.current_step is None:
        return truncate_line(f"Before the first of {answer.step_count} steps.", MAX_SENTENCE_LENGTH)
    return truncate_line(
        f"Step {answer.position.step} of {answer.step_count}: {answer.current_step.narration}", MAX_SENTENCE_LENGTH
    )
