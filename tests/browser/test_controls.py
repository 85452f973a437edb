"""Buttons and fields of all tools: seven kinds of buttons, one height, one size of fields.

The checks are functions of look.js; the states are those in the middle of use.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from build_scripts.dev.screenshots import Camera, list_shots, render_answers_in_tree
from tests.browser.look import find_offences, list_lines

STATES = (
    "*-filled,*-middle,*-empty,character-play,fight-turn,fight-board,fight-order,fight-over,house,home,cast",
    "character:over the limits",
    "fight:every house rule the other way",
    "fight:two are selected, a search in yours",
    "fight:choosing who joins",
    "fight:one to return",
    "fight:mano, one may start evading",
    "fight:mano-old, ready",
    "fight:mano-old, points to spend",
    "fight:seize, two may seize",
    "replay:another target",
)
"""The pages and states of every tool that have controls of their own."""


@pytest.mark.parametrize("screen", ["phone", "desk"])
def test_controls_of_all_tools_have_the_same_kinds_and_sizes(
    screen: str, site: Path, make_camera: Callable[[str], Camera]
) -> None:
    """A button is of one of seven kinds and of one height.

    Fields have one size, and show their example whole.
    """
    shots = list_shots(site, STATES)
    names = ["buttons", "typed", "fields", "sizes"]
    found = find_offences(make_camera(screen), screen, names, shots, render_answers_in_tree(shots))
    assert list_lines(found) == []


@pytest.mark.parametrize("screen", ["phone", "desk"])
def test_names_headings_and_lines_have_even_figures_and_baselines(
    screen: str, site: Path, make_camera: Callable[[str], Camera]
) -> None:
    """Digits are as tall as capitals, and a line's words stand on it.

    The cards of a row are of one height.
    """
    shots = list_shots(site, ["look-up-*,rules-*,home,character-filled,fight-empty,fight-turn,replay-middle"])
    names = ["figures", "baseline", "cards"]
    found = find_offences(make_camera(screen), screen, names, shots, render_answers_in_tree(shots))
    assert list_lines(found) == []
