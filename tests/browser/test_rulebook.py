"""The whole rulebook as built: every rule and link on one page, not in the search, with page numbers in print."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import BrowserContext

from build_scripts.pages.rulebook import CHAPTERS
from scratch_core.rulebook import RULES
from tests.browser.rulebook_faults import find_rulebook_faults


def test_rulebook_page_has_every_rule_and_only_working_links(site: Path) -> None:
    """Ids are unique, and no calculator is on the page."""
    assert find_rulebook_faults(site) == []
    assert len(RULES) == sum(rule.page in CHAPTERS for rule in RULES)


def test_printed_rulebook_has_page_numbers_and_footnotes(new_context: Callable[..., BrowserContext]) -> None:
    """It has 40 to 65 pages."""
    page = new_context().new_page()
    page.goto("look-up/rulebook/")
    paper = page.pdf(prefer_css_page_size=True)
    assert 40 <= paper.count(b"/Type /Page\n") + paper.count(b"/Type /Page ") <= 65
    assert page.locator(".rulebook ~ .ruling-footnotes li").count() > 100
    page.emulate_media(media="print")
    named = page.evaluate("getComputedStyle(document.body).getPropertyValue('page')")
    rules = page.evaluate(
        """[...document.styleSheets].flatMap(sheet => [...sheet.cssRules])
          .flatMap(rule => [rule, ...(rule.cssRules ?? [])])
          .filter(rule => rule instanceof CSSPageRule).map(rule => rule.cssText)"""
    )
    assert named == "rulebook"
    assert [rule for rule in rules if rule.startswith("@page rulebook {") and "counter(page)" in rule]
