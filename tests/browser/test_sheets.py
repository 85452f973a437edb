"""The quick reference: three sheets, one printed page each, and readable on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from tests.browser.following import visit

SHEETS = ("A fight", "On the Grid", "Other turn orders")
PAGE = "look-up/quick-reference/"


def pages_of(pdf: bytes) -> int:
    """How many pages a PDF has."""
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", pdf))


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_each_sheet_prints_on_one_page(page: Page, paper: str) -> None:
    """The three sheets are three pages on either paper, and each sheet alone is one."""
    visit(page, PAGE)
    assert pages_of(page.pdf(format=paper, prefer_css_page_size=False)) == len(SHEETS)
    for number in range(len(SHEETS)):
        page.add_style_tag(content=f"@media print {{ .sheet:not(:nth-of-type({number + 1})) {{ display: none }} }}")
        assert pages_of(page.pdf(format=paper)) == 1, SHEETS[number]
        page.reload()


def test_nothing_on_the_sheets_is_smaller_than_8_points(page: Page) -> None:
    """No words of a sheet are printed smaller than 8 points."""
    visit(page, PAGE)
    page.emulate_media(media="print")
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll('.sheet *')]
          .filter((each) => each.checkVisibility())
          .filter((each) => [...each.childNodes].some((one) => one.nodeType === 3 && one.data.trim()))
          .map((each) => parseFloat(getComputedStyle(each).fontSize)))"""
    )
    assert smallest * 72 / 96 >= 7.99


@pytest.mark.parametrize("width", [320, 390, 599])
def test_a_phone_scrolls_one_way_only(page: Page, width: int) -> None:
    """On a phone no table is wider than the screen, nor the page; an action's effect has the whole width."""
    page.set_viewport_size({"width": width, "height": 664})
    visit(page, PAGE)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    wide = page.evaluate(
        "[...document.querySelectorAll('.sheet *')].filter((each) => each.scrollWidth > each.clientWidth + 1"
        " && ['auto', 'scroll'].includes(getComputedStyle(each).overflowX)).map((each) => each.outerHTML.slice(0, 80))"
    )
    assert wide == []
    row = page.locator(".engine-table--actions tbody tr").first
    effect = row.locator("[data-head^='What it does']").bounding_box()
    figures = [each.bounding_box() for each in row.locator("td:not(:last-child)").all() if each.is_visible()]
    assert effect is not None
    assert effect["x"] < 20
    assert figures
    assert all(each is not None and each["y"] + each["height"] <= effect["y"] + 1 for each in figures)


def test_a_sheet_is_seen_at_a_glance(page: Page) -> None:
    """On a desk a sheet has two columns and at most 1,600 pixels; on a phone all three are shorter than 14 screens."""
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
    page.set_viewport_size({"width": 390, "height": 664})
    assert page.evaluate("document.documentElement.scrollHeight") < 14 * 664


def test_links_are_names(page: Page) -> None:
    """Links stand on names, of six words at most, and the jumps are one line."""
    visit(page, PAGE)
    words = page.locator(".sheet a.rule-link").all_inner_texts()
    assert len(words) <= 130
    assert [each for each in words if len(each.split()) > 6] == []
    assert page.locator(".sheet-jumps a").count() == len(SHEETS)


def test_the_jumps_lead_to_the_sheets(page: Page) -> None:
    """Every jump at the top leads to a heading of the page."""
    visit(page, PAGE)
    missing = page.evaluate(
        "[...document.querySelectorAll('.sheet-jumps a')].map((each) => each.hash)"
        ".filter((hash) => !document.getElementById(hash.slice(1)))"
    )
    assert missing == []
    heads = [text.rstrip("§ ").strip() for text in page.locator(".sheet > h2").all_inner_texts()]
    assert heads == list(SHEETS)
