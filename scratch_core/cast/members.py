"""A member of the cast: a stat block, and what it claims to be."""

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
"""The kinds in the order in which they are shown, each with its heading."""


@dataclass(frozen=True, slots=True)
class CastMember:
    """Someone of the cast. `block` is its own stat block, `minions` the ids of those it brings along, in order.

    It claims to spend `cp` points and to have no ability above `max_level`. Rules: `create.cp`, `create.max-level`.
    `misprints` names, for each printed figure that the rules contradict, the ruling that says so (K01, K02).
    Rule: `char.stat-line`.
    """

    id: str
    kind: Kind
    cp: int
    max_level: int
    block: str
    minions: tuple[str, ...] = ()
    misprints: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What readers call it."""
        return self.build_character().name

    def build_draft(self) -> CharacterDraft:
        """The stat block as it was written, with its printed figures."""
        return CharacterDraft.from_stat_block(self.block)

    def build_character(self) -> Character:
        """The character, to be trusted."""
        return self.build_draft().build_character()

    def list_levels(self) -> dict[str, int]:
        """Levels by ability, in the order of the sheet."""
        return {line.ability: line.level for line in self.build_character().lines}
