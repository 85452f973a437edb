"""Scenarios played for the replay, with their forks, and kept for the next step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from scratch_core.calculators.replay.fork_changes import Edits, apply_edits, list_labels, parse_edits
from scratch_core.calculators.replay.step_editor import edit_step, list_editable_keys
from scratch_core.dice import SeededRoller
from scratch_core.errors import Problem, ScratchError
from scratch_core.rulebook import RulingSettings
from scratch_core.scenario import (
    Scenario,
    ScenarioResult,
    find_first_difference,
    format_json,
    parse_scenario,
    play,
    scenario_from_dict,
)
from scratch_core.turn_systems import RecordingRoller

PlayProblems = tuple[Problem, ...]
"""Why there is no story."""


@dataclass(frozen=True, slots=True)
class PlayedScenario:
    """A scenario played.

    `file_data` is its file with every face filled in, `has_rolled_faces` says that some were missing.

    A fork has its file as JSON in `file_text`, and in `first_different_step` the step at which it parts from the file's
    own story. `labels` name its steps by those of the file.
    """

    result: ScenarioResult
    file_data: Mapping[str, Any]
    has_rolled_faces: bool
    labels: tuple[str, ...]
    file_text: str = ""
    first_different_step: int | None = None


@lru_cache(maxsize=4)
def play_original(text: str, dice: int) -> PlayedScenario | PlayProblems:
    """The file's own story, or why there is none."""
    try:
        story = _play_scenario(parse_scenario(text), 2 * dice)
        return replace(story, file_text=format_file(story)) if story.has_rolled_faces else story
    except ScratchError as error:
        return error.problems


@lru_cache(maxsize=8)
def play_fork(text: str, dice: int, rulings: tuple[tuple[str, str], ...], fork: str) -> PlayedScenario | PlayProblems:
    """The story with other rulings and changes, or why there is none. `fork` is canonical and can be read."""
    original = play_original(text, dice)
    if isinstance(original, tuple):
        return original
    try:
        system = original.result.system
        changes, _ = parse_edits(fork, list_editable_keys(system))
        tree = apply_edits(original.file_data, changes, partial(edit_step, system))
        tree = _add_rulings(tree, rulings)
        named = list_labels(len(original.result.results), changes)
        story = _play_scenario(scenario_from_dict(tree), 2 * dice + 1, named)
        loose = _list_steps_to_reroll(story, changes)
        if loose:
            steps = [dict(step) for step in tree["steps"]]
            for n in loose:
                steps[n - 1].pop("faces", None)
            story = _play_scenario(scenario_from_dict({**tree, "steps": steps}), 2 * dice + 1, named)
        first = find_first_difference(original.result, story.result)
        if (
            first is None
            and story.result.results
            and _summarize_beginning(original.result) != _summarize_beginning(story.result)
        ):
            first = 1  # who opens, or who has an extra action, is another
        return replace(story, file_text=format_file(story), first_different_step=first)
    except ScratchError as error:
        return error.problems


def _add_rulings(tree: dict[str, Any], rulings: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """Add rulings to the data of a scenario."""
    if not rulings:
        return tree
    chosen = RulingSettings.from_dict(dict(rulings))
    given = {name: getattr(chosen, name) for name, _ in rulings}
    return {**tree, "rulings": {**tree.get("rulings", {}), **given}}


def _list_steps_to_reroll(story: PlayedScenario, changes: Edits) -> list[int]:
    """List the changed steps whose recorded dice belong to another action and are rolled again."""
    changed = {label for label, _ in changes}
    return [
        record.n
        for record, label in zip(story.result.results, story.labels, strict=True)
        if record.error and label in changed and (label, "faces") not in changes
    ]


def _summarize_beginning(played: ScenarioResult) -> tuple[object, ...]:
    """Return the narration of a fight's beginning, and the status of all fighters after it."""
    system, begun = played.system, played.opening_state
    return played.beginning.narration, *(
        system.build_status(begun, each.id).labels_with_rules for each in begun.fighters
    )


def _play_scenario(scenario: Scenario, seed: int, named: tuple[str, ...] | None = None) -> PlayedScenario:
    roller = RecordingRoller(SeededRoller(seed))
    played = play(scenario, roller)
    named = list_labels(len(played.results), {}) if named is None else named
    if not roller.faces:
        return PlayedScenario(played, scenario.tree, False, named)
    tree = {**scenario.tree, "initiative": played.initiative}
    if any(record.faces for record in played.results):
        tree["steps"] = [
            {**record.step.tree, "faces": list(record.faces)} if record.faces else record.step.tree
            for record in played.results
        ]
    return PlayedScenario(played, tree, True, named)


def format_file(story: PlayedScenario) -> str:
    """The file of a story, as JSON."""
    return format_json(story.file_data, indent=1)
