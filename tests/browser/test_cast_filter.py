"""The filter of the cast: by kind and other words, with its state in the address, and no filter without scripts."""

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from scratch_core.calculators.characters_text.chooser import build_chooser
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.cast import CAST, OPPONENTS
from tests.browser.axe import find_violations
from tests.browser.navigation import visit
from tests.browser.pages.calculator import wait_for_answer
from tests.browser.pages.saved_entries import save_characters

CAST_PAGE = "tools/cast/"
FILTER = ".cast-filter .choice"
READY = "scratch-cast-filter[data-filtered]"
CARDS = ".cast-card:visible"
FIND = "#cast-find"
FOUND = ".cast-filter__found"
COUNT_SHOWN = """() => {
  globalThis.shown = new Set();
  const count = () => {
    const cards = [...document.querySelectorAll(".cast-card")];
    globalThis.shown.add(cards.filter((card) => card.checkVisibility({ visibilityProperty: true })).length);
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
}"""
"""Collects in `shown` how many cards are visible in each frame."""


NO_TIMEOUT = """() => {
  const styles = new CSSStyleSheet();
  styles.replaceSync("* { animation-delay: 1e6s !important }");
  document.adoptedStyleSheets = [styles];
}"""
"""Prevents that the whole list appears because a busy machine has not run the script within six seconds."""


def wait_for_url_end(page: Page, end: str) -> None:
    """Wait until the URL has this end.

    The browser reports a changed URL a moment later.
    """
    page.wait_for_url(lambda url: url.endswith(end))


def open_cast(page: Page, query: str = "") -> None:
    """Open the page of the cast, and wait for its filter."""
    visit(page, f"{CAST_PAGE}{query}")
    page.wait_for_selector(READY)


def list_members(page: Page) -> list[str]:
    """Return the ids of the visible cards."""
    return [str(each.get_attribute("data-member")) for each in page.locator(CARDS).all()]


def list_chosen(text: str) -> list[str]:
    """Return the ids that the picker of a fight lists for a search."""
    query = parse_query(format_query({"choosing": "us", "find": text}))
    groups = build_chooser(query, "us", "printed", is_new=False).groups
    return [each.value for _, options in groups for each in options]


@pytest.mark.parametrize("text", ["robber", "monsters", "archer", "Shooter", "goblin", "healing", "thug", "the boss"])
def test_filter_and_picker_of_a_fight_find_the_same(page: Page, text: str) -> None:
    """Other words, plurals, parts of names, and abilities."""
    open_cast(page)
    page.fill(FIND, text)
    expect(page.locator(FOUND)).to_have_text(f"{len(list_chosen(text))} found")
    assert sorted(list_members(page)) == sorted(list_chosen(text))


def test_other_words_find_members() -> None:
    """The words of players for a few members."""
    assert "bandit" in list_chosen("robber")
    assert "sharpshooter" in list_chosen("archer")
    assert {"ogre", "bear"} <= set(list_chosen("monster"))
    assert "rat" not in list_chosen("pirate")
    assert "captain" in list_chosen("pirates")


def test_chips_filter_by_kind_and_stay_after_reload(phone: Page) -> None:
    """The state is in the address, and a heading without cards is hidden."""
    open_cast(phone)
    expect(phone.locator(FOUND)).to_have_text(f"{len(CAST)} characters")
    phone.click(f"{FILTER} >> text=Opponents")
    expect(phone.locator(FOUND)).to_have_text(f"{len(OPPONENTS)} found")
    wait_for_url_end(phone, "?show=opponents")
    expect(phone.locator("#ready-to-play")).to_be_hidden()
    phone.fill(FIND, "rats")
    wait_for_url_end(phone, "?show=opponents&find=rats")
    phone.reload()
    phone.wait_for_selector(READY)
    assert list_members(phone) == ["rat"]
    expect(phone.locator(FIND)).to_have_value("rats")
    phone.fill(FIND, "")
    phone.click(f"{FILTER} >> text=Ten points")
    assert sorted(list_members(phone)) == sorted(each.id for each in CAST if each.cp == 10)
    phone.click(f"{FILTER} >> text=All")
    wait_for_url_end(phone, CAST_PAGE)


def test_nothing_found_suggests_and_leads_back(phone: Page) -> None:
    """A misspelt word gets the nearest names, any other a few useful words."""
    open_cast(phone, "?show=ten&find=sharpshoter")
    ways = phone.locator(".cast-filter__ways button")
    expect(phone.locator(FOUND)).to_have_text("No one found. Did you mean one of these?")
    ways.get_by_text("sharpshooter", exact=True).click()
    assert list_members(phone) == ["sharpshooter"]
    phone.fill(FIND, "qqqq")
    expect(ways).to_have_text(["archer", "healer", "robber", "monster", "Show everyone"])
    assert find_violations(phone) == []
    ways.last.click()
    expect(phone.locator(FOUND)).to_have_text(f"{len(CAST)} characters")
    expect(phone.locator(FIND)).to_be_focused()


def test_nothing_found_among_a_kind_leads_to_the_other_kinds(phone: Page) -> None:
    """The word stays."""
    open_cast(phone, "?show=ten&find=robber")
    expect(phone.locator(FOUND)).to_have_text("No one found here, but 2 in the whole list.")
    phone.click(".cast-filter__ways button")
    expect(phone.locator(FOUND)).to_have_text("2 found")
    expect(phone.locator(FIND)).to_have_value("robber")


def test_mine_lists_saved_characters_and_opens_them(page: Page) -> None:
    """A saved character's sheet is one press away. Without any, *Build a character* is."""
    open_cast(page, "?show=mine")
    expect(page.locator(".cast-filter__ways a")).to_have_text("Build a character")
    save_characters(page, "Quill", toughness="3")
    open_cast(page, "?show=mine")
    expect(page.locator(FOUND)).to_have_text("1 found")
    page.locator(CARDS).get_by_role("link", name="Quill").click()
    wait_for_answer(page)
    expect(page.locator("[data-answer]")).to_contain_text("Quill")


def test_link_to_a_hidden_heading_shows_everyone(page: Page) -> None:
    """The contents beside the page lead to headings without a match."""
    open_cast(page, "?find=robber")
    expect(page.locator("#minions")).to_be_hidden()
    page.evaluate("location.hash = '#minions'")
    expect(page.locator("#minions")).to_be_in_viewport()
    expect(page.locator(FIND)).to_have_value("")


def test_filtered_link_opens_without_a_jump(new_context: Callable[..., BrowserContext]) -> None:
    """The list appears when it is filtered, and never whole."""
    page = new_context(viewport={"width": 390, "height": 664}).new_page()
    page.add_init_script(f"({COUNT_SHOWN})(); ({NO_TIMEOUT})()")
    page.goto(f"{CAST_PAGE}?find=robber")
    page.wait_for_selector(READY)
    expect(page.locator(CARDS).first).to_be_visible()
    assert set(page.evaluate("[...shown]")) | {0} == {0, 2}


def test_whole_cast_is_visible_without_scripts(new_context: Callable[..., BrowserContext]) -> None:
    """The filter is not."""
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"{CAST_PAGE}?find=robber")
    expect(page.locator(CARDS)).to_have_count(len(CAST))
    expect(page.locator(FIND)).to_be_hidden()
