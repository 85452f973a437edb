"""Bringing somebody into a set-up without typing a stat block: from the cast, or a name and a few levels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from scratch_core.calculators.form import Form
from scratch_core.cast import BY_ID, sheet_of
from scratch_core.characters import NAME_LIMIT, tidy, write_sheet
from scratch_core.errors import shown

LEVELS = ("toughness", "fighting", "wrestling", "shooting")
"""The abilities that somebody with just a name can be given, each a control `add_<ability>`."""

CONTROLS = ("add_who", "add_name", "add_side", "add_count", "add_together", *(f"add_{each}" for each in LEVELS))

MOST_AT_ONCE = 20
MOST_LEVEL = 20

OURS = "yours"
"""The side of the reader's own characters where none is written: they stand together."""

OWN = "own"
"""What `add_who` is for somebody with just a name."""


def added(asked: Form) -> str:
    """Put those asked for behind the sheets, `3` of one numbered, and give their name; "" where something is wrong.

    Rules: `char.stat-line`, `turn.group`, `command.minions`.
    """
    fields, noted = asked.fields, len(asked.problems)
    count = number(asked, "add_count", 1, MOST_AT_ONCE)
    levels = {each: number(asked, f"add_{each}", 0, MOST_LEVEL) for each in LEVELS}
    name = tidy(fields["add_name"])
    if fields["add_who"] not in ("", OWN):
        blocks = of_cast(fields["add_who"], count, fields["sheets"])
        name = BY_ID[fields["add_who"]].name if blocks else ""
        if not blocks:
            asked.add_problem("fight.add", "somebody of the cast", shown(fields["add_who"]), "add_who")
    else:
        if not name or len(name) > NAME_LIMIT or not name[0].isalpha() or ":" in name:
            expected = f"a name that begins with a letter and has no colon, {NAME_LIMIT} characters at most"
            asked.add_problem("fight.add", expected, shown(name), "add_name")
        lines = [f"{level} {ability}" for ability, level in levels.items() if level] or ["1 toughness"]
        blocks = ["\n".join((each, *lines)) for each in _names(name, count, fields["sheets"])]
    if len(asked.problems) > noted:
        return ""
    group = name if fields["add_together"] and count > 1 else ""
    fields["sheets"] = beside(fields["sheets"], blocks, fields["add_side"], group)
    return name


def told(base: str, fields: Mapping[str, str], fighting: int) -> str:
    """Who was added, and how many fight now: `Guard × 3 added: 7 in the fight.`"""
    count = int(fields["add_count"].strip() or 1)
    many = f" × {count}" if count > 1 else ""
    return f"{base}{many} added: {fighting} in the fight." if fighting else f"{base}{many} added."


def beside(sheets: str, blocks: Iterable[str], side: str, group: str = "") -> str:
    """The sheets with other stat blocks behind them, all on that side and in that group. Rule: `turn.group`."""
    notes = [f"{word}: {value}" for word, value in (("side", tidy(side)[:NAME_LIMIT]), ("group", group)) if value]
    return "\n\n".join(each for each in (sheets.rstrip(), *(_with_notes(block, notes) for block in blocks)) if each)


def parted(blocks: str) -> list[str]:
    """Stat blocks one by one."""
    return [each for each in blocks.split("\n\n") if each.strip()]


def joined(asked: Form, blocks: str) -> str:
    """Put one of the reader's own characters behind the sheets, its minions with it, and give its name.

    Several of one are numbered and come without minions. They are on the side that is written, or else on one side
    together. "" where nobody comes. Rules: `turn.group`, `command.minions`.
    """
    fields, noted = asked.fields, len(asked.problems)
    count = number(asked, "add_count", 1, MOST_AT_ONCE)
    own = parted(blocks)
    if len(asked.problems) > noted or not own:
        return ""
    name = re.split("[(:\n]", own[0], maxsplit=1)[0].rstrip()
    rest = own[0][len(name) :]
    names = _names(name, count, fields["sheets"])
    come = own if names == [name] else [f"{each}{rest}" for each in names]
    group = name if fields["add_together"] and len(come) > 1 else ""
    fields["sheets"] = beside(fields["sheets"], come, tidy(fields["add_side"]) or OURS, group)
    return name


def of_cast(who: str, count: int, sheets: str) -> list[str]:
    """The stat blocks of a member of the cast, by id, [] where there is none; alone it brings its minions along."""
    member = BY_ID.get(who)
    if member is None:
        return []
    names = _names(member.name, count, sheets)
    if names == [member.name]:
        return [sheet_of(member)]
    return [write_sheet([replace(member.character(), name=name)]) for name in names]


def _names(name: str, count: int, sheets: str) -> list[str]:
    """So many names that nobody has yet, numbered where there are several of one."""
    line = re.compile(rf"{re.escape(name)}(?: ([0-9]{{1,4}}))?[ ]*(?:[:(].*)?", re.IGNORECASE)
    found = [line.fullmatch(tidy(each)) for each in sheets.split("\n")]
    first = max((int(each[1] or 1) for each in found if each), default=0) + 1
    if count == 1 and first == 1:
        return [name]
    return [f"{name} {number}" for number in range(first, first + count)]


def _with_notes(block: str, notes: list[str]) -> str:
    """A stat block with lines below its name."""
    head, _, rest = block.partition("\n")
    return "\n".join(each for each in (head, *notes, rest.rstrip()) if each)


def number(asked: Form, control: str, least: int, most: int) -> int:
    """The number in a control, `least` where nothing stands there, or, with a problem, where it is none."""
    return asked.whole_number(control, most, "fight.add", f"a whole number from {least} to {most}", least)
