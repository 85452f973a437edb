"""Parser for stat blocks: a line with the name, then one for each ability; nothing is validated.

    Flipfire (11 agility, 11 intelligence, 11 strength, 2 stamina): patches up and pays back
    2 shooting: short rifle
    4 toughness: padded coat

The brackets, the description, the notes and the name are optional. A line `minion of Flipfire` below the name makes a
minion. A new name after an empty line starts the next character; ability lines after an empty line still belong to the
previous one.

It accepts common variants as well: `Kim: shooting 2, toughness: 4`, bullets and bold type, the prefix of a chat
message, tables, `toughness two`, `toughness 4 — a coat, 12 kg`. `Notes: …` and a line in italics below the name are the
description; points, a greeting and house rules are omitted. Doubtful text gives advice, unparsable text a problem, each
with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from scratch_core.characters.character import FIGURE_NAMES
from scratch_core.characters.raw_character import (
    PrintedFigure,
    RawAbility,
    RawCharacter,
    clean_line,
    fold_compatibility_characters,
    has_leading_level,
    parse_leading_quote,
    parse_level,
)
from scratch_core.errors import Location, Problem, Problems, format_input
from scratch_core.normalization import split_lines
from scratch_core.rulebook.abilities import ABILITY_NAMES, ALIASES, INERT, find_ability_name, suggest_names

MAX_SHEET_LENGTH = 20_000
"""The maximum length of a sheet, in characters."""

MAX_SHEET_LINES = 300
"""The maximum number of lines of a sheet that are not empty."""

HOUSE_RULES = "house rules:"
"""The start of a line that names a table's rules below a stat block."""

_FIGURES = {
    **{name: name for name in FIGURE_NAMES},
    "hit points": "hit-points",
    "hit point": "hit-points",
    "hp": "hit-points",
}


# A chat prints the time and the sender before a message, in its line or in the line above.
_STAMP = (
    r"[\[(]?(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4},? )?(?:(?:to|yester)day at )?"
    r"\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?[\])]?"
)
_CHAT = re.compile(
    rf"(?:[-=*_~—–]{{3,}}|([^:]{{0,40}}?)\W*{_STAMP})$|{_STAMP}(?: ?[:–—-] | )(?:<([^<>]{{1,40}})> |([^:]{{1,40}}): )?",
    re.IGNORECASE,
)
_MARK = re.compile(r"^(?:(?:[>#]+|[|•·▪◦‣●–—*+-]|\d{1,2}[.)])\s+)*(?:(\*{1,3}|__?|`)(?=\S)([^*_`]+)\1(?!\w))?")
# Decoration before a name or levels: a word with a colon, a table's header and the line below it.
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

# An item is an ability and its level, in either order, with signs, bold type and a few words between them.
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
# A line of description; the first two labels are dropped, the others become part of it.
_NOTES = re.compile(
    r"(?:notes?|description)\s*:\s*|(?=(?:age|appearance|back(?:ground|story)|bio|class|concept|equipment|fears?|gear|goals?"
    r"|history|inventory|items|job|loot|looks|motto|personality|player|pronouns|quirks?|quote|race|role|secrets?|species"
    r"|story|tactics|traits?|wants|weakness(?:es)?|weapons?)\s*:\s*\S)",
    re.IGNORECASE,
)
# The forms of an item: `2 shooting`, `shooting: 2` or `shooting (a bow) 2`, `shooting: many`, `many shooting`.
# The first match wins.
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_LEVEL_FIRST}(?P<ability>{_KNOWN}|[^\W\d_](?:{_LETTERS}{{0,60}}[^\W\d_])?)",
        rf"(?P<ability>{_KNOWN}|[^\W\d_]{_LETTERS}{{0,60}}?){_NAME_FIRST}",
        rf"(?P<ability>{_KNOWN})[\s:=]+(?P<level>[^\s,;:|]+)",
        rf"(?P<level>[^\s,;:|(\[]+)\s(?P<ability>{_KNOWN})",
    )
)
# The forms of a note after an item: all after a colon, in brackets, after a dash up to the next item, or a few words.
_NEXT = rf"\W*(?:{_KNOWN}|{_BEGINS})|(?:[^\W\d_]+\s)?\d+\W*(?:[,;/|–—]|$)"
_NOTE_FORMS = {
    kind: re.compile(note, re.IGNORECASE)
    for kind, note in (
        ("colon", r"[*_`\s]*:(?:\*\*|__)?(.*)"),
        ("brackets", r"[*_`\s]*[(\[]([^()\[\]]*)[)\]]"),
        ("dash", rf"[*_`]*\s(?:[–—]|--)\s(?!{_NEXT})((?:(?![\s,;/|*_–—]+{_BEGINS}).)+)"),
        ("words", rf"[*_`]*(?:\s[|–—-])?\s(?!{_KNOWN})((?:(?!\s{_KNOWN}){_LETTERS}){{1,200}}?)\s*(?=[,;/|]|$)"),
    )
}
# The start of an item, with or without an `and`; and text that matches no form, up to the next separator of items.
_BEGINNING = re.compile(r"(?=[^\W_]|[(\[%−]|[+-](?!\s|$))(?:and\s(?=[^,;/|]))?", re.IGNORECASE)
_REST = re.compile(r"[^,;/|]+")

# Words addressed to others in a chat before the stat block; and a name with a description after a dash.
_TALK = re.compile(
    r"\b(?:ok(?:ay)?|hi|hey|hello|lol|haha|so|here(?:['’]s)?|my|i(?:['’](?:m|ve|ll))?|this|guys?|everyone|folks)\b",
    re.IGNORECASE,
)
_DASHED = re.compile(r"(?P<name>[^:(]+?)\s+[-–—]\s+(?P<description>[^\W\d_].*\s.*)")

Blocks = tuple[tuple[RawCharacter, ...], tuple[Problem, ...]]
"""All stat blocks of one text, in order, and the problems of the text as a whole."""


def parse_blocks(text: str) -> Blocks:
    """Parse every stat block of a text.

    The limits are `MAX_SHEET_LENGTH` characters and `MAX_SHEET_LINES` lines. Never raises. Rules: `char.stat-line`,
    `char.ability-level`.
    """
    if len(text) > MAX_SHEET_LENGTH:
        expected = f"a sheet of {MAX_SHEET_LENGTH:,} characters at most"
        return (), (Problem("sheet.limit.characters", expected, f"{len(text):,}", "the sheet", "char.stat-line"),)
    lines = _unfold_tables(split_lines(fold_compatibility_characters(text)))
    numbered = [(number, clean_line(re.sub(r"(?i)^name\t", "name: ", line))) for number, line in enumerate(lines, 1)]
    filled = sum(1 for _, line in numbered if line)
    if filled > MAX_SHEET_LINES:
        expected = f"a sheet of {MAX_SHEET_LINES} lines at most"
        return (), (Problem("sheet.limit.lines", expected, f"{filled:,}", "the sheet", "char.stat-line"),)
    blocks = _split_into_blocks(numbered)
    if not blocks:
        expected = "a stat block: a name, then lines like “2 shooting”"
        return (), (Problem("sheet.empty", expected, "nothing", "the sheet", "char.stat-line"),)
    talk: list[tuple[int, str]] = []
    for block in blocks:
        if len(block) > 2 and _is_small_talk(block[0][1]) and _may_be_name(block[1][1]):
            talk.append(block.pop(0))
    has_levels = [any(re.search(rf"(?i)\d|\b{_KNOWN}", line) for _, line in block) for block in blocks]
    first = has_levels.index(True) if True in has_levels else 0
    characters = [
        n
        for n, block in enumerate(blocks)
        if n >= first and (has_levels[n] or n == first or not _is_heading_or_chat(block))
    ]
    drafts = [_parse_block(blocks[n]) for n in characters]
    faults = Problems(drafts[0].faults)
    for n, block in enumerate(blocks):
        for number, line in block if n not in characters else ():
            _report_omission(faults, line, Location(line=number))
    for number, line in talk:
        _report_omission(faults, line, Location(line=number))
    drafts[0] = replace(drafts[0], faults=tuple(faults))
    return tuple(drafts), ()


def _is_small_talk(line: str) -> bool:
    """Return whether a line without levels addresses other people and is no name."""
    words = line.split()
    return len(words) > 3 and not _is_level_list(line) and (line[:1].islower() or len(_TALK.findall(line)) > 1)


def _may_be_name(line: str) -> bool:
    """Return whether a line may be a name.

    A name has no digits and does not start with a lower-case letter.
    """
    return not line[:1].islower() and not re.search(r"\d", line) and not _is_small_talk(line)


def _is_heading_or_chat(block: Sequence[tuple[int, str]]) -> bool:
    """Return whether a block without levels is a heading or chat."""
    head = block[0][1]
    return head.endswith((".", "!", "?")) or (len(block) == 1 and head.endswith(":"))


def _unfold_tables(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines, with rows of a table as `Kim: toughness 3, shooting 4`.

    Such a table has one column for each ability.
    """
    columns: list[str] = []
    for line in lines:
        cells = [cell.strip(" *_") for cell in re.split(r"[\t|]", line.strip(" |"))]
        if parse_leading_quote(line):
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
    """Parse a text that contains one character.

    Further characters are a problem. Never raises.
    """
    blocks, faults = parse_blocks(text)
    if not blocks:
        return RawCharacter(faults=faults, where=Location(line=1), where_cp=Location(line=1))
    first, *others = blocks
    if not others:
        return first
    fault = Problem("sheet.not-one", "one character", f"{len(blocks)}", others[0].where, "char.stat-line")
    return replace(first, faults=(*first.faults, fault))


DOUBTS = ("sheet.doubted", "sheet.left-out", "sheet.name-doubted")
"""The codes of advice on text that may have been parsed differently than intended."""


def _report_omission(faults: Problems, text: str, where: Location) -> None:
    """Report that a text belongs to no character."""
    got = f"{format_input(text)}, left out"
    faults.report("sheet.left-out", "names and levels", got, where, "char.stat-line", severity="advice")


def split_content_and_sender(line: str) -> tuple[str, str]:
    """Split a cleaned line into its content and the sender of a chat message.

    The prefixes of chats and lists are removed; the content is "" if nothing remains. The sender is "" without a chat's
    prefix, and " " if the prefix has no name.
    """
    stamp = _CHAT.match(line)
    rest = line[stamp.end() :] if stamp else line
    if not _FIGURED.search(rest):
        rest = _MARK.sub(r"\2", rest)
    return rest, (stamp[1] or stamp[2] or stamp[3] or " ") if stamp else ""


def _split_into_blocks(numbered: Sequence[tuple[int, str]]) -> list[list[tuple[int, str]]]:
    """Split the lines into blocks, one for each character.

    A block starts before a name with levels, and after an empty line or a chat message unless levels follow. Levels at
    the start of a sender's messages belong to that sender.
    """
    blocks: list[list[tuple[int, str]]] = []
    speaker, is_new, after_gap = "", False, True
    for number, raw_line in numbered:
        quoted = parse_leading_quote(raw_line)
        if quoted and (after_gap or _FIGURED.search(quoted[1])):
            blocks.append([(number, raw_line)])
            is_new = after_gap = False
            continue
        line, sender = split_content_and_sender(raw_line)
        after_gap = after_gap or bool(sender) or not raw_line
        if sender.strip() and sender != speaker:
            speaker, is_new = sender, True
        line = _LABEL.sub("", line)
        if (
            not after_gap
            and len(blocks[-1]) == 1
            and re.fullmatch(r"([*_])(?![*_])\D*\1", raw_line)
            and not find_ability_name(line)
        ):
            line = f"Notes: {line}"
        if line:
            is_level = (
                has_leading_level(line)
                or _is_level_list(line)
                or line.lower().startswith(("minion of ", HOUSE_RULES))
                or bool(blocks and (_NOTES.match(line) or _POINTS.fullmatch(line)))
            )
            if is_level and is_new:
                line, is_level = f"{speaker}: {line}", False
            is_alike = (
                line.endswith(":")
                or not blocks
                or _strip_number_and_case(line) == _strip_number_and_case(blocks[-1][0][1])
            )
            is_next = (after_gap or is_alike) and not find_ability_name(line.rstrip(":"))
            if not blocks or (not is_level and (is_next or _FIGURED.search(line) or _split_name_and_levels(line))):
                blocks.append([])
            blocks[-1].append((number, line))
            is_new = after_gap = False
    return blocks


def _strip_number_and_case(name: str) -> str:
    """Return a name without its number, case-folded."""
    return name.rstrip("0123456789 #:x×").casefold()


def _is_level_list(text: str, allows_unknown: bool = False) -> bool:
    """Return whether a text consists of abilities with their levels.

    With `allows_unknown`, only one of them must be known.
    """
    faults = Problems()
    entries = add_abilities_from_line(RawCharacter(), text, "", faults).entries
    known = [find_ability_name(each.ability) and isinstance(parse_level(each.level, ""), int) for each in entries]
    return any(known) and (allows_unknown or all(known)) and not faults.has_errors


def _split_name_and_levels(line: str, has_more_lines: bool = False) -> tuple[str, str] | None:
    """Split a line with both a name and levels.

    Returns None for any other line and, with `has_more_lines`, for a line that may be only a name. After a colon, one
    level must be known; without a colon, all of them must.
    """
    name, colon, levels = line.partition(":")
    if _FIGURED.search(line):
        return None
    if (
        colon
        and not find_ability_name(name)
        and _is_level_list(levels, allows_unknown=not has_more_lines and not _START.match(line))
    ):
        return name, levels
    for found in () if has_more_lines else [*_START.finditer(line)][:2]:
        before, levels = line[: found.start()], line[found.start() :]
        name = re.sub(r"(?i)(?:\s(?:has|have|with))?[\s:,;/|=(\[–—*_`-]*$", "", before)
        mark = {*before[len(name) :]}
        is_parted = mark & {*"|([–—-"} or len(_list_abilities_in_line(levels)) > 1
        is_slip = mark & {*",;/"} or suggest_names(_strip_number_and_case(name))
        is_item = _START.search(name) or (is_slip and _list_abilities_in_line(_POINTS.sub("", name)))
        if name and is_parted and _is_level_list(levels) and not is_item and not has_leading_level(name):
            return name, levels
    return None


def _parse_block(block: Sequence[tuple[int, str]]) -> RawCharacter:
    """Parse one block into a draft."""
    number, head = block[0]
    faults, where = Problems(), Location(line=number)
    draft = RawCharacter(where=where, where_cp=where)
    if quoted := parse_leading_quote(head):
        draft, block = (
            replace(_add_name_figures_and_description(draft, f"_{quoted[1]}", where, faults), name=quoted[0]),
            block[1:],
        )
    elif not has_leading_level(head) and not _is_level_list(head):
        name, levels = _split_name_and_levels(head, len(block) > 1) or (head, "")
        draft, block = (
            add_abilities_from_line(
                _add_name_figures_and_description(draft, name, where, faults), levels, where, faults
            ),
            block[1:],
        )
    for number, line in block:
        if line.lower().startswith("minion of "):
            draft = replace(draft, minion_of=line[len("minion of ") :].strip())
        elif (found := _NOTES.match(line)) and not _START.search(line):
            draft = replace(draft, description="; ".join(filter(None, (draft.description, line[found.end() :]))))
        elif _POINTS.fullmatch(line) or line.lower().startswith(HOUSE_RULES):
            _report_omission(faults, line, Location(line=number))
        else:
            draft = add_abilities_from_line(draft, line, Location(line=number), faults)
    if not draft.entries and not faults.has_errors:
        expected = "lines like “2 shooting” below the name"
        faults.report("sheet.abilities", expected, "none", where, "char.stat-line")
    return replace(draft, faults=tuple(faults))


def _add_name_figures_and_description(
    draft: RawCharacter, line: str, where: Location, faults: Problems
) -> RawCharacter:
    """Parse the first line: `Name (figures): description`, of which only the name is required."""
    points = _POINTS.search(line.partition(":")[0])
    if points and not _FIGURED.search(line):
        _report_omission(faults, points[0].strip(" ,;|–—-"), where)
        line = line[: points.start()] + line[points.end() :]
    if re.match(rf"(?i)[^:(]*?(?:{_START.pattern}|\b\d+\s?[x×]\b|\b[x×]\s?\d)", line) and not _FIGURED.search(line):
        expected, got = "the name of one", f"{format_input(line)}, kept as it is"
        faults.report("sheet.name-doubted", expected, got, where, "char.stat-line", severity="advice")
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
        faults.report_value("sheet.head", "“Name (figures): description”", line, where, "char.stat-line")
        return draft
    for piece in inside.split(","):
        draft = _add_printed_figure(draft, piece.strip(), where, faults)
    return draft


def _add_printed_figure(draft: RawCharacter, piece: str, where: str, faults: Problems) -> RawCharacter:
    """Add a printed figure to a draft.

    Invalid figures give advice only, because no rule depends on them.
    """
    value_text, _, words = piece.partition(" ")
    name = _FIGURES.get(words.strip().lower())
    value = parse_level(value_text, where)
    if name is None or isinstance(value, Problem) or name in (each.name for each in draft.printed):
        expected = "each figure once, like “11 agility”"
        faults.report_value("sheet.figure", expected, piece, where, "char.stat-line", severity="advice")
        return draft
    return replace(draft, printed=(*draft.printed, PrintedFigure(name, value, where)))


def add_abilities_from_line(draft: RawCharacter, line: str, where: str, faults: Problems) -> RawCharacter:
    """Add the abilities of one line, with levels and notes, to a draft.

    Unparsable items are problems, doubtful ones advice, which `faults` collects. Rule: `char.ability-level`.
    """
    for item in _parse_items(line):
        if not item.ability:
            expected = "a line like “2 shooting: note”"
            faults.report_value("sheet.line", expected, item.text.strip(), where, "char.stat-line")
        elif item.ability.lower() in _FIGURES:
            draft = _add_printed_figure(draft, f"{item.level} {item.ability}", where, faults)
            _report_doubt(faults, item, "which changes nothing", where)
        else:
            slips = _find_misspelled_abilities(item.note, where) if item.note_form == "dash" else []
            entry = RawAbility(item.ability, item.level, item.note, where)
            draft = replace(draft, entries=(*draft.entries, entry, *slips))
            is_right = find_ability_name(item.ability) and isinstance(parse_level(item.level, ""), int)
            if item.is_doubtful and is_right and not slips:
                _report_doubt(faults, item, "taken as that", where)
    return draft


def _list_abilities_in_line(line: str, where: str = "") -> tuple[RawAbility, ...]:
    """List the abilities of one line, whatever else it has."""
    return add_abilities_from_line(RawCharacter(), line, where, Problems()).entries


@dataclass(frozen=True, slots=True)
class _Item:
    """An item of a line."""

    text: str
    """The text of the item as typed."""
    ability: str = ""
    """The ability, or "" if the text matches no form."""
    level: str = ""
    """The level as text."""
    note: str = ""
    """The note, or ""."""
    note_form: str = ""
    """The form of the note, a key of `_NOTE_FORMS`, or ""."""

    @property
    def is_doubtful(self) -> bool:
        """Whether the item may have been intended differently."""
        own = self.text[: -len(self.note) or None]
        has_odd_signs = re.search(r"\+|\w-\d|[(\[]", own)
        return self.note_form in ("dash", "words") or bool(has_odd_signs or _START.search(self.note))


def _parse_items(text: str) -> Iterator[_Item]:
    """Yield the items of a line.

    Text that matches no form is an item without an ability.
    """
    place = 0
    while beginning := _BEGINNING.search(text, place):
        item, place = _parse_item(text, beginning.end())
        yield replace(item, text=text[beginning.start() : place])


def _parse_item(text: str, begin: int) -> tuple[_Item, int]:
    """Parse the item at a place and return it with its end."""
    for form in _FORMS:
        if found := form.match(text, begin):
            note_form, note, end = _parse_note_in_any_form(text, found.end())
            level = re.sub(r"(?i)^([+−-]?\d+)\s?[x×]$", r"\1", found["level"]).removeprefix("+")
            if note_form != "words" or form is not _FORMS[-1]:  # the `one` of `one shooting star` is no level
                level = _WORDS.get(level.lower(), level)
            note = note or found.groupdict().get("inside") or ""
            return _Item("", found["ability"].strip(), level, clean_line(note), note_form), end
    rest = _REST.match(text, begin)
    assert rest is not None, "no item starts with a separator"
    return _Item(""), rest.end()


class _Note(NamedTuple):
    """The note after an item."""

    form: str
    """Its form, a key of `_NOTE_FORMS`, or "" without a note."""
    text: str
    """Its text, or "" without a note."""
    end: int
    """The place after it."""


def _parse_note_in_any_form(text: str, place: int) -> _Note:
    """Parse the note after an item, if there is one."""
    for note_form, pattern in _NOTE_FORMS.items():
        if found := pattern.match(text, place):
            return _Note(note_form, found[1], found.end())
    return _Note("", "", place)


def _find_misspelled_abilities(note: str, where: str) -> list[RawAbility]:
    """Find misspelled abilities in a note after a dash, to suggest the right names."""
    entries = _list_abilities_in_line(note, where)
    return [each for each in entries if suggest_names(each.ability) and not find_ability_name(each.ability)]


def _report_doubt(faults: Problems, item: _Item, how: str, where: str) -> None:
    """Report how an item was parsed."""
    parsed = f"{item.level} {item.ability.lower()}" + (f": {item.note}" if item.note else "")
    got = f"{format_input(item.text.strip())}, {how}"
    faults.report("sheet.doubted", parsed[:60], got, where, "char.stat-line", severity="advice")
