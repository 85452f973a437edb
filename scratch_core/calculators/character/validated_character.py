"""The character of the page and its minions, parsed from the controls and checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scratch_core.calculators.characters_text.built_character import BuiltCharacter, parse_built_character
from scratch_core.characters import Character, CharacterDraft, Limits, command_problems
from scratch_core.errors import Problem, Problems
from scratch_core.rulebook import RulingSettings

_WHOLE_SHEET_CODES = ("create.cp", "create.unspent", "create.typical", "character.empty", "character.no-toughness")
"""The codes of problems that concern the whole stat block and not a line."""


@dataclass(frozen=True, slots=True)
class ValidatedCharacter:
    """A character and its minions, with their problems."""

    draft: CharacterDraft | None = None
    """The character before validation. None if the stat block has none."""
    main: Character | None = None
    """The character. None if it is invalid."""
    minions: tuple[Character, ...] = ()
    """The valid minions."""
    problems: tuple[Problem, ...] = ()
    """The problems, each at its control."""
    free_notes: tuple[str, ...] = ()
    """The lines of the notes that are on no ability of the character."""

    @property
    def has_abilities(self) -> bool:
        """Whether the character is valid and has an ability."""
        return self.main is not None and bool(self.main.lines)


def validate_character(fields: Mapping[str, str], limits: Limits | None, rulings: RulingSettings) -> ValidatedCharacter:
    """Parse the character and its minions from the fields, and check them.

    Without `limits` the campaign's limits are not checked. Never raises.
    """
    built = parse_built_character(fields)
    if built.main is None:
        return ValidatedCharacter(problems=tuple(_relocate_sheet_problems(built.problems)))
    main = built.main.build_character() if built.main.can_build_character() else None
    has_sheet = bool(fields["sheet"].strip())
    main_problems = built.main.problems(limits, rulings)
    problems = Problems(_relocate_sheet_problems(main_problems) if has_sheet else main_problems)
    problems += built.problems
    problems += _list_minion_problems(built, limits, rulings)
    if main:
        control = "minions" if built.typed_minions or not built.sheet_minions else "sheet"
        problems += command_problems(main, built.minions, control)
    return ValidatedCharacter(built.main, main, built.minions, tuple(problems), built.free_notes)


def _list_minion_problems(built: BuiltCharacter, limits: Limits | None, rulings: RulingSettings) -> list[Problem]:
    """List the problems of the minions, each at the control of its minion."""
    sheet_problems = [problem for draft in built.sheet_minions for problem in draft.problems(limits, rulings)]
    typed_problems = [problem for draft in built.typed_minions for problem in draft.problems(limits, rulings)]
    return [
        *_relocate_sheet_problems(sheet_problems),
        *(
            problem.with_location("minions", got=f"{problem.got} on {problem.where}", line=problem.where)
            for problem in typed_problems
        ),
    ]


def _relocate_sheet_problems(problems: Iterable[Problem]) -> list[Problem]:
    """List the problems of a stat block at its control.

    Their text includes the line, unless the problem concerns the whole stat block.
    """
    return [
        problem.with_location("sheet", got=f"{problem.got} on {problem.where}", line=problem.where)
        if problem.location.line and problem.code not in _WHOLE_SHEET_CODES
        else problem.with_location("sheet")
        for problem in problems
    ]
