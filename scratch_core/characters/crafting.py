"""Craftsmanship: what a hurried attempt has to reach, and which bonuses a failed one bars."""

from __future__ import annotations

from collections.abc import Sequence

from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.actions import CRAFT

LostBonus = tuple[str, str, str]
"""A bonus lost to a failed hurried roll: crafter, companion, ability."""

HURRY_DIFFICULTY = CRAFT.difficulty
"""The usual difficulty of adding a bonus in a hurry. Rule: `craft.hurry`."""


def is_lost(lost: Sequence[LostBonus], wanted: LostBonus, left: int, rulings: RulingSettings) -> bool:
    """Whether a crafter's failures in this hurry bar a bonus, with so many left to place (ruling A37).

    Each takes one of them; or, ruled otherwise, locks that ability of that companion. Rule: `craft.hurry-fail`.
    """
    return wanted in lost if rulings.failed_hurry == "ability" else bool(lost) and len(lost) >= left
