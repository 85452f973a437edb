"""Presses that come while others wait: each counts, on the answer of the one before, or is refused in words."""

from playwright.sync_api import Page, expect

from scratch_core.calculators.shared.query import format_query
from tests.browser.holding import held_back, let_one
from tests.browser.pages.calculator import open_ready, settled
from tests.browser.pages.fight import FIGHT, SHEETS, STEPS, begin, expect_steps
from tests.browser.positions import aimed_at, fight_of

REFUSED = ".calculator-refused"


def test_all_taken_out_before_the_first_answer_are_out_of_the_fight(page: Page) -> None:
    """Whoever is taken out while an answer is on its way goes as the one before does, and no one comes back."""
    open_ready(page, f"{FIGHT}?{format_query({'sheets': SHEETS})}")
    with held_back(page):
        for button in page.locator("[data-remove]").all():
            button.click()
    settled(page)
    expect(page.locator(".fight-added")).to_contain_text("Breakhelm X-19 removed.")
    assert page.locator("[data-ready]").count() == 0


def test_an_act_pressed_in_one_moment_with_its_target_is_aimed_at_that_one(page: Page) -> None:
    """A target chosen and an act pressed before the answer: the act is asked on it, and hits whom it shows by then."""
    open_ready(page, fight_of(4))
    ring = page.locator(".aim[aria-pressed=false]").last
    chosen = ring.get_attribute("data-add")
    with held_back(page):
        ring.click()
        page.keyboard.press("1")
    settled(page)
    expect(page.locator(REFUSED)).to_be_empty()
    assert chosen
    assert aimed_at(page) == [chosen]


ACT_AND_END = """() => {
  document.querySelector(".fight-acts [data-key='1']").click();
  document.querySelector("button[data-action=end-turn]").click();
}"""


def test_what_waits_is_asked_in_its_order_or_refused_in_words(page: Page) -> None:
    """An act pressed twice, stopped, hanging, and with the turn's end behind it: each press is done once, or told."""
    begin(page)
    act, log, refused = (page.locator(each) for each in (".fight-acts [data-key='1']", ".fight-log li", REFUSED))
    # the same act twice: the second is not offered on the first one's answer
    words = act.locator(".label").inner_text()
    page.fill("[name=faces]", "2")
    with held_back(page):
        act.click()
        act.click()
    settled(page)
    expect(refused).to_contain_text("wasn’t done because")
    expect(refused).to_contain_text(words)
    assert page.evaluate(STEPS) == 1
    page.keyboard.press("e")
    expect_steps(page, 2)
    expect(refused).to_be_empty()
    settled(page)
    # "Stop" gives the act up, and names the turn's end as not done
    with held_back(page):
        page.evaluate(ACT_AND_END)
        page.locator("[data-stop]").click()
        expect(refused).to_contain_text("“End turn")
    settled(page)
    assert page.evaluate(STEPS) == 2
    # a hang is told, and "Try again" does the act and what waits behind it
    limits = page.evaluate("globalThis.scratchLimits")
    with held_back(page):
        page.evaluate("globalThis.scratchLimits = { ...scratchLimits, answer: 1 }")
        page.evaluate(ACT_AND_END)
        expect(page.locator(".calculator-status")).to_contain_text("Python took too long")
        page.evaluate("(limits) => (globalThis.scratchLimits = limits)", limits)
    expect(refused).to_be_empty()
    page.click("[data-retry]")
    expect_steps(page, 4)
    settled(page)
    # what is typed between two presses goes with the second, and what is typed after that stays
    with held_back(page):
        page.fill("[name=faces]", "19")
        act.click()
        page.fill("[name=faces]", "")
        page.locator(".fight-head").click()
        page.keyboard.press("e")
        page.fill("[name=note]", "later")
        let_one(page)
        expect_steps(page, 5)
        assert page.input_value("[name=note]") == "later"
    expect_steps(page, 6)
    settled(page)
    assert page.input_value("[name=note]") == "later"
    assert "later" not in " ".join(log.all_inner_texts())
