"""Craftsmanship in a hurry: the difficulty, and the bonuses that a failure costs."""

from __future__ import annotations

from collections.abc import Sequence

from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.actions import CRAFT

LostBonus = tuple[str, str, str]
"""A bonus that a failed hurried roll has cost: crafter, companion, ability."""

HURRY_DIFFICULTY = CRAFT.difficulty
"""The usual difficulty of adding a bonus in a hurry. Rule: `craft.hurry`."""


def is_bonus_lost(failed: Sequence[LostBonus], wanted: LostBonus, bonuses_left: int, rulings: RulingSettings) -> bool:
    """Return whether failed rolls have cost a wanted bonus (ruling A37). Rule: `craft.hurry-fail`.

    `failed` are the crafter's failures in this hurry, `bonuses_left` the number of bonuses left to place. Each
    failure costs one of these or, by the other ruling, that ability of that companion.
    """
    return wanted in failed if rulings.failed_hurry == "ability" else bool(failed) and len(failed) >= bonuses_left
