"""A character before validation: any input becomes a draft, which reports all its problems at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from scratch_core.characters.character import DEFAULT_RULINGS, AbilityLevel, Character
from scratch_core.characters.creation import creation_problems
from scratch_core.characters.raw_character import MAX_LEVEL, RawAbility, RawCharacter, clean_line, parse_level
from scratch_core.characters.serialization import parse_raw_character_with_faults
from scratch_core.characters.stat_block_parser import parse_stat_block
from scratch_core.errors import Problem, Problems, ScratchError, format_input, has_errors
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITY_NAMES, ALIASES, INERT, find_ability_name, suggest_names
from scratch_core.rulebook.creation_limits import AVERAGE, Limits

__all__ = [
    "MAX_NAME_LENGTH",
    "UNNAMED",
    "CharacterDraft",
    "character_from_dict",
    "clean_line",
    "name_length_problems",
    "parse_limits",
]

MAX_NAME_LENGTH = 100
"""The maximum length of a name, in characters."""

UNNAMED = "Unnamed"
"""The name of a character without one."""


@dataclass(frozen=True, slots=True)
class CharacterDraft(RawCharacter):
    """A parsed character that validates itself."""

    @classmethod
    def from_raw(cls, raw: RawCharacter) -> CharacterDraft:
        """Build a draft from a parsed character."""
        return cls(**{each.name: getattr(raw, each.name) for each in fields(RawCharacter)})

    @classmethod
    def from_levels(cls, levels: Mapping[str, str], name: str = "", description: str = "") -> CharacterDraft:
        """Build a draft from one text per ability, as a form submits them.

        The keys are the names of the form's controls and become the places. "" means no ability.
        """
        entries = tuple(RawAbility(ability, level, where=ability) for ability, level in levels.items() if level.strip())
        return cls(name, entries, description)

    @classmethod
    def from_stat_block(cls, text: str) -> CharacterDraft:
        """Parse one stat block.

        More than one is a problem. See `stat_block_parser` for the format.
        """
        return cls.from_raw(parse_stat_block(text))

    @classmethod
    def from_dict(cls, data: object) -> CharacterDraft:
        """Parse the JSON form.

        See `serialization` for the format.
        """
        return cls.from_raw(parse_raw_character_with_faults(data))

    def reading_problems(self) -> tuple[Problem, ...]:
        """Return the errors that prevent a character, and advice on doubtful input."""
        return self._parse_entries()[1]

    def problems(
        self, limits: Limits | None = AVERAGE, rulings: RulingSettings = DEFAULT_RULINGS
    ) -> tuple[Problem, ...]:
        """Return every problem at once, each with its place.

        They are parse errors, broken limits, and advice. With limits of None, only parse problems are returned. Advice
        on the whole character needs a draft without parse errors. Never raises. Rules: `create.cp`, `create.max-level`,
        `create.average`, `create.above-average`.
        """
        lines, problems = self._parse_entries()
        if limits is None:
            return problems
        places = {find_ability_name(entry.ability) or "": entry.where for entry in reversed(self.entries)}
        character = self._assemble(lines)
        created = creation_problems(character, limits, rulings, places, self.where_cp)
        if has_errors(problems):
            created = tuple(problem for problem in created if problem.severity == "error" and lines)
        return (*problems, *created)

    def can_build_character(self) -> bool:
        """Return whether `build_character` succeeds without limits."""
        return all(problem.severity != "error" for problem in self.reading_problems())

    def build_character(self, limits: Limits | None = None, rulings: RulingSettings = DEFAULT_RULINGS) -> Character:
        """Build the character.

        Raises `ScratchError` with every parse error and, with `limits`, every broken limit.
        """
        lines, problems = self._parse_entries()
        if limits is not None:
            problems = self.problems(limits, rulings)
        errors = tuple(problem for problem in problems if problem.severity == "error")
        if errors:
            raise ScratchError(*errors)
        return self._assemble(lines)

    def _assemble(self, lines: tuple[AbilityLevel, ...]) -> Character:
        return Character(
            clean_line(self.name) or UNNAMED,
            lines,
            clean_line(self.description),
            clean_line(self.minion_of),
            self.bonuses,
        )

    def _parse_entries(self) -> tuple[tuple[AbilityLevel, ...], tuple[Problem, ...]]:
        """Return the valid entries and every problem with the others."""
        problems = Problems([*self.faults, *name_length_problems(self.name, self.where)])
        lines: dict[str, AbilityLevel] = {}
        seen: set[str] = set()
        for entry in self.entries:
            level = parse_level(entry.level, entry.where)
            name = find_ability_name(entry.ability)
            problems += _ability_name_problems(entry, name, seen)
            if isinstance(level, Problem):
                problems.append(level)
            elif name and name not in seen and level:
                lines[name] = AbilityLevel(name, level, clean_line(entry.note))
            if name:
                seen.add(name)
        for bonus in self.bonuses:
            if bonus.ability not in lines:
                expected = "a temporary bonus on an ability of level 1 or more"
                problems.report_value("character.bonus", expected, bonus.ability, "bonuses", "craft.needs-level")
        return tuple(lines.values()), tuple(problems)


def character_from_dict(data: object) -> Character:
    """Build a character from its JSON form.

    Raises `ScratchError` with every problem.
    """
    return CharacterDraft.from_dict(data).build_character()


def parse_limits(cp: str, max_level: str) -> tuple[Limits, tuple[Problem, ...]]:
    """Parse limits from two texts.

    "" means the limit of an average person. An invalid text is a problem and gives that limit as well. The places are
    `cp` and `max_level`. Rules: `create.cp`, `create.max-level`, `create.average`.
    """
    values: list[int] = []
    problems = Problems()
    inputs = (
        ("cp", cp, AVERAGE.cp, 0, "create.cp"),
        ("max_level", max_level, AVERAGE.max_level, 1, "create.max-level"),
    )
    for where, text, default, lowest, rule in inputs:
        value = default if not text.strip() else parse_level(text, where)
        if isinstance(value, Problem) or value < lowest:
            expected = f"a whole number from {lowest} to {MAX_LEVEL:,}"
            problems.report_value("character.limit", expected, text, where, rule, lowest=lowest)
            value = default
        values.append(value)
    return Limits(*values), tuple(problems)


def name_length_problems(name: str, where: str) -> tuple[Problem, ...]:
    """Return a problem if the name is too long. Rule: `char.stat-line`."""
    tidied = clean_line(name)
    if len(tidied) > MAX_NAME_LENGTH:
        expected = f"a name of {MAX_NAME_LENGTH} characters at most"
        return (Problem("character.name", expected, f"{len(tidied):,} characters", where, "char.stat-line"),)
    return ()


def _ability_name_problems(
    entry: RawAbility, ability_name: str | None, earlier_ability_names: set[str]
) -> list[Problem]:
    if ability_name is None:
        rule, got = "char.ability-level", format_input(entry.ability)
        if close := suggest_names(entry.ability):
            return [Problem("fight.meant", close[0], got, entry.where, rule)]
        expected = f"one of the abilities {', '.join(ABILITY_NAMES)}"
        return [Problem("character.ability", expected, got, entry.where, rule)]
    if ability_name in earlier_ability_names:
        rule, facts = "char.ability-level", {"ability": ability_name}
        return [Problem("character.twice", f"{ability_name} once", "it again", entry.where, rule, facts=facts)]
    alias = clean_line(entry.ability).lower()
    if alias in ALIASES:
        got, facts = f"{alias}, read as {ability_name}", {"written": alias, "ability": ability_name}
        return [Problem("character.alias", f"today's name {ability_name}", got, entry.where, "K05", "advice", facts)]
    if ability_name in INERT:
        got = f"{ability_name}, which has no rule: it costs points and does nothing"
        facts = {"ability": ability_name}
        return [Problem("character.inert", "an ability of the rulebook", got, entry.where, "K05", "advice", facts)]
    return []
