"""How it looks, held on pages and states as they are seen, no Python running: edges, sizes, spaces, colours, presses.

Some of them are looked at here, all with `FULL=1`; `python -m tests.browser.look` lists what offends.
"""

from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from build_scripts.dev.pictures import Answers, Camera, Shot, answers_to, asked_for, shots_of
from tests.browser.look import CHECKS, FIVE, LAYOUT, SCREENS, Offence, camera_of, offences, run
from tests.regression.sampling import generator, sample_size
from tests.states import STATES

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

PART = 3
"""Situations of each screen's own sample of `LAYOUT`."""


@pytest.fixture(scope="session")
def shots(site: Path) -> list[Shot]:
    """What is looked at."""
    known = shots_of(site)
    sample = [shot for shot in known if any(fnmatchcase(shot.name, name) for name in SAMPLE)]
    return known if sample_size(0, full=1) else sample


@pytest.fixture(scope="session")
def situations(site: Path) -> dict[str, list[Shot]]:
    """Return each screen's random sample of all pages and all states of calculators."""
    known = shots_of(site) + [asked_for(f"{name}:{state}") for name in STATES for state in STATES[name]]
    chance = generator("layout")
    return {screen: chance.sample(known, sample_size(PART, full=len(known))) for screen in FIVE}


@pytest.fixture(scope="session")
def answers(shots: list[Shot], situations: dict[str, list[Shot]]) -> Answers:
    """What the calculators say in their states."""
    return answers_to([*shots, *chain.from_iterable(situations.values())])


@pytest.fixture
def made_camera(browser: Browser, site_url: str) -> Iterator[Callable[[str], Camera]]:
    """Shows pages on a screen of a name."""
    made: list[Camera] = []

    def make(screen: str) -> Camera:
        made.append(camera_of(browser, site_url, screen))
        return made[-1]

    yield make
    for camera in made:
        camera.page.context.close()


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_offends(
    screen: str, shots: list[Shot], answers: Answers, made_camera: Callable[[str], Camera]
) -> None:
    """No check finds anything on any page or state of that screen."""
    found = offences(made_camera(screen), screen, [name for name in CHECKS if name not in LAYOUT], shots, answers)
    assert told(found) == []


@pytest.mark.parametrize("screen", FIVE)
def test_layout_any_situation_covers_and_cuts_nothing(
    screen: str, situations: dict[str, list[Shot]], answers: Answers, made_camera: Callable[[str], Camera]
) -> None:
    """Nothing lies over a control or a text, no text over another, and no text is cut off."""
    camera, found, controls = made_camera(screen), [], 0
    for each in situations[screen]:
        found += offences(camera, screen, LAYOUT, [each], answers)
        controls += len(run(camera.page, "looked"))
    print(f"{screen}: {controls} controls in {len(situations[screen])} situations")
    assert told(found) == []


def test_levels_with_text_at_200_percent_are_not_cut(site: Path, made_camera: Callable[[str], Camera]) -> None:
    """On a phone an ability's name and line are whole in large text."""
    shots = shots_of(site, ["character-filled"])
    found = offences(made_camera("phone, text 200 %"), "phone, text 200 %", ["cut"], shots, answers_to(shots))
    assert told(found) == []


def told(found: list[Offence]) -> list[str]:
    """Return what offends, each once."""
    return sorted({f"{each.check}: {each.shot}: {each.line}" for each in found})


def test_a_state_has_its_answer_in_its_place(site: Path, made_camera: Callable[[str], Camera]) -> None:
    """A roll that nobody's example is stands in the page of dice; where Python has not come, the way out as well."""
    shots = shots_of(site, ["dice:face 20 alone", "dice-failed"])
    shown = {shot.name: shot for shot in shots}
    answers, camera = answers_to(shots), made_camera("desk")
    page = camera.show(shown["dice-face-20-alone"], answers)
    expect(page.locator("scratch-calculator[data-state=ready] [data-total]")).to_have_text("23")
    expect(page.get_by_role("button", name="Try again")).to_be_hidden()
    camera.show(shown["dice-failed"], answers)
    expect(page.locator("scratch-calculator[stale][data-state=failed] [data-total]")).to_have_text("13")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
