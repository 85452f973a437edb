"""The switches: where a table may choose another reading than ours, and how a choice is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from scratch_core.catalogue.records import Setting, Switch
from scratch_core.errors import Problem, ScratchError, shown

SWITCHES: Final = (
    Switch(
        "strength_base",
        7,
        (7, 8),
        "K01",
        "The rule adds toughness to 7; five of the six printed characters were worked out with 8.",
        ("untrained strength 7 + toughness", "untrained strength 8 + toughness"),
    ),
    Switch(
        "detection_multiplier",
        10,
        (10, 2),
        "K21",
        "Detection counts tenfold in initiative; 2 puts it level with stealth.",
        ("detection counts tenfold", "detection counts twice"),
    ),
    Switch(
        "unrepeatable_scope",
        "actor",
        ("actor", "pair"),
        "A03",
        "Once used, an unrepeatable action is spent against every target, or only against the one it was used on.",
        ("unrepeatable once against all", "unrepeatable once against each"),
    ),
    Switch(
        "stack_abilities",
        False,
        (False, True),
        "A02",
        "One ability goes into a roll; on, several that fit may be added together, knockout never.",
        ("one ability in a roll", "several abilities in a roll"),
    ),
    Switch(
        "strength_use_max",
        False,
        (False, True),
        "A01",
        "A weak wrestler or swimmer can lose strength by it; on, the better of both sums counts.",
        ("trained strength counts", "the better of two strengths counts"),
    ),
    Switch(
        "wrestling_double_legacy",
        False,
        (False, True),
        "K06",
        "On, a healthy character with wrestling has a hold and a basic attack each turn; holds do no damage.",
        ("one attack a turn for wrestlers", "a hold and an attack each turn"),
    ),
    Switch(
        "swimming_twice",
        True,
        (True, False),
        "A11",
        "In water swimming comes on top of every close attack, even of itself; off, it counts once in a roll.",
        ("swimming may count twice", "swimming counts once"),
    ),
    Switch(
        "flyer_on_foot",
        "safe",
        ("safe", "reachable"),
        "A12",
        "A flyer who evades by another ability is out of close reach too, or only one who evades by flying.",
        ("flyers on foot are safe", "flyers on foot are reached"),
    ),
    Switch(
        "failed_hurry",
        "bonus",
        ("bonus", "ability"),
        "A37",
        "A failed hurry takes one of the crafter's bonuses, or locks that ability of that companion alone.",
        ("a failed hurry costs a bonus", "a failed hurry costs the ability"),
    ),
    Switch(
        "interrupt_move",
        "both",
        ("leave", "arrive", "both"),
        "G01",
        "A longer move exposes where it starts, where it arrives, or in both places.",
        ("a move exposes where it starts", "a move exposes where it arrives", "a move exposes in both places"),
    ),
    Switch(
        "delayed_blocks_move",
        False,
        (False, True),
        "G07",
        "A delay stops actions; on, it stops moving as well.",
        ("the delayed may move", "the delayed may not move"),
    ),
    Switch(
        "interrupt_blast",
        "enemy",
        ("enemy", "space"),
        "G09",
        "A blast exposes if it catches an enemy who is far, or also by the space it is aimed at.",
        ("a blast exposes by far enemies", "a blast exposes by a far space"),
    ),
    Switch(
        "corners",
        "free",
        ("free", "barred"),
        "G11",
        "Nothing beside a diagonal step, swap or push bars it, or two walls or obstacles do.",
        ("no corner bars a diagonal step", "two walls bar a diagonal step"),
    ),
    Switch(
        "downed_are_inert",
        False,
        (False, True),
        "G12",
        "The fallen still stand in the way; on, they block nothing and stop nobody.",
        ("the fallen stand in the way", "the fallen block nothing"),
    ),
    Switch(
        "seize_on_total",
        False,
        (False, True),
        "S01",
        "A 20 or 1 is the face of the die; on, it is the total.",
        ("a 20 or 1 is the face", "a 20 or 1 is the total"),
    ),
)
_SPELLINGS: Final = {True: ("true", "on", "yes"), False: ("false", "off", "no")}


@dataclass(frozen=True, slots=True)
class Rulings:
    """The choices in force: one field per switch, each with our default.

    The fields carry the readings of the rulings named in `SWITCHES`; `Rulings.read` checks what people type.
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
    def read(cls, mapping: Mapping[str, str | int | bool]) -> Rulings:
        """Read choices by switch name; what is left out keeps its default.

        Values may be typed as text: `"8"`, `"pair"`, `"on"`/`"off"`, `"true"`/`"false"`, `"yes"`/`"no"`.
        Raises `ScratchError` with every problem at once: `rulings.name` for an unknown switch, `rulings.value` for a
        value that is not among the choices.
        """
        switches = {switch.name: switch for switch in SWITCHES}
        problems: list[Problem] = []
        chosen: dict[str, Any] = {}
        for name, value in mapping.items():
            switch = switches.get(name)
            if switch is None:
                problems.append(Problem("rulings.name", _one_of(switches), shown(name), "the rulings"))
                continue
            meant = [choice for choice in switch.choices if _means(value, choice)]
            if meant:
                chosen[name] = meant[0]
            else:
                expected = _one_of(map(setting_words, switch.choices))
                problems.append(Problem("rulings.value", expected, shown(value), name, switch.ruling))
        if problems:
            raise ScratchError(*problems)
        return cls(**chosen)


def setting_words(setting: Setting) -> str:
    """Write a switch's value for a reader: `on` and `off` for what is true or false, else as it stands."""
    return {True: "on", False: "off"}[setting] if isinstance(setting, bool) else str(setting)


def _means(value: object, choice: Setting) -> bool:
    """Whether a value, typed as text or not, means a choice; True is not 1 here, and 8.0 is not 8."""
    if isinstance(value, str):
        spellings = _SPELLINGS[choice] if isinstance(choice, bool) else (str(choice),)
        return value.strip().lower() in spellings
    return type(value) is type(choice) and value == choice


def _one_of(words: Iterable[str]) -> str:
    return "one of " + ", ".join(words)
