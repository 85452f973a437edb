"""From a tree to a scenario: who fights, by stat blocks or by rows of fields, and everything that they do.

Every problem is told at once with its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scratch_core.basic import SCRATCH, Scratch
from scratch_core.board import Board, Space, read_board, read_space
from scratch_core.catalogue import Rulings
from scratch_core.characters import Draft
from scratch_core.characters.draft import NAME_LIMIT, tidy
from scratch_core.errors import ScratchError, shown
from scratch_core.scenario.fields import NOTHING, Said
from scratch_core.scenario.records import FORMAT, Scenario, Tree
from scratch_core.scenario.steps import CHARACTERS_LIMIT, FACES_LIMIT, PROBLEMS_LIMIT, Reading, short
from scratch_core.scenario.systems import SYSTEMS, system_of
from scratch_core.scenario.text import printable, read_text
from scratch_core.state import SURROUNDINGS, Fighter, fighter

_ID = re.compile(r"[a-z0-9-]{1,100}")
_TOP = ("format", "title", "system", "rulings", "characters", "initiative")
_SHEET = (
    *("id", "name", "side", "group", "abilities", "hp", "minion_of", "printed", "here", "description", "notes", "at"),
)
_ROW = ("id", "name", "side", "description", "notes")

Leaders = Mapping[str, Mapping[str, Any]]
"""The tables of the file by id."""


def read(data: str | bytes) -> Scenario:
    """Read a scenario from the text of a file, TOML or JSON. Raises `ScratchError` with every problem and its place."""
    tree, lines = read_text(data)
    return read_tree(tree, lines)


def read_tree(tree: object, lines: Mapping[str, int] | None = None) -> Scenario:
    """Read a scenario of any order of turns from its tree.

    Raises `ScratchError` with problems and places, `PROBLEMS_LIMIT` at most.
    """
    reading = _WholeFile(lines or {})
    scenario = reading.scenario(tree)
    if reading.problems or scenario is None:
        raise ScratchError(*reading.problems[:PROBLEMS_LIMIT])
    return scenario


class _WholeFile(Reading):
    """One pass over a whole file."""

    def __init__(self, lines: Mapping[str, int]) -> None:
        super().__init__(lines)
        self.board: Board | None = None
        self.has_board = False

    def scenario(self, tree: object) -> Scenario | None:
        """The scenario of a whole tree, None where it has errors."""
        if not isinstance(tree, Mapping):
            self.wrong("a table", tree, "the file")
            return None
        if tree.get("format") != FORMAT:
            self.wrong(f'"{FORMAT}"', tree.get("format", NOTHING), "format")
            return None
        system = system_of(tree)
        if system is None:
            self.wrong(f"one of {', '.join(SYSTEMS)}", tree["system"], "system")
        self.system = system or SCRATCH
        has_sheets = isinstance(self.system, Scratch)
        more = ("board", "steps", "expect", "advice", "state") if has_sheets else ("steps", "expect", "state")
        self.keys(tree, (*_TOP, *more, *(field.key for field in self.system.head)), "")
        rulings = self.rulings(tree.get("rulings", {}))
        before, drafts = self.sheets(tree, rulings) if has_sheets else (self.rows(tree, rulings), ())
        groups = None if before is None else set(self.system.dice_for(before))
        initiative = self.initiative(tree.get("initiative", {}), groups)
        title = self.text(tree, "title", "title")
        steps = self.steps(tree.get("steps", []))
        expect = self.expect(tree.get("expect", {}), "expect", is_end=True)
        if self.problems or before is None:
            return None
        return Scenario(title, self.system, rulings, before, initiative, steps, expect, tree, drafts)

    def rulings(self, table: object) -> Rulings:
        """The rulings of the file; one that can't be read is left at its default."""
        if not isinstance(table, Mapping):
            self.wrong("a table of rulings", table, "rulings")
            return Rulings()
        try:
            plain = {
                short(key): value if isinstance(value, str | int) else shown(value) for key, value in table.items()
            }
            return Rulings.read(plain)
        except ScratchError as error:
            for problem in error.problems[:PROBLEMS_LIMIT]:
                name = problem.where if problem.where != "the rulings" else problem.got.strip("'")
                self.problems.append(replace(problem, where=self.place(f"rulings.{short(name)}")))
            return Rulings()

    def initiative(self, table: object, groups: set[str] | None) -> dict[str, tuple[int, ...]]:
        """Faces by group; `groups` is None where a character could not be read, so that its group is not known."""
        if not isinstance(table, Mapping):
            self.wrong("a table of faces by group", table, "initiative")
            return {}
        table = {printable(str(group)): faces for group, faces in table.items()}
        for group in list(table)[:PROBLEMS_LIMIT]:
            if groups is not None and group not in groups:
                names = ", ".join(map(short, sorted(groups)[:20]))
                self.wrong(f"one of the groups {names}", group, f"initiative.{short(group)}")
        return {group: self.faces(faces, f"initiative.{short(group)}") for group, faces in table.items()}

    # Everybody

    def tables(self, items: object) -> list[tuple[Any, str]]:
        """The tables of the characters, each with its place."""
        if not isinstance(items, list) or not items:
            self.wrong("a list of characters", items, "characters")
            return []
        if len(items) > CHARACTERS_LIMIT:
            self.wrong(f"{CHARACTERS_LIMIT} characters at most", Said(str(len(items))), "characters")
            return []
        return [(each, f"characters[{n}]") for n, each in enumerate(items)]

    def leaders(self, tables: list[tuple[Any, str]]) -> dict[str, Mapping[str, Any]]:
        """The tables by id, to look up a minion's leader in."""
        found: dict[str, Mapping[str, Any]] = {}
        for table, where in tables:
            if not isinstance(table, Mapping):
                self.wrong("a table of a character", table, where)
                continue
            own_id = table.get("id", NOTHING)
            if own_id is NOTHING or not isinstance(own_id, str) or not _ID.fullmatch(own_id):
                self.wrong("an id of small letters, digits and hyphens", own_id, f"{where}.id")
            elif own_id in found:
                self.wrong("each id once", own_id, f"{where}.id")
            else:
                found[own_id] = table
        return found

    def inherited(self, table: Tree, key: str, where: str, leaders: Leaders) -> str:
        """A minion's side and group are its leader's, unless given; anybody else's are its own id."""
        for _ in range(CHARACTERS_LIMIT + 1):
            value = table.get(key)
            if value is not None:
                if not isinstance(value, str) or not value.strip() or len(value) > NAME_LIMIT:
                    self.wrong(f"a name of {NAME_LIMIT} characters at most", value, f"{where}.{key}")
                return printable(str(value))
            leader = table.get("minion_of")
            if not isinstance(leader, str) or leader not in leaders:
                return str(table.get("id"))
            table = leaders[leader]
        self.wrong("a leader who is nobody's minion in turn", Said("a circle"), f"{where}.minion_of")
        return ""

    # By rows of fields

    def rows(self, tree: Tree, rulings: Rulings) -> Any:
        """The state before a fight by another order of turns, None while something is wrong."""
        tables = self.tables(tree.get("characters", NOTHING))
        self.ids = list(self.leaders(tables))
        rows = [self.row(table, where) for table, where in tables if isinstance(table, Mapping)]
        head = self.values(self.system.head, tree, "")
        if self.problems or not rows:
            return None
        try:
            return self.system.gather(rows, head, rulings)
        except ScratchError as error:
            self.problems += [replace(each, where=self.place(each.where)) for each in error.problems]
            return None

    def row(self, table: Mapping[str, Any], where: str) -> dict[str, Any]:
        """The fields of a character."""
        fields = self.system.character
        self.keys(table, (*_ROW, *(field.key for field in fields)), where)
        own_id = str(table.get("id"))
        name = tidy(self.text(table, "name", f"{where}.name", NAME_LIMIT)) or own_id
        side = self.inherited(table, "side", where, {})
        return {"id": own_id, "name": name, "side": side, **self.values(fields, table, where)}

    # By stat blocks

    def sheets(self, tree: Tree, rulings: Rulings) -> tuple[Any, tuple[Draft, ...]]:
        """The state before an encounter, None while it is not known who fights, and the drafts that it is made of."""
        self.board, self.has_board = self.map(tree), "board" in tree
        tables = self.tables(tree.get("characters", NOTHING))
        self.ids = [str(each.get("id", "")) for each, _ in tables if isinstance(each, Mapping)]
        leaders = self.leaders(tables)
        made = [self.character(each, where, rulings, leaders) for each, where in tables]
        found = [each for each in made if each is not None]
        fighters = tuple(each for each, _ in found)
        self.check_places(fighters)
        drafts = tuple(draft for _, draft in found)
        if len(fighters) < len(self.ids):
            return None, drafts
        return self.system.gather(fighters, {"board": self.board}, rulings), drafts

    def map(self, tree: Tree) -> Board | None:
        """The file's board; None without one, or when it can't be read. Rule: `grid.scope`."""
        if "board" not in tree:
            return None
        try:
            return read_board(tree["board"])
        except ScratchError as error:
            for problem in error.problems:
                self.wrong(problem.expected, Said(problem.got), problem.where)
            return None

    def check_places(self, fighters: tuple[Fighter, ...]) -> None:
        """Nobody stands on anybody else. Rule: `grid.move.blocked`."""
        taken: dict[Space, str] = {}
        for each in fighters:
            if each.at is not None and each.at in taken:
                self.wrong(f"a space of its own for {each.id}", Said(f"that of {taken[each.at]}"), "characters")
            elif each.at is not None:
                taken[each.at] = each.id

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
        """The id of a minion's leader, "" for everybody else."""
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
