"""States of every calculator, each as a query: usual, rare and invalid ones.

The snapshots and the crawler of presses visit all of them. Stories are files with recorded dice; the caller that
renders a state rolls the others.
"""

import json
import tomllib
from collections.abc import Mapping
from typing import Any

from scratch_core.calculators.shared.query import format_query
from scratch_core.rulebook import RULE_OPTIONS
from scratch_core.rulebook.abilities import ABILITY_NAMES
from scratch_core.scenario import SAMPLE_SCENARIOS


def build_story(name: str, steps: int = 1000, more: str = "", **head: Any) -> str:
    """Return the first `steps` of a story as the text of a file.

    The story is a sample scenario or a story of this module. `more` are further steps, in TOML.
    """
    tree = tomllib.loads(_OWN_STORIES.get(name) or SAMPLE_SCENARIOS[name])
    earlier_steps = [{key: value for key, value in step.items() if key != "expect"} for step in tree["steps"]]
    own = tomllib.loads(f"steps = [{more}]")["steps"]
    whole = {key: value for key, value in tree.items() if key != "expect"}
    return json.dumps({**whole, **head, "steps": [*earlier_steps[:steps], *own]})


def build_fight_query(name: str, steps: int = 1000, more: str = "", **controls: str) -> str:
    """Return the query of a fight after a story's first `steps`."""
    return format_query({"log": build_story(name, steps, more), **controls})


def build_screen_query(ours: int, theirs: int, more: str = "", name: str = "Knight", **controls: str) -> str:
    """Return the query of a fight of knights with the players' screen.

    `more` are its steps, in TOML.
    """
    sides = ("us",) * ours + ("them",) * theirs
    characters = [
        {"id": f"k{n}", "name": f"{name} {letter}", "side": side, "hp": 1}
        | {"abilities": {"fighting": 4, "blasting": 2, "toughness": 1}}
        for n, (side, letter) in enumerate(zip(sides, "ABCDEFGHI", strict=False))
    ]
    initiative = {f"k{n}": [19 - n] for n in range(len(sides))}
    log = build_story("one-left", 0, more, characters=characters, initiative=initiative)
    return format_query({"log": log, "screen": "on", "screen_sides": '["us"]', **controls})


_OWN_STORIES = {
    "two-attacks": """
format = "scratch-scenario/1"
characters = [
  { id = "ann", name = "Ann", side = "heroes", abilities = { fighting = 2, toughness = 3 } },
  { id = "vex", name = "Vex", side = "foes", abilities = { fighting = 1, toughness = 3 } },
]
initiative = { ann = [12], vex = [9] }
steps = [
  { actor = "ann", do = "double-attack", with = "fighting", target = "vex", faces = [13] },
  { actor = "ann", do = "second-blow", with = "fighting", target = "vex", faces = [4] },
]
""",
    "one-left": """
format = "scratch-scenario/1"
characters = [
  { id = "ann", name = "Ann", side = "heroes", hp = 1, abilities = { fighting = 2, toughness = 3 } },
  { id = "ash", name = "Ash", side = "heroes", hp = 1, abilities = { toughness = 1 } },
  { id = "vex", name = "Vex", side = "foes", group = "foes", hp = 1, abilities = { fighting = 3, toughness = 5 } },
  { id = "zed", name = "Zed", side = "foes", group = "foes", abilities = { shooting = 1, toughness = 3 } },
]
initiative = { ann = [12], foes = [9], ash = [3] }
steps = [
  { actor = "ann", do = "basic-attack", target = "zed", faces = [19] },
  { actor = "vex", do = "basic-attack", target = "ann", faces = [18] },
  { actor = "zed", do = "shoot", target = "ash", faces = [20] },
]
""",
    "shallows": """
format = "scratch-scenario/1"
characters = [
  { id = "kim", name = "Kim", side = "hunters", at = [0, 0], abilities = { blasting = 2, toughness = 3 } },
  { id = "rook", name = "Rook", side = "guards", at = [4, 0], abilities = { fighting = 2, toughness = 3 } },
  { id = "bo", name = "Bo", side = "guards", at = [5, 1], abilities = { wrestling = 1, toughness = 1 } },
]
initiative = { kim = [18], rook = [11], bo = [4] }
steps = []
[board]
shape = "hex"
rows = ["......", "..~~..", ".#...E"]
cover = [[3, 0]]
""",
    "gauntlet": """
format = "scratch-scenario/1"
characters = [
  { id = "kim", name = "Kim", side = "a", at = [1, 1], abilities = { quickness = 2, toughness = 3 } },
  { id = "bo", name = "Bo", side = "b", at = [0, 1], abilities = { wrestling = 1, toughness = 3 } },
  { id = "cat", name = "Cat", side = "b", at = [0, 0], abilities = { fighting = 2, toughness = 3 } },
  { id = "rook", name = "Rook", side = "b", at = [6, 1], abilities = { fighting = 1, toughness = 3 } },
]
initiative = { cat = [20], kim = [15], bo = [9], rook = [3] }
steps = [
  { actor = "cat", do = "take-cover" },
  { actor = "cat", do = "end-turn" },
  { actor = "kim", do = "move", path = [[2, 1], [3, 1], [4, 1], [5, 1]] },
]
[board]
shape = "square"
rows = [".......", ".......", "......."]
cover = [[0, 0]]
""",
    "circle": """
format = "scratch-scenario/1"
system = "mano"
first = "ann"
characters = [
  { id = "ann", name = "Ann", side = "red", speed = "1/2", weapons = 2 },
  { id = "bo", name = "Bo", side = "blue", speed = 2 },
  { id = "dee", name = "Dee", side = "blue", healthy = false },
]
steps = [
  { actor = "ann", do = "active", target = "bo", move = true },
]
""",
    "pools": """
format = "scratch-scenario/1"
system = "mano-old"
characters = [
  { id = "mara", name = "Mara", side = "us", hp = 6, hp_round = 3, reach = 2, pools = { stun = 5, other = 1 } },
  { id = "nils", name = "Nils", side = "them", hp = 5, hp_round = 2, reach = 1, pools = { defence = 2, other = 3 } },
]
steps = [
  { actor = "mara", do = "start-turn" },
  { actor = "mara", do = "spend", points = 1, use = "power", to = "other" },
  { do = "damage", target = "nils", points = 1, note = "The blow lands." },
  { actor = "mara", do = "spend", points = 1, use = "manoeuvre", to = "defence" },
  { actor = "nils", do = "start-turn" },
  { actor = "nils", do = "ready", take = { other = 2 } },
  { actor = "nils", do = "spend", points = 1, use = "manipulate", to = "stun" },
]
""",
    "claims": """
format = "scratch-scenario/1"
system = "seize"
initiative = { ivo = [15], jin = [11], kai = [6], lou = [9] }
characters = [
  { id = "ivo", name = "Ivo", side = "us", bonus = 3 },
  { id = "jin", name = "Jin", side = "them", bonus = 1 },
  { id = "kai", name = "Kai", side = "them", bonus = 5 },
  { id = "lou", name = "Lou", side = "us", bonus = 0 },
]
steps = [
  { actor = "ivo", do = "turn" },
  { do = "lose-hp", target = "jin", points = 2, note = "One blast hits both." },
  { do = "lose-hp", target = "kai", points = 1 },
  { actor = "ivo", do = "choose", target = "lou" },
  { actor = "jin", do = "seize" },
  { actor = "kai", do = "seize" },
]
""",
}
"""Stories of this module: few hit points; hexes, water and a blast; and one for each other turn system."""

_TWO = """side: hunters

Wren: keeps the ferry
3 shooting: bow
2 healing
4 toughness

side: robbers

Gorm
hp: 1
3 fighting: fists
5 toughness
"""
_ON_MAP = {"sheets": _TWO, "map": "....../..^^../....~E", "tokens": "wren@0,0,hunters"}
_OTHER_RULES = {
    switch.name: next("on" if each is True else str(each) for each in switch.choices if each != switch.default)
    for switch in RULE_OPTIONS
}
_GOBLINS = {
    "system": "seize",
    "fighters": "\n".join(("Ann: bonus 3", *(f"Goblin {n}: side foes, group goblins" for n in range(1, 9)))),
    "initiative": "ann 1, goblins 20",
    "log": "begin",
}
_CROWDED = {
    "sheets": f"{_TWO}at: 0,0\n\nBo\nat: 0,0\n1 toughness\n",
    "map": "...#",
    "tokens": "wren@3,0,a",
    "log": "begin",
}
_BO_DOWN = '{ do = "set-hp", target = "bo", hp = 0 }, { actor = "kim", do = "evade" }'
_SCREEN = {"screen": "on", "screen_sides": '["heroes"]', "screen_hidden": '["zed"]'}
_LINES = "Ann: side red\nBo: side blue"
_KEPT = json.dumps([{"name": "My archer", "query": "name=Ria&shooting=2&toughness=2"}])
_CHECK = {"check_actor": "wren", "check_ability": "healing", "check_difficulty": "12", "check_requires": "true"} | {
    "act": "check"
}
_THREE_COPIES = [{"id": f"g{n}", "name": f"Goblin {n}", "abilities": {"toughness": 1}} for n in (1, 2, 3)]
_DICE_OF_COPIES = {"g1": [9], "g2": [8], "g3": [7]}
_TICKS = {"tick.guard": "guard", "tick.rat": "rat"}
_ASIDE = {"aside": json.dumps([build_story("one-left", 1)])}
_GONE_BACK = json.dumps([{"actor": "wren", "do": "take-cover"}, {"actor": "wren", "do": "shoot", "target": "gorm"}])
_JOINED = """
  { do = "join", character = { id = "ida", side = "travellers", abilities = { toughness = 2 } }, faces = [7] },
  { do = "condition", target = "gorm", condition = "panicked", on = true, note = "The lamp goes out." },
  { do = "set-hp", target = "wren", hp = 1 },
  { do = "leave", target = "tolk" },
"""
_SET_HP = '{ do = "set-hp", target = "wren", hp = 2 },'
_DOWN = ",".join(f'{{ do = "set-hp", target = "{who}", hp = 0 }}' for who in ("wren", "tolk", "gorm"))
_ROLL = '{ actor = "wren", do = "check", ability = "healing", requires = true, difficulty = 12, faces = [3] }'
_WREN_HIT = '{ do = "set-hp", target = "wren", hp = 3 }'
_WREN_HEALED = '{ do = "set-hp", target = "wren", hp = 4 }'
_GORM_DOWN = '{ do = "set-hp", target = "gorm", hp = 0 }'
_BLAST = {
    "sheets": "side: hunters\n\nZoe\n2 blasting\n3 toughness\nat: 0,0\n\nPell\n1 toughness\nat: 8,3\n\n"
    "side: guards\n\nBo\n2 toughness\nat: 9,4\n\nUna\n2 toughness\nat: 8,1",
    "map": "/".join([".........."] * 5),
    "initiative": "zoe 20, pell 9, bo 7, una 5",
    "log": "begin",
}
_REFUSED = '{ actor = "wren", do = "knockout", target = "gorm", faces = [3] },'

_PAIRED = {
    "log": "begin",
    "initiative": "a 3, b 4",
    "sheets": "\n\n".join(f"{who}\nside: {side}\n2 fighting\n3 toughness" for who, side in ("Ax", "By")),
}

FIGHT = {
    "empty": "log=&sheets=",
    "no one is chosen": "act=remove-all",
    "two are ready": format_query({"sheets": _TWO}),
    "two on a map, one without a space": format_query(_ON_MAP),
    "a stat block is wrong": format_query({"sheets": "Wren\n3 shoting\n-1 toughness", "log": "begin"}),
    "a name is added": format_query({"sheets": _TWO, "add_who": "rat", "add_count": "2", "act": "add"}),
    "begun, dice rolled": format_query({"sheets": _TWO, "log": "begin"}),
    "every house rule the other way": format_query({"sheets": _TWO, "log": "begin", **_OTHER_RULES}),
    "own dice tie": format_query({"sheets": _TWO, "log": "begin", "initiative": "wren 9, gorm 9"}),
    "not begun, dice to roll": format_query({"log": build_story("one-left", 0, initiative={})}),
    "the first turn": build_fight_query("first-fight", 0),
    "the first turn, with the chances": build_fight_query("one-left", 0, odds="on"),
    "in the middle": build_fight_query("first-fight", 6),
    "two attacks in one action": build_fight_query("two-attacks"),
    "an earlier roll to change": build_fight_query("first-fight", 6, act="roll 1"),
    "one roll to change": build_fight_query("first-fight", 6, act="roll 2"),
    "earlier rolls changed": build_fight_query(
        "first-fight", 10, act="change-roll 1", changed_step="1", changed_faces="1, 1"
    ),
    "too few rolls for a change": build_fight_query(
        "first-fight", 6, act="change-roll 1", changed_step="1", changed_faces="1"
    ),
    "own dice aren't faces": build_fight_query(
        "first-fight", 6, faces="22", act='{"actor":"wren","do":"shoot","target":"gorm"}'
    ),
    "own dice without a roll": build_fight_query("first-fight", 6, faces="5", act='{"actor":"gorm","do":"engage"}'),
    "two steps undone": build_fight_query("first-fight", 2, redo=_GONE_BACK),
    "won, the screen, the whole log": build_fight_query(
        "first-fight", whole="true", screen="on", screen_sides='["travellers"]', screen_hidden='["tolk"]'
    ),
    "over": build_fight_query("first-fight", more='{ do = "end-encounter" }'),
    "the game master: one joins, one leaves, one panics": build_fight_query("first-fight", 3, _JOINED, gm_who="gorm"),
    "one hit point each, the screen": build_fight_query("one-left", 1, **_SCREEN),
    "one side is down, the screen": build_fight_query("one-left", 3, **_SCREEN),
    "on the board": build_fight_query("shallows", 0, aim="4,0", odds="on"),
    "on the board, a step waits for interrupts": build_fight_query("harbour", 1),
    "on the board, nearly over": build_fight_query("harbour", 16),
    "on the board, one in a wall, two on one space": format_query(_CROWDED),
    "one side alone": format_query({"sheets": _TWO.replace("robbers", "hunters"), "log": "begin"}),
    "mano, one side is left": build_fight_query(
        "circle", more='{ do = "leave", target = "bo" }, { do = "leave", target = "dee" }'
    ),
    "the last step undone": build_fight_query("first-fight", act="undo"),
    "mano, empty": "system=mano",
    "mano, a wrong set-up": format_query({"system": "mano", "fighters": "Ann: speed 9\nBo: reech 2", "log": "begin"}),
    "mano, a turn done": build_fight_query("circle"),
    "mano, a counterattack to choose": build_fight_query("counterattack", 3),
    "mano-old, before the first turn": build_fight_query("pools", 0),
    "mano-old, points to prepare": build_fight_query("pools", 5),
    "mano-old, points to spend": build_fight_query("pools", 6),
    "seize, dice to roll": format_query({"log": build_story("claims", 0, initiative={})}),
    "seize, the house rule the other way": format_query({**_GOBLINS, "seize_on_total": "on"}),
    "seize, a group may open": format_query(_GOBLINS),
    "seize, two may seize": build_fight_query("claims", 3),
    "seize, one has seized": build_fight_query("claims"),
    "an unreadable file": format_query({"log": '{"format": "scratch-scenario/1", "steps": 3}'}),
    "a file of stat blocks is opened": format_query({"log": _TWO}),
    "not begun, nothing rolled": format_query({"log": build_story("first-fight", 0, initiative={})}),
    "mano, nothing rolled": format_query({"log": build_story("circle", 0).replace('"first": "ann", ', "")}),
    "mano, ready": format_query({"system": "mano", "fighters": f"{_LINES}, not healthy"}),
    "mano, one may start evading": build_fight_query("circle", marked="1 dee"),
    "mano-old, ready": format_query(
        {
            "system": "mano-old",
            "fighters": "Ann: hp 6, hp/round 3, defence 2, side red\nBo: hp 5, hp/round 2, side blue",
        }
    ),
    "mano, others wait by Scratch": format_query({"system": "mano", "sheets": _TWO}),
    "an unused set-up of another turn system": format_query({"fighters": _LINES}),
    "seize, a side further down": format_query(
        {"system": "seize", "fighters": "Ann\nside: red\nBo\nside: blue\nCy\nDee"}
    ),
    "a ready map under placed tokens": format_query({**_ON_MAP, "map": "", "act": "map-tavern"}),
    "a quick character waits": format_query({"act": "choose", "choosing": "us", "add_name": "Zed"}),
    "no one is added": format_query({"sheets": _TWO, "act": "add", "choosing": "us", "find": "guard"}),
    "one is added, the list stays": format_query({"act": "add", "choosing": "us", "add_side": "us", "tick.rat": "rat"}),
    "two are selected, a search in yours": format_query(
        {"choosing": "them", "kept": _KEPT, "find": "archer", **_TICKS}
    ),
    "begun too early": format_query({"sheets": _TWO.partition("side: robbers")[0], "log": "begin"}),
    "one joins, misspelled": build_fight_query("first-fight", 3, gm_new="rat", gm_count="many", act="gm-join"),
    "one to return": build_fight_query("shallows", 0, '{ do = "leave", target = "bo" }', gm_who="bo", act="gm-card bo"),
    "a roll outside a turn": build_fight_query("first-fight", 3, **_CHECK),
    "a roll without its number": build_fight_query("first-fight", 3, **{**_CHECK, "check_difficulty": "much"}),
    "a share link": build_fight_query("first-fight", 2, act="share"),
    "marks on the screen": build_fight_query("first-fight", 3, _JOINED, **_SCREEN),
    "a group's turn": build_fight_query("one-left", 1, '{ actor = "ann", do = "end-turn" }'),
    "a version with another roll": format_query(
        {
            "log": build_story("first-fight", 6).replace("[14, 8]", "[1, 1]"),
            "aside": json.dumps([build_story("first-fight", 6)]),
        }
    ),
    "a step set aside": build_fight_query("one-left", 0, **_ASIDE),
    "the board on the screen": build_fight_query("shallows", 0, **_SCREEN),
    "one incapacitated on the board, the screen": build_fight_query("shallows", 0, _BO_DOWN, **_SCREEN),
    "on the board, two may interrupt now, one later": build_fight_query("gauntlet"),
    "on the board, an unreachable space": build_fight_query("shallows", 0, aim="1,2"),
    "begun without fighters": format_query({"log": "begin"}),
    "on a ruin of hexes": format_query({"act": "map-ruin"}),
    "a shared turn": format_query(
        {"sheets": f"{_TWO}group: knaves\n\nBo\ngroup: knaves\n1 toughness\n", "add_together": "true"}
    ),
    "unknown tokens on the map": format_query({**_ON_MAP, "tokens": "zoe@0,0,poachers"}),
    "choosing reds": format_query({"system": "mano", "fighters": _LINES, "act": "choose red"}),
    "a code for phones": build_fight_query("first-fight", screen="on", act='screen {"screen":"code"}'),
    "mano-old, one leaves": build_fight_query("pools", 0, act='{"actor":"mara","do":"leave"}'),
    "a notice dismissed": build_fight_query("one-left", 0, **_ASIDE, act="dismiss"),
    "two steps set aside": build_fight_query("one-left", 0, aside=json.dumps([build_story("one-left", 2)])),
    "a new set-up": format_query({"log": build_story("first-fight", 2), "act": "setup"}),
    "the turn of a delayed character": build_fight_query("first-fight", 4, '{ actor = "wren", do = "end-turn" }'),
    "cover is added": build_fight_query("first-fight", 2, act='{"do":"surroundings","what":"cover","on":true}'),
    "one returns, hidden": build_fight_query(
        "shallows", 0, '{ do = "leave", target = "bo" }', gm_who="bo", act="hide bo"
    ),
    "an interrupt too late": build_fight_query(
        "gauntlet", act='{"actor":"rook","do":"interrupt","with":"none","target":"kim"}'
    ),
    "choosing who joins": build_fight_query("first-fight", 2, act="choose join"),
    "one joins, hidden": build_fight_query("first-fight", 3, gm_new="rat", gm_unseen="true", act="gm-card gorm"),
    "the chances hidden": build_fight_query("one-left", 0, odds="on", act="odds"),
    "a refused step, a long log": build_fight_query("first-fight", 11, _REFUSED + _SET_HP * 20),
    "one against one, begun": format_query(_PAIRED),
    "one against one, chances requested": format_query({**_PAIRED, "odds": "on"}),
    "set-up, its chances": format_query({"sheets": _TWO, "odds": "on"}),
    "set-up, a change that evens it": format_query(
        {
            "sheets": "side: us\n\nAnn\n3 fighting\n3 toughness\n\nside: them\n\nRat\n1 fighting\n2 toughness",
            "odds": "on",
        }
    ),
    "a wrong start, chances unfinished": format_query({**_PAIRED, "initiative": "zoe 3", "odds": "on"}),
    "set-up with a screen, squares and a shared turn": format_query(
        {
            "sheets": _TWO,
            "screen_sides": '["hunters"]',
            "screen_hidden": '["gorm"]',
            "choosing": "us",
            "add_name": "Zed",
            "add_together": "true",
            "shape": "square",
        }
    ),
    "set-up of nine without levels": format_query({"sheets": "\n\n".join(f"Ann {n}\n1 toughness" for n in range(9))}),
    "a line is left out": format_query({"sheets": "Ash\n2 quickness\nloves cheese 3\n1 toughness"}),
    "mano-old, an unused set-up of Scratch": format_query({"system": "mano-old", "sheets": _TWO}),
    "explained, the first turn": build_fight_query("first-fight", 0, guide="on"),
    "explained, the first action": build_fight_query("first-fight", 1, guide="on"),
    "explained, the second turn, other buttons new": build_fight_query("first-fight", 3, guide="on"),
    "explained, an old turn": build_fight_query("first-fight", 9, guide="on"),
    "explanations hidden": build_fight_query("first-fight", 1, guide="on", act="guide off"),
    "explained, won": build_fight_query("first-fight", guide="on"),
    "won, the turning points": build_fight_query("first-fight", act="turning on"),
    "won, the turning points unfinished": build_fight_query("first-fight", turning="on"),
    "won, no roll changed much": build_fight_query("first-fight", 0, f"{_ROLL}, {_GORM_DOWN}", turning="on"),
    "won, steps without a chance": build_fight_query(
        "first-fight", 0, f"{_WREN_HIT}, {_WREN_HEALED}, {_ROLL}, {_GORM_DOWN}", turning="on"
    ),
    "a note too long": build_fight_query("first-fight", 3, note="x" * 10_001, act='{"actor":"wren","do":"take-cover"}'),
    "the chances shown": build_fight_query("first-fight", 3, act="odds on"),
    "over, no side has won": build_fight_query("first-fight", 2, '{ do = "end-encounter" }'),
    "one is hidden from the players": build_fight_query("first-fight", 2, act="hide gorm"),
    "no one is able to act": build_fight_query("first-fight", 0, _DOWN),
    "a log of a step more than is shown": build_fight_query("first-fight", 0, _SET_HP * 49),
    "a log with room for two steps": build_fight_query("first-fight", 0, _SET_HP * 998),
    "a log with room for one step": build_fight_query("first-fight", 0, _SET_HP * 999),
    "a log without room": build_fight_query("first-fight", 0, _SET_HP * 1000),
    "eight may be next": format_query(
        {
            "log": "begin",
            "initiative": "x 20, b 1",
            "sheets": "side: a\n\n"
            + "\n\n".join(f"A{n}\ngroup: x\n1 fighting\n2 toughness" for n in range(8))
            + "\n\nside: b\n\nB\n1 fighting\n2 toughness",
        }
    ),
    "one to return, no map": build_fight_query("first-fight", 3, '{ do = "leave", target = "tolk" }', gm_who="tolk"),
    "mano-old, the card of one who has acted": build_fight_query("pools", 6, gm_who="mara"),
    "mano-old, the screen": build_fight_query("pools", screen="on", screen_sides='["us"]'),
    "mano, a field is selected": build_fight_query("circle", 1, active_move="true"),
    "other numbers for the players": format_query(
        {
            "log": build_story("one-left", 0, characters=_THREE_COPIES, initiative=_DICE_OF_COPIES),
            "screen_hidden": '["g1"]',
        }
    ),
    "five on the screen, a roll": build_screen_query(
        2, 3, '{ actor = "k0", do = "basic-attack", target = "k2", faces = [3] }'
    ),
    "six on the screen, two rolls": build_screen_query(
        3, 3, '{ actor = "k0", do = "double-attack", targets = ["k3", "k4"], faces = [3, 20] }', screen_sides="[]"
    ),
    "seven on the screen, a blast": build_screen_query(
        3, 4, '{ actor = "k0", do = "blast", targets = ["k3", "k4", "k5"], faces = [13, 14, 20] }'
    ),
    "eight on the screen": build_screen_query(4, 4),
    "nine on the screen": build_screen_query(4, 5),
    "long names on the screen, the end": build_screen_query(
        1, 1, '{ do = "set-hp", target = "k1", hp = 0 }', "Knight of the forest by the river"
    ),
    "on the board, a move": build_fight_query("shallows", 0, aim="1,0"),
    "on the board, a shot that exposes": build_fight_query("gauntlet", 2),
    "on the board, a blast that can't catch both": format_query({**_BLAST, "aimed": "una; bo"}),
}


def build_replay_query(name: str, step: int, **controls: str) -> str:
    """Return the query of a replay of a story up to a step."""
    return format_query(
        {"scenario": build_story(name) if name in _OWN_STORIES else name, "step": str(step), **controls}
    )


_DUEL = build_story(
    "one-left",
    0,
    initiative={"ann": [12], "zed": [9]},
    characters=[
        {"id": "ann", "side": "heroes", "hp": 1, "abilities": {"fighting": 2, "toughness": 3}},
        {"id": "zed", "side": "foes", "hp": 1, "abilities": {"fighting": 3, "toughness": 2}},
    ],
)
_UNMET = build_story("one-left", 1).replace('"do": "basic-attack"', '"expect": {"hp.zed": 9}, "do": "basic-attack"')

REPLAY = {
    "empty": "",
    "no scenario": format_query({"scenario": 'format = "scratch-scenario/1"\nsteps = 3'}),
    "the beginning": build_replay_query("first-fight", 0),
    "the middle": build_replay_query("first-fight", 6),
    "the end": build_replay_query("first-fight", 11),
    "another die at the first step": build_replay_query("first-fight", 4, fork="1.faces = 1, 2"),
    "another target": build_replay_query("first-fight", 4, fork="4.target = tolk"),
    "a step is no longer possible": build_replay_query("first-fight", 3, fork="3.do = double-attack"),
    "a wrong change": build_replay_query("first-fight", 3, fork="3.faces = 21"),
    "as printed": build_replay_query("worked-combat", 9, way="as-printed"),
    "with the chances": build_replay_query("worked-combat", 6, odds="on"),
    "one hit point left": build_replay_query("one-left", 2),
    "on the board": build_replay_query("harbour", 1),
    "on the board, a blast": build_replay_query("harbour", 10),
    "mano, a question": build_replay_query("counterattack", 3),
    "mano, the end": build_replay_query("counterattack", 6),
    "mano-old, an illegal step": build_replay_query("pools", 7),
    "seize, claims": build_replay_query("claims", 4),
    "seize, another roll": build_replay_query("claims", 1, fork="initiative.jin = 19"),
    "dice rolled for it": format_query({"scenario": build_story("first-fight", 0, initiative={}), "step": "0"}),
    "empty, with the chances": format_query({"step": "3", "odds": "on"}),
    "not what the file expects": format_query({"scenario": _UNMET, "step": "1"}),
    "no chances at an illegal step": build_replay_query("first-fight", 3, fork="3.do = double-attack", odds="on"),
    "two steps left out": build_replay_query("one-left", 0, fork="1.delete; 2.delete"),
    "another note": build_replay_query("one-left", 1, fork="1.note = Hm"),
    "on the board, no chances": build_replay_query("harbour", 2, odds="on"),
    "chances, hardly begun": build_replay_query("one-left", 1, odds="on"),
    "a published scenario": build_replay_query("counterattack", 0),
    "a step inserted": build_replay_query(
        "pools", 7, fork="6a.actor = nils; 6a.do = spend; 6a.to = defence; 6a.use = manoeuvre"
    ),
    "no sides": format_query({"scenario": build_story("first-fight", 3, more='{ do = "end-encounter" }'), "step": "4"}),
    "one side wins": build_replay_query("one-left", 3, fork="3.faces = 20"),
    "a long log": format_query({"scenario": build_story("first-fight", 0, _SET_HP * 300), "step": "30"}),
    "one against one, chances requested": format_query({"scenario": _DUEL, "step": "0", "odds": "on"}),
    "mano, one is left": format_query(
        {
            "scenario": build_story("circle", 1, '{ do = "leave", target = "bo" }, { do = "leave", target = "dee" }'),
            "step": "3",
        }
    ),
    "a crew wins": format_query(
        {
            "scenario": build_story(
                "one-left", 0, '{ do = "leave", target = "vex" }, { do = "leave", target = "zed" }'
            ).replace("heroes", "crew"),
            "step": "2",
        }
    ),
    "rulings of another turn system": build_replay_query("circle", 1, strength_base="8"),
}

_EQUAL = "One\n4 fighting\n4 toughness"
_PAIR = {"first_sheet": "Ida: small\n1 fighting\n2 toughness", "second_sheet": "Rook\nhp: 1\n1 fighting\n2 toughness"}
ODDS = {
    "empty": "",
    "one alone": "first=rat",
    "two of the cast": "first=thief&second=guard",
    "equal duelists": format_query({"first_sheet": _EQUAL, "second_sheet": _EQUAL}),
    "one with a hit point left begins": format_query({**_PAIR, "begins": "second", "escape": "loss"}),
    "the value of a level": format_query({**_PAIR, "worth": "show"}),
    "against everyone": format_query({**_PAIR, "everybody": "show", "begins": "first"}),
    "against everyone, who begin": format_query({**_PAIR, "everybody": "show", "begins": "second"}),
    "no one can win": format_query({"first_sheet": "Ghost\n2 fighting", "second_sheet": "Rook\n1 toughness"}),
    "too large": format_query({"first_sheet": "Wall\n90 toughness", "second": "rat"}),
    "requested": "first=bear&second=captain",
    "unfinished": "first=captain&second=ogre&begins=first",
    "wrong": format_query(
        {"first": "no-such-name", "second_sheet": "Rook\n1 toghness", "rulings": "luck=1", "escape": "never"}
    ),
    "choosing the first": format_query({"act": "choose first"}),
    "the maximum level": format_query({"first_sheet": "Ash\n20 fighting\n1 toughness", "second": "rat"}),
    "one alone, against everyone": "first=rat&everybody=show",
    "the value of a level hidden": format_query({**_PAIR, "worth": "hide"}),
    "everyone hidden": format_query({**_PAIR, "everybody": "hide", "begins": "first"}),
}
UNFINISHED: Mapping[tuple[str, str], int] = {
    ("fight", "a wrong start, chances unfinished"): 0,
    ("fight", "one against one, chances requested"): 0,
    ("replay", "one against one, chances requested"): 0,
    ("fight", "won, the turning points unfinished"): 30,
    ("odds", "requested"): 0,
    ("odds", "unfinished"): 20,
    ("odds", "against everyone"): 60,
    ("odds", "against everyone, who begin"): 60,
    ("fight", "the first turn, with the chances"): 3,
    ("replay", "chances, hardly begun"): 3,
    ("character", "its chances against the cast"): 60,
}
"""States that a reader sees before the work is complete, and how many pieces of it are."""

_FLIPFIRE = {"name": "Flipfire", "shooting": "2", "healing": "1", "fighting": "2", "acrobatics": "1", "toughness": "4"}
_BOSS = "Boss\n2 shooting\n1 detection\n4 command\n3 toughness"
_HURT = "hp 1\nnote delayed\nroll shooting 2 12 10 against Rat\nroll none 0 10 20"

_IN_FIGHT = {**_FLIPFIRE, "at": "play"}
_FIGHTS = json.dumps([{"name": "Ours", "query": format_query({"log": build_story("worked-combat", 4)})}])

_TWO_FIGHTS = json.dumps(
    [
        *json.loads(_FIGHTS),
        {
            "name": "Theirs",
            "query": format_query({"log": build_story("worked-combat", 6).replace("Flipfire", "flipfire")}),
        },
    ]
)

CHARACTER = {
    "empty": "",
    "levels": format_query({**_FLIPFIRE, "cp": "10", "max_level": "4"}),
    "one hit point": format_query({"name": "Ash", "stealth": "3", "toughness": "1"}),
    "over the limits": format_query({**_FLIPFIRE, "cp": "9", "max_level": "3"}),
    "a stat block with minions": format_query({"sheet": _BOSS, "minions": "Thug: 2 toughness\nThug: 2 toughness"}),
    "seven abilities": format_query({**dict.fromkeys(ABILITY_NAMES[:7], "1"), "name": "Ash"}),
    "wrong numbers on paper": format_query(
        {"sheet": "Ash (12 agility, 9 strength, 3 stamina)\n2 quickness\n4 toughness"}
    ),
    "a stat block is wrong": format_query({"sheet": "Ash\n2 quikness\n-3 toughness", "cp": "many"}),
    "two minions too expensive": format_query(
        {"sheet": "Boss\n1 command", "minions": "Thug: 4 toughness\nThug: 1 command"}
    ),
    "minions without a leader": format_query(
        {"sheet": "Ash\n3 wrestling\n1 toughness", "minions": "Thug: 1 toughness"}
    ),
    "in play, unhurt": format_query({**_FLIPFIRE, "at": "play", "rolled": "shooting", "whom": "rat"}),
    "in play, one hit point left": format_query({**_FLIPFIRE, "at": "play", "play": _HURT, "rolled": "healing"}),
    "in play, down": format_query({**_FLIPFIRE, "at": "play", "play": "hp 0"}),
    "its chances against the cast": format_query({"name": "Ash", "fighting": "1", "toughness": "2", "odds": "rat"}),
    "levels alone, too many": format_query({**_FLIPFIRE, "cp": "9", "show": "levels,limits"}),
    "figures alone": format_query({**_FLIPFIRE, "show": "figures,weights,actions"}),
    "minions alone": format_query(
        {"sheet": _BOSS, "minions": "Thug: 1 fighting, 1 toughness", "show": "minions,limits"}
    ),
    "an audit alone, by the printed base": format_query(
        {"sheet": "Ash (10 agility, 12 strength, 2 stamina)\n4 toughness", "show": "figures,audit"}
    ),
    "an unknown view": format_query({"show": "faces"}),
    "minions with levels": format_query({"sheet": _BOSS, "minions": "Thug: 1 fighting, 1 toughness\nCook: 2 healing"}),
    "points left": format_query({**_FLIPFIRE, "cp": "12", "max_level": "9"}),
    "a fight's file": format_query({"sheet": build_story("first-fight", 2)}),
    "in play, a stat block": format_query({"sheet": _BOSS, "at": "play", "whom": "rat", "difficulty": "much"}),
    "in play, hit points of a fight": format_query({**_IN_FIGHT, "do": "fights", "kept": _FIGHTS}),
    "in play, no fight": format_query({**_IN_FIGHT, "do": "fights", "kept": "[]"}),
    "in play, after a fight": format_query({**_IN_FIGHT, "play": "hp 2\nfight 1\nroll shooting 2 30 20"}),
    "a printed audit": format_query(
        {
            "sheet": "Thug (10 agility, 10 intelligence, 10 strength, 1 stamina): paid\n2 toughness",
            "show": "figures,audit",
        }
    ),
    "a ready build": format_query({"cp": "10", "max_level": "4", "start": "diver"}),
    "play begins": format_query({**_FLIPFIRE, "do": "play"}),
    "choosing a build": format_query({**_FLIPFIRE, "act": "choose beside"}),
    "compared with a build of its own": format_query({**_FLIPFIRE, "beside": _BOSS}),
    "levels of a stat block": format_query({"sheet": _BOSS, "start": "levels"}),
    "by house rules": format_query({**_FLIPFIRE, "strength_base": "8", "detection_multiplier": "2"}),
    "hurt, by its sheet": format_query({**_FLIPFIRE, "play": "hp 2\nnote delayed\nnote soaked"}),
    "in play, a roll against agility": format_query(
        {**_IN_FIGHT, "rolled": "shooting", "difficulty": "10", "whom": "rat", "do": "roll agility"}
    ),
    "in play, a bare roll": format_query({**_IN_FIGHT, "rolled": "none"}),
    "in play, a condition of its own": format_query({**_IN_FIGHT, "play": "hp 3\nnote soaked\nnote delayed"}),
    "in play, hit points of two fights": format_query(
        {**_IN_FIGHT, "name": "Flipfire", "do": "fights", "kept": _TWO_FIGHTS}
    ),
    "its chances, all known": format_query({"name": "Ash", "toughness": "1", "odds": "rat"}),
    "no chances with minions": format_query({"sheet": _BOSS, "minions": "Thug: 1 toughness", "odds": "rat"}),
    "text alone": format_query({**_FLIPFIRE, "show": "text"}),
    "a build is selected": format_query({**_FLIPFIRE, "choosing": "beside", **_TICKS}),
    "a build is added": format_query({**_FLIPFIRE, "act": "add", "choosing": "beside", "tick.guard": "guard"}),
    "more hit points than boxes": format_query({"name": "Wall", "toughness": "40"}),
    "in play, a condition is noted": format_query({**_IN_FIGHT, "condition": "soaked", "do": "write"}),
    "in play, hit points of one of several, a leader's": format_query(
        {
            "sheet": "Zed\n1 command\n5 toughness",
            "minions": "Thug: 1 toughness",
            "at": "play",
            "do": "fights",
            "kept": json.dumps(
                [{"name": "Ours", "query": format_query({"log": build_story("one-left", 1).replace("Zed", "Zed 2")})}]
            ),
        }
    ),
    "in play, a free note, and a fight under another name": format_query(
        {**_IN_FIGHT, "name": "Renamed", "notes": "Owes 5 gold\nshooting: bow", "do": "fights", "kept": _FIGHTS}
    ),
    "two levels": "name=Ria&toughness=4&shooting=4",
    "a level isn't a number": "name=Ria&toughness=many",
}

DICE = {
    "empty": "",
    "a chance": "roll=d20%2B3&against=13",
    "a success": "roll=d20%2B3&against=13&faces=10",
    "a failure with two bonuses": "roll=d6%2B2%5Bfighting%5D-1%5Bcover%5D&against=5&faces=3",
    "face 20 alone": "roll=d20%2B3&against=30&faces=20",
    "dice dropped": "roll=3d4kh2&faces=2,3,4",
    "dice rolled again": "roll=%28d4-1%29%2A5%2Bd6rr6&against=20&faces=3,6,2",
    "many dice": "roll=3d4%2B4",
    "wrong": "roll=d20%2Bd&against=much&faces=21",
    "one die too few": "roll=2d6%2B1&faces=5",
    "keys pressed": "roll=d20&against=13&bonus=2&keys=clear;d6;d6;%2B2",
    "keys after a roll": "roll=d20&faces=9&keys=%2B2",
    "numbers alone, the first negative": "roll=-2%2B3%5Bluck%5D",
    "dice removed": "roll=10-d6-2&faces=4",
    "a net": "roll=d20&against=13&show=net",
    "a net, reached by 20 only": "roll=d20&against=20&show=net",
    "a net, reached by every face": "roll=d20&against=1&show=net",
    "a net without a number": "roll=d20&show=net",
    "a sent roll": "roll=d20%2B3&against=13&faces=10&sent=1",
    "a preset roll": "roll=d20%2B4%5Bshooting%5D-2%5Bcover%5D&against=10&example=8&preset=Shoot",
    "an impossible face": "roll=d20&against=11&faces=99",
    "two dice and a difficulty": "roll=2d6&against=7",
    "an extra die": "roll=2d6!&faces=6,3,2",
    "a net and an impossible face": "roll=d20&against=13&show=net&faces=33",
    "no difficulty": "roll=2d6&faces=3,4",
    "an unreadable roll": "roll=a+lot",
}

_FOUR = (
    "Ash: stealth 3, reach 1, bonus 3\nBirch: reach 3\nCedar: stealth 1, reach 2, bonus 1\nDogwood: reach 1, bonus 4"
)
_FACES = "ash 12, birch 17, cedar 9, dogwood 14"

INITIATIVE = {
    "empty": "",
    "scratch": format_query({"who": _FOUR, "faces": _FACES}),
    "a tie": format_query(
        {"who": "Ash\nBirch\nCedar: group us\nDot: group us", "faces": "ash 9 4, birch 9 12, us 9 3"}
    ),
    "a tie without a die": format_query({"who": "Ash\nBirch", "faces": "ash 9, birch 9"}),
    "detection counts twice": format_query({"who": "Ash: stealth 3, detection 1\nBirch", "faces": "ash 5, birch 20"}),
    "mano, an ambush": format_query({"system": "mano", "who": _FOUR, "ambush": "Ash fails, Birch succeeds"}),
    "mano, who strikes first": format_query({"system": "mano", "who": _FOUR, "first": "Cedar", "faces": _FACES}),
    "mano-old": format_query({"system": "mano-old", "who": _FOUR, "faces": _FACES}),
    "seize": format_query({"system": "seize", "who": _FOUR, "faces": _FACES}),
    "seize, a 20 and a 1": format_query(
        {"system": "seize", "who": _FOUR, "faces": "ash 20, birch 1, cedar 9, dogwood 9 5"}
    ),
    "mano, both ambushes fail": format_query(
        {"system": "mano", "who": "Ash\nBirch", "ambush": "Ash fails, Birch fails"}
    ),
    "mano, both succeed": format_query(
        {"system": "mano", "who": "Ash\nBirch", "ambush": "Ash succeeds, Birch succeeds"}
    ),
    "seize, a tie": format_query({"system": "seize", "who": "Ash: bonus 3\nElm: bonus 1", "faces": "ash 9, elm 11"}),
    "wrong": format_query({"who": "Ash: luck 3\nAsh: stealth -1", "faces": "ash 21, elm 3"}),
    "nothing rolled": format_query({"who": "Ash\nBirch"}),
    "a face is missing": format_query({"who": "Ash\nBirch", "faces": "ash 9"}),
    "fields of other turn systems": format_query(
        {"system": "mano", "who": "Ash\nBirch", "seize_on_total": "on", "detection_multiplier": "1"}
    ),
    "a ruling is wrong": format_query({"who": "Ash\nBirch", "faces": "ash 9, birch 3", "detection_multiplier": "x"}),
    "choosing characters": format_query({"act": "choose who"}),
    "choosing characters, no name found": format_query({"choosing": "who", "find": "zzz"}),
    "characters are added": format_query({"act": "add", "tick.guard": "guard", "choosing": "who"}),
}

_ROW = {"map": "..w....", "tokens": "kim@0,0,a lou@1,0,a", "selected": "kim"}

_PAST = {"map": "......./......./.......", "tokens": "kim@1,1,hunters bo@0,1,guards rook@6,1,guards", "selected": "kim"}

BOARD = {
    "blank": "",
    "a wide map": format_query({"map": "." * 21, "tokens": "kim@0,0,a"}),
    "a large map": format_query({"map": "." * 37, "tokens": "kim@0,0,a"}),
    "a token selected": format_query(
        {
            "map": "....#/..^.~/..wE.",
            "tokens": "kim@0,0,hunters guards-1@4,1,guards",
            "selected": "kim",
            "quickness": "2",
        }
    ),
    "a token without a character": format_query(
        {"map": "..#..", "tokens": "kim@0,0,a rook@4,0,b bo@3,0,b", "selected": "rook"}
        | {"sheets": "Kim\nside: a\n2 toughness"}
    ),
    "a wall between, injured": format_query(
        {"map": "..#..", "tokens": "kim@0,0,a rook@4,0,b", "selected": "kim", "space": "4,0", "injured": "true"}
    ),
    "hexes, flying": format_query(
        {"map": "...../..#../..w..", "shape": "hex", "tokens": "kim@0,0,a", "selected": "kim", "space": "2,2"}
        | {"flying": "3", "cramped": "3,1"}
    ),
    "a space with an ally": format_query({**_ROW, "space": "1,0"}),
    "a space out of reach, house rules the other way": format_query(
        {**_ROW, "space": "6,0", "interrupt_blast": "space", "corners": "barred"}
    ),
    "deep water": format_query({**_ROW, "space": "2,0"}),
    "tokens are wrong": "map=..%23&tokens=kim@0,0+bo@0,0+al+rook@2,0&selected=zoe&space=9,9",
    "no tokens": "map=...%2F...&space=1,1",
    "wrong": "map=..q&tokens=kim@9,9&shape=round&space=x&quickness=many",
    "a path past two interrupters": format_query(
        {**_PAST, "space": "5,1", "quickness": "2", "cover": "4,0", "throwable": "1,2"}
    ),
    "a path of one space": format_query({**_PAST, "space": "1,2"}),
    "two spaces at once": format_query({**_PAST, "space": "1,2 2,2"}),
    "its own space selected": format_query({**_PAST, "space": "1,1"}),
    "too far to throw": format_query(
        {"map": "." * 30, "tokens": "kim@0,0,a rook@29,0,b", "selected": "kim", "space": "29,0"}
    ),
    "four sides, one a name": format_query(
        {"map": ".....", "tokens": "kim@0,0 a-1@1,0,a b-1@2,0,b c-1@3,0,c d-1@4,0,d"}
    ),
    "a stroke and its brush": format_query({**_PAST, "brush": "cover", "stroke": "cover: 0,0 1,0"}),
    "a token placed": format_query(
        {**_PAST, "brush": "put-guards", "stroke": "put-guards: 3,0; erase: 0,1; pick: 1,1 2,2"}
    ),
    "an impossible stroke": format_query({**_PAST, "stroke": "pick: 1,1 0,1"}),
    "a ready map under a token": format_query({**_PAST, "act": "map-cavern"}),
    "choosing heroes": format_query({"brush": "pick", "shape": "square", "act": "choose heroes"}),
    "two, none selected": format_query({"map": "..#../.....", "tokens": "kim@0,0,blue rook@4,1,red"}),
    "another token selected": format_query(
        {**_PAST, "stroke": "pick: 0,1", "space": "6,1", "quickness": "2", "injured": "true"}
    ),
    "an attack at a distance": format_query({**_PAST, "space": "6,1"}),
    "a wall selected": format_query({"map": "..#..", "tokens": "kim@0,0,a", "selected": "kim", "space": "2,0"}),
    "a small map": "map=..../....",
}

UNASKED = frozenset(
    (
        *(("fight", state) for state in ("not begun, nothing rolled", "mano, nothing rolled")),
        *(("initiative", state) for state in ("nothing rolled", "a face is missing")),
        *(("dice", state) for state in ("keys pressed", "keys after a roll")),
    )
)
"""States in which no button was pressed: no die is rolled."""

HOUSE = {
    "the rulebook": "",
    "a table's answers": "cp=14&max_level=5&strength_base=8&failed_hurry=ability&corners=barred",
    "one rule reset": "cp=14&max_level=1&corners=barred&rulebook=cp",
    "unreadable": "cp=many&strength_base=9&corners=barred",
}

STATES: Mapping[str, Mapping[str, str]] = {
    "board": BOARD,
    "character": CHARACTER,
    "dice": DICE,
    "fight": FIGHT,
    "house": HOUSE,
    "initiative": INITIATIVE,
    "odds": ODDS,
    "replay": REPLAY,
}
"""Calculator → state's name → query."""
