"""How far someone gets: every space where it can stop, the cheapest way there, and what is wrong with a path.

What is left of a movement are five allowances: the base, and the extra spaces of four abilities, each good for its own
ground alone. A step takes the extra of its ground first and the base for the rest (ruling G13). Only where a flyer may
walk or fly is there a choice, so each space keeps every remainder that no other one there is at least as good as.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from scratch_core.board.spaces import Board, Space, format_space
from scratch_core.errors import Problem, rule_problems
from scratch_core.figures import Figure, Part
from scratch_core.rulebook.actions import MOVE

Allowances = tuple[int, int, int, int, int]
"""What is left of each allowance: the base, and the extras of quickness, acrobatics, swimming and flying."""

_EXTRA_OF = {"ground": 1, "exit": 1, "rough": 2, "water": 3, "deep-water": 3}
_FLYING = 4
_LEVEL = ("ground", "exit")
_GROUND_RULES = {"rough": "grid.move.rough", "water": "grid.move.water", "deep-water": "grid.move.water"}
_EXTRA_RULES = (
    *("grid.move.base", "grid.move.quickness", "grid.move.acrobatics", "grid.move.swimming", "grid.move.flying"),
)
_WHERE = "the path"
_BLOCKED = "grid.move.blocked"


@dataclass(frozen=True, slots=True)
class Walker:
    """What movement asks of a character: whether it is healthy, and its levels of the four movement abilities."""

    is_healthy: bool = True
    quickness: int = 0
    flying: int = 0
    acrobatics: int = 0
    swimming: int = 0

    @property
    def allowances(self) -> Allowances:
        """Spaces at the start of a move: the base, then the extras of quickness, acrobatics, swimming, flying.

        4 spaces while healthy, else 2; half of quickness and of flying, rounded down, and all of the other two, which
        an injury doesn't halve. Rules: `grid.move.base`, `grid.move.quickness`, `grid.move.flying`,
        `grid.move.acrobatics`, `grid.move.swimming`.
        """
        base = MOVE.spaces if self.is_healthy else MOVE.spaces_injured
        return base, self.quickness // 2, self.acrobatics, self.swimming, self.flying // 2

    @property
    def allowance_parts(self) -> tuple[Part, ...]:
        """What it may spend on a move, each allowance with its ground and its rule; those of 0 are left out.

        Rules: `grid.move.base`, `grid.move.quickness`, `grid.move.flying`, `grid.move.acrobatics`,
        `grid.move.swimming`.
        """
        base, level, rough, water, air = self.allowances
        parts = (
            Part("healthy" if self.is_healthy else "injured", base, "grid.move.base"),
            Part("on level ground", level, "grid.move.quickness"),
            Part("in the air", air, "grid.move.flying"),
            Part("on rough ground", rough, "grid.move.acrobatics"),
            Part("in water", water, "grid.move.swimming"),
        )
        return tuple(part for part in parts if part.value)


@dataclass(frozen=True, slots=True)
class Route:
    """A way to a space: the movement it costs, and the spaces entered, without the starting one."""

    cost: int
    path: tuple[Space, ...]


def list_routes(  # noqa: PLR0913, PLR0917 -- everything that movement depends on
    board: Board,
    walker: Walker,
    start: Space,
    enemies: Collection[Space] = (),
    allies: Collection[Space] = (),
    may_leave: bool = False,
    may_squeeze: bool = True,
) -> dict[Space, Route]:
    """Find every space where a walker can stop, with the cheapest way there.

    Of ways that cost the same it is one with the fewest spaces, and then with the fewest diagonal steps. `enemies` and
    `allies` are the spaces where they stand. The start is there with an empty way. With `may_leave` there are
    coordinates just off the board too; without `may_squeeze` no diagonal step leads between two solid spaces (ruling
    G11). Rules: `grid.move.base`, `grid.move.step`, `grid.move.blocked`, `grid.move.allies`, `grid.zoc.stop`,
    `grid.escape.exit`.
    """
    ground = _Ground(board, walker, frozenset(enemies), may_leave, may_squeeze)
    friends = frozenset(allies) - {start}
    ways: dict[Space, Route] = {}
    kept: dict[Space, list[Allowances]] = {}
    queue: list[tuple[int, int, int, int, Space, Allowances, tuple[Space, ...]]] = [
        (0, 0, 0, 0, start, walker.allowances, ())
    ]
    is_square = board.shape == "square"
    count = 0
    while queue:
        cost, length, diagonals, _, space, left, path = heappop(queue)
        others = kept.setdefault(space, [])
        if any(_is_as_good(other, left) for other in others):
            continue
        others.append(left)
        if space not in ways and space not in friends:
            ways[space] = Route(cost, path)
        if path and ground.stops(space):
            continue
        for onto in ground.steps(space):
            bent = diagonals + (is_square and onto[0] != space[0] and onto[1] != space[1])
            for price, rest in ground.payments(onto, left):
                if not any(_is_as_good(other, rest) for other in kept.get(onto, ())):
                    count += 1
                    heappush(queue, (cost + price, length + 1, bent, count, onto, rest, (*path, onto)))
    return ways


def _is_as_good(one: Allowances, other: Allowances) -> bool:
    return (
        one[0] >= other[0] and one[1] >= other[1] and one[2] >= other[2] and one[3] >= other[3] and one[4] >= other[4]
    )


class _Ground:
    """The board as it is for one walker: where it may step, at what price, and where it has to stop."""

    def __init__(
        self, board: Board, walker: Walker, enemies: frozenset[Space], may_leave: bool, may_squeeze: bool = True
    ) -> None:
        self.board = board
        self.walker = walker
        self.enemies = enemies
        self.may_leave = may_leave
        self.may_squeeze = may_squeeze
        self.guarded = frozenset(space for enemy in enemies for space in board.adjacent_coordinates(enemy))
        self.known: dict[Space, tuple[int, int, bool]] = {}

    def stops(self, space: Space) -> bool:
        """Whether whoever enters the space goes no further: an enemy is next to it, or it lies off the board.

        Rules: `grid.zoc.stop`, `grid.escape.exit`.
        """
        return space in self.guarded or not self.board.contains(space)

    def steps(self, space: Space) -> Iterator[Space]:
        """The spaces that a step can lead to. Rules: `grid.move.step`, `grid.move.blocked`, `grid.escape.exit`."""
        for onto in self.board.adjacent_coordinates(space):
            if not self.board.contains(onto):
                if self.may_leave:
                    yield onto
            elif onto not in self.enemies and self.can_enter(onto) and not self.is_squeezed(space, onto):
                yield onto

    def is_squeezed(self, start: Space, end: Space) -> bool:
        """Whether a diagonal step is barred by what stands beside it (ruling G11). Rule: `grid.move.blocked`."""
        return not self.may_squeeze and self.board.is_across_corner(start, end)

    def kind(self, space: Space) -> tuple[int, int, bool]:
        """A space's price on foot (0: not on foot), the allowance of its ground, and whether the walker can fly there.

        No one walks into deep water without swimming (ruling G15). A space that can't be entered at all has price 0
        and no flight. Rules: `grid.move.rough`, `grid.move.water`, `flying.requires`, `swimming.requires`.
        """
        found = self.known.get(space)
        if found is None:
            terrain, walker = self.board.terrain(space), self.walker
            if not terrain:
                found = 1, 0, False
            elif terrain in ("wall", "obstacle"):
                found = 0, 0, False
            else:
                price = 1 if terrain in _LEVEL else 2
                if terrain == "deep-water" and not walker.swimming:
                    price = 0
                found = price, _EXTRA_OF[terrain], walker.flying > 0 and space not in self.board.cramped
            self.known[space] = found
        return found

    def can_enter(self, space: Space) -> bool:
        """Whether the walker could be in the space, on foot or in the air. Rule: `grid.move.blocked`."""
        price, _, in_air = self.kind(space)
        return price > 0 or in_air

    def payments(self, space: Space, left: Allowances) -> Iterator[tuple[int, Allowances]]:
        """The ways to pay for entering a space: the price, and what is left. On foot, and in the air (ruling G14).

        What is spent of the base could have been used anywhere, so a way on foot that needs it is no better than
        flying, and flying at the base's cost is no better than walking for as much out of an extra.
        Rules: `grid.move.rough`, `grid.move.water`, `grid.move.quickness`, `grid.move.acrobatics`,
        `grid.move.swimming`, `grid.move.flying`.
        """
        price, extra, in_air = self.kind(space)
        on_foot = _paid(left, extra, price) if price else None
        if not in_air:
            if on_foot:
                yield price, on_foot
            return
        flown = _paid(left, _FLYING, 1)
        if on_foot and on_foot[0] == left[0]:
            yield price, on_foot
            if price == 1 and not left[_FLYING]:
                return
        if flown:
            yield 1, flown


def _paid(left: Allowances, extra: int, price: int) -> Allowances | None:
    """What is left after a price, out of the extra (0: none) first and the base after it; None when it isn't enough."""
    taken = min(price, left[extra]) if extra else 0
    if left[0] < price - taken:
        return None
    rest = list(left)
    rest[extra] -= taken
    rest[0] -= price - taken
    return rest[0], rest[1], rest[2], rest[3], rest[4]


# Paths


def list_path_prices(board: Board, walker: Walker, path: Sequence[Space]) -> tuple[int, ...]:
    """What each space of a path costs the walker, where the path as a whole costs least.

    Where its allowances are not enough, the least that each space costs by itself. Rules: `grid.move.rough`,
    `grid.move.water`, `grid.move.flying`.
    """
    ground = _Ground(board, walker, frozenset(), True)
    kept: dict[Allowances, tuple[int, ...]] = {walker.allowances: ()}
    for space in path:
        after: dict[Allowances, tuple[int, ...]] = {}
        for left, prices in kept.items():
            for price, rest in ground.payments(space, left):
                after[rest] = min(after.get(rest, (*prices, price)), (*prices, price), key=sum)
        if not after:
            return tuple(1 if in_air else price for price, _, in_air in map(ground.kind, path))
        kept = after
    return min(kept.values(), key=sum)


def compute_path_cost(board: Board, walker: Walker, path: Sequence[Space]) -> Figure:
    """What a path costs the walker, space by space; a costly ground passed for 1 is flown over.

    Rules: `grid.move.step`, `grid.move.rough`, `grid.move.water`, `grid.move.flying`.
    """
    parts = []
    for space, price in zip(path, list_path_prices(board, walker, path), strict=True):
        word = board.terrain(space)
        costly = _GROUND_RULES.get(word, "")
        flown = ", flying" if costly and price == 1 else ""
        parts.append(
            Part(f"{word} {format_space(space)}{flown}", price, costly if costly and not flown else "grid.move.step")
        )
    return Figure("movement", tuple(parts))


def path_problems(  # noqa: PLR0913, PLR0917 -- everything that movement depends on
    board: Board,
    walker: Walker,
    start: Space,
    path: Sequence[Space],
    enemies: Collection[Space] = (),
    allies: Collection[Space] = (),
    may_leave: bool = False,
    may_squeeze: bool = True,
) -> list[Problem]:
    """Everything that is wrong with a path, as a whole: its steps, what blocks it, where it ends, what it costs.

    `path` lists the spaces entered, without the starting one. Rules: `grid.move.step`, `grid.move.blocked`,
    `grid.move.allies`, `grid.zoc.stop`, `grid.move.base`, `grid.escape.exit`.
    """
    if not path:
        return rule_problems("path.empty", "grid.move.step", "one space or more", "none", _WHERE)
    ground = _Ground(board, walker, frozenset(enemies), may_leave, may_squeeze)
    problems = list(_step_problems(ground, start, path))
    problems += _stop_problems(ground, path)
    if path[-1] in frozenset(allies) - {start}:
        got, end = f"an ally's, {format_space(path[-1])}", format_space(path[-1])
        problems += rule_problems(
            "path.ally-at-end", "grid.move.allies", "a free space at the end", got, _WHERE, space=end
        )
    return problems or _cost_problems(ground, path)


def _step_problems(ground: _Ground, start: Space, path: Sequence[Space]) -> Iterator[Problem]:
    board = ground.board
    for here, onto in zip((start, *path), path, strict=False):
        if onto not in board.adjacent_coordinates(here):
            expected = f"a space next to {format_space(here)}"
            facts = {"space": format_space(onto), "before": format_space(here)}
            yield from rule_problems("path.not-next", "grid.move.step", expected, format_space(onto), _WHERE, **facts)
        elif not board.contains(onto):
            if not ground.may_leave:
                got, rule = f"one off it, {format_space(onto)}", "grid.escape.exit"
                yield from rule_problems(
                    "path.off-map", rule, "a space of the board", got, _WHERE, space=format_space(onto)
                )
        elif board.is_solid(onto):
            got, facts = (
                f"{board.terrain(onto)} {format_space(onto)}",
                {"space": format_space(onto), "terrain": board.terrain(onto)},
            )
            yield from rule_problems("path.solid", _BLOCKED, "a space that can be entered", got, _WHERE, **facts)
        elif onto in ground.enemies:
            got = f"an enemy's, {format_space(onto)}"
            yield from rule_problems(
                "path.enemy", _BLOCKED, "a space without an enemy", got, _WHERE, space=format_space(onto)
            )
        elif ground.is_squeezed(here, onto):
            got = f"a step between two solid spaces to {format_space(onto)}"
            yield from rule_problems(
                "path.corner", _BLOCKED, "a way round the corner", got, _WHERE, space=format_space(onto)
            )
        elif not ground.can_enter(onto):
            rules, got = "grid.move.water swimming.requires", f"deep water in {format_space(onto)}"
            yield from rule_problems(
                "path.deep-water", rules, "a character who can swim", got, _WHERE, space=format_space(onto)
            )


def _stop_problems(ground: _Ground, path: Sequence[Space]) -> Iterator[Problem]:
    """Rules: `grid.zoc.stop`, `grid.escape.exit`."""
    for space in path[:-1]:
        if not ground.board.contains(space):
            got = f"spaces after {format_space(space)}, off the board"
            yield from rule_problems("path.after-exit", "grid.escape.exit", "no way back", got, _WHERE)
            return
        if ground.stops(space):
            expected, rule = f"a stop in {format_space(space)}, next to an enemy", "grid.zoc.stop"
            yield from rule_problems(
                "path.enemy-stops", rule, expected, "spaces after it", _WHERE, space=format_space(space)
            )
            return


def _cost_problems(ground: _Ground, path: Sequence[Space]) -> list[Problem]:
    """Whether the allowances are enough; if not, the rules that say what a space costs and what can't be used there.

    Rules: `grid.move.base`, `grid.move.rough`, `grid.move.water`, and those of the four abilities.
    """
    lefts: set[Allowances] = {ground.walker.allowances}
    for number, space in enumerate(path):
        after = {rest for left in lefts for _, rest in ground.payments(space, left)}
        if not after:
            return _allowance_problems(ground, path, number, max(lefts))
        lefts = after
    return []


def _allowance_problems(ground: _Ground, path: Sequence[Space], number: int, left: Allowances) -> list[Problem]:
    board = ground.board
    costly = (_GROUND_RULES.get(board.terrain(space), "") for space in path)
    unused = (rule for rule, rest in zip(_EXTRA_RULES[1:], left[1:], strict=True) if rest)
    words = f"{number} space{'' if number == 1 else 's'}"
    rules = dict.fromkeys(("grid.move.base", *costly, *unused))
    expected, facts = f"a path of no more than {words}", {"length": len(path), "most": number}
    return rule_problems("path.too-long", " ".join(filter(None, rules)), expected, f"{len(path)}", _WHERE, **facts)
