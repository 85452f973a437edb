"""The character's page after its buttons."""

from __future__ import annotations

from dataclasses import dataclass, field

from scratch_core.calculators.character.validated_character import ValidatedCharacter
from scratch_core.calculators.shared.session import PageSession
from scratch_core.characters import Character


@dataclass(frozen=True, slots=True)
class CharacterSession(PageSession):
    """The controls after the buttons of a request, and the character that they hold."""

    started_controls: frozenset[str] = frozenset()
    """The controls that a start has filled."""
    character: ValidatedCharacter = field(default_factory=ValidatedCharacter)
    """The validated character. Empty until it is parsed, and for a query or file that can't be used."""
    compared_character: Character | None = None
    """The build to compare with, or None."""

    @property
    def has_sheet(self) -> bool:
        """Whether there is a stat block."""
        return bool(self.fields["sheet"].strip())
