"""The text of a file as a tree: TOML or JSON of limited size, with the line of every place."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from scratch_core.errors import Location, Problem, ScratchError
from scratch_core.rulebook.toml_records import map_keys_to_lines

MAX_FILE_SIZE = 1_000_000
"""The maximum size of a file in bytes."""

MAX_DEPTH = 40
"""The maximum nesting of tables and lists. A scenario needs five levels."""

MAX_DOTS = 40
"""The maximum number of dots outside quotes in a line of TOML. A scenario needs a few at most."""

_STRING = r'"(?:[^"\\\n]|\\[^\n]?)*"?'
_QUOTED_JSON = re.compile(_STRING)
_QUOTED_TOML = re.compile(
    r'"""(?:[^"\\]|\\.?|"(?!""))*(?:"{3,5}|\Z)'
    + r"|'''(?:[^']|'(?!''))*(?:'{3,5}|\Z)|"
    + _STRING
    + r"|'[^'\n]*'?|#[^\n]*",
    re.DOTALL,
)
"""Strings and comments, up to where a parser would fail. Each is matched once, in linear time."""


def parse_toml_or_json(data: str | bytes) -> tuple[Mapping[str, Any], Mapping[str, int]]:
    """Parse a file into its tree and, for TOML, the lines of its places.

    A place is written `steps[3].target`. Text that begins with `{` is JSON. Raises `ScratchError`: `scenario.size`,
    `scenario.encoding`, `scenario.depth`, `scenario.syntax`.
    """
    text = _decode_utf8(data)
    is_json = text.lstrip()[:1] == "{"
    require_shallow_text(text, is_json)
    try:
        tree = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        got = str(error) or "something else"
        got = got if len(got) <= 200 else got[:199] + "…"
        expected = "JSON" if is_json else "TOML (or JSON, which begins with a brace)"
        raise ScratchError(Problem("scenario.syntax", expected, got, "the file")) from None
    return tree, {} if is_json else map_keys_to_lines(text)


def parse_json_or_none(text: str) -> object:
    """Parse a short JSON text. Returns None if it is invalid.

    Nesting that is too deep is rejected before the parser runs, because a deep recursion ends Python in a browser.
    """
    try:
        require_shallow_text(text, is_json=True)
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _decode_utf8(data: str | bytes) -> str:
    """Decode a file as UTF-8. Raises `ScratchError`: `scenario.size`, `scenario.encoding`."""
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    if size > MAX_FILE_SIZE:
        raise ScratchError(Problem("scenario.size", f"{MAX_FILE_SIZE:,} bytes at most", f"{size:,}", "the file"))
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        got = f"byte 0x{data[error.start]:02x} at {error.start:,}"
        raise ScratchError(Problem("scenario.encoding", "text in UTF-8", got, "the file")) from None


def require_shallow_text(text: str, is_json: bool) -> None:
    """Reject text that would take the parser too long or recurse too deeply.

    Raises `ScratchError` (`scenario.depth`).
    """
    depth = 0
    quoted = _QUOTED_JSON if is_json else _QUOTED_TOML
    unquoted = quoted.sub(lambda match: "\n" * match[0].count("\n"), text)
    for number, bare in enumerate(unquoted.split("\n"), 1):
        if not is_json and bare.count(".") > MAX_DOTS:
            got = f"{bare.count('.'):,}"
            raise ScratchError(Problem("scenario.depth", f"{MAX_DOTS} dots at most", got, Location(line=number)))
        for sign in re.findall(r"[\[\]{}]", bare):
            depth = depth + 1 if sign in "[{" else max(0, depth - 1)
            if depth > MAX_DEPTH:
                expected = f"tables and lists {MAX_DEPTH} deep at most"
                raise ScratchError(Problem("scenario.depth", expected, "deeper ones", Location(line=number)))


_JUNK = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters, line feeds and tabs aside, and lone surrogates."""


def replace_unprintable_with_spaces(text: str) -> str:
    """Replace control characters and lone surrogates with spaces.

    Line feeds and tabs remain, and Windows line ends become line feeds.
    """
    return _JUNK.sub(" ", text.replace("\r\n", "\n"))


def format_json(tree: object, **layout: Any) -> str:
    """Format a tree as JSON with readable letters, in which unprintable characters are escaped."""
    text = json.dumps(tree, ensure_ascii=False, **layout)
    return _JUNK.sub(lambda match: f"\\u{ord(match[0]):04x}", text) if _JUNK.search(text) else text
