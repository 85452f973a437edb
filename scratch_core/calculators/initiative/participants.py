"""The characters that roll initiative: their lines, the fields that a turn system uses, and the groups that roll."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scratch_core.calculators.characters_text import ParsedCharacters
from scratch_core.calculators.characters_text.fighter_lines import format_line, parse_fighter_lines
from scratch_core.calculators.shared.names import NameIndex
from scratch_core.scenario import AnySystem
from scratch_core.turn_systems import Field
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS

LEVEL_FIELDS = (
    Field("stealth", "number", 0, "its level", 0, 100, rule="stealth.initiative"),
    Field("detection", "number", 0, "its level", 0, 100, rule="detection.initiative"),
)
"""The levels of a character that matter in Scratch's own turn system."""

FIELDS_BY_WORD: Mapping[str, Field] = {
    field.key: field
    for field in (
        *LEVEL_FIELDS,
        *(field for order in VARIANT_TURN_SYSTEMS.values() for field in order.character_fields),
    )
    if field in LEVEL_FIELDS or field.key in ("reach", "group", "bonus")
}
"""The fields that a line may have after a name, by key.

A line may have fields that only another turn system uses.
Rules: `stealth.initiative`, `detection.initiative`, `turn.group`, `mano.start.reach`, `mano-old.initiative.reach`,
`seize.bonus`, `seize.gm-roll`."""


def list_counted_fields(system: AnySystem) -> tuple[Field, ...]:
    """List the fields of a line that a turn system uses."""
    own_keys = [field.key for field in system.character_fields] or ["stealth", "detection", "group"]
    return tuple(field for key, field in FIELDS_BY_WORD.items() if key in own_keys)


def list_number_fields(system: AnySystem) -> tuple[Field, ...]:
    """List the numeric fields of a line that a turn system uses.

    Each has a column in the rows.
    """
    return tuple(field for field in list_counted_fields(system) if field.type.is_numeric)


def parse_participants(text: str, system: AnySystem) -> ParsedCharacters:
    """Parse the lines of the characters.

    A line without a colon is only a name. Never raises.
    """
    own_fields = list_counted_fields(system)
    all_fields = tuple(dict.fromkeys((*own_fields, *FIELDS_BY_WORD.values())))
    bare_key = next((field.key for field in own_fields if system.character_fields and field.type.is_numeric), "")
    return parse_fighter_lines(text, system, all_fields, bare_key)


def map_groups_by_character_id(participants: ParsedCharacters, system: AnySystem) -> dict[str, str]:
    """Return the id of each character's group, by the character's id.

    Several characters may share a roll in Scratch and in choose-next. Otherwise, the group's id is the character's.
    Rules: `turn.group`, `seize.gm-roll`.
    """
    has_groups = FIELDS_BY_WORD["group"] in list_counted_fields(system)
    return {each["id"]: each.get("group", each["id"]) if has_groups else each["id"] for each in participants.characters}


def build_group_index(participants: ParsedCharacters, system: AnySystem) -> NameIndex:
    """Index the groups that roll by their names and those of their members. Rule: `turn.group`."""
    groups = map_groups_by_character_id(participants, system)
    return NameIndex.build_with_group_names(
        (groups[each["id"]], each["name"], each["id"]) for each in participants.characters
    )


def format_participant_line(character: Mapping[str, Any]) -> str:
    """Format a character of a stat block as a line.

    The line has the levels that matter in Scratch's own turn system.
    """
    levels = ((field.key, character["abilities"].get(field.key)) for field in LEVEL_FIELDS)
    return format_line(character["name"], [f"{key} {level}" for key, level in levels if level])
