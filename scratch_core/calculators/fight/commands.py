"""The commands of a fight: taking steps, undo and redo, saved versions, and changes by the game master."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scratch_core.calculators.fight import branches, gm_panel, players_screen
from scratch_core.calculators.fight.basic_menu import list_possible_actors
from scratch_core.calculators.fight.board_menu import build_turn_menu
from scratch_core.calculators.fight.board_view import find_stroke_choice, parse_selected_space, parse_stroke
from scratch_core.calculators.fight.menu_records import TARGET_KEYS
from scratch_core.calculators.fight.request import SAME_PRESS, FightForm
from scratch_core.calculators.fight.session import (
    DELETE_STEP,
    Fight,
    Step,
    add_leave_cover_step,
    add_step,
    format_with_undone_steps,
    is_cover_interrupt,
    is_follow_up,
    undo_last_step,
)
from scratch_core.calculators.fight.variant_controls import ACTION_CONTROLS, format_control_name, parse_button_step
from scratch_core.dice import parse_difficulty, parse_faces
from scratch_core.encounter.pending_actions import ANSWER_ACTIONS
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.rulebook.actions import ACTION_SPECS, CHECK
from scratch_core.scenario import MAX_STEPS, StepResult, parse_json
from scratch_core.scenario.validation import MAX_TEXT_LENGTH
from scratch_core.turn_systems import CHANGE_SURROUNDINGS, JOIN

ATTACKS_PER_DOUBLE_ATTACK = 2
"""The attacks of a regular action with a follow-up. Rule: `act.fighting.double`."""

CONTINUE_COMMAND, SHARE_COMMAND, SETUP_COMMAND = "go-on", "carry", "setup"
"""The commands that leave the fight as it is: continue in a new fight, show its share link, set up another one."""

_COMMANDS_WITHOUT_STEP = ("", SETUP_COMMAND, CONTINUE_COMMAND, SHARE_COMMAND, "open", "resume", "begin")

CommandResult = tuple[Fight, Sequence[Step]]
"""The fight, and the undone steps, the next one first."""


def execute_command(form: FightForm, fight: Fight, undone: Sequence[Step]) -> CommandResult:
    """Execute the command of the form.

    Returns the fight after it, and the steps that can be redone. Problems are reported in the form, and leave the fight
    unchanged.
    """
    if form.command_name in _HISTORY_COMMANDS:
        return _HISTORY_COMMANDS[form.command_name](form, fight, undone)
    if form.command in (SETUP_COMMAND, CONTINUE_COMMAND):
        form.fields[SAME_PRESS] = "" if form.command == CONTINUE_COMMAND else form.fields[SAME_PRESS]
        return fight, undone
    after, own_dice = fight, bool(form.fields["faces"].strip())
    steps = tuple(_list_command_steps(form, fight))
    for step in steps:
        changed = _execute_step(form, after, step)
        if changed is None:
            return fight, undone
        after = changed
    if after is fight:
        return fight, undone
    _store_same_press(form, fight, after, steps)
    if len(after.steps) > len(fight.steps):
        after = _apply_follow_up(form, after, own_dice=own_dice)
    if form.command.startswith(gm_panel.COMMAND_PREFIX):
        form.fields |= dict.fromkeys(gm_panel.CLEARED_CONTROLS, "")
    return after, _update_undone_steps(form, fight, after, undone)


def _parse_same_press(form: FightForm) -> set[int]:
    """Parse the numbers of the steps that continue a press of several steps."""
    return {int(each) for each in form.fields[SAME_PRESS].split()[:MAX_STEPS] if re.fullmatch("[0-9]{1,5}", each)}


def _store_same_press(form: FightForm, fight: Fight, after: Fight, steps: Sequence[Step]) -> None:
    """Store which of the new steps were taken by one press.

    The numbers of steps that are no longer in the fight are removed.
    """
    first, last = len(fight.steps) + 1, len(after.steps)
    is_deletion = after.steps[: len(fight.steps)] != fight.steps
    known = () if is_deletion else sorted(each for each in _parse_same_press(form) if each < first)
    new_numbers = range(first + 1, last + 1) if len(steps) > 1 else ()
    form.fields[SAME_PRESS] = " ".join(map(str, (*known, *new_numbers)))


def parse_undone_steps(form: FightForm, fight: Fight) -> tuple[Step, ...]:
    """Parse the steps that were undone, the next one first.

    Keys that no step has are left out. Returns () and reports advice for a text that is no list of steps.
    """
    text = form.fields["redo"]
    if not text.strip():
        return ()
    items = parse_json(text)
    if not isinstance(items, list) or not all(isinstance(each, dict) for each in items):
        got = format_input(text.strip())
        form.problems.report("fight.redo", "a list of steps taken back", got, "redo", severity="advice")
        return ()
    known_keys = {*_list_step_keys(fight), *gm_panel.STEP_KEYS, "faces", "note", "expect"}
    return tuple({key: each[key] for key in each if key in known_keys} for each in items[:MAX_STEPS])


def _list_step_keys(fight: Fight) -> set[str]:
    """List the keys that the step of an action may have."""
    system = fight.system
    return {
        "actor",
        "do",
        *system.shared_keys,
        *(field.key for fields in system.step_fields.values() for field in fields),
    }


def _update_undone_steps(form: FightForm, fight: Fight, after: Fight, undone: Sequence[Step]) -> Sequence[Step]:
    """Return the undone steps that remain after new steps.

    If the new steps differ from the undone ones, the version before them is saved as a branch.
    """
    is_continued = after.steps[: len(fight.steps)] == fight.steps
    count = len(after.steps) - len(fight.steps)
    if is_continued and (not undone or after.steps == (*fight.steps, *undone[:count])):
        return undone[count:]
    versions = players_screen.parse_names(form.fields[branches.CONTROL])
    saved_text = branches.format_branches((format_with_undone_steps(fight, undone), *versions))
    form.fields[branches.CONTROL] = saved_text
    form.fields[branches.DISMISSED_CONTROL] = ""
    undone_text = "1 undone step is" if len(undone) == 1 else f"{len(undone)} undone steps are"
    result = "saved" if saved_text else "too long to save"
    form.announcement = f"{form.announcement} {undone_text if undone else 'The previous version is'} {result}."
    return ()


# Undo, redo and saved versions


def _undo(form: FightForm, fight: Fight, undone: Sequence[Step]) -> CommandResult:
    """Undo the steps of the last press, but none of the fight's beginning.

    They are the last step and, if it followed from the step before by itself, the step before, too; or all steps that
    the press took.
    """
    if len(fight.steps) <= fight.fixed_step_count:
        return fight, undone
    try:
        same_press = _parse_same_press(form)
        earlier, step = undo_last_step(fight, form.roller)
        undone_steps, narration = [step], fight.results[-1].narration
        while len(earlier.steps) + 1 in same_press and len(earlier.steps) > earlier.fixed_step_count:
            narration = f"{earlier.results[-1].narration} {narration}"
            earlier, step = undo_last_step(earlier, form.roller)
            undone_steps.insert(0, step)
        follows = is_follow_up(earlier, step)
        if follows:
            narration = f"{earlier.results[-1].narration} {narration}"
        if follows or is_cover_interrupt([*earlier.steps[-1:], step]):
            earlier, first = undo_last_step(earlier, form.roller)
            undone_steps.insert(0, first)
    except ScratchError as error:
        form.problems.extend_at("faces", error.problems)
        return fight, undone
    form.announcement = f"Undone: {narration}"
    return earlier, (*undone_steps, *undone)


def _redo(form: FightForm, fight: Fight, undone: Sequence[Step]) -> CommandResult:
    """Redo the last undone step, with the steps that belong to it."""
    if not undone:
        return fight, undone
    step, *rest = undone
    interrupts = fight.system.interrupts
    if is_cover_interrupt(undone):
        step, *rest = rest
    if interrupts and fight.state.has_pending_action and step.get("do") not in ANSWER_ACTIONS:
        settle = {"actor": fight.state.exposure.who, "do": interrupts.resolving_action}  # the file has no step for it
        step, rest = settle, list(undone)
    has_faces = "faces" in step
    after = _try_add_step(form, fight, step, takes_faces=not has_faces)
    if isinstance(after, Fight):
        form.fields["faces"] = form.fields["faces"] if has_faces else ""
        same_press = _parse_same_press(form)
        while rest and (len(after.steps) + 1 in same_press or ("faces" in rest[0] and is_follow_up(after, rest[0]))):
            announcement, result = form.announcement, _try_add_step(form, after, rest[0], takes_faces=False)
            if not isinstance(result, Fight):
                break
            form.announcement = f"{announcement} {result.narration}"
            after, rest = result, rest[1:]
        return after, rest
    return fight, rest if has_faces or after else undone


def _restore_branch(form: FightForm, fight: Fight, undone: Sequence[Step]) -> CommandResult:
    """Restore a saved version, and save the present one."""
    control_text = form.fields[branches.CONTROL]
    other, versions = branches.restore_branch(
        fight, format_with_undone_steps(fight, undone), control_text, form.command_argument
    )
    form.fields |= {branches.CONTROL: versions, branches.DISMISSED_CONTROL: "", SAME_PRESS: ""}
    return other, undone if versions == control_text else ()


_HISTORY_COMMANDS: Mapping[str, Callable[[FightForm, Fight, Sequence[Step]], CommandResult]] = {
    "undo": _undo,
    "redo": _redo,
    branches.CONTROL: _restore_branch,
}
"""The commands for undo, redo and saved versions, by their first word."""


# New steps


def _list_command_steps(form: FightForm, fight: Fight) -> Iterable[Step]:
    """List the steps of a button, a stroke on the map or a form.

    Returns an empty sequence if there is none, or if it can't be read, which is reported.
    """
    if form.command == CHECK.do and CHECK.do in fight.system.table_event_titles:
        return _list_check_steps(form, fight)
    if form.command.startswith(gm_panel.COMMAND_PREFIX):
        try:
            return gm_panel.build_gm_steps(fight, form.command, form)
        except ScratchError as error:
            form.problems += error.problems
            return ()
    return _list_button_steps(form, fight) or _list_stroke_steps(form, fight)


def _list_button_steps(form: FightForm, fight: Fight) -> Sequence[Step]:
    """List the step of a button, with the fields of its action."""
    if form.command in _COMMANDS_WITHOUT_STEP:
        return ()
    step = parse_json(form.command)
    if not isinstance(step, dict):
        form.problems.report_value("button.unread", "an action as JSON", form.command, "act")
        return ()
    known = gm_panel.STEP_KEYS if gm_panel.is_gm_step(fight, step) else _list_step_keys(fight)
    step |= _parse_step_targets(step, form.fields["aims"])
    return [
        parse_button_step(
            fight.system, {key: each for key, each in step.items() if key in known and each != ""}, form.fields
        )
    ]


def _parse_step_targets(step: Step, text: str) -> Step:
    """Parse the targets of a step that has none.

    `text` is the control `aims`, which holds them by action.
    """
    targets_by_action = parse_json(text) if text and not set(TARGET_KEYS) & set(step) else None
    aim = targets_by_action.get(str(step.get("do"))) if isinstance(targets_by_action, dict) else None
    return {key: aim[key] for key in TARGET_KEYS if key in aim} if isinstance(aim, dict) else {}


def _list_stroke_steps(form: FightForm, fight: Fight) -> Sequence[Step]:
    """List the step of a stroke on the map.

    A stroke without a step selects a space, or deselects it if pressed again.
    """
    stroke, state = parse_stroke(form.stroke), fight.state
    if stroke is None or getattr(state, "board", None) is None or state.exposure is not None:
        return ()
    first, space = stroke
    selected = parse_selected_space(form.fields["aim"])
    form.fields["aim"] = "" if space == selected else f"{space[0]},{space[1]}"
    actors = list_possible_actors(state)
    if not actors or state.phase != "running" or (first is None and space != selected):
        return ()
    who = form.fields["who"] if form.fields["who"] in actors else actors[0]
    choice = find_stroke_choice(state, build_turn_menu(state, who)[0], first, space, selected)
    return [] if choice is None else [json.loads(choice.step)]


def _list_check_steps(form: FightForm, fight: Fight) -> Sequence[Step]:
    """List the step of a check, which is possible at any time.

    Rules: `roll.d20`, `roll.ability-optional`, `roll.ability-required`.
    """
    fields = form.fields
    try:
        difficulty = parse_difficulty(fields["check_difficulty"], "check_difficulty")
    except ScratchError as error:
        form.problems.extend_at("check_difficulty", error.problems)
        return ()
    actor = fields["check_actor"] or fight.state.active or fight.state.fighters[0].id
    step: dict[str, Any] = {"actor": actor, "do": CHECK.do, "difficulty": difficulty}
    if fields["check_ability"]:
        step |= {"ability": fields["check_ability"], "requires": bool(fields["check_requires"])}
    return [step]


def _execute_step(form: FightForm, fight: Fight, step: Step) -> Fight | None:
    """Return the fight after a step.

    Returns None if the step isn't possible; its problems are reported in the form.
    """
    note = form.fields["note"].strip()
    if len(note) > MAX_TEXT_LENGTH:
        expected, got = f"a note of {MAX_TEXT_LENGTH:,} characters at most", f"{len(note):,}"
        form.problems.report("fight.note", expected, got, "note", most=MAX_TEXT_LENGTH)
        return None
    is_gm_change = gm_panel.is_gm_step(fight, step)
    step_with_note = {**step, "note": note} if note else step
    after = _try_add_step(form, fight, step_with_note, takes_faces=not is_gm_change or step["do"] == JOIN)
    if not isinstance(after, Fight):
        return None
    if is_gm_change and step["do"] == JOIN and form.fields[gm_panel.HIDDEN_NEWCOMER]:
        players_screen.hide_character(form.fields, str(step["character"]["id"]))
    carries_note = step["do"] != DELETE_STEP
    form.fields |= dict.fromkeys(("faces", "picked", "aimed", "who", "aim", *ACTION_CONTROLS), "")
    if form.spare_faces and _is_second_attack_due(after):
        form.fields["faces"] = ", ".join(map(str, form.spare_faces))
    form.fields["note"] = "" if carries_note else form.fields["note"]
    if is_gm_change and after.state.phase == "running":  # the game master often makes several changes
        form.focus = CHANGE_SURROUNDINGS if step["do"] == CHANGE_SURROUNDINGS else "hand"
    if not is_gm_change:  # an open card would push the next actions out of view
        form.fields[gm_panel.TARGET] = ""
    return after


def _is_second_attack_due(fight: Fight) -> bool:
    """Return whether a second attack is open and an enemy is left for it.

    Rule: `act.fighting.double`.
    """
    return bool(fight.system.roll_keys and fight.state.ledger.opened and not fight.state.winner)


def _apply_follow_up(form: FightForm, fight: Fight, *, own_dice: bool) -> Fight:
    """Return the fight after the step that follows from the last one by itself.

    If the players roll their own dice, it is taken only with a die for it. Rule: `act.fighting.double`.
    """
    action, announcement = fight.system.find_only_follow_up(fight.state), form.announcement
    if action is None or (own_dice and not form.fields["faces"]):
        return fight
    after = _try_add_step(form, fight, action.to_step(), takes_faces=own_dice)
    if not isinstance(after, Fight):
        return fight
    form.announcement = f"{announcement} {after.narration}"
    form.fields["faces"] = ""
    return after


def _split_faces(step: Step, faces: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Split the faces of a step from the face of a second attack.

    A double attack against one target, typed with two faces, opens the second attack.
    Rules: `act.fighting.double`, `roll.die-substitute`.
    """
    spec = ACTION_SPECS.get(str(step.get("do")))
    is_pair = (
        spec is not None
        and spec.follow_up
        and isinstance(step.get("target"), str)
        and len(faces) == ATTACKS_PER_DOUBLE_ATTACK
    )
    return (faces[:1], faces[1:]) if is_pair else (faces, ())


def _try_add_step(form: FightForm, fight: Fight, step: Step, *, takes_faces: bool) -> Fight | StepResult | None:
    """Return the fight with one more step.

    Returns the result of a step that breaks a rule, and None for one that is invalid. The problems of both are reported
    in the form.
    """
    typed = form.fields["faces"].strip()
    try:
        faces = parse_faces(typed) if typed and takes_faces else None
        if faces is not None:
            faces, form.spare_faces = _split_faces(step, tuple(faces))
        after = add_step(add_leave_cover_step(fight, step), step, form.roller, faces)
    except ScratchError as error:
        form.problems += (each.move_to(_choose_control(each, step), place=each.where) for each in error.problems)
        return None
    if isinstance(after, Fight):
        form.announcement = after.narration
        return after
    form.problems.extend_at("act", after.problems, keeps_place=True)
    return after


def _choose_control(problem: Problem, step: Step) -> str:
    """Choose the control that a step's problem belongs to, if possible that of a field."""
    if problem.code.startswith("dice.") or problem.code in ("fight.dice", "fight.faces", "fight.faces.none"):
        return "faces"
    key = problem.location.key
    control = format_control_name(str(step.get("do", "")), key)
    if control in ACTION_CONTROLS:
        return control
    if f"hand_{key}" in gm_panel.TARGET_CONTROLS and "actor" not in step and step.get("do") != JOIN:
        return f"hand_{key}"
    return key if key in ("note", "log") else "act"
