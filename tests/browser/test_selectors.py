"""The calculators' stylesheets and states: no selector without an element, no state without a style."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from unittest import mock

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Browser, Page

import scratch_core.dice
from build_scripts.dev.query_corpus import QueryDice
from build_scripts.paths import OVERRIDES
from tests.browser.patience import PATIENCE
from tests.support.snapshots import render_state
from tests.support.states import STATES

LAYERS = (
    *("scrolling", "button", "stepper", "field", "choice", "fold", "explainer", "die", "strip", "track", "person"),
    *("act", "notice", "chooser", "table", "aloud", "parts", "switch"),
    *("calculator", "calculator-fields", "answer", "chart", "why", "sheet-text", "calculator-status"),
    *("calculator-saved", "line-numbers", "house-rules", "list", "replay", "players-screen", "setup"),
    *("fight", "fight-head", "fight-people", "fight-actions", "fight-foot", "fight-log", "fight-ending"),
    *("fight-layout", "builder", "cast", "play", "dice", "odds", "turn-order", "initiative", "states", "paper"),
    *("board", "board-scroll", "board-editor", "board-findings", "board-in-fight", "board-drawing"),
)
"""The stylesheets about calculators, most of the layers of scratch.css."""
BODY, SCREEN = ".calculator-body", "scratch-screen"
MATCHED_NOWHERE: dict[str, str] = {
    "line-numbers: :is(.line-numbers__field):has(pre:not(:empty))": "lines that a script numbers",
    "list: .list-row__total": "rows of the history, which a script adds after an answer",
    "list: :is(scratch-calculator .list-row__open):has(.list-row__total)": "rows of the history",
    "fight-ending: .fight-code svg": "drawn with the root of a served site, which these answers lack",
}
"""Selectors that match nothing here, with the reason."""
STYLED_BY_OTHERS: dict[str, str] = {
    "button.fight-people__look aria-expanded": "what it opens is below it",
    "tr.replay__line.replay__line--differs.replay__line--now aria-current": ".replay__line--now",
    "tr.replay__line.replay__line--now aria-current": ".replay__line--now",
    **{f"li.person.side-{side} aria-current": ".is-on" for side in (1, 2, 5)},
}
"""States for screen readers that no selector names, with what shows the same."""


@cache
def read_scripts() -> str:
    """Return the text of our scripts, including those that the build writes into pages."""
    files = (path for kind in ("*.mjs", "inline/*.js") for path in sorted((OVERRIDES / "javascripts").rglob(kind)))
    return "\n".join(path.read_text(encoding="utf-8") for path in files)


def list_script_names() -> list[str]:
    """Return the classes (with a dot) and attributes that scripts set or create."""
    text = read_scripts()
    classes = re.findall(r'\bclass(?:List\.(?:add|toggle)\(|Name[ =:]+|=)"([^"]+)"', text)
    attributes = re.findall(r'\b(?:toggle|set)Attribute\(\s*"([\w-]+)"', text)
    classes += re.findall(r'\bcreateElement\(\s*"\w+", "([^"]+)"', text)
    data = re.findall(r"\bdataset\.(\w+) \??\??=[^=]", text)
    dashed = [f"data-{re.sub('[A-Z]', lambda upper: f'-{upper[0].lower()}', each)}" for each in data]
    return sorted({*(f".{each}" for names in classes for each in names.split()), *attributes, *dashed, "open"})


@pytest.fixture(scope="module")
def pages(browser: Browser, site: Path) -> Iterator[Page]:
    """Load every page and every state into a page that finds selectors."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.add_script_tag(path=Path(__file__).with_name("selectors.js"))
    screens = []
    with mock.patch.object(scratch_core.dice, "SystemRoller", QueryDice):
        for name, states in STATES.items():
            answers = [render_state(name, state, f"c{number}").html for number, state in enumerate(states)]
            soups = (BeautifulSoup(each, "html.parser") for each in answers if "data-screen" in each)
            screens += [part.decode_contents() for soup in soups for part in soup.select("[data-screen]")]
            add_pages(page, site / "tools" / name / "index.html", BODY, answers)
    add_pages(page, site / "tools" / "players-screen" / "index.html", SCREEN, screens)
    for path in sorted(site.rglob("*.html")):
        add_pages(page, path)
    yield page
    page.close()


def add_pages(page: Page, path: Path, selector: str = "", answers: list[str] | None = None) -> None:
    """Load a page, or copies of it with each of these answers inside."""
    html = path.read_text(encoding="utf-8")
    page.evaluate("([html, selector, answers]) => addPages(html, selector, answers)", [html, selector, answers or []])


def list_selectors(page: Page, name: str) -> list[str]:
    """Return the selectors of a stylesheet."""
    css = (OVERRIDES / "stylesheets" / f"{name}.css").read_text(encoding="utf-8")
    found: list[str] = page.evaluate("(css) => listSelectors(css)", css)
    return found


def find_unmatched(page: Page, selectors: list[str]) -> list[str]:
    """Return the selectors that match nothing, in any state of readers and scripts."""
    found: list[str] = page.evaluate("([all, made]) => findUnmatched(all, made)", [selectors, list_script_names()])
    return found


def find_unstyled(page: Page, selectors: list[str]) -> list[str]:
    """Return the states that no selector distinguishes."""
    found: list[str] = page.evaluate("(selectors) => findUnstyled(selectors)", selectors)
    return found


def test_calculator_selectors_all_match_a_state(pages: Page) -> None:
    """Each selector of a calculator's stylesheet matches a state or a page.

    Content that scripts write is excepted.
    """
    unmatched = {f"{name}: {each}" for name in LAYERS for each in find_unmatched(pages, list_selectors(pages, name))}
    assert sorted(unmatched - MATCHED_NOWHERE.keys()) == []
    assert MATCHED_NOWHERE.keys() - unmatched == set(), "matched by now: take them off the list"


def test_states_of_elements_all_have_a_style(pages: Page) -> None:
    """Each state class and ARIA state of an element changes its look.

    A selector makes the difference for each kind of element.
    """
    unstyled = set(find_unstyled(pages, [each for name in LAYERS for each in list_selectors(pages, name)]))
    assert sorted(unstyled - STYLED_BY_OTHERS.keys()) == []
    assert STYLED_BY_OTHERS.keys() - unstyled == set(), "styled by now: take them off the list"


def test_state_classes_of_scripts_all_have_a_selector(pages: Page) -> None:
    """A state class that a script sets is named by a selector of some stylesheet."""
    sheets = "\n".join(path.read_text(encoding="utf-8") for path in (OVERRIDES / "stylesheets").glob("*.css"))
    states = [each for each in list_script_names() if each.startswith(".is-")]
    assert [each for each in states if not re.search(rf"{re.escape(each)}(?![\w-])", sheets)] == []


def test_dead_selector_and_unstyled_state_are_found(pages: Page) -> None:
    """A selector of no element, and a state whose own selector is gone."""
    assert find_unmatched(pages, [".answer.play", ".answer.playing-no-more", ".answer:hover > .none"]) == [
        ".answer.playing-no-more",
        ".answer:hover > .none",
    ]
    without = set(find_unstyled(pages, []))
    assert "li.person.side-1 .is-on" in without
    assert "li.person.side-1 .is-on" not in find_unstyled(pages, [".person.is-on"])
