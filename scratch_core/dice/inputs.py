"""Parsers for users' input other than dice notation: a whole number, a list of faces."""

from __future__ import annotations

import re

from scratch_core.dice.notation import MAX_NUMBER, refuse
from scratch_core.errors import format_input
from scratch_core.normalization import normalize_input

MAX_FACES = 12_000
"""The maximum number of faces to parse: more than any accepted roll needs."""

_SEPARATORS = ".,;"
_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]{1,40}")


def parse_number(text: str, where: str, what: str) -> int:
    """Parse a whole number from -1,000,000 to 1,000,000.

    Accepts a sign, surrounding spaces and a full stop at the end. Raises `dice.entry-missing` for no text and
    `dice.entry` for anything else, with `what` as the expected input.
    """
    plain = normalize_input(text[:60]).strip().rstrip(_SEPARATORS)
    if len(text) > len(text[:60]) or not _WHOLE_NUMBER.fullmatch(plain) or abs(int(plain)) > MAX_NUMBER:
        limits = f"{what}, a whole number from -{MAX_NUMBER:,} to {MAX_NUMBER:,}"
        if not text.strip():
            refuse("dice.entry-missing", limits, "nothing", where)
        refuse("dice.entry", limits, format_input(text.strip()), where)
    return int(plain)


def parse_difficulty(text: str, where: str = "against") -> int:
    """Parse the difficulty of a roll (`roll.notation`).

    Raises `dice.entry-missing` or `dice.entry` for anything but a whole number.
    """
    return parse_number(text, where, "a difficulty")


def parse_faces(text: str) -> tuple[int, ...]:
    """Parse die faces as typed, in the order rolled.

    Spaces, commas, semicolons or points, as on a phone's number pad, separate them; one may follow the last. Raises
    `dice.entry` with the first entry that is not a face.
    """
    where, entries = "faces", re.split(r"[\s.;,]+", normalize_input(text).strip(f"{_SEPARATORS} \t\r\n"))
    if len(entries) > MAX_FACES:
        refuse("dice.faces.limit", f"at most {MAX_FACES:,} rolls", f"{len(entries):,}", where)
    faces = []
    for place, entry in enumerate(entries, 1):
        face = entry.strip()
        if not (face.isascii() and face.isdigit() and len(face) <= 4):
            refuse(
                "dice.faces.unread", f"a whole number as face {place}", format_input(face) if face else "nothing", where
            )
        faces.append(int(face))
    return tuple(faces)
