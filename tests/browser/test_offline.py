"""The site without a connection: one visit, then no server; versions never mix, and updates are offered."""

import contextlib
import json
import os
import re
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright

from build_scripts.browsers import CHROMIUM_FLAGS, get_or_install_chromium
from build_scripts.paths import BUILD
from build_scripts.service_worker import write_service_worker
from build_scripts.service_worker.archive import write_site_archive
from tests.browser.navigation import follow, list_addresses
from tests.browser.pages.calculator import READY, roll, wait_for_answer
from tests.browser.pages.fight import RUNNING_FIGHT
from tests.browser.pages.memory import is_started_from_snapshot, wait_for_snapshot
from tests.browser.patience import PATIENCE, be_patient
from tests.browser.switchable_server import MARK, SwitchableServer, make_other_version, serve_plain, serve_switchable
from tests.regression.sample import generator
from tests.support.known import require
from tests.support.plain import TRIMMED_ONLY

INTERRUPTED_UPDATES = int(os.environ.get("CUTS", "2"))
"""How many updates are interrupted."""
SAVED_STATUS = ".scratch-offline[data-offline=ready]"
OFFER = ".scratch-version"
# The responses to some requests of a page, and the page itself: whether each is of the other version.
READ_VERSIONS = f"""async (paths) => {{
  const root = new URL(document.querySelector('link[rel=manifest]').href + '/..').href;
  const texts = await Promise.all(paths.map(async (path) => (await fetch(root + path)).text()));
  texts.push(document.documentElement.outerHTML);
  return texts.map((text) => text.includes({json.dumps(MARK.split('"')[1])}));
}}"""
WAIT_FOR_REMOVAL = """async (patience) => {
  const registration = await navigator.serviceWorker.getRegistration();
  const old = registration.active;
  const until = performance.now() + patience;
  const isReplaced = () => registration.active !== old || registration.installing || registration.waiting;
  while (!isReplaced() && performance.now() < until) await registration.update().catch(() => {});
  const workers = async () => (await navigator.serviceWorker.getRegistrations()).map(({ active }) => active?.state);
  const left = async () => [...(await workers()), ...(await caches.keys())];
  while ((await left()).length && performance.now() < until);
  if ((await left()).length) throw new Error(`expected no worker and no cache to be left, got ${await left()}`);
}"""
IS_OTHER_VERSION = (
    f"""(isOther) => document.documentElement.outerHTML.includes({json.dumps(MARK.split('"')[1])}) === isOther"""
)
# Checks for a new version until one waits or the connection has failed: the browser may just have checked itself.
WAIT_FOR_UPDATE = """async (patience) => {
  const registration = await navigator.serviceWorker.getRegistration();
  const until = performance.now() + patience;
  while (!registration.waiting) {
    if (performance.now() > until) throw new Error("no version arrived, and the line has not broken");
    const reached = await registration.update().then(() => true, () => false);
    const { installing } = registration;
    if (installing?.state === "installing") await new Promise((done) => (installing.onstatechange = done));
    if (!reached) break;
  }
  return Boolean(registration.waiting);
}"""


ABORTED = "net::ERR_ABORTED"
"""The error of a request whose page was closed."""


@contextlib.contextmanager
def restart_browser(playwright: Playwright, folder: Path, url: str) -> Iterator[BrowserContext]:
    """Start a browser with a profile on the disk, and close it."""
    context = playwright.chromium.launch_persistent_context(
        folder, executable_path=get_or_install_chromium(), args=list(CHROMIUM_FLAGS), base_url=url, timeout=PATIENCE
    )
    be_patient(context)
    yield context
    context.close()


def open_saved_page(context: BrowserContext, address: str = "tools/dice/?roll=3d6", found: str = "") -> Page:
    """Open a page of a calculator, and wait until the site is saved.

    The calculator has answered, too.
    """
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(f"{READY} {found}".rstrip())
    page.wait_for_selector(SAVED_STATUS)
    return page


def accept_update(page: Page) -> None:
    """Accept the offered version."""
    page.click(f"{OFFER} button >> nth=0")


@pytest.mark.parametrize("base", ["/", "/scratch/"])
def test_browser_restarted_without_a_server_opens_the_site(
    base: str, site: Path, build_once: Callable[..., Path], playwright: Playwright, tmp_path: Path
) -> None:
    """Pages, search, calculators and the 404 page answer after one visit."""
    if base != "/":
        site = build_once(BUILD / "subpath-site", site_url=f"https://host.example{base}")
    with serve_switchable(SwitchableServer(site), base) as url, restart_browser(playwright, tmp_path, url) as context:
        open_saved_page(context)
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(url, timeout=5)
    with restart_browser(playwright, tmp_path, url) as context:
        page = context.new_page()
        failed: list[str] = []
        context.on("requestfailed", lambda each: failed.append(each.url) if each.failure != ABORTED else None)
        page.goto("tools/dice/?roll=3d6")
        page.wait_for_selector(READY)
        roll(page)
        page.locator("[data-md-component=search-query]").press_sequentially("evade")
        page.wait_for_selector(".md-search-result__item >> nth=2", state="attached")
        assert require(page.goto("no/such/page/")).status == 404
        assert "Page not found" in page.inner_text("h1")
        assert require(page.goto("rules/rolls")).url == f"{url}rules/rolls/"  # a folder without its trailing slash
        if base == "/":
            check_pages_offline(page, site)
        expected = (f"{url}no/such/page/", f"{url}assets/icon.svg")  # the browser requests the second one, for its menu
        assert not {*failed} - {*expected}, failed[:3]


def check_pages_offline(page: Page, site: Path) -> None:
    """Fetch every page, and check that each calculator answers."""
    page.goto("")
    headings = "async (path) => { const got = await fetch(path);"
    headings += " return [got.status, (await got.text()).includes('<h1')]; }"
    for path in ["", *list_addresses(site)]:
        assert page.evaluate(headings, f"/{path}") == [200, True], path
        html = (site / path / "index.html").read_text(encoding="utf-8")
        if path.startswith("tools/") and "<scratch-calculator" in html:
            follow(page, f"/{path}")
            page.focus("scratch-calculator :is(input, textarea, select, button) >> nth=0")
            page.wait_for_selector(READY)


def test_update_is_offered_and_keeps_a_running_fight(site: Path, playwright: Playwright, tmp_path: Path) -> None:
    """A second tab offers it, too."""
    other = make_other_version(site, tmp_path / "other")
    line = SwitchableServer(site)
    with serve_switchable(line) as url, restart_browser(playwright, tmp_path / "profile", url) as context:
        open_saved_page(context).close()
        page = open_saved_page(context, RUNNING_FIGHT, "[data-action]")
        address = page.url
        other_tab = context.new_page()
        other_tab.goto("tools/board/")
        other_tab.wait_for_selector(SAVED_STATUS)
        line.folder = other
        assert page.evaluate(WAIT_FOR_UPDATE, PATIENCE), "the new version does not wait"
        page.wait_for_selector(OFFER)
        assert read_versions(page) == {False}, "the new version came unasked"
        accept_update(page)
        page.wait_for_selector(f"{READY} [data-action]")
        page.wait_for_function(IS_OTHER_VERSION, arg=True)
        assert page.url == address
        assert read_versions(page) == {True}
        other_tab.wait_for_selector(OFFER)
        other_tab.focus("scratch-calculator :is(input, textarea, select, button) >> nth=0")
        other_tab.wait_for_selector(READY)
        accept_update(other_tab)
        other_tab.wait_for_selector(f"{OFFER}", state="detached")


def test_tab_without_the_worker_offers_a_reload_after_an_update(
    site: Path, new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    """Either a page is new, or files for starting Python are missing."""
    line = SwitchableServer(site)
    with serve_switchable(line) as url:
        context = new_context()
        swapped, started = (context.browser.new_context(base_url=url).new_page() for _ in range(2))
        for page in (swapped, started):
            be_patient(page)
            page.route("**/register.mjs", lambda route: route.abort())
            page.goto("look-up/")
        started.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
        started.goto("tools/dice/")  # Python starts only when it is used
        line.folder = make_other_version(site, tmp_path / "other")
        swapped.click(".md-tabs__link:has-text('Tools')")
        swapped.wait_for_selector(OFFER)
        assert swapped.evaluate(f"({IS_OTHER_VERSION})(true)")
        swapped.context.close()
        started.click("scratch-calculator form [type=submit] >> nth=0")
        started.wait_for_selector(OFFER)
        assert "new version" in started.inner_text(".calculator-status >> nth=0")
        accept_update(started)
        started.wait_for_function(IS_OTHER_VERSION, arg=True)
        started.click("scratch-calculator form [type=submit] >> nth=0")
        started.wait_for_selector(READY)
        started.context.close()


def read_versions(page: Page) -> set[bool]:
    """Return whether the page gets files of the other version.

    Two values mean a mixture.
    """
    style = page.get_attribute("link[href*='stylesheets/scratch.']", "href").rpartition("/")[2]
    paths = ["", "tools/dice/", "rules/rolls/", f"stylesheets/{style}", "look-up/glossary/", "404.html"]
    return set(page.evaluate(READ_VERSIONS, paths))


def test_interrupted_update_leaves_the_old_version_complete(site: Path, playwright: Playwright, tmp_path: Path) -> None:
    """The next update installs the new version completely."""
    versions = [site, make_other_version(site, tmp_path / "other")]
    line = SwitchableServer(site)
    chance = generator("interrupted updates")
    cut_short = 0
    with serve_switchable(line) as url, restart_browser(playwright, tmp_path / "profile", url) as context:
        page = open_saved_page(context)
        page.reload()
        for number in range(INTERRUPTED_UPDATES):
            is_other = number % 2 == 0
            said = f"cut {number}"
            line.bytes_left = chance.randrange(12_000_000)
            line.folder = versions[is_other]
            arrived = page.evaluate(WAIT_FOR_UPDATE, PATIENCE)
            line.bytes_left = 0
            cut_short += not arrived
            page.goto("rules/rolls/")
            assert read_versions(page) == {not is_other}, said
            line.bytes_left = 1 << 40
            assert page.evaluate(WAIT_FOR_UPDATE, PATIENCE), said
            page.wait_for_selector(OFFER)
            accept_update(page)
            page.wait_for_function(IS_OTHER_VERSION, arg=is_other)
            line.bytes_left = 0
            page.goto("tools/dice/?roll=2d6")
            page.wait_for_selector(READY)
            assert read_versions(page) == {is_other}, said
    print(f"{INTERRUPTED_UPDATES} updates, {cut_short} of them interrupted")
    assert cut_short or INTERRUPTED_UPDATES < 10


def test_file_with_a_wrong_digest_fails_the_whole_installation(
    site: Path, playwright: Playwright, tmp_path: Path
) -> None:
    """The page shows a message with a retry."""
    mixed = make_other_version(site, tmp_path / "mixed")
    style = next((mixed / "stylesheets").glob("scratch.*.css"))
    style.write_text(style.read_text(encoding="utf-8") + "/* later */", encoding="utf-8")
    line = SwitchableServer(mixed)
    with serve_switchable(line) as url, restart_browser(playwright, tmp_path / "profile", url) as context:
        page = context.new_page()
        page.goto("tools/dice/?roll=3d6")
        page.wait_for_selector(".scratch-offline[data-offline=failed]")
        assert "Couldn't save" in page.inner_text(".scratch-offline")
        write_service_worker(mixed, is_offline_enabled=True)
        page.click(".scratch-offline button")
        page.wait_for_selector(SAVED_STATUS)


def test_browser_that_saves_data_stores_the_site_on_request(new_context: Callable[..., BrowserContext]) -> None:
    """The site can be installed.

    The manifest has no errors, and every icon has its declared size.
    """
    context = new_context(service_workers="allow")
    context.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    page = context.new_page()
    page.goto("look-up/glossary/")
    page.wait_for_selector(".scratch-offline[data-offline=offered]")
    count = "async () => (await navigator.serviceWorker.getRegistrations()).length"
    assert page.evaluate(count) == 0
    page.click(".scratch-offline button")
    page.wait_for_selector(SAVED_STATUS)
    assert page.evaluate(count) == 1
    session: Any = context.new_cdp_session(page)
    assert session.send("Page.getAppManifest")["errors"] == []
    assert session.send("Page.getInstallabilityErrors")["installabilityErrors"] in (
        [],
        [{"errorId": "in-incognito", "errorArguments": []}],
    )
    icons = page.evaluate(
        """async () => {
          const link = document.querySelector("link[rel=manifest]").href;
          const { icons } = await (await fetch(link)).json();
          return Promise.all(icons.map(async ({ src, sizes }) => {
            const image = new Image();
            image.src = new URL(src, link);
            await image.decode();
            return [sizes, `${image.naturalWidth}x${image.naturalHeight}`];
          }));
        }"""
    )
    assert [sizes for sizes, _ in icons] == ["any", "192x192", "512x512", "512x512"]
    assert all(sizes in ("any", real) for sizes, real in icons), icons


def test_removing_worker_deletes_caches_and_itself(site: Path, playwright: Playwright, tmp_path: Path) -> None:
    """The site continues without it."""
    without = make_other_version(site, tmp_path / "without")
    write_service_worker(without, is_offline_enabled=False)
    for page in without.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace('rel="manifest"', 'rel="none"'), encoding="utf-8")
    line = SwitchableServer(site)
    with serve_switchable(line) as url, restart_browser(playwright, tmp_path / "profile", url) as context:
        tab = open_saved_page(context)
        tab.reload()
        tab.wait_for_selector(SAVED_STATUS)
        line.folder = without
        tab.evaluate(WAIT_FOR_REMOVAL, PATIENCE)
        assert not require(tab.goto("tools/dice/")).from_service_worker
        tab.wait_for_selector(READY)
        assert tab.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0


@TRIMMED_ONLY
@pytest.mark.parametrize("statement", ["import cmath; cmath.cosh(1j)", "import colorsys"], ids=["function", "module"])
def test_part_missing_in_the_trimmed_python_is_answered_offline(
    statement: str, site: Path, playwright: Playwright, tmp_path: Path
) -> None:
    """The published interpreter and the full library are saved, and the snapshot stays.

    The worker is changed to need a function or a module for each roll of 7d20.
    """
    changed = make_other_version(site, tmp_path / "changed")
    worker = next(changed.glob("assets/engine-*/worker.mjs"))
    text = worker.read_text(encoding="utf-8")
    taken = require(re.search(r'(\w+)=(\w+)\.globals\.get\("answer_json_request"\)', text))
    needing = f"""((python, plain) => (request) => {{
      if (request.includes("7d20")) python.runPython({json.dumps(statement)});
      return plain(request);
    }})({taken[2]}, {taken[2]}.globals.get("answer_json_request"))"""
    worker.unlink()  # a link to the file of the built site
    worker.write_text(text.replace(taken[0], f"{taken[1]}={needing}"), encoding="utf-8")
    write_service_worker(changed, is_offline_enabled=True)
    line = SwitchableServer(changed)
    with serve_switchable(line) as url, restart_browser(playwright, tmp_path / "profile", url) as context:
        page = open_saved_page(context)
        wait_for_snapshot(page)
        line.bytes_left = 0
        for _ in range(2):
            page.goto("tools/dice/?roll=2d6")
            wait_for_answer(page)
            assert is_started_from_snapshot(page)
            page.fill("[name=roll]", "7d20")
            page.press("[name=roll]", "Enter")
            page.wait_for_selector(f"{READY} .die:nth-child(7)")
            assert not is_started_from_snapshot(page)


def test_archive_of_the_site_runs_from_a_plain_server(site: Path, browser: Browser, tmp_path: Path) -> None:
    """It contains every file, and dice roll."""
    with zipfile.ZipFile(write_site_archive(site, tmp_path / "site.zip")) as packed:
        assert {(each.date_time[0], each.external_attr >> 16) for each in packed.infolist()} == {(1980, 0o644)}
        packed.extractall(tmp_path / "site")
    everything = sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())
    assert sorted(packed.namelist()) == everything
    with serve_plain(tmp_path / "site") as url:
        context = browser.new_context(base_url=url)
        be_patient(context)
        open_saved_page(context)
        context.close()
