"""A character with these levels, a problem without its wording, and one with which something is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from scratch_core.characters import AbilityLevel, Character
from scratch_core.errors import Problem, ScratchError


def build_character(name: str = "X", **levels: int) -> Character:
    """A character with those levels, in that order."""
    return Character(name, tuple(AbilityLevel(ability, level) for ability, level in levels.items()))


def summarize_problem(problem: Problem) -> tuple[str, str, str | None, str]:
    """A problem without its wording."""
    return problem.code, problem.where, problem.rule, problem.severity


def catch_problem(call: Callable[[], Any]) -> Problem:
    """The problem with which a call is refused."""
    with pytest.raises(ScratchError) as caught:
        call()
    return caught.value.problem
