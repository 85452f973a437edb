"""What of a fight is on one screen, and the presses of what is done most; tests.browser.positions prints it."""

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.browser.positions import (
    DESK,
    LANDSCAPE,
    PHONE,
    on_screen,
    presses_again,
    presses_each,
    presses_for_a_blast,
)

ALWAYS = {"whose turn": True, "last result": True, "Undo": True, "End turn": True}


@pytest.mark.parametrize(
    ("size", "least", "exact"),
    [
        (PHONE, {"acts": 8}, {"people": 6, "targets": 5, "sideways": 0}),
        (LANDSCAPE, {"acts": 4}, {"sideways": 0}),
        (DESK, {"acts": 8, "log": 1}, {"people": 8, "targets": 7}),
    ],
    ids=["phone", "on its side", "desk"],
)
def test_what_matters_is_on_one_screen(
    page: Page, size: ViewportSize, least: dict[str, int], exact: dict[str, int]
) -> None:
    """Whose turn, the last result, the bar, and acts; upright everyone too, on a desk beside the log."""
    found = on_screen(page, size, exact.get("people", 6))
    assert found.items() >= {**ALWAYS, **exact}.items(), found
    assert [each for each in least if found[each] < least[each]] == [], found
    assert found["foot"] <= size["height"], found


def test_presses_to_aim(page: Page) -> None:
    """The last turn's target again is one press, any of five two at most, a blast at three of five four at most."""
    page.set_viewport_size(PHONE)
    assert presses_again(page) == 1
    assert max(presses_each(page)) <= 2
    assert max(presses_for_a_blast(page)) <= 4
