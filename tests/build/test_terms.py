"""Terms are explained before they are used, from the first page of the rules to the Grid.

A term is explained under its rule's anchor, or where it is in italics. Names of abilities and actions may come earlier
if the first one is a link to the explanation.
"""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from build_scripts.markdown_extensions.page_text import list_blocks, list_own_ids
from build_scripts.paths import DOCS
from scratch_core.rulebook import ACTIONS, Term, get_rule, load_glossary
from scratch_core.rulebook.abilities import ABILITY_NAMES

PAGES = (
    "index",
    "rolls",
    "defences",
    "hit-points",
    "turns",
    "actions",
    "abilities",
    "making-a-character",
    "combat-example",
    "grid",
)
"""The pages in reading order."""

TERMS_WITHOUT_TOOLTIP = ("die roll", "total", "exposed", "immobilized", "interrupting attack", "line of sight", "exit")
"""Terms of the glossary that have no tooltip in the text."""

EXCEPTIONS: dict[str, str] = {
    "delayed": "a hold and a distraction name and link what they cause; the explanation is at the end of their page",
    "minion": "healing comes before command among the abilities, and links to the explanation of minions",
}
"""Terms used before their explanation, each with the reason."""

Place = tuple[int, int]
_LINK = re.compile(r"\[\[[\w.-]+\|([^\]]+)\]\]")
_BARE = re.compile(r"\[\[([\w.]+(?:-\w+)*)\]\]")


@cache
def list_page_blocks(page: str) -> tuple[str, ...]:
    """Return a page's blocks, without its metadata and fences."""
    text = (DOCS / "rules" / f"{page}.md").read_text(encoding="utf-8").split("---\n", 2)[2]
    return tuple(list_blocks(text))


def find_explanation(term: Term) -> Place:
    """Return the block that explains a term.

    It has the anchor of the term's rule, or is an earlier one with the term in italics.
    """
    page = get_rule(term.rule).page.removeprefix("rules/").strip("/")
    place = next(place for place, block in enumerate(list_page_blocks(page)) if term.rule in list_own_ids(block))
    anchor = PAGES.index(page), place - list_page_blocks(page)[place].startswith("{:")
    brought_in = re.compile(rf"(?<!\*)\*{_forms(term.name)}\*(?!\*)", re.IGNORECASE)
    every = ((number, at) for number, page in enumerate(PAGES) for at in range(len(list_page_blocks(page))))
    return next(
        (at for at in every if at < anchor and brought_in.search(list_page_blocks(PAGES[at[0]])[at[1]])), anchor
    )


def _forms(name: str) -> str:
    return rf"(?<![\w-]){re.escape(name)}(?:e?s)?(?![\w-])"


_LONGER = {
    each.name: [
        _forms(other.name) for other in load_glossary() if f" {each.name} " in f" {other.name} " != f" {each.name} "
    ]
    for each in load_glossary()
}
"""For each word those that have it in them: "initiative group" is no use of "initiative"."""


def list_uses(term: Term) -> Iterator[tuple[Place, bool]]:
    """Yield the place of each use of a term, and whether it links a rule."""
    for number, page in enumerate(PAGES):
        for at, block in enumerate(list_page_blocks(page)):
            words = re.sub(r"\{:?\s*[#.][^}]*\}|^# .*|\[[^\]\[]+\]\([\w./-]+\.md\)|\]\([^)]*\)", " ", block)
            words = _BARE.sub(lambda bare: f"[[{bare[1]}|{get_rule(bare[1]).title}]]" if "." in bare[1] else " ", words)
            for longer in _LONGER[term.name]:
                words = re.sub(longer, lambda found: "-" * len(found[0]), words, flags=re.IGNORECASE)
            links = [range(*link.span(1)) for link in _LINK.finditer(words)]
            words = re.sub(r"\[\[[\w.-]+\|", lambda found: "-" * (len(found[0]) - 1) + " ", words)
            for found in re.finditer(_forms(term.name), words, re.IGNORECASE):
                yield (number, at), any(found.start() in link for link in links)


def find_early_use(term: Term) -> str:
    """Return the place of a use before the explanation, or "" if there is none."""
    is_named = term.name in {*ABILITY_NAMES, *(card.title.lower() for card in ACTIONS)}
    first = next(list_uses(term), None)
    if first is None or first[0] >= find_explanation(term) or (is_named and first[1]):
        return ""
    (page, block), _ = first
    return f"{PAGES[page]}: {list_page_blocks(PAGES[page])[block][:120]}"


EXPLAINED_TERMS = [
    term
    for term in load_glossary()
    if (term.tooltip or term.name in TERMS_WITHOUT_TOOLTIP)
    and get_rule(term.rule).page.removeprefix("rules/").strip("/") in PAGES
]


@pytest.mark.parametrize("term", EXPLAINED_TERMS, ids=lambda term: term.name)
def test_term_is_explained_before_its_first_use(term: Term) -> None:
    """Only the listed exceptions are used earlier."""
    assert bool(find_early_use(term)) == (term.name in EXCEPTIONS), find_early_use(term)


def test_at_most_ten_terms_are_used_before_their_explanation() -> None:
    """Each exception has a reason."""
    assert len(EXCEPTIONS) <= 10
    assert all(len(reason.split()) > 3 for reason in EXCEPTIONS.values())
