"""What a person types beside the dice: a whole number, a list of faces."""

from __future__ import annotations

import re

from scratch_core.dice.notation import NUMBER_LIMIT, refuse
from scratch_core.errors import shown
from scratch_core.normalization import normalize_input

FACES_LIMIT = 12_000
"""The most faces read: more than any accepted roll can throw."""

_STOPS = ".,;"
_WHOLE = re.compile(r"[+-]?[0-9]{1,40}")


def read_number(text: str, where: str, what: str) -> int:
    """Read a whole number from -1,000,000 to 1,000,000; a sign, spaces around it and a full stop after it are read too.

    Raises `dice.entry`, with `what` as the thing expected, for anything else.
    """
    plain = normalize_input(text[:60]).strip().rstrip(_STOPS)
    if len(text) > len(text[:60]) or not _WHOLE.fullmatch(plain) or abs(int(plain)) > NUMBER_LIMIT:
        limits = f"{what}, a whole number from -{NUMBER_LIMIT:,} to {NUMBER_LIMIT:,}"
        refuse("dice.entry", limits, shown(text.strip()) if text.strip() else "nothing", where)
    return int(plain)


def read_difficulty(text: str, where: str = "against") -> int:
    """Read the difficulty of a roll (`roll.notation`); raises `dice.entry`."""
    return read_number(text, where, "a difficulty")


def read_faces(text: str) -> tuple[int, ...]:
    """Read faces as people type them, in the order thrown; raises `dice.entry` and names the first that is none.

    They are parted by spaces, commas, semicolons or points, as a phone's digits have them, and may end with one.
    """
    where, entries = "faces", re.split(r"[\s.;,]+", normalize_input(text).strip(f"{_STOPS} \t\r\n"))
    if len(entries) > FACES_LIMIT:
        refuse("dice.faces.limit", f"at most {FACES_LIMIT:,} faces", f"{len(entries):,}", where)
    faces = []
    for place, entry in enumerate(entries, 1):
        face = entry.strip()
        if not (face.isascii() and face.isdigit() and len(face) <= 4):
            refuse("dice.faces.unread", f"a whole number as face {place}", shown(face) if face else "nothing", where)
        faces.append(int(face))
    return tuple(faces)
