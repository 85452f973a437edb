"""Somebody brought into a fight's set-up by a few taps: from the cast, several of one, or by a name and levels."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup

from build_scripts.calculator_html import render
from scratch_core.calculators.fight import QUERY_LIMIT, View, view
from scratch_core.calculators.query import parse_query, query_string
from scratch_core.cast import CAST
from scratch_core.rounds import SYSTEMS
from tests.hostile import calculators


def added(**fields: str) -> View:
    """The set-up after Add was pressed."""
    return view(parse_query(query_string({"act": "add", **fields}), QUERY_LIMIT), None)


@pytest.mark.parametrize("who", [each.id for each in CAST])
def test_everybody_of_the_cast_comes_into_a_fight(who: str) -> None:
    """Each member is ready after one tap, on the side that was typed, and the box is renewed."""
    seen = added(add_who=who, add_side="red")
    assert seen.fighters
    assert {each.side for each in seen.fighters} == {"red"}
    assert "sheets" in seen.fresh
    assert {problem.severity for problem in seen.problems} <= {"advice"}


def test_several_of_one_are_numbered_and_go_on_where_others_ended() -> None:
    """Three guards, then two more: Guard 1 to Guard 5, those that act together in one group."""
    three = added(add_who="guard", add_count="3", add_together="true")
    assert [each.name for each in three.fighters] == ["Guard 1", "Guard 2", "Guard 3"]
    assert {each.group for each in three.fighters} == {"Guard"}
    five = added(add_who="guard", add_count="2", sheets=three.fields["sheets"])
    assert [each.name for each in five.fighters][3:] == ["Guard 4", "Guard 5"]


def test_a_name_and_a_few_levels_are_enough() -> None:
    """Who is not of the cast has the levels of the steppers."""
    seen = added(add_who="own", add_name="Mara", add_toughness="3", add_shooting="2", add_side="blue")
    (mara,) = seen.fighters
    assert (mara.name, mara.side, mara.level("toughness"), mara.level("shooting")) == ("Mara", "blue", 3, 2)


@pytest.mark.parametrize(
    ("fields", "control"),
    [
        ({"add_who": "nobody-like-that"}, "add_who"),
        ({"add_who": "own"}, "add_name"),
        ({"add_who": "own", "add_name": "side: red"}, "add_name"),
        ({"add_who": "guard", "add_count": "0"}, "add_count"),
        ({"add_who": "guard", "add_count": "many"}, "add_count"),
        ({"add_who": "own", "add_name": "Mara", "add_toughness": "-1"}, "add_toughness"),
    ],
    ids=["unknown", "no-name", "a-word-of-ours", "none", "no-number", "below-nothing"],
)
def test_what_cannot_be_added_changes_nothing_and_says_where(fields: dict[str, str], control: str) -> None:
    """The sheets stay as they were, and the problem stands at its control."""
    before = "Rook\n2 toughness"
    seen = added(sheets=before, **fields)
    assert seen.fields["sheets"] == before
    assert control in {problem.where for problem in seen.problems}


def test_a_set_up_can_start_with_nobody() -> None:
    """One press empties the example."""
    seen = view(parse_query(query_string({"act": "nobody", "sheets": "Rook\n2 toughness"}), QUERY_LIMIT), None)
    assert seen.fields["sheets"] == ""
    assert "sheets" in seen.fresh


MEANT = [
    pytest.param("Ann\n2 shoting", "'shoting' on line 2 means nothing here. Did you mean shooting?", id="an ability"),
    pytest.param("Ann\n2 toughness\nsid: red", "Did you mean side: red?", id="a word below a name"),
    pytest.param("Ann\n2 swagger", "Expected one of the abilities toughness", id="nothing like it"),
]


@pytest.mark.parametrize(("sheets", "said"), MEANT)
def test_a_word_that_is_nearly_one_of_ours_is_asked_about(sheets: str, said: str) -> None:
    """A slip of the fingers is answered with the word that was probably meant, and its line."""
    html = BeautifulSoup(render("fight", query_string({"sheets": sheets})).html, "html.parser")
    assert any(said in each.get_text() for each in html.select("[data-field=sheets]"))


RIA = query_string({"name": "Ria", "toughness": "3", "command": "2", "minions": "2 toughness"})
RAT = "Rat\n1 toughness"


def yours(**fields: str) -> View:
    """The set-up after one of the reader's own characters was pressed."""
    return view(parse_query(query_string({"sheets": RAT, "yours": RIA, **fields}), QUERY_LIMIT), None)


def test_your_characters_stand_together() -> None:
    """With nothing written at Side yours are on one side, with their minions, and nobody else is."""
    one = yours()
    other = yours(sheets=one.fields["sheets"], yours=query_string({"name": "Bo", "toughness": "2"}))
    sides = {each.name: each.side for each in other.fighters}
    assert {name for name, side in sides.items() if side == "yours"} == {"Ria", "Bo", *sides} - {"Rat"}
    assert len(sides) == 4


def test_how_many_and_together_count_for_your_characters_too() -> None:
    """Three of one are numbered and share their turns; a number that is none brings nobody and is told."""
    three = yours(add_count="3", add_together="true", add_side="heroes")
    told = [(each.name, each.side, each.group) for each in three.fighters[1:]]
    assert told == [(f"Ria {number}", "heroes", "Ria") for number in (1, 2, 3)]
    assert three.added == "Ria × 3 added: 4 in the fight."
    with_minions = yours(add_together="true")
    assert {each.group for each in with_minions.fighters[1:]} == {"Ria"}
    again = yours(sheets=yours().fields["sheets"])
    assert again.fighters[-1].name == "Ria 2"
    wrong = yours(add_count="0")
    assert wrong.fields["sheets"] == RAT
    assert not wrong.added
    assert [problem.where for problem in wrong.problems if problem.severity == "error"] == ["add_count"]


TRUE_WHILE_EMPTY = {"0", "d20", "rolled here", "another condition"}
"""What a pale text may say: what holds while nothing is typed, or what may be."""


@pytest.mark.parametrize(
    ("name", "query"),
    [(name, "") for name in calculators()]
    + [("fight", f"system={system}") for system in SYSTEMS]
    + [("fight", "map=..."), ("character", "start=empty"), ("character", "sheet=x"), ("odds", "first_sheet=x")],
)
def test_no_pale_text_can_be_taken_for_content(name: str, query: str) -> None:
    """An example stands in a hint: in an empty control it looks filled in."""
    soup = BeautifulSoup(render(name, query).html, "html.parser")
    found = {str(each["placeholder"]) for each in soup.select("[placeholder]") if each.get("name") != "name"}
    assert found <= TRUE_WHILE_EMPTY
