"""The picture `initiative`: three groups in the order of their rolls, one of them with three characters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from build_scripts.pictures.example_scenario import play_scenario_text
from build_scripts.pictures.record import Picture, join_words
from scratch_core.encounter.state import EncounterState

FIGHT = """\
format = "scratch-scenario/1"
title = "Three groups"
steps = [{ actor = "chokestar", do = "nothing" }]
[initiative]
"Mia" = [13]
"Game master" = [16]
"Tom" = [9]
[[characters]]
id = "chokestar"
name = "Chokestar"
group = "Mia"
abilities = { wrestling = 2, stealth = 3, toughness = 3 }
[[characters]]
id = "flipfire"
name = "Flipfire"
group = "Tom"
abilities = { shooting = 2, fighting = 2, toughness = 4 }
[[characters]]
id = "boss"
name = "The Boss"
group = "Game master"
abilities = { shooting = 2, command = 4, toughness = 3 }
[[characters]]
id = "thug-1"
name = "Thug"
minion_of = "boss"
abilities = { toughness = 2 }
[[characters]]
id = "thug-2"
name = "Thug"
minion_of = "boss"
abilities = { toughness = 2 }
"""

_ROW = 76
_CHIP = 72
_LEFT = 118


@dataclass(frozen=True, slots=True)
class TurnChip:
    """A character's turn."""

    x: float
    """Its left edge."""
    name: str
    """The character's name."""


@dataclass(frozen=True, slots=True)
class InitiativeGroup:
    """A group with its roll and the turns of its characters."""

    y: float
    """Its top edge."""
    position: int
    """Its position in the order, from 1."""
    owner: str
    """The player who controls it."""
    total: int
    """The total of its initiative roll."""
    sum_text: str
    """The sum in words."""
    chips: tuple[TurnChip, ...]
    """The turns of its characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativePicture(Picture):
    """The groups from the first to the last."""

    groups: tuple[InitiativeGroup, ...]
    """The groups in order."""
    chip: int = _CHIP
    """The width of a character's turn."""


def build_picture(fields: Mapping[str, str]) -> InitiativePicture:
    """Begin the fight, and read the order from its state.

    Rules: `turn.group`, `turn.initiative-roll`, `turn.order`, `turn.member-turn`, `turn.member-order`.
    """
    groups = tuple(_list_groups(play_scenario_text(FIGHT).opening_state))
    sentences = [
        f"{_format_owner(group)} plays {join_words(chip.name for chip in group.chips)}: {group.sum_text}, "
        f"{group.total} in all."
        for group in groups
    ]
    return InitiativePicture(
        title="One initiative roll for each group, and a turn for each of its characters",
        description=(
            f"{' '.join(sentences)} The groups take their turns in this order, and then begin again with the first. "
            "In a group's turn, every character has one turn, in any order."
        ),
        height=_ROW * len(groups) + 26,
        groups=groups,
    )


def _format_owner(group: InitiativeGroup) -> str:
    return "The game master" if group.owner == "Game master" else group.owner


def _list_groups(state: EncounterState) -> Iterator[InitiativeGroup]:
    for n, rolled in enumerate(state.initiative):
        names = [fighter.name for fighter in state.fighters if fighter.group == rolled.group]
        chips = tuple(TurnChip(_LEFT + k * (_CHIP + 3), name) for k, name in enumerate(names))
        figure = rolled.figure
        face, *bonuses = figure.parts
        words = " + ".join([f"{face.value} (die roll)", *(f"{part.value} ({part.label})" for part in bonuses)])
        yield InitiativeGroup(n * _ROW, n + 1, rolled.group, figure.value, words, chips)
