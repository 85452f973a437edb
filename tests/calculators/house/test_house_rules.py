"""House rules: their page, and the effect of every switch, by its control, on every calculator that follows it."""

import re
from collections.abc import Iterator
from html import unescape
from urllib.parse import parse_qs

import pytest
from bs4 import BeautifulSoup

from build_scripts.paths import DOCS
from build_scripts.render import render_calculator_response
from scratch_core.calculators.house import CONTROLS, View, view
from scratch_core.calculators.shared.house_rules import CREATION_LIMITS
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.characters import parse_sheet
from scratch_core.rulebook import RULE_OPTIONS, RuleOption, format_setting_for_display
from tests.support.known import require

BLOCKS = "Ann\nside: us\n2 fighting\n2 toughness\n\nBo\nside: them\n2 fighting\n3 toughness"
LINES = "Ann: side us\nBo: side them"
FIGHTS = (
    *("strength_base", "detection_multiplier", "unrepeatable_scope", "stack_abilities", "strength_use_max"),
    *("wrestling_double_legacy", "swimming_twice", "flyer_on_foot"),
)
CHARACTERS = ("strength_base", "strength_use_max", "detection_multiplier")
BOARD = ("interrupt_move", "interrupt_blast", "corners")
BASIC = tuple(each.name for each in RULE_OPTIONS if each.name != "seize_on_total")
FOLLOWED: dict[str, tuple[str, dict[str, str], tuple[str, ...]]] = {
    "its own page": ("house", {}, CONTROLS),
    "a character": ("character", {"toughness": "3"}, ("cp", "max_level", *CHARACTERS, "unrepeatable_scope")),
    "a set-up": ("fight", {"sheets": BLOCKS}, BASIC),
    "a set-up of choose-next": ("fight", {"system": "seize", "fighters": LINES}, ("seize_on_total",)),
    "a set-up of Mano a Mano": ("fight", {"system": "mano", "fighters": LINES}, ()),
    "a fight": ("fight", {"sheets": BLOCKS, "initiative": "ann 2, bo 1", "log": "begin"}, BASIC),
    "odds": ("odds", {"first_sheet": "Ann\n1 toughness", "second_sheet": "Bo\n1 toughness"}, FIGHTS),
    "a board": ("board", {}, BOARD),
    "initiative": ("initiative", {"who": "Ash\nBo"}, ("detection_multiplier", "seize_on_total")),
    "initiative of choose-next": (
        "initiative",
        {"system": "seize", "who": "Ash\nBo"},
        ("detection_multiplier", "seize_on_total"),
    ),
}
"""A calculator's name, its controls, and the rules that it follows."""


def others(switch: RuleOption) -> Iterator[str]:
    """The choices of a switch that aren't the rulebook's, as a control has them."""
    return (format_setting_for_display(each) for each in switch.choices if each != switch.default)


def rules_of(name: str, **fields: str) -> tuple[dict[str, str], str]:
    """The rules that an answer says to follow, and the query that reopens it."""
    answer = render_calculator_response(name, format_query(fields), rolls_dice=True)
    rules = require(re.search(r'<form [^>]*data-rules="([^"]*)"', answer.html))
    return {key: value for key, [value] in parse_qs(unescape(rules[1])).items()}, answer.query


@pytest.mark.parametrize("what", FOLLOWED)
def test_every_switch_changes_the_calculators_that_follow_it(what: str) -> None:
    """Every other choice of a switch reaches each calculator that follows it.

    The control's name is that of the switch. The query of the answer contains the choice and reopens it.
    """
    name, fields, followed = FOLLOWED[what]
    by_the_book, _ = rules_of(name, **fields)
    assert set(by_the_book) == set(followed)
    for switch in (each for each in RULE_OPTIONS if each.name in followed):
        assert by_the_book[switch.name] == format_setting_for_display(switch.default)
        for choice in others(switch):
            rules, query = rules_of(name, **fields, **{switch.name: choice})
            assert rules == {**by_the_book, switch.name: choice}
            again, _ = rules_of(name, **{key: value for key, [value] in parse_qs(query).items()})
            assert again == rules, (switch.name, query)
            back, _ = rules_of(
                name,
                **{**{key: value for key, [value] in parse_qs(query).items()}, switch.name: by_the_book[switch.name]},
            )
            assert (back == by_the_book) is (what != "a fight")


def test_every_switch_is_followed_somewhere() -> None:
    """Each switch is followed by some calculator."""
    assert {name for what, (_, _, names) in FOLLOWED.items() if what != "its own page" for name in names} >= {
        each.name for each in RULE_OPTIONS
    }


def view_controls(**fields: str) -> View:
    """The view of controls."""
    return view(parse_query(format_query(fields)), None)


@pytest.mark.parametrize(
    ("fields", "summary", "query"),
    [
        ({}, "Your table plays by the rulebook.", ""),
        ({"cp": "10", "max_level": " 4 ", "strength_base": "7"}, "Your table plays by the rulebook.", ""),
        ({"strength_base": "8"}, "1 house rule: untrained strength 8 + toughness.", "strength_base=8"),
        (
            {"failed_hurry": "ability", "cp": "14", "swimming_twice": "no", "max_level": "5"},
            "4 house rules: 14 character points; maximum level 5; swimming counts once; "
            "failed hurried work costs one ability.",
            "cp=14&max_level=5&swimming_twice=off&failed_hurry=ability",
        ),
        ({"cp": "14", "strength_base": "8", "rulebook": "1"}, "Your table plays by the rulebook.", ""),
        (
            {"cp": "14", "strength_base": "8", "rulebook": "strength_base"},
            "1 house rule: 14 character points.",
            "cp=14",
        ),
    ],
)
def test_house_rules_page_lists_differences_from_rulebook(fields: dict[str, str], summary: str, query: str) -> None:
    """A sentence lists the differences from the rulebook in the order of the controls.

    The query contains only the differences and reopens the page.
    """
    found = view_controls(**fields)
    assert (found.summary, found.query, found.problems) == (summary, query, ())
    assert view(parse_query(found.query), None).summary == summary


def test_invalid_house_rule_is_reported_and_not_applied() -> None:
    """Invalid house rules are reported and ignored, and valid ones apply.

    They are a word for points and an unknown base.
    """
    found = view_controls(cp="many", strength_base="9", corners="barred")
    assert [(each.where, each.code) for each in found.problems] == [
        ("cp", "character.limit"),
        ("strength_base", "rulings.value"),
    ]
    assert found.summary == ""
    assert "cp=10&" in found.house_rules_query
    assert "strength_base=7&" in found.house_rules_query
    assert "corners=barred" in found.house_rules_query


@pytest.mark.parametrize("switch", RULE_OPTIONS, ids=lambda switch: switch.name)
def test_choices_of_a_switch_have_distinct_labels(switch: RuleOption) -> None:
    """Each choice has a label of its own, short enough for a phone."""
    assert len(switch.words) == len(set(switch.words)) == len(switch.choices)
    assert max(map(len, switch.words)) <= 38


@pytest.mark.parametrize("switch", RULE_OPTIONS, ids=lambda switch: switch.name)
def test_question_of_each_ruling_has_short_answers(switch: RuleOption) -> None:
    """Every choice has an answer of at most five words, none twice."""
    assert len(switch.answers) == len(set(switch.answers)) == len(switch.choices)
    assert switch.question.endswith("?")
    assert max(len(answer.split()) for answer in switch.answers) <= 5
    assert max(map(len, switch.answers)) <= 24


def find_switch(page: BeautifulSoup, name: str) -> list[tuple[str, str, bool]]:
    """The answers of a ruling's switch: value, words, and whether the answer is chosen."""
    radios = page.select(f"[type=radio][name={name}]")
    return [(str(each["value"]), require(each.parent).get_text().strip(), each.has_attr("checked")) for each in radios]


def test_each_ruling_is_a_switch_with_the_default_first() -> None:
    """Every house rule has one control, in one of three groups.

    The first answer of a ruling is the default, with the value "". Other spellings of a value choose its answer.
    """
    page = BeautifulSoup(
        render_calculator_response("house", "strength_base=8&swimming_twice=no&corners=free&cp=14").html, "html.parser"
    )
    assert find_switch(page, "strength_base") == [
        ("", "7 + toughness (rulebook)", False),
        ("8", "8 + toughness", True),
    ]
    assert [words for _, words, _ in find_switch(page, "interrupt_move")] == [
        "Both (rulebook)",
        "Where it starts",
        "Where it arrives",
    ]
    assert [is_chosen for _, _, is_chosen in find_switch(page, "swimming_twice")] == [False, True]
    assert [is_chosen for _, _, is_chosen in find_switch(page, "corners")] == [True, False]
    controls = [str(each["name"]) for each in page.select(".house-rules__row [name]")]
    assert sorted(set(controls)) == sorted(CONTROLS)
    headings = [" ".join(each.get_text().split()) for each in page.select(".rule-group h2")]
    assert headings == ["Characters · 2 changed", "Fights · 1 changed", "On a map"]
    changed = page.select(".house-rules__row.is-changed .house-rules__question")
    assert [each.get_text() for each in changed] == [
        "How many character points do you have?",
        "How strong is an untrained character?",
        "Can swimming count twice in a roll?",
    ]


def test_changed_rules_are_chips_that_reset_one_rule() -> None:
    """The chips name every house rule, and the button of each resets that rule alone."""
    found = render_calculator_response("house", "strength_base=8&cp=14")
    page = BeautifulSoup(found.html, "html.parser")
    chips = page.select(".house-rules__chip")
    assert [each.get_text().strip("× ") for each in chips] == [
        "14 character points",
        "untrained strength 8 + toughness",
    ]
    button = require(chips[0].button)
    after = view(parse_query(f"{found.query}&{button['name']}={button['value']}"), None)
    assert (after.query, after.updated_fields) == ("strength_base=8", {"cp"})
    assert not BeautifulSoup(render_calculator_response("house", "").html, "html.parser").select(".house-rules__chip")


def test_unreadable_answer_stays_in_its_switch() -> None:
    """A text that is no answer is shown as a third, chosen one."""
    page = BeautifulSoup(render_calculator_response("house", "strength_base=9").html, "html.parser")
    assert find_switch(page, "strength_base")[2] == ("9", "9", True)
    assert require(page.select_one("[role=radiogroup][aria-invalid]"))["aria-describedby"]


SETUPS = ("a character", "a set-up", "a set-up of choose-next", "a board", "initiative")
"""The calculators whose pages list the changed house rules."""


@pytest.mark.parametrize("what", SETUPS)
def test_tools_show_changed_rules_as_chips(what: str) -> None:
    """A tool shows the house rules that differ from the rulebook.

    The button of a chip empties the control of its rule, which is hidden.
    """
    name, fields, followed = FOLLOWED[what]
    rule = next(each for each in RULE_OPTIONS if each.name in followed)
    choice = next(others(rule))
    page = BeautifulSoup(
        render_calculator_response(name, format_query({**fields, rule.name: choice})).html, "html.parser"
    )
    (chip,) = page.select(".rule-changes .house-rules__chip")
    assert (
        chip.get_text().strip("× ")
        == rule.words[[format_setting_for_display(each) for each in rule.choices].index(choice)]
    )
    assert (require(chip.button)["name"], require(chip.button)["value"]) == (rule.name, "")
    hidden = {str(each["name"]): each["value"] for each in page.select(".rule-changes [type=hidden]")}
    assert hidden[rule.name] == choice
    assert {*hidden} <= {*followed}


def test_character_text_names_house_rules_and_can_be_pasted() -> None:
    """The last line of a copied stat block names the house rules.

    Pasting the stat block gives the levels and a notice.
    """
    html = render_calculator_response(
        "character", format_query({"name": "Ash", "toughness": "4", "strength_base": "8"})
    ).html
    page = BeautifulSoup(html, "html.parser")
    text = require(page.select_one(".sheet-text")).text
    assert text.endswith("\nHouse rules: untrained strength 8 + toughness")
    assert require(page.select_one("[data-copy*='House rules']"))["data-copy"] == text
    (draft,) = parse_sheet(text).drafts
    assert draft.build_character().base_level("toughness") == 4
    assert [(each.code, each.severity) for each in draft.reading_problems()] == [("sheet.left-out", "advice")]
    assert (
        "House rules"
        not in render_calculator_response("character", format_query({"name": "Ash", "toughness": "4"})).html
    )


def test_limits_have_the_same_words_in_the_rules_and_on_their_page() -> None:
    """Points and highest level have the same words in the rules as on their page.

    The mark in the rules' text has the rulebook's number, which needs no words.
    """
    text = (DOCS / "rules" / "making-a-character.md").read_text("utf-8")
    for name, rulebook in CREATION_LIMITS.items():
        (said,) = view(parse_query(f"{name}=15"), None).rule_texts.values()
        texts = f"{rulebook}=&any={said.replace('15', '{}')}"
        assert f'data-house-rule="{name}" data-words="{texts}"' in text
