"""The whole rulebook on one page, for printing or keeping: what the builder has made of its pages, one after another.

The page has an empty `<div class="rulebook"></div>`, which is filled before the pages are finished, so rulings are
marked and numbered once over all. Calculators stay on their own pages. Ids have their chapter before them, and what
leads from one chapter to another stays within the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from posixpath import normpath, relpath
from urllib.parse import urldefrag

from bs4 import BeautifulSoup, Tag

from scratch_core.rulebook import RULES

PLACE = "look-up/rulebook/index.html"
CHAPTERS = (
    "start-here/",
    "rules/",
    "rules/rolls/",
    "rules/defences/",
    "rules/hit-points/",
    "rules/turns/",
    "rules/actions/",
    "rules/abilities/",
    "rules/making-a-character/",
    "rules/combat-example/",
    "rules/grid/",
    "rules/other-turn-orders/",
    "rules/other-turn-orders/mano-a-mano/",
    "rules/other-turn-orders/older-pools/",
    "rules/other-turn-orders/choose-next/",
    "look-up/quick-reference/",
)
"""The pages in the order in which they are read."""

_EMPTY = '<div class="rulebook"></div>'
_LEFT_OUT = ".calculator-place, scratch-calculator, .sheet-jumps, .sheets-lead, .headerlink, script"
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NAMES_IDS = ("for", "headers", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns")
_PAGE_OF = {rule.id: rule.page for rule in RULES}


def with_rulebook(pages: Mapping[str, str]) -> str:
    """The rulebook's page with all chapters in it; `pages` are built ones by their path, such as `rules/index.html`."""
    page = pages[PLACE]
    if _EMPTY not in page:
        raise ValueError(f"expected {_EMPTY} in {PLACE}, got none")
    chapters = [_chapter(pages[f"{each}index.html"], each) for each in CHAPTERS]
    named = zip(CHAPTERS, chapters, strict=True)
    contents = "".join(f'<li><a href="#{_prefix(page)}">{_title(chapter)}</a></li>' for page, chapter in named)
    filled = "".join(map(str, chapters))
    return page.replace(_EMPTY, f'<div class="rulebook"><ul class="rulebook-contents">{contents}</ul>{filled}</div>')


def _title(chapter: Tag) -> str:
    heading = chapter.find("h2")
    assert isinstance(heading, Tag), "a page has a heading"
    return heading.decode_contents()


def _prefix(page: str) -> str:
    """What stands before the ids of a chapter: the page's own name."""
    return page.rstrip("/").rpartition("/")[2]


@lru_cache(maxsize=len(CHAPTERS))
def _chapter(html: str, page: str) -> Tag:
    """A page's article as a section: without what is left out, with ids and links of its own; made once while it stays.

    `mkdocs serve` asks again after every change.
    """
    soup = BeautifulSoup(html, "html.parser")
    article = soup.find("article")
    assert isinstance(article, Tag), "a built page has an article"
    _leave_out(article)
    for element in article.find_all(True):
        if element.name in _HEADINGS[:-1] and not element.find_parent(class_="sheet"):
            element.name = _HEADINGS[_HEADINGS.index(element.name) + 1]
        _lead_within(element, page)
    title = _title(article)
    for region in article.select('[role="region"][aria-label]'):
        region["aria-label"] = f"{region['aria-label']} ({BeautifulSoup(title, 'html.parser').get_text()})"
    article.name = "section"
    article.attrs.clear()
    article["class"], article["id"] = "rulebook-chapter", _prefix(page)
    return article


def _leave_out(article: Tag) -> None:
    """Take out the calculators with the words that lead to them, the ways to the next page, and bare headings."""
    for calculator in article.select(".calculator-place, scratch-calculator"):
        before = calculator.find_previous_sibling()
        if before and before.name == "p" and before.get_text().rstrip().endswith(":"):
            before.decompose()
    for each in article.select(_LEFT_OUT):
        each.decompose()
    for each in article.select("p"):
        if re.match(r"\s*(?:Next|Begin with)\b.*", each.get_text()) and each.find_next_sibling() is None:
            each.decompose()
    for heading in reversed(article.find_all(_HEADINGS)):
        after = heading.find_next_sibling()
        if after is None or (after.name in _HEADINGS and after.name <= heading.name):
            heading.decompose()


def _lead_within(element: Tag, page: str) -> None:
    """Put the chapter before an element's id and those that it names, and let its link lead to where that is now."""
    prefix = _prefix(page)
    if element.get("id"):
        element["id"] = f"{prefix}-{element['id']}"
    for name in _NAMES_IDS:
        if element.get(name):
            named = element[name] if isinstance(element[name], list) else str(element[name]).split()
            element[name] = " ".join(f"{prefix}-{each}" for each in named)
    for name in ("href", "src"):
        if element.get(name):
            element[name] = _address(str(element[name]), page)
    for name, value in element.attrs.items():
        if isinstance(value, str) and "url(#" in value:
            element[name] = value.replace("url(#", f"url(#{prefix}-")


def _address(address: str, page: str) -> str:
    """Where a page's link leads on the rulebook's page."""
    if address.startswith("rule:"):
        rule_id = address.removeprefix("rule:")
        home = _PAGE_OF.get(rule_id, "")
        return f"#{_prefix(home)}-{rule_id}" if home in CHAPTERS else address
    if re.match(r"[a-z]+:|/", address):
        return address
    path, anchor = urldefrag(address)
    target = f"{normpath(f'{page}{path}')}/".removeprefix("./") if path else page
    if target in CHAPTERS:
        return f"#{_prefix(target)}-{anchor}" if anchor else f"#{_prefix(target)}"
    file = path and not path.endswith("/")
    moved = relpath(target, "look-up/rulebook") + ("" if file else "/")
    return f"{moved}#{anchor}" if anchor else moved
