"""Layout checks of pages and states without Python in the browser: edges, sizes, spaces, colours and touch targets.

Check a sample, or all with `FULL=1`; `python -m tests.browser.look` lists the findings.
"""

from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from playwright.sync_api import expect

from build_scripts.dev.screenshots import Answers, Camera, Shot, list_shots, render_answers_in_tree
from tests.browser.look import CHECKS, LARGE_TEXT, LAYOUT, READABLE, SCREENS, find_offences, list_lines
from tests.regression.sample import sample_size

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
    """List the pages and states to check."""
    known = list_shots(site)
    sample = [shot for shot in known if any(fnmatchcase(shot.name, name) for name in SAMPLE)]
    return known if sample_size(0, full=1) else sample


@pytest.fixture(scope="session")
def answers(shots: list[Shot]) -> Answers:
    """Return the calculators' answers in their states."""
    return render_answers_in_tree(shots)


@pytest.mark.parametrize("screen", SCREENS)
def test_pages_and_states_pass_the_layout_checks(
    screen: str, shots: list[Shot], answers: Answers, make_camera: Callable[[str], Camera]
) -> None:
    """Run the checks of each screen on its pages and states."""
    names = [name for name in CHECKS if name not in (READABLE if screen in LARGE_TEXT else LAYOUT)]
    found = find_offences(make_camera(screen), screen, names, shots, answers)
    assert list_lines(found) == []


@pytest.mark.parametrize("screen", ["phone", "phone on its side", "desk"])
@pytest.mark.parametrize("name", ["fight-middle", "look-up-rule-index"])
def test_sticky_head_and_column_cover_no_control(
    screen: str, name: str, site: Path, make_camera: Callable[[str], Camera]
) -> None:
    """An unfolded sum makes the fight's head tall, and a rule's id a wide column."""
    shots = list_shots(site, [name])
    found = find_offences(make_camera(screen), screen, ["covered"], shots, render_answers_in_tree(shots))
    assert list_lines(found) == []


def test_levels_with_text_at_200_percent_are_not_cut(site: Path, make_camera: Callable[[str], Camera]) -> None:
    """Abilities' names and lines are whole on a phone."""
    shots = list_shots(site, ["character-filled"])
    found = find_offences(
        make_camera("phone, text 200 %"), "phone, text 200 %", ["cut"], shots, render_answers_in_tree(shots)
    )
    assert list_lines(found) == []


def test_screenshot_of_a_state_has_its_answer_in_the_page(site: Path, make_camera: Callable[[str], Camera]) -> None:
    """A failed state offers a retry, and the page's scripts have run."""
    shots = list_shots(site, ["dice:face 20 alone", "dice-failed"])
    shown = {shot.name: shot for shot in shots}
    answers, camera = render_answers_in_tree(shots), make_camera("desk")
    page = camera.load_shot_page(shown["dice-face-20-alone"], answers)
    expect(page.locator("scratch-calculator[data-state=ready] [data-total]")).to_have_text("23")
    expect(page.get_by_role("button", name="Try again")).to_be_hidden()
    expect(page.locator(".calculator-history li")).to_have_count(1)
    camera.load_shot_page(shown["dice-failed"], answers)
    expect(page.locator("scratch-calculator[stale][data-state=failed] [data-total]")).to_have_text("13")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
