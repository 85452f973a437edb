"""Rule options: the rulings that a table may decide differently, and its settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from scratch_core.errors import Problems
from scratch_core.rulebook.records import RuleOption, RulingValue

RULE_OPTIONS: Final = (
    RuleOption(
        "strength_base",
        7,
        (7, 8),
        "K01",
        "The rule adds toughness to 7; five of the six printed characters were worked out with 8.",
        ("untrained strength 7 + toughness", "untrained strength 8 + toughness"),
    ),
    RuleOption(
        "detection_multiplier",
        10,
        (10, 2),
        "K21",
        "Detection adds ten times its level to initiative; 2 makes it add twice its level, like stealth.",
        ("detection adds ten times its level", "detection adds twice its level"),
    ),
    RuleOption(
        "unrepeatable_scope",
        "actor",
        ("actor", "pair"),
        "A03",
        "You can use an unrepeatable action once per encounter, or once per encounter against each target.",
        ("once per encounter", "once per target"),
    ),
    RuleOption(
        "stack_abilities",
        False,
        (False, True),
        "A02",
        "A roll adds one ability. On: you can add every ability that fits, except knockout.",
        ("one ability in a roll", "several abilities in a roll"),
    ),
    RuleOption(
        "strength_use_max",
        False,
        (False, True),
        "A01",
        "With wrestling or swimming, strength doesn't count toughness. On: the higher of the two sums counts.",
        ("strength ignores toughness if trained", "the higher of two strengths counts"),
    ),
    RuleOption(
        "wrestling_double_legacy",
        False,
        (False, True),
        "K06",
        "On: a healthy character with wrestling has a hold and a basic attack each turn, and holds do no damage.",
        ("one attack per turn for wrestlers", "a hold and a basic attack each turn"),
    ),
    RuleOption(
        "swimming_twice",
        True,
        (True, False),
        "A11",
        "In water you add swimming to every close attack, even if the roll already uses it. Off: once per roll.",
        ("swimming may count twice", "swimming counts once"),
    ),
    RuleOption(
        "flyer_on_foot",
        "safe",
        ("safe", "reachable"),
        "A12",
        "A flyer who evades with any ability is out of reach of close attacks, or only one who evades with flying.",
        ("flyers on foot are out of reach", "flyers on foot can be attacked"),
    ),
    RuleOption(
        "failed_hurry",
        "bonus",
        ("bonus", "ability"),
        "A37",
        "Failed hurried crafting costs the crafter one bonus, or only that ability of that companion.",
        ("failed hurried work costs a bonus", "failed hurried work costs one ability"),
    ),
    RuleOption(
        "interrupt_move",
        "both",
        ("leave", "arrive", "both"),
        "G01",
        "A move of more than 1 space exposes you where it starts, where it arrives, or in both places.",
        ("exposed at the start of a move", "exposed where a move arrives", "exposed at the start and on arrival"),
    ),
    RuleOption(
        "delayed_blocks_move",
        False,
        (False, True),
        "G07",
        "Delayed characters can move on a map. On: they can't.",
        ("delayed characters can move", "delayed characters can't move"),
    ),
    RuleOption(
        "interrupt_blast",
        "enemy",
        ("enemy", "space"),
        "G09",
        "A blast exposes you if it catches a distant enemy, or also if you aim it at a distant space.",
        ("a blast at distant enemies exposes you", "a blast at a distant space exposes you"),
    ),
    RuleOption(
        "corners",
        "free",
        ("free", "barred"),
        "G11",
        "Free: walls beside a diagonal step, swap or push never block it. "
        "Barred: two walls or obstacles, one on each side, do.",
        ("diagonal steps between walls are free", "two walls block a diagonal step"),
    ),
    RuleOption(
        "downed_are_inert",
        False,
        (False, True),
        "G12",
        "Incapacitated characters block movement and sight. On: they block nothing and stop no one.",
        ("incapacitated characters block the way", "incapacitated characters block nothing"),
    ),
    RuleOption(
        "seize_on_total",
        False,
        (False, True),
        "S01",
        "A 20 or 1 must be the die roll. On: it must be the total.",
        ("for a 20 or 1, the die roll counts", "for a 20 or 1, the total counts"),
    ),
)
_SPELLINGS: Final = {True: ("true", "on", "yes"), False: ("false", "off", "no")}


@dataclass(frozen=True, slots=True)
class RulingSettings:
    """The settings of a table: one field per rule option, each with our default. `from_dict` validates settings as
    typed.
    """

    strength_base: Literal[7, 8] = 7
    """What strength adds to toughness (ruling K01)."""
    detection_multiplier: Literal[10, 2] = 10
    """How many times its level detection adds to initiative (ruling K21)."""
    unrepeatable_scope: Literal["actor", "pair"] = "actor"
    """Whether unrepeatable actions count per actor or per pair of actor and target (ruling A03)."""
    stack_abilities: bool = False
    """Whether a roll may add several abilities (ruling A02)."""
    strength_use_max: bool = False
    """Whether strength is the higher of its two sums (ruling A01)."""
    wrestling_double_legacy: bool = False
    """Whether a healthy wrestler has a hold and a basic attack each turn (ruling K06)."""
    swimming_twice: bool = True
    """Whether a close attack in water may add swimming twice (ruling A11)."""
    flyer_on_foot: Literal["safe", "reachable"] = "safe"
    """Whether flyers who evade with another ability are out of reach of close attacks (ruling A12)."""
    failed_hurry: Literal["bonus", "ability"] = "bonus"
    """What failed hurried crafting costs: one bonus, or one ability of one companion (ruling A37)."""
    interrupt_move: Literal["leave", "arrive", "both"] = "both"
    """Where a move exposes the actor: at its start, at its end, or both (ruling G01)."""
    delayed_blocks_move: bool = False
    """Whether delayed characters may not move (ruling G07)."""
    interrupt_blast: Literal["enemy", "space"] = "enemy"
    """Whether a blast exposes the actor only for distant enemies or for any distant space (ruling G09)."""
    corners: Literal["free", "barred"] = "free"
    """Whether two walls block a diagonal step between them (ruling G11)."""
    downed_are_inert: bool = False
    """Whether incapacitated characters block neither movement nor sight (ruling G12)."""
    seize_on_total: bool = False
    """Whether a 20 or 1 is the total rather than the die roll (ruling S01)."""

    @classmethod
    def from_dict(cls, mapping: Mapping[str, str | int | bool]) -> RulingSettings:
        """Parse settings by option name.

        Missing options keep their default. Values may be text: `"8"`, `"pair"`, `"on"`/`"off"`, `"true"`/`"false"`,
        `"yes"`/`"no"`. Raises `ScratchError` with every problem at once: `rulings.name` for an unknown option,
        `rulings.value` for a value that is not among its choices.
        """
        options = {option.name: option for option in RULE_OPTIONS}
        problems = Problems()
        settings: dict[str, Any] = {}
        for name, value in mapping.items():
            option = options.get(name)
            if option is None:
                problems.report_value("rulings.name", _format_choices(options), name, "the rulings", name=name)
                continue
            matches = [choice for choice in option.choices if _is_choice(value, choice)]
            if matches:
                settings[name] = matches[0]
            else:
                expected = _format_choices(map(format_setting, option.choices))
                words = "” or “".join(option.words)
                problems.report_value("rulings.value", expected, value, name, option.ruling, options=words)
        problems.raise_if_any()
        return cls(**settings)


def format_setting(setting: RulingValue) -> str:
    """Format a setting for display: `on` or `off` for booleans, else the value itself."""
    return {True: "on", False: "off"}[setting] if isinstance(setting, bool) else str(setting)


def _is_choice(value: object, choice: RulingValue) -> bool:
    """Return whether a value, typed as text or not, equals a choice.

    True does not equal 1 here, and 8.0 does not equal 8.
    """
    if isinstance(value, str):
        spellings = _SPELLINGS[choice] if isinstance(choice, bool) else (str(choice),)
        return value.strip().lower() in spellings
    return type(value) is type(choice) and value == choice


def _format_choices(words: Iterable[str]) -> str:
    return "one of " + ", ".join(words)
