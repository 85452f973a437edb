"""The board: spaces, lines of sight, movement, with numbers from a rule, a case of the catalogue or a sum by hand."""

from typing import Any

import pytest

from scratch_core.board import (
    MAX_BOARD_SIDE,
    Board,
    MovementTraits,
    Space,
    board_from_dict,
    board_to_dict,
    find_cheapest_routes,
    list_path_prices,
    path_problems,
    trace_sight,
)
from scratch_core.errors import ScratchError


def squares(*rows: str, **marks: Any) -> Board:
    """A board of squares."""
    return board_from_dict({"rows": list(rows), **marks})


def hexes(*rows: str, **marks: Any) -> Board:
    """A board of hexagons."""
    return board_from_dict({"shape": "hex", "rows": list(rows), **marks})


def strip(letters: str, **marks: Any) -> Board:
    """A corridor one space wide, from left to right."""
    return squares(letters, **marks)


def longest(board: Board, traits: MovementTraits, **others: Any) -> int:
    """How many spaces the character gets to the right in a corridor."""
    return max(column for column, _ in find_cheapest_routes(board, traits, (0, 0), **others))


def rules(problems: list[Any]) -> list[str]:
    """The rules that problems name."""
    return [problem.rule for problem in problems]


# Spaces


def test_space_has_8_square_or_6_hex_neighbours() -> None:
    """A square has 8 neighbours and a hexagon 6 (`grid.move.step`).

    Odd rows of hexagons are shifted to the right.
    """
    assert len(squares(*["..."] * 3).neighbours((1, 1))) == 8
    board = hexes(*["...."] * 4)
    assert set(board.neighbours((1, 1))) == {(1, 0), (2, 0), (0, 1), (2, 1), (1, 2), (2, 2)}
    assert set(board.neighbours((1, 2))) == {(0, 1), (1, 1), (0, 2), (2, 2), (0, 3), (1, 3)}
    assert set(board.neighbours((0, 0))) == {(1, 0), (0, 1)}


@pytest.mark.parametrize(("shape", "most"), [("square", 9), ("hex", 7)])
def test_area_has_9_squares_or_7_hexes(shape: str, most: int) -> None:
    """An area is a space and its neighbours: 9 squares or 7 hexagons (E133).

    Rules: `grid.blast.area`, `grid.blast.max`.
    """
    board = board_from_dict({"shape": shape, "rows": ["......."] * 7})
    assert len(board.blast_area((3, 3))) == most
    assert all(board.distance((3, 3), each) <= 1 for each in board.blast_area((3, 3)))
    assert len(board.blast_area((0, 0))) < most


def test_distance_is_the_smallest_number_of_steps() -> None:
    """The distance is the smallest number of steps (`grid.move.step`, ruling G11).

    A diagonal step counts 1.
    """
    assert squares("....", "....").distance((0, 0), (3, 1)) == 3
    board = hexes(*["....."] * 5)
    assert board.distance((0, 0), (0, 4)) == 4
    assert board.distance((0, 0), (2, 4)) == 4
    assert board.distance((0, 0), (4, 1)) == 5
    assert board.distance((0, 1), (4, 2)) == 4


def test_surroundings_follow_from_terrain_and_marks() -> None:
    """Terrain, cover, things to throw and room to fly make the surroundings (`move.terrain`, `act.cover`)."""
    board = squares("..^~wE", cover=[[0, 0]], throwable=[[2, 0]], cramped=[[4, 0]])
    assert board.offered_surroundings((0, 0)) == {"level", "open-air", "cover"}
    assert board.offered_surroundings((1, 0)) == {"level", "open-air", "throwable"}
    assert board.offered_surroundings((2, 0)) == {"climbable", "open-air", "throwable"}
    assert board.offered_surroundings((4, 0)) == {"deep-water"}
    assert board.offered_surroundings((5, 0)) == {"level", "open-air"}
    assert [space for space in board.spaces if board.is_exit(space)] == [(5, 0)]


def test_board_parses_what_it_formats_and_reports_all_problems() -> None:
    """A written board is read back as the same board.

    All problems of a board are reported at once, each with its place.
    """
    board = hexes("..#", "^~w", cover=[[0, 1]], cramped=[[1, 1], [0, 0]])
    assert board_from_dict(board_to_dict(board)) == board
    with pytest.raises(ScratchError) as caught:
        board_from_dict({"shape": "round", "rows": ["..", ".", "x."], "cover": [[5, 0], "a"], "lava": 1})
    assert [problem.where for problem in caught.value.problems] == [
        *("board", "board.shape", "board.rows[1]", "board.rows[2]", "board.cover[0]", "board.cover[1]"),
    ]


@pytest.mark.parametrize(
    "tree",
    [None, [], {}, {"rows": []}, {"rows": [""]}, {"rows": ["." * (MAX_BOARD_SIDE + 1)]}, {"rows": [1]}],
    ids=repr,
)
def test_board_from_invalid_data_is_rejected(tree: Any) -> None:
    """Invalid, unusable or oversized data is rejected."""
    with pytest.raises(ScratchError, match="expected"):
        board_from_dict(tree)


# Movement


def test_move_range_is_four_spaces_or_two_when_injured() -> None:
    """E118 (`grid.scope`, `grid.space`, `grid.move.base`): 4 spaces healthy, 2 injured, diagonals count 1."""
    board = squares(*["......"] * 6)
    assert find_cheapest_routes(board, MovementTraits(), (0, 0))[(4, 4)].cost == 4
    assert (5, 0) not in find_cheapest_routes(board, MovementTraits(), (0, 0))
    assert max(column for column, _ in find_cheapest_routes(board, MovementTraits(False), (0, 0))) == 2


@pytest.mark.parametrize(
    ("row", "traits", "steps"),
    [
        (".^^^^^^", MovementTraits(acrobatics=0), 2),  # E119
        (".^^^^^^", MovementTraits(acrobatics=1), 2),  # E119
        (".^^....", MovementTraits(acrobatics=1), 3),  # E119: 1 base left for 1 level space
        (".^^^^^^", MovementTraits(acrobatics=2), 3),  # E119
        (".......", MovementTraits(quickness=3), 5),  # E120
        (".......", MovementTraits(False, quickness=4), 4),  # E120
        (".......", MovementTraits(quickness=1), 4),  # E120
        (".^^^^^^", MovementTraits(quickness=3), 2),  # E120
        (".^^^^^^", MovementTraits(False, quickness=4), 1),  # E120
        (".^^^^^^", MovementTraits(quickness=1), 2),  # E120
        (".~~~~~~", MovementTraits(quickness=3), 2),  # `grid.move.quickness`: not in water
        (".~~~~~~", MovementTraits(swimming=3), 3),  # E122: 6 of 7
        (".~~~.....", MovementTraits(swimming=3), 4),  # E122: and 1 level
        (".^^^^^^", MovementTraits(swimming=3), 2),  # E122
        (".~~~~~~", MovementTraits(acrobatics=9), 2),  # `grid.move.acrobatics`: not in water
        (".......", MovementTraits(acrobatics=9, swimming=9), 4),  # neither pays level ground
        (".~~~~~~", MovementTraits(), 2),  # G15: wades
        (".wwwwww", MovementTraits(), 0),  # G15: not into deep water
        (".wwwwww", MovementTraits(swimming=1), 2),  # 4 of 5
        (".E.E.E.E", MovementTraits(quickness=4), 6),  # an exit is level ground (scenario.md)
        (".wwwwww^", MovementTraits(flying=5), 6),  # G14: over anything, at 1 each
        (".^^^^^^", MovementTraits(flying=1), 4),  # G14: flying 1 adds nothing, but it flies
        (".~~~~~~", MovementTraits(False, flying=2), 3),  # G13: not halved by injury
        (".........", MovementTraits(quickness=2, flying=4), 7),  # 4 + 1 + 2: each step on foot or by air
    ],
)
def test_each_pool_pays_for_its_own_spaces_in_a_corridor(row: str, traits: MovementTraits, steps: int) -> None:
    """Each pool pays for its own spaces in a corridor (E119, E120, E122).

    The corridor is longer than the character can go. Rulings: G13, G14, G15.
    """
    assert longest(strip(row), traits) == steps


def test_flyer_moves_less_in_a_cramped_corridor() -> None:
    """A flyer moves 6 spaces in open air and 4 in cramped air (E121).

    A wall stops a flyer. Rule: `grid.move.flying`.
    """
    assert longest(strip("." * 9, cramped=[[column, 0] for column in range(9)]), MovementTraits(flying=5)) == 4
    assert (
        longest(strip(".^^^^^^^", cramped=[[1, 0]]), MovementTraits(flying=5)) == 5
    )  # 2 base on foot, then 2 and 2 in the air
    assert longest(strip("...#..."), MovementTraits(flying=9)) == 2


def test_route_passes_allies_but_not_enemies() -> None:
    """E123 (`grid.move.blocked`, `grid.move.allies`): past an ally, not onto it, and not onto an enemy."""
    board = strip("......")
    ways = find_cheapest_routes(board, MovementTraits(), (0, 0), allies={(2, 0)})
    assert (2, 0) not in ways
    assert ways[(3, 0)].path == ((1, 0), (2, 0), (3, 0))
    assert rules(path_problems(board, MovementTraits(), (0, 0), [(1, 0), (2, 0)], allies={(2, 0)})) == [
        "grid.move.allies"
    ]
    assert path_problems(board, MovementTraits(), (0, 0), [(1, 0), (2, 0), (3, 0)], allies={(2, 0)}) == []
    assert "grid.move.blocked" in rules(
        path_problems(board, MovementTraits(), (0, 0), [(1, 0), (2, 0)], enemies={(2, 0)})
    )


def test_route_stops_at_first_space_next_to_enemy() -> None:
    """E125 (`grid.zoc.stop`): moving from one space next to an enemy to another ends the route."""
    board = squares("....", "....", "....")
    ways = find_cheapest_routes(board, MovementTraits(), (0, 0), enemies={(1, 1)})
    assert ways[(0, 1)].cost == 1
    assert (0, 2) not in ways or (0, 1) not in ways[(0, 2)].path[:-1]
    problems = path_problems(board, MovementTraits(), (0, 0), [(0, 1), (0, 2)], enemies={(1, 1)})
    assert rules(problems) == ["grid.zoc.stop"]


def test_route_through_ally_next_to_enemy_is_blocked() -> None:
    """The route must stop next to an enemy, but an ally's space allows no stop."""
    ways = find_cheapest_routes(strip("......"), MovementTraits(), (0, 0), enemies={(3, 0)}, allies={(2, 0)})
    assert set(ways) == {(0, 0), (1, 0)}


def test_diagonal_step_between_solid_spaces_depends_on_the_ruling() -> None:
    """A diagonal step between two solid spaces is legal or not by ruling (G11, `grid.move.blocked`)."""
    shut, start = squares(".#", "o."), (0, 0)
    assert find_cheapest_routes(shut, MovementTraits(), start)[1, 1].cost == 1
    assert path_problems(shut, MovementTraits(), start, [(1, 1)]) == []
    assert (1, 1) not in find_cheapest_routes(shut, MovementTraits(), start, may_squeeze=False)
    assert (1, 1) in find_cheapest_routes(squares("..", "o."), MovementTraits(), start, may_squeeze=False)
    assert rules(path_problems(shut, MovementTraits(), start, [(1, 1)], may_squeeze=False)) == ["grid.move.blocked"]


def test_step_off_the_map_costs_1_and_ends_the_path() -> None:
    """The step off the board costs 1 and ends the path (ruling G21, `grid.escape.exit`)."""
    board = strip("......")
    assert find_cheapest_routes(board, MovementTraits(), (2, 0), may_leave=True)[(-1, 0)].cost == 3
    assert (-1, 0) not in find_cheapest_routes(board, MovementTraits(), (2, 0))
    assert (-1, 0) not in find_cheapest_routes(board, MovementTraits(False), (2, 0), may_leave=True)
    assert rules(path_problems(board, MovementTraits(), (0, 0), [(-1, 0)])) == ["grid.escape.exit"]
    assert path_problems(board, MovementTraits(), (0, 0), [(-1, 0)], may_leave=True) == []
    assert "grid.escape.exit" in rules(
        path_problems(board, MovementTraits(), (0, 0), [(-1, 0), (0, 0)], may_leave=True)
    )


def test_path_combines_all_extra_movement() -> None:
    """Each extra pays for its own ground, and the base for the rest (ruling G13).

    A path may change between walking and flying.
    """
    mixed = MovementTraits(quickness=2, acrobatics=3, swimming=1)
    assert longest(strip("..^^~....."), mixed) == 6  # 1 quick, 2 + 1 acrobatic, 1 swum; 1 + 1 + 1 + 1 of the base
    assert longest(strip("." * 12), MovementTraits(quickness=4, flying=4)) == 8
    assert list_path_prices(strip("..^~w"), MovementTraits(swimming=1), [(1, 0), (2, 0), (3, 0), (4, 0)]) == (
        1,
        2,
        2,
        2,
    )


def test_invalid_path_problem_names_the_broken_rule() -> None:
    """The problem of an invalid path names the broken rule.

    Such a path jumps, runs into a wall, costs too much or has no space.
    """
    board = strip("..^^^^#")
    assert rules(path_problems(board, MovementTraits(), (0, 0), [])) == ["grid.move.step"]
    assert "grid.move.step" in rules(path_problems(board, MovementTraits(), (0, 0), [(3, 0)]))
    assert rules(path_problems(board, MovementTraits(), (5, 0), [(6, 0)])) == ["grid.move.blocked"]
    far = [(column, 0) for column in range(1, 5)]
    assert rules(path_problems(board, MovementTraits(quickness=4), (0, 0), far)) == [
        *("grid.move.base", "grid.move.rough", "grid.move.quickness"),
    ]


# Sight


@pytest.mark.parametrize(
    ("rows", "enemies", "start", "end", "expected"),
    [
        ((".....",), (), (0, 0), (4, 0), []),  # E132: an ally on (2, 0) doesn't count
        ((".....",), ((2, 0),), (0, 0), (4, 0), [(2, 0)]),  # E132: an enemy
        (("..#..",), (), (0, 0), (4, 0), [(2, 0)]),  # E132: a wall
        (("..#..",), (), (4, 0), (0, 0), [(2, 0)]),
        (("..o~^",), ((3, 0),), (0, 0), (4, 0), [(2, 0), (3, 0)]),  # an obstacle; from start to end
        (("#...#",), ((0, 0), (4, 0)), (0, 0), (4, 0), []),  # G10: the ends never block
        ((".#", ".."), (), (0, 0), (1, 1), []),  # G10: one space next to a corner
        ((".#", "o."), (), (0, 0), (1, 1), [(0, 1), (1, 0)]),  # G10: both
        ((".#", ".."), ((0, 1),), (0, 0), (1, 1), [(0, 1), (1, 0)]),  # a wall and an enemy
        ((".#.", "...", ".#."), (), (0, 0), (2, 2), []),  # one at each corner, on opposite sides
        (("...", ".#."), (), (0, 0), (2, 1), [(1, 1)]),  # slope ½: half of (1, 0), half of (1, 1)
        ((".#.", "..."), (), (0, 0), (2, 1), [(1, 0)]),
        (("...", "#..", "..."), (), (0, 0), (1, 2), [(0, 1)]),
        (("..#.", "...."), (), (0, 0), (3, 1), []),  # slope ⅓: through the corner of four spaces, without another
        (("....", ".#.."), (), (0, 0), (3, 1), []),
        (("..#.", ".#.."), (), (0, 0), (3, 1), [(1, 1), (2, 0)]),  # both touch the line there
        (("....", "..#."), (), (0, 0), (3, 1), [(2, 1)]),
    ],
)
def test_sight_on_squares_equals_lines_drawn_by_hand(
    rows: tuple[str, ...], enemies: tuple[Space, ...], start: Space, end: Space, expected: list[Space]
) -> None:
    """`grid.long.los`, G10 on squares, by hand."""
    assert sorted(trace_sight(squares(*rows), start, end, set(enemies)).blocking_spaces) == sorted(expected)


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
def test_sight_on_hexes_equals_lines_drawn_by_hand(
    rows: tuple[str, ...], start: Space, end: Space, expected: list[Space]
) -> None:
    """`grid.long.los`, G10 on hexes, by hand."""
    assert sorted(trace_sight(hexes(*rows), start, end).blocking_spaces) == sorted(expected)
    assert trace_sight(hexes(*rows), end, start).is_clear == (not expected)


def test_route_of_equal_cost_prefers_straight_steps() -> None:
    """Of routes with equal cost, that without needless diagonal steps is chosen."""
    ways = find_cheapest_routes(board_from_dict({"rows": ["......."] * 3}), MovementTraits(True), (1, 1))
    assert ways[5, 1].path == ((2, 1), (3, 1), (4, 1), (5, 1))


def test_sight_blocking_spaces_follow_line_order() -> None:
    """Blocking spaces are listed in the order of the line, on hexagons too.

    Worked out by hand: (1, 1) covers the line from 2/5 to 1/2, and (2, 0) from 1/2 to 3/5.
    """
    board = board_from_dict({"shape": "hex", "rows": ["..#.", ".o.."]})
    assert trace_sight(board, (0, 0), (3, 1)).blocking_spaces == ((1, 1), (2, 0))
    assert trace_sight(board, (3, 1), (0, 0)).blocking_spaces == ((2, 0), (1, 1))


def test_path_cost_is_sum_of_used_allowances() -> None:
    """A path costs 4 if two spaces are walked and one is swum (ruling G13).

    No flying is left, and the swum space costs 2; a cost of 3 would be wrong.
    """
    traits = MovementTraits(is_healthy=False, flying=1, swimming=2)
    way = find_cheapest_routes(strip("...~"), traits, (0, 0))[3, 0]
    assert list_path_prices(strip("...~"), traits, way.path) == (1, 1, 2)
    assert way.cost == 4
