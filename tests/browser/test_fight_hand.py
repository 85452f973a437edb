"""The game master's hand on the fight page, on a phone."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.pages.calculator import tap, unfold
from tests.browser.pages.fight import begin_four


def test_hit_points_are_set_and_somebody_joins_by_taps(page: Page) -> None:
    """A name's press opens its card, in view with the focus, also after a change; the head tells what is done."""
    page.set_viewport_size({"width": 390, "height": 664})
    begin_four(page)
    tap(page, "[data-hand-who=bandit]")
    whom = page.locator(".hand-whom")
    expect(whom).to_be_focused()
    expect(whom).to_be_in_viewport()
    page.locator("[data-step='-1'][data-control=hand_hp]").click()
    tap(page, "[data-action=set-hp]")
    expect(page.locator("[data-last]")).to_contain_text("Game master: ")
    expect(whom).to_be_focused()
    expect(whom).to_be_in_viewport()
    expect(page.locator("[data-action=condition]").first).to_be_in_viewport()
    unfold(page.locator(".hand-join > summary"))
    tap(page, "[data-choose=join]")
    expect(page.locator(".hand-join .chooser")).to_be_in_viewport()
    page.locator(".chooser [name='tick.guard']").check()
    tap(page, "[data-action=join]")
    expect(page.locator("[data-chip]")).to_have_count(9)
    assert page.locator(".fight-log li.by-hand").count() == 2
    tap(page, "[data-undo]")
    expect(page.locator("[data-chip]")).to_have_count(8)
