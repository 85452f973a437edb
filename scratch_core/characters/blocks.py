"""The stat block read: a line with the name, then a line for each ability; nothing is believed yet.

    Flipfire (11 agility, 11 intelligence, 11 strength, 2 stamina): patches up and pays back
    2 shooting: short rifle
    4 toughness: padded coat

The brackets, the description and the notes may be missing; so may the name. A line `minion of Flipfire` below the
name makes a minion. A new name after an empty line begins the next character; ability lines after an empty line still
belong to the one before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scratch_core.abilities import canonical
from scratch_core.characters.character import FIGURE_NAMES
from scratch_core.characters.written import Entry, Printed, Written, begins_with_level, read_level, tidy, without_bullet
from scratch_core.errors import Problem, shown

SHEET_LIMIT = 20_000
"""The longest sheet read, in characters."""

LINES_LIMIT = 300
"""The longest sheet read, in lines that hold something."""

_FIGURES = {
    **{name: name for name in FIGURE_NAMES},
    "hit points": "hit-points",
    "hit point": "hit-points",
    "hp": "hit-points",
}


Blocks = tuple[tuple[Written, ...], tuple[Problem, ...]]
"""All stat blocks of one text, in order, and what is wrong with the text as a whole."""


def read_blocks(text: str) -> Blocks:
    """Read every stat block of a text of at most `SHEET_LIMIT` characters and `LINES_LIMIT` lines. Never raises.

    Rules: `char.stat-line`, `char.ability-level`.
    """
    if len(text) > SHEET_LIMIT:
        expected = f"a sheet of {SHEET_LIMIT:,} characters at most"
        return _refused("sheet.limit.characters", expected, f"{len(text):,}")
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    numbered = [(number, tidy(line)) for number, line in enumerate(lines, 1)]
    filled = sum(1 for _, line in numbered if line)
    if not filled:
        return _refused("sheet.empty", "a stat block: a name, then lines like `2 shooting`", "nothing")
    if filled > LINES_LIMIT:
        return _refused("sheet.limit.lines", f"a sheet of {LINES_LIMIT} lines at most", f"{filled:,}")
    return tuple(_read_block(block) for block in _blocks(numbered)), ()


def read_one(text: str) -> Written:
    """Read a text that holds one character; what follows the first is a fault. Never raises."""
    blocks, faults = read_blocks(text)
    if not blocks:
        return Written(faults=faults, where="line 1", where_cp="line 1")
    first, *others = blocks
    if not others:
        return first
    fault = Problem("sheet.several", "one character", f"{len(blocks)}", others[0].where, "char.stat-line")
    return replace(first, faults=(*first.faults, fault))


def _refused(code: str, expected: str, got: str) -> Blocks:
    return (), (Problem(code, expected, got, "the sheet", "char.stat-line"),)


def _blocks(numbered: Sequence[tuple[int, str]]) -> list[list[tuple[int, str]]]:
    """Part the lines into blocks: at an empty line, unless an ability line follows it."""
    blocks: list[list[tuple[int, str]]] = []
    after_gap = True
    for number, line in numbered:
        if line and (not blocks or (after_gap and not begins_with_level(line))):
            blocks.append([])
        if line:
            blocks[-1].append((number, line))
        after_gap = not line
    return blocks


def _read_block(block: Sequence[tuple[int, str]]) -> Written:
    number, head = block[0]
    where = f"line {number}"
    draft = Written(where=where, where_cp=where)
    rest = block
    if not begins_with_level(head):
        draft, rest = _read_head(draft, head), block[1:]
    for number, line in rest:
        draft = _read_line(draft, line, f"line {number}")
    if not draft.entries and not draft.faults:
        expected = "lines like `2 shooting` below the name"
        draft = replace(draft, faults=(Problem("sheet.abilities", expected, "none", where, "char.stat-line"),))
    return draft


def _read_head(draft: Written, line: str) -> Written:
    """The line of the name: `Name (figures): description`, of which only the name must be there."""
    before, _, description = line.partition(":")
    if "(" not in before:
        return replace(draft, name=before.strip(), description=description.strip())
    name, _, rest = line.partition("(")
    inside, closed, after = rest.partition(")")
    after = after.strip()
    draft = replace(draft, name=name.strip())
    if not closed or (after and not after.startswith(":")):
        got = shown(line)
        fault = Problem("sheet.head", "`Name (figures): description`", got, draft.where, "char.stat-line")
        return replace(draft, faults=(*draft.faults, fault))
    return _read_figures(replace(draft, description=after.removeprefix(":").strip()), inside)


def _read_figures(draft: Written, inside: str) -> Written:
    """The figures in the brackets; one that can't be read is pointed at, and nothing depends on it."""
    printed: dict[str, Printed] = {}
    faults: list[Problem] = []
    for piece in inside.split(","):
        value_text, _, words = piece.strip().partition(" ")
        name = _FIGURES.get(words.strip().lower())
        value = read_level(value_text, draft.where)
        if name is None or isinstance(value, Problem) or name in printed:
            expected = "each figure once, like `11 agility`"
            faults.append(
                Problem("sheet.figure", expected, shown(piece.strip()), draft.where, "char.stat-line", "advice")
            )
        else:
            printed[name] = Printed(name, value, draft.where)
    return replace(draft, printed=tuple(printed.values()), faults=(*draft.faults, *faults))


def _read_line(draft: Written, line: str, where: str) -> Written:
    line = without_bullet(line)
    if line.lower().startswith("minion of "):
        return replace(draft, minion_of=line[len("minion of ") :].strip())
    words, _, note = line.partition(":")
    first, _, second = words.strip().partition(" ")
    ability, level = second.strip(), first
    if canonical(ability) is None and not begins_with_level(line):
        front, _, back = words.strip().rpartition(" ")
        if canonical(front) is None:
            expected = "a line like `2 shooting: note`"
            fault = Problem("sheet.line", expected, shown(line), where, "char.stat-line")
            return replace(draft, faults=(*draft.faults, fault))
        ability, level = front, back
    return replace(draft, entries=(*draft.entries, Entry(ability, level, note.strip(), where)))
