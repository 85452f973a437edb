"""Validation of a tree: tables, texts and fields, with the place of every problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scratch_core.board import Board
from scratch_core.dice import is_face
from scratch_core.encounter.turn_system import SCRATCH
from scratch_core.errors import MISSING_VALUE, Location, Problem, Problems, format_input
from scratch_core.rulebook import RulingSettings
from scratch_core.scenario.parser import replace_unprintable_with_spaces
from scratch_core.scenario.records import AnySystem, Tree
from scratch_core.turn_systems import Field, InvalidFieldValue
from scratch_core.turn_systems.fields import format_key

MAX_STEPS = 1_000
MAX_CHARACTERS = 100
MAX_FACES = 100
MAX_TEXT_LENGTH = 10_000
MAX_PROBLEMS = 100
"""The limits of a file: steps, characters, faces in a list, characters of a text, and problems reported."""


ROOT = Location()
"""The location of the whole file."""


class Validator:
    """One pass over a tree, which collects problems and returns the valid values."""

    def __init__(self) -> None:
        self.problems = Problems()
        self.ids: list[str] = []
        self.system: AnySystem = SCRATCH
        self.rulings_now = RulingSettings()
        self.board: Board | None = None
        self.has_board = False
        self.known: dict[str, Mapping[str, Any]] = {}

    # Tables and texts

    def report_unknown_keys(self, table: Tree, known_keys: tuple[str, ...], where: Location) -> None:
        """Report each unknown key of a table."""
        for key in list(table)[:MAX_PROBLEMS]:
            if key not in known_keys:
                place = where / (format_key(key) or ("" if where else "''"))
                self.problems.report_value("scenario.value", f"one of {', '.join(known_keys)}", key, place)

    def parse_text_field(self, table: Tree, key: str, where: Location, max_length: int = MAX_TEXT_LENGTH) -> str:
        """Parse a text of at most `max_length` characters.

        `where` is the location of the table. Returns "" and reports a problem if the value is too long or not a text.
        Returns "" without a problem if the key is missing."""
        value = table.get(key, "")
        if not isinstance(value, str):
            self.problems.report_value("scenario.value", "a text", value, where / key)
            return ""
        if len(value) > max_length:
            expected = f"{max_length:,} characters at most"
            self.problems.report("scenario.value", expected, f"{len(value):,}", where / key)
            return ""
        return replace_unprintable_with_spaces(value)

    def parse_faces(self, faces: object, where: Location) -> tuple[int, ...]:
        """Parse a list of faces of 20-sided dice."""
        if not isinstance(faces, list) or len(faces) > MAX_FACES:
            self.problems.report_value("scenario.value", "a list of faces from 1 to 20", faces, where)
            return ()
        for place, face in enumerate(faces):
            if not is_face(face):
                expected, rule = "a face from 1 to 20", "roll.die-substitute"
                self.problems.report_value("scenario.value", expected, face, where / place, rule)
        return tuple(faces)

    def parse_fields(self, fields: Sequence[Field], table: Tree, where: Location) -> dict[str, Any]:
        """Parse the values of fields, by their names in an action."""
        return {field.name_in_action: self.parse_field_or_default(field, table, where) for field in fields}

    def parse_field_or_default(self, field: Field, table: Tree, where: Location) -> Any:
        """Parse the value of a field. A missing key has the field's default."""
        list_key = field.type.list_key
        is_list = bool(list_key) and list_key in table
        key = list_key if is_list else field.key
        if key not in table and field.is_optional:
            return None
        if key not in table and field.default is not None:
            return field.default
        if is_list and (problem := _find_target_list_problem(field, table, where / key)) is not None:
            self.problems.append(problem)
            return ()
        try:
            return field.type.convert_file_value(field, table.get(key, MISSING_VALUE), self.ids)
        except InvalidFieldValue as error:
            for each in error.found:
                place = where / key if each.index is None else where / key / each.index
                self.problems.report_value("scenario.value", each.expected, each.got, place, field.rule)
            return field.default


def _find_target_list_problem(field: Field, table: Tree, where: Location) -> Problem | None:
    """Check that `targets` is a short enough list, without a single target in addition.

    Its ids are not checked.
    """
    targets = table["targets"]
    if field.key in table:
        return Problem("scenario.value", f"{field.key} or targets", "both", where)
    if not isinstance(targets, list) or len(targets) > MAX_CHARACTERS:
        return Problem("scenario.value", "a list of ids of characters", format_input(targets), where)
    return None
