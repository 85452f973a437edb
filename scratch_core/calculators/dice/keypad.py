"""The keypad of the dice calculator: each tap of a key changes the roll's notation.

Equal dice are combined, such as two d6 to `2d6`, and so are numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from scratch_core.calculators.dice.request import CONTROLS, DiceRequest
from scratch_core.normalization import normalize_input

_BETTER_OF_TWO = "2d20kh1"
KEYPAD_KEYS = ("d20", "d4", "d6", "d8", "d10", "d12", "d%", _BETTER_OF_TWO, "+1", "-1", "clear")
"""The keys. `clear` removes the whole roll.

`2d20kh1`, the higher of two d20s, replaces the d20s of a roll; it is added to a roll without one.
"""

MAX_TAPS = 200
"""The most taps in a request; further ones are ignored."""

CLEAR_KEY = "clear"
"""The key that removes the whole roll."""

_TERM_PATTERN = re.compile(r"\s*([+-]?)\s*(?:([0-9]{0,3})(d(?:[0-9]{1,4}|%))|([0-9]{1,7}))\s*", re.IGNORECASE)


def get_fields_changed_by_taps(request: DiceRequest) -> Mapping[str, str]:
    """Return the controls that the taps of a request change, with their new texts.

    Every tap removes the recorded faces, and `clear` empties all controls but the difficulty.
    """
    if not request.has_taps:
        return {}
    roll = apply_taps(request.fields["roll"], request.taps, is_already_rolled=request.is_done)
    is_cleared = CLEAR_KEY in request.taps
    emptied_controls = [name for name in CONTROLS if name != "against"] if is_cleared else ["faces"]
    return {**dict.fromkeys(emptied_controls, ""), "roll": roll}


def apply_taps(typed: str, taps: str, *, is_already_rolled: bool) -> str:
    """Apply taps to the notation of a roll.

    `typed` is the notation and `taps` are the keys, separated by semicolons. `is_already_rolled` says that the dice
    have been rolled, so that a die starts a new roll, while a number is added to the current one. Ignores unknown keys.
    Never raises.
    """
    typed = typed if "[" in typed else normalize_input(typed)  # normalizing would change labels
    for tap in [each.strip() for each in taps.split(";")][:MAX_TAPS]:
        if tap not in KEYPAD_KEYS:
            continue
        is_new_roll = tap == CLEAR_KEY or (is_already_rolled and tap.startswith("d"))
        if tap == _BETTER_OF_TWO:
            typed = _apply_better_of_two(typed, is_already_rolled)
        else:
            typed = _apply_tap("" if is_new_roll else typed, tap)
        is_already_rolled = False
    return typed


def _apply_better_of_two(typed: str, is_already_rolled: bool) -> str:
    """Replace the d20s of the notation with the higher of two, and keep the rest.

    In notation that is no plain sum only a d20 at its start is replaced. Without a d20 it is added, or begins a new
    roll if the dice have been rolled.
    """
    if _BETTER_OF_TWO in typed:
        return typed
    if re.match(r"d20(?![0-9])", typed):
        return _BETTER_OF_TWO + typed.removeprefix("d20")
    terms = _parse_terms(typed)
    if terms and terms[0].pop("d20", 0):
        rest = _format_terms(*terms)
        return f"{_BETTER_OF_TWO}{'' if rest[:1] in ('', '+', '-') else '+'}{rest}"
    if is_already_rolled or not typed.strip():
        return _BETTER_OF_TWO
    return f"{typed.strip()}+{_BETTER_OF_TWO}"


def _apply_tap(typed: str, tap: str) -> str:
    """Add a key to the notation.

    Appends it to notation that is no plain sum.
    """
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
    return _format_terms(dice, number)


def _format_terms(dice: Mapping[str, int], number: int) -> str:
    """Format a sum of dice and a number.

    `dice` has the count of each die.
    """
    words = [f"{count if count > 1 else ''}{die}" for die, count in dice.items()]
    sign = "+" if number > 0 and words else ""
    return "+".join(words) + (f"{sign}{number}" if number else "")


def _parse_terms(typed: str) -> tuple[dict[str, int], int] | None:
    """Parse a plain sum of dice and numbers.

    Returns the count of each die, and the sum of the numbers. Returns None for any other notation, and if dice are
    subtracted.
    """
    dice: dict[str, int] = {}
    number, position = 0, 0
    while position < len(typed):
        term = _TERM_PATTERN.match(typed, position)
        if term is None or (position and not term[1]) or (term[3] and term[1] == "-"):
            return None
        if term[3]:
            die = term[3].lower()
            dice[die] = dice.get(die, 0) + int(term[2] or 1)
        else:
            number += int(f"{term[1]}{term[4]}")
        position = term.end()
    return dice, number
