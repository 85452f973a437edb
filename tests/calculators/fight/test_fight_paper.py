"""The printed fight: its title, roster, turn order and log."""

import json

import pytest
from bs4 import BeautifulSoup, Tag

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import View
from scratch_core.calculators.shared.query import format_query
from tests.support.fights import view_begun_fight, view_begun_variant, view_fight, view_next
from tests.support.known import require

HOLD = '{"actor":"chokestar","do":"hold","with":"wrestling","target":"breakhelm-x-19"}'
END = '{"actor":"%s","do":"end-turn"}'
LEFT = '{"do":"end-encounter"}'


def render_paper(seen: View, **fields: str) -> Tag:
    """Return the printed part of a fight's page."""
    query = format_query({"system": seen.system_control_text, "log": seen.fields["log"], **fields})
    return require(
        BeautifulSoup(render_calculator_response("fight", query).html, "html.parser").select_one(".fight-paper")
    )


def list_cells(paper: Tag) -> list[list[str]]:
    """Return the texts of the roster's rows."""
    return [[cell.get_text(strip=True) for cell in row.select("th, td")] for row in paper.select("tbody tr")]


def test_paper_has_title_roster_order_and_log_oldest_first() -> None:
    """The printed fight has each character's state, the initiative and the log."""
    held = view_next(view_begun_fight(), None, act=HOLD, faces="19", note="by the boots")
    paper = render_paper(view_next(held, None, act=END % "chokestar"), screen_hidden=json.dumps(["flipfire"]))
    assert require(paper.select_one("h2")).get_text() == "Round 1, Flipfire's turn"
    assert [each.get_text() for each in paper.select("thead th")] == [
        "Character",
        "Hit points",
        "Agility",
        "Intelligence",
        "Strength",
        "Conditions",
    ]
    chokestar, flipfire, breakhelm = list_cells(paper)
    assert chokestar == ["Chokestar", "3of 3", "13", "10", "12", ""]
    assert flipfire == ["Flipfire", "4of 4", "11", "11", "11", "hidden from the players"]
    assert breakhelm == ["Breakhelm X-19", "5of 6", "10", "10", "13", "delayed"]
    tracks = paper.select(".fight-paper__track")
    assert [(len(each.select("i")), len(each.select(".is-lost"))) for each in tracks] == [(3, 0), (4, 0), (6, 1)]
    order = require(paper.select_one(".fight-paper__order")).get_text()
    assert order == "Turn order: Chokestar 19 · Flipfire 17 · Breakhelm X-19 14."
    heading, entry, note = (each.get_text(" ", strip=True) for each in paper.select("li"))
    assert heading == "Round 1"
    assert note == "Steps that only end a turn are counted but not listed."
    assert entry.startswith("1 Chokestar holds Breakhelm X-19")
    assert "(19 + 2 wrestling = 21)" in entry
    assert entry.endswith("by the boots")
    assert paper.select("button, input, a, .act__odds") == []
    sides = require(paper.select_one(".fight-paper__sides")).get_text(" ", strip=True)
    assert sides == "hunters pirate"


def test_paper_counts_the_earlier_steps_that_it_leaves_out() -> None:
    """The printed log has the same entries as the page, in reverse order."""
    tree = json.loads(view_begun_fight().fields["log"])
    order = ("chokestar", "flipfire", "breakhelm-x-19")
    tree["steps"] = [{"actor": who, "do": "end-turn"} for _ in range(17) for who in order]
    seen = view_next(view_begun_fight(), log=json.dumps(tree))
    paper = render_paper(seen)
    assert require(paper.select_one("li")).get_text() == "3 earlier steps are not printed."
    assert [each.get_text() for each in paper.select("li > b")] == [str(number) for number in range(4, 52)]
    whole = render_paper(seen, whole="true")
    assert [each.get_text() for each in whole.select("li > b")] == [str(number) for number in range(1, 52)]
    assert len(whole.select(".fight-paper__round")) == 17


def test_paper_of_a_fight_that_is_over_names_the_winner_or_the_round() -> None:
    """The title names who won, else the round in which the encounter ended."""
    seen = view_begun_fight()
    assert require(view_next(seen, act=LEFT).fight_view).printed_title == "Round 1, the encounter is over"
    tree = json.loads(seen.fields["log"])
    tree["characters"][2]["hp"] = 0
    won = require(view_next(seen, log=json.dumps(tree)).fight_view)
    assert won.printed_title == won.winner_text == "The hunters win in round 1"
    assert render_paper(view_next(seen, log=json.dumps(tree))).select(".fight-paper__out")


@pytest.mark.parametrize(
    ("system", "columns"),
    [
        pytest.param("mano", ["Character", "Conditions"], id="no-numbers"),
        pytest.param("mano-old", ["Character", "Hit points", "Conditions"], id="pools"),
        pytest.param("seize", ["Character", "Initiative", "Conditions"], id="initiative"),
    ],
)
def test_paper_of_another_turn_system_has_only_its_columns(system: str, columns: list[str]) -> None:
    """The roster has the numbers of the turn system.

    The line of the turn order says how the fight began.
    """
    seen = view_begun_variant(system)
    paper = render_paper(seen)
    assert [each.get_text() for each in paper.select("thead th")] == columns
    assert {row[0] for row in list_cells(paper)} == {"Ann", "Bo"}
    opening = require(seen.fight_view).fight.opening_narration
    assert require(paper.select_one(".fight-paper__order")).get_text() == opening


def test_paper_names_the_fight_and_its_house_rules() -> None:
    """A fight without a name or house rules has neither."""
    tree = json.loads(view_begun_fight().fields["log"])
    assert "House rules" not in render_paper(view_fight(log=json.dumps(tree))).get_text()
    named = render_paper(view_fight(log=json.dumps({**tree, "title": "Harbour boss", "rulings": {"strength_base": 8}})))
    assert require(named.select_one("h2")).get_text().startswith("Harbour boss: Round 1, ")
    rules = named.select(".fight-paper__order")[1].get_text()
    assert rules == "House rules: untrained strength 8 + toughness."
