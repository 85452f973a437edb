"""The unfolded d20: folded along its broken lines it is an icosahedron, numbered as the die in a hand is."""

import re
from collections.abc import Iterator
from itertools import combinations
from math import acos, cos, dist, isclose, pi, sin, sqrt

import jinja2
import pytest

from build_scripts.render import TEMPLATES, build_environment

Point = tuple[float, ...]
_FACE = re.compile(
    r'<g data-net="(\d+)"( class="\w+")?><path d="M(\d+) (\d+)h64l-32([- ]55)z"/>(?:<text [^>]*>(\d+)<)?'
)
BEND = pi - acos(-sqrt(5) / 3)
"""By how much a fold of an icosahedron bends: its faces meet at 138.19 degrees."""
NEIGHBOURS = {1: {7, 13, 19}, 2: {12, 18, 20}, 3: {16, 17, 19}, 4: {11, 14, 18}, 5: {13, 15, 18}, 6: {9, 14, 16}}
NEIGHBOURS |= {7: {1, 15, 17}, 8: {10, 16, 20}, 9: {6, 11, 19}, 10: {8, 12, 17}}
"""Which faces lie beside those from 1 to 10 on a d20 as it is sold; beside those opposite, the opposite ones."""


def drawn(**how: int) -> str:
    """The picture, as a page has it."""
    macro = build_environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("_net.html").module.net  # type: ignore[attr-defined]  # the macros of a template
    return str(macro(**how))


def triangles(svg: str) -> dict[int, list[Point]]:
    """The faces' corners in the plane, an edge being 1 long: they are drawn 64 wide, and nearly as high as they are."""
    found: dict[int, list[Point]] = {}
    for face, _, x, y, tip, _ in _FACE.findall(svg):
        corners = [(int(x), int(y)), (int(x) + 64, int(y)), (int(x) + 32, int(y) + int(tip))]
        found[int(face)] = [(across / 64, down / 55 * sqrt(3) / 2, 0.0) for across, down in corners]
    return found


def same(one: Point, other: Point) -> bool:
    """Whether two points are one."""
    return dist(one, other) < 1e-6


def shared(one: list[Point], other: list[Point]) -> list[Point]:
    """The corners of the first that are corners of the other."""
    return [corner for corner in one if any(same(corner, each) for each in other)]


def turned(point: Point, start: Point, end: Point, angle: float) -> Point:
    """A point turned about the line from start to end, which is 1 long (Rodrigues)."""
    axis = [b - a for a, b in zip(start, end, strict=True)]
    arm = [b - a for a, b in zip(start, point, strict=True)]
    along = sum(a * b for a, b in zip(axis, arm, strict=True))
    across = [axis[k - 2] * arm[k - 1] - axis[k - 1] * arm[k - 2] for k in range(3)]
    return tuple(
        start[k] + arm[k] * cos(angle) + across[k] * sin(angle) + axis[k] * along * (1 - cos(angle)) for k in range(3)
    )


def folded(flat: dict[int, list[Point]]) -> dict[int, list[Point]]:
    """The faces in space: each fold, seen from the first face on, bends everything behind it, all the same way."""
    places = {number: list(corners) for number, corners in flat.items()}
    for behind, start, end in folds(flat):
        for number in behind:
            places[number] = [turned(corner, start, end, BEND) for corner in places[number]]
    return places


def folds(flat: dict[int, list[Point]]) -> Iterator[tuple[list[int], Point, Point]]:
    """Every fold, the outermost first, so that it still lies in the plane: the faces behind it, and its two ends."""
    first, *rest = flat
    before: dict[int, int] = {}
    reached = [first]
    for number in reached:
        for other in rest:
            if other not in reached and len(shared(flat[number], flat[other])) == 2:
                before[other] = number
                reached.append(other)
    assert len(reached) == 20, "the net hangs together"
    for number in reversed(reached[1:]):
        behind = [number]
        for other in reached:
            if before.get(other) in behind:
                behind.append(other)
        start, end = shared(flat[number], flat[before[number]])
        middle = [sum(corner[k] for corner in flat[number]) / 3 - start[k] for k in range(2)]
        is_left = (end[0] - start[0]) * middle[1] - (end[1] - start[1]) * middle[0] > 0
        yield (behind, start, end) if is_left else (behind, end, start)


SOLID = folded(triangles(drawn()))
CENTRES = {
    number: tuple(sum(corner[k] for corner in corners) / 3 for k in range(3)) for number, corners in SOLID.items()
}


def test_it_folds_into_an_icosahedron() -> None:
    """The twenty faces meet in twelve corners, five in each, and every edge has two of them."""
    corners: list[Point] = []
    for each in (corner for face in SOLID.values() for corner in face):
        if not any(same(each, other) for other in corners):
            corners.append(each)
    assert len(corners) == 12
    assert all(sum(any(same(corner, each) for each in face) for face in SOLID.values()) == 5 for corner in corners)
    edges = [pair for pair in combinations(SOLID, 2) if len(shared(SOLID[pair[0]], SOLID[pair[1]])) == 2]
    assert len(edges) == 30


def test_opposite_faces_make_21() -> None:
    """As on the die: whatever lies on top, that and the face below it make 21."""
    for number, centre in CENTRES.items():
        far = max(CENTRES, key=lambda other: dist(centre, CENTRES[other]))
        assert number + far == 21
        assert isclose(dist(centre, CENTRES[far]), sqrt(3) * (3 + sqrt(5)) / 6, abs_tol=1e-6)  # twice the inner radius


@pytest.mark.parametrize("number", NEIGHBOURS)
def test_its_neighbours_are_those_of_a_d20(number: int) -> None:
    """Each face lies beside the three that it lies beside on the die, and the one opposite beside their opposites."""
    beside = {other for other in SOLID if len(shared(SOLID[number], SOLID[other])) == 2}
    assert beside == NEIGHBOURS[number]
    opposite = {other for other in SOLID if len(shared(SOLID[21 - number], SOLID[other])) == 2}
    assert opposite == {21 - other for other in NEIGHBOURS[number]}


def test_what_it_shows_and_says() -> None:
    """Faces that reach the number are filled, the one that fell is marked, both are told aloud; it weighs little."""
    svg = drawn(least=13, fell=17)
    marks = {int(face): mark for face, mark, *_ in _FACE.findall(svg)}
    assert {face for face, mark in marks.items() if mark == ' class="reaches"'} == {13, 14, 15, 16, 18, 19, 20}
    assert [face for face, mark in marks.items() if mark == ' class="fell"'] == [17]
    assert all(face == printed for face, *_, printed in _FACE.findall(svg))
    assert "13 to 20 reach it; rolled 17" in svg
    assert "20 alone reaches it" in drawn(least=20)
    assert len(svg.encode()) <= 6_000
    assert "the 4 missing" in drawn(missing=4)
    assert ">4<" not in drawn(missing=4)
