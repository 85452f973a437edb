"""A word of the rules is told before it is used, from the first page of the rules to the Grid.

A word is told under the anchor of its rule, or where it stands in italics. Names of abilities and actions may come
earlier where the first of them is a link, which leads to the telling.
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
"""In the order in which they are read."""

WORDS = ("die roll", "total", "exposed", "immobilized", "interrupting attack", "line of sight", "exit")
"""Words of the rules that the glossary tells without explaining them in the text."""

EXCEPTIONS: dict[str, str] = {
    "delayed": "a hold and a distraction name and link what they cause; what it is stands at the end of their page",
    "minion": "healing stands before command among the abilities, and links to where minions are told",
}
"""Words that come before their telling, each with the reason."""

Place = tuple[int, int]
_LINK = re.compile(r"\[\[[\w.-]+\|([^\]]+)\]\]")
_BARE = re.compile(r"\[\[([\w.]+(?:-\w+)*)\]\]")


@cache
def blocks(page: str) -> tuple[str, ...]:
    """A page's blocks, without its head and its fences."""
    text = (DOCS / "rules" / f"{page}.md").read_text(encoding="utf-8").split("---\n", 2)[2]
    return tuple(list_blocks(text))


def find_explanation(term: Term) -> Place:
    """Where a word is told: the block with its rule's anchor, or an earlier one that brings it in, in italics."""
    page = get_rule(term.rule).page.removeprefix("rules/").strip("/")
    place = next(place for place, block in enumerate(blocks(page)) if term.rule in list_own_ids(block))
    anchor = PAGES.index(page), place - blocks(page)[place].startswith("{:")
    brought_in = re.compile(rf"(?<!\*)\*{_forms(term.name)}\*(?!\*)", re.IGNORECASE)
    every = ((number, at) for number, page in enumerate(PAGES) for at in range(len(blocks(page))))
    return next((at for at in every if at < anchor and brought_in.search(blocks(PAGES[at[0]])[at[1]])), anchor)


def _forms(name: str) -> str:
    return rf"(?<![\w-]){re.escape(name)}(?:e?s)?(?![\w-])"


_LONGER = {
    each.name: [
        _forms(other.name) for other in load_glossary() if f" {each.name} " in f" {other.name} " != f" {each.name} "
    ]
    for each in load_glossary()
}
"""For each word those that have it in them: "initiative group" is no use of "initiative"."""


def uses(term: Term) -> Iterator[tuple[Place, bool]]:
    """Where a word is used, and whether in a link to a rule; the names of pages aside."""
    for number, page in enumerate(PAGES):
        for at, block in enumerate(blocks(page)):
            words = re.sub(r"\{:?\s*[#.][^}]*\}|^# .*|\[[^\]\[]+\]\([\w./-]+\.md\)|\]\([^)]*\)", " ", block)
            words = _BARE.sub(lambda bare: f"[[{bare[1]}|{get_rule(bare[1]).title}]]" if "." in bare[1] else " ", words)
            for longer in _LONGER[term.name]:
                words = re.sub(longer, lambda found: "-" * len(found[0]), words, flags=re.IGNORECASE)
            links = [range(*link.span(1)) for link in _LINK.finditer(words)]
            words = re.sub(r"\[\[[\w.-]+\|", lambda found: "-" * (len(found[0]) - 1) + " ", words)
            for found in re.finditer(_forms(term.name), words, re.IGNORECASE):
                yield (number, at), any(found.start() in link for link in links)


def early(term: Term) -> str:
    """Where a word comes too early, "" where it does not."""
    is_named = term.name in {*ABILITY_NAMES, *(card.title.lower() for card in ACTIONS)}
    first = next(uses(term), None)
    if first is None or first[0] >= find_explanation(term) or (is_named and first[1]):
        return ""
    (page, block), _ = first
    return f"{PAGES[page]}: {blocks(PAGES[page])[block][:120]}"


HELD = [
    term
    for term in load_glossary()
    if (term.tooltip or term.name in WORDS) and get_rule(term.rule).page.removeprefix("rules/").strip("/") in PAGES
]


@pytest.mark.parametrize("term", HELD, ids=lambda term: term.name)
def test_a_word_is_told_before_it_is_used(term: Term) -> None:
    """The first use of a word is not before the block that tells it, exceptions aside."""
    assert bool(early(term)) == (term.name in EXCEPTIONS), early(term)


def test_there_are_few_exceptions() -> None:
    """Ten words at most come earlier, each for a reason."""
    assert len(EXCEPTIONS) <= 10
    assert all(len(reason.split()) > 3 for reason in EXCEPTIONS.values())
