"""The text as built: every address of before still leads somewhere, and there is no more to read than there may be."""

import re
from pathlib import Path

import pytest

from build_scripts.folders import ROOT
from build_scripts.reading import (
    BASIC_PAGES,
    FIRST_PAGE,
    HARDEST,
    HARDEST_PAGE,
    MOST_RULINGS,
    MOST_WORDS,
    MOST_WORDS_FIRST,
    MOST_WORDS_OF_RULINGS,
    plain_text,
    reading,
    words_of_rulings,
)
from scratch_core.catalogue import SWITCHES, rulings

BEFORE = (ROOT / "tests" / "site" / "anchors_before.txt").read_text(encoding="utf-8").split()


_ID = re.compile(r"<[a-z][^<>]*?\sid=[\"']?([^\"'\s>]+)")


def anchors(site: Path, page: str) -> set[str]:
    """The ids in a built page's article; none where there is no such page."""
    path = site / page / "index.html" if not page.endswith(".html") else site / page
    if not path.is_file():
        return set()
    return {*_ID.findall(path.read_text(encoding="utf-8"))}


def test_every_anchor_of_before_is_there(site: Path) -> None:
    """Every page and fragment that the site had before the rulebook was rewritten still leads to its place."""
    pages = {address.partition("#")[0] for address in BEFORE}
    now = {f"{page}#{anchor}" for page in pages for anchor in anchors(site, page)}
    assert len(BEFORE) == 629
    assert [address for address in BEFORE if address not in now] == []


def test_there_is_little_to_read(site: Path) -> None:
    """The basic rules, with what each ability is, have at most 6,500 words, and are easy to read.

    The page for strangers has 1,200 at most, as easy as a children's book. The rulings are 125 at most, in 5,950.
    """
    every, first = reading(site, *BASIC_PAGES), reading(site, FIRST_PAGE)
    assert every.words <= MOST_WORDS
    assert round(every.grade, 1) <= HARDEST
    assert first.words <= MOST_WORDS_FIRST
    assert first.ease >= 80
    assert len(rulings()) <= MOST_RULINGS
    assert words_of_rulings() <= MOST_WORDS_OF_RULINGS


@pytest.mark.parametrize("page", BASIC_PAGES)
def test_no_basic_page_is_hard(site: Path, page: str) -> None:
    """Each of them can be read by a child of eleven."""
    assert round(reading(site, page).grade, 1) <= HARDEST_PAGE


@pytest.mark.parametrize("page", [*BASIC_PAGES, FIRST_PAGE])
def test_no_codes_in_sentences(site: Path, page: str) -> None:
    """The running text of the basic rules names no ruling's code and no switch."""
    words = plain_text((site / page / "index.html").read_text(encoding="utf-8"))
    names = [*rulings(), *(switch.name for switch in SWITCHES)]
    assert [name for name in names if name in words.replace(",", " ").replace(".", " ").split()] == []
