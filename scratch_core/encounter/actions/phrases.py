"""Phrases that problems and narrations of a fight share."""

from __future__ import annotations

from scratch_core.errors import Problem, build_rule_problems
from scratch_core.rulebook.actions import ACTION_SPECS

ACTION_TITLES = {do: spec.title.lower() for do, spec in ACTION_SPECS.items()}
"""The title of each action within a sentence."""


def build_missing_ability_problems(rules: str, abilities: str, name: str, where: str) -> list[Problem]:
    """Build the problems of a character without an ability that is required."""
    expected, got = f"{abilities} of level 1 or more", f"none in {name}"
    return build_rule_problems("ability.required", rules, expected, got, where, abilities=abilities, name=name)


def build_missing_map_problems(where: str) -> list[Problem]:
    """Build the problem of an action that needs a board, without one."""
    return build_rule_problems("map.none", "grid.scope", "a board", "none", where)


def build_too_far_problems(rules: str, target: str, spaces: int, actor: str, where: str) -> list[Problem]:
    """Build the problems of a target that is not next to the actor."""
    got = f"{target}, {spaces} spaces away"
    return build_rule_problems(
        "target.too-far", rules, "a target within 1 space", got, where, target=target, spaces=spaces, actor=actor
    )


def describe_failure(verb: str) -> str:
    """Return the words for a failed attempt at `holds`: `fails to hold`."""
    return f"fails to {verb.removesuffix('s')}"
