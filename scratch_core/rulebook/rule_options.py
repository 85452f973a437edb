"""The switches: where a table may choose another reading than ours, and how a choice is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from scratch_core.errors import Problem, ScratchError, format_input
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
        "In water you add swimming to every close attack, even a second time. Off: a roll adds it only once.",
        ("swimming may count twice", "swimming counts once"),
    ),
    RuleOption(
        "flyer_on_foot",
        "safe",
        ("safe", "reachable"),
        "A12",
        "A flyer who evades with any ability is out of close reach, or only one who evades with flying.",
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
        "A 20 or 1 is the die roll. On: it is the total.",
        ("a 20 or 1 is the die roll", "a 20 or 1 is the total"),
    ),
)
_SPELLINGS: Final = {True: ("true", "on", "yes"), False: ("false", "off", "no")}


@dataclass(frozen=True, slots=True)
class RulingSettings:
    """The choices in force: one field per switch, each with our default.

    The fields carry the readings of the rulings named in `SWITCHES`; `RulingSettings.read` checks what people type.
    """

    strength_base: Literal[7, 8] = 7
    detection_multiplier: Literal[10, 2] = 10
    unrepeatable_scope: Literal["actor", "pair"] = "actor"
    stack_abilities: bool = False
    strength_use_max: bool = False
    wrestling_double_legacy: bool = False
    swimming_twice: bool = True
    flyer_on_foot: Literal["safe", "reachable"] = "safe"
    failed_hurry: Literal["bonus", "ability"] = "bonus"
    interrupt_move: Literal["leave", "arrive", "both"] = "both"
    delayed_blocks_move: bool = False
    interrupt_blast: Literal["enemy", "space"] = "enemy"
    corners: Literal["free", "barred"] = "free"
    downed_are_inert: bool = False
    seize_on_total: bool = False

    @classmethod
    def from_dict(cls, mapping: Mapping[str, str | int | bool]) -> RulingSettings:
        """Read choices by switch name; what is left out keeps its default.

        Values may be typed as text: `"8"`, `"pair"`, `"on"`/`"off"`, `"true"`/`"false"`, `"yes"`/`"no"`.
        Raises `ScratchError` with every problem at once: `rulings.name` for an unknown switch, `rulings.value` for a
        value that is not among the choices.
        """
        switches = {switch.name: switch for switch in RULE_OPTIONS}
        problems: list[Problem] = []
        chosen: dict[str, Any] = {}
        for name, value in mapping.items():
            switch = switches.get(name)
            if switch is None:
                problems.append(Problem("rulings.name", _one_of(switches), format_input(name), "the rulings"))
                continue
            meant = [choice for choice in switch.choices if _means(value, choice)]
            if meant:
                chosen[name] = meant[0]
            else:
                expected = _one_of(map(format_setting, switch.choices))
                facts = {"options": "” or “".join(switch.words)}
                problems.append(
                    Problem("rulings.value", expected, format_input(value), name, switch.ruling, facts=facts)
                )
        if problems:
            raise ScratchError(*problems)
        return cls(**chosen)


def format_setting(setting: RulingValue) -> str:
    """Write a switch's value for a reader: `on` and `off` for what is true or false, else as it stands."""
    return {True: "on", False: "off"}[setting] if isinstance(setting, bool) else str(setting)


def _means(value: object, choice: RulingValue) -> bool:
    """Whether a value, typed as text or not, means a choice; True is not 1 here, and 8.0 is not 8."""
    if isinstance(value, str):
        spellings = _SPELLINGS[choice] if isinstance(choice, bool) else (str(choice),)
        return value.strip().lower() in spellings
    return type(value) is type(choice) and value == choice


def _one_of(words: Iterable[str]) -> str:
    return "one of " + ", ".join(words)
