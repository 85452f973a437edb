"""Links of before open as they did: every calculator, every order of turns, plain and packed, with boards and by hand.

tests/golden/links.jsonl holds a link a line, as a browser or a file of kept entries has it, with the sentence and the
steps that it told before the pages of all orders became one. One whose telling has changed since says why (`changed`).
"""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from build_scripts.calculator_html import render

FILE = Path(__file__).parent.parent / "golden" / "links.jsonl"
LINKS: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
NOTE = re.compile(r"<q .*?</q>", re.DOTALL)

pytestmark = pytest.mark.heavy


def texts(soup: BeautifulSoup, selector: str) -> list[str]:
    """What is told there, a line each."""
    return [" ".join(each.get_text(" ").split()) for each in soup.select(selector)]


@pytest.mark.parametrize("link", LINKS, ids=lambda link: f"{link['calculator']}, {link['what']}")
def test_it_tells_what_it_told(link: dict[str, Any]) -> None:
    """The sentence that is read aloud, what is wrong with it, and every step; a reader's notes aside."""
    answer = render(link["calculator"], link["query"], ask=True)
    soup = BeautifulSoup(NOTE.sub("", answer.html), "html.parser")
    assert answer.summary == link.get("summary", "")
    assert sorted(texts(soup, "[data-problem]")) == sorted(link.get("problems", []))  # each stands at its control
    assert texts(soup, "[data-entry], [data-line]") == link.get("steps", [])


def test_there_are_enough_of_each_kind() -> None:
    """At least sixty, from every calculator; fights and replays packed too."""
    kinds = Counter((link["calculator"], link["query"].startswith("packed=")) for link in LINKS)
    assert len(LINKS) >= 60
    assert {name for name, _ in kinds} == {"board", "character", "dice", "fight", "initiative", "odds", "replay"}
    assert min(kinds["fight", True], kinds["replay", True], kinds["board", True]) > 5
