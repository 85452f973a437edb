"""What the rules say of a board: where the selected token can go, whom it sees, whom a blast catches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from scratch_core.actions.interrupting import moments_of_move
from scratch_core.board import Board, Sight, Space, Walker, Way, path_prices, reach, read_board, seen, sight
from scratch_core.calculators.board.reading import FEATURES, Setup, Token, written
from scratch_core.catalogue import Rulings
from scratch_core.figures import Figure, Part


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of a move at which enemies may interrupt: after so many spaces (0 before the first), in that space."""

    after: int
    space: Space
    enemies: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Other:
    """What the selected token has to do with another one; `sight` says why it is not seen."""

    token: Token
    is_enemy: bool
    distance: int
    sight: Sight
    blocks: str


@dataclass(frozen=True, slots=True)
class Asked:
    """The space asked about.

    `way` and `cost` are None, and `why_not` says why with a rule, where the selected token cannot stop there. `caught`
    are those whom a blast aimed there rolls for; `far` the enemies to whom an attack that far away exposes.
    """

    space: Space
    terrain: str
    here: tuple[str, ...]
    holder: Token | None
    distance: int | None = None
    way: Way | None = None
    cost: Figure | None = None
    why_not: tuple[str, str] | None = None
    moments: tuple[Moment, ...] = ()
    sight: Sight | None = None
    blocks: str = ""
    caught: tuple[Token, ...] = ()
    far: tuple[Token, ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """Everything worked out for one board; without a selected token only the board, and the space asked about."""

    board: Board
    setup: Setup
    walker: Walker | None = None
    enemies: tuple[Token, ...] = ()
    ways: Mapping[Space, Way] | None = None
    exposed: Mapping[Space, tuple[Moment, ...]] | None = None
    seen: frozenset[Space] = frozenset()
    zone: frozenset[Space] = frozenset()
    others: tuple[Other, ...] = ()
    asked: Asked | None = None
    allowances: tuple[Part, ...] = ()


def board_of(setup: Setup) -> Board:
    """The engine's board."""
    features = {name: [list(space) for space in sorted(setup.features[name])] for name in FEATURES}
    return read_board({"shape": setup.shape, "rows": list(setup.rows), **features})


def find(setup: Setup) -> Findings:
    """Ask the engine everything about a board and its selected token.

    Reach and cost (`grid.move.base`, `grid.move.blocked`, `grid.move.allies`, `grid.zoc.stop`), sight (`grid.long.los`,
    `grid.long.allies`), blasts (`grid.blast.area`) and exposures (`grid.interrupt.trigger.move`).
    """
    board = board_of(setup)
    token = setup.token
    if token is None:
        return Findings(board, setup, asked=_asked_alone(board, setup))
    walker = Walker(not setup.is_injured, **setup.levels)
    enemies = tuple(other for other in setup.tokens if other.side != token.side)
    places = frozenset(enemy.space for enemy in enemies)
    allies = frozenset(other.space for other in setup.tokens if other.side == token.side and other is not token)
    ways = reach(board, walker, token.space, enemies=places, allies=allies)
    found = Findings(
        board,
        setup,
        walker,
        enemies,
        ways,
        {space: may_interrupt(board, setup, token, way.path, enemies) for space, way in ways.items()},
        seen(board, token.space, places),
        frozenset(space for place in places for space in board.neighbours(place) if not board.is_solid(space)) - places,
        tuple(_other(board, setup, token, other, places) for other in setup.tokens if other is not token),
        None,
        walker.allowance_parts,
    )
    return found if setup.space is None else replace(found, asked=_asked(found, token, walker, setup.space))


def may_interrupt(
    board: Board, setup: Setup, token: Token, path: tuple[Space, ...], enemies: tuple[Token, ...]
) -> tuple[Moment, ...]:
    """The moments of a move at which enemies next to it may interrupt, by the reading chosen.

    A move of one space exposes nobody. Rules: `grid.interrupt.trigger.move`, `grid.interrupt.what`, ruling G01.
    """
    reading = setup.interrupt_move or Rulings().interrupt_move
    places = [(after, path[after - 1] if after else token.space) for after in moments_of_move(path, reading)]
    found = (
        Moment(after, space, tuple(enemy for enemy in enemies if board.distance(enemy.space, space) == 1))
        for after, space in places
    )
    return tuple(moment for moment in found if moment.enemies)


def blocked_by(board: Board, setup: Setup, blocks: tuple[Space, ...]) -> str:
    """What blocks a line of sight, in words: `wall at 4,2 and red-1 at 5,2`."""
    words = []
    for space in blocks:
        holder = setup.at(space)
        words.append(
            f"{holder.id if holder and not board.is_solid(space) else board.terrain(space)} at {written([space])}"
        )
    return " and ".join(words)


def _other(board: Board, setup: Setup, token: Token, other: Token, places: frozenset[Space]) -> Other:
    line = sight(board, token.space, other.space, places)
    distance = board.distance(token.space, other.space)
    return Other(other, other.side != token.side, distance, line, blocked_by(board, setup, line.blocks))


def _asked_alone(board: Board, setup: Setup) -> Asked | None:
    if setup.space is None:
        return None
    return Asked(setup.space, board.terrain(setup.space), _here(board, setup.space), setup.at(setup.space))


def _here(board: Board, space: Space) -> tuple[str, ...]:
    return () if board.is_solid(space) else tuple(sorted(board.surroundings(space)))


def _asked(found: Findings, token: Token, walker: Walker, space: Space) -> Asked:
    board, setup, enemies = found.board, found.setup, found.enemies
    way = (found.ways or {}).get(space)
    line = sight(board, token.space, space, frozenset(enemy.space for enemy in enemies))
    distance = board.distance(token.space, space)
    area = board.area(space)
    beside = tuple(enemy for enemy in enemies if board.distance(enemy.space, token.space) == 1)
    return Asked(
        space,
        board.terrain(space),
        _here(board, space),
        setup.at(space),
        distance,
        way,
        _cost(board, walker, way) if way else None,
        None if way else why_not(board, setup, token, walker, space),
        may_interrupt(board, setup, token, way.path, enemies) if way else (),
        line,
        blocked_by(board, setup, line.blocks),
        tuple(other for other in setup.tokens if other.space in area),
        beside if distance > 1 else (),
    )


def _cost(board: Board, walker: Walker, way: Way) -> Figure:
    """What the way costs, step by step.

    Rules: `grid.move.step`, `grid.move.rough`, `grid.move.water`, `grid.move.flying`.
    """
    parts = []
    for space, price in zip(way.path, path_prices(board, walker, way.path), strict=True):
        word = board.terrain(space)
        rules = {"rough": "grid.move.rough", "water": "grid.move.water", "deep-water": "grid.move.water"}
        rule = rules.get(word, "grid.move.step") if price > 1 else "grid.move.step"
        flies = word in rules and price == 1
        parts.append(Part(f"{word} {written([space])}{', flying' if flies else ''}", price, rule))
    return Figure("movement", tuple(parts))


def why_not(board: Board, setup: Setup, token: Token, walker: Walker, space: Space) -> tuple[str, str]:
    """Why the selected token cannot stop in a space, and by which rule."""
    holder = setup.at(space)
    if board.is_solid(space):
        return f"{board.terrain(space)}: nobody can stand there", "grid.move.blocked"
    if holder and holder.side == token.side:
        return f"{holder.id} stands there: passing is allowed, stopping is not", "grid.move.allies"
    if holder:
        return f"{holder.id} stands there, an enemy", "grid.move.blocked"
    if board.terrain(space) == "deep-water" and not (walker.swimming or walker.flying):
        return "deep water needs swimming", "swimming.requires"
    if space in reach(board, walker, token.space):
        return "enemies stand in the way, or end the move beside them", "grid.zoc.stop"
    return "too far for one move", "grid.move.base"
