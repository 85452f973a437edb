"""Maps as tables of a file: parsing and conversion back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scratch_core.board.spaces import SHAPES, TERRAIN, Board, Space
from scratch_core.errors import Location, Problem, Problems, ScratchError, format_input, replace_if_none_for_message

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
    where, problems = Location("board"), Problems()
    if not isinstance(tree, Mapping):
        raise ScratchError(
            Problem("board.value", "a table of a board", format_input(replace_if_none_for_message(tree)), where)
        )
    for key in list(tree)[:MAX_PROBLEMS]:
        if key not in _KEYS:
            problems.report_value("board.value", f"one of {', '.join(_KEYS)}", key, where)
    shape = tree.get("shape", "square")
    if shape not in SHAPES:
        problems.report_value(
            "board.value", f"one of {', '.join(SHAPES)}", replace_if_none_for_message(shape), where / "shape"
        )
    rows = _parse_rows(tree.get("rows"), where / "rows", problems)
    size = (len(rows[0]) if rows else 0, len(rows))
    marks = {key: _parse_spaces(tree.get(key, []), where / key, size, problems) for key in _MARKS}
    problems.raise_if_any(MAX_PROBLEMS)
    return Board(shape, rows, **marks)


def board_to_dict(board: Board) -> dict[str, Any]:
    """Convert a map to a table.

    `board_from_dict` is the inverse.
    """
    tree: dict[str, Any] = {"shape": board.shape, "rows": list(board.rows)}
    marks = {key: sorted(getattr(board, key), key=lambda space: (space[1], space[0])) for key in _MARKS}
    return tree | {key: [list(space) for space in spaces] for key, spaces in marks.items() if spaces}


def _parse_rows(items: object, where: Location, problems: Problems) -> tuple[str, ...]:
    """Parse the rows of letters and report their problems.

    Returns () if the map's width cannot be determined.
    """
    if not isinstance(items, list | tuple) or not items or not all(isinstance(row, str) for row in items):
        problems.report_value("board.value", "a list of rows of letters", replace_if_none_for_message(items), where)
        return ()
    width = len(items[0])
    if not 0 < width <= MAX_BOARD_SIDE or len(items) > MAX_BOARD_SIDE:
        expected = f"1 to {MAX_BOARD_SIDE} rows of 1 to {MAX_BOARD_SIDE} letters"
        problems.report("board.value", expected, f"{len(items):,} of {width:,}", where)
        return ()
    for number, row in enumerate(items):
        if len(row) != width:
            expected = f"{width} letters, as in the first row"
            problems.report_value("board.value", expected, len(row), where / number)
        unknown = [letter for letter in row[:width] if letter not in TERRAIN]
        if unknown:
            problems.report_value("board.value", f"letters of {' '.join(TERRAIN)}", unknown[0], where / number)
    return tuple(items)


def _parse_spaces(items: object, where: Location, size: tuple[int, int], problems: Problems) -> frozenset[Space]:
    """Parse a list of spaces and report its problems."""
    if not isinstance(items, list | tuple) or len(items) > MAX_BOARD_SIDE * MAX_BOARD_SIDE:
        problems.report_value("board.value", "a list of spaces", replace_if_none_for_message(items), where)
        return frozenset()
    found = [parse_space_pair(item) for item in items]
    for number, space in enumerate(found):
        if space is None or (size[0] and not (0 <= space[0] < size[0] and 0 <= space[1] < size[1])):
            expected = "a space of the board, [column, row] from 0"
            problems.report_value("board.value", expected, replace_if_none_for_message(items[number]), where / number)
    return frozenset(space for space in found if space is not None)


def parse_space_pair(value: object) -> Space | None:
    """Parse `[column, row]`, also off the map.

    Returns None for anything else.
    """
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    column, row = value
    is_near = type(column) is int and type(row) is int and max(abs(column), abs(row)) <= MAX_BOARD_SIDE
    return (column, row) if is_near else None
