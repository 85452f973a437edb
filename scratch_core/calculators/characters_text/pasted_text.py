"""Parsing of pasted characters, which may contain lines of other text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scratch_core.characters import CharacterDraft, Sheet, clean_line, parse_sheet
from scratch_core.errors import Location, Problems, format_input
from scratch_core.normalization import split_lines
from scratch_core.rulebook.abilities import find_ability_name, suggest_names

NOTE_WORDS = ("side", "group", "turns", "here", "hp", "at")
"""The words of a setting, like `side: hunters`, below a name or in a line for all characters after it."""


def parse_pasted_sheet(text: str) -> Sheet:
    """Parse a pasted sheet, and ignore lines of other text.

    Lines are ignored only in a character with an ability, and each is reported as advice. A line with a probable typing
    error stays a problem. Never raises. Rule: `char.stat-line`.
    """
    lines = split_lines(text)
    sheet = parse_sheet(text)
    return replace(sheet, drafts=tuple(_drop_unread_lines(draft, lines) for draft in sheet.drafts))


def _drop_unread_lines(draft: CharacterDraft, lines: Sequence[str]) -> CharacterDraft:
    """Return a draft without the entries and faults of other text.

    Adds advice for each of those lines. A draft without a known ability does not change.
    """
    known_entries = [each for each in draft.entries if find_ability_name(each.ability)]
    if not known_entries:
        return draft
    unread = [each for each in draft.entries if each not in known_entries and not suggest_names(each.ability)]
    faults = [each for each in draft.faults if each.code == "sheet.line" and not _is_nearly_word(each.got)]
    advice, rule = Problems(), "char.stat-line"
    places = (*(each.where for each in faults), *(each.where for each in unread))
    for number in sorted({Location.from_key_or_location(each).line for each in places}):
        got = f"{format_input(clean_line(lines[number - 1]))} was ignored"
        place = Location(line=number)
        advice.report("sheet.ignored", "an ability and its level", got, place, rule, severity="advice")
    other_faults = tuple(each for each in draft.faults if each not in faults)
    return replace(
        draft, entries=tuple(each for each in draft.entries if each not in unread), faults=(*other_faults, *advice)
    )


def _is_nearly_word(got: str) -> bool:
    """Return whether an invalid line is similar to one such as `side: red`."""
    word, colon, _ = got.strip("'\"").lower().partition(":")
    return bool(colon and suggest_names(word, NOTE_WORDS))
