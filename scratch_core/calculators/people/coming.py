"""Whoever comes in, as stat blocks: of the cast or kept, so many of one, on a side and in a group."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scratch_core.calculators.people.built import sheet_of_query
from scratch_core.cast import BY_ID, sheet_of
from scratch_core.characters import NAME_LIMIT, tidy


def blocks_of(who: str) -> str:
    """The stat blocks of a member of the cast, by id, or of a kept character, by its query; "" for neither."""
    return sheet_of(BY_ID[who]) if who in BY_ID else sheet_of_query(who)


def parted(blocks: str) -> list[str]:
    """Stat blocks one by one."""
    return [each for each in blocks.split("\n\n") if each.strip()]


def name_of(block: str) -> str:
    """Whose stat block it is."""
    return re.split("[(:\n]", block, maxsplit=1)[0].rstrip()


def several(blocks: str, count: int, names: str) -> tuple[str, list[str]]:
    """So many of one, whose minions stand behind its stat block: its name, and the stat blocks, numbered as need be."""
    own = parted(blocks)
    name = name_of(own[0])
    called = _names(name, count, names)
    return name, own if called == [name] else [f"{each}{own[0][len(name) :]}" for each in called]


def _names(name: str, count: int, names: str) -> list[str]:
    """So many names that nobody has yet, numbered where there are several of one."""
    line = re.compile(rf"{re.escape(name)}(?: ([0-9]{{1,4}}))?[ ]*(?:[:(].*)?", re.IGNORECASE)
    found = [line.fullmatch(tidy(each)) for each in names.split("\n")]
    first = max((int(each[1] or 1) for each in found if each), default=0) + 1
    if count == 1 and first == 1:
        return [name]
    return [f"{name} {number}" for number in range(first, first + count)]


def beside(sheets: str, blocks: Iterable[str], side: str, group: str = "") -> str:
    """The sheets with other stat blocks behind them, all on that side and in that group. Rule: `turn.group`."""
    notes = [f"{word}: {value}" for word, value in (("side", tidy(side)[:NAME_LIMIT]), ("group", group)) if value]
    return "\n\n".join(each for each in (sheets.rstrip(), *(_with_notes(block, notes) for block in blocks)) if each)


def _with_notes(block: str, notes: list[str]) -> str:
    """A stat block with lines below its name."""
    head, _, rest = block.partition("\n")
    return "\n".join(each for each in (head, *notes, rest.rstrip()) if each)
