"""A character before it is believed: any input becomes a draft, and a draft knows everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from scratch_core.characters.character import (
    AVERAGE,
    DEFAULT_RULINGS,
    AbilityLevel,
    Character,
    Limits,
)
from scratch_core.characters.creation import creation_problems
from scratch_core.characters.raw_character import MAX_LEVEL, RawAbility, RawCharacter, parse_level, tidy
from scratch_core.characters.serialization import raw_character_from_dict
from scratch_core.characters.stat_block_parser import parse_stat_block
from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITY_NAMES, ALIASES, INERT, find_ability_name, suggest_names

__all__ = [
    "MAX_NAME_LENGTH",
    "UNNAMED",
    "CharacterDraft",
    "character_from_dict",
    "name_problems",
    "parse_limits",
    "tidy",
]

MAX_NAME_LENGTH = 100
"""The longest name, in characters."""

UNNAMED = "Unnamed"
"""What a character without a name is called."""


@dataclass(frozen=True, slots=True)
class CharacterDraft(RawCharacter):
    """What someone gave for a character, which knows everything that is wrong with it."""

    @classmethod
    def from_raw(cls, written: RawCharacter) -> CharacterDraft:
        """A draft of what was read."""
        return cls(**{each.name: getattr(written, each.name) for each in fields(RawCharacter)})

    @classmethod
    def from_levels(cls, levels: Mapping[str, str], name: str = "", description: str = "") -> CharacterDraft:
        """A draft from one text per ability, as a form gives them; the names are the controls, "" means absent."""
        entries = tuple(RawAbility(ability, level, where=ability) for ability, level in levels.items() if level.strip())
        return cls(name, entries, description)

    @classmethod
    def from_stat_block(cls, text: str) -> CharacterDraft:
        """A draft from one stat block; more than one is a fault. See `blocks` for the form."""
        return cls.from_raw(parse_stat_block(text))

    @classmethod
    def from_dict(cls, data: object) -> CharacterDraft:
        """A draft from the JSON form, read from a file or typed by hand. See `json_form`."""
        return cls.from_raw(raw_character_from_dict(data))

    def reading_problems(self) -> tuple[Problem, ...]:
        """What keeps the draft from being a character at all, and what was read in an older way."""
        return self._read()[1]

    def problems(
        self, limits: Limits | None = AVERAGE, rulings: RulingSettings = DEFAULT_RULINGS
    ) -> tuple[Problem, ...]:
        """Every problem at once, each with its place: what can't be read, what breaks a limit, and advice.

        Without limits there are only those of reading. Advice on the whole waits until all of it can be read. Never
        raises. Rules: `create.cp`, `create.max-level`, `create.average`, `create.above-average`.
        """
        lines, problems = self._read()
        if limits is None:
            return problems
        places = {find_ability_name(entry.ability) or "": entry.where for entry in reversed(self.entries)}
        character = self._character(lines)
        created = creation_problems(character, limits, rulings, places, self.where_cp)
        if any(problem.severity == "error" for problem in problems):
            created = tuple(problem for problem in created if problem.severity == "error" and lines)
        return (*problems, *created)

    def is_readable(self) -> bool:
        """Whether `character` has an answer."""
        return all(problem.severity != "error" for problem in self.reading_problems())

    def build_character(self, limits: Limits | None = None, rulings: RulingSettings = DEFAULT_RULINGS) -> Character:
        """The character. Raises `ScratchError` with every error of reading and, with `limits`, of making it."""
        lines, problems = self._read()
        if limits is not None:
            problems = self.problems(limits, rulings)
        errors = tuple(problem for problem in problems if problem.severity == "error")
        if errors:
            raise ScratchError(*errors)
        return self._character(lines)

    def _character(self, lines: tuple[AbilityLevel, ...]) -> Character:
        return Character(tidy(self.name) or UNNAMED, lines, tidy(self.description), tidy(self.minion_of), self.bonuses)

    def _read(self) -> tuple[tuple[AbilityLevel, ...], tuple[Problem, ...]]:
        """The lines that can be read, and every problem met on the way."""
        problems = [*self.faults, *name_problems(self.name, self.where)]
        lines: dict[str, AbilityLevel] = {}
        seen: set[str] = set()
        for entry in self.entries:
            level = parse_level(entry.level, entry.where)
            name = find_ability_name(entry.ability)
            problems += _entry_problems(entry, name, seen)
            if isinstance(level, Problem):
                problems.append(level)
            elif name and name not in seen and level:
                lines[name] = AbilityLevel(name, level, tidy(entry.note))
            if name:
                seen.add(name)
        for bonus in self.bonuses:
            if bonus.ability not in lines:
                expected, got = "a temporary bonus on an ability of level 1 or more", format_input(bonus.ability)
                problems.append(Problem("character.bonus", expected, got, "bonuses", "craft.needs-level"))
        return tuple(lines.values()), tuple(problems)


def character_from_dict(data: object) -> Character:
    """The character of a JSON form. Raises `ScratchError` with every problem of it."""
    return CharacterDraft.from_dict(data).build_character()


def parse_limits(cp: str, max_level: str) -> tuple[Limits, tuple[Problem, ...]]:
    """Limits from two texts, "" meaning an average person's; what can't be read keeps that value and is a problem.

    The places are `cp` and `max_level`. Rules: `create.cp`, `create.max-level`, `create.average`.
    """
    values: list[int] = []
    problems: list[Problem] = []
    given = (("cp", cp, AVERAGE.cp, 0, "create.cp"), ("max_level", max_level, AVERAGE.max_level, 1, "create.max-level"))
    for where, text, default, lowest, rule in given:
        value = default if not text.strip() else parse_level(text, where)
        if isinstance(value, Problem) or value < lowest:
            expected = f"a whole number from {lowest} to {MAX_LEVEL:,}"
            facts = {"lowest": lowest}
            problems.append(Problem("character.limit", expected, format_input(text), where, rule, facts=facts))
            value = default
        values.append(value)
    return Limits(*values), tuple(problems)


def name_problems(name: str, where: str) -> tuple[Problem, ...]:
    """What a name can't be: too long. Rule: `char.stat-line`."""
    tidied = tidy(name)
    if len(tidied) > MAX_NAME_LENGTH:
        expected = f"a name of {MAX_NAME_LENGTH} characters at most"
        return (Problem("character.name", expected, f"{len(tidied):,} characters", where, "char.stat-line"),)
    return ()


def _entry_problems(entry: RawAbility, name: str | None, seen: set[str]) -> list[Problem]:
    if name is None:
        rule, got = "char.ability-level", format_input(entry.ability)
        if close := suggest_names(entry.ability):
            return [Problem("fight.meant", close[0], got, entry.where, rule)]
        expected = f"one of the abilities {', '.join(ABILITY_NAMES)}"
        return [Problem("character.ability", expected, got, entry.where, rule)]
    if name in seen:
        rule, facts = "char.ability-level", {"ability": name}
        return [Problem("character.twice", f"{name} once", "it again", entry.where, rule, facts=facts)]
    written = tidy(entry.ability).lower()
    if written in ALIASES:
        said, facts = f"{written}, read as {name}", {"written": written, "ability": name}
        return [Problem("character.alias", f"today's name {name}", said, entry.where, "K05", "advice", facts)]
    if name in INERT:
        said = f"{name}, which has no rule: it costs points and does nothing"
        facts = {"ability": name}
        return [Problem("character.inert", "an ability of the rulebook", said, entry.where, "K05", "advice", facts)]
    return []
