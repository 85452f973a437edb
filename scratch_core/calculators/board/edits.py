"""What was painted, placed and dragged on the board, and its buttons: each makes another board of the one before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from scratch_core.board import MAX_BOARD_SIDE, Board, Space, format_space
from scratch_core.calculators.board.request import (
    BLANK_ROWS,
    FEATURES,
    MAX_TOKENS,
    TERRAINS,
    BoardSetup,
    Token,
    format_token_stem,
)
from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS, SampleMap
from scratch_core.errors import Problem, Problems, ScratchError, format_input

DEFAULT_SIDES = ("heroes", "rivals", "bandits", "strangers")
"""Names for sides as long as no one has given others: none that says where on a map someone stands."""
MAX_STROKE_SPACES = 10_000
"""As many spaces as the strokes of one query may pass."""

_STROKE_PATTERN = re.compile(r"\s*(\S+):\s+([0-9]{1,3},[0-9]{1,3}(?: [0-9]{1,3},[0-9]{1,3})*)\s*")


def apply_strokes(setup: BoardSetup, strokes: str) -> BoardSetup:
    """Do the strokes, each `tool: column,row column,row …`, separated by `;`.

    A tool is `pick`, a terrain letter, one of `FEATURES`, `put-<side>` or `erase`. Raises `board.stroke` for a stroke
    that cannot be read or done.
    """
    passed = 0
    for stroke in strokes.split(";") if strokes.strip() else ():
        match = _STROKE_PATTERN.fullmatch(stroke)
        if not match:
            expected = "a tool and spaces, like #: 3,4 3,5"
            raise ScratchError(Problem("stroke.unread", expected, format_input(stroke), "stroke"))
        tool, spaces = match[1], _parse_spaces(match[2])
        on_board = [space for space in spaces if space in setup.board]
        passed += len(on_board)
        if passed > MAX_STROKE_SPACES:
            raise ScratchError(Problem("stroke.too-long", f"at most {MAX_STROKE_SPACES:,} spaces", "more", "stroke"))
        if on_board:
            setup = _apply_stroke(setup, tool, on_board)
    return setup


def apply_button(setup: BoardSetup, button: str) -> BoardSetup:
    """Do what a button says: another size, or a blank board. Raises `board.act` for a word not in `BUTTONS`."""
    if button not in BUTTONS:
        raise ScratchError(Problem("board.act", f"one of {', '.join(BUTTONS)}", format_input(button), "act"))
    return BUTTONS[button](setup)


def list_sides(setup: BoardSetup) -> tuple[str, ...]:
    """The sides on the board in the order of the tokens, and new names until there are two, and one to spare."""
    present = list(dict.fromkeys(token.side for token in setup.tokens))
    unused = [name for name in DEFAULT_SIDES if name not in present]
    return (*present, *unused[: max(1, 2 - len(present))])


def _apply_stroke(setup: BoardSetup, tool: str, spaces: list[Space]) -> BoardSetup:
    if tool == "pick":
        return _pick_space(setup, spaces[0], spaces[-1])
    if tool in TERRAINS:
        return _paint_terrain(setup, tool, spaces)
    if tool in FEATURES:
        return _toggle_feature(setup, tool, spaces)
    if tool == "erase":
        return _replace_tokens(setup, [token for token in setup.tokens if token.space not in spaces])
    if tool.startswith("put-") and len(tool) > len("put-"):
        return _put_token(setup, tool.removeprefix("put-")[:40], spaces[-1])
    tools = ("pick", *TERRAINS, *FEATURES, "put-<side>", "erase")
    raise ScratchError(Problem("stroke.tool", f"one of {', '.join(tools)}", format_input(tool), "stroke"))


def _pick_space(setup: BoardSetup, first: Space, last: Space) -> BoardSetup:
    """Drag a token, pick one, or ask about a space; the same again lets go."""
    token = setup.find_token(first)
    if token and first != last:
        _refuse_taken(setup, last)
        moved = replace(token, space=last)
        there = tuple(moved if each is token else each for each in setup.tokens)
        return replace(setup, tokens=there, selected_id=token.id, selected_space=None)
    if first != last:
        return setup
    if token:
        return replace(setup, selected_id="" if setup.selected_id == token.id else token.id, selected_space=None)
    return replace(setup, selected_space=None if setup.selected_space == last else last)


def _refuse_taken(setup: BoardSetup, space: Space) -> None:
    holder, rule, problems = setup.find_token(space), "grid.move.blocked", Problems()
    if holder:
        got = f"that of {holder.name}"
        problems.report("stroke.taken", "a free space", got, "stroke", rule, name=holder.name)
    elif setup.board.is_solid(space):
        terrain, place = setup.get_terrain_name(space), format_space(space)
        got = f"{terrain} at {place}"
        problems.report("stroke.blocked", "a space to stand in", got, "stroke", rule, space=place, terrain=terrain)
    problems.raise_if_any()


def _put_token(setup: BoardSetup, side: str, space: Space) -> BoardSetup:
    """A new token of a side; where one stands already, it changes sides."""
    there = setup.find_token(space)
    if there:
        turned = replace(there, side=side)
        return replace(setup, tokens=tuple(turned if each is there else each for each in setup.tokens))
    _refuse_taken(setup, space)
    if len(setup.tokens) >= MAX_TOKENS:
        raise ScratchError(Problem("board.tokens.limit", f"at most {MAX_TOKENS} tokens", "one more", "stroke"))
    taken = {token.id for token in setup.tokens}
    stem = format_token_stem(side)
    number = next(number for number in range(1, MAX_TOKENS + 2) if f"{stem}-{number}" not in taken)
    return replace(setup, tokens=(*setup.tokens, Token(f"{stem}-{number}", space, side)))


def _paint_terrain(setup: BoardSetup, letter: str, spaces: list[Space]) -> BoardSetup:
    """Paint terrain. A wall or an obstacle removes the token on its space."""
    rows = [list(row) for row in setup.board.rows]
    for column, row in spaces:
        rows[row][column] = letter
    painted = replace(setup, board=replace(setup.board, rows=tuple("".join(row) for row in rows)))
    return _replace_tokens(painted, [token for token in setup.tokens if not painted.board.is_solid(token.space)])


def _toggle_feature(setup: BoardSetup, feature: str, spaces: list[Space]) -> BoardSetup:
    """Mark spaces, or take the mark away where the first of them has it."""
    marked: frozenset[Space] = getattr(setup.board, feature)
    changed: dict[str, Any] = {feature: marked - set(spaces) if spaces[0] in marked else marked | set(spaces)}
    return replace(setup, board=replace(setup.board, **changed))


def _replace_tokens(setup: BoardSetup, tokens: list[Token]) -> BoardSetup:
    """Replace all tokens, and clear the selection if its token is gone."""
    selected = setup.selected_id if any(token.id == setup.selected_id for token in tokens) else ""
    return replace(setup, tokens=tuple(tokens), selected_id=selected)


def _replace_board(setup: BoardSetup, board: Board) -> BoardSetup:
    """Another board under the same tokens; what lay beside it is no longer marked or asked about."""
    inside: dict[str, Any] = {
        name: frozenset(space for space in getattr(board, name) if space in board) for name in FEATURES
    }
    asked = setup.selected_space if setup.selected_space and setup.selected_space in board else None
    return replace(setup, board=replace(board, **inside), selected_space=asked)


def _build_resize(columns: int, rows: int) -> Callable[[BoardSetup], BoardSetup]:
    """Add so many columns at the right and rows at the bottom, or take them away with all that lies there."""

    def size(setup: BoardSetup) -> BoardSetup:
        board = setup.board
        wide = min(MAX_BOARD_SIDE, max(1, board.width + columns))
        tall = min(MAX_BOARD_SIDE, max(1, board.height + rows))
        kept = [row[:wide].ljust(wide, ".") for row in board.rows[:tall]]
        cut = replace(board, rows=(*kept, *["." * wide] * (tall - len(kept))))
        return _replace_tokens(_replace_board(setup, cut), [token for token in setup.tokens if token.space in cut])

    return size


def _clear_terrain(setup: BoardSetup) -> BoardSetup:
    """Level ground everywhere; the tokens stay."""
    return replace(setup, board=Board(setup.board.shape, ("." * setup.board.width,) * setup.board.height))


def _reset_board(setup: BoardSetup) -> BoardSetup:
    """A blank board of the first size, with no one on it."""
    return replace(setup, board=Board(setup.board.shape, BLANK_ROWS), tokens=(), selected_id="", selected_space=None)


def _build_map_change(ready: SampleMap) -> Callable[[BoardSetup], BoardSetup]:
    """A ready map in place of the one that is there, with all where they stood, or in a free space near there."""
    marks = [frozenset(_parse_spaces(text)) for text in (ready.cover, ready.throwable, ready.cramped)]
    board = Board(ready.shape, tuple(ready.rows.split("/")), *marks)

    def lay(setup: BoardSetup) -> BoardSetup:
        laid = _replace_board(setup, board)
        off = [each for each in laid.tokens if each.space not in board or board.is_solid(each.space)]
        taken = {each.space for each in laid.tokens if each not in off}
        free = [space for space in board.spaces if not board.is_solid(space) and space not in taken]
        tokens: list[Token] = []
        for each in laid.tokens:
            if each not in off:
                tokens.append(each)
            elif free:
                column, row = each.space
                _, to = min(((space[0] - column) ** 2 + (space[1] - row) ** 2, space) for space in free)
                free.remove(to)
                tokens.append(replace(each, space=to))
        return _replace_tokens(laid, tokens)

    return lay


def displaced_token_problems(before: BoardSetup, after: BoardSetup) -> Iterator[Problem]:
    """Report the tokens that a sample map has moved, or has no space for."""
    now = {each.id: each.space for each in after.tokens}
    for each in before.tokens:
        to = now.get(each.id)
        if to != each.space:
            solid = after.get_terrain_name(each.space) if each.space in after.board else "nothing, off the map"
            got = f"{each.name} can't stay at {format_space(each.space)} on this map ({solid})"
            expected = (
                f"The token is now at {format_space(to)}, a free space nearby" if to else "The token has left the map"
            )
            yield Problem("board.moved", expected, got, "act", "grid.move.blocked", "advice")


def _parse_spaces(text: str) -> list[Space]:
    """The spaces of a text that can be read, `3,4 5,6`."""
    pairs = (each.split(",") for each in text.split())
    return [(int(column), int(row)) for column, row in pairs]


BUTTONS: dict[str, Callable[[BoardSetup], BoardSetup]] = {
    "wider": _build_resize(1, 0),
    "narrower": _build_resize(-1, 0),
    "taller": _build_resize(0, 1),
    "shorter": _build_resize(0, -1),
    "clear": _clear_terrain,
    "new": _reset_board,
    **{f"map-{each.id}": _build_map_change(each) for each in SAMPLE_MAPS},
}
