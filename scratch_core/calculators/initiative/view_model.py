"""What the template of the initiative calculator prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.characters_text import ParsedCharacters
from scratch_core.calculators.characters_text.chooser import Chooser, build_chooser_if_open
from scratch_core.calculators.characters_text.fighter_lines import list_head_and_ambush_fields
from scratch_core.calculators.initiative.answer import InitiativeAnswer, choose_start_control, list_rulings
from scratch_core.calculators.initiative.commands import InitiativeSession
from scratch_core.calculators.initiative.participants import (
    build_group_index,
    list_counted_fields,
    list_number_fields,
    map_groups_by_character_id,
)
from scratch_core.calculators.initiative.request import SYSTEM_TITLES, InitiativeRequest
from scratch_core.calculators.initiative.turn_order import InitiativeOrder
from scratch_core.calculators.shared.house_rules import RulingChoice, build_ruling_choice
from scratch_core.calculators.shared.limits import shorten_problem, truncate_line
from scratch_core.calculators.shared.names import choose_example_names, format_initiative_faces, format_rolls_example
from scratch_core.calculators.shared.page_view import PageView
from scratch_core.calculators.shared.query import format_query
from scratch_core.rulebook import RULE_OPTIONS
from scratch_core.scenario import TURN_SYSTEMS, AnySystem
from scratch_core.turn_systems import Field

MAX_PROBLEMS = 12
"""The most problems that are shown."""
EXAMPLE_ROLLS = "Ash 12, Birch 17"
"""The example of typed rolls without characters."""
MAX_SUMMARY_LENGTH = 300
"""The most characters of the summary, and of each half of a problem."""


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
class View(PageView):
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
    rolls_example: str = ""
    """An example of rolls as a user types them."""
    rolled_faces: str = ""
    """The faces of the order, as a user types them; "" without an order."""
    systems: tuple[tuple[str, str], ...] = tuple(SYSTEM_TITLES.items())
    """The turn systems to choose from: names and titles."""

    @property
    def used_controls(self) -> tuple[str, ...]:
        """The controls that this turn system uses.

        The others keep their text for another turn system.
        """
        head = (choose_start_control(field.key) for field in list_head_and_ambush_fields(TURN_SYSTEMS[self.system]))
        return tuple(dict.fromkeys(("system", "who", *head, *list_rulings(TURN_SYSTEMS[self.system]), "faces")))

    @property
    def example_names(self) -> tuple[str, str]:
        """Two names for examples, those of the first characters if there are two."""
        return choose_example_names([each.name for each in self.rows], ("Ash", "Birch"))

    @property
    def ruling_choices(self) -> tuple[RulingChoice, ...]:
        """The rulings that matter for the turn order in this turn system."""
        return tuple(
            build_ruling_choice(each) for each in RULE_OPTIONS if each.name in list_rulings(TURN_SYSTEMS[self.system])
        )


def build_view(request: InitiativeRequest, session: InitiativeSession, answer: InitiativeAnswer) -> View:
    """Build the view with the order, if there is one."""
    system, participants, order = request.system, session.participants, answer.order
    index, groups = build_group_index(participants, system), map_groups_by_character_id(participants, system)
    rolled_faces = "" if order is None else format_initiative_faces(order.faces, index)
    link_fields = {name: text.strip() for name, text in session.fields.items()}
    link_fields["system"] = _format_system_for_query(link_fields["system"])
    link_fields["faces"] = rolled_faces or link_fields["faces"]
    other_systems: tuple[tuple[str, str], ...] = ()
    if order is not None:
        faces = order.faces or answer.given_faces
        other_systems = _list_other_system_titles_and_queries(request.system_name, link_fields, faces, participants)
    return View(
        query=format_query(link_fields),
        summary="" if order is None else _format_summary(request.system_name, order),
        # problems quote names as typed, which may be long
        problems=tuple(shorten_problem(each, MAX_SUMMARY_LENGTH) for each in answer.problems[:MAX_PROBLEMS]),
        fields=session.fields,
        system=request.system_name,
        order=order,
        is_waiting_for_dice=answer.is_waiting_for_dice,
        rows=tuple(_build_row(each, system) for each in participants.characters),
        number_fields=list_number_fields(system),
        rolls_example=format_rolls_example(
            ((groups[each["id"]], each["name"]) for each in participants.characters), index, EXAMPLE_ROLLS
        ),
        updated_fields=session.updated_fields,
        unused_words=_list_unused_keys(participants, system),
        other_systems=other_systems,
        chooser=build_chooser_if_open(request.query),
        has_added_characters=session.has_added_characters,
        rolled_faces=rolled_faces,
    )


def _build_row(character: Mapping[str, Any], system: AnySystem) -> ParticipantRow:
    """Build the editable row of a character."""
    numbers = tuple((field.key, character.get(field.key, 0)) for field in list_number_fields(system))
    return ParticipantRow(character["id"], character["name"], numbers)


def _list_unused_keys(participants: ParsedCharacters, system: AnySystem) -> tuple[str, ...]:
    """List the keys of fields in the lines that a turn system doesn't use."""
    used_keys = ("id", "name", *(field.key for field in list_counted_fields(system)))
    return tuple(dict.fromkeys(key for each in participants.characters for key in each if key not in used_keys))


def _format_system_for_query(system_name: str) -> str:
    """Format the name of a turn system for a query, which leaves out `scratch`."""
    return "" if system_name == "scratch" else system_name


def _drop_fields_with_other_meaning(fields: Mapping[str, str], system_name: str, other_name: str) -> dict[str, str]:
    """Return the fields without those that mean something else in the other turn system."""
    ours, theirs = (
        {
            choose_start_control(field.key): (field.key, field.type)
            for field in list_head_and_ambush_fields(TURN_SYSTEMS[each])
        }
        for each in (system_name, other_name)
    )
    changed = {control for control in ours.keys() & theirs.keys() if ours[control] != theirs[control]}
    return {name: text for name, text in fields.items() if name not in changed}


def _list_other_system_titles_and_queries(
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
        face_texts[name] = format_initiative_faces(first_faces, index)
    return tuple(
        (
            title,
            format_query(
                {
                    **_drop_fields_with_other_meaning(fields, system_name, name),
                    "system": _format_system_for_query(name),
                    "faces": face_texts[name],
                }
            ),
        )
        for name, title in SYSTEM_TITLES.items()
        if name != system_name
    )


def _format_summary(system_name: str, order: InitiativeOrder) -> str:
    """Format the turn order as a sentence: names and totals."""
    if not order.rows:
        return order.after_reason.text
    entries = [f"{each.name}{f' {each.figure.value}' if each.figure else ''}" for each in order.rows]
    return truncate_line(f"{SYSTEM_TITLES[system_name]}: {', '.join(entries)}.", MAX_SUMMARY_LENGTH)
