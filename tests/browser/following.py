"""To another page as a link of the site leads there: its navigation replaces the article, and the engine lives on."""

from __future__ import annotations

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
