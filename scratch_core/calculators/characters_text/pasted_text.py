"""Parsing of pasted characters, which may contain lines of other text."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from functools import partial
from itertools import filterfalse

from scratch_core.characters import CharacterDraft, Sheet, clean_line, parse_sheet
from scratch_core.errors import Location, Problems, format_input
from scratch_core.normalization import split_lines
from scratch_core.rulebook.abilities import find_ability_name, suggest_names

_RULE = "char.stat-line"

NOTE_WORDS = ("side", "group", "turns", "here", "hp", "at")
"""The words of a setting, like `side: hunters`, below a name or in a line for all characters after it."""


def parse_pasted_sheet(text: str, named_lines: Container[int] = ()) -> Sheet:
    """Parse a pasted sheet, and ignore lines of other text.

    `named_lines` are the lines that are names, because settings follow them, such as `side: red`. Lines are ignored in
    a character with an ability, and between such characters. Each is reported as advice. A line with a probable typing
    error stays a problem. Never raises. Rule: `char.stat-line`.
    """
    lines = split_lines(text)
    sheet = parse_sheet(text)
    drafts = tuple(_replace_foreign_lines_by_advice(draft, lines) for draft in sheet.drafts)
    is_other_text = partial(_is_other_text, named_lines)
    kept = list(filterfalse(is_other_text, drafts))
    if not kept:
        return replace(sheet, drafts=drafts)
    ignored = Problems()
    for draft in filter(is_other_text, drafts):
        _report_ignored_line(ignored, lines, Location.from_key_or_location(draft.where).line)
    first, *others = kept
    return replace(sheet, drafts=(replace(first, faults=(*first.faults, *ignored)), *others))


def _is_other_text(named_lines: Container[int], draft: CharacterDraft) -> bool:
    """Return whether a draft is a line of other text.

    Such a line of a chat has a name, perhaps a description, and no more.
    """
    if draft.entries or draft.printed or draft.bonuses or draft.minion_of:
        return False
    is_alone = [each.code for each in draft.faults] == ["sheet.abilities"]
    return is_alone and Location.from_key_or_location(draft.where).line not in named_lines


def _report_ignored_line(advice: Problems, lines: Sequence[str], number: int) -> None:
    got = f"{format_input(clean_line(lines[number - 1]))} was ignored"
    advice.report("sheet.ignored", "an ability and its level", got, Location(line=number), _RULE, severity="advice")


def _replace_foreign_lines_by_advice(draft: CharacterDraft, lines: Sequence[str]) -> CharacterDraft:
    """Return a draft without the entries and faults of other text.

    Adds advice for each of those lines. A draft without a known ability does not change.
    """
    known_entries = [each for each in draft.entries if find_ability_name(each.ability)]
    if not known_entries:
        return draft
    unread = [each for each in draft.entries if each not in known_entries and not suggest_names(each.ability)]
    faults = [each for each in draft.faults if each.code == "sheet.line" and not _is_nearly_word(each.got)]
    advice = Problems()
    places = (*(each.where for each in faults), *(each.where for each in unread))
    for number in sorted({Location.from_key_or_location(each).line for each in places}):
        _report_ignored_line(advice, lines, number)
    other_faults = tuple(each for each in draft.faults if each not in faults)
    return replace(
        draft, entries=tuple(each for each in draft.entries if each not in unread), faults=(*other_faults, *advice)
    )


def _is_nearly_word(got: str) -> bool:
    """Return whether an invalid line is similar to one such as `side: red`."""
    word, colon, _ = got.strip("'\"").lower().partition(":")
    return bool(colon and suggest_names(word, NOTE_WORDS))
