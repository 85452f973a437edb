"""The marks of rulings in a real browser: without scripts, by keyboard, on a phone and on paper."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import BrowserContext, expect

MARK = "#act\\.unrepeatable ~ .paragraph details.ruling-mark >> nth=1"


def test_a_mark_opens_by_keyboard_without_scripts(new_context: Callable[..., BrowserContext]) -> None:
    """Enter on the sign opens the note below its line and Enter again closes it, with no script at all."""
    page = new_context(java_script_enabled=False, viewport={"width": 390, "height": 664}).new_page()
    page.goto("rules/turns/")
    mark = page.locator(MARK)
    note, sign = mark.locator(".ruling-notes"), mark.locator("summary")
    expect(note).to_be_hidden()
    sign.focus()
    page.keyboard.press("Enter")
    expect(note).to_be_visible()
    box, line = note.bounding_box(), sign.bounding_box()
    assert box is not None
    assert line is not None
    assert box["y"] >= line["y"]
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    page.keyboard.press("Enter")
    expect(note).to_be_hidden()


def test_a_mark_is_named_for_those_who_hear_it(new_context: Callable[..., BrowserContext]) -> None:
    """The accessible name of the sign is the ruling's title, and a finger has 24 pixels each way."""
    page = new_context().new_page()
    page.goto("rules/turns/")
    sign = page.locator(MARK).locator("summary")
    assert "Ruling: Once per encounter, against whom" in sign.aria_snapshot()
    width, height = sign.evaluate(
        "sign => ['width', 'height'].map(side => parseFloat(getComputedStyle(sign, '::before')[side]))"
    )
    assert min(width, height) >= 24


def test_paper_has_the_notes_as_footnotes(new_context: Callable[..., BrowserContext]) -> None:
    """Printed, the sign is a number and the ruling stands at the end, whether its mark is open or not."""
    page = new_context().new_page()
    page.goto("rules/turns/")
    page.locator(MARK).locator("summary").click()
    page.emulate_media(media="print")
    mark = page.locator(MARK)
    expect(mark.locator(".ruling-number")).to_be_visible()
    expect(mark.locator(".ruling-notes")).to_be_hidden()
    expect(mark.locator(".ruling-sign")).to_be_hidden()
    notes = page.locator(".ruling-footnotes")
    expect(notes).to_be_visible()
    expect(notes).to_contain_text("Once per encounter, against whom (A03).")
    page.emulate_media(media="screen")
    expect(notes).to_be_hidden()


def test_a_sentence_goes_on_behind_a_folded_mark(new_context: Callable[..., BrowserContext]) -> None:
    """What follows a mark stands on its line as long as the note is folded up."""
    page = new_context(viewport={"width": 390, "height": 664}).new_page()
    page.goto("rules/turns/")
    mark = page.locator("#turn\\.group ~ .paragraph details.ruling-mark").first
    after = mark.evaluate(
        """mark => {
          const range = document.createRange();
          range.selectNodeContents(mark.nextSibling);
          return range.getClientRects()[0].top;
        }"""
    )
    sign = mark.locator("summary").bounding_box()
    assert sign is not None
    assert sign["y"] - 4 <= after <= sign["y"] + sign["height"]
