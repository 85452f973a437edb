"""The fight calculator by another turn order: Mano a Mano in both revisions, and choose-next with seizing.

Read in this order: `setup` (lines to characters), `table` (the fight played so far), `words` (what stands on the
buttons), `offers` (what may be done now, and why not), `showing` (the fight in words), and the view here. Everything
follows from the records of a `System`; nothing is written once for each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.calculators.choosing import Choosing, choosing_of
from scratch_core.calculators.fight import ground
from scratch_core.calculators.fight.answering import KEPT_KEYS, SUMMARY_LIMIT, Answering
from scratch_core.calculators.fight.orders.offers import ACT_CONTROLS, control_name, pressed_step
from scratch_core.calculators.fight.orders.setup import (
    Lines,
    head_fields,
    line_fields,
    read_head,
    read_lines,
    word,
    write_head,
    write_lines,
)
from scratch_core.calculators.fight.orders.showing import ShownOrder, shown_order
from scratch_core.calculators.fight.orders.table import (
    OrderFight,
    add_order_step,
    begin_order,
    open_order,
    take_order_back,
)
from scratch_core.calculators.fight.orders.words import EXAMPLES, HINTS, LABELS
from scratch_core.calculators.fight.setup import read_initiative, slug
from scratch_core.calculators.fight.table import Step
from scratch_core.calculators.fight.view import CONTROLS, ORDER_CONTROLS, SETUP_SWITCHES, View
from scratch_core.calculators.query import Query, query_string
from scratch_core.calculators.words import one_line
from scratch_core.catalogue import SWITCHES, setting_words
from scratch_core.dice import Roller
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.rounds import SYSTEMS, Field, Rounds
from scratch_core.scenario.orders.reading import read_order_tree
from scratch_core.scenario.orders.records import OrderRecord, OrderScenario
from scratch_core.scenario.reading import STEPS_LIMIT
from scratch_core.scenario.records import FORMAT
from scratch_core.scenario.text import read_json

_SWITCH = next(switch for switch in SWITCHES if switch.name == "seize_on_total")

SEIZE_RULING = choosing_of(_SWITCH)
"""The one ruling that matters here, for choose-next with seizing."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A control about the beginning: its name, its label, and how it is written."""

    name: str
    label: str
    hint: str


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a fighter's line: what it means, and what holds without it."""

    word: str
    meaning: str
    default: str


@dataclass(frozen=True, slots=True)
class OrderView(View):
    """Everything the template prints of a fight by another turn order.

    `seats` are those who would fight, each with what its line says; `seen` is the fight.
    """

    title: str = ""
    example: str = ""
    asked: tuple[Asked, ...] = ()
    words: tuple[Word, ...] = ()
    rulings: tuple[Choosing, ...] = ()
    seats: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    seen: ShownOrder | None = None

    @property
    def is_seated(self) -> bool:
        """Whether turns go round by the seats. Rules: `mano.order.seating`, `mano-old.order.seating`."""
        return self.system != "seize"

    @property
    def kept(self) -> tuple[str, ...]:
        """The controls of the other set-ups, whose content is kept out of sight."""
        here = {"fighters", *(each.name for each in self.asked), *(each.name for each in self.rulings)}
        names = ("sheets", *(each.name for each in SETUP_SWITCHES), *ground.CONTROLS, *ORDER_CONTROLS[1:])
        return tuple(name for name in names if name not in here)


def order_view(query: Query, roller: Roller | None) -> OrderView | None:
    """Answer a query about a fight by another turn order; None when the fight that it holds is none of these.

    Never raises. Rules: `mano.order.seating`, `mano-old.order.seating`, `seize.roll`, `mano.surprise.two-rolls`.
    """
    answering = _OrderAnswering(query, roller)
    found = answering.view()
    return found if isinstance(found, OrderView) and not answering.is_foreign else None


class _OrderAnswering(Answering):
    """One query while it is answered."""

    def __init__(self, query: Query, roller: Roller | None) -> None:
        super().__init__(query, roller)
        self.fields |= {name: query.text(name) for name in ACT_CONTROLS}
        self.system: Rounds[Any] = SYSTEMS.get(self.fields["system"]) or next(iter(SYSTEMS.values()))
        self.is_foreign = False

    # Before a fight

    def set_up(self, *, is_refused: bool = False) -> View:
        scenario = None
        if self.fields["fighters"].strip() and not self.is_cut and not is_refused:
            scenario, _, _ = self.readied()
        seats = _seats(scenario) if scenario else ()
        names = (
            "sheets",
            "initiative",
            "before",
            "log",
            *(each.name for each in SETUP_SWITCHES),
            *ground.CONTROLS,
            *ORDER_CONTROLS,
        )
        query = {name: self.fields[name] for name in names}
        words = f"{len(seats)} fighters are ready." if len(seats) > 1 and not self.problems else ""
        return self.told("setup", query, words, is_refused=is_refused, seats=seats)

    def readied(self) -> tuple[OrderScenario | None, dict[str, Any], list[dict[str, Any]]]:
        """The scenario of the set-up without steps, None while it has errors, its head, and the rolls of an ambush."""
        lines = read_lines(self.fields["fighters"], self.system)
        for problem in lines.problems:
            self.note(problem, "fighters")
        names: dict[str, str] = {}
        for each in lines.characters:
            names |= {slug(text): each["id"] for text in (each["id"], each["name"]) if slug(text) not in names}
        head, steps, found = read_head(self.system, self.fields, names)
        for problem in found:
            self.note(problem, problem.where)
        head |= {"rulings": rulings} if (rulings := self.chosen()) else {}
        if lines.problems or not lines.characters:
            return None, head, steps
        head["characters"] = list(lines.characters)
        scenario = self.checked(head, steps, lines)
        if scenario is not None:
            head |= self.typed_faces(scenario, names)
            if len({each.side for each in self.system.fighters(scenario.before)}) < 2:
                expected = "two sides at least, like `side red` on a line"
                self.note(Problem("fight.sides", expected, "one", "fighters", None, "advice"), "fighters")
        return scenario, head, steps

    def checked(self, head: Mapping[str, Any], steps: Sequence[Step], lines: Lines) -> OrderScenario | None:
        """The scenario, None when it can't be; a problem of a character is told with its line."""
        tree = {"format": FORMAT, "system": self.system.name, **head, "steps": list(steps)}
        try:
            return replace(read_order_tree(tree, self.system), tree=tree)
        except ScratchError as error:
            for problem in error.problems:
                found = re.match(r"characters\[([0-9]{1,3})\]", problem.where)
                where = f"line {lines.numbers[int(found[1])]}" if found else problem.where
                self.note(problem, "fighters", where)
            return None

    def typed_faces(self, scenario: OrderScenario, names: Mapping[str, str]) -> dict[str, Any]:
        """The faces typed, by fighter or group. Rules: `mano.start.first`, `seize.gm-roll`."""
        groups = set(self.system.dice_for(scenario.before))
        known = {slug(each): each for each in groups}
        for text, own in names.items():
            who = next(each for each in self.system.fighters(scenario.before) if each.id == own)
            known.setdefault(text, own if own in groups else getattr(who, "group", own))
        faces, problems = read_initiative(self.fields["initiative"], known)
        for problem in problems:
            self.note(problem, "initiative")
        return {"initiative": faces} if faces else {}

    def chosen(self) -> dict[str, Any]:
        """The ruling on a rolled 20, where it is not our default."""
        text = self.fields[_SWITCH.name].strip()
        if not text or self.system.name != "seize":
            return {}
        values = {setting_words(value): value for value in _SWITCH.choices}
        if text not in values:
            expected = f"one of {', '.join(values)}"
            self.note(Problem("fight.setup", expected, shown(text), _SWITCH.name, _SWITCH.ruling), _SWITCH.name)
            return {}
        return {_SWITCH.name: values[text]} if values[text] != _SWITCH.default else {}

    def begun(self) -> View:
        if not self.fields["fighters"].strip():
            expected = "those who fight, one on a line"
            self.note(Problem("fight.nobody", expected, "nobody", "fighters"), "fighters")
            return self.set_up()
        scenario, head, steps = self.readied()
        is_wrong = scenario is None or any(problem.severity == "error" for problem in self.problems)
        self.problems.clear()  # said again by the set-up itself
        if is_wrong:
            return self.set_up()
        try:
            fight = begin_order(self.system, head, steps, self.roller)
        except ScratchError as error:
            view = self.set_up()
            self.refuse(error, "initiative", with_place=False)
            return replace(view, problems=self.few_problems())
        self.say = fight.opening
        return self.shown_fight(fight, ())

    # A fight

    def opened(self) -> View:
        try:
            fight = open_order(self.fields["log"], self.roller)
        except ScratchError as error:
            if error.code == "fight.dice":
                self.note(Problem("fight.dice", "the faces that say who goes first", "none", "log"), "log")
                return self.told("dice", {"log": self.fields["log"]}, "Who goes first is still to be rolled.")
            self.refuse(error, "log")
            return self.set_up(is_refused=True)
        if fight is None:
            self.is_foreign = True
            return self.told("setup", {}, "")
        self.system = fight.system
        return self.shown_fight(*self.moved_on(fight, self.undone()))

    def undone(self) -> tuple[Step, ...]:
        """The steps taken back, the next one first."""
        text = self.fields["redo"]
        items = read_json(text) if text.strip() else []
        if not isinstance(items, list) or not all(isinstance(each, dict) for each in items):
            expected = "a list of steps taken back"
            self.note(Problem("fight.redo", expected, shown(text.strip()), "redo", None, "advice"), "redo")
            return ()
        return tuple({key: each[key] for key in each if key in self.keys} for each in items[:STEPS_LIMIT])

    @property
    def keys(self) -> frozenset[str]:
        """The keys of steps in this turn order."""
        own = {field.key for fields in self.system.steps.values() for field in fields}
        return frozenset({*own, *KEPT_KEYS} - {"with", "add", "hurry"})

    def moved_on(self, fight: OrderFight, undone: Sequence[Step]) -> tuple[OrderFight, Sequence[Step]]:
        """The fight after what was pressed, and what can be done again."""
        command = self.command
        if command in ("", "setup", "open", "resume", "begin"):
            return fight, undone
        if command == "undo":
            if len(fight.steps) <= fight.fixed:
                return fight, undone
            back, step = take_order_back(fight)
            self.say = f"Taken back: {fight.records[-1].say}"
            return back, (step, *undone)
        if command == "redo":
            after = self.stepped(fight, undone[0]) if undone else None
            return (fight, undone[1:]) if after is None else (after, undone[1:])
        pressed = self.pressed_act()
        after = self.stepped(fight, pressed) if pressed is not None else None
        if after is None:
            return fight, undone
        self.fields |= dict.fromkeys(("note", *ACT_CONTROLS), "")
        return after, ()

    def pressed_act(self) -> Step | None:
        """The step that was pressed, with its fields and the note; None for nothing that can be read."""
        step = read_json(self.command)
        if not isinstance(step, dict):
            self.note(Problem("fight.act", "an action as JSON", shown(self.command), "act"), "act")
            return None
        whole = pressed_step(self.system, {key: step[key] for key in step if key in self.keys - {"note"}}, self.fields)
        note = self.fields["note"].strip()
        return {**whole, "note": note} if note else whole

    def stepped(self, fight: OrderFight, step: Step) -> OrderFight | None:
        """The fight after a step; None, with its problems noted, when it can't be done."""
        try:
            after = add_order_step(fight, step)
        except ScratchError as error:
            for problem in error.problems:
                key = problem.where.rpartition(".")[2]
                control = control_name(str(step.get("do", "")), key)
                known = control if control in ACT_CONTROLS else key if key in ("note", "log") else "act"
                self.note(problem, known)
            return None
        if isinstance(after, OrderRecord):
            for problem in after.problems:
                self.note(problem, "act")
            return None
        self.say = after.records[-1].say
        return after

    def shown_fight(self, fight: OrderFight, undone: Sequence[Step]) -> View:
        """The fight as it stands; or, asked for a new set-up, that of its characters, with the fight put by."""
        text = fight.text
        if self.command == "setup":
            self.fields = dict.fromkeys((*CONTROLS, *ACT_CONTROLS), "") | {"before": text, "system": self.system.name}
            self.fields |= {"fighters": write_lines(fight.scenario), **write_head(fight.scenario, fight.steps)}
            given = fight.scenario.tree.get("rulings", {})
            self.fields |= {_SWITCH.name: setting_words(given[_SWITCH.name])} if _SWITCH.name in given else {}
            return self.set_up()
        redo = json.dumps(list(undone), ensure_ascii=False) if undone else ""
        self.fields |= dict.fromkeys(CONTROLS, "") | {"log": text, "redo": redo, "note": self.fields["note"]}
        seen = shown_order(fight)
        kept = {name: self.fields[name] for name in ("log", "redo", "note")}
        return self.told("fight", kept, self.aloud(seen), seen=seen, undone=len(undone))

    def aloud(self, seen: ShownOrder) -> str:
        """What happened, and whose word it is."""
        if seen.is_over:
            then = "The fight is over."
        elif seen.winner:
            then = f"Only {seen.winner} are left."
        else:
            then = f"Round {seen.round}. {seen.question or f'{seen.active_name} {seen.due}.'}"
        return one_line(f"{self.say} {then}" if self.say else then, SUMMARY_LIMIT)

    def told(self, phase: str, query: Mapping[str, str], summary: str, **more: Any) -> OrderView:
        """The view of this turn order."""
        system = self.system
        labels = LABELS.get(system.name, {})
        return OrderView(
            query_string(query),
            summary,
            self.few_problems(),
            self.fields,
            phase,
            system=system.name,
            title=system.title,
            example=EXAMPLES[system.name],
            asked=tuple(Asked(each.key, labels[each.key], HINTS[each.key]) for each in head_fields(system)),
            words=tuple(_word(each) for each in line_fields(system)),
            rulings=(SEIZE_RULING,) if system.name == "seize" else (),
            **more,
        )


def _word(field: Field) -> Word:
    """A word of a line, as the help beside it shows it."""
    without = "needed" if field.default is None else "" if field.kind == "text" else _plain(field.default)
    return Word(word(field), field.meaning, without)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(f"{key} {points}" for key, points in value)
    return str(value)


def _seats(scenario: OrderScenario) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Everybody as the lines say, in the order of the seats: id, name, then a value for each word."""
    system = scenario.system
    fields = line_fields(system)
    return tuple(
        (each.id, each.name, tuple(_plain(getattr(each, field.key)) for field in fields))
        for each in system.fighters(scenario.before)
    )


__all__ = ["OrderView", "order_view"]
