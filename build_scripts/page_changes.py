"""Changes in the text of a built page: a parser finds the places, and prints nothing, so every other sign stays."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from bs4 import Tag


@dataclass(frozen=True, slots=True)
class Change:
    """A change in the text of an element, mostly in its first tag: the first `old` from there on becomes `new`."""

    tag: Tag
    old: str
    new: str


def changed(html: str, changes: Iterable[Change]) -> str:
    """A page with the changes made; their elements are those that a parser found in this very text."""
    places = _Places(html)
    parts, done = [], 0
    for place, change in sorted(((places.of(each.tag), each) for each in changes), key=lambda pair: pair[0]):
        begin = html.index(change.old, max(place, done))
        parts += [html[done:begin], change.new]
        done = begin + len(change.old)
    return "".join([*parts, html[done:]])


def unwrapped(html: str, tags: Iterable[Tag]) -> Iterable[Change]:
    """The changes that leave of each element its content alone; none may hold an element of its own name."""
    places = _Places(html)
    for tag in tags:
        place = places.of(tag)
        yield Change(tag, html[place : html.index(">", place) + 1], "")
        yield Change(tag, f"</{tag.name}>", "")


class _Places:
    """Where elements begin in a text, counted from its first sign."""

    def __init__(self, html: str) -> None:
        self._lines = [0, *(match.end() for match in re.finditer("\n", html))]

    def of(self, tag: Tag) -> int:
        """The place of an element's `<`."""
        if tag.sourceline is None or tag.sourcepos is None:
            raise ValueError(f"expected an element that a parser found, got <{tag.name}>")
        return self._lines[tag.sourceline - 1] + tag.sourcepos
