"""The text that the rulebook prints for its worked combat, step by step, and why the rules differ from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PrintedStep:
    """The rulebook's text for a step of the worked combat."""

    narration: str
    """What the rulebook says of the step."""
    difference_reason: str = ""
    """Why the rules give another result. Empty if they agree."""
    rule_ids: tuple[str, ...] = ()
    """The rules and rulings that the reason is based on."""


PRINTED_STEPS: Mapping[int, PrintedStep] = {
    1: PrintedStep(
        "The hold fails: 13 against a strength of 14.",
        "The rule adds toughness to 7. Breakhelm's strength is 13, and 13 is enough: he is delayed and loses 1.",
        ("def.strength.fallback", "K01", "act.wrestling.hold-damage"),
    ),
    2: PrintedStep(
        "A second attack in the same turn hits: Breakhelm goes from 6 to 5 hit points.",
        "A turn has one regular action, for wrestlers too. The story seems to follow another rule.",
        ("act.regular", "K06"),
    ),
    3: PrintedStep("Flipfire misses with 9."),
    4: PrintedStep(
        "Both attacks hit: Chokestar goes from 3 to 2 to 1 hit points and is injured.",
        "If the first hold succeeds, Breakhelm is delayed and can't attack. With strength 14 the story is right.",
        ("cond.delayed", "K01"),
    ),
    5: PrintedStep(
        "The hold fails: 7, compared with agility.",
        "A hold is rolled against strength. A 7 fails against either.",
        ("act.hold", "K08"),
    ),
    6: PrintedStep(
        "Flipfire heals Chokestar with 14: from 1 to 2 hit points, healthy again.",
        "Only an injured character can be healed. Without step 4, Chokestar isn't injured.",
        ("act.heal.injured",),
    ),
    7: PrintedStep("The story says nothing here. This step only ends Flipfire's turn."),
    8: PrintedStep("Breakhelm misses Flipfire with 10."),
    9: PrintedStep(
        "The hold succeeds with 15. Breakhelm is delayed and loses no hit points.",
        "A healthy wrestler's hold also does 1 damage.",
        ("act.wrestling.hold-damage", "K07"),
    ),
    10: PrintedStep(
        "A second attack in the same turn misses with 9.",
        "It is not allowed. It would miss in any case.",
        ("act.regular", "K06"),
    ),
    11: PrintedStep(
        "Flipfire hits with 19: Breakhelm goes from 5 to 3 and is injured.",
        "The damage is the same. What is left depends on what came before.",
        ("hp.damage",),
    ),
    12: PrintedStep("Breakhelm, delayed, does nothing."),
    13: PrintedStep(
        "Chokestar hits with 16: Breakhelm goes from 3 to 2.",
        "The damage is the same. What is left depends on what came before.",
        ("hp.damage",),
    ),
    14: PrintedStep(
        "A second attack in the same turn, a hold, fails with 11.",
        "It is not allowed. It would fail in any case.",
        ("act.regular", "K06"),
    ),
    15: PrintedStep(
        "Flipfire's shot takes the last 2: Breakhelm is down. No total is printed.",
        "By the rules he has 1 left before it, so 1 of the 2 is lost.",
        ("hp.floor",),
    ),
}
"""By number of the step in the sample scenario `worked-combat`."""
