"""The players' screen: what it tells, and what it never does."""

from __future__ import annotations

import json
import re

import pytest
from bs4 import BeautifulSoup

from build_scripts.calculator_html import render
from scratch_core.calculators.fight import View
from scratch_core.calculators.query import query_string
from scratch_core.dice import SystemRoller
from tests.core.fights import begun, by_lines, fighting
from tests.core.fights_on_board import begun as begun_on_board

ON = 'screen {"screen":"on"}'
SHEETS = """Ann
side: heroes
7 toughness
3 fighting

Vex
side: foes
31 toughness
23 fighting
17 quickness

Zed
side: foes
29 toughness
"""
THEIRS = {"31", "23", "17", "29", "38", "36", "43", "27", "33", "46", "48", "19", "11"}
"""Every number of the foes': levels, hit points, strength, agility, a die and its sum, and what is left after a hit."""


def setting(name: str, *names: str) -> str:
    """What a button of the screen sends."""
    return "screen " + json.dumps({name: json.dumps(names)})


def screened(seen: View, **fields: str) -> View:
    """The fight with the screen's settings as they are and something pressed."""
    kept = {name: seen.fields[name] for name in ("screen", "screen_sides", "screen_hidden")}
    return fighting(seen, SystemRoller(), **{**kept, **fields})


def shown(seen: View) -> str:
    """The HTML that the other window is given."""
    soup = BeautifulSoup(render("fight", seen.query).html, "html.parser")
    part = soup.select_one("[data-screen]")
    return part.decode_contents() if part else ""


def fight() -> View:
    """Ann against two foes, the screen on, the heroes being the players'."""
    seen = begun(SHEETS, "ann 19, vex 1, zed 2")
    assert not shown(seen)
    return screened(screened(seen, act=ON), act=setting("screen_sides", "heroes"))


def test_no_number_of_the_other_side_is_anywhere_in_it() -> None:
    """Hit points, levels, defences, dice and sums of the others stand neither in the text nor in any attribute."""
    seen = fight()
    for act, faces in (
        ({"actor": "vex", "do": "basic-attack", "target": "ann"}, "19"),
        ({"actor": "vex", "do": "end-turn"}, ""),
        ({"actor": "zed", "do": "basic-attack", "target": "ann"}, "11"),
        ({"actor": "zed", "do": "end-turn"}, ""),
        ({"actor": "ann", "do": "basic-attack", "target": "vex"}, "15"),
        ({"do": "set-hp", "target": "zed", "hp": 27}, ""),
        ({"do": "condition", "target": "vex", "condition": "evading", "bonus": 33}, ""),
    ):
        seen = screened(seen, act=json.dumps(act), faces=faces)
        numbers = set(re.findall(r"[0-9]+", shown(seen)))
        assert not numbers & THEIRS, act
    people = BeautifulSoup(shown(seen), "html.parser").select(".person")
    texts = {each.select_one(".person-name").text.strip(): each.select_one(".screen-state").text for each in people}  # type: ignore[union-attr]
    assert re.fullmatch(r"\d+ of 7 \w+", texts["Ann"])
    assert not re.search(r"\d", texts["Vex"] + texts["Zed"])
    assert "button" not in shown(seen)


def test_a_result_tells_the_players_die_and_of_the_others_how_it_went() -> None:
    """A hero's roll tells its die, a foe's how it went; a hit tells its damage, not what is left."""
    seen = screened(fight(), act='{"actor":"ann","do":"basic-attack","target":"vex"}', faces="15")
    assert seen.screen is not None
    assert seen.screen.last == "Ann: basic attack, Vex: a failure with 18 (the die shows 15)."
    seen = screened(seen, act='{"actor":"ann","do":"end-turn"}')
    seen = screened(seen, act='{"actor":"zed","do":"basic-attack","target":"ann"}', faces="19")
    assert seen.screen is not None
    assert seen.screen.last == "Zed: basic attack, Ann: a success, 1 damage."
    seen = screened(fight(), act='{"actor":"ann","do":"basic-attack","target":"vex"}', faces="20")
    assert seen.screen is not None
    assert seen.screen.last == "Ann: basic attack, Vex: a success with 23 (the die shows 20), 2 damage."


def test_a_roll_outside_turns_is_told_of_the_players_alone() -> None:
    """What a foe tries in secret stays so; a hero's is told with its die."""
    roll = {"do": "check", "difficulty": 12, "use": ["fighting"]}
    seen = screened(fight(), act=json.dumps({**roll, "actor": "vex"}), faces="9")
    assert not seen.problems
    assert seen.screen is not None
    assert "Vex" not in seen.screen.last
    seen = screened(fight(), act=json.dumps({**roll, "actor": "ann"}), faces="9")
    assert seen.screen is not None
    assert seen.screen.last.startswith("Ann: ")


def test_of_two_blows_each_is_told_its_own_damage() -> None:
    """A miss has none, though the same target is hit by the other blow; a hidden target's stays untold."""
    seen = screened(fight(), act='{"actor":"ann","do":"double-attack","targets":["vex","vex"]}', faces="2, 20")
    assert seen.screen is not None
    blows = "a failure with 5 (the die shows 2); a success with 23 (the die shows 20), 2 damage."
    assert seen.screen.last.endswith(f", Vex: {blows}")
    seen = screened(seen, act=setting("screen_hidden", "vex"))
    assert seen.screen is not None
    assert "damage" not in seen.screen.last


def test_the_screen_s_buttons_say_which_are_on_and_name_people() -> None:
    """Who has no side of its own is on it by its name; what is on is pressed."""
    sheets = "Rook of Rye\n2 toughness\n\nKim\nside: pirates\n2 toughness"
    seen = screened(screened(begun(sheets, "rook-of-rye 3, kim 2"), act=ON), act=setting("screen_sides", "rook-of-rye"))
    soup = BeautifulSoup(render("fight", seen.query).html, "html.parser")
    buttons = soup.select(".fight-screen button[aria-pressed]")
    sides, hiding = [("Rook of Rye", "true"), ("pirates", "false")], [("Rook of Rye", "false"), ("Kim", "false")]
    assert [(each.text, each["aria-pressed"]) for each in buttons] == [*sides, *hiding]


def test_the_end_of_a_turn_leaves_the_act_before_it_on_the_screen() -> None:
    """As in the game master's head: a mere end of a turn is told only where the turn held nothing else."""
    seen = screened(fight(), act='{"actor":"ann","do":"basic-attack","target":"vex"}', faces="15")
    told = seen.screen.last if seen.screen else ""
    seen = screened(seen, act='{"actor":"ann","do":"end-turn"}')
    assert seen.screen is not None
    assert seen.screen.last == told
    seen = screened(seen, act='{"actor":"zed","do":"end-turn"}')
    assert seen.screen is not None
    assert seen.screen.last == "Zed: end of a turn."


def test_hidden_people_and_what_they_do_are_left_out() -> None:
    """Somebody hidden is not in the row, its turn is nobody's, and the last result that may be known stays."""
    seen = screened(fight(), act=setting("screen_hidden", "zed"))
    seen = screened(seen, act='{"actor":"ann","do":"end-turn"}')
    before = seen.screen.last if seen.screen else ""
    seen = screened(seen, act='{"actor":"zed","do":"basic-attack","target":"ann"}', faces="19")
    assert seen.screen is not None
    assert [each.fighter.name for each in seen.screen.people] == ["Ann", "Vex"]
    assert (seen.screen.whose, seen.screen.last) == ("", before)
    assert "Zed" not in shown(seen)


@pytest.mark.parametrize("hidden", [False, True], ids=["seen", "hidden"])
def test_whoever_is_hidden_is_not_named_on_leaving_or_coming_back(hidden: bool) -> None:
    """The game master's hand takes somebody out and back in: told of those who are seen, and of nobody else."""
    seen = screened(fight(), act=setting("screen_hidden", *(["zed"] if hidden else [])))
    for act in ('{"do":"leave","target":"zed"}', '{"do":"return","target":"zed"}'):
        seen = screened(seen, act=act)
        assert not seen.problems
        assert seen.screen is not None
        assert ("Zed" in seen.screen.last) is not hidden
        assert ("Zed" in shown(seen)) is not hidden


def test_on_a_board_the_hidden_stand_nowhere() -> None:
    """The board is there to look at, without the tokens of those hidden, and nothing to press."""
    seen = screened(begun_on_board(), act=ON)
    assert seen.screen is not None
    assert seen.screen.board is not None
    pieces = len(seen.screen.board.pieces)
    seen = screened(seen, act=setting("screen_hidden", "bo"))
    assert seen.screen is not None
    assert seen.screen.board is not None
    assert len(seen.screen.board.pieces) == pieces - 1
    assert "data-space" not in shown(seen)


@pytest.mark.parametrize("system", ["mano", "mano-old", "seize"])
def test_every_order_of_turns_has_a_screen(system: str) -> None:
    """The same screen in the other orders, numbers for the players' sides alone."""
    seen = screened(screened(by_lines(system), act=ON), act=setting("screen_sides", "red"))
    assert seen.screen is not None
    assert {each.fighter.name for each in seen.screen.people} == {"Ann", "Bo"}
    assert next(each for each in seen.screen.people if each.fighter.name == "Bo").standing.hp is None
    assert shown(seen)


@pytest.mark.parametrize("text", ["", "3", "{", '{"log": "x"}', '{"screen_sides": "[1, {}"}', "[" * 2_000])
def test_any_setting_is_answered(text: str) -> None:
    """What is no setting changes nothing in the fight."""
    seen = fight()
    assert screened(seen, act=f"screen {text}").fields["log"] == seen.fields["log"]
    assert render("fight", query_string({"log": seen.fields["log"], "screen": "on", "screen_sides": text})).html
