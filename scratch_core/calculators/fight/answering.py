"""One query of the fight answered, whatever the order of turns: a set-up, or a fight with what was pressed done in it.

What differs is how those who fight are typed and how their acts are shown: `sheets` has that of the basic rules,
`orders` that of the others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scratch_core.basic.waiting import ANSWERS
from scratch_core.calculators import packing
from scratch_core.calculators.fight import aside, by_hand, screen
from scratch_core.calculators.fight.going_on import GO_ON, head_of, steps_left
from scratch_core.calculators.fight.head import Chip
from scratch_core.calculators.fight.table import (
    Fight,
    Step,
    add_step,
    begin_fight,
    leaves_to_interrupt,
    open_fight,
    out_of_cover,
    take_step_back,
    whole_text,
)
from scratch_core.calculators.fight.view import CONTROLS, QUERY_LIMIT, View
from scratch_core.calculators.form import few
from scratch_core.calculators.query import Query, query_string
from scratch_core.calculators.words import one_line
from scratch_core.dice import Roller
from scratch_core.dice.entries import read_typed_faces
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.scenario import Record
from scratch_core.scenario.noting import STEPS_LIMIT
from scratch_core.scenario.text import read_json, write_json
from scratch_core.turns.hand import JOIN

MOST_PROBLEMS = 12
"""As many problems as a page shows; the rest are counted."""

WORDS_LIMIT = 180
SUMMARY_LIMIT = 380
CARRY = "carry"
ODDS = "odds"
"""What asks for the chances, `odds on`, and for none; the control that remembers it has the same name."""
_NO_STEPS = ("", "setup", "open", "resume", "begin", CARRY)
"""What may be pressed and is no act."""


class Answering(ABC):
    """One query while it is answered. `no_dice` is what an opened file lacks, and the sentence that says so.

    `is_whole`: all of the log was asked for; `eye` is where the reader looks.
    `packed` is a link's packed text that could not be unpacked.
    """

    no_dice: tuple[str, str]

    def __init__(self, query: Query, roller: Roller | None) -> None:
        self.roller = roller
        self.is_cut = query.cut
        self.fields = {name: query.text(name) for name in CONTROLS}
        self.command = query.text("act").strip()
        self.is_whole = bool(query.text("whole"))
        self.packed = query.text(packing.NAME)
        self.eye = "log" if self.is_whole else ""
        self.looked()
        self.problems: list[Problem] = []
        self.say = ""
        if self.fields["log"] in ("begin", "resume"):  # the buttons that put a new fight in place of what was typed
            self.command, self.fields["log"] = self.fields["log"], ""

    def looked(self) -> None:
        """Take up a press that changes nothing in the fight, but where the reader looks and what others are shown."""
        self.fields[ODDS] = self.fields[ODDS] if self.fields[ODDS] == "on" else ""
        word, _, rest = self.command.partition(" ")
        if word == by_hand.LOOK:
            self.fields |= {**dict.fromkeys(by_hand.OF_SOMEBODY, ""), by_hand.WHO: rest}
            self.command, self.eye = "", "hand"
        elif word == screen.ON:
            self.fields |= screen.settings(rest)
            self.command, self.eye = "", "screen"
        elif word == ODDS:
            self.fields[ODDS] = "on" if rest == "on" else ""
            self.command, self.eye = "", ODDS

    def view(self) -> View:
        """Answer the query."""
        if self.packed:
            self.note(Problem("query.packed", "a whole link", "one that was cut off or changed", "log"), "log")
            self.fields["log"] = self.packed
            return self.set_up(is_refused=True)
        if self.is_cut:
            self.note(Problem("query.cut", f"{QUERY_LIMIT:,} characters at most in all", "more", "log"), "log")
            return self.set_up(is_refused=True)
        if self.command == "resume" and not self.fields["log"].strip():
            self.fields |= {"log": self.fields["before"], "before": ""}
        if self.fields["log"].strip():
            return self.opened()
        if self.command == "begin":
            view = self.begun()
            return replace(view, is_turned_back=view.phase == "setup")
        return self.set_up()

    # What each kind of set-up brings

    @property
    @abstractmethod
    def step_keys(self) -> tuple[str, ...]:
        """The keys that a step may have, but for its faces, its note and what is expected."""

    @abstractmethod
    def set_up(self, *, is_refused: bool = False) -> View:
        """The view of a fight that has not begun."""

    @abstractmethod
    def begun(self) -> View:
        """The view of the fight that begins now, or of the set-up where it can't."""

    @abstractmethod
    def joining(self, fight: Fight) -> list[dict[str, Any]]:
        """The steps by which those join a fight who are asked for; raises `ScratchError`, its `where` a control."""

    @abstractmethod
    def cleared(self) -> None:
        """Clear what is typed for one act alone."""

    @abstractmethod
    def set_up_again(self, fight: Fight) -> View:
        """The set-up of a fight's characters, with the fight put by."""

    @abstractmethod
    def shown(self, fight: Fight, undone: int) -> View:
        """The fight as it stands, with so many steps that can be done again."""

    # Problems

    def note(self, problem: Problem, control: str, place: str = "") -> None:
        """Keep a problem at a control, in words that fit a line."""
        got = f"{problem.got} in {place}" if place else problem.got
        self.problems.append(
            replace(
                problem, where=control, expected=one_line(problem.expected, WORDS_LIMIT), got=one_line(got, WORDS_LIMIT)
            )
        )

    def refuse(self, error: ScratchError, control: str, *, with_place: bool = True) -> None:
        """Keep the problems of an error at a control."""
        for problem in error.problems:
            self.note(problem, control, problem.where if with_place else "")

    def few_problems(self) -> tuple[Problem, ...]:
        """The first problems, and how many more there are."""
        return few(self.problems, MOST_PROBLEMS, "fight.more")

    # A fight

    def first_shown(self, head: Mapping[str, Any], steps: Sequence[Step] = ()) -> View:
        """The fight of that head as it begins, or the set-up with what keeps it from beginning."""
        try:
            fight = begin_fight(head, self.roller, steps)
        except ScratchError as error:
            view = self.set_up()
            self.refuse(error, "initiative", with_place=False)
            return replace(view, problems=self.few_problems())
        self.say = fight.opening
        return self.fought(fight, ())

    def opened(self) -> View:
        """The view of a fight with what was pressed done in it."""
        try:
            fight, waiting = open_fight(self.fields["log"], self.roller)
        except ScratchError as error:
            if error.code == "fight.dice":
                expected, said = self.no_dice
                self.note(Problem("fight.dice", expected, "none", "log"), "log")
                return self.answer("dice", {"log": self.fields["log"]}, said)
            self.refuse(error, "log")
            return self.set_up(is_refused=True)
        undone = waiting or self.undone()
        if waiting:
            self.say = f"{len(waiting)} steps of the file have no faces yet; redo rolls them one by one."
        return self.fought(*self.done(fight, undone))

    def fought(self, fight: Fight, undone: Sequence[Step]) -> View:
        """The fight as it stands; or, asked for a new set-up, that of its characters, with the fight put by."""
        if self.command == "setup":
            return self.set_up_again(fight)
        if self.command == GO_ON:
            self.command = self.fields[aside.CONTROL] = ""
            return self.first_shown(head_of(fight))
        self.fields |= {"log": fight.text, "redo": write_json(list(undone)) if undone else ""}
        for advice in () if fight.steps else fight.scenario.advice:  # said once, before the first step
            self.note(advice, "log")
        return self.shown(fight, len(undone))

    def undone(self) -> tuple[Step, ...]:
        """The steps taken back, the next one first; what can't be read is left out and pointed at."""
        text = self.fields["redo"]
        if not text.strip():
            return ()
        items = read_json(text)
        if not isinstance(items, list) or not all(isinstance(each, dict) for each in items):
            got = shown(text.strip())
            self.note(Problem("fight.redo", "a list of steps taken back", got, "redo", None, "advice"), "redo")
            return ()
        kept = (*self.step_keys, *by_hand.STEP_KEYS, "faces", "note", "expect")
        return tuple({key: each[key] for key in each if key in kept} for each in items[:STEPS_LIMIT])

    def done(self, fight: Fight, undone: Sequence[Step]) -> tuple[Fight, Sequence[Step]]:
        """The fight after what was pressed, and what can be done again."""
        if self.command in ("setup", GO_ON):
            return fight, undone
        if self.command == "undo":
            return self.taken_back(fight, undone)
        if self.command == "redo":
            return self.redone(fight, undone)
        word, _, number = self.command.partition(" ")
        if word == aside.CONTROL:
            carried = self.fields[aside.CONTROL]
            fight, self.fields[aside.CONTROL] = aside.gone_back(fight, whole_text(fight, undone), carried, number)
            return fight, undone if self.fields[aside.CONTROL] == carried else ()
        if self.command.startswith(by_hand.PREFIX):
            after = self.by_hand(fight)
        else:
            pressed = self.pressed(fight)
            after = None if pressed is None else self.acted(fight, pressed)
        return (fight, undone) if after is None else (after, self.set_aside(fight, after, undone))

    def set_aside(self, fight: Fight, after: Fight, undone: Sequence[Step]) -> Sequence[Step]:
        """What can still be done again after something was done; where that is another story, what was is set aside."""
        goes_on = after.steps[: len(fight.steps)] == fight.steps
        if goes_on and (not undone or after.steps == (*fight.steps, undone[0])):
            return undone[1:]
        stories = aside.read_stories(self.fields[aside.CONTROL])
        self.fields[aside.CONTROL] = aside.write_stories((whole_text(fight, undone), *stories))
        many = "The step that you had undone is" if len(undone) == 1 else f"The {len(undone)} steps undone before are"
        many = many if undone else "What was is"
        self.say = f"{self.say} {many} set aside."
        return ()

    def taken_back(self, fight: Fight, undone: Sequence[Step]) -> tuple[Fight, Sequence[Step]]:
        """The fight without its last step, but never without its beginning."""
        if len(fight.steps) <= fight.fixed:
            return fight, undone
        back, step = take_step_back(fight)
        undone = (step, *undone)
        if leaves_to_interrupt([*back.steps[-1:], step]):
            back, first = take_step_back(back)
            undone = (first, *undone)
        self.say = f"Taken back: {fight.records[-1].say}"
        return back, undone

    def redone(self, fight: Fight, undone: Sequence[Step]) -> tuple[Fight, Sequence[Step]]:
        """The fight with what was undone last done again, and what is still undone."""
        if not undone:
            return fight, undone
        step, *rest = undone
        interrupts = fight.system.interrupts
        if leaves_to_interrupt(undone):
            step, *rest = rest
        if interrupts and interrupts.is_waiting(fight.state) and step.get("do") not in ANSWERS:
            settle = {"actor": fight.state.exposure.who, "do": interrupts.settling}  # the file says so by going on
            step, rest = settle, list(undone)
        try:
            ready = out_of_cover(fight, step)
            after = add_step(ready, step, self.roller, self.faces() if "faces" not in step else None)
        except ScratchError as error:
            self.refuse_step(error, step)
            return fight, rest if "faces" in step else undone
        if isinstance(after, Record):
            self.barred(after)
            return fight, rest
        self.say = after.say
        self.fields["faces"] = "" if "faces" not in step else self.fields["faces"]
        return after, rest

    def pressed(self, fight: Fight) -> Step | None:
        """The step that was pressed; None when nothing was, or nothing that can be read."""
        if self.command in _NO_STEPS:
            return None
        step = read_json(self.command)
        if not isinstance(step, dict):
            self.note(Problem("fight.act", "an action as JSON", shown(self.command), "act"), "act")
            return None
        known = by_hand.STEP_KEYS if by_hand.is_by_hand(fight, step) else self.step_keys
        return {key: step[key] for key in step if key in known}

    def by_hand(self, fight: Fight) -> Fight | None:
        """The fight after a press in the game master's block; None, with its problems noted, when it can't be."""
        is_join = self.command == by_hand.PREFIX + JOIN
        try:
            steps = self.joining(fight) if is_join else by_hand.steps_of(fight, self.command, self.fields)
        except ScratchError as error:
            self.note(error.problem, error.problem.where)
            return None
        for step in steps:
            after = self.acted(fight, step)
            if after is None:
                return None
            fight = after
        self.fields |= dict.fromkeys(by_hand.TYPED, "")
        return fight

    def faces(self) -> tuple[int, ...] | None:
        """The faces typed, if there are any."""
        text = self.fields["faces"].strip()
        return read_typed_faces(text) if text else None

    def acted(self, fight: Fight, step: Step) -> Fight | None:
        """The fight after a step; None, with its problems noted, when it can't be done."""
        note = self.fields["note"].strip()
        needs_none = by_hand.is_by_hand(fight, step) and step["do"] != JOIN
        try:
            ready = out_of_cover(fight, step)
            faces = None if needs_none else self.faces()
            after = add_step(ready, {**step, "note": note} if note else step, self.roller, faces)
        except ScratchError as error:
            self.refuse_step(error, step)
            return None
        if isinstance(after, Record):
            self.barred(after)
            return None
        self.cleared()
        self.say = after.say
        if by_hand.is_by_hand(fight, step) and after.state.phase == "running":
            self.eye = "hand"  # one change by hand is seldom alone
        return after

    def refuse_step(self, error: ScratchError, step: Step) -> None:
        """Keep the problems of a step that can't be done, each at the control that it belongs to."""
        for problem in error.problems:
            is_dice = problem.code.startswith("dice.") or problem.code in ("fight.dice", "fight.faces")
            self.note(problem, "faces" if is_dice else self.control_of(problem, step))

    def control_of(self, problem: Problem, step: Step) -> str:
        """The control of a problem of a step."""
        if problem.where.endswith(".note"):
            return "note"
        return "log" if problem.where == "log" else "act"

    def barred(self, record: Record) -> None:
        """Keep the reasons why a step is not allowed."""
        for problem in record.problems:
            self.note(problem, "act")

    # The view

    def aloud(self, then: str) -> str:
        """What is said aloud: what happened, and what comes then; the end is not told twice."""
        is_told = not self.say or self.say.startswith("The encounter is over")
        return one_line(then if is_told else f"{self.say} {then}", SUMMARY_LIMIT)

    def answer(self, phase: str, query: Mapping[str, str], summary: str, **more: Any) -> View:
        """The view of a phase."""
        return View(query_string(query), summary, self.few_problems(), self.fields, phase, **more)

    def handed(self, fight: Fight, chips: Sequence[Chip], moment: tuple[int, str, str]) -> dict[str, Any]:
        """What the view has for a game master: the hand, what a link carries, the players' screen."""
        carried = ""
        if self.command == CARRY:
            self.eye, carried = CARRY, packing.pack({"log": fight.text})
        return {
            "hand": by_hand.hand_of(fight, self.fields),
            "eye": self.eye,
            "carried": carried,
            "left": steps_left(fight),
            "stories": aside.stories_beside(fight, self.fields[aside.CONTROL]),
            "screen": screen.screen_of(fight, self.fields, chips, moment),
        }
