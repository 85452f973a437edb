"""The initiative calculator: who takes part and by which order; the dice, the order and why out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from scratch_core.calculators.characters_text import People
from scratch_core.calculators.characters_text.chooser import Chooser, brought, opened
from scratch_core.calculators.characters_text.fighter_lines import (
    head_fields,
    read_head,
    read_lines,
    written_item,
    written_line,
)
from scratch_core.calculators.characters_text.setup_text import read_setup
from scratch_core.calculators.shared import form
from scratch_core.calculators.shared.form import Choosing, choosing_of, number_typed, one_line
from scratch_core.calculators.shared.names import NameIndex, read_initiative, rolls_example, two_names, write_initiative
from scratch_core.calculators.shared.query import Query, query_string
from scratch_core.characters import MAX_NAME_LENGTH
from scratch_core.dice import Roller
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.rulebook import RULE_OPTIONS
from scratch_core.scenario import FORMAT, TURN_SYSTEMS, AnySystem, NoDice, scenario_from_dict
from scratch_core.turn_systems import Field, Reason, TurnOrderEntry
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

SYSTEMS: Mapping[str, str] = {name: order.title for name, order in TURN_SYSTEMS.items()}
"""The orders' titles by the name that the query gives them."""

CONTROLS = ("system", "who", "first", "ambush", "detection_multiplier", "seize_on_total", "faces")
"""The names of all controls, in the order of the canonical query.

None of them are those of the rows, which are made from `who` and change it: `name-1`, `stealth-1` and so on, of the
lines that `rows` holds; `change`, for what is added and removed; and `thrown`, the dice that the rows stand by.
"""

ADD, REMOVE = "add", "remove "
"""What the rows' buttons say; behind the second the id of whoever goes."""

MOST_PROBLEMS = 12
WORDS_LIMIT = 300

LEVELS = (
    Field("stealth", "number", 0, "its level", 0, 100, rule="stealth.initiative"),
    Field("detection", "number", 0, "its level", 0, 100, rule="detection.initiative"),
)
"""What of a sheet counts in Scratch's own order."""

WORDS: Mapping[str, Field] = {
    field.key: field
    for field in (*LEVELS, *(field for order in VARIANT_TURN_SYSTEMS.values() for field in order.character_fields))
    if field in LEVELS or field.key in ("reach", "group", "bonus")
}
"""What a line may say behind a name, in every order; a line may have words that count only in others.

Rules: `stealth.initiative`, `detection.initiative`, `turn.group`, `mano.start.reach`, `mano-old.initiative.reach`,
`seize.bonus`, `seize.gm-roll`."""


@dataclass(frozen=True, slots=True)
class Order:
    """The rows, a sentence of what holds after them, with its rule, and every face by the id that it was thrown for."""

    rows: tuple[TurnOrderEntry, ...]
    after: Reason
    faces: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Row:
    """Someone who takes part, to be changed: the id, the name, and the numbers that count by their words."""

    id: str
    name: str
    numbers: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class View(form.View):
    """What the template prints.

    `order` is None while something is wrong or a die has not fallen yet; `is_waiting` says that it is the dice.
    `rows` are those who take part, `columns` the numbers that they have. `fresh` names what this answer has set: `who`
    by the rows, or the `rows` by anything else.
    `unused` are the words given that this order doesn't use; `others` are the same people, and the same faces, in the
    other orders: a title and a query each. `has_come` says that people were chosen by this press.
    `thrown` are the faces that the order stands by, as they are typed.
    """

    system: str
    order: Order | None = None
    is_waiting: bool = False
    rows: tuple[Row, ...] = ()
    columns: tuple[Field, ...] = ()
    fresh: frozenset[str] = frozenset()
    unused: tuple[str, ...] = ()
    others: tuple[tuple[str, str], ...] = ()
    chooser: Chooser | None = None
    has_come: bool = False
    thrown: str = ""
    systems: tuple[tuple[str, str], ...] = tuple(SYSTEMS.items())

    @property
    def used(self) -> tuple[str, ...]:
        """The controls that count; what stands in the others is kept for when it counts again."""
        head = (_control(field.key) for field in head_fields(TURN_SYSTEMS[self.system]))
        return tuple(dict.fromkeys(("system", "who", *head, *_switches(TURN_SYSTEMS[self.system]), "faces")))

    @property
    def two_names(self) -> tuple[str, str]:
        """Return two names of this fight for examples."""
        return two_names([each.name for each in self.rows], ("Ash", "Birch"))

    @property
    def rolls_example(self) -> str:
        """Return how rolls are typed."""
        return rolls_example(self.two_names)

    @property
    def choosings(self) -> tuple[Choosing, ...]:
        """The rulings that matter here."""
        return tuple(choosing_of(each) for each in RULE_OPTIONS if each.name in _switches(TURN_SYSTEMS[self.system]))


def view(query: Query, roller: Roller | None) -> View:
    """Answer a query: `system`, `who` (a line each), `first`, `ambush`, `faces` (`ash 12, birch 17 4`) and rulings.

    Faces given are used, what is missing is thrown if there is a roller; without one the faces in `example` will do.
    Never raises; each problem names its control. Rules: `turn.initiative-roll`, `mano.start.first`,
    `mano-old.initiative.reach`, `seize.roll`.
    """
    return _Answering(query, roller).view()


class _Answering(form.Form):
    """One query while it is answered: each step notes its problems and goes on."""

    def __init__(self, query: Query, roller: Roller | None) -> None:
        super().__init__(query, {name: query.text(name) for name in CONTROLS})
        self.roller = None if "act" in query else roller  # whoever chooses people throws no dice
        self.add_cut("who")
        self.fresh: frozenset[str] = frozenset()
        self.given: Mapping[str, Sequence[int]] = {}

    def view(self) -> View:
        system = self.system()
        order = TURN_SYSTEMS[system]
        people = self.people(order)
        self.problems += form.at_control(people.problems, "who")
        tree = self.start(people, order)
        faces = self.given = self.faces(people, order)
        if not people.characters or self.has_errors:
            return self.finished(system, people)
        try:
            return self.finished(system, people, find_order(people, order, tree, faces, self.roller or NoDice()))
        except ScratchError as error:
            if error.code == "fight.dice":
                return self.finished(system, people, is_waiting=True)
            self.problems += [_placed(each) for each in error.problems]
            return self.finished(system, people)

    def system(self) -> str:
        typed = self.fields["system"].strip().lower()
        if typed in SYSTEMS:
            return typed
        if typed:
            self.add_problem("initiative.system", f"one of {', '.join(SYSTEMS)}", format_input(typed), "system")
        return "scratch"

    def people(self, order: AnySystem) -> People:
        """Those on the lines, after what was done in the rows; lines typed anew count before rows made of others."""
        before, changes = self.fields["who"], self.query.text("change").strip()
        people = read_people(before, order)
        is_of_rows = before.split() == self.query.text("rows").split()
        if is_of_rows:
            self.fields["who"] = self.edited(people, order)
        asked = [each.strip() for each in changes.split(";")]
        both = zip(people.numbers, people.characters, strict=True)
        gone = {number for number, told in both if f"{REMOVE}{told['id']}" in asked}
        lines = [line for number, line in enumerate(self.fields["who"].splitlines(), 1) if number not in gone]
        added = (f"Fighter {len(people.characters) + n}" for n in range(1, asked.count(ADD) + 1))
        self.come = brought(self, "who", self.fields["who"])
        chosen = read_setup("\n\n".join(chain.from_iterable(blocks for _, blocks in self.come))).characters
        self.fields["who"] = "\n".join((*lines, *added, *map(line_of, chosen)))
        is_other = self.fields["who"].split() != before.split()
        fresh = {"who": is_other, "rows": bool(changes or self.come) or not is_of_rows}
        self.fresh = frozenset(name for name, is_set in fresh.items() if is_set)
        return read_people(self.fields["who"], order) if is_other else people

    def edited(self, people: People, order: AnySystem) -> str:
        """The lines with what stands in their rows; a line that its row agrees with stays as it was typed."""
        lines = self.fields["who"].splitlines()
        for place, (number, told) in enumerate(zip(people.numbers, people.characters, strict=True), 1):
            typed = {field.key: self.query.text(f"{field.key}-{place}").strip() for field in numbers_of(order)}
            before = {**dict.fromkeys(typed, 0), **told}
            values = {**before, **{key: number_typed(text) for key, text in typed.items() if text}}
            name = one_line(self.query.text(f"name-{place}"), MAX_NAME_LENGTH).strip() or told["name"]
            if {**values, "name": name} != before:
                said = [written_item(key, values[key]) for key in WORDS if values.get(key)]
                lines[number - 1] = written_line(name, said)
        return "\n".join(lines)

    def start(self, people: People, order: AnySystem) -> dict[str, Any]:
        """What a scenario has of the beginning, the dice left out; only the controls that count are read."""
        given = {field.key: self.fields[_control(field.key)] for field in head_fields(order)}
        head, steps, problems = read_head(order, given, people.names)
        self.problems += [replace(each, where=_control(each.where)) for each in problems]
        return {**head, "steps": steps, "rulings": self.settings(_switches(order))}

    def faces(self, people: People, order: AnySystem) -> dict[str, list[int]]:
        """The faces given; while no one asks for a roll, those of a worked example will do."""
        text = self.fields["faces"]
        is_asked = bool(text.strip()) or self.roller is not None
        thrown = "" if is_asked else self.query.text("thrown")
        found, problems = read_initiative(
            text if is_asked else thrown or self.query.text("example"), group_names(people, order)
        )
        if thrown:  # a tie's faces belong to the rows of before
            found = {group: faces[:1] for group, faces in found.items()}
        for each in problems if is_asked else ():
            self.problems.append(replace(each, where="faces", rule=each.rule if order.roll_keys else None))
        return found

    def finished(self, system: str, people: People, order: Order | None = None, is_waiting: bool = False) -> View:
        fields = {name: text.strip() for name, text in self.fields.items()}
        fields["system"] = _typed(fields["system"])
        keys = [field.key for field in counted(TURN_SYSTEMS[system])]
        unused = dict.fromkeys(key for each in people.characters for key in each if key not in ("id", "name", *keys))
        thrown = "" if order is None else write_initiative(order.faces, group_names(people, TURN_SYSTEMS[system]))
        fields["faces"] = thrown or fields["faces"]
        problems = [  # names come into their words as they were typed
            replace(each, expected=one_line(each.expected, WORDS_LIMIT), got=one_line(each.got, WORDS_LIMIT))
            for each in self.problems[:MOST_PROBLEMS]
        ]
        return View(
            query_string(fields),
            "" if order is None else _summary(system, order),
            tuple(problems),
            self.fields,
            system,
            order,
            is_waiting,
            tuple(_row(each, TURN_SYSTEMS[system]) for each in people.characters),
            numbers_of(TURN_SYSTEMS[system]),
            self.fresh,
            tuple(unused),
            () if order is None else _others(system, fields, order.faces or self.given, people),
            opened(self.query),
            bool(self.come),
            thrown,
        )


def _switches(order: AnySystem) -> tuple[str, ...]:
    """The rulings that matter to the beginning in an order of turns, each a control."""
    return tuple(name for name in order.rule_options if name in CONTROLS)


def _control(key: str) -> str:
    """The control in which a field of the beginning is typed."""
    return "first" if key == "first" else "ambush"


def line_of(told: Mapping[str, Any]) -> str:
    """Someone of a stat block as a line, with the levels that count in Scratch's own order."""
    levels = ((field.key, told["abilities"].get(field.key)) for field in LEVELS)
    return written_line(told["name"], [f"{key} {level}" for key, level in levels if level])


def _typed(system: str) -> str:
    """An order's name as the query has it: Scratch's own needs none."""
    return "" if system == "scratch" else system


def _others(
    system: str, fields: Mapping[str, str], faces: Mapping[str, Sequence[int]], people: People
) -> tuple[tuple[str, str], ...]:
    """The other orders, a title and a query each, for the same people and faces.

    The faces of ties are left out: they mean something else in another order.
    """
    texts = {}
    for name in SYSTEMS:
        index = group_names(people, TURN_SYSTEMS[name])
        first = {group: each[:1] for group, each in faces.items() if group in index.names}
        texts[name] = write_initiative(first, index)
    return tuple(
        (title, query_string({**fields, "system": _typed(name), "faces": texts[name]}))
        for name, title in SYSTEMS.items()
        if name != system
    )


def _placed(problem: Problem) -> Problem:
    """A problem of the engine at the control that it comes from."""
    if problem.code.startswith("ambush.") or problem.where.startswith(("ambush", "steps")):
        return replace(problem, where="ambush")
    return replace(problem, where="faces" if problem.code.startswith("initiative.") else "who")


def _summary(system: str, order: Order) -> str:
    if not order.rows:
        return order.after.text
    places = [f"{each.name}{f' {each.figure.value}' if each.figure else ''}" for each in order.rows]
    return one_line(f"{SYSTEMS[system]}: {', '.join(places)}.", WORDS_LIMIT)


# Who rolls, and the order as the engine finds it


def counted(order: AnySystem) -> tuple[Field, ...]:
    """The words that count in an order."""
    own = [field.key for field in order.character_fields] or ["stealth", "detection", "group"]
    return tuple(field for key, field in WORDS.items() if key in own)


def numbers_of(order: AnySystem) -> tuple[Field, ...]:
    """The words that count in an order and are numbers: each has a column in the rows."""
    return tuple(field for field in counted(order) if field.kind == "number")


def _row(told: Mapping[str, Any], order: AnySystem) -> Row:
    return Row(told["id"], told["name"], tuple((each.key, told.get(each.key, 0)) for each in numbers_of(order)))


def read_people(text: str, order: AnySystem) -> People:
    """Read the lines; one without a colon is a name alone. Never raises."""
    own = counted(order)
    words = tuple(dict.fromkeys((*own, *WORDS.values())))
    bare = next((field.key for field in own if order.character_fields and field.kind == "number"), "")
    return read_lines(text, order, words, bare)


def groups_of(people: People, order: AnySystem) -> dict[str, str]:
    """The id of the group of everyone's id: in Scratch and in choose-next several may share one roll.

    Rules: `turn.group`, `seize.gm-roll`.
    """
    is_shared = WORDS["group"] in counted(order)
    return {each["id"]: each.get("group", each["id"]) if is_shared else each["id"] for each in people.characters}


def group_names(people: People, order: AnySystem) -> NameIndex:
    """Return the groups that roll, by their names and those of their members. Rule: `turn.group`."""
    groups = groups_of(people, order)
    return NameIndex.of_groups((groups[each["id"]], each["name"], each["id"]) for each in people.characters)


def find_order(
    people: People, order: AnySystem, start: Mapping[str, Any], faces: Mapping[str, Sequence[int]], roller: Roller
) -> Order:
    """Begin a fight by the engine, after the rolls of an ambush, and read the order off it.

    Raises `ScratchError` for what can't go together. Rules: `turn.order`, `mano.surprise.two-rolls`,
    `mano.order.seating`, `mano-old.order.seating`, `seize.highest-first`.
    """
    characters = [_table(each, order) for each in people.characters]
    scenario = scenario_from_dict({"format": FORMAT, "system": order.name, "characters": characters, **start})
    system, state = scenario.system, scenario.initial_state
    for step in scenario.steps:
        decision = system.decide(state, step.action)
        if decision.problems:
            raise ScratchError(*decision.problems)
        state = system.apply_events(state, decision.events)
    begun = system.begin(state, roller, faces)
    rows, after = system.explain_order(system.apply_events(state, begun.events), begun.rolls)
    return Order(rows, after, {each.who: each.faces for each in begun.rolls})


def _table(told: Mapping[str, Any], order: AnySystem) -> dict[str, Any]:
    """Someone as a scenario has it: what its line says and the order asks for; what must be there besides is 1."""
    needed = {field.key: 1 for field in order.character_fields if field.default is None}
    table = {key: told[key] for key in ("id", "name", *(field.key for field in counted(order))) if key in told}
    if order.character_fields:
        return {**needed, **table}
    levels = {field.key: table.pop(field.key) for field in LEVELS if field.key in table}
    return {**table, "abilities": {"toughness": 1, **{name: level for name, level in levels.items() if level}}}
