"""The fight's page after a command: a setup, a fight, or a file whose beginning needs dice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self

from scratch_core.calculators.fight.session import Fight, Step
from scratch_core.calculators.fight.setup import ValidatedSetup
from scratch_core.errors import Problem


@dataclass(frozen=True, slots=True)
class PageSession:
    """What every session of the page has."""

    fields: Mapping[str, str]
    """The text of each control after the command."""
    problems: tuple[Problem, ...] = ()
    """The problems so far, in the order in which they were found."""
    focus: str = ""
    """The part of the page that gets the focus, see `View.focus`."""

    def with_fields(self, texts: Mapping[str, str]) -> Self:
        """Return the session with other texts in some controls."""
        return replace(self, fields={**self.fields, **texts})

    def with_problems(self, problems: Iterable[Problem]) -> Self:
        """Return the session with more problems."""
        return replace(self, problems=(*self.problems, *problems))

    @property
    def has_errors(self) -> bool:
        """Whether there is an error, not only advice."""
        return any(problem.severity == "error" for problem in self.problems)


@dataclass(frozen=True, slots=True)
class UnrolledSession(PageSession):
    """A file whose beginning needs dice, while there is no roller."""


@dataclass(frozen=True, slots=True)
class SetupSession(PageSession):
    """A fight that has not begun."""

    stroke: str = ""
    """What the player has dragged on the map."""
    message: str = ""
    """Who came or went by the command, as a sentence, or ""."""
    added_characters: tuple[tuple[str, list[str]], ...] = ()
    """The names of the added characters with their stat blocks."""
    updated_fields: frozenset[str] = frozenset()
    """The controls whose text the answer has changed."""
    is_chooser_new: bool = False
    """Whether the command has opened the chooser of characters."""
    is_refused: bool = False
    """Whether `log` contains something that is no fight."""
    is_start_refused: bool = False
    """Whether *Begin* was pressed and an error keeps the fight from beginning."""
    start_problems: tuple[Problem, ...] = ()
    """The problems of the beginning of a valid setup."""
    validated: ValidatedSetup = field(default_factory=ValidatedSetup)
    """The validated setup."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FightSession(PageSession):
    """A running fight."""

    fight: Fight
    """The fight."""
    undone_steps: tuple[Step, ...] = ()
    """The steps that can be redone, the next one first."""
    message: str = ""
    """What the command did, for a screen reader."""
    spare_faces: tuple[int, ...] = ()
    """The player's own die rolls for a second attack."""
    is_shared: bool = False
    """Whether the page shows a share link."""
