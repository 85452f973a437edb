"""The keys that each action has in a file, without a board and on one."""

from __future__ import annotations

from collections.abc import Mapping

from scratch_core.encounter.actions import AT_SOMEBODY, BOARD_NAMES, EVERY, NAMES, WITH
from scratch_core.rulebook.actions import BLAST, CHECK, CRAFT, INTERRUPT, MOVE, REPOSITION, SMALL_ACT
from scratch_core.turn_systems import Field

SHARED = ("with", "target", "targets")
"""What the steps of many actions have."""

DIFFICULTY_LIMIT = 1_000_000
PATH_LIMIT = 100
"""The highest difficulty, and the most spaces of a path."""

_TARGET = Field("target", "targets", None, "whom it is aimed at, or “targets”", attribute="targets")
_BLOWS = Field("target", "targets", None, "whom the first blow is for, or “targets”", low=2, attribute="targets")
_ANYBODY = Field("target", "targets", (), "whom it is about", attribute="targets")
_WITH = Field("with", "abilities", None, 'the ability it is made with, or "none"', attribute="uses", is_optional=True)
_CRAFTED = Field("ability", "ability", None, "which bonus")

_OWN: Mapping[str, tuple[Field, ...]] = {
    CHECK.do: (
        Field("ability", "ability", "", "what is added"),
        Field("difficulty", "number", None, "what it is held against", -DIFFICULTY_LIMIT, DIFFICULTY_LIMIT),
        Field("requires", "flag", False, "whether nobody may try without the ability"),
    ),
    CRAFT.do: (
        _CRAFTED,
        Field("add", "flag", True, "whether it is added, or taken away"),
        Field("hurry", "flag", False, "whether it is made in a hurry"),
        Field("difficulty", "number", 0, "that of work in a hurry, where it is not the usual one", 1, DIFFICULTY_LIMIT),
    ),
}
_ON_BOARD: Mapping[str, tuple[Field, ...]] = {
    MOVE.do: (Field("path", "path", None, "spaces entered", high=PATH_LIMIT),),
    BLAST.do: (Field("at", "space", None, "what it is aimed at", attribute="space", label="aimed at"),),
    REPOSITION.do: (
        Field("to", "space", None, "where it is put", attribute="space", is_optional=True, label="put to"),
        Field("swap", "flag", False, "whether the two change places"),
    ),
    INTERRUPT.do: (
        Field(
            *("when", "moment", None, "how many spaces were entered"),
            high=PATH_LIMIT,
            is_optional=True,
            label="interrupts after",
        ),
    ),
}
"""What only these actions have, anywhere and on a board."""


def steps(*, has_board: bool) -> dict[str, tuple[Field, ...]]:
    """The fields of every action that there is."""
    own, names = _OWN, NAMES
    if has_board:
        own, names = {**_OWN, **_ON_BOARD}, (*NAMES, *BOARD_NAMES)
    return {do: (*_aimed(do, own.get(do, ())), *own.get(do, ())) for do in names}


def _aimed(do: str, own: tuple[Field, ...]) -> tuple[Field, ...]:
    """Whom an action is aimed at, and what it is made with; what is aimed at a space on the board is at no one."""
    is_at_space = any(field.key == "at" for field in own)
    takes = (_TARGET,) if do in (*AT_SOMEBODY, REPOSITION.do, INTERRUPT.do) and not is_at_space else ()
    if takes and EVERY[do].opens:
        takes = (_BLOWS,)
    if do == SMALL_ACT.do:
        takes = (_ANYBODY,)
    return (*takes, _WITH) if do in WITH else takes
