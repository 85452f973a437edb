"""Parse and format query strings, which hold the whole state of a calculator.

The body of a calculator's fence, the content of its form and its share link are query strings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_letters, digits
from urllib.parse import quote

DEFAULT_MAX_QUERY_LENGTH = 20_000
"""The most characters of a query. The rest is cut off, and `Query.is_cut` is True.

A calculator whose queries hold a file has its own `MAX_QUERY_LENGTH`.
"""

SAVED_ENTRIES_CONTROL = "kept"
"""The control in which a browser submits its saved entries. No canonical query has it."""
_MAX_SAVED_LENGTH = 12 * 200_000

_LABEL = re.compile(r"\+?\[[^\]]*\]")
_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_MIN_LONG_LENGTH = 2_000
_UNESCAPED = frozenset(f"{ascii_letters}{digits}_.-~,")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query string."""

    raw: Mapping[str, str]
    """The values by control, still escaped. The last value counts if a query has a control several times."""
    is_cut: bool = False
    """Whether the query was too long, so that its end is missing."""

    def text(self, name: str, default: str = "") -> str:
        """Return the decoded value of a control.

        Invalid escapes remain as typed. Control characters become spaces.
        """
        value = self.raw.get(name)
        return default if value is None else _decode_value(value)

    def notation(self, name: str, default: str = "") -> str:
        """Return the decoded value of a control that holds dice notation.

        Forms write a space as `+` and a plus sign as `%2B`. A value without `%2B` may be an address typed by hand, such
        as `d20+3`, so its `+` is a plus sign, except around `vs`, and in and before the brackets of a label, where a
        plus sign would make no sense.
        """
        value = self.raw.get(name)
        if value is None:
            return default
        if "%2b" in value.lower():
            return _replace_control_characters(_unescape(value.replace("+", " ")))
        typed = _unescape(value.replace("+vs+", " vs "))
        return _replace_control_characters(_LABEL.sub(lambda label: label[0].replace("+", " "), typed))

    def __contains__(self, name: str) -> bool:
        return name in self.raw


def parse_query(text: str, max_length: int = DEFAULT_MAX_QUERY_LENGTH) -> Query:
    """Parse a query string, with or without its question mark.

    Pairs are separated by `&` or by line ends. Never raises: a control without `=` has the value "". A text of more
    than `max_length` characters is cut. Escaped characters such as `%E4%BD%A0` count as one, and saved entries don't
    count.
    """
    raw: dict[str, str] = {}
    text, saved_entries = _split_off_saved_entries_field(text)
    cut = len(text) > max_length and (len(text) > _MAX_ESCAPED_LENGTH * max_length or len(_unescape(text)) > max_length)
    for pair in (text[:max_length] if cut else text).replace("\r", "").replace("\n", "&").split("&"):
        name, _, value = pair.partition("=")
        if name:
            raw[_unescape(name.replace("+", " "))] = value
    return Query(raw | saved_entries, cut)


def _split_off_saved_entries_field(text: str) -> tuple[str, dict[str, str]]:
    """Split a query into the rest and the control of saved entries.

    The second part is empty if there are no saved entries, or more than a browser submits.
    """
    head, mark, rest = f"&{text.removeprefix('?')}".partition(f"&{SAVED_ENTRIES_CONTROL}=")
    value, joint, tail = rest.partition("&")
    return f"{head}{joint}{tail}".removeprefix("&"), {SAVED_ENTRIES_CONTROL: value} if mark and len(
        value
    ) <= _MAX_SAVED_LENGTH else {}


_MAX_ESCAPED_LENGTH = 12
"""The most characters that an escaped character takes: four bytes, `%F0%9F%8E%B2`."""


_COMMON_ESCAPES = {f"%{ord(char):02X}": char for char in '"{}[],: \n'}
"""The escapes that are most frequent in files."""


@lru_cache(maxsize=4)
def _decode_value(value: str) -> str:
    """Decode the value of a form's control."""
    return _replace_control_characters(_unescape(value.replace("+", " ")))


def _unescape(text: str) -> str:
    """Replace escapes by their characters, as `urllib.parse.unquote` does.

    `unquote` takes more than a second for a megabyte of escapes, because it decodes them one by one. This decodes runs
    of escapes, and in long texts replaces the common ones first. That is safe, because none of them is a percent sign.
    """
    for escape, char in _COMMON_ESCAPES.items() if len(text) > _MIN_LONG_LENGTH else ():
        text = text.replace(escape, char)
    if "%" not in text:
        return text
    return _ESCAPED.sub(lambda run: bytes.fromhex(run[0].replace("%", "")).decode("utf-8", "replace"), text)


def format_query(fields: Mapping[str, str]) -> str:
    """Format controls as a query string that `parse_query` can parse.

    Empty values are left out.
    """
    pairs = []
    for name, value in fields.items():
        pieces = [_escape(value[start : start + _PIECE_LENGTH]) for start in range(0, len(value), _PIECE_LENGTH)]
        if value:
            pairs.append(f"{quote(name, safe='')}={''.join(pieces)}")
    return "&".join(pairs)


_PIECE_LENGTH = 4096
"""The characters of a piece, which is escaped and cached. A file that grows by a step changes only its last piece."""


@lru_cache(maxsize=256)
def _escape(piece: str) -> str:
    """Escape a piece of a value.

    Escapes a long ASCII text without `quote`, which goes through it character by character.
    """
    if len(piece) <= _MIN_LONG_LENGTH or not piece.isascii():
        return quote(piece, safe=",")
    escaped = piece.replace("%", "%25")
    for char in set(piece) - _UNESCAPED - {"%"}:
        escaped = escaped.replace(char, f"%{ord(char):02X}")
    return escaped


def _replace_control_characters(value: str) -> str:
    """Replace control characters by spaces, and lone surrogates by question marks.

    Line feeds and tabs remain. No sensible input has any of the others.
    """
    spaced = _CONTROL.sub(" ", value)
    return spaced if spaced.isascii() else spaced.encode("utf-8", "replace").decode("utf-8")
