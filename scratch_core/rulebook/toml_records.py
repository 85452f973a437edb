"""Content: what is told rather than done, as TOML beside the code, such as `catalogue/rulings.toml`.

A file is read when it is first asked for. In a browser no file is: there the build writes what they hold below this
module's own lines (`build_scripts.browser_app`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields, replace
from functools import cache
from typing import Any, TypeVar

from scratch_core.errors import Problem, ScratchError, format_input

Record = TypeVar("Record")

_HEADER = re.compile(r"^\s*(\[\[?)\s*([A-Za-z0-9_-]+)\s*\]\]?")
_KEY = re.compile(r"^\s*([A-Za-z0-9_-]+|\"[^\"\n]{1,60}\")\s*=")
_KINDS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "str": ("a text", lambda had: isinstance(had, str)),
    "str | None": ("a text", lambda had: isinstance(had, str)),
    "int": ("a whole number", lambda had: type(had) is int),
    "bool": ("true or false", lambda had: isinstance(had, bool)),
    "tuple[str, ...]": ("a list of texts", lambda had: isinstance(had, list) and _are_texts(had)),
    "Mapping[str, str]": ("texts by name", lambda had: isinstance(had, dict) and _are_texts(had.values())),
}
"""What a file has for a field of a record, by the field's annotation."""


def _are_texts(parts: Iterable[object]) -> bool:
    return all(isinstance(part, str) for part in parts)


def load_text(name: str) -> str:
    """The text of a file of this package by its path, without its ending: `scenario/harbour`."""
    from pkgutil import get_data

    data = get_data("scratch_core", f"{name}.toml")
    assert data is not None
    return data.decode()


@cache
def load_table(name: str) -> Mapping[str, Any]:
    """What a file holds; raises `ScratchError` (`content.syntax`) with the line where it is no TOML."""
    import tomllib

    try:
        return tomllib.loads(load_text(name))
    except tomllib.TOMLDecodeError as error:
        raise ScratchError(Problem("content.syntax", "TOML", str(error), f"{name}.toml")) from None


def load_records(name: str, kind: type[Record], /, **choices: Collection[str]) -> tuple[Record, ...]:
    """The tables of a file that is one list of them, each as a record whose fields are its keys; lists become tuples.

    `choices` are all that a field may say, by its name. Raises `ScratchError` with every problem at once, each with
    file and line: `content.key` for a key that is missing or is no field, `content.value` for a value of another kind.
    """
    ((heading, rows),) = load_table(name).items()
    problems = []
    for place, row in enumerate(rows):
        for problem in _problems(row, kind, choices):
            lines, where = map_lines(load_text(name)), f"{heading}[{place}].{problem.where}"
            line = lines.get(where, lines.get(f"{heading}[{place}]", 1))  # what is missing: where the table begins
            problems.append(replace(problem, where=f"{where} ({name}.toml, line {line})"))
    if problems:
        raise ScratchError(*problems)
    return tuple(
        kind(**{key: tuple(had) if isinstance(had, list) else had for key, had in row.items()}) for row in rows
    )


def _problems(row: Mapping[str, Any], kind: Any, choices: Mapping[str, Collection[str]]) -> Iterator[Problem]:
    """What is wrong with a table; each problem names the key."""
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


def map_lines(toml: str) -> dict[str, int]:
    """The line of each table and of each of its keys; what stands inside a text of several lines may deceive it."""
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
