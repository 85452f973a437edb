"""Presses during a pending answer: each one counts on the answer before it, or a message refuses it."""

from playwright.sync_api import Page, expect

from scratch_core.calculators.shared.query import format_query
from tests.browser.held_requests import hold_requests, release_request
from tests.browser.pages.calculator import open_ready, wait_for_answer
from tests.browser.pages.fight import FIGHT, SHEETS, STEPS, begin, expect_steps
from tests.browser.positions import build_fight_address, list_targets

REFUSED = ".calculator-refused"


def test_characters_removed_before_an_answer_are_all_removed(page: Page) -> None:
    """Press all their buttons while the first answer is pending."""
    open_ready(page, f"{FIGHT}?{format_query({'sheets': SHEETS})}")
    with hold_requests(page):
        for button in page.locator("[data-remove]").all():
            button.click()
    wait_for_answer(page)
    expect(page.locator(".fight-added")).to_contain_text("Breakhelm X-19 removed.")
    assert page.locator("[data-ready]").count() == 0


def test_action_pressed_right_after_its_target_uses_that_target(page: Page) -> None:
    """Both presses come before the answer."""
    open_ready(page, build_fight_address(4))
    ring = page.locator(".fight-people__aim[aria-pressed=false]").last
    chosen = ring.get_attribute("data-add")
    with hold_requests(page):
        ring.click()
        page.keyboard.press("1")
    wait_for_answer(page)
    expect(page.locator(REFUSED)).to_be_empty()
    assert chosen
    assert list_targets(page) == [chosen]


PRESS_ACTION_AND_END = """() => {
  document.querySelector(".fight-acts [data-key='1']").click();
  document.querySelector("button[data-action=end-turn]").click();
}"""


def test_waiting_presses_are_sent_in_order_or_refused_with_a_message(page: Page) -> None:
    """Press an action twice, stop it, let it hang, and end the turn behind it."""
    begin(page)
    act, log, refused = (page.locator(each) for each in (".fight-acts [data-key='1']", ".fight-log li", REFUSED))
    # the same action twice: the first answer no longer offers it
    words = act.locator(".act__label").inner_text()
    page.fill("[name=faces]", "2")
    with hold_requests(page):
        act.click()
        act.click()
    wait_for_answer(page)
    expect(refused).to_contain_text("wasn't done because")
    expect(refused).to_contain_text(words)
    assert page.evaluate(STEPS) == 1
    page.keyboard.press("e")
    expect_steps(page, 2)
    expect(refused).to_be_empty()
    wait_for_answer(page)
    # "Stop" cancels the action, and names the end of the turn as not done
    with hold_requests(page):
        page.evaluate(PRESS_ACTION_AND_END)
        expect(page.locator("[data-stop]")).to_be_visible()
        page.locator("[data-stop]").press("Enter")  # a click could miss it while the page scrolls
        expect(refused).to_contain_text("“End turn")
    wait_for_answer(page)
    assert page.evaluate(STEPS) == 2
    # a hang is reported, and "Try again" repeats the action and the presses behind it
    limits = page.evaluate("globalThis.scratchLimits")
    with hold_requests(page):
        page.evaluate("globalThis.scratchLimits = { ...scratchLimits, answer: 1 }")
        page.evaluate(PRESS_ACTION_AND_END)
        expect(page.locator(".calculator-status")).to_contain_text("Python took too long")
        page.evaluate("(limits) => (globalThis.scratchLimits = limits)", limits)
    expect(refused).to_be_empty()
    page.click("[data-retry]")
    expect_steps(page, 4)
    wait_for_answer(page)
    # text typed between two presses is sent with the second, and later text stays
    with hold_requests(page):
        page.fill("[name=faces]", "19")
        act.click()
        page.fill("[name=faces]", "")
        page.locator(".fight-head").click()
        page.keyboard.press("e")
        page.fill("[name=note]", "later")
        release_request(page)
        expect_steps(page, 5)
        assert page.input_value("[name=note]") == "later"
    expect_steps(page, 6)
    wait_for_answer(page)
    assert page.input_value("[name=note]") == "later"
    assert "later" not in " ".join(log.all_inner_texts())
