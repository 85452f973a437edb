"""Every calculator in Firefox and WebKit: it answers, is reopened by its address, and fights are saved."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from build_scripts.browser_app import is_plain_build
from build_scripts.browser_drivers import WebKit, Window, launch_browser, navigate_or_reload, wait_until_true
from build_scripts.dev.bench.starts import IS_RECALLED_SCRIPT, SNAPSHOT_SCRIPT
from build_scripts.paths import OVERRIDES
from build_scripts.service_worker import compute_precache_digests
from tests.browser.pages import calculator
from tests.browser.pages.fight import RUNNING_FIGHT
from tests.browser.patience import PATIENCE
from tests.browser.switchable_server import SwitchableServer, serve_switchable

CALCULATOR = "document.querySelector('scratch-calculator')"
READY = f"document.querySelector('{calculator.READY}')"
WAKE = "document.querySelector('scratch-calculator :is(input, textarea, select, button)')?.focus()"
RETRY = "document.querySelector('scratch-calculator[data-state=failed] [data-retry]')?.click()"
QUERY = f"{CALCULATOR}.dataset.query"
NAMES = sorted(path.stem for path in (OVERRIDES / "calculators").glob("*.html"))
SAMPLE_QUERIES = {"character": "name=Eve&shooting=2&toughness=3", "board": "map=..../...."}


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def window(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, site_url: str) -> Iterator[Window]:
    """Open a window of each installed browser."""
    made = launch_browser(request.param, tmp_path_factory.mktemp(request.param))
    if made is None:
        pytest.skip(f"{request.param} is not on this machine: `make install-browsers` installs it where it can")
    navigate_or_reload(made, f"{site_url}look-up/")
    yield made
    made.close()


def wait_until_ready(window: Window, found: str = "") -> None:
    """Wake this page's calculator, and wait for its answer with the named element.

    A slow machine may exceed the page's time limit for starting Python; then press its retry button.
    """
    window.evaluate(f"({WAKE}, true)")
    wanted = f"{READY}?.querySelector('{found}')" if found else READY
    wait_until_true(window, f"({RETRY}, {wanted})")


def follow_link(window: Window, url: str) -> None:
    """Follow a link within the site, without loading a new document."""
    window.evaluate(f"(globalThis.old = {CALCULATOR}, true)")
    link = f"Object.assign(document.createElement('a'), {{href: '{url}'}})"
    window.evaluate(f"(document.body.appendChild({link}).click(), true)")
    wait_until_true(window, f"{CALCULATOR} && {CALCULATOR} !== globalThis.old")


def check_address(window: Window) -> None:
    """Check that the address of this page opens its calculator with the same state."""
    query = window.evaluate(QUERY)
    navigate_or_reload(window)  # a new fragment of the open page's address would load nothing
    wait_until_ready(window)
    assert window.evaluate(QUERY) == query


def test_dice_roll_and_their_faces_are_in_the_address(window: Window, site_url: str) -> None:
    """Press the button of the dice tool."""
    navigate_or_reload(window, f"{site_url}tools/dice/?roll=3d6")
    wait_until_ready(window)
    window.evaluate("(document.querySelector('scratch-calculator form [type=submit]').click(), true)")
    wait_until_true(window, f"{READY}?.querySelector('[data-total]')")
    assert "faces=" in window.evaluate("location.search")
    check_address(window)


@pytest.mark.skipif(is_plain_build(), reason="a plain build saves no snapshot")
def test_reload_starts_from_the_snapshot(window: Window, site_url: str) -> None:
    """WebKitGTK has no private file system, and saves the snapshot in a database."""
    navigate_or_reload(window, f"{site_url}tools/dice/?roll=2d6")
    wait_until_ready(window)
    window.evaluate("(document.querySelector('scratch-calculator form [type=submit]').click(), true)")
    assert window.evaluate(f"{SNAPSHOT_SCRIPT}(performance.now() + {PATIENCE})"), "no snapshot was saved"
    navigate_or_reload(window)
    wait_until_ready(window)
    assert window.evaluate(IS_RECALLED_SCRIPT)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("dice", "fight")])
def test_calculator_answers_and_is_reopened_by_its_address(window: Window, site_url: str, name: str) -> None:
    """The state in the address is the same after a reload."""
    follow_link(window, f"{site_url}tools/{name}/?{SAMPLE_QUERIES.get(name, '')}".removesuffix("?"))
    wait_until_ready(window)
    check_address(window)


def test_saved_fight_is_reopened_and_takes_an_action(window: Window, site_url: str) -> None:
    """Open the fight tracker without the fight's address."""
    navigate_or_reload(window, site_url + RUNNING_FIGHT)
    wait_until_ready(window, "[data-action]")
    query = window.evaluate(QUERY)
    navigate_or_reload(window, f"{site_url}tools/fight/")
    wait_until_ready(window, "[data-action]")
    assert window.evaluate(QUERY) == query
    window.evaluate(f"({READY}.querySelector('[data-action]').click(), true)")
    wait_until_true(window, f"{READY} && {QUERY} !== '{query}'")
    check_address(window)


def test_closed_webkit_window_ends_its_driver(tmp_path: Path) -> None:
    """The connection to the driver closes with the window."""
    window = launch_browser("webkit", tmp_path)
    if not isinstance(window, WebKit):
        pytest.skip("webkit is not on this machine: `make install-browsers` installs it where it can")
    port = urlsplit(window.address).port
    with socket.create_connection(("127.0.0.1", port or 0), timeout=PATIENCE / 1000) as line:
        window.close()
        assert line.recv(1) == b""  # which comes with the driver's end


def test_firefox_restarted_without_a_server_opens_every_page(site: Path, tmp_path: Path) -> None:
    """Calculators answer after a single visit, from the saved snapshot of Python."""
    with serve_switchable(SwitchableServer(site)) as url:
        window = launch_browser("firefox", tmp_path)
        if window is None:
            pytest.skip("firefox is not on this machine: `make install-browsers` installs it where it can")
        window.open(f"{url}tools/dice/?roll=3d6")
        wait_until_ready(window)
        wait_until_true(window, "document.querySelector('.scratch-offline[data-offline=ready]')")
        assert is_plain_build() or window.evaluate(f"{SNAPSHOT_SCRIPT}(performance.now() + {PATIENCE})"), (
            "no snapshot was saved"
        )
        window.close()
    window = launch_browser("firefox", tmp_path)
    assert window is not None
    window.open(f"{url}tools/dice/?roll=3d6")
    wait_until_ready(window)
    assert is_plain_build() or window.evaluate(IS_RECALLED_SCRIPT), "expected a start that began with the memory"
    pages = [path.removesuffix("index.html") for path in compute_precache_digests(site) if path.endswith("index.html")]
    pages.append("search/search_index.json")
    statuses = window.evaluate(
        f"Promise.all({json.dumps(pages)}.map(async (path) => (await fetch('/' + path)).status))"
    )
    assert set(statuses) == {200}
    for name in (name for name in NAMES if name != "dice"):
        follow_link(window, f"{url}tools/{name}/")
        wait_until_ready(window)
    window.open(f"{url}no/such/page/")
    assert "Page not found" in window.evaluate("document.querySelector('h1').textContent")
    window.close()
