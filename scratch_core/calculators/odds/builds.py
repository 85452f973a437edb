"""Two builds level by level: what each has, how to change it, and what one more level of each ability is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from scratch_core.characters.character import AbilityLevel, Character
from scratch_core.rulebook import RulingSettings, RulingValue
from scratch_core.rulebook.abilities import ABILITIES, ABILITIES_BY_NAME

MAX_BUTTON_LEVEL = 20
"""The highest level that a button leads to."""

DuelistKey = Literal["first", "second"]
DUELIST_KEYS: Mapping[str, DuelistKey] = {"first": "first", "second": "second"}


@dataclass(frozen=True, slots=True)
class LevelRow:
    """One ability of a build, and its level.

    `gain_text` is what one more level adds to the chance to win, in points of a hundred; "" while that isn't known, and
    a dash where it is too large to be solved.
    """

    ability: str
    rule: str
    level: int
    gain_text: str


@dataclass(frozen=True, slots=True)
class DuelistLevels:
    """A character level by level: its name, the points it costs, its abilities."""

    duelist_key: DuelistKey
    name: str
    points: int
    rows: tuple[LevelRow, ...]


@dataclass(frozen=True, slots=True)
class DuelistSummary:
    """One of the two: the name, the points it costs, its hit points, and its defences by their short names."""

    name: str
    points: int
    hp: int
    max_hp: int
    stamina: int
    defences: tuple[tuple[str, int], ...]


def build_duelist_summary(table: Mapping[str, Any], rulings: Mapping[str, RulingValue]) -> DuelistSummary:
    """A character at a glance. Rules: `char.stat-line`, `hp.start`."""
    character = Character(str(table["name"]), tuple(AbilityLevel(*each) for each in table["abilities"].items()))
    figures = {name: figure.value for name, figure in character.figures(RulingSettings.from_dict(rulings)).items()}
    defences = tuple((name[:3].upper(), figures[name]) for name in ("agility", "intelligence", "strength"))
    most = figures["hit-points"]
    return DuelistSummary(
        character.name, character.cp().value, table.get("hp", most), most, figures["stamina"], defences
    )


def build_duelist_levels(
    which: DuelistKey, table: Mapping[str, Any], worths: Mapping[str, float | None]
) -> DuelistLevels:
    """A character's abilities in the rulebook's order; `worths` are chances, by ability. Rule: `char.ability-level`."""
    rows = tuple(build_level_row(table, each.name, worths) for each in ABILITIES)
    return DuelistLevels(which, str(table["name"]), sum(table["abilities"].values()), rows)


def build_level_row(table: Mapping[str, Any], ability: str, worths: Mapping[str, float | None]) -> LevelRow:
    """An ability of a character, with what one more level is worth where that is among the `worths`."""
    worth = format_percentage_points(worths[ability]) if ability in worths else ""
    return LevelRow(ability, ABILITIES_BY_NAME[ability].rule, table["abilities"].get(ability, 0), worth)


def format_percentage_points(change: float | None) -> str:
    """A change of a chance in points of a hundred, with its sign; a dash where no one could find out."""
    if change is None:
        return "–"
    shown = f"{abs(100 * change):.1f}"
    if shown == "0.0":
        return "0.0"
    return f"{'+' if change > 0 else '−'}{shown}"


def with_level(table: Mapping[str, Any], ability: str, level: int) -> dict[str, Any]:
    """A character with another level of an ability; hit points beyond its maximum are left out. Rule: `hp.max`."""
    levels = {**table["abilities"], ability: level}
    changed = {**table, "abilities": {name: each for name, each in levels.items() if each}}
    if changed.get("hp", 0) > changed["abilities"].get("toughness", 0):
        del changed["hp"]
    return changed


def parse_level_change(text: str) -> tuple[DuelistKey, str, int] | None:
    """What a button asks for, `first shooting 3`: whose ability, and its new level; None for anything else."""
    words = text.split()
    if len(words) != 3 or words[0] not in DUELIST_KEYS or words[1] not in ABILITIES_BY_NAME or not words[2].isdecimal():
        return None
    level = int(words[2][:3])
    return (DUELIST_KEYS[words[0]], words[1], level) if level <= MAX_BUTTON_LEVEL else None


def list_raised_pairs(
    tables: Sequence[Mapping[str, Any]], which: DuelistKey, highest: int | None = None
) -> dict[str, list[Mapping[str, Any]]]:
    """The two characters with one more level for one of them, by ability; none above the highest level.

    Rule: `create.max-level`.
    """
    place = 0 if which == "first" else 1
    found: dict[str, list[Mapping[str, Any]]] = {}
    for each in ABILITIES:
        level = tables[place]["abilities"].get(each.name, 0) + 1
        if highest is None or level <= highest:
            more = list(tables)
            more[place] = with_level(tables[place], each.name, level)
            found[each.name] = more
    return found
