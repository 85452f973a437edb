"""The replay of another turn order as its readers use it: by keyboard, with a step changed, by link."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.following import visit
from tests.browser.pages.calculator import open_ready, settled, shared
from tests.browser.pages.replay import at_step

STATES = (
    {},
    {"ada": "counterattack prepared"},
    {"ada": "counterattack prepared"},
    {"ada": "counterattack prepared", "cato": "attack waits, has moved"},
    {"cato": "has moved"},
    {},
    {},
)
"""What is said of each after every step: `mano.counter.illustration`."""


@pytest.mark.parametrize("place", ["rules/other-turn-orders/mano-a-mano/", "tools/replay/?scenario=counterattack"])
def test_the_counterattack_by_keyboard_alone(page: Page, place: str) -> None:
    """The arrow keys walk through it, Home and End leap, Space plays; who waits for what follows at each step."""
    visit(page, place)
    if "?" in place:  # in the text it wakes when it is used
        settled(page)
    page.keyboard.press("Home")
    for step, states in enumerate(STATES):
        at_step(page, step)
        shown = {each.get_attribute("data-states"): each.inner_text() for each in page.locator("[data-states]").all()}
        assert shown == states
        page.keyboard.press("ArrowRight")
    at_step(page, 6)
    expect(page.locator("[data-question]")).to_contain_text("Bo is next")
    page.keyboard.press("ArrowLeft")
    at_step(page, 5)
    page.keyboard.press(" ")
    at_step(page, 6)
    page.keyboard.press("Home")
    at_step(page, 0)
    page.keyboard.press("End")
    at_step(page, 6)


def test_a_change_shows_the_fork(page: Page, other: Page) -> None:
    """Another act chosen in the form makes a fork beside the file's story; the link shows the same."""
    open_ready(page, "tools/replay/?scenario=counterattack&step=4")
    page.locator(".change-step summary").click()
    page.select_option("[name=do_4]", "let-pass")
    settled(page)
    page.locator(".take").click()
    expect(page.locator("[data-first-difference='4']")).to_be_visible()
    expect(page.locator("textarea[name=fork]")).to_have_value("4.do = let-pass")
    expect(page.locator("[data-line='4'] [data-parts]")).to_be_visible()
    expect(page.locator("[data-states=ada]")).to_have_count(0)  # her own turn begins, and what was prepared lapses
    settled(page)
    open_ready(other, shared(page))
    at_step(other, 4)
    assert other.inner_text("[data-answer]") == page.inner_text("[data-answer]")


def test_from_a_drawn_example(page: Page) -> None:
    """The link below a drawing opens that fight; the pools stand there in numbers."""
    visit(page, "rules/other-turn-orders/older-pools/")
    page.get_by_role("link", name="Step through it").click()
    settled(page)
    page.keyboard.press("End")
    at_step(page, 9)
    expect(page.locator("[data-hp=nils]")).to_have_text("5")
    expect(page.locator("[data-value='ready.nils']")).to_have_text("1")
