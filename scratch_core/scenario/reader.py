"""From a tree to a scenario: who fights, by stat blocks or by rows of fields, and everything that they do.

Every problem is told at once with its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scratch_core.board import Board, Space, read_board
from scratch_core.characters import Draft
from scratch_core.encounter.state import Fighter
from scratch_core.encounter.turn_system import SCRATCH, Scratch
from scratch_core.errors import ScratchError, shown
from scratch_core.normalization import clean_name
from scratch_core.rulebook import Rulings
from scratch_core.scenario.field_types import NOTHING, Said, short
from scratch_core.scenario.parser import printable, read_text
from scratch_core.scenario.records import FORMAT, Scenario, Tree
from scratch_core.scenario.steps import Reading
from scratch_core.scenario.turn_systems import SYSTEMS, system_of
from scratch_core.scenario.validation import CHARACTERS_LIMIT, PROBLEMS_LIMIT

_TOP = ("format", "title", "system", "rulings", "characters", "initiative")


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
        rulings = self.rulings_now = self.rulings(tree.get("rulings", {}))
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
        table = {clean_name(printable(str(group))): faces for group, faces in table.items()}
        for group in list(table)[:PROBLEMS_LIMIT]:
            if groups is not None and group not in groups:
                names = ", ".join(map(short, sorted(groups)[:20]))
                self.wrong(f"one of the groups {names}", group, f"initiative.{short(group)}")
        return {group: self.faces(faces, f"initiative.{short(group)}") for group, faces in table.items()}

    # Everyone

    def tables(self, items: object) -> list[tuple[Any, str]]:
        """The tables of the characters, each with its place."""
        if not isinstance(items, list) or not items:
            self.wrong("a list of characters", items, "characters")
            return []
        if len(items) > CHARACTERS_LIMIT:
            self.wrong(f"{CHARACTERS_LIMIT} characters at most", Said(str(len(items))), "characters")
            return []
        return [(each, f"characters[{n}]") for n, each in enumerate(items)]

    # By rows of fields

    def rows(self, tree: Tree, rulings: Rulings) -> Any:
        """The state before a fight by another order of turns, None while something is wrong."""
        tables = self.tables(tree.get("characters", NOTHING))
        self.known = self.leaders(tables)
        self.ids = list(self.known)
        rows = [self.row(table, where) for table, where in tables if isinstance(table, Mapping)]
        head = self.values(self.system.head, tree, "")
        if self.problems or not rows:
            return None
        try:
            return self.system.gather(rows, head, rulings)
        except ScratchError as error:
            self.problems += [replace(each, where=self.place(each.where)) for each in error.problems]
            return None

    # By stat blocks

    def sheets(self, tree: Tree, rulings: Rulings) -> tuple[Any, tuple[Draft, ...]]:
        """The state before an encounter, None while it is not known who fights, and the drafts that it is made of."""
        self.board, self.has_board = self.map(tree), "board" in tree
        tables = self.tables(tree.get("characters", NOTHING))
        self.ids = [str(each.get("id", "")) for each, _ in tables if isinstance(each, Mapping)]
        leaders = self.known = self.leaders(tables)
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
        """No one stands on anyone else. Rule: `grid.move.blocked`."""
        taken: dict[Space, str] = {}
        for each in fighters:
            if each.at is not None and each.at in taken:
                self.wrong(f"a space of their own for {each.id}", Said(f"that of {taken[each.at]}"), "characters")
            elif each.at is not None:
                taken[each.at] = each.id
