"""The entry points for scenarios of every system: the file says which it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, overload

from scratch_core.dice import Roller
from scratch_core.scenario import playing, reading
from scratch_core.scenario.orders.playing import play_order
from scratch_core.scenario.orders.reading import read_order_tree, system_of
from scratch_core.scenario.orders.records import OrderPlayed, OrderScenario
from scratch_core.scenario.playing import Played
from scratch_core.scenario.records import Scenario
from scratch_core.scenario.text import read_text


def read(data: str | bytes) -> Scenario | OrderScenario:
    """Read a scenario from the text of a file, TOML or JSON. Raises `ScratchError` with every problem and its place."""
    tree, lines = read_text(data)
    return read_tree(tree, lines)


def read_tree(tree: object, lines: Mapping[str, int] | None = None) -> Scenario | OrderScenario:
    """Read a scenario of any system from its tree. Raises `ScratchError` with problems and places."""
    system = system_of(tree)
    if system is None or not isinstance(tree, Mapping):
        return reading.read_tree(tree, lines)
    return read_order_tree(tree, system, lines)


@overload
def play(
    scenario: Scenario,
    roller: Roller | None = ...,
    until: int | None = ...,
    strict: bool = ...,
    waiting: bool = ...,
) -> Played: ...
@overload
def play(
    scenario: OrderScenario,
    roller: Roller | None = ...,
    until: int | None = ...,
    strict: bool = ...,
    waiting: bool = ...,
) -> OrderPlayed: ...
def play(
    scenario: Scenario | OrderScenario,
    roller: Roller | None = None,
    until: int | None = None,
    strict: bool = False,
    waiting: bool = False,
) -> Played | OrderPlayed:
    """Play a scenario, or its first `until` steps, by the rules of its own system.

    An illegal step changes nothing and the play goes on, unless it is `strict`. On a board, `waiting` leaves a last
    step that exposes its actor open for interrupts. Rules: `turn.encounter`, `grid.interrupt.what`.
    """
    if isinstance(scenario, OrderScenario):
        return play_order(scenario, roller, until, strict)
    return playing.play(scenario, roller, until, strict, waiting)


def fork(
    scenario: Scenario | OrderScenario, step: int = 0, *, rulings: Mapping[str, Any] | None = None, **changes: Any
) -> Scenario | OrderScenario:
    """The same scenario with one step (from 1) changed, or other rulings, and everything else as it stands.

    `changes` are a step's keys with their new values (`with_` for `with`, `from_` for `from`); None takes a key away.
    Raises `ScratchError` when the outcome can't be read.
    """
    return read_tree(playing.forked_tree(scenario.tree, step, rulings, changes))
