"""After every press its result is in view, each press counts or is refused in words, and nothing moves under a finger.

`make test` presses a random sample of every calculator, `FULL=1` all of it; tests/browser/crawl.py says what holds.
"""

from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext

from tests.browser.crawl import SCRIPT, WHOLE_INTERPRETER, crawl_start, crawl_states
from tests.regression.sample import generator, sample_size

SAMPLE = {"board": 8, "character": 60, "dice": 8, "fight": 90, "house": 8, "initiative": 8, "odds": 36, "replay": 60}
"""Of each calculator's elements a random one of so many is pressed; `FULL=1` presses all."""


@pytest.fixture
def context(new_context: Callable[..., BrowserContext]) -> BrowserContext:
    """A profile whose pages hold back what a crawl wants held."""
    made = new_context()
    made.add_init_script(SCRIPT)
    return made


@pytest.mark.parametrize("calculator", SAMPLE)
def test_press_alone_or_behind_two_shows_its_result(context: BrowserContext, calculator: str) -> None:
    """Each slow press counts or is refused, on a phone and a desktop.

    The whole interpreter is never fetched.
    """
    requested_urls: list[str] = []
    context.on("request", lambda request: requested_urls.append(request.url))
    page = context.new_page()
    counts: Counter[str] = Counter()
    page.goto(f"tools/{calculator}/")
    page.wait_for_selector("scratch-calculator[data-state=ready]")
    every = sample_size(SAMPLE[calculator], full=1)
    wrong = crawl_states(page, calculator, every, counts, generator(f"crawl {calculator}"))
    print(calculator, dict(counts))
    assert wrong == []
    assert counts["alone"]
    assert not [url for url in requested_urls if url.endswith(WHOLE_INTERPRETER)]


@pytest.mark.parametrize("calculator", ["character", "dice", "fight"])
def test_presses_while_python_starts_are_all_answered(context: BrowserContext, calculator: str) -> None:
    """Presses before Python has started are sent or refused when it has.

    One element of each kind is pressed.
    """
    counts: Counter[str] = Counter()
    assert crawl_start(context, calculator, counts) == []
    assert counts["while Python starts"] >= 2
