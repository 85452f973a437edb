"""Six sample maps of squares and hexes, for a small fight and for larger ones."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.board import Shape


@dataclass(frozen=True, slots=True)
class SampleMap:
    """A sample map."""

    id: str
    """The id in buttons and queries."""
    name: str
    """The name with a short description."""
    shape: Shape
    """The shape of its spaces."""
    rows: str
    """The rows from the top, separated by `/`."""
    cover: str = ""
    """The spaces with cover, like `3,1 6,1`."""
    throwable: str = ""
    """The spaces with a thing to throw."""
    cramped: str = ""
    """The spaces without room to fly."""

    def to_fields(self) -> dict[str, str]:
        """Format the map as texts of the map calculator's controls."""
        return {
            "map": self.rows,
            "shape": "hex" if self.shape == "hex" else "",
            "cover": self.cover,
            "throwable": self.throwable,
            "cramped": self.cramped,
        }


SAMPLE_MAPS: tuple[SampleMap, ...] = (
    SampleMap(
        "tavern",
        "The tavern: tables, a bar, one door",
        "square",
        "##########/#........#/#.oo..oo.#/#.oo..oo.#/#........#/#........E/#oooo....#/#........#/##########",
        cover="3,1 6,1 3,4 6,4",
        throwable="1,2 4,3 8,7",
        cramped="1,7 2,7 3,7 4,7",
    ),
    SampleMap(
        "bridge",
        "The bridge: a river with one way over, and two fords",
        "square",
        "....~ww~..../....~ww~..../..^.~ww~..../...........E/E.........../....~ww~.^../....~ww~..../....~~~~....",
        cover="3,2 8,5",
        throwable="2,6 9,1",
    ),
    SampleMap(
        "yard",
        "The ship's yard: crates, a crane, deep water on two sides",
        "square",
        "wwwwwwwwww/w........w/w.oo..^^.w/w.oo..^^.w/w........E/w...oo...E/w...oo...w/w........w/..........",
        cover="3,1 1,3 6,5 3,6",
        throwable="5,1 7,7 2,7",
    ),
    SampleMap(
        "forest",
        "The forest path: trees in hexes, undergrowth, a brook",
        "hex",
        "..#...#.../.^...#..^./...^....../E.......~~/..#..~~..E/..^.~...../#.....^.#.",
        cover="3,0 5,2 2,3 7,5",
        throwable="6,3 1,6",
    ),
    SampleMap(
        "ruin",
        "The ruin: broken walls in hexes, a court, three ways out",
        "hex",
        "E..##.##../...#....#./..#..^^..#/..#..^^.../...#....#E/....##.#../E.........",
        cover="3,2 8,3 4,4 6,1",
        throwable="5,1 3,5 6,5",
    ),
    SampleMap(
        "cavern",
        "The cavern: a lake under the rock in hexes, narrow ledges",
        "hex",
        "##......##/#..^.....#/#.~~w~...#/E.~www~..E/#..~w~.^.#/#......^^#/##.....###",
        cover="2,1 7,5",
        throwable="3,5 6,1",
        cramped="1,3 8,3 2,5",
    ),
)
"""The maps in the order of the list."""

SAMPLE_MAPS_BY_ID = {each.id: each for each in SAMPLE_MAPS}
"""The maps by id."""
