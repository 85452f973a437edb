"""Maps as tables of a file: parsing and conversion back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scratch_core.board.spaces import SHAPES, TERRAIN, Board, Space
from scratch_core.errors import Problem, ScratchError, format_input

MAX_BOARD_SIDE = 100
"""The maximum number of rows, and of spaces in a row."""

MAX_PROBLEMS = 20
"""The maximum number of problems reported for one map."""

_MARKS = ("cover", "throwable", "cramped")
_KEYS = ("shape", "rows", *_MARKS)


def board_from_dict(tree: object) -> Board:
    """Parse a map: `shape`, `rows` of letters, and three lists of spaces.

    `shape` is square by default. All rows have the same length. A space is `[column, row]`. Raises `ScratchError`
    (`board.value`) with problems and their places.
    """
    problems: list[Problem] = []
    if not isinstance(tree, Mapping):
        raise ScratchError(_build_problem("a table of a board", tree, "board"))
    for key in list(tree)[:MAX_PROBLEMS]:
        if key not in _KEYS:
            problems.append(_build_problem(f"one of {', '.join(_KEYS)}", key, "board"))
    shape = tree.get("shape", "square")
    if shape not in SHAPES:
        problems.append(_build_problem(f"one of {', '.join(SHAPES)}", shape, "board.shape"))
    rows = _parse_rows(tree.get("rows"), problems)
    size = (len(rows[0]) if rows else 0, len(rows))
    marks = {key: _parse_spaces(tree.get(key, []), f"board.{key}", size, problems) for key in _MARKS}
    if problems:
        raise ScratchError(*problems[:MAX_PROBLEMS])
    return Board(shape, rows, **marks)


def board_to_dict(board: Board) -> dict[str, Any]:
    """Convert a map to a table.

    `board_from_dict` is the inverse.
    """
    tree: dict[str, Any] = {"shape": board.shape, "rows": list(board.rows)}
    marks = {key: sorted(getattr(board, key), key=lambda space: (space[1], space[0])) for key in _MARKS}
    return tree | {key: [list(space) for space in spaces] for key, spaces in marks.items() if spaces}


def _parse_rows(items: object, problems: list[Problem]) -> tuple[str, ...]:
    """Parse the rows of letters and append their problems.

    Returns () if the map's width cannot be determined.
    """
    if not isinstance(items, list | tuple) or not items or not all(isinstance(row, str) for row in items):
        problems.append(_build_problem("a list of rows of letters", items, "board.rows"))
        return ()
    width = len(items[0])
    if not 0 < width <= MAX_BOARD_SIDE or len(items) > MAX_BOARD_SIDE:
        got = f"{len(items):,} of {width:,}"
        expected = f"1 to {MAX_BOARD_SIDE} rows of 1 to {MAX_BOARD_SIDE} letters"
        problems.append(Problem("board.value", expected, got, "board.rows"))
        return ()
    for number, row in enumerate(items):
        where = f"board.rows[{number}]"
        if len(row) != width:
            problems.append(_build_problem(f"{width} letters, as in the first row", len(row), where))
        unknown = [letter for letter in row[:width] if letter not in TERRAIN]
        if unknown:
            problems.append(_build_problem(f"letters of {' '.join(TERRAIN)}", unknown[0], where))
    return tuple(items)


def _parse_spaces(items: object, where: str, size: tuple[int, int], problems: list[Problem]) -> frozenset[Space]:
    """Parse a list of spaces and append its problems."""
    if not isinstance(items, list | tuple) or len(items) > MAX_BOARD_SIDE * MAX_BOARD_SIDE:
        problems.append(_build_problem("a list of spaces", items, where))
        return frozenset()
    found = [parse_space(item) for item in items]
    for number, space in enumerate(found):
        if space is None or (size[0] and not (0 <= space[0] < size[0] and 0 <= space[1] < size[1])):
            expected = "a space of the board, [column, row] from 0"
            problems.append(_build_problem(expected, items[number], f"{where}[{number}]"))
    return frozenset(space for space in found if space is not None)


def parse_space(value: object) -> Space | None:
    """Parse `[column, row]`, also off the map.

    Returns None for anything else.
    """
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    column, row = value
    is_near = type(column) is int and type(row) is int and max(abs(column), abs(row)) <= MAX_BOARD_SIDE
    return (column, row) if is_near else None


def _build_problem(expected: str, got: object, where: str) -> Problem:
    return Problem("board.value", expected, "nothing" if got is None else format_input(got), where)
