"""The text as built: every address of before still leads somewhere, and there is no more to read than there may be."""

from __future__ import annotations

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


def test_the_basic_pages_are_short(site: Path) -> None:
    """The basic rules, with what each ability is, have at most 6,300 words, and are easy to read."""
    every = reading(site, *BASIC_PAGES)
    assert every.words <= MOST_WORDS
    assert round(every.grade, 1) <= HARDEST


@pytest.mark.parametrize("page", BASIC_PAGES)
def test_no_basic_page_is_hard(site: Path, page: str) -> None:
    """Each of them can be read by a child of eleven."""
    assert round(reading(site, page).grade, 1) <= HARDEST_PAGE


def test_the_rulings_are_few_and_short() -> None:
    """At most 120, in 5,200 words."""
    assert len(rulings()) <= MOST_RULINGS
    assert words_of_rulings() <= MOST_WORDS_OF_RULINGS


def test_the_first_page_is_short(site: Path) -> None:
    """The page for strangers has at most 1,200 words, and is as easy as a children's book."""
    first = reading(site, FIRST_PAGE)
    assert first.words <= MOST_WORDS_FIRST
    assert first.ease >= 80


@pytest.mark.parametrize("page", [*BASIC_PAGES, FIRST_PAGE])
def test_no_codes_in_sentences(site: Path, page: str) -> None:
    """The running text of the basic rules names no ruling's code and no switch."""
    words = plain_text((site / page / "index.html").read_text(encoding="utf-8"))
    names = [*rulings(), *(switch.name for switch in SWITCHES)]
    assert [name for name in names if name in words.replace(",", " ").replace(".", " ").split()] == []
