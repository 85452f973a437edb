"""A built and served site and a real Chromium for the browser tests."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect, sync_playwright

from build_scripts.browser import FLAGS, chromium
from build_scripts.build import build_site
from build_scripts.folders import BUILD, SITE
from build_scripts.serve import site_server
from tests.browser.patience import PATIENCE, be_patient

READY = "scratch-calculator[data-state=ready]:not([stale])"
PHONE = {"width": 390, "height": 664}
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def build_once() -> Callable[..., Path]:
    """Build a site into a folder as `build_site` does; of several processes one builds, and the others wait for it."""

    def build(folder: Path, **how: str) -> Path:
        BUILD.mkdir(exist_ok=True)
        with (BUILD / f"{folder.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            build_site(site=folder, **how)
        return folder

    return build


@pytest.fixture(scope="session")
def site(build_once: Callable[..., Path]) -> Path:
    """The built site's folder."""
    return build_once(SITE)


@pytest.fixture(scope="session")
def site_url(site: Path) -> Iterator[str]:
    """The address of the served site."""
    with site_server(site) as url:
        yield url


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """What drives the browser."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """One Chromium for all fresh profiles; what is there for one start only is compiled quickly, not for speed."""
    flags = [*FLAGS, "--js-flags=--liftoff-only"]
    chrome = playwright.chromium.launch(executable_path=chromium(), args=flags, timeout=PATIENCE)
    yield chrome
    chrome.close()


def watched(context: BrowserContext, site_url: str) -> list[str]:
    """Set a profile up; the list will hold the addresses of other hosts that it asks for."""
    foreign: list[str] = []
    be_patient(context)
    own = (site_url, "data:", "blob:")
    context.on("request", lambda request: None if request.url.startswith(own) else foreign.append(request.url))
    return foreign


@pytest.fixture
def new_context(browser: Browser, site_url: str) -> Iterator[Callable[..., BrowserContext]]:
    """Make fresh profiles; every request of theirs to another host is an error at the test's end."""
    made: list[tuple[BrowserContext, list[str]]] = []

    def make(**options: object) -> BrowserContext:
        # else the worker that keeps the site for times without a line would fetch all of it, test by test
        context = browser.new_context(base_url=site_url, **{"service_workers": "block", **options})
        made.append((context, watched(context, site_url)))
        return context

    yield make
    for context, _ in made:
        context.close()
    foreign = [address for _, addresses in made for address in addresses]
    assert not foreign, f"requests to other hosts: {foreign}"


IS_REMEMBERED = """async () => {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle("scratch-engine").catch(() => null);
  return folder !== null && !(await folder.keys().next()).done;
}"""
"""Whether Python's memory has been kept: the next page begins with it."""


@contextlib.contextmanager
def profile(
    playwright: Playwright, site_url: str, folder: Path, **options: object
) -> Iterator[tuple[BrowserContext, list[str]]]:
    """A profile kept in a folder, and the list of the other hosts that it asks."""
    context = playwright.chromium.launch_persistent_context(
        folder,
        executable_path=chromium(),
        args=[*FLAGS, "--renderer-process-limit=1"],
        base_url=site_url,
        timeout=PATIENCE,
        service_workers="block",  # what it answers no route of a test sees; tests/browser/test_offline.py is about it
        **options,  # type: ignore[arg-type]
    )
    foreign = watched(context, site_url)
    # A page that stays open keeps Python's machine code in the process that all pages share: they start sooner.
    staying = context.new_page()
    staying.goto("tools/dice/")
    staying.wait_for_selector(READY)
    staying.wait_for_function(IS_REMEMBERED)
    yield context, foreign
    context.close()


@pytest.fixture(scope="session")
def usual(
    playwright: Playwright, site_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[BrowserContext, list[str]]]:
    """The profile of a reader who has been here before: kept on the disk, and Python's memory with it."""
    with profile(playwright, site_url, tmp_path_factory.mktemp("profile")) as made:
        yield made


@pytest.fixture(scope="session")
def others(
    playwright: Playwright, site_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[BrowserContext, list[str]]]:
    """The profile of another reader, who has been here before too: what is sent to somebody is opened there."""
    with profile(playwright, site_url, tmp_path_factory.mktemp("other")) as made:
        yield made


@pytest.fixture(scope="session")
def phones(
    playwright: Playwright, site_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[BrowserContext, list[str]]]:
    """The profile of a reader with a phone, 390 pixels wide with its bars, who has been here before."""
    phone = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    with profile(playwright, site_url, tmp_path_factory.mktemp("phone"), **phone) as made:
        yield made


def opened(context: BrowserContext) -> tuple[Page, list[str]]:
    """A page, and the list of its script errors and its breaches of the policy."""
    page = context.new_page()
    page.add_init_script(
        "addEventListener('securitypolicyviolation',"
        " (e) => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI))"
    )
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if "policy" in message.text.lower() else None)
    return page, errors


@contextlib.contextmanager
def emptied(made: tuple[BrowserContext, list[str]], site_url: str) -> Iterator[Page]:
    """A page of a profile, nothing kept; an error, a breach of the policy or another host fails the test.

    Every page that the test opens beside it is closed: one left open would answer the next test's storage events.
    """
    context, foreign = made
    before = context.pages
    page, errors = opened(context)
    what = {"origin": site_url, "storageTypes": "local_storage"}
    context.new_cdp_session(page).send("Storage.clearDataForOrigin", what)
    yield page
    for each in context.pages:
        if each not in before:
            each.close()
    assert not errors, errors
    assert not foreign, f"requests to other hosts: {foreign}"


@pytest.fixture
def page(usual: tuple[BrowserContext, list[str]], site_url: str) -> Iterator[Page]:
    """A page of the usual profile, nothing kept."""
    with emptied(usual, site_url) as page:
        yield page


@pytest.fixture
def phone(phones: tuple[BrowserContext, list[str]], site_url: str) -> Iterator[Page]:
    """A page on a phone, nothing kept."""
    with emptied(phones, site_url) as page:
        yield page


@pytest.fixture
def other(others: tuple[BrowserContext, list[str]], site_url: str) -> Iterator[Page]:
    """A page of somebody else who has been here before, nothing kept: Python starts from its memory, not anew."""
    with emptied(others, site_url) as page:
        yield page


@pytest.fixture
def fresh_page(new_context: Callable[..., BrowserContext]) -> Iterator[Page]:
    """A page of somebody who has never been here; an error or a breach of the policy fails the test."""
    page, errors = opened(new_context())
    yield page
    assert not errors, errors


@pytest.fixture
def answer(page: Page) -> Callable[[], None]:
    """Submit the first calculator's form and wait for its answer."""

    def submit() -> None:
        page.locator("scratch-calculator form [type=submit]").first.click()
        page.wait_for_selector(READY)

    return submit
