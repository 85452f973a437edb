"""What one more level of an ability would change: figures, and the roll that it is bought for."""

from __future__ import annotations

from dataclasses import replace

from scratch_core.characters import AbilityLevel, Character, Limits, initiative_parts
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITIES, Ability
from scratch_core.rulebook.actions import ACTION_SPECS


def preview_next_levels(character: Character, limits: Limits, rulings: RulingSettings) -> dict[str, str]:
    """Describe one more level of each ability: `+1: agility 13.`, or why there is none.

    Rules: `create.max-level`, `char.stat-line`, `hp.max`, `stealth.initiative`, `detection.initiative`.
    """
    current = _compute_numbers(character, rulings)

    def preview(ability: Ability) -> str:
        level = character.base_level(ability.name) + 1
        if level > limits.max_level:
            return f"Level {limits.max_level} is this campaign's maximum."
        grown = _compute_numbers(with_level(character, ability.name, level), rulings)
        words = [f"{name} {sign}{grown[name]}" for name, sign in _CHANGES if grown[name] != current[name]]
        words += _list_roll_gains(character, ability, level)
        return f"+1: {', '.join(words) or 'no change. Another of your abilities already does more'}."

    return {ability.name: preview(ability) for ability in ABILITIES}


_CHANGES = (
    ("initiative", "+"),
    ("hit points", ""),
    ("stamina", ""),
    ("agility", ""),
    ("intelligence", ""),
    ("strength", ""),
)
"""The numbers that a level may change, in the order of the sentence, each with its sign."""


def _compute_numbers(character: Character, rulings: RulingSettings) -> dict[str, int]:
    """Compute a character's figures and initiative bonus, by the names that players read."""
    figures = {name.replace("-", " "): figure.value for name, figure in character.figures(rulings).items()}
    return figures | {"initiative": _compute_initiative_bonus(character, rulings)}


def _compute_initiative_bonus(character: Character, rulings: RulingSettings) -> int:
    """Compute what a character alone adds to the die roll of initiative."""
    levels = (character.level("stealth"), character.level("detection"))
    return sum(part.value for part in initiative_parts(*levels, rulings))


def with_level(character: Character, ability: str, level: int) -> Character:
    """Return the character with a level of an ability. A new ability comes last."""
    lines = [replace(line, level=level) if line.ability == ability else line for line in character.lines]
    if not character.base_level(ability):
        lines.append(AbilityLevel(ability, level))
    return replace(character, lines=tuple(lines))


def _list_roll_gains(character: Character, ability: Ability, level: int) -> list[str]:
    """List the roll that an ability is bought for: command gives minions, craftsmanship gives bonuses."""
    if ability.name == "command":
        return [f"{level} {'point' if level == 1 else 'points'} for minions"]
    if ability.name == "craftsmanship":
        return [f"companions get +1 to {'one ability' if level == 1 else f'{level} abilities'}"]
    rivals = [each for each in ABILITIES if each != ability and character.base_level(each.name) >= level]
    best = [do for do in ability.actions_added_to if not any(do in each.actions_added_to for each in rivals)]
    return [f"{ACTION_SPECS[best[0]].title.lower()} +{level}"] if best else []
