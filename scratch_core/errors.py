"""Structured error messages: what was expected, what was found, where, and the rule that it breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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


def format_input(value: object, limit: int = 60) -> str:
    """Format an input value for a message: its repr, cut to `limit` characters.

    The limit keeps an input from flooding a page. Never raises: huge numbers, and lists and tables of more than 20
    entries, are named by their kind.
    """
    if isinstance(value, list | tuple | dict) and len(value) > _MAX_ENTRIES:
        return f"a {'table' if isinstance(value, dict) else 'list'} of {len(value):,}"
    text = repr(value[: limit * 2]) if isinstance(value, str) else _Shortened().repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


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
    """The field or place."""
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


def rule_problems(code: str, rules: str, expected: str, got: str, where: str, **facts: Any) -> list[Problem]:
    """Build one problem for each rule that an action breaks.

    `rules` are rule ids, separated by spaces. `code` names the reason; `facts` fill its sentence
    (`calculators.shared.problem_sentences`).
    """
    return [Problem(code, expected, got, where, rule, facts=facts) for rule in rules.split()]


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


def join_words(words: Sequence[str], joint: str = "and") -> str:
    """Join words as a list in a sentence.

    Returns `a`, `a and b`, or `a, b and c`.
    """
    return f" {joint} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
