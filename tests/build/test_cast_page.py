"""The page of the cast: figures by the rules, misprints, and links into the tools."""

import re
from functools import cache
from itertools import product
from typing import Any
from urllib.parse import parse_qsl

import pytest
from bs4 import BeautifulSoup, Tag

from build_scripts.fences.cast import render_cast
from build_scripts.paths import DOCS
from scratch_core.calculators import character, fight, initiative, odds
from scratch_core.calculators.shared.query import parse_query
from scratch_core.cast import CAST, KINDS
from scratch_core.rulebook import RulingSettings
from tests.support.known import require


@cache
def list_cards() -> dict[str, Tag]:
    """Return every card by its member's id."""
    pages = [BeautifulSoup(render_cast(kind), "html.parser") for kind in KINDS]
    return {str(card["data-member"]): card for page in pages for card in page.select(".cast-card")}


def list_queries(card: Tag, page: str) -> list[str]:
    """Return the queries of a card's links to a tool."""
    found = [str(link["href"]).partition("?") for link in card.select("a[href]")]
    return [query for path, _, query in found if path == f"../{page}/"]


def test_cast_page_shows_every_kind_and_member_once() -> None:
    """The fences of the page name all kinds."""
    shown = re.findall(r'^```cast kind="([a-z]+)"$', (DOCS / "tools" / "cast.md").read_text(encoding="utf-8"), re.M)
    assert sorted(shown) == sorted(KINDS)
    assert sorted(list_cards()) == sorted(member.id for member in CAST)


@pytest.mark.parametrize("member", CAST, ids=lambda member: member.id)
def test_cast_card_shows_the_figures_of_the_engine(member: Any) -> None:
    """Points, figures and levels are the member's, and the link opens the character without problems."""
    card = list_cards()[member.id]
    assert (f"{member.cp} CP" in card.get_text()) == (
        member.kind != "archetype"
    )  # archetypes have the points above their cards, once
    shown = {each["data-figure"]: int(each.get_text()) for each in card.select("[data-figure]")}
    assert shown == {name: figure.value for name, figure in member.build_character().figures().items()}
    (build,) = list_queries(card, "character")
    seen = character.view(parse_query(build))
    assert {
        line.ability: line.level for line in require(seen.answer).main.character.lines
    } == member.map_abilities_to_levels()
    assert [problem.code for problem in seen.problems if problem.severity == "error"] == []
    assert len(require(seen.answer).minions) == len(member.minions)


@pytest.mark.parametrize(
    "member", [each for each in CAST if not each.build_character().minion_of], ids=lambda member: member.id
)
def test_cast_card_links_open_fight_duel_and_initiative(member: Any) -> None:
    """The member is added alone with its minions, an opponent on the second side."""
    card = list_cards()[member.id]
    (sides,), (duel,), (order,) = (list_queries(card, page) for page in ("fight", "odds", "initiative"))
    seen = fight.view(parse_query(sides), None)
    assert [each.code for each in seen.problems] == ["fight.sides"]
    assert [each.name for each in seen.fighters][:1] == [member.name]
    assert len(seen.fighters) == 1 + len(member.minions)
    side, place = ("them", "second") if member.kind == "opponent" else ("us", "first")
    assert {each.side for each in seen.fighters} == {side}
    assert {each.name for each in seen.sides if not each.fighters} <= {"us", "them"}
    assert {key: each.name for key, each in odds.view(parse_query(duel)).duelists.items()} == {place: member.name}
    levels = {key: level for key, level in member.map_abilities_to_levels().items() if key in ("stealth", "detection")}
    (row,) = initiative.view(parse_query(order), None).rows
    assert (row.name, {key: level for key, level in row.numbers if level}) == (member.name, levels)


def test_misprints_are_named_on_their_cards_with_both_numbers() -> None:
    """K01 and K02 are named on the boss, and other cards link to no misprint."""
    found = list_cards()
    boss = found["the-boss"].get_text(" ", strip=True)
    assert "intelligence is printed as 11; by the rules it is 14" in boss  # K02
    assert "strength is printed as 11; by the rules it is 10" in boss  # K01
    linked = {own_id for own_id, card in found.items() if card.select(".cast-misprint a[href*='K0']")}
    assert linked == {member.id for member in CAST if member.misprints}


def test_unknown_cast_kind_raises_and_lists_the_kinds() -> None:
    """The message contains the unknown kind, too."""
    with pytest.raises(ValueError, match="expected one of printed, archetype, opponent, minion, got 'heroes'"):
        render_cast("heroes")


@pytest.mark.parametrize("member", CAST, ids=lambda member: member.id)
def test_cast_card_has_the_strength_by_each_house_rule(member: Any) -> None:
    """House rules show it after the number, if it differs. Rules: `def.strength`, `def.strength.fallback`."""
    character = member.build_character()
    by_rulebook = character.strength().value
    expected = {}
    for (base, base_text), (highest, highest_text) in product(
        [(7, ""), (7, "7"), (8, "8")], [(False, ""), (False, "off"), (True, "on")]
    ):
        rulings = RulingSettings.from_dict({"strength_base": base, "strength_use_max": highest})
        strength = character.strength(rulings).value
        if strength != by_rulebook:
            expected[f"{base_text} {highest_text}"] = str(strength)
    places = list_cards()[member.id].select("[data-house-rule]")
    assert [each["data-house-rule"] for each in places] == ["strength_base strength_use_max"] * bool(expected)
    assert [dict(parse_qsl(str(each["data-words"]))) for each in places] == [expected] * bool(expected)
