"""A built and served site and a real Chromium for the browser tests."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from build_scripts.browser import FLAGS, chromium
from build_scripts.build import build_site
from build_scripts.folders import BUILD, SITE
from build_scripts.serve import site_server

READY = "scratch-calculator[data-state=ready]:not([stale])"


@pytest.fixture(scope="session")
def site() -> Path:
    """The built site's folder; of several processes one builds, and the others wait for it."""
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        build_site()
    return SITE


@pytest.fixture(scope="session")
def site_url(site: Path) -> Iterator[str]:
    """The address of the served site."""
    with site_server(site) as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        yield chrome
        chrome.close()


@pytest.fixture
def new_context(browser: Browser, site_url: str) -> Iterator[Callable[..., BrowserContext]]:
    """Make fresh profiles; every request of theirs to another host is an error at the test's end."""
    contexts, foreign = [], []

    def make(**options: object) -> BrowserContext:
        context = browser.new_context(base_url=site_url, **options)
        context.set_default_timeout(20_000)
        own = (site_url, "data:", "blob:")
        context.on("request", lambda request: None if request.url.startswith(own) else foreign.append(request.url))
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()
    assert not foreign, f"requests to other hosts: {foreign}"


@pytest.fixture
def page(new_context: Callable[..., BrowserContext]) -> Iterator[Page]:
    """A page of a fresh profile; a script error or a breach of the policy fails the test."""
    page = new_context().new_page()
    page.add_init_script(
        "addEventListener('securitypolicyviolation',"
        " (e) => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))"
    )
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if "policy" in message.text.lower() else None)
    yield page
    assert not errors, errors


@pytest.fixture
def answer(page: Page) -> Callable[[], None]:
    """Submit the first calculator's form and wait for its answer."""

    def submit() -> None:
        page.locator("scratch-calculator form [type=submit]").first.click()
        page.wait_for_selector(READY)

    return submit
