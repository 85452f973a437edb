"""The inputs that each target begins with: what the site's own pages ask, its scenarios, and what a browser keeps."""

from __future__ import annotations

import binascii
import json
import zlib
from functools import cache

from build_scripts.fences import calculator_fences
from build_scripts.folders import DOCS
from scratch_core.calculators import packing
from scratch_core.calculators.query import parse_query
from scratch_core.scenario import SHIPPED


@cache
def corpora() -> dict[str, list[str]]:
    """The inputs that each target begins with."""
    fences = [(fence.name, fence.query) for fence in calculator_fences(DOCS)]
    queries = [parse_query(query) for _, query in fences]

    def told(*controls: str) -> list[str]:
        return [query.text(name) for query in queries for name in controls if query.text(name)]

    sheets = ["Eve\n2 shooting\n3 toughness\n4 command\nMinions: 2 toughness", *told("sheet", "sheets")]
    boards = ["map=..../..#.&tokens=kim@0,0,blue rook@3,1,red", *(query for name, query in fences if name == "board")]
    return {
        "dice": ["d20+3", "2d20kh1+3", "4d6dl1", "d20 + d6[sneak] - 1", "3d6r1", "d%+2", *told("roll")],
        "stat-block": sheets,
        "set-up": ["A\nside: x\n2 fighting\n3 toughness\n\nB\nside: y\n4 fighting", *sheets],
        "board": boards,
        "board-answer": boards,
        "query": [query for _, query in fences],
        "scenario": list(SHIPPED.values()),
        "packed": _packed(),
        "kept": _kept([query for _, query in fences]),
    }


def _packed() -> list[str]:
    """Links that are packed, and what stands inside them."""
    files = [{"log": log, "title": "A fight"} for log in _logs()]
    return [text for each in files for text in _both(packing.pack(each))]


def _logs() -> list[str]:
    """Fights as the fight's page writes them, short: one step of each kind."""
    step = {"actor": "eve", "do": "basic-attack", "target": "bob", "faces": [14]}
    steps: list[object] = [step, {"actor": "eve", "do": "end-turn"}, {**step, "faces": [3, 7]}, "no step"]
    trees = [{"format": "scratch-scenario/1", "steps": steps[:end]} for end in (0, 2, 3, 4)]
    return ["no file", *(json.dumps(tree, separators=(",", ":")) for tree in trees)]


def _both(packed: str) -> tuple[str, str]:
    letters = packed[1:].translate(str.maketrans("-_", "+/"))
    opened = zlib.decompressobj(-15, zdict=packing._WORDS[packed[0]])
    plain = opened.decompress(binascii.a2b_base64(letters + "=" * (-len(letters) % 4)))
    return packed, plain.decode()


_STRANGE: tuple[object, ...] = (None, True, 2**53, "", "🎲" * 240 + "x", "x" + "🎲" * 240, ["fight/1"], {"a": "b"})
"""What no entry has where it is put: chance alone seldom leaves a JSON text well formed."""


def _kept(queries: list[str]) -> list[str]:
    """What a browser has under the site's names, and files of it."""
    entry = {"version": "fight/1", "id": "a", "name": "A fight", "isNamed": True, "query": queries[0]}
    whole = {**entry, "summary": "Round 2", "revision": 3, "changed": "2026-01-02T03:04:05.678Z"}
    others = [{**whole, "id": str(at), "name": f"A fight {at}", "query": query} for at, query in enumerate(queries[:3])]
    others.append({**whole, "version": "character/1", "name": ""})
    values: list[object] = [
        {"version": "fight/1", "query": queries[0]},
        {"deleted": 1_800_000_000_000, "revision": 4},
        entry,
        {**whole, "version": "fight/2"},
        {"format": "scratch-kept/1", "entries": [whole]},
        {"format": "scratch-kept/1", "entries": [*others, others[0], {}, None]},
    ]
    strange = [{**whole, key: value} for key in whole for value in _STRANGE]
    values += [*strange, *({"format": "scratch-kept/1", "entries": [each, whole]} for each in strange)]
    return [json.dumps(value) for value in values]
