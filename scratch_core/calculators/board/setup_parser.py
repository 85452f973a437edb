"""Parsing of the map calculator's controls: rows, tokens, spaces and levels, each with its problems."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scratch_core.board import MAX_BOARD_SIDE, SHAPES, Board, Shape, Space, format_space
from scratch_core.calculators.board.setup import (
    BLANK_ROWS,
    FEATURES,
    MAX_TOKENS,
    MOVEMENT_ABILITIES,
    RULING_CONTROLS,
    TERRAINS,
    BoardSetup,
    Token,
)
from scratch_core.calculators.characters_text.setup_text import parse_names_by_id
from scratch_core.calculators.shared.request import FieldParser
from scratch_core.errors import Problem, Problems, format_input
from scratch_core.normalization import normalize_input
from scratch_core.rulebook import RULE_OPTIONS

MAX_TOKEN_LEVEL = 20
"""The maximum level of an ability in the controls."""

_TOKEN = re.compile(r"([a-z0-9-]{1,100})@([0-9]{1,3}),([0-9]{1,3})(?:,([^\s,@:;/]{1,40}))?")
_SPACE = re.compile(r"([0-9]{1,3}),([0-9]{1,3})")
_UNKNOWN_LETTER = re.compile(f"[^{re.escape(''.join(TERRAINS))}]")


@dataclass(frozen=True, slots=True)
class ParsedSetup:
    """The controls as a setup, without their invalid parts."""

    setup: BoardSetup
    """The setup."""
    unread_tokens: tuple[str, ...] = ()
    """The tokens that could not be parsed or placed, as typed."""
    problems: tuple[Problem, ...] = ()
    """The problems of all controls."""

    def append_unread_tokens(self, name: str, text: str) -> str:
        """Append the tokens that could not be parsed to a control's new text.

        Returns `text` unchanged for all controls but `tokens`.
        """
        return " ".join([text, *self.unread_tokens]).strip() if name == "tokens" else text


def parse_setup(fields: Mapping[str, str], sheets: str = "") -> ParsedSetup:
    """Parse the texts of all controls into a setup.

    `sheets` are the stat blocks with the names of the tokens. Problems are collected, and invalid parts left out.
    """
    parser = FieldParser(fields)
    options_by_control = {"shape": SHAPES, **_list_ruling_choices(), "injured": ("true",)}
    chosen = {
        name: parser.parse_choice(name, each, "board.choice", f"{', '.join(each)} or nothing")
        for name, each in options_by_control.items()
    }
    shape: Shape = "hex" if chosen["shape"] == "hex" else "square"
    levels = {name: parser.parse_whole_number(name, MAX_TOKEN_LEVEL) for name in MOVEMENT_ABILITIES}
    board, board_problems = parse_board(fields, shape)
    tokens, unread_tokens, token_problems = parse_tokens(board, fields["tokens"], parse_names_by_id(sheets))
    selected_spaces, space_problems = parse_spaces(board, "space", fields["space"])
    if len(selected_spaces) > 1:
        space_problems.report("board.space.one", "one space", f"{len(selected_spaces)}", "space")
    selected_id, selection_problems = parse_selected_id(tokens, fields["selected"])
    setup = BoardSetup(
        board,
        tokens,
        selected_id=selected_id,
        selected_space=selected_spaces[0] if selected_spaces else None,
        levels=levels,
        is_injured=chosen["injured"] == "true",
        rulings={name: chosen[name] for name in RULING_CONTROLS},
    )
    problems = (*parser.problems, *board_problems, *token_problems, *space_problems, *selection_problems)
    return ParsedSetup(setup, unread_tokens, problems)


def _list_ruling_choices() -> dict[str, tuple[str, ...]]:
    """List the choices of each ruling that has a control, by its name."""
    return {each.name: tuple(map(str, each.choices)) for each in RULE_OPTIONS if each.name in RULING_CONTROLS}


# The map


def parse_board(fields: Mapping[str, str], shape: Shape) -> tuple[Board, Problems]:
    """Parse the rows of the map and the spaces with features."""
    rows, problems = parse_rows(fields["map"])
    bare_board = Board(shape, rows)
    features = []
    for name in FEATURES:
        spaces, space_problems = parse_spaces(bare_board, name, fields[name])
        features.append(frozenset(spaces))
        problems += space_problems
    return Board(shape, rows, *features), problems


def parse_rows(text: str) -> tuple[tuple[str, ...], Problems]:
    """Parse the rows of the map, separated by `/` or line ends.

    Returns a blank board for an empty text. A map that is too large is cut, unknown letters become ground, and short
    rows are filled with ground. All of these are reported.
    """
    problems = Problems()
    rows = [row.strip() for row in normalize_input(text).replace("\n", "/").split("/")]
    rows = "/".join(rows).strip("/").split("/") if any(rows) else [*BLANK_ROWS]
    if len(rows) > MAX_BOARD_SIDE or max(map(len, rows)) > MAX_BOARD_SIDE:
        got = f"{max(map(len, rows)):,} × {len(rows):,}"
        problems.report("board.map.size", f"at most {MAX_BOARD_SIDE} columns and {MAX_BOARD_SIDE} rows", got, "map")
        rows = [row[:MAX_BOARD_SIDE] for row in rows[:MAX_BOARD_SIDE]]
    for number, row in enumerate(rows, 1):
        match = _UNKNOWN_LETTER.search(row)
        if match:
            letters = ", ".join(f"{letter} {word}" for letter, word in TERRAINS.items())
            got = f"{format_input(match[0])} as letter {match.start() + 1} of row {number}"
            problems.report("board.map.letter", letters, got, "map")
            break
    columns = max(map(len, rows))
    short_row = next((number for number, row in enumerate(rows, 1) if len(row) != columns), None)
    if short_row:
        got = f"{len(rows[short_row - 1])} in row {short_row}"
        expected = f"as many letters in every row as in the longest, {columns}"
        problems.report("board.map.row", expected, got, "map", row=short_row, columns=columns)
    return tuple(_UNKNOWN_LETTER.sub(".", row).ljust(columns, ".") for row in rows), problems


def parse_spaces(board: Board, control: str, text: str) -> tuple[list[Space], Problems]:
    """Parse the list of spaces in a control, `3,4 5,6`.

    Stops at the first invalid space and reports it.
    """
    spaces, problems = list[Space](), Problems()
    for entry in normalize_input(text).split():
        match = _SPACE.fullmatch(entry)
        space = (int(match[1]), int(match[2])) if match else None
        if space is None or space not in board:
            last = f"{board.width - 1},{board.height - 1}"
            problems.report_value("board.space", f"column,row from 0,0 to {last}", entry, control)
            break
        spaces.append(space)
    return spaces, problems


# The tokens


def parse_tokens(
    board: Board, text: str, names: Mapping[str, str]
) -> tuple[tuple[Token, ...], tuple[str, ...], Problems]:
    """Parse the tokens, and return those that can't be on the board as typed.

    `names` are the names in the stat blocks by id. Reports invalid tokens, and tokens in impossible spaces.
    """
    tokens, unread_tokens, problems = list[Token](), list[str](), Problems()
    entries = text.split()
    if len(entries) > MAX_TOKENS:
        problems.report("board.tokens.limit", f"at most {MAX_TOKENS} tokens", f"{len(entries):,}", "tokens")
        return (), tuple(entries), problems
    for entry in entries:
        token = _parse_token(entry, names)
        if token is None:
            expected = "tokens like kim@3,2,hunters: an id of small letters, digits and hyphens, column, row, side"
            problems.report_value("board.tokens", expected, entry, "tokens")
            unread_tokens.append(entry)
        elif token_problems := _list_token_problems(token, tokens, board):
            problems += token_problems
            unread_tokens.append(entry)
        else:
            tokens.append(token)
    return tuple(tokens), tuple(unread_tokens), problems


def _parse_token(entry: str, names: Mapping[str, str]) -> Token | None:
    """Parse a token's id, column, row and side.

    Tries the text as typed, then with similar characters normalized. Returns None for anything else.
    """
    match = _TOKEN.fullmatch(entry) or _TOKEN.fullmatch(normalize_input(entry))
    if match is None:
        return None
    return Token(match[1], (int(match[2]), int(match[3])), match[4] or match[1], names.get(match[1], ""))


def _list_token_problems(token: Token, others: Sequence[Token], board: Board) -> Problems:
    """List the problem of a token's id or space, if there is one."""
    problems = Problems()
    if any(other.id == token.id for other in others):
        problems.report_value("board.tokens.twice", "each id once", token.id, "tokens")
    elif token.space not in board:
        last = f"columns 0 to {board.width - 1} and rows 0 to {board.height - 1}"
        problems.report_value("board.tokens.place", last, str(token), "tokens")
    elif board.has_wall_or_obstacle(token.space):
        terrain, rule = board.terrain(token.space), "grid.move.blocked"
        got, expected = f"{terrain} under {token.id}", "a space to stand in"
        problems.report("board.tokens.solid", expected, got, "tokens", rule, name=token.name, terrain=terrain)
    elif other := next((other for other in others if other.space == token.space), None):
        got, rule = f"{other.id} and {token.id} at {format_space(token.space)}", "grid.move.blocked"
        expected = "one token in a space"
        problems.report("board.tokens.shared", expected, got, "tokens", rule, one=other.name, other=token.name)
    return problems


def parse_selected_id(tokens: Sequence[Token], text: str) -> tuple[str, Problems]:
    """Parse the id of the selected token.

    Returns "" and reports a problem if that token is not on the board.
    """
    problems = Problems()
    typed = text.strip()
    if typed and typed not in {token.id for token in tokens}:
        ids = ", ".join(token.id for token in tokens[:8])
        expected = f"one of {ids}" if ids else "nothing, with no token there"
        problems.report_value("board.selected", expected, typed, "selected")
        return "", problems
    return typed, problems
