"""Parsing of characters: stat blocks for the basic rules, rows of fields for the other turn systems."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scratch_core.board import Board, Space, parse_space_pair
from scratch_core.characters import MAX_NAME_LENGTH, CharacterDraft, clean_line
from scratch_core.encounter.state import SURROUNDINGS, Fighter, build_fighter
from scratch_core.errors import MISSING_VALUE, Location
from scratch_core.normalization import normalize_name
from scratch_core.rulebook import RulingSettings
from scratch_core.scenario.parser import replace_unprintable_with_spaces
from scratch_core.scenario.records import Tree
from scratch_core.scenario.validation import MAX_CHARACTERS, MAX_FACES, Validator

_ID = re.compile(r"[a-z0-9-]{1,100}")
_SHEET = (
    *("id", "name", "side", "group", "abilities", "hp", "minion_of", "printed", "here", "description", "notes", "at"),
)
_ROW = ("id", "name", "side", "description", "notes")

Leaders = Mapping[str, Mapping[str, Any]]
"""The tables of the file's characters by id."""


class CharacterReader(Validator):
    """A reader of the characters of a file."""

    def parse_id(self, table: Tree, where: Location) -> str:
        """Parse a character's id. Returns "" if it is invalid."""
        own_id = table.get("id", MISSING_VALUE)
        if own_id is MISSING_VALUE or not isinstance(own_id, str) or not _ID.fullmatch(own_id):
            self.problems.report_value(
                "scenario.value", "an id of small letters, digits and hyphens", own_id, where / "id"
            )
            return ""
        return own_id

    def map_tables_by_unique_id(self, tables: list[tuple[Any, Location]]) -> dict[str, Mapping[str, Any]]:
        """Collect the tables by id, to look up a minion's leader."""
        found: dict[str, Mapping[str, Any]] = {}
        for table, where in tables:
            if not isinstance(table, Mapping):
                self.problems.report_value("scenario.value", "a table of a character", table, where)
                continue
            own_id = self.parse_id(table, where)
            if own_id in found:
                self.problems.report_value("scenario.value", "each id once", own_id, where / "id")
            elif own_id:
                found[own_id] = table
        return found

    def parse_or_inherit_side_or_group(self, table: Tree, key: str, where: Location, tables_by_id: Leaders) -> str:
        """Parse a character's side or group, which a minion inherits from its leader.

        Without an own value and a leader, it is the character's id.
        """
        for _ in range(MAX_CHARACTERS + 1):
            value = table.get(key)
            if value is not None:
                if not isinstance(value, str) or not value.strip() or len(value) > MAX_NAME_LENGTH:
                    self.problems.report_value(
                        "scenario.value", f"a name of {MAX_NAME_LENGTH} characters at most", value, where / key
                    )
                return normalize_name(replace_unprintable_with_spaces(str(value)))
            leader = table.get("minion_of")
            if not isinstance(leader, str) or leader not in tables_by_id:
                return str(table.get("id"))
            table = tables_by_id[leader]
        expected = "a leader who is no minion in turn"
        self.problems.report("scenario.value", expected, "a circle", where / "minion_of")
        return ""

    def parse_character_fields(self, table: Mapping[str, Any], where: Location) -> dict[str, Any]:
        """Parse the fields of a character in a turn system without stat blocks."""
        fields = self.system.character_fields
        self.report_unknown_keys(table, (*_ROW, *(field.key for field in fields)), where)
        own_id = str(table.get("id"))
        name = clean_line(self.parse_text_field(table, "name", where, MAX_NAME_LENGTH)) or own_id
        side = self.parse_or_inherit_side_or_group(table, "side", where, {})
        return {"id": own_id, "name": name, "side": side, **self.parse_fields(fields, table, where)}

    def parse_required_position(self, table: Tree, where: Location, board: Board) -> Space | None:
        """Parse a character's position, a space of the map without an obstacle. Rule: `grid.space`.

        Returns None if it is missing or invalid.
        """
        if "here" in table:
            self.problems.report_value(
                "scenario.value", "no surroundings, for the board tells them", table["here"], where / "here"
            )
        space = parse_space_pair(table.get("at"))
        if space is None or space not in board or board.has_wall_or_obstacle(space):
            got = table.get("at", MISSING_VALUE)
            self.problems.report_value(
                "scenario.value", "a space of the board to stand on, [column, row] from the top left", got, where / "at"
            )
            return None
        return space

    def parse_character(
        self, table: Any, where: Location, rulings: RulingSettings, tables_by_id: Leaders
    ) -> tuple[Fighter, CharacterDraft] | None:
        """Parse a stat block into a fighter and its draft.

        Returns None if it has errors.
        """
        if not isinstance(table, Mapping):
            return None
        before = len(self.problems)
        if "at" in table and not self.has_board:
            self.problems.report_value(
                "scenario.value", "no space, because there is no board", table["at"], where / "at"
            )
        self.report_unknown_keys(table, _SHEET, where)
        own_id = table.get("id")
        leader = self.parse_leader_id(table, where, tables_by_id)
        name = clean_line(self.parse_text_field(table, "name", where, MAX_NAME_LENGTH)) or str(own_id)
        side = self.parse_or_inherit_side_or_group(table, "side", where, tables_by_id)
        group = self.parse_or_inherit_side_or_group(table, "group", where, tables_by_id)
        here = self.parse_surroundings(["level"] if self.has_board else table.get("here", ["level"]), where / "here")
        at = self.parse_required_position(table, where, self.board) if self.board else None
        draft = self.parse_draft(table, where, leader)
        if draft is None or len(self.problems) > before or not isinstance(own_id, str):
            return None
        character = replace(draft.build_character(), name=own_id)
        hp = self.parse_hp(table, where, character.max_hp().value)
        more: dict[str, Any] = {"side": side, "group": group, "here": here, "hp": hp, "at": at}
        return build_fighter(character, name=name, rulings=rulings, **more), draft

    def parse_leader_id(self, table: Tree, where: Location, leaders: Leaders) -> str:
        """Parse the id of a minion's leader. Returns "" if there is none."""
        leader = self.parse_text_field(table, "minion_of", where)
        if not leader:
            return ""
        if leader not in leaders or leader == table.get("id"):
            self.problems.report_value("scenario.value", "the id of another character", leader, where / "minion_of")
            return ""
        return leader

    def parse_surroundings(self, words: object, where: Location) -> list[str]:
        """Parse the list of a character's surroundings. Returns [] if one is unknown."""
        if not isinstance(words, list):
            self.problems.report_value("scenario.value", f"a list of {', '.join(SURROUNDINGS)}", words, where)
            return []
        strange = [word for word in words[:MAX_FACES] if word not in SURROUNDINGS]
        for word in strange:
            self.problems.report_value("scenario.value", f"one of {', '.join(SURROUNDINGS)}", word, where)
        return [] if strange else words[:MAX_FACES]

    def parse_draft(self, table: Tree, where: Location, leader: str) -> CharacterDraft | None:
        """Parse the draft of a stat block. Returns None if it is unreadable."""
        sheet = {key: table[key] for key in ("abilities", "printed", "notes", "description") if key in table}
        draft = replace(CharacterDraft.from_dict(sheet), minion_of=leader)
        for problem in draft.reading_problems():
            if problem.severity == "error":
                self.problems.append(problem.with_location(where / problem.where))
        return draft if draft.can_build_character() else None

    def parse_hp(self, table: Tree, where: Location, most: int) -> int | None:
        """Parse the hit points at the start, from 0 to the maximum.

        Returns None for the maximum, if the file has none or an invalid value.
        """
        if "hp" not in table:
            return None
        hp = table["hp"]
        if type(hp) is not int or not 0 <= hp <= most:
            self.problems.report_value("scenario.value", f"hit points from 0 to {most}", hp, where / "hp", "hp.max")
            return None
        return hp
