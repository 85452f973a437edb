"""The whole rulebook on one page, for printing or saving: the builder's pages one after another.

The page has an empty `<div class="rulebook"></div>`, which is filled before the pages are finished, so that rulings are
numbered once for all chapters. Calculators are left out. Ids begin with the name of their chapter, and links between
chapters stay within the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from posixpath import normpath, relpath
from urllib.parse import urldefrag

from bs4 import BeautifulSoup, Tag

from scratch_core.rulebook import RULES

RULEBOOK_PATH = "look-up/rulebook/index.html"
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
"""The pages in reading order."""

_PLACEHOLDER = '<div class="rulebook"></div>'
_REMOVED_SELECTOR = ".calculator-place, scratch-calculator, .sheet-jumps, .sheets-lead, .headerlink, script"
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_ID_REFERENCE_ATTRIBUTES = ("for", "headers", "aria-labelledby", "aria-describedby", "aria-controls", "aria-owns")
_PAGES_BY_RULE = {rule.id: rule.page for rule in RULES}


def fill_rulebook(pages: Mapping[str, str]) -> str:
    """Return the rulebook's page with all chapters.

    `pages` are the built pages by their path, such as `rules/index.html`. Raises ValueError without the placeholder.
    """
    page = pages[RULEBOOK_PATH]
    if _PLACEHOLDER not in page:
        raise ValueError(f"expected {_PLACEHOLDER} in {RULEBOOK_PATH}, got none")
    chapters = [_build_chapter(pages[f"{each}index.html"], each) for each in CHAPTERS]
    titled = zip(CHAPTERS, chapters, strict=True)
    contents = "".join(
        f'<li><a href="#{_get_id_prefix(page)}">{_get_title(chapter)}</a></li>' for page, chapter in titled
    )
    filled = "".join(map(str, chapters))
    return page.replace(
        _PLACEHOLDER, f'<div class="rulebook"><ul class="rulebook-contents">{contents}</ul>{filled}</div>'
    )


def _get_title(chapter: Tag) -> str:
    heading = chapter.find("h2")
    assert isinstance(heading, Tag), "a page has a heading"
    return heading.decode_contents()


def _get_id_prefix(page: str) -> str:
    """Return the prefix of a chapter's ids: the page's own name."""
    return page.rstrip("/").rpartition("/")[2]


@lru_cache(maxsize=len(CHAPTERS))
def _build_chapter(html: str, page: str) -> Tag:
    """Build and cache a section from a page's article, with its own ids.

    `mkdocs serve` calls this again after every change.
    """
    soup = BeautifulSoup(html, "html.parser")
    article = soup.find("article")
    assert isinstance(article, Tag), "a built page has an article"
    _remove_parts_unfit_for_rulebook(article)
    for element in article.find_all(True):
        if element.name in _HEADINGS[:-1] and not element.find_parent(class_="sheet"):
            element.name = _HEADINGS[_HEADINGS.index(element.name) + 1]
        _rewrite_ids_and_links(element, page)
    title = _get_title(article)
    for region in article.select('[role="region"][aria-label]'):
        region["aria-label"] = f"{region['aria-label']} ({BeautifulSoup(title, 'html.parser').get_text()})"
    article.name = "section"
    article.attrs.clear()
    article["class"], article["id"] = "rulebook-chapter", _get_id_prefix(page)
    return article


def _remove_parts_unfit_for_rulebook(article: Tag) -> None:
    """Remove calculators with their introduction, links to the next page, and headings without a text."""
    for calculator in article.select(".calculator-place, scratch-calculator"):
        before = calculator.find_previous_sibling()
        if before and before.name == "p" and before.get_text().rstrip().endswith(":"):
            before.decompose()
    for each in article.select(_REMOVED_SELECTOR):
        each.decompose()
    for each in article.select("p"):
        if re.match(r"\s*(?:Next|Begin with)\b.*", each.get_text()) and each.find_next_sibling() is None:
            each.decompose()
    for heading in reversed(article.find_all(_HEADINGS)):
        after = heading.find_next_sibling()
        if after is None or (after.name in _HEADINGS and after.name <= heading.name):
            heading.decompose()


def _rewrite_ids_and_links(element: Tag, page: str) -> None:
    """Prefix an element's ids and references with the chapter, and rewrite its links."""
    prefix = _get_id_prefix(page)
    if element.get("id"):
        element["id"] = f"{prefix}-{element['id']}"
    for name in _ID_REFERENCE_ATTRIBUTES:
        if element.get(name):
            ids = element[name] if isinstance(element[name], list) else str(element[name]).split()
            element[name] = " ".join(f"{prefix}-{each}" for each in ids)
    for name in ("href", "src"):
        if element.get(name):
            element[name] = _rewrite_link(str(element[name]), page)
    for name, value in element.attrs.items():
        if isinstance(value, str) and "url(#" in value:
            element[name] = value.replace("url(#", f"url(#{prefix}-")


def _rewrite_link(address: str, page: str) -> str:
    """Return the address on the rulebook's page of a link in a chapter."""
    if address.startswith("rule:"):
        rule_id = address.removeprefix("rule:")
        home = _PAGES_BY_RULE.get(rule_id, "")
        return f"#{_get_id_prefix(home)}-{rule_id}" if home in CHAPTERS else address
    if re.match(r"[a-z]+:|/", address):
        return address
    path, anchor = urldefrag(address)
    target = f"{normpath(f'{page}{path}')}/".removeprefix("./") if path else page
    if target in CHAPTERS:
        return f"#{_get_id_prefix(target)}-{anchor}" if anchor else f"#{_get_id_prefix(target)}"
    file = path and not path.endswith("/")
    moved = relpath(target, "look-up/rulebook") + ("" if file else "/")
    return f"{moved}#{anchor}" if anchor else moved
