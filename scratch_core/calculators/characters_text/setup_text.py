"""The setup of a fight: stat blocks with settings such as side or space become a scenario's characters."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal

from scratch_core.board import parse_space_text
from scratch_core.calculators.characters_text import ParsedCharacters, assign_ids_and_unique_names
from scratch_core.calculators.characters_text.pasted_text import NOTE_WORDS, parse_pasted_sheet
from scratch_core.calculators.shared.sides import map_gm_characters_to_groups
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
"""The values of a line `turns:`: an initiative group for each character, or one for the whole side."""

_EXCLUSIVE_WORDS: Mapping[str, str] = {"turns": "group", "group": "turns"}
"""Two words with the same purpose. The last of them applies."""
_SHEET_KEYS: tuple[Literal["abilities", "description", "notes"], ...] = ("abilities", "description", "notes")
"""The keys that a scenario's character takes from its stat block."""

DEFAULT_SURROUNDING = "level"
"""The surrounding of a character without any other."""


@dataclass(frozen=True, slots=True)
class _Note:
    """A line with a setting, like `side: hunters`."""

    number: int
    """The number of the line, from 1."""
    word: str
    """The word, in lower case."""
    value: str
    """The value as typed."""
    is_heading: bool
    """Whether it applies to all characters after it."""


def parse_setup(text: str) -> ParsedCharacters:
    """Parse stat blocks with the lines `side`, `group`, `turns`, `here`, `hp` and `at`.

    Never raises. Rules: `char.stat-line`, `turn.group`, `hp.start`, `command.minions`.
    """
    problems = Problems()
    if len(text) > MAX_SHEET_LENGTH:
        problems.extend_moved_to("sheets", parse_sheet(text).faults)
        return ParsedCharacters((), tuple(problems))
    lines, notes = _split_lines_and_notes(text)
    sheet = parse_pasted_sheet("\n".join(line for _, line in lines), _list_named_lines(lines, notes))
    if not sheet.drafts:
        problems.extend_moved_to("sheets", sheet.faults)
        return ParsedCharacters((), tuple(problems))
    for problem in (each for draft in sheet.drafts for each in draft.reading_problems()):
        number = lines[problem.location.line - 1][0]
        problems.append(
            _suggest_setting_if_misspelled(problem).with_location("sheets", got=f"{problem.got} on line {number}")
        )
    starts = _list_block_starts(sheet.drafts, lines)
    ends = (*starts[1:], math.inf)
    settings = [
        _resolve_character_settings(start, end, notes, problems) for start, end in zip(starts, ends, strict=True)
    ]
    for note in (each for each in notes if not each.is_heading and each.number < starts[0]):
        got = f"{format_input(f'{note.word}: {note.value}')} on line {note.number}"
        problems.report("line.no-name", "a name above it", got, "sheets", "char.stat-line")
    if problems.has_errors:
        return ParsedCharacters((), tuple(problems))
    characters, command_problems = _build_characters(sheet.drafts, settings)
    return ParsedCharacters(characters, (*problems, *command_problems))


def parse_names_by_id(text: str) -> dict[str, str]:
    """Return the names of all stat blocks by id, as in `parse_setup`.

    Invalid stat blocks are included.
    """
    return dict(_list_ids_and_names(parse_sheet("\n".join(line for _, line in _split_lines_and_notes(text)[0])).drafts))


def remove_character_and_minions(text: str, character_id: str) -> tuple[str, str]:
    """Remove the stat block of an id and those of its minions.

    Returns the text and the character's name. Headings remain, because they apply to the stat blocks after them. Rule:
    `command.minions`.
    """
    lines, notes = _split_lines_and_notes(text)
    drafts = parse_sheet("\n".join(line for _, line in lines)).drafts
    ids_and_names = _list_ids_and_names(drafts)
    name = next((name for each, name in ids_and_names if each == character_id), "")
    removed_numbers: set[int] = set()
    ranges = _list_block_ranges(drafts, lines)
    for draft, (each, _), own_range in zip(drafts, ids_and_names, ranges, strict=True):
        if each == character_id or (
            name and draft.minion_of and clean_line(draft.minion_of).casefold() == name.casefold()
        ):
            removed_numbers.update(own_range)
    all_lines = split_lines(text)
    for number in (note.number for note in notes if note.is_heading):
        removed_numbers -= {number, number + 1 if number < len(all_lines) and not all_lines[number].strip() else number}
    remaining = "\n".join(line for number, line in enumerate(all_lines, 1) if number not in removed_numbers)
    return re.sub(r"\n{3,}", "\n\n", remaining).strip("\n"), name


def edit_stat_block(text: str, character_id: str, edit: Callable[[Sequence[str]], Sequence[str]]) -> str:
    """Edit the lines of a character's stat block.

    `edit` gets the lines with the character's own settings, up to the first heading, without empty lines at the end.
    Empty lines separate the result from the other stat blocks. The text is unchanged if there is no such character.
    """
    lines, notes = _split_lines_and_notes(text)
    drafts = parse_sheet("\n".join(line for _, line in lines)).drafts
    ids = [each for each, _ in _list_ids_and_names(drafts)]
    if character_id not in ids:
        return text
    own_range = _list_block_ranges(drafts, lines)[ids.index(character_id)]
    all_lines = split_lines(text)
    headings = (note.number for note in notes if note.is_heading and note.number in own_range)
    start, end = own_range.start - 1, min((*headings, own_range.stop, len(all_lines) + 1)) - 1
    while not all_lines[end - 1].strip():
        end -= 1
    before, after = all_lines[:start], all_lines[end:]
    gap_before, gap_after = ([""] if edge and edge[0].strip() else [] for edge in (before[-1:], after[:1]))
    return "\n".join((*before, *gap_before, *edit(all_lines[start:end]), *gap_after, *after))


def is_setting(line: str, word: str) -> bool:
    """Return whether a line is a setting with this word, like `at: 3,4`."""
    match = _NOTE_PATTERN.fullmatch(strip_bullet(clean_line(line)))
    return match is not None and match[1].lower() == word


def parse_typed_space(text: str) -> list[int] | None:
    """Parse a space as in a line `at: 3,4`. Rule: `grid.space`."""
    space = parse_space_text(text)
    return list(space) if space and min(space) >= 0 else None


def _list_ids_and_names(drafts: Sequence[CharacterDraft]) -> list[tuple[str, str]]:
    return assign_ids_and_unique_names([clean_line(draft.name) or "Unnamed" for draft in drafts], "character")


def _list_block_starts(drafts: Sequence[CharacterDraft], lines: Sequence[tuple[int, str]]) -> list[int]:
    """List the number of the first line of each stat block."""
    return [lines[Location.from_key_or_location(draft.where).line - 1][0] for draft in drafts]


def _list_block_ranges(drafts: Sequence[CharacterDraft], lines: Sequence[tuple[int, str]]) -> list[range]:
    """List the numbers of the lines of each stat block, up to the next one."""
    starts = _list_block_starts(drafts, lines)
    return [range(start, end) for start, end in zip(starts, (*starts[1:], MAX_SHEET_LENGTH), strict=False)]


def _split_lines_and_notes(text: str) -> tuple[list[tuple[int, str]], list[_Note]]:
    """Split a text into numbered lines of stat blocks, and settings."""
    lines: list[tuple[int, str]] = []
    notes: list[_Note] = []
    is_after_gap = True
    for number, line in enumerate(split_lines(text), 1):
        match = _NOTE_PATTERN.fullmatch(strip_bullet(clean_line(line)))
        if match:
            notes.append(_Note(number, match[1].lower(), match[2].strip(), is_after_gap))
            continue
        lines.append((number, line))
        is_after_gap = not line.strip()
    return lines, notes


def _list_named_lines(lines: Sequence[tuple[int, str]], notes: Sequence[_Note]) -> set[int]:
    """List the lines of stat blocks that settings of one character follow.

    They are counted from 1, without the lines of settings.
    """
    filled = [(place, number) for place, (number, line) in enumerate(lines, 1) if line.strip()]
    starts = [note.number for note in notes if not note.is_heading]
    return {max((place for place, number in filled if number < start), default=0) for start in starts}


def _resolve_character_settings(
    start_line: int, end_line: float, notes: Sequence[_Note], problems: Problems
) -> dict[str, Any]:
    """Resolve the settings of the character from line `start_line` to before `end_line`.

    The character's own settings override the headings above. Hit points and spaces in headings are ignored. An invalid
    value is reported, and is None in the result.
    """
    headings = [
        note for note in notes if note.is_heading and note.number < start_line and note.word not in ("hp", "at")
    ]
    own_notes = [note for note in notes if not note.is_heading and start_line < note.number < end_line]
    line_number = own_notes[-1].number if own_notes else start_line
    settings = {}
    texts: dict[str, str] = {}
    for note in (*headings, *own_notes):
        texts.pop(_EXCLUSIVE_WORDS.get(note.word, ""), None)
        texts[note.word] = note.value
    for word, text in texts.items():
        parse, expected, rule = _NOTE_PARSERS[word]
        settings[word] = parse(text)
        if settings[word] is None:
            got = f"{format_input(text)} on line {line_number}"
            problems.report("line.set-up", expected, got, "sheets", rule, word=word, value=expected)
    return settings


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
"""By word: the parser of the value (it returns None for an invalid value), what is expected, and the rule."""


def _suggest_setting_if_misspelled(problem: Problem) -> Problem:
    """Replace a problem with a suggestion if its line is a misspelled setting.

    `siide: red` probably means `side: red`.
    """
    word, colon, rest = problem.got.strip("'\"").lower().partition(":")
    if problem.code == "sheet.line" and colon and (close := suggest_names(word, NOTE_WORDS)):
        return replace(problem, code="fight.meant", expected=f"{close[0]}:{rest}")
    return problem


def _build_characters(
    drafts: Sequence[CharacterDraft], settings: Sequence[Mapping[str, Any]]
) -> tuple[tuple[dict[str, Any], ...], Problems]:
    ids_and_names = _list_ids_and_names(drafts)
    leaders = {
        clean_line(draft.name).casefold(): character_id
        for draft, (character_id, _) in zip(reversed(drafts), ids_and_names[::-1], strict=True)
    }
    characters, problems = [], Problems()
    for draft, (character_id, name), notes in zip(drafts, ids_and_names, settings, strict=True):
        leader = leaders.get(clean_line(draft.minion_of).casefold(), "") if draft.minion_of else ""
        if draft.minion_of and (not leader or leader == character_id):
            expected, typed, rule = "a leader of that name among the stat blocks", draft.minion_of, "command.minions"
            problems.report_value("command.leader", expected, typed, "sheets", rule, severity="advice", leader=typed)
            leader = ""
        sheet = character_to_dict(draft.build_character())
        sheet_data: dict[str, Any] = {key: sheet[key] for key in _SHEET_KEYS if key in sheet}
        table: dict[str, Any] = {"id": character_id, "name": name, **notes, **sheet_data}
        characters.append(_convert_turns_to_group({**table, "minion_of": leader} if leader else table))
    return tuple(characters), problems


def _convert_turns_to_group(character_data: dict[str, Any]) -> dict[str, Any]:
    """Replace the setting `turns` of a character with the group that it means.

    A minion always has the group of its leader.
    """
    turns = character_data.pop("turns", "")
    if not turns or "minion_of" in character_data:
        return character_data
    group = character_data["id"] if turns == SEPARATE else character_data.get("side", character_data["id"])
    return {**character_data, "group": group}


def add_side_groups_to_gm_characters(characters: Sequence[dict[str, Any]]) -> tuple[dict[str, Any], ...]:
    """Add the group of its side to each of the game master's characters without one.

    Rule: `turn.group` (ruling A44).
    """
    groups = map_gm_characters_to_groups(characters)
    return tuple(
        {**each, "group": groups[each["id"]]} if each["id"] in groups and "group" not in each else each
        for each in characters
    )


def choose_newcomer_turns_setting(text: str, side: str) -> str:
    """Return the setting `turns` that a new character of a side needs.

    With it, the character takes its turn as the others of its side do. Returns "" if that is the default.
    """
    characters = add_side_groups_to_gm_characters(parse_setup(text).characters)
    members = [each for each in characters if each.get("side") == side and "minion_of" not in each]
    groups = map_gm_characters_to_groups(characters)
    if members and all(each.get("group", each["id"]) == each["id"] for each in members):
        return SEPARATE if members[0]["id"] in groups else ""
    is_together = bool(members) and all(each.get("group") == side for each in members)
    return TOGETHER if is_together and members[0]["id"] not in groups else ""


def set_turns(text: str, side: str, turns: str) -> str:
    """Set in stat blocks whether each character of a side takes a separate turn.

    `turns` is `SEPARATE` or `TOGETHER`. Rule: `turn.group`.
    """
    characters = parse_setup(text).characters
    groups = map_gm_characters_to_groups(characters)
    members = {each["id"] for each in characters if each.get("side") == side and "minion_of" not in each}
    lines, notes = _split_lines_and_notes(text)
    drafts = parse_sheet("\n".join(line for _, line in lines)).drafts
    all_lines = split_lines(text)
    has_heading = any(note.is_heading and note.word in _EXCLUSIVE_WORDS for note in notes)
    removed_numbers: set[int] = set()
    added_lines: dict[int, str] = {}
    ranges = _list_block_ranges(drafts, lines)
    for (character_id, _), own_range in zip(_list_ids_and_names(drafts), ranges, strict=True):
        if character_id in members:
            own_notes = (each for each in notes if _is_setting_of_one_character(each, own_range.start, own_range.stop))
            removed_numbers.update(each.number for each in own_notes if each.word in _EXCLUSIVE_WORDS)
            if has_heading or (turns == TOGETHER) != (character_id in groups):
                added_lines[own_range.start] = f"turns: {turns}"
    remaining = (
        (line, added_lines.get(number)) for number, line in enumerate(all_lines, 1) if number not in removed_numbers
    )
    return "\n".join(each for line, more in remaining for each in (line, more) if each is not None)


def _is_setting_of_one_character(note: _Note, start_line: int, end_line: float) -> bool:
    """Return whether a setting belongs only to the character at these lines.

    These are the lines from `start_line` to before `end_line`.
    """
    return not note.is_heading and start_line < note.number < end_line


def set_surrounding_of_all(text: str, word: str, *, is_there: bool) -> str:
    """Set or remove a surrounding, like `cover`, of all characters in stat blocks.

    Rule: `move.terrain`.
    """
    if not text.strip():
        return text
    _, notes = _split_lines_and_notes(text)
    words_by_line = {note.number: _parse_surroundings(note.value) or [] for note in notes if note.word == "here"}
    first = min((note.number for note in notes if note.word == "here" and note.is_heading), default=MAX_SHEET_LENGTH)
    start = min((number for number, _ in _split_lines_and_notes(text)[0] if _.strip()), default=0)
    new_words = {number: _set_surrounding(each, word, is_there=is_there) for number, each in words_by_line.items()}
    top = _set_surrounding([DEFAULT_SURROUNDING], word, is_there=is_there) if first > start else [DEFAULT_SURROUNDING]
    is_plain = top == [DEFAULT_SURROUNDING] and all(each == [DEFAULT_SURROUNDING] for each in new_words.values())
    lines = [
        f"here: {', '.join(new_words[number])}" if number in new_words else line
        for number, line in enumerate(split_lines(text), 1)
        if not (is_plain and number in new_words)
    ]
    heading = [] if top == [DEFAULT_SURROUNDING] else [f"here: {', '.join(top)}", ""]
    return re.sub(r"\n{3,}", "\n\n", "\n".join((*heading, *lines))).strip("\n")


def _set_surrounding(surroundings: Sequence[str], surrounding: str, *, is_there: bool) -> list[str]:
    """Return the surroundings with or without a word, in their usual order.

    Returns level ground if none is left.
    """
    after = {*surroundings, surrounding} if is_there else {*surroundings} - {surrounding}
    return [each for each in SURROUNDINGS if each in after] or [DEFAULT_SURROUNDING]


def format_setup(scenario: Scenario, hit_points_by_name: Mapping[str, int | None] = MappingProxyType({})) -> str:
    """Format a scenario's characters as stat blocks.

    `hit_points_by_name` are hit points that replace those of the scenario, with None for a healthy character.
    `parse_setup` and `add_side_groups_to_gm_characters` parse the blocks. Rules: `char.stat-line`, `hp.start`.
    """
    return "\n\n".join(format_stat_blocks_by_id(scenario, hit_points_by_name).values())


def format_stat_blocks_by_id(
    scenario: Scenario, hit_points_by_name: Mapping[str, int | None] = MappingProxyType({})
) -> dict[str, str]:
    """Format each character of a scenario as a stat block, as in `format_setup`."""
    names = {each.id: each.name for each in scenario.fighters}
    groups = map_gm_characters_to_groups(scenario.tree["characters"])
    tables = [_convert_group_to_turns(table, groups) for table in scenario.tree["characters"]]
    return {
        str(table["id"]): _format_character(
            _replace_hit_points(table, draft, names, hit_points_by_name), draft, names, scenario.rulings
        )
        for table, draft in zip(tables, scenario.drafts, strict=True)
    }


def _convert_group_to_turns(character_data: Mapping[str, Any], groups_by_id: Mapping[str, str]) -> dict[str, Any]:
    """Replace a character's group with the setting `turns`.

    Omits it if the side shares its turn by default.
    """
    rest, character_id = (
        {key: value for key, value in character_data.items() if key != "group"},
        str(character_data["id"]),
    )
    group = character_data.get("group", character_id)
    if group == groups_by_id.get(character_id, character_id) or (
        "minion_of" in character_data and "group" not in character_data
    ):
        return rest
    return {**rest, "turns": SEPARATE} if group == character_id else {**rest, "group": group}


def _replace_hit_points(
    character_data: dict[str, Any],
    draft: CharacterDraft,
    names_by_id: Mapping[str, str],
    hit_points_by_name: Mapping[str, int | None],
) -> dict[str, Any]:
    """Return a character's table with other hit points, or unchanged if its name has none."""
    name = names_by_id[character_data["id"]]
    if name not in hit_points_by_name:
        return character_data
    hit_points = hit_points_by_name[name]
    rest = {key: value for key, value in character_data.items() if key != "hp"}
    is_healthy = hit_points is None or hit_points >= draft.build_character().max_hp().value
    return rest if is_healthy else {**rest, "hp": hit_points}


def _format_character(
    character_data: Mapping[str, Any], draft: CharacterDraft, names_by_id: Mapping[str, str], rulings: RulingSettings
) -> str:
    leader = names_by_id.get(draft.minion_of, "")
    character = replace(draft.build_character(), name=names_by_id[character_data["id"]], minion_of=leader)
    head, *rest = format_stat_block(character, rulings).split("\n")
    settings = [
        f"{word}: {character_data[word]}" for word in ("side", "group", "turns", "hp") if word in character_data
    ]
    if "here" in character_data:
        settings.append(f"here: {', '.join(character_data['here'])}")
    return "\n".join((head, *settings, *rest))
