"""How it looks, held on pages and states as they are seen, no Python running: edges, sizes, spaces, colours, presses.

Some of them are looked at here, all with `FULL=1`; `python -m tests.browser.look` lists what offends.
"""

from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from playwright.sync_api import expect

from build_scripts.dev.screenshots import Answers, Camera, Shot, collect_answers, list_shots
from tests.browser.look import CHECKS, LARGE, LAYOUT, READABLE, SCREENS, list_lines, offences
from tests.regression.sampling import sample_size

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
    known = list_shots(site)
    sample = [shot for shot in known if any(fnmatchcase(shot.name, name) for name in SAMPLE)]
    return known if sample_size(0, full=1) else sample


@pytest.fixture(scope="session")
def answers(shots: list[Shot]) -> Answers:
    """What the calculators say in their states."""
    return collect_answers(shots)


@pytest.mark.parametrize("screen", SCREENS)
def test_nothing_offends(
    screen: str, shots: list[Shot], answers: Answers, made_camera: Callable[[str], Camera]
) -> None:
    """No check finds anything on any page or state of that screen."""
    names = [name for name in CHECKS if name not in (READABLE if screen in LARGE else LAYOUT)]
    found = offences(made_camera(screen), screen, names, shots, answers)
    assert list_lines(found) == []


def test_levels_with_text_at_200_percent_are_not_cut(site: Path, made_camera: Callable[[str], Camera]) -> None:
    """On a phone an ability's name and line are whole in large text."""
    shots = list_shots(site, ["character-filled"])
    found = offences(made_camera("phone, text 200 %"), "phone, text 200 %", ["cut"], shots, collect_answers(shots))
    assert list_lines(found) == []


def test_a_state_has_its_answer_in_its_place(site: Path, made_camera: Callable[[str], Camera]) -> None:
    """A roll that no one's example is stands in the page of dice; where Python has not come, the way out as well."""
    shots = list_shots(site, ["dice:face 20 alone", "dice-failed"])
    shown = {shot.name: shot for shot in shots}
    answers, camera = collect_answers(shots), made_camera("desk")
    page = camera.show_shot(shown["dice-face-20-alone"], answers)
    expect(page.locator("scratch-calculator[data-state=ready] [data-total]")).to_have_text("23")
    expect(page.get_by_role("button", name="Try again")).to_be_hidden()
    camera.show_shot(shown["dice-failed"], answers)
    expect(page.locator("scratch-calculator[stale][data-state=failed] [data-total]")).to_have_text("13")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
