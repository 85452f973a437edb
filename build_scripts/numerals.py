"""Numbers in the rules' text, each held against the engine: `python -m build_scripts.numerals` lists those that aren't.

A number that an author types (digits, or a word from two to twenty before something that the rules count) must be one
of those that the engine gives for a rule that the text speaks of there: a rule whose anchor the paragraph, list item or
table row carries, a rule it links to, a ruling marked there, or the rule of the heading above; in a link's words it
must be that rule's own, where the rule has numbers. A change has its sign, and "rounded up" is held as a number is.
`engine_numbers.py` has them by rule id, and what is exempt, with a reason. The pages for builders name limits, formats
and versions, which it has by page. Fences are left out: they run. So are links' targets, code and rulings' marks. An
example chooses its own levels and faces, so there damage is held, and a face by the sum and the outcome told of it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, zip_longest
from pathlib import Path

from build_scripts.engine_numbers import EXEMPT, NUMBERS, named, numbers_of
from build_scripts.folders import DOCS, ROOT
from build_scripts.ruling_marks import SYNTAX
from scratch_core.abilities import ABILITIES, BY_NAME
from scratch_core.catalogue import ACTIONS, rulings, terms
from scratch_core.dice import face_needed

GLOSSARY, RULINGS = "scratch_core/catalogue/glossary.toml", "scratch_core/catalogue/rulings.toml"
CARDS = "scratch_core/cards/actions.py"
FOLDERS = ("rules", "look-up", "build-on-it")
OF_LOOKS = "build-on-it/parts.md"
"""The page whose numbers are sizes of what is seen and versions of browsers, and no rule's."""
MEASURED = {"a-start-that-is-remembered", "how-fast-it-is"}
"""The headings whose numbers were measured, once, and are no limits of anything."""

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
HEADING = re.compile(r"^(#{1,6}) +(.*?)(?:\{[^}]*?#([\w.-]+)[^}]*\})? *$")
_OWN = re.compile(r"\{:?[^}]*?#([\w.-]+)")
_LINKED = re.compile(r"\[\[([a-z][\w.-]*)|\]\([^)\s]*#([\w.-]+)\)")
_LINK = re.compile(r"\[\[([a-z][\w.-]*)\|[^\]]*\]\]|\[[^\]]*\]\([^)\s]*#([\w.-]+)\)")
_MARKED = re.compile(SYNTAX)
_NO_WORDS = re.compile(
    r"^ *\d+\. |^--8<--.*|\[\[=[^\]]*\]\]|\[\[is [^\]]*\]\]|\[\[[\w.-]+\|?|\]\([^)]*\)|"
    r"!\[[^\]]*\]|\{[^}]*\}|<[^>]*>|`[^`]*`|\[[A-Z]\d+\]"
)
_NUMBER = re.compile(
    rf"(?<![\w.,])(?<!\w-)[+−-]?\d+(?:,\d{{3}})*(?:\.\d+)?(?![\w,.]*\w)|"
    rf"\b(?:{'|'.join(WORDS)})(?= (?:{UNITS.replace(' ', '|')})\b)|"
    r"\bround(?:s|ed)? (?:up|down)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(r" (lower|less|higher|more)\b")
_DAMAGE = re.compile(r"\W+(?:more )?damage\b")
_ROW = re.compile(r"\| `(\w+)` \|")
_VERSION = re.compile(r"\b[a-z]+(?:-[a-z]+)?/\d+\b(?!/)")

# An example of a roll: what it is held against, what is added, the face, and what is told of it until the next face
_HELD_AGAINST = re.compile(
    r"\b(?:agility|intelligence|strength|difficulty(?: is)?|against) (\d+(?:(?:, |,? and )\d+)*)",
    re.IGNORECASE,
)
_ADDED = re.compile(rf"\b(?:{'|'.join(each.name for each in ABILITIES)}) (\d+)", re.IGNORECASE)
_FACE = re.compile(r"\b(?:(?:face|total) of|rolls an?|with an?|and an?|one with|an?) (\d+)\b", re.IGNORECASE)
_SUM = re.compile(r"\b(?:makes?|total is|total|reach|it is|sum of) (\d+)\b(?! [+−])|= (\d+)")
_OUTCOME = re.compile(r"\b(?:(hits?|holds?|succeeds?|distracts?|panics|delayed)|(miss(?:es|ed)?|fails?|doesn't))\b")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in the text: where (file and line), as it is written and as a number, and what the text speaks of there.

    `value` is a text where no whole number is written: "down" for "rounded down", "3.11", "fight/1". `rules` are ids of
    rules or headings; the page itself, such as `rules/rolls`, is the last of them; none has a face that an example
    tells wrong. `unit` is the word after it, or the name of its row after "to", and
    `is_change` marks a number with a sign, or with "lower", "more" and their like. `is_own` marks a number that an
    example has chosen.
    """

    file: str
    line: int
    text: str
    value: int | str
    rules: tuple[str, ...]
    unit: str = ""
    is_change: bool = False
    is_own: bool = False

    @property
    def is_held(self) -> bool:
        """Whether the engine has this number for one of the rules, or it is exempt there, or an example's own."""
        return self.is_own or any(self._is_held_by(rule) for rule in self.rules)

    def _is_held_by(self, rule: str) -> bool:
        """Whether a rule has this number: of this unit, where it has one of it, and no change without its sign."""
        if self.value in EXEMPT.get(rule, ((), ""))[0]:
            return True
        numbers = numbers_of(rule)
        if isinstance(self.value, int) and self.value and -self.value in numbers and not self.is_change:
            return False
        return self.value == named(rule).get(self.unit, self.value) and self.value in numbers

    @property
    def message(self) -> str:
        """One line that says what to do about a number that is not held."""
        known = "; ".join(f"{rule}: {', '.join(sorted(map(str, numbers_of(rule)))) or 'none'}" for rule in self.rules)
        expected = f"a number of the engine's ({known})" if self.rules else "a face with the sum and outcome told of it"
        return f"{self.file}:{self.line}: expected {expected}, got {self.text!r}"


def numerals(docs: Path = DOCS) -> Iterator[Numeral]:
    """Every number that somebody typed into the rules and the look-up pages, page by page."""
    for folder in FOLDERS:
        for path in sorted({*(docs / folder).rglob("*.md")} - {docs / OF_LOOKS}):
            yield from numerals_in(path.read_text("utf-8"), path.relative_to(docs).with_suffix("").as_posix())


def numerals_in(text: str, page: str) -> Iterator[Numeral]:
    """Every number in a page's text."""
    file = f"docs/{page}.md"
    headings: list[tuple[int, str]] = []
    is_example = False
    for first, lines in _blocks(without_fences(text)):
        heading = HEADING.match(lines[0])
        if heading:
            depth = len(heading[1])
            headings = [*(each for each in headings if each[0] < depth), (depth, heading[3] or "")]
        is_example = lines[0].startswith("!!! example") or (is_example and lines[0].startswith("    "))
        rules = _spoken_of("\n".join(lines), headings, page)
        if MEASURED & {*rules}:
            continue
        for offset, line in enumerate(lines):
            words = _NO_WORDS.sub(_blank, line)
            links = [(each.span(), each[1] or each[2]) for each in _LINK.finditer(line)]
            row = _ROW.match(line)
            wrong = _wrong_faces(words) if is_example else set()
            for number in _NUMBER.finditer(words):
                inside = tuple(
                    rule for (start, end), rule in links if start <= number.start() < end and rule in NUMBERS
                )
                if number.start() in wrong:
                    yield _numeral(file, first + offset, number, ())
                    continue
                is_own = is_example and not inside and not _DAMAGE.match(words, number.end())
                found = _numeral(file, first + offset, number, inside or rules, is_own)
                yield replace(found, unit=row[1]) if row and words.endswith(" to ", 0, number.start()) else found
    if page.startswith("build-on-it/"):
        for version in _VERSION.finditer(text):
            at = text.count("\n", 0, version.start()) + 1
            yield Numeral(file, at, version[0], version[0], (page,))


def _spoken_of(block: str, headings: list[tuple[int, str]], page: str) -> tuple[str, ...]:
    """The ids that a block carries, those it links to, that of the nearest heading that has one, and the page."""
    linked = [match[1] or match[2] for match in _LINKED.finditer(block)]
    linked += [each for match in _MARKED.finditer(block) for each in match[1].split()]
    above = [name for _, name in reversed(headings) if name][:1]
    return tuple(dict.fromkeys((*own_ids(block), *linked, *above, page)))


def numerals_said() -> Iterator[Numeral]:
    """Every number in what the glossary says of a term, a card of its action, and our readings of the rulings."""
    said: list[tuple[str, str, str, tuple[str, ...]]] = []
    said += [("scratch_core/abilities.py", f'"{each.name}"', each.meaning, (each.told,)) for each in ABILITIES]
    said += [
        (GLOSSARY, f'name = "{each.name}"', each.meaning, (each.rule,)) for each in terms() if each.name not in BY_NAME
    ]
    said += [(CARDS, f'do="{each.do}"', f"{each.told} {each.when}", (each.rule, each.family)) for each in ACTIONS]
    for each in rulings().values():
        said.append((RULINGS, f'id = "{each.id}"', f"{each.default} {each.why}", (each.id, *each.rules)))
    lines = {file: (ROOT / file).read_text("utf-8").splitlines() for file, *_ in said}
    for file, beginning, words, rules in said:
        line = next((n for n, text in enumerate(lines[file], 1) if beginning in text), 1)
        for number in _NUMBER.finditer(words):
            yield _numeral(file, line, number, rules)


def blocks_of(text: str) -> list[str]:
    """A page's paragraphs, list items, table rows and headings, without its fences."""
    return ["\n".join(lines) for _, lines in _blocks(without_fences(text))]


def own_ids(block: str) -> list[str]:
    """The ids that a block carries."""
    return [match[1] for match in _OWN.finditer(block)]


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _numeral(file: str, line: int, number: re.Match[str], rules: tuple[str, ...], is_own: bool = False) -> Numeral:
    text, after = number[0], number.string[number.end() :]
    change = _CHANGE.match(after)
    unit = re.match(r" (\w+)", after)
    value = _value(text)
    if isinstance(value, int) and change and change[1] in ("lower", "less"):
        value = -value
    return Numeral(file, line, text, value, rules, unit[1] if unit else "", bool(change) or text[0] in "+−-", is_own)


def _value(text: str) -> int | str:
    if text[:5].lower() == "round":
        return text.split()[1].lower()
    if text[0].isalpha():
        return WORDS[text.lower()]
    return text if "." in text else int(text.replace("−", "-").replace(",", ""))


def _wrong_faces(words: str) -> set[int]:
    """Where faces stand, in a line of an example, whose sum or outcome no reading of the line gives.

    A reading adds some of the levels named there, and what cover or engaging changes where they are: as much to a face
    without a sum as to another with one. It holds the sum against one of the numbers that the line names for that.
    """
    against = [int(each) for match in _HELD_AGAINST.finditer(words) for each in re.findall(r"\d+", match[1])]
    faces = list(_FACE.finditer(words))
    told = [words[face.end() : after.start() if after else None] for face, after in zip_longest(faces, faces[1:])]
    sums = [_SUM.search(each) for each in told]
    more = {int(found[1] or found[2]) - int(face[1]) for face, found in zip(faces, sums, strict=True) if found}
    wrong = set()
    for face, after, found in zip(faces, told, sums, strict=True):
        mine = {int(found[1] or found[2]) - int(face[1])} if found else more or _bonuses(words)
        mine = {0} if "total" in face[0] else mine & _bonuses(words)
        results = {face_needed(each, difficulty) <= int(face[1]) for each in mine for difficulty in against}
        outcome = _OUTCOME.search(after)
        if not mine or (outcome and results and bool(outcome[1]) not in results):
            wrong.add(face.start(1))
    return wrong


def _bonuses(words: str) -> set[int]:
    """All that may be added to a face, by what the line names: nothing, or the sum of up to three of them."""
    added = [int(match[1]) for match in _ADDED.finditer(words)]
    lasting = [rule for word, rule in (("cover", "act.cover"), ("engage", "act.engage")) if word in words.lower()]
    added += [int(each) for rule in lasting for each in named(rule).values()]
    return {sum(some) for count in range(4) for some in combinations(added, count)}


def without_fences(text: str) -> str:
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
