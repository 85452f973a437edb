"""Scenarios played for the replay, with their forks, and kept for the next step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from scratch_core.calculators.replay.fork_changes import Changes, change_tree, labels, read_changes
from scratch_core.calculators.replay.step_editor import changed_step, keys_of
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

Failed = tuple[Problem, ...]
"""Why there is no story."""


@dataclass(frozen=True, slots=True)
class Story:
    """A scenario played. `tree` is its file with every face filled in, `is_thrown` says that some were missing.

    A fork has its file as JSON in `text`, and in `first` the step at which it parts from the file's own story. `labels`
    name its steps by those of the file.
    """

    played: ScenarioResult
    tree: Mapping[str, Any]
    is_thrown: bool
    labels: tuple[str, ...]
    text: str = ""
    first: int | None = None


class PageDice:
    """Dice for what a file leaves open: the same ones each time for the same number, so that a link shows the same."""

    def __init__(self, number: int) -> None:
        self.state = number
        self.thrown = 0

    def roll(self, sides: int) -> int:
        """Give a face; SplitMix64, whose 64 bits are even over any die's sides to all purposes."""
        self.thrown += 1
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        mixed = self.state
        mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % 2**64
        return (mixed ^ mixed >> 31) % sides + 1


@lru_cache(maxsize=4)
def original_story(text: str, dice: int) -> Story | Failed:
    """The file's own story, or why there is none."""
    try:
        story = _story(parse_scenario(text), PageDice(2 * dice))
        return replace(story, text=file_of(story)) if story.is_thrown else story
    except ScratchError as error:
        return error.problems


@lru_cache(maxsize=8)
def forked_story(text: str, dice: int, rulings: tuple[tuple[str, str], ...], fork: str) -> Story | Failed:
    """The story with other rulings and changes, or why there is none. `fork` is canonical and can be read."""
    original = original_story(text, dice)
    if isinstance(original, tuple):
        return original
    try:
        system = original.played.system
        changes, _ = read_changes(fork, keys_of(system))
        tree = change_tree(original.tree, changes, partial(changed_step, system))
        tree = _ruled(tree, rulings)
        named = labels(len(original.played.results), changes)
        story = _story(scenario_from_dict(tree), PageDice(2 * dice + 1), named)
        loose = _loose(story, changes)
        if loose:
            steps = [dict(step) for step in tree["steps"]]
            for n in loose:
                steps[n - 1].pop("faces", None)
            story = _story(scenario_from_dict({**tree, "steps": steps}), PageDice(2 * dice + 1), named)
        first = find_first_difference(original.played, story.played)
        if first is None and story.played.results and _beginning(original.played) != _beginning(story.played):
            first = 1  # who opens, or who has an extra action, is another
        return replace(story, text=file_of(story), first=first)
    except ScratchError as error:
        return error.problems


def _ruled(tree: dict[str, Any], rulings: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """A scenario's tree with these rulings besides its own."""
    if not rulings:
        return tree
    chosen = RulingSettings.from_dict(dict(rulings))
    given = {name: getattr(chosen, name) for name, _ in rulings}
    return {**tree, "rulings": {**tree.get("rulings", {}), **given}}


def _loose(story: Story, changes: Changes) -> list[int]:
    """The changed steps whose faces were those of something else: they are thrown anew."""
    changed = {label for label, _ in changes}
    return [
        record.n
        for record, label in zip(story.played.results, story.labels, strict=True)
        if record.error and label in changed and (label, "faces") not in changes
    ]


def _beginning(played: ScenarioResult) -> tuple[object, ...]:
    """What is told of a fight's beginning, and how everyone stands after it."""
    system, begun = played.system, played.opening_state
    return played.beginning.narration, *(
        system.build_status(begun, each.id).short_labels for each in system.fighters(begun)
    )


def _story(scenario: Scenario, dice: PageDice, named: tuple[str, ...] | None = None) -> Story:
    played = play(scenario, dice)
    named = labels(len(played.results), {}) if named is None else named
    if not dice.thrown:
        return Story(played, scenario.tree, False, named)
    tree = {**scenario.tree, "initiative": played.initiative}
    if any(record.faces for record in played.results):
        tree["steps"] = [
            {**record.step.tree, "faces": list(record.faces)} if record.faces else record.step.tree
            for record in played.results
        ]
    return Story(played, tree, True, named)


def file_of(story: Story) -> str:
    """The file of a story, as JSON."""
    return format_json(story.tree, indent=1)
