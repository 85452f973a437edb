"""The sheet on paper: what it contains, and where the stamina line is drawn."""

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.character.print_sheet import MAX_BOXES, build_character_summary, build_print_sheet
from scratch_core.characters import AbilityLevel, Character
from scratch_core.rulebook import RulingSettings
from scratch_core.rulebook.abilities import ABILITY_NAMES
from tests.support.known import require

RULINGS = RulingSettings()


@pytest.mark.parametrize(
    ("toughness", "injured", "boxes"),
    [
        pytest.param(0, 0, 0, id="none"),
        pytest.param(1, 0, 1, id="one"),
        pytest.param(4, 2, 4, id="even"),
        pytest.param(7, 3, 7, id="odd"),  # hp.illustration-7
        pytest.param(MAX_BOXES + 6, 15, MAX_BOXES, id="too-many"),
    ],
)
def test_print_sheet_has_a_box_for_each_hit_point(toughness: int, injured: int, boxes: int) -> None:
    """The sheet has a box for each hit point, and marks the injured ones.

    Rules `hp.injured`, `hp.stamina`: the boxes at stamina or below are the injured ones.
    """
    lines = (AbilityLevel("toughness", toughness),) if toughness else (AbilityLevel("shooting", 1),)
    paper = build_print_sheet(build_character_summary(Character("X", lines), RULINGS), "X")
    assert (sum(paper.injured_boxes), len(paper.injured_boxes), paper.summary.figures["hit-points"].value) == (
        injured,
        boxes,
        toughness,
    )
    assert paper.injured_boxes == tuple(sorted(paper.injured_boxes, reverse=True))


def test_print_sheet_contains_all_character_data() -> None:
    """The print sheet has every figure, ability, minion and weight of the character.

    Each ability has its note, use and rolls. A line follows the stamina box.
    """
    page = BeautifulSoup(
        render_calculator_response("character", "name=Ria&toughness=5&shooting=2&notes=shooting: bow").html,
        "html.parser",
    )
    paper = require(page.select_one("[data-paper]"))
    words = paper.get_text(" ", strip=True)
    for piece in (
        "Ria",
        "7 points",
        "bow",
        "a strong attack on one target",
        "+2 to shooting",
        "24 kg",
        "With 2 or fewer",
    ):
        assert piece in words
    lined = paper.select(".paper__box--stamina")
    assert [each.get_text(strip=True) for each in lined] == ["2"]


def test_print_sheet_lists_actions_with_their_totals() -> None:
    """The sheet says what the character can do, and what is added to each roll.

    More actions than fit with their effects are listed without them.
    """
    page = BeautifulSoup(render_calculator_response("character", "name=Ria&toughness=5&shooting=2").html, "html.parser")
    rows = {
        require(row.select_one("strong")).get_text(): row.get_text(" ", strip=True)
        for row in page.select(".paper-actions li")
    }
    assert rows["Shooting"] == "+2 Shooting regular, long, against agility 2 damage, 5 on a 20."
    assert rows["Basic attack"].startswith("+0 Basic attack")
    assert rows["Engage"].startswith("– Engage bonus")
    assert len(page.select(".paper-notes .paper-line")) == 8
    many = "&".join(f"{name}=1" for name in ABILITY_NAMES)
    full = BeautifulSoup(render_calculator_response("character", f"{many}&cp=20").html, "html.parser")
    assert len(full.select(".paper-many .paper-actions li")) > 16
    assert full.select(".paper-effect") == []


@pytest.mark.parametrize(("scope", "words"), [("", "once per encounter"), ("pair", "once per target")])
def test_sheet_says_how_often_an_action_may_be_used(scope: str, words: str) -> None:
    """Page and paper follow the house rule on unrepeatable actions.

    Rule: `act.unrepeatable` (ruling A03).
    """
    query = f"name=Ria&toughness=5&stealth=2&unrepeatable_scope={scope}"
    page = BeautifulSoup(render_calculator_response("character", query).html, "html.parser")
    on_page = require(page.select_one("[data-action=distract] th")).get_text(" ", strip=True)
    on_paper = next(each.text for each in page.select(".paper-actions li") if "Distract" in each.text)
    assert f"regular, {words}, close" in on_page
    assert f"regular, {words}, close" in on_paper


def test_free_notes_are_on_the_sheets() -> None:
    """A free note is printed above the empty lines, and shown in play."""
    query = "name=Ria&toughness=3&notes=Owes+the+smith+5+gold"
    paper = require(
        BeautifulSoup(render_calculator_response("character", query).html, "html.parser").select_one(".paper")
    )
    assert "Owes the smith 5 gold" in require(paper.select_one(".paper-own-notes")).text
    assert len(paper.select(".paper-notes .paper-line")) == 8
    in_play = render_calculator_response("character", f"{query}%0Atoughness%3A+thick+coat&at=play").html
    notes = [each.text for each in BeautifulSoup(in_play, "html.parser").select("[data-note]")]
    assert notes == ["toughness: thick coat", "Owes the smith 5 gold"]


def test_print_sheet_without_abilities_is_blank() -> None:
    """Without an ability the sheet has lines and boxes to fill in, and no number."""
    page = BeautifulSoup(render_calculator_response("character", "cp=12").html, "html.parser")
    paper = require(page.select_one(".paper-blank"))
    assert len(paper.select("tbody tr")) == 8
    assert paper.select(".paper__box--stamina") == []
    assert page.select(".u-on-paper summary")[0].get_text() == "Print a blank sheet"


def test_sheet_names_where_a_movement_ability_counts() -> None:
    """A swimmer's hold on paper counts only in water, a wrestler's everywhere. Rule: `move.terrain`."""
    page = render_calculator_response("character", "name=Nix&toughness=4&swimming=3").html
    holds = [each for each in BeautifulSoup(page, "html.parser").select(".paper-actions li") if "Hold" in each.text]
    assert "against strength, swimming in water" in " ".join(holds[0].text.split())
    row = require(BeautifulSoup(page, "html.parser").select_one("[data-action=hold] td"))
    assert row.text.strip() == "+3 swimming in water"
    page = render_calculator_response("character", "name=Ox&toughness=4&wrestling=3&swimming=1").html
    row = require(BeautifulSoup(page, "html.parser").select_one("[data-action=hold] td"))
    assert " ".join(row.text.split()) == "+3 wrestling or +1 swimming in water"
