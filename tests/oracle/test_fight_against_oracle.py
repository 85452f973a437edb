"""Scratch basic in turns: the engine against the oracle, on thousands of random situations.

A situation is one step of a random fight. `ORACLE_SITUATIONS` in the environment raises their number.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from scratch_core import encounter, scenario
from scratch_core.errors import ScratchError
from tests.oracle import fight_oracle as oracle
from tests.oracle import fight_situations as situations
from tests.oracle.comparing import PLAIN, kind_of, paths, rolls_of

pytestmark = pytest.mark.no_cover

SITUATIONS = int(os.environ.get("ORACLE_SITUATIONS", "3000"))
BATCHES = 10
LISTED_EVERY = 5  # how often all legal actions are compared


def differences(tree: dict[str, Any], listed_every: int = LISTED_EVERY) -> Iterator[str]:
    """Everything on which the engine and the oracle part, step by step; nothing after the first such step."""
    played = scenario.play(scenario.read_tree(tree))
    state = oracle.new_state(tree)
    for number, (step, record) in enumerate(zip(tree["steps"], played.records, strict=True), 1):
        where = f"step {number} ({step['actor']} {step['do']})"
        state, mine = oracle.play_step(state, step)
        found = list(compare(where, state, mine, record))
        if not found and number % listed_every == 0:
            found = list(listing(state, played.states[number], where))
        if found:
            yield from found
            return


def compare(where: str, state: dict[str, Any], mine: dict[str, Any], record: Any) -> Iterator[str]:
    """Verdict, rolls and figures of one step."""
    if record.error is not None:
        yield f"{where}: the engine refuses the faces: {record.error}"
        return
    if record.legal != mine["legal"]:
        yield f"{where}: legal is {record.legal} {record.rules}, expected {mine['legal']} {sorted(mine['broken'])}"
        return
    if not record.legal and record.rule not in mine["broken"]:
        yield f"{where}: rule is {record.rule}, expected one of {sorted(mine['broken'])}"
    missing = mine["broken"] & PLAIN - set(record.rules)
    if missing and not mine["broken"] & {"turn.order", "turn.encounter"}:
        yield f"{where}: rules are {record.rules}, expected {sorted(missing)} among them"
    rolls = rolls_of(record)
    if rolls != mine["rolls"]:
        yield f"{where}: rolls are {rolls}, expected {mine['rolls']}"
    theirs = paths(record.system.state_tree(record.state))
    if theirs["order"] != state["order"]:
        yield f"{where}: order is {theirs['order']}, expected {state['order']}"
    for path, value in oracle.figures(state).items():
        if theirs[path] != value:
            yield f"{where}: {path} is {theirs[path]!r}, expected {value!r}"


def listing(state: dict[str, Any], theirs: Any, where: str) -> Iterator[str]:
    """Every legal action: on turn, between turns, and healing after the encounter; crafting is left out."""
    if not state["order"]:
        return
    listed = [action.step() for action in encounter.legal_actions(theirs)]
    engine = {oracle.canonical(step) for step in listed if step["do"] != "craft"}
    names = [state["active"]] if state["active"] else list(state["characters"])
    mine = {step for name in names for step in oracle.legal_steps(state, name)}
    for step in sorted(engine ^ mine, key=str):
        yield f"after {where}: {dict(step)} is {'listed' if step in engine else 'missing'}"


def told(tree: dict[str, Any]) -> str:
    """The differences of one scenario, and the scenario as small as it goes."""
    kind = kind_of(next(differences(tree, 1)))

    def is_wrong(smaller: dict[str, Any]) -> bool:
        try:
            return kind_of(next(differences(smaller, 1), "")) == kind
        except ScratchError:  # no longer a scenario
            return False

    small = situations.minimised(tree, is_wrong)
    return "\n".join([*differences(small, 1), situations.to_toml(small)])


@pytest.mark.parametrize("batch", range(BATCHES))
def test_the_engine_agrees_with_the_oracle(batch: int) -> None:
    """Every step of every fight has the oracle's verdict, rolls and figures, and now and then its legal actions."""
    done, seed = 0, batch
    while done < SITUATIONS / BATCHES:
        tree = situations.random_tree(seed)
        if any(differences(tree)):
            pytest.fail(told(tree))
        done += len(tree["steps"])
        seed += BATCHES
