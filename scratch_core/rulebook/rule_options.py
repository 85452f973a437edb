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
        "How strong is an untrained character?",
        "The rule adds toughness to 7. Five of the six printed characters were worked out with 8.",
        ("7 + toughness", "8 + toughness"),
        ("untrained strength 7 + toughness", "untrained strength 8 + toughness"),
    ),
    RuleOption(
        "detection_multiplier",
        10,
        (10, 2),
        "K21",
        "What does detection add to initiative?",
        "The text works out its example with ten times the level. Stealth adds twice its level.",
        ("10 × its level", "2 × its level"),
        ("detection adds ten times its level", "detection adds twice its level"),
    ),
    RuleOption(
        "unrepeatable_scope",
        "actor",
        ("actor", "pair"),
        "A03",
        "How often can you use an unrepeatable action?",
        "The rule speaks of the action alone. The source's own example counts by target.",
        ("Once per encounter", "Once per target"),
        ("once per encounter", "once per target"),
    ),
    RuleOption(
        "stack_abilities",
        False,
        (False, True),
        "A02",
        "How many abilities does a roll add?",
        "Fighting and wrestling both fit a basic attack, but each text names only one. Knockout never joins them.",
        ("One", "All that fit"),
        ("one ability in a roll", "several abilities in a roll"),
    ),
    RuleOption(
        "strength_use_max",
        False,
        (False, True),
        "A01",
        "Can training lower your strength?",
        "With wrestling or swimming, strength leaves out toughness, and may be lower than without.",
        ("Yes", "No, the higher counts"),
        ("strength ignores toughness if trained", "the higher of two strengths counts"),
    ),
    RuleOption(
        "wrestling_double_legacy",
        False,
        (False, True),
        "K06",
        "What can a healthy wrestler do in a turn?",
        "In the printed fight one holds and attacks in the same turn. With both, holds do no damage.",
        ("One attack", "A hold and an attack"),
        ("one attack per turn for wrestlers", "a hold without damage and an attack"),
    ),
    RuleOption(
        "swimming_twice",
        True,
        (True, False),
        "A11",
        "Can swimming count twice in a roll?",
        "In water you add swimming to every close attack, and the text makes no exception.",
        ("Yes, in water", "No, once per roll"),
        ("swimming may count twice", "swimming counts once"),
    ),
    RuleOption(
        "flyer_on_foot",
        "safe",
        ("safe", "reachable"),
        "A12",
        "Which evade puts a flyer out of reach?",
        "A flyer who evades is safe from close attacks. The text mentions an evade in flight.",
        ("Any evade", "An evade with flying"),
        ("flyers on foot are out of reach", "flyers on foot can be attacked"),
    ),
    RuleOption(
        "failed_hurry",
        "bonus",
        ("bonus", "ability"),
        "A37",
        "What does failed hurried crafting cost?",
        "A crafter has one bonus for each level. A companion also has one on each ability that was raised.",
        ("One bonus", "One ability"),
        ("failed hurried work costs a bonus", "failed hurried work costs one ability"),
    ),
    RuleOption(
        "interrupt_move",
        "both",
        ("leave", "arrive", "both"),
        "G01",
        "Where does a move expose you?",
        "A move of more than 1 space exposes you. The advice on escaping counts leaving, the wording counts arriving.",
        ("Where it starts", "Where it arrives", "Both"),
        ("exposed at the start of a move", "exposed where a move arrives", "exposed at the start and on arrival"),
    ),
    RuleOption(
        "delayed_blocks_move",
        False,
        (False, True),
        "G07",
        "Can delayed characters move?",
        "Moving isn't an action, and the Grid stops only the incapacitated and the immobilized.",
        ("Yes", "No"),
        ("delayed characters can move", "delayed characters can't move"),
    ),
    RuleOption(
        "interrupt_blast",
        "enemy",
        ("enemy", "space"),
        "G09",
        "When does a blast expose you?",
        "The text is about the enemy who is attacked, but a blast may be aimed at a space.",
        ("At a distant enemy", "At a distant space too"),
        ("a blast at distant enemies exposes you", "a blast at a distant space exposes you"),
    ),
    RuleOption(
        "corners",
        "free",
        ("free", "barred"),
        "G11",
        "Do walls block a diagonal step?",
        "Two walls or obstacles, one on each side, may also block a swap or a push.",
        ("No", "Yes, two walls do"),
        ("diagonal steps between walls are free", "two walls block a diagonal step"),
    ),
    RuleOption(
        "downed_are_inert",
        False,
        (False, True),
        "G12",
        "Do incapacitated characters block the way?",
        "They fill their space and block sight. No rule makes an exception for them.",
        ("Yes", "No"),
        ("incapacitated characters block the way", "incapacitated characters block nothing"),
    ),
    RuleOption(
        "seize_on_total",
        False,
        (False, True),
        "S01",
        "Which number counts as a 20 or a 1?",
        "In choose-next, a result of 20 or of 1 has its own rule. The text doesn't say which result.",
        ("The die roll", "The total"),
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
                problems.report_value("rulings.name", _format_one_of(options), name, "the rulings", name=name)
                continue
            matches = [choice for choice in option.choices if _is_spelling_of_choice(value, choice)]
            if matches:
                settings[name] = matches[0]
            else:
                expected = _format_one_of(map(format_setting_for_display, option.choices))
                words = "” or “".join(option.words)
                problems.report_value("rulings.value", expected, value, name, option.ruling, options=words)
        problems.raise_if_any()
        return cls(**settings)


def format_setting_for_display(setting: RulingValue) -> str:
    """Format a setting for display: `on` or `off` for booleans, else the value itself."""
    return {True: "on", False: "off"}[setting] if isinstance(setting, bool) else str(setting)


def _is_spelling_of_choice(value: object, choice: RulingValue) -> bool:
    """Return whether a value, typed as text or not, equals a choice.

    True does not equal 1 here, and 8.0 does not equal 8.
    """
    if isinstance(value, str):
        spellings = _SPELLINGS[choice] if isinstance(choice, bool) else (str(choice),)
        return value.strip().lower() in spellings
    return type(value) is type(choice) and value == choice


def _format_one_of(words: Iterable[str]) -> str:
    return "one of " + ", ".join(words)
