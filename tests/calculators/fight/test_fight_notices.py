"""Notices for readers who are new to the fight page: each says in words what happened, next to its place."""

from types import SimpleNamespace
from typing import Any

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators import board
from scratch_core.calculators.characters_text.fighter_lines import parse_fighter_lines
from scratch_core.calculators.fight.roster import FighterRow
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.dice import SystemRoller
from scratch_core.turn_systems import FighterStatus
from scratch_core.turn_systems.registry import SEIZE, VARIANT_TURN_SYSTEMS
from tests.support.fights import view_fight
from tests.support.known import require


def page(**fields: str) -> BeautifulSoup:
    """Return the page of these controls."""
    return BeautifulSoup(render_calculator_response("fight", format_query(fields), rolls_dice=True).html, "html.parser")


def words(soup: BeautifulSoup, selector: str) -> str:
    """Return the text of the only element that matches a selector."""
    (found,) = soup.select(selector)
    return " ".join(found.get_text().split())


CLEAR = {
    "headings first": "side: heroes\nAnn\nside: orcs\nOrc",
    "a side of its own": "Ann: side heroes\nside: orcs\nOrc",
    "no heading": "Ann\nOrc",
    **{f"the example of {name}": system.sample for name, system in VARIANT_TURN_SYSTEMS.items()},
}


@pytest.mark.parametrize("name", CLEAR)
def test_unambiguous_setup_has_no_problems(name: str) -> None:
    """If every name above the first side has its own side, there is no notice."""
    system = VARIANT_TURN_SYSTEMS[name.rpartition(" ")[2]] if "example" in name else SEIZE
    assert parse_fighter_lines(CLEAR[name], system).problems == ()


ADDED = {
    "one": ({"add_name": "Bo"}, "Bo added: 2 in the fight."),
    "two minions": ({"tick.thug": "thug", "add_count": "2"}, "Thug × 2 added: 3 in the fight."),
    "several": ({"add_name": "Rat", "add_count": "3"}, "Rat × 3 added: 4 in the fight."),
}


@pytest.mark.parametrize("name", ADDED)
def test_added_characters_are_announced_below_the_columns(name: str) -> None:
    """The line below the columns and the announcement name the additions and the total."""
    fields, said = ADDED[name]
    given = {"sheets": "Ann\n1 toughness", **fields, "act": "add"}
    assert words(page(**given), ".fight-added [data-added]") == said
    assert view_fight(**given).summary == said


def chip(side: str = "heroes", **more: Any) -> FighterRow:
    """A character in the strip."""
    standing = FighterStatus(**{"hp": 2, "max_hp": 3, "condition": "injured", **more})
    return FighterRow(SimpleNamespace(id="medic", name="Medic", side=side), standing, 1, is_active=False)


TAPPED: dict[str, tuple[dict[str, Any], str]] = {
    "many": ({}, ", of the heroes: 2 of 3 hit points, injured"),
    "a word": ({"side": "red"}, ", of side red: 2 of 3 hit points, injured"),
    "an article": ({"side": "the watch"}, ", of the watch: 2 of 3 hit points, injured"),
    "alone": ({"side": "medic"}, ": 2 of 3 hit points, injured"),
    "no limit": ({"hp": 1, "max_hp": None}, ", of the heroes: 1 hit point, injured"),
    "nothing counted": ({"hp": None, "max_hp": None, "condition": ""}, ", of the heroes"),
}


@pytest.mark.parametrize("name", TAPPED)
def test_character_chip_detail_lists_side_hp_and_condition(name: str) -> None:
    """Side, hit points and condition are given as words after the name."""
    more, said = TAPPED[name]
    assert chip(**more).side_and_health_text == said


def test_sample_map_reports_moved_tokens() -> None:
    """A token in a wall moves to the nearest free space, with a notice.

    It is in the fight.
    """
    text = format_query({"tokens": "ann@1,1,heroes bo@9,1,rivals", "selected": "bo", "act": "map-tavern"})
    seen = board.view(parse_query(text, 80_000), None)
    assert (seen.fields["tokens"], seen.fields["selected"]) == ("ann@1,1,heroes bo@8,1,rivals", "bo")
    (moved,) = BeautifulSoup(render_calculator_response("board", text).html, "html.parser").select(
        ".board-map [data-problem]"
    )
    said = " ".join(moved.get_text().split())
    assert said.startswith("Bo can't stay at 9,1 on this map (wall). The token is now at 8,1, a free space nearby.")
    assert "bo" in require(seen.answer).fight_query


@pytest.mark.parametrize("system", VARIANT_TURN_SYSTEMS)
def test_characters_copied_from_stat_blocks_can_begin(system: str) -> None:
    """Names and sides are copied with what the turn system needs, as the button says."""
    sheets = "Ann\nside: red\n2 fighting\n3 toughness\n\nBo\nside: blue\n2 toughness"
    needed = {"mano-old": ", each with hp 6 and hp/round 3"}.get(system, "")
    button = require(page(system=system, sheets=sheets).select_one("button[value=copy-names]"))
    assert button.get_text() == f"Copy names and sides{needed}"
    brought = view_fight(SystemRoller(), system=system, sheets=sheets, act="copy-names").fields["fighters"]
    begun = view_fight(SystemRoller(), system=system, fighters=brought, log="begin")
    assert {(row.fighter.name, row.fighter.side) for row in require(begun.fight_view).rows} == {
        ("Ann", "red"),
        ("Bo", "blue"),
    }


DUEL = {
    "sheets": "side: red\nAnn\n3 toughness\n\nside: blue\nBo\n2 fighting\n3 toughness",
    "initiative": "Ann 5, Bo 15",
}
ATTACK = '{"actor":"ann","do":"basic-attack","target":"bo"}'

REFUSED: dict[str, tuple[dict[str, str], str, str]] = {
    "an illegal step": ({"act": ATTACK}, "It's Bo's turn, not Ann's.", "[data-last][data-code='turn.not-theirs']"),
    "unreadable text": (
        {"act": "{broken"},
        "This button's action can't be read. Reload the page.",
        "[data-last][data-code='button.unread']",
    ),
    "an impossible roll": (
        {"act": ATTACK.replace("ann", "bo", 1).replace('"bo"}', '"ann"}'), "faces": "33"},
        "33 isn't a roll of a d20. Enter a number from 1 to 20.",
        ".fight-own [data-field=faces]",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_press_announces_its_reason_and_shows_it_once(name: str) -> None:
    """A screen reader gets the reason first, then whose turn it is.

    The saved entry and the window's title have only the latter.
    """
    pressed, reason, place = REFUSED[name]
    log = view_fight(SystemRoller(), log="begin", **DUEL).fields["log"]
    refused = render_calculator_response("fight", format_query({"log": log, **pressed}), rolls_dice=True)
    assert refused.summary == f"The action wasn't carried out. {reason} Round 1, Bo's turn."
    html = BeautifulSoup(refused.html, "html.parser")
    assert words(html, place).removesuffix(" §").endswith(reason)
    assert html.get_text().count(reason) == 1
    saved = (
        require(html.select_one("form"))["data-saved-summary"],
        require(html.select_one("[data-answer]"))["data-title"],
    )
    assert saved == ("Round 1, Bo's turn.",) * 2


def test_accepted_press_has_the_summary_of_the_saved_entry() -> None:
    """Without a refusal the summary is what the entry and the title show."""
    html = page(log="begin", **DUEL)
    assert not html.select("[data-saved-summary], [data-answer][data-title]")
