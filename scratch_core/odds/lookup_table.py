"""Precomputed win chances by state, for fights too large to be solved in a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from scratch_core.encounter.state import EncounterState
from scratch_core.errors import Problem, ScratchError
from scratch_core.file_formats import CHANCES_FORMAT
from scratch_core.odds.game_graph import core_key


@dataclass(frozen=True, slots=True)
class WinProbabilityTable:
    """Win chances of the first side. A side that escapes has lost, and there is always a winner."""

    chances: Mapping[str, float]
    """The chance by the `key_of` a state."""
    made_from: str = ""
    """What the table was computed from, or "" if unknown."""


def hash_relevant_state(state: EncounterState) -> str:
    """Build a key of twelve hexadecimal digits for the relevant part of a state.

    The rulings of the fight are part of it.
    """
    used = sorted((each.id, *act) for each in state.fighters for act in each.used)
    hps = [each.hp for each in state.fighters]
    rulings = (state.rulings.strength_base, state.rulings.wrestling_double_legacy)
    key = core_key(state, False, (False,) * len(state.fighters))
    order = [each.group for each in state.initiative]
    return f"{_hash_text(repr((hps, used, rulings, order, key))):012x}"


def _hash_text(text: str) -> int:
    """Return a 48-bit hash of a text by FNV-1a, the same on every machine."""
    number = 0xCBF29CE484222325
    for byte in text.encode():
        number = (number ^ byte) * 0x100000001B3 % 2**64
    return number >> 16


def format_table(chances: Mapping[str, float], made_from: str = "") -> str:
    """Format a table as JSON, with chances to six decimals.

    `made_from` describes what the table was computed from.
    """
    lines = ",\n".join(f'"{key}": {round(chance, 6)}' for key, chance in sorted(chances.items()))
    return f'{{"format": "{CHANCES_FORMAT}", "made_from": "{made_from}", "chances": {{\n{lines}\n}}}}\n'


def parse_table(text: str) -> WinProbabilityTable:
    """Parse a table.

    Raises `ScratchError` for any other text.
    """
    try:
        tree = json.loads(text)
        if tree["format"] != CHANCES_FORMAT:
            raise ValueError(CHANCES_FORMAT)
        chances = {str(key): float(chance) for key, chance in tree["chances"].items()}
        return WinProbabilityTable(chances, str(tree.get("made_from", "")))
    except (ValueError, KeyError, TypeError) as error:
        raise ScratchError(
            Problem("odds.table", CHANCES_FORMAT, type(error).__name__, "the table of chances")
        ) from None
