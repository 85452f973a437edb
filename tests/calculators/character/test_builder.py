"""Building a character: starts, what one more level changes, problems in a player's words, and ways into a fight."""

import json
from typing import Any

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators import fight
from scratch_core.calculators.character import View, view
from scratch_core.calculators.shared.query import DEFAULT_MAX_QUERY_LENGTH, format_query, parse_query
from scratch_core.cast import ARCHETYPES, CAST, OPPONENTS, get_member
from scratch_core.dice import Roller, SeededRoller
from scratch_core.rulebook.abilities import ABILITY_NAMES
from scratch_core.scenario import SAMPLE_SCENARIOS
from tests.support.known import require

DUELLIST: dict[str, Any] = {"fighting": "4", "acrobatics": "2", "toughness": "4"}


def answered(roller: Roller | None = None, **fields: Any) -> View:
    """The view of these controls, or of these and a start."""
    return view(parse_query(format_query(fields)), roller)


def soup(**fields: Any) -> BeautifulSoup:
    """The page of these controls."""
    return BeautifulSoup(render_calculator_response("character", format_query(fields)).html, "html.parser")


def levels(seen: View) -> dict[str, int]:
    """The levels in the controls."""
    return {name: int(seen.fields[name]) for name in ABILITY_NAMES if seen.fields[name]}


@pytest.mark.parametrize("own_id", [member.id for member in ARCHETYPES if member.kind == "archetype"])
def test_start_with_archetype_copies_cast_member(own_id: str) -> None:
    """A start from the cast copies levels, description, notes and minions.

    The character is legal, and its link contains all of it.
    """
    seen = answered(start=own_id, shooting="3", name="Another name")
    member = get_member(own_id)
    assert require(seen.answer).main.character.name == member.name
    assert levels(seen) == member.map_abilities_to_levels()
    assert {line.note for line in require(seen.answer).main.character.lines} == {
        line.note for line in member.build_character().lines
    }
    assert len(require(seen.answer).minions) == len(member.minions)
    assert not [problem for problem in seen.problems if problem.severity == "error"]
    assert "start" not in seen.query
    given: dict[str, Any] = {name: value for name, value in seen.fields.items() if value}
    assert answered(**given).answer == seen.answer


def test_empty_start_preserves_campaign_settings() -> None:
    """Empty removes the character, and preserves points, maximum level and rulings."""
    seen = answered(start="empty", **DUELLIST, name="X", minions="1 toughness", cp="12", strength_base="8")
    assert seen.query == "cp=12&strength_base=8"
    assert levels(seen) == {}
    assert seen.updated_fields >= set(ABILITY_NAMES)
    assert require(seen.figure_bar).figures["agility"].value == 10  # def.agility: the base alone


def test_pasted_stat_block_replaces_the_open_character() -> None:
    """A pasted stat block replaces the levels, notes and damage of the previous character.

    The settings of the campaign stay.
    """
    seen = answered(start="sheet", sheet="Bren\n4 toughness", **DUELLIST, name="Oda", play="fight 1", cp="12")
    assert (seen.saved_name, seen.saved_summary) == ("Bren", "4 hit points: 4 toughness")
    assert parse_query(seen.query).text("sheet") == "Bren\n4 toughness"
    assert set(parse_query(seen.query).raw) == {"sheet", "cp"}
    assert not seen.has_nothing_new_to_save
    assert seen.updated_fields >= {"name", "play", *ABILITY_NAMES}


@pytest.mark.parametrize(("cp", "max_level"), [("10", "4"), ("12", "5"), ("", ""), ("3", "1")])
def test_random_start_is_legal_within_the_campaign_limits(cp: str, max_level: str) -> None:
    """A random character is named and legal by the limits of this campaign.

    It comes from the roller that the page passes, and nothing of the previous character is left.
    """
    for seed in range(40):
        seen = answered(SeededRoller(seed), start="chance", cp=cp, max_level=max_level, sheet="Old\n4 shooting")
        assert [problem.code for problem in seen.problems if problem.severity == "error"] == []
        assert sum(levels(seen).values()) == int(cp or 10)
        assert seen.fields["name"]
        assert not seen.is_sheet


def test_random_start_in_a_link_changes_nothing() -> None:
    """Without a roller no character is created: a link opens its own query."""
    assert answered(start="chance", **DUELLIST) == answered(**DUELLIST)


def test_sheet_is_converted_to_levels_with_notes() -> None:
    """A stat block is converted to levels, notes and minions in the controls.

    Piloting is dropped.
    """
    sheet = "Ria: at sea\n2 command: a whistle\n1 piloting\n3 toughness\n\nRat\nminion of Ria\n1 fighting"
    seen = answered(start="levels", sheet=sheet)
    assert levels(seen) == {"command": 2, "toughness": 3}
    assert (seen.fields["description"], seen.fields["notes"]) == ("at sea", "command: a whistle")
    assert seen.fields["minions"] == "Rat: 1 fighting"
    assert not seen.is_sheet


@pytest.mark.parametrize("cp", ["many", "6", "12"], ids=["unreadable", "over", "left"])
def test_problems_of_the_points_are_always_in_the_bar(cp: str) -> None:
    """An id that moved made a script replace the form, and close its folds."""
    html = render_calculator_response("character", format_query({**DUELLIST, "cp": cp})).html
    (place,) = BeautifulSoup(html, "html.parser").select("#c1-cp-problems")
    assert place.find_parent(class_="builder__bar")


def test_unknown_start_is_reported() -> None:
    """An unknown start is a problem of its own, and the character is unchanged."""
    seen = answered(start="sharpshoter", **DUELLIST)
    (problem,) = (each for each in seen.problems if each.where == "start")
    assert "sharpshooter" in problem.expected
    assert levels(seen) == {"fighting": 4, "acrobatics": 2, "toughness": 4}


def test_stat_block_contains_the_notes() -> None:
    """A note follows its ability in the stat block. The others are free."""
    notes = "fighting: rapier\n\nOwes the smith: 5 gold\nfighting: his father's\nshooting: a long bow"
    answer = require(answered(**DUELLIST, notes=notes, description="quick").answer)
    assert "4 fighting: rapier; his father's" in answer.sheet_text
    assert ": quick" in answer.sheet_text
    assert answer.free_notes == ("Owes the smith: 5 gold", "shooting: a long bow")
    pasted = require(answered(sheet=answer.sheet_text).answer).main.character
    assert pasted.description == "quick; Owes the smith: 5 gold; shooting: a long bow"
    assert json.loads(answer.json)["description"] == pasted.description


def test_free_notes_survive_the_change_from_a_stat_block_to_levels() -> None:
    """Notes outside a stat block are free, and stay when it becomes levels."""
    sheet, notes = "Ria\n4 fighting: rapier\n3 toughness", "fighting: left-handed"
    assert require(answered(sheet=sheet, notes=notes).answer).free_notes == (notes,)
    seen = answered(sheet=sheet, notes=notes, start="levels")
    assert seen.fields["notes"] == "fighting: rapier\nfighting: left-handed"


@pytest.mark.parametrize(
    ("ability", "words"),
    [
        (
            "toughness",
            "+1: hit points 4, stamina 2, strength 11.",
        ),  # hp.max, hp.stamina, def.strength.fallback
        ("stealth", "+1: initiative +2, surprise +1."),  # quickness 2 is higher: def.agility
        ("detection", "+1: initiative +10, intelligence 11, surprise +1."),  # detection.initiative
        ("quickness", "+1: agility 13, hold +3."),
        ("wrestling", "+1: strength 11, basic attack +1."),
        ("shooting", "Level 4 is this campaign's maximum."),  # create.max-level
        ("command", "+1: intelligence 11, 1 point for minions."),
    ],
)
def test_gain_text_lists_effects_of_one_more_level(ability: str, words: str) -> None:
    """The gain text lists the figures that change and the main roll.

    At the maximum level it says so.
    """
    page = soup(toughness="3", shooting="4", quickness="2")
    assert page.select(f".field-{ability} .builder__gain")[0].get_text(strip=True) == words


def test_gain_text_omits_what_another_ability_already_gives() -> None:
    """The gain text omits what another ability already gives.

    With fighting 3 a first level of wrestling improves no basic attack, and the text names the other effects.
    """
    page = soup(toughness="3", fighting="3")
    words = page.select(".field-wrestling .builder__gain")[0].get_text(strip=True)
    assert words == "+1: strength 11, hold +1."


@pytest.mark.parametrize(
    ("fields", "where", "words"),
    [
        ({"fighting": "5"}, "fighting", "Fighting 5 is above the maximum level, 4."),
        ({"fighting": "4", "shooting": "4", "toughness": "4"}, "cp", "2 points over"),
        ({"toughness": "4", "shooting": "4", "healing": "3"}, "cp", "1 point over"),
        ({"toughness": "4"}, "cp", "This character has one ability; most have 3 to 6."),
        ({}, "cp", "There are no abilities yet. Begin with toughness."),
        ({"fighting": "x"}, "fighting", "“x” isn't a level. Write a whole number, such as 2."),
        ({"shooting": "2"}, "toughness", "Without toughness, a character can't act in a fight. Add toughness."),
        (
            {"toughness": "5", "wrestling": "1"},
            "wrestling",
            "Wrestling lowers strength from 12 to 11. Remove it to undo that.",
        ),
        ({**DUELLIST, "minions": "2 toughness"}, "minions", "Minions need a leader with command"),
        ({"command": "1", "minions": "2 toughness"}, "minions", "The minions cost 2 points, but command 1"),
        ({"command": "4", "minions": "1 toughness\n" * 3}, "minions", "A leader has one or two minions, not 3."),
        ({"command": "4", "minions": "1 command"}, "minions", "A minion can't lead others"),
        ({"toughness": "3", "cp": "many"}, "cp", "Character points: enter a whole number, 0 or more."),
        ({"sheet": "X\n5 fighting\n3 toughness"}, "sheet", "Fighting 5 on line 2 is above the maximum"),
        ({"sheet": "X\n3 toughness"}, "sheet", "7 points left to spend."),
    ],
)
def test_character_problem_is_a_sentence_for_players(fields: dict[str, str], where: str, words: str) -> None:
    """The sentence is shown at its control, once, and without technical terms."""
    found = [
        each.get_text(" ", strip=True)
        for each in soup(**fields).select("[data-problem]")
        if each["data-field"] == where and words in each.get_text(" ", strip=True)
    ]
    assert len(found) == 1
    assert "Expected" not in found[0]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        pytest.param({}, "0 points left HP 4 AGI 12 INT 10 STR 11", id="none left"),
        pytest.param({"cp": "many"}, "– points left HP 4 AGI 12 INT 10 STR 11", id="unreadable"),
        pytest.param(
            {"cp": "many", "toughness": "9"}, "– points left HP 9 AGI 12 INT 10 STR 16", id="unreadable and too many"
        ),
        pytest.param({"cp": "11"}, "1 point left HP 4 AGI 12 INT 10 STR 11", id="one left"),
        pytest.param({"cp": "8"}, "2 points over § HP 4 AGI 12 INT 10 STR 11", id="too many"),
        pytest.param({"play": "hp 1"}, "0 points left HP 1 of 4 AGI 12 INT 10 STR 11", id="wounded"),
    ],
)
def test_points_left_and_figures_are_in_one_line(fields: dict[str, str], words: str) -> None:
    """One line above the levels has points left, hit points and the three defences."""
    page = soup(**(DUELLIST | fields))
    line = require(page.select_one(".builder__bar p"))
    assert " ".join(line.get_text(" ").split()) == words
    assert require(line.sourceline) < require(page.select(".builder__levels")[0].sourceline)


def test_spending_too_many_points_is_reported_once() -> None:
    """The bar says how many are too many.

    The sheet's sum doesn't repeat the limit.
    """
    page = soup(**DUELLIST, cp="8")
    words = " ".join(require(page.select_one(".calculator")).get_text(" ").split())
    assert words.count("2 points over") == 1
    assert "10 points" in words
    assert "of 8 points" not in words
    assert "too many" not in words


def test_enter_starts_no_new_character() -> None:
    """The first submit button, which Enter presses, has no name.

    So Enter starts no new character.
    """
    first = require(soup(**DUELLIST).select_one("form [type=submit]"))
    assert not first.has_attr("name")


@pytest.mark.parametrize(
    "own_id",
    [each.id for each in CAST if each.kind in ("opponent", "printed") and not each.build_character().minion_of],
)
def test_opponent_link_opens_a_valid_fight(own_id: str) -> None:
    """The link opens a valid fight of this character's side against the opponent's."""
    page = soup(start="leader")
    link = require(page.select_one(f"a[data-opponent={own_id}]"))
    path, _, query = str(link["href"]).partition("?")
    assert path == "../fight/"
    seen = fight.view(parse_query(query), None)
    assert [problem.code for problem in seen.problems if problem.severity == "error"] == []
    assert "fight.sides" not in {problem.code for problem in seen.problems}
    sides = {each.id: each.side for each in seen.fighters}
    assert len(seen.fighters) == 3 + 1 + len(get_member(own_id).minions)
    assert sides["leader"] == "us"
    assert set(sides.values()) == {"us", "them"}
    assert len([each for each in sides.values() if each == "us"]) == 3


def test_unnamed_character_gets_a_suggested_name() -> None:
    """The fight and the page use a name that differs from all others."""
    seen = answered(**DUELLIST)
    assert require(seen.answer).name == "Sturdy fencer"
    query = next(iter(seen.opponent_groups.values()))[0].query_for_fight
    assert "Sturdy fencer" in {each.name for each in fight.view(parse_query(query), None).fighters}
    assert len(OPPONENTS) >= 12


@pytest.mark.parametrize(
    ("fields", "name", "is_unsaved"),
    [
        pytest.param({"toughness": "3", "shooting": "4"}, "Sturdy archer", False, id="built"),
        pytest.param({"name": "Ria", "toughness": "3"}, "Ria", False, id="named"),
        pytest.param({"start": "duellist"}, "Duellist", True, id="dealt-out"),
        pytest.param({"start": "levels", "sheet": "Ria\n3 toughness"}, "Ria", False, id="a-sheet-as-levels"),
        pytest.param({"start": "empty", "toughness": "3"}, "", True, id="no name"),
    ],
)
def test_answer_has_the_saved_name_and_whether_anything_was_entered(fields: Any, name: str, is_unsaved: bool) -> None:
    """An answer has the saved entry's name and whether the user entered anything to save."""
    seen = answered(**fields)
    assert (seen.saved_name, seen.has_nothing_new_to_save) == (name, is_unsaved)


@pytest.mark.parametrize("extra", ["", "x" * DEFAULT_MAX_QUERY_LENGTH])
def test_scenario_in_stat_block_field_links_to_the_fight(extra: str) -> None:
    """A scenario in place of a stat block is recognized.

    The answer links to the fight page, and the link contains the scenario if it is valid.
    """
    seen = answered(sheet=SAMPLE_SCENARIOS["worked-combat"] + extra, toughness="3")
    assert seen.problems == ()
    assert seen.answer is None
    assert (seen.fight_address == "../fight/") == bool(extra)
    if not extra:
        log = parse_query(seen.fight_address.removeprefix("../fight/#")).text("log")
        assert log.strip() == SAMPLE_SCENARIOS["worked-combat"].strip()
