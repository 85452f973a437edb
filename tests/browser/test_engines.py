"""Every calculator in Firefox and WebKit: it opens, answers, is opened again by its link; fights are kept."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from build_scripts.browser_app import is_plain_build
from build_scripts.browser_drivers import WebKit, Window, launch_browser, visit, wait_for
from build_scripts.dev.bench.starts import IS_RECALLED_SCRIPT, SNAPSHOT_SCRIPT
from build_scripts.paths import OVERRIDES
from build_scripts.service_worker import list_precached_files
from tests.browser.line import Line, line_server
from tests.browser.pages.fight import BEGUN
from tests.browser.patience import PATIENCE

CALCULATOR = "document.querySelector('scratch-calculator')"
READY = "document.querySelector('scratch-calculator[data-state=ready]:not([stale])')"
WAKE = "document.querySelector('scratch-calculator :is(input, textarea, select, button)')?.focus()"
RETRY = "document.querySelector('scratch-calculator[data-state=failed] [data-retry]')?.click()"
QUERY = f"{CALCULATOR}.dataset.query"
NAMES = sorted(path.stem for path in (OVERRIDES / "calculators").glob("[!_]*.html"))
ASKED = {"character": "name=Eve&shooting=2&toughness=3", "board": "map=..../...."}


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def window(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, site_url: str) -> Iterator[Window]:
    """A window of each engine that this machine has; another is named as left out."""
    made = launch_browser(request.param, tmp_path_factory.mktemp(request.param))
    if made is None:
        pytest.skip(f"{request.param} is not on this machine: `make install-browsers` installs it where it can")
    visit(made, f"{site_url}look-up/")
    yield made
    made.close()


def wait_until_ready(window: Window, found: str = "") -> None:
    """Ask this page's calculator for its answer; wait until it stands, and in it the element that is named.

    On a loaded machine Python's start may take longer than a page waits: then it is asked again, as a reader would.
    """
    window.run(f"({WAKE}, true)")
    wanted = f"{READY}?.querySelector('{found}')" if found else READY
    wait_for(window, f"({RETRY}, {wanted})")


def follow(window: Window, url: str) -> None:
    """Go to a page of the site as a link on it leads: the site's own way, without loading anew."""
    window.run(f"(globalThis.old = {CALCULATOR}, true)")
    link = f"Object.assign(document.createElement('a'), {{href: '{url}'}})"
    window.run(f"(document.body.appendChild({link}).click(), true)")
    wait_for(window, f"{CALCULATOR} && {CALCULATOR} !== globalThis.old")


def check_link(window: Window) -> None:
    """The address of this page opens its calculator with the same state."""
    query = window.run(QUERY)
    visit(window)  # anew: an address with a fragment, opened where it stands, loads nothing
    wait_until_ready(window)
    assert window.run(QUERY) == query


def test_dice_are_rolled(window: Window, site_url: str) -> None:
    """A press rolls, and the address holds the faces."""
    visit(window, f"{site_url}tools/dice/?roll=3d6")
    wait_until_ready(window)
    window.run("(document.querySelector('scratch-calculator form [type=submit]').click(), true)")
    wait_for(window, f"{READY}?.querySelector('[data-total]')")
    assert "faces=" in window.run("location.search")
    check_link(window)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("dice", "fight")])
def test_a_calculator_opens_answers_and_is_opened_again(window: Window, site_url: str, name: str) -> None:
    """A calculator answers what its address asks, and again after a reload, with the same state in its address."""
    follow(window, f"{site_url}tools/{name}/?{ASKED.get(name, '')}".removesuffix("?"))
    wait_until_ready(window)
    check_link(window)


def test_a_fight_is_kept(window: Window, site_url: str) -> None:
    """A fight comes back on its page without its address, and takes an action."""
    visit(window, site_url + BEGUN)
    wait_until_ready(window, "[data-action]")
    query = window.run(QUERY)
    visit(window, f"{site_url}tools/fight/")
    wait_until_ready(window, "[data-action]")
    assert window.run(QUERY) == query
    window.run(f"({READY}.querySelector('[data-action]').click(), true)")
    wait_for(window, f"{READY} && {QUERY} !== '{query}'")
    check_link(window)


def test_a_closed_window_leaves_no_driver(tmp_path: Path) -> None:
    """With WebKit's window its driver ends too, so that many windows, one after the other, leave nothing running."""
    window = launch_browser("webkit", tmp_path)
    if not isinstance(window, WebKit):
        pytest.skip("webkit is not on this machine: `make install-browsers` installs it where it can")
    port = urlsplit(window.address).port
    with socket.create_connection(("127.0.0.1", port or 0), timeout=PATIENCE / 1000) as line:
        window.close()
        assert line.recv(1) == b""  # which comes with the driver's end


def test_one_visit_then_no_server_and_a_new_firefox(site: Path, tmp_path: Path) -> None:
    """After one visit, with no server and Firefox started anew, every page is there, and calculators answer.

    Python begins there with the memory that the visit left behind.
    """
    with line_server(Line(site)) as url:
        window = launch_browser("firefox", tmp_path)
        if window is None:
            pytest.skip("firefox is not on this machine: `make install-browsers` installs it where it can")
        window.open(f"{url}tools/dice/?roll=3d6")
        wait_until_ready(window)
        wait_for(window, "document.querySelector('.scratch-offline[data-offline=ready]')")
        assert is_plain_build() or window.run(f"{SNAPSHOT_SCRIPT}(performance.now() + {PATIENCE})"), (
            "no memory was kept"
        )
        window.close()
    window = launch_browser("firefox", tmp_path)
    assert window is not None
    window.open(f"{url}tools/dice/?roll=3d6")
    wait_until_ready(window)
    assert is_plain_build() or window.run(IS_RECALLED_SCRIPT), "expected a start that began with the memory"
    pages = [path.removesuffix("index.html") for path in list_precached_files(site) if path.endswith("index.html")]
    pages.append("search/search_index.json")
    statuses = window.run(f"Promise.all({json.dumps(pages)}.map(async (path) => (await fetch('/' + path)).status))")
    assert set(statuses) == {200}
    for name in (name for name in NAMES if name != "dice"):
        follow(window, f"{url}tools/{name}/")
        wait_until_ready(window)
    window.open(f"{url}no/such/page/")
    assert "Page not found" in window.run("document.querySelector('h1').textContent")
    window.close()
