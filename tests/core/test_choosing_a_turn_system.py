"""Choosing another turn system in a set-up: the characters come along by name and side, and no one is lost."""

import pytest
from bs4 import BeautifulSoup

from build_scripts.calculator_html import render
from scratch_core.calculators.fight import View
from scratch_core.calculators.query import query_string
from tests.core.fights import answered, begun

SHEETS = "Ann\nside: us\n3 toughness\n\nBo\nside: them\n2 fighting\n4 toughness\n\nCy the tall\nside: them\n1 toughness"
SYSTEMS = ("mano", "mano-old", "seize")


def people(seen: View) -> list[tuple[str, str]]:
    """Everyone in a set-up by name and side."""
    return [(each.name, each.side) for each in seen.fighters]


def chosen(seen: View, system: str) -> View:
    """The set-up after another turn system was chosen in the list, as the page's form sends it."""
    html = BeautifulSoup(render("fight", query_string(dict(seen.fields))).html, "html.parser")
    before = str(html.select_one("input[name=system_before]")["value"])
    return answered(**{**seen.fields, "system_before": before, "system": system})


@pytest.mark.parametrize("system", SYSTEMS)
def test_characters_stay_when_another_turn_system_is_chosen(system: str) -> None:
    """Names and sides are there at once, with what each must have, and a fight can begin with them."""
    seen = chosen(answered(sheets=SHEETS), system)
    assert people(seen) == [("Ann", "us"), ("Bo", "them"), ("Cy the tall", "them")]
    assert not seen.problems
    assert "fighters" in seen.fresh
    assert begun(**{name: seen.fields[name] for name in ("system", "fighters")}, initiative="").phase == "fight"
    back = chosen(seen, "")
    assert back.fields["sheets"] == SHEETS


@pytest.mark.parametrize("first", SYSTEMS)
@pytest.mark.parametrize("second", SYSTEMS)
def test_characters_of_one_turn_system_come_into_the_next(first: str, second: str) -> None:
    """Words that the other system doesn't know are left out rather than keeping everyone from fighting."""
    own = {"mano": "speed 1/2", "mano-old": "hp 5, hp/round 3, reach 2", "seize": "bonus 2"}
    seen = chosen(answered(system=first, fighters=f"Ann: {own[first]}, side us\nBo: {own[first]}, side them"), second)
    assert people(seen) == [("Ann", "us"), ("Bo", "them")]
    assert not [problem for problem in seen.problems if problem.severity == "error"]


@pytest.mark.parametrize("system", SYSTEMS)
def test_characters_of_lines_come_into_the_basic_rules(system: str) -> None:
    """Each has a stat block of its name and side for a start, and the page says so."""
    lines = "Ann: side us{0}\nBo: side them{0}".format(", hp 5, hp/round 3" if system == "mano-old" else "")
    seen = chosen(answered(system=system, fighters=lines), "")
    assert people(seen) == [("Ann", "us"), ("Bo", "them")]
    assert seen.added == "Ann and Bo: each has toughness 1 for a start."
    assert seen.fields["fighters"] == lines


def test_characters_taken_out_by_hand_do_not_come_back() -> None:
    """Only the choice of a turn system brings anyone along."""
    seen = chosen(answered(sheets=SHEETS), "mano")
    empty = answered(**{**seen.fields, "system_before": "mano", "act": "nobody"})
    assert people(empty) == []
    assert empty.put_by == "3 fighters"
    assert people(answered(**{**empty.fields, "system_before": "mano"})) == []


@pytest.mark.parametrize("system", ["", *SYSTEMS])
def test_beginning_with_no_one_asks_for_a_character_at_the_roster(system: str) -> None:
    """The sentence stands where the roster will be, above the buttons that add someone."""
    html = BeautifulSoup(render("fight", query_string({"system": system, "log": "begin"})).html, "html.parser")
    said = html.select_one("section.answer [data-add-first]")
    assert said.get_text() == "Add a character first."
    assert said.find_next("button")["data-choose"] == "us"
    assert said.find_next(class_="fight-begin")
    assert not BeautifulSoup(render("fight", query_string({"system": system})).html, "html.parser").select(
        "[data-add-first]"
    )
