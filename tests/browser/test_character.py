"""The character calculator as its readers use it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.following import visit
from tests.browser.pages.builder import CHARACTER, paste
from tests.browser.pages.calculator import figure, open_ready, shared

FLIPFIRE = """Flipfire (11 agility, 11 intelligence, 12 strength, 2 stamina): medic
2 shooting: carbine
1 healing
2 fighting
1 acrobatics
4 toughness"""


def test_levels_answer_while_they_are_typed(page: Page) -> None:
    """Levels typed in change the figures without a submit; the address follows."""
    open_ready(page, CHARACTER)
    for ability in ("shooting", "healing", "detection", "toughness"):
        page.fill(f"[name={ability}]", "")
    page.fill("[name=acrobatics]", "2")
    page.fill("[name=quickness]", "3")
    page.fill("[name=toughness]", "4")
    expect(page.locator("[data-figure=agility]")).to_have_text("13")  # def.agility.illustration
    expect(page.locator("[data-figure=strength]")).to_have_text("11")  # 7 + toughness 4
    expect(page.locator("[data-figure=stamina]")).to_have_text("2")
    expect(page.locator("[data-figure=hit-points]")).to_have_text("4")
    expect(page.locator("[data-figure=cp]")).to_have_text("9")
    assert "quickness=3" in page.url


def test_steppers_add_and_take_away(page: Page) -> None:
    """The buttons beside a level add one and take one away, as fast as they are pressed."""
    open_ready(page, f"{CHARACTER}?toughness=3")
    more = page.locator("[data-step='1'][data-control=shooting]")
    for _ in range(3):
        more.click()
    page.click("[data-step='-1'][data-control=shooting]")
    expect(page.locator("[data-figure=cp]")).to_have_text("5")
    assert page.input_value("[name=shooting]") == "2"


def test_a_stat_block_is_checked(page: Page) -> None:
    """A pasted stat block gives the figures by the rules and points at the printed one that disagrees."""
    open_ready(page, CHARACTER)
    paste(page, FLIPFIRE)
    expect(page.locator("[data-figure=agility]")).to_have_text("11")
    assert figure(page, "strength") == "11"
    assert figure(page, "intelligence") == "11"
    assert figure(page, "cp") == "10"
    expect(page.locator("[data-audit=strength]")).to_contain_text("12")
    assert page.locator("[data-problem].problem-error").count() == 0


def test_every_problem_is_told_at_once(page: Page) -> None:
    """Too high a level, too many points and a level that is none are told together, each at its field."""
    open_ready(page, f"{CHARACTER}?toughness=6&shooting=5&healing=x&cp=10&max_level=4")
    fields = {problem.get_attribute("data-field") for problem in page.locator("[data-problem]").all()}
    assert {"toughness", "shooting", "healing"} <= fields
    assert page.input_value("[name=healing]") == "x"


def test_a_character_is_a_link(page: Page, other: Page) -> None:
    """The link to a character opens the same character in another profile."""
    open_ready(page, f"{CHARACTER}?name=The%20Boss&command=4&detection=1&shooting=2&toughness=3&minions=2%20toughness")
    assert figure(page, "intelligence") == "14"  # K02: command counts
    open_ready(other, shared(page))
    assert other.inner_text("[data-answer]") == page.inner_text("[data-answer]")


def test_presets_in_the_rules_answer_too(page: Page) -> None:
    """The defences preset inside the rules page computes in place and leaves the page's address alone."""
    visit(page, "rules/defences/")
    calculator = page.locator("scratch-calculator").first
    calculator.scroll_into_view_if_needed()
    expect(calculator).to_have_attribute("data-state", "ready")
    calculator.locator("[type=submit]").first.press("Enter")
    expect(calculator.locator("[data-figure=strength]")).to_be_visible()
    assert page.url.split("#")[0].endswith("/rules/defences/")
