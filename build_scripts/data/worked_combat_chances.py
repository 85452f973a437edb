"""The table of the worked combat's win chances.

`python -m build_scripts.data.worked_combat_chances` rewrites it, in about two minutes.

Where the engine plays the combat otherwise than it did when the table was made, the build makes one of its own, and
leaves that of the repository to this command.

It holds every state of the combat in each way of playing it, of each story in which one throw or two come otherwise
and of each in which someone does something else at one step; by the rules it also holds every state that is one act
away from these. It is kept in the repository, for it changes only when engine or scenario do; a test holds a sample of
it against the game's own equations.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from itertools import combinations
from pathlib import Path

from build_scripts.paths import BUILD, ROOT
from scratch_core.encounter.engine import apply_events, legal_actions
from scratch_core.encounter.state import EncounterState
from scratch_core.odds import list_outcomes
from scratch_core.odds.lookup_table import format_table, key_of, parse_table
from scratch_core.odds.solver import Game
from scratch_core.scenario import ScenarioResult, play, scenario_from_dict
from scratch_core.scenario.sample_files import WORKED_COMBAT_RULINGS, build_worked_combat

TABLE_FILE = ROOT / "site_overrides" / "data" / "worked-combat-chances.json"
BUILD_TABLE_FILE = BUILD / TABLE_FILE.name
"""The build's own table, of an engine that the one in the repository was not made from."""

SAMPLE_FACES = (1, 10, 20)
"""A face that fails, one in between and one that always succeeds: what a throw comes to is among them."""

ScenarioData = Mapping[str, object]


def compute_chances() -> dict[str, float]:
    """The first side's chance in every state of the table."""
    found: dict[str, float] = {}
    for way in WORKED_COMBAT_RULINGS:
        played = play(build_worked_combat(way))
        game = Game([played.states[0]], "loss").solve()
        states = {key_of(state): state for state in _list_states(played, is_full=way == "rules")}
        found |= {key: game.win_probability(state, 0) for key, state in states.items()}
        print(f"{way}: {len(found):,} states so far", flush=True)
    return found


def _list_states(played: ScenarioResult, *, is_full: bool) -> Iterator[EncounterState]:
    """The states to be told of a way of playing."""
    near = {
        key_of(state): state for story in (played, *list_variations(played, is_full=is_full)) for state in story.states
    }
    running = [state for state in near.values() if state.phase == "running"]
    yield from running
    if is_full:
        for state in running:
            yield from _list_next_states(state)


def _list_next_states(state: EncounterState) -> Iterator[EncounterState]:
    for action in legal_actions(state):
        for way in list_outcomes(state, action):
            yield apply_events(state, way.decision.events)


def list_variations(played: ScenarioResult, *, is_full: bool) -> Iterator[ScenarioResult]:
    """The story with one throw or two otherwise, and, where it is `is_full`, with another act at one step."""
    tree = played.scenario.tree
    steps: list[ScenarioData] = list(tree["steps"])
    thrown = [n for n, record in enumerate(played.results) if record.faces]
    for places in (*((n,) for n in thrown), *combinations(thrown, 2)):
        yield from _vary_faces(tree, steps, played, places)
    if is_full:
        for n in range(len(steps)):
            yield from _vary_actions(tree, steps, played, n)


def _vary_faces(
    tree: ScenarioData, steps: list[ScenarioData], played: ScenarioResult, places: Sequence[int]
) -> Iterator[ScenarioResult]:
    """The story with the same class of face thrown at each of these steps."""
    for first in SAMPLE_FACES:
        for last in SAMPLE_FACES if len(places) > 1 else (first,):
            made = list(steps)
            for n, face in zip(places, (first, last), strict=False):
                made[n] = {**steps[n], "faces": [face] * len(played.results[n].faces)}
            yield play(scenario_from_dict({**tree, "steps": made}), _MiddleDice())


def _vary_actions(
    tree: ScenarioData, steps: list[ScenarioData], played: ScenarioResult, n: int
) -> Iterator[ScenarioResult]:
    """The story with every other act of whoever acts at a step, in every way that it comes out."""
    before = played.states[n]
    for action in legal_actions(before):
        if action.actor != steps[n]["actor"]:
            continue
        for way in list_outcomes(before, action):
            faces = [roll.check.figure.parts[0].value for roll in way.decision.rolls]
            step = {**action.to_step(), **({"faces": faces} if faces else {})}
            yield play(scenario_from_dict({**tree, "steps": [*steps[:n], step, *steps[n + 1 :]]}), _MiddleDice())


# When it has to be made


@cache
def compute_fingerprint() -> str:
    """What the engine makes of the combat: where every act leads, by the story and one act away from it, as a hash.

    Words and the making of the engine don't matter to it. About a second.
    """
    digest = sha256()
    for way in WORKED_COMBAT_RULINGS:
        running = [state for state in play(build_worked_combat(way)).states if state.phase == "running"]
        near = {key_of(state): state for state in running}
        for state in running:
            near |= {key_of(further): further for further in _list_next_states(state)}
        for key in sorted(near):
            digest.update(f"{key} {_list_action_outcomes(near[key])}\n".encode())
    return digest.hexdigest()[:12]


def _list_action_outcomes(state: EncounterState) -> list[tuple[str, list[tuple[int, str]]]]:
    """Every act of a state, with where each way of it leads and how many faces bring it."""
    return [
        (
            json.dumps(action.to_step()),
            [(way.weight, key_of(apply_events(state, way.decision.events))) for way in list_outcomes(state, action)],
        )
        for action in legal_actions(state)
    ]


def is_current(table: Path) -> bool:
    """Whether a table is there and was made by an engine that plays the combat as this one does."""
    return table.exists() and parse_table(table.read_text(encoding="utf-8")).made_from == compute_fingerprint()


def ensure_current_table() -> Path:
    """The table of this engine: the repository's, or the build's own, made where it is not current either."""
    if is_current(TABLE_FILE):
        return TABLE_FILE
    if not is_current(BUILD_TABLE_FILE):
        print("The engine plays the worked combat otherwise than its table of chances says; making one …", flush=True)
        save_table(BUILD_TABLE_FILE)
        print("`python -m build_scripts.data.worked_combat_chances` makes the one in the repository anew", flush=True)
    return BUILD_TABLE_FILE


class _MiddleDice:
    """Dice for what the story leaves open: always the middle."""

    def roll(self, sides: int) -> int:
        """The face in the middle."""
        return sides // 2


def save_table(table: Path) -> None:
    """Make a table."""
    table.parent.mkdir(exist_ok=True)
    table.write_text(format_table(compute_chances(), compute_fingerprint()), encoding="utf-8")


def main() -> None:
    """Make the table of the repository."""
    save_table(TABLE_FILE)
    print(f"{TABLE_FILE.relative_to(ROOT)}: {TABLE_FILE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
