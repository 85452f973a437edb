"""The initiative calculator: who takes part and by which order; the dice, the order and why out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from scratch_core.calculators.characters_text import ParsedCharacters
from scratch_core.calculators.characters_text.chooser import Chooser, find_chooser, list_added_characters
from scratch_core.calculators.characters_text.fighter_lines import (
    format_item,
    format_line,
    list_head_fields,
    parse_head,
    parse_lines,
)
from scratch_core.calculators.characters_text.setup_text import parse_setup
from scratch_core.calculators.shared import form
from scratch_core.calculators.shared.form import (
    RulingChoice,
    build_ruling_choice,
    shorten_problem,
    truncate_line,
)
from scratch_core.calculators.shared.names import (
    NameIndex,
    choose_example_names,
    format_initiative,
    format_rolls_example,
    parse_initiative,
)
from scratch_core.calculators.shared.query import Query, format_query
from scratch_core.characters import MAX_NAME_LENGTH
from scratch_core.dice import Roller
from scratch_core.errors import Problem, ScratchError
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.rulebook import RULE_OPTIONS
from scratch_core.scenario import TURN_SYSTEMS, AnySystem, NoDice, scenario_from_dict
from scratch_core.turn_systems import Field, Reason, TurnOrderEntry
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

SYSTEM_TITLES: Mapping[str, str] = {name: order.title for name, order in TURN_SYSTEMS.items()}
"""The orders' titles by the name that the query gives them."""

CONTROLS = ("system", "who", "first", "ambush", "detection_multiplier", "seize_on_total", "faces")
"""The names of all controls, in the order of the canonical query.

None of them are those of the rows, which are made from `who` and change it: `name-1`, `stealth-1` and so on, of the
lines that `rows` holds; `change`, for what is added and removed; and `thrown`, the dice that the rows stand by.
"""

ADD_COMMAND, REMOVE_COMMAND = "add", "remove "
"""The commands of the rows' buttons; the second is followed by the id of the character to remove."""

MAX_PROBLEMS = 12
MAX_SUMMARY_LENGTH = 300

LEVEL_FIELDS = (
    Field("stealth", "number", 0, "its level", 0, 100, rule="stealth.initiative"),
    Field("detection", "number", 0, "its level", 0, 100, rule="detection.initiative"),
)
"""What of a sheet counts in Scratch's own order."""

FIELDS_BY_WORD: Mapping[str, Field] = {
    field.key: field
    for field in (
        *LEVEL_FIELDS,
        *(field for order in VARIANT_TURN_SYSTEMS.values() for field in order.character_fields),
    )
    if field in LEVEL_FIELDS or field.key in ("reach", "group", "bonus")
}
"""What a line may say behind a name, in every order; a line may have words that count only in others.

Rules: `stealth.initiative`, `detection.initiative`, `turn.group`, `mano.start.reach`, `mano-old.initiative.reach`,
`seize.bonus`, `seize.gm-roll`."""


@dataclass(frozen=True, slots=True)
class InitiativeOrder:
    """The rows, a sentence of what holds after them, with its rule, and every face by the id that it was thrown for."""

    rows: tuple[TurnOrderEntry, ...]
    after_reason: Reason
    faces: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class ParticipantRow:
    """Someone who takes part, to be changed: the id, the name, and the numbers that count by their words."""

    id: str
    name: str
    numbers: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class View(form.View):
    """What the template prints.

    `order` is None while something is wrong or a die has not fallen yet; `is_waiting_for_dice` says that it is the
    dice. `rows` are those who take part, `number_fields` the numbers that they have. `updated_fields` names what this
    answer has set: `who` by the rows, or the `rows` by anything else. `unused_words` are the words given that this
    order doesn't use; `other_systems` are the same people, and the same faces, in the other orders: a title and a query
    each. `has_added_characters` says that people were chosen by this press. `rolled_faces` are the faces that the order
    stands by, as they are typed.
    """

    system: str
    order: InitiativeOrder | None = None
    is_waiting_for_dice: bool = False
    rows: tuple[ParticipantRow, ...] = ()
    number_fields: tuple[Field, ...] = ()
    updated_fields: frozenset[str] = frozenset()
    unused_words: tuple[str, ...] = ()
    other_systems: tuple[tuple[str, str], ...] = ()
    chooser: Chooser | None = None
    has_added_characters: bool = False
    rolled_faces: str = ""
    systems: tuple[tuple[str, str], ...] = tuple(SYSTEM_TITLES.items())

    @property
    def used_controls(self) -> tuple[str, ...]:
        """The controls that count; what stands in the others is kept for when it counts again."""
        head = (_choose_control(field.key) for field in list_head_fields(TURN_SYSTEMS[self.system]))
        return tuple(dict.fromkeys(("system", "who", *head, *_list_rulings(TURN_SYSTEMS[self.system]), "faces")))

    @property
    def example_names(self) -> tuple[str, str]:
        """Return two names of this fight for examples."""
        return choose_example_names([each.name for each in self.rows], ("Ash", "Birch"))

    @property
    def rolls_example(self) -> str:
        """Return how rolls are typed."""
        return format_rolls_example(self.example_names)

    @property
    def ruling_choices(self) -> tuple[RulingChoice, ...]:
        """The rulings that matter here."""
        return tuple(
            build_ruling_choice(each) for each in RULE_OPTIONS if each.name in _list_rulings(TURN_SYSTEMS[self.system])
        )


def view(query: Query, roller: Roller | None) -> View:
    """Answer a query: `system`, `who` (a line each), `first`, `ambush`, `faces` (`ash 12, birch 17 4`) and rulings.

    Faces given are used, what is missing is thrown if there is a roller; without one the faces in `example` will do.
    Never raises; each problem names its control. Rules: `turn.initiative-roll`, `mano.start.first`,
    `mano-old.initiative.reach`, `seize.roll`.
    """
    return _InitiativeForm(query, roller).build_view()


class _InitiativeForm(form.Form):
    """One query while it is answered: each step notes its problems and goes on."""

    def __init__(self, query: Query, roller: Roller | None) -> None:
        super().__init__(query, {name: query.text(name) for name in CONTROLS})
        self.roller = None if "act" in query else roller  # a press in the chooser rolls no dice
        self.add_cut_problem("who")
        self.updated_fields: frozenset[str] = frozenset()
        self.given_faces: Mapping[str, Sequence[int]] = {}
        self.faces_with_ties: Mapping[str, Sequence[int]] = {}

    def build_view(self) -> View:
        system = self.parse_system()
        order = TURN_SYSTEMS[system]
        people = self.parse_participants_field(order)
        self.problems.extend_at("who", people.problems)
        tree = self.parse_start(people, order)
        faces = self.given_faces = self.parse_faces_field(people, order)
        if not people.characters or self.has_errors:
            return self.finish_view(system, people)
        problems: Sequence[Problem] = ()
        # A changed row may have ended a tie: use the tie-break faces only if the first faces still tie.
        attempts = [faces, self.faces_with_ties] if self.faces_with_ties else [faces]
        for attempt in attempts:
            try:
                found = compute_order(people, order, tree, attempt, self.roller or NoDice())
                return self.finish_view(system, people, found)
            except ScratchError as error:
                problems = problems or error.problems
        if problems[0].code == "fight.dice":
            return self.finish_view(system, people, is_waiting=True)
        self.problems += (each.move_to(_choose_error_control(each)) for each in problems)
        return self.finish_view(system, people)

    def parse_system(self) -> str:
        typed = self.fields["system"].strip().lower()
        if typed in SYSTEM_TITLES:
            return typed
        if typed:
            self.problems.report_value("initiative.system", f"one of {', '.join(SYSTEM_TITLES)}", typed, "system")
        return "scratch"

    def parse_participants_field(self, order: AnySystem) -> ParsedCharacters:
        """Those on the lines, after what was done in the rows; lines typed anew count before rows made of others."""
        before, changes = self.fields["who"], self.query.text("change").strip()
        people = parse_participants(before, order)
        is_of_rows = before.split() == self.query.text("rows").split()
        if is_of_rows:
            self.fields["who"] = self.apply_row_edits(people, order)
        asked = [each.strip() for each in changes.split(";")]
        both = zip(people.line_numbers, people.characters, strict=True)
        gone = {number for number, told in both if f"{REMOVE_COMMAND}{told['id']}" in asked}
        lines = [line for number, line in enumerate(self.fields["who"].splitlines(), 1) if number not in gone]
        added = (f"Fighter {len(people.characters) + n}" for n in range(1, asked.count(ADD_COMMAND) + 1))
        self.added_characters = list_added_characters(self, "who", self.fields["who"])
        chosen = parse_setup("\n\n".join(chain.from_iterable(blocks for _, blocks in self.added_characters))).characters
        self.fields["who"] = "\n".join((*lines, *added, *map(format_sheet_line, chosen)))
        is_other = self.fields["who"].split() != before.split()
        fresh = {"who": is_other, "rows": bool(changes or self.added_characters) or not is_of_rows}
        self.updated_fields = frozenset(name for name, is_set in fresh.items() if is_set)
        return parse_participants(self.fields["who"], order) if is_other else people

    def apply_row_edits(self, people: ParsedCharacters, order: AnySystem) -> str:
        """The lines with what stands in their rows; a line that its row agrees with stays as it was typed."""
        lines = self.fields["who"].splitlines()
        for place, (number, told) in enumerate(zip(people.line_numbers, people.characters, strict=True), 1):
            typed = {field: self.query.text(f"{field.key}-{place}").strip() for field in list_number_fields(order)}
            before = {**dict.fromkeys((field.key for field in typed), 0), **told}
            values = before | {field.key: field.type.parse(field, text) for field, text in typed.items() if text}
            name = truncate_line(self.query.text(f"name-{place}"), MAX_NAME_LENGTH).strip() or told["name"]
            if {**values, "name": name} != before:
                said = [format_item(key, values[key]) for key in FIELDS_BY_WORD if values.get(key)]
                lines[number - 1] = format_line(name, said)
        return "\n".join(lines)

    def parse_start(self, people: ParsedCharacters, order: AnySystem) -> dict[str, Any]:
        """What a scenario has of the beginning, the dice left out; only the controls that count are read."""
        given = {field.key: self.fields[_choose_control(field.key)] for field in list_head_fields(order)}
        head, steps, problems = parse_head(order, given, people.name_index)
        self.problems += (each.move_to(_choose_control(each.where)) for each in problems)
        return {**head, "steps": steps, "rulings": self.parse_settings(_list_rulings(order))}

    def parse_faces_field(self, people: ParsedCharacters, order: AnySystem) -> dict[str, list[int]]:
        """The faces given; while no one asks for a roll, those of a worked example will do."""
        text = self.fields["faces"]
        is_asked = bool(text.strip()) or self.roller is not None
        thrown = "" if is_asked else self.query.text("thrown")
        found, problems = parse_initiative(
            text if is_asked else thrown or self.query.text("example"), build_group_index(people, order)
        )
        if thrown:  # a tie's faces belong to the rows of before
            self.faces_with_ties = found
            found = {group: faces[:1] for group, faces in found.items()}
        if is_asked:
            shown = problems if order.roll_keys else [replace(each, rule=None) for each in problems]
            self.problems.extend_at("faces", shown)
        return found

    def finish_view(
        self, system: str, people: ParsedCharacters, order: InitiativeOrder | None = None, is_waiting: bool = False
    ) -> View:
        fields = {name: text.strip() for name, text in self.fields.items()}
        fields["system"] = _format_system(fields["system"])
        keys = [field.key for field in list_counted_fields(TURN_SYSTEMS[system])]
        unused = dict.fromkeys(key for each in people.characters for key in each if key not in ("id", "name", *keys))
        thrown = (
            "" if order is None else format_initiative(order.faces, build_group_index(people, TURN_SYSTEMS[system]))
        )
        fields["faces"] = thrown or fields["faces"]
        # names come into the words of problems as they were typed
        problems = [shorten_problem(each, MAX_SUMMARY_LENGTH) for each in self.problems[:MAX_PROBLEMS]]
        return View(
            format_query(fields),
            "" if order is None else _format_summary(system, order),
            tuple(problems),
            self.fields,
            system,
            order,
            is_waiting,
            tuple(_build_row(each, TURN_SYSTEMS[system]) for each in people.characters),
            list_number_fields(TURN_SYSTEMS[system]),
            self.updated_fields,
            tuple(unused),
            () if order is None else _list_other_systems(system, fields, order.faces or self.given_faces, people),
            find_chooser(self.query),
            bool(self.added_characters),
            thrown,
        )


def _list_rulings(order: AnySystem) -> tuple[str, ...]:
    """The rulings that matter to the beginning in an order of turns, each a control."""
    return tuple(name for name in order.rule_options if name in CONTROLS)


def _choose_control(key: str) -> str:
    """The control in which a field of the beginning is typed."""
    return "first" if key == "first" else "ambush"


def format_sheet_line(told: Mapping[str, Any]) -> str:
    """Someone of a stat block as a line, with the levels that count in Scratch's own order."""
    levels = ((field.key, told["abilities"].get(field.key)) for field in LEVEL_FIELDS)
    return format_line(told["name"], [f"{key} {level}" for key, level in levels if level])


def _format_system(system: str) -> str:
    """An order's name as the query has it: Scratch's own needs none."""
    return "" if system == "scratch" else system


def _drop_changed_fields(fields: Mapping[str, str], system: str, other: str) -> dict[str, str]:
    """Return the fields without those that mean something else in the other turn system."""
    ours, theirs = (
        {_choose_control(field.key): (field.key, field.type) for field in list_head_fields(TURN_SYSTEMS[each])}
        for each in (system, other)
    )
    changed = {control for control in ours.keys() & theirs.keys() if ours[control] != theirs[control]}
    return {name: text for name, text in fields.items() if name not in changed}


def _list_other_systems(
    system: str, fields: Mapping[str, str], faces: Mapping[str, Sequence[int]], people: ParsedCharacters
) -> tuple[tuple[str, str], ...]:
    """List titles and queries of the other turn systems for the same characters and faces.

    The faces of ties are left out: they mean something else in another system. So does a field of the beginning that
    the other system has, too, but of another kind.
    """
    texts = {}
    for name in SYSTEM_TITLES:
        index = build_group_index(people, TURN_SYSTEMS[name])
        first = {group: each[:1] for group, each in faces.items() if group in index.names_by_id}
        texts[name] = format_initiative(first, index)
    return tuple(
        (
            title,
            format_query(
                {**_drop_changed_fields(fields, system, name), "system": _format_system(name), "faces": texts[name]}
            ),
        )
        for name, title in SYSTEM_TITLES.items()
        if name != system
    )


def _choose_error_control(problem: Problem) -> str:
    """Choose the control that a problem of the engine comes from."""
    if problem.code.startswith("ambush.") or problem.location.path[:1] in (("ambush",), ("steps",)):
        return "ambush"
    return "faces" if problem.code.startswith("initiative.") else "who"


def _format_summary(system: str, order: InitiativeOrder) -> str:
    if not order.rows:
        return order.after_reason.text
    places = [f"{each.name}{f' {each.figure.value}' if each.figure else ''}" for each in order.rows]
    return truncate_line(f"{SYSTEM_TITLES[system]}: {', '.join(places)}.", MAX_SUMMARY_LENGTH)


# Who rolls, and the order as the engine finds it


def list_counted_fields(order: AnySystem) -> tuple[Field, ...]:
    """The words that count in an order."""
    own = [field.key for field in order.character_fields] or ["stealth", "detection", "group"]
    return tuple(field for key, field in FIELDS_BY_WORD.items() if key in own)


def list_number_fields(order: AnySystem) -> tuple[Field, ...]:
    """The words that count in an order and are numbers: each has a column in the rows."""
    return tuple(field for field in list_counted_fields(order) if field.type.is_numeric)


def _build_row(told: Mapping[str, Any], order: AnySystem) -> ParticipantRow:
    return ParticipantRow(
        told["id"], told["name"], tuple((each.key, told.get(each.key, 0)) for each in list_number_fields(order))
    )


def parse_participants(text: str, order: AnySystem) -> ParsedCharacters:
    """Read the lines; one without a colon is a name alone. Never raises."""
    own = list_counted_fields(order)
    words = tuple(dict.fromkeys((*own, *FIELDS_BY_WORD.values())))
    bare = next((field.key for field in own if order.character_fields and field.type.is_numeric), "")
    return parse_lines(text, order, words, bare)


def map_groups(people: ParsedCharacters, order: AnySystem) -> dict[str, str]:
    """The id of the group of everyone's id: in Scratch and in choose-next several may share one roll.

    Rules: `turn.group`, `seize.gm-roll`.
    """
    is_shared = FIELDS_BY_WORD["group"] in list_counted_fields(order)
    return {each["id"]: each.get("group", each["id"]) if is_shared else each["id"] for each in people.characters}


def build_group_index(people: ParsedCharacters, order: AnySystem) -> NameIndex:
    """Return the groups that roll, by their names and those of their members. Rule: `turn.group`."""
    groups = map_groups(people, order)
    return NameIndex.build_for_groups((groups[each["id"]], each["name"], each["id"]) for each in people.characters)


def compute_order(
    people: ParsedCharacters,
    order: AnySystem,
    start: Mapping[str, Any],
    faces: Mapping[str, Sequence[int]],
    roller: Roller,
) -> InitiativeOrder:
    """Begin a fight by the engine, after the rolls of an ambush, and read the order off it.

    Raises `ScratchError` for what can't go together. Rules: `turn.order`, `mano.surprise.two-rolls`,
    `mano.order.seating`, `mano-old.order.seating`, `seize.highest-first`.
    """
    characters = [_build_character_data(each, order) for each in people.characters]
    scenario = scenario_from_dict({"format": SCENARIO_FORMAT, "system": order.name, "characters": characters, **start})
    system, state = scenario.system, scenario.initial_state
    for step in scenario.steps:
        decision = system.decide(state, step.action)
        if decision.problems:
            raise ScratchError(*decision.problems)
        state = system.apply_events(state, decision.events)
    begun = system.begin(state, roller, faces)
    rows, after = system.explain_turn_order(system.apply_events(state, begun.events), begun.rolls)
    return InitiativeOrder(rows, after, {each.who: each.faces for each in begun.rolls})


def _build_character_data(told: Mapping[str, Any], order: AnySystem) -> dict[str, Any]:
    """Someone as a scenario has it: what its line says and the order asks for; what must be there besides is 1."""
    needed = {field.key: 1 for field in order.character_fields if field.default is None}
    table = {
        key: told[key] for key in ("id", "name", *(field.key for field in list_counted_fields(order))) if key in told
    }
    if order.character_fields:
        return {**needed, **table}
    levels = {field.key: table.pop(field.key) for field in LEVEL_FIELDS if field.key in table}
    return {**table, "abilities": {"toughness": 1, **{name: level for name, level in levels.items() if level}}}
