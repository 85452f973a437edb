"""The commands of a fight: taking steps, undo and redo, saved versions, and changes by the game master."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scratch_core.calculators.fight import branches, gm_panel, players_screen
from scratch_core.calculators.fight.action_menu import TARGET_KEYS, list_possible_actors
from scratch_core.calculators.fight.board_menu import build_turn_menu
from scratch_core.calculators.fight.board_view import find_stroke_choice, parse_selected_space, parse_stroke
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
from scratch_core.calculators.fight.variant_menu import ACTION_CONTROLS, format_control_name, parse_button_step
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


def execute_command(asked: FightForm, fight: Fight, undone: Sequence[Step]) -> CommandResult:
    """Execute the command of the form.

    Returns the fight after it, and the steps that can be redone. Problems are reported in the form, and leave the fight
    unchanged.
    """
    if asked.command_name in _HISTORY_COMMANDS:
        return _HISTORY_COMMANDS[asked.command_name](asked, fight, undone)
    if asked.command in (SETUP_COMMAND, CONTINUE_COMMAND):
        asked.fields[SAME_PRESS] = "" if asked.command == CONTINUE_COMMAND else asked.fields[SAME_PRESS]
        return fight, undone
    after, own_dice = fight, bool(asked.fields["faces"].strip())
    steps = tuple(_list_command_steps(asked, fight))
    for step in steps:
        acted = _execute_step(asked, after, step)
        if acted is None:
            return fight, undone
        after = acted
    if after is fight:
        return fight, undone
    _store_same_press(asked, fight, after, steps)
    if len(after.steps) > len(fight.steps):
        after = _apply_follow_up(asked, after, own_dice=own_dice)
    if asked.command.startswith(gm_panel.COMMAND_PREFIX):
        asked.fields |= dict.fromkeys(gm_panel.CLEARED_CONTROLS, "")
    return after, _update_undone_steps(asked, fight, after, undone)


def _parse_same_press(asked: FightForm) -> set[int]:
    """Parse the numbers of the steps taken by the press of the step before."""
    return {int(each) for each in asked.fields[SAME_PRESS].split()[:MAX_STEPS] if re.fullmatch("[0-9]{1,5}", each)}


def _store_same_press(asked: FightForm, fight: Fight, after: Fight, steps: Sequence[Step]) -> None:
    """Store which of the new steps were taken by one press.

    The numbers of steps that are no longer in the fight are removed.
    """
    first, last = len(fight.steps) + 1, len(after.steps)
    is_struck = after.steps[: len(fight.steps)] != fight.steps
    known = () if is_struck else sorted(each for each in _parse_same_press(asked) if each < first)
    come = range(first + 1, last + 1) if len(steps) > 1 else ()
    asked.fields[SAME_PRESS] = " ".join(map(str, (*known, *come)))


def parse_undone_steps(asked: FightForm, fight: Fight) -> tuple[Step, ...]:
    """Parse the steps that were undone, the next one first.

    Keys that no step has are left out. Returns () and reports advice for a text that is no list of steps.
    """
    text = asked.fields["redo"]
    if not text.strip():
        return ()
    items = parse_json(text)
    if not isinstance(items, list) or not all(isinstance(each, dict) for each in items):
        got = format_input(text.strip())
        asked.problems.report("fight.redo", "a list of steps taken back", got, "redo", severity="advice")
        return ()
    kept = {*_list_step_keys(fight), *gm_panel.STEP_KEYS, "faces", "note", "expect"}
    return tuple({key: each[key] for key in each if key in kept} for each in items[:MAX_STEPS])


def _list_step_keys(fight: Fight) -> set[str]:
    """List the keys that the step of an action may have."""
    system = fight.system
    return {
        "actor",
        "do",
        *system.shared_keys,
        *(field.key for fields in system.step_fields.values() for field in fields),
    }


def _update_undone_steps(asked: FightForm, fight: Fight, after: Fight, undone: Sequence[Step]) -> Sequence[Step]:
    """Return the undone steps that remain after new steps.

    If the new steps differ from the undone ones, the version before them is saved as a branch.
    """
    goes_on = after.steps[: len(fight.steps)] == fight.steps
    count = len(after.steps) - len(fight.steps)
    if goes_on and (not undone or after.steps == (*fight.steps, *undone[:count])):
        return undone[count:]
    stories = players_screen.parse_names(asked.fields[branches.CONTROL])
    asked.fields[branches.CONTROL] = branches.format_branches((format_with_undone_steps(fight, undone), *stories))
    asked.fields[branches.DISMISSED_CONTROL] = ""
    many = "1 undone step is" if len(undone) == 1 else f"{len(undone)} undone steps are"
    asked.announcement = f"{asked.announcement} {many if undone else 'The previous version is'} saved."
    return ()


# Undo, redo and saved versions


def _undo(asked: FightForm, fight: Fight, undone: Sequence[Step]) -> CommandResult:
    """Undo the steps of the last press, but none of the fight's beginning.

    They are the last step and, if it followed from the step before by itself, the step before, too; or all steps that
    the press took.
    """
    if len(fight.steps) <= fight.fixed_step_count:
        return fight, undone
    try:
        same = _parse_same_press(asked)
        back, step = undo_last_step(fight, asked.roller)
        taken, said = [step], fight.results[-1].narration
        while len(back.steps) + 1 in same and len(back.steps) > back.fixed_step_count:
            said = f"{back.results[-1].narration} {said}"
            back, step = undo_last_step(back, asked.roller)
            taken.insert(0, step)
        follows = is_follow_up(back, step)
        if follows:
            said = f"{back.results[-1].narration} {said}"
        if follows or is_cover_interrupt([*back.steps[-1:], step]):
            back, first = undo_last_step(back, asked.roller)
            taken.insert(0, first)
    except ScratchError as error:
        asked.problems.extend_at("faces", error.problems)
        return fight, undone
    asked.announcement = f"Undone: {said}"
    return back, (*taken, *undone)


def _redo(asked: FightForm, fight: Fight, undone: Sequence[Step]) -> CommandResult:
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
    after = _try_add_step(asked, fight, step, takes_faces=not has_faces)
    if isinstance(after, Fight):
        asked.fields["faces"] = asked.fields["faces"] if has_faces else ""
        same = _parse_same_press(asked)
        while rest and (len(after.steps) + 1 in same or ("faces" in rest[0] and is_follow_up(after, rest[0]))):
            said, more = asked.announcement, _try_add_step(asked, after, rest[0], takes_faces=False)
            if not isinstance(more, Fight):
                break
            asked.announcement = f"{said} {more.narration}"
            after, rest = more, rest[1:]
        return after, rest
    return fight, rest if has_faces or after else undone


def _restore_branch(asked: FightForm, fight: Fight, undone: Sequence[Step]) -> CommandResult:
    """Restore a saved version, and save the present one."""
    carried = asked.fields[branches.CONTROL]
    other, stories = branches.restore_branch(
        fight, format_with_undone_steps(fight, undone), carried, asked.command_argument
    )
    asked.fields |= {branches.CONTROL: stories, branches.DISMISSED_CONTROL: "", SAME_PRESS: ""}
    return other, undone if stories == carried else ()


_HISTORY_COMMANDS: Mapping[str, Callable[[FightForm, Fight, Sequence[Step]], CommandResult]] = {
    "undo": _undo,
    "redo": _redo,
    branches.CONTROL: _restore_branch,
}
"""The commands for undo, redo and saved versions, by their first word."""


# New steps


def _list_command_steps(asked: FightForm, fight: Fight) -> Iterable[Step]:
    """List the steps of a button, a stroke on the map or a form.

    Returns an empty sequence if there is none, or if it can't be read, which is reported.
    """
    if asked.command == CHECK.do and CHECK.do in fight.system.table_event_titles:
        return _list_check_steps(asked, fight)
    if asked.command.startswith(gm_panel.COMMAND_PREFIX):
        try:
            return gm_panel.build_gm_steps(fight, asked.command, asked)
        except ScratchError as error:
            asked.problems += error.problems
            return ()
    return _list_button_steps(asked, fight) or _list_stroke_steps(asked, fight)


def _list_button_steps(asked: FightForm, fight: Fight) -> Sequence[Step]:
    """List the step of a button, with the fields of its action."""
    if asked.command in _COMMANDS_WITHOUT_STEP:
        return ()
    step = parse_json(asked.command)
    if not isinstance(step, dict):
        asked.problems.report_value("button.unread", "an action as JSON", asked.command, "act")
        return ()
    known = gm_panel.STEP_KEYS if gm_panel.is_gm_step(fight, step) else _list_step_keys(fight)
    step |= _parse_step_targets(step, asked.fields["aims"])
    return [
        parse_button_step(
            fight.system, {key: each for key, each in step.items() if key in known and each != ""}, asked.fields
        )
    ]


def _parse_step_targets(step: Step, text: str) -> Step:
    """Parse the targets of a step that has none.

    `text` is the control `aims`, which holds them by action.
    """
    found = parse_json(text) if text and not set(TARGET_KEYS) & set(step) else None
    aim = found.get(str(step.get("do"))) if isinstance(found, dict) else None
    return {key: aim[key] for key in TARGET_KEYS if key in aim} if isinstance(aim, dict) else {}


def _list_stroke_steps(asked: FightForm, fight: Fight) -> Sequence[Step]:
    """List the step of a stroke on the map.

    A stroke without a step selects a space, or deselects it if pressed again.
    """
    stroke, state = parse_stroke(asked.stroke), fight.state
    if stroke is None or getattr(state, "board", None) is None or state.exposure is not None:
        return ()
    first, space = stroke
    before = parse_selected_space(asked.fields["aim"])
    asked.fields["aim"] = "" if space == before else f"{space[0]},{space[1]}"
    there = list_possible_actors(state)
    if not there or state.phase != "running" or (first is None and space != before):
        return ()
    who = asked.fields["who"] if asked.fields["who"] in there else there[0]
    offer = find_stroke_choice(state, build_turn_menu(state, who)[0], first, space, before)
    return [] if offer is None else [json.loads(offer.step)]


def _list_check_steps(asked: FightForm, fight: Fight) -> Sequence[Step]:
    """List the step of a check, which is possible at any time.

    Rules: `roll.d20`, `roll.ability-optional`, `roll.ability-required`.
    """
    fields = asked.fields
    try:
        difficulty = parse_difficulty(fields["check_difficulty"], "check_difficulty")
    except ScratchError as error:
        asked.problems.extend_at("check_difficulty", error.problems)
        return ()
    actor = fields["check_actor"] or fight.state.active or fight.state.fighters[0].id
    step: dict[str, Any] = {"actor": actor, "do": CHECK.do, "difficulty": difficulty}
    if fields["check_ability"]:
        step |= {"ability": fields["check_ability"], "requires": bool(fields["check_requires"])}
    return [step]


def _execute_step(asked: FightForm, fight: Fight, step: Step) -> Fight | None:
    """Return the fight after a step.

    Returns None if the step isn't possible; its problems are reported in the form.
    """
    note = asked.fields["note"].strip()
    if len(note) > MAX_TEXT_LENGTH:
        expected, got = f"a note of {MAX_TEXT_LENGTH:,} characters at most", f"{len(note):,}"
        asked.problems.report("fight.note", expected, got, "note", most=MAX_TEXT_LENGTH)
        return None
    is_by_hand = gm_panel.is_gm_step(fight, step)
    noted = {**step, "note": note} if note else step
    after = _try_add_step(asked, fight, noted, takes_faces=not is_by_hand or step["do"] == JOIN)
    if not isinstance(after, Fight):
        return None
    if is_by_hand and step["do"] == JOIN and asked.fields[gm_panel.HIDDEN_NEWCOMER]:
        players_screen.hide_character(asked.fields, str(step["character"]["id"]))
    carries_note = step["do"] != DELETE_STEP
    asked.fields |= dict.fromkeys(("faces", "picked", "aimed", "who", "aim", *ACTION_CONTROLS), "")
    if asked.spare_faces and _is_second_attack_due(after):
        asked.fields["faces"] = ", ".join(map(str, asked.spare_faces))
    asked.fields["note"] = "" if carries_note else asked.fields["note"]
    if is_by_hand and after.state.phase == "running":  # the game master often makes several changes
        asked.focus = CHANGE_SURROUNDINGS if step["do"] == CHANGE_SURROUNDINGS else "hand"
    if not is_by_hand:  # an open card would push the next actions out of view
        asked.fields[gm_panel.TARGET] = ""
    return after


def _is_second_attack_due(fight: Fight) -> bool:
    """Return whether a second attack is open and an enemy is left for it.

    Rule: `act.fighting.double`.
    """
    return bool(fight.system.roll_keys and fight.state.ledger.opened and not fight.state.winner)


def _apply_follow_up(asked: FightForm, fight: Fight, *, own_dice: bool) -> Fight:
    """Return the fight after the step that follows from the last one by itself.

    If the players roll their own dice, it is taken only with a die for it. Rule: `act.fighting.double`.
    """
    act, said = fight.system.find_only_follow_up(fight.state), asked.announcement
    if act is None or (own_dice and not asked.fields["faces"]):
        return fight
    after = _try_add_step(asked, fight, act.to_step(), takes_faces=own_dice)
    if not isinstance(after, Fight):
        return fight
    asked.announcement = f"{said} {after.narration}"
    asked.fields["faces"] = ""
    return after


def _split_faces(step: Step, faces: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Split the faces of a step from the face of a second attack.

    A double attack against one target, typed with two faces, opens the second attack.
    Rules: `act.fighting.double`, `roll.die-substitute`.
    """
    card = ACTION_SPECS.get(str(step.get("do")))
    is_pair = (
        card is not None
        and card.follow_up
        and isinstance(step.get("target"), str)
        and len(faces) == ATTACKS_PER_DOUBLE_ATTACK
    )
    return (faces[:1], faces[1:]) if is_pair else (faces, ())


def _try_add_step(asked: FightForm, fight: Fight, step: Step, *, takes_faces: bool) -> Fight | StepResult | None:
    """Return the fight with one more step.

    Returns the result of a step that breaks a rule, and None for one that is invalid. The problems of both are reported
    in the form.
    """
    typed = asked.fields["faces"].strip()
    try:
        faces = parse_faces(typed) if typed and takes_faces else None
        if faces is not None:
            faces, asked.spare_faces = _split_faces(step, tuple(faces))
        after = add_step(add_leave_cover_step(fight, step), step, asked.roller, faces)
    except ScratchError as error:
        asked.problems += (each.move_to(_choose_control(each, step), place=each.where) for each in error.problems)
        return None
    if isinstance(after, Fight):
        asked.announcement = after.narration
        return after
    asked.problems.extend_at("act", after.problems, keeps_place=True)
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
