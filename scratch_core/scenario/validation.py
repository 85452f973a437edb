"""Validation of a tree: tables, texts and fields, with the place of every problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scratch_core.board import Board
from scratch_core.encounter.turn_system import SCRATCH
from scratch_core.errors import MISSING_VALUE, Problem, Verbatim, format_input
from scratch_core.rulebook import RulingSettings
from scratch_core.scenario.field_types import InvalidFieldValue, format_key, parse_field_value
from scratch_core.scenario.parser import replace_unprintable
from scratch_core.scenario.records import AnySystem, Tree
from scratch_core.turn_systems import Field

MAX_STEPS = 1_000
MAX_CHARACTERS = 100
MAX_FACES = 100
MAX_TEXT_LENGTH = 10_000
MAX_PROBLEMS = 100
"""The limits of a file: steps, characters, faces in a list, characters of a text, and problems reported."""


class Validator:
    """One pass over a tree, which collects problems and returns the valid values."""

    def __init__(self, lines: Mapping[str, int]) -> None:
        self.lines = lines
        self.problems: list[Problem] = []
        self.ids: list[str] = []
        self.system: AnySystem = SCRATCH
        self.rulings_now = RulingSettings()
        self.board: Board | None = None
        self.has_board = False
        self.known: dict[str, Mapping[str, Any]] = {}

    # Problems

    def add_value_problem(self, expected: str, got: object, where: str, rule: str | None = None) -> None:
        """Add a problem: what was expected at `where`, and what is there."""
        text = got if isinstance(got, Verbatim) else format_input(got)
        self.problems.append(Problem("scenario.value", expected, text, self.add_line_number(where), rule))

    def add_line_number(self, where: str) -> str:
        """Add the line of the nearest known table to a place.

        A file in JSON has no lines.
        """
        path = where
        while path:
            if path in self.lines:
                return f"{where} (line {self.lines[path]})"
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return where

    # Tables and texts

    def check_keys(self, table: Tree, known: tuple[str, ...], where: str) -> None:
        """Add a problem for each unknown key of a table."""
        for key in list(table)[:MAX_PROBLEMS]:
            if key not in known:
                names = ", ".join(known)
                self.add_value_problem(
                    f"one of {names}", key, f"{where}.{format_key(key)}" if where else format_key(key) or "''"
                )

    def parse_text(self, table: Tree, key: str, where: str, limit: int = MAX_TEXT_LENGTH) -> str:
        """Parse a text of at most `limit` characters.

        Returns "" if it is missing or invalid.
        """
        value = table.get(key, "")
        if not isinstance(value, str):
            self.add_value_problem("a text", value, where)
            return ""
        if len(value) > limit:
            self.add_value_problem(f"{limit:,} characters at most", Verbatim(f"{len(value):,}"), where)
            return ""
        return replace_unprintable(value)

    def parse_faces(self, faces: object, where: str) -> tuple[int, ...]:
        """Parse a list of faces of 20-sided dice."""
        if not isinstance(faces, list) or len(faces) > MAX_FACES:
            self.add_value_problem("a list of faces from 1 to 20", faces, where)
            return ()
        for place, face in enumerate(faces):
            if type(face) is not int or not 1 <= face <= 20:
                self.add_value_problem("a face from 1 to 20", face, f"{where}[{place}]", "roll.die-substitute")
        return tuple(faces)

    def parse_fields(self, fields: Sequence[Field], table: Tree, where: str) -> dict[str, Any]:
        """Parse the values of fields, by their names in an action."""
        return {field.name: self.parse_field(field, table, where) for field in fields}

    def parse_field(self, field: Field, table: Tree, where: str) -> Any:
        """Parse the value of a field. A missing key has the field's default."""
        is_list = field.kind == "targets" and "targets" in table
        key = "targets" if is_list else field.key
        place = f"{where}.{key}" if where else key
        if key not in table and field.is_optional:
            return None
        if key not in table and field.default is not None and field.kind != "speed":
            return field.default
        if is_list and not self.has_valid_target_list(field, table, place):
            return ()
        given = table.get(key, field.default if field.kind == "speed" else MISSING_VALUE)
        try:
            return parse_field_value(field, given, self.ids)
        except InvalidFieldValue as error:
            for each in error.found:
                self.add_value_problem(each.expected, each.got, f"{place}{each.subpath}", field.rule)
            return field.default

    def has_valid_target_list(self, field: Field, table: Tree, place: str) -> bool:
        """Return whether `targets` is a valid list without a single target."""
        given = table["targets"]
        if field.key in table:
            self.add_value_problem(f"{field.key} or targets", Verbatim("both"), place)
            return False
        if not isinstance(given, list) or len(given) > MAX_CHARACTERS:
            self.add_value_problem("a list of ids of characters", given, place)
            return False
        return True
