"""The sheet that goes on the table: what a player reads off, and boxes to tick hit points in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scratch_core.characters import AbilityLevel, Character, Weights, compute_weights, find_health
from scratch_core.figures import Figure
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITIES_BY_NAME, ABILITY_NAMES
from scratch_core.rulebook.actions import ACTION_SPECS

MAX_BOXES = 24
"""The most boxes that a sheet draws for hit points."""

BLANK_LINES = 8
"""Lines for abilities on a blank sheet: most characters have three to six."""

BLANK_BOXES = 12
"""Boxes for hit points on a blank sheet, none of them marked."""


@dataclass(frozen=True, slots=True)
class CharacterSummary:
    """A character with what a reader may ask of it."""

    character: Character
    figures: Mapping[str, Figure]
    weights: Weights

    @property
    def numbers_by_name(self) -> dict[str, int]:
        """Its points, figures and levels, by their names."""
        figures = {name.replace("-", " "): figure.value for name, figure in self.figures.items()}
        return {
            "points": self.character.cp().value,
            **figures,
            **{name: self.character.level(name) for name in ABILITY_NAMES},
        }


def build_character_summary(character: Character, rulings: RulingSettings) -> CharacterSummary:
    """A character with its figures and what it carries. Rules: `char.stat-line`, `carry.table`."""
    figures = character.figures(rulings)
    return CharacterSummary(character, figures, compute_weights(figures["strength"].value))


@dataclass(frozen=True, slots=True)
class PrintedAbility:
    """One ability: its line, what it is for, and the rolls that it is added to."""

    ability_level: AbilityLevel
    use: str
    roll_text: str


@dataclass(frozen=True, slots=True)
class PrintSheet:
    """One character on paper.

    `injured_boxes` are the hit points from 1 up, each saying whether someone with so many is injured, as far as there
    is room.
    """

    name: str
    summary: CharacterSummary
    abilities: tuple[PrintedAbility, ...]
    injured_boxes: tuple[bool, ...]


def build_print_sheet(shown: CharacterSummary, name: str) -> PrintSheet:
    """A character on paper. Rules: `char.stat-line`, `hp.max`, `hp.injured`, `hp.stamina`, `carry.table`."""
    most = shown.figures["hit-points"].value
    drawn = range(1, min(most, MAX_BOXES) + 1)
    boxes = tuple(find_health(left, most) == "injured" for left in drawn)
    return PrintSheet(name, shown, tuple(map(_build_printed_ability, shown.character.lines)), boxes)


def _build_printed_ability(line: AbilityLevel) -> PrintedAbility:
    ability = ABILITIES_BY_NAME.get(line.ability)
    if ability is None:
        return PrintedAbility(line, "", "")
    titles = [ACTION_SPECS[do].title.lower() for do in ability.adds_to]
    return PrintedAbility(line, ability.use, f"+{line.level} to {', '.join(titles)}" if titles else "")
