"""A name for a character that has none yet, made of what it does best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scratch_core.abilities import NAMES
from scratch_core.characters.character import Character

NOUNS: Final[Mapping[str, str]] = {
    "toughness": "survivor",
    "shooting": "archer",
    "blasting": "grenadier",
    "knockout": "bruiser",
    "fighting": "fencer",
    "wrestling": "wrestler",
    "stealth": "prowler",
    "detection": "scout",
    "acrobatics": "climber",
    "quickness": "runner",
    "flying": "flier",
    "swimming": "diver",
    "healing": "healer",
    "craftsmanship": "tinker",
    "command": "leader",
}
"""What somebody is called after the best ability."""

ADJECTIVES: Final[Mapping[str, str]] = {
    "toughness": "Sturdy",
    "shooting": "Sure-eyed",
    "blasting": "Explosive",
    "knockout": "Heavy-handed",
    "fighting": "Quarrelsome",
    "wrestling": "Iron-gripped",
    "stealth": "Silent",
    "detection": "Watchful",
    "acrobatics": "Nimble",
    "quickness": "Quick",
    "flying": "Winged",
    "swimming": "Seafaring",
    "healing": "Kind",
    "craftsmanship": "Inventive",
    "command": "Bold",
}
"""What is said of somebody after the second ability."""


def suggested_name(character: Character) -> str:
    """A name from the two highest abilities, `Sturdy archer`; of equals the rulebook's order decides, toughness last.

    "" for a character without an ability of the rulebook. A name never changes a number. Rule: `create.reskin`.
    """
    order = (*NAMES[1:], NAMES[0])
    owned = [name for name in order if character.base_level(name)]
    ranked = sorted(owned, key=character.base_level, reverse=True)
    if not ranked:
        return ""
    best = next((name for name in ranked if name != "toughness"), "toughness")
    others = [name for name in ranked if name != best]
    if not others:
        return NOUNS[best].capitalize()
    return f"{ADJECTIVES[others[0]]} {NOUNS[best]}"
