"""Parsed but unvalidated characters: their records, and parsers for a level and a line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scratch_core.characters.character import TemporaryBonus
from scratch_core.errors import Problem, format_input
from scratch_core.normalization import normalize_input, normalize_name

MAX_LEVEL = 1_000
"""The maximum level to parse: far above any campaign's, and low enough for legible sums."""

_JUNK = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2060\ufeff\ud800-\udfff]")
_LOOK_ALIKE = re.compile(
    "[\u00ad\u061c\u200e\u200f\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\ufb00-\ufb06\uff01-\uff5e\U0001d400-\U0001d7ff]"
)
"""Characters that pasting puts in the place of plain letters.

Invisible characters, ligatures, full-width and mathematical letters and digits.
"""
_DIGITS = frozenset("0123456789")
_QUOTED = re.compile(r'(?:"((?:[^"\\]|\\.)+)"|[“„]([^“”„"]+)[”“])\s*(?=$|[:(])')


@dataclass(frozen=True, slots=True)
class RawAbility:
    """One ability as typed, not validated."""

    ability: str
    """The name of the ability."""
    level: str
    """The level."""
    note: str = ""
    """The note, or ""."""
    where: str = ""
    """The place: a control's name, or the location of a line."""


@dataclass(frozen=True, slots=True)
class PrintedFigure:
    """A figure printed on a sheet: audited, never used. Rule: `char.stat-line`."""

    name: str
    """The figure's name, one of `FIGURE_NAMES`."""
    value: int
    """The printed number."""
    where: str = ""
    """The place: the location of a line."""


@dataclass(frozen=True, slots=True)
class RawCharacter:
    """A character as parsed, with its places."""

    name: str = ""
    """The name as typed."""
    entries: tuple[RawAbility, ...] = ()
    """The abilities, in order."""
    description: str = ""
    """The description as typed."""
    minion_of: str = ""
    """The name of the leader, or ""."""
    printed: tuple[PrintedFigure, ...] = ()
    """The printed figures."""
    bonuses: tuple[TemporaryBonus, ...] = ()
    """The temporary bonuses."""
    faults: tuple[Problem, ...] = ()
    """The problems of parsing."""
    where: str = "name"
    """The place of the name: a form's control, or the line of the name on a sheet."""
    where_cp: str = "cp"
    """The place of problems with the whole character: a form's control `cp`, or the line of the name."""


def parse_level(text: str, where: str) -> int | Problem:
    """Parse a level from 0 to `MAX_LEVEL` in plain digits. Rule: `char.ability-level`.

    Returns a problem for any other text.
    """
    plain = normalize_input(text).strip()
    is_number = bool(plain) and len(plain) <= 9 and set(plain) <= _DIGITS
    if is_number and int(plain) <= MAX_LEVEL:
        return int(plain)
    expected = f"a whole number from 0 to {MAX_LEVEL:,}"
    return Problem("character.level", expected, format_input(text), where, "char.ability-level")


def has_leading_level(line: str) -> bool:
    """Return whether a cleaned line starts with a whole number, perhaps after a bullet.

    The line of an ability does.
    """
    return strip_bullet(line).split(" ")[0].lstrip("+-−").isdecimal()


def strip_bullet(line: str) -> str:
    """Return a cleaned line without a leading bullet."""
    return line[2:] if line[:2] in ("- ", "* ", "• ") else line


def quote_name(text: str) -> str:
    """Quote a text so that `parse_leading_quote` restores it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def parse_leading_quote(line: str) -> tuple[str, str] | None:
    """Split a line that starts with a quoted text into that text and the rest.

    A colon, a bracket or nothing follows the quotation: `"Kim (the tall)": captain`. Returns None for any other line.
    """
    found = _QUOTED.match(line.lstrip())
    return (re.sub(r"\\(.)", r"\1", found[1] or found[2]), line.lstrip()[found.end() :]) if found else None


def clean_line(text: str) -> str:
    """Clean a text to one line of plain text.

    Folds look-alikes, removes invisible characters and collapses white space.
    """
    return " ".join(_JUNK.sub(" ", normalize_name(fold_compatibility_characters(text))).split())


def fold_compatibility_characters(text: str) -> str:
    """Fold look-alikes of plain letters and digits in a sheet.

    The sheet is not normalized further, because a dash separates a level from its note, and names and notes remain as
    typed.
    """
    return text if text.isascii() else _LOOK_ALIKE.sub(lambda sign: normalize_input(sign[0]), text)
