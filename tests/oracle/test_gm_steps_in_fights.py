"""Changes by the game master during random fights, in every turn system, keep the rest of the state.

These properties need no second engine: a join never changes whose turn it is, and leaving and returning restores all
that leaving doesn't end by itself.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import fields
from random import Random
from typing import Any

import pytest

from scratch_core.dice import SeededRoller
from scratch_core.scenario import play, scenario_from_dict
from tests.oracle.fights import FIGHTS, outcomes

Tree = dict[str, Any]

BATCHES = 2
FIGHTS_OF_A_BATCH = 10
PLACES = 5
"""The number of places in a fight where the game master changes something."""

_EVADING = {"evading", "evaded_last_turn", "flying_immune"}
ENDED_BY_LEAVING: Mapping[str, set[str]] = {
    "scratch": {
        *_EVADING,
        *("in_cover", "ledger"),
        *("delays", "held_by", "engage_penalty", "panicked_until", "escape_banned_until", "immobilized_until"),
    },
    "mano": {"evading", "prepared", "frames"},
    "mano-old": set(),
    "seize": {"extra", "next", "claims"},
}
"""Fields of the state that leaving resets: lasting effects on the character, and what others wait for from it."""


def list_moments(kind: str, batch: int) -> Iterator[tuple[Random, Tree, Any]]:
    """Yield random fights, cut where no action waits for interrupts, with what was played."""
    random = Random(f"{kind} {batch}")
    for seed in range(batch, batch + FIGHTS_OF_A_BATCH * BATCHES, BATCHES):
        tree = FIGHTS[kind](seed)
        free = [number for number, (state, _) in enumerate(outcomes(tree), 1) if not state.get("pending")]
        for place in sorted(random.sample(free, min(PLACES, len(free)))):
            cut = {**tree, "steps": tree["steps"][:place]}
            played = play(scenario_from_dict(cut), SeededRoller(1))
            if played.states[-1].phase == "running":
                yield random, cut, played


def play_with(tree: Tree, *steps: Tree) -> Any:
    """Play a fight with more steps, and return its last state."""
    return play(scenario_from_dict({**tree, "steps": [*tree["steps"], *steps]}), SeededRoller(1)).states[-1]


def build_join(random: Random, tree: Tree, state: Any) -> Tree:
    """Return the step with which a character joins.

    It is like the first character, with an id, a side and turns of its own.
    """
    own = {key: value for key, value in tree["characters"][0].items() if key not in ("at", "group", "minion_of")}
    step: Tree = {"do": "join", "character": {**own, "id": "newcomer", "name": "Newcomer", "side": "newcomers"}}
    if "board" in tree:
        taken = [each.at for each in state.fighters]
        rows = tree["board"]["rows"]
        ground = [(x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter in ".^~"]
        step["at"] = list(random.choice([space for space in ground if space not in taken]))
    elif tree["system"].startswith("mano") and random.random() < 0.7:
        step["after"] = random.choice(tree["characters"])["id"]
    return step


def list_differing(after: Any, before: Any) -> set[str]:
    """Return the names of fields that differ in two states.

    The fields of the characters are included.
    """
    pairs = [(after, before), *zip(after.fighters, before.fighters, strict=True)]
    found = {
        each.name
        for one, other in pairs
        for each in fields(one)
        if each.compare and getattr(one, each.name) != getattr(other, each.name)
    }
    return found - {"fighters"}


@pytest.mark.no_cover
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("kind", FIGHTS)
def test_join_in_a_random_fight_keeps_whose_turn_it_is(kind: str, batch: int) -> None:
    """A character who joins leaves the turn with the character who has it."""
    tried = 0
    for random, tree, played in list_moments(kind, batch):
        before = played.states[-1]
        step = build_join(random, tree, before)
        assert play_with(tree, step).turn_owner == before.turn_owner, (tree, step)
        tried += 1
    assert tried > FIGHTS_OF_A_BATCH


@pytest.mark.no_cover
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("kind", FIGHTS)
def test_return_after_leaving_a_random_fight_restores_the_state(kind: str, batch: int) -> None:
    """A character who leaves and returns at once is as before.

    It is not that character's turn.
    """
    tried = 0
    for random, tree, played in list_moments(kind, batch):
        system, before = played.results[-1].system, played.states[-1]
        there = {each.id: each for each in before.fighters if not system.build_status(before, each.id).is_out}
        waiting = [name for name in there if name != before.turn_owner]
        who = random.choice(waiting) if waiting else ""
        leave, back = {"do": "leave", "target": who}, {"do": "return", "target": who}
        left = play_with(tree, leave) if who else None
        if left is None or left.phase != "running":
            continue
        if getattr(there[who], "at", None):
            back["at"] = list(there[who].at)
        ended = ENDED_BY_LEAVING[tree["system"]]
        if getattr(left, "is_round_complete", False):
            ended = {*ended, "acted"}  # `seize.round-complete`: who comes then acts in the next round
        assert list_differing(play_with(tree, leave, back), before) <= ended, (tree, leave, back)
        tried += 1
    assert tried > FIGHTS_OF_A_BATCH


@pytest.mark.no_cover
@pytest.mark.parametrize("batch", range(BATCHES))
def test_newcomer_of_a_round_that_is_not_complete_has_its_turn_to_come(batch: int) -> None:
    """A newcomer acts in this round unless it is complete (`seize.round-complete`)."""
    tried = Counter[bool]()
    for random, tree, played in list_moments("seize", batch):
        before = played.states[-1]
        waiting = [each for each in before.fighters if not (each.out or each.acted or each.barred)]
        is_complete = bool(before.active) and not waiting
        after = play_with(tree, build_join(random, tree, before))
        assert after.fighter("newcomer").acted == is_complete, tree
        tried[is_complete] += 1
    assert min(tried[False], tried[True]) > FIGHTS_OF_A_BATCH // 2
