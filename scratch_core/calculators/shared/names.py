"""Names as players type them: look up characters by name, number duplicates, and parse the rolls written behind names.

Names are compared by `name_key`, not by id: an id has only a-z, 0-9 and hyphens, so two names may have the same one.
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
"""The most entries in the rolls of one initiative."""
MAX_FACES_PER_GROUP = 100
"""The most faces of one group, those of ties included."""

_SEPARATOR_PATTERN: Final = re.compile(r"([,;\n])")
_ROLLS_PATTERN: Final = re.compile(r"(.*?)((?:[\s:=]+[0-9]{1,4})+)", re.DOTALL)
_FACE_PATTERN: Final = re.compile(r"[\s:=]+[0-9]{1,4}")
_ID_ROLLS_PATTERN: Final = re.compile(r"([a-z0-9-]+)((?: [0-9]{1,4})+)")
_MAX_NAMES_LISTED: Final = 8
_EXAMPLE_FACES: Final = (12, 17)
_ARTICLES: Final = frozenset(("a", "an", "the"))


@dataclass(frozen=True, slots=True)
class NameIndex:
    """The targets of names, which are characters or groups by id.

    An ambiguous name has several targets.
    """

    ids_by_name: Mapping[str, tuple[str, ...]]
    """The targets of each whole name, by its `name_key`. An id that is no name counts as a name."""
    ids_by_partial_name: Mapping[str, tuple[str, ...]]
    """The targets of first names, and of `Goblin 1` if there are a Goblin and a Goblin 2, by `name_key`."""
    names_by_id: Mapping[str, str]
    """The name of each target, in the order of the entries."""

    @classmethod
    def build_with_group_names(cls, groups_names_ids: Iterable[tuple[str, str, str]]) -> NameIndex:
        """Index groups by their own names and by those of their members.

        `groups_names_ids` are triples of a group, and the name and id of a member.
        """
        entries = list(groups_names_ids)
        shared = sorted({group for group, _, _ in entries}.difference(own_id for _, _, own_id in entries))
        return cls.build((*((group, group, "") for group in shared), *entries))

    @classmethod
    def build(cls, targets_names_ids: Iterable[tuple[str, str, str]]) -> NameIndex:
        """Index triples of a target, its name and its id.

        The name and the id may be "".
        """
        whole: dict[str, dict[str, None]] = {}
        partial: dict[str, dict[str, None]] = {}
        names: dict[str, str] = {}
        triples = list(targets_names_ids)
        for target, name, _ in triples:
            if key := name_key(name):
                whole.setdefault(key, {})[target] = None
                names.setdefault(target, name)
        by_name = dict.fromkeys(whole)
        for target, _, own_id in triples:
            names.setdefault(target, target)
            if own_id and (key := name_key(own_id)) not in by_name:
                whole.setdefault(key, {})[target] = None
        for key in by_name:
            shorter = [each for each in accumulate(key.split(), "{} {}".format) if re.search(r"[^\W\d_]", each)]
            for each in (*shorter[:-1], *([f"{key} 1"] if f"{key} 2" in by_name else [])):
                if each not in whole:
                    partial.setdefault(each, {}).update(whole[key])
        return cls({key: tuple(each) for key, each in whole.items()}, {k: tuple(v) for k, v in partial.items()}, names)

    def find_possible_ids(self, name: str) -> tuple[str, ...]:
        """Return the ids of all targets that a name may mean.

        Returns () if the name matches nothing. Returns only one of several matches if the text is exactly its id.
        """
        key = name_key(name[: 2 * MAX_NAME_LENGTH])
        ids = self.ids_by_name.get(key) or self.ids_by_partial_name.get(key, ())
        return (name.strip(),) if len(ids) > 1 and name.strip() in ids else ids

    def split_entries(self, text: str, is_known: Callable[[str], bool]) -> list[str]:
        """Split a text into entries at commas, semicolons and line ends.

        A known name may contain these separators, so an entry is the longest text for which `is_known` returns True.
        """
        parts = _SEPARATOR_PATTERN.split(normalize_input(text))
        max_separators = max((len(_SEPARATOR_PATTERN.findall(key)) for key in self.ids_by_name), default=0)
        entries, start = [], 0
        while start < len(parts):
            ends = range(min(start + 2 * max_separators + 1, len(parts)), start, -2)
            candidates = ((clean_line("".join(parts[start:end])), end) for end in ends)
            entry, end = next(
                (candidate for candidate in candidates if is_known(candidate[0])), (clean_line(parts[start]), start + 1)
            )
            entries.append(entry)
            start = end + 1
        return [entry for entry in entries if entry]

    def build_problem(self, name: str, control: str, example: str, rule: str | None = None) -> Problem:
        """Build the problem of a name that is unknown or ambiguous.

        `example` shows how an entry is written, with `{}` for a name. The code is `names.ambiguous`, `names.unknown`,
        or `names.none-yet` if the index is empty.
        """
        ids = self.find_possible_ids(name)
        known = list(self.names_by_id.values())
        if len(ids) > 1:
            several = join_words([f"“{self.names_by_id[each]}”" for each in ids[:_MAX_NAMES_LISTED]])
            return Problem(
                "names.ambiguous", f"Write which: {several}", f"{_quote(name)} may be several", control, rule
            )
        if not known:
            got = f"No one here is called {_quote(name)}"
            return Problem("names.none-yet", "Add a character first", got, control, rule)
        return Problem(
            "names.unknown",
            f"Write {example.format(known[0])}; the names here are {join_words(known[:_MAX_NAMES_LISTED])}",
            f"No one here is called {_quote(name)}",
            control,
            rule,
        )


def _quote(text: str) -> str:
    """Return typed text, shortened and in quotation marks."""
    plain = format_input(text.strip())
    return f"“{plain[1:-1]}”" if plain[:1] in "'\"" and len(plain) > 1 else plain


# The rolls behind names: `Goblin 2 13, Kim 9`


def parse_typed_initiative_faces(text: str, index: NameIndex) -> tuple[dict[str, list[int]], tuple[Problem, ...]]:
    """Parse the faces of each group, such as `Kim 9, Goblin 2 13`.

    Returns the faces by the group's id, and the problems at the control `initiative`. Never raises. The faces of ties
    follow the first one. A colon may separate name and faces. The longest known name counts; an ambiguous entry is a
    problem. A text that has the id of every group, as in links, is parsed by ids.
    Rules: `turn.initiative-roll`, `turn.tie`, `roll.die-substitute`.
    """
    pieces = [clean_line(piece) for piece in _SEPARATOR_PATTERN.split(normalize_input(text))[::2] if piece.strip()]
    if len(pieces) > MAX_ENTRIES:
        expected = f"{MAX_ENTRIES} groups at most"
        return {}, (Problem("initiative.too-many", expected, f"{len(pieces):,}", "initiative"),)
    by_ids = _parse_if_all_ids(pieces, index)
    if by_ids is not None:
        return by_ids, ()
    faces_by_group: dict[str, list[int]] = {}
    problems = Problems()
    unsure: list[tuple[str, _EntryReading | None]] = []
    for entry in index.split_entries(text, lambda entry: bool(_list_name_and_faces_readings(entry, index))):
        readings = _list_name_and_faces_readings(entry, index)
        if name_key(entry) in index.ids_by_name:
            unsure.append((entry, next(iter(readings), None)))
        elif readings:
            _add_reading_or_report(faces_by_group, problems, entry, readings[0], index)
        else:
            match = _ROLLS_PATTERN.fullmatch(entry)
            problems.append(
                index.build_problem(
                    match[1] if match else entry, "initiative", "a name and its roll, such as “{} 13”", "turn.group"
                )
            )
    for entry, reading in unsure:
        _add_unsure_entry_or_report(faces_by_group, problems, entry, reading, index)
    return faces_by_group, tuple(problems)


def _add_unsure_entry_or_report(
    faces_by_group: dict[str, list[int]],
    problems: Problems,
    entry: str,
    reading: _EntryReading | None,
    index: NameIndex,
) -> None:
    """Add an entry that is itself a known name.

    `reading` is not None if its end may be the roll of a shorter name. It counts if the longer name has a roll already;
    otherwise, the entry is a problem.
    """
    whole = index.ids_by_name[name_key(entry)]
    if reading and len(whole) == 1 and whole[0] in faces_by_group:
        _add_reading_or_report(faces_by_group, problems, entry, reading, index)
        return
    named = entry[:MAX_NAME_LENGTH]
    expected, got = f"Write the roll behind it, such as “{named}: 13”", f"{_quote(entry)} has no roll"
    if reading:
        rolled = f"{clean_line(reading.name)}: {' '.join(map(str, reading.faces))}"
        expected = f"Write “{rolled}”, or “{named}: 13”"
        got = f"{_quote(entry)} may be a name without a roll, or a shorter name with one"
    problems.report("names.no-roll", expected, got, "initiative", "turn.group")


@dataclass(frozen=True, slots=True)
class _EntryReading:
    """One way to divide an entry into a name and faces."""

    name: str
    """The name, as typed."""
    faces: tuple[int, ...]
    """The numbers behind it, which may be no faces of a d20."""


def _parse_if_all_ids(pieces: Sequence[str], index: NameIndex) -> dict[str, list[int]] | None:
    """Parse entries that have the id of every group exactly once.

    Returns None for any other entries.
    """
    faces_by_group: dict[str, list[int]] = {}
    for piece in pieces:
        match = _ID_ROLLS_PATTERN.fullmatch(clean_line(piece))
        if match is None or match[1] not in index.names_by_id or match[1] in faces_by_group:
            return None
        faces_by_group[match[1]] = [int(face) for face in match[2].split()]
    is_complete = len(faces_by_group) == len(index.names_by_id)
    return faces_by_group if is_complete and all(map(_has_valid_faces, faces_by_group.values())) else None


def _list_name_and_faces_readings(entry: str, index: NameIndex) -> list[_EntryReading]:
    """List the ways to divide an entry into known name and faces, longest name first."""
    match = _ROLLS_PATTERN.fullmatch(entry) if len(entry) <= 2 * MAX_NAME_LENGTH + 5 * MAX_FACES_PER_GROUP else None
    if match is None:
        return []
    tail = _FACE_PATTERN.findall(match[2])
    marked = [start for start, piece in enumerate(tail) if ":" in piece or "=" in piece]
    readings = []
    for start in range(len(tail) - 1, (marked[-1] if marked else 0) - 1, -1):
        name = match[1] + "".join(tail[:start])
        if index.find_possible_ids(name):
            readings.append(_EntryReading(name, tuple(int(piece.strip(" \t\r\n:=")) for piece in tail[start:])))
    return readings


def _has_valid_faces(faces: Sequence[int]) -> bool:
    return len(faces) <= MAX_FACES_PER_GROUP and all(is_face(face) for face in faces)


def _add_reading_or_report(
    faces_by_group: dict[str, list[int]], problems: Problems, entry: str, reading: _EntryReading, index: NameIndex
) -> None:
    """Add the faces of a reading to `faces_by_group`, or report why they are invalid."""
    targets = index.find_possible_ids(reading.name)
    if len(targets) > 1:
        problems.append(index.build_problem(reading.name, "initiative", "", "turn.group"))
    elif targets[0] in faces_by_group:
        got = f"{_quote(entry)} is a second roll for {index.names_by_id[targets[0]]}"
        problems.report("names.twice", "Write one entry for each", got, "initiative", "turn.group")
    elif not _has_valid_faces(reading.faces):
        expected, rule = "faces from 1 to 20", "roll.die-substitute"
        problems.report_value("initiative.roll", expected, entry, "initiative", rule)
    else:
        faces_by_group[targets[0]] = list(reading.faces)


def format_initiative_faces(faces: Mapping[str, Sequence[int]], index: NameIndex) -> str:
    """Format faces so that `parse_typed_initiative_faces` parses them: `Ash 12, Goblin 2: 13`.

    Writes ids in place of names if a text with names would not be parsed to the same faces.
    """
    numbers = [key for key in index.ids_by_name if key[-1:].isdigit()]
    entries = []
    for group, own_faces in faces.items():
        name = index.names_by_id.get(group, group)
        start = f"{name_key(name)} "
        entries.append(
            format_name_and_faces(name, *own_faces, has_numbers=any(key.startswith(start) for key in numbers))
        )
    text = ", ".join(entries)
    if parse_typed_initiative_faces(text, index) == (
        {group: list(own_faces) for group, own_faces in faces.items()},
        (),
    ):
        return text
    return ", ".join(f"{group} {' '.join(map(str, own_faces))}" for group, own_faces in faces.items())


def format_name_and_faces(name: str, *faces: int, has_numbers: bool = False) -> str:
    """Format a name and the faces behind it.

    A colon separates them if the name ends in a digit, or if `has_numbers`: there are numbered namesakes.
    """
    return f"{name}{':' if has_numbers or name[-1:].isdigit() else ''} {' '.join(map(str, faces))}"


def choose_example_names(names: Sequence[str], instead: tuple[str, str]) -> tuple[str, str]:
    """Return the first two names for an example, or `instead` if there are fewer."""
    return (names[0], names[1]) if len(names) > 1 else instead


def format_rolls_example(groups_and_names: Iterable[tuple[str, str]], index: NameIndex, fallback: str) -> str:
    """Format an example of rolls for initiative: `Ash 12, Guard 2: 17`.

    `groups_and_names` are the characters, each with the group that rolls for it. The example has the shortest name of
    the first character of each of two groups, and `parse_typed_initiative_faces` parses it. Returns `fallback` without
    characters.
    """
    names_by_group: dict[str, str] = {}
    for group, name in groups_and_names:
        names_by_group.setdefault(group, name)
    faces_by_group = dict(zip(names_by_group, _EXAMPLE_FACES, strict=False))
    expected = ({group: [face] for group, face in faces_by_group.items()}, ())
    for shorten in (_find_shortest_name, lambda name, _: name):
        names = [shorten(names_by_group[group], index) for group in faces_by_group]
        example = ", ".join(map(format_name_and_faces, names, _EXAMPLE_FACES))
        if names and parse_typed_initiative_faces(example, index) == expected:
            return example
    return fallback


def _find_shortest_name(name: str, index: NameIndex) -> str:
    """Return the first words of a name that find only its group.

    An article or a number alone is no name.
    """
    ids = index.find_possible_ids(name)
    shorter = accumulate(name.split(), "{} {}".format)
    return next(
        (each for each in shorter if each.casefold() not in _ARTICLES and index.find_possible_ids(each) == ids), name
    )


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
