"""What the rules say of a board: where the selected token can go, whom it sees, whom a blast catches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

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
    ways: Mapping[Space, Way] = field(default_factory=dict)
    exposed: Mapping[Space, tuple[Moment, ...]] = field(default_factory=dict)
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
    if setup.token is None:
        return Findings(board, setup, asked=None if setup.space is None else _here(board, setup, setup.space))
    return _found_by(setup.token, board, setup)


def _found_by(token: Token, board: Board, setup: Setup) -> Findings:
    """What there is to find for the selected token."""
    walker = Walker(not setup.is_injured, **setup.levels)
    enemies = setup.enemies_of(token)
    places = frozenset(enemy.space for enemy in enemies)
    allies = frozenset(ally.space for ally in setup.allies_of(token))
    ways = reach(board, walker, token.space, enemies=places, allies=allies)
    return Findings(
        board,
        setup,
        walker,
        enemies,
        ways,
        exposed={space: may_interrupt(board, setup, token, way.path, enemies) for space, way in ways.items()},
        seen=seen(board, token.space, places),
        zone=_zone(board, places),
        others=tuple(_other(board, setup, token, other, places) for other in setup.tokens if other is not token),
        asked=None if setup.space is None else _Asking(board, setup, token, walker, enemies).about(setup.space, ways),
        allowances=walker.allowance_parts,
    )


def _zone(board: Board, places: frozenset[Space]) -> frozenset[Space]:
    """The spaces next to enemies at those places in which somebody could stand. Rule: `grid.zoc.stop`."""
    around = frozenset(space for place in places for space in board.neighbours(place))
    return frozenset(space for space in around - places if not board.is_solid(space))


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


def _here(board: Board, setup: Setup, space: Space) -> Asked:
    """What is in a space, whoever asks."""
    around = () if board.is_solid(space) else tuple(sorted(board.surroundings(space)))
    return Asked(space, board.terrain(space), around, setup.at(space))


@dataclass(frozen=True, slots=True)
class _Asking:
    """The selected token, which asks about a space of its board."""

    board: Board
    setup: Setup
    token: Token
    walker: Walker
    enemies: tuple[Token, ...]

    def about(self, space: Space, ways: Mapping[Space, Way]) -> Asked:
        """What is there, what it has to do with the token, and the way there or why there is none."""
        board, setup = self.board, self.setup
        line = sight(board, self.token.space, space, frozenset(enemy.space for enemy in self.enemies))
        area = board.area(space)
        asked = replace(
            _here(board, setup, space),
            distance=board.distance(self.token.space, space),
            sight=line,
            blocks=blocked_by(board, setup, line.blocks),
            caught=tuple(other for other in setup.tokens if other.space in area),
            far=self.exposed_to(space),
        )
        way = ways.get(space)
        if way is None:
            return replace(asked, why_not=why_not(board, setup, self.token, self.walker, space))
        moments = may_interrupt(board, setup, self.token, way.path, self.enemies)
        return replace(asked, way=way, cost=_cost(board, self.walker, way), moments=moments)

    def exposed_to(self, space: Space) -> tuple[Token, ...]:
        """The enemies beside the token, to whom an attack at something far exposes it; nobody for one space away."""
        if self.board.distance(self.token.space, space) <= 1:
            return ()
        return tuple(enemy for enemy in self.enemies if self.board.distance(enemy.space, self.token.space) == 1)


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
