"""What one more level of an ability would change: figures, and the roll that it is bought for."""

from __future__ import annotations

from dataclasses import replace

from scratch_core.characters import AbilityLevel, Character, Limits, initiative_parts
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITIES, Ability
from scratch_core.rulebook.actions import ACTION_SPECS


def preview_next_levels(character: Character, limits: Limits, rulings: RulingSettings) -> dict[str, str]:
    """For each ability a sentence on one more level, `One more: agility 13.`; where there can be none, why.

    Rules: `create.max-level`, `char.stat-line`, `hp.max`, `stealth.initiative`, `detection.initiative`.
    """
    return {ability.name: _preview_next_level(character, ability, limits, rulings) for ability in ABILITIES}


def _preview_next_level(character: Character, ability: Ability, limits: Limits, rulings: RulingSettings) -> str:
    level = character.base_level(ability.name) + 1
    if level > limits.max_level:
        return f"Level {limits.max_level} is this campaign's maximum."
    grown = with_level(character, ability.name, level)
    before, after = character.figures(rulings), grown.figures(rulings)
    changed = [name for name in after if after[name].value != before[name].value]
    order = ("hit-points", "stamina", "agility", "intelligence", "strength")
    words = [f"{name.replace('-', ' ')} {after[name].value}" for name in sorted(changed, key=order.index)]
    initiative = _compute_initiative_bonus(grown, rulings)
    if initiative != _compute_initiative_bonus(character, rulings):
        words.insert(0, f"initiative +{initiative}")
    words += _list_roll_gains(character, ability, level)
    return f"+1: {', '.join(words) or 'no change. Another of your abilities already does more'}."


def _compute_initiative_bonus(character: Character, rulings: RulingSettings) -> int:
    """What someone alone adds to the die of initiative."""
    levels = (character.level("stealth"), character.level("detection"))
    return sum(part.value for part in initiative_parts(*levels, rulings))


def with_level(character: Character, ability: str, level: int) -> Character:
    """The character with that level of an ability, which stands last where it is new."""
    lines = [replace(line, level=level) if line.ability == ability else line for line in character.lines]
    if not character.base_level(ability):
        lines.append(AbilityLevel(ability, level))
    return replace(character, lines=tuple(lines))


def _list_roll_gains(character: Character, ability: Ability, level: int) -> list[str]:
    """The roll that an ability is bought for; what command gives is minions, and craftsmanship bonuses."""
    if ability.name == "command":
        return [f"{level} {'point' if level == 1 else 'points'} for minions"]
    if ability.name == "craftsmanship":
        return [f"companions get +1 to {'one ability' if level == 1 else f'{level} abilities'}"]
    rivals = [each for each in ABILITIES if each != ability and character.base_level(each.name) >= level]
    best = [do for do in ability.adds_to if not any(do in each.adds_to for each in rivals)]
    return [f"{ACTION_SPECS[best[0]].title.lower()} +{level}"] if best else []
