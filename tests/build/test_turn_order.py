"""The fence that plays and draws another turn system, and the tables that compare the four."""

from fractions import Fraction
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from build_scripts.fences.table import render_table
from build_scripts.fences.turn_order import play_variant_example, render_turn_order
from build_scripts.paths import DOCS
from build_scripts.pictures.turn_order import list_drawn_steps
from build_scripts.tables.turn_systems import compute_chance_to_go_first, list_numbers_of_active_turns

BODY = """
title = "Ada lies in wait"
system = "mano"
first = "ada"
characters = [{ id = "ada" }, { id = "bo" }]
steps = [
  { actor = "ada", do = "prepare-counter" },
  { actor = "bo", do = "active", target = "ada", note = "It [[mano.counter.timing|waits]] & stays." },
  { actor = "ada", do = "counter", target = "bo" },
  { actor = "bo", do = "active", target = "ada", expect = { round = 2 } },
]
"""


def test_turn_order_fence_draws_and_lists_every_step() -> None:
    """The counterattack is highlighted, and a waiting action is connected to its continuation."""
    soup = BeautifulSoup(render_turn_order(BODY, "u"), "html.parser")
    kinds = [group["class"][1] for group in soup.select("svg .moment")]
    assert kinds == ["held", "declared", "sprung", "act"]
    assert [each.text for each in soup.select("svg .moment text")] == ["prepares", "attacks", "counters", "attacks"]
    assert len(soup.select("ol > li")) == 4
    assert len(soup.select("line.wait")) == len(soup.select("line.wait-act")) == 1
    assert [each["id"] for each in soup.select("svg title, svg desc")] == soup.svg["aria-labelledby"].split()
    assert str(soup.select_one(".turn-order-note")) == (
        '<p class="turn-order-note">It <a class="rule-link" href="rule:mano.counter.timing">waits</a> &amp; stays.</p>'
    )


def test_pools_are_listed_for_the_character_whose_points_changed() -> None:
    """Changed pools are bold."""
    body = """
system = "mano-old"
characters = [
  { id = "mara", hp = 6, hp_round = 3, reach = 2, pools = { stun = 5, other = 1 } },
  { id = "nils", hp = 3, hp_round = 2, reach = 1, pools = { other = 3 } },
]
steps = [
  { actor = "mara", do = "start-turn" },
  { do = "damage", target = "nils", points = 1, expect = { legal = true } },
]
"""
    first, second = BeautifulSoup(render_turn_order(body, "u"), "html.parser").select("ol > li")
    assert [each.text for each in first.select(".turn-order-pools strong")] == ["stun 4", "ready 2", "other 0"]
    assert [each.text for each in second.select(".turn-order-pools strong")] == ["damage 1", "other 2"]


def test_seized_turn_is_drawn_in_the_round_it_opens() -> None:
    """Only the last step belongs to round 2."""
    body = """
system = "seize"
characters = [{ id = "a" }, { id = "b" }]
initiative = { a = [9], b = [4] }
steps = [
  { actor = "a", do = "turn" }, { do = "lose-hp", target = "b" }, { actor = "b", do = "seize" },
  { actor = "b", do = "turn" }, { actor = "b", do = "choose", target = "a" },
  { actor = "a", do = "turn", expect = { round = 2 } },
]
"""
    drawn = list_drawn_steps(play_variant_example(body))
    assert [each.round for each in drawn] == [1, 1, 1, 1, 1, 2]
    assert [each.kind for each in drawn] == ["act", "told", "sprung", "act", "held", "act"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("round = 2", "round = 3", "round"),
        (", expect = { round = 2 }", "", "expected an `expect`"),
        ('system = "mano"', 'system = "scratch"', "first"),
        ('do = "counter", target = "bo"', 'do = "skip"', "not allowed"),
        ('first = "ada"', "", "expected the faces of its dice"),
        ("[[mano.counter.timing|waits]]", "[[mano.counter.never]]", "mano.counter.never"),
    ],
)
def test_wrong_turn_order_fence_raises(old: str, new: str, message: str) -> None:
    """Unmet expectations, illegal steps, missing dice and unknown rules raise an error."""
    with pytest.raises(ValueError, match=message):
        render_turn_order(BODY.replace(old, new), "u")


def test_compared_turn_systems_have_the_counted_chances() -> None:
    """Slow characters act in the turns of E150."""
    assert [list_numbers_of_active_turns(Fraction(1, n)) for n in (4, 2)] == [(1, 5), (1, 3, 5, 7)]
    # +2: 400 pairs, less 171 in which the other is ahead by 2 or more, 18 of them level and halved
    assert compute_chance_to_go_first(
        "scratch", {"abilities": {"stealth": 1}}, {"abilities": {"toughness": 1}}
    ) == Fraction(238, 400)
    # +1, by the own face: 20 wins 20 pairs; 1 wins one (both lose the round); 2 to 19 win 18 against 1 and 188 others
    assert compute_chance_to_go_first("seize", {"bonus": 1}, {}) == Fraction(227, 400)


def test_ready_points_table_equals_the_illustration() -> None:
    """The table of ready points equals the rule's illustration (`mano-old.phase.ready.illustrations`).

    4 in stun: 2 ready; none: 3 of 6; 2 in stun: 3 of 4.
    """
    rows = BeautifulSoup(render_table("order-ready"), "html.parser").tbody.find_all("tr")
    assert [[cell.text for cell in row.find_all("td")] for row in rows] == [
        ["2", "2", "nothing to pick"],
        ["6", "3", "you pick 3 of 6"],
        ["4", "3", "you pick 3 of 4"],
    ]


@pytest.mark.parametrize(
    "page", sorted((DOCS / "rules" / "other-turn-orders").glob("*-*.md")), ids=lambda page: page.stem
)
def test_page_of_each_turn_system_has_an_example(page: Path) -> None:
    """The build plays the fence."""
    assert "```turn-order" in page.read_text(encoding="utf-8")
