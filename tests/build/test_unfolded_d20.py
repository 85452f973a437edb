"""The unfolded d20: folded along its dashed lines, it is an icosahedron with the numbers of a real die."""

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
FOLD_ANGLE = pi - acos(-sqrt(5) / 3)
"""The angle of each fold: the faces of an icosahedron meet at 138.19 degrees."""
NEIGHBOURS = {1: {7, 13, 19}, 2: {12, 18, 20}, 3: {16, 17, 19}, 4: {11, 14, 18}, 5: {13, 15, 18}, 6: {9, 14, 16}}
NEIGHBOURS |= {7: {1, 15, 17}, 8: {10, 16, 20}, 9: {6, 11, 19}, 10: {8, 12, 17}}
"""The adjacent faces of those from 1 to 10; opposite faces have the opposite ones."""


def draw_net(**how: int) -> str:
    """Render the picture as on a page."""
    macro = build_environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("components/dice.html").module.d20_net  # type: ignore[attr-defined]  # the macros of a template
    return str(macro(**how))


def parse_triangles(svg: str) -> dict[int, list[Point]]:
    """Return the faces' corners in the plane, with edges of length 1."""
    found: dict[int, list[Point]] = {}
    for face, _, x, y, tip, _ in _FACE.findall(svg):
        corners = [(int(x), int(y)), (int(x) + 64, int(y)), (int(x) + 32, int(y) + int(tip))]
        found[int(face)] = [(across / 64, down / 55 * sqrt(3) / 2, 0.0) for across, down in corners]
    return found


def is_equal(one: Point, other: Point) -> bool:
    """Return whether two points are equal."""
    return dist(one, other) < 1e-6


def list_shared_corners(one: list[Point], other: list[Point]) -> list[Point]:
    """Return the corners of the first face that the other has, too."""
    return [corner for corner in one if any(is_equal(corner, each) for each in other)]


def rotate(point: Point, start: Point, end: Point, angle: float) -> Point:
    """Rotate a point about the line from start to end, which is 1 long (Rodrigues)."""
    axis = [b - a for a, b in zip(start, end, strict=True)]
    arm = [b - a for a, b in zip(start, point, strict=True)]
    along = sum(a * b for a, b in zip(axis, arm, strict=True))
    across = [axis[k - 2] * arm[k - 1] - axis[k - 1] * arm[k - 2] for k in range(3)]
    return tuple(
        start[k] + arm[k] * cos(angle) + across[k] * sin(angle) + axis[k] * along * (1 - cos(angle)) for k in range(3)
    )


def fold_net(flat: dict[int, list[Point]]) -> dict[int, list[Point]]:
    """Return the faces in space, with everything behind each fold rotated by it."""
    places = {number: list(corners) for number, corners in flat.items()}
    for behind, start, end in list_folds(flat):
        for number in behind:
            places[number] = [rotate(corner, start, end, FOLD_ANGLE) for corner in places[number]]
    return places


def list_folds(flat: dict[int, list[Point]]) -> Iterator[tuple[list[int], Point, Point]]:
    """Yield every fold, the outermost first: the faces behind it, and its two ends."""
    first, *rest = flat
    before: dict[int, int] = {}
    reached = [first]
    for number in reached:
        for other in rest:
            if other not in reached and len(list_shared_corners(flat[number], flat[other])) == 2:
                before[other] = number
                reached.append(other)
    assert len(reached) == 20, "the net hangs together"
    for number in reversed(reached[1:]):
        behind = [number]
        for other in reached:
            if before.get(other) in behind:
                behind.append(other)
        start, end = list_shared_corners(flat[number], flat[before[number]])
        middle = [sum(corner[k] for corner in flat[number]) / 3 - start[k] for k in range(2)]
        is_left = (end[0] - start[0]) * middle[1] - (end[1] - start[1]) * middle[0] > 0
        yield (behind, start, end) if is_left else (behind, end, start)


SOLID = fold_net(parse_triangles(draw_net()))
CENTRES = {
    number: tuple(sum(corner[k] for corner in corners) / 3 for k in range(3)) for number, corners in SOLID.items()
}


def test_folded_net_is_an_icosahedron() -> None:
    """Twenty faces meet in twelve corners, five in each, and share thirty edges."""
    corners: list[Point] = []
    for each in (corner for face in SOLID.values() for corner in face):
        if not any(is_equal(each, other) for other in corners):
            corners.append(each)
    assert len(corners) == 12
    assert all(sum(any(is_equal(corner, each) for each in face) for face in SOLID.values()) == 5 for corner in corners)
    edges = [pair for pair in combinations(SOLID, 2) if len(list_shared_corners(SOLID[pair[0]], SOLID[pair[1]])) == 2]
    assert len(edges) == 30


def test_opposite_faces_of_the_net_add_up_to_21() -> None:
    """They are twice the inner radius apart."""
    for number, centre in CENTRES.items():
        far = max(CENTRES, key=lambda other: dist(centre, CENTRES[other]))
        assert number + far == 21
        assert isclose(dist(centre, CENTRES[far]), sqrt(3) * (3 + sqrt(5)) / 6, abs_tol=1e-6)  # twice the inner radius


@pytest.mark.parametrize("number", NEIGHBOURS)
def test_adjacent_faces_of_the_net_are_those_of_a_d20(number: int) -> None:
    """The opposite face has the opposite neighbours."""
    neighbours = {other for other in SOLID if len(list_shared_corners(SOLID[number], SOLID[other])) == 2}
    assert neighbours == NEIGHBOURS[number]
    opposite = {other for other in SOLID if len(list_shared_corners(SOLID[21 - number], SOLID[other])) == 2}
    assert opposite == {21 - other for other in NEIGHBOURS[number]}


def test_net_marks_and_describes_successes_and_the_roll() -> None:
    """The picture is at most 6 kB."""
    svg = draw_net(least=13, fell=17)
    marks = {int(face): mark for face, mark, *_ in _FACE.findall(svg)}
    assert {face for face, mark in marks.items() if mark == ' class="strip__success"'} == {13, 14, 15, 16, 18, 19, 20}
    assert [face for face, mark in marks.items() if mark == ' class="strip__rolled"'] == [17]
    assert all(face == printed for face, *_, printed in _FACE.findall(svg))
    assert "13 to 20 reach it; rolled 17" in svg
    assert "20 alone reaches it" in draw_net(least=20)
    assert len(svg.encode()) <= 6_000
    assert "the 4 missing" in draw_net(missing=4)
    assert ">4<" not in draw_net(missing=4)
