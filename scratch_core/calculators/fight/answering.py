"""One query of the fight answered: a set-up, or a fight with what was pressed done in it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scratch_core.calculators.fight import ground
from scratch_core.calculators.fight.field import pressed_step, read_space, read_stroke
from scratch_core.calculators.fight.ground import Ground
from scratch_core.calculators.fight.offers import candidates, turn_of
from scratch_core.calculators.fight.on_board import turn_on_board
from scratch_core.calculators.fight.setup import read_initiative, read_setup, slug, write_setup
from scratch_core.calculators.fight.showing import Shown, shown_fight
from scratch_core.calculators.fight.table import (
    Fight,
    Step,
    add_step,
    begin_fight,
    open_fight,
    take_step_back,
)
from scratch_core.calculators.fight.view import CONTROLS, ORDER_CONTROLS, QUERY_LIMIT, SETUP_SWITCHES, View
from scratch_core.calculators.query import Query, query_string
from scratch_core.calculators.words import one_line
from scratch_core.catalogue import Rulings, setting_words
from scratch_core.dice import Roller
from scratch_core.dice.entries import read_difficulty, read_faces
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.scenario import FORMAT, Record, Scenario
from scratch_core.scenario.reading import STEPS_LIMIT, read_tree
from scratch_core.scenario.text import read_json, write_json
from scratch_core.scenario.waiting import ANSWERS
from scratch_core.state import Fighter

MOST_PROBLEMS = 12
"""As many problems as a page shows; the rest are counted."""

STEP_KEYS: tuple[str, ...] = (
    "actor",
    "do",
    "with",
    "target",
    "targets",
    "ability",
    "difficulty",
    "requires",
    "add",
    "hurry",
)
STEP_KEYS += ("path", "at", "to", "swap", "when")
KEPT_KEYS = (*STEP_KEYS, "faces", "note", "expect")
WORDS_LIMIT = 180
SUMMARY_LIMIT = 380


class Answering:
    """One query while it is answered."""

    def __init__(self, query: Query, roller: Roller | None) -> None:
        self.roller = roller
        self.is_cut = query.cut
        self.fields = {name: query.text(name) for name in CONTROLS}
        self.command = query.text("act").strip()
        self.problems: list[Problem] = []
        self.say = ""
        self.stroke = query.text("stroke").strip()
        self.ground: Ground | None = None
        if self.fields["log"] in ("begin", "resume"):  # the buttons that put a new fight in place of what was typed
            self.command, self.fields["log"] = self.fields["log"], ""

    def view(self) -> View:
        """Answer the query."""
        if self.is_cut:
            self.note(Problem("query.cut", f"{QUERY_LIMIT:,} characters at most in all", "more", "log"), "log")
            return self.set_up(is_refused=True)
        if self.command == "resume" and not self.fields["log"].strip():
            self.fields |= {"log": self.fields["before"], "before": ""}
        if self.fields["log"].strip():
            return self.opened()
        if self.command == "begin":
            return self.begun()
        return self.set_up()

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
        if len(self.problems) <= MOST_PROBLEMS:
            return tuple(self.problems)
        more = f"{len(self.problems) - MOST_PROBLEMS:,} more problems"
        last = Problem("fight.more", "these to be mended first", more, self.problems[0].where, None, "advice")
        return (*self.problems[:MOST_PROBLEMS], last)

    # Before a fight

    def set_up(self, *, is_refused: bool = False) -> View:
        """The view of a fight that has not begun."""
        fighters: tuple[Fighter, ...] = ()
        if self.fields["sheets"].strip() and not self.is_cut:
            scenario, _ = self.prepared()
            fighters = scenario.fighters if scenario else ()
        query = {
            name: text
            for name, text in self.fields.items()
            if name in ("sheets", "initiative", "before", "log", *(switch.name for switch in SETUP_SWITCHES))
            or name in ORDER_CONTROLS
            or name in ground.CONTROLS
        }
        is_fresh = self.ground is not None and bool(self.stroke) and query["tokens"] != self.ground.tokens
        if is_fresh and self.ground is not None:
            query["tokens"] = self.fields["tokens"] = self.ground.tokens
        words = f"{len(fighters)} fighters are ready." if len(fighters) > 1 else ""
        view = self.answer("setup", query, words if not self.problems else "", is_refused=is_refused, fighters=fighters)
        return replace(view, ground=self.ground, fresh=frozenset({"tokens"} if is_fresh else ()))

    def prepared(self) -> tuple[Scenario | None, dict[str, list[int]]]:
        """The scenario of the set-up without steps, None while it has errors, and the faces typed."""
        setup = read_setup(self.fields["sheets"])
        for problem in setup.problems:
            self.note(problem, "sheets")
        rulings = self.rulings()
        if not setup.is_ready:
            return None, {}
        tree = self.on_ground(setup.characters)
        if tree is None:
            return None, {}
        tree |= {"format": FORMAT, "rulings": rulings}
        try:
            scenario = read_tree(tree)
        except ScratchError as error:
            self.refuse(error, "sheets")
            return None, {}
        if len({each.side for each in scenario.fighters}) < 2:
            expected = "two sides at least (a line like `side: hunters` below a name)"
            self.note(Problem("fight.sides", expected, "one", "sheets", None, "advice"), "sheets")
        for advice in scenario.advice:
            self.note(advice, "sheets")
        names: dict[str, str] = {}
        for each in scenario.fighters:
            names |= {slug(each.id): each.group, slug(each.name): each.group}
        names |= {slug(each.group): each.group for each in scenario.fighters}
        faces, found = read_initiative(self.fields["initiative"], names)
        for problem in found:
            self.note(problem, "initiative")
        return scenario, faces

    def on_ground(self, characters: tuple[dict[str, Any], ...]) -> dict[str, Any] | None:
        """The characters and, where there is a map, the board with everybody on it; None while somebody can't stand."""
        if not self.fields["map"].strip():
            return {"characters": list(ground.without_board(characters))}
        laid = ground.lay(self.fields, characters, self.stroke)
        self.ground = laid.ground
        for problem in laid.problems:
            self.note(problem, problem.where)
        if laid.ground is None or any(problem.severity == "error" for problem in laid.problems):
            return None
        return {"characters": list(laid.ground.characters), "board": laid.ground.tree}

    def rulings(self) -> dict[str, Any]:
        """The rulings chosen that are not the defaults."""
        given = {switch.name: self.fields[switch.name] for switch in SETUP_SWITCHES}
        chosen = {}
        for switch in SETUP_SWITCHES:
            if not given[switch.name].strip():
                continue
            try:
                value = getattr(Rulings.read({switch.name: given[switch.name]}), switch.name)
            except ScratchError as error:
                self.refuse(error, switch.name, with_place=False)
                continue
            if value != switch.default:
                chosen[switch.name] = value
        return chosen

    def begun(self) -> View:
        """The view of the fight that begins now, or of the set-up where it can't."""
        if not self.fields["sheets"].strip():
            expected = "stat blocks of those who fight"
            self.note(Problem("fight.nobody", expected, "none", "sheets", "turn.encounter"), "sheets")
            return self.set_up()
        scenario, faces = self.prepared()
        if scenario is None or any(problem.severity == "error" for problem in self.problems):
            self.problems.clear()  # said again by the set-up itself
            return self.set_up()
        tree = scenario.tree
        try:
            fight = begin_fight(tree["characters"], tree["rulings"], faces, self.roller, tree.get("board"))
        except ScratchError as error:
            self.problems.clear()
            view = self.set_up()
            self.refuse(error, "initiative", with_place=False)
            return replace(view, problems=self.few_problems())
        self.problems.clear()
        order = ", ".join(f"{each.group} {each.figure.value}" for each in fight.begun.initiative)
        self.say = f"The encounter begins: {order}."
        return self.fought(fight, ())

    # A fight

    def opened(self) -> View:
        """The view of a fight with what was pressed done in it."""
        try:
            fight, waiting = open_fight(self.fields["log"], self.roller)
        except ScratchError as error:
            if error.code == "fight.dice":
                self.note(Problem("fight.dice", "the faces of the initiative", "none", "log"), "log")
                return self.answer("dice", {"log": self.fields["log"]}, "The initiative is still to be rolled.")
            self.refuse(error, "log")
            return self.set_up(is_refused=True)
        undone = waiting or self.undone()
        if waiting:
            self.say = f"{len(waiting)} steps of the file have no faces yet; redo rolls them one by one."
        return self.fought(*self.done(fight, undone))

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
        return tuple({key: each[key] for key in KEPT_KEYS if key in each} for each in items[:STEPS_LIMIT])

    def done(self, fight: Fight, undone: Sequence[Step]) -> tuple[Fight, Sequence[Step]]:
        """The fight after what was pressed, and what can be done again."""
        command = self.command
        if command == "setup":
            return fight, undone
        if command == "undo":
            if not fight.steps:
                return fight, undone
            back, step = take_step_back(fight)
            self.say = f"Taken back: {fight.records[-1].say}"
            return back, (step, *undone)
        if command == "redo":
            return self.redone(fight, undone)
        pressed = self.pressed(fight) or self.stroked(fight)
        if pressed is None:
            return fight, undone
        after = self.acted(fight, pressed)
        return (fight, undone) if after is None else (after, ())

    def redone(self, fight: Fight, undone: Sequence[Step]) -> tuple[Fight, Sequence[Step]]:
        """The fight with what was undone last done again, and what is still undone."""
        if not undone:
            return fight, undone
        step, *rest = undone
        if fight.state.exposure is not None and step.get("do") not in ANSWERS:  # the file says so by going on
            step, rest = {"actor": fight.state.exposure.who, "do": "settle"}, list(undone)
        try:
            after = add_step(fight, step, self.roller, self.faces() if "faces" not in step else None)
        except ScratchError as error:
            self.refuse_step(error)
            return fight, rest if "faces" in step else undone
        if isinstance(after, Record):
            self.barred(after)
            return fight, rest
        self.say = after.records[-1].say
        self.fields["faces"] = "" if "faces" not in step else self.fields["faces"]
        return after, rest

    def pressed(self, fight: Fight) -> Step | None:
        """The step that was pressed; None when nothing was, or nothing that can be read."""
        if not self.command or self.command in ("open", "resume", "begin"):
            return None
        if self.command == "check":
            return self.check(fight)
        step = read_json(self.command)
        if not isinstance(step, dict):
            self.note(Problem("fight.act", "an action as JSON", shown(self.command), "act"), "act")
            return None
        return {key: step[key] for key in STEP_KEYS if key in step}

    def stroked(self, fight: Fight) -> Step | None:
        """What was drawn on the board: a step, or a space to ask about, pressed again to let go of it."""
        stroke = read_stroke(self.stroke)
        if stroke is None or fight.state.board is None or fight.state.exposure is not None:
            return None
        first, space = stroke
        asked = read_space(self.fields["aim"])
        self.fields["aim"] = "" if space == asked else f"{space[0]},{space[1]}"
        able = candidates(fight.state)
        if not able or fight.state.phase != "running" or (first is None and space != asked):
            return None
        who = self.fields["who"] if self.fields["who"] in able else able[0]
        turn, _ = turn_on_board(fight.state, turn_of(fight.state, who))
        offer = pressed_step(fight.state, turn, first, space, asked)
        return None if offer is None else dict(json.loads(offer.step))

    def check(self, fight: Fight) -> Step | None:
        """A bare roll, at any time. Rules: `roll.d20`, `roll.ability-optional`, `roll.ability-required`."""
        fields = self.fields
        try:
            difficulty = read_difficulty(fields["check_difficulty"], "check_difficulty")
        except ScratchError as error:
            self.refuse(error, "check_difficulty", with_place=False)
            return None
        actor = fields["check_actor"] or fight.state.active or fight.state.fighters[0].id
        step: dict[str, Any] = {"actor": actor, "do": "check", "difficulty": difficulty}
        if fields["check_ability"]:
            step["ability"] = fields["check_ability"]
            step["requires"] = bool(fields["check_requires"])
        return step

    def faces(self) -> tuple[int, ...] | None:
        """The faces typed, parted by commas, or by spaces and points, as a phone's digits have them."""
        text = self.fields["faces"].strip()
        return read_faces(re.sub(r"[\s.;,]+", ",", text)) if text else None

    def acted(self, fight: Fight, step: Step) -> Fight | None:
        """The fight after a step; None, with its problems noted, when it can't be done."""
        note = self.fields["note"].strip()
        try:
            after = add_step(fight, {**step, "note": note} if note else step, self.roller, self.faces())
        except ScratchError as error:
            self.refuse_step(error)
            return None
        if isinstance(after, Record):
            self.barred(after)
            return None
        self.fields |= {"faces": "", "note": "", "picked": "", "who": "", "aim": ""}
        self.say = after.records[-1].say
        return after

    def refuse_step(self, error: ScratchError) -> None:
        """Keep the problems of a step that can't be done, those of dice at the faces."""
        for problem in error.problems:
            is_dice = problem.code.startswith("dice.") or problem.code in ("fight.dice", "fight.faces")
            is_note = problem.where.endswith(".note")
            control = "faces" if is_dice else "note" if is_note else "log" if problem.where == "log" else "act"
            self.note(problem, control)

    def barred(self, record: Record) -> None:
        """Keep the reasons why a step is not allowed."""
        for problem in record.problems:
            self.note(problem, "act")

    def fought(self, fight: Fight, undone: Sequence[Step]) -> View:
        """The fight as it stands; or, asked for a new set-up, that of its characters, with the fight put by."""
        text = fight.text
        if self.command == "setup":
            self.fields = dict.fromkeys(CONTROLS, "") | {"sheets": write_setup(fight.scenario), "before": text}
            given = fight.scenario.tree.get("rulings", {})
            names = {switch.name for switch in SETUP_SWITCHES}
            self.fields |= {name: setting_words(value) for name, value in given.items() if name in names}
            self.fields |= ground.texts_of(fight.scenario)
            self.stroke = ""
            return self.set_up()
        self.fields |= {"log": text, "redo": write_json(list(undone)) if undone else ""}
        self.fields |= {"sheets": "", "initiative": "", "before": "", **dict.fromkeys(ground.CONTROLS, "")}
        who, *picked = self.fields["picked"].split()[:4] or [self.fields["who"]]
        if self.command in ("undo", "redo"):
            self.fields["aim"] = ""
        for advice in () if fight.steps else fight.scenario.advice:  # said once, before the first step
            self.note(advice, "log")
        seen = shown_fight(fight, who, tuple(picked), read_space(self.fields["aim"]))
        kept = {name: self.fields[name] for name in ("log", "redo", "faces", "note")}
        return self.answer("fight", kept, self.words(seen), shown=seen, undone=len(undone))

    def words(self, seen: Shown) -> str:
        """What is said aloud: what happened, and whose turn it is."""
        if seen.question:
            then = f"{seen.question.words}. Does anybody interrupt?"
        elif seen.is_over:
            then = "The encounter is over."
        elif seen.winner:
            then = f"Only {seen.winner} are left standing."
        else:
            then = f"Round {seen.round}, {seen.active_name}'s turn." if seen.active else "Nobody is able to act."
        said = f"{self.say} {then}" if self.say and not self.say.startswith("The encounter is over") else then
        return one_line(said, SUMMARY_LIMIT)

    def answer(self, phase: str, query: Mapping[str, str], summary: str, **more: Any) -> View:
        """The view of a phase."""
        return View(query_string(query), summary, self.few_problems(), self.fields, phase, **more)
