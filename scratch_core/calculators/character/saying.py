"""Problems in a player's words: a sentence that a person would say, with the way out. The rule stands behind a mark."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from scratch_core.errors import Problem

_NUMBER = re.compile(r"\d[\d,]*")


def said(problem: Problem) -> str:
    """A problem as a sentence for a player; a code without one of its own says what was expected and what was got."""
    say = _SAYINGS.get(problem.code)
    return say(problem) if say else f"Expected {problem.expected}, got {problem.got}."


def _numbers(text: str) -> list[int]:
    return [int(number.replace(",", "")) for number in _NUMBER.findall(text)]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _too_high(problem: Problem) -> str:
    return f"{_capital(problem.got)} is above this campaign's highest level, {_numbers(problem.expected)[-1]:,}."


def _too_many_points(problem: Problem) -> str:
    given, spent = _numbers(problem.expected)[0], _numbers(problem.got)[0]
    return f"{_points(spent - given)} too many: {spent:,} spent of {given:,}{_on_line(problem)}."


def _unspent(problem: Problem) -> str:
    return f"{_points(_numbers(problem.got)[1])} left to spend{_on_line(problem)}."


def _points(count: int) -> str:
    return "One point" if count == 1 else f"{count:,} points"


def _on_line(problem: Problem) -> str:
    """The line of a stat block that a problem is on, if it is on one."""
    place = re.search(r" on (line \d+)$", problem.got)
    return f" ({place[1]})" if place else ""


def _unusual(problem: Problem) -> str:
    count = _numbers(problem.got)[0]
    abilities = "one ability" if count == 1 else f"{count:,} abilities"
    return f"It has {abilities}; most have 3 to 6{_on_line(problem)}."


def _empty(problem: Problem) -> str:
    return f"No ability yet: begin with toughness{_on_line(problem)}."


def _no_toughness(problem: Problem) -> str:
    return f"Without toughness it can do nothing in a fight{_on_line(problem)}."


def _no_level(problem: Problem) -> str:
    return f"{_capital(problem.got)} is no level: write a whole number such as 2."


def _no_limit(problem: Problem) -> str:
    lowest = _numbers(problem.expected)[0]
    return f"{_capital(problem.got)} doesn't do here: write a whole number, {lowest} or more."


def _weaker(problem: Problem) -> str:
    strength, ability = re.split(r" by ", problem.got, maxsplit=1)
    return (
        f"{_capital(ability)} makes strength {strength}; toughness alone would make it {_numbers(problem.expected)[0]}."
    )


def _no_command(problem: Problem) -> str:
    return "Minions need a leader with command, and this character has none."


def _minions_cost(problem: Problem) -> str:
    given, spent = _numbers(problem.expected)[0], _numbers(problem.got)[0]
    return f"The minions cost {spent:,} points together, and command {given:,} gives {given:,}."


def _many_minions(problem: Problem) -> str:
    return f"A leader has one or two minions, not {_numbers(problem.got)[0]:,}."


def _minion_commands(problem: Problem) -> str:
    return f"A minion leads nobody, and one here has {problem.got}."


def _several(problem: Problem) -> str:
    return f"This page is about one character: {problem.got}."


def _no_difficulty(problem: Problem) -> str:
    return f"{_capital(problem.got)} is no difficulty: write a whole number such as 12."


def _no_condition(problem: Problem) -> str:
    return f"Write {problem.expected}."


_SAYINGS: Final[Mapping[str, Callable[[Problem], str]]] = {
    "create.max-level": _too_high,
    "create.cp": _too_many_points,
    "create.unspent": _unspent,
    "create.typical": _unusual,
    "character.empty": _empty,
    "character.no-toughness": _no_toughness,
    "character.level": _no_level,
    "character.limit": _no_limit,
    "character.weaker": _weaker,
    "command.none": _no_command,
    "command.cp": _minions_cost,
    "command.many": _many_minions,
    "command.chain": _minion_commands,
    "sheet.several": _several,
    "play.difficulty": _no_difficulty,
    "play.condition": _no_condition,
}
