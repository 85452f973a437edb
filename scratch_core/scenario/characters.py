"""Reading characters: stat blocks for the basic rules, rows of fields for the other orders of turns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scratch_core.board import Board, Space, read_space
from scratch_core.characters import NAME_LIMIT, Draft, tidy
from scratch_core.encounter.state import SURROUNDINGS, Fighter, fighter
from scratch_core.normalization import clean_name
from scratch_core.rulebook import Rulings
from scratch_core.scenario.field_types import NOTHING, Said
from scratch_core.scenario.parser import printable
from scratch_core.scenario.records import Tree
from scratch_core.scenario.validation import CHARACTERS_LIMIT, FACES_LIMIT, Noting

_ID = re.compile(r"[a-z0-9-]{1,100}")
_SHEET = (
    *("id", "name", "side", "group", "abilities", "hp", "minion_of", "printed", "here", "description", "notes", "at"),
)
_ROW = ("id", "name", "side", "description", "notes")

Leaders = Mapping[str, Mapping[str, Any]]
"""The tables of the file by id."""


class People(Noting):
    """Whoever takes part, table by table."""

    def known_id(self, table: Tree, where: str) -> str:
        """The id of a character, "" where it can't be one."""
        own_id = table.get("id", NOTHING)
        if own_id is NOTHING or not isinstance(own_id, str) or not _ID.fullmatch(own_id):
            self.wrong("an id of small letters, digits and hyphens", own_id, f"{where}.id")
            return ""
        return own_id

    def leaders(self, tables: list[tuple[Any, str]]) -> dict[str, Mapping[str, Any]]:
        """The tables by id, to look up a minion's leader in."""
        found: dict[str, Mapping[str, Any]] = {}
        for table, where in tables:
            if not isinstance(table, Mapping):
                self.wrong("a table of a character", table, where)
                continue
            own_id = self.known_id(table, where)
            if own_id in found:
                self.wrong("each id once", own_id, f"{where}.id")
            elif own_id:
                found[own_id] = table
        return found

    def inherited(self, table: Tree, key: str, where: str, leaders: Leaders) -> str:
        """A minion's side and group are its leader's, unless given; anyone else's are its own id."""
        for _ in range(CHARACTERS_LIMIT + 1):
            value = table.get(key)
            if value is not None:
                if not isinstance(value, str) or not value.strip() or len(value) > NAME_LIMIT:
                    self.wrong(f"a name of {NAME_LIMIT} characters at most", value, f"{where}.{key}")
                return clean_name(printable(str(value)))
            leader = table.get("minion_of")
            if not isinstance(leader, str) or leader not in leaders:
                return str(table.get("id"))
            table = leaders[leader]
        self.wrong("a leader who is no minion in turn", Said("a circle"), f"{where}.minion_of")
        return ""

    def row(self, table: Mapping[str, Any], where: str) -> dict[str, Any]:
        """The fields of a character."""
        fields = self.system.character
        self.keys(table, (*_ROW, *(field.key for field in fields)), where)
        own_id = str(table.get("id"))
        name = tidy(self.text(table, "name", f"{where}.name", NAME_LIMIT)) or own_id
        side = self.inherited(table, "side", where, {})
        return {"id": own_id, "name": name, "side": side, **self.values(fields, table, where)}

    def place_of(self, table: Tree, where: str, board: Board) -> Space | None:
        """Where a character stands: on a space of the board that nothing fills. Rule: `grid.space`."""
        if "here" in table:
            self.wrong("no surroundings, for the board tells them", table["here"], f"{where}.here")
        space = read_space(table.get("at"))
        if space is None or not board.contains(space) or board.is_solid(space):
            got = table.get("at", NOTHING)
            self.wrong("a space of the board to stand on, [column, row] from the top left", got, f"{where}.at")
            return None
        return space

    def character(self, table: Any, where: str, rulings: Rulings, leaders: Leaders) -> tuple[Fighter, Draft] | None:
        """A fighter, and the draft that it was made from; None where it has errors."""
        if not isinstance(table, Mapping):
            return None
        before = len(self.problems)
        if "at" in table and not self.has_board:
            self.wrong("no place, for there is no board", table["at"], f"{where}.at")
        self.keys(table, _SHEET, where)
        own_id = table.get("id")
        leader = self.leader(table, where, leaders)
        name = tidy(self.text(table, "name", f"{where}.name", NAME_LIMIT)) or str(own_id)
        side = self.inherited(table, "side", where, leaders)
        group = self.inherited(table, "group", where, leaders)
        here = self.here(["level"] if self.has_board else table.get("here", ["level"]), f"{where}.here")
        at = self.place_of(table, where, self.board) if self.board else None
        draft = self.draft(table, where, leader)
        if draft is None or len(self.problems) > before or not isinstance(own_id, str):
            return None
        character = replace(draft.character(), name=own_id)
        hp = self.hp(table, where, character.max_hp().value)
        more: dict[str, Any] = {"side": side, "group": group, "here": here, "hp": hp, "at": at}
        return fighter(character, name=name, rulings=rulings, **more), draft

    def leader(self, table: Tree, where: str, leaders: Leaders) -> str:
        """The id of a minion's leader, "" for everyone else."""
        leader = self.text(table, "minion_of", f"{where}.minion_of")
        if not leader:
            return ""
        if leader not in leaders or leader == table.get("id"):
            self.wrong("the id of another character", leader, f"{where}.minion_of")
            return ""
        return leader

    def here(self, words: object, where: str) -> list[str]:
        """What a character has around it."""
        if not isinstance(words, list):
            self.wrong(f"a list of {', '.join(SURROUNDINGS)}", words, where)
            return []
        strange = [word for word in words[:FACES_LIMIT] if word not in SURROUNDINGS]
        for word in strange:
            self.wrong(f"one of {', '.join(SURROUNDINGS)}", word, where)
        return [] if strange else words[:FACES_LIMIT]

    def draft(self, table: Tree, where: str, leader: str) -> Draft | None:
        """The draft of a character, None where it can't be read."""
        sheet = {key: table[key] for key in ("abilities", "printed", "notes", "description") if key in table}
        draft = replace(Draft.from_dict(sheet), minion_of=leader)
        for problem in draft.reading_problems():
            if problem.severity == "error":
                self.problems.append(replace(problem, where=self.place(f"{where}.{problem.where}")))
        return draft if draft.is_readable() else None

    def hp(self, table: Tree, where: str, most: int) -> int | None:
        """Hit points at the start, None where the file leaves them at the most."""
        if "hp" not in table:
            return None
        hp = table["hp"]
        if type(hp) is not int or not 0 <= hp <= most:
            self.wrong(f"hit points from 0 to {most}", hp, f"{where}.hp", "hp.max")
            return None
        return hp
