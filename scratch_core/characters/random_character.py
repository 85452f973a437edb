"""A character from chance: a kind of character first, then its points, every choice a face of the roller.

And a name for one that has none yet, made of what it does best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from scratch_core.characters.character import AVERAGE, AbilityLevel, Character, Limits
from scratch_core.dice import Roller, throw
from scratch_core.rulebook.abilities import ABILITIES_BY_NAME, ABILITY_NAMES
from scratch_core.rulebook.action_spec import MOVEMENT

_Choice = TypeVar("_Choice")


@dataclass(frozen=True, slots=True)
class Plan:
    """A sensible kind of character: the abilities it may be about, and those that go well with them."""

    focus_abilities: tuple[str, ...]
    supporting_abilities: tuple[str, ...]


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
"""The kinds, each as likely as the others. Rule: `create.typical` (something to attack with, something to defend)."""

MINION_SKILLS: Final[tuple[str, ...]] = ("fighting", "shooting", "detection", "healing")
"""What a leader's minion may know beside toughness."""


def generate_character(roller: Roller, limits: Limits = AVERAGE) -> tuple[Character, ...]:
    """A character that keeps the limits, and after it the minion of one with command; the roller chooses.

    The minion spends what command gives: half of it, rounded up, on toughness.
    All points are spent where the levels have room for them. No one, where there is no point to spend.
    Rules: `create.cp`, `create.max-level`, `create.typical`, `command.minions`, `command.cp-limit`.
    """
    plan = _pick(roller, PLANS)
    about = _pick(roller, plan.focus_abilities)
    beside = _several(roller, plan.supporting_abilities, 1 + throw(roller, 3))
    levels = _levels(roller, limits, about, beside)
    unnamed = Character("", tuple(AbilityLevel(name, levels[name]) for name in ABILITY_NAMES if levels.get(name)))
    if not unnamed.lines:
        return ()
    leader = Character(suggest_name(unnamed), unnamed.lines)
    command = leader.base_level("command")
    if not command:
        return (leader,)
    skill, toughness = _pick(roller, MINION_SKILLS), -(-command // 2)
    lines = (AbilityLevel(skill, command - toughness), AbilityLevel("toughness", toughness))
    return leader, Character("Follower", tuple(line for line in lines if line.level), minion_of=leader.name)


def _levels(roller: Roller, limits: Limits, about: str, beside: Sequence[str]) -> dict[str, int]:
    """Levels of the chosen abilities: one of each as far as the points go, then point by point where chance says.

    Toughness and what it is all about are twice as likely to grow as what stands beside.
    """
    chosen = ["toughness", about, *beside]
    levels = dict.fromkeys(chosen[: limits.cp], 1)
    for _ in range(limits.cp - len(levels)):
        open_ones = [name for name in levels if levels[name] < limits.max_level]
        if not open_ones:
            open_ones = [name for name in ABILITY_NAMES if name not in levels]
        if not open_ones:
            break
        chances = [name for name in open_ones for _ in range(4 if name in ("toughness", about) else 2)]
        name = _pick(roller, chances)
        levels[name] = levels.get(name, 0) + 1
    return levels


def _several(roller: Roller, names: Sequence[str], count: int) -> list[str]:
    """So many different names, in the order in which they were chosen."""
    left, found = list(names), []
    for _ in range(min(count, len(left))):
        found.append(left.pop(throw(roller, len(left)) - 1))
    return found


def _pick(roller: Roller, choices: Sequence[_Choice]) -> _Choice:
    return choices[throw(roller, len(choices)) - 1]


# Names


def suggest_name(character: Character) -> str:
    """A name from the two highest abilities, `Sturdy archer`; of equals the rulebook's order decides, toughness last.

    "" for a character without an ability of the rulebook. A name never changes a number. Rule: `create.reskin`.
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
