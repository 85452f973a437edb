"""The character sheet in play on a phone and by keyboard: rolls, hit points, conditions and undo."""

from playwright.sync_api import Page, expect

from tests.browser.pages.builder import Taps, open_character
from tests.browser.pages.calculator import wait_for_answer

HUNTER = "name=Ria&shooting=4&toughness=4&detection=2"


def test_sheet_in_play_rolls_and_tracks_state_by_taps(phone: Page) -> None:
    """Results survive a reload, and all is undone.

    "Play this sheet" shows its head, the hit points, the usual roll and the result on one screen.
    """
    open_character(phone, HUNTER)
    tap = Taps(phone)
    tap("[name=do][value=play]")
    phone.wait_for_selector(".calculator-play")
    wait_for_answer(phone)
    for place in (".play-head", ".play-head .track", ".play-result", ".play-roll.primary"):
        expect(phone.locator(place)).to_be_in_viewport(ratio=0.99)
    phone.locator(".play-ability", has_text="detection").tap()
    phone.select_option("[name=whom]", "rat")
    expect(phone.locator("[value='roll intelligence'] .play__odds")).to_have_text("65%")  # 2 against 10: 13 faces of 20
    tap("[value='roll intelligence']")
    last = phone.locator(".play-last")
    expect(last).to_contain_text("2 detection")
    expect(last).to_be_in_viewport(ratio=0.99)
    text = last.inner_text()
    tap("[aria-label='Hit point 3, left']")
    expect(phone.locator("[data-hp-left]")).to_have_text("2")
    expect(phone.locator("[data-state-of-health]")).to_have_text("injured")
    tap("[value='note delayed']")
    expect(phone.locator(".play-on")).to_have_text("delayed")
    phone.reload()
    wait_for_answer(phone)
    assert last.inner_text() == text
    assert phone.inner_text("[data-hp-left]") == "2"
    for _ in range(3):
        tap("[value=undo]")
        wait_for_answer(phone)
    expect(phone.locator(".play-none")).to_be_visible()
    assert phone.inner_text("[data-hp-left]") == "4"
    assert phone.locator("[value=undo]").is_disabled()
    phone.set_viewport_size({"width": 664, "height": 390})
    assert phone.locator(".play-head").evaluate("(head) => getComputedStyle(head).position") == "static"


def test_sheet_in_play_keeps_its_head_uncovered_while_scrolling(phone: Page) -> None:
    """Each visible button of the head is hit at its centre."""
    open_character(phone, f"{HUNTER}&at=play")
    Taps(phone)("[value=roll]")
    wait_for_answer(phone)
    covered = phone.evaluate(
        """async () => {
          const head = document.querySelector(".play-head"), covered = [];
          for (let top = 0; head.getBoundingClientRect().bottom > 60; top += 20) {
            scrollTo({ top, behavior: "instant" });
            await new Promise(requestAnimationFrame);
            const header = document.querySelector(".md-header").getBoundingClientRect().bottom;
            for (const button of head.querySelectorAll("button")) {
              const box = button.getBoundingClientRect();
              if (box.top < header || box.bottom > innerHeight) continue;
              const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
              if (!button.contains(hit)) covered.push(`${top}: ${button.getAttribute("aria-label")}`);
            }
            if (top > document.body.scrollHeight) break;
          }
          return covered;
        }"""
    )
    assert covered == []


def test_sheet_in_play_rolls_and_notes_conditions_by_keyboard(page: Page) -> None:
    """Enter rolls and keeps the focus for the next roll."""
    open_character(page, f"{HUNTER}&at=play")
    page.focus("[name=rolled]:checked")
    page.keyboard.press("ArrowDown")
    expect(page.locator("[name=rolled]:checked")).to_have_value("detection")
    wait_for_answer(page)
    page.focus("[value=roll]")
    for count in (1, 2):
        page.keyboard.press("Enter")
        page.wait_for_function(
            "(count) => document.querySelector('[name=play]').value.split('roll ').length > count", arg=count
        )
        wait_for_answer(page)
        assert page.evaluate("document.activeElement.value") == "roll"
    assert "Ria has 4 of 4 hit points" in page.inner_text(".calculator-announcement")
    page.click(".play-more > summary")
    page.focus("[name=condition]")
    page.keyboard.type("one boot lost")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".play-on")).to_have_text("one boot lost")
    assert page.input_value("[name=condition]") == ""
    page.emulate_media(media="print")
    assert page.locator("[data-paper]").is_visible()
    assert not page.locator(".play-head").is_visible()
