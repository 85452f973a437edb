"""What a person types beside the dice: a whole number, a list of faces."""

from __future__ import annotations

import re

from scratch_core.dice.notation import MAX_NUMBER, refuse
from scratch_core.errors import format_input
from scratch_core.normalization import normalize_input

MAX_FACES = 12_000
"""The most faces read: more than any accepted roll can throw."""

_STOPS = ".,;"
_WHOLE = re.compile(r"[+-]?[0-9]{1,40}")


def parse_number(text: str, where: str, what: str) -> int:
    """Read a whole number from -1,000,000 to 1,000,000; a sign, spaces around it and a full stop after it are read too.

    Raises `dice.entry`, with `what` as the thing expected, for anything else.
    """
    plain = normalize_input(text[:60]).strip().rstrip(_STOPS)
    if len(text) > len(text[:60]) or not _WHOLE.fullmatch(plain) or abs(int(plain)) > MAX_NUMBER:
        limits = f"{what}, a whole number from -{MAX_NUMBER:,} to {MAX_NUMBER:,}"
        refuse("dice.entry", limits, format_input(text.strip()) if text.strip() else "nothing", where)
    return int(plain)


def parse_difficulty(text: str, where: str = "against") -> int:
    """Read the difficulty of a roll (`roll.notation`); raises `dice.entry`."""
    return parse_number(text, where, "a difficulty")


def parse_faces(text: str) -> tuple[int, ...]:
    """Read faces as people type them, in the order thrown; raises `dice.entry` and names the first that is none.

    They are parted by spaces, commas, semicolons or points, as a phone's digits have them, and may end with one.
    """
    where, entries = "faces", re.split(r"[\s.;,]+", normalize_input(text).strip(f"{_STOPS} \t\r\n"))
    if len(entries) > MAX_FACES:
        refuse("dice.faces.limit", f"at most {MAX_FACES:,} faces", f"{len(entries):,}", where)
    faces = []
    for place, entry in enumerate(entries, 1):
        face = entry.strip()
        if not (face.isascii() and face.isdigit() and len(face) <= 4):
            refuse(
                "dice.faces.unread", f"a whole number as face {place}", format_input(face) if face else "nothing", where
            )
        faces.append(int(face))
    return tuple(faces)
