"""Random characters: first a plan, then the points, each choice by a roll; and names for characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scratch_core.characters.character import AbilityLevel, Character
from scratch_core.dice import Roller, choose, choose_several, roll_valid_face
from scratch_core.rulebook.abilities import ABILITIES_BY_NAME, ABILITY_NAMES
from scratch_core.rulebook.action_spec import MOVEMENT
from scratch_core.rulebook.creation_limits import AVERAGE, Limits


@dataclass(frozen=True, slots=True)
class Plan:
    """A sensible kind of character."""

    focus_abilities: tuple[str, ...]
    """The abilities of which one becomes its focus."""
    supporting_abilities: tuple[str, ...]
    """The abilities that fit the focus."""


PLANS: Final[tuple[Plan, ...]] = (
    Plan(("shooting", "blasting"), ("detection", "stealth", "quickness", "flying", "healing", "craftsmanship")),
    Plan(("fighting", "knockout"), ("acrobatics", "quickness", "stealth", "wrestling", "healing", "detection")),
    Plan(("wrestling",), ("quickness", "acrobatics", "swimming", "fighting", "detection")),
    Plan(("stealth",), ("knockout", "shooting", "acrobatics", "quickness", "fighting")),
    Plan(("detection",), ("shooting", "fighting", "healing", "quickness", "command")),
    Plan(MOVEMENT, ("shooting", "fighting", "wrestling", "knockout")),
    Plan(("healing", "craftsmanship"), ("shooting", "blasting", "fighting", "detection", "stealth")),
    Plan(("command",), ("shooting", "fighting", "detection", "healing")),
)
"""The plans, all equally likely. Rule: `create.typical` (an ability for attack and one for defence)."""

MINION_SKILLS: Final[tuple[str, ...]] = ("fighting", "shooting", "detection", "healing")
"""The abilities of which a leader's minion gets one, besides toughness."""


def generate_character_with_any_minion(roller: Roller, limits: Limits = AVERAGE) -> tuple[Character, ...]:
    """Generate a random character within limits, followed by its minion if it has command.

    All points are spent as far as the level limit allows. The minion spends as many points as command gives: half of
    them, rounded up, on toughness. Returns () without points to spend. Rules: `create.cp`, `create.max-level`,
    `create.typical`, `command.minions`, `command.cp-limit`.
    """
    plan = choose(roller, PLANS)
    focus = choose(roller, plan.focus_abilities)
    supporting = choose_several(roller, plan.supporting_abilities, 1 + roll_valid_face(roller, 3))
    levels = _distribute_levels(roller, limits, focus, supporting)
    unnamed = Character("", tuple(AbilityLevel(name, levels[name]) for name in ABILITY_NAMES if levels.get(name)))
    if not unnamed.lines:
        return ()
    leader = Character(suggest_name(unnamed), unnamed.lines)
    command = leader.base_level("command")
    if not command:
        return (leader,)
    skill, toughness = choose(roller, MINION_SKILLS), -(-command // 2)
    lines = (AbilityLevel(skill, command - toughness), AbilityLevel("toughness", toughness))
    return leader, Character("Follower", tuple(line for line in lines if line.level), minion_of=leader.name)


def _distribute_levels(roller: Roller, limits: Limits, focus: str, supporting: Sequence[str]) -> dict[str, int]:
    """Distribute the points over the chosen abilities: one each, then at random.

    Toughness and the focus are twice as likely to rise as the supporting abilities.
    """
    chosen = ["toughness", focus, *supporting]
    levels = dict.fromkeys(chosen[: limits.cp], 1)
    for _ in range(limits.cp - len(levels)):
        open_ones = [name for name in levels if levels[name] < limits.max_level]
        if not open_ones:
            open_ones = [name for name in ABILITY_NAMES if name not in levels]
        if not open_ones:
            break
        chances = [name for name in open_ones for _ in range(4 if name in ("toughness", focus) else 2)]
        name = choose(roller, chances)
        levels[name] = levels.get(name, 0) + 1
    return levels


# Names


def suggest_name(character: Character) -> str:
    """Suggest a name from the two highest abilities: `Sturdy archer`.

    Of equal levels, the rulebook's order decides, with toughness last. Returns "" for a character without abilities. A
    name never changes a number. Rule: `create.reskin`.
    """
    order = (*ABILITY_NAMES[1:], ABILITY_NAMES[0])
    owned = [name for name in order if character.base_level(name)]
    ranked = sorted(owned, key=character.base_level, reverse=True)
    if not ranked:
        return ""
    best = next((name for name in ranked if name != "toughness"), "toughness")
    others = [name for name in ranked if name != best]
    if not others:
        return ABILITIES_BY_NAME[best].noun.capitalize()
    return f"{ABILITIES_BY_NAME[others[0]].adjective} {ABILITIES_BY_NAME[best].noun}"
