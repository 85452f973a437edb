"""Damaged scenario files: each is played, or refused with its place named; no traceback and no hang.

Texts changed by chance are given to the player too (tests/fuzz/test_mutated_inputs.py). Here a file can still be
read, so that the damage gets past the parser.
"""

import json
import tomllib
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scratch_core.cli import main
from scratch_core.dice import FixedRoller
from scratch_core.errors import ScratchError
from scratch_core.scenario import SAMPLE_SCENARIOS, parse_scenario, play
from tests.oracle.fight_situations import random_tree, to_toml
from tests.support.clock import limit_time
from tests.support.sample_counts import count_examples

Tree = dict[str, Any]
LONGEST_MESSAGE = 2_000
CASES = sorted((Path(__file__).parents[2] / "rules" / "cases").glob("*.toml"))
FIGHTS = [
    json.dumps(each)
    for each in (
        dict(parse_scenario(SAMPLE_SCENARIOS["worked-combat"]).tree),
        *(random_tree(n, steps=8 + n % 9) for n in range(1, 40)),
        *(tomllib.loads(case.read_text("utf-8")) for case in CASES),
    )
]
"""Fights by every turn system, on maps too."""
STRANGE: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 20, 21, 100, 10**6, 10**7, -(10**18), 10**30, 10**4000),
    *(0.5, -0.0, 1e308, float("nan"), float("inf"), "", " ", "0", "x", "none", "a", "A", "true", "héros", "ﬃ"),
    *("\u202e", "\x00", "\ud800", "a\nb", "x" * 20_000, "[" * 500, "a.b", "__class__", "{}", "${x}", "zed", "a "),
    *([], {}, [[]], [None], [{}], {"": ""}, {"a": {}}, ["a"] * 200, [1] * 200, {str(n): n for n in range(150)}),
    *(["a", "b"], [20], [1, 2, 3], {"a": 1}, {"id": "a"}, ["none"], "shooting", "command", "scratch", "grid", "hold"),
    *({"hp.a": 3, "can.a": ["hold"], "winner": "red"}, {"legal": False, "total": 12, "at.a": [1, 2]}, {"hp.zed": 1}),
)
"""Invalid values: of other types, far too large, and unknown names."""
KEYS = (
    *(
        "",
        "x",
        "x" * 300,
        "__class__",
        "Actor",
        "é",
        "hp.a",
        "a.b.c",
        "\x00",
        "0",
        "board",
        "at",
        "path",
        "swap",
        "when",
    ),
    *(
        "to",
        "target",
        "targets",
        "with",
        "faces",
        "expect",
        "note",
        "hp",
        "here",
        "minion_of",
        "side",
        "group",
        "printed",
    ),
    *("abilities", "rulings", "system", "format", "steps", "ability", "difficulty", "add", "hurry", "rolls", "speed"),
)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each place of a tree: its table or list, and its key.

    The key of a list's place is its number.
    """
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(pairs):
        yield value, key
        yield from places(inner)


@st.composite
def harmed(draw: st.DrawFn) -> str:
    """Draw a valid fight with up to four damaged values, as JSON or TOML.

    A value is replaced, deleted or added.
    """
    tree: Tree = json.loads(draw(st.sampled_from(FIGHTS)))
    for _ in range(draw(st.integers(0, 4))):
        holder, key = draw(st.sampled_from([*places(tree)]))
        how, value = draw(st.sampled_from(("other", "gone", "more"))), deepcopy(draw(st.sampled_from(STRANGE)))
        if how == "gone" and len(tree) > 1:
            del holder[key]
        elif how == "more" and isinstance(holder, dict):
            holder[draw(st.sampled_from(KEYS))] = value
        else:
            holder[key] = value
    is_toml = draw(st.booleans()) and tree.keys() >= {"characters", "initiative", "steps"}
    try:
        return to_toml(tree) if is_toml else json.dumps(tree)
    except (AttributeError, TypeError):  # TOML has no way to say it
        return json.dumps(tree)


def outcome(data: bytes) -> str:
    """Return "played", or "refused" if every problem has its place."""
    try:
        played = play(parse_scenario(data), FixedRoller(10))
    except ScratchError as error:
        for problem in error.problems:
            assert problem.where, problem
            assert 0 < len(problem.message) <= LONGEST_MESSAGE, problem.message[:300]
        return "refused"
    played.to_dict()
    assert all(problem.where for problem in played.problems)
    assert len(played.results) == len(played.scenario.steps)
    return "played"


@pytest.mark.no_cover
@settings(max_examples=count_examples(600))
@given(harmed())
def test_damaged_files_are_played_or_refused(text: str) -> None:
    """Each damaged file is played or refused with the place of its problem.

    No other exception is raised, and no file takes long.
    """
    with limit_time():
        outcome(text.encode("utf-8", "surrogatepass"))


def change_each_character(tree: Tree, key: str, make: Callable[[int, Tree], Any]) -> Tree:
    """The tree with one value of each of its characters replaced."""
    return {**tree, "characters": [{**each, key: make(n, each)} for n, each in enumerate(tree["characters"])]}


def crowd(count: int, tree: Tree) -> Tree:
    """Return a file with this number of characters."""
    return {**tree, "characters": [{**tree["characters"][0], "id": f"c{n}"} for n in range(count)]}


def long(count: int, tree: Tree) -> Tree:
    """Return a file with this number of steps."""
    return {**tree, "steps": (tree["steps"] * count)[:count]}


def deep(depth: int, tree: Tree) -> Tree:
    """Return a file with lists nested to this depth."""
    return {**tree, "rulings": {"luck": json.loads("[" * depth + "]" * depth)}}


HARMS: dict[str, Callable[[Tree], Tree]] = {
    "whole": lambda tree: tree,
    **{f"{count} characters": partial(crowd, count) for count in (99, 101, 3000)},
    **{f"{count} steps": partial(long, count) for count in (999, 1001, 3000)},
    **{f"{depth} deep": partial(deep, depth) for depth in (39, 41, 300)},
    "too many faces": lambda tree: {**tree, "steps": [{**tree["steps"][0], "faces": [1] * 50_000}]},
    "too many targets": lambda tree: {**tree, "steps": [{"actor": "a", "do": "blast", "targets": ["b"] * 20_000}]},
    "too many groups": lambda tree: {**tree, "initiative": {f"g{n}": [1] * 200 for n in range(2000)}},
    "too many abilities": lambda tree: change_each_character(
        tree, "abilities", lambda *_: {f"skill {n}": n for n in range(3000)}
    ),
    "minions in a circle": lambda tree: change_each_character(
        tree, "minion_of", lambda n, _: tree["characters"][n - 1]["id"]
    ),
    "one id": lambda tree: change_each_character(tree, "id", lambda *_: "a"),
    "ids that look alike": lambda tree: change_each_character(tree, "id", lambda n, _: "chokestar" + "\u200b" * n),
    "highest levels": lambda tree: change_each_character(
        tree, "abilities", lambda _, each: dict.fromkeys(each["abilities"], 10**6)
    ),
    "hit points beyond all sense": lambda tree: change_each_character(tree, "hp", lambda *_: 10**6 + 1),
}


def recoded(codec: str, data: bytes) -> bytes:
    """A file in another encoding."""
    return data.decode().encode(codec)


def followed(text: bytes, data: bytes) -> bytes:
    """Return a file with many repetitions at its end."""
    return data + text * 400_000


TEXTS: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda _: b"",
    "half": lambda data: data[: len(data) // 2],
    **{codec: partial(recoded, codec) for codec in ("utf-16", "utf-32", "cp500", "utf-8-sig")},
    "other line ends": lambda data: data.replace(b"\n", b"\r\n"),
    "a zero": lambda data: data + b"\x00",
    "no UTF-8": lambda data: data.replace(b"a", b"\xff", 1),
    "JSON behind TOML": lambda data: data + b"\n" + FIGHTS[0].encode(),
    **{f"much {text!r}": partial(followed, text) for text in (b"x", b"[", b"a.", b'"', b"[a]\n")},
}


@pytest.mark.parametrize("name", [*HARMS, *TEXTS])
def test_play_command_accepts_or_rejects_damaged_files(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`play` returns 0, 1 or 2 for every file and prints problems without a traceback."""
    tree = dict(parse_scenario(SAMPLE_SCENARIOS["worked-combat"]).tree)
    text = (
        json.dumps(HARMS[name](tree)).encode()
        if name in HARMS
        else TEXTS[name](SAMPLE_SCENARIOS["worked-combat"].encode())
    )
    file = tmp_path / "scenario"
    file.write_bytes(text)
    for options in (["--check"], ["--json"], ["--strict", "--until", "3"]):
        with limit_time(options):
            code = main(["play", str(file), *options])
        errors = capsys.readouterr().err
        assert code in ((2,) if outcome(text) == "refused" else (0, 1)), errors[:500]
        assert "Traceback" not in errors
        assert code != 2 or errors.strip()
