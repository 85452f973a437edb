"""What is pressed in a fight: a step more, a step less, another story, or something by the game master's hand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scratch_core.calculators.fight import branches, gm_panel, players_screen
from scratch_core.calculators.fight.action_menu import AIMS, able
from scratch_core.calculators.fight.board_menu import turn_of
from scratch_core.calculators.fight.board_view import pressed_step as stroke_step
from scratch_core.calculators.fight.board_view import read_space, read_stroke
from scratch_core.calculators.fight.request import SAME_PRESS, Asked
from scratch_core.calculators.fight.session import (
    STRIKE,
    Fight,
    Step,
    add_step,
    follows_by_itself,
    leaves_to_interrupt,
    out_of_cover,
    take_step_back,
    whole_text,
)
from scratch_core.calculators.fight.variant_menu import ACT_CONTROLS, control_name, pressed_step
from scratch_core.dice import parse_difficulty, parse_faces
from scratch_core.encounter.pending_actions import ANSWER_ACTIONS
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.rulebook.actions import ACTION_SPECS, CHECK
from scratch_core.scenario import MAX_STEPS, StepResult, parse_json
from scratch_core.turn_systems import CHANGE_SURROUNDINGS, JOIN

ATTACKS = 2
"""The attacks of one regular action that goes on with a second. Rule: `act.fighting.double`."""

GO_ON, CARRY, SET_UP = "go-on", "carry", "setup"
"""What is pressed in a fight and changes nothing of it."""

_NO_STEPS = ("", SET_UP, GO_ON, CARRY, "open", "resume", "begin")

Story = tuple[Fight, Sequence[Step]]
"""The fight, and what can be done again, the next step first."""


def done(asked: Asked, fight: Fight, undone: Sequence[Step]) -> Story:
    """The fight after what was pressed, and what can be done again."""
    if asked.word in _TURNING:
        return _TURNING[asked.word](asked, fight, undone)
    if asked.command in (SET_UP, GO_ON):
        asked.fields[SAME_PRESS] = "" if asked.command == GO_ON else asked.fields[SAME_PRESS]
        return fight, undone
    after, own_dice = fight, bool(asked.fields["faces"].strip())
    steps = tuple(_steps(asked, fight))
    for step in steps:
        acted = _acted(asked, after, step)
        if acted is None:
            return fight, undone
        after = acted
    if after is fight:
        return fight, undone
    _note_same_press(asked, fight, after, steps)
    if len(after.steps) > len(fight.steps):
        after = _gone_on(asked, after, own_dice=own_dice)
    if asked.command.startswith(gm_panel.PREFIX):
        asked.fields |= dict.fromkeys(gm_panel.TYPED, "")
    return after, _set_aside(asked, fight, after, undone)


def _same_press(asked: Asked) -> set[int]:
    """Read the numbers of the steps that belong to the press of the step before."""
    return {int(each) for each in asked.fields[SAME_PRESS].split()[:MAX_STEPS] if re.fullmatch("[0-9]{1,5}", each)}


def _note_same_press(asked: Asked, fight: Fight, after: Fight, steps: Sequence[Step]) -> None:
    """Note which of the new steps were taken by one press; forget those of a story that is left."""
    first, last = len(fight.steps) + 1, len(after.steps)
    is_struck = after.steps[: len(fight.steps)] != fight.steps
    known = () if is_struck else sorted(each for each in _same_press(asked) if each < first)
    come = range(first + 1, last + 1) if len(steps) > 1 else ()
    asked.fields[SAME_PRESS] = " ".join(map(str, (*known, *come)))


def undone_steps(asked: Asked, fight: Fight) -> tuple[Step, ...]:
    """The steps taken back, the next one first; what can't be read is left out and pointed at."""
    text = asked.fields["redo"]
    if not text.strip():
        return ()
    items = parse_json(text)
    if not isinstance(items, list) or not all(isinstance(each, dict) for each in items):
        got = format_input(text.strip())
        asked.note(Problem("fight.redo", "a list of steps taken back", got, "redo", None, "advice"), "redo")
        return ()
    kept = {*_step_keys(fight), *gm_panel.STEP_KEYS, "faces", "note", "expect"}
    return tuple({key: each[key] for key in each if key in kept} for each in items[:MAX_STEPS])


def _step_keys(fight: Fight) -> set[str]:
    """The keys that an act's step may have, but for its faces, its note and what is expected."""
    system = fight.system
    return {
        "actor",
        "do",
        *system.shared_keys,
        *(field.key for fields in system.step_fields.values() for field in fields),
    }


def _set_aside(asked: Asked, fight: Fight, after: Fight, undone: Sequence[Step]) -> Sequence[Step]:
    """What can still be done again after something was done; where that is another story, what was is set aside."""
    goes_on = after.steps[: len(fight.steps)] == fight.steps
    count = len(after.steps) - len(fight.steps)
    if goes_on and (not undone or after.steps == (*fight.steps, *undone[:count])):
        return undone[count:]
    stories = players_screen.names_in(asked.fields[branches.CONTROL])
    asked.fields[branches.CONTROL] = branches.write_stories((whole_text(fight, undone), *stories))
    asked.fields[branches.DISMISSED] = ""
    many = "1 undone step is" if len(undone) == 1 else f"{len(undone)} undone steps are"
    asked.say = f"{asked.say} {many if undone else 'The previous version is'} saved."
    return ()


# Forth and back


def _taken_back(asked: Asked, fight: Fight, undone: Sequence[Step]) -> Story:
    """The fight without what the last press did, but never without its beginning.

    That is the last step, with the one before it where the last one followed from that by itself; of a press that
    took several steps it is all of them.
    """
    if len(fight.steps) <= fight.fixed:
        return fight, undone
    try:
        same = _same_press(asked)
        back, step = take_step_back(fight, asked.roller)
        taken, said = [step], fight.records[-1].narration
        while len(back.steps) + 1 in same and len(back.steps) > back.fixed:
            said = f"{back.records[-1].narration} {said}"
            back, step = take_step_back(back, asked.roller)
            taken.insert(0, step)
        follows = follows_by_itself(back, step)
        if follows:
            said = f"{back.records[-1].narration} {said}"
        if follows or leaves_to_interrupt([*back.steps[-1:], step]):
            back, first = take_step_back(back, asked.roller)
            taken.insert(0, first)
    except ScratchError as error:
        asked.refuse(error, "faces")
        return fight, undone
    asked.say = f"Undone: {said}"
    return back, (*taken, *undone)


def _redone(asked: Asked, fight: Fight, undone: Sequence[Step]) -> Story:
    """The fight with what was undone last done again, and what is still undone."""
    if not undone:
        return fight, undone
    step, *rest = undone
    interrupts = fight.system.interrupts
    if leaves_to_interrupt(undone):
        step, *rest = rest
    if interrupts and fight.system.is_waiting(fight.state) and step.get("do") not in ANSWER_ACTIONS:
        settle = {"actor": fight.state.exposure.who, "do": interrupts.resolving_action}  # the file says so by going on
        step, rest = settle, list(undone)
    has_faces = "faces" in step
    after = _stepped(asked, fight, step, takes_faces=not has_faces)
    if isinstance(after, Fight):
        asked.fields["faces"] = asked.fields["faces"] if has_faces else ""
        same = _same_press(asked)
        while rest and (len(after.steps) + 1 in same or ("faces" in rest[0] and follows_by_itself(after, rest[0]))):
            said, more = asked.say, _stepped(asked, after, rest[0], takes_faces=False)
            if not isinstance(more, Fight):
                break
            asked.say = f"{said} {more.say}"
            after, rest = more, rest[1:]
        return after, rest
    return fight, rest if has_faces or after else undone


def _gone_back(asked: Asked, fight: Fight, undone: Sequence[Step]) -> Story:
    """Another story in place of this one, which is set aside for it."""
    carried = asked.fields[branches.CONTROL]
    other, stories = branches.gone_back(fight, whole_text(fight, undone), carried, asked.rest)
    asked.fields |= {branches.CONTROL: stories, branches.DISMISSED: "", SAME_PRESS: ""}
    return other, undone if stories == carried else ()


_TURNING: Mapping[str, Callable[[Asked, Fight, Sequence[Step]], Story]] = {
    "undo": _taken_back,
    "redo": _redone,
    branches.CONTROL: _gone_back,
}
"""What is pressed to go forth and back, by its first word."""


# A step more


def _steps(asked: Asked, fight: Fight) -> Iterable[Step]:
    """The steps that were pressed, drawn or asked for; none when nothing was, or nothing that can be read."""
    if asked.command == CHECK.do and CHECK.do in fight.system.table_event_titles:
        return _check(asked, fight)
    if asked.command.startswith(gm_panel.PREFIX):
        try:
            return gm_panel.steps_of(fight, asked.command, asked)
        except ScratchError as error:
            for problem in error.problems:
                asked.note(problem, problem.where)
            return ()
    return _pressed(asked, fight) or _stroked(asked, fight)


def _pressed(asked: Asked, fight: Fight) -> Sequence[Step]:
    """The step of a button, with the small fields of its act."""
    if asked.command in _NO_STEPS:
        return ()
    step = parse_json(asked.command)
    if not isinstance(step, dict):
        asked.note(Problem("button.unread", "an action as JSON", format_input(asked.command), "act"), "act")
        return ()
    known = gm_panel.STEP_KEYS if gm_panel.is_by_hand(fight, step) else _step_keys(fight)
    step |= _aim_of(step, asked.fields["aims"])
    return [
        pressed_step(
            fight.system, {key: each for key, each in step.items() if key in known and each != ""}, asked.fields
        )
    ]


def _aim_of(step: Step, text: str) -> Step:
    """Whom a step without an aim is aimed at, by the control that says so for each act."""
    found = parse_json(text) if text and not set(AIMS) & set(step) else None
    aim = found.get(str(step.get("do"))) if isinstance(found, dict) else None
    return {key: aim[key] for key in AIMS if key in aim} if isinstance(aim, dict) else {}


def _stroked(asked: Asked, fight: Fight) -> Sequence[Step]:
    """What was drawn on the board: a step, or a space to ask about, pressed again to let go of it."""
    stroke, state = read_stroke(asked.stroke), fight.state
    if stroke is None or getattr(state, "board", None) is None or state.exposure is not None:
        return ()
    first, space = stroke
    before = read_space(asked.fields["aim"])
    asked.fields["aim"] = "" if space == before else f"{space[0]},{space[1]}"
    there = able(state)
    if not there or state.phase != "running" or (first is None and space != before):
        return ()
    who = asked.fields["who"] if asked.fields["who"] in there else there[0]
    offer = stroke_step(state, turn_of(state, who)[0], first, space, before)
    return [] if offer is None else [json.loads(offer.step)]


def _check(asked: Asked, fight: Fight) -> Sequence[Step]:
    """A bare roll, at any time. Rules: `roll.d20`, `roll.ability-optional`, `roll.ability-required`."""
    fields = asked.fields
    try:
        difficulty = parse_difficulty(fields["check_difficulty"], "check_difficulty")
    except ScratchError as error:
        asked.refuse(error, "check_difficulty")
        return ()
    actor = fields["check_actor"] or fight.state.active or fight.state.fighters[0].id
    step: dict[str, Any] = {"actor": actor, "do": CHECK.do, "difficulty": difficulty}
    if fields["check_ability"]:
        step |= {"ability": fields["check_ability"], "requires": bool(fields["check_requires"])}
    return [step]


def _acted(asked: Asked, fight: Fight, step: Step) -> Fight | None:
    """The fight after a step; None, with its problems noted, when it can't be done."""
    note = asked.fields["note"].strip()
    is_by_hand = gm_panel.is_by_hand(fight, step)
    noted = {**step, "note": note} if note else step
    after = _stepped(asked, fight, noted, takes_faces=not is_by_hand or step["do"] == JOIN)
    if not isinstance(after, Fight):
        return None
    if is_by_hand and step["do"] == JOIN and asked.fields[gm_panel.UNSEEN]:
        players_screen.hide(asked.fields, str(step["character"]["id"]))
    carries_note = step["do"] != STRIKE
    asked.fields |= dict.fromkeys(("faces", "picked", "aimed", "who", "aim", *ACT_CONTROLS), "")
    if asked.spare_faces and _is_second_attack_due(after):
        asked.fields["faces"] = ", ".join(map(str, asked.spare_faces))
    asked.fields["note"] = "" if carries_note else asked.fields["note"]
    if is_by_hand and after.state.phase == "running":  # one change by hand is seldom alone
        asked.eye = CHANGE_SURROUNDINGS if step["do"] == CHANGE_SURROUNDINGS else "hand"
    return after


def _is_second_attack_due(fight: Fight) -> bool:
    """Whether a second attack is open, and an enemy is left for it. Rule: `act.fighting.double`."""
    return bool(fight.system.roll_keys and fight.state.ledger.opened and not fight.state.winner)


def _gone_on(asked: Asked, fight: Fight, *, own_dice: bool) -> Fight:
    """The fight with what goes on by itself after the last step, a step of its own. Rule: `act.fighting.double`.

    With one's own dice it goes on where there is one for it.
    """
    act, said = fight.system.find_follow_up(fight.state), asked.say
    if act is None or (own_dice and not asked.fields["faces"]):
        return fight
    after = _stepped(asked, fight, act.to_step(), takes_faces=own_dice)
    if not isinstance(after, Fight):
        return fight
    asked.say = f"{said} {after.say}"
    asked.fields["faces"] = ""
    return after


def _split_faces(step: Step, faces: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The dice of a step, and the one typed with them for the second attack that it opens.

    Rules: `act.fighting.double`, `roll.die-substitute`.
    """
    card = ACTION_SPECS.get(str(step.get("do")))
    is_pair = card is not None and card.follow_up and isinstance(step.get("target"), str) and len(faces) == ATTACKS
    return (faces[:1], faces[1:]) if is_pair else (faces, ())


def _stepped(asked: Asked, fight: Fight, step: Step, *, takes_faces: bool) -> Fight | StepResult | None:
    """The fight with one step more; where it can't be, its problems are noted: a record where rules forbid it."""
    typed = asked.fields["faces"].strip()
    try:
        faces = parse_faces(typed) if typed and takes_faces else None
        if faces is not None:
            faces, asked.spare_faces = _split_faces(step, tuple(faces))
        after = add_step(out_of_cover(fight, step), step, asked.roller, faces)
    except ScratchError as error:
        for problem in error.problems:
            asked.note(problem, _control_of(problem, step))
        return None
    if isinstance(after, Fight):
        asked.say = after.say
        return after
    for problem in after.problems:
        asked.note(problem, "act")
    return after


def _control_of(problem: Problem, step: Step) -> str:
    """The control that a problem of a step belongs to: a small field of its act, where it has one for that."""
    if problem.code.startswith("dice.") or problem.code in ("fight.dice", "fight.faces", "fight.faces.none"):
        return "faces"
    key = problem.where.rpartition(".")[2]
    control = control_name(str(step.get("do", "")), key)
    if control in ACT_CONTROLS:
        return control
    if f"hand_{key}" in gm_panel.OF_SOMEBODY and "actor" not in step and step.get("do") != JOIN:
        return f"hand_{key}"
    return key if key in ("note", "log") else "act"
