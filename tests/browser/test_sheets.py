"""The quick reference: three sheets, one printed page each, and readable on a phone."""

import re

import pytest
from playwright.sync_api import Page

from tests.browser.navigation import visit
from tests.browser.pages.calculator import wait_for_answer
from tests.browser.pdf import list_page_texts
from tests.support.known import require

SHEETS = ("A fight", "On the Grid", "Other turn systems")
PAGE = "look-up/quick-reference/"


def count_pages(pdf: bytes) -> int:
    """Return the number of pages of a PDF."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


@pytest.mark.parametrize("mode", ["", "&at=play"], ids=["builder", "play"])
def test_character_with_advice_prints_on_one_page(page: Page, mode: str) -> None:
    """Advice of the tool is not printed, neither while building nor in play."""
    visit(page, f"tools/character/?name=Vex&toughness=5&fighting=3&cp=12&notes=Owes+30+gold{mode}")
    wait_for_answer(page)
    (text,) = list_page_texts(page.pdf(format="A4"))
    assert "Owes 30 gold" in text
    assert "above the maximum level" not in text


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_each_sheet_prints_on_one_page(page: Page, paper: str) -> None:
    """Print all three, and each alone, on A4 and Letter."""
    visit(page, PAGE)
    assert count_pages(page.pdf(format=paper, prefer_css_page_size=False)) == len(SHEETS)
    for number in range(len(SHEETS)):
        page.add_style_tag(content=f"@media print {{ .sheet:not(:nth-of-type({number + 1})) {{ display: none }} }}")
        assert count_pages(page.pdf(format=paper)) == 1, SHEETS[number]
        page.reload()


@pytest.mark.parametrize("width", [320, 390, 599])
def test_quick_reference_on_a_phone_does_not_scroll_sideways(page: Page, width: int) -> None:
    """An action's effect has the full width."""
    page.set_viewport_size({"width": width, "height": 664})
    visit(page, PAGE)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    wide = page.evaluate(
        "[...document.querySelectorAll('.sheet *')].filter((each) => each.scrollWidth > each.clientWidth + 1"
        " && ['auto', 'scroll'].includes(getComputedStyle(each).overflowX)).map((each) => each.outerHTML.slice(0, 80))"
    )
    assert wide == []
    row = page.locator(".engine-table--actions tbody tr").first
    effect = require(row.locator("[data-head^='What it does']").bounding_box())
    figures = [require(each.bounding_box()) for each in row.locator("td:not(:last-child)").all() if each.is_visible()]
    assert effect["x"] < 20
    assert 0 < max(each["y"] + each["height"] for each in figures) <= effect["y"] + 1


def test_quick_reference_is_short_and_linked_and_has_two_columns(page: Page) -> None:
    """A sheet of the quick reference has at most 1,600 pixels on a desktop.

    All sheets have 14 screens on a phone. Links at the top lead to the sheets. Link texts have six words at most, and
    printed text has 8 points.
    """
    page.set_viewport_size({"width": 1280, "height": 800})
    visit(page, PAGE)
    heights = "[...document.querySelectorAll('.sheet')].map((each) => each.getBoundingClientRect().height)"
    assert max(page.evaluate(heights)) <= 1600
    for sheet in ("#fight", "#grid", "#other-orders"):
        lefts = page.evaluate(
            "(id) => [...document.querySelector(id).closest('.sheet').querySelectorAll('.sheet-part')]"
            ".map((each) => Math.round(each.getBoundingClientRect().left))",
            sheet,
        )
        assert len({*lefts}) == 2, sheet
    jumps = page.locator(".sheet-jumps a").evaluate_all("(all) => all.map((each) => each.hash.slice(1))")
    heads = page.locator(".sheet > h2")
    assert jumps == heads.evaluate_all("(all) => all.map((each) => each.id)")
    assert [text.rstrip("§ ").strip() for text in heads.all_inner_texts()] == list(SHEETS)
    words = page.locator(".sheet a.rule-link").all_inner_texts()
    assert len(words) <= 130
    assert [each for each in words if len(each.split()) > 6] == []
    page.set_viewport_size({"width": 390, "height": 664})
    assert page.evaluate("document.documentElement.scrollHeight") < 14 * 664
    page.emulate_media(media="print")
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll('.sheet *')]
          .filter((each) => each.checkVisibility())
          .filter((each) => [...each.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
          .map((each) => parseFloat(getComputedStyle(each).fontSize)))"""
    )
    assert smallest * 72 / 96 >= 7.99
