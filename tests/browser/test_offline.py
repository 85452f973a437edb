"""The site without a connection: one visit, then no server; versions never mixed; a new one offered, never forced."""

import contextlib
import json
import os
import random
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright

from build_scripts.browsers import CHROMIUM_FLAGS, get_chromium
from build_scripts.paths import BUILD
from build_scripts.service_worker import write_worker
from build_scripts.service_worker.archive import write_archive
from tests.browser.following import addresses, follow
from tests.browser.line import MARK, Line, line_server, other_version, plain_server
from tests.browser.pages.calculator import READY, roll
from tests.browser.pages.fight import BEGUN
from tests.browser.patience import PATIENCE, be_patient
from tests.support.known import require

CUTS = int(os.environ.get("CUTS", "2"))
"""How many updates are cut short somewhere."""
KEPT = ".scratch-offline[data-offline=ready]"
OFFER = ".scratch-version"
# What a page of the site gets for some addresses, and itself: whether each is of the other version.
MARKS = f"""async (paths) => {{
  const root = new URL(document.querySelector('link[rel=manifest]').href + '/..').href;
  const texts = await Promise.all(paths.map(async (path) => (await fetch(root + path)).text()));
  texts.push(document.documentElement.outerHTML);
  return texts.map((text) => text.includes({json.dumps(MARK.split('"')[1])}));
}}"""
REMOVED = """async (patience) => {
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
IS_MARKED = (
    f"""(isOther) => document.documentElement.outerHTML.includes({json.dumps(MARK.split('"')[1])}) === isOther"""
)
# Looks for a new version until one waits or the line has broken: the browser may just have done so by itself.
SETTLED = """async (patience) => {
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


LEFT = "net::ERR_ABORTED"
"""How a request ends whose page was left meanwhile."""


@contextlib.contextmanager
def restarted(playwright: Playwright, folder: Path, url: str) -> Iterator[BrowserContext]:
    """A browser that begins with a profile on the disk, and ends."""
    context = playwright.chromium.launch_persistent_context(
        folder, executable_path=get_chromium(), args=list(CHROMIUM_FLAGS), base_url=url, timeout=PATIENCE
    )
    be_patient(context)
    yield context
    context.close()


def visit(context: BrowserContext, address: str = "tools/dice/?roll=3d6", found: str = "") -> Page:
    """A page of a calculator that has answered, and says that all is kept."""
    page = context.new_page()
    page.goto(address)
    page.wait_for_selector(f"{READY} {found}".rstrip())
    page.wait_for_selector(KEPT)
    return page


def take(page: Page) -> None:
    """Take the new version that is offered."""
    page.click(f"{OFFER} button >> nth=0")


@pytest.mark.parametrize("base", ["/", "/scratch/"])
def test_one_visit_then_no_server_and_a_new_browser(
    base: str, site: Path, build_once: Callable[..., Path], playwright: Playwright, tmp_path: Path
) -> None:
    """After one visit, with no server and the browser started anew, pages, search, calculators and 404 answer."""
    if base != "/":
        site = build_once(BUILD / "subpath-site", site_url=f"https://host.example{base}")
    with line_server(Line(site), base) as url, restarted(playwright, tmp_path, url) as context:
        visit(context)
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(url, timeout=5)
    with restarted(playwright, tmp_path, url) as context:
        page = context.new_page()
        failed: list[str] = []
        context.on("requestfailed", lambda each: failed.append(each.url) if each.failure != LEFT else None)
        page.goto("tools/dice/?roll=3d6")
        page.wait_for_selector(READY)
        roll(page)
        page.locator("[data-md-component=search-query]").press_sequentially("evade")
        page.wait_for_selector(".md-search-result__item >> nth=2", state="attached")
        assert require(page.goto("no/such/page/")).status == 404
        assert "Page not found" in page.inner_text("h1")
        assert require(page.goto("rules/rolls")).url == f"{url}rules/rolls/"  # a folder without its slash
        if base == "/":
            walk_offline(page, site)
        expected = (f"{url}no/such/page/", f"{url}assets/icon.svg")  # the second is the browser's own, for its menu
        assert not {*failed} - {*expected}, failed[:3]


def walk_offline(page: Page, site: Path) -> None:
    """Fetch every page, and open the calculators' pages by the site's own links: each calculator answers."""
    page.goto("")
    headings = "async (path) => { const got = await fetch(path);"
    headings += " return [got.status, (await got.text()).includes('<h1')]; }"
    for path in ["", *addresses(site)]:
        assert page.evaluate(headings, f"/{path}") == [200, True], path
        html = (site / path / "index.html").read_text(encoding="utf-8")
        if path.startswith("tools/") and "<scratch-calculator" in html:
            follow(page, f"/{path}")
            page.focus("scratch-calculator :is(input, textarea, select, button) >> nth=0")
            page.wait_for_selector(READY)


def test_a_new_version_is_offered_and_a_running_fight_survives_it(
    site: Path, playwright: Playwright, tmp_path: Path
) -> None:
    """A new version waits until the reader takes it; the fight goes on in it; a second tab hears of it and goes on."""
    other = other_version(site, tmp_path / "other")
    line = Line(site)
    with line_server(line) as url, restarted(playwright, tmp_path / "profile", url) as context:
        visit(context).close()
        page = visit(context, BEGUN, "[data-action]")
        address = page.url
        beside = context.new_page()
        beside.goto("tools/board/")
        beside.wait_for_selector(KEPT)
        line.folder = other
        assert page.evaluate(SETTLED, PATIENCE), "the new version does not wait"
        page.wait_for_selector(OFFER)
        assert marks(page) == {False}, "the new version came unasked"
        take(page)
        page.wait_for_selector(f"{READY} [data-action]")
        page.wait_for_function(IS_MARKED, arg=True)
        assert page.url == address
        assert marks(page) == {True}
        beside.wait_for_selector(OFFER)
        beside.focus("scratch-calculator :is(input, textarea, select, button) >> nth=0")
        beside.wait_for_selector(READY)
        take(beside)
        beside.wait_for_selector(f"{OFFER}", state="detached")


def test_a_tab_left_open_over_a_new_version_says_so(
    site: Path, new_context: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    """In a tab without the worker a page of a new version, or a start whose files are gone, is told with a way on."""
    line = Line(site)
    with line_server(line) as url:
        context = new_context()
        swapped, started = (context.browser.new_context(base_url=url).new_page() for _ in range(2))
        for page in (swapped, started):
            be_patient(page)
            page.route("**/register.mjs", lambda route: route.abort())
            page.goto("look-up/")
        started.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
        started.goto("tools/dice/")  # Python is not started before someone wants it
        line.folder = other_version(site, tmp_path / "other")
        swapped.click(".md-tabs__link:has-text('Tools')")
        swapped.wait_for_selector(OFFER)
        assert swapped.evaluate(f"({IS_MARKED})(true)")
        swapped.context.close()
        started.click("scratch-calculator form [type=submit] >> nth=0")
        started.wait_for_selector(OFFER)
        assert "new version" in started.inner_text(".calculator-status >> nth=0")
        take(started)
        started.wait_for_function(IS_MARKED, arg=True)
        started.click("scratch-calculator form [type=submit] >> nth=0")
        started.wait_for_selector(READY)
        started.context.close()


def marks(page: Page) -> set[bool]:
    """Whether what this page is given is of the other version; two answers are a mixture."""
    style = page.get_attribute("link[href*='stylesheets/scratch.']", "href").rpartition("/")[2]
    paths = ["", "tools/dice/", "rules/rolls/", f"stylesheets/{style}", "look-up/glossary/", "404.html"]
    return set(page.evaluate(MARKS, paths))


def test_versions_never_mix_where_the_line_is_cut(site: Path, playwright: Playwright, tmp_path: Path) -> None:
    """An update whose line breaks anywhere leaves the old version whole; the next one brings the new one whole."""
    versions = [site, other_version(site, tmp_path / "other")]
    line = Line(site)
    seed = int(os.environ.get("SEED", "0")) or random.randrange(1, 10**6)
    chance = random.Random(seed)
    cut_short = 0
    with line_server(line) as url, restarted(playwright, tmp_path / "profile", url) as context:
        page = visit(context)
        page.reload()
        for number in range(CUTS):
            is_other = number % 2 == 0
            said = f"cut {number} with SEED={seed}"
            line.left = chance.randrange(12_000_000)
            line.folder = versions[is_other]
            arrived = page.evaluate(SETTLED, PATIENCE)
            line.left = 0
            cut_short += not arrived
            page.goto("rules/rolls/")
            assert marks(page) == {not is_other}, said
            line.left = 1 << 40
            assert page.evaluate(SETTLED, PATIENCE), said
            page.wait_for_selector(OFFER)
            take(page)
            page.wait_for_function(IS_MARKED, arg=is_other)
            line.left = 0
            page.goto("tools/dice/?roll=2d6")
            page.wait_for_selector(READY)
            assert marks(page) == {is_other}, said
    print(f"{CUTS} updates, {cut_short} of them cut short")
    assert cut_short or CUTS < 10


def test_a_file_of_another_version_is_never_kept(site: Path, playwright: Playwright, tmp_path: Path) -> None:
    """Where one file has not its digest, nothing is kept; the page says so and offers to try again."""
    mixed = other_version(site, tmp_path / "mixed")
    style = next((mixed / "stylesheets").glob("scratch.*.css"))
    style.write_text(style.read_text(encoding="utf-8") + "/* later */", encoding="utf-8")
    line = Line(mixed)
    with line_server(line) as url, restarted(playwright, tmp_path / "profile", url) as context:
        page = context.new_page()
        page.goto("tools/dice/?roll=3d6")
        page.wait_for_selector(".scratch-offline[data-offline=failed]")
        assert "Couldn’t save" in page.inner_text(".scratch-offline")
        write_worker(mixed, is_offline=True)
        page.click(".scratch-offline button")
        page.wait_for_selector(KEPT)


def test_saving_data_keeps_nothing_unasked(new_context: Callable[..., BrowserContext]) -> None:
    """With Save-Data the site is kept when a button is pressed, and not before.

    It can be installed: the browser finds nothing wrong with the manifest, and every icon has the size that it names.
    """
    context = new_context(service_workers="allow")
    context.add_init_script("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })")
    page = context.new_page()
    page.goto("look-up/glossary/")
    page.wait_for_selector(".scratch-offline[data-offline=asked]")
    count = "async () => (await navigator.serviceWorker.getRegistrations()).length"
    assert page.evaluate(count) == 0
    page.click(".scratch-offline button")
    page.wait_for_selector(KEPT)
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


def test_a_worker_that_removes_itself(site: Path, playwright: Playwright, tmp_path: Path) -> None:
    """Where the removing worker is published, what was kept and the worker itself are gone, and the site goes on."""
    without = other_version(site, tmp_path / "without")
    write_worker(without, is_offline=False)
    for page in without.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace('rel="manifest"', 'rel="none"'), encoding="utf-8")
    line = Line(site)
    with line_server(line) as url, restarted(playwright, tmp_path / "profile", url) as context:
        tab = visit(context)
        tab.reload()
        tab.wait_for_selector(KEPT)
        line.folder = without
        tab.evaluate(REMOVED, PATIENCE)
        assert not require(tab.goto("tools/dice/")).from_service_worker
        tab.wait_for_selector(READY)
        assert tab.evaluate("async () => (await navigator.serviceWorker.getRegistrations()).length") == 0


def test_the_archive_runs_from_a_plain_server(site: Path, browser: Browser, tmp_path: Path) -> None:
    """The archive holds every file of the site, and a server that knows nothing of the site serves it: dice roll."""
    with zipfile.ZipFile(write_archive(site, tmp_path / "site.zip")) as packed:
        assert {(each.date_time[0], each.external_attr >> 16) for each in packed.infolist()} == {(1980, 0o644)}
        packed.extractall(tmp_path / "site")
    everything = sorted(path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file())
    assert sorted(packed.namelist()) == everything
    with plain_server(tmp_path / "site") as url:
        context = browser.new_context(base_url=url)
        be_patient(context)
        visit(context)
        context.close()
