"""The site below a path of its host: `SITE_URL` decides, and requests and storage stay below it."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from build_scripts.browser_app import is_plain_build
from build_scripts.dev.serve import serve_site
from build_scripts.paths import BUILD
from tests.browser.pages.calculator import READY, roll, wait_for_answer
from tests.browser.pages.fight import RUNNING_FIGHT
from tests.browser.pages.memory import IS_SNAPSHOT_RECORDED
from tests.browser.patience import be_patient
from tests.support.known import require

BASE = "/scratch/"
LIST_STORAGE_NAMES = """async () => [
  ...[localStorage, sessionStorage].flatMap((each) => Object.keys(each)),
  ...(await indexedDB.databases()).map(({ name }) => name),
]"""
LIST_FOLDERS = """async () => {
  const names = [];
  for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
  return names;
}"""


@pytest.fixture(scope="module")
def below(build_once: Callable[..., Path]) -> Path:
    """Build the site for an address with a path."""
    return build_once(BUILD / "subpath-site", site_url=f"https://host.example{BASE}")


@pytest.fixture
def reader(below: Path, browser: Any) -> Iterator[tuple[Page, list[str]]]:
    """Open a page of the site that is served below a path.

    Yields the page, and a list of failed requests, of requests outside of the path and of errors.
    """
    with serve_site(below, base=BASE) as url:
        context: BrowserContext = browser.new_context(base_url=url)
        be_patient(context)
        wrong: list[str] = []
        page = context.new_page()
        page.on("response", lambda each: wrong.append(f"{each.status} {each.url}") if each.status >= 400 else None)
        own = (url, "data:", "blob:")
        page.on("request", lambda each: None if each.url.startswith(own) else wrong.append(each.url))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if "policy" in said.text.lower() else None)
        yield page, wrong
        context.close()


def test_files_of_the_site_name_addresses_below_the_path(below: Path) -> None:
    """Check headers, the 404 page, the theme's scope and the sitemap."""
    headers = (below / "_headers").read_text()
    patterns = [line for line in headers.splitlines() if line and not line.startswith(" ")]
    assert patterns
    assert all(pattern.startswith(BASE) for pattern in patterns), patterns
    for path in sorted(below.rglob("*.html")):
        html = path.read_text(encoding="utf-8")
        outside = re.findall(r'(?:href|src|action)="/(?!scratch/)[^"]*"', html)
        assert not outside, f"{path.name}: {outside[:3]}"
        assert f'new URL("{BASE}",location)' in html or "__md_scope" not in html, path
    assert "https://host.example/scratch/tools/dice/" in (below / "sitemap.xml").read_text()


def test_navigation_and_storage_stay_below_the_path(reader: tuple[Page, list[str]]) -> None:
    """One Python answers on all pages, without loading a new document."""
    page, wrong = reader
    page.goto("tools/dice/?roll=3d6")
    wait_for_answer(page)
    roll(page)
    page.evaluate("window.sameDocument = true")
    page.click(".md-tabs__link:has-text('Look up')")
    page.wait_for_url(f"**{BASE}look-up/")
    page.click(".md-tabs__link:has-text('Tools')")
    page.wait_for_url(f"**{BASE}tools/")
    page.click(".md-content a[href*='character']")
    page.wait_for_url(f"**{BASE}tools/character/**")
    page.fill("[name=toughness]", "7")
    page.wait_for_selector(f"{READY} [data-figure=stamina]")
    assert page.evaluate("window.sameDocument"), "a page was reloaded"
    assert len([worker for worker in page.workers if "/worker.mjs" in worker.url]) == 1
    page.goto(RUNNING_FIGHT)
    page.wait_for_selector(f"{READY} [data-action]")
    page.goto("tools/fight/")
    page.wait_for_selector(f"{READY} [data-action]")
    if not is_plain_build():
        page.wait_for_function(f"() => {IS_SNAPSHOT_RECORDED}")
        assert page.evaluate(LIST_FOLDERS) == ["%2Fscratch%2Fscratch-engine"]
    names = page.evaluate(LIST_STORAGE_NAMES)
    assert any(name.startswith(f"{BASE}scratch-kept-fight/") for name in names), names
    assert all(name.startswith(BASE) for name in names), names
    assert not wrong


def test_missing_page_below_the_path_has_styles_and_working_links(reader: tuple[Page, list[str]]) -> None:
    """Request missing pages in several folders."""
    page, wrong = reader
    for address in ("nothing/", "rules/no/such/page", "tools/dice/nothing.html"):
        assert require(page.goto(address)).status == 404
        assert page.evaluate("getComputedStyle(document.querySelector('.md-header')).position") == "sticky"
        links = page.eval_on_selector_all(".md-content a", "(all) => all.map((link) => link.href)")
        assert links
        assert [link for link in links if not page.request.get(link).ok] == []
        assert wrong == [f"404 {page.url}"]
        wrong.clear()
