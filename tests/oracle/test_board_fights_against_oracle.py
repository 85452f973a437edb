"""Fights on a board: the engine against the oracle, on thousands of random situations.

A situation is one step of a random fight. `ORACLE_SITUATIONS` in the environment raises their number.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from scratch_core import encounter, scenario
from scratch_core.errors import ScratchError
from tests.oracle import board_fight_oracle as oracle
from tests.oracle import board_fight_situations as situations
from tests.oracle import fight_oracle as base
from tests.oracle.comparing import PLAIN, kind_of, paths, rolls_of
from tests.oracle.fight_situations import minimised

pytestmark = pytest.mark.no_cover

SITUATIONS = int(os.environ.get("ORACLE_SITUATIONS", "2000"))
BATCHES = 10
LISTED_EVERY = 5  # how often all legal actions are compared
TOLD = PLAIN | {
    "grid.move.once",
    "grid.close.reach",
    "grid.long.los",
    "grid.heal.adjacent",
    "grid.interrupt.escape-ban",
}


def differences(tree: dict[str, Any], listed_every: int = LISTED_EVERY) -> Iterator[str]:
    """Everything on which the engine and the oracle part, step by step; nothing after the first such step."""
    played = scenario.play(scenario.read_tree(tree))
    states, records = oracle.play(tree)
    for number, (step, mine, record) in enumerate(zip(tree["steps"], records, played.records, strict=True), 1):
        where = f"step {number} ({step['actor']} {step['do']})"
        mine["names"] = states[number - 1]["characters"]
        found = list(compare(where, states[number - 1], mine, record))
        if not found and number % listed_every == 0:
            found = list(listing(states[number - 1], played.states[number], where))
        if found:
            yield from found
            return


def compare(where: str, state: dict[str, Any], mine: dict[str, Any], record: Any) -> Iterator[str]:
    """Verdict, rolls, figures and interrupters of one step."""
    if record.error is not None:
        yield f"{where}: the engine refuses the faces: {record.error}"
        return
    if record.legal != mine["legal"]:
        yield f"{where}: legal is {record.legal} {record.rules}, expected {mine['legal']} {sorted(mine['broken'])}"
        return
    if not record.legal and record.rule not in mine["broken"]:
        yield f"{where}: rule is {record.rule}, expected one of {sorted(mine['broken'])}"
    missing = mine["broken"] & TOLD - set(record.rules)
    if missing and not mine["broken"] & {"turn.order", "turn.encounter"} and record.do not in oracle.WAITERS:
        yield f"{where}: rules are {record.rules}, expected {sorted(missing)} among them"
    if record.prevented != mine["prevented"]:
        yield f"{where}: prevented is {record.prevented}, expected {mine['prevented']}"
    rolls = rolls_of(record)
    if rolls != mine["rolls"]:
        yield f"{where}: rolls are {rolls}, expected {mine['rolls']}"
    theirs = paths(record.system.state_tree(record.state))
    if theirs["order"] != state["order"]:
        yield f"{where}: order is {theirs['order']}, expected {state['order']}"
    for path, value in oracle.figures(state).items():
        if theirs[path] != value:
            yield f"{where}: {path} is {theirs[path]!r}, expected {value!r}"
    yield from interrupters(where, mine, record)


def interrupters(where: str, mine: dict[str, Any], record: Any) -> Iterator[str]:
    """Who may interrupt this step: all of them, and nobody else; where it waits, and where it waited for nobody."""
    if record.do in oracle.WAITERS or not record.legal:
        return
    asked = record.declared or record.state
    names = {name for name in mine["names"] if "interrupt" in encounter.legal_names(asked, name)}
    if names != mine["able"]:
        yield f"{where}: {sorted(names)} may interrupt, expected {sorted(mine['able'])}"


def listing(state: dict[str, Any], theirs: Any, where: str) -> Iterator[str]:
    """Every legal action: while a step waits, on turn, between turns, and after the encounter; crafting is left out."""
    if not state["order"]:
        return
    listed = [action.step() for action in encounter.legal_actions(theirs)]
    engine = {canonical(step) for step in listed if step["do"] != "craft"}
    mine = {canonical(step) for step in oracle.legal_steps(state)}
    for step in sorted(engine ^ mine, key=str):
        yield f"after {where}: {dict(step)} is {'listed' if step in engine else 'missing'}"


def canonical(step: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    """A step as something that can stand in a set: of a path the end alone."""
    found = {key: value for key, value in step.items() if key in ("swap", "when")}
    for key in ("at", "to", "path"):
        if key in step:
            value = step[key][-1] if key == "path" else step[key]
            found[key] = tuple(value)
    return (*base.canonical({"actor": "", **step}), *sorted(found.items()))


def told(tree: dict[str, Any]) -> str:
    """The differences of one scenario, and the scenario as small as it goes."""
    kind = kind_of(next(differences(tree, 1)))

    def is_wrong(smaller: dict[str, Any]) -> bool:
        try:
            return kind_of(next(differences(smaller, 1), "")) == kind
        except (ScratchError, ValueError):  # no longer a scenario, or too few faces for it
            return False

    small = minimised(tree, is_wrong)
    return "\n".join([*differences(small, 1), situations.to_toml(small)])


@pytest.mark.parametrize("batch", range(BATCHES))
def test_the_engine_agrees_with_the_oracle(batch: int) -> None:
    """Every step of every fight on a board has the oracle's verdict, rolls and figures, now and then its actions."""
    done, seed = 0, batch
    while done < SITUATIONS / BATCHES:
        tree = situations.random_tree(seed)
        if any(differences(tree)):
            pytest.fail(told(tree))
        done += len(tree["steps"])
        seed += BATCHES
