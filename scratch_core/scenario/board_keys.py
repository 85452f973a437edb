"""What a file says of a board: the board itself, who stands where, and the keys of steps that need one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from scratch_core.actions import Action
from scratch_core.board import Board, Space, read_board, read_space
from scratch_core.errors import ScratchError
from scratch_core.scenario.records import Tree
from scratch_core.state import Fighter

PATH_LIMIT = 100
"""The most spaces of a path."""

KEYS: Mapping[str, tuple[str, ...]] = {
    "move": ("path",),
    "blast": ("at",),
    "reposition": ("to", "swap"),
    "interrupt": ("when",),
}
"""The keys that steps have on a board alone, by action."""

_SPACE = "a space, [column, row]"


class Reading(Protocol):
    """What reads a file: it tells what is wrong."""

    def wrong(self, expected: str, got: object, where: str, rule: str | None = None) -> None:
        """Note a problem."""


def read_map(reading: Reading, tree: Tree) -> Board | None:
    """The file's board; None without one, or when it can't be read. Rule: `grid.scope`."""
    if "board" not in tree:
        return None
    try:
        return read_board(tree["board"])
    except ScratchError as error:
        for problem in error.problems:
            reading.wrong(problem.expected, _Words(problem.got), problem.where)
        return None


class _Words:
    """Words that a message shows as they are."""

    def __init__(self, words: str) -> None:
        self.words = words

    def __repr__(self) -> str:
        return self.words


def place_of(reading: Reading, table: Tree, where: str, board: Board) -> Space | None:
    """Where a character stands: on a space of the board that nothing fills. Rule: `grid.space`."""
    if "here" in table:
        reading.wrong("no surroundings, for the board tells them", table["here"], f"{where}.here")
    space = read_space(table.get("at"))
    if space is None or not board.contains(space) or board.is_solid(space):
        got = table["at"] if "at" in table else _Words("nothing")
        reading.wrong("a space of the board to stand on, [column, row] from the top left", got, f"{where}.at")
        return None
    return space


def check_places(reading: Reading, fighters: tuple[Fighter, ...]) -> None:
    """Nobody stands on anybody else. Rule: `grid.move.blocked`."""
    taken: dict[Space, str] = {}
    for each in fighters:
        if each.at is not None and each.at in taken:
            reading.wrong(f"a space of its own for {each.id}", _Words(f"that of {taken[each.at]}"), "characters")
        elif each.at is not None:
            taken[each.at] = each.id


def with_board_keys(reading: Reading, action: Action, table: Tree, where: str) -> Action:
    """An action with what its step says of spaces. Rules: `grid.move.step`, `grid.blast.target`,
    `grid.hold.reposition`, `grid.interrupt.trigger.move`.
    """
    if action.do == "move":
        return replace(action, path=_path(reading, table.get("path"), f"{where}.path"))
    if action.do == "blast":
        return replace(action, space=_space(reading, table.get("at"), f"{where}.at"))
    if action.do == "reposition":
        return _reposition(reading, action, table, where)
    if action.do == "interrupt" and "when" in table:
        return replace(action, when=_when(reading, table["when"], f"{where}.when"))
    return action


def _reposition(reading: Reading, action: Action, table: Tree, where: str) -> Action:
    swap = table.get("swap", False)
    if type(swap) is not bool:
        reading.wrong("true or false", swap, f"{where}.swap")
        return action
    if swap == ("to" in table):
        reading.wrong("to or swap = true", _Words("both" if swap else "neither"), where)
        return action
    space = _space(reading, table["to"], f"{where}.to") if "to" in table else None
    return replace(action, swap=swap, space=space)


def _path(reading: Reading, items: Any, where: str) -> tuple[Space, ...]:
    if not isinstance(items, list) or len(items) > PATH_LIMIT:
        reading.wrong(f"a list of spaces entered, {PATH_LIMIT} at most", _or_nothing(items), where)
        return ()
    spaces = [_space(reading, item, f"{where}[{number}]") for number, item in enumerate(items)]
    return tuple(space for space in spaces if space is not None)


def _space(reading: Reading, value: Any, where: str) -> Space | None:
    space = read_space(value)
    if space is None:
        reading.wrong(_SPACE, _or_nothing(value), where)
    return space


def _when(reading: Reading, value: Any, where: str) -> int | None:
    if type(value) is not int or not 0 <= value <= PATH_LIMIT:
        reading.wrong(f"how many spaces were entered, 0 to {PATH_LIMIT}", value, where)
        return None
    return value


def _or_nothing(value: object) -> object:
    return _Words("nothing") if value is None else value
