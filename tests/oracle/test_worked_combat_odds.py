"""Comparison of the worked combat's chances with those that follow from the rules' text alone.

By default they are looked up in the site's table. `WORKED_COMBAT=1` in the environment solves the whole combat again,
in about half a minute, and compares the known chances with the solution.
"""

import os
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from build_scripts.data import worked_combat_chances
from build_scripts.data.worked_combat_chances import TABLE_FILE, play_variations
from scratch_core.encounter.engine import apply_events, legal_actions
from scratch_core.encounter.state import EncounterState
from scratch_core.odds import list_outcomes
from scratch_core.odds.game_graph import IDLE_ACTIONS
from scratch_core.odds.lookup_table import format_table, hash_relevant_state, parse_table
from scratch_core.odds.solver import Game
from scratch_core.scenario import play
from scratch_core.scenario.sample_files import WORKED_COMBAT_RULINGS, build_worked_combat

IS_SOLVED_ANEW = bool(os.environ.get("WORKED_COMBAT"))

# The hunters' chances with best play of both sides, an escape being a loss: solved by the rules' text alone, in 292,353
# states (`test_groups_against_oracle.py` solves it again).
FOUND = {0: 0.957482, 1: 0.997072, 3: 0.982991, 5: 0.952235, 7: 0.869949, 8: 0.982991, 9: 0.99941, 11: 0.999884}
FOUND |= {13: 0.999972, 15: 1}


@cache
def hunters() -> Callable[[EncounterState], float]:
    """Return a function from a state to the hunters' chance."""
    if IS_SOLVED_ANEW:
        game = Game([play(build_worked_combat()).states[0]], "loss").solve()
        return lambda state: game.win_probability(state, 0)
    table = parse_table(TABLE_FILE.read_text(encoding="utf-8"))
    return lambda state: table.chances[hash_relevant_state(state)]


@pytest.mark.no_cover
@pytest.mark.parametrize(("step", "expected"), FOUND.items())
def test_worked_combat_chance_equals_the_known_value(step: int, expected: float) -> None:
    """After each of these steps the hunters' chance is the known value.

    It is compared to the digits that the value has.
    """
    digits = len(str(expected).partition(".")[2])
    found = hunters()(play(build_worked_combat()).states[step])
    assert found == pytest.approx(expected, abs=0.5 * 10**-digits + 1e-6)


@pytest.mark.no_cover
def test_chance_table_satisfies_the_optimality_equations() -> None:
    """The chance of a state is that of the acting side's best action."""
    table = parse_table(TABLE_FILE.read_text(encoding="utf-8")).chances
    held = 0
    played = play(build_worked_combat())
    forks = islice(play_variations(played, includes_other_actions=False), 0, 9, 2)
    found = {hash_relevant_state(state): state for story in (played, *forks) for state in story.states}
    for state in found.values():
        open_to = [each for each in legal_actions(state) if each.do not in (*IDLE_ACTIONS, "escape")]
        if len({each.actor for each in open_to}) != 1:
            continue  # the fight is over, or someone held may be passed over
        worth = [
            sum(
                float(way.chance) * table[hash_relevant_state(apply_events(state, way.decision.events))]
                for way in list_outcomes(state, action)
            )
            for action in open_to
        ]
        best = max if state.fighter(open_to[0].actor).side == "hunters" else min
        assert best(worth) == pytest.approx(table[hash_relevant_state(state)], abs=2e-6)
        held += len(worth) > 1
    assert held > 4


@pytest.mark.no_cover
def test_chance_table_is_current() -> None:
    """The engine has not changed since the table was computed."""
    assert worked_combat_chances.is_table_current(TABLE_FILE)


@pytest.mark.no_cover
def test_build_computes_missing_chance_table_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """For another engine the build computes its own table once.

    The repository's table is unchanged.
    """
    saved, own, made = tmp_path / "saved.json", tmp_path / "own.json", []
    monkeypatch.setattr(worked_combat_chances, "TABLE_FILE", saved)
    monkeypatch.setattr(worked_combat_chances, "BUILD_TABLE_FILE", own)

    def make() -> dict[str, float]:
        made.append(1)
        return {"a": 0.5}

    monkeypatch.setattr(worked_combat_chances, "compute_chances_by_state", make)
    monkeypatch.setattr(worked_combat_chances, "hash_combat_outcomes", lambda: "now")
    assert [worked_combat_chances.get_or_build_current_table() for _ in range(2)] == [own, own]
    assert (len(made), saved.exists()) == (1, False)
    old = format_table({"a": 0.5}, "then")
    saved.write_text(old, encoding="utf-8")
    own.write_text(old, encoding="utf-8")
    assert worked_combat_chances.get_or_build_current_table() == own
    assert (len(made), saved.read_text(encoding="utf-8")) == (2, old)
    saved.write_text(own.read_text(encoding="utf-8"), encoding="utf-8")
    assert worked_combat_chances.get_or_build_current_table() == saved


@pytest.mark.no_cover
def test_chance_table_contains_every_way_of_playing() -> None:
    """The three ways of playing are in the table step by step, within 400 kB."""
    table = parse_table(TABLE_FILE.read_text(encoding="utf-8")).chances
    for way in WORKED_COMBAT_RULINGS:
        states = play(build_worked_combat(way)).states
        assert all(hash_relevant_state(state) in table for state in states if state.phase == "running"), way
    assert TABLE_FILE.stat().st_size <= 400_000
