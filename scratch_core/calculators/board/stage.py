"""A fight's board as a drawing: everybody who stands on it, ways and moments of exposure, and all of it in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from scratch_core.board import Board, Space, Way, place
from scratch_core.calculators.board.asking import Asked, Findings, Moment
from scratch_core.calculators.board.drawing import SIGNS, Drawing, Drawn, Mark, Pen
from scratch_core.calculators.board.picture import MOST_SIDES, draw, short
from scratch_core.calculators.board.reading import FEATURES, Setup, Token
from scratch_core.state import Fighter, State

Exposed = Mapping[Space, tuple[tuple[int, tuple[str, ...]], ...]]
"""For the end of each way: the moments that expose, after so many spaces, with the ids of those who may interrupt."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What is to be seen of a state besides terrain and fighters.

    `selected` is somebody's id. `ways` are drawn with their costs, `seen` hatches all other spaces, `asked` is the
    space asked about, `is_blast` draws a blast there. `path` was walked, from its first space, `planned` is
    what is still to be walked; `strikes` are pairs of ids, an interrupter and whom it interrupts; `lines` are lines of
    fire.
    """

    selected: str = ""
    ways: Mapping[Space, Way] = field(default_factory=dict)
    exposed: Exposed = field(default_factory=dict)
    seen: frozenset[Space] | None = None
    asked: Space | None = None
    is_blast: bool = False
    path: tuple[Space, ...] = ()
    planned: tuple[Space, ...] = ()
    strikes: tuple[tuple[str, str], ...] = ()
    lines: tuple[tuple[Space, Space], ...] = ()


def standing(state: State) -> tuple[Fighter, ...]:
    """Those who have a space on the board, the fallen first: whoever stands there too lies over them."""
    board = state.board
    here = [each for each in state.fighters if board and each.at and board.contains(each.at) and not each.escaped]
    return tuple(sorted(here, key=lambda each: not each.is_down))


def board_texts(board: Board) -> dict[str, str]:
    """A board as the controls of the board calculator have it."""
    spaces = {name: sorted(getattr(board, name), key=lambda space: (space[1], space[0])) for name in FEATURES}
    lists = {name: " ".join(map(place, found)) for name, found in spaces.items()}
    return {"shape": board.shape, "map": "/".join(board.rows), **lists}


def shorts(names: Iterable[str]) -> dict[str, str]:
    """A few letters for each name; two names that begin alike have one letter more."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        letters = short(name)
        taken = set(found.values())
        choices = (letters, name[:2].capitalize(), *(f"{letters[0]}{number}" for number in range(2, 100)))
        found[name] = next((each for each in choices if each not in taken), letters)
    return found


def _setup_of(state: State, board: Board, stage: Stage) -> Setup:
    """The board calculator's own record of a state."""
    tokens = tuple(Token(each.id, *each.at, each.side) for each in standing(state) if each.at)
    features = {name: getattr(board, name) for name in FEATURES}
    return Setup(board.shape, board.rows, tokens, stage.selected, stage.asked, features)


def drawing(state: State, stage: Stage) -> Drawing:
    """Draw a state's board, which must be there. Rules: `grid.scope`, `grid.space`."""
    board = state.board
    assert board is not None
    wanted = {"moves": True, "path": True, "sight": stage.seen is not None, "blast": stage.is_blast}
    made = draw(_findings(state, board, stage), [layer for layer, is_wanted in wanted.items() if is_wanted])
    return _told(_marked(made, state, board, stage), state)


def _findings(state: State, board: Board, stage: Stage) -> Findings:
    """The board calculator's own record of what is to be seen."""
    setup = _setup_of(state, board, stage)
    tokens = {token.id: token for token in setup.tokens}
    ways = {space: way for space, way in stage.ways.items() if board.contains(space)}
    exposed = {space: _moments(space, stage, tokens) for space in ways}
    found = Findings(board, setup, ways=ways, exposed=exposed, seen=stage.seen or frozenset())
    asked = stage.asked
    if not asked or stage.selected not in tokens:
        return found
    way, moments = stage.ways.get(asked), exposed.get(asked, ())
    return replace(found, asked=Asked(asked, board.terrain(asked), (), None, way=way, moments=moments))


def _moments(space: Space, stage: Stage, tokens: Mapping[str, Token]) -> tuple[Moment, ...]:
    path = stage.ways[space].path
    start = tokens[stage.selected].space
    return tuple(
        Moment(after, path[after - 1] if after else start, tuple(tokens[each] for each in who))
        for after, who in stage.exposed.get(space, ())
    )


def _marked(made: Drawing, state: State, board: Board, stage: Stage) -> Drawing:
    """The path walked, the strikes and the lines of fire, besides what the board calculator draws."""
    pen = Pen(board)
    marks: list[Mark] = [Mark("line clear", pen.along(line) + SIGNS["line-end"](pen, line[1])) for line in stage.lines]
    if len(stage.planned) > 1:
        marks.append(Mark("line blocked", pen.along(stage.planned)))
    if len(stage.path) > 1:
        marks.append(Mark("way", pen.along(stage.path)))
    over = tuple(mark for mark in _strikes(state, pen, stage) if mark.path)
    return replace(made, marks=(*made.marks, *marks), over=(*made.over, *over))


def _strikes(state: State, pen: Pen, stage: Stage) -> tuple[Mark, Mark]:
    """A line from each interrupter to whom it interrupts, and a ring around these."""
    ends = [(state.fighter(who).at, state.fighter(whom).at) for who, whom in stage.strikes]
    pairs = [(start, end) for start, end in ends if start and end]
    around = dict.fromkeys(end for _, end in pairs)
    strikes = Mark("strike", "".join(map(pen.along, pairs)))
    return strikes, pen.mark("moment-around", around, SIGNS["moment-around"])


def _told(made: Drawing, state: State) -> Drawing:
    """The pieces with the fighters' own letters, the fallen faint, and every space said aloud with names."""
    letters = shorts(each.name for each in state.fighters)
    sides = {side: number for number, side in enumerate(dict.fromkeys(each.side for each in state.fighters), 1)}
    here = {place(each.at): each for each in standing(state) if each.at}
    pieces = tuple(
        replace(
            one,
            text=letters[who.name],
            side=min(sides[who.side], MOST_SIDES),
            look="fallen" if who.is_down else one.look,
        )
        for one, who in zip(made.pieces, standing(state), strict=True)
    )
    rows = tuple(tuple(_aloud(one, here, state) for one in row) for row in made.rows)
    return replace(made, pieces=pieces, rows=rows)


def _aloud(one: Drawn, here: Mapping[str, Fighter], state: State) -> Drawn:
    """A space with what is said of it: who stands there, what it costs, and whether it is out of sight."""
    who = here.get(one.name)
    words = [*(_holder_words(who) if who else ()), *(_cost_words(one, state) if one.cost else ())]
    if one.is_seen is False:
        words.append("not seen")
    if not words:
        return one
    terrain = one.look.partition(" ")[0].replace("-", " ")
    return replace(one, label=", ".join((f"{one.name} {terrain}", *words)))


def _holder_words(who: Fighter) -> Iterator[str]:
    yield who.name if who.side in (who.id, who.name) else f"{who.name} of {who.side}"
    if who.is_down:
        yield "down"


def _cost_words(one: Drawn, state: State) -> Iterator[str]:
    yield f"costs {one.cost}"
    if one.exposed_to:
        yield f"exposes to {' and '.join(state.fighter(each).name for each in one.exposed_to.split())}"


def who_where(state: State) -> tuple[str, ...]:
    """Everybody on the board and off it, in words."""
    board = state.board
    assert board is not None
    return tuple(f"{each.name}: {_where(board, each)}{_how(each)}" for each in state.fighters)


def _where(board: Board, who: Fighter) -> str:
    if who.escaped or who.at is None:
        return "gone"
    if not board.contains(who.at):
        return f"off the board at {place(who.at)}"
    return f"{place(who.at)}, {board.terrain(who.at).replace('-', ' ')}"


def _how(who: Fighter) -> str:
    how = {"down": who.is_down, "immobilized": who.is_immobilized, "evading": bool(who.evading)}
    words = [word for word, holds in how.items() if holds]
    return f", {', '.join(words)}" if words else ""
