"""Five small fights, each legal action counted: every face of every die that it rolls, and the results.

The numbers are in tests/engine/encounter/counts.toml, derived by hand from the rules.
"""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from scratch_core.encounter.engine import apply_events, legal_actions
from scratch_core.encounter.state import EncounterState
from scratch_core.scenario import parse_scenario, play
from tests.support.encounters import count_outcomes

GOLDEN = Path(__file__).parent
FIGHTS: dict[str, dict[str, Any]] = tomllib.loads((GOLDEN / "counts.toml").read_text(encoding="utf-8"))


def counted(state: EncounterState) -> dict[str, list[int]]:
    """Count legal actions, rolls, outcomes and states by actor and action."""
    found: dict[str, list[Counter[Any]]] = {}
    for action in legal_actions(state):
        found.setdefault(f"{action.actor} {action.do}", []).append(count_outcomes(state, action))
    return {
        name: [
            len(acts),
            sum(each.total() for each in acts),
            sum(map(len, acts)),
            len({repr(apply_events(state, events)) for each in acts for events in each}),
        ]
        for name, acts in found.items()
    }


@pytest.mark.parametrize("fight", FIGHTS)
def test_action_outcome_counts_equal_those_derived_by_hand(fight: str) -> None:
    """The engine's actions, rolls, outcomes and states equal those derived from the rules.

    Rules: `act.basic.available`, `roll.ability-optional`, `hp.auto-damage`, `act.wrestling.counter-hold`,
    `act.escape`, `act.heal`, `cond.panicked`, `turn.member-order`.
    """
    played = play(parse_scenario((GOLDEN / "counts" / f"{fight}.toml").read_text(encoding="utf-8")))
    assert all(record.is_legal for record in played.results)
    assert counted(played.states[-1]) == {name: numbers for name, *numbers, _ in FIGHTS[fight]["by_hand"]}
