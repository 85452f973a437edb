"""Fights on a board: the engine against the oracle, on thousands of random situations.

A situation is one step of a random fight. `ORACLE_SITUATIONS` in the environment raises their number.
"""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from scratch_core import encounter, scenario
from tests.oracle import board_fight_oracle as oracle
from tests.oracle import board_fight_situations as situations
from tests.oracle import fight_oracle as base
from tests.oracle.comparing import PLAIN, Tree, agree, compare, differing, listing, paths

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


def differences(tree: Tree, listed_every: int) -> Iterator[str]:
    """Everything on which the engine and the oracle part, step by step; nothing after the first such step."""
    played = scenario.play(scenario.read_tree(tree))
    states, records = oracle.play(tree)
    for number, (step, mine, record) in enumerate(zip(tree["steps"], records, played.records, strict=True), 1):
        where, state = f"step {number} ({step['actor']} {step['do']})", states[number - 1]
        theirs = {"prevented": record.prevented, **paths(record.system.state_tree(record.state))}
        figures = {"prevented": mine["prevented"], "order": state["order"], **oracle.figures(state)}
        told = set() if record.do in oracle.WAITERS else TOLD
        found = [*compare(where, mine, record, told), *differing(where, theirs, figures)]
        found += interrupters(where, state, mine, record)
        if not found and number % listed_every == 0 and state["order"]:
            found = list(listed(state, played.states[number], where))
        if found:
            yield from found
            return


def interrupters(where: str, state: Tree, mine: Tree, record: Any) -> Iterator[str]:
    """Who may interrupt this step: all of them, and nobody else; where it waits, and where it waited for nobody."""
    if record.do in oracle.WAITERS or not record.legal:
        return
    asked = record.declared or record.state
    names = {name for name in state["characters"] if "interrupt" in encounter.legal_names(asked, name)}
    if names != mine["able"]:
        yield f"{where}: {sorted(names)} may interrupt, expected {sorted(mine['able'])}"


def listed(state: Tree, theirs: Any, where: str) -> Iterator[str]:
    """Every legal action: while a step waits, on turn, between turns, and after the encounter; crafting is left out."""
    engine = [action.step() for action in encounter.legal_actions(theirs)]
    mine = {canonical(step) for step in oracle.legal_steps(state)}
    return listing(where, [canonical(step) for step in engine if step["do"] != "craft"], mine)


def canonical(step: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
    """A step as something that can stand in a set: of a path the end alone."""
    found = {key: value for key, value in step.items() if key in ("swap", "when")}
    for key in ("at", "to", "path"):
        if key in step:
            value = step[key][-1] if key == "path" else step[key]
            found[key] = tuple(value)
    return (*base.canonical({"actor": "", **step}), *sorted(found.items()))


@pytest.mark.parametrize("batch", range(BATCHES))
def test_the_engine_agrees_with_the_oracle(batch: int) -> None:
    """Every step of every fight on a board has the oracle's verdict, rolls and figures, now and then its actions."""
    done, seed = 0, batch
    while done < SITUATIONS / BATCHES:
        tree = situations.random_tree(seed)
        agree(tree, differences, situations.to_toml, LISTED_EVERY)
        done += len(tree["steps"])
        seed += BATCHES
