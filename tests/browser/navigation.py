"""Navigation to another page by a link of the site, which replaces the article and keeps Python running."""

from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page

FOLLOW_LINK = """(path) => {
  for (const article of document.querySelectorAll("article")) article.dataset.left = "";
  const link = Object.assign(document.createElement("a"), { href: path });
  document.querySelector("main").append(link);
  link.click();
}"""
"""Follows a link to a path of the site; marks the articles of the old page, which disappear on arrival."""

ARRIVED = "article:not([data-left])"
QUIET, QUIET_TOO = "/look-up/", "/look-up/glossary/"
"""Pages of the site without a calculator."""


def visit(page: Page, address: str) -> None:
    """Open an address by a link in a loaded tab.

    The first page of a tab is loaded. A link to the open page only changes the address, so another page is visited in
    between.
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
    page.evaluate(FOLLOW_LINK, address)
    page.wait_for_selector(ARRIVED, state="attached")


def list_addresses(site: Path) -> list[str]:
    """Return the addresses of the site's pages."""
    pages = [path.relative_to(site).as_posix().removesuffix("index.html") for path in sorted(site.rglob("index.html"))]
    return [page for page in pages if page]


HOLD_NAVIGATION = """() => {
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
"""Holds the request of the next page, and records when the theme saves the scroll position in the history: as a link is
pressed, and when scrolling has ended.
"""


def follow_scrolling(page: Page, link: str, argument: str) -> None:
    """Follow a link while the page scrolls, and wait until scrolling has ended.

    The link is what a function of JavaScript returns for an argument. The new page arrives after the old position was
    saved.
    """
    page.evaluate(HOLD_NAVIGATION)
    page.evaluate(f"(argument) => {{ scrollBy(0, scrollY < 60 ? 60 : -60); ({link})(argument).click(); }}", argument)
    page.wait_for_function("() => noted.length > 1")
    assert page.evaluate("letGo()")
    page.wait_for_selector(ARRIVED, state="attached")
    page.evaluate("noted.push(performance.now())")
    page.wait_for_function("() => performance.now() - noted.at(-1) > 300")
