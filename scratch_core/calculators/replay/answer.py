"""The answer for one step of a playthrough, in any turn system: the state after it, and the ways to change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scratch_core.calculators.replay.board_view import ReplayBoard, build_replay_board
from scratch_core.calculators.replay.fighter_cards import FighterCard, build_cards
from scratch_core.calculators.replay.fork_changes import delete_step, drop_step_edits, format_edits, insert_step
from scratch_core.calculators.replay.initiative_dice import InitiativeDice, list_initiative_dice
from scratch_core.calculators.replay.log import LogLine, list_log_lines_around_step
from scratch_core.calculators.replay.position import ReplayPosition
from scratch_core.calculators.replay.printed_narration import PRINTED_STEPS, PrintedStep
from scratch_core.calculators.replay.step_display import StepDisplay, build_step_with_alternative_rolls
from scratch_core.calculators.replay.step_editor import EditField, build_edit_fields, suggest_step
from scratch_core.calculators.shared.limits import truncate_line
from scratch_core.scenario import SAMPLE_SCENARIOS, Difference
from scratch_core.turn_systems import Prompt, Reason, TurnOrderEntry

MAX_SENTENCE_LENGTH = 300
"""The most characters of a title or summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEditor:
    """The fields of the step shown, and the forks that edit it."""

    fields: tuple[EditField, ...]
    """The fields of the step."""
    take_over_fork: str
    """The fork that adds the typed fields, which are named by the step's label."""
    revert_fork: str
    """The fork without the changes of this step."""
    is_changed: bool
    """Whether the fork has changes for this step."""
    insert_before_fork: str
    """The fork with a new step before this one. Empty if it is not possible."""
    insert_after_fork: str
    """The fork with a new step after this one. Empty if it is not possible."""
    delete_fork: str
    """The fork without this step. Empty before the first step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayAnswer:
    """The state after a step of a playthrough, with its log, its file and its editor."""

    title: str
    """The scenario's title."""
    position: ReplayPosition
    """The step shown, with its states."""
    step_count: int
    """The number of steps."""
    winner: str
    """The side that has won. Empty if there is none, or only one side."""
    cards: tuple[FighterCard, ...]
    """The fighters in the order of the file."""
    board: ReplayBoard | None
    """The map. None if the scenario has none."""
    prompt: Prompt | None
    """What the turn system asks for next, or None."""
    opening_order: tuple[tuple[TurnOrderEntry, ...], Reason] | None
    """The opening turn order and its reason. None except at the step that shows it."""
    initiative_dice: tuple[InitiativeDice, ...]
    """The initiative dice."""
    current_step: StepDisplay | None
    """The result of the step. None before the first."""
    original_step: StepDisplay | None
    """The result in the original playthrough. None if it is the same."""
    printed_step: PrintedStep | None
    """The rulebook's text for the step. None for other scenarios."""
    note: str
    """The note of the step in the file. Empty if the fork changes the step."""
    unmet_expectations: tuple[tuple[str, str], ...]
    """Expectations of the file that are not met: sentences with details."""
    log_lines: tuple[LogLine, ...]
    """The lines around the step."""
    column_labels: tuple[str, str]
    """The labels of the log's columns for the playthrough shown and the original."""
    step_editor: StepEditor
    """The editor of the step."""
    changed_file_text: str
    """The file of the playthrough as JSON. Empty if it equals the file of the query."""


def build_answer(position: ReplayPosition, column_labels: tuple[str, str]) -> ReplayAnswer:
    """Build everything that the page shows for a position."""
    story, state, record, system = position.current, position.state, position.result, position.system
    played, original_record = story.result, position.original_result
    has_sides = len({each.side for each in state.fighters}) > 1
    prompt = system.build_prompt(state)
    editor = build_step_editor(position)
    is_worked_combat = position.scenario_text == SAMPLE_SCENARIOS["worked-combat"]
    return ReplayAnswer(
        title=truncate_line(played.scenario.title, MAX_SENTENCE_LENGTH),
        position=position,
        step_count=len(played.results),
        winner=state.winner if has_sides else "",
        cards=build_cards(system, state, position.previous_state, position.original_state),
        board=build_replay_board(position.previous_state, state, record) if "board" in played.scenario.tree else None,
        prompt=prompt if prompt and prompt.sentence else None,
        opening_order=_explain_opening_order(position),
        initiative_dice=list_initiative_dice(story),
        current_step=build_step_with_alternative_rolls(record, position) if record else None,
        original_step=build_step_with_alternative_rolls(original_record) if original_record else None,
        printed_step=PRINTED_STEPS.get(position.step) if is_worked_combat else None,
        # The note is about the step as the file has it.
        note=record.step.note if record and not (position.is_fork and editor.is_changed) else "",
        unmet_expectations=list_unmet_expectations(position),
        log_lines=list_log_lines_around_step(position),
        column_labels=column_labels,
        step_editor=editor,
        changed_file_text=story.file_text if position.is_fork or story.has_rolled_faces else "",
    )


def _explain_opening_order(position: ReplayPosition) -> tuple[tuple[TurnOrderEntry, ...], Reason] | None:
    """Explain the opening turn order at the first step after the beginning.

    Returns None at all other steps.
    """
    played = position.current.result
    opening_step = 0 if played.states[0].phase != "before" else 1
    if position.step != opening_step:
        return None
    return position.system.explain_turn_order(played.opening_state, played.beginning.rolls)


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
    return tuple(
        (_format_unmet_expectation(each, names), each.message) for each in played.differences if each.n in numbers
    )


def _format_unmet_expectation(difference: Difference, names: Mapping[str, str]) -> str:
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
