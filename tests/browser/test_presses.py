"""Presses that come while others wait: each counts, on the answer of the one before, or is refused in words."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.following import visit
from tests.browser.holding import held_back, let_one
from tests.browser.pages.calculator import READY, open_ready
from tests.browser.pages.fight import FACES, FIGHT, SHEETS, write
from tests.browser.positions import aimed_at, fight_of

REFUSED = ".calculator-refused"
BEGIN = "button[name=log][value=begin]"


def begun(page: Page) -> None:
    """A fight in which Chokestar is on turn."""
    visit(page, FIGHT)
    page.wait_for_selector(READY)
    write(page, sheets=SHEETS, initiative=FACES)
    page.click(BEGIN)
    page.wait_for_selector("[data-active=chokestar]")
    page.wait_for_selector(READY)


def story(page: Page) -> str:
    """The log as it stands on the page."""
    return " ".join(page.locator(".fight-log li").all_inner_texts())


def test_two_taken_out_before_the_first_answer_are_both_out_of_the_fight(page: Page) -> None:
    """Whoever is taken out while an answer is on its way goes as the one before does, and nobody comes back."""
    visit(page, FIGHT)
    page.wait_for_selector(READY)
    write(page, sheets="Rat\nside: them\n1 toughness\n\nCat\nside: them\n1 toughness")
    expect(page.locator("[data-ready]")).to_have_count(2)
    page.wait_for_selector(READY)
    with held_back(page):
        for button in page.locator("[data-remove]").all():
            button.click()
    page.wait_for_selector(READY)
    expect(page.locator(".fight-added")).to_contain_text("Cat is out.")
    assert page.locator("[data-ready]").count() == 0


def test_a_key_pressed_with_another_is_asked_on_its_answer(page: Page) -> None:
    """The first act and the end of the turn, pressed in one moment, both happen."""
    begun(page)
    with held_back(page):
        page.locator(".fight-head").click()
        page.keyboard.press("1")
        page.keyboard.press("e")
    page.wait_for_selector(READY)
    page.wait_for_selector("[data-active=breakhelm-x-19], [data-active=flipfire]")
    assert "Chokestar" in story(page)


def test_an_act_pressed_in_one_moment_with_its_target_is_aimed_at_that_one(page: Page) -> None:
    """A target chosen and an act pressed before the answer: the act is asked on it, and hits whom it shows by then."""
    open_ready(page, fight_of(4))
    ring = page.locator(".aim[aria-pressed=false]").last
    chosen = ring.get_attribute("data-add")
    with held_back(page):
        ring.click()
        page.keyboard.press("1")
    page.wait_for_selector(READY)
    expect(page.locator(REFUSED)).to_be_empty()
    assert chosen
    assert aimed_at(page) == [chosen]


def test_what_is_typed_between_two_presses_goes_with_the_second(page: Page) -> None:
    """Faces typed while an act waits are the next act's; what is typed after that press stays for the one after."""
    begun(page)
    with held_back(page):
        page.fill("[name=faces]", "19")
        page.locator(".fight-acts [data-key='1']").click()
        page.fill("[name=faces]", "")
        page.locator("button[data-action=end-turn]").first.click()
        page.fill("[name=note]", "later")
        let_one(page)
        page.wait_for_selector(".fight-log li")
        assert page.input_value("[name=note]") == "later"
    page.wait_for_selector(READY)
    assert page.input_value("[name=note]") == "later"
    assert "later" not in story(page)


def test_a_press_that_makes_no_sense_any_more_is_refused_in_words(page: Page) -> None:
    """The same act twice: the second is not offered on the first one's answer, and the page says so."""
    begun(page)
    act = page.locator(".fight-acts [data-key='1']")
    words = act.locator(".label").inner_text()
    with held_back(page):
        act.click()
        act.click()
    page.wait_for_selector(READY)
    expect(page.locator(REFUSED)).to_contain_text("Not done: ")
    expect(page.locator(REFUSED)).to_contain_text(words)
    assert page.locator(".fight-log li").count() == 1
    page.keyboard.press("e")
    page.wait_for_selector("[data-active=breakhelm-x-19], [data-active=flipfire]")
    expect(page.locator(REFUSED)).to_be_empty()


ACT_AND_END = """() => {
  document.querySelector(".fight-acts [data-key='1']").click();
  document.querySelector("button[data-action=end-turn]").click();
}"""


def test_a_hang_is_told_and_what_waits_is_asked_after_another_try(page: Page) -> None:
    """An act hangs while the turn's end waits: that is said, and “Try again” does both, the act first."""
    begun(page)
    limits = page.evaluate("globalThis.scratchLimits")
    with held_back(page):
        page.evaluate("globalThis.scratchLimits = { ...scratchLimits, answer: 1 }")
        page.evaluate(ACT_AND_END)
        expect(page.locator(".calculator-status")).to_contain_text("Python took too long")
        page.evaluate("(limits) => (globalThis.scratchLimits = limits)", limits)
    expect(page.locator(REFUSED)).to_be_empty()
    page.click("[data-retry]")
    page.wait_for_selector("[data-active=breakhelm-x-19], [data-active=flipfire]")
    page.wait_for_selector(READY)
    assert "Chokestar" in story(page)


def test_what_waits_behind_a_stopped_answer_is_refused_in_words(page: Page) -> None:
    """“Stop” gives the act up and names the turn's end as not done; the next press counts."""
    begun(page)
    with held_back(page):
        page.evaluate(ACT_AND_END)
        page.locator("[data-stop]").click()
        expect(page.locator(REFUSED)).to_contain_text("Not done: “End the turn")
        assert page.locator(".fight-log li").count() == 0
    page.wait_for_selector(READY)
    page.keyboard.press("e")
    page.wait_for_selector("[data-active=breakhelm-x-19], [data-active=flipfire]")
    expect(page.locator(REFUSED)).to_be_empty()
