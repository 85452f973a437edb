"""The table of the worked combat's win chances.

`python -m build_scripts.data.worked_combat_chances` rewrites it, in about two minutes.

If the engine plays the combat differently than when the table was written, the build makes a table of its own. Only
this command changes the table in the repository.

The table contains every state of the combat under each set of rulings, of each story in which one or two rolls differ
and of each in which a character takes another action at one step. For the rules it also contains every state that is
one action away from these. It is in the repository, because it changes only if the engine or the scenario does. A test
compares a sample of it with the game's own equations.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from itertools import combinations
from pathlib import Path

from build_scripts.paths import BUILD, ROOT
from scratch_core.dice import FixedRoller
from scratch_core.encounter.engine import apply_events, legal_actions
from scratch_core.encounter.state import EncounterState
from scratch_core.odds import list_outcomes
from scratch_core.odds.lookup_table import format_table, hash_relevant_state, parse_table
from scratch_core.odds.solver import Game
from scratch_core.scenario import ScenarioResult, play, scenario_from_dict
from scratch_core.scenario.sample_files import WORKED_COMBAT_RULINGS, build_worked_combat

TABLE_FILE = ROOT / "site_overrides" / "data" / "worked-combat-chances.json"
BUILD_TABLE_FILE = BUILD / TABLE_FILE.name
"""The build's own table, for an engine that differs from that of the repository's table."""

SAMPLE_FACES = (1, 10, 20)
"""A die roll that fails, one in between and one that always succeeds: they cover every result."""

ScenarioData = Mapping[str, object]


def compute_chances_by_state() -> dict[str, float]:
    """Compute the first side's chance to win in every state of the table."""
    chances: dict[str, float] = {}
    for ruling_set in WORKED_COMBAT_RULINGS:
        played = play(build_worked_combat(ruling_set))
        game = Game([played.states[0]], "loss").solve()
        states = {
            hash_relevant_state(state): state for state in _list_table_states(played, is_full=ruling_set == "rules")
        }
        chances |= {key: game.win_probability(state, 0) for key, state in states.items()}
        print(f"{ruling_set}: {len(chances):,} states so far", flush=True)
    return chances


def _list_table_states(played: ScenarioResult, *, is_full: bool) -> Iterator[EncounterState]:
    """Yield the states of the table for one set of rulings."""
    near = {
        hash_relevant_state(state): state
        for story in (played, *play_variations(played, includes_other_actions=is_full))
        for state in story.states
    }
    running = [state for state in near.values() if state.phase == "running"]
    yield from running
    if is_full:
        for state in running:
            yield from _list_next_states(state)


def _list_next_states(state: EncounterState) -> Iterator[EncounterState]:
    for action in legal_actions(state):
        for outcome in list_outcomes(state, action):
            yield apply_events(state, outcome.decision.events)


def play_variations(played: ScenarioResult, *, includes_other_actions: bool) -> Iterator[ScenarioResult]:
    """Play the scenario again with other die rolls, and yield each result.

    Each variation replaces the rolls of one or two steps by sample rolls. With `includes_other_actions` there are also
    variations in which one step is another legal action of the same actor, with each of its outcomes."""
    tree = played.scenario.tree
    steps: list[ScenarioData] = list(tree["steps"])
    rolled = [n for n, record in enumerate(played.results) if record.faces]
    for numbers in (*((n,) for n in rolled), *combinations(rolled, 2)):
        yield from _play_other_faces(tree, steps, played, numbers)
    if includes_other_actions:
        for n in range(len(steps)):
            yield from _play_other_actions(tree, steps, played, n)


def _play_other_faces(
    tree: ScenarioData, steps: list[ScenarioData], played: ScenarioResult, step_indexes: Sequence[int]
) -> Iterator[ScenarioResult]:
    """Yield the stories with each combination of sample rolls at these steps."""
    for first in SAMPLE_FACES:
        for last in SAMPLE_FACES if len(step_indexes) > 1 else (first,):
            variation = list(steps)
            for n, face in zip(step_indexes, (first, last), strict=False):
                variation[n] = {**steps[n], "faces": [face] * len(played.results[n].faces)}
            yield play(scenario_from_dict({**tree, "steps": variation}), FixedRoller(10))


def _play_other_actions(
    tree: ScenarioData, steps: list[ScenarioData], played: ScenarioResult, step_index: int
) -> Iterator[ScenarioResult]:
    """Yield the stories with other actions of a step's actor, with each outcome."""
    before = played.states[step_index]
    for action in legal_actions(before):
        if action.actor != steps[step_index]["actor"]:
            continue
        for outcome in list_outcomes(before, action):
            faces = [roll.check.figure.parts[0].value for roll in outcome.decision.rolls]
            step = {**action.to_step(), **({"faces": faces} if faces else {})}
            yield play(
                scenario_from_dict({**tree, "steps": [*steps[:step_index], step, *steps[step_index + 1 :]]}),
                FixedRoller(10),
            )


# Whether the table is current


@cache
def hash_combat_outcomes() -> str:
    """Compute a hash of how the engine plays the combat.

    It covers the outcomes of every action in the states of the stories and in those one action away. Texts and the
    structure of the engine don't change it. It takes about a second.
    """
    digest = sha256()
    for ruling_set in WORKED_COMBAT_RULINGS:
        running = [state for state in play(build_worked_combat(ruling_set)).states if state.phase == "running"]
        near = {hash_relevant_state(state): state for state in running}
        for state in running:
            near |= {hash_relevant_state(next_state): next_state for next_state in _list_next_states(state)}
        for key in sorted(near):
            digest.update(f"{key} {_list_outcome_weights_and_hashes(near[key])}\n".encode())
    return digest.hexdigest()[:12]


def _list_outcome_weights_and_hashes(state: EncounterState) -> list[tuple[str, list[tuple[int, str]]]]:
    """Return every legal action with its outcomes: their weights and the keys of their states."""
    return [
        (
            json.dumps(action.to_step()),
            [
                (outcome.weight, hash_relevant_state(apply_events(state, outcome.decision.events)))
                for outcome in list_outcomes(state, action)
            ],
        )
        for action in legal_actions(state)
    ]


def is_table_current(table_file: Path) -> bool:
    """Return whether a table exists and its engine played the combat like this one."""
    return (
        table_file.exists() and parse_table(table_file.read_text(encoding="utf-8")).made_from == hash_combat_outcomes()
    )


def get_or_build_current_table() -> Path:
    """Return the repository's table if it is current, else the build's own.

    The build's own table is made if necessary.
    """
    if is_table_current(TABLE_FILE):
        return TABLE_FILE
    if not is_table_current(BUILD_TABLE_FILE):
        print("The engine has changed since the worked combat's table of chances was made; making one …", flush=True)
        compute_and_save_table(BUILD_TABLE_FILE)
        print("`python -m build_scripts.data.worked_combat_chances` updates the table in the repository", flush=True)
    return BUILD_TABLE_FILE


def compute_and_save_table(table_file: Path) -> None:
    """Compute and write a table."""
    table_file.parent.mkdir(exist_ok=True)
    table_file.write_text(format_table(compute_chances_by_state(), hash_combat_outcomes()), encoding="utf-8")


def main() -> None:
    """Write the table of the repository."""
    compute_and_save_table(TABLE_FILE)
    print(f"{TABLE_FILE.relative_to(ROOT)}: {TABLE_FILE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
