"""The board: spaces, lines of sight, movement, each number from a rule, a case of the catalogue or a sum by hand."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scratch_core.board import (
    SIDE_LIMIT,
    Board,
    Space,
    Walker,
    board_tree,
    path_prices,
    path_problems,
    reach,
    read_board,
    seen,
    sight,
)
from scratch_core.errors import ScratchError
from tests.taste import examples


def squares(*rows: str, **marks: object) -> Board:
    """A board of squares."""
    return read_board({"rows": list(rows), **marks})


def hexes(*rows: str, **marks: object) -> Board:
    """A board of hexagons."""
    return read_board({"shape": "hex", "rows": list(rows), **marks})


def strip(letters: str, **marks: object) -> Board:
    """A corridor one space wide, from left to right."""
    return squares(letters, **marks)


def longest(board: Board, walker: Walker, **others: object) -> int:
    """How many spaces the walker gets to the right in a corridor."""
    return max(column for column, _ in reach(board, walker, (0, 0), **others))  # type: ignore[arg-type]


def rules(problems: list[object]) -> list[str]:
    """The rules that problems name."""
    return [problem.rule for problem in problems]  # type: ignore[attr-defined]


# Spaces


def test_surrounding_spaces() -> None:
    """A square has 8 spaces around it, a hexagon 6, and odd rows lie to the right (`grid.move.step`)."""
    assert len(squares(*["..."] * 3).neighbours((1, 1))) == 8
    board = hexes(*["...."] * 4)
    assert set(board.neighbours((1, 1))) == {(1, 0), (2, 0), (0, 1), (2, 1), (1, 2), (2, 2)}
    assert set(board.neighbours((1, 2))) == {(0, 1), (1, 1), (0, 2), (2, 2), (0, 3), (1, 3)}
    assert set(board.neighbours((0, 0))) == {(1, 0), (0, 1)}


@pytest.mark.parametrize(("shape", "most"), [("square", 9), ("hex", 7)])
def test_areas_hold_so_many(shape: str, most: int) -> None:
    """An area is a space and those around it: 9 squares, 7 hexagons (E133: `grid.blast.area`, `grid.blast.max`)."""
    board = read_board({"shape": shape, "rows": ["......."] * 7})
    assert len(board.area((3, 3))) == most
    assert all(board.distance((3, 3), each) <= 1 for each in board.area((3, 3)))
    assert len(board.area((0, 0))) < most


def test_distances_count_steps() -> None:
    """Diagonals count 1; on hexagons the distance is the fewest steps (`grid.move.step`, ruling G11)."""
    assert squares("....", "....").distance((0, 0), (3, 1)) == 3
    board = hexes(*["....."] * 5)
    assert board.distance((0, 0), (0, 4)) == 4
    assert board.distance((0, 0), (2, 4)) == 4
    assert board.distance((0, 0), (4, 1)) == 5
    assert board.distance((0, 1), (4, 2)) == 4


def test_places_offer_what_lies_there() -> None:
    """Terrain, cover, things to throw and room to fly make the surroundings (`move.terrain`, `act.cover`)."""
    board = squares("..^~wE", cover=[[0, 0]], throwable=[[2, 0]], cramped=[[4, 0]])
    assert board.surroundings((0, 0)) == {"level", "open-air", "cover"}
    assert board.surroundings((1, 0)) == {"level", "open-air", "throwable"}
    assert board.surroundings((2, 0)) == {"climbable", "open-air", "throwable"}
    assert board.surroundings((4, 0)) == {"deep-water"}
    assert board.surroundings((5, 0)) == {"level", "open-air"}
    assert [space for space in board.spaces if board.is_exit(space)] == [(5, 0)]


def test_boards_are_read_and_written() -> None:
    """What is written is read back; everything wrong is told at once, with its place."""
    board = hexes("..#", "^~w", cover=[[0, 1]], cramped=[[1, 1], [0, 0]])
    assert read_board(board_tree(board)) == board
    with pytest.raises(ScratchError) as caught:
        read_board({"shape": "round", "rows": ["..", ".", "x."], "cover": [[5, 0], "a"], "lava": 1})
    assert [problem.where for problem in caught.value.problems] == [
        *("board", "board.shape", "board.rows[1]", "board.rows[2]", "board.cover[0]", "board.cover[1]"),
    ]


@pytest.mark.parametrize(
    "tree", [None, [], {}, {"rows": []}, {"rows": [""]}, {"rows": ["." * (SIDE_LIMIT + 1)]}, {"rows": [1]}], ids=repr
)
def test_what_is_no_board_is_refused(tree: object) -> None:
    """Nothing, or nothing to stand on, or far too much is no board."""
    with pytest.raises(ScratchError, match="expected"):
        read_board(tree)


# Movement


def test_a_move_is_four_spaces_or_two() -> None:
    """E118 (`grid.scope`, `grid.space`, `grid.move.base`): 4 spaces healthy, 2 injured, diagonals count 1."""
    board = squares(*["......"] * 6)
    assert reach(board, Walker(), (0, 0))[(4, 4)].cost == 4
    assert (5, 0) not in reach(board, Walker(), (0, 0))
    assert max(column for column, _ in reach(board, Walker(False), (0, 0))) == 2


@pytest.mark.parametrize(("acrobatics", "spaces"), [(0, 2), (1, 2), (2, 3)])
def test_rough_ground(acrobatics: int, spaces: int) -> None:
    """E119 (`grid.move.rough`, `grid.move.acrobatics`): 2 spaces, 2 with one left over, 3."""
    assert longest(strip("^" * 9), Walker(acrobatics=acrobatics)) == spaces
    assert longest(strip("^^^........"), Walker(acrobatics=1)) == 3, "1 of the base is left for level ground"
    assert longest(strip("." * 9), Walker(acrobatics=acrobatics)) == 4


@pytest.mark.parametrize(
    ("walker", "level", "rough"),
    [(Walker(quickness=3), 5, 2), (Walker(False, quickness=4), 4, 1), (Walker(quickness=1), 4, 2)],
    ids=str,
)
def test_quickness(walker: Walker, level: int, rough: int) -> None:
    """E120 (`grid.move.quickness`): half of it more, on the ground alone, and not halved by an injury."""
    assert longest(strip("." * 9), walker) == level
    assert longest(strip("^" * 9), walker) == rough


def test_flying() -> None:
    """E121 (`grid.move.flying`): 6 spaces in the open air, 4 in a cramped corridor."""
    assert longest(strip("." * 9), Walker(flying=5)) == 6
    assert longest(strip("." * 9, cramped=[[column, 0] for column in range(9)]), Walker(flying=5)) == 4
    assert longest(strip(".^~w^~w.."), Walker(flying=5)) == 6, "ruling G14: 1 for each space, whatever lies below"
    assert longest(strip("...#..."), Walker(flying=9)) == 2


def test_swimming() -> None:
    """E122 (`grid.move.water`, `grid.move.swimming`): 3 of water and 1 of level ground; extras are for water alone."""
    swimmer = Walker(swimming=3)
    assert longest(strip("~" * 9), swimmer) == 3
    assert longest(strip("~~~~....."), swimmer) == 4
    assert longest(strip("^" * 9), swimmer) == 2
    assert longest(strip(".ww.."), Walker()) == 0, "ruling G15: no deep water without swimming"
    assert longest(strip(".~~.."), Walker()) == 2


def test_allies_and_enemies_in_a_corridor() -> None:
    """E123 (`grid.move.blocked`, `grid.move.allies`): past an ally, not onto it, and not onto an enemy."""
    board = strip("......")
    ways = reach(board, Walker(), (0, 0), allies={(2, 0)})
    assert (2, 0) not in ways
    assert ways[(3, 0)].path == ((1, 0), (2, 0), (3, 0))
    assert rules(path_problems(board, Walker(), (0, 0), [(1, 0), (2, 0)], (), {(2, 0)})) == ["grid.move.allies"]
    assert path_problems(board, Walker(), (0, 0), [(1, 0), (2, 0), (3, 0)], (), {(2, 0)}) == []
    assert "grid.move.blocked" in rules(path_problems(board, Walker(), (0, 0), [(1, 0), (2, 0)], {(2, 0)}))


def test_the_first_space_next_to_an_enemy_is_the_last() -> None:
    """E125 (`grid.zoc.stop`): from beside an enemy to beside it is one step, and no further."""
    board = squares("....", "....", "....")
    ways = reach(board, Walker(), (0, 0), enemies={(1, 1)})
    assert ways[(0, 1)].cost == 1
    assert (0, 2) not in ways or (0, 1) not in ways[(0, 2)].path[:-1]
    problems = path_problems(board, Walker(), (0, 0), [(0, 1), (0, 2)], {(1, 1)})
    assert rules(problems) == ["grid.zoc.stop"]


def test_an_ally_beside_an_enemy_cannot_be_passed() -> None:
    """The stop beside an enemy holds in an ally's space, where nobody can stop."""
    ways = reach(strip("......"), Walker(), (0, 0), enemies={(3, 0)}, allies={(2, 0)})
    assert set(ways) == {(0, 0), (1, 0)}


def test_diagonals_between_solid_spaces() -> None:
    """Nothing beside a diagonal step bars it, or two solid spaces do (ruling G11, `grid.move.blocked`)."""
    shut, start = squares(".#", "o."), (0, 0)
    assert reach(shut, Walker(), start)[1, 1].cost == 1
    assert path_problems(shut, Walker(), start, [(1, 1)]) == []
    assert (1, 1) not in reach(shut, Walker(), start, may_squeeze=False)
    assert (1, 1) in reach(squares("..", "o."), Walker(), start, may_squeeze=False)
    assert rules(path_problems(shut, Walker(), start, [(1, 1)], may_squeeze=False)) == ["grid.move.blocked"]


def test_leaving_by_the_edge() -> None:
    """The step off the board costs 1 and ends the path (ruling G21, `grid.escape.exit`)."""
    board = strip("......")
    assert reach(board, Walker(), (2, 0), may_leave=True)[(-1, 0)].cost == 3
    assert (-1, 0) not in reach(board, Walker(), (2, 0))
    assert (-1, 0) not in reach(board, Walker(False), (2, 0), may_leave=True)
    assert rules(path_problems(board, Walker(), (0, 0), [(-1, 0)])) == ["grid.escape.exit"]
    assert path_problems(board, Walker(), (0, 0), [(-1, 0)], may_leave=True) == []
    assert "grid.escape.exit" in rules(path_problems(board, Walker(), (0, 0), [(-1, 0), (0, 0)], may_leave=True))


def test_extras_are_mixed_in_one_path() -> None:
    """Ruling G13: each extra on its own ground, the base for the rest, by walking and flying in turn."""
    mixed = Walker(quickness=2, acrobatics=3, swimming=1)
    assert longest(strip("..^^~....."), mixed) == 6  # 1 quick, 2 + 1 acrobatic, 1 swum; 1 + 1 + 1 + 1 of the base
    assert longest(strip("." * 12), Walker(quickness=4, flying=4)) == 8
    assert path_prices(strip("..^~w"), Walker(swimming=1), [(1, 0), (2, 0), (3, 0), (4, 0)]) == (1, 2, 2, 2)


def test_paths_name_what_is_wrong() -> None:
    """A path that jumps, runs into a wall, costs too much or goes nowhere names the rule."""
    board = strip("..^^^^#")
    assert rules(path_problems(board, Walker(), (0, 0), [])) == ["grid.move.step"]
    assert "grid.move.step" in rules(path_problems(board, Walker(), (0, 0), [(3, 0)]))
    assert rules(path_problems(board, Walker(), (5, 0), [(6, 0)])) == ["grid.move.blocked"]
    far = [(column, 0) for column in range(1, 5)]
    assert rules(path_problems(board, Walker(quickness=4), (0, 0), far)) == [
        *("grid.move.base", "grid.move.rough", "grid.move.quickness"),
    ]


# Sight


def test_what_blocks_a_line() -> None:
    """E132 (`grid.long.los`, `grid.long.allies`): an ally doesn't, an enemy and a wall do; ruling G10."""
    assert sight(strip("....."), (0, 0), (4, 0)).is_clear
    assert sight(strip("....."), (0, 0), (4, 0), {(2, 0)}).blocks == ((2, 0),)
    assert sight(strip("..#o."), (4, 0), (0, 0)).blocks == ((3, 0), (2, 0))
    assert sight(strip("....."), (0, 0), (4, 0), {(0, 0), (4, 0)}).is_clear


def test_corners_take_two() -> None:
    """A line exactly through a corner is blocked when both spaces beside it block (ruling G10)."""
    assert sight(squares(".#", ".."), (0, 0), (1, 1)).is_clear
    assert sight(squares(".#", "o."), (0, 0), (1, 1)).blocks in (((1, 0), (0, 1)), ((0, 1), (1, 0)))
    assert not sight(squares(".#.", "#..", "..."), (0, 0), (2, 2)).is_clear
    assert sight(squares(".#.", "..#", "..."), (0, 0), (2, 2)).is_clear, "one beside each of two corners"


def test_edges_take_two() -> None:
    """A line along an edge of hexagons is blocked when the spaces on both sides block (ruling G10)."""
    assert sight(hexes("..", "#.", ".."), (1, 0), (1, 2)).is_clear
    assert not sight(hexes("..", "##", ".."), (1, 0), (1, 2)).is_clear
    assert sight(hexes("...", ".#.", "..."), (0, 0), (1, 1)).blocks == ()
    assert sight(hexes("....", "#...", "...."), (0, 0), (1, 1)).is_clear
    assert not sight(hexes("##..", "##..", "...."), (0, 0), (1, 1)).is_clear


ROWS = st.integers(1, 6).flatmap(
    lambda width: st.lists(st.text("..#o~^", min_size=width, max_size=width), min_size=1, max_size=6)
)
BOARDS = st.builds(
    lambda shape, rows: read_board({"shape": shape, "rows": rows}), st.sampled_from(["square", "hex"]), ROWS
)


@settings(max_examples=examples(80), deadline=None)
@given(BOARDS, st.data())
def test_sight_goes_both_ways_and_agrees_with_fractions(board: Board, data: st.DataObject) -> None:
    """Sight there is sight back; it is what cutting each space's outline by fractions says (`grid.long.los`)."""
    blockers = data.draw(st.sets(st.sampled_from(board.spaces), max_size=3))
    start = data.draw(st.sampled_from(board.spaces))
    clear = seen(board, start, blockers)
    for end in board.spaces:
        there = sight(board, start, end, blockers)
        assert there.is_clear == (end in clear) == sight(board, end, start, blockers).is_clear
        assert there.is_clear == (not _is_cut(board, start, end, blockers)), (board, start, end, blockers)
        assert set(there.blocks) <= {each for each in board.spaces if board.is_solid(each)} | blockers


def _is_cut(board: Board, start: Space, end: Space, blockers: set[Space]) -> bool:
    """Whether something blocks: every space's outline clipped against the line, touches compared by their place."""
    touches: list[tuple[tuple[Fraction, Fraction], int]] = []
    for space in board.spaces:
        if space in (start, end) or not (board.is_solid(space) or space in blockers):
            continue
        for part in _touched(board, start, end, space):
            if part[1] == 0:
                return True
            touches.append(part)
    return any(one[0] == other[0] and one[1] == -other[1] for one in touches for other in touches)


def _touched(board: Board, start: Space, end: Space, space: Space) -> Iterator[tuple[tuple[Fraction, Fraction], int]]:
    """The part of the line inside a space, as shares of its length; 0 inside, else the side on which the space lies."""
    (x, y), (to_x, to_y) = board.centre(start), board.centre(end)
    across, down = to_x - x, to_y - y
    if (across, down) == (0, 0):
        return
    corners = board.corners(space)
    low, high = Fraction(0), Fraction(1)
    for (ax, ay), (bx, by) in zip(corners, (*corners[1:], corners[0]), strict=True):
        # inside is to the right of every edge, going clockwise with y downwards
        rise = (bx - ax) * down - (by - ay) * across
        base = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if rise == 0:
            if base < 0:
                return
        elif rise > 0:
            low = max(low, Fraction(-base, rise))
        else:
            high = min(high, Fraction(-base, rise))
    if low > high:
        return
    middle = board.centre(space)
    side = across * (middle[1] - y) - down * (middle[0] - x)
    sides = [across * (cy - y) - down * (cx - x) for cx, cy in corners]
    is_inside = min(sides) < 0 < max(sides)
    if is_inside and low < high:
        yield (low, high), 0
    elif not is_inside and (low < high or board.shape == "square"):
        yield (low, high), 1 if side > 0 else -1


@settings(max_examples=examples(60), deadline=None)
@given(BOARDS, st.data())
def test_every_way_is_a_legal_path_of_its_cost(board: Board, data: st.DataObject) -> None:
    """Whatever can be reached has a path that nothing is wrong with, and costs what it says (`grid.move.base`)."""
    free = [space for space in board.spaces if not board.is_solid(space)]
    if not free:
        return
    start = data.draw(st.sampled_from(free))
    level = st.integers(0, 3)
    walker = data.draw(st.builds(Walker, st.booleans(), level, level, level, level))
    enemies = data.draw(st.sets(st.sampled_from(free), max_size=2)) - {start}
    allies = data.draw(st.sets(st.sampled_from(free), max_size=2)) - {start} - enemies
    for space, way in reach(board, walker, start, enemies, allies, may_leave=True).items():
        assert space == (way.path[-1] if way.path else start)
        assert space not in allies | enemies
        assert not board.is_solid(space)
        if way.path:
            assert path_problems(board, walker, start, way.path, enemies, allies, may_leave=True) == []
            assert way.cost == sum(path_prices(board, walker, way.path))


def test_a_way_goes_straight_where_it_can() -> None:
    """Of ways that cost the same the one without needless diagonal steps is given."""
    ways = reach(read_board({"rows": ["......."] * 3}), Walker(True), (1, 1))
    assert ways[5, 1].path == ((2, 1), (3, 1), (4, 1), (5, 1))


def test_what_blocks_stands_in_the_order_of_the_line() -> None:
    """On hexagons too: by hand, the line lies in (1, 1) from 2/5 to 1/2 of its way, in (2, 0) from there to 3/5."""
    board = read_board({"shape": "hex", "rows": ["..#.", ".o.."]})
    assert sight(board, (0, 0), (3, 1)).blocks == ((1, 1), (2, 0))
    assert sight(board, (3, 1), (0, 0)).blocks == ((2, 0), (1, 1))


def test_a_path_costs_what_it_takes_from_the_allowances() -> None:
    """Ruling G13: who flies without a space to spare walks 2 of the base and swims the third at 2: 4, not 3."""
    walker = Walker(is_healthy=False, flying=1, swimming=2)
    way = reach(strip("...~"), walker, (0, 0))[3, 0]
    assert path_prices(strip("...~"), walker, way.path) == (1, 1, 2)
    assert way.cost == 4
