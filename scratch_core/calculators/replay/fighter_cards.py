"""Everyone at a moment of a replay, beside the moment before and that of the file's own story."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.shared.form import assign_side_colours
from scratch_core.calculators.shared.sides import side_name_of
from scratch_core.scenario import AnySystem
from scratch_core.turn_systems import FighterNumber, FighterStatus

MAX_CELLS = 30
"""As many points of pools are drawn one by one."""

POOL_ORDER = ("ready", "defence", "other", "stun", "damage")
"""The pools as they are drawn, the nearest to hand first."""


@dataclass(frozen=True, slots=True)
class NumberChange:
    """A number of someone's, what the step did to it, and its value in the file's own story where that differs."""

    number: FighterNumber
    change: int
    original_value: str


@dataclass(frozen=True, slots=True)
class FighterCard:
    """Someone at the moment shown, and how it stands `status`.

    `hit_point_change` is what the step did to its hit points.

    `side_colour` is the number of its side's colour, from 1. `pool_cells` draw its pools, a word for each point.
    `original_text` is what has befallen it in the file's own story where that differs, or its hit points and health.
    """

    id: str
    name: str
    side: str
    side_colour: int
    status: FighterStatus
    hit_point_change: int
    pool_cells: tuple[str, ...]
    numbers: tuple[NumberChange, ...]
    original_text: str


def build_cards(system: AnySystem, now: Any, then: Any, beside: Any | None) -> tuple[FighterCard, ...]:
    """Everyone in the order of the file. `then` is the moment before, `beside` that of the file's own story.

    Rules: `hp.healthy`, `mano.speed.half`, `mano.counter.wait`, `mano.start.evade`, `mano-old.pools`, `seize.roll`,
    `seize.claim`.
    """
    people = now.fighters
    same = {*map(id, people)}  # the step changed nothing of them: their hit points and numbers are what they were
    earlier = {each.id: system.build_status(then, each.id) for each in then.fighters if id(each) not in same}
    theirs = {} if beside is None else {each.id: system.build_status(beside, each.id) for each in beside.fighters}
    colours = assign_side_colours(who.side for who in people)
    return tuple(
        _build_card(who, system.build_status(now, who.id), earlier.get(who.id), theirs.get(who.id), colours[who.side])
        for who in people
    )


def _build_card(
    who: Any, now: FighterStatus, then: FighterStatus | None, beside: FighterStatus | None, tint: int
) -> FighterCard:
    then = then or now
    return FighterCard(
        id=who.id,
        name=who.name,
        side=side_name_of(who),
        side_colour=tint,
        status=now,
        hit_point_change=(now.hp or 0) - (then.hp or 0),
        pool_cells=_list_pool_cells(now),
        numbers=tuple(_list_number_changes(now, then, beside or now)),
        original_text=_format_original(now, beside) if beside else "",
    )


def _format_original(now: FighterStatus, beside: FighterStatus) -> str:
    """How it stands in the file's own story, "" where it stands there as it does here."""
    if now.health:
        is_same = (beside.hp, beside.health) == (now.hp, now.health)
        return "" if is_same else f"{beside.hp}, {beside.health}"
    if beside.labels_with_rules == now.labels_with_rules:
        return ""
    return ", ".join(word for word, _ in beside.labels_with_rules) or "nothing of that"


def _list_pool_cells(now: FighterStatus) -> tuple[str, ...]:
    if now.hp is None or now.hp > MAX_CELLS or now.max_hp is not None:
        return ()
    points = {each.word: each.count or 0 for each in now.numbers}
    return tuple(pool for pool in POOL_ORDER for _ in range(points[pool]))


def _list_number_changes(now: FighterStatus, then: FighterStatus, beside: FighterStatus) -> Iterator[NumberChange]:
    """The numbers, beside those of the moment before and of the file's own story."""
    for number, earlier, other in zip(now.numbers, then.numbers, beside.numbers, strict=True):
        if number.is_quiet and not number.count and not earlier.count:
            continue
        change = (number.count or 0) - (earlier.count or 0)
        was = other.value if other.value != number.value else ""
        yield NumberChange(number, change, was)
