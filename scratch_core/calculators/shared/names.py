"""Names as people type them: who is meant by a name, and the rolls written behind one.

Names are compared by `name_key`, never by id: an id keeps only a-z, 0-9 and hyphens, so two names may share it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from scratch_core.characters import MAX_NAME_LENGTH, clean_line
from scratch_core.dice import is_face
from scratch_core.errors import Problem, Problems, format_input, join_words
from scratch_core.normalization import name_key, normalize_input

MAX_ENTRIES = 200
"""As many groups as the faces of one initiative may name."""
MAX_FACES_PER_GROUP = 100
"""As many faces as one group may have thrown, its ties included."""

_SEPARATOR_PATTERN: Final = re.compile(r"([,;\n])")
_ROLLS_PATTERN: Final = re.compile(r"(.*?)((?:[\s:=]+[0-9]{1,4})+)", re.DOTALL)
_FACE_PATTERN: Final = re.compile(r"[\s:=]+[0-9]{1,4}")
_ID_ROLLS_PATTERN: Final = re.compile(r"([a-z0-9-]+)((?: [0-9]{1,4})+)")
_MAX_NAMES_LISTED: Final = 8


@dataclass(frozen=True, slots=True)
class NameIndex:
    """Who is meant by a name, by its key; more than one where the name is ambiguous."""

    ids_by_name: Mapping[str, tuple[str, ...]]
    """Whole names, and the ids that are no one's name."""
    ids_by_partial_name: Mapping[str, tuple[str, ...]]
    """First names, and `Goblin 1` for the Goblin that has a Goblin 2 beside it."""
    names_by_id: Mapping[str, str]
    """The name of each one who can be meant, in order."""

    @classmethod
    def build_for_groups(cls, members: Iterable[tuple[str, str, str]]) -> NameIndex:
        """Index groups by their own names and by those of their members: triples of group, name and id."""
        found = list(members)
        shared = sorted({group for group, _, _ in found}.difference(own_id for _, _, own_id in found))
        return cls.build((*((group, group, "") for group in shared), *found))

    @classmethod
    def build(cls, entries: Iterable[tuple[str, str, str]]) -> NameIndex:
        """Index triples of what is meant, its name ("" for none) and its id ("" for none)."""
        whole: dict[str, dict[str, None]] = {}
        partial: dict[str, dict[str, None]] = {}
        names: dict[str, str] = {}
        found = list(entries)
        for target, name, _ in found:
            if key := name_key(name):
                whole.setdefault(key, {})[target] = None
                names.setdefault(target, name)
        by_name = dict.fromkeys(whole)
        for target, _, own_id in found:
            names.setdefault(target, target)
            if own_id and (key := name_key(own_id)) not in by_name:
                whole.setdefault(key, {})[target] = None
        for key in by_name:
            shorter = [each for each in accumulate(key.split(), "{} {}".format) if re.search(r"[^\W\d_]", each)]
            for each in (*shorter[:-1], *([f"{key} 1"] if f"{key} 2" in by_name else [])):
                if each not in whole:
                    partial.setdefault(each, {}).update(whole[key])
        return cls({key: tuple(each) for key, each in whole.items()}, {k: tuple(v) for k, v in partial.items()}, names)

    def find_ids(self, name: str) -> tuple[str, ...]:
        """Return the ids of all that a name may mean.

        Returns () if the name matches nothing.
        """
        key = name_key(name[: 2 * MAX_NAME_LENGTH])
        found = self.ids_by_name.get(key) or self.ids_by_partial_name.get(key, ())
        return (name.strip(),) if len(found) > 1 and name.strip() in found else found

    def split_entries(self, text: str, is_known: Callable[[str], bool]) -> list[str]:
        """Return the entries of a text, parted at commas, semicolons and line ends.

        A known name may have those in it: the longest entry that `is_known` counts.
        """
        parts = _SEPARATOR_PATTERN.split(normalize_input(text))
        most = max((len(_SEPARATOR_PATTERN.findall(key)) for key in self.ids_by_name), default=0)
        found, place = [], 0
        while place < len(parts):
            ends = range(min(place + 2 * most + 1, len(parts)), place, -2)
            joined = ((clean_line("".join(parts[place:end])), end) for end in ends)
            entry, end = next((each for each in joined if is_known(each[0])), (clean_line(parts[place]), place + 1))
            found.append(entry)
            place = end + 1
        return [entry for entry in found if entry]

    def build_problem(self, name: str, where: str, example: str, rule: str | None = None) -> Problem:
        """Return why a name means no one, or not one alone; `example` shows how an entry is written."""
        found = self.find_ids(name)
        known = list(self.names_by_id.values())
        if len(found) > 1:
            several = join_words([f"“{self.names_by_id[each]}”" for each in found[:_MAX_NAMES_LISTED]])
            return Problem("names.ambiguous", f"Write which: {several}", f"{_quote(name)} may be several", where, rule)
        if not known:
            got = f"No one here is called {_quote(name)}"
            return Problem("names.none-yet", "Add a character first", got, where, rule)
        return Problem(
            "names.unknown",
            f"Write {example.format(known[0])}; the names here are {join_words(known[:_MAX_NAMES_LISTED])}",
            f"No one here is called {_quote(name)}",
            where,
            rule,
        )


def _quote(text: str) -> str:
    """Return what was typed, short and in quotation marks."""
    plain = format_input(text.strip())
    return f"“{plain[1:-1]}”" if plain[:1] in "'\"" and len(plain) > 1 else plain


# The rolls behind names: `Goblin 2 13, Kim 9`


def parse_initiative(text: str, index: NameIndex) -> tuple[dict[str, list[int]], tuple[Problem, ...]]:
    """Read faces by group, `Kim 9, Goblin 2 13`; a tie's further faces follow the first. Never raises.

    The longest known name is meant; what may mean two things is a problem. A colon may part name and faces. A text
    with the id of every group, as links have it, is read by ids.
    Rules: `turn.initiative-roll`, `turn.tie`, `roll.die-substitute`.
    """
    pieces = [clean_line(piece) for piece in _SEPARATOR_PATTERN.split(normalize_input(text))[::2] if piece.strip()]
    if len(pieces) > MAX_ENTRIES:
        expected = f"{MAX_ENTRIES} groups at most"
        return {}, (Problem("initiative.too-many", expected, f"{len(pieces):,}", "initiative"),)
    by_ids = _parse_by_ids(pieces, index)
    if by_ids is not None:
        return by_ids, ()
    found: dict[str, list[int]] = {}
    problems = Problems()
    unsure: list[tuple[str, _EntryReading | None]] = []
    for entry in index.split_entries(text, lambda entry: bool(_list_readings(entry, index))):
        readings = _list_readings(entry, index)
        if name_key(entry) in index.ids_by_name:
            unsure.append((entry, next(iter(readings), None)))
        elif readings:
            _add_reading(found, problems, entry, readings[0], index)
        else:
            known = _ROLLS_PATTERN.fullmatch(entry)
            problems.append(
                index.build_problem(
                    known[1] if known else entry, "initiative", "a name and its roll, such as “{} 13”", "turn.group"
                )
            )
    for entry, reading in unsure:  # a known name without a roll, unless its end is the roll of a shorter name
        whole = index.ids_by_name[name_key(entry)]
        if reading and len(whole) == 1 and whole[0] in found:
            _add_reading(found, problems, entry, reading, index)
            continue
        named = entry[:MAX_NAME_LENGTH]
        expected, got = f"Write the roll behind it, such as “{named}: 13”", f"{_quote(entry)} has no roll"
        if reading:
            rolled = f"{clean_line(reading.name)}: {' '.join(map(str, reading.faces))}"
            expected = f"Write “{rolled}”, or “{named}: 13”"
            got = f"{_quote(entry)} may be a name without a roll, or a shorter name with one"
        problems.report("names.no-roll", expected, got, "initiative", "turn.group")
    return found, tuple(problems)


@dataclass(frozen=True, slots=True)
class _EntryReading:
    """One way to part an entry into a name and faces."""

    name: str
    faces: tuple[int, ...]


def _parse_by_ids(pieces: Sequence[str], index: NameIndex) -> dict[str, list[int]] | None:
    """Read a text that has the id of every group once; None for any other."""
    found: dict[str, list[int]] = {}
    for piece in pieces:
        match = _ID_ROLLS_PATTERN.fullmatch(clean_line(piece))
        if match is None or match[1] not in index.names_by_id or match[1] in found:
            return None
        found[match[1]] = [int(face) for face in match[2].split()]
    is_whole = len(found) == len(index.names_by_id) and all(_has_valid_faces(faces) for faces in found.values())
    return found if is_whole else None


def _list_readings(entry: str, index: NameIndex) -> list[_EntryReading]:
    """Return the ways to read an entry whose name is known, the longest name first."""
    match = _ROLLS_PATTERN.fullmatch(entry) if len(entry) <= 2 * MAX_NAME_LENGTH + 5 * MAX_FACES_PER_GROUP else None
    if match is None:
        return []
    tail = _FACE_PATTERN.findall(match[2])
    marked = [place for place, piece in enumerate(tail) if ":" in piece or "=" in piece]
    found = []
    for place in range(len(tail) - 1, (marked[-1] if marked else 0) - 1, -1):
        name = match[1] + "".join(tail[:place])
        if index.find_ids(name):
            found.append(_EntryReading(name, tuple(int(piece.strip(" \t\r\n:=")) for piece in tail[place:])))
    return found


def _has_valid_faces(faces: Sequence[int]) -> bool:
    return len(faces) <= MAX_FACES_PER_GROUP and all(is_face(face) for face in faces)


def _add_reading(
    found: dict[str, list[int]], problems: Problems, entry: str, reading: _EntryReading, index: NameIndex
) -> None:
    """Add the faces of a reading to those found, or what is wrong with it to the problems."""
    targets = index.find_ids(reading.name)
    if len(targets) > 1:
        problems.append(index.build_problem(reading.name, "initiative", "", "turn.group"))
    elif targets[0] in found:
        got = f"{_quote(entry)} is a second roll for {index.names_by_id[targets[0]]}"
        problems.report("names.twice", "Write one entry for each", got, "initiative", "turn.group")
    elif not _has_valid_faces(reading.faces):
        expected, rule = "faces from 1 to 20", "roll.die-substitute"
        problems.report_value("initiative.roll", expected, entry, "initiative", rule)
    else:
        found[targets[0]] = list(reading.faces)


def format_initiative(faces: Mapping[str, Sequence[int]], index: NameIndex) -> str:
    """Write faces as `parse_initiative` reads them: `Ash 12, Goblin 2: 13`."""
    numbers = [key for key in index.ids_by_name if key[-1:].isdigit()]
    entries = []
    for who, each in faces.items():
        name = index.names_by_id.get(who, who)
        start = f"{name_key(name)} "
        entries.append(format_roll(name, *each, has_numbers=any(key.startswith(start) for key in numbers)))
    text = ", ".join(entries)
    if parse_initiative(text, index) == ({who: list(each) for who, each in faces.items()}, ()):
        return text
    return ", ".join(f"{who} {' '.join(map(str, each))}" for who, each in faces.items())


def format_roll(name: str, *faces: int, has_numbers: bool = False) -> str:
    """Write the faces behind a name, with a colon between where the name ends in a digit or has numbered namesakes."""
    return f"{name}{':' if has_numbers or name[-1:].isdigit() else ''} {' '.join(map(str, faces))}"


def choose_example_names(names: Sequence[str], instead: tuple[str, str]) -> tuple[str, str]:
    """Return the first two names for an example, or others where there are fewer."""
    return (names[0], names[1]) if len(names) > 1 else instead


def format_rolls_example(names: tuple[str, str]) -> str:
    """Return how rolls for initiative are typed: `Ash 12, Guard 2: 17`."""
    return ", ".join(map(format_roll, names, (12, 17)))
