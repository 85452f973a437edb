"""The players' screen: what it tells, and what it never does."""

import base64
import json
import os
import random
import re
import zlib
from typing import Any

import pytest
import segno
from bs4 import BeautifulSoup

from build_scripts.calculator_html import render, with_codes
from scratch_core.calculators.fight import View
from scratch_core.calculators.query import query_string
from scratch_core.dice import SystemRoller
from tests.core.fights import begun, by_lines, fighting
from tests.core.fights_on_board import begun as begun_on_board
from tests.known import known

ON = 'screen {"screen":"on"}'
CODE = 'screen {"screen":"code"}'
PAIRS = int(os.environ.get("SCREEN_PAIRS", "40"))
SHEETS = """Ann
side: heroes
7 toughness
3 fighting

Vex
side: foes
turns: separate
31 toughness
23 fighting
17 quickness

Zed
side: foes
turns: separate
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
    texts = {each.select(".person-name")[0].text.strip(): each.select(".screen-state")[0].text for each in people}
    assert re.fullmatch(r"\d+ of 7 \w+", texts["Ann"])
    assert not re.search(r"\d", texts["Vex"] + texts["Zed"])
    assert "button" not in shown(seen)


def test_a_result_tells_the_players_die_and_of_the_others_how_it_went() -> None:
    """A hero's roll tells its die, a foe's how it went; a hit tells its damage, not what is left."""
    seen = screened(fight(), act='{"actor":"ann","do":"basic-attack","target":"vex"}', faces="15")
    assert known(seen.screen).last == "Ann: basic attack, Vex: a failure with 18 (the die shows 15)."
    seen = screened(seen, act='{"actor":"ann","do":"end-turn"}')
    seen = screened(seen, act='{"actor":"zed","do":"basic-attack","target":"ann"}', faces="19")
    assert known(seen.screen).last == "Zed: basic attack, Ann: a success, 1 damage."
    seen = screened(fight(), act='{"actor":"ann","do":"basic-attack","target":"vex"}', faces="20")
    assert known(seen.screen).last == "Ann: basic attack, Vex: a success with 23 (the die shows 20), 2 damage."


def test_a_roll_outside_turns_is_told_of_the_players_alone() -> None:
    """What a foe tries in secret stays so; a hero's is told with its die."""
    roll = {"do": "check", "difficulty": 12, "use": ["fighting"]}
    seen = screened(fight(), act=json.dumps({**roll, "actor": "vex"}), faces="9")
    assert not seen.problems
    assert "Vex" not in known(seen.screen).last
    seen = screened(fight(), act=json.dumps({**roll, "actor": "ann"}), faces="9")
    assert known(seen.screen).last.startswith("Ann: ")


def test_of_two_blows_each_is_told_its_own_damage() -> None:
    """A miss has none, though the same target is hit by the other blow; a hidden target's stays untold."""
    seen = screened(fight(), act='{"actor":"ann","do":"double-attack","targets":["vex","vex"]}', faces="2, 20")
    blows = "a failure with 5 (the die shows 2); a success with 23 (the die shows 20), 2 damage."
    assert known(seen.screen).last.endswith(f", Vex: {blows}")
    seen = screened(seen, act=setting("screen_hidden", "vex"))
    assert "damage" not in known(seen.screen).last


def test_the_end_of_a_turn_leaves_the_act_before_it_on_the_screen() -> None:
    """As in the game master's head: a mere end of a turn is told only where the turn held nothing else."""
    seen = screened(fight(), act='{"actor":"ann","do":"basic-attack","target":"vex"}', faces="15")
    told = seen.screen.last if seen.screen else ""
    seen = screened(seen, act='{"actor":"ann","do":"end-turn"}')
    assert known(seen.screen).last == told
    seen = screened(seen, act='{"actor":"zed","do":"end-turn"}')
    assert known(seen.screen).last == "Zed: end of a turn."


def test_hidden_people_and_what_they_do_are_left_out() -> None:
    """Somebody hidden is not in the row, its turn is nobody's, and the last result that may be known stays."""
    seen = screened(fight(), act=setting("screen_hidden", "zed"))
    seen = screened(seen, act='{"actor":"ann","do":"end-turn"}')
    before = seen.screen.last if seen.screen else ""
    seen = screened(seen, act='{"actor":"zed","do":"basic-attack","target":"ann"}', faces="19")
    assert [each.fighter.name for each in known(seen.screen).people] == ["Ann", "Vex"]
    assert (known(seen.screen).whose, known(seen.screen).last) == ("", before)
    assert "Zed" not in shown(seen)


@pytest.mark.parametrize("hidden", [False, True], ids=["seen", "hidden"])
def test_whoever_is_hidden_is_not_named_on_leaving_or_coming_back(hidden: bool) -> None:
    """The game master's hand takes somebody out and back in: told of those who are seen, and of nobody else."""
    seen = screened(fight(), act=setting("screen_hidden", *(["zed"] if hidden else [])))
    for act in ('{"do":"leave","target":"zed"}', '{"do":"return","target":"zed"}'):
        seen = screened(seen, act=act)
        assert not seen.problems
        assert ("Zed" in known(seen.screen).last) is not hidden
        assert ("Zed" in shown(seen)) is not hidden


def test_on_a_board_the_hidden_stand_nowhere() -> None:
    """The board is there to look at, without the tokens of those hidden, and nothing to press."""
    seen = screened(begun_on_board(), act=ON)
    pieces = len(known(known(seen.screen).board).pieces)
    seen = screened(seen, act=setting("screen_hidden", "bo"))
    assert len(known(known(seen.screen).board).pieces) == pieces - 1
    assert "data-space" not in shown(seen)


@pytest.mark.parametrize("system", ["mano", "mano-old", "seize"])
def test_every_order_of_turns_has_a_screen(system: str) -> None:
    """The same screen in the other orders, numbers for the players' sides alone."""
    seen = screened(screened(by_lines(system), act=ON), act=setting("screen_sides", "red"))
    assert {each.fighter.name for each in known(seen.screen).people} == {"Ann", "Bo"}
    assert next(each for each in known(seen.screen).people if each.fighter.name == "Bo").standing.hp is None
    assert shown(seen)


@pytest.mark.parametrize("text", ["", "3", "{", '{"log": "x"}', '{"screen_sides": "[1, {}"}', "[" * 2_000])
def test_any_setting_is_answered(text: str) -> None:
    """What is no setting changes nothing in the fight."""
    seen = fight()
    assert screened(seen, act=f"screen {text}").fields["log"] == seen.fields["log"]
    assert render("fight", query_string({"log": seen.fields["log"], "screen": "on", "screen_sides": text})).html


# The code for the players' own phones


def told(code: str) -> list[Any]:
    """What a code's letters hold."""
    packed = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
    found: list[Any] = json.loads(zlib.decompress(packed, -15))
    return found


def code_of(seen: View) -> str:
    """The letters of the fight's code."""
    return known(seen.screen).code


def test_the_code_is_the_moment_as_the_players_see_it() -> None:
    """Round, step, whose turn, what came of it, and everybody."""
    seen = screened(fight(), act=CODE)
    seen = screened(seen, act='{"actor":"ann","do":"basic-attack","target":"vex"}', faces="15")
    assert told(code_of(seen)) == [
        1,
        1,
        "Ann is on turn",
        "Ann: basic attack, Vex: a failure with 18 (the die shows 15).",
        [
            [1, "Ann", "heroes", "7 of 7 healthy", "", "on"],
            [2, "Zed", "foes", "healthy", "", ""],
            [2, "Vex", "foes", "healthy", "", ""],
        ],
    ]
    assert f'data-code="tools/players-screen/#={code_of(seen)}"' in render("fight", seen.query).html


def _random_fight(dice: random.Random, hidden: random.Random) -> View:
    """A few acts of a fight that everybody sees, and between them what only the game master knows."""
    foes = "side: foes\nturns: separate"
    sheets = (
        f"Ann\nside: heroes\n{dice.randint(4, 8)} toughness\n3 fighting\n\n"
        f"Vex\n{foes}\n{hidden.randint(20, 40)} toughness\n{hidden.randint(1, 9)} healing\n3 fighting\n\n"
        f"Zed\n{foes}\n{hidden.randint(1, 9)} toughness\n{hidden.randint(1, 9)} fighting\n"
    )
    seen = begun(sheets, "ann 19, vex 5, zed 1")
    seen = screened(screened(seen, act=CODE), act=setting("screen_sides", "heroes"))
    seen = screened(seen, act=setting("screen_hidden", "zed"))
    for _ in range(dice.randint(0, 3)):
        for who, whom in (("ann", "vex"), ("vex", "ann")):
            act = {"actor": who, "do": "basic-attack", "target": whom, "note": str(hidden.random())}
            seen = screened(seen, act=json.dumps(act), faces=str(dice.choice((1, 1, 2))))
            if hidden.random() < 0.3:
                seen = screened(screened(seen, act='{"actor":"%s","do":"end-turn"}' % who), act="undo")  # noqa: UP031
            seen = screened(seen, act=json.dumps({"actor": who, "do": "end-turn"}))
        if hidden.random() < 0.5:
            seen = screened(seen, act='{"actor":"zed","do":"check","difficulty":9,"use":["fighting"]}', faces="9")
        seen = screened(seen, act='{"actor":"zed","do":"end-turn"}')
    if hidden.random() < 0.3:
        seen = screened(seen, act=json.dumps({"do": "set-hp", "target": "zed", "hp": 1}))
    return screened(seen, faces=str(hidden.randint(1, 20)), note=str(hidden.random()))


@pytest.mark.parametrize("seed", range(PAIRS))
def test_what_is_hidden_leaves_no_trace_in_the_code(seed: int) -> None:
    """Others' figures, somebody unseen and what they do, notes, what was undone, own dice: the same letters without."""
    one = code_of(_random_fight(random.Random(seed), random.Random(f"one {seed}")))
    other = code_of(_random_fight(random.Random(seed), random.Random(f"other {seed}")))
    assert one == other
    assert "Zed" not in str(told(one))


def test_a_fight_of_eight_at_step_200_is_a_code_that_a_phone_reads() -> None:
    """At most version 25 at level L, with names of 20 letters and all that may have befallen somebody."""
    names = [
        f"The {word} of the {whose}"
        for whose in ("forest", "harbor")
        for word in ("captain", "guards", "warden", "archer")
    ]
    sheets = "".join(
        f"{name}\nside: {'heroes' if 'forest' in name else 'foes'}\nturns: separate\n9 toughness\n3 fighting\n\n"
        for name in names
    )
    seen = begun(sheets, ", ".join(f"{name} {19 - number}" for number, name in enumerate(names)))
    seen = screened(screened(seen, act=CODE), act=setting("screen_sides", "heroes", "foes"))
    log = json.loads(seen.fields["log"])
    order = [row.fighter.id for row in seen.shown.in_order]
    log["steps"] += [{"actor": order[number % 8], "do": "end-turn"} for number in range(200)]
    seen = fighting(seen, SystemRoller(), log=json.dumps(log), screen="code", screen_sides='["heroes","foes"]')
    for who in order:
        seen = screened(seen, act=json.dumps({"do": "condition", "target": who, "condition": "in-cover"}))
        seen = screened(seen, act=json.dumps({"do": "condition", "target": who, "condition": "delayed"}))
    assert not seen.problems
    assert told(code_of(seen))[0] == 26
    code = segno.make(f"https://a-table.example/scratch/tools/players-screen/#={code_of(seen)}", error="L", micro=False)
    assert int(code.version) <= 25


def test_no_code_is_drawn_where_no_phone_comes() -> None:
    """At an address of this device alone a sentence stands in its place."""
    figure = '<figure data-code="tools/players-screen/#=abc"></figure>'
    for root in ("http://localhost:8000/", "http://127.0.0.1:8000/sub/", "file:///site/"):
        assert "reached from this device alone" in with_codes(figure, root)
    assert "<svg" in with_codes(figure, "https://somebody.example/")
