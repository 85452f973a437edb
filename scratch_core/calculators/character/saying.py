"""Problems in a player's words: a sentence that a person would say, with the way out. The rule stands behind a mark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from scratch_core.errors import MEANT, Problem

_SAYINGS: Final[Mapping[str, str]] = {
    "create.max-level": "{Got} is above this campaign's highest level, {highest:,}.",
    "create.cp": "{over} too many: {spent:,} spent of {most:,}{line}.",
    "create.unspent": "{left} left to spend{line}.",
    "create.typical": "It has {abilities}; most have 3 to 6{line}.",
    "character.empty": "No ability yet: begin with toughness{line}.",
    "character.no-toughness": "Without toughness a character can do nothing in a fight{line}.",
    "character.level": "{Got} is no level: write a whole number such as 2.",
    "character.limit": "{Got} doesn't do here: write a whole number, {lowest} or more.",
    "character.weaker": "{Ability}{on_line} makes strength {strength}; toughness alone would make it {untrained}.",
    "command.none": "Minions need a leader with command, and this character has none.",
    "command.cp": "The minions cost {cost:,} points together, and command {command:,} gives {command:,}.",
    "command.many": "A leader has one or two minions, not {count:,}.",
    "command.chain": "A minion leads nobody, and one here has {got}.",
    MEANT: "{Got} means nothing here. Did you mean {expected}?",
    "sheet.several": "This page is about one character: {got}.",
    "sheet.ignored": "{Got}.",
    "start.levels": "{Got}. {expected}.",
    "play.difficulty": "{Got} is no whole number such as 12.",
    "play.condition": "Write {expected}.",
}
"""The sentence of each code, from what was expected and got, and from the facts of the problem."""

_COUNTED: Final[Mapping[str, tuple[str, str]]] = {
    "over": ("One point", "points"),
    "left": ("One point", "points"),
    "abilities": ("one ability", "abilities"),
}
"""The facts that a sentence counts something with: one of it, and the word for several."""


def said(problem: Problem) -> str:
    """A problem as a sentence for a player; a code without one of its own says what was expected and what was got."""
    facts = dict(problem.facts)
    line = facts.pop("line", "")
    for name, (one, several) in _COUNTED.items():
        if name in facts:
            facts[name] = one if facts[name] == 1 else f"{facts[name]:,} {several}"
    return _SAYINGS.get(problem.code, "Expected {expected}, got {got}.").format(
        expected=problem.expected,
        got=problem.got,
        Got=problem.got[:1].upper() + problem.got[1:],
        Ability=str(facts.get("ability", "")).capitalize(),
        line=f" ({line})" if line else "",
        on_line=f" on {line}" if line else "",
        **facts,
    )
