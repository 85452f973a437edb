"""What every calculator has in common: a form is read from a query, with its problems, and a view answers it.

A calculator reads its controls with a `Form`, which notes what is wrong and goes on, and gives a `View` of its own.
What several forms hold is here too: names as ids, rulings to be chosen.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from scratch_core.calculators.shared.query import DEFAULT_MAX_QUERY_LENGTH, Query, format_query
from scratch_core.characters import AVERAGE
from scratch_core.errors import Problem, Problems, ScratchError
from scratch_core.normalization import name_key, normalize_input, parse_whole_number
from scratch_core.rulebook import RULE_OPTIONS, RuleOption, RulingSettings, RulingValue, format_setting, get_ruling


@dataclass(frozen=True, slots=True)
class View:
    """What every template prints.

    `query` reopens this very answer, faces included. `summary` is one sentence, read aloud once and kept in the
    history, "" where there is no answer. The `where` of each problem is the control that it belongs to. `fields` are
    the texts of the controls as the reader typed them.
    """

    query: str
    summary: str
    problems: tuple[Problem, ...]
    fields: Mapping[str, str]

    @property
    def house_rules_query(self) -> str:
        """The rules that a table may set and this answer follows, as a query: `strength_base=8&corners=free`."""
        return format_rules(self.fields, self.fields)

    @property
    def rule_labels_query(self) -> str:
        """The words of each value that the rulings followed may have, as a query: `corners free=diagonal steps …`."""
        names = dict(each.split("=") for each in self.house_rules_query.split("&") if each)
        return format_query({f"{name} {value}": words for (name, value), words in _RULE_WORDS.items() if name in names})

    @property
    def changed_rules(self) -> Mapping[str, str]:
        """The rules followed that aren't the rulebook's, by name: the words of a reading, or a number."""
        chosen = dict(each.split("=") for each in self.house_rules_query.split("&") if each)
        return {
            name: _RULE_WORDS.get((name, value), value)
            for name, value in chosen.items()
            if value != _DEFAULT_RULES[name]
        }

    @property
    def ruling_choices(self) -> tuple[RulingChoice, ...]:
        """The rulings to choose: those that have a control."""
        return tuple(build_ruling_choice(each) for each in RULE_OPTIONS if each.name in self.fields)


class Form:
    """One query while it is read: the texts of its controls, and every problem met on the way, each at its control."""

    def __init__(self, query: Query, fields: Mapping[str, str]) -> None:
        self.query = query
        self.fields = dict(fields)
        self.problems = Problems()

    def parse_choice(self, control: str, choices: Collection[str], code: str, expected: str) -> str:
        """One of a few words in a control; "" where nothing stands, and, with a problem, for anything else."""
        typed = self.fields[control].strip()
        if typed and typed not in choices:
            self.problems.report_value(code, expected, typed, control)
            return ""
        return typed

    def parse_whole_number(self, control: str, most: int, least: int = 0) -> int:
        """A whole number from `least` to `most`; `least` where nothing stands or, with a problem, where it is none."""
        typed = self.fields[control].strip()
        number = parse_whole_number(typed)
        if number is not None and least <= number <= most:
            return number
        if typed:
            expected = f"a whole number from {least:,} to {most:,}"
            self.problems.report_value("number.range", expected, typed, control, least=least, most=most)
        return least

    def add_cut_problem(self, where: str, limit: int = DEFAULT_MAX_QUERY_LENGTH) -> None:
        """Note, where it is so, that the query was longer than `limit` characters and its end is lost."""
        if self.query.is_cut:
            self.problems.report("query.limit", f"at most {limit:,} characters in all", "more", where, limit=limit)

    def parse_settings(self, switches: Iterable[str]) -> dict[str, RulingValue]:
        """The settings of those switches in whose control something stands; what can't be read is noted there."""
        found: dict[str, RulingValue] = {}
        for name in switches:
            typed = self.fields[name].strip()
            try:
                found |= {name: getattr(RulingSettings.from_dict({name: typed}), name)} if typed else {}
            except ScratchError as error:
                self.problems.extend_at(name, error.problems)
        return found

    @property
    def has_errors(self) -> bool:
        """Whether something is wrong, and not only advised."""
        return self.problems.has_errors


def limit_problems(problems: Sequence[Problem], most: int, code: str) -> tuple[Problem, ...]:
    """The first `most` problems, and how many more there are; that is said under `code`, where the first one stands."""
    if len(problems) <= most:
        return tuple(problems)
    more = f"{len(problems) - most:,} more problems"
    facts = {"count": len(problems) - most}
    last = Problem(code, "these to be mended first", more, problems[0].where, None, "advice", facts)
    return (*problems[:most], last)


def shorten_problem(problem: Problem, limit: int) -> Problem:
    """Cut the words of a problem, `expected` and `got`, to `limit` characters each."""
    return replace(problem, expected=truncate_line(problem.expected, limit), got=truncate_line(problem.got, limit))


# What several forms hold

CREATION_LIMITS: Final = {"cp": str(AVERAGE.cp), "max_level": str(AVERAGE.max_level)}
"""What a table may set besides rulings, and the rulebook's values. Rules: `create.average`, `create.max-level`."""

_DEFAULT_RULES: Final = {**CREATION_LIMITS, **{each.name: format_setting(each.default) for each in RULE_OPTIONS}}
_RULE_WORDS: Final = {
    (each.name, format_setting(choice)): words
    for each in RULE_OPTIONS
    for choice, words in zip(each.choices, each.words, strict=True)
}


def format_rules(names: Collection[str], fields: Mapping[str, str]) -> str:
    """Those of the names that are rules a table may set, as a query of what holds by the controls' texts.

    A text that can't be read, or isn't there, leaves the rulebook's.
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
"""The numbers of the colours whose names a side may have."""


def assign_side_colours(sides: Iterable[str]) -> dict[str, int]:
    """A colour's number for each side, 1 to 5: the one that it is called by; else the next of four, from 1 again."""
    found = {side: NAMED_COLOURS.get(side.lower(), 0) for side in dict.fromkeys(sides)}
    free = sorted({1, 2, 3, 4}.difference(found.values()))
    unnamed = (side for side, tint in found.items() if not tint)
    return found | {side: free[place % len(free)] for place, side in enumerate(unnamed)}


def slugify(name: str) -> str:
    """A name as an id: small letters, digits and hyphens; "" when nothing is left of it."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60]


def number_duplicates(names: Sequence[str], joint: str) -> list[str]:
    """The same names, those that come again with a number behind them. Rule of sameness: `name_key`."""
    taken = set(map(name_key, names))
    seen: set[str] = set()
    found = []
    for name in names:
        number, own, key = 2, name, name_key(name)
        while key in seen or (own != name and key in taken):
            own, number = f"{name}{joint}{number}", number + 1
            key = name_key(own)
        seen.add(key)
        found.append(own)
    return found


def truncate_line(text: str, limit: int) -> str:
    """A text on one line, of at most `limit` characters, 9 or more; what can't be printed is a blank.

    It is cut before the number that it ends with: `Guard do… 2` is someone else than `Guard do… 3`.
    """
    plain = "".join(sign if sign.isprintable() else " " for sign in text[: 2 * limit])
    number = (re.search(r" [0-9]{1,4}$", text[-5:]) or ("",))[0]
    return plain if len(plain) <= limit else f"{plain[: limit - 1 - len(number)]}…{number}"


@dataclass(frozen=True, slots=True)
class RulingChoice:
    """A ruling to be chosen: the switch's name, the question, its choices as value and words, and the ruling's id.

    Our own reading has the value "", so that a query names only what differs from it.
    """

    name: str
    title: str
    choices: tuple[tuple[str, str], ...]
    ruling: str


def build_ruling_choice(switch: RuleOption) -> RulingChoice:
    """Return the control of a switch, with the title of its ruling."""
    values = ["" if choice == switch.default else format_setting(choice) for choice in switch.choices]
    words = zip(values, switch.words, strict=True)
    choices = tuple((value, each if value else f"{each} (default)") for value, each in words)
    return RulingChoice(switch.name, get_ruling(switch.ruling).title, choices, switch.ruling)
