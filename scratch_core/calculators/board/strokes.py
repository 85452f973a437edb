"""What was painted, placed and dragged on the board, and its buttons: each makes another board of the one before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from scratch_core.calculators.board.maps import READY, ReadyMap
from scratch_core.calculators.board.reading import (
    BLANK,
    FEATURES,
    MOST_ACROSS,
    MOST_TOKENS,
    SOLID,
    TERRAINS,
    Setup,
    Space,
    Token,
    written,
)
from scratch_core.errors import Problem, ScratchError, shown

SIDES = ("heroes", "rivals", "bandits", "strangers")
"""Names for sides as long as nobody has given others: none that says where on a map somebody stands."""
MOST_SPACES = 10_000
"""As many spaces as the strokes of one query may pass."""

_STROKE = re.compile(r"\s*(\S+):\s+(\d{1,3},\d{1,3}(?: \d{1,3},\d{1,3})*)\s*")


def drawn(setup: Setup, strokes: str) -> Setup:
    """Do the strokes, each `tool: column,row column,row …`, separated by `;`.

    A tool is `pick`, a terrain letter, one of `FEATURES`, `put-<side>` or `erase`. Raises `board.stroke` for a stroke
    that cannot be read or done.
    """
    passed = 0
    for stroke in strokes.split(";") if strokes.strip() else ():
        tool, spaces = _read_stroke(stroke)
        on_board = [space for space in spaces if setup.has(space)]
        passed += len(on_board)
        if passed > MOST_SPACES:
            raise _refused(f"at most {MOST_SPACES:,} spaces", "more")
        if on_board:
            setup = _stroke(setup, tool, on_board)
    return setup


def _read_stroke(stroke: str) -> tuple[str, list[Space]]:
    """The tool of a stroke and its spaces, on the board or beside it."""
    match = _STROKE.fullmatch(stroke)
    if not match or not stroke.isascii():
        raise _refused("a tool and spaces, like #: 3,4 3,5", shown(stroke))
    places = (text.split(",") for text in match[2].split(" "))
    return match[1], [(int(column), int(row)) for column, row in places]


def pressed(setup: Setup, button: str) -> Setup:
    """Do what a button says: another size, or a blank board. Raises `board.act` for a word not in `BUTTONS`."""
    if button not in BUTTONS:
        raise ScratchError(Problem("board.act", f"one of {', '.join(BUTTONS)}", shown(button), "act"))
    return BUTTONS[button](setup)


def sides(setup: Setup) -> tuple[str, ...]:
    """The sides on the board in the order of the tokens, and new names until there are two, and one to spare."""
    present = list(dict.fromkeys(token.side for token in setup.tokens))
    unused = [name for name in SIDES if name not in present]
    return (*present, *unused[: max(1, 2 - len(present))])


def _refused(expected: str, got: str, rule: str | None = None) -> ScratchError:
    return ScratchError(Problem("board.stroke", expected, got, "stroke", rule))


def _stroke(setup: Setup, tool: str, spaces: list[Space]) -> Setup:
    if tool == "pick":
        return _picked(setup, spaces[0], spaces[-1])
    if tool in TERRAINS:
        return _painted(setup, tool, spaces)
    if tool in FEATURES:
        return _marked(setup, tool, spaces)
    if tool == "erase":
        return _without(setup, [token for token in setup.tokens if token.space in spaces])
    if tool.startswith("put-") and len(tool) > len("put-"):
        return _put(setup, tool.removeprefix("put-")[:40], spaces[-1])
    tools = ("pick", *TERRAINS, *FEATURES, "put-<side>", "erase")
    raise _refused(f"one of {', '.join(tools)}", shown(tool))


def _picked(setup: Setup, first: Space, last: Space) -> Setup:
    """Drag a token, pick one, or ask about a space; the same again lets go."""
    token = setup.at(first)
    if first != last:
        return _moved(setup, token, last) if token else setup
    if token:
        return replace(setup, selected="" if setup.selected == token.id else token.id, space=None)
    return replace(setup, space=None if setup.space == last else last)


def _moved(setup: Setup, token: Token, to: Space) -> Setup:
    _refuse_taken(setup, to)
    moved = replace(token, column=to[0], row=to[1])
    tokens = tuple(moved if other is token else other for other in setup.tokens)
    return replace(setup, tokens=tokens, selected=token.id, space=None)


def _refuse_taken(setup: Setup, space: Space) -> None:
    holder = setup.at(space)
    if holder:
        raise _refused("a free space", f"that of {holder.id}", "grid.move.blocked")
    if setup.letter(space) in SOLID:
        raise _refused(
            "a space to stand in", f"{TERRAINS[setup.letter(space)]} at {written([space])}", "grid.move.blocked"
        )


def _put(setup: Setup, side: str, space: Space) -> Setup:
    """A new token of a side; where one stands already, it changes sides."""
    there = setup.at(space)
    if there:
        changed = replace(there, side=side)
        return replace(setup, tokens=tuple(changed if token is there else token for token in setup.tokens))
    _refuse_taken(setup, space)
    if len(setup.tokens) >= MOST_TOKENS:
        raise _refused(f"at most {MOST_TOKENS} tokens", "one more")
    taken = {token.id for token in setup.tokens}
    stem = re.sub(r"[^a-z0-9]+", "-", side.lower())[:30].strip("-") or "token"
    number = next(number for number in range(1, MOST_TOKENS + 2) if f"{stem}-{number}" not in taken)
    return replace(setup, tokens=(*setup.tokens, Token(f"{stem}-{number}", *space, side)))


def _painted(setup: Setup, letter: str, spaces: list[Space]) -> Setup:
    """Paint terrain; a wall or an obstacle takes the place of whoever stood there."""
    rows = [list(row) for row in setup.rows]
    for column, row in spaces:
        rows[row][column] = letter
    painted = replace(setup, rows=tuple("".join(row) for row in rows))
    if letter in SOLID:
        return _without(painted, [token for token in setup.tokens if token.space in spaces])
    return painted


def _marked(setup: Setup, feature: str, spaces: list[Space]) -> Setup:
    """Mark spaces, or take the mark away where the first of them has it."""
    marked = setup.features[feature]
    changed = marked - set(spaces) if spaces[0] in marked else marked | set(spaces)
    return replace(setup, features={**setup.features, feature: frozenset(changed)})


def _without(setup: Setup, gone: list[Token]) -> Setup:
    tokens = tuple(token for token in setup.tokens if token not in gone)
    selected = setup.selected if any(token.id == setup.selected for token in tokens) else ""
    return replace(setup, tokens=tokens, selected=selected)


def _sized(columns: int, rows: int) -> Callable[[Setup], Setup]:
    """Add so many columns at the right and rows at the bottom, or take them away with all that lies there."""

    def size(setup: Setup) -> Setup:
        wide = min(MOST_ACROSS, max(1, setup.columns + columns))
        tall = min(MOST_ACROSS, max(1, len(setup.rows) + rows))
        kept = [row[:wide].ljust(wide, ".") for row in setup.rows[:tall]]
        cut = replace(setup, rows=(*kept, *["." * wide] * (tall - len(kept))))
        cut = replace(cut, space=cut.space if cut.space and cut.has(cut.space) else None)
        cut = replace(cut, features={name: frozenset(filter(cut.has, setup.features[name])) for name in FEATURES})
        return _without(cut, [token for token in setup.tokens if not cut.has(token.space)])

    return size


def _cleared(setup: Setup) -> Setup:
    """Level ground everywhere; the tokens stay."""
    blank = tuple("." * setup.columns for _ in setup.rows)
    return replace(setup, rows=blank, features={name: frozenset[Space]() for name in FEATURES})


def _begun(setup: Setup) -> Setup:
    """A blank board of the first size, with nobody on it."""
    empty = {name: frozenset[Space]() for name in FEATURES}
    return replace(setup, rows=tuple(BLANK.split("/")), tokens=(), selected="", space=None, features=empty)


def _laid(ready: ReadyMap) -> Callable[[Setup], Setup]:
    """A ready map in place of the one that is there, with all where they stood, or in a free space near there."""
    rows = tuple(ready.rows.split("/"))

    def lay(setup: Setup) -> Setup:
        features = {name: frozenset(_spaces(getattr(ready, name))) for name in FEATURES}
        laid = replace(setup, shape=ready.shape, rows=rows, features=features)
        laid = replace(laid, space=laid.space if laid.space and laid.has(laid.space) else None)
        off = [each for each in laid.tokens if not laid.has(each.space) or rows[each.row][each.column] in SOLID]
        return _set_near(laid, off)

    return lay


def _set_near(laid: Setup, off: Sequence[Token]) -> Setup:
    """Each token that can't stand where it is in a free space near there; without one it leaves the board."""
    taken = {each.space for each in laid.tokens if each not in off}
    everywhere = [(column, row) for row in range(len(laid.rows)) for column in range(laid.columns)]
    free = [space for space in everywhere if laid.letter(space) not in SOLID and space not in taken]
    tokens: list[Token] = []
    for each in laid.tokens:
        if each not in off:
            tokens.append(each)
        elif free:
            _, to = min((_apart(space, each.space), space) for space in free)
            free.remove(to)
            tokens.append(replace(each, column=to[0], row=to[1]))
    kept = {each.id for each in tokens}
    return replace(laid, tokens=tuple(tokens), selected=laid.selected if laid.selected in kept else "")


def _apart(one: Space, other: Space) -> int:
    """How far two spaces lie apart, squared, as drawn in columns and rows."""
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def displaced(before: Setup, after: Setup) -> Iterator[Problem]:
    """Whom a ready map has set elsewhere, or has no space for: told, for nobody has asked for it."""
    now = {each.id: each.space for each in after.tokens}
    for each in before.tokens:
        to = now.get(each.id)
        if to != each.space:
            solid = TERRAINS[after.letter(each.space)] if after.has(each.space) else "nothing, off the map"
            got = f"On this map {each.id} would stand at {written([each.space])}: {solid}"
            expected = f"It stands at {written([to])} now, a free space near there" if to else "It has left the board"
            yield Problem("board.moved", expected, got, "act", "grid.move.blocked", "advice")


def _spaces(text: str) -> list[Space]:
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
