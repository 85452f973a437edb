"""Characters by their levels, problems without their message, and the problem of a refused call."""

from collections.abc import Callable
from typing import Any

import pytest

from scratch_core.characters import AbilityLevel, Character
from scratch_core.errors import Problem, ScratchError


def build_character(name: str = "X", **levels: int) -> Character:
    """Build a character with these levels, in this order."""
    return Character(name, tuple(AbilityLevel(ability, level) for ability, level in levels.items()))


def summarize_problem(problem: Problem) -> tuple[str, str, str | None, str]:
    """Return a problem without its message."""
    return problem.code, problem.where, problem.rule, problem.severity


def catch_problem(call: Callable[[], Any]) -> Problem:
    """Return the problem with which a call is refused."""
    with pytest.raises(ScratchError) as caught:
        call()
    return caught.value.problem
