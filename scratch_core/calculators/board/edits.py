"""What was painted, placed and dragged on the board, and its buttons: each makes another board of the one before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from scratch_core.board import MAX_BOARD_SIDE, Board, Space, format_space
from scratch_core.calculators.board.request import BLANK, FEATURES, MOST_TOKENS, TERRAINS, Setup, Token, stem_of
from scratch_core.calculators.board.sample_maps import READY, ReadyMap
from scratch_core.errors import Problem, ScratchError, format_input

SIDES = ("heroes", "rivals", "bandits", "strangers")
"""Names for sides as long as no one has given others: none that says where on a map someone stands."""
MOST_SPACES = 10_000
"""As many spaces as the strokes of one query may pass."""

_STROKE = re.compile(r"\s*(\S+):\s+([0-9]{1,3},[0-9]{1,3}(?: [0-9]{1,3},[0-9]{1,3})*)\s*")


def drawn(setup: Setup, strokes: str) -> Setup:
    """Do the strokes, each `tool: column,row column,row …`, separated by `;`.

    A tool is `pick`, a terrain letter, one of `FEATURES`, `put-<side>` or `erase`. Raises `board.stroke` for a stroke
    that cannot be read or done.
    """
    passed = 0
    for stroke in strokes.split(";") if strokes.strip() else ():
        match = _STROKE.fullmatch(stroke)
        if not match:
            raise _refused("stroke.unread", "a tool and spaces, like #: 3,4 3,5", format_input(stroke))
        tool, spaces = match[1], _spaces(match[2])
        on_board = [space for space in spaces if setup.board.contains(space)]
        passed += len(on_board)
        if passed > MOST_SPACES:
            raise _refused("stroke.too-long", f"at most {MOST_SPACES:,} spaces", "more")
        if on_board:
            setup = _stroke(setup, tool, on_board)
    return setup


def pressed(setup: Setup, button: str) -> Setup:
    """Do what a button says: another size, or a blank board. Raises `board.act` for a word not in `BUTTONS`."""
    if button not in BUTTONS:
        raise ScratchError(Problem("board.act", f"one of {', '.join(BUTTONS)}", format_input(button), "act"))
    return BUTTONS[button](setup)


def sides(setup: Setup) -> tuple[str, ...]:
    """The sides on the board in the order of the tokens, and new names until there are two, and one to spare."""
    present = list(dict.fromkeys(token.side for token in setup.tokens))
    unused = [name for name in SIDES if name not in present]
    return (*present, *unused[: max(1, 2 - len(present))])


def _refused(code: str, expected: str, got: str, rule: str | None = None, **facts: str) -> ScratchError:
    return ScratchError(Problem(code, expected, got, "stroke", rule, facts=facts))


def _stroke(setup: Setup, tool: str, spaces: list[Space]) -> Setup:
    if tool == "pick":
        return _picked(setup, spaces[0], spaces[-1])
    if tool in TERRAINS:
        return _painted(setup, tool, spaces)
    if tool in FEATURES:
        return _marked(setup, tool, spaces)
    if tool == "erase":
        return _with(setup, [token for token in setup.tokens if token.space not in spaces])
    if tool.startswith("put-") and len(tool) > len("put-"):
        return _put(setup, tool.removeprefix("put-")[:40], spaces[-1])
    tools = ("pick", *TERRAINS, *FEATURES, "put-<side>", "erase")
    raise _refused("stroke.tool", f"one of {', '.join(tools)}", format_input(tool))


def _picked(setup: Setup, first: Space, last: Space) -> Setup:
    """Drag a token, pick one, or ask about a space; the same again lets go."""
    token = setup.at(first)
    if token and first != last:
        _refuse_taken(setup, last)
        moved = replace(token, space=last)
        there = tuple(moved if each is token else each for each in setup.tokens)
        return replace(setup, tokens=there, selected=token.id, space=None)
    if first != last:
        return setup
    if token:
        return replace(setup, selected="" if setup.selected == token.id else token.id, space=None)
    return replace(setup, space=None if setup.space == last else last)


def _refuse_taken(setup: Setup, space: Space) -> None:
    holder = setup.at(space)
    if holder:
        raise _refused("stroke.taken", "a free space", f"that of {holder.name}", "grid.move.blocked", name=holder.name)
    if setup.board.is_solid(space):
        raise _refused(
            "stroke.blocked",
            "a space to stand in",
            f"{setup.ground(space)} at {format_space(space)}",
            "grid.move.blocked",
            space=format_space(space),
            terrain=setup.ground(space),
        )


def _put(setup: Setup, side: str, space: Space) -> Setup:
    """A new token of a side; where one stands already, it changes sides."""
    there = setup.at(space)
    if there:
        turned = replace(there, side=side)
        return replace(setup, tokens=tuple(turned if each is there else each for each in setup.tokens))
    _refuse_taken(setup, space)
    if len(setup.tokens) >= MOST_TOKENS:
        raise _refused("board.tokens.limit", f"at most {MOST_TOKENS} tokens", "one more")
    taken = {token.id for token in setup.tokens}
    stem = stem_of(side)
    number = next(number for number in range(1, MOST_TOKENS + 2) if f"{stem}-{number}" not in taken)
    return replace(setup, tokens=(*setup.tokens, Token(f"{stem}-{number}", space, side)))


def _painted(setup: Setup, letter: str, spaces: list[Space]) -> Setup:
    """Paint terrain; a wall or an obstacle takes the place of whoever stood there."""
    rows = [list(row) for row in setup.board.rows]
    for column, row in spaces:
        rows[row][column] = letter
    painted = replace(setup, board=replace(setup.board, rows=tuple("".join(row) for row in rows)))
    return _with(painted, [token for token in setup.tokens if not painted.board.is_solid(token.space)])


def _marked(setup: Setup, feature: str, spaces: list[Space]) -> Setup:
    """Mark spaces, or take the mark away where the first of them has it."""
    marked: frozenset[Space] = getattr(setup.board, feature)
    changed: dict[str, Any] = {feature: marked - set(spaces) if spaces[0] in marked else marked | set(spaces)}
    return replace(setup, board=replace(setup.board, **changed))


def _with(setup: Setup, tokens: list[Token]) -> Setup:
    """These tokens in the place of all; whoever isn't among them is selected no more."""
    selected = setup.selected if any(token.id == setup.selected for token in tokens) else ""
    return replace(setup, tokens=tuple(tokens), selected=selected)


def _on(setup: Setup, board: Board) -> Setup:
    """Another board under the same tokens; what lay beside it is no longer marked or asked about."""
    inside: dict[str, Any] = {name: frozenset(filter(board.contains, getattr(board, name))) for name in FEATURES}
    asked = setup.space if setup.space and board.contains(setup.space) else None
    return replace(setup, board=replace(board, **inside), space=asked)


def _sized(columns: int, rows: int) -> Callable[[Setup], Setup]:
    """Add so many columns at the right and rows at the bottom, or take them away with all that lies there."""

    def size(setup: Setup) -> Setup:
        board = setup.board
        wide = min(MAX_BOARD_SIDE, max(1, board.width + columns))
        tall = min(MAX_BOARD_SIDE, max(1, board.height + rows))
        kept = [row[:wide].ljust(wide, ".") for row in board.rows[:tall]]
        cut = replace(board, rows=(*kept, *["." * wide] * (tall - len(kept))))
        return _with(_on(setup, cut), [token for token in setup.tokens if cut.contains(token.space)])

    return size


def _cleared(setup: Setup) -> Setup:
    """Level ground everywhere; the tokens stay."""
    return replace(setup, board=Board(setup.board.shape, ("." * setup.board.width,) * setup.board.height))


def _begun(setup: Setup) -> Setup:
    """A blank board of the first size, with no one on it."""
    return replace(setup, board=Board(setup.board.shape, BLANK), tokens=(), selected="", space=None)


def _laid(ready: ReadyMap) -> Callable[[Setup], Setup]:
    """A ready map in place of the one that is there, with all where they stood, or in a free space near there."""
    marks = [frozenset(_spaces(text)) for text in (ready.cover, ready.throwable, ready.cramped)]
    board = Board(ready.shape, tuple(ready.rows.split("/")), *marks)

    def lay(setup: Setup) -> Setup:
        laid = _on(setup, board)
        off = [each for each in laid.tokens if not board.contains(each.space) or board.is_solid(each.space)]
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
        return _with(laid, tokens)

    return lay


def displaced(before: Setup, after: Setup) -> Iterator[Problem]:
    """Whom a ready map has set elsewhere, or has no space for: told, for no one has asked for it."""
    now = {each.id: each.space for each in after.tokens}
    for each in before.tokens:
        to = now.get(each.id)
        if to != each.space:
            solid = after.ground(each.space) if after.board.contains(each.space) else "nothing, off the map"
            got = f"{each.name} can’t stay at {format_space(each.space)} on this map ({solid})"
            expected = (
                f"The token is now at {format_space(to)}, a free space nearby" if to else "The token has left the map"
            )
            yield Problem("board.moved", expected, got, "act", "grid.move.blocked", "advice")


def _spaces(text: str) -> list[Space]:
    """The spaces of a text that can be read, `3,4 5,6`."""
    pairs = (each.split(",") for each in text.split())
    return [(int(column), int(row)) for column, row in pairs]


BUTTONS: dict[str, Callable[[Setup], Setup]] = {
    "wider": _sized(1, 0),
    "narrower": _sized(-1, 0),
    "taller": _sized(0, 1),
    "shorter": _sized(0, -1),
    "clear": _cleared,
    "new": _begun,
    **{f"map-{each.id}": _laid(each) for each in READY},
}
