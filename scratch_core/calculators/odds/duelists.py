"""The characters of a duel: parsed from stat blocks or the cast, and formatted as the scenario to solve."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from scratch_core.calculators.characters_text import ParsedCharacters
from scratch_core.calculators.characters_text.setup_text import parse_setup
from scratch_core.calculators.shared.names import number_duplicates
from scratch_core.cast import INDEPENDENT_MEMBERS, get_member
from scratch_core.characters.stat_block_parser import DOUBTS
from scratch_core.errors import Problem, Problems, ScratchError
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.odds import ORDERS, Escape, Order
from scratch_core.rulebook import RulingValue

CharacterData = Mapping[str, Any]
"""A character as in a scenario file."""

CastOpponent = tuple[str, str, CharacterData]
"""A member of the cast: the id, the name and the character."""


@dataclass(frozen=True, slots=True)
class DuelTerms:
    """The conditions of a duel."""

    surroundings: Sequence[str] = ()
    """The terrain, words of `SURROUNDINGS`, which replaces that of the stat blocks unless it is empty."""
    escape: Escape = "draw"
    """What an escape counts as."""
    starting_order: Order = "initiative"
    """Who goes first."""
    rulings: Mapping[str, RulingValue] = field(default_factory=dict)
    """The settings of rulings that the request names."""

    def format_scenario(self, tables: Sequence[CharacterData]) -> str:
        """Format the scenario of two characters under their own names as JSON."""
        tree = build_duel_scenario_data(tables, [str(each["name"]) for each in tables], self.surroundings)
        return json.dumps({**tree, "rulings": dict(self.rulings)})


def list_cast_opponents(first_id: str) -> tuple[CastOpponent, ...]:
    """List the members of the cast who fight alone, the chosen member first. Rule: `command.minions`."""
    tables = {
        each.id: get_cast_character(each.id)
        for each in sorted(INDEPENDENT_MEMBERS, key=lambda each: each.id != first_id)
    }
    return tuple((member, str(table["name"]), table) for member, table in tables.items())


@cache
def get_cast_character(member: str) -> CharacterData:
    """Return a member of the cast, by id, as in a scenario file."""
    return parse_single_character(get_member(member).block, member)


def format_block_without_notes(character_data: CharacterData) -> str:
    """Format a stat block without description and notes. Rule: `char.stat-line`."""
    lines = [character_data["name"]]
    lines += [f"hp: {character_data['hp']}"] if "hp" in character_data else []
    lines += [f"here: {', '.join(character_data['here'])}"] if "here" in character_data else []
    return "\n".join([*lines, *(f"{level} {ability}" for ability, level in character_data["abilities"].items())])


@dataclass(frozen=True, slots=True)
class ParsedDuelist:
    """One of the two characters, parsed from its controls."""

    table: CharacterData | None
    """The character. None if none is chosen, and if there is an error."""
    problems: tuple[Problem, ...]
    """The problems, each at the control that counts."""


def parse_duelist(fields: Mapping[str, str], key: str) -> ParsedDuelist:
    """Parse one of the two characters from its controls.

    A stat block counts in place of a member of the cast.
    """
    sheet, problems = fields[f"{key}_sheet"], Problems()
    table: CharacterData | None = None
    try:
        if sheet.strip():
            setup = parse_setup(sheet)
            problems.extend_moved_to(f"{key}_sheet", (each for each in setup.problems if each.code in DOUBTS))
            table = get_single_character(setup, f"{key}_sheet")
        elif fields[key].strip():
            table = get_cast_character(get_member(fields[key]).id)
    except ScratchError as error:
        problems.extend_moved_to(f"{key}_sheet" if sheet.strip() else key, error.problems)
    return ParsedDuelist(table, tuple(problems))


def parse_single_character(text: str, control: str) -> dict[str, Any]:
    """Parse the only character of a sheet, as in a scenario file.

    Raises `ScratchError` with all problems, each at `control`: those of the text, `odds.one` if there isn't exactly one
    stat block, `odds.minion` for a minion.
    Rules: `char.stat-line`, `hp.start`, `command.minions`.
    """
    return get_single_character(parse_setup(text), control)


def get_single_character(setup: ParsedCharacters, control: str) -> dict[str, Any]:
    """Return the only character of a parsed sheet.

    Raises `ScratchError` like `parse_single_character`.
    """
    errors = [each.with_location(control) for each in setup.problems if each.severity == "error"]
    if errors:
        raise ScratchError(*errors)
    if len(setup.characters) != 1:
        raise ScratchError(Problem("odds.one", "one stat block", str(len(setup.characters)), control))
    leaders = [each.got for each in setup.problems if each.code == "command.leader"]
    if leaders:
        expected = "a character who fights alone"
        raise ScratchError(Problem("odds.minion", expected, f"a minion of {leaders[0]}", control, "command.minions"))
    return {key: value for key, value in setup.characters[0].items() if key != "at"}


def build_duel_scenario_data(
    characters_data: Sequence[CharacterData], names: list[str], common_surroundings: Sequence[str]
) -> dict[str, Any]:
    """Build the scenario of a duel.

    The ids, sides and groups of the characters are `first` and `second`. `common_surroundings` replaces the characters'
    own surroundings unless it is empty.
    """
    characters = [
        {
            **table,
            "name": name,
            "id": own,
            "side": own,
            "group": own,
            **({"here": list(common_surroundings)} if common_surroundings else {}),
        }
        for table, name, own in zip(characters_data, number_duplicates(names, " "), ORDERS, strict=False)
    ]
    return {"format": SCENARIO_FORMAT, "system": "scratch", "characters": characters, "steps": []}
