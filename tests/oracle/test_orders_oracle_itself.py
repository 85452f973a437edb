"""The oracles of the three other turn orders on the cases of the rule catalogue: what checks the engine comes first.

A character is written `x speed=1/2 side=red`, a step `actor do target key=value`; facts have `-` for an actor.
What is expected: `illegal`, and figures such as `stun.x=1` or `order=y,x`.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.oracle import orders_situations as situations

CASES_FOUND = sorted((Path(__file__).parent.parent / "rules" / "cases").glob("found-*.toml"))


def read(value: str) -> Any:
    """A value from its short form; `other:2+stun:4` is a table."""
    if ":" in value:
        return {key: read(each) for key, each in (part.split(":") for part in value.split("+"))}
    words = {"yes": True, "no": False}
    return words.get(value, int(value) if value.isdigit() else value)


def keys(words: list[str]) -> dict[str, Any]:
    """The `key=value` words."""
    return {key: read(value) for key, _, value in (word.partition("=") for word in words if "=" in word)}


def step(text: str) -> dict[str, Any]:
    """A step of the file from its short form."""
    actor, do, *rest = text.split()
    found = {"do": do, **keys(rest)}
    if rest and "=" not in rest[0]:
        found["target"] = rest[0]
    return found if actor == "-" else {"actor": actor, **found}


def shown(value: Any) -> str:
    """A figure as the tables below write it."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def play(system: str, head: dict[str, Any], fighters: str, lines: list[tuple[str, str]]) -> None:
    """Play the lines with the oracle and hold each to what is expected; the first may be about the beginning."""
    oracle = situations.ORACLES[system]
    characters = [{"id": text.split()[0], **keys(text.split()[1:])} for text in fighters.split(";")]
    steps = [step(line) for line, _ in lines if line]
    tree = {"initiative": {}, **head, "system": system, "characters": characters, "steps": steps}
    state = oracle.new_state(tree)
    for line, expected in lines:
        record: dict[str, Any] = {"legal": True, "broken": set()}
        if line:
            state, record = oracle.play_step(state, step(line))
        assert record["legal"] == ("illegal" not in expected.split()), (line, record["broken"])
        figures = oracle.figures(state)
        for word in expected.split():
            path, _, value = word.partition("=")
            assert path == "illegal" or shown(figures[path]) == value, (line, path, figures[path])


THREE = "x;y;z"
XY: dict[str, Any] = {"first": "x"}

MANO: dict[str, tuple[dict[str, Any], str, list[tuple[str, str]]]] = {
    "E149": (
        XY,
        "x;y;z;w",
        [(f"{name} active", "") for name in "xyzw" * 3] + [("", "round=4 active=x turns.w=3")],
    ),
    "E150-quarter": (
        XY,
        "x speed=1/4;y",
        [("x active", "owed.x=3"), ("y active", "")]
        + [("x active", "illegal"), ("x skip", ""), ("y active", "")] * 3
        + [("x active", "owed.x=3 turns.x=5")],
    ),
    "E150-half": (
        XY,
        "x speed=1/2;y",
        [("x active", ""), ("y active", ""), ("x combo count=1", "illegal"), ("x skip", ""), ("y active", "")] * 4
        + [("x active", "turns.x=9 owed.x=1")],
    ),
    "E152": (
        XY,
        "x speed=1/2 stun=2;y",
        [
            ("x active", "stun.x=1"),
            ("y active", ""),
            ("x skip", "stun.x=0"),
            ("y active", ""),
            ("x active", "stun.x=0"),
        ],
    ),
    "E153-neither": (XY, "x;y", [("- surprise-rolls stalkers=x:no+y:no", "fight=over"), ("x active", "illegal")]),
    "E153-y": (XY, "x;y", [("- surprise-rolls stalkers=x:no+y:yes", "active=y"), ("x start-ready", "illegal")]),
    "E153-both": (XY, "x;y", [("- surprise-rolls stalkers=x:yes+y:yes", "active=x"), ("y start-ready", "")]),
    "E154": (
        {"first": "y"},
        THREE,
        [
            *(("x start-evading", "defence.x=4 order=y,z,x"), ("z start-ready", "prepared.z=True")),
            *(("x start-ready", "illegal"), ("y active", ""), ("z active", "defence.x=0 prepared.z=False")),
        ],
    ),
    "E154-dispute": ({"first": ["x", "z"], "initiative": {"x": [7, 4], "z": [7, 12]}}, THREE, [("", "order=z,x,y")]),
    "E155": ({}, "x;y;z reach=3;w", [("", "order=z,w,x,y")]),
    "E155-delay": (
        XY,
        "x side=us;y;z side=us;w",
        [("x delay-turn z", "order=y,z,x,w active=y"), ("y delay-turn z", "illegal")],
    ),
    "E155-before": (XY, "x side=us;y;z side=us;w", [("x delay-turn z after=no", "order=y,x,z,w active=y")]),
    "E157": (
        {"first": "one"},
        "one side=us;two side=us;three",
        [
            *(("one prepare-counter", "prepared.one=True"), ("two active three", "active=three")),
            *(("three active one move=yes", "waiting=one"), ("three active two", "illegal")),
            *(
                ("one counter three", "active=three waiting= prepared.one=False"),
                ("three active one move=yes", "illegal"),
            ),
            *(("three active one", "active=one round=2 order=one,two,three"), ("one active", "turns.one=2")),
        ],
    ),
    "E158": (
        XY,
        "x speed=1/4;y speed=1/2;z;v speed=3/2;w speed=2;u healthy=no",
        [("", "combo.x=1,2 combo.y=1,2 combo.z=1,2 combo.v=2,3 combo.w=2,3 combo.u=0,0")],
    ),
    "E159-injured": (
        XY,
        "x speed=3 weapons=2 healthy=no;y",
        [("x combo count=4 weapons=2", "illegal"), ("x active", "")],
    ),
    "E159": (
        XY,
        "x speed=3 weapons=2;y",
        [("x combo count=5 weapons=2", "illegal"), ("x combo count=4 weapons=2", "")],
    ),
    "E160": (
        {"first": "y"},
        "y;x speed=1/2",
        [
            *(("x start-ready", ""), ("y active x", "waiting=x"), ("x counter y", "owed.x=0 turns.x=0")),
            *(("y active x", "active=x"), ("x active", "owed.x=1")),
        ],
    ),
    "M04": (
        XY,
        "x speed=1/2;y;z",
        [
            *(("x prepare-counter", ""), ("y active", ""), ("z active", "owed.x=0 prepared.x=False")),
            *(("x prepare-counter", ""), ("y active x", ""), ("x counter", "owed.x=1")),
        ],
    ),
    "M14": (
        {"first": "x"},
        THREE,
        [
            *(("x prepare-counter", ""), ("y prepare-counter", ""), ("z active x", "waiting=x")),
            *(("x counter y move=yes", "waiting=y moved.x=True"), ("y counter x", "waiting= active=z")),
            *(
                ("z active", "illegal"),
                ("x counter y move=yes", "illegal"),
                ("x counter z", ""),
                ("z combo count=1", "active=x"),
            ),
        ],
    ),
}

OLD = {
    "E161-ambush": (
        {"ambush": "y"},
        "x hp=6 hp_round=3 reach=2;y hp=6 hp_round=3;z hp=6 hp_round=3",
        [("", "order=y,z,x")],
    ),
    "E161": ({}, "y hp=6 hp_round=3;x hp=6 hp_round=3 reach=2;z hp=6 hp_round=3", [("", "order=x,z,y")]),
    "E162": (
        {"ambush": "x"},
        "x hp=6 hp_round=3 pools=stun:5+other:1;y hp=6 hp_round=3",
        [("x start-turn", "stun.x=4 ready.x=2 other.x=0 phase=actions")],
    ),
    "E164": (
        {"ambush": "x"},
        "x hp=3 hp_round=3;y hp=6 hp_round=3",
        [
            *(("x start-turn", "ready.x=3"), ("x spend points=1 use=power to=stun", "illegal")),
            *(("x spend points=2 use=manoeuvre to=defence", "ready.x=1 defence.x=2"),),
            *(("x spend points=1 use=power to=other", "ready.x=0 other.x=1 active=y turns.x=1"),),
            ("x spend points=1 use=manoeuvre to=other", "illegal"),
        ],
    ),
    "E165": (
        {"ambush": "x"},
        "x hp=6 hp_round=3 pools=ready:2+other:4;y hp=6 hp_round=3",
        [("x start-turn", "phase=ready"), ("x end-turn", "illegal"), ("x ready", "ready.x=5 other.x=1")],
    ),
    "ready.illustrations": (
        {"ambush": "x"},
        "x hp=6 hp_round=3 pools=stun:3+other:2+defence:1;y hp=6 hp_round=3",
        [
            *(("x start-turn", "stun.x=2 phase=ready"), ("x ready take=other:4", "illegal")),
            *(("x ready", "illegal"), ("x ready take=other:2+defence:1", "ready.x=3 other.x=1 defence.x=0")),
        ],
    ),
}


def faces(**first: int) -> dict[str, Any]:
    """The initiative of everybody."""
    return {"initiative": {name: [face, 21 - face] for name, face in first.items()}}


SEIZE = {
    "E166": (faces(a=12, b=14, c=9), "a bonus=3;b;c bonus=5", [("", "total.a=15 total.b=14 total.c=14 openers=a")]),
    "E167": (faces(b=14, c=9), "b;c bonus=5", [("", "openers=c")]),
    "E167-level": ({"initiative": {"b": [14, 3], "c": [14, 12]}}, "b;c", [("", "openers=c")]),
    "E169": (
        faces(a=15, b=9, d=1),
        "a;b;d bonus=6",
        [
            *(("", "barred.d=True"), ("a turn", ""), ("- lose-hp d", "may_seize="), ("a choose d", "illegal")),
            *(("d seize", "illegal"), ("a choose b", ""), ("b turn", ""), ("b choose d", ""), ("d turn", "round=2")),
        ],
    ),
    "E170": (
        faces(goblins=20, a=19),
        "g group=goblins bonus=2;h group=goblins bonus=2;a bonus=9",
        [
            *(
                ("", "openers=g,h extra.h=True"),
                ("a turn", "illegal"),
                ("h turn", ""),
                ("h extra-action", "extra.h=False"),
            ),
            *(("h extra-action", "illegal"), ("h choose g", ""), ("g turn", ""), ("g extra-action", "")),
        ],
    ),
    "E171": (
        faces(a=15, b=9, c=5),
        "a;b;c",
        [
            *(("a turn", ""), ("a choose b", "next=b"), ("b turn", ""), ("b choose a", "illegal"), ("b choose c", "")),
            *(("c turn", ""), ("c choose c", "illegal"), ("c choose a", ""), ("a turn", "round=2")),
        ],
    ),
    "E173": (
        faces(a=18, b=9, c=5, d=5),
        "a;b bonus=1;c bonus=4;d bonus=2",
        [
            *(("a turn", ""), ("- lose-hp b", ""), ("- lose-hp c", ""), ("- lose-hp d", "may_seize=b,c,d")),
            *(("b seize", ""), ("a choose c", "illegal"), ("c seize", ""), ("d seize", "queue=c,d,b")),
            *(
                ("c turn", ""),
                ("c choose d", "illegal"),
                ("d turn", "next=b"),
                ("b turn", ""),
                ("b choose a", "next=a"),
            ),
        ],
    ),
    "K30": (
        faces(a=18, b=9, c=5, d=5),
        "a;b bonus=1;c bonus=4;d bonus=6",
        [
            *(("a turn", ""), ("- lose-hp b", ""), ("- lose-hp c", ""), ("b seize", ""), ("c seize", "queue=c,b")),
            *(("c turn", ""), ("- lose-hp d", ""), ("d seize", "queue=b,d next=b")),
        ],
    ),
    "E175": (
        faces(c=15, a=9, d=5),
        "c;a;d",
        [
            *(("c turn", ""), ("c choose a", ""), ("a turn", ""), ("- lose-hp c points=5", ""), ("c seize", "illegal")),
            *(("- lose-hp d points=0", ""), ("d seize", "illegal")),
        ],
    ),
    "E176": (
        faces(a=15, b=9),
        "b;a",
        [
            ("a turn", ""),
            ("a choose b", ""),
            ("b turn", ""),
            ("- lose-hp a", ""),
            ("a seize", "illegal"),
            ("b choose a", ""),
        ],
    ),
    "S01": (
        {**faces(a=15, b=20), "rulings": {"seize_on_total": True}},
        "a bonus=5;b bonus=3",
        [("", "openers=a extra.a=True extra.b=False")],
    ),
}

TABLES = {"mano": MANO, "mano-old": OLD, "seize": SEIZE}


@pytest.mark.parametrize(("system", "case"), [(system, case) for system, table in TABLES.items() for case in table])
def test_the_oracle_keeps_the_catalogue(system: str, case: str) -> None:
    """The oracle gives what the catalogue expects of the case that gives its name."""
    head, fighters, lines = TABLES[system][case]
    play(system, head, fighters, lines)


def found_cases() -> list[Path]:
    """The found cases of these systems."""
    return [path for path in CASES_FOUND if tomllib.loads(path.read_text("utf-8"))["system"] in TABLES]


@pytest.mark.parametrize("path", found_cases(), ids=lambda path: str(path.stem))
def test_the_oracle_keeps_what_was_found(path: Path) -> None:
    """A case that the comparison once found has the oracle's verdicts and figures too."""
    tree = tomllib.loads(path.read_text("utf-8"))
    oracle = situations.ORACLES[tree["system"]]
    state = oracle.new_state(tree)
    for each in tree["steps"]:
        state, record = oracle.play_step(state, each)
        figures, expected = oracle.figures(state), each.get("expect", {})
        assert record["legal"] == expected.get("legal", True), (each, record)
        assert expected.get("rule") in (None, *record["broken"])
        for key, value in expected.items():
            for path_, figure in (
                [(f"{key}.{k}", v) for k, v in value.items()] if isinstance(value, dict) else [(key, value)]
            ):
                assert path_.split(".")[0] in ("legal", "rule", "can", "cannot") or figures[path_] == figure, (
                    each,
                    path_,
                )
