"""The marks of rulings in a browser: without scripts, by keyboard, on a phone and in print."""

from collections.abc import Callable

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.navigation import visit
from tests.support.known import require

MARK = "#act\\.unrepeatable ~ .paragraph details.ruling-mark >> nth=1"


def test_ruling_mark_opens_by_keyboard_without_scripts(new_context: Callable[..., BrowserContext]) -> None:
    """Enter opens and closes the note below its line."""
    page = new_context(java_script_enabled=False, viewport={"width": 390, "height": 664}).new_page()
    page.goto("rules/turns/")
    note, sign = (page.locator(MARK).locator(each) for each in (".ruling-notes", "summary"))
    expect(note).to_be_hidden()
    sign.focus()
    page.keyboard.press("Enter")
    expect(note).to_be_visible()
    box, line = (require(each.bounding_box()) for each in (note, sign))
    assert box["y"] >= line["y"]
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.keyboard.press("Enter")
    expect(note).to_be_hidden()


def test_ruling_mark_has_a_name_and_size_and_is_a_footnote_in_print(phone: Page) -> None:
    """Its touch target is 24 pixels, and the sentence continues in its line.

    Printed, the mark is a number, and the ruling is at the end of the page.
    """
    visit(phone, "rules/turns/")
    mark = phone.locator(MARK)
    sign = mark.locator("summary")
    assert "Ruling: Once per encounter, or once per target" in sign.aria_snapshot()
    width, height = sign.evaluate(
        "sign => ['width', 'height'].map(side => parseFloat(getComputedStyle(sign, '::before')[side]))"
    )
    assert min(width, height) >= 24
    folded = phone.locator("#turn\\.group ~ .paragraph details.ruling-mark").first
    after = folded.evaluate(
        """mark => {
          const range = document.createRange();
          range.selectNodeContents(mark.nextSibling);
          return range.getClientRects()[0].top + scrollY;
        }"""
    )
    line = folded.locator("summary").evaluate(
        "sign => (({ top, bottom }) => [top + scrollY, bottom + scrollY])(sign.getBoundingClientRect())"
    )
    assert line[0] - 4 <= after <= line[1]
    sign.click()
    phone.emulate_media(media="print")
    expect(mark.locator(".ruling-number")).to_be_visible()
    expect(mark.locator(".ruling-notes")).to_be_hidden()
    expect(mark.locator(".ruling-sign")).to_be_hidden()
    notes = phone.locator(".ruling-footnotes")
    expect(notes).to_be_visible()
    expect(notes).to_contain_text("Once per encounter, or once per target (A03).")
    phone.emulate_media(media="screen")
    expect(notes).to_be_hidden()
