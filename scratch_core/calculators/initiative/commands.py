"""The commands of the initiative calculator: edited, added and removed rows, and characters from the chooser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from scratch_core.calculators.characters_text import ParsedCharacters
from scratch_core.calculators.characters_text.chooser import list_added_characters, parse_block_name
from scratch_core.calculators.characters_text.fighter_lines import format_item, format_line
from scratch_core.calculators.characters_text.setup_text import parse_setup
from scratch_core.calculators.initiative.participants import (
    FIELDS_BY_WORD,
    format_participant_line,
    list_number_fields,
    parse_participants,
)
from scratch_core.calculators.initiative.request import InitiativeRequest, list_request_problems
from scratch_core.calculators.shared.limits import truncate_line
from scratch_core.calculators.shared.names import number_duplicates
from scratch_core.calculators.shared.session import PageSession
from scratch_core.characters import MAX_NAME_LENGTH


@dataclass(frozen=True, slots=True)
class CharacterLine:
    """A line of the characters' text."""

    text: str
    """The text."""
    character_id: str = ""
    """The id of its character; "" if it has none, or is new."""
    is_new: bool = False
    """Whether a command has added it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InitiativeSession(PageSession):
    """The characters after the commands."""

    participants: ParsedCharacters
    """The parsed characters: until the last command, those before the commands."""
    lines: tuple[CharacterLine, ...] = ()
    """The lines of the characters' text."""
    updated_fields: frozenset[str] = frozenset()
    """What the commands have changed: `who` if the lines were changed, `rows` if the rows are new."""
    has_added_characters: bool = False
    """Whether the request has added characters from the chooser."""


RowCommand = Callable[[InitiativeSession, str], InitiativeSession]
"""A command of a row's button, with its argument."""


def execute_commands(request: InitiativeRequest) -> InitiativeSession:
    """Apply the edits of the rows, their commands and the characters from the chooser.

    Ignores edits if the rows show other lines, because the user has typed new ones.
    """
    before = request.fields["who"]
    participants = parse_participants(before, request.system)
    has_current_rows = before.split() == request.rows_text.split()
    edited_text = apply_row_edits_to_lines(request, participants) if has_current_rows else before
    ids = {
        number: character["id"]
        for number, character in zip(participants.line_numbers, participants.characters, strict=True)
    }
    lines = tuple(CharacterLine(text, ids.get(number, "")) for number, text in enumerate(edited_text.splitlines(), 1))
    session = InitiativeSession(
        fields=request.fields, problems=tuple(list_request_problems(request)), participants=participants, lines=lines
    )
    for each in request.commands:
        name, _, argument = each.partition(" ")
        session = COMMANDS[name](session, argument) if name in COMMANDS else session
    session = _add_chosen_characters(request, session, edited_text)
    after = "\n".join(each.text for each in session.lines)
    is_new_text = after.split() != before.split()
    are_rows_new = bool(request.commands) or session.has_added_characters or not has_current_rows
    updates = {"who": is_new_text, "rows": are_rows_new}
    return replace(
        session,
        fields={**request.fields, "who": after},
        participants=parse_participants(after, request.system) if is_new_text else participants,
        updated_fields=frozenset(name for name, is_updated in updates.items() if is_updated),
    )


def apply_row_edits_to_lines(request: InitiativeRequest, participants: ParsedCharacters) -> str:
    """Return the lines with the edits of their rows.

    A line that its row doesn't change remains as typed.
    """
    query, lines = request.query, request.fields["who"].splitlines()
    numbered = zip(participants.line_numbers, participants.characters, strict=True)
    for row, (line_number, character) in enumerate(numbered, 1):
        texts = {field: query.text(f"{field.key}-{row}").strip() for field in list_number_fields(request.system)}
        before = {**dict.fromkeys((field.key for field in texts), 0), **character}
        values = before | {
            field.key: field.type.parse_or_return_text(field, text) for field, text in texts.items() if text
        }
        name = truncate_line(query.text(f"name-{row}"), MAX_NAME_LENGTH).strip() or character["name"]
        if {**values, "name": name} != before:
            items = [format_item(key, values[key]) for key in FIELDS_BY_WORD if values.get(key)]
            lines[line_number - 1] = format_line(name, items)
    return "\n".join(lines)


def _add_numbered_fighter(session: InitiativeSession, argument: str) -> InitiativeSession:
    """Add a character with a numbered name."""
    if argument:
        return session
    number = len(session.participants.characters) + sum(each.is_new for each in session.lines) + 1
    return replace(session, lines=(*session.lines, CharacterLine(f"Fighter {number}", is_new=True)))


def _remove_character(session: InitiativeSession, argument: str) -> InitiativeSession:
    """Remove the character with an id."""
    lines = tuple(each for each in session.lines if not argument or each.character_id != argument)
    return replace(session, lines=lines)


COMMANDS: Mapping[str, RowCommand] = {"add": _add_numbered_fighter, "remove": _remove_character}
"""The commands of the rows' buttons, by their first word. The argument of `remove` is the id of a character."""


def _add_chosen_characters(
    request: InitiativeRequest, session: InitiativeSession, used_names_text: str
) -> InitiativeSession:
    """Add the ticked characters of the chooser.

    `used_names_text` is the text with the names that are not used again.
    """
    added_characters, problems = list_added_characters(request.query, "who", used_names_text)
    new_blocks = [*chain.from_iterable(blocks for _, blocks in added_characters)]
    chosen = parse_setup("\n\n".join(new_blocks)).characters
    present_names = [each["name"] for each in session.participants.characters]
    unique_names = number_duplicates([*present_names, *map(parse_block_name, new_blocks)], " ")
    new_names = unique_names[len(present_names) :]
    new_lines = [format_participant_line({**each, "name": name}) for each, name in zip(chosen, new_names, strict=False)]
    lines = (*session.lines, *(CharacterLine(each, is_new=True) for each in new_lines))
    return replace(session.with_problems(problems), lines=lines, has_added_characters=bool(added_characters))
