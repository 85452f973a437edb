"""The stat block read: a line with the name, then a line for each ability; nothing is believed yet.

    Flipfire (11 agility, 11 intelligence, 11 strength, 2 stamina): patches up and pays back
    2 shooting: short rifle
    4 toughness: padded coat

The brackets, the description and the notes may be missing; so may the name. A line `minion of Flipfire` below the
name makes a minion. A new name after an empty line begins the next character; ability lines after an empty line still
belong to the one before.

It is read as people write it as well: `Kim: shooting 2, toughness: 4`, bullets and bold type, what a chat puts in front
of a line, tables, `toughness two`, `toughness 4 — a coat, 12 kg`. `Notes: …` and a line in italics below the name are
the description; points, a greeting and house rules are left out. A reading that can be doubted is told as advice, what
has none as a fault, each with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scratch_core.characters.character import FIGURE_NAMES
from scratch_core.characters.raw_character import (
    PrintedFigure,
    RawAbility,
    RawCharacter,
    fold_look_alikes,
    has_leading_level,
    parse_level,
    parse_quoted,
    tidy,
)
from scratch_core.errors import Problem, format_input
from scratch_core.rulebook.abilities import ABILITY_NAMES, ALIASES, INERT, find_ability_name, suggest_names

MAX_SHEET_LENGTH = 20_000
"""The longest sheet read, in characters."""

MAX_SHEET_LINES = 300
"""The longest sheet read, in lines that hold something."""

HOUSE_RULES = "house rules:"
"""How a line begins that names a table's rules below a stat block."""

_FIGURES = {
    **{name: name for name in FIGURE_NAMES},
    "hit points": "hit-points",
    "hit point": "hit-points",
    "hp": "hit-points",
}


# A chat puts the time and the sender before a message, in its line or in one above it.
_STAMP = (
    r"[\[(]?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? )?(?:(?:to|yester)day at )?"
    r"\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?[\])]?"
)
_CHAT = re.compile(
    rf"(?:[-=*_~—–]{{3,}}|([^:]{{0,40}}?)\W*{_STAMP})$|{_STAMP}(?: ?[:–—-] | )(?:<([^<>]{{1,40}})> |([^:]{{1,40}}): )?",
    re.IGNORECASE,
)
_MARK = re.compile(r"^(?:(?:[>#]+|[|•·▪◦‣●–—*+-]|\d{1,2}[.)])\s+)*(?:(\*{1,3}|__?|`)(?=\S)([^*_`]+)\1(?!\w))?")
# What stands before a name or levels and says nothing: a word with a colon, a table's head and the line below it.
_LABEL = re.compile(
    r"^(?:(?:abilities|attributes|skills|stats|(?:ability|attribute|name|skill|stat)"
    r"(?:[\W_]+(?:abilit(?:y|ies)|cp|descriptions?|levels?|lvls?|notes?|points|ranks?|scores?|skills?|values?))+)[\W_]*$"
    r"|[-|:+=\s]{3,}$|(?:abilities|attributes|character|levels|name|skills|stats|attacks?|combat|defen[cs]es?|movement"
    r"|support)\s*[:|]\s*)",
    re.IGNORECASE,
)
_CP = r"(?:(?:(?:cost|total):?\s)?\d+\s?(?:cp|(?:character )?p(?:oin)?ts?)\b\.?|\bcp\s?[:=]?\s?\d+)"
_POINTS = re.compile(rf"[\s,;|–—-]{{0,3}}(?:\({_CP}\)|\[{_CP}\]|(?<![(\[\w]){_CP}(?!\w))", re.IGNORECASE)
_FIGURED = re.compile(rf"\(\s*\d+\s+(?:{'|'.join(_FIGURES)})\b", re.IGNORECASE)

# An item is an ability and its level, in either order; signs, bold type and a few words may stand between.
_KNOWN = rf"(?:{'|'.join(sorted((*ABILITY_NAMES, *ALIASES, *INERT, *_FIGURES), key=len, reverse=True))})(?![^\W\d_])"
_LETTERS = r"[^\d,;/|:()\[\]=+–—]"
_JOIN = (
    r"(?:(?:\s?[.·…])++|[\s:=|→–—*_`]|-(?=\s)|(?<=\w)-(?!\s)|×"
    r"|(?<![^\W\d_])(?:lvls?|lv|levels?|ranks?|points?|pts?|in|of|at|is|x)(?![^\W\d_])){0,8}"
)
_WORDS = {
    word: f"{number}"
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1
    )
}
_LEVEL = r"[+−-]?\d+(?:\s?[x×])?"
_END = r"(?![^\s,;:|&.!()/\]…–—*_`]|[.,/–—]\d|\s?%)"
_LEVEL_FIRST = rf"(?:(?:lvls?|lv|levels?|x|×)\.?\s?)?(?P<level>{_LEVEL}{_END}){_JOIN}"
_NAME_FIRST = (
    rf"(?:\s?\((?P<inside>[^()\d]*)\))?{_JOIN}[(\[]?(?P<level>(?:{_LEVEL}|\b(?:{'|'.join(_WORDS)})){_END})[)\]]?"
)
_BEGINS = re.sub(r"\?P<\w+>", "?:", rf"(?<![^\W_])(?={_LEVEL_FIRST}{_KNOWN}|{_KNOWN}{_NAME_FIRST})")
_START = re.compile(_BEGINS, re.IGNORECASE)
# A line of words about someone; the first few labels say nothing.
_NOTES = re.compile(
    r"(?:notes?|description)\s*:\s*|(?=(?:age|appearance|back(?:ground|story)|bio|class|concept|equipment|fears?|gear|goals?"
    r"|history|inventory|items|job|loot|looks|motto|personality|player|pronouns|quirks?|quote|race|role|secrets?|species"
    r"|story|tactics|traits?|wants|weakness(?:es)?|weapons?)\s*:\s*\S)",
    re.IGNORECASE,
)
# How an item is written: `2 shooting`, `shooting: 2` or `shooting (a bow) 2`, `shooting: many`, `many shooting`.
# The first form that fits counts.
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_LEVEL_FIRST}(?P<ability>{_KNOWN}|[^\W\d_](?:{_LETTERS}{{0,60}}[^\W\d_])?)",
        rf"(?P<ability>{_KNOWN}|[^\W\d_]{_LETTERS}{{0,60}}?){_NAME_FIRST}",
        rf"(?P<ability>{_KNOWN})[\s:=]+(?P<level>[^\s,;:|]+)",
        rf"(?P<level>[^\s,;:|(\[]+)\s(?P<ability>{_KNOWN})",
    )
)
# How a note stands behind an item: all after a colon, in brackets, after a dash up to the next item, or a few words.
_NEXT = rf"\W*(?:{_KNOWN}|{_BEGINS})|(?:[^\W\d_]+\s)?\d+\W*(?:[,;/|–—]|$)"
_BEHIND = {
    kind: re.compile(note, re.IGNORECASE)
    for kind, note in (
        ("colon", r"[*_`\s]*:(?:\*\*|__)?(.*)"),
        ("brackets", r"[*_`\s]*[(\[]([^()\[\]]*)[)\]]"),
        ("dash", rf"[*_`]*\s(?:[–—]|--)\s(?!{_NEXT})((?:(?![\s,;/|*_–—]+{_BEGINS}).)+)"),
        ("words", rf"[*_`]*(?:\s[|–—-])?\s(?!{_KNOWN})((?:(?!\s{_KNOWN}){_LETTERS}){{1,200}}?)\s*(?=[,;/|]|$)"),
    )
}
# Where an item begins, with an `and` or without; and what none of the forms fits, up to the next sign that parts items.
_BEGINNING = re.compile(r"(?=[^\W_]|[(\[%−]|[+-](?!\s|$))(?:and\s(?=[^,;/|]))?", re.IGNORECASE)
_REST = re.compile(r"[^,;/|]+")

# What is said to others in a chat before the stat block, and a name with a description behind a dash.
_TALK = re.compile(
    r"\b(?:ok(?:ay)?|hi|hey|hello|lol|haha|so|here(?:['’]s)?|my|i(?:['’](?:m|ve|ll))?|this|guys?|everyone|folks)\b",
    re.IGNORECASE,
)
_DASHED = re.compile(r"(?P<name>[^:(]+?)\s+[-–—]\s+(?P<description>[^\W\d_].*\s.*)")

# All stat blocks of one text, in order, and what is wrong with the text as a whole.
Blocks = tuple[tuple[RawCharacter, ...], tuple[Problem, ...]]


def parse_blocks(text: str) -> Blocks:
    """Parse every stat block of a text: at most `MAX_SHEET_LENGTH` characters, `MAX_SHEET_LINES` lines. Never raises.

    Rules: `char.stat-line`, `char.ability-level`.
    """
    if len(text) > MAX_SHEET_LENGTH:
        expected = f"a sheet of {MAX_SHEET_LENGTH:,} characters at most"
        return _refused("sheet.limit.characters", expected, f"{len(text):,}")
    lines = _unfolded(fold_look_alikes(text).replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    numbered = [(number, tidy(re.sub(r"(?i)^name\t", "name: ", line))) for number, line in enumerate(lines, 1)]
    filled = sum(1 for _, line in numbered if line)
    if filled > MAX_SHEET_LINES:
        return _refused("sheet.limit.lines", f"a sheet of {MAX_SHEET_LINES} lines at most", f"{filled:,}")
    blocks = _blocks(numbered)
    if not blocks:
        return _refused("sheet.empty", "a stat block: a name, then lines like “2 shooting”", "nothing")
    talk: list[tuple[int, str]] = []
    for block in blocks:
        if len(block) > 2 and _is_talk(block[0][1]) and _is_called(block[1][1]):
            talk.append(block.pop(0))
    told = [any(re.search(rf"(?i)\d|\b{_KNOWN}", line) for _, line in block) for block in blocks]
    first = told.index(True) if True in told else 0
    people = [n for n, block in enumerate(blocks) if n >= first and (told[n] or n == first or not _is_aside(block))]
    drafts = [_read_block(blocks[n]) for n in people]
    for n, block in enumerate(blocks):
        for number, line in block if n not in people else ():
            drafts[0] = _left_out(drafts[0], line, f"line {number}")
    for number, line in talk:
        drafts[0] = _left_out(drafts[0], line, f"line {number}")
    return tuple(drafts), ()


def _is_talk(line: str) -> bool:
    """Return whether a line without levels is said to others, and is no name."""
    words = line.split()
    return len(words) > 3 and not _is_levels(line) and (line[:1].islower() or len(_TALK.findall(line)) > 1)


def _is_called(line: str) -> bool:
    """Return whether a line may begin with a name: no levels, and no small letter first."""
    return not line[:1].islower() and not re.search(r"\d", line) and not _is_talk(line)


def _is_aside(block: Sequence[tuple[int, str]]) -> bool:
    """Whether a block without a level is a heading or chat, and no character's name."""
    head = block[0][1]
    return head.endswith((".", "!", "?")) or (len(block) == 1 and head.endswith(":"))


def _unfolded(lines: Sequence[str]) -> Iterator[str]:
    """The lines, those of a table with a column for each ability as `Kim: toughness 3, shooting 4`."""
    columns: list[str] = []
    for line in lines:
        cells = [cell.strip(" *_") for cell in re.split(r"[\t|]", line.strip(" |"))]
        if parse_quoted(line):
            columns = []
            yield line
        elif len(cells) > 2 and all(map(find_ability_name, cells[1:])):
            columns = cells[1:]
            yield ""
        elif columns and len(cells) > 1:
            levels = [f"{name} {cell}" for name, cell in zip(columns, cells[1:], strict=False) if cell.strip("-–—: ")]
            yield f"{cells[0]}: {', '.join(levels)}" if levels else ""
        else:
            columns = []
            yield line


def parse_stat_block(text: str) -> RawCharacter:
    """Read a text that holds one character; what follows the first is a fault. Never raises."""
    blocks, faults = parse_blocks(text)
    if not blocks:
        return RawCharacter(faults=faults, where="line 1", where_cp="line 1")
    first, *others = blocks
    return _add_fault(first, "sheet.not-one", "one character", f"{len(blocks)}", others[0].where) if others else first


def _refused(code: str, expected: str, got: str) -> Blocks:
    return (), (Problem(code, expected, got, "the sheet", "char.stat-line"),)


DOUBTS = ("sheet.doubted", "sheet.left-out", "sheet.name-doubted")
"""The codes of advice on what was read, but perhaps not as it was meant."""


def _add_fault(draft: RawCharacter, code: str, expected: str, got: str, where: str) -> RawCharacter:
    """The draft with one more problem."""
    fault = Problem(
        code, expected, got, where, "char.stat-line", "advice" if code in (*DOUBTS, "sheet.figure") else "error"
    )
    return replace(draft, faults=(*draft.faults, fault))


def _left_out(draft: RawCharacter, text: str, where: str) -> RawCharacter:
    """The draft with advice on what is no part of anyone."""
    return _add_fault(draft, "sheet.left-out", "names and levels", f"{format_input(text)}, left out", where)


def strip_decoration(line: str) -> tuple[str, str]:
    """A tidy line without what a chat and a list put before it, "" where nothing is left; and who sent it.

    That is "" where no chat put anything there, and " " where it told no name.
    """
    stamp = _CHAT.match(line)
    rest = line[stamp.end() :] if stamp else line
    if not _FIGURED.search(rest):
        rest = _MARK.sub(r"\2", rest)
    return rest, (stamp[1] or stamp[2] or stamp[3] or " ") if stamp else ""


def _blocks(numbered: Sequence[tuple[int, str]]) -> list[list[tuple[int, str]]]:
    """Part the lines into blocks: before a name with levels, and at an empty line or a message, unless levels follow.

    Levels with which someone begins to speak are that person's.
    """
    blocks: list[list[tuple[int, str]]] = []
    speaker, is_new, after_gap = "", False, True
    for number, written in numbered:
        quoted = parse_quoted(written)
        if quoted and (after_gap or _FIGURED.search(quoted[1])):
            blocks.append([(number, written)])
            is_new = after_gap = False
            continue
        line, sender = strip_decoration(written)
        after_gap = after_gap or bool(sender) or not written
        if sender.strip() and sender != speaker:
            speaker, is_new = sender, True
        line = _LABEL.sub("", line)
        if (
            not after_gap
            and len(blocks[-1]) == 1
            and re.fullmatch(r"([*_])(?![*_])\D*\1", written)
            and not find_ability_name(line)
        ):
            line = f"Notes: {line}"
        if line:
            is_level = (
                has_leading_level(line)
                or _is_levels(line)
                or line.lower().startswith(("minion of ", HOUSE_RULES))
                or bool(blocks and (_NOTES.match(line) or _POINTS.fullmatch(line)))
            )
            if is_level and is_new:
                line, is_level = f"{speaker}: {line}", False
            is_alike = line.endswith(":") or not blocks or _stem(line) == _stem(blocks[-1][0][1])
            is_next = (after_gap or is_alike) and not find_ability_name(line.rstrip(":"))
            if not blocks or (not is_level and (is_next or _FIGURED.search(line) or _split_name_and_levels(line))):
                blocks.append([])
            blocks[-1].append((number, line))
            is_new = after_gap = False
    return blocks


def _stem(name: str) -> str:
    """A name without its number."""
    return name.rstrip("0123456789 #:x×").casefold()


def _is_levels(text: str, some: bool = False) -> bool:
    """Whether a text is abilities with their levels and nothing else; with `some`, they may be unknown but for one."""
    read = parse_levels(RawCharacter(), text, "")
    known = [find_ability_name(each.ability) and isinstance(parse_level(each.level, ""), int) for each in read.entries]
    return any(known) and (some or all(known)) and all(fault.severity == "advice" for fault in read.faults)


def _split_name_and_levels(line: str, has_more: bool = False) -> tuple[str, str] | None:
    """The name and the levels of a line that has both. None for any other, and for what may be a name, with `has_more`.

    Behind a colon one level must be known, without a colon all of them.
    """
    name, colon, levels = line.partition(":")
    if _FIGURED.search(line):
        return None
    if colon and not find_ability_name(name) and _is_levels(levels, some=not has_more and not _START.match(line)):
        return name, levels
    for found in () if has_more else [*_START.finditer(line)][:2]:
        before, levels = line[: found.start()], line[found.start() :]
        name = re.sub(r"(?i)(?:\s(?:has|have|with))?[\s:,;/|=(\[–—*_`-]*$", "", before)
        mark = {*before[len(name) :]}
        is_parted = mark & {*"|([–—-"} or len(parse_levels(RawCharacter(), levels, "").entries) > 1
        is_slip = mark & {*",;/"} or suggest_names(_stem(name))
        is_item = _START.search(name) or (is_slip and parse_levels(RawCharacter(), _POINTS.sub("", name), "").entries)
        if name and is_parted and _is_levels(levels) and not is_item and not has_leading_level(name):
            return name, levels
    return None


def _read_block(block: Sequence[tuple[int, str]]) -> RawCharacter:
    number, head = block[0]
    draft = RawCharacter(where=f"line {number}", where_cp=f"line {number}")
    if quoted := parse_quoted(head):
        draft, block = replace(_read_head(draft, f"_{quoted[1]}"), name=quoted[0]), block[1:]
    elif not has_leading_level(head) and not _is_levels(head):
        name, levels = _split_name_and_levels(head, len(block) > 1) or (head, "")
        draft, block = parse_levels(_read_head(draft, name), levels, draft.where), block[1:]
    for number, line in block:
        if line.lower().startswith("minion of "):
            draft = replace(draft, minion_of=line[len("minion of ") :].strip())
        elif (found := _NOTES.match(line)) and not _START.search(line):
            draft = replace(draft, description="; ".join(filter(None, (draft.description, line[found.end() :]))))
        elif _POINTS.fullmatch(line) or line.lower().startswith(HOUSE_RULES):
            draft = _left_out(draft, line, f"line {number}")
        else:
            draft = parse_levels(draft, line, f"line {number}")
    if not draft.entries and all(fault.severity == "advice" for fault in draft.faults):
        draft = _add_fault(draft, "sheet.abilities", "lines like “2 shooting” below the name", "none", draft.where)
    return draft


def _read_head(draft: RawCharacter, line: str) -> RawCharacter:
    """The line of the name: `Name (figures): description`, of which only the name must be there."""
    points = _POINTS.search(line.partition(":")[0])
    if points and not _FIGURED.search(line):
        draft = _left_out(draft, points[0].strip(" ,;|–—-"), draft.where)
        line = line[: points.start()] + line[points.end() :]
    if re.match(rf"(?i)[^:(]*?(?:{_START.pattern}|\b\d+\s?[x×]\b|\b[x×]\s?\d)", line) and not _FIGURED.search(line):
        draft = _add_fault(
            draft, "sheet.name-doubted", "the name of one", f"{format_input(line)}, kept as it is", draft.where
        )
    before, _, description = line.partition(":")
    dashed = _DASHED.fullmatch(line)
    if dashed and dashed["description"][0].islower():
        return replace(draft, name=dashed["name"].strip(" |"), description=dashed["description"].strip())
    if "(" not in before:
        return replace(draft, name=before.strip(" |"), description=description.strip())
    name, _, rest = line.partition("(")
    inside, closed, after = rest.partition(")")
    after = after.strip()
    draft = replace(draft, name=name.strip(), description=after.removeprefix(":").strip())
    if not closed or (after and not after.startswith(":")):
        return _add_fault(draft, "sheet.head", "“Name (figures): description”", format_input(line), draft.where)
    for piece in inside.split(","):
        draft = _read_figure(draft, piece.strip(), draft.where)
    return draft


def _read_figure(draft: RawCharacter, piece: str, where: str) -> RawCharacter:
    """A figure as a sheet prints it; one that can't be read is pointed at, and nothing depends on it."""
    value_text, _, words = piece.partition(" ")
    name = _FIGURES.get(words.strip().lower())
    value = parse_level(value_text, where)
    if name is None or isinstance(value, Problem) or name in (each.name for each in draft.printed):
        return _add_fault(draft, "sheet.figure", "each figure once, like “11 agility”", format_input(piece), where)
    return replace(draft, printed=(*draft.printed, PrintedFigure(name, value, where)))


def parse_levels(draft: RawCharacter, text: str, where: str) -> RawCharacter:
    """A draft with the abilities of one line, their levels and notes; what can't be read, or in doubt, is a fault.

    Rule: `char.ability-level`.
    """
    for item in _items(text):
        if not item.ability:
            draft = _add_fault(
                draft, "sheet.line", "a line like “2 shooting: note”", format_input(item.text.strip()), where
            )
        elif item.ability.lower() in _FIGURES:
            draft = _read_figure(draft, f"{item.level} {item.ability}", where)
            draft = _doubted(draft, item, "which changes nothing", where)
        else:
            slips = _slips_in(item.note, where) if item.behind == "dash" else []
            entry = RawAbility(item.ability, item.level, item.note, where)
            draft = replace(draft, entries=(*draft.entries, entry, *slips))
            is_right = find_ability_name(item.ability) and isinstance(parse_level(item.level, ""), int)
            if item.is_odd and is_right and not slips:
                draft = _doubted(draft, item, "taken as that", where)
    return draft


@dataclass(frozen=True, slots=True)
class _Item:
    """An item of a line: its text, the ability, "" where it is none, its level, and a note with where that stood."""

    text: str
    ability: str = ""
    level: str = ""
    note: str = ""
    behind: str = ""

    @property
    def is_odd(self) -> bool:
        """Whether it may have meant something else."""
        own = self.text[: -len(self.note) or None]
        return self.behind in ("dash", "words") or bool(re.search(r"\+|\w-\d|[(\[]", own) or _START.search(self.note))


def _items(text: str) -> Iterator[_Item]:
    """The items of a line, one after the other; what fits no form is one as well, without an ability."""
    place = 0
    while beginning := _BEGINNING.search(text, place):
        item, place = _item_at(text, beginning.end())
        yield replace(item, text=text[beginning.start() : place])


def _item_at(text: str, begin: int) -> tuple[_Item, int]:
    """The item that begins at a place, and where it ends."""
    for form in _FORMS:
        if found := form.match(text, begin):
            behind, note, end = _note_at(text, found.end())
            level = re.sub(r"(?i)^([+−-]?\d+)\s?[x×]$", r"\1", found["level"]).removeprefix("+")
            if behind != "words" or form is not _FORMS[-1]:  # not in `one shooting star`
                level = _WORDS.get(level.lower(), level)
            note = note or found.groupdict().get("inside") or ""
            return _Item("", found["ability"].strip(), level, tidy(note), behind), end
    rest = _REST.match(text, begin)
    assert rest is not None, "nothing begins with a sign that parts items"
    return _Item(""), rest.end()


def _note_at(text: str, place: int) -> tuple[str, str, int]:
    """How a note stands behind an item, the note, and where it ends; "" twice where there is none."""
    for behind, kind in _BEHIND.items():
        if found := kind.match(text, place):
            return behind, found[1], found.end()
    return "", "", place


def _slips_in(note: str, where: str) -> list[RawAbility]:
    """Abilities in a note behind a dash that are almost some of ours: they are asked about."""
    entries = parse_levels(RawCharacter(), note, where).entries
    return [each for each in entries if suggest_names(each.ability) and not find_ability_name(each.ability)]


def _doubted(draft: RawCharacter, item: _Item, how: str, where: str) -> RawCharacter:
    """The draft with advice on how an item was read."""
    read = f"{item.level} {item.ability.lower()}" + (f": {item.note}" if item.note else "")
    return _add_fault(draft, "sheet.doubted", read[:60], f"{format_input(item.text.strip())}, {how}", where)
