"""How it looks, held on pages and states as they are seen, no Python running: edges, sizes, spaces, colours, presses.

Some of them are looked at here, all with `LOOK=all`; `python -m tests.browser.look` lists what offends.
"""

import os
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from build_scripts.judges.pictures import Answers, Camera, Shot, answers_to, shots_of
from tests.browser.look import CHECKS, SCREENS, offences

SAMPLE = (
    "home",
    "start-here",
    "cast",
    "rules-actions",
    "rules-grid",
    "*-quick-reference",
    "*-filled",
    "*-middle",
    "*-wrong",
)


@pytest.fixture(scope="session")
def shots(site: Path) -> list[Shot]:
    """What is looked at."""
    names = ("*",) if os.environ.get("LOOK") == "all" else SAMPLE
    return [shot for shot in shots_of(site) if any(fnmatchcase(shot.name, name) for name in names)]


@pytest.fixture(scope="session")
def answers(shots: list[Shot]) -> Answers:
    """What the calculators say in their states."""
    return answers_to(shots)


@pytest.fixture
def camera_of(browser: Browser, site_url: str) -> Iterator[Callable[[str], Camera]]:
    """Shows pages on a screen of a name."""
    made: list[Camera] = []

    def make(screen: str) -> Camera:
        made.append(Camera(browser, site_url, SCREENS[screen].width, **SCREENS[screen].profile))
        return made[-1]

    yield make
    for camera in made:
        camera.page.context.close()


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_offends(screen: str, shots: list[Shot], answers: Answers, camera_of: Callable[[str], Camera]) -> None:
    """No check finds anything on any page or state of that screen."""
    found = offences(camera_of(screen), screen, CHECKS, shots, answers)
    assert sorted({f"{each.check}: {each.shot}: {each.line}" for each in found}) == []


def test_a_state_has_its_answer_in_its_place(site: Path, camera_of: Callable[[str], Camera]) -> None:
    """A roll that nobody's example is stands in the page of dice; where Python has not come, the way out as well."""
    shots = shots_of(site, ["dice:face 20 alone", "dice-failed"])
    shown = {shot.name: shot for shot in shots}
    answers, camera = answers_to(shots), camera_of("desk")
    page = camera.show(shown["dice-face-20-alone"], answers)
    expect(page.locator("scratch-calculator[data-state=ready] [data-total]")).to_have_text("23")
    expect(page.get_by_role("button", name="Try again")).to_be_hidden()
    camera.show(shown["dice-failed"], answers)
    expect(page.locator("scratch-calculator[stale][data-state=failed] [data-total]")).to_have_text("13")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
