"""The commands of the map calculator: strokes of the brush, buttons, and characters from the chooser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from scratch_core.calculators.board.edits import BUTTONS, apply_map_button, apply_strokes, displaced_token_problems
from scratch_core.calculators.board.import_export import add_chosen_characters, build_movement_and_injury_fields
from scratch_core.calculators.board.request import (
    CONTROLS,
    MAX_QUERY_LENGTH,
    SHEETS_CONTROL,
    TOKEN_CONTROLS,
    BoardRequest,
    parse_query_setup,
)
from scratch_core.calculators.board.setup import BoardSetup
from scratch_core.calculators.board.setup_parser import ParsedSetup
from scratch_core.calculators.characters_text.chooser import ADD, CHOOSE
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.calculators.shared.request import PageCommand
from scratch_core.calculators.shared.session import PageSession
from scratch_core.characters import MAX_SHEET_LENGTH
from scratch_core.errors import Problem, Problems, ScratchError

NEW_COMMAND, MAP_COMMAND_PREFIX = "new", "map-"
"""The command that replaces the map by a blank one, and the prefix of those that replace it by a sample map."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardSession(PageSession):
    """The map after the commands."""

    parsed: ParsedSetup
    """The map that `fields` describe, and their problems."""
    edited: BoardSetup
    """The map after the edits so far. Until the last command, `fields` do not have the edits."""
    sheets: str
    """The stat blocks."""
    levels_owner: str
    """The id of the token whose levels the controls hold, or ""."""
    updated_fields: frozenset[str] = frozenset()
    """The controls whose text the commands have changed."""

    @property
    def setup(self) -> BoardSetup:
        """The map that `fields` describe."""
        return self.parsed.setup


BoardCommand = Callable[[BoardRequest, BoardSession], BoardSession]
"""A command of the page."""


def execute_commands(request: BoardRequest) -> BoardSession:
    """Execute the strokes and the button of a request, and parse the map after them.

    A command that is not in the table is a button of the map.
    """
    session = BoardSession(
        fields=request.fields,
        parsed=request.parsed,
        edited=request.parsed.setup,
        sheets=request.sheets,
        levels_owner=request.levels_owner,
    )
    command = COMMANDS.get(request.command.name, _press_button)
    # strokes belong to the map before a button changes it, but may move the tokens of new characters
    steps = (command, _draw_strokes) if request.command.name == ADD else (_draw_strokes, command)
    for step in steps:
        session = step(request, session)
    session = _load_levels_of_newly_selected_token(_write_edits_to_fields(request, session))
    return replace(
        session,
        problems=(*session.parsed.problems, *session.problems),
        updated_fields=frozenset(name for name in CONTROLS if session.fields[name] != request.fields[name]),
    )


def _add_chosen_characters(request: BoardRequest, session: BoardSession) -> BoardSession:
    """Add the ticked characters of the chooser to the map."""
    if request.command.argument:
        return session
    setup, sheets, problems = add_chosen_characters(session.setup, request.query, session.sheets)
    tokens_text = session.parsed.append_unread_tokens("tokens", setup.to_fields()["tokens"])
    return replace(
        session.with_fields({"tokens": tokens_text}).with_problems(problems),
        parsed=replace(session.parsed, setup=setup),
        edited=setup,
        sheets=sheets,
    )


def _change_nothing(request: BoardRequest, session: BoardSession) -> BoardSession:
    """Return the session unchanged.

    It is used for a request without a command, and for the command that opens or closes the list of characters to
    add.
    """
    return session


def _press_button(request: BoardRequest, session: BoardSession) -> BoardSession:
    """Apply the edit of a button."""
    return _apply_edit_or_report(request, session, "act", str(request.command), apply_map_button)


def _draw_strokes(request: BoardRequest, session: BoardSession) -> BoardSession:
    """Draw the strokes on the map.

    A command of the chooser is no stroke.
    """
    if not request.stroke or PageCommand.parse(request.stroke).name in (CHOOSE, ADD):
        return session
    return _apply_edit_or_report(request, session, "stroke", request.stroke, apply_strokes)


COMMANDS: Mapping[str, BoardCommand] = {
    "": _change_nothing,
    CHOOSE: _change_nothing,
    ADD: _add_chosen_characters,
    **dict.fromkeys(BUTTONS, _press_button),
}
"""The commands of the page, by their first word. The strokes have a control of their own."""


def _apply_edit_or_report(
    request: BoardRequest,
    session: BoardSession,
    control: str,
    text: str,
    edit: Callable[[BoardSetup, str], BoardSetup],
) -> BoardSession:
    """Apply the edit of a control, and report what the new map has displaced.

    An edit that can't be applied changes nothing and is reported at the control. Only a new map replaces one with a
    mistake.
    """
    problems = Problems()
    try:
        if text != NEW_COMMAND and any(each.where == "map" for each in request.parsed.problems):
            raise ScratchError(Problem("board.map.first", "a map without a mistake", "one with a mistake", control))
        edited = edit(session.edited, text)
    except ScratchError as error:
        problems.extend_moved_to(control, error.problems)
        return session.with_problems(problems)
    if text.startswith(MAP_COMMAND_PREFIX):
        problems += displaced_token_problems(session.edited, edited)
    return replace(session.with_problems(problems), edited=edited)


# The controls after the commands


def _write_edits_to_fields(request: BoardRequest, session: BoardSession) -> BoardSession:
    """Return the session with the texts of the edited map in its controls.

    The text of a control that the edits don't change remains as typed.
    """
    before, after = session.setup.to_fields(), session.edited.to_fields()
    texts = {
        name: session.parsed.append_unread_tokens(name, after[name]) for name in CONTROLS if after[name] != before[name]
    }
    session = session.with_fields(texts)
    return session if session.fields == request.fields else _reparse(session)


def _load_levels_of_newly_selected_token(session: BoardSession) -> BoardSession:
    """Return the session with the levels of the selected token in its controls.

    They are those of its stat block, unless the controls hold its levels already. Without a selection the levels of a
    token that is no longer on the map are removed.
    """
    setup, owner = session.setup, session.levels_owner
    texts: dict[str, str] = {}
    if setup.selected_id:
        texts = (
            build_movement_and_injury_fields(session.sheets, setup.selected_id) if setup.selected_id != owner else {}
        )
        owner = setup.selected_id
    elif all(token.id != owner for token in setup.tokens):
        texts = dict.fromkeys(TOKEN_CONTROLS, "") if owner else {}
        owner = ""
    session = replace(session.with_fields(texts), levels_owner=owner)
    return _reparse(session) if texts else session


def _reparse(session: BoardSession) -> BoardSession:
    """Parse the changed controls as a link to the answer is parsed."""
    text = format_query({**session.fields, SHEETS_CONTROL: session.sheets})
    return replace(session, parsed=parse_query_setup(parse_query(text, MAX_QUERY_LENGTH + MAX_SHEET_LENGTH)))
