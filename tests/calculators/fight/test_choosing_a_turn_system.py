"""Choosing another turn system in a set-up: the characters stay with name and side, and no one is lost."""

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import View
from scratch_core.calculators.shared.query import format_query
from scratch_core.cast import format_sheet_with_minions, get_member
from scratch_core.dice import SystemRoller
from tests.support.fights import view_begun_fight, view_fight

SHEETS = "Ann\nside: us\n3 toughness\n\nBo\nside: them\n2 fighting\n4 toughness\n\nCy the tall\nside: them\n1 toughness"
SYSTEMS = ("mano", "mano-old", "seize")


def people(seen: View) -> list[tuple[str, str]]:
    """Everyone in a set-up by name and side."""
    return [(each.name, each.side) for each in seen.fighters]


def chosen(seen: View, system: str) -> View:
    """Return the set-up after another turn system was selected in the page's form."""
    html = BeautifulSoup(render_calculator_response("fight", format_query(dict(seen.fields))).html, "html.parser")
    before = str(html.select_one("input[name=system_before]")["value"])
    return view_fight(**{**seen.fields, "system_before": before, "system": system})


@pytest.mark.parametrize("system", SYSTEMS)
def test_characters_stay_when_another_turn_system_is_chosen(system: str) -> None:
    """Names and sides stay in another turn system, with the values it requires.

    A fight can begin with them.
    """
    seen = chosen(view_fight(sheets=SHEETS), system)
    assert people(seen) == [("Ann", "us"), ("Bo", "them"), ("Cy the tall", "them")]
    assert not seen.problems
    assert "fighters" in seen.updated_fields
    assert (
        view_begun_fight(**{name: seen.fields[name] for name in ("system", "fighters")}, initiative="").phase == "fight"
    )
    back = chosen(seen, "")
    assert back.fields["sheets"] == SHEETS


@pytest.mark.parametrize("first", SYSTEMS)
@pytest.mark.parametrize("second", SYSTEMS)
def test_characters_are_converted_to_the_next_turn_system(first: str, second: str) -> None:
    """Words unknown to the next turn system are dropped, so the fight can begin."""
    own = {"mano": "speed 1/2", "mano-old": "hp 5, hp/round 3, reach 2", "seize": "bonus 2"}
    seen = chosen(view_fight(system=first, fighters=f"Ann: {own[first]}, side us\nBo: {own[first]}, side them"), second)
    assert people(seen) == [("Ann", "us"), ("Bo", "them")]
    assert not [problem for problem in seen.problems if problem.severity == "error"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_characters_of_lines_get_stat_blocks_in_the_basic_rules(system: str) -> None:
    """Each character of the lines gets a minimal stat block, and the page says so.

    It has the name and side.
    """
    lines = "Ann: side us{0}\nBo: side them{0}".format(", hp 5, hp/round 3" if system == "mano-old" else "")
    seen = chosen(view_fight(system=system, fighters=lines), "")
    assert people(seen) == [("Ann", "us"), ("Bo", "them")]
    assert seen.added_message == "Ann and Bo: each starts with toughness 1."
    assert seen.fields["fighters"] == lines


def test_removed_characters_do_not_come_back() -> None:
    """Only the choice of a turn system brings anyone along."""
    seen = chosen(view_fight(sheets=SHEETS), "mano")
    empty = view_fight(**{**seen.fields, "system_before": "mano", "act": "remove-all"})
    assert people(empty) == []
    assert empty.stashed_label == "3 characters"
    assert people(view_fight(**{**empty.fields, "system_before": "mano"})) == []


@pytest.mark.parametrize("system", ["", *SYSTEMS])
def test_beginning_with_no_one_asks_for_a_character_at_the_roster(system: str) -> None:
    """The sentence is in the place of the roster, above the buttons that add characters."""
    html = BeautifulSoup(
        render_calculator_response("fight", format_query({"system": system, "log": "begin"})).html, "html.parser"
    )
    said = html.select_one("section.answer [data-add-first]")
    assert said.get_text() == "Add a character first."
    assert said.find_next("button")["data-choose"] == "us"
    assert said.find_next(class_="fight-begin")
    assert not BeautifulSoup(
        render_calculator_response("fight", format_query({"system": system})).html, "html.parser"
    ).select("[data-add-first]")


LINES = {
    "mano": "side: us\nAnn: speed 1/2, reach 2\nside: them\nBo: not healthy",
    "mano-old": "Ann: hp 7, hp/round 2, side us\nBo: hp 5, hp/round 3, reach 2, side them",
    "seize": "Ann: bonus 2, side us\nBo: side them",
}


@pytest.mark.parametrize("first", SYSTEMS)
@pytest.mark.parametrize("by_way_of", [("mano",), ("mano-old",), ("seize",), ("",), ("seize", "", "mano-old")])
def test_lines_are_restored_after_other_turn_systems(first: str, by_way_of: tuple[str, ...]) -> None:
    """Words unknown to another system are stored, and restored with their system."""
    seen = view_fight(system=first, fighters=LINES[first], first="Ann", initiative="Ann 12")
    for system in (*by_way_of, first):
        seen = chosen(seen, system)
        assert people(seen) == [("Ann", "us"), ("Bo", "them")]
    assert seen.fields["fighters"] == LINES[first]
    assert (seen.fields["first"], seen.fields["initiative"]) == ("Ann", "Ann 12")


def test_restored_lines_include_additions_and_removals() -> None:
    """Characters added or removed under another turn system change the stored lines too."""
    seen = chosen(view_fight(system="seize", fighters=LINES["seize"]), "mano-old")
    seen = view_fight(**seen.fields, act="remove bo")
    seen = view_fight(**{**seen.fields, "fighters": f"{seen.fields['fighters']}\nCy: hp 4, hp/round 1, side them"})
    back = chosen(seen, "seize")
    assert back.fields["fighters"] == "Ann: bonus 2, side us\nCy: side them"
    assert chosen(back, "mano-old").fields["fighters"] == seen.fields["fighters"]


@pytest.mark.parametrize("stored", ["[", "[]", '{"seize":3}', '{"nothing":"Zed"}', '{"seize":"Zed: nonsense 4"}'])
def test_damaged_stored_lines_are_dropped(stored: str) -> None:
    """Stored lines that can't be parsed are dropped.

    The lines of the current system are used instead.
    """
    seen = chosen(view_fight(system="mano", fighters=LINES["mano"], other_lines=stored), "seize")
    assert seen.fields["fighters"] == "Ann: side us\nBo: side them"


def format_rows(seen: View) -> list[object]:
    """Return the characters of a set-up with their numbers."""
    return [each.fighter for each in seen.setup_rows.values()]


@pytest.mark.parametrize("system", SYSTEMS)
def test_characters_of_the_chooser_keep_their_stat_blocks(system: str) -> None:
    """Characters are added to and removed from all turn systems at once.

    The basic rules get the stat block of the cast, and a removed character's is gone.
    """
    seen = chosen(view_fight(sheets=SHEETS), system)
    seen = view_fight(**{**seen.fields, "act": "add", "add_side": "them", "tick.guard": "guard"})
    seen = view_fight(**{**seen.fields, "act": "remove bo", "choosing": ""})
    assert people(seen) == [("Ann", "us"), ("Cy the tall", "them"), ("Guard", "them")]
    back = chosen(seen, "")
    assert people(back) == people(seen)
    assert set(format_sheet_with_minions(get_member("guard")).splitlines()) < set(back.fields["sheets"].splitlines())
    assert back.fields["sheets"].startswith("Ann\nside: us\n3 toughness\n")
    assert back.placeholder_names == ("Cy the tall",)


@pytest.mark.parametrize("system", SYSTEMS)
def test_changes_in_the_basic_rules_reach_the_lines_of_another_turn_system(system: str) -> None:
    """Lines keep their words. A newcomer gets a line, and a removed character loses it."""
    seen = chosen(view_fight(system=system, fighters=LINES[system]), "")
    seen = view_fight(**seen.fields, act="remove bo")
    seen = view_fight(**{**seen.fields, "act": "add", "add_side": "them", "tick.rat": "rat"})
    back = chosen(seen, system)
    assert people(back) == [("Ann", "us"), ("Rat", "them")]
    assert format_rows(back)[0] == format_rows(view_fight(system=system, fighters=LINES[system]))[0]


def test_someone_added_below_a_heading_does_not_belong_to_it() -> None:
    """The example of choose-next ends with the lines of a group. Rule `seize.gm-roll`."""
    seen = view_fight(system="seize", act="load sample")
    seen = view_fight(**{**seen.fields, "act": "add", "add_side": "heroes", "tick.guard": "guard"})
    guard = seen.fighters[-1]
    assert (guard.name, guard.side, guard.group) == ("Guard", "heroes", "guard")
    assert [each.group for each in seen.fighters] == ["ann", "goblins", "goblins", "guard"]


def sent(seen: View, **fields: str) -> View:
    """The next view, with all controls that the page's form has."""
    html = BeautifulSoup(render_calculator_response("fight", format_query(dict(seen.fields))).html, "html.parser")
    found = {
        str(each["name"]): each.get_text().removeprefix("\n") if each.name == "textarea" else str(each.get("value", ""))
        for each in html.select("textarea[name], input[name][type=hidden]")
    }
    found |= {str(each.parent["name"]): str(each["value"]) for each in html.select("select[name] > option[selected]")}
    return view_fight(SystemRoller(), **{**found, **fields})


@pytest.mark.parametrize("first", SYSTEMS)
def test_fight_by_the_basic_rules_preserves_the_set_up_by_lines(first: str) -> None:
    """A fight preserves another system's set-up, through its steps, for the next set-up.

    A character who has joined by then has a line, too.
    """
    seen = chosen(view_fight(system=first, fighters=LINES[first], first="Ann"), "")
    seen = sent(view_fight(**{**seen.fields, "sheets": SHEETS}), log="begin")
    assert seen.phase == "fight"
    assert sent(seen, act="undo").query == seen.query
    seen = sent(seen, act="setup")
    assert seen.phase == "setup"
    back = chosen(seen, first)
    assert people(back) == [("Ann", "us"), ("Bo", "them"), ("Cy the tall", "them")]
    assert back.fields["first"] == "Ann"
    assert format_rows(back)[:2] == format_rows(view_fight(system=first, fighters=LINES[first]))


@pytest.mark.parametrize("system", SYSTEMS)
def test_fight_by_lines_preserves_the_set_up_by_the_basic_rules(system: str) -> None:
    """Stat blocks, map and house rules are restored with their turn system."""
    own = {"sheets": SHEETS, "map": "....\n....", "strength_base": "8"} | {"tokens": "ann@0,0 bo@1,1 cy-the-tall@2,1"}
    seen = sent(chosen(view_fight(**own), system), log="begin")
    assert (seen.phase, seen.system_control_text) == ("fight", system)
    back = chosen(sent(seen, act="setup"), "")
    assert {name: back.fields[name] for name in own} == own
