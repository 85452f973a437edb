"""The character calculator: a query in, an answer out, and a page that holds both."""

import functools
import re

import jinja2
import pytest
from bs4 import BeautifulSoup

from build_scripts.render import TEMPLATES, build_environment
from scratch_core.calculators.character import PARTS, View, view
from scratch_core.calculators.shared.query import DEFAULT_MAX_QUERY_LENGTH, format_query, parse_query
from tests.support.known import require
from tests.support.printed_characters import PRINTED_BLOCKS

FLIPFIRE = {"name": "Flipfire", "shooting": "2", "healing": "1", "fighting": "2", "acrobatics": "1", "toughness": "4"}


def answered(**fields: str) -> View:
    """The view of these controls."""
    return view(parse_query(format_query(fields)), None)


@functools.cache
def template() -> jinja2.Template:
    """The calculator's template, as the site's own environment has it."""
    return build_environment(jinja2.FileSystemLoader(TEMPLATES)).get_template("character.html")


def page(**fields: str) -> str:
    """The HTML of these controls."""
    return template().render(view=answered(**fields), uid="c1")


def figures(html: str) -> dict[str, str]:
    """Each figure's text by name."""
    return dict(re.findall(r'data-figure="([a-z-]+)">([^<]*)<', html))


def fields_with_problems(html: str) -> set[str]:
    """The controls that have a problem."""
    return set(re.findall(r'data-problem data-field="([a-z_]+)"', html))


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"shooting": "5", "toughness": "3"}, {"shooting", "cp"}),
        ({"shooting": "x"}, {"shooting"}),
        ({"toughness": "3", "cp": "none"}, {"cp"}),
        ({"toughness": "3", "max_level": "0"}, {"max_level", "cp"}),
        ({"name": "x" * 101, **{name: FLIPFIRE[name] for name in FLIPFIRE if name != "name"}}, {"name"}),
        ({**FLIPFIRE, "minions": "2 toughness"}, {"minions"}),
        ({**FLIPFIRE, "strength_base": "9"}, {"strength_base"}),
        ({**FLIPFIRE, "strength_use_max": "maybe"}, {"strength_use_max"}),
        ({**FLIPFIRE, "show": "figures,secrets"}, {"show"}),
        ({"sheet": "X\n2 magic"}, {"sheet"}),
        ({"sheet": PRINTED_BLOCKS["Breakhelm X-19"]}, {"sheet"}),
        ({"sheet": "hello"}, {"sheet"}),
        ({}, {"cp"}),
    ],
)
def test_every_problem_is_shown_at_its_control(fields: dict[str, str], where: set[str]) -> None:
    """The page shows each problem at its control, and the view names no other place."""
    html = page(**fields)
    assert {problem.where for problem in answered(**fields).problems} == fields_with_problems(html)
    assert fields_with_problems(html) >= where


def test_rulings_change_figures() -> None:
    """Rulings change the figures.

    `strength_base` 8 gives the printed strength, and `strength_use_max` the better of both.
    """
    assert figures(page(**FLIPFIRE, strength_base="8"))["strength"] == "12"
    assert figures(page(toughness="5", wrestling="1"))["strength"] == "11"
    assert figures(page(toughness="5", wrestling="1", strength_use_max="on"))["strength"] == "12"


def test_minions_control_adds_minions_to_stat_block_and_json() -> None:
    """Minions that fit the command level go into the stat block and the JSON.

    Rule `command.cp-limit`: two minions of 2 points fit command 4, minions of 2 and 3 points don't.
    """
    seen = answered(sheet=PRINTED_BLOCKS["The Boss"], minions="2 toughness\nRook: 1 toughness, 1 fighting")
    assert seen.problems == ()
    assert require(seen.answer).minions_cp == 4
    assert (
        "Rook (10 agility, 10 intelligence, 8 strength, 0 stamina)\nminion of The Boss"
        in require(seen.answer).sheet_text
    )
    assert '"minions": [' in require(seen.answer).json
    (problem,) = answered(sheet=PRINTED_BLOCKS["The Boss"], minions="2 toughness\n3 toughness").problems
    assert (problem.code, problem.where) == ("command.cp", "minions")


def test_sheet_minion_becomes_a_minion_and_others_are_omitted() -> None:
    """A stat block that says it is a minion becomes one.

    Any other further character is left out, with advice.
    """
    both = answered(sheet=f"{PRINTED_BLOCKS['The Boss']}\n\n{PRINTED_BLOCKS['Thug']}")
    assert [minion.character.name for minion in require(both.answer).minions] == ["Thug"]
    (advice,) = answered(sheet=f"{PRINTED_BLOCKS['The Boss']}\n\n{PRINTED_BLOCKS['Flipfire']}").problems
    assert (advice.code, advice.severity) == ("sheet.several", "advice")


@pytest.mark.parametrize("part", PARTS)
def test_preset_shows_one_part_and_preserves_all_fields(part: str) -> None:
    """With any part shown, the form contains every value of the query."""
    fields = {**FLIPFIRE, "cp": "11", "max_level": "5", "minions": "x", "strength_base": "8", "show": part}
    html = page(**fields)
    for name, value in fields.items():
        assert f'name="{name}"' in html
        assert value in html
    assert ("data-figure" in html) == (part in ("figures", "limits"))
    assert ("data-weight" in html) == (part == "weights")
    assert ("data-copy" in html) == (part == "text")
    assert html.count("<form") == 1


def test_preset_without_limits_reports_no_limits() -> None:
    """A preset of figures does not warn that toughness 7 exceeds the limit of 4."""
    assert answered(toughness="7", show="figures").problems == ()
    assert {problem.code for problem in answered(toughness="7", show="limits").problems} >= {"create.max-level"}


def test_too_long_query_is_reported() -> None:
    """A truncated sheet cannot be judged, so there is no answer."""
    seen = answered(sheet="x" * (DEFAULT_MAX_QUERY_LENGTH + 5))
    (problem,) = seen.problems
    assert (problem.code, problem.where, seen.answer) == ("query.limit", "sheet", None)


def test_sheet_beyond_line_limit_is_reported_at_its_control() -> None:
    """A stat block of more than 300 lines is reported and has no answer."""
    seen = answered(sheet="1 shooting\n" * 301, minions="2 toughness")
    (problem,) = seen.problems
    assert (problem.code, problem.where, seen.answer) == ("sheet.limit.lines", "sheet", None)


def test_problems_beyond_thirty_are_counted() -> None:
    """Thirty are shown, and how many more there are."""
    seen = answered(sheet="X\n" + "y z\n" * 200)
    assert len(seen.problems) == 31
    assert seen.problems[-1].got == "170 more problems"


# Two builds side by side

ANN = {"name": "Ann", "toughness": "4", "shooting": "2"}
BO = format_query({"name": "Bo", "toughness": "3", "shooting": "2", "flying": "1"})


@pytest.mark.parametrize(
    "other",
    [
        {"beside": "Bo\n3 toughness\n2 shooting\n1 flying"},
        {"beside": f"https://scratch.example/tools/character/?{BO}"},
        {"beside": f"?{BO}"},
        {"act": "add", "choosing": "beside", "tick.0": BO},
    ],
    ids=["a stat block", "a link", "a query", "a saved one"],
)
def test_comparison_shows_the_differences_of_another_build(other: dict[str, str]) -> None:
    """The comparison shows the points, and the figures and levels that differ.

    Here they are hit points 4 and 3, stamina 2 and 1, agility 10 and 11, and strength 11 and 10.
    """
    rows = BeautifulSoup(page(**ANN, **other), "html.parser").select("[data-differs]")
    cells = {str(row["data-differs"]): [cell.text for cell in row.select("td")] for row in rows}
    assert cells == {
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
    assert seen.compared_character is not None
    assert again.compared_character == seen.compared_character, "the link reopens it"
    assert ("beside" in seen.updated_fields) == ("act" in other)


def test_invalid_comparison_text_is_reported_at_its_control() -> None:
    """A comparison text without a character is reported at its control.

    Nothing is compared, and the character is shown.
    """
    seen = answered(**ANN, beside="well?")
    assert (seen.compared_character, [(each.code, each.where) for each in seen.problems if each.where == "beside"]) == (
        None,
        [("character.beside", "beside")],
    )
    assert seen.answer is not None
