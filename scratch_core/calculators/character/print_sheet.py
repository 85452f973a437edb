"""The sheet to print: a character's numbers and abilities, and boxes to mark lost hit points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from scratch_core.characters import AbilityLevel, Character, Weights, compute_weights, find_health
from scratch_core.figures import Figure
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITIES_BY_NAME, ABILITY_NAMES
from scratch_core.rulebook.actions import ACTION_SPECS

MAX_BOXES = 24
"""The most boxes for hit points on a sheet."""

BLANK_LINES = 8
"""The lines for abilities on a blank sheet. Most characters have three to six."""

BLANK_BOXES = 12
"""The boxes for hit points on a blank sheet, none of them marked."""


@dataclass(frozen=True, slots=True)
class CharacterSummary:
    """A character with its figures."""

    character: Character
    """The character."""
    figures: Mapping[str, Figure]
    """The figures by name, each with its parts."""
    weights: Weights
    """The weights that it can carry."""

    @property
    def numbers_by_name(self) -> dict[str, int]:
        """Character points, figures and levels by name."""
        figures = {name.replace("-", " "): figure.value for name, figure in self.figures.items()}
        return {
            "points": self.character.cp().value,
            **figures,
            **{name: self.character.level(name) for name in ABILITY_NAMES},
        }


def build_character_summary(character: Character, rulings: RulingSettings) -> CharacterSummary:
    """Build the summary of a character with its figures and weights.

    Rules: `char.stat-line`, `carry.table`.
    """
    figures = character.figures(rulings)
    return CharacterSummary(character, figures, compute_weights(figures["strength"].value))


@dataclass(frozen=True, slots=True)
class PrintedAbility:
    """An ability on the sheet."""

    ability_level: AbilityLevel
    """The ability with its level and note."""
    use: str
    """What the ability is for. Empty for an unknown ability."""
    roll_text: str
    """The rolls that it is added to. Empty for none."""


@dataclass(frozen=True, slots=True)
class PrintSheet:
    """The printed sheet of a character."""

    name: str
    """The name on the sheet."""
    summary: CharacterSummary
    """The character with its figures."""
    abilities: tuple[PrintedAbility, ...]
    """The abilities in the order of the sheet."""
    injured_boxes: tuple[bool, ...]
    """Whether the character is injured at 1, 2, 3 … hit points, for at most `MAX_BOXES`."""


def build_print_sheet(summary: CharacterSummary, name: str) -> PrintSheet:
    """Build the printed sheet of a character.

    Rules: `char.stat-line`, `hp.max`, `hp.injured`, `hp.stamina`, `carry.table`.
    """
    max_hp = summary.figures["hit-points"].value
    hp_values = range(1, min(max_hp, MAX_BOXES) + 1)
    boxes = tuple(find_health(hp, max_hp) == "injured" for hp in hp_values)
    return PrintSheet(name, summary, tuple(map(_build_printed_ability, summary.character.lines)), boxes)


def _build_printed_ability(line: AbilityLevel) -> PrintedAbility:
    ability = ABILITIES_BY_NAME.get(line.ability)
    if ability is None:
        return PrintedAbility(line, "", "")
    titles = [ACTION_SPECS[do].title.lower() for do in ability.actions_added_to]
    return PrintedAbility(line, ability.use, f"+{line.level} to {', '.join(titles)}" if titles else "")
