"""A rule's anchor stands at the words about that rule, not at its neighbour's."""

import re
from functools import cache

import pytest

from build_scripts.markdown_extensions.page_text import list_blocks, list_own_ids
from build_scripts.paths import DOCS
from scratch_core.rulebook import RULES, Rule

SMALL = frozenset(
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
STEM = 4
TERMS = {
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
"""Words to look for where neither the title of a rule nor its id is in the text's own words."""


def stems(text: str) -> set[str]:
    """The beginnings of a text's words, small ones aside."""
    return {word[:STEM] for word in re.findall(r"[a-z0-9]+", text.lower()) if len(word) > 2 and word not in SMALL}


@cache
def collect_words_by_anchor() -> dict[tuple[str, str], str]:
    """The words at each id of each page: of a heading its section, of anything else that block."""
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


def keys(rule: Rule) -> set[str]:
    """What to look for: the words of the title, of the id's last part, and those given for the rule."""
    return stems(f"{rule.title} {rule.id.rpartition('.')[2].replace('-', ' ')} {TERMS.get(rule.id, '')}")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_an_anchor_stands_at_words_about_its_rule(rule: Rule) -> None:
    """The heading's section, paragraph, item or row with a rule's anchor has a word of its title, or one of its own."""
    words = collect_words_by_anchor()[rule.page.rstrip("/"), rule.id]
    assert keys(rule) & stems(words), (sorted(keys(rule)), words[:300])
