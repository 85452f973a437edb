"""Find numbers typed into the rules' text: `python -m build_scripts.checks.bare_numbers` lists each with page and line.

A rule's number is written `[[= rule]]`, and the engine fills it in (`engine_numbers.py`). A number that no rule sets,
as in "the two of you", is written `[[plain two]]`. Numbers may be typed in headings, fences, code and examples (`!!!
example`, or the block after `<!-- example -->`), and in names of dice, list markers, attributes, and the ids and
targets of links.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from build_scripts.markdown_extensions.engine_numbers import NUMBER_WORDS
from build_scripts.markdown_extensions.page_text import blank_out_fences
from build_scripts.paths import DOCS

FOLDERS = ("rules", "look-up")
EXAMPLE_PAGES = ("rules/combat-example.md",)
"""Pages that are one example each, which the fight on the page plays."""

EXAMPLE = "<!-- example -->"
_UNCHECKED = re.compile(
    r"(`+)[^`]+?\1|"  # code
    r"\[\[(?:=|plain )[^\]]*\]\]|"  # numbers of the engine, and numbers that the author has marked
    r"\[\[[^\]|]*(?:\]\]|\|)|\]\([^)]*\)|"  # ids in double brackets, targets of links
    r"\{[^}]*\}|<[^>]*>|"  # attributes
    r"^ *\d+\. |\b\d*d\d+s?\b"  # list markers, dice
)
_NUMBER = re.compile(
    rf"(?<!\w)[+−-]?[\d½¼][\d.,½¼]*(?<![.,])|\b(?:{'|'.join(NUMBER_WORDS[2:])})\b|"
    r"\bround(?:s|ed)? (?:up|down)\b",
    re.IGNORECASE,
)


def check_bare_numbers(docs: Path = DOCS) -> list[str]:
    """Return one sentence for each number typed into the rules and the look-up pages."""
    problems = []
    for folder in FOLDERS:
        for path in sorted((docs / folder).rglob("*.md")):
            page = path.relative_to(docs).as_posix()
            if page not in EXAMPLE_PAGES:
                problems += [
                    f"docs/{page}:{line}: expected [[= rule]], or [[plain {number}]] for a number that no rule sets, "
                    f"got {number!r}"
                    for line, number in list_bare_numbers(path.read_text("utf-8"))
                ]
    return problems


def list_bare_numbers(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line of each number typed into a page's text, and the number."""
    is_admonition = is_block = is_before_block = False
    for number, line in enumerate(blank_out_fences(text).split("\n"), 1):
        is_admonition = line.startswith("!!! example") or (is_admonition and line[:1] in ("", " "))
        is_block = bool(line) and (is_block or is_before_block)
        is_before_block = line == EXAMPLE or (is_before_block and not line)
        if is_admonition or is_block or line.lstrip().startswith("#"):
            continue
        for match in _NUMBER.finditer(_UNCHECKED.sub(" ", line)):
            yield number, match[0]


def main() -> int:
    """Print the numbers, and return 1 if there are any."""
    problems = check_bare_numbers()
    print("\n".join(problems) or "The text of the rules has no typed number.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
