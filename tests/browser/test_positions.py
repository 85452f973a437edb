"""Which parts of a fight fit one screen, and the presses of common actions; tests.browser.positions prints both."""

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.browser.pages.calculator import open_ready
from tests.browser.pages.fight import FIGHT
from tests.browser.positions import (
    DESK,
    LANDSCAPE,
    PHONE,
    count_presses_for_same_target,
    count_presses_per_blast,
    count_presses_per_target,
    read_screen,
)
from tests.support.states import STATES

COUNT_COVERED_ACTIONS = """() => [...document.querySelectorAll(".fight-rows .act")].filter((button) => {
  button.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, top, width, height } = button.getBoundingClientRect();
  return !button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).length"""
ALWAYS_VISIBLE = {"whose turn": True, "last result": True, "Undo": True, "End turn": True}


@pytest.mark.parametrize(
    ("size", "face", "least", "exact"),
    [
        (PHONE, 8, {"acts": 8}, {"people": 6, "targets": 5, "sideways": 0}),
        (PHONE, 20, {"acts": 7}, {"people": 6, "targets": 5, "sideways": 0}),
        (LANDSCAPE, 20, {"acts": 4}, {"sideways": 0}),
        (DESK, 8, {"acts": 8, "log": 1}, {"people": 8, "targets": 7}),
    ],
    ids=["phone", "phone, natural 20", "on its side", "desk"],
)
def test_important_parts_of_a_fight_are_on_one_screen(
    page: Page, size: ViewportSize, face: int, least: dict[str, int], exact: dict[str, int]
) -> None:
    """Turn, result, bar and actions of a fight are on one screen.

    Upright screens also show all characters. The longest result, that of a natural 20, takes a line more.
    """
    found = read_screen(page, size, exact.get("people", 6), face)
    assert found.items() >= {**ALWAYS_VISIBLE, **exact}.items(), found
    assert [each for each in least if found[each] < least[each]] == [], found
    assert found["foot"] <= size["height"], found


def test_aiming_takes_few_presses(page: Page) -> None:
    """The same target takes one, another two, and a blast at three targets four."""
    page.set_viewport_size(PHONE)
    assert count_presses_for_same_target(page) == 1
    assert max(count_presses_per_target(page)) <= 2
    assert max(count_presses_per_blast(page)) <= 4


def test_field_with_a_problem_covers_no_action_on_a_low_screen(page: Page) -> None:
    """Each action, scrolled to the middle of the screen, can be pressed at its centre."""
    page.set_viewport_size(LANDSCAPE)
    open_ready(page, f"{FIGHT}?{STATES['fight']['a note too long']}")
    assert page.locator(".fight-foot .problems").is_visible()
    assert page.evaluate(COUNT_COVERED_ACTIONS) == 0
