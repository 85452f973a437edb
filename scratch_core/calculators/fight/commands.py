"""The commands of a running fight: steps, undo and redo, saved versions, and changes by the game master."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Any

from scratch_core.calculators.fight import branches, gm_panel, players_screen
from scratch_core.calculators.fight.basic_menu import list_possible_actor_ids
from scratch_core.calculators.fight.board_menu import build_turn_menu
from scratch_core.calculators.fight.board_view import (
    find_action_taken_by_stroke,
    parse_last_stroke,
    parse_selected_space,
)
from scratch_core.calculators.fight.display_commands import DISPLAY_COMMANDS, FILE_COMMANDS, DisplayCommand
from scratch_core.calculators.fight.menu_records import TARGET_KEYS
from scratch_core.calculators.fight.page_session import FightSession, FocusedSession, SetupSession
from scratch_core.calculators.fight.request import (
    BEGIN,
    CHANGED_FACES,
    CHANGED_STEP,
    RESUME,
    SAME_PRESS,
    TURNING_CONTROL,
    FightRequest,
)
from scratch_core.calculators.fight.session import (
    DELETE_STEP,
    Fight,
    Step,
    add_leave_cover_step,
    add_step,
    begin_fight,
    build_continuation_head,
    build_repeat_head,
    change_roll,
    format_with_undone_steps,
    is_leave_cover_then_interrupt,
    is_only_follow_up,
    undo_last_step,
)
from scratch_core.calculators.fight.setup_commands import execute_setup_command, save_fight_and_return_to_setup
from scratch_core.calculators.fight.variant_controls import ACTION_CONTROLS, complete_button_step, format_control_name
from scratch_core.calculators.shared.limits import truncate_line
from scratch_core.dice import parse_difficulty, parse_faces
from scratch_core.encounter.pending_actions import ANSWER_ACTIONS
from scratch_core.errors import Problem, Problems, ScratchError, format_input, join_words
from scratch_core.rulebook.actions import ACTION_SPECS, CHECK
from scratch_core.scenario import MAX_STEPS, parse_json_or_none
from scratch_core.scenario.validation import MAX_TEXT_LENGTH
from scratch_core.turn_systems import CHANGE_SURROUNDINGS, JOIN
from scratch_core.turn_systems.fields import COMMON_STEP_KEYS, parse_number_or_text

APPLY_ROLL_COMMAND = "change-roll"
"""The command that changes the dice of an earlier step. Its argument is the step's number."""

MAX_DROPPED_LENGTH = 60
"""The maximum number of characters of a step in the list of those that no longer fit."""

ATTACKS_PER_DOUBLE_ATTACK = 2
"""The attacks of a regular action with a follow-up. Rule: `act.fighting.double`."""

CONTINUE_COMMAND, SHARE_COMMAND, SETUP_COMMAND, OPEN_COMMAND = "continue", "share", "setup", "open"
"""The commands that add no step: continue in a new fight, show its share link, set up another one, open a file."""

REPEAT_COMMAND = "repeat"
"""The command that begins the same fight again with new dice."""

FightCommand = Callable[[FightRequest, FightSession], FightSession | SetupSession]
"""A command of a fight. It returns a setup if the page leaves the fight."""


def execute_command(request: FightRequest, session: FightSession) -> FightSession | SetupSession:
    """Execute the command of the request in a running fight.

    A command that is not in the table is a step as JSON.
    """
    name = request.command.name
    replacing_command, count = _parse_replacement(session)
    if replacing_command and name == replacing_command:
        return _undo_or_redo_replacement(request, session, name, count)
    after = COMMANDS.get(name, _take_button_step)(request, session)
    if not isinstance(after, FightSession) or after.fight.steps == session.fight.steps:
        return after
    is_version_saved = after.fields[branches.CONTROL] not in ("", session.fields[branches.CONTROL])
    is_replaced = name == branches.CONTROL or not (_has_continued(session, after) or name == branches.UNDO)
    return _set_replacement(session, after, branches.UNDO if is_version_saved and is_replaced else "")


def parse_undone_steps(text: str, fight: Fight) -> tuple[tuple[Step, ...], Problems]:
    """Parse the steps that were undone, the next one first.

    Keys that no step has are left out. Returns () and advice for a text that is no list of steps.
    """
    problems = Problems()
    if not text.strip():
        return (), problems
    items = parse_json_or_none(text)
    if not isinstance(items, list) or not all(isinstance(each, dict) for each in items):
        got = format_input(text.strip())
        problems.report("fight.redo", "a list of undone steps", got, "redo", severity="advice")
        return (), problems
    known_keys = {*_list_action_step_keys(fight), *gm_panel.STEP_KEYS, *COMMON_STEP_KEYS}
    return tuple({key: each[key] for key in each if key in known_keys} for each in items[:MAX_STEPS]), problems


def _list_action_step_keys(fight: Fight) -> set[str]:
    """List the keys that the step of an action may have."""
    system = fight.system
    return {
        "actor",
        "do",
        *system.shared_keys,
        *(field.key for fields in system.step_fields.values() for field in fields),
    }


def start_fight(
    request: FightRequest, session: FocusedSession, head: Mapping[str, Any], steps: Sequence[Step] = ()
) -> FightSession | SetupSession:
    """Start a fight from the head of its file.

    Returns the setup with the problems if the fight can't begin.
    """
    try:
        fight = begin_fight(head, request.roller, steps)
    except ScratchError as error:
        problems = Problems()
        problems.extend_moved_to("initiative", error.problems, keeps_place_as_fact=True)
        setup = SetupSession(session.fields, session.problems, session.focus, stroke=request.stroke)
        return replace(execute_setup_command(request, setup), start_problems=tuple(problems))
    return FightSession(session.fields, session.problems, session.focus, fight=fight, message=fight.opening_narration)


# Taking steps


def _take_all_steps_or_none(
    request: FightRequest, session: FightSession, steps: Sequence[Step], cleared_controls: Sequence[str] = ()
) -> FightSession:
    """Take the steps of a press, and clear its controls.

    If one of them isn't possible, only the problems change.
    """
    if not steps:
        return session
    own_dice, after = bool(session.fields["faces"].strip()), session
    for step in steps:
        after, is_taken = _take_step(request, after, step)
        if not is_taken:
            return replace(session, problems=after.problems)
    after = _store_same_press_step_numbers(session, after, steps)
    if len(after.fight.steps) > len(session.fight.steps):
        after = _take_follow_up_if_due(request, after, own_dice=own_dice)
    after = after.with_fields(dict.fromkeys(cleared_controls, "")) if cleared_controls else after
    if not gm_panel.is_gm_step(session.fight, steps[-1]):  # the next turn stays in view
        after = replace(after, focus=session.focus)
    return _update_undone_steps_and_branches(session, after)


def _take_step(request: FightRequest, session: FightSession, step: Step) -> tuple[FightSession, bool]:
    """Take a step with the typed note and faces, and return whether it is possible.

    If it isn't, only the problems of the session change.
    """
    note, fight = session.fields["note"].strip(), session.fight
    if len(note) > MAX_TEXT_LENGTH:
        expected, got = f"a note of {MAX_TEXT_LENGTH:,} characters at most", f"{len(note):,}"
        return session.with_problems(
            [Problem("fight.note", expected, got, "note", facts={"most": MAX_TEXT_LENGTH})]
        ), False
    is_gm_change = gm_panel.is_gm_step(fight, step)
    is_join = is_gm_change and step["do"] == JOIN
    step_with_note = {**step, "note": note} if note else step
    after, outcome = _add_step_or_report_problems(
        request, session, step_with_note, takes_faces=not is_gm_change or is_join
    )
    if outcome is not StepOutcome.TAKEN:
        return after, False
    texts = dict.fromkeys(("picked", "aimed", "who", "aim", *ACTION_CONTROLS), "")
    if not is_gm_change or is_join:  # typed faces are for the next roll
        texts["faces"] = ""
    if is_join and after.fields[gm_panel.HIDDEN_NEWCOMER]:
        texts |= players_screen.hide_character(after.fields, str(step["character"]["id"]))
    if after.spare_faces and _is_second_attack_due(after.fight):
        texts["faces"] = ", ".join(map(str, after.spare_faces))
    if step["do"] != DELETE_STEP:  # a deletion has no note
        texts["note"] = ""
    if not is_gm_change:  # an open card would push the next actions out of view
        texts[gm_panel.TARGET] = ""
    elif after.fight.state.phase == "running":  # the game master often makes several changes
        after = replace(after, focus=CHANGE_SURROUNDINGS if step["do"] == CHANGE_SURROUNDINGS else "gm")
    return after.with_fields(texts), True


def _is_second_attack_due(fight: Fight) -> bool:
    """Return whether a second attack is open and an enemy is left for it.

    Rule: `act.fighting.double`.
    """
    return bool(fight.system.roll_keys and fight.state.ledger.opened and not fight.state.winner)


def _take_follow_up_if_due(request: FightRequest, session: FightSession, *, own_dice: bool) -> FightSession:
    """Take the step that follows from the last one by itself.

    If the players roll their own dice, it is taken only with a die for it. Rule: `act.fighting.double`.
    """
    action = session.fight.system.find_follow_up_on_only_enemy(session.fight.state)
    if action is None or (own_dice and not session.fields["faces"]):
        return session
    after, outcome = _add_step_or_report_problems(request, session, action.to_step(), takes_faces=own_dice)
    if outcome is not StepOutcome.TAKEN:
        return after
    return replace(after.with_fields({"faces": ""}), message=f"{session.message} {after.message}")


class StepOutcome(Enum):
    """What came of adding a step."""

    TAKEN = "taken"
    """The fight has the step."""
    ILLEGAL = "illegal"
    """The step breaks a rule."""
    INVALID = "invalid"
    """The step, or the faces for it, can't be read."""


def _add_step_or_report_problems(
    request: FightRequest, session: FightSession, step: Step, *, takes_faces: bool
) -> tuple[FightSession, StepOutcome]:
    """Add a step to the fight, with the typed faces if it `takes_faces`.

    The message is then its narration. If the step isn't possible, the session has its problems.
    """
    typed, fight = session.fields["faces"].strip(), session.fight
    try:
        faces = parse_faces(typed) if typed and takes_faces else None
        if faces is not None:
            faces, spare_faces = _split_off_second_attack_face(step, tuple(faces))
            session = replace(session, spare_faces=spare_faces)
        after = add_step(add_leave_cover_step(fight, step), step, request.roller, faces)
    except ScratchError as error:
        return session.with_problems(
            _move_problem_to_control(each, step) for each in error.problems
        ), StepOutcome.INVALID
    if isinstance(after, Fight):
        return replace(session, fight=after, message=after.narration), StepOutcome.TAKEN
    problems = [each.with_location("act", place=each.where) for each in after.problems]
    return session.with_problems(problems), StepOutcome.ILLEGAL


def _split_off_second_attack_face(step: Step, faces: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
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


def _move_problem_to_control(problem: Problem, step: Step) -> Problem:
    """Return a step's problem at its control, in words about what is typed there."""
    control = _choose_problem_control(problem, step)
    if problem.code == "scenario.value" and control not in ("act", "log"):
        return Problem("fight.value", problem.expected, problem.got, control)
    return problem.with_location(control, place=problem.where)


def _choose_problem_control(problem: Problem, step: Step) -> str:
    """Choose the control that a step's problem belongs to, if possible that of a field."""
    if problem.code.startswith("dice.") or problem.code in ("fight.dice", "fight.faces", "fight.faces.none"):
        return "faces"
    key = problem.location.key
    control = format_control_name(str(step.get("do", "")), key)
    if control in ACTION_CONTROLS:
        return control
    if f"gm_{key}" in gm_panel.TARGET_CONTROLS and "actor" not in step and step.get("do") != JOIN:
        return f"gm_{key}"
    return key if key in ("note", "log") else "act"


# What a press leaves for undo and redo


def _parse_same_press_step_numbers(session: FightSession) -> set[int]:
    """Parse which steps were added by the same button press as the step before.

    If the player adds several steps by pressing one button, undo removes them together. Returns the steps' numbers and
    ignores entries that are no numbers."""
    entries = session.fields[SAME_PRESS].split()[:MAX_STEPS]
    return {int(each) for each in entries if re.fullmatch("[0-9]{1,5}", each)}


def _has_continued(before: FightSession, after: FightSession) -> bool:
    """Return whether all steps before are in the fight after, too: none was deleted."""
    return after.fight.steps[: len(before.fight.steps)] == before.fight.steps


def _store_same_press_step_numbers(before: FightSession, after: FightSession, steps: Sequence[Step]) -> FightSession:
    """Store which of the new steps were taken by one press.

    The numbers of steps that are no longer in the fight are removed.
    """
    first, last = len(before.fight.steps) + 1, len(after.fight.steps)
    is_continued = _has_continued(before, after)
    known = sorted(each for each in _parse_same_press_step_numbers(after) if each < first) if is_continued else ()
    new_numbers = range(first + 1, last + 1) if len(steps) > 1 else ()
    return after.with_fields({SAME_PRESS: " ".join(map(str, (*known, *new_numbers)))})


def _update_undone_steps_and_branches(before: FightSession, after: FightSession) -> FightSession:
    """Update the undone steps after new steps.

    If the new steps differ from the undone ones, the version before them is saved as a branch.
    """
    undone, steps = before.undone_steps, before.fight.steps
    count = len(after.fight.steps) - len(steps)
    if _has_continued(before, after) and (not undone or after.fight.steps == (*steps, *undone[:count])):
        return replace(after, undone_steps=undone[count:])
    versions = players_screen.parse_json_names(after.fields[branches.CONTROL])
    saved_text = branches.format_branches_as_json((format_with_undone_steps(before.fight, undone), *versions))
    undone_text = "1 undone step is" if len(undone) == 1 else f"{len(undone)} undone steps are"
    result = "saved" if saved_text else "too long to save"
    message = f"{after.message} {undone_text if undone else 'The previous version is'} {result}."
    after = after.with_fields({branches.CONTROL: saved_text, branches.DISMISSED_CONTROL: ""})
    return replace(after, message=message, undone_steps=())


# The commands of undo, redo and saved versions


def _undo_last_press(request: FightRequest, session: FightSession) -> FightSession:
    """Undo the steps of the last press, but none of the fight's beginning.

    Three groups of steps belong to one press. The steps of a change by the game master have their numbers in the
    control `same_press`: alone, each could have been a press, too. A second attack that followed by itself, and an
    interrupt before which its actor left cover, are found by the steps. So undo takes them together in a fight from a
    file, too, which has no such control.
    """
    session, fight = session.with_fields({"aim": "", gm_panel.HP: ""}), session.fight
    if len(fight.steps) <= fight.fixed_step_count:
        return session
    if _is_second_attack_due(fight):  # the typed face was for it
        session = session.with_fields({"faces": ""})
    try:
        same_press = _parse_same_press_step_numbers(session)
        earlier, step = undo_last_step(fight, request.roller)
        undone_steps, narration = [step], fight.results[-1].narration
        while len(earlier.steps) + 1 in same_press and len(earlier.steps) > earlier.fixed_step_count:
            narration = f"{earlier.results[-1].narration} {narration}"
            earlier, step = undo_last_step(earlier, request.roller)
            undone_steps.insert(0, step)
        follows = is_only_follow_up(earlier, step)
        if follows:
            narration = f"{earlier.results[-1].narration} {narration}"
        if follows or is_leave_cover_then_interrupt([*earlier.steps[-1:], step]):
            earlier, first = undo_last_step(earlier, request.roller)
            undone_steps.insert(0, first)
    except ScratchError as error:
        return session.with_problems(each.with_location("faces") for each in error.problems)
    undone = (*undone_steps, *session.undone_steps)
    return replace(session, fight=earlier, undone_steps=undone, message=f"Undone: {narration}")


def _redo_last_undone_press(request: FightRequest, session: FightSession) -> FightSession:
    """Redo the last undone step, with the steps that belong to it."""
    session = session.with_fields({"aim": "", gm_panel.HP: ""})
    if not session.undone_steps:
        return session
    step, rest = _find_step_to_redo(session)
    has_faces = "faces" in step
    after, outcome = _add_step_or_report_problems(request, session, step, takes_faces=not has_faces)
    if outcome is not StepOutcome.TAKEN:
        is_dropped = has_faces or outcome is StepOutcome.ILLEGAL
        return replace(after, undone_steps=rest) if is_dropped else after
    after = after if has_faces else after.with_fields({"faces": ""})
    same_press = _parse_same_press_step_numbers(after)
    while rest and (
        len(after.fight.steps) + 1 in same_press or ("faces" in rest[0] and is_only_follow_up(after.fight, rest[0]))
    ):
        message = after.message
        after, outcome = _add_step_or_report_problems(request, after, rest[0], takes_faces=False)
        if outcome is not StepOutcome.TAKEN:
            break
        after, rest = replace(after, message=f"{message} {after.message}"), rest[1:]
    return replace(after, undone_steps=rest)


def _change_roll_and_replay(request: FightRequest, session: FightSession) -> FightSession:
    """Change the dice of an earlier step, and play the later steps again.

    The steps that no longer fit are named. The previous version is saved as a branch.
    """
    number = parse_number_or_text(request.command.argument or session.fields[CHANGED_STEP])
    try:
        faces = parse_faces(session.fields[CHANGED_FACES].strip())
        fight, dropped_results = change_roll(session.fight, number, faces, request.roller)
    except ScratchError as error:
        problems = [each.with_location(CHANGED_FACES, place=each.where) for each in error.problems]
        return replace(session.with_problems(problems), focus="roll")
    after = replace(session, fight=fight, message=fight.narration)
    after = after.with_fields({CHANGED_STEP: "", CHANGED_FACES: "", SAME_PRESS: "", "picked": ""})
    if fight.steps == session.fight.steps:
        return after
    if dropped_results:
        named = join_words([f"“{truncate_line(each.narration, MAX_DROPPED_LENGTH)}”" for each in dropped_results[:2]])
        more = f" and {len(dropped_results) - 2} more" if len(dropped_results) > 2 else ""
        facts = {"steps": f"{named}{more}", "count": len(dropped_results)}
        advice = Problem("roll.dropped", "steps that fit", named, "log", severity="advice", facts=facts)
        after = after.with_problems([*after.problems, advice])
    return replace(_update_undone_steps_and_branches(session, after), has_changed_roll=True)


def _find_step_to_redo(session: FightSession) -> tuple[Step, tuple[Step, ...]]:
    """Find the step that is redone first, and the undone steps after it.

    The step that leaves cover to interrupt is taken with the interrupt. The end of the interrupts is a step that the
    file doesn't have.
    """
    fight, undone = session.fight, session.undone_steps
    step, *rest = undone[1:] if is_leave_cover_then_interrupt(undone) else undone
    interrupts = fight.system.interrupts
    if interrupts and fight.state.has_pending_action and step.get("do") not in ANSWER_ACTIONS:
        return {"actor": fight.state.pending_action.who, "do": interrupts.resolving_action}, undone
    return step, tuple(rest)


def _parse_replacement(session: FightSession) -> tuple[str, int]:
    """Parse the command that restores a replaced version, and the number of its undone steps.

    Returns "" and 0 if the last press replaced no version.
    """
    command, _, count = session.fields[branches.REPLACEMENT_CONTROL].partition(" ")
    is_valid = command in (branches.UNDO, branches.REDO) and re.fullmatch("[0-9]{1,5}", count)
    return (command, int(count)) if is_valid else ("", 0)


def _set_replacement(before: FightSession, after: FightSession, command: str) -> FightSession:
    """Return the session after a press with the command that restores the version before."""
    text = f"{command} {len(before.undone_steps)}" if command else ""
    return after.with_fields({branches.REPLACEMENT_CONTROL: text})


def _undo_or_redo_replacement(
    request: FightRequest, session: FightSession, command: str, undone_count: int
) -> FightSession | SetupSession:
    """Restore the version that the last press, or undo, has replaced.

    `command` is `UNDO` or `REDO`; `undone_count` is the number of steps that were undone in that version. Without a
    saved version the command is an ordinary undo or redo.
    """
    after = _restore_version(session, "0")
    if after.fields[branches.CONTROL] == session.fields[branches.CONTROL]:
        return COMMANDS[command](request, _set_replacement(session, session, ""))
    fight, undone = after.fight, list[Step]()
    try:
        while len(undone) < undone_count and len(fight.steps) > fight.fixed_step_count:
            fight, step = undo_last_step(fight, request.roller)
            undone.insert(0, step)
    except ScratchError:
        fight, undone = after.fight, []  # a tie would need dice: the steps stay played
    is_undo = command == branches.UNDO
    is_version_saved = bool(after.fields[branches.CONTROL])
    opposite = branches.REDO if is_undo else branches.UNDO
    after = _set_replacement(session, after, opposite if is_version_saved else "")
    after = replace(after.with_fields({branches.DISMISSED_CONTROL: "on"}), fight=fight, undone_steps=tuple(undone))
    return replace(after, message="The previous version is restored." if is_undo else "Redone.")


def _restore_branch(request: FightRequest, session: FightSession) -> FightSession:
    """Restore a saved version, and save the present one."""
    return _restore_version(session, request.command.argument)


def _restore_version(session: FightSession, number: str) -> FightSession:
    """Restore a saved version by its place, from 0, and save the present one."""
    control_text = session.fields[branches.CONTROL]
    present_text = format_with_undone_steps(session.fight, session.undone_steps)
    other, versions = branches.restore_branch(session.fight, present_text, control_text, number)
    undone = session.undone_steps if versions == control_text else ()
    texts = {branches.CONTROL: versions, branches.DISMISSED_CONTROL: "", SAME_PRESS: ""}
    return replace(session.with_fields(texts), fight=other, undone_steps=undone)


# The commands that take steps


def _take_button_step(request: FightRequest, session: FightSession) -> FightSession:
    """Take the step of a button, with the fields of its action.

    The stroke on the map counts if the button's step can't be read.
    """
    text, fight = str(request.command), session.fight
    step = parse_json_or_none(text)
    if not isinstance(step, dict):
        if text.startswith(gm_panel.COMMAND_PREFIX):
            got = format_input(text)
            return session.with_problems([Problem("button.unknown", "a step of the game master's", got, "act")])
        unread = Problem("button.unread", "an action as JSON", format_input(text), "act")
        return _take_stroke_or_select_space(request, session.with_problems([unread]))
    known = gm_panel.STEP_KEYS if gm_panel.is_gm_step(fight, step) else _list_action_step_keys(fight)
    step |= _parse_missing_target_fields(step, session.fields["aims"])
    known_step = {key: each for key, each in step.items() if key in known and each != ""}
    is_gm_change = gm_panel.is_gm_step(fight, step)  # it leaves the card open, with what is typed there
    typed_steps = [] if is_gm_change else gm_panel.build_open_card_steps(fight, request.query, session.fields)
    steps = [*typed_steps, complete_button_step(fight.system, known_step, session.fields)]
    return _take_all_steps_or_none(request, session, steps, gm_panel.TARGET_CONTROLS if typed_steps else ())


def _parse_missing_target_fields(step: Step, default_targets_by_action_json: str) -> Step:
    """Parse the targets of a step that has none.

    `default_targets_by_action_json` is the control `aims`, which holds them by action.
    """
    targets_by_action = (
        parse_json_or_none(default_targets_by_action_json)
        if default_targets_by_action_json and not set(TARGET_KEYS) & set(step)
        else None
    )
    aim = targets_by_action.get(str(step.get("do"))) if isinstance(targets_by_action, dict) else None
    return {key: aim[key] for key in TARGET_KEYS if key in aim} if isinstance(aim, dict) else {}


def _take_stroke_or_select_space(request: FightRequest, session: FightSession) -> FightSession:
    """Take the step of a stroke on the map.

    A stroke without a step selects a space, or deselects it if pressed again.
    """
    stroke, state = parse_last_stroke(request.stroke), session.fight.state
    if stroke is None or getattr(state, "board", None) is None or state.pending_action is not None:
        return session
    first, space = stroke
    selected = parse_selected_space(session.fields["aim"])
    session = session.with_fields({"aim": "" if space == selected else f"{space[0]},{space[1]}"})
    actors = list_possible_actor_ids(state)
    if not actors or state.phase != "running" or (first is None and space != selected):
        return session
    who = session.fields["who"] if session.fields["who"] in actors else actors[0]
    choice = find_action_taken_by_stroke(state, build_turn_menu(state, who)[0], first, space, selected)
    return session if choice is None else _take_all_steps_or_none(request, session, [json.loads(choice.step)])


def _take_check(request: FightRequest, session: FightSession) -> FightSession:
    """Take a check, which is possible at any time by the basic rules.

    Rules: `roll.d20`, `roll.ability-optional`, `roll.ability-required`.
    """
    fields, fight = session.fields, session.fight
    if CHECK.do not in fight.system.table_event_titles:
        return _take_button_step(request, session)
    try:
        difficulty = parse_difficulty(fields["check_difficulty"], "check_difficulty")
    except ScratchError as error:
        return session.with_problems(each.with_location("check_difficulty") for each in error.problems)
    actor = fields["check_actor"] or fight.state.active or fight.state.fighters[0].id
    step: dict[str, Any] = {"actor": actor, "do": CHECK.do, "difficulty": difficulty}
    if fields["check_ability"]:
        step |= {"ability": fields["check_ability"], "requires": bool(fields["check_requires"])}
    return _take_all_steps_or_none(request, session, [step])


def _take_gm_steps(build_steps: gm_panel.StepBuilder, request: FightRequest, session: FightSession) -> FightSession:
    """Take the steps of the game master's panel."""
    try:
        steps = build_steps(session.fight, request.query, session.fields)
    except ScratchError as error:
        return session.with_problems(error.problems)
    return _take_all_steps_or_none(request, session, steps, gm_panel.CLEARED_CONTROLS)


def _apply_typed_numbers_and_toggle_card(request: FightRequest, session: FightSession) -> FightSession:
    """Open a character's card, or close it.

    Numbers that are typed in the open card are set first. If that isn't possible, the card stays open.
    """
    steps = gm_panel.build_open_card_steps(session.fight, request.query, session.fields)
    after = _take_all_steps_or_none(request, session, steps, gm_panel.CLEARED_CONTROLS)
    if steps and after.fight is session.fight:
        return replace(after, focus="gm")
    return _change_display(DISPLAY_COMMANDS[gm_panel.SELECT_COMMAND], request, after)


# The commands without a step of their own


def _change_display(change: DisplayCommand, request: FightRequest, session: FightSession) -> FightSession:
    """Change what the page shows, and take the stroke on the map."""
    return _take_stroke_or_select_space(request, change(request, session))


def _share(request: FightRequest, session: FightSession) -> FightSession:
    return replace(_take_stroke_or_select_space(request, session), focus=SHARE_COMMAND, is_shared=True)


def _continue_in_new_fight(request: FightRequest, session: FightSession) -> FightSession | SetupSession:
    """Start a new fight with everyone still in this one."""
    session = session.with_fields({SAME_PRESS: "", branches.CONTROL: "", branches.DISMISSED_CONTROL: ""})
    return start_fight(request, session, build_continuation_head(session.fight))


def _handle_request_without_command(request: FightRequest, session: FightSession) -> FightSession:
    """Answer a request without a command.

    It is a stroke on the map, or the Enter key in the field of a roll that is being changed.
    """
    fight, number = session.fight, parse_number_or_text(session.fields[CHANGED_STEP])
    if isinstance(number, int) and 0 < number <= len(fight.steps):
        recorded_text = ", ".join(map(str, fight.steps[number - 1].get("faces", ())))
        if session.fields[CHANGED_FACES].strip() not in ("", recorded_text):
            return _change_roll_and_replay(request, session)
    return _take_stroke_or_select_space(request, session)


def _repeat_fight(request: FightRequest, session: FightSession) -> FightSession | SetupSession:
    """Begin the same fight again, with the same characters and new dice."""
    cleared_controls = (SAME_PRESS, branches.CONTROL, branches.DISMISSED_CONTROL, TURNING_CONTROL, "picked")
    session = replace(session, undone_steps=()).with_fields(dict.fromkeys(cleared_controls, ""))
    return start_fight(request, session, build_repeat_head(session.fight))


COMMANDS: Mapping[str, FightCommand] = {
    **{word: partial(_change_display, change) for word, change in FILE_COMMANDS.items()},
    **{word: partial(_take_gm_steps, build_steps) for word, build_steps in gm_panel.STEP_BUILDERS.items()},
    gm_panel.SELECT_COMMAND: _apply_typed_numbers_and_toggle_card,
    CHECK.do: _take_check,
    "undo": _undo_last_press,
    "redo": _redo_last_undone_press,
    branches.CONTROL: _restore_branch,
    SHARE_COMMAND: _share,
    SETUP_COMMAND: save_fight_and_return_to_setup,
    CONTINUE_COMMAND: _continue_in_new_fight,
    REPEAT_COMMAND: _repeat_fight,
    APPLY_ROLL_COMMAND: _change_roll_and_replay,
    "": _handle_request_without_command,
    **dict.fromkeys((OPEN_COMMAND, RESUME.name, BEGIN.name), _take_stroke_or_select_space),
}
"""The commands of a running fight, by their first word."""
