"""Chances worked out beforehand, by what can still matter of a state: for a fight too large to be solved in a page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from scratch_core.encounter.state import EncounterState
from scratch_core.errors import Problem, ScratchError
from scratch_core.odds.game_graph import core_key

FORMAT = "scratch-chances/1"


@dataclass(frozen=True, slots=True)
class WinProbabilityTable:
    """The first side's chance to win by `key_of` a state; whoever escapes has lost, and someone always wins.

    `made_from` says what it was worked out from, "" where no one has noted it.
    """

    chances: Mapping[str, float]
    made_from: str = ""


def key_of(state: EncounterState) -> str:
    """What can still matter of a state, as twelve signs; the rulings by which it is played are part of it."""
    used = sorted((each.id, *act) for each in state.fighters for act in each.used)
    hps = [each.hp for each in state.fighters]
    rulings = (state.rulings.strength_base, state.rulings.wrestling_double_legacy)
    key = core_key(state, False, (False,) * len(state.fighters))
    order = [each.group for each in state.initiative]
    return f"{_hashed(repr((hps, used, rulings, order, key))):012x}"


def _hashed(text: str) -> int:
    """A number of 48 bits for a text; FNV-1a, the same on every machine."""
    number = 0xCBF29CE484222325
    for byte in text.encode():
        number = (number ^ byte) * 0x100000001B3 % 2**64
    return number >> 16


def format_table(chances: Mapping[str, float], made_from: str = "") -> str:
    """A table as a text: what it was made from, its keys and chances, to six decimals."""
    lines = ",\n".join(f'"{key}": {round(chance, 6)}' for key, chance in sorted(chances.items()))
    return f'{{"format": "{FORMAT}", "made_from": "{made_from}", "chances": {{\n{lines}\n}}}}\n'


def parse_table(text: str) -> WinProbabilityTable:
    """Read a table. Raises `ScratchError` for a text that is none."""
    try:
        tree = json.loads(text)
        if tree["format"] != FORMAT:
            raise ValueError(FORMAT)
        chances = {str(key): float(chance) for key, chance in tree["chances"].items()}
        return WinProbabilityTable(chances, str(tree.get("made_from", "")))
    except (ValueError, KeyError, TypeError) as error:
        raise ScratchError(Problem("odds.table", FORMAT, type(error).__name__, "the table of chances")) from None
