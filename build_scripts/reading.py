"""How much there is to read, and how hard it is: `python -m build_scripts.reading [SITE]`.

Counted are the words of a built page's article without fences, tables, headings, marks of rulings and signs of links;
the words of its tables, which are looked up rather than read, stand beside them. How hard a text is, two measures of
the library textstat say: Flesch's reading ease (0 hard, 100 easy) and the grade of Flesch and Kincaid (years of
school). The rulings are counted by themselves.
"""

from __future__ import annotations

import argparse
import re
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

from bs4 import BeautifulSoup, Tag

from build_scripts.folders import SITE
from scratch_core.catalogue import rulings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # textstat still asks pkg_resources for its files
    from textstat import textstat

BASIC_PAGES = tuple(
    f"rules/{name}"
    for name in (
        "",
        "rolls/",
        "turns/",
        "hit-points/",
        "defences/",
        "actions/",
        "abilities/",
        "making-a-character/",
        "combat-example/",
    )
)
MOST_WORDS = 6_500
"""What the basic pages may have together, with what each ability is."""

HARDEST, HARDEST_PAGE = 4.5, 4.8
"""The grade of the basic pages together, and of any one of them."""

MOST_RULINGS, MOST_WORDS_OF_RULINGS = 125, 5_950
"""How many rulings there may be, and their words together."""

FIRST_PAGE = "start-here/"
MOST_WORDS_FIRST = 1_200
"""What the page for strangers may have."""

_NOT_READ = (
    "scratch-calculator, .calculator-place, .scenario-example, .engine-table, table, figure, .drawing, .highlight, "
    "h1, h2, h3, h4, h5, h6, .rule-anchor, .headerlink, .ruling-mark, .ruling-footnotes, script, style"
)
_NOT_IN_TABLES = "scratch-calculator, .scenario-example, .rule-anchor, .ruling-mark, caption"
_WORD = re.compile(r"\w[\w'’+−-]*")
_BLOCKS = ("p", "li", "dt", "dd", "div", "section", "blockquote", "ul", "ol")
_ENDS = (".", "!", "?", ":", ";")


@dataclass(frozen=True, slots=True)
class Reading:
    """A page's count of words, that in tables, its reading ease (0–100, more is easier) and grade (years of school)."""

    page: str
    words: int
    in_tables: int
    ease: float
    grade: float


def article(html: str, left_out: str = _NOT_READ) -> Tag:
    """A built page's article without what is not counted."""
    found = BeautifulSoup(html, "html.parser").find("article")
    assert isinstance(found, Tag), "a built page has an article"
    for each in found.select(left_out):
        each.decompose()
    return found


def count_words(element: Tag) -> int:
    """The words of an element."""
    return len(_WORD.findall(element.get_text(" ")))


def words_of_rulings() -> int:
    """The words of all rulings: titles, questions, readings and reasons."""
    parts = (part for each in rulings().values() for part in (each.title, each.question, *each.readings, each.why))
    return sum(len(part.split()) for part in parts)


def plain_text(html: str) -> str:
    """The sentences of a built page; what ends without a stop, such as an item of a list, is given one."""
    text = article(html)
    for block in text.find_all(_BLOCKS):
        block.append("\n")
        block.insert_before("\n")
    lines = (" ".join(line.split()) for line in text.get_text().splitlines())
    return " ".join(line if line.endswith(_ENDS) else f"{line}." for line in lines if line)


def reading(site: Path, *pages: str) -> Reading:
    """Measure a page of a built site, or several as one text."""
    html = [(site / page / "index.html").read_text(encoding="utf-8") for page in pages]
    text = " ".join(map(plain_text, html))
    in_tables = sum(count_words(table) for each in html for table in article(each, _NOT_IN_TABLES).select("table"))
    ease, grade = textstat.flesch_reading_ease(text), textstat.flesch_kincaid_grade(text)
    name = pages[0] if len(pages) == 1 else "the basic pages"
    return Reading(name, sum(count_words(article(each)) for each in html), in_tables, ease, grade)


def main(arguments: list[str] | None = None) -> int:
    """Print the figures page by page; 1 when there is more to read than there may be, or harder, else 0."""
    parser = argparse.ArgumentParser(prog="python -m build_scripts.reading", description="Count and measure the text.")
    parser.add_argument("site", nargs="?", type=Path, default=SITE, help="the built site")
    site = parser.parse_args(arguments).site
    pages = [reading(site, page) for page in BASIC_PAGES]
    total = reading(site, *BASIC_PAGES)
    first = [reading(site, FIRST_PAGE)] if (site / FIRST_PAGE).is_dir() else []
    print(f"{'page':28} {'words':>6} {'tables':>6} {'ease':>6} {'grade':>6}")
    for each in [*pages, total, *first]:
        print(f"{each.page:28} {each.words:6,} {each.in_tables:6,} {each.ease:6.1f} {each.grade:6.1f}")
    print(f"{f'{len(rulings())} rulings':28} {words_of_rulings():6,}")
    faults = [f"too much to read: {each.page}" for each in first if each.words > MOST_WORDS_FIRST]
    faults += [f"too much to read: {total.page}"] if total.words > MOST_WORDS else []
    faults += [f"too hard: {each.page}" for each in pages if round(each.grade, 1) > HARDEST_PAGE]
    faults += [f"too hard: {total.page}"] if round(total.grade, 1) > HARDEST else []
    too_many = len(rulings()) > MOST_RULINGS or words_of_rulings() > MOST_WORDS_OF_RULINGS
    faults += ["too much to read: the rulings"] if too_many else []
    for fault in faults:
        print(f"fault: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
