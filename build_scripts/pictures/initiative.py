"""The picture `initiative`: three groups in the order of their rolls, one of them with three characters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from build_scripts.pictures.example_scenario import play_text
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
    """One character's turn."""

    x: float
    name: str


@dataclass(frozen=True, slots=True)
class InitiativeGroup:
    """Who controls it, what it rolled, and the turns of its characters."""

    y: float
    position: int
    owner: str
    total: int
    sum_text: str
    chips: tuple[TurnChip, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativePicture(Picture):
    """The groups from the first to the last; `chip` is how wide a character's turn is drawn."""

    groups: tuple[InitiativeGroup, ...]
    chip: int = _CHIP


def build_picture(fields: Mapping[str, str]) -> InitiativePicture:
    """Begin the fight and read the order off.

    Rules: `turn.group`, `turn.initiative-roll`, `turn.order`, `turn.member-turn`, `turn.member-order`.
    """
    groups = tuple(_list_groups(play_text(FIGHT).opening_state))
    told = [
        f"{group.owner} plays {join_words(chip.name for chip in group.chips)}: {group.sum_text}, {group.total} in all."
        for group in groups
    ]
    return InitiativePicture(
        title="One initiative roll for each group, and a turn for each of its characters",
        description=(
            f"{' '.join(told)} The groups take their turns in this order, and then begin again with the first. "
            "Within a group's turn every character has one turn, in any order."
        ),
        height=_ROW * len(groups) + 26,
        groups=groups,
    )


def _list_groups(state: EncounterState) -> Iterator[InitiativeGroup]:
    for n, rolled in enumerate(state.initiative):
        names = [fighter.name for fighter in state.fighters if fighter.group == rolled.group]
        chips = tuple(TurnChip(_LEFT + k * (_CHIP + 3), name) for k, name in enumerate(names))
        figure = rolled.figure
        face, *bonuses = figure.parts
        words = " + ".join([f"{face.value} on the die", *(f"{part.value} ({part.label})" for part in bonuses)])
        yield InitiativeGroup(n * _ROW, n + 1, rolled.group, figure.value, words, chips)
