"""The fighters after a step of a replay, compared with the step before and with the original playthrough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scratch_core.calculators.shared.sides import assign_side_colours, side_name_of
from scratch_core.scenario import AnySystem
from scratch_core.turn_systems import FighterNumber, FighterStatus

MAX_CELLS = 30
"""The most hit points that are drawn as single cells of a pool."""

POOL_ORDER = ("ready", "defence", "other", "stun", "damage")
"""The pools in the order in which they are drawn, the most readily available first."""


@dataclass(frozen=True, slots=True)
class NumberChange:
    """A number of a fighter, and what the step changed of it."""

    number: FighterNumber
    """The number after the step."""
    change: int
    """The difference that the step made, 0 for none."""
    original_value: str
    """The value in the original playthrough. Empty if it is the same."""


@dataclass(frozen=True, slots=True)
class FighterCard:
    """A fighter after the step shown."""

    id: str
    """The fighter's id."""
    name: str
    """The fighter's name."""
    side: str
    """The name of the fighter's side."""
    side_colour: int
    """The number of the side's colour, from 1."""
    status: FighterStatus
    """Hit points, health, labels and numbers as the turn system shows them."""
    hit_point_change: int
    """The hit points that the step added (positive) or took (negative)."""
    pool_cells: tuple[str, ...]
    """The pool of each hit point, one word for each point. Empty if the fighter has no pools, or too many points."""
    numbers: tuple[NumberChange, ...]
    """The numbers of the turn system, with their changes. Numbers that are quiet and 0 are omitted."""
    original_text: str
    """The status in the original playthrough: hit points and health, or the labels. Empty if it is the same."""


def build_cards(
    system: AnySystem, state: Any, previous_state: Any, original_state: Any | None
) -> tuple[FighterCard, ...]:
    """Build the cards of all fighters, in the order of the file.

    `previous_state` is the state before the step, `original_state` the state in the original playthrough (None without
    a fork). Rules: `hp.healthy`, `mano.speed.half`, `mano.counter.wait`, `mano.start.evade`, `mano-old.pools`,
    `seize.roll`, `seize.claim`.
    """
    fighters = state.fighters
    unchanged = {*map(id, fighters)}  # the step changed nothing of these fighters
    previous_statuses = {
        each.id: system.build_status(previous_state, each.id)
        for each in previous_state.fighters
        if id(each) not in unchanged
    }
    original_statuses = (
        {}
        if original_state is None
        else {each.id: system.build_status(original_state, each.id) for each in original_state.fighters}
    )
    colours = assign_side_colours(fighter.side for fighter in fighters)
    return tuple(
        _build_card(
            fighter,
            system.build_status(state, fighter.id),
            previous_statuses.get(fighter.id),
            original_statuses.get(fighter.id),
            colours[fighter.side],
        )
        for fighter in fighters
    )


def _build_card(
    fighter: Any,
    status: FighterStatus,
    previous_status: FighterStatus | None,
    original_status: FighterStatus | None,
    side_colour: int,
) -> FighterCard:
    previous_status = previous_status or status
    return FighterCard(
        id=fighter.id,
        name=fighter.name,
        side=side_name_of(fighter),
        side_colour=side_colour,
        status=status,
        hit_point_change=(status.hp or 0) - (previous_status.hp or 0),
        pool_cells=_list_pool_of_each_point(status),
        numbers=tuple(_list_number_changes(status, previous_status, original_status or status)),
        original_text=_format_original_status_if_different(status, original_status) if original_status else "",
    )


def _format_original_status_if_different(status: FighterStatus, original_status: FighterStatus) -> str:
    """Format the status in the original playthrough.

    Returns "" if it equals `status`.
    """
    if status.health:
        is_same = (original_status.hp, original_status.health) == (status.hp, status.health)
        return "" if is_same else f"{original_status.hp}, {original_status.health}"
    if original_status.labels_with_rules == status.labels_with_rules:
        return ""
    return ", ".join(word for word, _ in original_status.labels_with_rules) or "nothing of that"


def _list_pool_of_each_point(status: FighterStatus) -> tuple[str, ...]:
    if status.hp is None or status.hp > MAX_CELLS or status.max_hp is not None:
        return ()
    points = {each.word: each.count or 0 for each in status.numbers}
    return tuple(pool for pool in POOL_ORDER for _ in range(points[pool]))


def _list_number_changes(
    status: FighterStatus, previous_status: FighterStatus, original_status: FighterStatus
) -> Iterator[NumberChange]:
    """List the numbers with their changes since the step before.

    Each also has its value in the original playthrough, if that differs.
    """
    for number, previous_number, original_number in zip(
        status.numbers, previous_status.numbers, original_status.numbers, strict=True
    ):
        if number.is_quiet and not number.count and not previous_number.count:
            continue
        change = (number.count or 0) - (previous_number.count or 0)
        original_value = original_number.value if original_number.value != number.value else ""
        yield NumberChange(number, change, original_value)
