"""A member of the cast: a stat block, and the numbers that it claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from scratch_core.characters import Character, CharacterDraft

Kind = Literal["printed", "archetype", "opponent", "minion"]

KINDS: Mapping[Kind, str] = {
    "printed": "Printed in the rulebook",
    "archetype": "Ready to play: ten points each",
    "opponent": "Opponents",
    "minion": "Minions of these characters",
}
"""The kinds in display order, each with its heading."""


@dataclass(frozen=True, slots=True)
class CastMember:
    """A member of the cast."""

    id: str
    """Its stable id: `the-boss`."""
    kind: Kind
    """The group that it is listed in."""
    cp: int
    """The character points that it claims to spend. Rule: `create.cp`."""
    max_level: int
    """The level that it claims no ability exceeds. Rule: `create.max-level`."""
    block: str
    """Its own stat block. Rule: `char.stat-line`."""
    words: str = ""
    """Other words for it, separated by commas. Pickers of characters and the site's search find it by them."""
    minions: tuple[str, ...] = ()
    """The ids of its minions, in order."""
    misprints: Mapping[str, str] = field(default_factory=dict)
    """For each printed figure that the rules contradict, the ruling on it (K01, K02)."""

    @property
    def name(self) -> str:
        """The name in its stat block."""
        return self.build_character().name

    @property
    def search_text(self) -> str:
        """The description, the abilities and the other words, for a search."""
        character = self.build_character()
        return " ".join((character.description, *(line.ability for line in character.lines), self.words))

    def build_draft(self) -> CharacterDraft:
        """Parse the stat block as printed, with its printed figures."""
        return CharacterDraft.from_stat_block(self.block)

    def build_character(self) -> Character:
        """Build the validated character."""
        return self.build_draft().build_character()

    def map_abilities_to_levels(self) -> dict[str, int]:
        """Return levels by ability, in the order of the sheet."""
        return {line.ability: line.level for line in self.build_character().lines}
