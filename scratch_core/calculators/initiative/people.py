"""Who rolls initiative: a line each, `Ash: stealth 3, group hunters, reach 2, bonus 3`, for all four orders."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from scratch_core.calculators.form import slug
from scratch_core.characters.draft import NAME_LIMIT, tidy
from scratch_core.errors import Problem, shown

WORDS: Mapping[str, tuple[str, ...]] = {
    "scratch": ("stealth", "detection", "group"),
    "mano": ("reach",),
    "mano-old": ("reach",),
    "seize": ("bonus", "group"),
}
"""The words that count in each order; a line may have those of the others too.

Rules: `stealth.initiative`, `detection.initiative`, `turn.group`, `mano.start.reach`, `mano-old.initiative.reach`,
`seize.bonus`, `seize.gm-roll`."""

NUMBERS: Mapping[str, tuple[int, int]] = {
    "stealth": (0, 100),
    "detection": (0, 100),
    "reach": (0, 1000),
    "bonus": (-100, 100),
}
"""The least and the greatest number that a word may have."""

BARE: Mapping[str, str] = {"mano": "reach", "mano-old": "reach", "seize": "bonus"}
"""What a number without a word means."""

PEOPLE_LIMIT = 100
_ENTRY = re.compile(r"(?:(stealth|detection|reach|bonus)[\s:=]*)?([+-]?\d{1,6})", re.IGNORECASE | re.ASCII)
_GROUP = re.compile(r"group[\s:=]+(.+)", re.IGNORECASE)
_SUCCESS = {"succeeds": True, "succeeded": True, "success": True, "fails": False, "failed": False, "failure": False}


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who takes part: an id, a name, the group's name ("" for none of its own), and numbers by word."""

    id: str
    name: str
    group: str = ""
    numbers: Mapping[str, int] = field(default_factory=dict)

    @property
    def words(self) -> tuple[str, ...]:
        """The words that its line has."""
        return (*self.numbers, *(("group",) if self.group else ()))


@dataclass(frozen=True, slots=True)
class People:
    """Everybody, in the order of the lines, what is wrong with them, and the words that this order does not use."""

    people: tuple[Person, ...]
    problems: tuple[Problem, ...]
    unused: tuple[str, ...]

    @property
    def names(self) -> Mapping[str, str]:
        """The id of everybody by the names that others may call them by."""
        return {slug(each.name) or each.id: each.id for each in self.people} | {
            each.id: each.id for each in self.people
        }


def read_people(text: str, system: str) -> People:
    """Read the lines; one without a colon is a name alone. Never raises; problems stand at `who`."""
    people: dict[str, Person] = {}
    problems: list[Problem] = []
    lines = [(number, line) for number, each in enumerate(text.split("\n"), 1) if (line := tidy(each))]
    if len(lines) > PEOPLE_LIMIT:
        expected = f"{PEOPLE_LIMIT} lines at most"
        return People((), (Problem("initiative.who", expected, f"{len(lines):,}", "who"),), ())
    for number, line in lines:
        person = _person(line, number, system, problems)
        if person is None:
            continue
        if person.id in people:
            problems.append(_wrong("each name once", person.name, number))
            continue
        people[person.id] = person
    unused = dict.fromkeys(word for each in people.values() for word in each.words if word not in WORDS[system])
    return People(tuple(people.values()), tuple(problems), tuple(unused))


def _person(line: str, number: int, system: str, problems: list[Problem]) -> Person | None:
    """Read a line; None where it has no name. An entry that can't be read is left out; each such thing is a problem."""
    name, _, rest = (part.strip() for part in line.partition(":"))
    if not name or len(name) > NAME_LIMIT:
        problems.append(_wrong(f"a name of 1 to {NAME_LIMIT} characters", name, number))
        return None
    person = Person(slug(name) or f"line-{number}", name)
    for entry in filter(None, map(str.strip, rest.split(","))):
        grouped = _GROUP.fullmatch(entry)
        word, value = _word_and_number(entry, system)
        if grouped and len(grouped[1]) <= NAME_LIMIT:
            person = replace(person, group=grouped[1].strip())
        elif word and NUMBERS[word][0] <= value <= NUMBERS[word][1]:
            person = replace(person, numbers={**person.numbers, word: value})
        else:
            problems.append(_wrong(_expected(word, system), entry, number))
    return person


def _word_and_number(entry: str, system: str) -> tuple[str, int]:
    """The word and the number of `reach 2`, or of a bare `2`; "" and 0 where the entry is neither."""
    found = _ENTRY.fullmatch(entry)
    if found is None:
        return "", 0
    return (found[1] or BARE.get(system, "")).lower(), int(found[2])


def _expected(word: str, system: str) -> str:
    if word:
        low, high = NUMBERS[word]
        return f"{word} from {low} to {high}"
    words = [f"`{each} 2`" if each in NUMBERS else f"`{each} name`" for each in WORDS[system]]
    return f"{', '.join(words[:-1])} or {words[-1]}" if words[1:] else words[0]


def _wrong(expected: str, got: str, number: int) -> Problem:
    return Problem("initiative.who", expected, f"{shown(got)} on line {number}", "who")


# Those who are named in a control


def read_names(text: str, people: People, control: str) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """Read names separated by commas as ids, each once. Never raises; problems stand at the control."""
    found: dict[str, None] = {}
    problems = []
    for entry in _entries(text):
        who = people.names.get(slug(entry))
        if who is None:
            problems.append(_stranger(entry, people, control))
        else:
            found[who] = None
    return tuple(found), tuple(problems[:3])


def read_ambush(text: str, people: People) -> tuple[tuple[tuple[str, bool], ...], tuple[Problem, ...]]:
    """Read `Ash succeeds, Birch fails` as ids and success; a name alone succeeds. Problems stand at `ambush`.

    Rules: `mano.surprise.two-rolls`, `mano-old.surprise`.
    """
    found: dict[str, bool] = {}
    problems = []
    for entry in _entries(text):
        name, _, word = entry.rpartition(" ")
        success = _SUCCESS.get(word.lower()) if name else None
        who = people.names.get(slug(name if success is not None else entry))
        if who is None:
            problems.append(_stranger(entry, people, "ambush"))
        else:
            found[who] = success is not False
    return tuple(found.items()), tuple(problems[:3])


def _entries(text: str) -> list[str]:
    return [each for each in (tidy(part) for part in re.split(r"[,;\n]", text)[: 2 * PEOPLE_LIMIT]) if each]


def _stranger(entry: str, people: People, control: str) -> Problem:
    known = ", ".join(each.name for each in people.people)
    return Problem("initiative.name", f"a name among {known[:120] or 'those above'}", shown(entry), control)
