"""Edits of a map: strokes of the brush, and the buttons. Each builds a new setup from the previous setup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from scratch_core.board import MAX_BOARD_SIDE, Board, Space, format_space
from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS, SampleMap
from scratch_core.calculators.board.setup import (
    BLANK_ROWS,
    FEATURES,
    MAX_TOKENS,
    TERRAINS,
    BoardSetup,
    Token,
    format_token_stem,
)
from scratch_core.errors import Problem, Problems, ScratchError, format_input

DEFAULT_SIDES = ("heroes", "rivals", "bandits", "strangers")
"""Default names of sides. None of them suggests a position on a map."""
MAX_STROKE_SPACES = 10_000
"""The most spaces in the strokes of one query."""

_STROKE_PATTERN = re.compile(r"\s*(\S+):\s+([0-9]{1,3},[0-9]{1,3}(?: [0-9]{1,3},[0-9]{1,3})*)\s*")


def apply_strokes(setup: BoardSetup, strokes: str) -> BoardSetup:
    """Apply strokes like `tool: column,row column,row`, with semicolons between them.

    A tool is `pick`, a terrain letter, one of `FEATURES`, `put-<side>` or `erase`. Spaces off the board are ignored.
    Raises `ScratchError` (`stroke.…`) for a stroke that can't be parsed or applied.
    """
    space_count = 0
    for stroke in strokes.split(";") if strokes.strip() else ():
        match = _STROKE_PATTERN.fullmatch(stroke)
        if not match:
            expected = "a tool and spaces, like #: 3,4 3,5"
            raise ScratchError(Problem("stroke.unread", expected, format_input(stroke), "stroke"))
        tool, spaces = match[1], _parse_spaces(match[2])
        on_board = [space for space in spaces if space in setup.board]
        space_count += len(on_board)
        if space_count > MAX_STROKE_SPACES:
            raise ScratchError(Problem("stroke.too-long", f"at most {MAX_STROKE_SPACES:,} spaces", "more", "stroke"))
        if on_board:
            setup = _apply_stroke(setup, tool, on_board)
    return setup


def apply_map_button(setup: BoardSetup, button: str) -> BoardSetup:
    """Apply a button of `BUTTONS`, such as another size or a blank board.

    Raises `ScratchError` (`board.act`) for an unknown button.
    """
    if button not in BUTTONS:
        raise ScratchError(Problem("board.act", f"one of {', '.join(BUTTONS)}", format_input(button), "act"))
    return BUTTONS[button](setup)


def list_sides_with_unused(setup: BoardSetup) -> tuple[str, ...]:
    """List the sides in the order of the tokens, with unused default names.

    There is at least one unused name while there are any, and at least two sides.
    """
    present = list(dict.fromkeys(token.side for token in setup.tokens))
    unused = [name for name in DEFAULT_SIDES if name not in present]
    return (*present, *unused[: max(1, 2 - len(present))])


def _apply_stroke(setup: BoardSetup, tool: str, spaces: list[Space]) -> BoardSetup:
    if tool == "pick":
        return _select_or_drag(setup, spaces[0], spaces[-1])
    if tool in TERRAINS:
        return _paint_terrain_displacing_tokens(setup, tool, spaces)
    if tool in FEATURES:
        return _toggle_feature_by_first_space(setup, tool, spaces)
    if tool == "erase":
        return _replace_tokens(setup, [token for token in setup.tokens if token.space not in spaces])
    if tool.startswith("put-") and len(tool) > len("put-"):
        return _put_token_or_change_side(setup, tool.removeprefix("put-")[:40], spaces[-1])
    tools = ("pick", *TERRAINS, *FEATURES, "put-<side>", "erase")
    raise ScratchError(Problem("stroke.tool", f"one of {', '.join(tools)}", format_input(tool), "stroke"))


def _select_or_drag(setup: BoardSetup, first: Space, last: Space) -> BoardSetup:
    """Drag or select a token, or select a space.

    Selecting the selected token or space again clears the selection.
    """
    token = setup.find_token(first)
    if token and first != last:
        _require_free_space(setup, last)
        moved = replace(token, space=last)
        tokens = tuple(moved if each is token else each for each in setup.tokens)
        return replace(setup, tokens=tokens, selected_id=token.id, selected_space=None)
    if first != last:
        return setup
    if token:
        return replace(setup, selected_id="" if setup.selected_id == token.id else token.id, selected_space=None)
    return replace(setup, selected_space=None if setup.selected_space == last else last)


def _require_free_space(setup: BoardSetup, space: Space) -> None:
    """Raise `ScratchError` if a token can't be in the space."""
    holder, rule, problems = setup.find_token(space), "grid.move.blocked", Problems()
    if holder:
        got = f"that of {holder.name}"
        problems.report("stroke.taken", "a free space", got, "stroke", rule, name=holder.name)
    elif setup.board.has_wall_or_obstacle(space):
        terrain, space_text = setup.get_terrain_name(space), format_space(space)
        got = f"{terrain} at {space_text}"
        problems.report("stroke.blocked", "a space to stand in", got, "stroke", rule, space=space_text, terrain=terrain)
    problems.raise_if_any()


def _put_token_or_change_side(setup: BoardSetup, side: str, space: Space) -> BoardSetup:
    """Add a token of a side, or change the side of the token there."""
    token = setup.find_token(space)
    if token:
        changed_token = replace(token, side=side)
        return replace(setup, tokens=tuple(changed_token if each is token else each for each in setup.tokens))
    _require_free_space(setup, space)
    if len(setup.tokens) >= MAX_TOKENS:
        raise ScratchError(Problem("board.tokens.limit", f"at most {MAX_TOKENS} tokens", "one more", "stroke"))
    ids = {token.id for token in setup.tokens}
    stem = format_token_stem(side)
    number = next(number for number in range(1, MAX_TOKENS + 2) if f"{stem}-{number}" not in ids)
    return replace(setup, tokens=(*setup.tokens, Token(f"{stem}-{number}", space, side)))


def _paint_terrain_displacing_tokens(setup: BoardSetup, letter: str, spaces: list[Space]) -> BoardSetup:
    """Paint terrain. A wall or an obstacle removes the token on its space."""
    rows = [list(row) for row in setup.board.rows]
    for column, row in spaces:
        rows[row][column] = letter
    painted = replace(setup, board=replace(setup.board, rows=tuple("".join(row) for row in rows)))
    return _replace_tokens(
        painted, [token for token in setup.tokens if not painted.board.has_wall_or_obstacle(token.space)]
    )


def _toggle_feature_by_first_space(setup: BoardSetup, feature: str, spaces: list[Space]) -> BoardSetup:
    """Mark spaces with a feature, or remove the mark if the first space has it."""
    marked: frozenset[Space] = getattr(setup.board, feature)
    changed: dict[str, Any] = {feature: marked - set(spaces) if spaces[0] in marked else marked | set(spaces)}
    return replace(setup, board=replace(setup.board, **changed))


def _replace_tokens(setup: BoardSetup, tokens: list[Token]) -> BoardSetup:
    """Replace all tokens, and clear the selection if its token is gone."""
    selected = setup.selected_id if any(token.id == setup.selected_id for token in tokens) else ""
    return replace(setup, tokens=tuple(tokens), selected_id=selected)


def _replace_board_keeping_tokens(setup: BoardSetup, board: Board) -> BoardSetup:
    """Replace the board, and remove marks and selected spaces outside of it.

    The tokens don't change.
    """
    inside: dict[str, Any] = {
        name: frozenset(space for space in getattr(board, name) if space in board) for name in FEATURES
    }
    selected_space = setup.selected_space if setup.selected_space and setup.selected_space in board else None
    return replace(setup, board=replace(board, **inside), selected_space=selected_space)


def _build_resize(columns: int, rows: int) -> Callable[[BoardSetup], BoardSetup]:
    """Build an edit that adds columns at the right and rows at the bottom.

    Negative numbers remove columns and rows, with everything on them.
    """

    def resize(setup: BoardSetup) -> BoardSetup:
        board = setup.board
        width = min(MAX_BOARD_SIDE, max(1, board.width + columns))
        height = min(MAX_BOARD_SIDE, max(1, board.height + rows))
        rows_inside = [row[:width].ljust(width, ".") for row in board.rows[:height]]
        resized = replace(board, rows=(*rows_inside, *["." * width] * (height - len(rows_inside))))
        return _replace_tokens(
            _replace_board_keeping_tokens(setup, resized), [token for token in setup.tokens if token.space in resized]
        )

    return resize


def _clear_terrain(setup: BoardSetup) -> BoardSetup:
    """Replace all terrain with level ground, and remove all features. Tokens remain."""
    return replace(setup, board=Board(setup.board.shape, ("." * setup.board.width,) * setup.board.height))


def _reset_board(setup: BoardSetup) -> BoardSetup:
    """Return a blank board of the default size, without tokens."""
    return replace(setup, board=Board(setup.board.shape, BLANK_ROWS), tokens=(), selected_id="", selected_space=None)


def _build_map_change_moving_tokens(sample_map: SampleMap) -> Callable[[BoardSetup], BoardSetup]:
    """Build an edit that replaces the map with a sample map.

    Tokens remain in their spaces, or move to the nearest free space. Tokens without a free space are removed.
    """
    features = [frozenset(_parse_spaces(text)) for text in (sample_map.cover, sample_map.throwable, sample_map.cramped)]
    board = Board(sample_map.shape, tuple(sample_map.rows.split("/")), *features)

    def change_map(setup: BoardSetup) -> BoardSetup:
        new_setup = _replace_board_keeping_tokens(setup, board)
        displaced = [
            each for each in new_setup.tokens if each.space not in board or board.has_wall_or_obstacle(each.space)
        ]
        used_spaces = {each.space for each in new_setup.tokens if each not in displaced}
        free_spaces = [
            space for space in board.spaces if not board.has_wall_or_obstacle(space) and space not in used_spaces
        ]
        tokens: list[Token] = []
        for each in new_setup.tokens:
            if each not in displaced:
                tokens.append(each)
            elif free_spaces:
                column, row = each.space
                _, nearest = min(((space[0] - column) ** 2 + (space[1] - row) ** 2, space) for space in free_spaces)
                free_spaces.remove(nearest)
                tokens.append(replace(each, space=nearest))
        return _replace_tokens(new_setup, tokens)

    return change_map


def displaced_token_problems(before: BoardSetup, after: BoardSetup) -> Iterator[Problem]:
    """Report the tokens that a sample map has moved or removed."""
    new_spaces = {each.id: each.space for each in after.tokens}
    for each in before.tokens:
        new_space = new_spaces.get(each.id)
        if new_space != each.space:
            solid = after.get_terrain_name(each.space) if each.space in after.board else "nothing, off the map"
            got = f"{each.name} can't stay at {format_space(each.space)} on this map ({solid})"
            expected = (
                f"The token is now at {format_space(new_space)}, a free space nearby"
                if new_space
                else "The token has left the map"
            )
            yield Problem("board.moved", expected, got, "act", "grid.move.blocked", "advice")


def _parse_spaces(text: str) -> list[Space]:
    """Parse valid spaces, `3,4 5,6`."""
    pairs = (each.split(",") for each in text.split())
    return [(int(column), int(row)) for column, row in pairs]


BUTTONS: dict[str, Callable[[BoardSetup], BoardSetup]] = {
    "wider": _build_resize(1, 0),
    "narrower": _build_resize(-1, 0),
    "taller": _build_resize(0, 1),
    "shorter": _build_resize(0, -1),
    "clear": _clear_terrain,
    "new": _reset_board,
    **{f"map-{each.id}": _build_map_change_moving_tokens(each) for each in SAMPLE_MAPS},
}
"""The edit of each button."""
