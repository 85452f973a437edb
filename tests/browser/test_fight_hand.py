"""The game master's hand on the fight page, on a phone."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.test_table import READY, begin


def test_hit_points_are_set_and_somebody_joins_by_taps(page: Page) -> None:
    """Whom is chosen stays in view with the focus, also after a change; the head tells what is done."""
    page.set_viewport_size({"width": 390, "height": 664})
    begin(page)
    page.locator(".fight-hand > summary").click()
    page.locator("[data-hand-who=bandit]").click()
    page.wait_for_selector(READY)
    whom = page.locator(".hand-whom")
    expect(whom).to_be_focused()
    expect(whom).to_be_in_viewport()
    page.locator("[data-step='-1'][data-control=hand_hp]").click()
    page.locator("[data-action=set-hp]").click()
    page.wait_for_selector(READY)
    expect(page.locator("[data-last]")).to_contain_text("Game master: ")
    expect(whom).to_be_focused()
    expect(whom).to_be_in_viewport()
    expect(page.locator("[data-action=condition]").first).to_be_in_viewport()
    page.locator(".hand-join > summary").click()
    page.select_option("[name=hand_new]", "guard")
    page.locator("[data-action=join]").click()
    page.wait_for_selector(READY)
    expect(page.locator("[data-chip]")).to_have_count(9)
    assert page.locator(".fight-log li.by-hand").count() == 2
    page.locator("[data-undo]").click()
    page.wait_for_selector(READY)
    expect(page.locator("[data-chip]")).to_have_count(8)
