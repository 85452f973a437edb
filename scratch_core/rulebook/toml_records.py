"""Content as TOML files next to the code, such as `rulebook/rulings.toml`, loaded as records.

A file is read on first use. The browser has no such files: the build appends their content to this module
(`build_scripts.browser_app`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from functools import cache
from typing import Any, TypeVar

from scratch_core.errors import Location, Problem, Problems, ScratchError, format_input

Record = TypeVar("Record")

_HEADER = re.compile(r"^\s*(\[\[?)\s*([A-Za-z0-9_-]+)\s*\]\]?")
_KEY = re.compile(r"^\s*([A-Za-z0-9_-]+|\"[^\"\n]{1,60}\")\s*=")
_KINDS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "str": ("a text", lambda value: isinstance(value, str)),
    "str | None": ("a text", lambda value: isinstance(value, str)),
    "int": ("a whole number", lambda value: type(value) is int),
    "bool": ("true or false", lambda value: isinstance(value, bool)),
    "tuple[str, ...]": ("a list of texts", lambda value: isinstance(value, list) and _has_only_texts(value)),
    "Mapping[str, str]": ("texts by name", lambda value: isinstance(value, dict) and _has_only_texts(value.values())),
}
"""The expected value in words and its check, by the annotation of a record's field."""


def _has_only_texts(parts: Iterable[object]) -> bool:
    return all(isinstance(part, str) for part in parts)


def load_toml_text(name: str) -> str:
    """Return the text of a TOML file of this package.

    `name` is its path without the suffix: `scenario/harbour`.
    """
    from pkgutil import get_data

    data = get_data("scratch_core", f"{name}.toml")
    assert data is not None
    return data.decode()


@cache
def load_table(name: str) -> Mapping[str, Any]:
    """Parse a TOML file.

    Raises `ScratchError` (`content.syntax`) with the line of a syntax error.
    """
    import tomllib

    try:
        return tomllib.loads(load_toml_text(name))
    except tomllib.TOMLDecodeError as error:
        raise ScratchError(Problem("content.syntax", "TOML", str(error), f"{name}.toml")) from None


def load_records(name: str, kind: type[Record], /, **choices: Collection[str]) -> tuple[Record, ...]:
    """Load a file that is one list of tables as records.

    The keys of a table are the fields of its record. Lists become tuples. `choices` are the allowed values of a field,
    by its name. Raises `ScratchError` with every problem at once, each with file and line: `content.key` for a key that
    is missing or unknown, `content.value` for a value of the wrong type.
    """
    ((heading, rows),) = load_table(name).items()
    problems = Problems()
    for place, row in enumerate(rows):
        for problem in _record_problems(row, kind, choices):
            lines, table = map_keys_to_lines(load_toml_text(name)), Location(heading, place)
            where = table / problem.where
            line = lines.get(where, lines.get(table, 1))  # a missing key has no line of its own
            problems.append(problem.with_location(Location(*where.path, line=line, file=f"{name}.toml")))
    problems.raise_if_any()
    return tuple(
        kind(**{key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}) for row in rows
    )


def _record_problems(row: Mapping[str, Any], kind: Any, choices: Mapping[str, Collection[str]]) -> Iterator[Problem]:
    """Yield the problems of a table, each with its key as `where`."""
    known = {each.name: each for each in fields(kind)}
    for key in row:
        if key not in known:
            yield Problem("content.key", f"one of {', '.join(known)}", key, key)
    for key, field in known.items():
        if key not in row:
            if field.default is field.default_factory is MISSING:
                yield Problem("content.key-missing", f"the key {key}", "none", key)
        elif key in choices:
            if row[key] not in choices[key]:
                yield Problem("content.value", f"one of {', '.join(choices[key])}", format_input(row[key]), key)
        else:
            words, is_fit = _KINDS[str(field.type)]
            if not is_fit(row[key]):
                yield Problem("content.value", words, format_input(row[key]), key)


def map_keys_to_lines(toml: str) -> dict[str, int]:
    """Map each table and each of its keys to its line, from 1.

    Lines of a multi-line string that look like a key or a table are mapped, too.
    """
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}
    prefix = ""
    for number, line in enumerate(toml.split("\n"), 1):
        header = _HEADER.match(line)
        key = None if header else _KEY.match(line)
        if header and header[1] == "[[":
            prefix = f"{header[2]}[{counts.get(header[2], 0)}]"
            counts[header[2]] = counts.get(header[2], 0) + 1
            lines[prefix] = number
        elif header:
            prefix = header[2]
            lines[prefix] = number
        elif key:
            name = key[1].strip('"')
            lines.setdefault(f"{prefix}.{name}" if prefix else name, number)
    return lines
