"""The fight's page after a command: a setup, a fight, or a file whose beginning needs dice."""

from __future__ import annotations

from dataclasses import dataclass, field

from scratch_core.calculators.fight.session import Fight, Step
from scratch_core.calculators.fight.setup import ValidatedSetup
from scratch_core.calculators.shared.session import PageSession
from scratch_core.errors import Problem


@dataclass(frozen=True, slots=True)
class FocusedSession(PageSession):
    """A session of the page with the place of the focus."""

    focus: str = ""
    """The part of the page that gets the focus, see `View.focus`."""


@dataclass(frozen=True, slots=True)
class UnrolledSession(FocusedSession):
    """A file whose beginning needs dice, while there is no roller."""


@dataclass(frozen=True, slots=True)
class SetupSession(FocusedSession):
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
class FightSession(FocusedSession):
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
    has_changed_roll: bool = False
    """Whether the command has changed a roll of an earlier step."""
