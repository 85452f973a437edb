"""A character with these levels, and a problem without its wording."""

from scratch_core.characters import Character, Line
from scratch_core.errors import Problem


def with_levels(name: str = "X", **levels: int) -> Character:
    """A character with those levels, in that order."""
    return Character(name, tuple(Line(ability, level) for ability, level in levels.items()))


def told(problem: Problem) -> tuple[str, str, str | None, str]:
    """A problem without its wording."""
    return problem.code, problem.where, problem.rule, problem.severity
