"""The builds of both duelists: their levels, buttons that change them, and the value of one more level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from scratch_core.characters.character import AbilityLevel, Character
from scratch_core.rulebook import RulingSettings, RulingValue
from scratch_core.rulebook.abilities import ABILITIES, ABILITIES_BY_NAME

MAX_BUTTON_LEVEL = 20
"""The highest level that a button can set."""

DuelistKey = Literal["first", "second"]
DUELIST_KEYS: Mapping[str, DuelistKey] = {"first": "first", "second": "second"}
"""The keys of both duelists in a query, by their text."""


@dataclass(frozen=True, slots=True)
class LevelRow:
    """An ability of a build."""

    ability: str
    """The ability's name."""
    rule: str
    """The id of the ability's rule."""
    level: int
    """The level; 0 if the character doesn't have the ability."""
    gain_text: str
    """The percentage points, with a sign, by which one more level raises the win chance.

    The text is "" while the gain is unknown, and a dash if the duel is too large to be solved.
    """


@dataclass(frozen=True, slots=True)
class DuelistLevels:
    """The levels of a duelist."""

    duelist_key: DuelistKey
    """The duelist's key in a query."""
    name: str
    """The character's name."""
    points: int
    """The character points that the build costs."""
    rows: tuple[LevelRow, ...]
    """All abilities, in the rulebook's order."""


@dataclass(frozen=True, slots=True)
class DuelistSummary:
    """The numbers of a duelist at a glance."""

    name: str
    """The character's name."""
    points: int
    """The character points that the build costs."""
    hp: int
    """The hit points at the start of the duel."""
    max_hp: int
    """The maximum hit points."""
    stamina: int
    """The hit points at or below which the character is injured."""
    defences: tuple[tuple[str, int], ...]
    """The defences: `AGI`, `INT` and `STR`, each with its value."""


def build_duelist_summary(character_data: Mapping[str, Any], rulings: Mapping[str, RulingValue]) -> DuelistSummary:
    """Build the summary of a character. Rules: `char.stat-line`, `hp.start`."""
    character = Character(
        str(character_data["name"]), tuple(AbilityLevel(*each) for each in character_data["abilities"].items())
    )
    figures = {name: figure.value for name, figure in character.figures(RulingSettings.from_dict(rulings)).items()}
    defences = tuple((name[:3].upper(), figures[name]) for name in ("agility", "intelligence", "strength"))
    max_hp = figures["hit-points"]
    return DuelistSummary(
        character.name, character.cp().value, character_data.get("hp", max_hp), max_hp, figures["stamina"], defences
    )


def build_duelist_levels(
    duelist_key: DuelistKey, character_data: Mapping[str, Any], gains: Mapping[str, float | None]
) -> DuelistLevels:
    """Build the level rows of a character.

    `gains` has what one more level adds to the win chance, by ability, as far as that is known. Rule:
    `char.ability-level`.
    """
    rows = tuple(build_level_row(character_data, each.name, gains) for each in ABILITIES)
    return DuelistLevels(duelist_key, str(character_data["name"]), sum(character_data["abilities"].values()), rows)


def build_level_row(table: Mapping[str, Any], ability: str, gains: Mapping[str, float | None]) -> LevelRow:
    """Build the row of an ability, with the gain if `gains` has it."""
    gain_text = format_percentage_points(gains[ability]) if ability in gains else ""
    return LevelRow(ability, ABILITIES_BY_NAME[ability].rule, table["abilities"].get(ability, 0), gain_text)


def format_percentage_points(change: float | None) -> str:
    """Format a change of a chance in percentage points, with its sign.

    Returns a dash if the change is None, which means that it couldn't be computed.
    """
    if change is None:
        return "–"
    number = f"{abs(100 * change):.1f}"
    if number == "0.0":
        return "0.0"
    return f"{'+' if change > 0 else '−'}{number}"


def with_level(character_data: Mapping[str, Any], ability: str, level: int) -> dict[str, Any]:
    """Return a character with another level of an ability.

    Removes an ability with level 0, and hit points that exceed the new maximum. Rule: `hp.max`.
    """
    levels = {**character_data["abilities"], ability: level}
    changed = {**character_data, "abilities": {name: each for name, each in levels.items() if each}}
    if changed.get("hp", 0) > changed["abilities"].get("toughness", 0):
        del changed["hp"]
    return changed


def parse_level_button(text: str) -> tuple[DuelistKey, str, int] | None:
    """Parse the value of a level button, such as `first shooting 3`.

    Returns the duelist, the ability and its new level. Returns None for any other text, or a level above the maximum.
    """
    words = text.split()
    if len(words) != 3 or words[0] not in DUELIST_KEYS or words[1] not in ABILITIES_BY_NAME or not words[2].isdecimal():
        return None
    level = int(words[2][:3])
    return (DUELIST_KEYS[words[0]], words[1], level) if level <= MAX_BUTTON_LEVEL else None


def map_abilities_to_raised_pairs(
    characters_data: Sequence[Mapping[str, Any]], duelist_key: DuelistKey, max_level: int | None = None
) -> dict[str, list[Mapping[str, Any]]]:
    """List by ability both characters, with one of them raised by a level.

    Leaves out abilities that would exceed `max_level`. Rule: `create.max-level`.
    """
    index = 0 if duelist_key == "first" else 1
    pairs: dict[str, list[Mapping[str, Any]]] = {}
    for ability in ABILITIES:
        level = characters_data[index]["abilities"].get(ability.name, 0) + 1
        if max_level is None or level <= max_level:
            pair = list(characters_data)
            pair[index] = with_level(characters_data[index], ability.name, level)
            pairs[ability.name] = pair
    return pairs
