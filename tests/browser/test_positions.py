"""What of a fight is on one screen, and the presses of what is done most; tests.browser.positions prints it."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.positions import (
    DESK,
    LANDSCAPE,
    PHONE,
    on_screen,
    presses_again,
    presses_each,
    presses_for_a_blast,
)

ALWAYS = ("whose turn", "last result", "Undo", "End turn")


def test_on_a_phone_six_people_and_all_acts_are_on_one_screen(page: Page) -> None:
    """Upright: whose turn, the last result, everybody, eight acts and the bar, with nothing to be scrolled."""
    found = on_screen(page, PHONE, 6)
    assert all(found[each] for each in ALWAYS), found
    assert found["acts"] >= 8, found
    assert (found["people"], found["targets"], found["sideways"]) == (6, 5, 0), found


def test_lying_down_whose_turn_it_is_and_the_bar_are_on_one_screen(page: Page) -> None:
    """On a phone held sideways: whose turn, the last result, the turn's end and Undo."""
    found = on_screen(page, LANDSCAPE, 6)
    assert all(found[each] for each in ALWAYS), found
    assert found["acts"] >= 4, found
    assert found["sideways"] == 0, found


def test_on_a_desk_people_acts_and_log_stand_beside_one_another(page: Page) -> None:
    """Eight people, all acts, the log and the bar, with nothing to be scrolled."""
    found = on_screen(page, DESK, 8)
    assert all(found[each] for each in ALWAYS), found
    assert (found["people"], found["targets"]) == (8, 7), found
    assert found["acts"] >= 8, found
    assert found["log"] >= 2, found
    assert found["foot"] <= DESK["height"], found


def test_presses_to_aim(page: Page) -> None:
    """The last turn's target again is one press, any of five two at most, a blast at three of five four at most."""
    page.set_viewport_size(PHONE)
    assert presses_again(page) == 1
    assert max(presses_each(page)) <= 2
    assert max(presses_for_a_blast(page)) <= 4
