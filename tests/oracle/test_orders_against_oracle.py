"""The three other turn orders: the engine against their oracles, on random fights.

A round of the test is one random fight. `ORDERS_ROUNDS` in the environment raises their number for each system.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from scratch_core import scenario
from scratch_core.errors import ScratchError
from tests.oracle import orders_situations as situations
from tests.oracle.comparing import paths
from tests.oracle.fight_situations import to_toml

pytestmark = pytest.mark.no_cover

ROUNDS = int(os.environ.get("ORDERS_ROUNDS", "250"))
BATCHES = 5
LISTED_EVERY = 4  # how often all legal acts are compared


def differences(system: str, tree: dict[str, Any], listed_every: int = LISTED_EVERY) -> Iterator[str]:
    """Everything on which the engine and the oracle part, step by step; nothing after the first such step."""
    oracle = situations.ORACLES[system]
    played = scenario.play(scenario.read_tree(tree))
    state = oracle.new_state(tree)
    found = list(figures(f"{system} at the beginning", oracle, state, played, 0))
    for number, (step, record) in enumerate(zip(tree["steps"], played.records, strict=True), 1):
        if found:
            break
        where = f"{system} step {number} ({step.get('actor', '')} {step['do']})"
        state, mine = oracle.play_step(state, step)
        found = list(verdict(where, mine, record)) or list(figures(where, oracle, state, played, number))
        if not found and number % listed_every == 0:
            found = list(listing(where, oracle, state, played, number))
    yield from found


def verdict(where: str, mine: dict[str, Any], record: Any) -> Iterator[str]:
    """Legal or not, and why not."""
    if record.error is not None:
        yield f"{where}: the engine refuses the step: {record.error}"
    elif record.legal != mine["legal"]:
        yield f"{where}: legal is {record.legal} {record.rules}, expected {mine['legal']} {sorted(mine['broken'])}"
    elif not record.legal and record.rule not in mine["broken"]:
        yield f"{where}: rule is {record.rule}, expected one of {sorted(mine['broken'])}"


def figures(where: str, oracle: Any, state: dict[str, Any], played: Any, number: int) -> Iterator[str]:
    """The state after one step; before the fight there is none to compare."""
    if state["fight"] == "before":
        return
    theirs = paths(played.scenario.system.state_tree(played.states[number]))
    for path, value in oracle.figures(state).items():
        if theirs[path] != value:
            yield f"{where}: {path} is {theirs[path]!r}, expected {value!r}"


def listing(where: str, oracle: Any, state: dict[str, Any], played: Any, number: int) -> Iterator[str]:
    """Every legal act, each once."""
    listed = [oracle.canonical(act.step()) for act in played.scenario.system.legal_actions(played.states[number])]
    if len(listed) != len(set(listed)):
        yield f"after {where}: an act is listed twice"
    mine = {oracle.canonical(step) for step in oracle.legal(state)}
    for step in sorted(set(listed) ^ mine, key=str):
        yield f"after {where}: {dict(step)} is {'listed' if step in listed else 'missing'}"


def told(system: str, tree: dict[str, Any]) -> str:
    """The differences of one scenario, and the scenario with the steps that are needed for one."""
    shrunk = True
    while shrunk:
        shrunk = False
        for n in reversed(range(len(tree["steps"]))):
            smaller = {**tree, "steps": tree["steps"][:n] + tree["steps"][n + 1 :]}
            try:
                if any(differences(system, smaller, 1)):
                    tree, shrunk = smaller, True
            except (ScratchError, LookupError):  # no longer a scenario
                continue
    return "\n".join([*differences(system, tree, 1), to_toml(tree)])


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("system", situations.ORACLES)
def test_the_engine_agrees_with_the_oracle(system: str, batch: int) -> None:
    """Every step of every fight has the oracle's verdict and figures, and now and then its legal acts."""
    for seed in range(batch, ROUNDS, BATCHES):
        tree = situations.random_tree(system, seed)
        if any(differences(system, tree)):
            pytest.fail(f"seed {seed}\n{told(system, tree)}")
