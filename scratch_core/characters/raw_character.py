"""What someone wrote for a character, nothing believed yet: records, and how a level and a line are read."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scratch_core.characters.character import TemporaryBonus
from scratch_core.errors import Problem, format_input
from scratch_core.normalization import clean_name, normalize_input

MAX_LEVEL = 1_000
"""The highest level that is read; no campaign comes near it, and it keeps every sum readable."""

_JUNK = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2060\ufeff\ud800-\udfff]")
_LOOK_ALIKE = re.compile(
    "[\u00ad\u061c\u200e\u200f\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff\ufb00-\ufb06\uff01-\uff5e\U0001d400-\U0001d7ff]"
)
"""Invisible signs, ligatures, full-width and mathematical letters and digits: what pasting makes of plain letters."""
_DIGITS = frozenset("0123456789")
_QUOTED = re.compile(r'(?:"((?:[^"\\]|\\.)+)"|[“„]([^“”„"]+)[”“])\s*(?=$|[:(])')


@dataclass(frozen=True, slots=True)
class RawAbility:
    """One ability as someone wrote it: nothing is checked yet. `where` is a control's name or `line 3`."""

    ability: str
    level: str
    note: str = ""
    where: str = ""


@dataclass(frozen=True, slots=True)
class PrintedFigure:
    """A figure that a sheet prints: kept to be audited, never used. Rule: `char.stat-line`."""

    name: str
    value: int
    where: str = ""


@dataclass(frozen=True, slots=True)
class RawCharacter:
    """What someone gave for a character, with its places.

    `faults` are what could not be read at all. `where` is the place of the name and of what concerns the whole
    character (in a form: the controls `name` and `cp`; in a sheet: the line of the name, for both).
    """

    name: str = ""
    entries: tuple[RawAbility, ...] = ()
    description: str = ""
    minion_of: str = ""
    printed: tuple[PrintedFigure, ...] = ()
    bonuses: tuple[TemporaryBonus, ...] = ()
    faults: tuple[Problem, ...] = ()
    where: str = "name"
    where_cp: str = "cp"


def parse_level(text: str, where: str) -> int | Problem:
    """A level from 0 to `MAX_TOKEN_LEVEL` in plain digits 0–9, or the problem with it. Rule: `char.ability-level`."""
    plain = normalize_input(text).strip()
    is_number = bool(plain) and len(plain) <= 9 and set(plain) <= _DIGITS
    if is_number and int(plain) <= MAX_LEVEL:
        return int(plain)
    expected = f"a whole number from 0 to {MAX_LEVEL:,}"
    return Problem("character.level", expected, format_input(text), where, "char.ability-level")


def has_leading_level(line: str) -> bool:
    """Whether a tidy line begins with a whole number, as the line of an ability does, perhaps after a bullet."""
    return strip_bullet(line).split(" ")[0].lstrip("+-−").isdecimal()


def strip_bullet(line: str) -> str:
    """A tidy line without the sign of a list in front."""
    return line[2:] if line[:2] in ("- ", "* ", "• ") else line


def quote(text: str) -> str:
    """Write a text in quotation marks, so that `parse_quoted` gives it back whatever signs it has."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def parse_quoted(line: str) -> tuple[str, str] | None:
    """Return the text in quotation marks that a line begins with, and the rest; None for any other line.

    A colon, a bracket or nothing comes behind: `"Kim (the tall)": captain`.
    """
    found = _QUOTED.match(line.lstrip())
    return (re.sub(r"\\(.)", r"\1", found[1] or found[2]), line.lstrip()[found.end() :]) if found else None


def tidy(text: str) -> str:
    """Return one line of plain text: look-alikes folded, what can't be seen dropped, runs of white space made one."""
    return " ".join(_JUNK.sub(" ", clean_name(fold_look_alikes(text))).split())


def fold_look_alikes(text: str) -> str:
    """Return text of a sheet with look-alikes of plain letters and digits folded.

    Not all of a sheet is normalized: a dash parts a level from its note, and names and notes stay as they were typed.
    """
    return text if text.isascii() else _LOOK_ALIKE.sub(lambda sign: normalize_input(sign[0]), text)
