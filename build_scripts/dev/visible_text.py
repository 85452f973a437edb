"""Extract what HTML says to its user, independent of markup and order: sentences, figures, links and controls by name.

It does not depend on calculators or templates, so that it can compare any trees: `compare_output --text` uses it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Literal

TextKind = Literal["text", "label", "link", "button", "field", "tip"]
"""A label names something, like a heading or a column's head. A text says something. A tip is a tooltip."""

TextCounts = Counter[tuple[TextKind, str]]
"""The texts with their kinds and the number of their occurrences."""

_VOID = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"))
_INLINE = frozenset(
    (
        *("a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "i", "img", "ins", "kbd", "mark"),
        *("output", "progress", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr"),
    )
)
_LABELS = frozenset(("dt", "h1", "h2", "h3", "h4", "h5", "h6", "label", "legend", "summary", "th"))
_SILENT = frozenset(("noscript", "script", "style", "template"))
_FIELDS = frozenset(("input", "select", "textarea"))
_ROWS = frozenset(("tr", "svg"))
_JOINTS = {"td": " · ", "th": " · ", "text": " · ", "dd": ": "}
"""Separators: cells of a row are one line, and so are the words of a drawing, and a term with its definition."""

_END = re.compile(r"(?<=[.?!]) (?=[^a-z])")


def count_visible_texts(html: str) -> TextCounts:
    """Extract the texts of HTML."""
    reader = _TextExtractor()
    reader.feed(html)
    reader.close()
    return reader.end_and_count_texts()


def split_sentences(text: str) -> list[str]:
    """Split a line into sentences."""
    return [each for each in _END.split(" ".join(text.split())) if each]


@dataclass(slots=True)
class _NamedElement:
    """A link, a button or a label that is being parsed."""

    tag: str
    """Its tag."""
    attributes: dict[str, str]
    """Its attributes."""
    text: list[str] = field(default_factory=list)
    """The pieces of its text so far."""
    fields: list[_Field] = field(default_factory=list)
    """The fields inside it, if it is a label."""

    @property
    def name(self) -> str:
        return _normalize_line(self.attributes.get("aria-label", "") or "".join(self.text))


@dataclass(slots=True)
class _Field:
    """A form field."""

    attributes: dict[str, str]
    """Its attributes."""
    value: list[str]
    """The pieces of its value."""
    name: str = ""
    """The text of its label, which may follow later; "" for none."""


class _TextExtractor(HTMLParser):
    """A parser that collects lines: the text between two elements that are not inline."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: TextCounts = Counter()
        self.open: list[tuple[str, bool]] = []
        self.line: list[tuple[str, TextKind]] = []
        self.named: list[_NamedElement] = []
        self.fields: list[_Field] = []
        self.labels: dict[str, str] = {}

    def end_and_count_texts(self) -> TextCounts:
        """Return all texts."""
        self.end_line()
        for each in self.fields:
            name = each.attributes.get("aria-label") or each.name or self.labels.get(each.attributes.get("id", ""), "")
            self.counts[
                "field", f"{name or each.attributes.get('name', '')}: {_normalize_line(''.join(each.value))}"
            ] += 1
        return self.counts

    # Elements

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        self.end_line_at_block_border(tag)
        if tag not in _VOID:
            self.open.append((tag, has.get("aria-hidden") == "true" or tag in _SILENT))
        if tag in _FIELDS:
            self.add_field(tag, has)
        elif tag in ("a", "button", "label", "option"):
            self.named.append(_NamedElement(tag, has))
        elif "aria-label" in has:
            self.counts["label", _normalize_line(has["aria-label"])] += 1
        if tag != "a" and "title" in has:
            self.counts["tip", _normalize_line(has["title"])] += 1
        self.handle_data(has.get("alt", ""))

    def handle_endtag(self, tag: str) -> None:
        if not any(each == tag for each, _ in self.open):
            return
        self.end_line_at_block_border(tag, is_end=True)
        if self.named and self.named[-1].tag == tag:
            self.count_named_element(self.named.pop())
        while self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self.open]
        if tags[-1:] == ["textarea"]:
            if self.fields:
                self.fields[-1].value.append(data)
        elif tags[-1:] == ["title"]:
            self.counts["tip", _normalize_line(data)] += 1
        elif not any(is_silent for _, is_silent in self.open):
            if self.named:
                self.named[-1].text.append(data)
            self.add_text(data, tags)

    def add_text(self, data: str, tags: list[str]) -> None:
        """Add text to the line, except names of controls.

        In a row of a table a control's name may name the row.
        """
        is_sign = not any(map(str.isalnum, data))
        if "option" in tags or ("button" in tags and ("tr" not in tags or is_sign)):
            return
        kind: TextKind = "label" if not _LABELS.isdisjoint(tags) else "link" if "a" in tags else "text"
        self.line.append((data, kind))

    def end_line_at_block_border(self, tag: str, is_end: bool = False) -> None:
        """End the line, except within a row and between a term and its definition."""
        if tag in _INLINE:
            return
        joint = "" if is_end else _JOINTS.get(tag, "")
        is_in_row = tag not in _ROWS and any(each in _ROWS for each, _ in self.open)
        if is_in_row or tag == "dd" or (tag == "dt" and is_end) or tag == "br":
            self.line.append((joint or " ", "label"))
        if not is_in_row and tag != "br" and (tag != "dd" or is_end) and (tag != "dt" or not is_end):
            self.end_line()

    # Texts

    def end_line(self) -> None:
        """Count the line as texts, or as labels if it has only labels.

        A line that is only a link is counted as a link elsewhere.
        """
        kinds = {kind for text, kind in self.line if text.strip(" ·:§\n")}
        for sentence in split_sentences(_normalize_line("".join(text for text, _ in self.line))):
            if kinds != {"link"}:
                self.counts["text" if "text" in kinds else "label", sentence] += 1
        self.line = []

    def count_named_element(self, element: _NamedElement) -> None:
        if element.tag == "a" and "href" in element.attributes:
            self.counts["link", f"{element.name} → {element.attributes['href']}"] += 1
        elif element.tag == "button":
            self.counts["button", element.name] += 1
        elif element.tag == "option":
            self.counts["field", f"{element.name} (chosen)" if "selected" in element.attributes else element.name] += 1
        else:
            self.labels[element.attributes.get("for", "")] = element.name
            for each in element.fields:
                each.name = element.name

    def add_field(self, tag: str, attributes: dict[str, str]) -> None:
        kind = attributes.get("type", "text")
        if kind == "hidden":
            return
        value = (
            ("chosen" if "checked" in attributes else "")
            if kind in ("checkbox", "radio")
            else attributes.get("value", "")
        )
        self.fields.append(_Field(attributes, [value]))
        if self.named and self.named[-1].tag == "label":
            self.named[-1].fields.append(self.fields[-1])


def _normalize_line(text: str) -> str:
    """Join a text to one line, without § signs and without separators at its ends."""
    return " ".join(re.sub(r"\s*§", "", text).split()).strip(" ·:")
