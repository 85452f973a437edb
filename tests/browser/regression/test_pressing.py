"""Every control can be pressed and every text read, on every page and in every state of a calculator.

`make test` looks at a random sample of them on each screen, and at those with an earlier fault; `FULL=1` looks at all.
tests/browser/look.js says what holds.
"""

from collections.abc import Callable
from itertools import chain
from pathlib import Path

import pytest

from build_scripts.dev.screenshots import Answers, Camera, Shot, list_shots, parse_shot, render_answers_in_tree
from tests.browser.look import LARGE_TEXT, READABLE, WIDTHS, find_offences, list_lines, run
from tests.regression.sample import generator, sample_size
from tests.support.states import STATES

PART = 3
"""Situations in each screen's own sample."""
READ_LARGE = {"phone, text 200 %": tuple(STATES), "desk, text 200 %": ("character", "dice", "initiative", "odds")}
"""The tools looked at in text of 200 %. On a desktop, style alone does not join the columns of a fight."""

REPAIRED = {
    "phone on its side": ("board-failed",),
    "phone, text 200 %": ("board-middle", "fight:a log with room for two steps"),
    "desk, text 200 %": ("dice:dice rolled again", "dice:an impossible face"),
}
"""The situations of each screen with a fault that is repaired: every run looks at them."""


@pytest.fixture(scope="session")
def situations(site: Path) -> dict[str, list[Shot]]:
    """Return each screen's random sample of pages and states, and its repaired situations."""
    states = {name: [parse_shot(f"{name}:{state}") for state in STATES[name]] for name in STATES}
    known = [*list_shots(site), *chain.from_iterable(states.values())]
    chance = generator("layout")
    large = {screen: [shot for name in READ_LARGE[screen] for shot in states[name]] for screen in LARGE_TEXT}
    repaired = {screen: list_shots(site, REPAIRED[screen]) for screen in REPAIRED}
    return {
        screen: [*chance.sample(these, sample_size(PART, full=len(these))), *repaired.get(screen, ())]
        for screen, these in (*((screen, known) for screen in WIDTHS), *large.items())
    }


@pytest.fixture(scope="session")
def answers(situations: dict[str, list[Shot]]) -> Answers:
    """Return the calculators' answers in these states."""
    return render_answers_in_tree(chain.from_iterable(situations.values()))


@pytest.mark.parametrize("screen", [*WIDTHS, *LARGE_TEXT])
def test_layout_any_situation_covers_and_cuts_nothing(
    screen: str, situations: dict[str, list[Shot]], answers: Answers, make_camera: Callable[[str], Camera]
) -> None:
    """Nothing covers a control or a text, in any situation.

    No text overlaps another, is cut off or leaves the page.
    """
    camera, found, controls = make_camera(screen), [], 0
    for each in situations[screen]:
        found += find_offences(camera, screen, READABLE, [each], answers)
        controls += len(run(camera.page, "looked"))
    print(f"{screen}: {controls} controls in {len(situations[screen])} situations")
    assert list_lines(found) == []
