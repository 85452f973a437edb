"""A moment of a fight by another turn order, as a replay shows it: everybody with what its system knows of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scratch_core.figures import Figure
from scratch_core.rounds.mano_old_records import Pool
from scratch_core.turns import Standing, System

CELLS: tuple[Pool, ...] = ("ready", "defence", "other", "stun", "damage")
"""The pools as they are drawn, the nearest to hand first."""

MOST_CELLS = 30


@dataclass(frozen=True, slots=True)
class NumberShown:
    """A number of somebody's, what the step did to it, and its value in the file's own story where that differs."""

    word: str
    value: str
    path: str
    rule: str
    change: int
    was: str


@dataclass(frozen=True, slots=True)
class Card:
    """Somebody at the moment shown. `mark`: on turn, due, asked, may seize, or "".

    `hp` are all hit points, None where the system counts none; `cells` names the pool of each. `states` are words with
    their rules, `was` those of the file's own story where they differ, `figure` a number that can be asked why.
    """

    id: str
    name: str
    side: str
    mark: str
    is_out: bool
    hp: int | None
    cells: tuple[str, ...]
    numbers: tuple[NumberShown, ...]
    states: tuple[tuple[str, str], ...]
    was: str
    figure: Figure | None


def cards(system: System[Any, Any], now: Any, then: Any, beside: Any | None) -> tuple[Card, ...]:
    """Everybody in the order of the file. `then` is the moment before, `beside` that of the file's own story.

    Rules: `mano.speed.half`, `mano.counter.wait`, `mano.start.evade`, `mano-old.pools`, `seize.roll`, `seize.claim`.
    """
    return tuple(
        _card(
            who,
            system.standing(now, who.id),
            _standing(system, then, who.id) or system.standing(now, who.id),
            _standing(system, beside, who.id),
        )
        for who in system.fighters(now)
    )


def _standing(system: System[Any, Any], state: Any | None, who: str) -> Standing | None:
    """How somebody stands in another moment; None where there is none, or it is not there in it."""
    if state is None or all(each.id != who for each in system.fighters(state)):
        return None
    return system.standing(state, who)


def _card(who: Any, now: Standing, then: Standing, beside: Standing | None) -> Card:
    states = now.short
    own = states if beside is None else beside.short
    was = "" if own == states else ", ".join(word for word, _ in own) or "nothing of that"
    return Card(
        id=who.id,
        name=who.name,
        side=who.side if who.side not in (who.id, who.name) else "",
        mark=now.mark,
        is_out=who.out,
        hp=now.hp,
        cells=_cells(now),
        numbers=tuple(_numbers(now, then, beside)),
        states=states,
        was=was,
        figure=now.figures[0] if now.figures else None,
    )


def _cells(now: Standing) -> tuple[str, ...]:
    if now.hp is None or now.hp > MOST_CELLS:
        return ()
    points = {each.word: each.count or 0 for each in now.numbers}
    return tuple(pool for pool in CELLS for _ in range(points[pool]))


def _numbers(now: Standing, then: Standing, beside: Standing | None) -> Iterator[NumberShown]:
    """The numbers, beside those of the moment before and of the file's own story."""
    others = beside.numbers if beside else now.numbers
    for number, earlier, other in zip(now.numbers, then.numbers, others, strict=True):
        if number.is_quiet and not number.count and not earlier.count:
            continue
        change = (number.count or 0) - (earlier.count or 0)
        was = other.value if other.value != number.value else ""
        yield NumberShown(number.word, number.value, number.path, number.rule, change, was)
