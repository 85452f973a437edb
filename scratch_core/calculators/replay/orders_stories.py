"""Scenarios of other turn orders played for the replay, with their forks, and kept for the next step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from scratch_core.calculators.initiative.order import Order, Start, begun_order
from scratch_core.calculators.replay.changes import (
    change_tree,
    labels,
    read_changes,
)
from scratch_core.calculators.replay.orders_changes import (
    ORDER_KEYS,
    change_order_step,
)
from scratch_core.calculators.replay.stories import Failed, PageDice
from scratch_core.catalogue import SWITCHES, Rulings, Switch
from scratch_core.errors import ScratchError
from scratch_core.scenario import OrderPlayed, OrderScenario, first_difference, play, read
from scratch_core.scenario import read_tree as read_any
from scratch_core.scenario.text import write_json

ON_TOTAL: Switch = next(switch for switch in SWITCHES if switch.name == "seize_on_total")
"""The one ruling that concerns these systems, and of them only `seize`."""


@dataclass(frozen=True, slots=True)
class OrderStory:
    """A scenario played, as `Story` is of the basic rules; `order` is how it begins, None where nobody fights."""

    played: OrderPlayed
    tree: Mapping[str, Any]
    is_thrown: bool
    labels: tuple[str, ...]
    order: Order | None
    text: str = ""
    first: int | None = None


@lru_cache(maxsize=4)
def original_order(text: str, dice: int) -> OrderStory | Failed:
    """The file's own story, or why there is none."""
    try:
        story = _story(read(text), PageDice(2 * dice))
    except ScratchError as error:
        return error.problems
    return replace(story, text=write_json(story.tree, indent=1)) if story.is_thrown else story


@lru_cache(maxsize=8)
def forked_order(text: str, dice: int, setting: str, fork: str) -> OrderStory | Failed:
    """The story by the other reading of a 20 and with changes, or why there is none. `fork` can be read."""
    original = original_order(text, dice)
    if isinstance(original, tuple):
        return original
    try:
        changes, _ = read_changes(fork, ORDER_KEYS)
        system = original.played.scenario.system
        tree = change_tree(original.tree, changes, partial(change_order_step, system))
        if setting:
            value = getattr(Rulings.read({ON_TOTAL.name: setting}), ON_TOTAL.name)
            tree["rulings"] = {**tree.get("rulings", {}), ON_TOTAL.name: value}
        named = labels(len(original.played.records), changes)
        story = _story(read_any(tree), PageDice(2 * dice + 1), named)
        first = first_difference(original.played, story.played) or _begun_otherwise(original, story)
        return replace(story, text=write_json(story.tree, indent=1), first=first)
    except ScratchError as error:
        return error.problems


def _begun_otherwise(one: OrderStory, other: OrderStory) -> int | None:
    """The first step, where nothing but the beginning differs: who opens, or who has an extra action."""
    return 1 if one.played.begun != other.played.begun and one.played.records else None


def _story(scenario: object, dice: PageDice, named: tuple[str, ...] | None = None) -> OrderStory:
    assert isinstance(scenario, OrderScenario)
    played = play(scenario, dice)
    named = labels(len(played.records), {}) if named is None else named
    order = _order(played)
    if not dice.thrown:
        return OrderStory(played, scenario.tree, False, named, order)
    thrown = {each.who: list(each.faces) for each in played.rolls}
    tree = {**scenario.tree, "initiative": {**scenario.tree.get("initiative", {}), **thrown}}
    return OrderStory(played, tree, True, named, order)


def _order(played: OrderPlayed) -> Order | None:
    """How the fight begins, with its reasons. Rules: `mano.start.first`, `mano-old.initiative.reach`, `seize.roll`."""
    ambush = played.records[0].action.stalkers if played.records and played.records[0].legal else ()
    faces = {each.who: each.faces for each in played.rolls}
    try:
        return begun_order(played.scenario, Start((), ambush, {}, faces), PageDice(0))
    except ScratchError:
        return None
