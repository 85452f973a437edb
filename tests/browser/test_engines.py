"""Every calculator in Firefox and WebKit: it opens, answers, is opened again by its link; fights are kept."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from build_scripts.folders import OVERRIDES
from tests.browser.engines import Window, launched, wait_for

READY = "document.querySelector('scratch-calculator[data-state=ready]:not([stale])')"
WAKE = "document.querySelector('scratch-calculator :is(input, textarea, select, button)').focus()"
QUERY = "document.querySelector('scratch-calculator').dataset.query"
NAMES = sorted(path.stem for path in (OVERRIDES / "calculators").glob("[!_]*.html"))
ASKED = {"dice": "roll=3d6", "character": "name=Eve&shooting=2&toughness=3", "board": "map=..../...."}
SHEETS = "A%0Aside:%20x%0A2%20fighting%0A3%20toughness%0A%0AB%0Aside:%20y%0A2%20fighting%0A3%20toughness"
FIGHT = f"tools/fight/?log=begin&sheets={SHEETS}&initiative=a%203,%20b%204"


@pytest.fixture(scope="module", params=["firefox", "webkit"])
def window(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """A window of each engine that this machine has; another is named as left out."""
    made = launched(request.param, tmp_path_factory.mktemp(request.param))
    if made is None:
        pytest.skip(f"{request.param} is not on this machine: `make browsers` installs it where it can")
    yield made
    made.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_calculator_opens_answers_and_is_opened_again(window: Window, site_url: str, name: str) -> None:
    """A calculator answers what its address asks, and again after a reload, with the same state in its address."""
    window.open(f"{site_url}tools/{name}/?{ASKED.get(name, '')}")
    window.run(f"({WAKE}, true)")
    wait_for(window, READY)
    query = window.run(QUERY)
    link = window.run("location.href")
    window.open(f"{site_url}look-up/")
    window.open(link)
    window.run(f"({WAKE}, true)")
    wait_for(window, READY)
    assert window.run(QUERY) == query


def test_dice_are_rolled(window: Window, site_url: str) -> None:
    """A press rolls, and the address holds the faces."""
    window.open(f"{site_url}tools/dice/?roll=3d6")
    wait_for(window, READY)
    window.run("(document.querySelector('scratch-calculator form [type=submit]').click(), true)")
    wait_for(window, f"{READY}?.querySelector('[data-total]')")
    assert "faces=" in window.run("location.search")


def test_a_fight_is_kept(window: Window, site_url: str) -> None:
    """A fight comes back on its page without its address, and takes an action."""
    window.open(site_url + FIGHT)
    wait_for(window, f"{READY}?.querySelector('[data-action]')")
    query = window.run(QUERY)
    window.open(f"{site_url}tools/fight/")
    wait_for(window, f"{READY}?.querySelector('[data-action]')")
    assert window.run(QUERY) == query
