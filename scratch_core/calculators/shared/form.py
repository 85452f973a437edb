"""The base classes of all calculators: `Form` parses the controls of a query, `View` is what a template prints.

A calculator parses its controls with a `Form`, which collects problems instead of raising them, and returns a `View`
of its own. Helpers that several calculators use are here too: slugs, unique names, side colours, rulings to choose.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from scratch_core.calculators.shared.query import DEFAULT_MAX_QUERY_LENGTH, Query, format_query
from scratch_core.calculators.shared.request import FieldParser, list_cut_problems
from scratch_core.characters import AVERAGE
from scratch_core.errors import Problem, ScratchError
from scratch_core.normalization import name_key, normalize_input
from scratch_core.rulebook import RULE_OPTIONS, RuleOption, RulingSettings, format_setting, get_ruling


@dataclass(frozen=True, slots=True)
class View:
    """What every template prints."""

    query: str
    """The canonical query that reopens this answer, with the faces that were rolled."""
    summary: str
    """The answer in one sentence, for screen readers and the history. "" if there is no answer."""
    problems: tuple[Problem, ...]
    """The problems of the query. The `where` of each is the control that it belongs to."""
    fields: Mapping[str, str]
    """The text of each control, as typed, by the control's name."""

    @property
    def house_rules_query(self) -> str:
        """The settings of this form's house rules, as a query: `strength_base=8&corners=free`."""
        return format_rules(self.fields, self.fields)

    @property
    def rule_labels_query(self) -> str:
        """The words of every option of this form's rulings, as a query.

        The name of a pair is the ruling and the option: `corners free=diagonal steps …`.
        """
        names = dict(each.split("=") for each in self.house_rules_query.split("&") if each)
        return format_query({f"{name} {value}": words for (name, value), words in _RULE_WORDS.items() if name in names})

    @property
    def changed_rules(self) -> Mapping[str, str]:
        """The house rules that differ from the rulebook, by name.

        A value is the words of the chosen option, or a number.
        """
        chosen = dict(each.split("=") for each in self.house_rules_query.split("&") if each)
        return {
            name: _RULE_WORDS.get((name, value), value)
            for name, value in chosen.items()
            if value != _DEFAULT_RULES[name]
        }

    @property
    def ruling_choices(self) -> tuple[RulingChoice, ...]:
        """The rulings that have a control in this form, ready to render."""
        return tuple(build_ruling_choice(each) for each in RULE_OPTIONS if each.name in self.fields)


class Form(FieldParser):
    """A query that is being parsed: the texts of its controls, and the problems found so far.

    The methods report a problem at its control and continue with a default.
    """

    fields: dict[str, str]

    def __init__(self, query: Query, fields: Mapping[str, str]) -> None:
        super().__init__(fields)
        self.fields = dict(fields)
        self.query = query

    def add_cut_problem(self, where: str, limit: int = DEFAULT_MAX_QUERY_LENGTH) -> None:
        """Report at the control `where` a query that was cut after `limit` characters."""
        self.problems += list_cut_problems(self.query, where, limit)


def limit_problems(problems: Sequence[Problem], most: int, code: str) -> tuple[Problem, ...]:
    """Return at most `most` problems, followed by advice that counts the rest.

    The advice has the given `code` and the place of the first problem. It is left out if there are no more problems.
    """
    if len(problems) <= most:
        return tuple(problems)
    more = f"{len(problems) - most:,} more problems"
    facts = {"count": len(problems) - most}
    last = Problem(code, "these to be mended first", more, problems[0].where, None, "advice", facts)
    return (*problems[:most], last)


def shorten_problem(problem: Problem, limit: int) -> Problem:
    """Truncate `expected` and `got` of a problem to `limit` characters each."""
    return replace(problem, expected=truncate_line(problem.expected, limit), got=truncate_line(problem.got, limit))


# Helpers for the forms of several calculators

CREATION_LIMITS: Final = {"cp": str(AVERAGE.cp), "max_level": str(AVERAGE.max_level)}
"""The rulebook's values of the house rules that aren't rulings, by control.

Rules: `create.average`, `create.max-level`.
"""

_DEFAULT_RULES: Final = {**CREATION_LIMITS, **{each.name: format_setting(each.default) for each in RULE_OPTIONS}}
_RULE_WORDS: Final = {
    (each.name, format_setting(choice)): words
    for each in RULE_OPTIONS
    for choice, words in zip(each.choices, each.words, strict=True)
}


def format_rules(names: Collection[str], fields: Mapping[str, str]) -> str:
    """Format the settings of the named house rules as a query.

    `fields` are the texts of the controls. Names that are no house rules are left out. A rule whose text is missing or
    can't be read has the rulebook's value.
    """
    return "&".join(
        f"{name}={_normalize_setting(name, fields.get(name, ''))}" for name in _DEFAULT_RULES if name in names
    )


def _normalize_setting(name: str, typed: str) -> str:
    if name in CREATION_LIMITS:
        plain = normalize_input(typed).strip()
        return plain if re.fullmatch(r"[0-9]{1,6}", plain, re.ASCII) else CREATION_LIMITS[name]
    try:
        return format_setting(getattr(RulingSettings.from_dict({name: typed}), name))
    except ScratchError:
        return _DEFAULT_RULES[name]


NAMED_COLOURS = {"blue": 1, "violet": 2, "teal": 3, "red": 5}
"""The number of each colour that a side may be named after."""


def assign_side_colours(sides: Iterable[str]) -> dict[str, int]:
    """Assign each side the number of a colour, 1 to 5.

    A side named after a colour has that colour. The others take turns at those of the colours 1 to 4 that are free.
    """
    colours = {side: NAMED_COLOURS.get(side.lower(), 0) for side in dict.fromkeys(sides)}
    free = sorted({1, 2, 3, 4}.difference(colours.values()))
    unnamed = (side for side, colour in colours.items() if not colour)
    return colours | {side: free[index % len(free)] for index, side in enumerate(unnamed)}


def slugify(name: str) -> str:
    """Return a name as an id of lowercase ASCII letters, digits and hyphens.

    An id has at most 60 characters. Returns "" if the name has no letters or digits of ASCII.
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60]


def number_duplicates(names: Sequence[str], joint: str) -> list[str]:
    """Return the names with a number, from 2, appended to each repetition.

    `joint` separates name and number. Names are the same if their `name_key` is. A numbered name differs from all other
    names.
    """
    given_keys = set(map(name_key, names))
    used_keys: set[str] = set()
    unique_names = []
    for name in names:
        number, unique_name, key = 2, name, name_key(name)
        while key in used_keys or (unique_name != name and key in given_keys):
            unique_name, number = f"{name}{joint}{number}", number + 1
            key = name_key(unique_name)
        used_keys.add(key)
        unique_names.append(unique_name)
    return unique_names


def truncate_line(text: str, limit: int) -> str:
    """Return a text as one line of at most `limit` characters.

    `limit` is at least 9. Characters that can't be printed become spaces. A number at the end of the text remains,
    because `Guard do… 2` and `Guard do… 3` are different characters.
    """
    plain = "".join(char if char.isprintable() else " " for char in text[: 2 * limit])
    number = (re.search(r" [0-9]{1,4}$", text[-5:]) or ("",))[0]
    return plain if len(plain) <= limit else f"{plain[: limit - 1 - len(number)]}…{number}"


@dataclass(frozen=True, slots=True)
class RulingChoice:
    """The control in which a table chooses the option of a ruling."""

    name: str
    """The control's name: the field of `RulingSettings`."""
    title: str
    """The ruling's title."""
    choices: tuple[tuple[str, str], ...]
    """The options: value and words. The default has the value "", so that a query names only what differs from it."""
    ruling: str
    """The ruling's id."""


def build_ruling_choice(option: RuleOption) -> RulingChoice:
    """Build the control of a ruling that tables may decide differently."""
    values = ["" if choice == option.default else format_setting(choice) for choice in option.choices]
    choices = tuple(
        (value, words if value else f"{words} (default)") for value, words in zip(values, option.words, strict=True)
    )
    return RulingChoice(option.name, get_ruling(option.ruling).title, choices, option.ruling)
