"""What somebody new to the fight page stumbled over: each is said in words, where it is looked at."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from bs4 import BeautifulSoup

from build_scripts.calculator_html import render
from scratch_core.calculators.board import view as board_view
from scratch_core.calculators.fight import QUERY_LIMIT, View, view
from scratch_core.calculators.fight.head import Row
from scratch_core.calculators.people.lines import SIDE_BELOW, read_lines
from scratch_core.calculators.query import parse_query, query_string
from scratch_core.dice import SystemRoller
from scratch_core.rounds import SEIZE, SYSTEMS
from scratch_core.turns import Standing
from tests.known import known

BELOW = "Ann\nside: heroes\nOrc\nside: orcs"


def answered(**fields: str) -> View:
    """The view of these controls, in another order than Scratch's."""
    return view(parse_query(query_string(fields), QUERY_LIMIT), SystemRoller())


def page(**fields: str) -> BeautifulSoup:
    """What the page shows for these controls."""
    return BeautifulSoup(render("fight", query_string(fields), ask=True).html, "html.parser")


def words(soup: BeautifulSoup, selector: str) -> str:
    """The words of the one element of a selector."""
    (found,) = soup.select(selector)
    return " ".join(found.get_text().split())


def test_a_side_below_the_first_name_is_pointed_out() -> None:
    """It counts for the names after it; whoever stands above it without a side is named, with what to write."""
    read = read_lines(BELOW, SEIZE)
    assert [each.get("side", "") for each in read.characters] == ["", "heroes"]
    said = words(page(system="seize", fighters=BELOW), f'[data-code="{SIDE_BELOW}"]')
    assert said == (
        "“side: heroes” on line 2 counts for the names after it; Ann (line 1) has no side. "
        "Write “Ann: side heroes”, or put the line above the name."
    )
    assert answered(system="seize", fighters=BELOW, log="begin", initiative="ann 9, orc 3").phase == "fight"


CLEAR = {
    "headings first": "side: heroes\nAnn\nside: orcs\nOrc",
    "a side of its own": "Ann: side heroes\nside: orcs\nOrc",
    "no heading": "Ann\nOrc",
    **{f"the example of {name}": system.sample for name, system in SYSTEMS.items()},
}


@pytest.mark.parametrize("name", CLEAR)
def test_a_clear_set_up_is_left_alone(name: str) -> None:
    """Where every name above the first side has its own, nothing is pointed out."""
    system = SYSTEMS[name.rpartition(" ")[2]] if "example" in name else SEIZE
    assert read_lines(CLEAR[name], system).problems == ()


def test_another_order_keeps_names_and_sides() -> None:
    """What stands in Scratch's set-up is told in the others, and comes in by a press with names and sides."""
    sheets = "Ann\nside: heroes\n1 toughness\n\nOrc, the Third\nside: orcs\n1 toughness"
    before = page(system="seize", sheets=sheets)
    assert "with 2 fighters in it" in words(before, "[data-aside]")
    seen = answered(system="seize", sheets=sheets, act="bring")
    assert seen.fields["fighters"] == "Ann: side heroes\nOrc the Third: side orcs"
    assert (len(seen.seats), seen.problems, seen.fields["sheets"]) == (2, (), sheets)
    after = page(system="seize", sheets=sheets, act="bring")
    assert after.select("textarea[name=fighters][data-fresh]")
    assert not after.select("[data-aside]")
    assert answered(system="seize", sheets=sheets, fighters="Bo", act="bring").fields["fighters"] == "Bo"


def test_the_lines_of_another_order_are_said_to_be_kept() -> None:
    """Scratch's set-up can't hold them without stat blocks; it says where they are while it is empty."""
    assert words(page(fighters="Ann"), "[data-aside]").startswith("Whom you set up by another order of turns is kept")
    assert not page(fighters="Ann", sheets="Bo\n1 toughness").select("[data-aside]")


REFUSED = {
    "nobody": ({}, "The fight does not begin yet. Expected stat blocks"),
    "nobody, by lines": ({"system": "seize"}, "The fight does not begin yet. Expected those who fight"),
    "a mistake": ({"sheets": "Ann\nhp: many\n1 toughness"}, "The fight does not begin yet. Expected hit points"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_beginning_refused_says_so_at_its_button(name: str) -> None:
    """The first problem takes the focus, right above the button; typed text alone takes none."""
    fields, said = REFUSED[name]
    soup = page(**fields, log="begin")
    assert words(soup, "[data-focus]").startswith(said)
    assert soup.select_one("[data-frame]:has(> [data-turned-back]) + p.fight-begin") is not None
    assert not page(**fields).select("[data-focus]")


ADDED = {
    "one": ({"add_name": "Bo"}, "Bo added: 2 in the fight."),
    "several": ({"add_name": "Rat", "add_count": "3"}, "Rat × 3 added: 4 in the fight."),
}


@pytest.mark.parametrize("name", ADDED)
def test_who_is_added_is_said_beside_the_columns(name: str) -> None:
    """The line below the columns and the words said aloud name who came, and how many fight now."""
    fields, said = ADDED[name]
    given = {"sheets": "Ann\n1 toughness", **fields, "act": "add"}
    assert words(page(**given), ".fight-added [data-added]") == said
    assert view(parse_query(query_string(given), QUERY_LIMIT), None).summary == said


def test_nobody_added_is_no_news() -> None:
    """A name that can't be is a problem, and nobody is said to have come."""
    refused = page(sheets="Ann\n1 toughness", act="add", choosing="us", add_name="")
    assert not refused.select("[data-added]")
    assert words(refused, ".chooser [data-problem]").startswith("Nobody was added. Tick somebody,")


def chip(side: str = "heroes", **more: Any) -> Row:
    """Somebody in the strip."""
    standing = Standing(**{"hp": 2, "most": 3, "condition": "injured", **more})
    return Row(SimpleNamespace(id="medic", name="Medic", side=side), standing, 1, is_active=False)


TAPPED: dict[str, tuple[dict[str, Any], str]] = {
    "many": ({}, ", of the heroes: 2 of 3 hit points, injured"),
    "a word": ({"side": "red"}, ", of side red: 2 of 3 hit points, injured"),
    "an article": ({"side": "the watch"}, ", of the watch: 2 of 3 hit points, injured"),
    "alone": ({"side": "medic"}, ": 2 of 3 hit points, injured"),
    "no limit": ({"hp": 1, "most": None}, ", of the heroes: 1 hit point, injured"),
    "nothing counted": ({"hp": None, "most": None, "condition": ""}, ", of the heroes"),
}


@pytest.mark.parametrize("name", TAPPED)
def test_a_tapped_name_is_a_line_to_read(name: str) -> None:
    """Side, hit points and condition stand behind the name as words."""
    more, said = TAPPED[name]
    assert chip(**more).told == said


def test_the_card_of_a_name_begins_with_that_line() -> None:
    """What opens at a name says it in one line, with what the game master sets; pressed again, it is closed."""
    fight = {"sheets": "Medic\nside: heroes\nhp: 1\n3 toughness\n\nRat\nside: rats\n1 toughness", "log": "begin"}
    soup = page(**fight, hand_who="medic")
    assert words(soup, "[data-hand=medic] > .hand-whom") == "Medic, of the heroes: 1 of 3 hit points, injured"
    assert soup.select("[data-hand=medic] [name=hand_hp]")
    assert [each["data-hand-who"] for each in soup.select("[data-hand-who][aria-expanded=true]")] == ["medic"]
    (button,) = soup.select("[data-hand-who=medic]")
    log = answered(**fight).fields["log"]
    assert not page(log=log, hand_who="medic", act=str(button["value"])).select("[data-hand]")
    assert page(log=log, act="hand-look rat").select("[data-hand=rat] [data-focus='hand rat']")


def test_a_ready_map_says_whom_it_moves() -> None:
    """A token in a wall of the tavern stands in the nearest free space, is told, and goes into the fight."""
    text = query_string({"tokens": "ann@1,1,heroes bo@9,1,rivals", "selected": "bo", "act": "map-tavern"})
    seen = board_view(parse_query(text, 80_000), None)
    assert (seen.fields["tokens"], seen.fields["selected"]) == ("ann@1,1,heroes bo@8,1,rivals", "bo")
    (moved,) = BeautifulSoup(render("board", text).html, "html.parser").select(".board-map [data-problem]")
    said = " ".join(moved.get_text().split())
    assert said.startswith("On this map bo would stand at 9,1: wall. It stands at 8,1 now, a free space near there.")
    assert "bo" in known(seen.answer).fight_query


@pytest.mark.parametrize("system", SYSTEMS)
def test_whoever_is_brought_from_stat_blocks_can_begin(system: str) -> None:
    """Names and sides come with what the order asks of each line, and the button says so; the fight begins."""
    sheets = "Ann\nside: red\n2 fighting\n3 toughness\n\nBo\nside: blue\n2 toughness"
    needed = {"mano-old": ", each with hp 6 and hp/round 3"}.get(system, "")
    button = known(page(system=system, sheets=sheets).select_one("button[value=bring]"))
    assert button.get_text() == f"Bring their names and sides here{needed}"
    brought = answered(system=system, sheets=sheets, act="bring").fields["fighters"]
    begun = answered(system=system, fighters=brought, log="begin")
    assert {(row.fighter.name, row.fighter.side) for row in known(begun.shown).rows} == {("Ann", "red"), ("Bo", "blue")}
