"""Count words that players must not read: `python -m build_scripts.dev.words` prints a table of words, ids and keys.

It reads the response of every calculator in each state of tests/support/states.py (texts, accessible names,
announcements), the announcements in tests/snapshots, and the pages of the built site except those for developers. It
skips code, folds named *Details*, addresses, and the user's input. The exit code is 1 if it finds anything. `--site
FOLDER` selects another built site than site/.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Final, NamedTuple
from unittest import mock
from urllib.parse import parse_qs

import scratch_core.dice
from build_scripts.dev.query_corpus import QueryDice
from build_scripts.paths import ROOT, SITE
from scratch_core.cast import CAST
from scratch_core.rulebook import RULE_OPTIONS
from tests.support.snapshots import SNAPSHOTS, render_state
from tests.support.states import STATES

DEVELOPER_FOLDERS: Final = ("build-on-it", "contributing", "look-up/rule-index")
"""Folders of the built site with pages for developers."""

PATTERNS: Final[Mapping[str, re.Pattern[str]]] = {
    "somebody": re.compile(r"\bsomebod(?:y|ies)\b", re.IGNORECASE),
    "nobody": re.compile(r"\bnobody\b", re.IGNORECASE),
    "everybody": re.compile(r"\beverybody\b", re.IGNORECASE),
    "whoever": re.compile(r"\bwhoever\b", re.IGNORECASE),
    "whom": re.compile(r"\bwhom(?:ever)?\b", re.IGNORECASE),
    "is on turn": re.compile(r"\b(?:is|are) on turn\b", re.IGNORECASE),
    "own dice": re.compile(r"\bown dice\b", re.IGNORECASE),
    "a small act": re.compile(r"\bsmall acts?\b", re.IGNORECASE),
    "Expected … got": re.compile(r"\bexpected\b.*?\bgot\b", re.IGNORECASE),
    "key with _": re.compile(r"(?<![\w/])[A-Za-z]\w*_\w+"),
    "a setting's key": re.compile(
        rf"\b(?:{'|'.join(each.name.replace('_', ' ') for each in RULE_OPTIONS if '_' in each.name)})\b"
    ),
    "key with a dot": re.compile(r"(?<![\w./@-])[a-z]+(?:\[\d+\])?\.[a-z][a-z-]+(?![\w/])"),
}
"""The patterns to search for, by their name in the table. Ids of characters are searched for, too."""

FILE_NAME: Final = re.compile(r"\.(?:json|toml|txt|md|py|html|zip|whl)$")
"""The end of a file's name, which has a dot but is no key."""

ID_KIND: Final = "a character's id"
_VOID: Final = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"))
_INLINE: Final = frozenset(
    (
        *("a", "abbr", "b", "bdi", "cite", "data", "del", "dfn", "em", "i", "ins", "kbd", "mark", "output", "q", "s"),
        *("small", "span", "strong", "sub", "sup"),
    )
)
_CODE: Final = frozenset(("code", "pre", "samp", "script", "style", "template", "noscript", "textarea"))
_TEXT_ATTRIBUTES: Final = ("aria-label", "title", "alt", "placeholder", "aria-valuetext", "aria-description")
_SENTENCE_DATA: Final = re.compile(
    r"data-(?:text|file-.*|saved-.*|new-entry-.*|view-controls|include-saved|shared-content|share|copy|rules|what-if)$"
)


@dataclass(frozen=True, slots=True)
class WordFinding:
    """A text that players must not read."""

    kind: str
    """A name of `PATTERNS`, or `ID`."""
    place: str
    """Where it is: a calculator and its state, a file and line, or a page."""
    text: str
    """The line around it."""


class _TextParser(HTMLParser):
    """Gather the lines of text and the accessible names in HTML, without code and folded details."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._line: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the accessible names of an element, and end the line before a block."""
        has = {name: value or "" for name, value in attrs}
        self._end_line_at_block(tag)
        is_silent = self._is_silent or tag in _CODE or "problem-details" in has.get("class", "").split()
        if not is_silent:
            self.lines += [has[name] for name in _TEXT_ATTRIBUTES if has.get(name)]
            self.lines += [value for name, value in has.items() if _is_sentence(name, value)]
        if tag not in _VOID:
            self._open.append((tag, is_silent))

    def handle_endtag(self, tag: str) -> None:
        """End the line after a block."""
        self._end_line_at_block(tag)
        if any(each == tag for each, _ in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        """Add a text to the line."""
        if not self._is_silent:
            self._line.append(data)

    def list_lines(self) -> list[str]:
        """Return every line and name that is not empty."""
        self._end_line_at_block("p")
        return [" ".join(each.split()) for each in self.lines if each.strip()]

    @property
    def _is_silent(self) -> bool:
        return bool(self._open) and self._open[-1][1]

    def _end_line_at_block(self, tag: str) -> None:
        if tag not in _INLINE:
            self.lines.append("".join(self._line))
            self._line = []


def _is_sentence(name: str, value: str) -> bool:
    """Return whether a `data-` attribute contains words that a script displays or announces."""
    return name.startswith("data-") and not _SENTENCE_DATA.match(name) and bool(re.match(r"[A-Z].* .*[a-z]", value))


def list_text_lines(html: str) -> list[str]:
    """List the lines of text and the accessible names of HTML that players read."""
    reader = _TextParser()
    reader.feed(html)
    reader.close()
    return reader.list_lines()


class WordMatch(NamedTuple):
    """A forbidden word in a text."""

    kind: str
    """The name of its pattern, or `ID_KIND`."""
    text: str
    """The word."""


def list_forbidden_words_in_line(line: str, forbidden_ids: Iterable[str] = ()) -> Iterator[WordMatch]:
    """Yield the forbidden words and ids in a line."""
    for kind, pattern in PATTERNS.items():
        for match in pattern.finditer(line):
            if not FILE_NAME.search(match[0]):
                yield WordMatch(kind, match[0])
    for each in forbidden_ids:
        if re.search(rf"(?<![\w-]){re.escape(each)}(?![\w-])", line):
            yield WordMatch(ID_KIND, each)


# Ids


def list_ids_unlike_names(query: str) -> set[str]:
    """List the ids of a query's characters that differ from their names."""
    ids: set[str] = set()
    for value in (each for values in parse_qs(query).values() for each in values):
        try:
            tree = json.loads(value)
        except ValueError:
            continue
        ids |= set(_list_ids_unlike_names(tree))
    return ids


def _list_ids_unlike_names(tree: object) -> Iterator[str]:
    if isinstance(tree, dict):
        if isinstance(tree.get("id"), str) and tree.get("name", tree["id"]) != tree["id"]:
            yield tree["id"]
        tree = list(tree.values())
    if isinstance(tree, list):
        for each in tree:
            yield from _list_ids_unlike_names(each)


CAST_IDS: Final = frozenset(each.id for each in CAST if "-" in each.id)
"""Ids of the cast that can't be a word of a sentence."""

# Places


def list_findings_in_answers(calculators: Iterable[str] = tuple(STATES)) -> Iterator[WordFinding]:
    """Search the responses of calculators in each of their states."""
    with mock.patch.object(scratch_core.dice, "SystemRoller", QueryDice):
        for name in calculators:
            for number, (state, query) in enumerate(STATES[name].items()):
                answer = render_state(name, state, f"c{number}")
                ids = list_ids_unlike_names(query) | CAST_IDS
                for line in (*list_text_lines(answer.html), answer.summary):
                    for kind, _ in list_forbidden_words_in_line(line, ids):
                        yield WordFinding(kind, f"{name}: {state}", line)


def list_findings_in_snapshots() -> Iterator[WordFinding]:
    """Search the announcements in snapshots."""
    for path in sorted(SNAPSHOTS.glob("*.txt")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for announcement in list_announcements(line):
                for kind, _ in list_forbidden_words_in_line(announcement, CAST_IDS):
                    yield WordFinding(kind, f"{path.relative_to(ROOT)}:{number}", announcement)


def list_announcements(line: str) -> list[str]:
    """List the announcements in a snapshot's line, without changes of the query, focus and folds."""
    _, mark, pressed = line.partition("- press: ")
    silent = re.compile(r"(?:focus|opens) |no change$|\w+ −.*\+")
    return [each for each in pressed.split(" | ") if mark and not silent.match(each)]


def list_findings_in_pages(site: Path) -> Iterator[WordFinding]:
    """Search the pages of the built site, without those for developers."""
    for path in sorted(site.rglob("*.html")):
        page = path.relative_to(site).as_posix()
        if not page.startswith(DEVELOPER_FOLDERS):
            for line in list_text_lines(path.read_text(encoding="utf-8")):
                for kind, _ in list_forbidden_words_in_line(line, CAST_IDS):
                    yield WordFinding(kind, page, line)


def format_findings(findings: Iterable[WordFinding]) -> str:
    """Format the number of findings of each kind, followed by the findings."""
    found = list(findings)
    kinds = (*PATTERNS, ID_KIND)
    lines = [f"{kind:16} {sum(each.kind == kind for each in found):5}" for kind in kinds]
    lines += [f"{each.kind}, {each.place}: {each.text[:200]}" for each in dict.fromkeys(found)]
    return "\n".join(lines)


def main() -> None:
    """Run `python -m build_scripts.dev.words [--site FOLDER]`."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--site", type=Path, default=SITE, help="the built site")
    site = parser.parse_args().site
    if not (site / "index.html").exists():
        sys.exit(f"There is no site in {site}. Build it: python -m build_scripts.build")
    findings = [*list_findings_in_answers(), *list_findings_in_snapshots(), *list_findings_in_pages(site)]
    print(format_findings(findings))
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
