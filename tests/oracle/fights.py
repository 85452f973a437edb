"""Random fights for each oracle, and the oracle's results of their steps."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.oracle import board_fight_oracle, board_fight_situations, fight_oracle, fight_situations, orders_situations

Tree = dict[str, Any]

SITUATIONS = int(os.environ.get("ORACLE_SITUATIONS", "3000"))
LISTED_EVERY = 5  # how often all legal actions are compared
FIGHTS: dict[str, Callable[[int], Tree]] = {
    "off the board": fight_situations.random_tree,
    "on a board": board_fight_situations.random_tree,
    **{system: partial(orders_situations.random_tree, system) for system in orders_situations.ORACLES},
}
ORACLES = {"scratch": fight_oracle, **orders_situations.ORACLES}


def oracle_of(tree: Tree) -> Any:
    """Return the oracle of a scenario."""
    return board_fight_oracle if "board" in tree else ORACLES[tree["system"]]


def outcomes(tree: Tree) -> Iterator[tuple[Tree, Tree]]:
    """Yield the oracle's state after each step, and its record."""
    oracle = oracle_of(tree)
    if "board" in tree:
        yield from zip(*oracle.play(tree), strict=True)
        return
    state = oracle.new_state(tree)
    default_actor = {"actor": tree["characters"][0]["id"]} if oracle is fight_oracle else {}
    for step in tree["steps"]:
        state, record = oracle.play_step(state, {**default_actor, **step})
        yield state, record
