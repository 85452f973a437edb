"""A second implementation of the board: reach by trying everything, and sight by plain geometry.

The code is simple on purpose and takes nothing from the engine. A space is a polygon with rational corners. Two
spaces are neighbours if they share a corner. A mover tries every step, on foot and through the air, and every split of
its price between the pools, until no movement is left. Sight cuts the line between two centres with every polygon.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

Space = tuple[int, int]  # (column, row) from the top left; hexes: odd rows are half a space to the right
Point = tuple[Fraction, Fraction]
Pools = tuple[int, int, int, int, int]  # movement left: base, then the four extras in the order of the names below

BASE, QUICKNESS, FLYING, ACROBATICS, SWIMMING = range(5)
SOLID = "#o"  # G10, G11: walls and obstacles; "" is off the board and blocks nothing


@dataclass(frozen=True)
class Mover:
    """A moving character: its condition and its levels of the movement abilities."""

    is_healthy: bool = True
    """Whether it is healthy; others have half the base movement."""
    quickness: int = 0
    """The level of quickness."""
    flying: int = 0
    """The level of flying."""
    acrobatics: int = 0
    """The level of acrobatics."""
    swimming: int = 0
    """The level of swimming."""


@dataclass(frozen=True)
class Scene:
    """A board, the tokens on it, and a character who moves or looks from `start` (along `path`, to `end`)."""

    shape: str
    """The shape of the spaces: `square` or `hex`."""
    rows: tuple[str, ...]
    """The letters of the spaces, a string for each row."""
    start: Space = (0, 0)
    """The space where the character is."""
    end: Space = (0, 0)
    """The space that the character looks at."""
    mover: Mover = Mover()
    """The moving character."""
    enemies: frozenset[Space] = frozenset()
    """The spaces of its enemies."""
    allies: frozenset[Space] = frozenset()
    """The spaces of its allies."""
    cramped: frozenset[Space] = frozenset()
    """The spaces without room to fly."""
    may_leave: bool = False
    """Whether it may leave the board (G21)."""
    corners: str = "free"
    """Whether steps between two solid spaces are legal: `free` or `barred` (G11)."""
    path: tuple[Space, ...] = ()
    """The path that it walks, without the start."""


# Spaces


def spaces(scene: Scene) -> list[Space]:
    """List every space, row by row."""
    return [(column, row) for row, letters in enumerate(scene.rows) for column in range(len(letters))]


def letter(scene: Scene, space: Space) -> str:
    """Return the letter of a space, or "" off the board."""
    column, row = space
    inside = 0 <= row < len(scene.rows) and 0 <= column < len(scene.rows[0])
    return scene.rows[row][column] if inside else ""


def has_wall_or_obstacle(scene: Scene, space: Space) -> bool:
    """Return whether a wall or an obstacle fills a space."""
    return letter(scene, space) in tuple(SOLID)


@cache
def centre(shape: str, space: Space) -> Point:
    """Return the centre of a space in rational numbers.

    For hexes, x is in units of √3/2 of a side, and y in units of 1/2. Stretching an axis changes no intersection.
    """
    column, row = space
    if shape == "square":
        return Fraction(column), Fraction(row)
    return Fraction(2 * column + row % 2), Fraction(3 * row)


@cache
def corners(shape: str, space: Space) -> tuple[Point, ...]:
    """Return the corners of a space, in order around it."""
    half = Fraction(1, 2)
    square = ((-half, -half), (half, -half), (half, half), (-half, half))
    pointy = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))  # pointed at top and bottom
    x, y = centre(shape, space)
    return tuple((x + dx, y + dy) for dx, dy in (square if shape == "square" else pointy))


@cache
def around(shape: str, space: Space) -> frozenset[Space]:
    """Return the spaces that share a corner with this space: `grid.move.step`, G11.

    They may be off the board.
    """
    column, row = space
    near = [(column + dx, row + dy) for dx in (-2, -1, 0, 1, 2) for dy in (-2, -1, 0, 1, 2)]
    own = set(corners(shape, space))
    return frozenset(each for each in near if each != space and own & set(corners(shape, each)))


def neighbours(scene: Scene, space: Space) -> set[Space]:
    """Return the spaces of the board that share a corner with this space."""
    return {each for each in around(scene.shape, space) if letter(scene, each)}


def distance(shape: str, a: Space, b: Space) -> int:
    """Return the fewest steps on an empty, endless board."""
    steps, found = 0, {a}
    while b not in found:
        found |= {each for space in found for each in around(shape, space)}
        steps += 1
    return steps


def area(scene: Scene, space: Space) -> set[Space]:
    """Return the spaces that a blast hits, through walls, too: `grid.blast.area`, G20."""
    return {each for each in spaces(scene) if each == space or each in around(scene.shape, space)}


@cache
def flanks(shape: str, a: Space, b: Space) -> tuple[Space, ...]:
    """Return the spaces next to the only corner that two spaces share.

    Returns () if they share an edge or nothing.
    """
    shared = set(corners(shape, a)) & set(corners(shape, b))
    if len(shared) != 1:
        return ()
    return tuple(each for each in around(shape, a) if each != b and shared & set(corners(shape, each)))


def is_across_solid_corner(scene: Scene, a: Space, b: Space) -> bool:
    """Return whether a step crosses a corner between two solid spaces: G11."""
    both_flanks = flanks(scene.shape, a, b)
    return both_flanks != () and all(has_wall_or_obstacle(scene, each) for each in both_flanks)


# Movement


def all_pools(mover: Mover) -> Pools:
    """Return all the movement of a turn.

    Rules: `grid.move.base`, `grid.move.quickness`, `grid.move.flying` and the two others.
    """
    base = 4 if mover.is_healthy else 2
    return base, mover.quickness // 2, mover.flying // 2, mover.acrobatics, mover.swimming


def prices(scene: Scene, a: Space, b: Space) -> list[tuple[int, int]]:
    """List the ways to take a step: the price and the extra pool.

    The extra pool may pay a part of the price; the base pool may pay all of it.
    """
    ground = letter(scene, b)
    if not ground:
        return [(1, BASE)] if scene.may_leave else []  # G21
    if (
        has_wall_or_obstacle(scene, b)
        or b in scene.enemies
        or (scene.corners == "barred" and is_across_solid_corner(scene, a, b))
    ):
        return []  # `grid.move.blocked`, G11
    found = []
    if ground in ".E":
        found.append((1, QUICKNESS))
    if ground == "^":
        found.append((2, ACROBATICS))
    if ground == "~" or (ground == "w" and scene.mover.swimming > 0):
        found.append((2, SWIMMING))  # G15: no one wades into deep water
    if scene.mover.flying > 0 and b not in scene.cramped:
        found.append((1, FLYING))  # G14
    return found


def payments(pools: Pools, price: int, extra: int) -> Iterator[Pools]:
    """Yield every way to pay a price from one extra pool and the base: G13."""
    for from_extra in range(price + 1):
        left = list(pools)
        left[extra] -= from_extra
        left[BASE] -= price - from_extra
        if min(left) >= 0:
            yield left[0], left[1], left[2], left[3], left[4]


def after_step(scene: Scene, pools: Pools, a: Space, b: Space) -> set[Pools]:
    """Return every possible remainder of movement after a step.

    Returns an empty set if the step is impossible.
    """
    return {left for price, extra in prices(scene, a, b) for left in payments(pools, price, extra)}


def needs_to_stop(scene: Scene, space: Space) -> bool:
    """Return whether entering this space ends the movement: `grid.zoc.stop`.

    Leaving the board ends it, too.
    """
    return not letter(scene, space) or any(each in scene.enemies for each in around(scene.shape, space))


def reach(scene: Scene) -> dict[Space, tuple[int, int]]:
    """Return where the mover can stop, with the least movement and fewest spaces.

    The number of spaces is the fewest at that price. The search walks every path at once, step by step: all pairs of a
    space and the movement left that n steps can lead to.
    """
    full = all_pools(scene.mover)
    found = {scene.start: (0, 0)}
    here, steps = {(scene.start, full)}, 0
    while here:
        steps += 1
        there = {
            (b, left)
            for a, pools in here
            if steps == 1 or not needs_to_stop(scene, a)
            for b in around(scene.shape, a)
            for left in after_step(scene, pools, a, b)
        }
        for b, left in there:
            if b not in scene.allies:  # `grid.move.allies`: passed, but nowhere to stop
                spent = (sum(full) - sum(left), steps)
                found[b] = min(spent, found.get(b, spent))
        here = there
    return found


def path_cost(scene: Scene, path: tuple[Space, ...]) -> int | None:
    """Return the least movement that a path costs the mover.

    Returns None if the path is impossible.
    """
    full = all_pools(scene.mover)
    a, pools = scene.start, {full}
    for number, b in enumerate(path):
        if b not in around(scene.shape, a) or (number and needs_to_stop(scene, a)):
            return None
        pools = {left for each in pools for left in after_step(scene, each, a, b)}
        a = b
    if not pools or a in scene.allies:
        return None
    return min(sum(full) - sum(left) for left in pools)


# Sight


def cross(o: Point, a: Point, b: Point) -> Fraction:
    """Return a number whose sign is the side of b from the line o–a."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def cut(shape: str, start: Point, end: Point, space: Space) -> tuple[Fraction, Fraction] | None:
    """Return the part of a line that is in a space, border included.

    The part is a pair of fractions of the line; returns None if there is none. A point is in a convex polygon if it is
    on the inner side of every border line.
    """
    first, last = Fraction(0), Fraction(1)
    outline = corners(shape, space)
    for a, b in zip(outline, outline[1:] + outline[:1], strict=True):
        at_start, at_end = cross(a, b, start), cross(a, b, end)  # inside: not below 0
        if at_start < 0 and at_end < 0:
            return None
        if at_start < 0:
            first = max(first, at_start / (at_start - at_end))
        if at_end < 0:
            last = min(last, at_start / (at_start - at_end))
    return (first, last) if first <= last else None


def is_within(shape: str, point: Point, space: Space) -> bool:
    """Return whether a point is inside a space, not on its border."""
    outline = corners(shape, space)
    return all(cross(a, b, point) > 0 for a, b in zip(outline, outline[1:] + outline[:1], strict=True))


def blocks(scene: Scene) -> list[Space]:
    """List the spaces that block sight, from start to end: `grid.long.los`, G10.

    A space blocks if the line passes through its inside. Where the line only touches a corner or an edge, two spaces
    block together that touch the line at the same place from both sides. The start and the end never block. Off the
    board nothing blocks.
    """
    start, end = centre(scene.shape, scene.start), centre(scene.shape, scene.end)
    through, touched = [], []
    for space in spaces(scene):
        is_blocking = has_wall_or_obstacle(scene, space) or space in scene.enemies
        if not is_blocking or space in (scene.start, scene.end):
            continue
        part = cut(scene.shape, start, end, space)
        if part is None:
            continue
        middle = (part[0] + part[1]) / 2
        point = (start[0] + middle * (end[0] - start[0]), start[1] + middle * (end[1] - start[1]))
        if is_within(scene.shape, point, space):
            through.append((part, space))
        else:
            touched.append((part, space, cross(start, end, centre(scene.shape, space)) > 0))
    pairs = [
        (part, space)
        for part, space, side in touched
        if any(other == part and other_side != side for other, _, other_side in touched)
    ]
    return [space for _, space in sorted(through + pairs)]


def can_see(scene: Scene) -> bool:
    """Return whether nothing blocks the line from start to end."""
    return not blocks(scene)
