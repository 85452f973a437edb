"""Check characters, and find those of the cast."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.cast import get_member
from scratch_core.characters import AVERAGE, DEFAULT_RULINGS, Character, CharacterDraft, Limits
from scratch_core.errors import Problem, has_errors
from scratch_core.rulebook import RulingSettings


@dataclass(frozen=True, slots=True)
class CharacterCheck:
    """The result of checking a stat block."""

    character: Character | None
    """The character, or None if the text cannot be read as one."""
    problems: tuple[Problem, ...]
    """Every problem, and advice (`severity`), each with its place and rule."""

    @property
    def is_valid(self) -> bool:
        """Whether there are no problems but advice."""
        return not has_errors(self.problems)


def check_character(text: str, limits: Limits = AVERAGE, rulings: RulingSettings = DEFAULT_RULINGS) -> CharacterCheck:
    """Check a stat block against the limits for building characters.

    Never raises. Rules: `create.cp`, `create.max-level`, `char.stat-line`.
    """
    draft = CharacterDraft.from_stat_block(text)
    character = draft.build_character() if draft.can_build_character() else None
    return CharacterCheck(character, draft.problems(limits, rulings))


def get_cast_member(name: str) -> Character:
    """Return a ready-made character by its id (`the-boss`) or its name.

    Raises `ScratchError` with the ids of similar names.
    """
    return get_member(name).build_character()
