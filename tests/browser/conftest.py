"""A built and served site and a real Chromium for the browser tests."""

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)
from playwright.sync_api import Error as PlaywrightError

from build_scripts.browser_app import is_plain_build
from build_scripts.browsers import CHROMIUM_FLAGS, get_or_install_chromium
from build_scripts.build import build_site_if_changed
from build_scripts.dev.screenshots import Camera
from build_scripts.dev.serve import serve_site
from build_scripts.paths import SITE, hold_lock
from tests.browser.look import build_camera
from tests.browser.navigation import QUIET, follow
from tests.browser.pages.calculator import PHONE, wait_for_answer
from tests.browser.pages.memory import SNAPSHOT_RECORDS, wait_for_snapshot
from tests.browser.patience import PATIENCE, be_patient

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def build_once() -> Callable[..., Path]:
    """Build a site into a folder, in one process at a time.

    Other processes wait and use the site.
    """

    def build(folder: Path, **how: str) -> Path:
        with hold_lock(folder.name):
            build_site_if_changed(site_folder=folder, **how)
        return folder

    return build


@pytest.fixture(scope="session")
def site(build_once: Callable[..., Path]) -> Path:
    """Return the built site's folder."""
    return build_once(SITE)


@pytest.fixture(scope="session")
def site_url(site: Path) -> Iterator[str]:
    """Serve the site, and return its address."""
    with serve_site(site) as url:
        yield url


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Start Playwright."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Start one Chromium for all fresh profiles.

    Short-lived scripts are compiled quickly instead of optimized.
    """
    flags = [*CHROMIUM_FLAGS, "--js-flags=--liftoff-only"]
    chrome = playwright.chromium.launch(executable_path=get_or_install_chromium(), args=flags, timeout=PATIENCE)
    yield chrome
    chrome.close()


def watch_requests(context: BrowserContext, site_url: str) -> list[str]:
    """Set up a profile, and return a list of its requests to other hosts."""
    foreign: list[str] = []
    be_patient(context)
    context.grant_permissions(
        ["clipboard-read", "clipboard-write"], origin=site_url
    )  # a press may copy, as in a visible window
    own = (site_url, "data:", "blob:")
    context.on("request", lambda request: None if request.url.startswith(own) else foreign.append(request.url))
    return foreign


@pytest.fixture
def new_context(browser: Browser, site_url: str) -> Iterator[Callable[..., BrowserContext]]:
    """Return a function that makes fresh profiles.

    A request of theirs to another host is an error at the test's end.
    """
    made: list[tuple[BrowserContext, list[str]]] = []

    def make(**options: Any) -> BrowserContext:
        # otherwise the service worker would fetch the whole site in each test
        context = browser.new_context(base_url=site_url, **{"service_workers": "block", **options})
        made.append((context, watch_requests(context, site_url)))
        return context

    yield make
    for context, _ in made:
        context.close()
    foreign = [address for _, addresses in made for address in addresses]
    assert not foreign, f"requests to other hosts: {foreign}"


@dataclass
class Reader:
    """A profile with one tab, which tests use in turn, and its errors."""

    context: BrowserContext
    """The profile."""
    site_url: str
    """The address of the served site."""
    foreign: list[str]
    """The requested addresses of other hosts."""
    tab: Page | None = None
    """The tab, or None before it is opened and after it is closed."""
    errors: list[str] = field(default_factory=list)
    """Script errors and policy violations."""

    def prepare_tab(self) -> Page:
        """Return the tab at a page without a calculator, with nothing saved."""
        if self.tab is None:
            self.tab, self.errors = open_page(self.context)
            self.tab.goto(QUIET)
        what = {"origin": self.site_url, "storageTypes": "local_storage,indexeddb"}
        session = self.context.new_cdp_session(self.tab)
        session.send("Storage.clearDataForOrigin", what)
        session.detach()
        self.errors.clear()
        return self.tab

    def notice_fallback(self, request: Request) -> None:
        """Record a request of files that the build has left out as an error.

        Pyodide would get them, but seconds later.
        """
        if request.url.endswith("/python_stdlib.zip"):
            self.errors.append("Pyodide's own files were requested: is something missing in ours?")

    def reset_tab(self, tab: Page) -> None:
        """Lead the tab back to the quiet page for the next test.

        A tab that can't be led back is closed.
        """
        self.tab = None
        if tab.is_closed():
            return
        try:
            tab.unroute_all()
            tab.emulate_media(media="null", color_scheme="null", reduced_motion="null", forced_colors="null")
            if self.size:
                tab.set_viewport_size(self.size)
            if urlsplit(tab.url).path != QUIET:
                follow(tab, QUIET)
            tab.mouse.move(0, 0)  # the next page would show :hover where the last tap was
            tab.evaluate("sessionStorage.clear(); document.documentElement.removeAttribute('style')")  # a text size
        except PlaywrightError:
            tab.close()
        else:
            self.tab = tab

    def __post_init__(self) -> None:
        self.size: ViewportSize | None = self.context.pages[0].viewport_size


Readers = Callable[..., contextlib.AbstractContextManager[Reader]]
"""Makes a reader with a name and options of the profile."""


RECORDS_FILE = "snapshot-records.json"
"""The file of a profile with the page's record of its snapshot."""
RESTORE_RECORDS = """try {
  for (const [key, text] of RECORDS) localStorage[key] ??= text;
} catch {} // an empty tab has no storage"""
"""Restores the record of the snapshot when a page loads."""


@pytest.fixture(scope="session")
def warm_profile(playwright: Playwright, site_url: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a profile with Python compiled and its snapshot saved."""
    folder = tmp_path_factory.mktemp("begun")
    with launch_profile(playwright, site_url, folder) as context:
        be_patient(context)
        tab = context.pages[0]
        tab.goto("tools/dice/")
        wait_for_answer(tab)
        tab.click("scratch-calculator form [type=submit] >> nth=0")  # its snapshot is saved after an answer
        if not is_plain_build():
            wait_for_snapshot(tab, 3 * PATIENCE)
        (folder / RECORDS_FILE).write_text(json.dumps(tab.evaluate(SNAPSHOT_RECORDS)))
    return folder


@contextlib.contextmanager
def launch_profile(playwright: Playwright, site_url: str, folder: Path, **options: Any) -> Iterator[BrowserContext]:
    """Start a browser with the profile of a folder."""
    context = playwright.chromium.launch_persistent_context(
        folder,
        executable_path=get_or_install_chromium(),
        args=[*CHROMIUM_FLAGS, "--renderer-process-limit=1"],
        base_url=site_url,
        timeout=PATIENCE,
        service_workers="block",  # its responses bypass the routes of a test; tests/browser/test_offline.py tests it
        **options,
    )
    yield context
    context.close()


@pytest.fixture(scope="session")
def readers(
    playwright: Playwright, site_url: str, warm_profile: Path, tmp_path_factory: pytest.TempPathFactory
) -> Readers:
    """Return a function that makes a returning reader with a profile of their own."""

    @contextlib.contextmanager
    def make(name: str, **options: Any) -> Iterator[Reader]:
        folder = tmp_path_factory.mktemp(name) / "profile"
        shutil.copytree(warm_profile, folder, symlinks=True)
        with launch_profile(playwright, site_url, folder, **options) as context:
            records = (folder / RECORDS_FILE).read_text()  # tests clear the storage that has them, but not the snapshot
            context.add_init_script(RESTORE_RECORDS.replace("RECORDS", records))
            reader = Reader(context, site_url, watch_requests(context, site_url))
            context.on("request", reader.notice_fallback)
            yield reader

    return make


@pytest.fixture(scope="session")
def usual(readers: Readers) -> Iterator[Reader]:
    """Make a returning reader."""
    with readers("usual") as reader:
        yield reader


@pytest.fixture(scope="session")
def others(readers: Readers) -> Iterator[Reader]:
    """Make a second returning reader, who opens links of the first."""
    with readers("other") as reader:
        yield reader


@pytest.fixture(scope="session")
def phones(readers: Readers) -> Iterator[Reader]:
    """Make a returning reader with a phone, 390 pixels wide with its bars."""
    with readers("phone", viewport=PHONE, has_touch=True, is_mobile=True) as reader:
        yield reader


def open_page(context: BrowserContext) -> tuple[Page, list[str]]:
    """Open a page, and return it with a list of its errors.

    The list has script errors and policy violations.
    """
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
def use_tab(reader: Reader) -> Iterator[Page]:
    """Yield a reader's tab without saved data, and check it afterwards.

    Errors, policy violations and requests to other hosts fail the test. Pages that the test opens are closed, since
    an open one would react to the next test's storage events.
    """
    tab = reader.prepare_tab()
    before = reader.context.pages
    yield tab
    for each in reader.context.pages:
        if each not in before:
            each.close()
    errors = list(reader.errors)
    reader.reset_tab(tab)
    assert not errors, errors
    assert not reader.foreign, f"requests to other hosts: {reader.foreign}"


@pytest.fixture
def page(usual: Reader) -> Iterator[Page]:
    """Return the usual reader's tab, shared by all tests, in which `visit` finds Python running."""
    with use_tab(usual) as page:
        yield page


@pytest.fixture
def phone(phones: Reader) -> Iterator[Page]:
    """Return the tab on a phone."""
    with use_tab(phones) as page:
        yield page


@pytest.fixture
def other(others: Reader) -> Iterator[Page]:
    """Return the tab of the second reader."""
    with use_tab(others) as page:
        yield page


@pytest.fixture
def loaded(usual: Reader) -> Iterator[Page]:
    """Open an empty tab.

    It is for tests of loading, and for scripts that run before those of the page.
    """
    reader = Reader(usual.context, usual.site_url, usual.foreign)
    reader.tab, reader.errors = open_page(usual.context)
    with use_tab(reader) as page:
        yield page
    if reader.tab:
        reader.tab.close()


@pytest.fixture
def make_camera(browser: Browser, site_url: str) -> Iterator[Callable[[str], Camera]]:
    """Return a function that makes the camera of a screen."""
    made: list[Camera] = []

    def make(screen: str) -> Camera:
        made.append(build_camera(browser, site_url, screen))
        return made[-1]

    yield make
    for camera in made:
        camera.page.context.close()


@pytest.fixture
def fresh_page(new_context: Callable[..., BrowserContext]) -> Iterator[Page]:
    """Open a page in a fresh profile.

    Errors and policy violations fail the test.
    """
    page, errors = open_page(new_context())
    yield page
    assert not errors, errors
