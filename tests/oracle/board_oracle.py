"""The board a second time: what can be reached, what can be seen, by trying everything and by plain geometry.

Nothing here is clever and nothing comes from the engine. A space is a polygon with rational corners. Two spaces are
neighbours when they share a corner. Whoever moves tries every step, on foot and through the air, and every split of its
price between the pools, until nothing is left to spend. Sight cuts the line between two centres with every polygon.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

Space = tuple[int, int]  # (column, row) from the top left; hexes: odd rows stand half a space to the right
Point = tuple[Fraction, Fraction]
Pools = tuple[int, int, int, int, int]  # movement left: base, then the four extras in the order of the names below

BASE, QUICKNESS, FLYING, ACROBATICS, SWIMMING = range(5)
SOLID = "#o"  # G10, G11: walls and obstacles; "" is off the board and blocks nothing


@dataclass(frozen=True)
class Mover:
    """Whoever moves: its condition and its levels of the movement abilities."""

    is_healthy: bool = True
    quickness: int = 0
    flying: int = 0
    acrobatics: int = 0
    swimming: int = 0


@dataclass(frozen=True)
class Scene:
    """A board, who stands where, and who wants to move or look from `start` (along `path`, to `end`)."""

    shape: str
    rows: tuple[str, ...]
    start: Space = (0, 0)
    end: Space = (0, 0)
    mover: Mover = Mover()
    enemies: frozenset[Space] = frozenset()
    allies: frozenset[Space] = frozenset()
    cramped: frozenset[Space] = frozenset()
    may_leave: bool = False
    corners: str = "free"
    path: tuple[Space, ...] = ()


# Spaces


def spaces(scene: Scene) -> list[Space]:
    """Every space, row by row."""
    return [(column, row) for row, letters in enumerate(scene.rows) for column in range(len(letters))]


def letter(scene: Scene, space: Space) -> str:
    """The letter of a space; "" off the board."""
    column, row = space
    inside = 0 <= row < len(scene.rows) and 0 <= column < len(scene.rows[0])
    return scene.rows[row][column] if inside else ""


def is_solid(scene: Scene, space: Space) -> bool:
    """Whether a wall or an obstacle fills a space."""
    return letter(scene, space) in tuple(SOLID)


@cache
def centre(shape: str, space: Space) -> Point:
    """The middle of a space. Hexes: x in units of √3/2, y in units of 1/2 of a side, so that all is rational.

    Stretching an axis moves no crossing: what a line cuts or touches stays cut or touched.
    """
    column, row = space
    if shape == "square":
        return Fraction(column), Fraction(row)
    return Fraction(2 * column + row % 2), Fraction(3 * row)


@cache
def corners(shape: str, space: Space) -> tuple[Point, ...]:
    """The corners of a space, in order round it."""
    half = Fraction(1, 2)
    square = ((-half, -half), (half, -half), (half, half), (-half, half))
    pointy = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))  # pointed at top and bottom
    x, y = centre(shape, space)
    return tuple((x + dx, y + dy) for dx, dy in (square if shape == "square" else pointy))


@cache
def around(shape: str, space: Space) -> frozenset[Space]:
    """The spaces that share a corner with this one, on the board or not: `grid.move.step`, G11."""
    column, row = space
    near = [(column + dx, row + dy) for dx in (-2, -1, 0, 1, 2) for dy in (-2, -1, 0, 1, 2)]
    own = set(corners(shape, space))
    return frozenset(each for each in near if each != space and own & set(corners(shape, each)))


def neighbours(scene: Scene, space: Space) -> set[Space]:
    """The spaces of the board that share a corner with this one."""
    return {each for each in around(scene.shape, space) if letter(scene, each)}


def distance(shape: str, a: Space, b: Space) -> int:
    """The fewest steps over open country without an end."""
    steps, found = 0, {a}
    while b not in found:
        found |= {each for space in found for each in around(shape, space)}
        steps += 1
    return steps


def area(scene: Scene, space: Space) -> set[Space]:
    """What a blast at this space strikes, walls or none: `grid.blast.area`, G20."""
    return {each for each in spaces(scene) if each == space or each in around(scene.shape, space)}


@cache
def flanks(shape: str, a: Space, b: Space) -> tuple[Space, ...]:
    """The spaces beside the only corner that two spaces share; () when they share an edge or nothing."""
    shared = set(corners(shape, a)) & set(corners(shape, b))
    if len(shared) != 1:
        return ()
    return tuple(each for each in around(shape, a) if each != b and shared & set(corners(shape, each)))


def crosses_corner(scene: Scene, a: Space, b: Space) -> bool:
    """Whether a step goes across a corner with a solid space on either side: G11."""
    beside = flanks(scene.shape, a, b)
    return beside != () and all(is_solid(scene, each) for each in beside)


# Movement


def all_pools(mover: Mover) -> Pools:
    """All the movement of a turn: `grid.move.base`, `grid.move.quickness`, `grid.move.flying` and the two others."""
    base = 4 if mover.is_healthy else 2
    return base, mover.quickness // 2, mover.flying // 2, mover.acrobatics, mover.swimming


def prices(scene: Scene, a: Space, b: Space) -> list[tuple[int, int]]:
    """Each way of taking a step: its price, and the pool that may help to pay it. Base pays everything."""
    ground = letter(scene, b)
    if not ground:
        return [(1, BASE)] if scene.may_leave else []  # G21
    if is_solid(scene, b) or b in scene.enemies or (scene.corners == "barred" and crosses_corner(scene, a, b)):
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
    """Every way to pay a price out of one extra pool and the base: G13."""
    for from_extra in range(price + 1):
        left = list(pools)
        left[extra] -= from_extra
        left[BASE] -= price - from_extra
        if min(left) >= 0:
            yield left[0], left[1], left[2], left[3], left[4]


def after_step(scene: Scene, pools: Pools, a: Space, b: Space) -> set[Pools]:
    """Everything that can be left after one step; nothing if it can't be taken."""
    return {left for price, extra in prices(scene, a, b) for left in payments(pools, price, extra)}


def must_stop(scene: Scene, space: Space) -> bool:
    """Whether entering this space ends the movement: `grid.zoc.stop`, or off the board."""
    return not letter(scene, space) or any(each in scene.enemies for each in around(scene.shape, space))


def reach(scene: Scene) -> dict[Space, tuple[int, int]]:
    """Where the mover can stop: (least movement spent, fewest spaces at that price).

    Walks every path at once, a step at a time: all (space, movement left) that n steps can lead to.
    """
    full = all_pools(scene.mover)
    found = {scene.start: (0, 0)}
    here, steps = {(scene.start, full)}, 0
    while here:
        steps += 1
        there = {
            (b, left)
            for a, pools in here
            if steps == 1 or not must_stop(scene, a)
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
    """The least movement a path costs the mover; None if it can't go it."""
    full = all_pools(scene.mover)
    a, pools = scene.start, {full}
    for number, b in enumerate(path):
        if b not in around(scene.shape, a) or (number and must_stop(scene, a)):
            return None
        pools = {left for each in pools for left in after_step(scene, each, a, b)}
        a = b
    if not pools or a in scene.allies:
        return None
    return min(sum(full) - sum(left) for left in pools)


# Sight


def cross(o: Point, a: Point, b: Point) -> Fraction:
    """On which side of the line from o to a the point b lies: its sign."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def cut(shape: str, start: Point, end: Point, space: Space) -> tuple[Fraction, Fraction] | None:
    """From where to where, as parts of the way, a line lies in a space, its border counted; None if nowhere.

    A point lies in a convex polygon when it lies on the inner side of every border line.
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
    """Whether a point lies inside a space, not on its border."""
    outline = corners(shape, space)
    return all(cross(a, b, point) > 0 for a, b in zip(outline, outline[1:] + outline[:1], strict=True))


def blocks(scene: Scene) -> list[Space]:
    """The spaces that keep the start from seeing the end, from start to end; [] in plain sight: `grid.long.los`, G10.

    A space blocks when the line passes through its inside. Where the line only touches (a corner, an edge), it takes
    two spaces that touch it at the same place from both sides. The two ends never block. Off the board nothing does.
    """
    start, end = centre(scene.shape, scene.start), centre(scene.shape, scene.end)
    through, touched = [], []
    for space in spaces(scene):
        is_blocking = is_solid(scene, space) or space in scene.enemies
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


def sees(scene: Scene) -> bool:
    """Whether nothing blocks the line from start to end."""
    return not blocks(scene)
