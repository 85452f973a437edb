"""A beginner's first fight: its explanations next to what they explain, and the turning points at its end."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import find_violations
from tests.browser.navigation import visit
from tests.browser.pages.calculator import FRAMES, is_uncovered, open_ready, tap, wait_for_answer
from tests.browser.pages.replay import wait_for_step
from tests.support.states import STATES

CARD = "section.explanations"


def open_first_fight(page: Page) -> None:
    """Open the fight by the link of the home page."""
    visit(page, "")
    page.get_by_role("link", name="Play the first fight").click()
    page.wait_for_selector(CARD)
    wait_for_answer(page)


def test_first_fight_explains_a_turn_and_each_button_below_it(phone: Page) -> None:
    """On a phone the explanation of an action is below its button."""
    open_first_fight(phone)
    expect(phone.locator(CARD)).to_contain_text("On a turn you take one action")
    buttons, texts = phone.locator(".fight-rows .act-row"), phone.locator("[data-explains]")
    assert texts.count() >= buttons.count()
    for text in texts.all():
        row = text.locator("xpath=preceding-sibling::*[1]")
        above, below = row.bounding_box(), text.bounding_box()
        assert above is not None
        assert below is not None
        assert above["y"] + above["height"] <= below["y"]
    tap(phone, "[data-action=double-attack]")
    expect(phone.locator(CARD)).to_contain_text("The first roll")
    tap(phone, "[data-action=end-turn]")
    expect(phone.locator(CARD)).to_contain_text("Wren’s first turn")
    expect(phone.locator("[data-explains=evade]")).to_have_count(0)
    assert is_uncovered(phone.locator("[data-action=end-turn]"))


def test_hidden_explanations_stay_hidden_after_reload(page: Page) -> None:
    """The focus stays at the switch, which brings them back."""
    open_first_fight(page)
    tap(page, "[value='guide off']")
    expect(page.locator(CARD)).to_have_count(0)
    expect(page.locator("[value='guide on']").first).to_be_focused()
    page.reload()
    wait_for_answer(page)
    expect(page.locator(CARD)).to_have_count(0)
    tap(page, "[value='guide on']")
    expect(page.locator(CARD)).to_contain_text("What a turn is")


def test_end_of_first_fight_leads_to_a_character_or_another_fight(page: Page) -> None:
    """*Fight again* begins a new entry with the same characters."""
    open_ready(page, f"tools/fight/?{STATES['fight']['explained, won']}")
    expect(page.get_by_role("link", name="Make a character")).to_have_attribute("href", "../character/")
    tap(page, "[value=repeat]")
    expect(page.locator(CARD)).to_contain_text("What a turn is")
    expect(page.locator("[data-entry]")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_turning_points_lead_to_the_replay_at_their_roll(page: Page, scheme: str) -> None:
    """*What if?* opens the replay with the rolls that matter."""
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    open_ready(page, f"tools/fight/?{STATES['fight']['explained, won']}")
    page.click("[value='turning on']")
    page.wait_for_selector("[data-figures=turning-points]")
    expect(page.locator("[data-turning]")).to_have_count(3)
    page.wait_for_selector("[data-figures=turning-points][data-certain]")
    page.evaluate(FRAMES)
    assert find_violations(page) == []
    page.click("[data-turning='4'] .turning-points__what-if")
    page.wait_for_url("**/replay/**")
    wait_for_step(page, 4)
    expect(page.locator(".replay__what-if button").first).to_have_text("9 or less")
    page.click("[data-turning='2'] .turning-points__what-if")
    wait_for_step(page, 2)
