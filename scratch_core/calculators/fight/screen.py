"""What the players see of a fight on a screen of their own: never a number of the other side, nor anybody hidden.

The game master says which sides are the players' and who is hidden; that stands in controls of the fight's query.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from scratch_core.actions import FightRoll
from scratch_core.board import place
from scratch_core.calculators.board.drawing import Drawing
from scratch_core.calculators.board.picture import draw
from scratch_core.calculators.fight.head import Row, last_of, side_words
from scratch_core.calculators.fight.table import Fight
from scratch_core.calculators.form import tints
from scratch_core.calculators.packing import deflated
from scratch_core.cards import CHECK
from scratch_core.changing import changed
from scratch_core.scenario import Record, read_json
from scratch_core.state import Damaged
from scratch_core.turns import JOIN, LEAVE, RETURN, Standing, listed

ON, SIDES, HIDDEN = "screen", "screen_sides", "screen_hidden"
CONTROLS = (ON, SIDES, HIDDEN)
"""The screen's controls: whether it is on, the players' sides, and who is hidden, both as lists in JSON."""

WITH_CODE = "code"
"""What stands in the first of them while the fight shows a code of the screen as well."""

DOWN = "incapacitated"
_MOST_NAMED = 100


@dataclass(frozen=True, slots=True)
class Switch:
    """A button that turns something on or off: its words, whether it is on, and the settings after it, in JSON."""

    words: str
    is_on: bool
    value: str


@dataclass(frozen=True, slots=True)
class Screen:
    """The screen, and the buttons by which the game master rules it; of others than the players' own no number.

    `whose` is whose turn it is, "" for somebody hidden; `last` what happened last, as the players may know it. `code`
    is all of it but the board for another device's address, "" where nobody asks for it.
    """

    whose: str
    last: str
    code: str
    people: tuple[Row, ...]
    board: Drawing | None
    sides: tuple[Switch, ...]
    hiding: tuple[Switch, ...]


@dataclass(frozen=True, slots=True)
class _Eyes:
    """What the players may see: their sides, and the ids of those hidden from them."""

    sides: frozenset[str]
    hidden: frozenset[str]


def screen_of(fight: Fight, fields: Mapping[str, str], rows: Sequence[Row], whose: str) -> Screen | None:
    """The players' screen, None while it is off; `whose` says whose turn it is."""
    if not fields[ON]:
        return None
    sides, hidden = names_in(fields[SIDES]), names_in(fields[HIDDEN])
    eyes = _Eyes(frozenset(sides), frozenset(hidden))
    all_sides = dict.fromkeys(row.fighter.side for row in rows)
    people = [(row.fighter.id, row.fighter.name) for row in rows]
    is_secret = any(row.is_active and row.fighter.id in eyes.hidden for row in rows)
    seen = tuple(_seen(row, eyes) for row in rows if row.fighter.id not in eyes.hidden)
    now, last = "" if is_secret else whose, _last(fight, eyes)
    return Screen(
        whose=now,
        last=last,
        code=_code(fight, eyes, now, last, seen) if fields[ON] == WITH_CODE else "",
        people=seen,
        board=_board(fight, eyes),
        sides=tuple(_switch(SIDES, side_words(each, people), each, sides) for each in all_sides),
        hiding=tuple(_switch(HIDDEN, name, own, hidden) for own, name in people),
    )


def settings(text: str) -> dict[str, str]:
    """The controls of the screen that a button sets, from its JSON; {} for what is none."""
    found = read_json(text)
    if not isinstance(found, dict):
        return {}
    return {name: str(value) for name, value in found.items() if name in CONTROLS}


def names_in(text: str) -> list[str]:
    """A list of names as a control has it; [] for what is none."""
    found = read_json(text)
    return [each for each in found if isinstance(each, str)][:_MOST_NAMED] if isinstance(found, list) else []


def _code(fight: Fight, eyes: _Eyes, whose: str, last: str, people: Sequence[Row]) -> str:
    """The round, how many steps of it the players know of, whose turn, what happened last, and everybody, packed.

    Of a person: the side's colour, the name, the side, how they stand, where, and whether they are on turn or out. What
    is hidden leaves no trace: two fights that differ in that alone have the same letters.
    """
    now = fight.system.round_of(fight.state, fight.system.on_turn(fight.state))
    newest_first = zip(reversed(fight.records), reversed(fight.rounds), strict=True)
    here = takewhile(lambda step: step[1] == now, newest_first)
    step = sum(1 for record, _ in here if record.legal and _said(fight, record, eyes))
    colours = tints(row.fighter.side for row in people)
    told = [
        [
            colours[row.fighter.side],
            row.fighter.name,
            row.side,
            ", ".join((_health(row.standing), *row.marks)),
            place(space) if (space := getattr(row.fighter, "space", None)) is not None else "",
            "on" if row.is_active else "out" if row.standing.is_out else "",
        ]
        for row in people
    ]
    return deflated(json.dumps([now, step, whose, last, told], separators=(",", ":"), ensure_ascii=False))


def _health(standing: Standing) -> str:
    of = " HP" if standing.most is None else f" of {standing.most}"
    return standing.condition if standing.hp is None else f"{standing.hp}{of} {standing.condition}"


def _switch(control: str, words: str, name: str, names: Sequence[str]) -> Switch:
    is_on = name in names
    after = [each for each in names if each != name] if is_on else [*names, name]
    return Switch(words, is_on, json.dumps({control: json.dumps(after)}))


def _seen(row: Row, eyes: _Eyes) -> Row:
    """Somebody as the players see it: of others than their own no number, and nothing that has one in its mark."""
    found = row.standing
    found = replace(found, condition="down" if found.condition == DOWN else found.condition)
    if row.fighter.side not in eyes.sides:
        lasting = tuple(each for each in found.lasting if not re.search(r"[0-9]", each.short.split(":")[0]))
        numbers = tuple(each for each in found.numbers if not re.search(r"[0-9]", f"{each.word} {each.value}"))
        found = replace(found, hp=None, most=None, lasting=lasting, numbers=numbers)
    return replace(row, standing=found)


def _board(fight: Fight, eyes: _Eyes) -> Drawing | None:
    state = fight.state
    if getattr(state, "board", None) is None:
        return None
    there = tuple(each for each in state.fighters if each.id not in eyes.hidden)
    return draw(changed(state, fighters=there))


# What happened last


def _last(fight: Fight, eyes: _Eyes) -> str:
    """What came of the last step that the players may know of, in words; "" where there is none yet."""
    legal = (record for record in reversed(fight.records[-_MOST_NAMED:]) if record.legal)
    told = ((_said(fight, record, eyes), record.do) for record in legal)
    return last_of((said, do) for said, do in told if said)


def _said(fight: Fight, record: Record, eyes: _Eyes) -> str:
    if record.is_hand:
        return _said_by_hand(fight, record, eyes)
    actor = _person(fight, record.actor)
    if actor is None:
        return f"{record.title}."
    is_own = actor.side in eyes.sides
    if actor.id in eyes.hidden or (record.do == CHECK.do and not is_own):
        return ""
    named = [_person(fight, each) for each in record.action.named if each not in (*eyes.hidden, actor.id)]
    targets = list(dict.fromkeys(str(each.name) for each in named if each is not None))
    whom = f", {listed(targets)}" if targets else ""
    rolls = [_rolled(roll, damage, is_own, eyes) for roll, damage in _hits(record)]
    did = f"{record.title[:1].lower()}{record.title[1:]}{whom}{': ' if rolls else ''}"
    return f"{actor.name}: {did}{'; '.join(filter(None, rolls))}."


def _hits(record: Record) -> list[tuple[FightRoll, int]]:
    """The rolls of a step, each with the damage that it did; what that leaves somebody is no part of it."""
    wounds = [each for each in record.events if isinstance(each, Damaged)]
    found = []
    for roll in record.rolls:
        if isinstance(roll, FightRoll):
            wound = next((each for each in wounds if roll.check.success and each.who == roll.target), None)
            if wound:
                wounds.remove(wound)
            found.append((roll, wound.damage if wound else 0))
    return found


def _rolled(roll: FightRoll, damage: int, is_own: bool, eyes: _Eyes) -> str:
    """How a roll went, and its damage; its die and sum where it is the players' own."""
    came = "a success" if roll.check.success else "a failure"
    if roll.target in eyes.hidden:
        return came
    hurt = f", {damage} damage" if damage else ""
    if not is_own:
        return came + hurt
    face, total = roll.check.figure.parts[0].value, roll.check.total
    return f"{came} with {total} (the die shows {face}){hurt}"


def _said_by_hand(fight: Fight, record: Record, eyes: _Eyes) -> str:
    """Who comes and goes; nothing else that the game master does is told."""
    words = {JOIN: "joins the fight", LEAVE: "is out of the fight", RETURN: "is back in the fight"}
    if record.do not in words:
        return ""
    hand = record.action
    who = hand.newcomer if record.do == JOIN else _person(fight, hand.target)
    return "" if who is None or who.id in eyes.hidden else f"{who.name} {words[record.do]}."


def _person(fight: Fight, who: str) -> Any:
    return next((each for each in fight.system.fighters(fight.state) if each.id == who), None)
