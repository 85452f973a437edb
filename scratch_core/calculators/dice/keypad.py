"""Keys for dice: each tap adds to the roll as a person would write it, two d6 as `2d6`, numbers as one number."""

from __future__ import annotations

import re

from scratch_core.normalization import normalize_input

_BETTER_OF_TWO = "2d20kh1"
KEYPAD_KEYS = ("d20", "d4", "d6", "d8", "d10", "d12", "d%", _BETTER_OF_TWO, "+1", "-1", "clear")
"""What can be tapped. `2d20kh1`, the better of two, takes a d20's place; `clear` takes the whole roll away."""

MAX_TAPS = 200
"""As many taps as one answer counts."""

CLEAR_KEY = "clear"

_TERM_PATTERN = re.compile(r"\s*([+-]?)\s*(?:([0-9]{0,3})(d(?:[0-9]{1,4}|%))|([0-9]{1,7}))\s*", re.IGNORECASE)


def apply_taps(typed: str, taps: str, *, is_done: bool) -> str:
    """The roll after the taps, which are parted by semicolons; a tap that is no key is left out. Never raises.

    `is_done`: the roll has fallen, so that a die begins another one, and a number is added to this one.
    """
    typed = typed if "[" in typed else normalize_input(typed)  # labels stay as they were typed
    for tap in [each.strip() for each in taps.split(";")][:MAX_TAPS]:
        if tap not in KEYPAD_KEYS:
            continue
        begins = tap == CLEAR_KEY or (is_done and tap.startswith("d"))
        if tap == _BETTER_OF_TWO:
            typed = f"{tap}{typed[3:] if typed[:4] in ('d20', 'd20+', 'd20-') else ''}"
        else:
            typed = _apply_tap("" if begins else typed, tap)
        is_done = False
    return typed


def _apply_tap(typed: str, tap: str) -> str:
    if tap == CLEAR_KEY:
        return ""
    terms = _parse_terms(typed)
    if terms is None:
        return f"{typed.strip()}{tap if tap[0] in '+-' else f'+{tap}'}"
    dice, number = terms
    if tap.startswith("d"):
        dice[tap] = dice.get(tap, 0) + 1
    else:
        number += int(tap)
    words = [f"{count if count > 1 else ''}{die}" for die, count in dice.items()]
    sign = "+" if number > 0 and words else ""
    return "+".join(words) + (f"{sign}{number}" if number else "")


def _parse_terms(typed: str) -> tuple[dict[str, int], int] | None:
    """A plain sum as dice with their counts and one number; None for anything else."""
    dice: dict[str, int] = {}
    number, place = 0, 0
    while place < len(typed):
        term = _TERM_PATTERN.match(typed, place)
        if term is None or (place and not term[1]) or (term[3] and term[1] == "-"):
            return None
        if term[3]:
            die = term[3].lower()
            dice[die] = dice.get(die, 0) + int(term[2] or 1)
        else:
            number += int(f"{term[1]}{term[4]}")
        place = term.end()
    return dice, number
