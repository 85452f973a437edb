"""Damaged scenario files, by number: a fight that makes sense, written as TOML or JSON, and then harmed in some way.

The same number gives the same bytes. `KINDS` are the ways of harm, each used on every so many files; most of them leave
a file that is nearly right, so that the harm reaches what lies behind the first look.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from random import Random
from typing import Any

from scratch_core.scenario import SHIPPED, read
from tests.oracle.fight_situations import key_of, random_tree, to_toml, value_of

Tree = dict[str, Any]

STRANGE_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 20, 21, 100, 10**6, 10**7, -(10**18), 10**30, 10**4000),
    *(
        0.5,
        -0.0,
        1e308,
        float("nan"),
        float("inf"),
        "",
        " ",
        "0",
        "x",
        "none",
        "a",
        "A",
        "true",
        "héros",
        "ﬃ",
        "\u202e",
    ),
    *(
        "\x00",
        "\ud800",
        "\n",
        "a\nb",
        "x" * 200,
        "x" * 20_000,
        "[" * 500,
        "a.b",
        "__proto__",
        "__class__",
        "{}",
        "${x}",
    ),
    *([], {}, [[]], [None], [{}], {"": ""}, {"a": {}}, ["a"] * 200, [1] * 200, {str(n): n for n in range(150)}),
    *(
        ["a", "b"],
        [20],
        [1, 2, 3],
        {"a": 1},
        {"id": "a"},
        ["shooting"],
        ["none"],
        "shooting",
        "command",
        "scratch",
        "grid",
    ),
)
STRANGE_KEYS = (
    *(
        "",
        " ",
        "x",
        "x" * 300,
        "constructor",
        "__class__",
        "Actor",
        "actor ",
        "é",
        "hp.a",
        "hp",
        "a.b.c",
        "\x00",
        "\n",
        "0",
    ),
    *(
        "board",
        "at",
        "path",
        "swap",
        "when",
        "to",
        "target",
        "targets",
        "with",
        "faces",
        "expect",
        "note",
        "hp",
        "here",
    ),
    *(
        "minion_of",
        "side",
        "group",
        "printed",
        "abilities",
        "rulings",
        "system",
        "format",
        "title",
        "steps",
        "state",
        "n",
    ),
    *(
        "ability",
        "difficulty",
        "requires",
        "add",
        "hurry",
        "rolls",
        "events",
        "legal",
        "rule",
        "speed",
        "id",
        "do",
        "actor",
    ),
)
UNKNOWN = (
    "zed",
    "Chokestar",
    "",
    "a ",
    "basic attack",
    "BASIC-ATTACK",
    "fly",
    "interrupt",
    "active",
    "skip",
    "luck",
    "none",
)
EXPECTATIONS: Mapping[str, Any] = {
    "hp.a": 3,
    "condition.a": "healthy",
    "can.a": ["hold", "shoot"],
    "cannot.b": ["heal"],
    "order": ["a", "b"],
    "winner": "red",
    "active": "a",
    "round": 2,
    "escaped.b": True,
    "max_hp.a": 9,
    "legal": False,
    "prevented": True,
    "success": [True],
    "total": 12,
    "against": [10, 11],
    "automatic": [],
    "rule": "act.regular",
    **dict.fromkeys(("hp.", ".a", "hp.zed", "hp.a.b", "at.a", "luck", "can", "")),
}
"""What may be expected, with a value that can be read, and what can't be."""

INSERTS = (
    *(
        b"[",
        b"{",
        b'"',
        b"'",
        b"]",
        b"}",
        b"\n",
        b"\r",
        b"= ",
        b"-1",
        b"9" * 30,
        b"nan",
        b"\x00",
        b"\\",
        b"\\u0000",
        b"#",
    ),
    *(
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"\xe2\x80\xae",
        b'"""',
        b"'''",
        b"[[",
        b"]]",
        b"[[steps]]",
        b"\t",
    ),
    *(b"1979-05-27T07:32:00Z", b"1979-13-45", b"07:32:00", b"0x1F", b"1e999", b"1_000", b"inf", b"a.b.c = 1", b"[a.b]"),
)


def one_of(values: Sequence[Any], chance: Random) -> Any:
    """A value of these, a copy that may be harmed in turn."""
    return deepcopy(chance.choice(values))


# Whole fights


@lru_cache(maxsize=256)
def _fight(number: int) -> str:
    tree = dict(read(SHIPPED["worked-combat"]).tree) if number % 5 == 0 else random_tree(number, steps=8 + number % 9)
    return json.dumps(tree)


def fight(number: int) -> Tree:
    """A scenario that makes sense: the worked combat, or one of two hundred random ones, a fresh tree each time."""
    tree: Tree = json.loads(_fight(number % 200))
    return tree


def written(tree: Tree, chance: Random) -> bytes:
    """The tree as a file, TOML or JSON; as JSON where TOML has no way to say it."""
    try:
        if chance.random() < 0.6:
            return _toml(tree).encode("utf-8", "surrogatepass")
        return json.dumps(tree, ensure_ascii=chance.random() < 0.5, indent=chance.choice((None, 1))).encode(
            "utf-8", "surrogatepass"
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return json.dumps(tree, default=repr).encode() if not _has_huge(tree) else b'{"format": 1' + b"0" * 5000 + b"}"


def _toml(tree: Tree) -> str:
    other = {key: value for key, value in tree.items() if key not in _TOML_ORDER}
    head = "".join(f"{key_of(key)} = {value_of(value)}\n" for key, value in other.items())
    return head + to_toml(tree)


_TOML_ORDER = ("format", "title", "system", "rulings", "characters", "initiative", "steps", "expect")


def _has_huge(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(map(_has_huge, value.values()))
    return any(map(_has_huge, value)) if isinstance(value, list) else isinstance(value, int) and abs(value) > 10**4000


# Harm done to the tree


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a tree, as its table or list and the key or number there."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(pairs):
        yield value, key
        yield from _places(inner)


def _tables(tree: Tree) -> list[Tree]:
    return [tree, *(holder[key] for holder, key in _places(tree) if isinstance(holder[key], dict))]


def other_values(tree: Tree, chance: Random) -> None:
    """One to four values are others, of other types or far too large."""
    for _ in range(chance.randint(1, 4)):
        holder, key = chance.choice(list(_places(tree)))
        like = [each for each in STRANGE_VALUES if type(each) is type(holder[key])]
        holder[key] = one_of(like if like and chance.random() < 0.5 else STRANGE_VALUES, chance)


def missing_keys(tree: Tree, chance: Random) -> None:
    """One to three keys, or members of lists, are gone."""
    for _ in range(chance.randint(1, 3)):
        places = list(_places(tree))
        if places:
            holder, key = chance.choice(places)
            del holder[key]


def extra_keys(tree: Tree, chance: Random) -> None:
    """One to three tables have a key more."""
    for _ in range(chance.randint(1, 3)):
        chance.choice(_tables(tree))[chance.choice(STRANGE_KEYS)] = one_of(STRANGE_VALUES, chance)


def unknown_names(tree: Tree, chance: Random) -> None:
    """Texts where ids, abilities and actions stand are names that nobody knows."""
    texts = [place for place in _places(tree) if isinstance(place[0][place[1]], str)]
    for holder, key in chance.sample(texts, min(len(texts), chance.randint(1, 3))):
        holder[key] = chance.choice((*UNKNOWN, "a", "b", "shooting", "hold"))


def wrong_faces(tree: Tree, chance: Random) -> None:
    """Steps have faces too few, too many, or that no die has."""
    faces = (1, 10, 20) if chance.random() < 0.6 else (1, 10, 20, 0, 21, -5)
    for table, key in [(step, "faces") for step in tree["steps"]] + [
        (tree["initiative"], key) for key in tree["initiative"]
    ]:
        if chance.random() < 0.3:
            table[key] = [chance.choice(faces) for _ in range(chance.choice((0, 1, 2, 3, 30)))]


def strange_expectations(tree: Tree, chance: Random) -> None:
    """Steps, and the end, expect what can't be, or what can't be said."""
    for table in (tree, *chance.sample(tree["steps"], min(3, len(tree["steps"])))):
        keys = chance.sample(list(EXPECTATIONS), chance.randint(0, 3))
        strange = STRANGE_VALUES if chance.random() < 0.3 else ()
        table["expect"] = {
            key: one_of((EXPECTATIONS[key], *strange), chance) for key in keys if EXPECTATIONS[key] or strange
        }


def same_ids(tree: Tree, chance: Random) -> None:
    """Two or more have one id, or ids that differ in nothing one can see."""
    own_id = chance.choice(tree["characters"])["id"]
    for table in tree["characters"]:
        table["id"] = chance.choice((own_id, own_id, table["id"], own_id + "\u200b", own_id.upper()))


def circles(tree: Tree, chance: Random) -> None:
    """Everybody is somebody's minion, maybe in a circle."""
    ids = [table["id"] for table in tree["characters"]]
    is_circle = chance.random() < 0.6
    for n, table in enumerate(tree["characters"]):
        table["minion_of"] = chance.choice((ids[n - 1], chance.choice(ids), table["id"])) if is_circle else ids[n // 2]
        if not n and not is_circle:
            del table["minion_of"]
        if chance.random() < 0.7:
            table.pop("side", None)
            table.pop("group", None)


def crowds(tree: Tree, chance: Random) -> None:
    """Far too many characters, steps, faces, targets, groups or abilities."""
    first, steps = tree["characters"][0], tree["steps"] or [{"actor": "a", "do": "nothing"}]
    match chance.randrange(6):
        case 0:
            tree["characters"] = [{**first, "id": f"c{n}"} for n in range(chance.choice((99, 100, 101, 3000)))]
        case 1:
            tree["steps"] = deepcopy(steps * 3000)[: chance.choice((300, 999, 1001, 3000))]
        case 2:
            steps[0]["faces"] = [chance.randint(1, 20) for _ in range(chance.choice((99, 100, 101, 50_000)))]
        case 3:
            steps[0].pop("target", None)
            steps[0] |= {"do": "blast", "targets": [first["id"]] * chance.choice((99, 100, 101, 20_000))}
        case 4:
            tree["initiative"] = {f"g{n}": [1] * 200 for n in range(chance.choice((50, 2000)))}
        case _:
            tree["characters"][0]["abilities"] = {f"ability {n}": n for n in range(3000)}


def deep(tree: Tree, chance: Random) -> None:
    """Somewhere lie lists or tables very deep in one another."""
    value: Any = one_of(STRANGE_VALUES[:8], chance)
    for _ in range(chance.choice((5, 39, 40, 41, 300))):
        value = [value] if chance.random() < 0.5 else {chance.choice(("a", "hp", "b.c")): value}
    holder, key = chance.choice(list(_places(tree)))
    holder[key] = value


def edges(tree: Tree, chance: Random) -> None:
    """Numbers at the edges of what is allowed, and just beyond."""
    for table in tree["characters"]:
        levels = (1, 12, 100, 999_999, 10**6) if chance.random() < 0.8 else (0, 1, 10**6, 10**6 + 1)
        for ability in list(table.get("abilities", {})):
            table["abilities"][ability] = chance.choice(levels)
        table["hp"] = chance.choice((0, 1, 10**6 + 1) if chance.random() < 0.2 else (0,))
    for step in tree["steps"]:
        if step["do"] == "check":
            step["difficulty"] = chance.choice((-(10**6), 10**6, 10**6 + 1, 10**25))


# Harm done to the text


def bytes_changed(data: bytearray, chance: Random) -> None:
    """Bytes are lost, doubled, changed or put in."""
    for _ in range(chance.randint(1, 12)):
        place = chance.randrange(len(data) + 1)
        match chance.randrange(5):
            case 0:
                data[place : place + 1] = bytes((chance.randrange(256),))
            case 1:
                del data[place : place + chance.randint(1, 40)]
            case 2:
                data[place:place] = data[place : place + chance.randint(1, 200)]
            case 3:
                data[place : place + 1] = (
                    bytes((data[place] ^ 1 << chance.randrange(8),)) if place < len(data) else b"\x80"
                )
            case _:
                data[place:place] = chance.choice(INSERTS)


def lines_changed(data: bytearray, chance: Random) -> None:
    """Lines are cut out, doubled, exchanged or all mixed up."""
    lines = data.split(b"\n")
    for _ in range(chance.randint(1, 6)):
        one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        match chance.randrange(4):
            case 0:
                lines[one], lines[other] = lines[other], lines[one]
            case 1:
                lines.insert(other, lines[one])
            case 2 if len(lines) > 1:
                del lines[one]
            case _:
                lines[one] = lines[one][: len(lines[one]) // 2]
    if chance.random() < 0.1:
        chance.shuffle(lines)
    data[:] = b"\n".join(lines)


def cut_off(data: bytearray, chance: Random) -> None:
    """The file ends too early, or has no beginning."""
    place = chance.randrange(len(data))
    if chance.random() < 0.8:
        del data[place:]
    else:
        del data[:place]


def line_ends(data: bytearray, chance: Random) -> None:
    """Other line ends, a mark of byte order, blank lines: a good file still."""
    ends = chance.choice((b"\r\n", b"\n\n", b" \n", b"\r"))
    data[:] = chance.choice((b"", b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf", b"\n\n ")) + data.replace(b"\n", ends)


def other_encodings(data: bytearray, chance: Random) -> None:
    """The file in another encoding, or with a NUL in it."""
    text = "# é\n" * (not data.startswith(b"{")) + data.decode("utf-8", "replace")
    codec = chance.choice(("utf-16", "utf-16-le", "utf-32", "latin-1", "cp500", "utf-7", "utf-8"))
    data[:] = text.encode(codec, "replace")
    if codec == "utf-8":
        data[chance.randrange(len(data)) : 0] = b"\x00"


def long_texts(data: bytearray, chance: Random) -> None:
    """Something very long: a line, a text, a comment, a run of brackets or dots."""
    place = data.find(b"\n", chance.randrange(len(data)))
    size = chance.choice((1_000, 30_000, 999_000))
    filler = chance.choice(
        (b"x", b"[", b"{", b"a.", b"1,", b"\\", b'"', b'\\"', b"'", b" ", b"#", b"[a]\n", b"a=1\n", b"\xf0\x9f\x8e\xb2")
    )
    head = chance.choice((b"\nnote = ", b"\n# ", b"\nx = '", b'\ny = "', b"\n", b"\nz = "))
    data[place:place] = head + filler * (size // len(filler))


def mixed(data: bytearray, chance: Random) -> None:
    """TOML and JSON in one file, in either order."""
    other = json.dumps(fight(chance.randrange(200))).encode()
    data[:] = data + b"\n" + other if chance.random() < 0.5 else other + b"\n" + data


TREE_KINDS: tuple[Callable[[Tree, Random], None], ...] = (
    *(other_values, missing_keys, extra_keys, unknown_names, wrong_faces, strange_expectations, same_ids, circles),
    *(crowds, deep, edges),
)
TEXT_KINDS: tuple[Callable[[bytearray, Random], None], ...] = (
    *(bytes_changed, lines_changed, cut_off, line_ends, other_encodings, long_texts, mixed),
)
KINDS = (None, *TREE_KINDS, *TEXT_KINDS)
"""Each way of harm; None leaves a file as it is."""


def damaged_file(number: int) -> tuple[str, bytes]:
    """The name of the harm and the file; every tenth file is harmed in two ways."""
    chance = Random(number)
    tree = fight(number)
    kind: Any = KINDS[number % len(KINDS)]
    if kind in TREE_KINDS:
        kind(tree, chance)
    if number % 10 == 0:
        other_values(tree, chance)
    data = bytearray(written(tree, chance))
    if kind in TEXT_KINDS:
        kind(data, chance)
    return kind.__name__ if kind else "whole", bytes(data)
