"""To another page as a link of the site leads there: its navigation replaces the article, and the engine lives on."""

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page

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


def follow(page: Page, address: str) -> None:
    """Follow a link to an address, and wait until its article is there."""
    page.evaluate(FOLLOWED, address)
    page.wait_for_selector(ARRIVED, state="attached")


def addresses(site: Path) -> list[str]:
    """The site's pages as addresses."""
    pages = [path.relative_to(site).as_posix().removesuffix("index.html") for path in sorted(site.rglob("index.html"))]
    return [page for page in pages if page]


HELD = """() => {
  const { replaceState } = History.prototype;
  const { send } = XMLHttpRequest.prototype;
  const held = [];
  globalThis.noted = [];
  history.replaceState = function (...what) {
    replaceState.apply(this, what);
    noted.push(performance.now());
  };
  XMLHttpRequest.prototype.send = function (...what) {
    held.push(() => send.apply(this, what));
  };
  globalThis.letGo = () => {
    XMLHttpRequest.prototype.send = send;
    for (const article of document.querySelectorAll("article")) article.dataset.left = "";
    for (const go of held) go();
    return held.length;
  };
}"""
"""Holds the page that is asked for, and keeps when the theme notes in the history where the page stands: as a link is
pressed, and once nothing scrolls any more.
"""


def follow_scrolling(page: Page, link: str, told: str) -> None:
    """By a link while the page scrolls, until all stands still; the new page comes after the old place was noted.

    The link is what a function of JavaScript gives for what it is told.
    """
    page.evaluate(HELD)
    page.evaluate(f"(told) => {{ scrollBy(0, scrollY < 60 ? 60 : -60); ({link})(told).click(); }}", told)
    page.wait_for_function("() => noted.length > 1")
    assert page.evaluate("letGo()")
    page.wait_for_selector(ARRIVED, state="attached")
    page.evaluate("noted.push(performance.now())")
    page.wait_for_function("() => performance.now() - noted.at(-1) > 300")
