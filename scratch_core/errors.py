"""Structured error messages: what was expected, what was found, where, and the rule that it breaks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from reprlib import Repr
from typing import Any, Literal

Severity = Literal["error", "advice"]

SUGGESTION_CODE = "fight.meant"
"""The code of a problem whose `expected` is the word that was probably meant."""

_MAX_NUMBER = 10**18
_MAX_ENTRIES = 20


class _Shortened(Repr):
    """The repr of a value, a few levels deep, because a deep recursion ends Python in a browser for good."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxstring = self.maxother = 60

    def repr_int(self, number: int, level: int) -> str:
        """Format a number.

        Numbers above 10^18 are named by their kind, because Python refuses to format thousands of digits.
        """
        return "a huge number" if abs(number) > _MAX_NUMBER else repr(number)


class Verbatim(str):
    """Words that a message contains without quotes."""

    __slots__ = ()


MISSING_VALUE = Verbatim("nothing")


def replace_if_none_for_message(value: object) -> object:
    """Replace None, JSON's null, for a message."""
    return MISSING_VALUE if value is None else value


def format_input(value: object, limit: int = 60) -> str:
    """Format an input value for a message: its repr, cut to `limit` characters.

    A `Verbatim` is not quoted. The limit keeps an input from flooding a page. Never raises: huge numbers, and lists and
    tables of more than 20 entries, are named by their kind.
    """
    if isinstance(value, Verbatim):
        return str(value)
    if isinstance(value, list | tuple | dict) and len(value) > _MAX_ENTRIES:
        return f"a {'table' if isinstance(value, dict) else 'list'} of {len(value):,}"
    text = repr(value[: limit * 2]) if isinstance(value, str) else _Shortened().repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


class Location(str):
    """A place in an input: text for readers that has its parts as data.

    The keys and indexes of a path are written `steps[3].target`, a line `line 12`, and both `steps[3] (line 12)`. The
    name of a control is a path of one key.
    """

    __slots__ = ("file", "line", "path")

    path: tuple[str | int, ...]
    """The keys and the indexes, from 0, from the outermost inwards; () for a line alone."""
    line: int
    """The number of the line, from 1; 0 if it is unknown."""
    file: str
    """The name of the file, or ""."""

    def __new__(cls, *path: str | int, line: int = 0, file: str = "") -> Location:
        """Build the location and its text."""
        text = ""
        for part in path:
            text = f"{text}[{part}]" if isinstance(part, int) else f"{text}.{part}" if text else part
        if line:
            spot = f"{file}, line {line}" if file else f"line {line}"
            text = f"{text} ({spot})" if text else spot
        location = super().__new__(cls, text)
        location.path, location.line, location.file = path, line, file
        return location

    def __getnewargs_ex__(self) -> tuple[tuple[str | int, ...], dict[str, Any]]:
        """Return the arguments to unpickle the location from."""
        return self.path, {"line": self.line, "file": self.file}

    def __truediv__(self, part: str | int) -> Location:
        """Return the location of a key, an index or a whole path below this one."""
        return Location(*self.path, *(part.path if isinstance(part, Location) else (part,)))

    @classmethod
    def from_key_or_location(cls, key_or_location: str) -> Location:
        """Return a place as a location, a plain text as one key."""
        return key_or_location if isinstance(key_or_location, Location) else Location(key_or_location)

    @property
    def key(self) -> str:
        """The innermost part of the path as text, or ""."""
        return str(self.path[-1]) if self.path else ""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an input."""

    code: str
    """The stable, dotted id of the reason: `dice.limit.sides`."""
    expected: str
    """What would be legal."""
    got: str
    """What was found instead, ready to print (see `format_input`)."""
    where: str
    """The control or place, a `Location` if it has more than one part."""
    rule: str | None = None
    """The id of a rule or a ruling, or None."""
    severity: Severity = "error"
    """`error` if the input is unusable or illegal; `advice` only points something out."""
    facts: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """The numbers and names that fill the player's sentence about it, by placeholder."""

    @property
    def message(self) -> str:
        """A sentence: `expected <what>, got <what> in <where>`, or a suggestion."""
        if self.code == SUGGESTION_CODE:
            return f"{self.got} in {self.where} means nothing here. Did you mean {self.expected}?"
        return f"expected {self.expected}, got {self.got} in {self.where}"

    @property
    def location(self) -> Location:
        """The place with its parts."""
        return Location.from_key_or_location(self.where)

    def with_location(self, location: str, got: str = "", **facts: Any) -> Problem:
        """Return the problem at another place, with further facts.

        A `got` that is given replaces its words; facts that it has remain.
        """
        return replace(self, where=location, got=got or self.got, facts={**facts, **self.facts})


def build_rule_problems(code: str, rule_ids: str, expected: str, got: str, where: str, **facts: Any) -> list[Problem]:
    """Build one problem for each rule that an action breaks.

    `rule_ids` are rule ids, separated by spaces. `code` names the reason; `facts` fill its sentence
    (`calculators.shared.problem_sentences`).
    """
    return [Problem(code, expected, got, where, rule, facts=facts) for rule in rule_ids.split()]


class ScratchError(ValueError):
    """A caller's mistake: one or more problems, found at once.

    Outcomes of the game (a miss, an illegal action in a fight) are values and never raise this.
    """

    def __init__(self, *problems: Problem) -> None:
        assert problems, "a ScratchError carries at least one problem"
        self.problems = problems
        super().__init__("; ".join(problem.message for problem in problems))

    def __reduce__(self) -> tuple[type[ScratchError], tuple[Problem, ...]]:
        """Return the arguments to unpickle the error from, as another process does."""
        return type(self), self.problems

    @property
    def problem(self) -> Problem:
        """The first problem."""
        return self.problems[0]

    @property
    def code(self) -> str:
        """The stable code of the first problem."""
        return self.problems[0].code


def has_errors(problems: Iterable[Problem]) -> bool:
    """Return whether there is an error among problems, not only advice."""
    return find_first_error(problems) is not None


def find_first_error(problems: Iterable[Problem]) -> Problem | None:
    """Find the first error among problems. Returns None if there is only advice."""
    return next((problem for problem in problems if problem.severity == "error"), None)


class Problems(list[Problem]):
    """A list that collects problems."""

    __slots__ = ()

    def report(  # noqa: PLR0913 -- a problem, word for word
        self,
        code: str,
        expected: str,
        got: str,
        where: str,
        rule: str | None = None,
        *,
        severity: Severity = "error",
        **facts: Any,
    ) -> None:
        """Add a problem, whose `got` is ready to print."""
        self.append(Problem(code, expected, got, where, rule, severity, facts))

    def report_value(  # noqa: PLR0913 -- a problem, word for word
        self,
        code: str,
        expected: str,
        value: object,
        where: str,
        rule: str | None = None,
        *,
        severity: Severity = "error",
        **facts: Any,
    ) -> None:
        """Add a problem with a value of the input, which `format_input` makes ready to print."""
        self.report(code, expected, format_input(value), where, rule, severity=severity, **facts)

    def extend_moved_to(self, location: str, problems: Iterable[Problem], *, keeps_place_as_fact: bool = False) -> None:
        """Add problems, all at one place.

        With `keeps_place_as_fact`, the place of each before is its fact `place`.
        """
        self.extend(
            problem.with_location(location, place=problem.where)
            if keeps_place_as_fact
            else problem.with_location(location)
            for problem in problems
        )

    @property
    def has_errors(self) -> bool:
        """Whether there is an error, not only advice."""
        return has_errors(self)

    def raise_if_any(self, most: int | None = None) -> None:
        """Raise `ScratchError` with the problems, the first `most` of them, if there are any."""
        if self:
            raise ScratchError(*self[:most])


def join_words(words: Sequence[str], joint: str = "and") -> str:
    """Join words as a list in a sentence.

    Returns `a`, `a and b`, or `a, b and c`.
    """
    return f" {joint} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
