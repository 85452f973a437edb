"""Pasted text: what can be parsed is used, and every line that is left out is named."""

import pytest

from build_scripts.render import render_calculator_response
from scratch_core.calculators import character, fight
from scratch_core.calculators.characters_text.setup_text import parse_setup
from scratch_core.calculators.shared.query import format_query, parse_query
from tests.support.known import require

CHAT = """[9:14 PM] Dave: {talk}
Brannoch Vael - dwarf ex-mercenary, grumpy
Fighting 3 (warhammer & shield)
Toughness +4
wrestling 2
he's got a bit of craftsmanship too, say 1
AC 16, 32 hp
Dex 12"""
TALK = ("ok so here's my guy lol", "Ok so here's my guy", "here is who i will play tonight")


@pytest.mark.parametrize("talk", TALK)
def test_chat_with_small_talk_gives_the_character(talk: str) -> None:
    """Three clear lines in a chat make a character on every page.

    The pages name each ignored line by its number.
    """
    text = CHAT.format(talk=talk)
    seen = character.view(parse_query(format_query({"sheet": text})), None)
    main = require(seen.answer).main.character
    assert (main.name, main.description) == ("Brannoch Vael", "dwarf ex-mercenary, grumpy")
    assert {line.ability: line.level for line in main.lines} == {"fighting": 3, "toughness": 4, "wrestling": 2}
    assert {problem.severity for problem in seen.problems} == {"advice"}
    message = " ".join(problem.got for problem in seen.problems)
    assert all(f"on line {number}" in message for number in (1, 6, 7, 8)), message
    assert [each.name for each in fight.view(parse_query(format_query({"sheets": text})), None).fighters] == [main.name]
    page = render_calculator_response("fight", format_query({"sheets": text})).html
    assert "“Dex 12” was ignored on line 8." in page


def test_levels_of_a_pasted_chat_can_be_changed() -> None:
    """The button brings the levels that could be read into the controls."""
    form = {"sheet": CHAT.format(talk=TALK[0]), "start": "levels"}
    seen = character.view(parse_query(format_query(form)), None)
    fields = [seen.fields[name] for name in ("sheet", "name", "fighting", "toughness", "wrestling")]
    assert fields == ["", "Brannoch Vael", "3", "4", "2"]


@pytest.mark.parametrize("sheet", ["Ann\n2 shoting", "Ann\nmany toughness", "Ann"])
def test_unparsable_levels_are_refused_with_a_reason(sheet: str) -> None:
    """The button says why the stat block can't be converted to levels, and changes nothing."""
    seen = character.view(parse_query(format_query({"sheet": sheet, "start": "levels"})), None)
    assert seen.fields["sheet"] == sheet
    assert "start.levels" in {problem.code for problem in seen.problems}


def test_misspelt_ability_in_a_pasted_text_is_a_problem() -> None:
    """A misspelt ability is not ignored: the fight doesn't begin."""
    seen = fight.view(parse_query(format_query({"sheets": "Ann\n2 toughness\n2 shoting"})), None)
    assert [problem.code for problem in seen.problems if problem.severity == "error"] == ["fight.meant"]
    assert seen.fighters == ()


BLOCKS_AND_CHAT = "Wren\n3 shooting\n4 toughness\n\nAnna: nice!! lol\n\n{talk}Tolk\n3 fighting\n4 toughness"


def test_line_of_a_chat_between_two_characters_is_ignored() -> None:
    """A line of a chat between two characters is ignored, and the page names it."""
    text = BLOCKS_AND_CHAT.format(talk="")
    seen = fight.view(parse_query(format_query({"sheets": text})), None)
    assert [each.name for each in seen.fighters] == ["Wren", "Tolk"]
    page = render_calculator_response("fight", format_query({"sheets": text})).html
    assert "“Anna: nice!! lol” was ignored on line 5." in page
    alone = character.view(parse_query(format_query({"sheet": text.partition("\n\nTolk")[0]})), None)
    assert not {"sheet.abilities", "sheet.several"} & {problem.code for problem in alone.problems}


def test_name_with_settings_is_not_ignored() -> None:
    """A name with settings below it is a character without abilities."""
    text = BLOCKS_AND_CHAT.format(talk="side: red\nhp: 3\n\n")
    assert [each.code for each in parse_setup(text.replace("\n\nside", "\nside")).problems] == ["sheet.abilities"]
