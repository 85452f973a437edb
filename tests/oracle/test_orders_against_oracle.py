"""The three other turn orders: the engine against their oracles, on random fights.

A round of the test is one random fight. `ORDERS_ROUNDS` in the environment raises their number for each system.
"""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from scratch_core import scenario
from tests.oracle import orders_situations as situations
from tests.oracle.comparing import Tree, agree, compare, differing, listing, paths
from tests.oracle.fight_situations import to_toml

ROUNDS = int(os.environ.get("ORDERS_ROUNDS", "250"))
BATCHES = 5
LISTED_EVERY = 4  # how often all legal acts are compared


def differences(tree: Tree, listed_every: int) -> Iterator[str]:
    """Everything on which the engine and the oracle part, step by step; nothing after the first such step."""
    oracle = situations.ORACLES[tree["system"]]
    played = scenario.play(scenario.read_tree(tree))
    system, state = played.scenario.system, oracle.new_state(tree)
    found = list(figures("at the beginning", oracle, state, played.states[0], system))
    for number, (step, record) in enumerate(zip(tree["steps"], played.records, strict=True), 1):
        if found:
            break
        where, theirs = f"step {number} ({step.get('actor', '')} {step['do']})", played.states[number]
        state, mine = oracle.play_step(state, step)
        found = list(compare(where, mine, record, set())) or list(figures(where, oracle, state, theirs, system))
        if not found and number % listed_every == 0:
            engine = [oracle.canonical(act.step()) for act in system.legal_actions(theirs)]
            found = list(listing(where, engine, {oracle.canonical(step) for step in oracle.legal(state)}))
    yield from found


def figures(where: str, oracle: Any, state: Tree, theirs: Any, system: Any) -> Iterator[str]:
    """The state after one step; before the fight there is none to compare."""
    if state["fight"] == "before":
        return
    yield from differing(where, paths(system.state_tree(theirs)), oracle.figures(state))


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("system", situations.ORACLES)
def test_the_engine_agrees_with_the_oracle(system: str, batch: int) -> None:
    """Every step of every fight has the oracle's verdict and figures, and now and then its legal acts."""
    for seed in range(batch, ROUNDS, BATCHES):
        agree(situations.random_tree(system, seed), differences, to_toml, LISTED_EVERY)
