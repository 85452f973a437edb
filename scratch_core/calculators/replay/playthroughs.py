"""Playthroughs of scenarios and their forks for the replay, cached for the next step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from scratch_core.calculators.replay.fork_changes import Edits, apply_edits, list_step_labels, parse_edits
from scratch_core.calculators.replay.step_editor import edit_step, list_editable_keys
from scratch_core.dice import SeededRoller
from scratch_core.errors import Problem, ScratchError
from scratch_core.rulebook import RulingSettings
from scratch_core.scenario import (
    Scenario,
    ScenarioResult,
    StepResult,
    find_first_difference,
    format_json,
    parse_scenario,
    play,
    scenario_from_dict,
)
from scratch_core.turn_systems import RecordingRoller

PlayProblems = tuple[Problem, ...]
"""The reasons why a scenario can't be played."""


@dataclass(frozen=True, slots=True)
class PlayedScenario:
    """A scenario played to its end."""

    result: ScenarioResult
    """The states and results of all steps."""
    file_data: Mapping[str, Any]
    """The scenario's data with all faces filled in."""
    has_rolled_faces: bool
    """Whether faces were missing in the file and have been rolled."""
    labels: tuple[str, ...]
    """The label of each step: its number in the file, or that with a letter for a new step."""
    file_text: str = ""
    """The file as JSON. Empty for an original playthrough without missing faces."""
    first_different_step: int | None = None
    """The first step of a fork that differs from the original playthrough, from 1. None if no step differs."""


@lru_cache(maxsize=4)
def play_original(text: str, dice_number: int) -> PlayedScenario | PlayProblems:
    """Play the file as it is, or return the problems that prevent that.

    `dice_number` selects the seed for faces that the file leaves open.
    """
    try:
        story = _play_scenario(parse_scenario(text), 2 * dice_number)
        return replace(story, file_text=format_file(story)) if story.has_rolled_faces else story
    except ScratchError as error:
        return error.problems


@lru_cache(maxsize=8)
def play_fork(
    text: str, dice_number: int, rulings: tuple[tuple[str, str], ...], fork: str
) -> PlayedScenario | PlayProblems:
    """Play the file with other rulings and changes.

    Returns the problems if that is not possible. `fork` is in the canonical form, because it is part of the cache key.
    """
    original = play_original(text, dice_number)
    if isinstance(original, tuple):
        return original
    try:
        system = original.result.system
        changes, _ = parse_edits(fork, list_editable_keys(system))
        tree = apply_edits(original.file_data, changes, partial(edit_step, system))
        tree = _add_rulings(tree, rulings)
        labels = list_step_labels(len(original.result.results), changes)
        story = _play_scenario(scenario_from_dict(tree), 2 * dice_number + 1, labels)
        steps_to_reroll = _list_steps_to_reroll(story, changes)
        if steps_to_reroll:
            steps = [dict(step) for step in tree["steps"]]
            for n in steps_to_reroll:
                steps[n - 1].pop("faces", None)
            story = _play_scenario(scenario_from_dict({**tree, "steps": steps}), 2 * dice_number + 1, labels)
        first_difference = find_first_difference(original.result, story.result)
        if (
            first_difference is None
            and story.result.results
            and _summarize_beginning(original.result) != _summarize_beginning(story.result)
        ):
            first_difference = 1  # another fighter begins, or has an extra action
        return replace(story, file_text=format_file(story), first_different_step=first_difference)
    except ScratchError as error:
        return error.problems


def _add_rulings(tree: dict[str, Any], rulings: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """Add rulings to the data of a scenario."""
    if not rulings:
        return tree
    chosen = RulingSettings.from_dict(dict(rulings))
    settings = {name: getattr(chosen, name) for name, _ in rulings}
    return {**tree, "rulings": {**tree.get("rulings", {}), **settings}}


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
    system, opening_state = played.system, played.opening_state
    return played.beginning.narration, *(
        system.build_status(opening_state, each.id).labels_with_rules for each in opening_state.fighters
    )


def _play_scenario(scenario: Scenario, seed: int, labels: tuple[str, ...] | None = None) -> PlayedScenario:
    roller = RecordingRoller(SeededRoller(seed))
    played = play(scenario, roller)
    labels = list_step_labels(len(played.results), {}) if labels is None else labels
    if not roller.faces:
        return PlayedScenario(played, scenario.tree, False, labels)
    tree = {**scenario.tree, "initiative": played.initiative}
    if any(record.faces for record in played.results):
        tree["steps"] = [
            {**record.step.tree, "faces": list(record.faces)} if record.faces else record.step.tree
            for record in played.results
        ]
    return PlayedScenario(played, tree, True, labels)


def format_file(story: PlayedScenario) -> str:
    """Format the data of a playthrough as JSON."""
    return format_json(story.file_data, indent=1)


def is_different(one: StepResult, other: StepResult) -> bool:
    """Return whether two steps differ in action, faces or narration."""
    return (one.narration, one.faces, one.action) != (other.narration, other.faces, other.action)
