"""Setting a fight up: stat blocks with a side, a group, a place and hit points become the characters of a scenario."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from scratch_core.board import parse_space_text
from scratch_core.calculators.characters_text import ParsedCharacters, assign_ids
from scratch_core.calculators.characters_text.pasted_text import NOTE_WORDS, parse_pasted_sheet
from scratch_core.calculators.shared.sides import find_shared_groups
from scratch_core.characters import (
    MAX_NAME_LENGTH,
    MAX_SHEET_LENGTH,
    CharacterDraft,
    character_to_dict,
    clean_line,
    format_stat_block,
    parse_sheet,
    strip_bullet,
)
from scratch_core.encounter.state import SURROUNDINGS
from scratch_core.errors import Location, Problem, Problems, format_input
from scratch_core.normalization import parse_whole_number, split_lines
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import suggest_names
from scratch_core.scenario import Scenario

_NOTE_PATTERN = re.compile(r"(side|group|turns|here|hp|at)[ ]*(?::|(?<=hp)(?= ?\d))[ ]*(.*)", re.IGNORECASE | re.DOTALL)
_MAX_HP = 1_000

SEPARATE, TOGETHER = "separate", "together"
"""What a line `turns:` says: each has an initiative group of its own, or the whole side has one."""

_EXCLUSIVE_WORDS: Mapping[str, str] = {"turns": "group", "group": "turns"}
"""Two words that settle the same, of which the last one counts."""
_SHEET_KEYS: tuple[Literal["abilities", "description", "notes"], ...] = ("abilities", "description", "notes")
"""What a scenario's table takes from a stat block."""

DEFAULT_SURROUNDING = "level"
"""What is around someone of whom nothing else is said."""


@dataclass(frozen=True, slots=True)
class _Note:
    """A line like `side: hunters`: its number, the word, the value, and whether it holds for everyone after it."""

    number: int
    word: str
    value: str
    is_heading: bool


def parse_setup(text: str) -> ParsedCharacters:
    """Read stat blocks with the lines `side`, `group`, `turns`, `here`, `hp` and `at`. Never raises.

    Rules: `char.stat-line`, `turn.group`, `hp.start`, `command.minions`.
    """
    problems = Problems()
    if len(text) > MAX_SHEET_LENGTH:
        problems.extend_at("sheets", parse_sheet(text).faults)
        return ParsedCharacters((), tuple(problems))
    lines, notes = _split_lines_and_notes(text)
    sheet = parse_pasted_sheet("\n".join(line for _, line in lines))
    if not sheet.drafts:
        problems.extend_at("sheets", sheet.faults)
        return ParsedCharacters((), tuple(problems))
    for problem in (each for draft in sheet.drafts for each in draft.reading_problems()):
        number = lines[problem.location.line - 1][0]
        problems.append(_suggest_note_word(problem).move_to("sheets", got=f"{problem.got} on line {number}"))
    starts = _list_block_starts(sheet.drafts, lines)
    ends = (*starts[1:], math.inf)
    settled = [_resolve_notes(start, end, notes, problems) for start, end in zip(starts, ends, strict=True)]
    for note in (each for each in notes if not each.is_heading and each.number < starts[0]):
        got = f"{format_input(f'{note.word}: {note.value}')} on line {note.number}"
        problems.report("line.no-name", "a name above it", got, "sheets", "char.stat-line")
    if problems.has_errors:
        return ParsedCharacters((), tuple(problems))
    characters, found = _build_characters(sheet.drafts, settled)
    return ParsedCharacters(characters, (*problems, *found))


def parse_names_by_id(text: str) -> dict[str, str]:
    """The names that `parse_setup` gives by their ids, of stat blocks that have mistakes in them too."""
    return dict(_list_ids_and_names(parse_sheet("\n".join(line for _, line in _split_lines_and_notes(text)[0])).drafts))


def remove_stat_block(text: str, own: str) -> tuple[str, str]:
    """The stat blocks without that of an id and its minions, and its name; what holds for those after it stays.

    Rule: `command.minions`.
    """
    lines, notes = _split_lines_and_notes(text)
    drafts = parse_sheet("\n".join(line for _, line in lines)).drafts
    starts, named = _list_block_starts(drafts, lines), _list_ids_and_names(drafts)
    name = next((name for each, name in named if each == own), "")
    gone: set[int] = set()
    for draft, (each, _), start, end in zip(drafts, named, starts, (*starts[1:], MAX_SHEET_LENGTH), strict=True):
        if each == own or (name and draft.minion_of and clean_line(draft.minion_of).casefold() == name.casefold()):
            gone.update(range(start, end))
    whole = split_lines(text)
    for number in (note.number for note in notes if note.is_heading):
        gone -= {number, number + 1 if number < len(whole) and not whole[number].strip() else number}
    rest = "\n".join(line for number, line in enumerate(whole, 1) if number not in gone)
    return re.sub(r"\n{3,}", "\n\n", rest).strip("\n"), name


def parse_typed_space(text: str) -> list[int] | None:
    """Parse a space as in a line `at: 3,4`. Rule: `grid.space`."""
    space = parse_space_text(text)
    return list(space) if space and min(space) >= 0 else None


def _list_ids_and_names(drafts: Sequence[CharacterDraft]) -> list[tuple[str, str]]:
    return assign_ids([clean_line(draft.name) or "Unnamed" for draft in drafts], "character")


def _list_block_starts(drafts: Sequence[CharacterDraft], lines: Sequence[tuple[int, str]]) -> list[int]:
    """The line on which each stat block begins."""
    return [lines[Location.from_text(draft.where).line - 1][0] for draft in drafts]


def _split_lines_and_notes(text: str) -> tuple[list[tuple[int, str]], list[_Note]]:
    """The lines of the stat blocks with their numbers, and the notes among them."""
    lines: list[tuple[int, str]] = []
    notes: list[_Note] = []
    is_after_gap = True
    for number, line in enumerate(split_lines(text), 1):
        found = _NOTE_PATTERN.fullmatch(strip_bullet(clean_line(line)))
        if found:
            notes.append(_Note(number, found[1].lower(), found[2].strip(), is_after_gap))
            continue
        lines.append((number, line))
        is_after_gap = not line.strip()
    return lines, notes


def _resolve_notes(start: int, end: float, notes: Sequence[_Note], problems: Problems) -> dict[str, Any]:
    """What the notes settle for the character from line `start` to before `end`: the headings above, then its own.

    Hit points and a space are someone's own, and never a heading's.
    """
    above = [note for note in notes if note.is_heading and note.number < start and note.word not in ("hp", "at")]
    own = [note for note in notes if not note.is_heading and start < note.number < end]
    where = own[-1].number if own else start
    settled = {}
    given: dict[str, str] = {}
    for note in (*above, *own):
        given.pop(_EXCLUSIVE_WORDS.get(note.word, ""), None)
        given[note.word] = note.value
    for word, text in given.items():
        read, expected, rule = _NOTE_PARSERS[word]
        settled[word] = read(text)
        if settled[word] is None:
            got = f"{format_input(text)} on line {where}"
            problems.report("line.set-up", expected, got, "sheets", rule, word=word, value=expected)
    return settled


def _parse_hit_points(text: str) -> int | None:
    number = parse_whole_number(text)
    return number if number is not None and 0 <= number <= _MAX_HP else None


def _parse_surroundings(text: str) -> list[str] | None:
    words = [each for each in re.split(r"[\s,]+", text.lower()) if each][:20]
    return list(dict.fromkeys(words)) if words and set(words) <= set(SURROUNDINGS) else None


def _parse_turns(text: str) -> str | None:
    return text.lower() if text.lower() in (SEPARATE, TOGETHER) else None


def _parse_name(text: str) -> str | None:
    return text if text and len(text) <= MAX_NAME_LENGTH else None


_NOTE_PARSERS: Mapping[str, tuple[Callable[[str], Any], str, str]] = {
    "side": (_parse_name, f"the name of a side, {MAX_NAME_LENGTH} characters at most", "turn.group"),
    "group": (_parse_name, f"the name of a group, {MAX_NAME_LENGTH} characters at most", "turn.group"),
    "turns": (_parse_turns, f"{SEPARATE} or {TOGETHER}", "turn.group"),
    "here": (_parse_surroundings, f"words among {', '.join(SURROUNDINGS)}", "move.terrain"),
    "hp": (_parse_hit_points, "hit points as a whole number", "hp.start"),
    "at": (parse_typed_space, "a space, column and row, like “at: 3,4”", "grid.space"),
}
"""The words of `WORDS`: how the value is read (None for what can't be one), what is expected, and by which rule."""


def _suggest_note_word(problem: Problem) -> Problem:
    """Suggest the word that a misspelled note like `siide: red` probably means."""
    word, colon, rest = problem.got.strip("'\"").lower().partition(":")
    if problem.code == "sheet.line" and colon and (close := suggest_names(word, NOTE_WORDS)):
        return replace(problem, code="fight.meant", expected=f"{close[0]}:{rest}")
    return problem


def _build_characters(
    drafts: Sequence[CharacterDraft], settled: Sequence[Mapping[str, Any]]
) -> tuple[tuple[dict[str, Any], ...], Problems]:
    named = _list_ids_and_names(drafts)
    leaders = {
        clean_line(draft.name).casefold(): own for draft, (own, _) in zip(reversed(drafts), named[::-1], strict=True)
    }
    found, problems = [], Problems()
    for draft, (own, name), notes in zip(drafts, named, settled, strict=True):
        leader = leaders.get(clean_line(draft.minion_of).casefold(), "") if draft.minion_of else ""
        if draft.minion_of and (not leader or leader == own):
            expected, typed, rule = "a leader of that name among the stat blocks", draft.minion_of, "command.minions"
            problems.report_value("command.leader", expected, typed, "sheets", rule, severity="advice", leader=typed)
            leader = ""
        sheet = character_to_dict(draft.build_character())
        written: dict[str, Any] = {key: sheet[key] for key in _SHEET_KEYS if key in sheet}
        table: dict[str, Any] = {"id": own, "name": name, **notes, **written}
        found.append(_convert_turns_to_group({**table, "minion_of": leader} if leader else table))
    return tuple(found), problems


def _convert_turns_to_group(table: dict[str, Any]) -> dict[str, Any]:
    """Write what a line `turns:` says as the group that it means; a minion has its leader's in any case."""
    turns = table.pop("turns", "")
    if not turns or "minion_of" in table:
        return table
    group = table["id"] if turns == SEPARATE else table.get("side", table["id"])
    return {**table, "group": group}


def share_turns(characters: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Give each of the game master's characters that has no group yet the one of its side (ruling A44).

    Rule: `turn.group`.
    """
    shared = find_shared_groups(characters)
    return tuple(
        {**each, "group": shared[each["id"]]} if each["id"] in shared and "group" not in each else each
        for each in characters
    )


def find_newcomer_turns(text: str, side: str) -> str:
    """Find what a newcomer's line `turns:` has to say to do as its side does; "" where that goes without saying."""
    characters = share_turns(parse_setup(text).characters)
    own = [each for each in characters if each.get("side") == side and "minion_of" not in each]
    shared = find_shared_groups(characters)
    if own and all(each.get("group", each["id"]) == each["id"] for each in own):
        return SEPARATE if own[0]["id"] in shared else ""
    is_together = bool(own) and all(each.get("group") == side for each in own)
    return TOGETHER if is_together and own[0]["id"] not in shared else ""


def set_turns(text: str, side: str, turns: str) -> str:
    """Write into stat blocks whether each character of a side takes a separate turn. Rule: `turn.group`.

    `turns` is `SEPARATE` or `TOGETHER`.
    """
    characters = parse_setup(text).characters
    shared = find_shared_groups(characters)
    members = {each["id"] for each in characters if each.get("side") == side and "minion_of" not in each}
    lines, notes = _split_lines_and_notes(text)
    drafts = parse_sheet("\n".join(line for _, line in lines)).drafts
    starts = _list_block_starts(drafts, lines)
    whole = split_lines(text)
    has_heading = any(note.is_heading and note.word in _EXCLUSIVE_WORDS for note in notes)
    gone: set[int] = set()
    added: dict[int, str] = {}
    for (own, _), start, end in zip(_list_ids_and_names(drafts), starts, (*starts[1:], MAX_SHEET_LENGTH), strict=True):
        if own in members:
            gone.update(
                note.number for note in notes if note.word in _EXCLUSIVE_WORDS and _is_own_note(note, start, end)
            )
            if has_heading or (turns == TOGETHER) != (own in shared):
                added[start] = f"turns: {turns}"
    kept = ((line, added.get(number)) for number, line in enumerate(whole, 1) if number not in gone)
    return "\n".join(each for line, more in kept for each in (line, more) if each is not None)


def _is_own_note(note: _Note, start: int, end: float) -> bool:
    """Whether a note belongs to the character of the lines from `start` to before `end` alone."""
    return not note.is_heading and start < note.number < end


def set_surrounding(text: str, word: str, *, is_there: bool) -> str:
    """Write into stat blocks whether everyone has something around them: `cover`. Rule: `move.terrain`."""
    if not text.strip():
        return text
    _, notes = _split_lines_and_notes(text)
    found = {note.number: _parse_surroundings(note.value) or [] for note in notes if note.word == "here"}
    first = min((note.number for note in notes if note.word == "here" and note.is_heading), default=MAX_SHEET_LENGTH)
    start = min((number for number, _ in _split_lines_and_notes(text)[0] if _.strip()), default=0)
    words = {number: _set_word(each, word, is_there=is_there) for number, each in found.items()}
    top = _set_word([DEFAULT_SURROUNDING], word, is_there=is_there) if first > start else [DEFAULT_SURROUNDING]
    is_plain = top == [DEFAULT_SURROUNDING] and all(each == [DEFAULT_SURROUNDING] for each in words.values())
    lines = [
        f"here: {', '.join(words[number])}" if number in words else line
        for number, line in enumerate(split_lines(text), 1)
        if not (is_plain and number in words)
    ]
    heading = [] if top == [DEFAULT_SURROUNDING] else [f"here: {', '.join(top)}", ""]
    return re.sub(r"\n{3,}", "\n\n", "\n".join((*heading, *lines))).strip("\n")


def _set_word(words: Sequence[str], word: str, *, is_there: bool) -> list[str]:
    """The surroundings with a word or without it, in their usual order; level ground where nothing is left."""
    after = {*words, word} if is_there else {*words} - {word}
    return [each for each in SURROUNDINGS if each in after] or [DEFAULT_SURROUNDING]


def format_setup(scenario: Scenario) -> str:
    """Format a scenario's characters as sheets, for `parse_setup` and `share_turns`. Rule: `char.stat-line`."""
    names = {each.id: each.name for each in scenario.fighters}
    shared = find_shared_groups(scenario.tree["characters"])
    tables = [_convert_group_to_turns(table, shared) for table in scenario.tree["characters"]]
    return "\n\n".join(
        _format_character(table, draft, names, scenario.rulings)
        for table, draft in zip(tables, scenario.drafts, strict=True)
    )


def _convert_group_to_turns(table: Mapping[str, Any], shared: Mapping[str, str]) -> dict[str, Any]:
    """A character's table with what a set-up says of its turns: nothing where its side shares them by default."""
    rest, own = {key: value for key, value in table.items() if key != "group"}, str(table["id"])
    group = table.get("group", own)
    if group == shared.get(own, own) or ("minion_of" in table and "group" not in table):
        return rest
    return {**rest, "turns": SEPARATE} if group == own else {**rest, "group": group}


def _format_character(
    table: Mapping[str, Any], draft: CharacterDraft, names: Mapping[str, str], rulings: RulingSettings
) -> str:
    leader = names.get(draft.minion_of, "")
    character = replace(draft.build_character(), name=names[table["id"]], minion_of=leader)
    head, *rest = format_stat_block(character, rulings).split("\n")
    notes = [f"{word}: {table[word]}" for word in ("side", "group", "turns", "hp") if word in table]
    if "here" in table:
        notes.append(f"here: {', '.join(table['here'])}")
    return "\n".join((head, *notes, *rest))
