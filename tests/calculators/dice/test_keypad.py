"""Keys for dice: taps add up to a roll in the usual notation."""

import pytest

from scratch_core.calculators.dice import view
from scratch_core.calculators.dice.keypad import MAX_TAPS, apply_taps
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.dice import RecordedRoller
from tests.support.known import require


@pytest.mark.parametrize(
    ("typed", "taps", "is_done", "expected"),
    [
        pytest.param("", "d20", False, "d20", id="the-first"),
        pytest.param("", "d6; d6; d20; +1; +1", False, "2d6+d20+2", id="adding-up"),
        pytest.param("d20+5", "d6", True, "d6", id="a-die-after-a-roll-begins-another"),
        pytest.param("d20+5", "+1", True, "d20+6", id="a-number-after-a-roll-is-added"),
        pytest.param("d20+5", "d6; d6", True, "2d6", id="only-the-first-begins"),
        pytest.param("D20 + 1d6 - 1", "-1; d6", False, "d20+2d6-2", id="written-by-hand"),
        pytest.param("d20+1", "-1", False, "d20", id="nothing-left-of-the-number"),
        pytest.param("4d6kh3", "d6", False, "4d6kh3+d6", id="more-than-a-sum"),
        pytest.param("d20-d4", "+1", False, "d20-d4+1", id="a-die-taken-away"),
        pytest.param("", "2d20kh1; +1", False, "2d20kh1+1", id="the-better-of-two"),
        pytest.param("d20+5", "2d20kh1", True, "2d20kh1+5", id="the-better-of-two-in-place-of-one"),
        pytest.param("2d20+d6+3", "2d20kh1", False, "2d20kh1+d6+3", id="the-better-of-two-keeps-the-rest"),
        pytest.param("d20-d4", "2d20kh1", True, "2d20kh1-d4", id="the-better-of-two-less-a-die"),
        pytest.param("d20+5[aim] vs 13", "2d20kh1", False, "2d20kh1+5[aim] vs 13", id="the-better-of-two-with-a-label"),
        pytest.param("2d20kh1+3", "2d20kh1", False, "2d20kh1+3", id="the-better-of-two-once"),
        pytest.param("3d6", "2d20kh1", False, "3d6+2d20kh1", id="the-better-of-two-is-added"),
        pytest.param("3d6", "2d20kh1", True, "2d20kh1", id="the-better-of-two-begins-a-new-roll"),
        pytest.param("2d6", "clear; d8", False, "d8", id="cleared"),
        pytest.param("", "-1; -1", False, "-2", id="a-number-alone"),
        pytest.param("d20", "d7; <b>; ; d20", False, "2d20", id="no-keys"),
        pytest.param("", "d6;" * (MAX_TAPS + 50), False, f"{MAX_TAPS}d6", id="no-end-of-taps"),
    ],
)
def test_keypad_taps_add_up_to_a_roll(typed: str, taps: str, is_done: bool, expected: str) -> None:
    """The taps add up to a roll in the field."""
    assert apply_taps(typed, taps, is_already_rolled=is_done) == expected


def test_keypad_tap_does_not_roll_and_roll_applies_all_taps() -> None:
    """A tap updates the chances without rolling.

    A roll applies all pending taps.
    """
    query = format_query({"roll": "d20", "faces": "11", "keys": "d6; d6", "done": "1"})
    tapped = view(parse_query(query), None)
    assert (tapped.query, tapped.fields["roll"], tapped.roll_result) == ("roll=2d6", "2d6", None)
    assert tapped.updated_fields == {"roll", "faces"}
    assert tapped.chart is not None
    rolled = view(parse_query(query), RecordedRoller([3, 4]))
    assert (require(rolled.roll_result).total, rolled.query) == (7, "roll=2d6&faces=3,4")
    assert view(parse_query("roll=d20&keys=clear"), None).query == ""
