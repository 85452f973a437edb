"""Scratch basic in turns: the engine against the oracle, on thousands of random situations.

A situation is one step of a random fight. `ORACLE_SITUATIONS` in the environment raises their number.
"""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from scratch_core import encounter, scenario
from tests.oracle import fight_oracle as oracle
from tests.oracle import fight_situations as situations
from tests.oracle.comparing import PLAIN, Tree, agree, compare, differing, listing, paths

SITUATIONS = int(os.environ.get("ORACLE_SITUATIONS", "3000"))
BATCHES = 10
LISTED_EVERY = 5  # how often all legal actions are compared


def differences(tree: Tree, listed_every: int) -> Iterator[str]:
    """Everything on which the engine and the oracle part, step by step; nothing after the first such step."""
    played = scenario.play(scenario.read_tree(tree))
    state = oracle.new_state(tree)
    for number, (step, record) in enumerate(zip(tree["steps"], played.records, strict=True), 1):
        where = f"step {number} ({step['actor']} {step['do']})"
        state, mine = oracle.play_step(state, step)
        theirs = paths(record.system.state_tree(record.state))
        figures = {"order": state["order"], **oracle.figures(state)}
        found = [*compare(where, mine, record, PLAIN), *differing(where, theirs, figures)]
        if not found and number % listed_every == 0 and state["order"]:
            found = list(listed(state, played.states[number], where))
        if found:
            yield from found
            return


def listed(state: oracle.State, theirs: Any, where: str) -> Iterator[str]:
    """Every legal action: on turn, between turns, and healing after the encounter; crafting is left out."""
    engine = [action.step() for action in encounter.legal_actions(theirs)]
    names = [state["active"]] if state["active"] else list(state["characters"])
    mine = {step for name in names for step in oracle.legal_steps(state, name)}
    return listing(where, [oracle.canonical(step) for step in engine if step["do"] != "craft"], mine)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_the_engine_agrees_with_the_oracle(batch: int) -> None:
    """Every step of every fight has the oracle's verdict, rolls and figures, and now and then its legal actions."""
    done, seed = 0, batch
    while done < SITUATIONS / BATCHES:
        tree = situations.random_tree(seed)
        agree(tree, differences, situations.to_toml, LISTED_EVERY)
        done += len(tree["steps"])
        seed += BATCHES
