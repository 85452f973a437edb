"""A character before it is believed: any input becomes a draft, and a draft knows everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from scratch_core.characters.character import (
    AVERAGE,
    DEFAULT_RULINGS,
    Character,
    Limits,
    Line,
)
from scratch_core.characters.creation import creation_problems
from scratch_core.characters.raw_character import HIGHEST_LEVEL, Entry, Written, read_level, tidy
from scratch_core.characters.serialization import read_dict
from scratch_core.characters.stat_block_parser import read_one
from scratch_core.errors import Problem, ScratchError, shown
from scratch_core.rulebook import Rulings
from scratch_core.rulebook.abilities import ALIASES, INERT, NAMES, canonical, meant

__all__ = ["NAME_LIMIT", "UNNAMED", "Draft", "from_json", "name_problems", "read_limits", "tidy"]

NAME_LIMIT = 100
"""The longest name, in characters."""

UNNAMED = "Unnamed"
"""What a character without a name is called."""


@dataclass(frozen=True, slots=True)
class Draft(Written):
    """What someone gave for a character, which knows everything that is wrong with it."""

    @classmethod
    def of(cls, written: Written) -> Draft:
        """A draft of what was read."""
        return cls(**{each.name: getattr(written, each.name) for each in fields(Written)})

    @classmethod
    def from_levels(cls, levels: Mapping[str, str], name: str = "", description: str = "") -> Draft:
        """A draft from one text per ability, as a form gives them; the names are the controls, "" means absent."""
        entries = tuple(Entry(ability, level, where=ability) for ability, level in levels.items() if level.strip())
        return cls(name, entries, description)

    @classmethod
    def from_stat_block(cls, text: str) -> Draft:
        """A draft from one stat block; more than one is a fault. See `blocks` for the form."""
        return cls.of(read_one(text))

    @classmethod
    def from_dict(cls, data: object) -> Draft:
        """A draft from the JSON form, read from a file or typed by hand. See `json_form`."""
        return cls.of(read_dict(data))

    def reading_problems(self) -> tuple[Problem, ...]:
        """What keeps the draft from being a character at all, and what was read in an older way."""
        return self._read()[1]

    def problems(self, limits: Limits | None = AVERAGE, rulings: Rulings = DEFAULT_RULINGS) -> tuple[Problem, ...]:
        """Every problem at once, each with its place: what can't be read, what breaks a limit, and advice.

        Without limits there are only those of reading. Advice on the whole waits until all of it can be read. Never
        raises. Rules: `create.cp`, `create.max-level`, `create.average`, `create.above-average`.
        """
        lines, problems = self._read()
        if limits is None:
            return problems
        places = {canonical(entry.ability) or "": entry.where for entry in reversed(self.entries)}
        character = self._character(lines)
        created = creation_problems(character, limits, rulings, places, self.where_cp)
        if any(problem.severity == "error" for problem in problems):
            created = tuple(problem for problem in created if problem.severity == "error" and lines)
        return (*problems, *created)

    def is_readable(self) -> bool:
        """Whether `character` has an answer."""
        return all(problem.severity != "error" for problem in self.reading_problems())

    def character(self, limits: Limits | None = None, rulings: Rulings = DEFAULT_RULINGS) -> Character:
        """The character. Raises `ScratchError` with every error of reading and, with `limits`, of making it."""
        lines, problems = self._read()
        if limits is not None:
            problems = self.problems(limits, rulings)
        errors = tuple(problem for problem in problems if problem.severity == "error")
        if errors:
            raise ScratchError(*errors)
        return self._character(lines)

    def _character(self, lines: tuple[Line, ...]) -> Character:
        return Character(tidy(self.name) or UNNAMED, lines, tidy(self.description), tidy(self.minion_of), self.bonuses)

    def _read(self) -> tuple[tuple[Line, ...], tuple[Problem, ...]]:
        """The lines that can be read, and every problem met on the way."""
        problems = [*self.faults, *name_problems(self.name, self.where)]
        lines: dict[str, Line] = {}
        seen: set[str] = set()
        for entry in self.entries:
            level = read_level(entry.level, entry.where)
            name = canonical(entry.ability)
            problems += _entry_problems(entry, name, seen)
            if isinstance(level, Problem):
                problems.append(level)
            elif name and name not in seen and level:
                lines[name] = Line(name, level, tidy(entry.note))
            if name:
                seen.add(name)
        for bonus in self.bonuses:
            if bonus.ability not in lines:
                expected, got = "a temporary bonus on an ability of level 1 or more", shown(bonus.ability)
                problems.append(Problem("character.bonus", expected, got, "bonuses", "craft.needs-level"))
        return tuple(lines.values()), tuple(problems)


def from_json(data: object) -> Character:
    """The character of a JSON form. Raises `ScratchError` with every problem of it."""
    return Draft.from_dict(data).character()


def read_limits(cp: str, max_level: str) -> tuple[Limits, tuple[Problem, ...]]:
    """Limits from two texts, "" meaning an average person's; what can't be read keeps that value and is a problem.

    The places are `cp` and `max_level`. Rules: `create.cp`, `create.max-level`, `create.average`.
    """
    values: list[int] = []
    problems: list[Problem] = []
    given = (("cp", cp, AVERAGE.cp, 0, "create.cp"), ("max_level", max_level, AVERAGE.max_level, 1, "create.max-level"))
    for where, text, default, lowest, rule in given:
        value = default if not text.strip() else read_level(text, where)
        if isinstance(value, Problem) or value < lowest:
            expected = f"a whole number from {lowest} to {HIGHEST_LEVEL:,}"
            facts = {"lowest": lowest}
            problems.append(Problem("character.limit", expected, shown(text), where, rule, facts=facts))
            value = default
        values.append(value)
    return Limits(*values), tuple(problems)


def name_problems(name: str, where: str) -> tuple[Problem, ...]:
    """What a name can't be: too long. Rule: `char.stat-line`."""
    tidied = tidy(name)
    if len(tidied) > NAME_LIMIT:
        expected = f"a name of {NAME_LIMIT} characters at most"
        return (Problem("character.name", expected, f"{len(tidied):,} characters", where, "char.stat-line"),)
    return ()


def _entry_problems(entry: Entry, name: str | None, seen: set[str]) -> list[Problem]:
    if name is None:
        rule, got = "char.ability-level", shown(entry.ability)
        if close := meant(entry.ability):
            return [Problem("fight.meant", close[0], got, entry.where, rule)]
        expected = f"one of the abilities {', '.join(NAMES)}"
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
