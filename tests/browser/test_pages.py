"""Every page on a phone, by keyboard and against its content security policy."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from build_scripts.dev.words import format_findings, list_findings_in_pages
from tests.browser.axe import find_violations
from tests.browser.navigation import follow_scrolling, list_addresses, visit
from tests.browser.pages.calculator import wait_for_answer
from tests.support.known import require

FIND_UNNAMED = """() => [...document.querySelectorAll('scratch-calculator :is(input, textarea, select, button)')]
    .filter((c) => c.type !== 'hidden' && !c.hidden)
    .filter((c) => !(c.labels?.length || c.getAttribute('aria-label') || c.textContent.trim()))
    .filter((c) => !c.getAttribute('aria-labelledby')?.split(' ')
      .every((id) => document.getElementById(id)?.textContent.trim()))
    .map((c) => c.outerHTML)"""
FIND_TABLES_WITHOUT_CAPTION = """() => [...document.querySelectorAll('scratch-calculator table')]
    .filter((t) => !t.caption).map((t) => t.outerHTML)"""
ARE_WIDE_TABLES_FOCUSABLE = """() => [...document.querySelectorAll(".md-typeset__scrollwrap")].every((box) =>
  box.scrollWidth <= box.clientWidth || box.matches("[tabindex]") || box.querySelector("a[href], button, input"))"""
"""Returns whether keys reach each of the theme's boxes that scrolls sideways."""
UNFOLD_TABLES = """() => document.querySelectorAll("details:has(.md-typeset__scrollwrap)")
  .forEach((each) => (each.open = true))"""


def test_pages_for_players_have_no_ids_and_keys(site: Path) -> None:
    """Pages for players have no ids, no keys and no listed words.

    Texts and accessible names of the built pages are searched.
    """
    found = list(list_findings_in_pages(site))
    assert not found, format_findings(found)


def test_every_page_loads_fits_and_is_accessible(page: Page, site: Path) -> None:
    """No request fails, no page violates the policy, and calculators answer.

    Pages fit 390 pixels in both schemes, and 320, a desktop at 400 %. Controls have names, tables captions, and wide
    tables can be focused; axe finds nothing. Pages are opened by links of the site.
    """
    failed: list[str] = []
    page.on("response", lambda response: failed.append(response.url) if response.status >= 400 else None)
    page.set_viewport_size({"width": 390, "height": 844})
    for address in ["", *list_addresses(site)]:
        visit(page, address)
        if page.locator("scratch-calculator").count():
            page.locator("scratch-calculator").first.scroll_into_view_if_needed()
            wait_for_answer(page)
        assert (page.evaluate(FIND_UNNAMED), page.evaluate(FIND_TABLES_WITHOUT_CAPTION)) == ([], []), address
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= 390, f"{address} is {width} wide, {scheme}"
        page.set_viewport_size({"width": 320, "height": 256})
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= 320, f"{address} is {width} wide at 400 %"
        page.set_viewport_size({"width": 1280, "height": 800})
        assert find_violations(page) == [], address
        page.set_viewport_size({"width": 390, "height": 844})
        page.evaluate(UNFOLD_TABLES)
        page.wait_for_function(ARE_WIDE_TABLES_FOCUSABLE)
    assert not failed


def test_table_of_contents_marks_the_pressed_section(page: Page) -> None:
    """Its heading is in view below the header."""
    page.set_viewport_size({"width": 1280, "height": 800})
    page.emulate_media(reduced_motion="reduce")
    visit(page, "rules/actions/")
    contents = page.locator(".md-nav--secondary")
    for name in ("Hold", "Evade", "Basic attack"):
        contents.get_by_role("link", name=name, exact=True).click()
        expect(contents.locator(".md-nav__link--active")).to_have_text(name)
        expect(page.get_by_role("heading", name=name)).to_be_in_viewport()


MAKE_LINK = """(address) => {
  const link = Object.assign(document.createElement("a"), { href: new URL(address, document.baseURI) });
  document.querySelector("article").append(link);
  return link;
}"""
"""Makes a link to an address."""


def test_link_followed_while_scrolling_opens_its_target(page: Page) -> None:
    """The target is the page's top or a rule, not the old scroll position.

    Load a page before each link: the theme scrolls to the top only for the first one.
    """
    page.goto("rules/actions/")
    follow_scrolling(page, MAKE_LINK, "../turns/")
    assert page.evaluate("scrollY") == 0
    page.goto("rules/turns/")
    follow_scrolling(page, MAKE_LINK, "../actions/#act.cover")
    expect(page.locator("[id='act.cover']:target")).to_be_in_viewport()


def test_missing_page_has_styles_search_and_working_links(page: Page) -> None:
    """Request missing pages in several folders."""
    for address in ("no-such-page/", "rules/no/such/page", "tools/dice/nothing.html"):
        assert require(page.goto(address)).status == 404
        assert page.inner_text("h1") == "Page not found"
        links = page.locator("article a[href]").evaluate_all("(links) => links.map((link) => link.href)")
        assert {link.removesuffix("/").rpartition("/")[2] for link in links} >= {"rules", "quick-reference", "tools"}
        for link in links:
            assert page.request.get(link).status == 200, link
        family = page.evaluate("getComputedStyle(document.querySelector('h1')).fontFamily")
        assert family.startswith(("Vollkorn", '"Vollkorn'))
    assert page.locator(".net text").count() == 19
    assert "the 4 missing" in str(page.get_attribute(".net", "aria-label"))
    page.locator("article label[for=__search]").click()
    page.locator(".md-search__input").first.press_sequentially("cover")
    page.wait_for_selector(".md-search-result__item a")


def test_every_page_has_the_same_strict_content_security_policy(site: Path) -> None:
    """It allows hashed scripts and WebAssembly, and no other host.

    Inline scripts and eval are forbidden.
    """
    loads = re.compile(r'<(?:script|img|link|iframe|source|video|audio)[^>]+(?:src|href)="(?:https?:)?//([^/"]+)')
    found = set()
    for path in site.rglob("*.html"):
        html = path.read_text(encoding="utf-8")
        policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', html)
        found.add(policy[1] if policy else f"none in {path}")
        tags = [tag[0] for tag in loads.finditer(html)]
        assert [tag for tag in tags if not re.search(r'rel="(canonical|prev|next|author|license)"', tag)] == []
        assert not re.search(r'as="font"(?![^>]*crossorigin)', html), "a font would be requested twice"
    (one,) = found
    scripts = next(part for part in one.split("; ") if part.startswith("script-src"))
    assert "'wasm-unsafe-eval'" in scripts
    assert not {"'unsafe-inline'", "'unsafe-eval'"} & set(scripts.split())
    assert one in (site / "_headers").read_text()
