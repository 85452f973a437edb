"""Reading of a whole scenario: a tree is validated and becomes a `Scenario`, or all problems with their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scratch_core.board import Board, Space, board_from_dict
from scratch_core.characters import CharacterDraft
from scratch_core.encounter.state import Fighter
from scratch_core.encounter.turn_system import SCRATCH, BasicTurnSystem
from scratch_core.errors import MISSING_VALUE, Location, Problem, ScratchError, format_input
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.normalization import normalize_name
from scratch_core.rulebook import RulingSettings
from scratch_core.scenario.parser import parse_toml_or_json, replace_unprintable_with_spaces
from scratch_core.scenario.records import Scenario, Tree
from scratch_core.scenario.steps import StepReader
from scratch_core.scenario.turn_systems import TURN_SYSTEMS, find_turn_system_or_default
from scratch_core.scenario.validation import MAX_CHARACTERS, MAX_PROBLEMS, ROOT
from scratch_core.turn_systems.fields import format_key

_TOP = ("format", "title", "system", "rulings", "characters", "initiative")


def parse_scenario(data: str | bytes) -> Scenario:
    """Parse a scenario from a file's text, TOML or JSON.

    Raises `ScratchError` with all problems and their places.
    """
    tree, lines = parse_toml_or_json(data)
    return scenario_from_dict(tree, lines)


def scenario_from_dict(tree: object, lines: Mapping[str, int] | None = None) -> Scenario:
    """Build a scenario of any turn system from its tree.

    Raises `ScratchError` with problems and their places, `MAX_PROBLEMS` at most.
    """
    reading = _WholeFile()
    scenario = reading.parse_tree(tree)
    if reading.problems or scenario is None:
        raise ScratchError(*(_with_line_number(each, lines or {}) for each in reading.problems[:MAX_PROBLEMS]))
    return scenario


def _with_line_number(problem: Problem, lines_by_place: Mapping[str, int]) -> Problem:
    """Add the line of the nearest known table to the place of a problem.

    A file in JSON has no lines.
    """
    path = problem.location.path
    above = (Location(*path[:count]) for count in range(len(path), 0, -1))
    line = next((lines_by_place[place] for place in above if place in lines_by_place), 0)
    return problem.with_location(Location(*path, line=line)) if line else problem


class _WholeFile(StepReader):
    """A reader for one pass over a whole file."""

    def parse_tree(self, tree: object) -> Scenario | None:
        """Parse the whole tree. Returns None if it has errors."""
        if not isinstance(tree, Mapping):
            self.problems.report_value("scenario.value", "a table", tree, "the file")
            return None
        if tree.get("format") != SCENARIO_FORMAT:
            self.problems.report_value(
                "scenario.value", f'"{SCENARIO_FORMAT}"', tree.get("format", MISSING_VALUE), "format"
            )
            return None
        system = find_turn_system_or_default(tree)
        if system is None:
            self.problems.report_value("scenario.value", f"one of {', '.join(TURN_SYSTEMS)}", tree["system"], "system")
        self.system = system or SCRATCH
        has_sheets = isinstance(self.system, BasicTurnSystem)
        more = ("board", "steps", "expect", "advice", "state") if has_sheets else ("steps", "expect", "state")
        self.report_unknown_keys(tree, (*_TOP, *more, *(field.key for field in self.system.setup_fields)), ROOT)
        rulings = self.rulings_now = self.parse_rulings(tree.get("rulings", {}))
        before, drafts = (
            self.build_state_from_stat_blocks(tree, rulings)
            if has_sheets
            else (self.build_state_from_field_tables(tree, rulings), ())
        )
        groups = None if before is None else set(before.initiative_fighter_or_group_ids)
        initiative = self.parse_initiative_faces(tree.get("initiative", {}), groups)
        title = self.parse_text_field(tree, "title", ROOT)
        steps = self.parse_steps(tree.get("steps", []))
        expect = self.parse_expectations(tree.get("expect", {}), ROOT / "expect", is_end=True)
        if self.problems or before is None:
            return None
        return Scenario(title, self.system, rulings, before, initiative, steps, expect, tree, drafts)

    def parse_rulings(self, table: object) -> RulingSettings:
        """Parse the rulings of the file. Invalid ones have their default."""
        if not isinstance(table, Mapping):
            self.problems.report_value("scenario.value", "a table of rulings", table, "rulings")
            return RulingSettings()
        try:
            plain = {
                format_key(key): value if isinstance(value, str | int) else format_input(value)
                for key, value in table.items()
            }
            return RulingSettings.from_dict(plain)
        except ScratchError as error:
            for problem in error.problems[:MAX_PROBLEMS]:
                name = str(problem.facts.get("name", problem.where))
                self.problems.append(problem.with_location(Location("rulings", format_key(name))))
            return RulingSettings()

    def parse_initiative_faces(self, table: object, groups: set[str] | None) -> dict[str, tuple[int, ...]]:
        """Parse the faces by group.

        `groups` is None if a character is invalid, so that not all groups are known.
        """
        if not isinstance(table, Mapping):
            self.problems.report_value("scenario.value", "a table of faces by group", table, "initiative")
            return {}
        where = Location("initiative")
        table = {normalize_name(replace_unprintable_with_spaces(str(group))): faces for group, faces in table.items()}
        for group in list(table)[:MAX_PROBLEMS]:
            if groups is not None and group not in groups:
                names = ", ".join(map(format_key, sorted(groups)[:20]))
                self.problems.report_value(
                    "scenario.value", f"one of the groups {names}", group, where / format_key(group)
                )
        return {group: self.parse_faces(faces, where / format_key(group)) for group, faces in table.items()}

    # Characters

    def list_raw_characters_with_locations(self, characters: object) -> list[tuple[Any, Location]]:
        """List the tables of the characters, each with its place."""
        if not isinstance(characters, list) or not characters:
            self.problems.report_value("scenario.value", "a list of characters", characters, "characters")
            return []
        if len(characters) > MAX_CHARACTERS:
            expected = f"{MAX_CHARACTERS} characters at most"
            self.problems.report("scenario.value", expected, str(len(characters)), "characters")
            return []
        return [(each, Location("characters", n)) for n, each in enumerate(characters)]

    # Turn systems with rows of fields

    def build_state_from_field_tables(self, tree: Tree, rulings: RulingSettings) -> Any:
        """Build the state before a fight from rows of fields.

        Returns None if there are errors.
        """
        tables = self.list_raw_characters_with_locations(tree.get("characters", MISSING_VALUE))
        self.known = self.map_tables_by_unique_id(tables)
        self.ids = list(self.known)
        rows = [self.parse_character_fields(table, where) for table, where in tables if isinstance(table, Mapping)]
        head = self.parse_fields(self.system.setup_fields, tree, ROOT)
        if self.problems or not rows:
            return None
        try:
            return self.system.build_initial_state(rows, head, rulings)
        except ScratchError as error:
            self.problems += error.problems
            return None

    # Turn systems with stat blocks

    def build_state_from_stat_blocks(
        self, tree: Tree, rulings: RulingSettings
    ) -> tuple[Any, tuple[CharacterDraft, ...]]:
        """Build the state before an encounter from stat blocks.

        Also returns the drafts of the valid characters. The state is None if a character is invalid.
        """
        self.board, self.has_board = self.parse_map(tree), "board" in tree
        tables = self.list_raw_characters_with_locations(tree.get("characters", MISSING_VALUE))
        self.ids = [str(each.get("id", "")) for each, _ in tables if isinstance(each, Mapping)]
        leaders = self.known = self.map_tables_by_unique_id(tables)
        made = [self.parse_character(each, where, rulings, leaders) for each, where in tables]
        found = [each for each in made if each is not None]
        fighters = tuple(each for each, _ in found)
        self.report_shared_spaces([each for each in fighters if not (each.is_down and rulings.downed_are_inert)])
        drafts = tuple(draft for _, draft in found)
        if len(fighters) < len(self.ids):
            return None, drafts
        return self.system.build_initial_state(fighters, {"board": self.board}, rulings), drafts

    def parse_map(self, tree: Tree) -> Board | None:
        """Parse the map. Returns None if it is missing or invalid. Rule: `grid.scope`."""
        if "board" not in tree:
            return None
        try:
            return board_from_dict(tree["board"])
        except ScratchError as error:
            for problem in error.problems:
                self.problems.report("scenario.value", problem.expected, problem.got, problem.where)
            return None

    def report_shared_spaces(self, fighters: Sequence[Fighter]) -> None:
        """Check that no two fighters that occupy a space share one (ruling G12). Rule: `grid.move.blocked`."""
        taken: dict[Space, str] = {}
        for each in fighters:
            if each.at is not None and each.at in taken:
                expected = f"a space of their own for {each.id}"
                self.problems.report("scenario.value", expected, f"that of {taken[each.at]}", "characters")
            elif each.at is not None:
                taken[each.at] = each.id
