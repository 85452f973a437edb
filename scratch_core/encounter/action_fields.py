"""The keys of each action in a scenario file, with and without a board."""

from __future__ import annotations

from collections.abc import Mapping

from scratch_core.encounter.actions import (
    ABILITY_ACTIONS,
    ACTION_NAMES,
    ALL_SPECS,
    BOARD_ACTION_NAMES,
    TARGETED_ACTIONS,
)
from scratch_core.rulebook.actions import BLAST, CHECK, CRAFT, INTERRUPT, MOVE, REPOSITION, SMALL_ACT
from scratch_core.turn_systems import Field

SHARED_KEYS = ("with", "target", "targets")
"""The keys that many actions share."""

MAX_DIFFICULTY = 1_000_000
MAX_PATH_LENGTH = 100
"""The maximum number of spaces in a path."""

_TARGET = Field("target", "targets", None, "the target, or “targets”", attribute="targets")
_ATTACK_TARGETS = Field(
    "target", "targets", None, "the target of the first attack, or “targets”", low=2, attribute="targets"
)
_PARTICIPANTS = Field("target", "targets", (), "the characters concerned", attribute="targets")
_WITH = Field("with", "abilities", None, 'the ability it is made with, or "none"', attribute="uses", is_optional=True)
_CRAFTED = Field("ability", "ability", None, "which bonus")

_OWN_FIELDS: Mapping[str, tuple[Field, ...]] = {
    CHECK.do: (
        Field("ability", "ability", "", "what is added"),
        Field("difficulty", "number", None, "what it is held against", -MAX_DIFFICULTY, MAX_DIFFICULTY),
        Field("requires", "flag", False, "whether it needs the ability"),
    ),
    CRAFT.do: (
        _CRAFTED,
        Field("add", "flag", True, "whether it is added, or taken away"),
        Field("hurry", "flag", False, "whether it is made in a hurry"),
        Field("difficulty", "number", 0, "that of work in a hurry, where it is not the usual one", 1, MAX_DIFFICULTY),
    ),
}
_BOARD_FIELDS: Mapping[str, tuple[Field, ...]] = {
    MOVE.do: (Field("path", "path", None, "spaces entered", high=MAX_PATH_LENGTH),),
    BLAST.do: (Field("at", "space", None, "what it is aimed at", attribute="space", label="target space"),),
    REPOSITION.do: (
        Field("to", "space", None, "where it is put", attribute="space", is_optional=True, label="put to"),
        Field("swap", "flag", False, "whether the two change places"),
    ),
    INTERRUPT.do: (
        Field(
            *("when", "moment", None, "how many spaces were entered"),
            high=MAX_PATH_LENGTH,
            is_optional=True,
            label="interrupts after",
        ),
    ),
}
"""The fields of single actions that only a board adds."""


def list_step_fields(*, has_board: bool) -> dict[str, tuple[Field, ...]]:
    """Return the fields of every action by its name."""
    own, names = _OWN_FIELDS, ACTION_NAMES
    if has_board:
        own, names = {**_OWN_FIELDS, **_BOARD_FIELDS}, (*ACTION_NAMES, *BOARD_ACTION_NAMES)
    return {do: (*_list_target_and_ability_fields(do, own.get(do, ())), *own.get(do, ())) for do in names}


def _list_target_and_ability_fields(do: str, other_fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """Return the fields for an action's targets and abilities.

    An action aimed at a space has no targets.
    """
    is_at_space = any(field.key == "at" for field in other_fields)
    target_fields = (_TARGET,) if do in (*TARGETED_ACTIONS, REPOSITION.do, INTERRUPT.do) and not is_at_space else ()
    if target_fields and ALL_SPECS[do].follow_up:
        target_fields = (_ATTACK_TARGETS,)
    if do == SMALL_ACT.do:
        target_fields = (_PARTICIPANTS,)
    return (*target_fields, _WITH) if do in ABILITY_ACTIONS else target_fields
