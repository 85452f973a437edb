"""The character calculator: a query in, an answer out, and a page that holds both."""

from __future__ import annotations

import functools
import re

import jinja2
import pytest
from bs4 import BeautifulSoup

from build_scripts.calculator_html import TEMPLATES, environment
from scratch_core.abilities import NAMES
from scratch_core.calculators.character import PARTS, View, view
from scratch_core.calculators.query import LIMIT, parse_query, query_string
from tests.known import known
from tests.printed import SAMPLES

FLIPFIRE = {"name": "Flipfire", "shooting": "2", "healing": "1", "fighting": "2", "acrobatics": "1", "toughness": "4"}


def answered(**fields: str) -> View:
    """The view of these controls."""
    return view(parse_query(query_string(fields)), None)


@functools.cache
def template() -> jinja2.Template:
    """The calculator's template, as the site's own environment has it."""
    return environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("character.html")


def page(**fields: str) -> str:
    """The HTML of these controls."""
    return template().render(view=answered(**fields), uid="c1")


def figures(html: str) -> dict[str, str]:
    """Each figure's text by name."""
    return dict(re.findall(r'data-figure="([a-z-]+)">([^<]*)<', html))


def fields_with_problems(html: str) -> set[str]:
    """The controls that have a problem."""
    return set(re.findall(r'data-problem data-field="([a-z_]+)"', html))


def test_levels_give_figures() -> None:
    """Each figure is its number alone, with its reasons beside it."""
    html = page(**FLIPFIRE)
    assert figures(html) == {
        "agility": "11",
        "intelligence": "11",
        "strength": "11",
        "stamina": "2",
        "hit-points": "4",
        "cp": "10",
    }
    assert html.count('<details class="figure"') == 6
    assert fields_with_problems(html) == set()
    assert "data-answer" in html


def test_a_sheet_wins_over_levels() -> None:
    """The stat block is what counts; what was typed beside it is kept."""
    seen = answered(sheet=SAMPLES["The Boss"], shooting="99x")
    assert known(seen.answer).main.figures["intelligence"].value == 14
    assert seen.problems == ()
    assert seen.fields["shooting"] == "99x"
    assert "99x" in page(sheet=SAMPLES["The Boss"], shooting="99x")


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"shooting": "5", "toughness": "3"}, {"shooting", "cp"}),
        ({"shooting": "x"}, {"shooting"}),
        ({"toughness": "3", "cp": "none"}, {"cp"}),
        ({"toughness": "3", "max_level": "0"}, {"max_level", "cp"}),
        ({"name": "a:b", **{name: FLIPFIRE[name] for name in FLIPFIRE if name != "name"}}, {"name"}),
        ({**FLIPFIRE, "minions": "2 toughness"}, {"minions"}),
        ({**FLIPFIRE, "strength_base": "9"}, {"strength_base"}),
        ({**FLIPFIRE, "strength_use_max": "maybe"}, {"strength_use_max"}),
        ({**FLIPFIRE, "show": "figures,secrets"}, {"show"}),
        ({"sheet": "X\n2 magic"}, {"sheet"}),
        ({"sheet": SAMPLES["Breakhelm X-19"]}, {"sheet"}),
        ({"sheet": "hello"}, {"sheet"}),
        ({}, {"cp"}),
    ],
)
def test_every_problem_stands_at_its_field(fields: dict[str, str], where: set[str]) -> None:
    """The page has each problem at the control it belongs to, and the view names no other place."""
    html = page(**fields)
    assert {problem.where for problem in answered(**fields).problems} == fields_with_problems(html)
    assert fields_with_problems(html) >= where


def test_what_was_typed_stays() -> None:
    """Right or wrong, a control holds what was typed into it."""
    html = page(shooting="five<b>", cp="-3", sheet="", minions="2 toughness\n1 x")
    assert 'value="five&lt;b&gt;"' in html
    assert 'value="-3"' in html
    assert "2 toughness\n1 x</textarea>" in html


def test_no_figures_for_what_can_not_be_read() -> None:
    """An answer would mislead, so there is none and nothing is said aloud."""
    seen = answered(shooting="x", toughness="3")
    assert (seen.answer, seen.summary) == (None, "")


def test_a_line_of_the_sheet_is_named() -> None:
    """A problem in a sheet keeps its line in words."""
    (problem,) = (problem for problem in answered(sheet="X\n3 toughness\nx shooting").problems)
    assert problem.message.endswith("got 'x' on line 3 in sheet")


def test_advice_is_milder_than_an_error() -> None:
    """The classes tell them apart; errors come first."""
    html = page(toughness="5")
    assert "problem problem-error" in html
    assert "problem problem-advice" in html
    assert [problem.severity for problem in answered(toughness="5").problems] == ["error", "advice", "advice"]


def test_the_query_reopens_the_answer() -> None:
    """The canonical query gives the same view again, and stands in the link."""
    seen = answered(**FLIPFIRE, cp="12", minions="", strength_base="8")
    again = view(parse_query(seen.query), None)
    assert again == seen
    assert f'data-share href="?{seen.query}"' in page(**FLIPFIRE, cp="12", strength_base="8").replace("&amp;", "&")


def test_rulings_change_figures() -> None:
    """`strength_base` 8 gives the printed strength; `strength_use_max` the better of both."""
    assert figures(page(**FLIPFIRE, strength_base="8"))["strength"] == "12"
    assert figures(page(toughness="5", wrestling="1"))["strength"] == "11"
    assert figures(page(toughness="5", wrestling="1", strength_use_max="on"))["strength"] == "12"


def test_weights_in_both_units() -> None:
    """`carry.table`: strength 11 has 22, 55 and 110 kg, 48, 120 and 240 lb."""
    found = dict(re.findall(r'data-weight="([a-z-]+)">(\d+)<', page(**FLIPFIRE)))
    assert found == {
        "pack-kg": "22",
        "pack-lb": "48",
        "carry-kg": "55",
        "carry-lb": "120",
        "lift-kg": "110",
        "lift-lb": "240",
    }


def test_minions_of_the_control() -> None:
    """`command.cp-limit`: two of 2 fit command 4, and go into the text and the JSON; 2 and 3 don't fit."""
    seen = answered(sheet=SAMPLES["The Boss"], minions="2 toughness\nRook: 1 toughness, 1 fighting")
    assert seen.problems == ()
    assert known(seen.answer).minions_cp == 4
    assert "Rook (10 agility, 10 intelligence, 8 strength, 0 stamina)\nminion of The Boss" in known(seen.answer).text
    assert '"minions": [' in known(seen.answer).json
    (problem,) = answered(sheet=SAMPLES["The Boss"], minions="2 toughness\n3 toughness").problems
    assert (problem.code, problem.where) == ("command.cp", "minions")


def test_minions_of_the_sheet() -> None:
    """A block that calls itself a minion is one; any other character is left out, and that is said."""
    both = answered(sheet=f"{SAMPLES['The Boss']}\n\n{SAMPLES['Thug']}")
    assert [minion.character.name for minion in known(both.answer).minions] == ["Thug"]
    (advice,) = answered(sheet=f"{SAMPLES['The Boss']}\n\n{SAMPLES['Flipfire']}").problems
    assert (advice.code, advice.severity) == ("sheet.several", "advice")


def test_the_audit_of_a_sheet() -> None:
    """Printed figures that disagree are pointed at and are no problem."""
    html = page(sheet=SAMPLES["The Boss"])
    assert fields_with_problems(html) == set()
    assert re.findall(r'<tr class="differs" data-audit="([a-z]+)"', html) == ["intelligence", "strength"]


def test_actions_by_level() -> None:
    """The turn of Flipfire has a shot at +2 and no knockout; without toughness there is nothing."""
    html = page(**FLIPFIRE)
    assert 'data-action="shoot"' in html
    assert "+2 shooting" in html
    assert 'data-action="knockout"' not in html
    assert "data-action" not in page(shooting="3")


def test_the_text_and_the_way_to_levels() -> None:
    """A sheet can be copied as text and JSON, and opened as levels."""
    html = page(sheet=SAMPLES["Flipfire"])
    assert html.count("data-copy=") == 2
    seen = answered(sheet=SAMPLES["Flipfire"])
    levels = answered(sheet=SAMPLES["Flipfire"], start="levels")
    assert known(levels.answer).main.figures == known(seen.answer).main.figures
    assert not levels.is_sheet


@pytest.mark.parametrize("part", PARTS)
def test_a_preset_shows_its_part_and_loses_nothing(part: str) -> None:
    """Whatever is shown, the form still holds every value of the query."""
    fields = {**FLIPFIRE, "cp": "11", "max_level": "5", "minions": "x", "strength_base": "8", "show": part}
    html = page(**fields)
    for name, value in fields.items():
        assert f'name="{name}"' in html
        assert value in html
    assert ("data-figure" in html) == (part in ("figures", "limits"))
    assert ("data-weight" in html) == (part == "weights")
    assert ("data-copy" in html) == (part == "text")
    assert html.count("<form") == 1


def test_a_preset_without_limits_has_no_word_on_them() -> None:
    """A toughness of 7 that shows hit points is not told that 4 is the limit."""
    assert answered(toughness="7", show="figures").problems == ()
    assert {problem.code for problem in answered(toughness="7", show="limits").problems} >= {"create.max-level"}


def test_a_preset_with_a_sheet_keeps_its_control() -> None:
    """The sheet's control stays when the sheet is emptied."""
    seen = answered(sheet=SAMPLES["Flipfire"], show="figures,audit")
    assert seen.show == "sheet,figures,audit"
    assert 'name="sheet"' in page(show=seen.show)


def test_the_form_has_all_controls() -> None:
    """One control for every name of the query, a button to check, and an answer while typing."""
    html = page(**FLIPFIRE)
    for name in ("name", *NAMES, "cp", "max_level", "sheet", "minions", "strength_base", "strength_use_max"):
        assert len(re.findall(rf'<(?:input|textarea|select)[^>]* name="{name}"', html)) == 1
    assert '<button type="submit">Check</button>' in html
    assert "data-live" in html
    assert "style=" not in html
    assert "<script" not in html


def test_a_query_too_long_is_said() -> None:
    """What was cut off can't be judged, so there is no answer."""
    seen = answered(sheet="x" * (LIMIT + 5))
    (problem,) = seen.problems
    assert (problem.code, problem.where, seen.answer) == ("query.cut", "sheet", None)


def test_a_sheet_that_is_refused_as_a_whole_is_a_problem_of_its_control() -> None:
    """Three hundred lines are read and no more; there is nothing to answer then."""
    seen = answered(sheet="1 shooting\n" * 301, minions="2 toughness")
    (problem,) = seen.problems
    assert (problem.code, problem.where, seen.answer) == ("sheet.limit.lines", "sheet", None)


def test_problems_are_counted_where_they_are_too_many() -> None:
    """Thirty are shown, and how many more there are."""
    seen = answered(sheet="X\n" + "y z\n" * 200)
    assert len(seen.problems) == 31
    assert seen.problems[-1].got == "170 more problems"


# Two builds side by side

ANN = {"name": "Ann", "toughness": "4", "shooting": "2"}
BO = query_string({"name": "Bo", "toughness": "3", "shooting": "2", "flying": "1"})


@pytest.mark.parametrize(
    "other",
    [
        {"beside": "Bo\n3 toughness\n2 shooting\n1 flying"},
        {"beside": f"https://scratch.example/tools/character/?{BO}"},
        {"beside": f"?{BO}"},
        {"act": "add", "choosing": "beside", "tick.0": BO},
    ],
    ids=["a stat block", "a link", "a query", "a kept one"],
)
def test_another_build_stands_beside_this_one(other: dict[str, str]) -> None:
    """Points, and of figures and levels what differs: hit points 4 and 3, agility 10 and 11, strength 11 and 10."""
    rows = BeautifulSoup(page(**ANN, **other), "html.parser").select("[data-differs]")
    told = {str(row["data-differs"]): [cell.text for cell in row.select("td")] for row in rows}
    assert told == {
        "points": ["6", "6"],
        "hit points": ["4", "3"],
        "stamina": ["2", "1"],
        "agility": ["10", "11"],
        "strength": ["11", "10"],
        "toughness": ["4", "3"],
        "flying": ["0", "1"],
    }
    seen = answered(**ANN, **other)
    again = view(parse_query(seen.query))
    assert seen.beside is not None
    assert again.beside == seen.beside, "the link reopens it"
    assert ("beside" in seen.fresh) == ("act" in other)


def test_what_is_no_build_is_told_where_it_is_written() -> None:
    """A text without a character stands there and is told; nothing is compared, and the character itself is whole."""
    seen = answered(**ANN, beside="well?")
    assert (seen.beside, [(each.code, each.where) for each in seen.problems if each.where == "beside"]) == (
        None,
        [("character.beside", "beside")],
    )
    assert seen.answer is not None
