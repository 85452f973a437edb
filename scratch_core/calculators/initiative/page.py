"""The initiative calculator: roll initiative for characters in any turn system, and explain the turn order."""

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
"""The titles of the turn systems, by their names in a query."""

CONTROLS = ("system", "who", "first", "ambush", "detection_multiplier", "seize_on_total", "faces")
"""The names of all controls, in the order of the canonical query.

The controls of the rows are left out, because rows are built from `who` and edit it: `name-1`, `stealth-1` and so on,
`rows` for the lines that the rows show, `change` for added and removed rows, and `thrown` for the faces of their order.
"""

ADD_COMMAND, REMOVE_COMMAND = "add", "remove "
"""The commands of the rows' buttons; the second is followed by the id of the character to remove."""

MAX_PROBLEMS = 12
"""The most problems that are shown."""
MAX_SUMMARY_LENGTH = 300
"""The most characters of the summary, and of each half of a problem."""

LEVEL_FIELDS = (
    Field("stealth", "number", 0, "its level", 0, 100, rule="stealth.initiative"),
    Field("detection", "number", 0, "its level", 0, 100, rule="detection.initiative"),
)
"""The levels of a character that matter in Scratch's own turn system."""

FIELDS_BY_WORD: Mapping[str, Field] = {
    field.key: field
    for field in (
        *LEVEL_FIELDS,
        *(field for order in VARIANT_TURN_SYSTEMS.values() for field in order.character_fields),
    )
    if field in LEVEL_FIELDS or field.key in ("reach", "group", "bonus")
}
"""The fields that a line may have after a name, by key.

A line may have fields that only another turn system uses.
Rules: `stealth.initiative`, `detection.initiative`, `turn.group`, `mano.start.reach`, `mano-old.initiative.reach`,
`seize.bonus`, `seize.gm-roll`."""


@dataclass(frozen=True, slots=True)
class InitiativeOrder:
    """A turn order with its reasons and dice."""

    rows: tuple[TurnOrderEntry, ...]
    """The entries of the turn order."""
    after_reason: Reason
    """How the order continues after the last entry, with the rule for that."""
    faces: Mapping[str, tuple[int, ...]]
    """The faces of each roll, by the id of the character or group that rolled."""


@dataclass(frozen=True, slots=True)
class ParticipantRow:
    """An editable row for a character."""

    id: str
    """The character's id."""
    name: str
    """The character's name."""
    numbers: tuple[tuple[str, int], ...]
    """The numbers that the turn system uses: the key and the value of each."""


@dataclass(frozen=True, slots=True)
class View(form.View):
    """What the template prints."""

    system: str
    """The name of the turn system."""
    order: InitiativeOrder | None = None
    """The turn order. None if there is an error, and before the dice are rolled."""
    is_waiting_for_dice: bool = False
    """Whether there is no order only because dice are missing."""
    rows: tuple[ParticipantRow, ...] = ()
    """An editable row for each character."""
    number_fields: tuple[Field, ...] = ()
    """The fields of the numbers in each row."""
    updated_fields: frozenset[str] = frozenset()
    """What this answer has changed: `who` if the lines were changed, `rows` if the rows are new."""
    unused_words: tuple[str, ...] = ()
    """The keys of fields in the lines that this turn system doesn't use."""
    other_systems: tuple[tuple[str, str], ...] = ()
    """The same characters and faces in the other turn systems: a title and a query each."""
    chooser: Chooser | None = None
    """The chooser of characters, None while it is closed."""
    has_added_characters: bool = False
    """Whether this request has added characters from the chooser."""
    rolled_faces: str = ""
    """The faces of the order, as a user types them; "" without an order."""
    systems: tuple[tuple[str, str], ...] = tuple(SYSTEM_TITLES.items())
    """The turn systems to choose from: names and titles."""

    @property
    def used_controls(self) -> tuple[str, ...]:
        """The controls that this turn system uses.

        The others keep their text for another turn system.
        """
        head = (_choose_control(field.key) for field in list_head_fields(TURN_SYSTEMS[self.system]))
        return tuple(dict.fromkeys(("system", "who", *head, *_list_rulings(TURN_SYSTEMS[self.system]), "faces")))

    @property
    def example_names(self) -> tuple[str, str]:
        """Two names for examples, those of the first characters if there are two."""
        return choose_example_names([each.name for each in self.rows], ("Ash", "Birch"))

    @property
    def rolls_example(self) -> str:
        """An example of rolls as a user types them."""
        return format_rolls_example(self.example_names)

    @property
    def ruling_choices(self) -> tuple[RulingChoice, ...]:
        """The rulings that matter for the turn order in this turn system."""
        return tuple(
            build_ruling_choice(each) for each in RULE_OPTIONS if each.name in _list_rulings(TURN_SYSTEMS[self.system])
        )


def view(query: Query, roller: Roller | None) -> View:
    """Roll initiative for the characters of a query.

    The controls are `system`, `who` with a line for each character, `first`, `ambush`, `faces` (`ash 12, birch 17 4`)
    and rulings. The roller, if there is one, rolls the dice that `faces` doesn't record. Without both, the faces in
    `example` count. Never raises; each problem names its control. Rules: `turn.initiative-roll`, `mano.start.first`,
    `mano-old.initiative.reach`, `seize.roll`.
    """
    return _InitiativeForm(query, roller).build_view()


class _InitiativeForm(form.Form):
    """A query that is being answered. Each step reports its problems and continues."""

    def __init__(self, query: Query, roller: Roller | None) -> None:
        super().__init__(query, {name: query.text(name) for name in CONTROLS})
        self.roller = None if "act" in query else roller  # buttons of the chooser roll no dice
        self.add_cut_problem("who")
        self.updated_fields: frozenset[str] = frozenset()
        self.given_faces: Mapping[str, Sequence[int]] = {}
        self.faces_with_ties: Mapping[str, Sequence[int]] = {}

    def build_view(self) -> View:
        """Parse the controls, compute the order and build the view."""
        system_name = self.parse_system()
        system = TURN_SYSTEMS[system_name]
        participants = self.parse_participants_field(system)
        self.problems.extend_at("who", participants.problems)
        start = self.parse_start(participants, system)
        faces = self.given_faces = self.parse_faces_field(participants, system)
        if not participants.characters or self.has_errors:
            return self.finish_view(system_name, participants)
        problems: Sequence[Problem] = ()
        # A changed row may have ended a tie: use the tie-break faces only if the first faces still tie.
        attempts = [faces, self.faces_with_ties] if self.faces_with_ties else [faces]
        for attempt in attempts:
            try:
                order = compute_order(participants, system, start, attempt, self.roller or NoDice())
                return self.finish_view(system_name, participants, order)
            except ScratchError as error:
                problems = problems or error.problems
        if problems[0].code == "fight.dice":
            return self.finish_view(system_name, participants, is_waiting=True)
        self.problems += (each.move_to(_choose_error_control(each)) for each in problems)
        return self.finish_view(system_name, participants)

    def parse_system(self) -> str:
        """Parse the name of the turn system.

        Returns `scratch` if there is none. Reports an unknown name, and returns `scratch`, too.
        """
        typed = self.fields["system"].strip().lower()
        if typed in SYSTEM_TITLES:
            return typed
        if typed:
            self.problems.report_value("initiative.system", f"one of {', '.join(SYSTEM_TITLES)}", typed, "system")
        return "scratch"

    def parse_participants_field(self, system: AnySystem) -> ParsedCharacters:
        """Parse the lines of `who`, after the edits of the rows.

        Ignores edits if the rows show other lines, because the user has typed new ones. Removed rows, added rows and
        characters from the chooser change the lines, too.
        """
        before, changes = self.fields["who"], self.query.text("change").strip()
        participants = parse_participants(before, system)
        has_current_rows = before.split() == self.query.text("rows").split()
        if has_current_rows:
            self.fields["who"] = self.apply_row_edits(participants, system)
        commands = [each.strip() for each in changes.split(";")]
        numbered = zip(participants.line_numbers, participants.characters, strict=True)
        removed = {number for number, character in numbered if f"{REMOVE_COMMAND}{character['id']}" in commands}
        lines = [line for number, line in enumerate(self.fields["who"].splitlines(), 1) if number not in removed]
        new_count = commands.count(ADD_COMMAND)
        added = (f"Fighter {len(participants.characters) + number}" for number in range(1, new_count + 1))
        self.added_characters, problems = list_added_characters(self.query, "who", self.fields["who"])
        self.problems += problems
        chosen = parse_setup("\n\n".join(chain.from_iterable(blocks for _, blocks in self.added_characters))).characters
        self.fields["who"] = "\n".join((*lines, *added, *map(format_sheet_line, chosen)))
        has_changed = self.fields["who"].split() != before.split()
        updates = {"who": has_changed, "rows": bool(changes or self.added_characters) or not has_current_rows}
        self.updated_fields = frozenset(name for name, is_updated in updates.items() if is_updated)
        return parse_participants(self.fields["who"], system) if has_changed else participants

    def apply_row_edits(self, participants: ParsedCharacters, system: AnySystem) -> str:
        """Return the lines with the edits of their rows.

        A line that its row doesn't change remains as typed.
        """
        lines = self.fields["who"].splitlines()
        numbered = zip(participants.line_numbers, participants.characters, strict=True)
        for row, (line_number, character) in enumerate(numbered, 1):
            texts = {field: self.query.text(f"{field.key}-{row}").strip() for field in list_number_fields(system)}
            before = {**dict.fromkeys((field.key for field in texts), 0), **character}
            values = before | {field.key: field.type.parse(field, text) for field, text in texts.items() if text}
            name = truncate_line(self.query.text(f"name-{row}"), MAX_NAME_LENGTH).strip() or character["name"]
            if {**values, "name": name} != before:
                items = [format_item(key, values[key]) for key in FIELDS_BY_WORD if values.get(key)]
                lines[line_number - 1] = format_line(name, items)
        return "\n".join(lines)

    def parse_start(self, participants: ParsedCharacters, system: AnySystem) -> dict[str, Any]:
        """Parse the controls of the fight's beginning, without dice.

        Returns keys of a scenario. Ignores controls that the turn system doesn't use.
        """
        texts = {field.key: self.fields[_choose_control(field.key)] for field in list_head_fields(system)}
        head, steps, problems = parse_head(system, texts, participants.name_index)
        self.problems += (each.move_to(_choose_control(each.where)) for each in problems)
        return {**head, "steps": steps, "rulings": self.parse_settings(_list_rulings(system))}

    def parse_faces_field(self, participants: ParsedCharacters, system: AnySystem) -> dict[str, list[int]]:
        """Parse the recorded faces of each group.

        If there are none and no roller, returns the first face of each group in `thrown`, or else the faces of
        `example`. Reports problems only of `faces`.
        """
        text = self.fields["faces"]
        is_requested = bool(text.strip()) or self.roller is not None
        thrown = "" if is_requested else self.query.text("thrown")
        faces_by_group, problems = parse_initiative(
            text if is_requested else thrown or self.query.text("example"), build_group_index(participants, system)
        )
        if thrown:  # the faces of ties belong to the rows before the edit
            self.faces_with_ties = faces_by_group
            faces_by_group = {group: faces[:1] for group, faces in faces_by_group.items()}
        if is_requested:
            reported = problems if system.roll_keys else [replace(each, rule=None) for each in problems]
            self.problems.extend_at("faces", reported)
        return faces_by_group

    def finish_view(
        self,
        system_name: str,
        participants: ParsedCharacters,
        order: InitiativeOrder | None = None,
        is_waiting: bool = False,
    ) -> View:
        """Build the view with the order, if there is one."""
        system = TURN_SYSTEMS[system_name]
        fields = {name: text.strip() for name, text in self.fields.items()}
        fields["system"] = _format_system(fields["system"])
        used_keys = ("id", "name", *(field.key for field in list_counted_fields(system)))
        unused = dict.fromkeys(key for each in participants.characters for key in each if key not in used_keys)
        rolled_faces = "" if order is None else format_initiative(order.faces, build_group_index(participants, system))
        fields["faces"] = rolled_faces or fields["faces"]
        # problems quote names as typed, which may be long
        problems = [shorten_problem(each, MAX_SUMMARY_LENGTH) for each in self.problems[:MAX_PROBLEMS]]
        other_systems: tuple[tuple[str, str], ...] = ()
        if order is not None:
            other_systems = _list_other_systems(system_name, fields, order.faces or self.given_faces, participants)
        return View(
            format_query(fields),
            "" if order is None else _format_summary(system_name, order),
            tuple(problems),
            self.fields,
            system_name,
            order,
            is_waiting,
            tuple(_build_row(each, system) for each in participants.characters),
            list_number_fields(system),
            self.updated_fields,
            tuple(unused),
            other_systems,
            find_chooser(self.query),
            bool(self.added_characters),
            rolled_faces,
        )


def _list_rulings(system: AnySystem) -> tuple[str, ...]:
    """List the rulings with a control that a turn system uses."""
    return tuple(name for name in system.rule_options if name in CONTROLS)


def _choose_control(key: str) -> str:
    """Choose the control for a field of the fight's beginning."""
    return "first" if key == "first" else "ambush"


def format_sheet_line(character: Mapping[str, Any]) -> str:
    """Format a character of a stat block as a line.

    The line has the levels that matter in Scratch's own turn system.
    """
    levels = ((field.key, character["abilities"].get(field.key)) for field in LEVEL_FIELDS)
    return format_line(character["name"], [f"{key} {level}" for key, level in levels if level])


def _format_system(system_name: str) -> str:
    """Format the name of a turn system for a query, which leaves out `scratch`."""
    return "" if system_name == "scratch" else system_name


def _drop_changed_fields(fields: Mapping[str, str], system_name: str, other_name: str) -> dict[str, str]:
    """Return the fields without those that mean something else in the other turn system."""
    ours, theirs = (
        {_choose_control(field.key): (field.key, field.type) for field in list_head_fields(TURN_SYSTEMS[each])}
        for each in (system_name, other_name)
    )
    changed = {control for control in ours.keys() & theirs.keys() if ours[control] != theirs[control]}
    return {name: text for name, text in fields.items() if name not in changed}


def _list_other_systems(
    system_name: str, fields: Mapping[str, str], faces: Mapping[str, Sequence[int]], participants: ParsedCharacters
) -> tuple[tuple[str, str], ...]:
    """List titles and queries of the other turn systems for the same characters.

    The queries have the same faces, but not those of ties, which mean something else in another turn system. Also
    left out is a field of the beginning that has another meaning there.
    """
    face_texts = {}
    for name in SYSTEM_TITLES:
        index = build_group_index(participants, TURN_SYSTEMS[name])
        first_faces = {group: own_faces[:1] for group, own_faces in faces.items() if group in index.names_by_id}
        face_texts[name] = format_initiative(first_faces, index)
    return tuple(
        (
            title,
            format_query(
                {
                    **_drop_changed_fields(fields, system_name, name),
                    "system": _format_system(name),
                    "faces": face_texts[name],
                }
            ),
        )
        for name, title in SYSTEM_TITLES.items()
        if name != system_name
    )


def _choose_error_control(problem: Problem) -> str:
    """Choose the control that has caused a problem of the engine."""
    if problem.code.startswith("ambush.") or problem.location.path[:1] in (("ambush",), ("steps",)):
        return "ambush"
    return "faces" if problem.code.startswith("initiative.") else "who"


def _format_summary(system_name: str, order: InitiativeOrder) -> str:
    """Format the turn order as a sentence: names and totals."""
    if not order.rows:
        return order.after_reason.text
    entries = [f"{each.name}{f' {each.figure.value}' if each.figure else ''}" for each in order.rows]
    return truncate_line(f"{SYSTEM_TITLES[system_name]}: {', '.join(entries)}.", MAX_SUMMARY_LENGTH)


# The groups that roll, and the turn order that the engine computes


def list_counted_fields(system: AnySystem) -> tuple[Field, ...]:
    """List the fields of a line that a turn system uses."""
    own_keys = [field.key for field in system.character_fields] or ["stealth", "detection", "group"]
    return tuple(field for key, field in FIELDS_BY_WORD.items() if key in own_keys)


def list_number_fields(system: AnySystem) -> tuple[Field, ...]:
    """List the numeric fields of a line that a turn system uses.

    Each has a column in the rows.
    """
    return tuple(field for field in list_counted_fields(system) if field.type.is_numeric)


def _build_row(character: Mapping[str, Any], system: AnySystem) -> ParticipantRow:
    """Build the editable row of a character."""
    numbers = tuple((field.key, character.get(field.key, 0)) for field in list_number_fields(system))
    return ParticipantRow(character["id"], character["name"], numbers)


def parse_participants(text: str, system: AnySystem) -> ParsedCharacters:
    """Parse the lines of the characters.

    A line without a colon is only a name. Never raises.
    """
    own_fields = list_counted_fields(system)
    all_fields = tuple(dict.fromkeys((*own_fields, *FIELDS_BY_WORD.values())))
    bare_key = next((field.key for field in own_fields if system.character_fields and field.type.is_numeric), "")
    return parse_lines(text, system, all_fields, bare_key)


def map_groups(participants: ParsedCharacters, system: AnySystem) -> dict[str, str]:
    """Return the id of each character's group, by the character's id.

    Several characters may share a roll in Scratch and in choose-next. Otherwise, the group's id is the character's.
    Rules: `turn.group`, `seize.gm-roll`.
    """
    has_groups = FIELDS_BY_WORD["group"] in list_counted_fields(system)
    return {each["id"]: each.get("group", each["id"]) if has_groups else each["id"] for each in participants.characters}


def build_group_index(participants: ParsedCharacters, system: AnySystem) -> NameIndex:
    """Index the groups that roll by their names and those of their members. Rule: `turn.group`."""
    groups = map_groups(participants, system)
    return NameIndex.build_for_groups(
        (groups[each["id"]], each["name"], each["id"]) for each in participants.characters
    )


def compute_order(
    participants: ParsedCharacters,
    system: AnySystem,
    start: Mapping[str, Any],
    faces: Mapping[str, Sequence[int]],
    roller: Roller,
) -> InitiativeOrder:
    """Begin a fight in the engine and return its turn order.

    `start` has further keys of the scenario, such as the steps of an ambush, which are played first. `faces` are the
    recorded faces by group; the roller rolls the missing ones. Raises `ScratchError` if the characters or the start are
    invalid, or a die is missing (`fight.dice`). Rules: `turn.order`, `mano.surprise.two-rolls`, `mano.order.seating`,
    `mano-old.order.seating`, `seize.highest-first`.
    """
    characters = [_build_character_data(each, system) for each in participants.characters]
    scenario = scenario_from_dict({"format": SCENARIO_FORMAT, "system": system.name, "characters": characters, **start})
    engine, state = scenario.system, scenario.initial_state
    for step in scenario.steps:
        decision = engine.decide(state, step.action)
        if decision.problems:
            raise ScratchError(*decision.problems)
        state = engine.apply_events(state, decision.events)
    begun = engine.begin(state, roller, faces)
    rows, after_reason = engine.explain_turn_order(engine.apply_events(state, begun.events), begun.rolls)
    return InitiativeOrder(rows, after_reason, {each.who: each.faces for each in begun.rolls})


def _build_character_data(character: Mapping[str, Any], system: AnySystem) -> dict[str, Any]:
    """Build a character for a scenario file.

    It has the fields of its line that the turn system uses. Other required fields are 1.
    """
    required = {field.key: 1 for field in system.character_fields if field.default is None}
    keys = ("id", "name", *(field.key for field in list_counted_fields(system)))
    table = {key: character[key] for key in keys if key in character}
    if system.character_fields:
        return {**required, **table}
    levels = {field.key: table.pop(field.key) for field in LEVEL_FIELDS if field.key in table}
    return {**table, "abilities": {"toughness": 1, **{name: level for name, level in levels.items() if level}}}
