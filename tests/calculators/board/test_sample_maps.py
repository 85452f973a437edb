"""The six sample maps: rectangular, walkable, the same on the map page and in a fight's set-up."""

import re

import pytest

from scratch_core.board import TERRAIN, board_from_dict
from scratch_core.calculators.board import MAX_QUERY_LENGTH, view
from scratch_core.calculators.board.sample_maps import SAMPLE_MAPS, SampleMap
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.dice import SystemRoller
from tests.support.fights import HUNTERS, view_fight
from tests.support.known import require

BY_NAME = [pytest.param(each, id=each.id) for each in SAMPLE_MAPS]


def test_sample_maps_are_three_of_squares_and_three_of_hexes() -> None:
    """Three maps have squares and three have hexes, each with a name of its own."""
    assert sorted(each.shape for each in SAMPLE_MAPS) == ["hex"] * 3 + ["square"] * 3
    assert len({each.name for each in SAMPLE_MAPS}) == 6


@pytest.mark.parametrize("ready", BY_NAME)
def test_sample_map_is_consistent(ready: SampleMap) -> None:
    """A sample map has equal rows, known letters, and features on free spaces."""
    rows = ready.rows.split("/")
    assert len({len(row) for row in rows}) == 1
    assert set("".join(rows)) <= set(TERRAIN)
    for text in (ready.cover, ready.throwable, ready.cramped):
        for column, row in (map(int, each.split(",")) for each in text.split()):
            assert rows[row][column] not in "#o", (column, row)
    assert 8 <= len(rows[0]) <= 14, "it fits a phone"


@pytest.mark.parametrize("ready", BY_NAME)
def test_sample_map_is_loaded_on_map_page_and_in_fight_setup(ready: SampleMap) -> None:
    """One press loads the sample map on both pages, and a fight starts on it.

    The map of the setup shows every character.
    """
    seen = view(parse_query(format_query({"act": f"map-{ready.id}"}), MAX_QUERY_LENGTH), None)
    assert seen.fields["map"] == ready.rows
    assert not seen.problems
    setup = view_fight(act=f"map-{ready.id}", sheets=HUNTERS, map="...", tokens="chokestar@0,0,x")
    assert "map" in setup.updated_fields
    assert len(require(setup.board).drawing.tokens) == 3
    begun = view_fight(SystemRoller(), sheets=HUNTERS, log="begin", **ready.to_fields())
    assert begun.phase == "fight", begun.problems
    assert require(begun.fight_view).state.board.shape == ready.shape


@pytest.mark.parametrize("ready", BY_NAME)
def test_sample_map_gives_every_character_a_separate_space(ready: SampleMap) -> None:
    """Characters beyond the new map's edge each move to a separate free space."""
    crowd = {
        "map": "/".join(["." * 20] * 20),
        "tokens": " ".join(f"who{number}@{17 + number % 3},{17 + number // 3},red" for number in range(9)),
    }
    seen = view(parse_query(format_query({**crowd, "act": f"map-{ready.id}"}), MAX_QUERY_LENGTH), None)
    spaces = re.findall(r"@(\d+,\d+)", seen.fields["tokens"])
    assert len(spaces) == len(set(spaces)) == 9
    rows = ready.rows.split("/")
    assert all(rows[int(row)][int(column)] not in "#o" for column, row in (each.split(",") for each in spaces))


def test_engine_parses_each_sample_map() -> None:
    """The engine's own reader takes each of them as it is."""
    for each in SAMPLE_MAPS:
        assert board_from_dict({"shape": each.shape, "rows": each.rows.split("/")}).width == len(
            each.rows.split("/")[0]
        )
