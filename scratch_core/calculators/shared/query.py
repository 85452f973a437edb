"""The query string: a calculator's whole state, its fence's body, its form's content and its share link."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_letters, digits
from urllib.parse import quote

DEFAULT_MAX_QUERY_LENGTH = 20_000
"""The longest query read, in characters; what lies beyond it is cut off, and `cut` says so.

A calculator whose queries carry a file says how long they may be in its own `MAX_QUERY_LENGTH`.
"""

SAVED_ENTRIES_CONTROL = "kept"
"""The control in which a press hands over what the reader keeps; it is part of no canonical query."""
_MAX_SAVED_LENGTH = 12 * 200_000

_LABEL = re.compile(r"\+?\[[^\]]*\]")
_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_MIN_LONG_LENGTH = 2_000
_UNESCAPED = frozenset(f"{ascii_letters}{digits}_.-~,")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Query:
    """The controls of a form by name; a control named twice keeps its last value."""

    raw: Mapping[str, str]
    is_cut: bool = False

    def text(self, name: str, default: str = "") -> str:
        """The decoded value of a control; broken escapes stay as they are typed, control characters become spaces."""
        value = self.raw.get(name)
        return default if value is None else _decode_value(value)

    def notation(self, name: str, default: str = "") -> str:
        """A value in which a plus sign is arithmetic: `d20+3` typed by hand into an address means what it says.

        Forms write a space as `+` and a plus as `%2B`; where no `%2B` stands, a `+` is the reader's own, except
        around `vs`, and in and before a label's brackets, where no sum can stand.
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


def parse_query(text: str, limit: int = DEFAULT_MAX_QUERY_LENGTH) -> Query:
    """Parse a query string, with or without its question mark.

    Pairs are separated by `&` or by line ends.

    Never raises: what cannot be read is an empty value. A text of more than `limit` characters, as a reader counts
    them, is cut: a letter that an address writes as `%E4%BD%A0` is one. What a press hands over doesn't count.
    """
    raw: dict[str, str] = {}
    text, handed = _split_saved_entries(text)
    cut = len(text) > limit and (len(text) > _MAX_ESCAPED_LENGTH * limit or len(_unescape(text)) > limit)
    for pair in (text[:limit] if cut else text).removeprefix("?").replace("\r", "").replace("\n", "&").split("&"):
        name, _, value = pair.partition("=")
        if name:
            raw[_unescape(name.replace("+", " "))] = value
    return Query(raw | handed, cut)


def _split_saved_entries(text: str) -> tuple[str, dict[str, str]]:
    """A query without what a press hands over, and that, where it is no longer than a browser sends."""
    head, mark, rest = text.partition(f"&{SAVED_ENTRIES_CONTROL}=")
    handed, joint, tail = rest.partition("&")
    return f"{head}{joint}{tail}", {SAVED_ENTRIES_CONTROL: handed} if mark and len(handed) <= _MAX_SAVED_LENGTH else {}


_MAX_ESCAPED_LENGTH = 12
"""As many characters as an address needs for one: four bytes, `%F0%9F%8E%B2`."""


_COMMON_ESCAPES = {f"%{ord(char):02X}": char for char in '"{}[],: \n'}
"""The escapes that a file has by the thousand."""


@lru_cache(maxsize=4)
def _decode_value(value: str) -> str:
    """A value as a form means it."""
    return _replace_control_characters(_unescape(value.replace("+", " ")))


def _unescape(text: str) -> str:
    """Escapes as the characters they stand for, as `urllib.parse.unquote` has them.

    A run of them at once: a megabyte of escapes takes the standard library a second and more, sign by sign. Those that
    files are full of are replaced at once; none of them is, or makes, a percent sign.
    """
    for escape, char in _COMMON_ESCAPES.items() if len(text) > _MIN_LONG_LENGTH else ():
        text = text.replace(escape, char)
    if "%" not in text:
        return text
    return _ESCAPED.sub(lambda run: bytes.fromhex(run[0].replace("%", "")).decode("utf-8", "replace"), text)


def format_query(fields: Mapping[str, str]) -> str:
    """Format controls as a query string that `parse_query` can parse.

    Empty values are omitted.
    """
    pairs = []
    for name, value in fields.items():
        pieces = [_escape(value[start : start + _PIECE_LENGTH]) for start in range(0, len(value), _PIECE_LENGTH)]
        if value:
            pairs.append(f"{quote(name, safe='')}={''.join(pieces)}")
    return "&".join(pairs)


_PIECE_LENGTH = 4096
"""So many characters are escaped at once: of a file that grows by a step only the last piece is another."""


@lru_cache(maxsize=256)
def _escape(piece: str) -> str:
    """A piece of a value with its escapes; `quote` takes a long one character by character."""
    if len(piece) <= _MIN_LONG_LENGTH or not piece.isascii():
        return quote(piece, safe=",")
    escaped = piece.replace("%", "%25")
    for char in set(piece) - _UNESCAPED - {"%"}:
        escaped = escaped.replace(char, f"%{ord(char):02X}")
    return escaped


def _replace_control_characters(value: str) -> str:
    """Replace control characters (but line ends and tabs) and half characters: no input that makes sense has any."""
    spaced = _CONTROL.sub(" ", value)
    return spaced if spaced.isascii() else spaced.encode("utf-8", "replace").decode("utf-8")
