"""Movement: every space that a character can reach, the cheapest route there, and the problems of a path.

The remaining movement consists of five allowances: the base, and the extra spaces of four abilities, each for its own
terrain only. A step spends the extra of its terrain first and the base for the rest (ruling G13). Only a flyer on foot
or in the air has a choice, so for each space every remainder is stored that no other remainder there dominates.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import NamedTuple

from scratch_core.board.spaces import Board, Space, format_space
from scratch_core.errors import Problem, build_rule_problems
from scratch_core.figures import Figure, Part
from scratch_core.rulebook.actions import MOVE

Allowances = tuple[int, int, int, int, int]
"""The remaining spaces of each allowance: the base, and the extras of quickness, acrobatics, swimming and flying."""

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
class MovementTraits:
    """The properties of a character that movement depends on."""

    is_healthy: bool = True
    """Whether it is healthy rather than injured."""
    quickness: int = 0
    """Its level of quickness."""
    flying: int = 0
    """Its level of flying."""
    acrobatics: int = 0
    """Its level of acrobatics."""
    swimming: int = 0
    """Its level of swimming."""

    @property
    def movement_budgets(self) -> Allowances:
        """The spaces of each allowance at the start of a move.

        The base is 4 while healthy, else 2. The extras are half of quickness and of flying, rounded down, and all of
        acrobatics and swimming; an injury does not halve them. Rules: `grid.move.base`, `grid.move.quickness`,
        `grid.move.flying`, `grid.move.acrobatics`, `grid.move.swimming`.
        """
        base = MOVE.spaces if self.is_healthy else MOVE.spaces_injured
        return base, self.quickness // 2, self.acrobatics, self.swimming, self.flying // 2

    @property
    def allowance_parts(self) -> tuple[Part, ...]:
        """The allowances as parts with terrain and rule, without those of 0.

        Rules: `grid.move.base`, `grid.move.quickness`, `grid.move.flying`, `grid.move.acrobatics`,
        `grid.move.swimming`.
        """
        base, level, rough, water, air = self.movement_budgets
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
    """A route to a space."""

    cost: int
    """The movement that it costs."""
    path: tuple[Space, ...]
    """The spaces entered, in order, without the start."""


def find_cheapest_routes(  # noqa: PLR0913 -- everything that movement depends on
    board: Board,
    traits: MovementTraits,
    start: Space,
    *,
    enemies: Collection[Space] = (),
    allies: Collection[Space] = (),
    may_leave: bool = False,
    may_squeeze: bool = True,
) -> dict[Space, Route]:
    """Find every space where a character can stop, with the cheapest route.

    Routes at the same cost compare by the number of spaces, then by the number of diagonal steps. `enemies` and
    `allies` are the spaces that they occupy. The start is included with an empty route. With `may_leave`, coordinates
    just off the map are included; without `may_squeeze`, no diagonal step leads between two solid spaces (ruling G11).
    Rules: `grid.move.base`, `grid.move.step`, `grid.move.blocked`, `grid.move.allies`, `grid.zoc.stop`,
    `grid.escape.exit`.
    """
    ground = _Ground(board, traits, frozenset(enemies), may_leave, may_squeeze)
    friends = frozenset(allies) - {start}
    ways: dict[Space, Route] = {}
    remainders: dict[Space, list[Allowances]] = {}
    queue: list[tuple[int, int, int, int, Space, Allowances, tuple[Space, ...]]] = [
        (0, 0, 0, 0, start, traits.movement_budgets, ())
    ]
    is_square = board.shape == "square"
    count = 0
    while queue:
        cost, length, diagonals, _, space, left, path = heappop(queue)
        others = remainders.setdefault(space, [])
        if any(_is_at_least_in_all(other, left) for other in others):
            continue
        others.append(left)
        if space not in ways and space not in friends:
            ways[space] = Route(cost, path)
        if path and ground.has_to_stop(space):
            continue
        for onto in ground.list_enterable_neighbours(space):
            more_diagonals = diagonals + (is_square and onto[0] != space[0] and onto[1] != space[1])
            for price, rest in ground.list_entry_payments(onto, left):
                if not any(_is_at_least_in_all(other, rest) for other in remainders.get(onto, ())):
                    count += 1
                    heappush(queue, (cost + price, length + 1, more_diagonals, count, onto, rest, (*path, onto)))
    return ways


def _is_at_least_in_all(allowances: Allowances, minimum: Allowances) -> bool:
    """Return whether every allowance of the first is at least that of the second."""
    return (
        allowances[0] >= minimum[0]
        and allowances[1] >= minimum[1]
        and allowances[2] >= minimum[2]
        and allowances[3] >= minimum[3]
        and allowances[4] >= minimum[4]
    )


class _EntryCost(NamedTuple):
    """What it takes to enter a space."""

    on_foot: int
    """The price on foot, or 0 if the character cannot enter it on foot."""
    extra: int
    """The index in `Allowances` of the extra that its terrain can be paid with."""
    can_fly: bool
    """Whether the character can fly there, for 1."""


class _Ground:
    """The map from the view of one character: its steps, their prices, and where it has to stop."""

    def __init__(
        self, board: Board, traits: MovementTraits, enemies: frozenset[Space], may_leave: bool, may_squeeze: bool = True
    ) -> None:
        self.board = board
        self.traits = traits
        self.enemies = enemies
        self.may_leave = may_leave
        self.may_squeeze = may_squeeze
        self.guarded = frozenset(
            space for enemy in enemies for space in board.adjacent_coordinates_even_off_board(enemy)
        )
        self.known: dict[Space, _EntryCost] = {}

    def has_to_stop(self, space: Space) -> bool:
        """Return whether a character that enters the space has to stop there.

        It must next to an enemy and off the map. Rules: `grid.zoc.stop`, `grid.escape.exit`.
        """
        return space in self.guarded or space not in self.board

    def list_enterable_neighbours(self, space: Space) -> Iterator[Space]:
        """Yield the spaces that a step from a space can enter.

        Rules: `grid.move.step`, `grid.move.blocked`, `grid.escape.exit`.
        """
        for onto in self.board.adjacent_coordinates_even_off_board(space):
            if onto not in self.board:
                if self.may_leave:
                    yield onto
            elif (
                onto not in self.enemies
                and self.can_enter_terrain(onto)
                and not self.is_barred_between_solids(space, onto)
            ):
                yield onto

    def is_barred_between_solids(self, start: Space, end: Space) -> bool:
        """Return whether a step is barred because it leads between two solid spaces (ruling G11).

        Rule: `grid.move.blocked`.
        """
        return not self.may_squeeze and self.board.is_step_between_solids(start, end)

    def compute_foot_price_and_flight(self, space: Space) -> _EntryCost:
        """Return a space's price on foot, its allowance, and whether the character can fly there.

        Deep water cannot be entered on foot without swimming (ruling G15). A space that cannot be entered at all has
        price 0 and no flight. Rules: `grid.move.rough`, `grid.move.water`, `flying.requires`, `swimming.requires`.
        """
        found = self.known.get(space)
        if found is None:
            terrain, traits = self.board.terrain(space), self.traits
            if not terrain:
                found = _EntryCost(1, 0, False)
            elif terrain in ("wall", "obstacle"):
                found = _EntryCost(0, 0, False)
            else:
                price = 1 if terrain in _LEVEL else 2
                if terrain == "deep-water" and not traits.swimming:
                    price = 0
                can_fly = traits.flying > 0 and space not in self.board.cramped
                found = _EntryCost(price, _EXTRA_OF[terrain], can_fly)
            self.known[space] = found
        return found

    def can_enter_terrain(self, space: Space) -> bool:
        """Return whether the character can enter the space. Rule: `grid.move.blocked`.

        It may enter on foot or in the air.
        """
        price, _, in_air = self.compute_foot_price_and_flight(space)
        return price > 0 or in_air

    def list_entry_payments(self, space: Space, allowances: Allowances) -> Iterator[tuple[int, Allowances]]:
        """Yield the ways to pay for a step onto a space.

        Each is the price and the allowances that remain. The base allowance pays for any step; the extra of an ability
        pays only for one kind of terrain. A step on foot spends the extra of its terrain first. A character that can
        fly there may walk or fly (ruling G14), and a way that is no better than the other is left out. Walking is left
        out if it spends the base. Flying is left out if it spends the base, while walking costs 1 out of an extra.
        Yields nothing if the allowances are not enough. Rules: `grid.move.rough`, `grid.move.water`,
        `grid.move.quickness`, `grid.move.acrobatics`, `grid.move.swimming`, `grid.move.flying`."""
        price, extra, in_air = self.compute_foot_price_and_flight(space)
        on_foot = _subtract_price(allowances, extra, price) if price else None
        if not in_air:
            if on_foot:
                yield price, on_foot
            return
        flown = _subtract_price(allowances, _FLYING, 1)
        if on_foot and on_foot[0] == allowances[0]:
            yield price, on_foot
            if price == 1 and not allowances[_FLYING]:
                return
        if flown:
            yield 1, flown


def _subtract_price(allowances: Allowances, extra_index: int, price: int) -> Allowances | None:
    """Subtract a price from the extra, then from the base.

    `extra_index` is the index of the extra, or 0 for none. Returns None if the allowances are not enough.
    """
    taken = min(price, allowances[extra_index]) if extra_index else 0
    if allowances[0] < price - taken:
        return None
    rest = list(allowances)
    rest[extra_index] -= taken
    rest[0] -= price - taken
    return rest[0], rest[1], rest[2], rest[3], rest[4]


# Paths


def list_path_prices(board: Board, traits: MovementTraits, path: Sequence[Space]) -> tuple[int, ...]:
    """Return the price of each space on a path, at the lowest total.

    If the allowances are not enough, each space has its own lowest price. Rules: `grid.move.rough`, `grid.move.water`,
    `grid.move.flying`.
    """
    ground = _Ground(board, traits, frozenset(), True)
    prices_by_remainder: dict[Allowances, tuple[int, ...]] = {traits.movement_budgets: ()}
    for space in path:
        after: dict[Allowances, tuple[int, ...]] = {}
        for left, prices in prices_by_remainder.items():
            for price, rest in ground.list_entry_payments(space, left):
                after[rest] = min(after.get(rest, (*prices, price)), (*prices, price), key=sum)
        if not after:
            return tuple(1 if in_air else price for price, _, in_air in map(ground.compute_foot_price_and_flight, path))
        prices_by_remainder = after
    return min(prices_by_remainder.values(), key=sum)


def compute_path_cost(board: Board, traits: MovementTraits, path: Sequence[Space]) -> Figure:
    """Return the cost of a path, space by space.

    Costly terrain entered for 1 is flown over. Rules: `grid.move.step`, `grid.move.rough`, `grid.move.water`,
    `grid.move.flying`.
    """
    parts = []
    for space, price in zip(path, list_path_prices(board, traits, path), strict=True):
        word = board.terrain(space)
        costly = _GROUND_RULES.get(word, "")
        flown = ", flying" if costly and price == 1 else ""
        parts.append(
            Part(f"{word} {format_space(space)}{flown}", price, costly if costly and not flown else "grid.move.step")
        )
    return Figure("movement", tuple(parts))


def path_problems(  # noqa: PLR0913 -- everything that movement depends on
    board: Board,
    traits: MovementTraits,
    start: Space,
    path: Sequence[Space],
    *,
    enemies: Collection[Space] = (),
    allies: Collection[Space] = (),
    may_leave: bool = False,
    may_squeeze: bool = True,
) -> list[Problem]:
    """Return every problem of a path: its steps, obstacles, end and cost.

    `path` lists the spaces entered, without the start. Rules: `grid.move.step`, `grid.move.blocked`,
    `grid.move.allies`, `grid.zoc.stop`, `grid.move.base`, `grid.escape.exit`.
    """
    if not path:
        return build_rule_problems("path.empty", "grid.move.step", "one space or more", "none", _WHERE)
    ground = _Ground(board, traits, frozenset(enemies), may_leave, may_squeeze)
    problems = list(_step_problems(ground, start, path))
    problems += _missed_stop_problems(ground, path)
    if path[-1] in frozenset(allies) - {start}:
        got, end = f"an ally's, {format_space(path[-1])}", format_space(path[-1])
        problems += build_rule_problems(
            "path.ally-at-end", "grid.move.allies", "a free space at the end", got, _WHERE, space=end
        )
    return problems or _cost_problems(ground, path)


def _step_problems(ground: _Ground, start: Space, path: Sequence[Space]) -> Iterator[Problem]:
    board = ground.board
    for here, onto in zip((start, *path), path, strict=False):
        if onto not in board.adjacent_coordinates_even_off_board(here):
            expected = f"a space next to {format_space(here)}"
            facts = {"space": format_space(onto), "before": format_space(here)}
            yield from build_rule_problems(
                "path.not-next", "grid.move.step", expected, format_space(onto), _WHERE, **facts
            )
        elif onto not in board:
            if not ground.may_leave:
                got, rule = f"one off it, {format_space(onto)}", "grid.escape.exit"
                yield from build_rule_problems(
                    "path.off-map", rule, "a space of the board", got, _WHERE, space=format_space(onto)
                )
        elif board.has_wall_or_obstacle(onto):
            got, facts = (
                f"{board.terrain(onto)} {format_space(onto)}",
                {"space": format_space(onto), "terrain": board.terrain(onto)},
            )
            yield from build_rule_problems("path.solid", _BLOCKED, "a space that can be entered", got, _WHERE, **facts)
        elif onto in ground.enemies:
            got = f"an enemy's, {format_space(onto)}"
            yield from build_rule_problems(
                "path.enemy", _BLOCKED, "a space without an enemy", got, _WHERE, space=format_space(onto)
            )
        elif ground.is_barred_between_solids(here, onto):
            got = f"a step between two solid spaces to {format_space(onto)}"
            yield from build_rule_problems(
                "path.corner", _BLOCKED, "a way round the corner", got, _WHERE, space=format_space(onto)
            )
        elif not ground.can_enter_terrain(onto):
            rules, got = "grid.move.water swimming.requires", f"deep water in {format_space(onto)}"
            yield from build_rule_problems(
                "path.deep-water", rules, "a character who can swim", got, _WHERE, space=format_space(onto)
            )


def _missed_stop_problems(ground: _Ground, path: Sequence[Space]) -> Iterator[Problem]:
    """Yield a problem if the path continues where it must stop.

    Rules: `grid.zoc.stop`, `grid.escape.exit`.
    """
    for space in path[:-1]:
        if space not in ground.board:
            got = f"spaces after {format_space(space)}, off the board"
            yield from build_rule_problems("path.after-exit", "grid.escape.exit", "no way back", got, _WHERE)
            return
        if ground.has_to_stop(space):
            expected, rule = f"a stop in {format_space(space)}, next to an enemy", "grid.zoc.stop"
            yield from build_rule_problems(
                "path.enemy-stops", rule, expected, "spaces after it", _WHERE, space=format_space(space)
            )
            return


def _cost_problems(ground: _Ground, path: Sequence[Space]) -> list[Problem]:
    """Return problems if the allowances are not enough for the path.

    They cite the rules for the prices of its spaces and for allowances that cannot be used there. Rules:
    `grid.move.base`, `grid.move.rough`, `grid.move.water`, and those of the four abilities.
    """
    lefts: set[Allowances] = {ground.traits.movement_budgets}
    for number, space in enumerate(path):
        after = {rest for left in lefts for _, rest in ground.list_entry_payments(space, left)}
        if not after:
            return _build_path_too_long_problems(ground, path, number, max(lefts))
        lefts = after
    return []


def _build_path_too_long_problems(
    ground: _Ground, path: Sequence[Space], affordable: int, unspent: Allowances
) -> list[Problem]:
    board = ground.board
    costly = (_GROUND_RULES.get(board.terrain(space), "") for space in path)
    unused = (rule for rule, rest in zip(_EXTRA_RULES[1:], unspent[1:], strict=True) if rest)
    words = f"{affordable} space{'' if affordable == 1 else 's'}"
    rules = dict.fromkeys(("grid.move.base", *costly, *unused))
    expected, facts = f"a path of no more than {words}", {"length": len(path), "most": affordable}
    return build_rule_problems(
        "path.too-long", " ".join(filter(None, rules)), expected, f"{len(path)}", _WHERE, **facts
    )
