"""The fight calculator by another turn order: Mano a Mano in both revisions, and choose-next with seizing.

Read in this order: `setup` (lines to characters), `table` (the fight played so far), `words` (what stands on the
buttons), `offers` (what may be done now, and why not), `showing` (the fight in words), and the view here. Everything
follows from the records of a `System`; nothing is written once for each.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.choosing import Choosing, choosing_of
from scratch_core.calculators.fight import by_hand, ground, screen
from scratch_core.calculators.fight.answering import Answering
from scratch_core.calculators.fight.orders.offers import ACT_CONTROLS, control_name, pressed_step
from scratch_core.calculators.fight.orders.showing import ShownOrder, shown_order
from scratch_core.calculators.fight.orders.words import EXAMPLES, HINTS, INTRODUCTIONS, LABELS
from scratch_core.calculators.fight.table import Fight, Step
from scratch_core.calculators.fight.view import CONTROLS, NOT_BEGUN, ORDER_CONTROLS, SETUP_SWITCHES, View
from scratch_core.calculators.form import read_initiative, slug
from scratch_core.calculators.people.blocks import read_setup
from scratch_core.calculators.people.lines import (
    Lines,
    head_fields,
    line_fields,
    needed_words,
    read_head,
    read_lines,
    word,
    write_head,
    write_lines,
    written_names,
)
from scratch_core.calculators.query import Query, query_string
from scratch_core.catalogue import SWITCHES, setting_words
from scratch_core.dice import Roller
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.rounds import SYSTEMS, Field, Rounds
from scratch_core.scenario import Scenario
from scratch_core.scenario.reading import read_tree
from scratch_core.scenario.records import FORMAT
from scratch_core.turns.hand import JOIN

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

    `aside` says how many stat blocks another order's set-up keeps while nobody stands in this one, `needed` what each
    line must say here and a stat block doesn't.
    `seats` are those who would fight, each with what its line says, `lined` their names and sides; `seen` is the fight.
    """

    title: str = ""
    aside: str = ""
    needed: tuple[str, ...] = ()
    example: str = ""
    introduction: str = ""
    asked: tuple[Asked, ...] = ()
    words: tuple[Word, ...] = ()
    rulings: tuple[Choosing, ...] = ()
    seats: tuple[tuple[str, str, tuple[str, ...]], ...] = ()
    lined: tuple[tuple[str, str], ...] = ()
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

    @property
    def people(self) -> tuple[tuple[str, str], ...]:
        """Everybody's name and side, in order."""
        if self.seen:
            return tuple((each.name, each.side) for each in self.seen.standings)
        return self.lined

    @property
    def stage(self) -> str:
        """How far the fight has come, in a few words."""
        if not self.seen:
            return NOT_BEGUN
        return "over" if self.seen.is_over else f"round {self.seen.round}"


class ByLines(Answering):
    """One query of a fight by another turn order."""

    no_dice = ("the faces that say who goes first", "Who goes first is still to be rolled.")

    def __init__(self, query: Query, roller: Roller | None, system: str = "") -> None:
        super().__init__(query, roller)
        self.fields |= {name: query.text(name) for name in ACT_CONTROLS}
        self.system: Rounds[Any] = SYSTEMS.get(system) or SYSTEMS["mano"]

    @property
    def step_keys(self) -> tuple[str, ...]:
        """The keys of steps in this turn order."""
        own = (field.key for fields in self.system.steps.values() for field in fields)
        return tuple(dict.fromkeys(("actor", "do", *own)))

    # Before a fight

    def set_up(self, *, is_refused: bool = False) -> View:
        """The view of a fight that has not begun."""
        scenario = None
        fresh = frozenset(("fighters",)) if self.brought_over() else frozenset[str]()
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
        more = {
            "seats": seats,
            "lined": _lined(scenario),
            "aside": self.aside(),
            "needed": self.needed(),
            "fresh": fresh,
        }
        return self.answer("setup", query, words, is_refused=is_refused, **more)

    def kept_names(self) -> tuple[tuple[str, str], ...]:
        """Names and sides of the stat blocks kept for the basic rules, while nobody stands in this set-up."""
        if self.fields["fighters"].strip() or not self.fields["sheets"].strip():
            return ()
        found = read_setup(self.fields["sheets"]).characters
        return tuple((str(each["name"]), str(each.get("side", ""))) for each in found)

    def aside(self) -> str:
        """How many are kept for the basic rules, in words; "" for none."""
        count = len(self.kept_names())
        return f"{count} {'fighter' if count == 1 else 'fighters'}" if count else ""

    def needed(self) -> tuple[str, ...]:
        """What a line must say in this order, with the numbers of its example."""
        return needed_words(self.system, EXAMPLES[self.system.name])

    def brought_over(self) -> bool:
        """Whether those kept for the basic rules now stand here, as was asked, by their names and sides."""
        names = self.kept_names() if self.command == "bring" else ()
        self.fields |= {"fighters": written_names(names, self.needed())} if names else {}
        return bool(names)

    def readied(self) -> tuple[Scenario | None, dict[str, Any], list[dict[str, Any]]]:
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
        if lines.errors or not lines.characters:
            return None, head, steps
        head["characters"] = list(lines.characters)
        scenario = self.checked(head, steps, lines)
        if scenario is not None:
            head |= self.typed_faces(scenario, names)
            if len({each.side for each in self.system.fighters(scenario.before)}) < 2:
                expected = "two sides at least, like `side red` on a line"
                self.note(Problem("fight.sides", expected, "one", "fighters", None, "advice"), "fighters")
        return scenario, head, steps

    def checked(self, head: Mapping[str, Any], steps: Sequence[Step], lines: Lines) -> Scenario | None:
        """The scenario, None when it can't be; a problem of a character is told with its line."""
        tree = {"format": FORMAT, "system": self.system.name, **head, "steps": list(steps)}
        try:
            return read_tree(tree)
        except ScratchError as error:
            for problem in error.problems:
                found = re.match(r"characters\[([0-9]{1,3})\]", problem.where)
                where = f"line {lines.numbers[int(found[1])]}" if found else problem.where
                self.note(problem, "fighters", where)
            return None

    def typed_faces(self, scenario: Scenario, names: Mapping[str, str]) -> dict[str, Any]:
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
        """The view of the fight that begins now, or of the set-up where it can't."""
        if not self.fields["fighters"].strip():
            expected = "those who fight, one on a line"
            self.note(Problem("fight.nobody", expected, "nobody", "fighters"), "fighters")
            return self.set_up()
        scenario, head, steps = self.readied()
        is_wrong = scenario is None or any(problem.severity == "error" for problem in self.problems)
        self.problems.clear()  # said again by the set-up itself
        return self.set_up() if is_wrong else self.first_shown({"system": self.system.name, **head}, steps)

    # A fight

    def pressed(self, fight: Fight) -> Step | None:
        """The step that was pressed, with its fields; None for nothing that can be read."""
        step = super().pressed(fight)
        return None if step is None else pressed_step(self.system, step, self.fields)

    def faces(self) -> None:
        """No act throws dice: faces typed in another fight are none of this one's."""

    def joining(self, fight: Fight) -> list[dict[str, Any]]:
        """Those of lines join, side by side after whoever was chosen."""
        lines = read_lines(self.fields[by_hand.SHEET], self.system)
        by_hand.refuse_unread(lines.characters, lines.errors, "a name")
        steps, after = [], self.fields[by_hand.AFTER]
        for each in lines.characters:
            steps.append({"do": JOIN, "character": each, **({"after": after} if after else {})})
            after = each["id"] if after else ""
        return steps

    def cleared(self) -> None:
        """What is typed for one act is not for the next."""
        self.fields |= dict.fromkeys(("note", *ACT_CONTROLS), "")

    def control_of(self, problem: Problem, step: Step) -> str:
        """The control of a problem of a step: a small field of the act, where it has one for that."""
        key = problem.where.rpartition(".")[2]
        control = control_name(str(step.get("do", "")), key)
        return control if control in ACT_CONTROLS else super().control_of(problem, step)

    def set_up_again(self, fight: Fight) -> View:
        """The set-up of a fight's characters, with the fight put by."""
        self.fields = dict.fromkeys((*CONTROLS, *ACT_CONTROLS), "") | {"before": fight.text, "system": self.system.name}
        self.fields |= {"fighters": write_lines(fight.scenario), **write_head(fight.scenario, fight.steps)}
        given = fight.scenario.tree.get("rulings", {})
        self.fields |= {_SWITCH.name: setting_words(given[_SWITCH.name])} if _SWITCH.name in given else {}
        return self.set_up()

    def shown(self, fight: Fight, undone: int) -> View:
        """The fight as it stands."""
        kept = {name: self.fields[name] for name in ("log", "redo", "aside", "note", *screen.CONTROLS)}
        by_the_hand = {name: self.fields[name] for name in by_hand.CONTROLS}
        self.fields |= dict.fromkeys(CONTROLS, "") | kept | by_the_hand
        seen = shown_order(fight, self.is_whole)
        whose = "" if seen.is_over else f"{seen.active_name} {seen.due}"
        handed = self.handed(fight, seen.chips, (seen.round, whose, seen.ended))
        return self.answer("fight", kept, self.aloud(_words(seen)), seen=seen, undone=undone, **handed)

    def answer(self, phase: str, query: Mapping[str, str], summary: str, **more: Any) -> OrderView:
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
            introduction=INTRODUCTIONS[system.name],
            asked=tuple(Asked(each.key, labels[each.key], HINTS[each.key]) for each in head_fields(system)),
            words=tuple(_word(each) for each in line_fields(system)),
            rulings=(SEIZE_RULING,) if system.name == "seize" else (),
            **more,
        )


def _words(seen: ShownOrder) -> str:
    """Whose word it is, to be said aloud after what happened."""
    if seen.is_over:
        return "The fight is over."
    if seen.winner:
        return f"Only {seen.winner} are left."
    return f"Round {seen.round}. {seen.question or f'{seen.active_name} {seen.due}.'}"


def _word(field: Field) -> Word:
    """A word of a line, as the help beside it shows it."""
    return Word(word(field), field.meaning, _without(field))


def _without(field: Field) -> str:
    """What holds for whoever has no such word on its line."""
    if field.default is None:
        return "needed"
    return "" if field.kind == "text" else _plain(field.default)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(f"{key} {points}" for key, points in value)
    return str(value)


def _seats(scenario: Scenario) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Everybody as the lines say, in the order of the seats: id, name, then a value for each word."""
    system = SYSTEMS[scenario.system.name]
    fields = line_fields(system)
    return tuple(
        (each.id, each.name, tuple(_plain(getattr(each, field.key)) for field in fields))
        for each in system.fighters(scenario.before)
    )


def _lined(scenario: Scenario | None) -> tuple[tuple[str, str], ...]:
    """Everybody's name and side, in the order of the seats."""
    if scenario is None:
        return ()
    return tuple((each.name, each.side) for each in SYSTEMS[scenario.system.name].fighters(scenario.before))


__all__ = ["ByLines", "OrderView"]
