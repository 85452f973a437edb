"""To another page as a link of the site leads there: its navigation replaces the article, and the engine lives on."""

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page

from tests.browser.patience import PATIENCE

FOLLOWED = """(path) => {
  for (const article of document.querySelectorAll("article")) article.dataset.left = "";
  const link = Object.assign(document.createElement("a"), { href: path });
  document.querySelector("main").append(link);
  link.click();
}"""
"""Goes to a path of the site; the articles that were there are marked as left, and no longer there when it is done."""

ARRIVED = "article:not([data-left])"
QUIET, QUIET_TOO = "/look-up/", "/look-up/glossary/"
"""Pages of the site without a calculator."""


def visit(page: Page, address: str) -> None:
    """To an address of the site by a link, in a tab that is there already; the first page of a tab is loaded.

    A link that leads to the page where it stands changes its address alone, so the way goes by another page then.
    """
    if page.url == "about:blank":
        page.goto(address)
        return
    path = urlsplit(address).path
    there = f"/{path.lstrip('/')}"
    if urlsplit(page.url).path == there:
        follow(page, QUIET_TOO if there == QUIET else QUIET)
    follow(page, address if "://" in address else f"/{address.lstrip('/')}")


def follow(page: Page, address: str, patience: float = PATIENCE) -> None:
    """By a link to an address, and wait until its article is there, so many ms at most."""
    page.evaluate(FOLLOWED, address)
    page.wait_for_selector(ARRIVED, state="attached", timeout=patience)


def addresses(site: Path) -> list[str]:
    """The site's pages as addresses."""
    pages = [path.relative_to(site).as_posix().removesuffix("index.html") for path in sorted(site.rglob("index.html"))]
    return [page for page in pages if page]


NOTED = """() => {
  const note = history.replaceState;
  globalThis.noted = 0;
  history.replaceState = function (...what) {
    note.apply(this, what);
    globalThis.noted += 1;
  };
}"""
"""Counts how often the theme notes in the history where the page stands, as it does once nothing scrolls any more."""


def follow_scrolling(page: Page, link: str, told: str) -> None:
    """By a link while the page scrolls, until all stands still; the new page comes after the old place was noted.

    The link is what a function of JavaScript gives for what it is told.
    """
    page.route("**/rules/*/", lambda route: None)
    page.evaluate(NOTED)
    page.evaluate(f"(told) => {{ scrollBy(0, 60); requestAnimationFrame(() => ({link})(told).click()); }}", told)
    page.wait_for_function("() => noted")
    before = page.evaluate("noted")
    page.unroute("**/rules/*/")  # lets go what was held
    page.wait_for_function("(before) => noted > before", arg=before)
