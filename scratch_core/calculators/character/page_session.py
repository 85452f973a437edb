"""The character's page after its buttons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from scratch_core.calculators.character.validated_character import ValidatedCharacter
from scratch_core.characters import Character
from scratch_core.errors import Problem


@dataclass(frozen=True, slots=True)
class CharacterSession:
    """The controls after the buttons of a request, and the character that they hold."""

    fields: Mapping[str, str]
    """The text of each control after the buttons."""
    problems: tuple[Problem, ...] = ()
    """The problems so far, in the order in which they were found."""
    started_controls: frozenset[str] = frozenset()
    """The controls that a start has filled."""
    character: ValidatedCharacter = field(default_factory=ValidatedCharacter)
    """The validated character. Empty until it is parsed, and for a query or file that can't be used."""
    compared_character: Character | None = None
    """The build to compare with, or None."""

    def with_fields(self, texts: Mapping[str, str]) -> CharacterSession:
        """Return the session with other texts in some controls."""
        return replace(self, fields={**self.fields, **texts})

    def with_problems(self, problems: Iterable[Problem]) -> CharacterSession:
        """Return the session with more problems."""
        return replace(self, problems=(*self.problems, *problems))

    @property
    def has_sheet(self) -> bool:
        """Whether there is a stat block."""
        return bool(self.fields["sheet"].strip())
