"""Limits of what a page shows: truncated lines, and problems that are shortened, or counted beyond the first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from scratch_core.errors import Problem


def truncate_line(text: str, max_length: int) -> str:
    """Return a text as one line of at most `max_length` characters.

    `max_length` is at least 9. Characters that can't be printed become spaces. A number at the end of the text remains,
    because `Guard do… 2` and `Guard do… 3` are different characters.
    """
    plain = "".join(char if char.isprintable() else " " for char in text[: 2 * max_length])
    number = (re.search(r" [0-9]{1,4}$", text[-5:]) or ("",))[0]
    return plain if len(plain) <= max_length else f"{plain[: max_length - 1 - len(number)]}…{number}"


def limit_problems(problems: Sequence[Problem], max_count: int, code: str) -> tuple[Problem, ...]:
    """Return at most `max_count` problems, followed by advice that counts the rest.

    The advice has the given `code` and the place of the first problem. It is left out if there are no more problems.
    """
    if len(problems) <= max_count:
        return tuple(problems)
    more = f"{len(problems) - max_count:,} more problems"
    facts = {"count": len(problems) - max_count}
    last = Problem(code, "these to be mended first", more, problems[0].where, None, "advice", facts)
    return (*problems[:max_count], last)


def shorten_problem(problem: Problem, limit: int) -> Problem:
    """Truncate `expected` and `got` of a problem to `limit` characters each."""
    return replace(problem, expected=truncate_line(problem.expected, limit), got=truncate_line(problem.got, limit))
