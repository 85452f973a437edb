"""The request that a calculator answers, and the parser of the texts in its controls.

A request is what the browser sent: nothing changes it. What a command changes is in the session that the command
returns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from scratch_core.calculators.shared.query import DEFAULT_MAX_QUERY_LENGTH, Query
from scratch_core.errors import Problem, Problems, ScratchError
from scratch_core.normalization import parse_whole_number
from scratch_core.rulebook import RulingSettings, RulingValue


@dataclass(frozen=True, slots=True)
class Request:
    """What the browser sent."""

    query: Query
    """The query."""
    fields: Mapping[str, str]
    """The text of each control, as typed. Read-only."""


@dataclass(frozen=True, slots=True)
class PageCommand:
    """What a button of a form sends."""

    name: str = ""
    """The first word, or ""."""
    argument: str = ""
    """The text after the first word and a space, or ""."""

    @classmethod
    def parse(cls, text: str) -> PageCommand:
        """Parse the text of a button."""
        name, _, argument = text.strip().partition(" ")
        return cls(name, argument)

    def __str__(self) -> str:
        return f"{self.name} {self.argument}" if self.argument else self.name


class FieldParser:
    """A parser of the texts in controls.

    Each method reports a problem at its control in `problems`, and continues with a default.
    """

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields: Mapping[str, str] = MappingProxyType(dict(fields))
        self.problems = Problems()

    def parse_choice(self, control: str, choices: Collection[str], code: str, expected: str) -> str:
        """Return the text of a control that must be one of `choices`.

        Returns "" if the control is empty. Reports any other text as a problem with `code`, and returns "", too.
        """
        typed = self.fields[control].strip()
        if typed and typed not in choices:
            self.problems.report_value(code, expected, typed, control)
            return ""
        return typed

    def parse_whole_number(self, control: str, maximum: int, minimum: int = 0) -> int:
        """Parse the whole number of a control, from `minimum` to `maximum`.

        Returns `minimum` if the control is empty. Reports any other text as `number.range`, and returns `minimum`, too.
        """
        typed = self.fields[control].strip()
        number = parse_whole_number(typed)
        if number is not None and minimum <= number <= maximum:
            return number
        if typed:
            expected = f"a whole number from {minimum:,} to {maximum:,}"
            self.problems.report_value("number.range", expected, typed, control, least=minimum, most=maximum)
        return minimum

    def parse_ruling_settings(self, names: Iterable[str]) -> dict[str, RulingValue]:
        """Parse the settings of the named rulings whose control isn't empty.

        Reports a setting that can't be read at its control, and omits it.
        """
        settings: dict[str, RulingValue] = {}
        for name in names:
            typed = self.fields[name].strip()
            try:
                settings |= {name: getattr(RulingSettings.from_dict({name: typed}), name)} if typed else {}
            except ScratchError as error:
                self.problems.extend_moved_to(name, error.problems)
        return settings

    @property
    def has_errors(self) -> bool:
        """Whether there is an error, not only advice."""
        return self.problems.has_errors


def list_cut_query_problems(
    query: Query, control: str, max_length: int = DEFAULT_MAX_QUERY_LENGTH
) -> tuple[Problem, ...]:
    """List the problem of a query that was cut after `max_length` characters.

    `control` is the control that it belongs to. Returns () for a complete query.
    """
    if not query.is_cut:
        return ()
    expected = f"at most {max_length:,} characters in all"
    return (Problem("query.limit", expected, "more", control, facts={"limit": max_length}),)
