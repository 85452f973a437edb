"""The board's oracle on the catalogue's own cases and on sums by hand: what checks the engine comes first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from tests.oracle.board_oracle import (
    FLYING,
    Mover,
    Scene,
    Space,
    all_pools,
    area,
    around,
    blocks,
    crosses_corner,
    distance,
    must_stop,
    path_cost,
    payments,
    prices,
    reach,
    sees,
    spaces,
)

WIDE = ("." * 13,) * 13  # open ground; (6, 6) is 6 steps from every edge
MIDDLE = (6, 6)


def scene(*rows: str, shape: str = "square", start: Space = (0, 0), end: Space = (0, 0)) -> Scene:
    return Scene(shape, rows, start, end)


def along(row: str, mover: Mover, cramped: Iterable[Space] = ()) -> int:
    """How far to the right somebody gets from the left end of a corridor."""
    return max(column for column, _ in reach(Scene("square", (row,), mover=mover, cramped=frozenset(cramped))))


# Movement


@pytest.mark.parametrize(
    ("shape", "is_healthy", "count"),
    [("square", True, 81), ("square", False, 25), ("hex", True, 61), ("hex", False, 19)],
)
def test_open_ground(shape: str, is_healthy: bool, count: int) -> None:
    """E118 `grid.move.base`, `grid.move.step`: 4 spaces, injured 2; 9² and 5² squares, 1 + 3n(n+1) hexes."""
    found = reach(Scene(shape, WIDE, MIDDLE, mover=Mover(is_healthy)))
    assert len(found) == count
    assert all(cost == steps == distance(shape, MIDDLE, space) for space, (cost, steps) in found.items())
    assert max(cost for cost, _ in found.values()) == (4 if is_healthy else 2)


@pytest.mark.parametrize(
    ("row", "mover", "steps"),
    [
        (".^^^^^^", Mover(acrobatics=0), 2),  # E119
        (".^^^^^^", Mover(acrobatics=1), 2),  # E119
        (".^^....", Mover(acrobatics=1), 3),  # E119: 1 base left for 1 level space
        (".^^^^^^", Mover(acrobatics=2), 3),  # E119
        (".......", Mover(quickness=3), 5),  # E120
        (".......", Mover(False, quickness=4), 4),  # E120
        (".......", Mover(quickness=1), 4),  # E120
        (".^^^^^^", Mover(quickness=3), 2),  # E120
        (".^^^^^^", Mover(False, quickness=4), 1),  # E120
        (".^^^^^^", Mover(quickness=1), 2),  # E120
        (".~~~~~~", Mover(quickness=3), 2),  # `grid.move.quickness`: not in water
        (".~~~~~~", Mover(swimming=3), 3),  # E122: 6 of 7
        (".~~~.....", Mover(swimming=3), 4),  # E122: and 1 level
        (".^^^^^^", Mover(swimming=3), 2),  # E122
        (".~~~~~~", Mover(acrobatics=9), 2),  # `grid.move.acrobatics`: not in water
        (".......", Mover(acrobatics=9, swimming=9), 4),  # neither pays level ground
        (".~~~~~~", Mover(), 2),  # G15: wades
        (".wwwwww", Mover(), 0),  # G15: not into deep water
        (".wwwwww", Mover(swimming=1), 2),  # 4 of 5
        (".E.E.E.E", Mover(quickness=4), 6),  # an exit is level ground (scenario.md)
        (".wwwwww^", Mover(flying=5), 6),  # G14: over anything, at 1 each
        (".^^^^^^", Mover(flying=1), 4),  # G14: flying 1 adds nothing, but it flies
        (".~~~~~~", Mover(False, flying=2), 3),  # G13: not halved by injury
        (".........", Mover(quickness=2, flying=4), 7),  # 4 + 1 + 2: each step on foot or by air
    ],
)
def test_corridors(row: str, mover: Mover, steps: int) -> None:
    """E119, E120, E122, G13, G14, G15: what each pool pays for, in a corridor without an end in reach."""
    assert along(row, mover) == steps


def test_flying_in_a_cramped_corridor() -> None:
    """E121 `grid.move.flying`: 6 in open air, 4 where it is cramped."""
    row = "." * 9
    assert along(row, Mover(flying=5)) == 6
    assert along(row, Mover(flying=5), [(column, 0) for column in range(9)]) == 4
    assert along(".^^^^^^^", Mover(flying=5), [(1, 0)]) == 5  # 2 base on foot, then 2 base and 2 in the air


def test_allies_and_enemies() -> None:
    """E123 `grid.move.blocked`, `grid.move.allies`: through an ally, not onto it; not into an enemy."""
    corridor = Scene("square", ("......",), allies=frozenset({(1, 0)}))
    assert set(reach(corridor)) == {(0, 0), (2, 0), (3, 0), (4, 0)}
    assert path_cost(corridor, ((1, 0), (2, 0))) == 2
    assert path_cost(corridor, ((1, 0),)) is None
    barred = Scene("square", ("......",), enemies=frozenset({(1, 0)}))
    assert set(reach(barred)) == {(0, 0)}


def test_zone_of_control() -> None:
    """E125 `grid.zoc.stop`: leaving an enemy is free, entering a space next to one ends the movement."""
    grid = Scene("square", ("....",) * 4, enemies=frozenset({(1, 1)}))
    assert path_cost(grid, ((0, 1),)) == 1
    assert path_cost(grid, ((0, 1), (0, 2))) is None
    assert set(reach(grid)) == {(0, 0), (1, 0), (0, 1)}
    with_ally = Scene("square", (".....",), enemies=frozenset({(4, 0)}), allies=frozenset({(3, 0)}))
    assert set(reach(with_ally)) == {(0, 0), (1, 0), (2, 0)}  # it would have to stop on its ally


def test_corners() -> None:
    """G11: a diagonal step costs 1, whatever stands beside it; by the other reading not between two solid spaces."""
    assert crosses_corner(scene(".#", "o."), (0, 0), (1, 1))
    assert not crosses_corner(scene(".#", ".."), (0, 0), (1, 1))
    assert reach(scene(".#", "o.")) == {(0, 0): (0, 0), (1, 1): (1, 1)}
    barred = replace(scene(".#", "o."), corners="barred")
    assert set(reach(barred)) == {(0, 0)}
    assert path_cost(replace(barred, mover=Mover(flying=4)), ((1, 1),)) is None  # G14
    assert reach(replace(barred, rows=(".#", "..")))[(1, 1)] == (1, 1)
    hexes = scene(".#", "#.", shape="hex")  # (1, 1) lies beyond both: hexes have no diagonals
    assert not any(crosses_corner(hexes, a, b) for a in spaces(hexes) for b in around("hex", a))


def test_the_edge() -> None:
    """G21: a step off the board costs 1, ends the movement, and is for those who may leave."""
    still = Scene("square", ("...", "...", "..."), (1, 1), mover=Mover(False))
    assert len(reach(still)) == 9
    leaving = Scene("square", still.rows, (1, 1), mover=still.mover, may_leave=True)
    assert len(reach(leaving)) == 25
    assert reach(leaving)[(-1, -1)] == (2, 2)
    assert path_cost(leaving, ((0, 0), (-1, 0), (0, 1))) is None
    watched = Scene("square", ("....",), (0, 0), enemies=frozenset({(3, 0)}), may_leave=True)
    assert (2, -1) in reach(watched)  # from (1, 0), which nobody holds
    assert (3, -1) not in reach(watched)  # only from (2, 0), next to the enemy: `grid.zoc.stop`


def plainly(grid: Scene) -> dict[Space, int]:
    """The same once more without even a set: every path, one by one."""
    found = {grid.start: 0}
    full = sum(all_pools(grid.mover))

    def walk(a: Space, pools: tuple[int, int, int, int, int], may_go_on: bool) -> None:
        for b in around(grid.shape, a) if may_go_on else ():
            for price, extra in prices(grid, a, b):
                for left in payments(pools, price, extra):
                    if b not in grid.allies:
                        found[b] = min(found.get(b, 99), full - sum(left))
                    walk(b, left, not must_stop(grid, b))

    walk(grid.start, all_pools(grid.mover), True)
    return found


@pytest.mark.parametrize("shape", ["square", "hex"])
def test_against_every_single_path(shape: str) -> None:
    """The states after n steps lead where all the paths do, walked one by one."""
    enemy, ally, low = frozenset({(4, 3)}), frozenset({(1, 1)}), frozenset({(2, 1)})
    rows = (".^~..", "#.^o.", "~wE..", ".^...")
    for mover in (Mover(False, 2, 2, 1, 1), Mover(True), Mover(True, acrobatics=1, flying=1)):
        grid = Scene(shape, rows, (0, 0), (0, 0), mover, enemy, ally, low, may_leave=True)
        assert {space: cost for space, (cost, _) in reach(grid).items()} == plainly(grid)
        assert all_pools(mover)[FLYING] == mover.flying // 2


# Distance and area


def test_distances() -> None:
    """E129, E130: diagonal squares are neighbours, (2, 0) isn't; hexes have 6, by shared corners."""
    assert [len(around("square", (3, 3))), len(around("hex", (3, 3))), len(around("hex", (3, 2)))] == [8, 6, 6]
    assert [distance("square", (0, 0), each) for each in ((0, 0), (1, 1), (2, 0), (3, 5))] == [0, 1, 2, 5]
    assert around("hex", (1, 0)) == {(0, 0), (2, 0), (0, -1), (1, -1), (0, 1), (1, 1)}  # an even row
    assert around("hex", (1, 1)) == {(0, 1), (2, 1), (1, 0), (2, 0), (1, 2), (2, 2)}  # an odd row: half a space right
    assert [distance("hex", (0, 0), each) for each in ((1, 1), (0, 2), (2, 2), (0, 5), (4, 4))] == [2, 2, 3, 5, 6]


def test_area() -> None:
    """E133 `grid.blast.area`, `grid.blast.max`, G20: 9 squares, 7 hexes, fewer at the edge, walls or none."""
    assert len(area(Scene("square", WIDE), (5, 5))) == 9
    assert len(area(Scene("hex", WIDE), (5, 5))) == 7
    assert area(scene("###", "###"), (0, 0)) == {(0, 0), (1, 0), (0, 1), (1, 1)}


# Sight


@pytest.mark.parametrize(
    ("rows", "enemies", "start", "end", "expected"),
    [
        ((".....",), (), (0, 0), (4, 0), []),  # E132: an ally on (2, 0) is not even asked for
        ((".....",), ((2, 0),), (0, 0), (4, 0), [(2, 0)]),  # E132: an enemy
        (("..#..",), (), (0, 0), (4, 0), [(2, 0)]),  # E132: a wall
        (("..#..",), (), (4, 0), (0, 0), [(2, 0)]),
        (("..o~^",), ((3, 0),), (0, 0), (4, 0), [(2, 0), (3, 0)]),  # an obstacle; from start to end
        (("#...#",), ((0, 0), (4, 0)), (0, 0), (4, 0), []),  # G10: the ends never block
        ((".#", ".."), (), (0, 0), (1, 1), []),  # G10: one space beside a corner
        ((".#", "o."), (), (0, 0), (1, 1), [(0, 1), (1, 0)]),  # G10: both
        ((".#", ".."), ((0, 1),), (0, 0), (1, 1), [(0, 1), (1, 0)]),  # a wall and an enemy
        ((".#.", "...", ".#."), (), (0, 0), (2, 2), []),  # one at each corner, both on other sides
        (("...", ".#."), (), (0, 0), (2, 1), [(1, 1)]),  # slope ½: half of (1, 0), half of (1, 1)
        ((".#.", "..."), (), (0, 0), (2, 1), [(1, 0)]),
        (("...", "#..", "..."), (), (0, 0), (1, 2), [(0, 1)]),
        (("..#.", "...."), (), (0, 0), (3, 1), []),  # slope ⅓: by the corner of four spaces, alone
        (("....", ".#.."), (), (0, 0), (3, 1), []),
        (("..#.", ".#.."), (), (0, 0), (3, 1), [(1, 1), (2, 0)]),  # both meet there
        (("....", "..#."), (), (0, 0), (3, 1), [(2, 1)]),
    ],
)
def test_sight_on_squares(
    rows: tuple[str, ...], enemies: tuple[Space, ...], start: Space, end: Space, expected: list[Space]
) -> None:
    """`grid.long.los`, G10 on squares, by hand."""
    assert sorted(blocks(Scene("square", rows, start, end, enemies=frozenset(enemies)))) == sorted(expected)


@pytest.mark.parametrize(
    ("rows", "start", "end", "expected"),
    [
        # Straight down from (1, 0) to (1, 2): along the edge between (0, 1) and (1, 1).
        (("...", "...", "..."), (1, 0), (1, 2), []),
        (("...", "#..", "..."), (1, 0), (1, 2), []),
        (("...", ".o.", "..."), (1, 0), (1, 2), []),
        (("...", "#o.", "..."), (1, 0), (1, 2), [(0, 1), (1, 1)]),
        # From (0, 0) to (1, 1): along the edge between (1, 0) and (0, 1).
        ((".#", ".."), (0, 0), (1, 1), []),
        (("..", "#."), (0, 0), (1, 1), []),
        ((".#", "#."), (0, 0), (1, 1), [(1, 0), (0, 1)]),
        # Along a row, and along a diagonal of hexes: through the middles.
        (("..#.",), (0, 0), (3, 0), [(2, 0)]),
        (("...", "#..", "..."), (0, 0), (1, 2), [(0, 1)]),
        # At the left edge of the board (0, 0) to (0, 2) runs between (0, 1) and nothing: one side is not both.
        (("..", "#.", ".."), (0, 0), (0, 2), []),
        # (0, 0) to (4, 1), slope 3 in 9: enters (1, 0) at x = 1 and passes the corner (3, 1) of (1, 1) on to (2, 0).
        (("....", ".#..", "...."), (0, 0), (4, 1), []),
        (("..#..", ".#...", "....."), (0, 0), (4, 1), [(2, 0)]),
    ],
)
def test_sight_on_hexes(rows: tuple[str, ...], start: Space, end: Space, expected: list[Space]) -> None:
    """`grid.long.los`, G10 on hexes, by hand."""
    assert sorted(blocks(Scene("hex", rows, start, end))) == sorted(expected)
    assert sees(Scene("hex", rows, end, start)) == (not expected)
