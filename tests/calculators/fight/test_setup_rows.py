"""The characters of another turn system before the fight: their numbers and the buttons that change them."""

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import View
from scratch_core.calculators.fight.setup_rows import SetupNumber
from scratch_core.calculators.shared.query import format_query
from tests.support.fights import view_fight

LINES = "side: us\nAnn: speed 1/2\nBo: reach 2\nside: them\nCy: not healthy"
POOLS = "Ann: hp 6, hp/round 3, defence 2, stun 1, side us\nBo: hp 1, hp/round 1, side them"


def find_number(seen: View, who: str, word: str) -> SetupNumber:
    """Find a number of a character."""
    return next(each for each in seen.setup_rows[who].numbers if each.word == word)


@pytest.mark.parametrize("system", ["", "mano", "mano-old", "seize"])
def test_every_turn_system_has_the_same_roster(system: str) -> None:
    """Each side has a column with a button to add.

    The last element of a character's row is the button that removes it.
    """
    texts = {"": "A\nside: us\n1 toughness\n\nB\nside: them\n1 toughness", "mano-old": POOLS}
    control = "fighters" if system else "sheets"
    query = format_query({"system": system, control: texts.get(system, "Ann: side us\nBo: side them")})
    html = BeautifulSoup(render_calculator_response("fight", query).html, "html.parser")
    assert [each["data-side"] for each in html.select(".setup__sides > .setup__side")] == ["us", "them"]
    assert [each.get_text() for each in html.select(".setup__side-head button")] == ["+ Add", "+ Add"]
    rows = html.select(".setup__side > .setup__people > li[data-ready]")
    assert len(rows) == 2
    assert all(each.find_all(True, recursive=False)[-1].has_attr("data-remove") for each in rows)
    assert not html.select("table [data-remove]")


@pytest.mark.parametrize("system", ["", "mano", "mano-old", "seize"])
def test_empty_setup_asks_for_characters_where_the_roster_will_be(system: str) -> None:
    """It asks nothing else about them yet."""
    html = BeautifulSoup(render_calculator_response("fight", f"system={system}").html, "html.parser")
    assert [each.get_text() for each in html.select(".setup__people > .hint")] == ["Add a character to this side."] * 2
    assert not html.select("[name=first]:not([hidden]), [name=stalkers]:not([hidden]), [name=ambush]:not([hidden])")
    assert "wrong" not in html.get_text()


def test_rows_show_the_numbers_that_differ_and_the_seat() -> None:
    """The first number is always shown, and unusual qualities are in words.

    Rule `mano.order.seating`.
    """
    rows = view_fight(system="mano", fighters=LINES).setup_rows
    assert [(row.seat, row.figures, row.words) for row in rows.values()] == [
        (1, (("speed", "1/2"), ("reach", "0")), ()),
        (2, (("speed", "1"), ("reach", "2")), ()),
        (3, (("speed", "1"), ("reach", "0")), ("not healthy",)),
    ]
    seized = view_fight(system="seize", fighters="Ann: bonus -1, group pack").setup_rows["ann"]
    assert (seized.seat, seized.figures, seized.words) == (0, (("bonus", "−1"),), ("initiative group: pack",))


def test_speed_stepper_includes_the_slow_speeds() -> None:
    """Rules `mano.speed.quarter`, `mano.speed.half`: a quarter, a half, then whole numbers."""
    seen, values = view_fight(system="mano", fighters="Ann: speed 1/4\nBo"), []
    for _ in range(4):
        number = find_number(seen, "ann", "speed")
        values.append(number.value)
        seen = view_fight(**seen.fields, act=number.raise_command)
    assert values == ["1/4", "1/2", "1", "2"]
    assert find_number(seen, "ann", "speed").lower_command == "set ann speed 2"
    fast = view_fight(system="mano", fighters="Ann: speed 1 1/4, side us\nBo: speed 20")
    commands = [
        (each.lower_command, each.raise_command) for who in ("ann", "bo") for each in [find_number(fast, who, "speed")]
    ]
    assert commands == [("set ann speed 1", "set ann speed 2"), ("set bo speed 19", "")]


def test_setting_a_number_changes_only_the_line_of_its_character() -> None:
    """Other lines and headings stay as they were typed."""
    seen = view_fight(system="mano", fighters=LINES, act="set bo reach 3")
    assert seen.fields["fighters"] == LINES.replace("Bo: reach 2", "Bo: reach 3, side us")
    assert "fighters" in seen.updated_fields
    flag = seen.setup_rows["cy"].flags[0]
    assert (flag.word, flag.is_on) == ("healthy", False)
    assert view_fight(**seen.fields, act=flag.command).setup_rows["cy"].words == ()


def test_changed_hit_points_belong_to_the_last_pool() -> None:
    """There are never fewer than in the other pools. Rule `mano-old.pools`."""
    seen = view_fight(system="mano-old", fighters=POOLS)
    assert seen.setup_rows["ann"].figures == (("HP", "6"), ("HP/round", "3"), ("stun", "1"), ("defence", "2"))
    for _ in range(3):
        seen = view_fight(**seen.fields, act=find_number(seen, "ann", "HP").lower_command)
    ann = seen.setup_rows["ann"].fighter
    assert (seen.problems, ann.hp, ann.stun, ann.defence, ann.other) == ((), 3, 1, 2, 0)
    assert find_number(seen, "ann", "HP").lower_command == ""
    assert find_number(seen, "bo", "HP").lower_command == ""


def test_seat_moves_a_character_with_its_side() -> None:
    """Headings become part of the lines. Rule `mano.order.seating`."""
    seen = view_fight(system="mano", fighters=LINES, act="seat cy 1")
    assert [(each.name, each.side) for each in seen.fighters] == [("Cy", "them"), ("Ann", "us"), ("Bo", "us")]
    assert find_number(seen, "cy", "seat").lower_command == ""
    assert find_number(seen, "bo", "seat").raise_command == ""


@pytest.mark.parametrize(
    "command",
    [
        "set",
        "set ann",
        "set ann speed 99",
        "set ann pools 3",
        "set zed reach 1",
        "seat ann",
        "seat zed 1",
        "seat ann x",
    ],
)
def test_impossible_changes_leave_the_lines(command: str) -> None:
    """A modified page can send any change."""
    seen = view_fight(system="mano", fighters=LINES, act=command)
    assert (seen.fields["fighters"], seen.problems) == (LINES, ())
