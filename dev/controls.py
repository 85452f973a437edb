"""What HTML lets its reader do, and how it is named and marked for scripts, styles and screen readers: golden/controls.

It knows no calculator. A line is an element with its attributes, and its words where it is pressed or names something.
In it figures, abilities and characters are signs, so that a fight played otherwise gives the same lines.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from scratch_core.abilities import NAMES
from scratch_core.cast import CAST

NAMING = frozenset(("a", "button", "caption", "h2", "h3", "label", "legend", "option", "summary", "th"))
LONGEST = 40
_WHO = sorted({name for each in CAST for name in (each.id, each.name)}, key=len, reverse=True)
_ABILITY = re.compile(rf"\b(?:{'|'.join(NAMES)})\b")
_MEMBER = re.compile(rf"\b(?:{'|'.join(map(re.escape, _WHO))})\b")


_PART = re.compile(r'[?&](\w+)=|"(\w+)":')


def controls_in(html: str) -> list[str]:
    """A line for each element of HTML that says anything of itself, in their order."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return list(dict.fromkeys(told + _said(words) for told, words in reader.found))


class _Reader(HTMLParser):
    """Elements in the order in which they begin, each with what it says of itself and the words inside it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, list[str]]] = []
        self.open: list[tuple[str, list[str]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = [f"{name}={short(value)}" if value else name for name, value in sorted(attrs)]
        words: list[str] = []
        if told or tag in NAMING:
            self.found.append((" ".join((tag, *told)), words))
        if tag in NAMING:
            self.open.append((tag, words))

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1][0] == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        for _, words in self.open:
            words.append(data)


def _said(words: list[str]) -> str:
    said = short("".join(words))
    return f": {said}" if said else ""


def short(value: str) -> str:
    """A value without what changes from state to state; of a long one the beginning, and the names in it."""
    plain = re.sub(r"\d+", "#", _MEMBER.sub("WHO", _ABILITY.sub("ABILITY", " ".join(value.split()))))
    if len(plain) <= LONGEST:
        return plain
    parts = dict.fromkeys(one or other for one, other in _PART.findall(value))
    return f"{plain[:16]}…{' '.join(parts)}"
