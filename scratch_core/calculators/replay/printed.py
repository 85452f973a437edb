"""What the rulebook prints of its worked combat, step by step, and why the rules part from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Told:
    """What the printed story tells of a step; `why` the rules give something else ("" where they agree).

    `ids` are the rules and rulings that the reason rests on.
    """

    said: str
    why: str = ""
    ids: tuple[str, ...] = ()


STORY: Mapping[int, Told] = {
    1: Told(
        "The hold fails: 13 against a strength of 14.",
        "The rule adds toughness to 7. Breakhelm's strength is 13, and 13 is enough: he is delayed and loses 1.",
        ("def.strength.fallback", "K01", "act.wrestling.hold-damage"),
    ),
    2: Told(
        "A second attack in the same turn hits: Breakhelm goes from 6 to 5 hit points.",
        "A turn has one regular action, for wrestlers too. The story seems to follow another rule.",
        ("act.regular", "K06"),
    ),
    3: Told("Flipfire misses with 9."),
    4: Told(
        "Both attacks hit: Chokestar goes from 3 to 2 to 1 hit points and is injured.",
        "If the first hold succeeds, Breakhelm is delayed and can't attack. With strength 14 the story is right.",
        ("cond.delayed", "K01"),
    ),
    5: Told(
        "The hold fails: 7, compared with agility.",
        "A hold is rolled against strength. A 7 fails against either.",
        ("act.hold", "K08"),
    ),
    6: Told(
        "Flipfire heals Chokestar with 14: from 1 to 2 hit points, healthy again.",
        "Only an injured character can be healed. Without step 4, Chokestar isn't injured.",
        ("act.heal.injured",),
    ),
    7: Told("The story says nothing here. This step only ends Flipfire's turn."),
    8: Told("Breakhelm misses Flipfire with 10."),
    9: Told(
        "The hold succeeds with 15. Breakhelm is delayed and loses nothing.",
        "A healthy wrestler's hold also does 1 damage.",
        ("act.wrestling.hold-damage", "K07"),
    ),
    10: Told(
        "A second attack in the same turn misses with 9.",
        "It is not allowed. It would miss in any case.",
        ("act.regular", "K06"),
    ),
    11: Told(
        "Flipfire hits with 19: Breakhelm goes from 5 to 3 and is injured.",
        "The damage is the same. What is left depends on what came before.",
        ("hp.damage",),
    ),
    12: Told("Breakhelm, delayed, does nothing."),
    13: Told(
        "Chokestar hits with 16: Breakhelm goes from 3 to 2.",
        "The damage is the same. What is left depends on what came before.",
        ("hp.damage",),
    ),
    14: Told(
        "A second attack in the same turn, a hold, fails with 11.",
        "It is not allowed. It would fail in any case.",
        ("act.regular", "K06"),
    ),
    15: Told(
        "Flipfire's shot takes the last 2: Breakhelm is down. No total is printed.",
        "By the rules he has 1 left before it, so 1 of the 2 is lost.",
        ("hp.floor",),
    ),
}
"""By step of the shipped scenario `worked-combat`."""
