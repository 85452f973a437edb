"""The text of the basic rules as built."""

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from bs4.element import NavigableString

from scratch_core.rulebook import RULE_OPTIONS, load_rulings

STRAIGHT_QUOTE = re.compile("""['"]""")
PAGES = (
    "rules/",
    "rules/rolls/",
    "rules/turns/",
    "rules/hit-points/",
    "rules/defences/",
    "rules/actions/",
    "rules/abilities/",
    "rules/making-a-character/",
    "rules/combat-example/",
    "start-here/",
)
NO_PROSE = (
    "scratch-calculator, .calculator-place, .scenario-example, .engine-table, table, figure, .drawing, .highlight, "
    "h1, h2, h3, h4, h5, h6, .rule-anchor, .headerlink, .ruling-mark, .ruling-footnotes, script, style"
)


def words_of(html: str) -> set[str]:
    """Return the words of a built page's prose."""
    article = BeautifulSoup(html, "html.parser").find("article")
    for element in article.select(NO_PROSE):
        element.decompose()
    return {*article.get_text(" ").replace(",", " ").replace(".", " ").split()}


@pytest.mark.parametrize("page", PAGES)
def test_prose_of_the_basic_rules_names_no_ruling_and_no_switch(site: Path, page: str) -> None:
    """The prose of the basic rules has no ids of rulings or switches.

    They are in marks and tables only.
    """
    words = words_of((site / page / "index.html").read_text(encoding="utf-8"))
    assert len(words) > 50
    assert words & {*load_rulings(), *(switch.name for switch in RULE_OPTIONS)} == set()


def test_pages_have_typographic_quotes_only(site: Path) -> None:
    """Code, fields and scripts aside."""
    found = []
    for file in sorted(site.rglob("*.html")):
        soup = BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")
        for each in soup.find_all(["code", "pre", "kbd", "samp", "script", "style", "textarea"]):
            each.decompose()
        texts = [text for text in soup.find_all(string=STRAIGHT_QUOTE) if type(text) is NavigableString]
        found += [f"{file.relative_to(site)}: {text.strip()[:80]}" for text in texts]
    assert found == []
