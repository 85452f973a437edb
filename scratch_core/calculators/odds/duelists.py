"""Two characters for a duel: read from stat blocks or from the cast, written as the scenario that is solved."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from scratch_core.calculators.characters_text import ParsedCharacters
from scratch_core.calculators.characters_text.setup_text import parse_setup
from scratch_core.calculators.shared.form import number_duplicates
from scratch_core.cast import INDEPENDENT_MEMBERS, get_member
from scratch_core.errors import Problem, ScratchError
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.odds import ORDERS, Escape, Order
from scratch_core.rulebook import RulingValue

CharacterData = Mapping[str, Any]
"""A character as a scenario has it."""

CastOpponent = tuple[str, str, CharacterData]
"""Someone of the cast: the id, the name, and the character."""


@dataclass(frozen=True, slots=True)
class DuelTerms:
    """How two are set against each other: the ground, over their own; what an escape counts as; who begins; rulings.

    `rulings` are those that aren't ours.
    """

    surroundings: Sequence[str] = ()
    escape: Escape = "draw"
    starting_order: Order = "initiative"
    rulings: Mapping[str, RulingValue] = field(default_factory=dict)

    def format_scenario(self, tables: Sequence[CharacterData]) -> str:
        """The scenario of two characters under their own names, as JSON."""
        tree = build_duel_data(tables, [str(each["name"]) for each in tables], self.surroundings)
        return json.dumps({**tree, "rulings": dict(self.rulings)})


def list_cast_opponents(chosen: str) -> tuple[CastOpponent, ...]:
    """All of the cast who fight alone, the chosen one first. Rule: `command.minions`."""
    tables = {
        each.id: get_cast_character(each.id) for each in sorted(INDEPENDENT_MEMBERS, key=lambda each: each.id != chosen)
    }
    return tuple((member, str(table["name"]), table) for member, table in tables.items())


@cache
def get_cast_character(member: str) -> CharacterData:
    """Someone of the cast, by id, as a scenario has a character."""
    return parse_single_character(get_member(member).block, member)


def format_bare_block(table: CharacterData) -> str:
    """A stat block without description and notes. Rule: `char.stat-line`."""
    lines = [table["name"]]
    lines += [f"hp: {table['hp']}"] if "hp" in table else []
    lines += [f"here: {', '.join(table['here'])}"] if "here" in table else []
    return "\n".join([*lines, *(f"{level} {ability}" for ability, level in table["abilities"].items())])


def parse_single_character(text: str, where: str) -> dict[str, Any]:
    """The one character of a sheet as a scenario has it. Raises `ScratchError` with every problem, each at `where`.

    Rules: `char.stat-line`, `hp.start`, `command.minions`.
    """
    return get_single_character(parse_setup(text), where)


def get_single_character(setup: ParsedCharacters, where: str) -> dict[str, Any]:
    """The one of a sheet that has been read already. Raises `ScratchError` as `parse_single_character` does."""
    wrong = [each.move_to(where) for each in setup.problems if each.severity == "error"]
    if wrong:
        raise ScratchError(*wrong)
    if len(setup.characters) != 1:
        raise ScratchError(Problem("odds.one", "one stat block", str(len(setup.characters)), where))
    minion = [each.got for each in setup.problems if each.code == "command.leader"]
    if minion:
        expected = "a character who fights alone"
        raise ScratchError(Problem("odds.minion", expected, f"a minion of {minion[0]}", where, "command.minions"))
    return {key: value for key, value in setup.characters[0].items() if key != "at"}


def build_duel_data(tables: Sequence[CharacterData], names: list[str], here: Sequence[str]) -> dict[str, Any]:
    """The scenario of two characters against each other: ids, sides and groups are `first` and `second`."""
    characters = [
        {**table, "name": name, "id": own, "side": own, "group": own, **({"here": list(here)} if here else {})}
        for table, name, own in zip(tables, number_duplicates(names, " "), ORDERS, strict=False)
    ]
    return {"format": SCENARIO_FORMAT, "system": "scratch", "characters": characters, "steps": []}
