"""Each rule's anchor is in the text about that rule, not about a neighbouring one."""

import re
from functools import cache

import pytest

from build_scripts.markdown_extensions.page_text import list_blocks, list_own_ids
from build_scripts.paths import DOCS
from scratch_core.rulebook import RULES, Rule

STOP_WORDS = frozenset(
    [
        "the",
        "and",
        "for",
        "with",
        "without",
        "from",
        "what",
        "how",
        "when",
        "where",
        "which",
        "that",
        "than",
        "who",
        "not",
        "are",
        "can",
        "may",
        "its",
        "one",
    ]
)
STEM_LENGTH = 4
EXTRA_KEYWORDS = {
    "roll.illustrations": "written rolls",
    "roll.no-auto-fail": "only",
    "mano.counter.timing": "after",
    "mano-old.phase.ready.choice": "choose",
    "turn.tie": "tied equal",
    "hp.start": "encounter",
    "def.psychic-source": "trick magic",
    "act.engage.penalty": "lower agility",
    "act.shooting.auto": "shot damage",
    "flying.immunity": "flying reach",
    "swimming.scale": "levels water",
    "act.intimidate.defence": "intelligence strength",
    "grid.move.blocked": "walls obstacles",
    "grid.blast.max": "limit",
    "mano-old.order.seating": "clockwise sit",
    "mano-old.phase.ready.illustrations": "points round",
    "seize.not-self": "yourself",
    "seize.claim.timing": "turn",
}
"""Keywords of rules whose text contains no word of their title or id."""


def extract_stems(text: str) -> set[str]:
    """Return the first letters of each word, without stop words."""
    return {
        word[:STEM_LENGTH]
        for word in re.findall(r"[a-z0-9]+", text.lower())
        if len(word) > 2 and word not in STOP_WORDS
    }


@cache
def collect_words_by_anchor() -> dict[tuple[str, str], str]:
    """Return the text at each id of each page: a heading's section, or the block."""
    found = {}
    for path in DOCS.rglob("*.md"):
        page = path.relative_to(DOCS).with_suffix("").as_posix().removesuffix("index").rstrip("/")
        blocks = list_blocks(path.read_text("utf-8"))
        for place, block in enumerate(blocks):
            for anchor in list_own_ids(block):
                found[page, anchor] = _words(blocks, place)
    return found


def _words(blocks: list[str], place: int) -> str:
    words = [blocks[place - 1] if blocks[place].startswith("{:") else blocks[place]]
    if words[0].startswith("#"):
        for block in blocks[place + 1 :]:
            if block.startswith("#"):
                break
            words.append(block)
    return re.sub(r"\{[^}]*\}|\]\([^)]*\)|\[\[[\w.-]+\|", " ", "\n".join(words))


def list_keywords(rule: Rule) -> set[str]:
    """Return the stems of a rule's title, id and extra keywords.

    Of the id, the last part counts.
    """
    return extract_stems(
        f"{rule.title} {rule.id.rpartition('.')[2].replace('-', ' ')} {EXTRA_KEYWORDS.get(rule.id, '')}"
    )


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_rule_anchor_is_in_text_about_its_rule(rule: Rule) -> None:
    """The section, paragraph, item or row with the anchor contains a keyword of the rule."""
    words = collect_words_by_anchor()[rule.page.rstrip("/"), rule.id]
    assert list_keywords(rule) & extract_stems(words), (sorted(list_keywords(rule)), words[:300])
