"""The characters of a setup by another turn system: their numbers, and the buttons that change them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.characters_text.fighter_lines import format_field_word
from scratch_core.scenario import AnySystem
from scratch_core.turn_systems import Field

SET_COMMAND, SEAT_COMMAND = "set", "seat"
"""The commands that set a number of a character and that move it to another seat."""


@dataclass(frozen=True, slots=True)
class SetupNumber:
    """A number of a character between a button that lowers it and one that raises it."""

    word: str
    """The name of the number."""
    value: str
    """The number as text."""
    lower_command: str
    """The command that lowers it, "" if it can't be lower."""
    raise_command: str
    """The command that raises it, "" if it can't be higher."""


@dataclass(frozen=True, slots=True)
class SetupFlag:
    """A quality of a character that is on or off."""

    word: str
    """The name of the quality."""
    is_on: bool
    """Whether the character has it."""
    command: str
    """The command that turns it on or off."""


@dataclass(frozen=True, slots=True)
class SetupRow:
    """A character of the setup."""

    fighter: Any
    """The character."""
    seat: int
    """Its seat, from 1; 0 if turns don't go round."""
    figures: tuple[tuple[str, str], ...]
    """The numbers to show, each with its name."""
    words: tuple[str, ...]
    """What else is to be shown, in words: `not healthy`."""
    numbers: tuple[SetupNumber, ...]
    """The numbers that can be changed; the seat is the first."""
    flags: tuple[SetupFlag, ...]
    """The qualities that can be changed."""


def build_setup_rows(system: AnySystem, fighters: Sequence[Any], *, is_seated: bool) -> tuple[SetupRow, ...]:
    """Build the rows of all characters in the order of their seats.

    They show the first number of the turn system, and each other one that is not the default for everyone; of the pools
    all but the last, which has the rest of the hit points.
    """
    numeric_fields = [each for each in system.character_fields if each.type.is_numeric]
    pools = [part for each in system.character_fields for part in each.type.list_component_fields(each)][:-1]
    shown_fields = [
        field
        for field in (*numeric_fields, *pools)
        if field is numeric_fields[0] or any(getattr(each, field.key) != field.default for each in fighters)
    ]
    return tuple(
        SetupRow(
            fighter,
            seat if is_seated else 0,
            tuple((_format_word(each), _format_value(each, fighter)) for each in shown_fields),
            tuple(_list_changed_flags_and_group(system, fighter)),
            (
                *((_build_seat_number(fighter, seat, len(fighters)),) if is_seated else ()),
                *(_build_number(each, fighter, pools) for each in numeric_fields),
            ),
            tuple(_build_flag(each, fighter) for each in system.character_fields if each.kind == "flag"),
        )
        for seat, fighter in enumerate(fighters, 1)
    )


def _format_word(field: Field) -> str:
    """Return the name of a number for players: `HP/round`."""
    return format_field_word(field).replace("hp", "HP")


def _format_value(field: Field, fighter: Any) -> str:
    """Format a character's value of a field in words."""
    return field.type.format_for_players(field, getattr(fighter, field.key)).replace("-", "−")


def _list_changed_flags_and_group(system: AnySystem, fighter: Any) -> list[str]:
    """List what is unusual about a character, in words."""
    words = []
    for field in system.character_fields:
        value = getattr(fighter, field.key, None)
        if field.kind == "flag" and value != field.default:
            words.append(field.key if value else f"not {field.key}")
        elif field.kind == "text" and value not in ("", fighter.id):
            words.append(f"initiative group: {value}")
    return words


def _build_number(field: Field, fighter: Any, pools: Sequence[Field]) -> SetupNumber:
    """Build a number of a character with its buttons.

    There can't be fewer hit points than are in the pools.
    """
    value = getattr(fighter, field.key)
    lower, higher = (field.type.find_neighbour(field, value, step) for step in (-1, 1))
    if field.key == "hp" and value <= sum(getattr(fighter, each.key) for each in pools):
        lower = ""
    prefix = f"{SET_COMMAND} {fighter.id} {field.key} "
    return SetupNumber(
        _format_word(field),
        _format_value(field, fighter),
        prefix + lower if lower else "",
        prefix + higher if higher else "",
    )


def _build_seat_number(fighter: Any, seat: int, count: int) -> SetupNumber:
    """Build the seat of a character with its buttons."""
    prefix = f"{SEAT_COMMAND} {fighter.id} "
    lower, higher = (f"{prefix}{seat - 1}" if seat > 1 else ""), (f"{prefix}{seat + 1}" if seat < count else "")
    return SetupNumber("seat", str(seat), lower, higher)


def _build_flag(field: Field, fighter: Any) -> SetupFlag:
    """Build a quality of a character with its button."""
    is_on = bool(getattr(fighter, field.key))
    return SetupFlag(field.key, is_on, f"{SET_COMMAND} {fighter.id} {field.key} {'no' if is_on else 'yes'}")
