"""Five small fights counted to a depth: every legal action, every face of every die, every position.

The numbers are frozen in tests/golden/counts.toml, which defines them and derives depth 1 by hand, from the rules.
`python -m tests.core.test_counts` counts anew and writes them.
"""

import os
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from scratch_core.actions import Action
from scratch_core.encounter import decide, legal_actions, replay
from scratch_core.scenario import play, read
from scratch_core.state import Event, State

pytestmark = pytest.mark.no_cover

GOLDEN = Path(__file__).parent.parent / "golden"
TABLE = GOLDEN / "counts.toml"
FIGHTS: dict[str, dict[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))
DEEPEST = int(os.environ.get("COUNTS_DEPTH", "5"))
"""How deep is counted; inside Pyodide less deep, where counting takes three times as long."""

DEPTHS = {"duel": 5, "holds": 4, "runners": 4, "medic": 4, "gang": 4}


class Numbers(NamedTuple):
    """What is counted, in the order of the table's columns."""

    actions: int
    throws: int
    outcomes: int
    states: int


class _OpenError(Exception):
    """A die is thrown beyond the faces given."""


class _Faces:
    def __init__(self, faces: tuple[int, ...]) -> None:
        self.left = list(faces)

    def roll(self, sides: int) -> int:
        if not self.left:
            raise _OpenError(sides)
        return self.left.pop(0)


def outcomes(state: State, action: Action, faces: tuple[int, ...] = ()) -> Iterator[tuple[Event, ...]]:
    """The events of a legal action for every face of every die that it throws."""
    try:
        decision = decide(state, action, _Faces(faces))
    except _OpenError as error:
        for face in range(1, error.args[0] + 1):
            yield from outcomes(state, action, (*faces, face))
    else:
        assert decision.is_legal, decision.say
        yield decision.events


class _Reached:
    """A position, and in how many ways it was reached: by faces, and by outcomes."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.throws = 0
        self.outcomes = 0


def start(fight: str) -> State:
    """The position after the steps of the fight's scenario, each of which must be legal."""
    played = play(read((GOLDEN / "counts" / f"{fight}.toml").read_text(encoding="utf-8")))
    assert all(record.legal for record in played.records)
    return played.states[-1]


def further(reached: dict[str, _Reached]) -> tuple[int, dict[str, _Reached]]:
    """One depth further: how many actions are legal on all the ways, and every position that they lead to."""
    actions, found = 0, {}
    for here in reached.values():
        legal = legal_actions(here.state)
        actions += len(legal) * here.outcomes
        for action in legal:
            for events, throws in Counter(outcomes(here.state, action)).items():
                after = replay(here.state, events)
                there = found.setdefault(repr(after), _Reached(after))
                there.throws += throws * here.throws
                there.outcomes += here.outcomes
    return actions, found


def count(state: State, depth: int) -> list[Numbers]:
    """The numbers of each depth from 1."""
    first = _Reached(state)
    first.throws = first.outcomes = 1
    reached, lines = {"": first}, []
    for _ in range(depth):
        actions, reached = further(reached)
        throws = sum(each.throws for each in reached.values())
        lines.append(Numbers(actions, throws, sum(each.outcomes for each in reached.values()), len(reached)))
    return lines


def count_by_name(state: State) -> dict[str, Numbers]:
    """Depth 1 separated by who does what."""
    found: dict[str, list[Action]] = {}
    for action in legal_actions(state):
        found.setdefault(f"{action.actor} {action.do}", []).append(action)
    return {name: _count_all(state, actions) for name, actions in found.items()}


def _count_all(state: State, actions: list[Action]) -> Numbers:
    events = [Counter(outcomes(state, action)) for action in actions]
    states = {repr(replay(state, each)) for some in events for each in some}
    return Numbers(len(actions), sum(some.total() for some in events), sum(map(len, events)), len(states))


@pytest.mark.parametrize("fight", FIGHTS)
def test_depth_one_is_as_derived_by_hand(fight: str) -> None:
    """The engine's actions, throws, outcomes and states of depth 1 are those derived from the rules, name by name.

    Rules: `act.basic.available`, `roll.ability-optional`, `hp.auto-damage`, `act.wrestling.counter-hold`,
    `act.escape`, `act.heal`, `cond.panicked`, `turn.member-order`.
    """
    by_hand = {name: Numbers(*numbers) for name, *numbers, _ in FIGHTS[fight]["by_hand"]}
    assert count_by_name(start(fight)) == by_hand
    assert Numbers(*map(sum, zip(*by_hand.values(), strict=True))) == Numbers(*FIGHTS[fight]["counts"][0])


@pytest.mark.no_cover
@pytest.mark.parametrize("fight", FIGHTS)
def test_counts_are_frozen(fight: str) -> None:
    """Every depth of a fight has the actions, throws, outcomes and states of the table."""
    frozen = [Numbers(*line) for line in FIGHTS[fight]["counts"]]
    assert len(frozen) == DEPTHS[fight]
    frozen = frozen[:DEEPEST]
    for depth, (now, then) in enumerate(zip(count(start(fight), len(frozen)), frozen, strict=True), 1):
        assert now == then, f"{fight}, depth {depth}"


def main() -> None:
    """Count anew and write the lines of `counts` into the table."""
    text = TABLE.read_text(encoding="utf-8")
    for fight, depth in DEPTHS.items():
        lines = "".join(f"  [{', '.join(map(str, numbers))}],\n" for numbers in count(start(fight), depth))
        text = re.sub(rf"(^\[{fight}\]$.*?^counts = \[\n).*?(^\]$)", rf"\g<1>{lines}\g<2>", text, flags=re.M | re.S)
    TABLE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
