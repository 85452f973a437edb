"""Printed figures held against the rules."""

from __future__ import annotations

from dataclasses import dataclass, replace

from scratch_core.catalogue import Rulings
from scratch_core.characters.character import DEFAULT_RULINGS, Character
from scratch_core.characters.draft import Draft
from scratch_core.figures import Figure


@dataclass(frozen=True, slots=True)
class Audit:
    """One printed figure and what the rules give instead; a difference is marked and is no error.

    `agrees_with_base_8` says whether it is what `strength_base` 8 would give (ruling K01).
    """

    name: str
    printed: int
    computed: Figure
    agrees: bool
    agrees_with_base_8: bool


def audit(draft: Draft, character: Character, rulings: Rulings = DEFAULT_RULINGS) -> tuple[Audit, ...]:
    """Hold every printed figure against the character's. Rules: `char.stat-line`, `def.strength.fallback`."""
    ruled = character.figures(rulings)
    with_8 = character.figures(replace(rulings, strength_base=8))
    return tuple(
        Audit(
            printed.name,
            printed.value,
            ruled[printed.name],
            printed.value == ruled[printed.name].value,
            printed.value == with_8[printed.name].value,
        )
        for printed in draft.printed
    )
