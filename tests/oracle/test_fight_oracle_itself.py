"""The oracle of the fight on the cases of the rule catalogue: what checks the engine is checked first.

A character is written `toughness 3, fighting 2 | hp=1 here=level+cover side=x`; toughness 3 unless stated. A step is
`actor action target faces with=ability`. What is expected: totals as numbers, `hit` or `miss` for each roll,
`illegal:<rule>`, and figures such as `hp.b=2`.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.oracle import fight_oracle as oracle


def character(name: str, text: str) -> dict[str, Any]:
    """An entry of the file from its short form."""
    abilities, _, rest = text.partition("|")
    levels = {"toughness": 3}
    for part in filter(None, (piece.strip() for piece in abilities.split(","))):
        ability, number = part.split()
        levels[ability] = int(number)
    entry: dict[str, Any] = {"id": name, "name": name, "abilities": levels}
    for part in rest.split():
        key, value = part.split("=")
        entry[key] = int(value) if key == "hp" else value.split("+") if key == "here" else value
    return entry


def step(text: str) -> dict[str, Any]:
    """A step of the file from its short form."""
    actor, do, *rest = text.split()
    found: dict[str, Any] = {"actor": actor, "do": do}
    faces = [int(word) for word in rest if word.lstrip("-").isdigit()]
    if faces:
        found["faces"] = faces
    for word in rest:
        key, _, value = word.partition("=")
        if value:
            found[key] = {"true": True, "false": False}.get(value, int(value) if value.isdigit() else value)
            if "+" in value:
                found[key] = value.split("+")
        elif not key.isdigit():
            found.update({"targets": key.split(",")} if do in ("blast", "double-attack") else {"target": key})
    return found


def tree(characters: dict[str, str], rulings: dict[str, Any] | None = None) -> dict[str, Any]:
    """A scenario whose groups fall in the order of their first members."""
    entries = [character(name, text) for name, text in characters.items()]
    found: dict[str, Any] = {"system": "scratch", "rulings": rulings or {}, "characters": entries, "steps": []}
    found["initiative"] = {group: [20 - n] for n, group in enumerate(oracle.groups_of(found))}
    return found


def play(characters: dict[str, str], lines: list[tuple[str, str]], rulings: dict[str, Any] | None = None) -> None:
    """Play the lines with the oracle and hold each to what is expected."""
    scenario = tree(characters, rulings)
    state = oracle.new_state(scenario)
    for line, expected in lines:
        if line.split()[1] != "craft" and not state["order"]:
            state = {**oracle.begun(state), "order": list(oracle.groups_of(scenario))}
        state, record = oracle.play_step(state, step(line))
        hold_to(expected, record, state, line)


def hold_to(expected: str, record: dict[str, Any], state: dict[str, Any], line: str) -> None:
    """Compare one step with what is expected."""
    figures, words = oracle.figures(state), expected.split()
    illegal = [word.partition(":")[2] for word in words if word.startswith("illegal:")]
    assert record["legal"] == (not illegal), (line, record["broken"])
    assert set(illegal) <= record["broken"], (line, record["broken"])
    totals = [int(word) for word in words if word.isdigit()]
    assert not totals or totals == [each["total"] for each in record["rolls"]], (line, record["rolls"])
    hits = [word == "hit" for word in words if word in ("hit", "miss")]
    assert not hits or hits == [each["success"] for each in record["rolls"]], (line, record["rolls"])
    for word in words:
        path, _, value = word.partition("=")
        if value:
            assert str(figures[path]) == value, (line, path, figures[path])


AB = {"a": "", "b": ""}

CASES: dict[str, tuple[dict[str, str], list[tuple[str, str]]]] = {
    "E001": ({"a": "craftsmanship 3"}, [("a check ability=craftsmanship difficulty=15 12", "15 hit")]),
    "E002": ({"a": "craftsmanship 3"}, [("a check ability=craftsmanship difficulty=15 11", "14 miss")]),
    "E004": (
        {"a": "", "b": "healing 1"},
        [
            ("a check ability=healing difficulty=11 requires=true 20", "illegal:roll.ability-required"),
            ("b check ability=healing difficulty=11 requires=true 10", "11 hit"),
            ("b check ability=healing difficulty=11 requires=true 9", "10 miss"),
        ],
    ),
    "E005": (
        {"z": "shooting 8", "b": "toughness 5", "c": "craftsmanship 1"},
        [("c craft z ability=shooting add=true", ""), ("z shoot b 1", "10 hit hp.b=3")],
    ),
    "E006": (AB, [("a shoot b 20", "illegal:char.ability-level hp.b=3")]),
    "E007": (
        {"a": "| here=level+cover+throwable", "b": "stealth 15, toughness 5"},
        [("a take-cover", "in_cover.a=True"), ("a throw b 20", "18 hit hp.b=3")],
    ),
    "E015": (
        {"boss": "detection 1, command 4", "t": "toughness 2 | minion_of=boss", "u": "toughness 2 | minion_of=boss"},
        [("t nothing", "active=t"), ("boss nothing", "active=boss"), ("u nothing", "round=1")],
    ),
    "E016": (
        {"a": "| group=g", "b": "| group=g", "c": "| group=g"},
        [
            *[(f"{name} nothing", f"round=1 active={name}") for name in "bac"],
            ("c end-turn", "round=1 active=c"),
            *[(f"{name} nothing", f"round=2 active={name}") for name in "cba"],
            ("b nothing", "round=3"),
            ("a nothing", "round=3"),
            ("b bonus", "illegal:turn.member-turn active=a"),
        ],
    ),
    "E018": (AB, [("a bonus", ""), ("a basic-attack b 9", "9 miss"), ("a bonus", "illegal:act.bonus")]),
    "E019": (
        {"a": "healing 1", "b": "| hp=1"},
        [("a basic-attack b 9", "miss"), ("a heal b 20", "illegal:act.regular hp.b=1")],
    ),
    "E020": (AB, [("a nothing", "hp.a=3 hp.b=3 delayed.a=False")]),
    "E022": (
        {"sheriff": "stealth 1", "outlaw": "stealth 1"},
        [
            ("sheriff surprise outlaw 2", "3 miss"),
            ("outlaw surprise sheriff 2", "3 miss"),
            ("sheriff surprise outlaw 20", "illegal:act.unrepeatable"),
        ],
    ),
    "E025": (
        {"a": "toughness 0, shooting 4", "b": ""},
        [
            ("a shoot b 20", "illegal:tough.none max_hp.a=0"),
            ("a bonus", "illegal:tough.none"),
            ("b nothing", "round=1 winner=b"),
        ],
    ),
    "E026": ({"a": "knockout 3", "b": "| hp=2"}, [("a knockout b 7", "10 hit hp.b=0 condition.b=incapacitated")]),
    "E027": ({"a": "", "b": "stealth 8"}, [("a basic-attack b 20", "20 hit hp.b=1")]),
    "E028": ({"a": "", "b": "wrestling 20"}, [("a hold b 20", "20 hit delayed.b=True hp.b=3")]),
    "E029": (
        {"a": "| hp=0 here=level+cover", "b": ""},
        [(f"a {do}", "illegal:hp.incapacitated") for do in ("take-cover", "hold b 10", "escape")],
    ),
    "E030": (
        {"a": "", "b": "toughness 6 | hp=4"},
        [
            ("b check ability=stealth difficulty=1 1", "condition.b=healthy"),
            ("a basic-attack b 10", "condition.b=injured"),
        ],
    ),
    "E031": (
        {"a": "fighting 1", "b": "acrobatics 2, quickness 3"},
        [("a double-attack b 12 11", "13 12 hit miss agility.b=13")],
    ),
    "E032": ({"a": "stealth 3", "b": ""}, [("a evade", "agility.a=13 evading.a=True strength.a=10")]),
    "E033": (
        {"a": "", "c": "", "boss": "detection 1, command 4"},
        [("a distract boss 13", "13 miss intelligence.boss=14"), ("c distract boss 14", "14 hit delayed.boss=True")],
    ),
    "E034": ({"x": "toughness 8, wrestling 1", "y": "toughness 8"}, [("x nothing", "strength.x=11 strength.y=15")]),
    "E036": (
        {"a": "", "c": "", "b": "wrestling 2, swimming 4, quickness 5"},
        [("a hold b 13", "13 miss strength.b=14 agility.b=15"), ("c hold b 14", "14 hit delayed.b=True")],
    ),
    "E040": (
        {"a": "", "c": "", "b": ""},
        [("a basic-attack b 10", "10 hit hp.b=2"), ("c basic-attack b 9", "9 miss hp.b=2")],
    ),
    "E041": (
        {"a": "shooting 4", "c": "shooting 4 | here=level+throwable", "b": "quickness 1"},
        [
            ("a throw b 20", "illegal:act.throw-object.needs-object"),
            ("a nothing", ""),
            ("c throw b 10 with=shooting", "illegal:act.throw-object"),
            ("c throw b 10", "10 miss"),
        ],
    ),
    "E042": (
        AB,
        [
            ("a hold b 10", "10 hit delayed.b=True hp.b=3"),
            ("b basic-attack a 20", "illegal:cond.delayed"),
            ("b nothing", "delayed.b=True"),
            ("a nothing", "delayed.b=False"),
            ("b basic-attack a 10", "hit"),
        ],
    ),
    "E044": (
        {"b": "quickness 3", "a": "", "d": "fighting 5"},
        [
            ("b evade", "agility.b=16"),
            ("a distract b 10", "hit delayed.b=True agility.b=16"),
            ("d basic-attack b 10", "15 miss"),
        ],
    ),
    "E045": (
        {"a": "quickness 2", "b": "command 2"},
        [
            ("a distract b 10", "12 hit delayed.b=True"),
            ("b end-turn", "delayed.b=False"),
            ("a distract b 10", "illegal:act.unrepeatable"),
        ],
    ),
    "E046": (
        {"a": "quickness 3, acrobatics 1 | here=climbable", "b": ""},
        [("a evade", "agility.a=14 strength.a=11")],
    ),
    "E047": (
        {"a": "quickness 3", "b": ""},
        [("a evade", "agility.a=16"), ("b nothing", "agility.a=16"), ("a bonus", "agility.a=13")],
    ),
    "E048": (
        {"b": "command 2", "m": "toughness 2 | minion_of=b", "a": "shooting 1"},
        [
            ("b evade", ""),
            ("m nothing", ""),
            ("a nothing", ""),
            ("b escape", "escaped.b=True round=2"),
            ("m basic-attack a 10", "hit"),
            ("a shoot b 20", "illegal:act.escape.effect"),
        ],
    ),
    "E049": (
        AB,
        [
            ("a evade", ""),
            ("b nothing", ""),
            ("a basic-attack b 1", ""),
            ("b nothing", ""),
            ("a escape", "illegal:act.escape"),
        ],
    ),
    "E050": (
        {"b": "", "a": ""},
        [
            ("b evade", ""),
            ("a hold b 20", "hit evading.b=False"),
            ("b escape", "illegal:cond.delayed"),
            ("b nothing", ""),
            ("a nothing", ""),
            ("b escape", "illegal:act.escape"),
        ],
    ),
    "E051": (
        {"a": "fighting 2, stealth 1", "b": "quickness 3"},
        [
            ("a engage", "agility.a=9"),
            ("a double-attack b 9 8", "13 12 hit miss hp.b=2"),
            ("b nothing", "agility.a=9"),
            ("a nothing", "agility.a=11"),
        ],
    ),
    "E052": (
        {"a": "| here=level+cover", "c": "", "b": ""},
        [
            ("a take-cover", ""),
            ("a engage", "illegal:act.bonus"),
            ("c basic-attack b 1", ""),
            ("c engage", "illegal:act.engage"),
        ],
    ),
    "E053": ({"a": "", "b": "command 2"}, [("a engage", ""), ("a distract b 10", "12 hit delayed.b=True")]),
    "E054": (
        {"a": "shooting 4 | here=level+cover", "b": ""},
        [
            ("a take-cover", "agility.a=12 strength.a=10"),
            ("a shoot b 8", "10 hit hp.b=1"),
            ("b nothing", "agility.a=12"),
            ("a shoot b 7", "9 miss"),
        ],
    ),
    "E055": (
        {"a": "| here=level+cover", "b": ""},
        [
            ("a bonus", ""),
            ("a take-cover", "illegal:act.cover"),
            ("b take-cover", "illegal:act.cover"),
        ],
    ),
    "E057": (
        {"a": "healing 1 | here=cover side=x", "b": "| hp=1 side=x", "c": "| hp=1"},
        [
            ("a take-cover", ""),
            ("a heal b 11", "10 hit hp.b=2"),
            ("b nothing", ""),
            ("c nothing", ""),
            ("a heal c 10", "9 miss hp.c=1"),
        ],
    ),
    "E058": (
        {"a": "command 3 | here=cover", "b": ""},
        [
            ("a take-cover", ""),
            ("a intimidate b 20", "illegal:act.cover.forbidden"),
            ("a leave-cover", "in_cover.a=False"),
            ("a intimidate b 20", "hit panicked.b=True"),
        ],
    ),
    "E059": (AB, [("a distract b 10", "hit"), ("b bonus", "illegal:cond.delayed")]),
    "E060": (
        {"a": "stealth 1", "b": "shooting 3, healing 2"},
        [
            ("a surprise b 20", "hit panicked.b=True"),
            ("b shoot a 20", "illegal:cond.panicked"),
            ("b heal a 20", "illegal:cond.panicked"),
            ("b nothing", "illegal:cond.panicked"),
            ("b end-turn", "illegal:cond.panicked"),
            ("b engage", "illegal:cond.panicked"),
            ("b bonus", ""),
            ("a nothing", "illegal:cond.panicked active=b"),
            ("b evade", "panicked.b=True"),
            ("a nothing", "panicked.b=False"),
            ("b shoot a 20", "hit"),
        ],
    ),
    "E062": (
        {"b": "| here=cover", "a": "stealth 1"},
        [
            ("b take-cover", ""),
            ("a surprise b 20", "panicked.b=True"),
            ("b evade", "illegal:act.cover.forbidden"),
            ("b escape", "illegal:act.escape"),
            ("b nothing", "illegal:cond.panicked"),
            ("b leave-cover", ""),
            ("b evade", ""),
        ],
    ),
    "E063": (
        {"b": "", "a": "command 1"},
        [
            ("b evade", ""),
            ("a intimidate b 20", "panicked.b=True"),
            ("b hold a 20", "illegal:cond.panicked"),
            ("b escape", "escaped.b=True winner=a"),
        ],
    ),
    "E064": (
        {"a": "", "b": "", "c": ""},
        [
            ("a hold b 20", "delayed.b=True"),
            ("b nothing", ""),
            ("c hold b 20", "delayed.b=True"),
            ("a nothing", ""),
            ("b bonus", "illegal:cond.delayed"),
            ("c nothing", "delayed.b=False round=2"),
            ("a nothing", ""),
            ("b bonus", ""),
        ],
    ),
    "E065": ({"a": "shooting 2", "b": "stealth 15, toughness 6"}, [("a shoot b 20", "22 hit hp.b=1")]),
    "E066": (
        {"a": "shooting 1 | hp=1", "b": ""},
        [
            ("a shoot b 1", "miss delayed.a=True"),
            ("a bonus", "illegal:cond.delayed"),
            ("b nothing", "delayed.a=True"),
            ("a basic-attack b 20", "illegal:cond.delayed"),
            ("a nothing", ""),
            ("b nothing", "delayed.a=False"),
            ("a bonus", ""),
        ],
    ),
    "E067": (
        {"a": "shooting 2", "b": "toughness 6"},
        [("a shoot b 10", "hit delayed.a=False"), ("b basic-attack a 20", "condition.a=injured"), ("a bonus", "")],
    ),
    "E069": (
        {"a": "blasting 1 | hp=1", "b": "", "c": ""},
        [
            ("a blast b,c 1 1", "miss miss delayed.a=True"),
            ("b nothing", ""),
            ("c nothing", ""),
            ("a end-turn", "delayed.a=False"),
        ],
    ),
    "E070": (
        {"a": "knockout 4", "c": "knockout 4 | hp=1", "b": "stealth 4, toughness 10"},
        [("a knockout b 10", "14 hit hp.b=6 delayed.a=True"), ("c knockout b 20", "hit hp.b=3 delayed.c=True")],
    ),
    "E071": (
        {"a": "knockout 1", "b": ""},
        [
            ("a knockout b 1", "miss"),
            ("b nothing", ""),
            ("a bonus", "illegal:cond.delayed"),
            ("a nothing", ""),
            ("b nothing", ""),
            ("a bonus", ""),
        ],
    ),
    "E073": (
        {"a": "fighting 4 | hp=1", "b": "stealth 3"},
        [("a double-attack b 20 20", "illegal:act.fighting.double"), ("a basic-attack b 9", "13 hit hp.b=2")],
    ),
    "E075": (
        {"a": "fighting 1, wrestling 4", "b": ""},
        [
            ("a double-attack b 20 20 with=wrestling", "illegal:act.fighting.double"),
            ("a basic-attack b 6 with=wrestling", "10 hit"),
        ],
    ),
    "second blow": (
        {"a": "fighting 1 | hp=3", "b": "| hp=1", "c": ""},
        [
            ("a second-blow c 20", "illegal:act.fighting.double"),
            ("a double-attack target=b 9", "10 hit hp.b=0"),
            ("a engage", "illegal:act.engage"),
            ("a second-blow c 9", "10 hit hp.c=2"),
            ("a second-blow c 20", "illegal:act.fighting.double"),
            ("a basic-attack c 20", "illegal:act.regular"),
        ],
    ),
    "second blow let go": (
        {"a": "fighting 1", "b": ""},
        [
            ("a engage", ""),
            ("a double-attack target=b 6", "9 miss"),
            ("a bonus", "illegal:act.bonus"),
            ("a second-blow b 7", "10 hit hp.b=2"),
            ("b end-turn", ""),
            ("a double-attack target=b 1", "miss"),
            ("a bonus", ""),
            ("a second-blow b 20", "illegal:act.fighting.double"),
            ("b end-turn", ""),
            ("a double-attack target=b 1", "miss"),
            ("a end-turn", ""),
            ("a second-blow b 20", "illegal:act.fighting.double"),
        ],
    ),
    "cover left in another's turn": (
        {"a": "| here=cover", "b": "fighting 1", "c": "| hp=0"},
        [
            ("a take-cover", ""),
            ("b double-attack target=a 10", "11 miss active=b"),
            ("a leave-cover", "in_cover.a=False active=b round=1"),
            ("b second-blow a 10", "11 hit hp.a=2 active=b"),
            ("b bonus", ""),
            ("a leave-cover", "illegal:act.cover.stay active=b"),
            ("a basic-attack b 10", "hit active=a round=2"),
        ],
    ),
    "wings without room": (
        {"f": "flying 2 | here=open-air", "a": "flying 4", "b": "flying 1 | here=open-air"},
        [
            ("f evade with=none", "agility.f=12"),
            ("a basic-attack f 20", "illegal:flying.immunity"),
            ("a end-turn", ""),
            ("b basic-attack f 12", "12 hit hp.f=2"),
        ],
    ),
    "hurry": (
        {"a": "craftsmanship 2", "b": "shooting 1, fighting 1, stealth 1"},
        [
            ("a craft b ability=shooting hurry=true 1", "3 miss"),
            ("a craft b ability=shooting hurry=true 8", "10 hit"),
            ("a craft b ability=fighting hurry=true 20", "illegal:craft.hurry-fail"),
            ("a craft b ability=fighting", ""),
            ("a craft b ability=stealth", "illegal:craft.bonus"),
        ],
    ),
    "E076": ({"a": "wrestling 2", "b": "toughness 6"}, [("a hold b 11", "13 hit delayed.b=True hp.b=5 strength.b=13")]),
    "E077": (
        {"a": "wrestling 2", "c": "wrestling 2 | hp=1", "b": "toughness 6"},
        [("a hold b 20", "hit delayed.b=True hp.b=4"), ("c hold b 20", "hit delayed.b=True hp.b=4")],
    ),
    "E079 (i)": (
        {"a": "", "w": "wrestling 3", "b": ""},
        [("a hold w 20", ""), ("w counter-hold b 20", "illegal:act.wrestling.counter-hold")],
    ),
    "E079 (ii)": (
        {"a": "", "w": "wrestling 3 | hp=1"},
        [("a hold w 20", ""), ("w counter-hold a 20", "illegal:act.wrestling.counter-hold")],
    ),
    "E079 (iii)": (
        {"a": "", "w": "wrestling 3"},
        [("a distract w 20", ""), ("w counter-hold a 20", "illegal:act.wrestling.counter-hold")],
    ),
    "E079 (iv)": (
        {"a": "", "w": "wrestling 3"},
        [
            ("a hold w 1", "miss"),
            ("w counter-hold a 20", "illegal:act.wrestling.counter-hold"),
            ("w hold a 10", "13 hit hp.a=2"),
        ],
    ),
    "counter-hold": (
        {"a": "quickness 1", "w": "wrestling 3"},
        [
            ("a hold w 20", "delayed.w=True"),
            ("w counter-hold a 20", "23 hit hp.a=3 delayed.a=True delayed.w=True"),
            ("a nothing", "delayed.w=False"),
        ],
    ),
    "E080": (
        {"a": "", "w": "wrestling 3", "b": ""},
        [
            ("a hold w 20", ""),
            ("w nothing", ""),
            ("b distract w 20", "delayed.w=True"),
            ("a nothing", ""),
            ("w counter-hold a 20", "illegal:act.wrestling.counter-hold"),
        ],
    ),
    "E081": ({"a": "wrestling 2", "b": ""}, [("a basic-attack b 8", "10 hit hp.b=2")]),
    "E082": (
        {"a": "wrestling 1, detection 3", "c": "wrestling 1, detection 3", "b": "wrestling 2"},
        [
            ("a hold b 9 with=wrestling+detection", "illegal:act.hold"),
            ("a hold b 9 with=detection", "12 hit delayed.b=True hp.b=3"),
            ("c hold b 11 with=wrestling", "12 hit hp.b=2"),
        ],
    ),
    "E083": (
        {"x": "stealth 2", "y": "", "b": "command 1"},
        [
            ("x surprise b 9", "11 hit panicked.b=True"),
            ("y surprise b 20", "illegal:act.surprise"),
        ],
    ),
    "E084": (
        {"x": "detection 4, stealth 1 | here=cover", "b": "command 4"},
        [
            ("x take-cover", ""),
            ("x surprise b 20", "illegal:act.cover.forbidden"),
            ("x leave-cover", ""),
            ("x surprise b 10 with=detection", "14 hit panicked.b=True"),
        ],
    ),
    "E085": (
        {"a": "flying 3", "c": "flying 3 | here=open-air", "b": "wrestling 2"},
        [
            ("a hold b 10 with=flying", "illegal:move.terrain"),
            ("a hold b 10", "10 miss"),
            ("c hold b 10", "13 hit hp.b=3"),
        ],
    ),
    "E086": (
        {"f": "flying 2 | here=open-air", "a": "", "b": "flying 1 | here=open-air"},
        [
            ("f evade", "strength.f=12"),
            ("a hold f 20", "illegal:flying.immunity"),
            ("a nothing", ""),
            ("b hold f 11 with=flying", "12 hit hp.f=3 evading.f=False"),
        ],
    ),
    "E088": (
        {"f": "flying 2", "a": ""},
        [("f evade", "agility.f=12 evading.f=True"), ("a basic-attack f 10", "10 miss")],
    ),
    "E089": ({"f": "| here=open-air", "a": ""}, [("f evade with=flying", "agility.f=10"), ("a hold f 20", "hit")]),
    "E090": (
        {
            "a": "fighting 2, swimming 3, quickness 2 | here=water",
            "c": "fighting 2, swimming 3, quickness 2",
            "b": "stealth 5",
        },
        [
            ("a basic-attack b 10", "15 hit agility.a=15"),
            ("c basic-attack b 10", "12 miss agility.c=12"),
        ],
    ),
    "E091": (
        {"a": "swimming 3, quickness 2 | here=water", "b": ""},
        [
            ("a evade with=swimming", "agility.a=18 strength.a=16"),
            ("b throw a 20", "illegal:act.throw-object.needs-object"),
        ],
    ),
    "deep water": (
        {"a": "swimming 1 | here=deep-water", "b": "shooting 1", "c": "swimming 1, shooting 1"},
        [
            ("a evade", "agility.a=12"),
            ("b basic-attack a 20", "illegal:swimming.deep-evade"),
            ("b nothing", ""),
            ("c shoot a 20", "illegal:swimming.deep-evade"),
            ("c hold a 20", "hit evading.a=False"),
        ],
    ),
    "E093": (
        {
            "a": "swimming 3 | here=water",
            "c": "swimming 3 | here=water",
            "d": "swimming 3, wrestling 2 | here=water",
            "b": "wrestling 4",
        },
        [
            ("a hold b 8 with=swimming", "14 hit"),
            ("c hold b 7 with=swimming", "13 miss"),
            ("d hold b 10 with=wrestling", "15 hit"),
        ],
    ),
    "E095": (
        {"a": "healing 1", "c": "healing 1", "b": "toughness 7 | hp=1"},
        [("a heal b 8", "9 miss hp.b=1"), ("c heal b 9", "10 hit hp.b=4")],
    ),
    "E096": (
        {
            "a": "healing 3",
            "c": "healing 3",
            "d": "healing 3",
            "x": "toughness 2 | hp=1",
            "y": "toughness 6 | hp=3",
            "z": "toughness 9 | hp=1",
        },
        [("a heal x 7", "hit hp.x=2"), ("c heal y 7", "hit hp.y=4"), ("d heal z 20", "hit hp.z=5")],
    ),
    "E097": (
        {"a": "healing 2", "b": "toughness 6 | hp=0"},
        [
            ("a revive b 8", "10 hit hp.b=1 condition.b=injured"),
            ("b nothing", ""),
            ("a heal b 8", "10 hit hp.b=4"),
        ],
    ),
    "E099": (
        {"a": "healing 1 | hp=1", "b": "| side=a", "c": "| hp=0"},
        [
            ("a heal a 20", "illegal:act.heal.not-self"),
            ("a heal b 20", "illegal:act.heal"),
            ("a revive c 20", "hit hp.c=1"),
        ],
    ),
    "E100": (
        {"a": "healing 1, command 2", "m": "toughness 2 | minion_of=a hp=0", "b": ""},
        [
            ("a revive m 20", "illegal:minion.no-heal"),
            ("a nothing", ""),
            ("a end-encounter", ""),
            ("a revive m 20", "hit hp.m=1"),
        ],
    ),
    "E101": (
        {"a": "craftsmanship 2", "d": "craftsmanship 1", "b": "shooting 3, fighting 1"},
        [
            ("a craft b ability=shooting", ""),
            ("a craft b ability=stealth", "illegal:craft.needs-level"),
            ("a craft b ability=toughness", "max_hp.b=4 stamina.b=2"),
            ("d craft b ability=shooting", "illegal:craft.one-per-ability"),
            ("a craft b ability=fighting", "illegal:craft.bonus"),
            ("a nothing", "hp.b=4"),
            ("a craft b ability=shooting add=false", "illegal:craft.encounter-lock"),
        ],
    ),
    "E103": (
        {"a": "craftsmanship 2", "b": "shooting 1, fighting 1, stealth 1"},
        [
            ("a craft b ability=shooting hurry=true 8", "10 hit"),
            ("a craft b ability=fighting hurry=true 7", "9 miss"),
            ("a craft b ability=stealth hurry=true 20", "illegal:craft.hurry-fail"),
            ("a craft b ability=fighting hurry=false", ""),
        ],
    ),
    "E105": (
        {"boss": "command 4 | hp=0", "t": "toughness 2 | minion_of=boss", "b": ""},
        [("t basic-attack b 10", "hit hp.b=2")],
    ),
    "E106": (
        {"a": "command 4", "c": "command 4", "b": "healing 1, wrestling 3"},
        [("a intimidate b 8", "12 miss"), ("c intimidate b 9", "13 hit panicked.b=True")],
    ),
    "E108": (
        {"a": "", "c": "command 2", "b": ""},
        [
            ("a intimidate b 20", "illegal:act.intimidate"),
            ("a nothing", ""),
            ("c intimidate b 1", "miss"),
            ("b nothing", ""),
            ("a nothing", ""),
            ("c intimidate b 20", "illegal:act.unrepeatable"),
        ],
    ),
    "E114": ({"c": "wrestling 2", "b": "toughness 6"}, [("c hold b 11", "13 hit hp.b=5 delayed.b=True")]),
    "E115": (
        {"c": "wrestling 2", "b": "toughness 6"},
        [("c hold b 11", "13 hit"), ("c basic-attack b 8", "illegal:act.regular")],
    ),
    "passing over the down": (
        {"a": "", "b": "| hp=0", "c": ""},
        [("a end-turn", ""), ("c nothing", "round=1"), ("a nothing", "round=2")],
    ),
    "passing over the able": (
        {"a": "", "b": "", "c": ""},
        [("c nothing", "illegal:turn.order"), ("a nothing", ""), ("c nothing", "illegal:turn.order active=a")],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_oracle_plays_the_cases_of_the_catalogue(case: str) -> None:
    """Every step of a case ends as the catalogue says."""
    play(*CASES[case])


SWITCHES: list[tuple[str, dict[str, Any], dict[str, str], list[tuple[str, str]]]] = [
    (
        "K01",
        {"strength_base": 8},
        {"b": "toughness 6", "f": "toughness 4"},
        [("b nothing", "strength.b=14 strength.f=12")],
    ),
    ("E114", {"strength_base": 8}, {"c": "wrestling 2", "b": "toughness 6"}, [("c hold b 11", "13 miss")]),
    ("A01", {"strength_use_max": True}, {"x": "toughness 8, wrestling 1"}, [("x nothing", "strength.x=15")]),
    (
        "A02",
        {"stack_abilities": True},
        {"a": "fighting 2, wrestling 3, knockout 1", "b": ""},
        [
            ("a basic-attack b 5 with=fighting+knockout", "illegal:act.knockout.basic"),
            ("a basic-attack b 5 with=fighting+wrestling", "10 hit"),
        ],
    ),
    (
        "A02 best",
        {"stack_abilities": True},
        {"a": "fighting 2, wrestling 3", "b": ""},
        [("a basic-attack b 5", "10 hit")],
    ),
    (
        "A03",
        {"unrepeatable_scope": "pair"},
        {"a": "stealth 1", "b": "| hp=0", "c": "| hp=0"},
        [
            ("a surprise b 1", "miss"),
            ("a end-turn", ""),
            ("a surprise b 1", "illegal:act.unrepeatable"),
            ("a surprise c 1", "miss"),
        ],
    ),
    (
        "A11",
        {"swimming_twice": False},
        {"a": "swimming 3, wrestling 3 | here=water", "b": "wrestling 4"},
        [("a hold b 10 with=swimming", "13 miss"), ("b end-turn", ""), ("a hold b 8", "14 hit hp.b=2")],
    ),
    (
        "A12",
        {"flyer_on_foot": "reachable"},
        {"f": "flying 2, quickness 1, shooting 1 | here=open-air+level", "a": ""},
        [
            ("f evade with=quickness", ""),
            ("a hold f 20", "hit"),
            ("f end-turn", ""),
            ("a end-turn", ""),
            ("f evade with=flying", ""),
            ("a hold f 20", "illegal:flying.immunity"),
            ("a end-turn", ""),
            ("f shoot a 1", "miss"),
            ("a hold f 20", "illegal:flying.immunity"),
        ],
    ),
    (
        "A37",
        {"failed_hurry": "ability"},
        {"a": "craftsmanship 1", "b": "shooting 1, fighting 1"},
        [
            ("a craft b ability=shooting hurry=true 1", "2 miss"),
            ("a craft b ability=shooting hurry=true 20", "illegal:craft.hurry-fail"),
            ("a craft b ability=fighting hurry=true 9", "10 hit"),
        ],
    ),
    (
        "E115",
        {"wrestling_double_legacy": True},
        {"c": "wrestling 2", "b": "toughness 6"},
        [
            ("c hold b 11", "13 hit hp.b=6"),
            ("c hold b 11", "illegal:act.regular"),
            ("c engage", ""),
            ("c basic-attack b 6", "10 hit hp.b=5"),
            ("c basic-attack b 6", "illegal:act.regular"),
        ],
    ),
]


@pytest.mark.parametrize(("case", "rulings", "characters", "lines"), SWITCHES, ids=[case[0] for case in SWITCHES])
def test_the_oracle_knows_the_other_readings(
    case: str, rulings: dict[str, Any], characters: dict[str, str], lines: list[tuple[str, str]]
) -> None:
    """Every switch of Scratch basic changes what the catalogue says it changes."""
    play(characters, lines, rulings)


INITIATIVE: list[tuple[str, dict[str, str], dict[str, list[int]], dict[str, Any], list[str]]] = [
    ("E009", {"c": "stealth 3", "f": "", "b": ""}, {"c": [13], "f": [17], "b": [14]}, {}, ["c", "f", "b"]),
    ("E010", {"p": "stealth 4", "r": "stealth 2 | group=p", "q": "detection 1"}, {"p": [20], "q": [1]}, {}, ["p", "q"]),
    ("E010 19", {"p": "stealth 4", "q": "detection 1"}, {"p": [20], "q": [19]}, {}, ["q", "p"]),
    ("K21", {"p": "stealth 4", "q": "detection 1"}, {"p": [20], "q": [19]}, {"detection_multiplier": 2}, ["p", "q"]),
    ("E014", {"a": "", "b": "", "c": ""}, {"a": [12, 9, 4], "b": [12, 15], "c": [12, 9, 16]}, {}, ["b", "c", "a"]),
]


@pytest.mark.parametrize(
    ("case", "characters", "faces", "rulings", "order"), INITIATIVE, ids=[c[0] for c in INITIATIVE]
)
def test_the_oracle_lays_out_the_groups(
    case: str,
    characters: dict[str, str],
    faces: dict[str, list[int]],
    rulings: dict[str, Any],
    order: list[str],
) -> None:
    """`turn.initiative-roll`, `turn.order`, `turn.tie`: the groups fall as the catalogue says."""
    assert oracle.initiative_order(oracle.new_state({**tree(characters, rulings), "initiative": faces})) == order


@pytest.mark.parametrize(
    ("case", "characters", "bonus"),
    [
        ("E011", {"a": "stealth 2", "b": "detection 1, stealth 1 | group=a"}, 14),
        ("E012", {"a": "detection 5", "b": "detection 3 | group=a"}, 50),
        ("E015", {"a": "detection 1, command 4", "t": "toughness 2 | minion_of=a"}, 10),
    ],
)
def test_the_oracle_adds_the_bonus_of_a_group(case: str, characters: dict[str, str], bonus: int) -> None:
    """`stealth.initiative`, `detection.initiative`: each takes its own highest level."""
    assert oracle.initiative_bonus(oracle.new_state(tree(characters)), "a") == bonus


# The worked combat of section 3.2 in three readings

HUNTERS = {
    "c": "wrestling 2, stealth 3 | side=hunters",
    "f": "shooting 2, healing 1, fighting 2, acrobatics 1, toughness 4 | side=hunters",
    "b": "shooting 4, fighting 4, toughness 6",
}

READINGS: list[tuple[str, dict[str, Any], list[tuple[str, str]]]] = [
    (
        "strict, base 7",
        {},
        [
            ("c hold b 11", "13 hit hp.b=5 delayed.b=True"),
            ("c basic-attack b 8", "illegal:act.regular"),
            ("f shoot b 7", "9 miss"),
            ("b double-attack c 14 10", "illegal:cond.delayed"),
            ("c hold b 5", "7 miss delayed.b=False hp.c=3 round=2"),
            ("f heal c 13", "illegal:act.heal"),
            ("b shoot f 6", "illegal:turn.order"),
            ("f nothing", ""),
            ("b shoot f 6", "10 miss"),
            ("c hold b 13", "15 hit hp.b=4"),
            ("c basic-attack b 7", "illegal:act.regular"),
            ("f shoot b 17", "19 hit hp.b=2 condition.b=injured"),
            ("b nothing", "round=3"),
            ("c basic-attack b 14", "16 hit hp.b=1 delayed.b=False"),
            ("c hold b 9", "illegal:act.regular"),
            ("f shoot b 8", "10 hit hp.b=0 hp.c=3 hp.f=4 winner=hunters"),
        ],
    ),
    (
        "strict, base 8",
        {"strength_base": 8},
        [
            ("c hold b 11", "13 miss"),
            ("c basic-attack b 8", "illegal:act.regular"),
            ("f shoot b 7", "9 miss"),
            ("b double-attack c 14 10", "18 14 hit hit hp.c=1 condition.c=injured"),
            ("c hold b 5", "7 miss"),
            ("f heal c 13", "14 hit hp.c=2"),
            ("b shoot f 6", "10 miss"),
            ("c hold b 13", "15 hit hp.b=5"),
            ("c basic-attack b 7", "illegal:act.regular"),
            ("f shoot b 17", "19 hit hp.b=3 condition.b=injured"),
            ("b nothing", ""),
            ("c basic-attack b 14", "16 hit hp.b=2"),
            ("f shoot b 20", "hit hp.b=0 hp.c=2 hp.f=4"),
        ],
    ),
    (
        "as printed",
        {"strength_base": 8, "wrestling_double_legacy": True},
        [
            ("c hold b 11", "13 miss"),
            ("c basic-attack b 8", "10 hit hp.b=5"),
            ("f shoot b 7", "9 miss"),
            ("b double-attack c 14 10", "18 14 hit hit hp.c=1"),
            ("c hold b 5", "7 miss"),
            ("c basic-attack b 20", "illegal:act.regular"),
            ("f heal c 13", "14 hit hp.c=2"),
            ("b shoot f 6", "10 miss"),
            ("c hold b 13", "15 hit hp.b=5 delayed.b=True"),
            ("c basic-attack b 7", "9 miss"),
            ("f shoot b 17", "19 hit hp.b=3"),
            ("b nothing", ""),
            ("c basic-attack b 14", "16 hit hp.b=2"),
            ("c hold b 9", "11 miss"),
            ("f shoot b 8", "10 hit hp.b=0 hp.c=2 hp.f=4"),
        ],
    ),
]


@pytest.mark.parametrize(("reading", "rulings", "lines"), READINGS, ids=[reading[0] for reading in READINGS])
def test_the_oracle_plays_the_worked_combat(
    reading: str, rulings: dict[str, Any], lines: list[tuple[str, str]]
) -> None:
    """The worked combat ends, event by event, as the audit says in each of its three readings."""
    play(HUNTERS, lines, rulings)


def test_a_broken_case_is_noticed() -> None:
    """The harness itself turns red: a wrong total, a wrong figure, a wrong verdict."""
    for expected in ("11", "miss", "hp.b=3", "illegal:act.regular"):
        with pytest.raises(AssertionError):
            play(AB, [("a basic-attack b 10", expected)])
