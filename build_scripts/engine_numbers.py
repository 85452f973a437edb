"""The numbers that each rule has in the engine: what the rules' text is held against, and may ask to be written.

`numbers_of("act.shooting.auto")` is {5}, and `[[= act.shooting.auto]]` in a page writes 5; where a rule has several
numbers each has a name, `[[= act.knockout.damage injured]]`. All of them are found by asking the engine: an attack's
damage by carrying it out. What nothing in the engine has stands in `EXEMPT`, by rule or heading, with a reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Literal

from build_scripts.folders import ENGINE, OVERRIDES, ROOT
from scratch_core.abilities import ABILITIES, BENCHMARKS, built_toughness
from scratch_core.actions import agility
from scratch_core.board import SIDE_LIMIT, Board, Walker, path_prices
from scratch_core.catalogue import ACTIONS, SWITCHES
from scratch_core.characters import ABOVE_AVERAGE, AVERAGE, HURRY_DIFFICULTY, MOST_MINIONS, Character, Line, weights
from scratch_core.cli import UNUSABLE
from scratch_core.dice import face_needed
from scratch_core.encounter import why_not
from scratch_core.figures import Figure
from scratch_core.rounds.mano import MOST_WEAPONS, SPEED_LIMIT
from scratch_core.rounds.mano_old_records import MOST_HP, POOLS
from scratch_core.rounds.mano_records import EVADING_DEFENCE, combo_limit, required_skips
from scratch_core.scenario import FORMAT, SIZE_LIMIT, WAYS, Played, fork, play, read_tree, worked_combat
from scratch_core.scenario.noting import CHARACTERS_LIMIT, STEPS_LIMIT

Named = Mapping[str, int | str]
"""A rule's numbers by name; the name is "" where there is but one."""

_SOURCES = (".py", ".mjs", ".html")
_FORMAT = re.compile(r'(?:FORMAT = |HOUSE = |CAMPAIGN = |data-keep=)"([a-z-]+/\d+)"')

HEALTHY, INJURED = 9, 1
"""Hit points of an actor with toughness 9."""


def numbers_of(rule: str) -> frozenset[int | str]:
    """The numbers that a rule, heading or page has in the engine; a face of 20 may be told anywhere."""
    return frozenset({*named(rule).values(), *named("roll.auto-success").values()})


@cache
def named(rule: str) -> Named:
    """The same numbers by name."""
    return NUMBERS[rule]() if rule in NUMBERS else {}


def written(asked: str) -> str:
    """What `[[= rule]]` or `[[= rule name]]` writes, with a true minus; raises ValueError that lists what there is."""
    rule, _, name = asked.strip().partition(" ")
    found = named(rule)
    if name not in found:
        known = ", ".join(f"{rule} {each}".strip() for each in found) or "none for this rule"
        raise ValueError(f"expected a number of the engine's ({known}), got [[= {asked.strip()}]]")
    return str(found[name]).replace("-", "−")


# Asked by playing


def _fight(*characters: Mapping[str, Any], steps: Sequence[Mapping[str, Any]]) -> Any:
    """A fight whose first character, `a`, takes these steps; everybody has toughness 9 where nothing else is said."""
    grown = [{**each, "abilities": {"toughness": HEALTHY, **each.get("abilities", {})}} for each in characters]
    tree = {"format": FORMAT, "characters": grown, "initiative": {"a": [20], "b": [1]}}
    return read_tree({**tree, "steps": [{"actor": "a", **step} for step in steps]})


def _played(*steps: Mapping[str, Any], hp: int = HEALTHY, **levels: int) -> Played:
    """Steps of `a`, of these abilities, in a fight with `b`, who has toughness and nothing else."""
    a = {"id": "a", "abilities": levels, "hp": hp, "here": ["level", "throwable", "cover"]}
    played = play(_fight(a, {"id": "b"}, steps=steps))
    assert all(record.legal for record in played.records), [record.say for record in played.records]
    return played


def _damage(do: str, face: int = 19, hp: int = HEALTHY, **levels: int) -> int:
    """What one success of an attack takes away: a face of 19 with levels of 9 reaches every defence here."""
    step = {"do": do, "target": "b", "faces": [face]}
    return HEALTHY - _played(step, hp=hp, **levels).final.fighter("b").hp


def _helped(do: str, hp: int, toughness: int = HEALTHY) -> Played:
    """Help for `b`."""
    b = {"id": "b", "abilities": {"toughness": toughness}, "hp": hp}
    step = {"do": do, "target": "b", "faces": [19]}
    return play(_fight({"id": "a", "abilities": {"healing": 9}}, b, steps=[step]))


def _healed(do: str, hp: int, toughness: int = HEALTHY) -> int:
    """The hit points of somebody after help."""
    return _helped(do, hp, toughness).final.fighter("b").hp


def _against(played: Played) -> int:
    """What the first roll of the last step was held against."""
    return played.records[-1].rolls[0].against.value


def _initiative(**levels: int) -> int:
    """What levels add to a face of 20."""
    return _played(**levels).begun.initiative[0].figure.value - 20


def _defence(name: str, rule: str) -> int:
    """The part of a defence that comes from a rule, with no ability at all but toughness."""
    return next(part.value for part in _nobody().figures()[name].parts if part.rule == rule)


def _nobody() -> Character:
    return Character("nobody", ())


def _cover() -> dict[str, int]:
    """Two turns in cover: what it takes from a roll, and what it gives to agility."""
    played = _played({"do": "take-cover"}, {"do": "check", "difficulty": 1, "faces": [9]})
    figure = played.records[-1].rolls[0].check.figure
    gained = agility(played.final.fighter("a")).value - agility(played.begun.fighter("a")).value
    return {"roll": figure.value - 9, "agility": gained}


def _engage() -> dict[str, int]:
    """What engaging gives to an attack, and takes from agility."""
    played = _played({"do": "engage"}, {"do": "basic-attack", "target": "b", "faces": [9]})
    total = played.records[-1].rolls[0].check.total
    end = agility(played.final.fighter("a")).value - agility(played.begun.fighter("a")).value
    return {"attack": total - 9, "agility": end}


def _price(terrain: str) -> int:
    """What it costs on foot to enter a space of a kind."""
    board = Board("square", ("." + terrain,), frozenset(), frozenset(), frozenset())
    return path_prices(board, Walker(), ((1, 0),))[0]


def _stamina_of(toughness: int) -> int:
    return Character("somebody", (Line("toughness", toughness),)).stamina().value


def _blows() -> int:
    step = {"do": "double-attack", "targets": ["b", "b"], "faces": [19, 19]}
    return len(_played(step, fighting=9).records[-1].rolls)


def _most_targets() -> int:
    """How many enemies a blast may be aimed at."""
    enemies = [{"id": f"b{number}", "side": "b", "group": "b"} for number in range(9)]
    aims = [[each["id"] for each in enemies[:number]] for number in range(1, len(enemies) + 1)]
    blasts = [{"do": "blast", "targets": aim} for aim in aims]
    scenario = _fight({"id": "a", "abilities": {"blasting": 9}}, *enemies, steps=blasts)
    state = play(scenario, until=0).states[0]
    return sum(not why_not(state, step.action) for step in scenario.steps)


def _crafted() -> int:
    """What a crafted bonus adds to a level."""
    a, b = {"id": "a", "abilities": {"craftsmanship": 9}}, {"id": "b", "side": "a"}
    crafted = _fight(a, b, steps=[{"do": "craft", "target": "b", "ability": "toughness"}])
    return play(crafted).final.fighter("b").level("toughness") - HEALTHY


def _worked_numbers() -> Named:
    """Everything that is a number in the worked combat, each way it is played."""
    found: set[int] = set()
    for way in WAYS.values():
        played = play(fork(worked_combat(), rulings=way))
        rolls = [roll for record in played.records for roll in record.rolls]
        found |= {number for roll in rolls for number in (*_terms(roll.check.figure), roll.against.value)}
        found |= {state.round for state in played.states} | {record.n for record in played.records}
        found |= {each.hp for state in played.states for each in state.fighters}
        found |= {line.level for each in played.final.fighters for line in each.character.lines}
        found |= {number for each in played.begun.initiative for number in _terms(each.figure)}
        found |= {figure.value for each in played.final.fighters for figure in each.character.figures().values()}
    return {str(number): number for number in found}


def _terms(figure: Figure) -> tuple[int, ...]:
    """A sum and its parts."""
    return figure.value, *(part.value for part in figure.parts)


def _neighbours(shape: Literal["square", "hex"]) -> int:
    """The spaces around one."""
    board = Board(shape, ("...",) * 3, frozenset(), frozenset(), frozenset())
    return sum(board.distance((1, 1), space) == 1 for space in board.spaces)


def _open_to_all(kind: str) -> int:
    """How many actions of a kind need no ability, something small aside."""
    return sum(each.kind.startswith(kind) and not each.required and each.do != kind for each in ACTIONS)


def _halved(half: Callable[[int], int]) -> str:
    """Which way a half is rounded: whether half of 7 is that of 6 or that of 8."""
    return {half(6): "down", half(8): "up"}[half(7)]


def _formats() -> Named:
    """Every format with its version that the engine, a script or a template names."""
    files = (file for folder in (ENGINE, OVERRIDES) for file in folder.rglob("*.*") if file.suffix in _SOURCES)
    found = {each for file in files for each in _FORMAT.findall(file.read_text("utf-8"))}
    return {each: each for each in found}


def _limit(script: str, name: str) -> int:
    """A limit that one of the site's scripts names."""
    return int(_told(OVERRIDES / "javascripts" / script, rf"\b{name}(?: =|:) ([\d_]+)"))


def _told(file: Path, pattern: str) -> str:
    """What a pattern's group finds in a file, where it must stand."""
    found = re.search(pattern, file.read_text("utf-8"))
    assert found, f"{pattern} in {file}"
    return found[1]


def _only(number: int) -> Named:
    return {"": number}


def _switch(name: str) -> tuple[Any, ...]:
    return next(switch.choices for switch in SWITCHES if switch.name == name)


NUMBERS: Mapping[str, Callable[[], Named]] = {
    # Rolls
    "roll.d20": lambda: {"least": 1, "most": 20},
    "roll.auto-success": lambda: _only(face_needed(0, 10**6)),
    "roll.no-auto-fail": lambda: {"face": 1, "level": 9, "against": 9 + 1},
    "roll.beyond-reach": lambda: {"reach": face_needed(0, 10**6) - 1},
    "roll.ability-required": lambda: {"least level": 1},
    "roll.die-substitute": lambda: {"least": 1, "most": 20},
    # Characters
    "char.ability-level": lambda: {"least": 1, "absent": _nobody().level("toughness")},
    "fifteen-abilities": lambda: _only(len(ABILITIES)),
    "act.basic.available": lambda: {
        "regular": _open_to_all("regular"),
        "bonus": _open_to_all("bonus"),
        "all": _open_to_all("regular") + _open_to_all("bonus"),
    },
    "act.unrepeatable": lambda: _only(sum(each.kind == "regular, once per encounter" for each in ACTIONS)),
    "create.cp": lambda: {"a level": Character("x", (Line("stealth", 1),)).cp().value},
    "create.average": lambda: {"in all": AVERAGE.cp, "highest": AVERAGE.max_level},
    "create.above-average": lambda: {
        "in all": ABOVE_AVERAGE.cp,
        "highest": ABOVE_AVERAGE.max_level,
        "fewest": ABOVE_AVERAGE.fewest_abilities,
    },
    "tough.benchmarks": lambda: {each.who: each.toughness for each in BENCHMARKS},
    "tough.training-armour": lambda: {
        "some training": built_toughness(0, 1).value,
        "training": built_toughness(0, 2).value,
        "armour": built_toughness(0, 0, True).value,
    },
    "tough.none": lambda: _only(_nobody().max_hp().value),
    # Defences
    "def.agility": lambda: _only(_defence("agility", "def.agility")),
    "def.intelligence": lambda: _only(_defence("intelligence", "def.intelligence")),
    "def.strength.fallback": lambda: _only(_defence("strength", "def.strength.fallback")),
    # Hit points
    "hp.stamina": lambda: {"divided by": 10 // _stamina_of(10), "half": _halved(_stamina_of)},
    "hp.injured": lambda: {"least": 1, "knockout": _damage("knockout", hp=INJURED, knockout=9)},
    "hp.incapacitated": lambda: _only(0),
    "hp.floor": lambda: _only(_damage("shoot", 20, shooting=9) - 5),
    "hp.illustration-7": lambda: {"toughness": 7, "stamina": _stamina_of(7), **{f"{n} left": n for n in range(1, 8)}},
    "hp.auto-damage": lambda: {
        "more": _damage("basic-attack", 20, fighting=9) - _damage("basic-attack", fighting=9),
    },
    # Attacks
    "act.basic-attack": lambda: {"": _damage("basic-attack"), "on 20": _damage("basic-attack", 20)},
    "act.throw-object": lambda: _only(_damage("throw")),
    "act.fighting.double": lambda: {"attacks": _blows()},
    "act.shooting": lambda: {"": _damage("shoot", shooting=9)},
    "act.shooting.auto": lambda: _only(_damage("shoot", 20, shooting=9)),
    "act.blasting": lambda: {
        "damage": _damage("blast", blasting=9),
        "on 20": _damage("blast", 20, blasting=9),
        "targets": _most_targets(),
    },
    "act.blasting.rolls": lambda: {"on 20": _damage("blast", 20, blasting=9)},
    "act.knockout": lambda: {
        "healthy": _damage("knockout", knockout=9),
        "injured": _damage("knockout", hp=INJURED, knockout=9),
    },
    "act.knockout.damage": lambda: {
        **named("act.knockout"),
        "healthy on 20": _damage("knockout", 20, knockout=9),
        "injured on 20": _damage("knockout", 20, hp=INJURED, knockout=9),
    },
    "act.knockout.basic": lambda: _only(_damage("basic-attack", knockout=9)),
    "act.wrestling.hold-damage": lambda: {
        "": _damage("hold", wrestling=9),
        "on 20": _damage("hold", 20, wrestling=9),
    },
    # What lasts, and help
    "act.cover": _cover,
    "act.cover.effect": _cover,
    "act.cover.stay": _cover,
    "act.engage": lambda: {"attack": _engage()["attack"], "agility": _engage()["agility"]},
    "act.engage.penalty": lambda: {"agility": _engage()["agility"]},
    "act.heal": lambda: {"difficulty": _against(_helped("heal", 1))},
    "act.heal.revive": lambda: _only(_healed("revive", 0)),
    "act.heal.injured": lambda: {
        "more": _healed("heal", 1, 8) - 8 // 2,
        "divided by": 2,
        "half": _halved(lambda toughness: _healed("heal", 1, toughness)),
    },
    "craft.bonus": lambda: _only(_crafted()),
    "craft.needs-level": lambda: _only(1),
    "craft.duration": lambda: _only(_crafted()),
    "craft.hurry": lambda: {"difficulty": HURRY_DIFFICULTY},
    "command.minions": lambda: _only(MOST_MINIONS),
    "command.cp-limit": lambda: _only(1),
    "stealth.initiative": lambda: {"times": _initiative(stealth=1)},
    "detection.initiative": lambda: {"times": _initiative(detection=1)},
    "turn.initiative-roll": lambda: {"face": 20},
    # Weights, in kilograms and pounds a point
    "carry.pack": lambda: {"kg": weights(1).pack_kg, "lb": f"{weights(10).pack_lb / 10}"},
    "carry.short": lambda: {"kg": weights(1).carry_kg, "lb": weights(10).carry_lb // 10},
    "carry.lift": lambda: {"kg": weights(1).lift_kg, "lb": weights(10).lift_lb // 10},
    # The Grid
    "grid.move.base": lambda: {"healthy": Walker().allowances[0], "injured": Walker(is_healthy=False).allowances[0]},
    "grid.move.rough": lambda: _only(_price("^")),
    "grid.move.water": lambda: _only(_price("~")),
    "grid.move.step": lambda: {"squares": _neighbours("square"), "hexes": _neighbours("hex")},
    "grid.move.quickness": lambda: {
        **named("grid.move.base"),
        "level 3": Walker(quickness=3).allowances[1],
        "level 4": Walker(quickness=4).allowances[1],
        "of 3": 3,
        "half": _halved(lambda level: Walker(quickness=level).allowances[1]),
    },
    "grid.move.flying": lambda: {"half": _halved(lambda level: Walker(flying=level).allowances[-1])},
    "grid.blast.max": lambda: {
        "squares": _neighbours("square") + 1,
        "hexes": _neighbours("hex") + 1,
        "without a board": _most_targets(),
    },
    "G13": lambda: named("grid.move.base"),
    # The other orders of turns
    "mano.start.evade": lambda: _only(EVADING_DEFENCE),
    "mano.speed.quarter": lambda: {
        "skips": required_skips(Fraction(1, 4)),
        "one of": required_skips(Fraction(1, 4)) + 1,
    },
    "mano.speed.half": lambda: {"skips": required_skips(Fraction(1, 2)), "one of": required_skips(Fraction(1, 2)) + 1},
    "mano.combo.count": lambda: {"half": _halved(lambda halves: combo_limit(Fraction(halves, 2), 1))},
    "mano.combo.weapons": lambda: {
        "more": combo_limit(Fraction(1), 2) - combo_limit(Fraction(1), 1),
        "weapons": next(weapons for weapons in range(9) if combo_limit(Fraction(1), weapons) > 1),
    },
    "mano-old.pools": lambda: _only(len(POOLS)),
    # Rulings: what their readings say of numbers
    "rules/combat-example": _worked_numbers,
    "build-on-it/printed-fight": _worked_numbers,
    "grid-moving": lambda: {
        **named("grid.move.flying"),
        "rough": _price("^"),
        "water": _price("~"),
        "a space": _price("."),
    },
    "rules/index": lambda: {"half": named("hp.stamina")["half"]},
    "look-up/rulings": lambda: named("rules/index"),
    "rules/grid": lambda: {
        **named("grid.move.base"),
        **named("grid.move.flying"),
        "rough": _price("^"),
        "water": _price("~"),
        "a space": _price("."),
    },
    "rules/abilities": lambda: _only(_damage("basic-attack")),
    "rules/making-a-character": lambda: {
        **named("create.average"),
        **{f"above average, {name}": number for name, number in named("create.above-average").items()},
    },
    "A17": lambda: named("act.wrestling.hold-damage"),
    "K06": lambda: named("act.wrestling.hold-damage"),
    "roll.modifier": lambda: {"cover": _cover()["roll"]},
    "def.strength": lambda: {
        "": Character("x", (Line("wrestling", 1),)).strength().parts[0].value,
        **{f"base {each}": int(each) for each in _switch("strength_base")},
    },
    "K01": lambda: {
        **{str(each): int(each) for each in _switch("strength_base")},
        "average": Character("x", (Line("toughness", 3),)).strength().value,
    },
    "K21": lambda: {str(each): int(each) for each in _switch("detection_multiplier")},
    # What else the engine, the command and the scripts say of themselves
    "build-on-it/scenario-file": lambda: {
        **_formats(),
        "bytes": SIZE_LIMIT,
        "steps": STEPS_LIMIT,
        "characters": CHARACTERS_LIMIT,
        "rows": SIDE_LIMIT,
        "spaces": SIDE_LIMIT,
        "craft": HURRY_DIFFICULTY,
        "speed": SPEED_LIMIT,
        "weapons": MOST_WEAPONS,
        "hp": MOST_HP,
        "hp_round": MOST_HP,
    },
    "build-on-it/kept-file": _formats,
    "build-on-it/python-package": lambda: {
        "Python": _told(ROOT / "pyproject.toml", r'requires-python = ">=([\d.]+)"'),
        "unusable": UNUSABLE,
        "fights": int(_told(ROOT / "scratch_core" / "cli" / "odds.py", r"how often \((\d+)\)")),
    },
    "build-on-it/how-it-is-made": lambda: {
        **_formats(),
        "characters": _limit("place.mjs", "LONGEST_SEARCH"),
        "seconds": _limit("engine.mjs", "answer") // 1000,
        "s": _limit("worker.mjs", "requestLimit") // 1000,
    },
}
"""The numbers of each rule by name, found when they are asked for."""


EXEMPT: Mapping[str, tuple[tuple[int | str, ...], str]] = {
    "fight": ((10,), "the base of every defence, which `def.agility` and its like hold one by one"),
    "grid-reach": ((1,), "one space: how near is near, held by the cases of `grid.blast.area`"),
    "grid-exposes": ((1,), "one space: how near is near, held by the cases of `grid.interrupt.trigger.far-attack`"),
    "grid-leaving": ((1, 2), "the two turns of an escape, held by the cases of `grid.escape.evade-first`"),
    "mano": ((1,), "one point, one turn, one skip, held by the cases of the rules told there"),
    "M23": ((1, 2), "speeds in words: ordinary, and twice as fast"),
    "def.agility": ((4,), "the four abilities that count, which the table of abilities lists"),
    # What a ruling reads out of the sources, in its own example
    "K02": ((14, 4), "the sources' stat block that the ruling reads"),
    "K04": ((3,), "the sources' stat block that the ruling reads"),
    "G11": ((1,), "one step, held by the cases of `grid.move.step`"),
    "G14": ((1,), "one step, held by the cases of `grid.move.flying`"),
    "G19": ((1,), "one space: how near is near, held by the cases of `grid.blast.area`"),
    "G21": ((1,), "one step, held by the cases of `grid.escape.exit`"),
    "M06": ((1, 2), "speeds of 1 and 2 and their quick actions, held by the cases of `mano.combo.count`"),
    "S12": ((0, 1), "what we ask for where the sources say nothing"),
    # Our own choice of an example outside a marked one
    "def.strength.fallback": ((3,), "somebody average, chosen for the example"),
    "A21": ((9, 15), "the ruling's example"),
    "swimming.scale": ((1, 2), "words for levels; no code reads them"),
    "command.illustration-4": ((4, 1, 3), "the sources' own illustration, held by a case of its rule"),
    "hp.max": ((4,), "chosen for the example"),
    "rules/hit-points": ((0, 1), "the bounds of the three conditions, which every case of `hp.*` holds"),
    "grid.space": ((2,), "metres: how large a space is in the world, which no code needs"),
    "grid.interrupt.trigger.move": ((1,), "one space: how near is near, which every case on a board holds"),
    "grid.hold.immobilize": (
        (1,),
        "one space: how far somebody is pushed, held by `grid.hold.reposition`",
    ),
    "grid.hold.reposition": ((1,), "one space: how far somebody is pushed, held by the cases of the rule"),
    "act.evade.no-ability": ((0,), "no ability adds nothing"),
    "act.cover.forbidden": ((0,), "no ability adds nothing"),
    "act.heal": ((1, 0), "0 hit points is down, and 1 is held under `act.heal.revive`"),
    "K12": ((0, 1), "the ruling's example: half of 1, rounded down, is 0"),
    "A35": ((0,), "no hit points left"),
    "carry.table": ((1, 5, 10), "what pounds are rounded to; the table beside it is the engine's"),
    "grid.move.acrobatics": ((2, 3, 4), "the example's allowances and prices, which the picture beside it draws"),
    "grid.move.swimming": ((1, 3, 4), "the example's allowances and prices, which the picture beside it draws"),
    "rules/making-a-character": ((2, 3, 6), "levels that fit or don't, in the examples of spending points"),
    "create.typical": ((6,), "what most characters have; the advice of the character check says it"),
    "char.stat-line": ((12, 11), "the printed strength of Chokestar, and the engine's, which the fence shows"),
    "rules/other-turn-orders/choose-next": ((1,), "a face of 1, held by the cases of `seize.natural-1`"),
    "seize.natural-1": ((1,), "a face of 1, held by the cases of the rule"),
    "rules/other-turn-orders/index": ((14, 4), "faces and levels of the table beside it, which the engine draws"),
    "mano.stun.recover": ((1,), "one point a turn, held by the cases of the rule"),
    "mano-old.phase.stun": ((1,), "the number of a phase; and one point a turn, held by the cases of the rule"),
    "mano-old.phase.ready": ((2,), "the number of a phase"),
    "mano-old.phase.ready.illustrations": ((3, 6), "chosen for the example, whose table the engine draws"),
    "K28": ((1, 2), "the numbers of two phases"),
    "mano-old.phase.actions": ((3, 1), "the number of a phase; and one point for one use"),
    "rules/other-turn-orders/older-pools": ((5, 6), "chosen for the example, which a scenario plays"),
    "build-on-it/scenario-file": (
        (0, 1, 2, 4),
        "exit codes, least values, what holds when left out, phases and places: cases of the reader and the command",
    ),
    "build-on-it/python-package": (
        (0, 1, 95, 100),
        "exit codes, which the command's tests hold, what chances sum to, and the share of samples that bounds hold in",
    ),
    "build-on-it/how-it-is-made": (
        (2, 5, 2027),
        "the site's size, a name with a number, and what others' programs ask for",
    ),
    "roll.notation": ((1, 3, 10, 11, 12, 15, 25), "wordings of rolls with difficulties chosen for them"),
    "roll.die-substitute": (
        (0, 2, 3, 4, 5, 6, 7, 10, 12, 15, 17),
        "faces of other dice in examples; that each sum gives a d20's numbers is held for every face",
    ),
}
"""Numbers that nothing in the engine has, by rule, heading or page: those, and why."""
