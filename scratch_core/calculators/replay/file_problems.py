"""The problems of a scenario file, moved to the control that the file or its changes come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scratch_core.calculators.shared.limits import limit_problems, truncate_line
from scratch_core.errors import Location, Problem

MAX_PROBLEMS = 10
"""The most problems of a file that are listed at a control."""


def relocate_file_problems(
    problems: Sequence[Problem], control: str, *, includes_place: bool = True
) -> tuple[Problem, ...]:
    """List problems of a file at a control, at most `MAX_PROBLEMS`.

    With `includes_place` their text includes the place in the file.
    """
    moved = []
    for problem in problems:
        place = _format_step_place(problem.location) if control == "fork" else problem.where
        suffix = f" in {truncate_line(place, 80)}" if includes_place and place != control else ""
        shortened = replace(problem, expected=truncate_line(problem.expected, 200))
        got = f"{truncate_line(problem.got, 120)}{suffix}"
        moved.append(shortened.with_location(control, got=got, place=problem.where))
    return limit_problems(moved, MAX_PROBLEMS, "replay.more")


def _format_step_place(location: Location) -> str:
    """Format a place within a step in words: `die 1 of step 4`.

    Numbers count from 1.
    """
    part, index = (*location.path, "", "")[:2]
    if part != "steps" or not isinstance(index, int):
        return location
    field = str(Location(*location.path[2:]))
    if location.path[2:3] == ("faces",) and isinstance(location.path[-1], int):
        field = f"die {location.path[-1] + 1}"
    return f"{field} of step {index + 1}" if field else f"step {index + 1}"
