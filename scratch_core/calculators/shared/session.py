"""The session of a page: its controls and problems after a command.

A command takes a session and returns another one. Each page adds the fields that only its own commands change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Self

from scratch_core.errors import Problem, has_errors


@dataclass(frozen=True, slots=True)
class PageSession:
    """What the session of every page has."""

    fields: Mapping[str, str]
    """The text of each control after the command."""
    problems: tuple[Problem, ...] = ()
    """The problems so far, in the order in which they were found."""

    def with_fields(self, texts: Mapping[str, str]) -> Self:
        """Return the session with other texts in some controls."""
        return replace(self, fields={**self.fields, **texts})

    def with_problems(self, problems: Iterable[Problem]) -> Self:
        """Return the session with more problems."""
        return replace(self, problems=(*self.problems, *problems))

    @property
    def has_errors(self) -> bool:
        """Whether there is an error, not only advice."""
        return has_errors(self.problems)
