"""Comparison of the engine's board with the oracle's, on random boards of both shapes up to 6 × 6.

`BOARD_BOARDS=20000` and `BOARD_PAIRS=20000` in the environment make the run longer. A failure shows the smallest boards
that differ, with their seeds.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from random import Random

import pytest

from scratch_core.board import (
    Board,
    MovementTraits,
    board_from_dict,
    find_cheapest_routes,
    find_visible_spaces,
    list_path_prices,
    path_problems,
    trace_sight,
)
from tests.oracle import board_oracle as oracle
from tests.oracle.board_oracle import Mover, Scene, Space

BATCHES = 10
BOARDS = int(os.environ.get("BOARD_BOARDS", "300")) // BATCHES
PAIRS = int(os.environ.get("BOARD_PAIRS", "1000")) // BATCHES
PATHS = 4  # random paths for each board
SHOWN = 3  # differences shown for each batch
OPEN = ".....E^^~~ww"

Difference = Callable[[Scene], str]  # "" when both say the same
Change = Callable[[Scene, Random], list[Scene]]


# Random boards


def random_scene(random: Random, side: int = 6) -> Scene:
    """Build a board with tokens, from nearly empty to nearly full.

    No token is in a wall.
    """
    width, height = (max(random.randint(1, side), random.randint(1, side)) for _ in range(2))
    solid, plain = random.choice((0.0, 0.15, 0.3, 0.5)), random.choice((0.2, 0.6, 1.0))

    def letter() -> str:
        if random.random() < solid:
            return random.choice("#o")
        return "." if random.random() < plain else random.choice(OPEN)

    rows = tuple("".join(letter() for _ in range(width)) for _ in range(height))
    scene = Scene(random.choice(("square", "hex")), rows)
    return with_tokens(random, scene) if any(free(scene)) else random_scene(random, side)


def free(scene: Scene) -> Iterator[Space]:
    """Yield the spaces that a token can be in."""
    return (space for space in oracle.spaces(scene) if not oracle.has_wall_or_obstacle(scene, space))


def with_tokens(random: Random, scene: Scene) -> Scene:
    """Add a mover, the end of its line of sight, enemies, allies and cramped spaces."""
    places = list(free(scene))
    random.shuffle(places)
    start, others = places[0], places[1:]
    few = random.randint(0, min(4, len(others)))
    split = random.randint(0, few)
    cramped = random.choice((0.0, 0.2, 1.0))
    return replace(
        scene,
        start=start,
        end=random.choice(oracle.spaces(scene)),
        mover=random_mover(random),
        enemies=frozenset(others[:split]),
        allies=frozenset(others[split:few]),
        cramped=frozenset(space for space in oracle.spaces(scene) if random.random() < cramped),
        may_leave=random.random() < 0.4,
        corners=random.choice(("free", "barred")),
    )


def random_mover(random: Random) -> Mover:
    """Build a mover with a few movement abilities, or none."""
    levels = dict.fromkeys(("quickness", "flying", "acrobatics", "swimming"), 0)
    for name in random.sample(sorted(levels), random.choice((0, 1, 1, 1, 2, 2, 4))):
        levels[name] = random.randint(1, 5 if name in ("quickness", "flying") else 3)
    return Mover(random.random() < 0.6, **levels)


def random_path(random: Random, scene: Scene) -> tuple[Space, ...]:
    """Build a path of a few steps, legal or not.

    A step is sometimes longer than to a neighbour.
    """
    path, here = [], scene.start
    for _ in range(random.randint(1, 6)):
        near = sorted(oracle.around(scene.shape, here))
        inside = [
            space for space in near if oracle.letter(scene, space) and not oracle.has_wall_or_obstacle(scene, space)
        ]
        here = random.choice(inside if inside and random.random() < 0.9 else near)
        if random.random() < 0.03:
            here = (here[0] + random.choice((-1, 1)), here[1])
        path.append(here)
    return tuple(path)


# The engine's side


def build_board(scene: Scene) -> Board:
    """Build the same board for the engine."""
    cramped = [list(space) for space in sorted(scene.cramped)]
    return board_from_dict({"shape": scene.shape, "rows": list(scene.rows), "cramped": cramped})


def traits(scene: Scene) -> MovementTraits:
    """Build the same mover for the engine."""
    return MovementTraits(**{each.name: getattr(scene.mover, each.name) for each in fields(scene.mover)})


def may(scene: Scene) -> dict[str, bool]:
    """Return the engine's arguments for the edge and for corners."""
    return {"may_leave": scene.may_leave, "may_squeeze": scene.corners == "free"}


def engine_problems(scene: Scene, path: tuple[Space, ...]) -> list[str]:
    """List the rules that a path breaks, by the engine."""
    found = path_problems(
        build_board(scene), traits(scene), scene.start, path, enemies=scene.enemies, allies=scene.allies, **may(scene)
    )
    return [str(problem.rule) for problem in found]


# Differences


def differs(what: str, engine_says: object, oracle_says: object) -> str:
    """Describe both values if they differ."""
    return "" if engine_says == oracle_says else f"{what}: engine {engine_says}, oracle {oracle_says}"


def reach_difference(scene: Scene) -> str:
    """Compare the reachable spaces and their least prices.

    Each path is legal, ends in its space and has its price.
    """
    ways = find_cheapest_routes(
        build_board(scene), traits(scene), scene.start, enemies=scene.enemies, allies=scene.allies, **may(scene)
    )
    reached = {space: (way.cost, len(way.path)) for space, way in ways.items()}
    expected = oracle.reach(scene)
    for space in sorted(reached.keys() | expected.keys()):
        found = differs(f"reach {space} (cost, spaces)", reached.get(space), expected.get(space))
        if found:
            return found
    for space, way in ways.items():
        found = differs(f"path to {space} {way.path}", way.cost, oracle.path_cost(scene, way.path))
        if found or (way.path or (scene.start,))[-1] != space:
            return found or f"path to {space}: ends elsewhere, {way.path}"
    return ""


def path_difference(scene: Scene) -> str:
    """Compare whether a path is legal."""
    rules = engine_problems(scene, scene.path)
    return differs(f"path {scene.path} legal ({rules})", not rules, oracle.path_cost(scene, scene.path) is not None)


def price_difference(scene: Scene) -> str:
    """Compare the price of a legal path."""
    cost = oracle.path_cost(scene, scene.path)
    if cost is None:
        return ""
    price = sum(list_path_prices(build_board(scene), traits(scene), scene.path))
    return differs(f"path {scene.path} cost", price, cost)


def sight_difference(scene: Scene) -> str:
    """Compare whether the line from start to end is clear, and what blocks it."""
    seen = trace_sight(build_board(scene), scene.start, scene.end, scene.enemies)
    blocks = oracle.blocks(scene)
    where = f"sight {scene.start} to {scene.end}"
    return (
        differs(where, seen.is_clear, not blocks)
        or differs(f"{where} blocked by", sorted(seen.blocking_spaces), sorted(blocks))
        or differs(f"{where} ends", (seen.start, seen.end), (scene.start, scene.end))
    )


def order_difference(scene: Scene) -> str:
    """Check that blocking spaces are in order along the line.

    Two spaces that meet at a point may be in either order.
    """
    blocks = trace_sight(build_board(scene), scene.start, scene.end, scene.enemies).blocking_spaces
    ends = [oracle.centre(scene.shape, each) for each in (scene.start, scene.end)]
    parts = [oracle.cut(scene.shape, ends[0], ends[1], space) or (-1, -1) for space in blocks]
    return "" if parts == sorted(parts) else f"sight {scene.start} to {scene.end} blocked in this order: {blocks}"


def seen_difference(scene: Scene) -> str:
    """Compare the spaces in sight of the start."""
    expected = {end for end in oracle.spaces(scene) if oracle.can_see(replace(scene, end=end))}
    return differs(
        f"seen from {scene.start}",
        sorted(find_visible_spaces(build_board(scene), scene.start, scene.enemies)),
        sorted(expected),
    )


def shape_difference(scene: Scene) -> str:
    """Compare neighbours, solid corners, distance and area of every space."""
    board = build_board(scene)
    found = differs("spaces", list(board.spaces), oracle.spaces(scene))
    for space in oracle.spaces(scene):
        around = oracle.around(scene.shape, space)
        found = (
            found
            or differs(f"around {space}", sorted(board.adjacent_coordinates_even_off_board(space)), sorted(around))
            or differs(f"neighbours {space}", sorted(board.neighbours(space)), sorted(oracle.neighbours(scene, space)))
            or differs(
                f"area {space}",
                list(board.blast_area(space)),
                sorted(oracle.area(scene, space), key=lambda at: at[::-1]),
            )
        )
        for other in around:
            crosses = board.is_step_between_solids(space, other), oracle.is_across_solid_corner(scene, space, other)
            found = found or differs(f"corner {space} {other}", *crosses)
    far = oracle.distance(scene.shape, scene.start, scene.end)
    return found or differs(f"distance {scene.start} {scene.end}", board.distance(scene.start, scene.end), far)


def mirror_difference(scene: Scene) -> str:
    """Check that sight is the same both ways without tokens between."""
    board = build_board(scene)
    there, back = trace_sight(board, scene.start, scene.end), trace_sight(board, scene.end, scene.start)
    found = "" if there.is_clear == back.is_clear else f"sight {scene.start} to {scene.end} is one-way"
    return found or differs("blocks there and back", set(there.blocking_spaces), set(back.blocking_spaces))


def size(scene: Scene) -> int:
    """Return the size of a scene."""
    tokens = (scene.enemies, scene.allies, scene.cramped, scene.path)
    return len("".join(scene.rows)) + sum(len(each) for each in tokens)


def format_difference(scene: Scene, difference: Difference, seed: str) -> str:
    """Format a difference for the report."""
    tokens = f"enemies {sorted(scene.enemies)} allies {sorted(scene.allies)} cramped {sorted(scene.cramped)}"
    board = "\n".join(f"  {row}" for row in scene.rows)
    who = f"start {scene.start} {tokens} may_leave {scene.may_leave} corners {scene.corners} {scene.mover}"
    return f"seed {seed}, {scene.shape}:\n{board}\n{who}\n{difference(scene)}"


def with_paths(scene: Scene, random: Random) -> list[Scene]:
    """Return the scene with a few random paths."""
    return [replace(scene, path=random_path(random, scene)) for _ in range(PATHS)]


def from_everywhere(scene: Scene, random: Random) -> list[Scene]:
    """Return the scene with the start in each space, walls included."""
    return [replace(scene, start=space) for space in oracle.spaces(scene)]


HELD: dict[str, tuple[Difference, int, Change | None]] = {
    # `grid.move.base` to `grid.zoc.stop`, G11, G13, G14, G15, G21: where a mover can stop, and the price
    "reach": (reach_difference, BOARDS, None),
    # `grid.move.step`, `grid.move.blocked`, `grid.move.allies`, `grid.zoc.stop`: which paths are legal
    "paths": (path_difference, BOARDS, with_paths),
    # G13: the price of a legal path is what its mover has to spend on it
    "prices of paths": (price_difference, BOARDS, with_paths),
    # `grid.long.los`, G10: which spaces block the line between two spaces
    "sight": (sight_difference, PAIRS, None),
    # `grid.long.los`, G10: the blocking spaces are listed from start to end
    "the order of what blocks": (order_difference, PAIRS, None),
    # `grid.long.los`, G10: without tokens between, sight is mutual
    "sight both ways": (mirror_difference, PAIRS, None),
    # `grid.long.los`, G10: everything in sight of a space
    "everything seen": (seen_difference, max(1, PAIRS // 100), from_everywhere),
    # `grid.move.step`, `grid.blast.area`, `grid.blast.max`, G11, G20: neighbours, corners, distances, areas
    "shapes": (shape_difference, max(1, BOARDS // 4), None),
}


@pytest.mark.no_cover
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("name", HELD)
def test_engine_agrees_with_oracle_on_random_maps(name: str, batch: int) -> None:
    """On random maps engine and oracle agree.

    A failure shows the smallest differences.
    """
    difference, count, change = HELD[name]
    wrong: list[tuple[int, str, Scene]] = []
    for number in range(count):
        seed = f"{difference.__name__} {batch} {number}"
        random = Random(seed)
        scene = random_scene(random)
        wrong += [
            (size(each), seed, each) for each in (change(scene, random) if change else [scene]) if difference(each)
        ]
    found = [
        format_difference(scene, difference, seed)
        for _, seed, scene in sorted(wrong, key=lambda each: each[:2])[:SHOWN]
    ]
    assert not found, f"{len(wrong)} differences on {count} boards\n\n" + "\n\n".join(found)
