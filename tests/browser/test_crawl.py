"""A sample of the crawler's presses: each counts or is refused in words, and nothing moves under a finger.

The beginning of its result is seen.
"""

from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext

from tests.browser.crawl import SCRIPT, WHOLE_INTERPRETER, crawl_start, crawl_states
from tests.regression.sampling import generator, sample_size

SAMPLE = {"board": 8, "character": 60, "dice": 8, "fight": 90, "house": 8, "initiative": 8, "odds": 36, "replay": 60}
"""Of each calculator's elements a random one of so many is pressed; `FULL=1` presses all."""


@pytest.fixture
def context(new_context: Callable[..., BrowserContext]) -> BrowserContext:
    """A profile whose pages hold back what a crawl wants held."""
    made = new_context()
    made.add_init_script(SCRIPT)
    return made


def test_every_press_of_a_sample_counts_or_is_refused(context: BrowserContext) -> None:
    """Alone, slowly and behind two others, on a phone and a desk; the whole interpreter is never needed."""
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = context.new_page()
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    chance = generator("crawl")
    for calculator, every in SAMPLE.items():
        page.goto(f"tools/{calculator}/")
        page.wait_for_selector("scratch-calculator[data-state=ready]")
        wrong += crawl_states(page, calculator, sample_size(every, full=1), counts, chance)
    print(dict(counts))
    assert wrong == []
    assert counts["alone"] > 20
    assert not [url for url in asked if url.endswith(WHOLE_INTERPRETER)]


@pytest.mark.parametrize("calculator", ["character", "dice", "fight"])
def test_presses_while_python_starts_are_all_answered(context: BrowserContext, calculator: str) -> None:
    """One of each kind, pressed before Python is there, is asked or refused when it is."""
    counts: Counter[str] = Counter()
    assert crawl_start(context, calculator, counts) == []
    assert counts["while Python starts"] >= 2
