"""Numbers in the rules' text, each held against the engine: `python -m build_scripts.numerals` lists those that aren't.

A number that an author types (digits, or a word from two to twenty before something that the rules count) must be one
of those that the engine gives for a rule that the text speaks of there: a rule whose anchor the paragraph, list item or
table row carries, a rule it links to, a ruling marked there, or the rule of the heading above; in a link's words it
must be that rule's own, where the rule has numbers. `engine_numbers.py` has them by rule id, and what is exempt, with a
reason. Fences are left out: they run. So are links' targets, code and rulings' marks. An example chooses its own levels
and faces, so there only damage is held.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from build_scripts.engine_numbers import EXEMPT, NUMBERS, numbers_of
from build_scripts.folders import DOCS
from build_scripts.ruling_marks import SYNTAX
from scratch_core.catalogue import RULINGS, TERMS

FOLDERS = ("rules", "look-up")
WORDS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "eleven": 11,
    "twelve": 12,
    "thirteen": 13,
    "fourteen": 14,
    "fifteen": 15,
    "twenty": 20,
    "twice": 2,
    "half": 2,
}
"""The words that count as numbers before a unit. `one` does not: it is mostly "somebody" or "something"."""

UNITS = "abilities actions attacks blows damage dice enemies levels minions points pools rounds spaces targets turns"
"""What the rules count."""

_FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_FENCE = re.compile(r"^( *)(```+|~~~+).*?^\1\2 *$", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^(#{1,6}) +(.*?)(?:\{[^}]*?#([\w.-]+)[^}]*\})? *$")
_OWN = re.compile(r"\{:?[^}]*?#([\w.-]+)")
_LINKED = re.compile(r"\[\[([a-z][\w.-]*)|\]\([^)\s]*#([\w.-]+)\)")
_LINK = re.compile(r"\[\[([a-z][\w.-]*)\|[^\]]*\]\]|\[[^\]]*\]\([^)\s]*#([\w.-]+)\)")
_MARKED = re.compile(SYNTAX)
_NO_WORDS = re.compile(
    r"^ *\d+\. |\[\[=[^\]]*\]\]|\[\[is [^\]]*\]\]|\[\[[\w.-]+\|?|\]\([^)]*\)|"
    r"!\[[^\]]*\]|\{[^}]*\}|<[^>]*>|`[^`]*`|\[[A-Z]\d+\]"
)
_NUMBER = re.compile(
    rf"(?<![\w.,])[−-]?\d+(?:,\d{{3}})*(?![\w,]*\w)|\b(?:{'|'.join(WORDS)})(?= (?:{UNITS.replace(' ', '|')})\b)",
    re.IGNORECASE,
)
_DAMAGE = re.compile(r"\W+(?:more )?damage\b")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in the text: where (page and line), as it is written and as a number, and what the text speaks of there.

    `rules` are ids of rules or headings; the page itself, such as `rules/rolls`, is the last of them. `is_own` marks
    a number that an example has chosen.
    """

    page: str
    line: int
    text: str
    value: int
    rules: tuple[str, ...]
    is_own: bool = False

    @property
    def is_held(self) -> bool:
        """Whether the engine has this number for one of the rules, or it is exempt there, or an example's own."""
        return self.is_own or any(
            self.value in numbers_of(rule) or self.value in EXEMPT.get(rule, ((), ""))[0] for rule in self.rules
        )

    @property
    def message(self) -> str:
        """One line that says what to do about a number that is not held."""
        known = "; ".join(f"{rule}: {', '.join(map(str, sorted(numbers_of(rule)))) or 'none'}" for rule in self.rules)
        return f"docs/{self.page}.md:{self.line}: expected a number of the engine's ({known}), got {self.text!r}"


def allowed(rule: str) -> frozenset[int]:
    """The numbers that may be told of a rule, or under a heading: the engine's, and those exempt."""
    return numbers_of(rule) | frozenset(EXEMPT[rule][0] if rule in EXEMPT else ())


def numerals(docs: Path = DOCS) -> Iterator[Numeral]:
    """Every number that somebody typed into the rules and the look-up pages, page by page."""
    for folder in FOLDERS:
        for path in sorted((docs / folder).rglob("*.md")):
            yield from numerals_in(path.read_text("utf-8"), path.relative_to(docs).with_suffix("").as_posix())


def numerals_in(text: str, page: str) -> Iterator[Numeral]:
    """Every number in a page's text."""
    headings: list[tuple[int, str]] = []
    is_example = False
    for first, lines in _blocks(_without_fences(text)):
        heading = _HEADING.match(lines[0])
        if heading:
            depth = len(heading[1])
            headings = [*(each for each in headings if each[0] < depth), (depth, heading[3] or "")]
        is_example = lines[0].startswith("!!! example") or (is_example and lines[0].startswith("    "))
        rules = _spoken_of("\n".join(lines), headings, page)
        for offset, line in enumerate(lines):
            words = _NO_WORDS.sub(_blank, line)
            links = [(each.span(), each[1] or each[2]) for each in _LINK.finditer(line)]
            for number in _NUMBER.finditer(words):
                inside = tuple(
                    rule for (start, end), rule in links if start <= number.start() < end and rule in NUMBERS
                )
                is_own = is_example and not inside and not _DAMAGE.match(words, number.end())
                yield Numeral(page, first + offset, number[0], _value(number[0]), inside or rules, is_own)


def _spoken_of(block: str, headings: list[tuple[int, str]], page: str) -> tuple[str, ...]:
    """The ids that a block carries, those it links to, that of the nearest heading that has one, and the page."""
    linked = [match[1] or match[2] for match in _LINKED.finditer(block)]
    linked += [each for match in _MARKED.finditer(block) for each in match[1].split()]
    above = [name for _, name in reversed(headings) if name][:1]
    return tuple(dict.fromkeys((*own_ids(block), *linked, *above, page)))


def numerals_said() -> Iterator[Numeral]:
    """Every number in what the glossary says of a term, and in our readings of the rulings."""
    said = [(f"{term.name} (glossary)", term.meaning, (term.rule,)) for term in TERMS]
    said += [(f"{each.id} (rulings)", each.default, (each.id, *each.rules)) for each in RULINGS]
    for place, words, rules in said:
        for number in _NUMBER.finditer(words):
            yield Numeral(place, 1, number[0], _value(number[0]), rules)


def blocks_of(text: str) -> list[str]:
    """A page's paragraphs, list items, table rows and headings, without its fences."""
    return ["\n".join(lines) for _, lines in _blocks(_without_fences(text))]


def own_ids(block: str) -> list[str]:
    """The ids that a block carries."""
    return [match[1] for match in _OWN.finditer(block)]


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _value(text: str) -> int:
    return WORDS[text.lower()] if text[0].isalpha() else int(text.replace("−", "-").replace(",", ""))


def _without_fences(text: str) -> str:
    """The text with front matter and fences emptied, every line in its place."""
    for pattern in (_FRONT, _FENCE):
        text = pattern.sub(lambda match: "\n" * match[0].count("\n"), text)
    return text


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Paragraphs, list items, table rows and headings, each with the number of its first line."""
    block: list[str] = []
    start = 1
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        begins = re.match(r"[-*|#]|\d+\. |!!!|: ", bare) is not None
        if block and (not bare or (begins and not bare.startswith("{:"))):
            yield start, block
            block = []
        if bare:
            start = start if block else number
            block.append(line)
    if block:
        yield start, block


def unheld(docs: Path = DOCS) -> list[str]:
    """A line for each number that neither the engine holds nor a reason exempts."""
    return [each.message for each in (*numerals(docs), *numerals_said()) if not each.is_held]


def main() -> int:
    """Print them; 1 when there are any."""
    found = unheld()
    print("\n".join(found) or "Every number in the rules' text is the engine's.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
