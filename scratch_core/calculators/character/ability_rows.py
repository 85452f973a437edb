"""The abilities as rows of the builder: the typed level, and what one more level would change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scratch_core.calculators.character.level_preview import preview_next_levels
from scratch_core.characters import Character, Limits, parse_level
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import (
    ABILITIES_BY_NAME,
    ABILITY_NAMES,
    GROUPS,
    Ability,
    Group,
    list_group_abilities,
)


@dataclass(frozen=True, slots=True)
class AbilityRow:
    """An ability on the sheet."""

    ability: Ability
    """The ability."""
    level: int
    """Its level. 0 if it has none, or can't be parsed."""
    next_level_text: str
    """What one more level would change. Empty if that is unknown."""


def build_ability_groups(
    fields: Mapping[str, str], character: Character | None, limits: Limits, rulings: RulingSettings
) -> tuple[tuple[Group, tuple[AbilityRow, ...]], ...]:
    """Build the rows of all abilities, with what one more level would change.

    That text is empty without a valid character.
    """
    previews = preview_next_levels(character, limits, rulings) if character else {}
    rows = {}
    for name in ABILITY_NAMES:
        level = parse_level(fields[name].strip() or "0", "")
        rows[name] = AbilityRow(ABILITIES_BY_NAME[name], level if isinstance(level, int) else 0, previews.get(name, ""))
    return tuple((group, tuple(rows[ability.name] for ability in list_group_abilities(group))) for group in GROUPS)
