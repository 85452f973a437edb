"""The text as built: every address of before still leads somewhere, and there is no more to read than there may be."""

from __future__ import annotations

from pathlib import Path

from bs4 import BeautifulSoup

from build_scripts.folders import ROOT
from build_scripts.reading import FIRST_PAGE, MOST_WORDS_FIRST, reading

BEFORE = (ROOT / "tests" / "site" / "anchors_before.txt").read_text(encoding="utf-8").split()


def anchors(site: Path, page: str) -> set[str]:
    """The ids in a built page's article; none where there is no such page."""
    path = site / page / "index.html" if not page.endswith(".html") else site / page
    if not path.is_file():
        return set()
    return {
        str(each["id"]) for each in BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").find_all(id=True)
    }


def test_every_anchor_of_before_is_there(site: Path) -> None:
    """Every page and fragment that the site had before the rulebook was rewritten still leads to its place."""
    pages = {address.partition("#")[0] for address in BEFORE}
    now = {f"{page}#{anchor}" for page in pages for anchor in anchors(site, page)}
    assert len(BEFORE) == 629
    assert [address for address in BEFORE if address not in now] == []


def test_the_first_page_is_short(site: Path) -> None:
    """The page for strangers has at most 1,200 words, and is as easy as a children's book."""
    first = reading(site, FIRST_PAGE)
    assert first.words <= MOST_WORDS_FIRST
    assert first.ease >= 80
