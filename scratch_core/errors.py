"""What goes wrong, said so that a reader can mend it: expected what, got what, where, by which rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from reprlib import Repr
from typing import Any, Literal

Severity = Literal["error", "advice"]

SUGGESTION_CODE = "fight.meant"
"""The code of a problem whose `expected` is what was probably meant."""

_HUGE = 10**18
_MANY = 20


class _Shortened(Repr):
    """The repr of a value, a few levels deep: a deep recursion would end Python in a browser for good."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlist = self.maxtuple = self.maxdict = self.maxstring = self.maxother = 60

    def repr_int(self, number: int, level: int) -> str:
        """A number; one of thousands of digits can't be written at all."""
        return "a huge number" if abs(number) > _HUGE else repr(number)


def format_input(value: object, limit: int = 60) -> str:
    """Show an input value in a message: its repr, cut to `limit` characters, so that no input can flood a page.

    Never fails: huge numbers, and lists and tables of more than 20, are named by their kind.
    """
    if isinstance(value, list | tuple | dict) and len(value) > _MANY:
        return f"a {'table' if isinstance(value, dict) else 'list'} of {len(value):,}"
    text = repr(value[: limit * 2]) if isinstance(value, str) else _Shortened().repr(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an input.

    `code` is stable and dotted (`dice.limit.sides`); `expected` says what would be legal; `got` is already fit to
    print (see `shown`); `where` names the field or place; `rule` is a rule id of the catalogue, or a ruling's id.
    An `error` makes the input unusable or illegal; an `advice` only points something out. `facts` are the numbers and
    names that another sentence about it is made of, by a word for each.
    """

    code: str
    expected: str
    got: str
    where: str
    rule: str | None = None
    severity: Severity = "error"
    facts: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)

    @property
    def message(self) -> str:
        """The sentence for a reader: `expected <what>, got <what> in <where>`, or what was probably meant."""
        if self.code == SUGGESTION_CODE:
            return f"{self.got} in {self.where} means nothing here. Did you mean {self.expected}?"
        return f"expected {self.expected}, got {self.got} in {self.where}"


def rule_problems(code: str, rules: str, expected: str, got: str, where: str, **facts: Any) -> list[Problem]:
    """Build one problem for each of the rule ids in `rules`, separated by spaces: an action breaks them.

    `code` names the reason, `facts` fill its sentence (`calculators.problem_sentences`).
    """
    return [Problem(code, expected, got, where, rule, facts=facts) for rule in rules.split()]


class ScratchError(ValueError):
    """A caller's mistake: one problem or several, found at once.

    Outcomes of the game (a miss, an illegal act in a fight) are values and never raise this.
    """

    def __init__(self, *problems: Problem) -> None:
        assert problems, "a ScratchError carries at least one problem"
        self.problems = problems
        super().__init__("; ".join(problem.message for problem in problems))

    def __reduce__(self) -> tuple[type[ScratchError], tuple[Problem, ...]]:
        """Its problems, from which another process makes it again."""
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
    """Join words to a list in a sentence: `a`, `a and b`, or `a, b and c`."""
    return f" {joint} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
