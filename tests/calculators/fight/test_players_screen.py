"""The players' screen: its content, and what it must not reveal."""

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

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import View
from scratch_core.calculators.fight.player_view import VisibleDie, split_first_sentence
from scratch_core.calculators.shared.query import format_query
from scratch_core.dice import SystemRoller
from tests.support.fights import view_begun_fight, view_begun_variant, view_fight, view_next
from tests.support.fights_on_board import MAP
from tests.support.fights_on_board import view_begun_board_fight as begun_on_board
from tests.support.known import require

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
    """Return the command that a button of the screen sends."""
    return "screen " + json.dumps({name: json.dumps(names)})


def screened(seen: View, **fields: str) -> View:
    """The fight with the screen's settings as they are and something pressed."""
    settings = {name: seen.fields[name] for name in ("screen", "screen_sides", "screen_hidden")}
    return view_next(seen, SystemRoller(), **{**settings, **fields})


def render_screen(seen: View) -> str:
    """The HTML that the other window is given."""
    soup = BeautifulSoup(render_calculator_response("fight", seen.query).html, "html.parser")
    part = soup.select_one("[data-screen]")
    return part.decode_contents() if part else ""


def fight() -> View:
    """Ann against two foes, the screen on, the heroes being the players'."""
    seen = view_begun_fight(SHEETS, "ann 19, vex 1, zed 2")
    assert not render_screen(seen)
    return screened(screened(seen, act=ON), act=setting("screen_sides", "heroes"))


@pytest.mark.parametrize("side", ["us", "Us"])
def test_side_us_is_shown_to_players_until_switched_off(side: str) -> None:
    """The side *us* is shown by default and stays hidden once it is switched off.

    So the screen is not empty.
    """
    seen = screened(view_begun_fight(SHEETS.replace("heroes", side), "ann 19, vex 1, zed 2"), act=ON)
    (row,) = (each for each in require(seen.player_view).rows if each.fighter.name == "Ann")
    assert row.status.hp == 7
    assert [each.is_on for each in require(seen.screen_settings).side_toggles] == [True, False]
    off = screened(seen, act=f"screen {require(seen.screen_settings).side_toggles[0].settings_json}")
    assert not any(each.is_on for each in require(off.screen_settings).side_toggles)


def test_screen_contains_no_number_of_the_other_side() -> None:
    """The screen contains no number of the other side.

    Neither its text nor its attributes have hit points, levels, defences, dice or totals.
    """
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
        numbers = set(re.findall(r"[0-9]+", render_screen(seen)))
        assert not numbers & THEIRS, act
    people = BeautifulSoup(render_screen(seen), "html.parser").select(".person")
    texts = {
        each.select(".person__name")[0].text.strip(): each.select(".players-screen__state")[0].text for each in people
    }
    assert re.fullmatch(r"\d+ of 7 \w+", texts["Ann"])
    assert not re.search(r"\d", texts["Vex"] + texts["Zed"])
    assert "button" not in render_screen(seen)


def test_player_view_shows_total_of_heroes_and_result_of_foes() -> None:
    """A hero's roll shows its total, a foe's only its result.

    A hit shows damage, and the remaining hit points of a hero.
    """
    seen = screened(fight(), act='{"actor":"ann","do":"basic-attack","target":"vex"}', faces="15")
    assert require(seen.player_view).last_narration == "Ann attacks Vex: 18. Miss."
    seen = screened(seen, act='{"actor":"ann","do":"end-turn"}')
    seen = screened(seen, act='{"actor":"zed","do":"basic-attack","target":"ann"}', faces="19")
    assert require(seen.player_view).last_narration == "Zed attacks Ann. Hit: 1 damage, 6 hit points left."
    seen = screened(fight(), act='{"actor":"ann","do":"basic-attack","target":"vex"}', faces="20")
    assert require(seen.player_view).last_narration == "Ann attacks Vex: a natural 20 (23). Hit: 2 damage."


def test_player_view_shows_checks_of_heroes_only() -> None:
    """A hero's check is shown without its difficulty, and a foe's check is hidden."""
    roll = {"do": "check", "difficulty": 12, "use": ["fighting"]}
    seen = screened(fight(), act=json.dumps({**roll, "actor": "vex"}), faces="9")
    assert not seen.problems
    assert "Vex" not in require(seen.player_view).last_narration
    seen = screened(fight(), act=json.dumps({**roll, "actor": "ann"}), faces="9")
    assert require(seen.player_view).last_narration == "Ann makes a roll: 9. Failure."


def test_die_shows_its_number_for_own_rolls_only() -> None:
    """A hero's die has its number, a foe's only a sign of success or failure."""
    seen = screened(fight(), act='{"actor":"ann","do":"basic-attack","target":"vex"}', faces="15")
    assert require(seen.player_view).dice == (VisibleDie(15, is_success=False),)
    assert list_dice(seen) == [("15", False)]
    seen = screened(seen, act='{"actor":"ann","do":"end-turn"}')
    seen = screened(seen, act='{"actor":"zed","do":"basic-attack","target":"ann"}', faces="19")
    assert require(seen.player_view).dice == (VisibleDie(None, is_success=True),)
    assert list_dice(seen) == [("✓", True)]


def list_dice(seen: View) -> list[tuple[str, bool]]:
    """Return the text of each die on the screen and whether it shows a success."""
    dice = BeautifulSoup(render_screen(seen), "html.parser").select(".players-screen__dice .die")
    return [(each.text, "is-success" in each["class"]) for each in dice]


def test_die_of_roll_against_hidden_target_is_left_out() -> None:
    """Of two attacks only that on the visible target has a die."""
    seen = screened(fight(), act='{"actor":"ann","do":"double-attack","targets":["vex","zed"]}', faces="2, 20")
    assert [face for face, _ in list_dice(seen)] == ["2", "20"]
    assert [face for face, _ in list_dice(screened(seen, act=setting("screen_hidden", "vex")))] == ["20"]
    assert list_dice(screened(seen, act=setting("screen_hidden", "vex", "zed"))) == []


def test_next_names_are_those_of_visible_characters_with_a_turn() -> None:
    """Hidden, incapacitated and delayed characters are not next."""
    assert require(fight().player_view).next_names == ("Zed", "Vex")
    assert "Next: Zed, then Vex" in render_screen(fight())
    hidden = screened(fight(), act=setting("screen_hidden", "zed"))
    assert require(hidden.player_view).next_names == ("Vex",)
    delayed = screened(fight(), act='{"do":"condition","target":"zed","condition":"delayed"}')
    assert require(delayed.player_view).next_names == ("Vex",)
    down = screened(fight(), act='{"do":"set-hp","target":"zed","hp":0}')
    assert require(down.player_view).next_names == ("Vex",)


def test_next_names_begin_with_members_of_the_group_without_a_turn() -> None:
    """Members of a group who have had their turn are not next again."""
    sheets = "side: foes\n\nAnn\n3 toughness\n\nBo\n3 toughness\n\nCy\n3 toughness\n\nside: us\n\nDee\n3 toughness\n"
    seen = view_begun_fight(sheets.replace("toughness\n\n", "toughness\ngroup: foes\n\n"), "")
    order = [row.fighter.name for row in require(seen.fight_view).ordered_rows]
    seen = screened(seen, act=ON)
    view = require(seen.player_view)
    assert [require(view.headline_row).fighter.name, *view.next_names] == order[:3]


def test_turn_system_without_fixed_sequence_names_no_one_as_next() -> None:
    """If a character may seize the initiative, no one is certain to be next."""
    seen = screened(view_begun_variant("seize", initiative="Ann 19, Bo 5"), act=ON)
    assert require(seen.player_view).next_names == ()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Ann attacks Vex: 18. Miss.", ("Ann attacks Vex: 18.", "Miss.")),
        ("Ann evades.", ("Ann evades.", "")),
        ("Dr. No attacks Ann. Hit: 1 damage.", ("Dr. No attacks Ann.", "Hit: 1 damage.")),
        ("", ("", "")),
    ],
)
def test_last_narration_is_split_after_its_first_sentence(text: str, parts: tuple[str, str]) -> None:
    """A full stop in a name ends no sentence."""
    assert split_first_sentence(text, ["Ann", "Vex", "Dr. No"]) == parts


def test_end_has_three_figures_of_visible_rolls() -> None:
    """Before the end there are none, and a hidden character's roll is not counted."""
    seen = screened(fight(), act='{"actor":"ann","do":"basic-attack","target":"zed"}', faces="20")
    seen = screened(screened(seen, act='{"actor":"ann","do":"end-turn"}'), act=setting("screen_hidden", "zed"))
    seen = screened(seen, act='{"actor":"zed","do":"basic-attack","target":"ann"}', faces="19")
    seen = after(seen, END % "zed", '{"actor":"vex","do":"basic-attack","target":"ann"}')
    assert require(seen.player_view).end_figures == ()
    seen = after(screened(seen, act=setting("screen_hidden")), *down("vex", "zed"))
    (rounds, rolls, best) = require(seen.player_view).end_figures
    assert (rounds, rolls[1][-5:], best) == (("rounds", "2"), " of 3", ("best roll: Ann", "23"))
    seen = screened(seen, act=setting("screen_hidden", "zed"))
    assert require(seen.player_view).end_figures[1][1].endswith(" of 1")
    assert "<dt>rounds</dt><dd>2</dd>" in render_screen(seen)


def test_end_without_rolls_has_figures_of_characters() -> None:
    """A fight without dice counts characters.

    The headline has the mark of those who are left.
    """
    seen = after(fight(), END % "ann", *down("vex", "zed"))
    view = require(seen.player_view)
    assert view.end_figures == (("rounds", "2"), ("able to act", "1"), ("unable to act", "2"))
    assert require(view.headline_row).fighter.name == "Ann"
    assert '<strong class="players-screen__name">Only the heroes are left in sight</strong>' in render_screen(seen)


@pytest.mark.parametrize(
    ("count", "name", "columns"), [(6, "A", 6), (8, "A", 8), (8, "A long name", 4), (9, "A", 5), (17, "A", 6)]
)
def test_lines_of_the_roster_have_nearly_equal_lengths(count: int, name: str, columns: int) -> None:
    """Six fit into a line, and eight with short names."""
    sheets = "".join(f"{name} {n}\nside: {'us' if n % 2 else 'them'}\n3 toughness\n\n" for n in range(1, count + 1))
    seen = screened(view_begun_fight(sheets, ""), act=ON)
    assert require(seen.player_view).column_count == columns
    assert f"players-screen__people--{columns}" in render_screen(seen)


def test_each_of_two_attacks_shows_its_own_damage() -> None:
    """Each of two attacks shows its own damage, and a miss shows none.

    Both attacks have the same target. The damage of a hidden target is not shown.
    """
    seen = screened(fight(), act='{"actor":"ann","do":"double-attack","targets":["vex","vex"]}', faces="2, 20")
    attacks = "Vex: 5. Miss. Vex: a natural 20 (23). Hit: 2 damage."
    assert require(seen.player_view).last_narration == f"Ann makes two basic attacks. {attacks}"
    seen = screened(seen, act=setting("screen_hidden", "vex"))
    assert "damage" not in require(seen.player_view).last_narration


def test_player_view_shows_last_action_after_turn_ends() -> None:
    """The end of a turn is shown only if the turn had no other action."""
    seen = screened(fight(), act='{"actor":"ann","do":"basic-attack","target":"vex"}', faces="15")
    narration = seen.player_view.last_narration if seen.player_view else ""
    seen = screened(seen, act='{"actor":"ann","do":"end-turn"}')
    assert require(seen.player_view).last_narration == narration
    seen = screened(seen, act='{"actor":"zed","do":"end-turn"}')
    assert require(seen.player_view).last_narration == "Zed ends their turn."


def test_screen_omits_hidden_characters_and_their_actions() -> None:
    """A hidden character and its actions are missing from the screen.

    The turn and the result before its turn stay.
    """
    seen = screened(fight(), act=setting("screen_hidden", "zed"))
    seen = screened(seen, act='{"actor":"ann","do":"end-turn"}')
    before = seen.player_view.last_narration if seen.player_view else ""
    seen = screened(seen, act='{"actor":"zed","do":"basic-attack","target":"ann"}', faces="19")
    assert [each.fighter.name for each in require(seen.player_view).rows] == ["Ann", "Vex"]
    assert (require(seen.player_view).turn_text, require(seen.player_view).last_narration) == ("Ann's turn", before)
    assert "Zed" not in render_screen(seen)


@pytest.mark.parametrize("hidden", [False, True], ids=["seen", "hidden"])
def test_player_view_omits_leaving_and_return_of_hidden(hidden: bool) -> None:
    """A character that leaves or returns is named only if it is visible."""
    seen = screened(fight(), act=setting("screen_hidden", *(["zed"] if hidden else [])))
    for act in ('{"do":"leave","target":"zed"}', '{"do":"return","target":"zed"}'):
        seen = screened(seen, act=act)
        assert not seen.problems
        assert ("Zed" in require(seen.player_view).last_narration) is not hidden
        assert ("Zed" in render_screen(seen)) is not hidden


def test_map_has_no_tokens_of_hidden_characters() -> None:
    """The map has no tokens of hidden characters and no controls."""
    seen = screened(begun_on_board(), act=ON)
    pieces = len(require(require(seen.player_view).board).tokens)
    seen = screened(seen, act=setting("screen_hidden", "bo"))
    assert len(require(require(seen.player_view).board).tokens) == pieces - 1
    assert "data-space" not in render_screen(seen)


def play_narrations(seen: View, *acts: str) -> list[str]:
    """Return the last sentence on the screen after each of some actions."""
    narrations = []
    for act in acts:
        seen = screened(seen, act=act)
        assert not seen.problems, act
        narrations.append(require(seen.player_view).last_narration)
    return narrations


@pytest.mark.parametrize(
    ("system", "acts", "narrations"),
    [
        (
            "mano",
            (
                '{"actor":"ann","do":"active","target":"bo","move":true}',
                '{"do":"stun","target":"bo","points":1}',
                '{"actor":"bo","do":"combo","target":"ann","count":1}',
            ),
            ["Ann moves and attacks Bo.", "Bo takes 1 stun.", "Bo uses a combo of 1 action against Ann."],
        ),
        (
            "seize",
            ('{"actor":"ann","do":"turn"}', '{"do":"lose-hp","target":"bo","points":2}', '{"actor":"bo","do":"seize"}'),
            ["Ann takes a turn.", "Bo loses 2 hit points.", "Bo seizes the initiative."],
        ),
    ],
)
def test_screen_of_other_turn_systems_shows_actions_as_sentences(
    system: str, acts: tuple[str, ...], narrations: list[str]
) -> None:
    """A sentence names the actor, the action and the target.

    It never has the form of an action's name and a colon.
    """
    rolls = {"initiative": "Ann 19, Bo 5"} if system == "seize" else {}
    seen = screened(view_begun_variant(system, **rolls), act=ON)
    assert play_narrations(seen, *acts) == narrations


@pytest.mark.parametrize("system", ["mano", "mano-old", "seize"])
def test_every_turn_system_has_a_screen(system: str) -> None:
    """The other turn systems have the same screen, with numbers for the players' sides alone."""
    seen = screened(screened(view_begun_variant(system), act=ON), act=setting("screen_sides", "red"))
    assert {each.fighter.name for each in require(seen.player_view).rows} == {"Ann", "Bo"}
    assert next(each for each in require(seen.player_view).rows if each.fighter.name == "Bo").status.hp is None
    assert render_screen(seen)


@pytest.mark.parametrize("text", ["", "3", "{", '{"log": "x"}', '{"screen_sides": "[1, {}"}', "[" * 2_000])
def test_invalid_screen_settings_change_nothing(text: str) -> None:
    """An invalid setting changes nothing in the fight."""
    seen = fight()
    assert screened(seen, act=f"screen {text}").fields["log"] == seen.fields["log"]
    assert render_calculator_response(
        "fight", format_query({"log": seen.fields["log"], "screen": "on", "screen_sides": text})
    ).html


# The code for the players' own phones


def decode_screen_code(code: str) -> list[Any]:
    """Decode the letters of a code."""
    packed = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
    found: list[Any] = json.loads(zlib.decompress(packed, -15))
    return found


def code_of(seen: View) -> str:
    """The letters of the fight's code."""
    return require(seen.player_view).text_for_address


def test_screen_code_contains_the_player_view() -> None:
    """Round, step, whose turn, the last result, and every visible character."""
    seen = screened(fight(), act=CODE)
    seen = screened(seen, act='{"actor":"ann","do":"basic-attack","target":"vex"}', faces="15")
    assert decode_screen_code(code_of(seen)) == [
        1,
        1,
        "Ann's turn",
        "Ann attacks Vex: 18. Miss.",
        [
            [1, "Ann", "heroes", "7 of 7, healthy", "", "on"],
            [2, "Zed", "foes", "healthy", "", ""],
            [2, "Vex", "foes", "healthy", "", ""],
        ],
    ]
    assert f'data-code="tools/players-screen/#={code_of(seen)}"' in render_calculator_response("fight", seen.query).html


def _random_fight(dice: random.Random, hidden: random.Random) -> View:
    """Return a fight with a few visible actions and random hidden data between them.

    `dice` decides what everyone sees, `hidden` what only the game master knows.
    """
    foes = "side: foes\nturns: separate"
    sheets = (
        f"Ann\nside: heroes\n{dice.randint(4, 8)} toughness\n3 fighting\n\n"
        f"Vex\n{foes}\n{hidden.randint(20, 40)} toughness\n{hidden.randint(1, 9)} healing\n3 fighting\n\n"
        f"Zed\n{foes}\n{hidden.randint(1, 9)} toughness\n{hidden.randint(1, 9)} fighting\n"
    )
    seen = view_begun_fight(sheets, "ann 19, vex 5, zed 1")
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
def test_screen_code_is_independent_of_hidden_data(seed: int) -> None:
    """Foes' figures, hidden characters, notes, undone steps and own dice do not change the code."""
    one = code_of(_random_fight(random.Random(seed), random.Random(f"one {seed}")))
    other = code_of(_random_fight(random.Random(seed), random.Random(f"other {seed}")))
    assert one == other
    assert "Zed" not in str(decode_screen_code(one))


def test_screen_code_of_eight_characters_fits_a_phone() -> None:
    """The code of eight characters has at most version 25 at level L.

    They have names of 20 letters and every possible condition.
    """
    names = [
        f"The {word} of the {whose}"
        for whose in ("forest", "harbor")
        for word in ("captain", "guards", "warden", "archer")
    ]
    sheets = "".join(
        f"{name}\nside: {'heroes' if 'forest' in name else 'foes'}\nturns: separate\n9 toughness\n3 fighting\n\n"
        for name in names
    )
    seen = view_begun_fight(sheets, ", ".join(f"{name} {19 - number}" for number, name in enumerate(names)))
    seen = screened(screened(seen, act=CODE), act=setting("screen_sides", "heroes", "foes"))
    log = json.loads(seen.fields["log"])
    order = [row.fighter.id for row in seen.fight_view.ordered_rows]
    log["steps"] += [{"actor": order[number % 8], "do": "end-turn"} for number in range(200)]
    seen = view_next(seen, SystemRoller(), log=json.dumps(log), screen="code", screen_sides='["heroes","foes"]')
    for who in order:
        seen = screened(seen, act=json.dumps({"do": "condition", "target": who, "condition": "in-cover"}))
        seen = screened(seen, act=json.dumps({"do": "condition", "target": who, "condition": "delayed"}))
    assert not seen.problems
    assert decode_screen_code(code_of(seen))[0] == 26
    code = segno.make(f"https://a-table.example/scratch/tools/players-screen/#={code_of(seen)}", error="L", micro=False)
    assert int(code.version) <= 25


# Hidden characters leave no trace


GOBLINS = "Ann\nside: heroes\n7 toughness\n3 fighting\n" + "".join(
    f"\nGoblin {n}\nside: foes\n3 toughness\n2 fighting\n" for n in (1, 2, 3)
)
END = '{"actor":"%s","do":"end-turn"}'


def goblins(*hidden: str, initiative: str = "ann 12, goblin-1 15, goblin-2 9, goblin-3 3") -> View:
    """Ann against three goblins, some of them hidden, with the code on."""
    seen = screened(view_begun_fight(GOBLINS, initiative), act=setting("screen_hidden", *hidden))
    return screened(screened(seen, act=CODE), act=setting("screen_sides", "heroes"))


def marked(seen: View) -> list[str]:
    """Whose row is marked as on turn, in the HTML."""
    soup = BeautifulSoup(render_screen(seen), "html.parser")
    return [each.select(".person__name")[0].text.strip() for each in soup.select(".person.is-on")]


def both(seen: View) -> str:
    """The HTML and what the code holds, as one text."""
    return f"{render_screen(seen)} {decode_screen_code(code_of(seen))}"


def down(*names: str) -> list[str]:
    """Return the steps by which the game master sets these characters to 0 hit points."""
    return [json.dumps({"do": "set-hp", "target": name, "hp": 0}) for name in names]


def after(seen: View, *acts: str) -> View:
    """Return the view after these actions."""
    for act in acts:
        seen = screened(seen, act=act)
        assert not seen.problems, act
    return seen


@pytest.mark.parametrize("do_end", [False, True], ids=["last-standing", "ended"])
def test_end_with_hidden_winner_does_not_name_it(do_end: bool) -> None:
    """Screen and code describe the end by visible characters and never name a hidden one."""
    acts = ['{"do":"end-encounter"}'] if do_end else []
    seen = after(goblins("goblin-1"), *down("ann"), *acts)
    words = "The foes win in round 1" if do_end else "Only the foes are left in sight"
    assert require(seen.player_view).headline == decode_screen_code(code_of(seen))[2] == words
    seen = after(goblins("goblin-1", "goblin-2", "goblin-3"), *down("ann"), *acts)
    assert "foes" not in both(seen)
    assert "Goblin" not in both(seen)


def test_end_with_hidden_survivor_is_the_end_in_sight() -> None:
    """A hidden survivor is not shown: the end is that of a fight without it."""
    seen = after(goblins("goblin-1"), *down("goblin-2", "goblin-3"))
    assert require(seen.player_view).headline == "Only the heroes are left in sight"
    assert require(after(seen, '{"do":"end-encounter"}').player_view).headline == "The heroes win in round 1"


def test_end_won_by_hidden_characters_names_no_side() -> None:
    """If no winner is visible, the screen says only that the fight is over."""
    sheets = f"{SHEETS}\n\nMob\nside: mob\n3 toughness\n"
    seen = screened(view_begun_fight(sheets, "ann 19, vex 5, zed 2, mob 1"), act=setting("screen_hidden", "mob"))
    seen = after(screened(seen, act=CODE), *down("ann", "vex", "zed"))
    assert require(seen.player_view).headline == "No one is left in sight"
    seen = after(seen, '{"do":"end-encounter"}')
    assert decode_screen_code(code_of(seen))[2] == require(seen.player_view).headline == "The fight is over"
    assert "mob" not in both(seen).lower()


def test_hidden_turn_keeps_the_last_visible_turn() -> None:
    """During a hidden character's turn the screen stays as in the last visible turn.

    It is the same as before that turn ended.
    """
    before = goblins("goblin-3", initiative="ann 12, goblin-1 15, goblin-3 9, goblin-2 3")
    engage, hit = '{"actor":"ann","do":"engage"}', '{"actor":"ann","do":"basic-attack","target":"goblin-1"}'
    before = after(before, END % "goblin-1", engage, hit)
    assert "engaged" in both(before)
    seen = after(before, END % "ann")
    assert seen.fight_view is not None
    assert seen.fight_view.active == "goblin-3"
    assert (marked(seen), require(seen.player_view).turn_text) == (["Ann"], "Ann's turn")
    assert both(seen) == both(before)
    seen = after(seen, '{"actor":"goblin-3","do":"nothing"}', END % "goblin-3")
    assert marked(seen) == ["Goblin 2"]


def test_hidden_turn_after_a_lost_turn_keeps_the_last_visible_turn() -> None:
    """The screen stays the same although a delayed character lost its turn before."""
    before = goblins("goblin-3", initiative="ann 15, goblin-1 12, goblin-2 9, goblin-3 3")
    before = after(before, '{"do":"condition","target":"goblin-1","condition":"delayed"}', END % "ann")
    assert marked(before) == ["Goblin 1"]
    seen = after(before, END % "goblin-2")
    assert require(seen.fight_view).active == "goblin-3"
    assert both(seen) == both(before)


def test_hidden_first_turn_marks_the_first_visible_character() -> None:
    """Before any visible turn the first visible character is marked, in round 1."""
    seen = goblins("goblin-1")
    assert (marked(seen), require(seen.player_view).round) == (["Ann"], 1)
    assert both(seen) == both(after(seen, END % "goblin-1"))


def test_hidden_copy_leaves_no_gap_in_the_numbers() -> None:
    """Visible copies are numbered from 1, and a single one has no number.

    Rows, sentences and the code have the same numbers.
    """
    hit = '{"actor":"goblin-2","do":"basic-attack","target":"ann"}'
    seen = after(goblins("goblin-1", initiative="goblin-2 15, ann 12, goblin-1 9, goblin-3 3"), hit)
    assert require(seen.player_view).last_narration.startswith("Goblin 1 ")
    assert [row.fighter.name for row in require(seen.player_view).rows] == ["Goblin 1", "Ann", "Goblin 2"]
    assert "Goblin 3" not in both(seen)
    assert require(seen.screen_settings).names_for_players == (("Goblin 2", "Goblin 1"), ("Goblin 3", "Goblin 2"))
    page = render_calculator_response("fight", seen.query).html
    assert "Goblin 1 for Goblin 2, Goblin 2 for Goblin 3." in page
    seen = after(seen, setting("screen_hidden", "goblin-1", "goblin-3"))
    assert require(seen.player_view).last_narration.startswith("Goblin ")
    assert not re.search(r"Goblin \d", both(seen))
    assert "Goblin 2" in render_calculator_response("fight", seen.query).html


def test_number_that_no_copy_has_stays_in_a_name() -> None:
    """Agent 47 is no copy of an agent."""
    seen = screened(view_begun_fight(GOBLINS.replace("Goblin 2", "Agent 47"), "goblin-1 15"), act=ON)
    assert "Agent 47" in render_screen(seen)


def test_visible_side_has_its_colour_without_hidden_sides() -> None:
    """A side of hidden characters takes no colour from those in sight."""
    sheets = f"Mob\nside: mob\n3 toughness\n\n{SHEETS}"
    seen = screened(view_begun_fight(sheets, "ann 19, vex 5, zed 2, mob 1"), act=setting("screen_hidden", "mob"))
    assert render_screen(screened(seen, act=ON)) == render_screen(
        screened(view_begun_fight(SHEETS, "ann 19, vex 5, zed 2"), act=ON)
    )


AMBUSH = """Kim
side: hunters
2 shooting
3 toughness
at: 0,0

Bo
side: guards
3 toughness
at: 9,0
"""
SPY = "\nSpy\nside: guards\n3 toughness\n2 fighting\nat: 4,1\n"
CROSSING = '{"actor":"kim","do":"move","path":[[1,0],[2,0],[3,0]]}'


def ambush(sheets: str, *acts: str, faces: str = "") -> View:
    """Return the view after some actions of Kim, with Bo far away on the map.

    `sheets` may contain a hidden spy.
    """
    seen = view_begun_fight(sheets, f"kim 20, bo 3{', spy 1' if 'Spy' in sheets else ''}", map=MAP)
    seen = screened(screened(seen, act=setting("screen_hidden", "spy")), act=CODE)
    for act in acts:
        seen = screened(seen, act=act, faces=faces)
        assert not seen.problems, act
    return seen


def test_move_past_a_hidden_character_is_shown_as_resolved() -> None:
    """An action that only a hidden character may interrupt is shown as resolved.

    The screen is that of a fight without the hidden character, before and after the answer.
    """
    seen = ambush(f"{AMBUSH}{SPY}", CROSSING)
    assert seen.fight_view is not None
    assert seen.fight_view.question
    alone = ambush(AMBUSH, CROSSING)
    assert both(seen) == both(alone)
    assert decode_screen_code(code_of(seen))[4][0][4] == "3,0"
    while seen.fight_view and seen.fight_view.question:
        seen = screened(seen, act=require(seen.fight_view.question).decline_choice.step)
    assert both(seen) == both(alone)


def test_shot_next_to_a_hidden_character_is_shown_once_rolled() -> None:
    """A pending action is shown as resolved if its dice are known.

    Without dice it has not begun.
    """
    shot, near = '{"actor":"kim","do":"shoot","target":"bo"}', SPY.replace("4,1", "0,1")
    waiting = ambush(f"{AMBUSH}{near}", shot)
    assert both(waiting) == both(ambush(AMBUSH))
    assert both(ambush(f"{AMBUSH}{near}", shot, faces="12")) == both(ambush(AMBUSH, shot, faces="12"))
    seen = screened(waiting, act=require(require(waiting.fight_view).question).decline_choice.step, faces="12")
    assert both(seen) == both(ambush(AMBUSH, shot, faces="12"))


# Hiding before the screen opens


def test_character_hidden_before_the_screen_opens_is_never_on_it() -> None:
    """A character hidden while the screen is off is never on it.

    It is hidden by the list or its card, and the query has it.
    """
    seen = view_begun_fight(SHEETS, "ann 19, vex 1, zed 2")
    html = BeautifulSoup(render_calculator_response("fight", seen.query).html, "html.parser")
    (button,) = (each for each in html.select(".fight-screen button") if each.text == "Zed")
    assert button["aria-pressed"] == "false"
    seen = screened(seen, act=str(button["value"]))
    assert not render_screen(seen)
    assert "screen_hidden" in seen.query
    seen = screened(seen, act="hide vex")
    assert json.loads(seen.fields["screen_hidden"]) == ["zed", "vex"]
    seen = screened(seen, act=ON)
    assert [row.fighter.name for row in require(seen.player_view).rows] == ["Ann"]
    assert [row.fighter.name for row in require(screened(seen, act="hide vex").player_view).rows] == ["Ann", "Vex"]


def test_card_has_a_button_that_hides_its_character() -> None:
    """A character's card and row show whether it is hidden.

    The card's button hides the character.
    """
    seen = screened(screened(view_begun_fight(SHEETS, "ann 19, vex 1, zed 2"), act="hide zed"), act="gm-card zed")
    html = BeautifulSoup(render_calculator_response("fight", f"{seen.query}&gm_who=zed").html, "html.parser")
    assert html.select_one('.choice > [data-hide="zed"][aria-pressed="true"]')
    assert "hidden" in html.select_one('[data-chip="zed"] .person__marks').text
    assert "hidden" not in html.select_one('[data-chip="vex"] .person__marks').text


@pytest.mark.parametrize("count", ["1", "2"])
def test_newcomer_joining_hidden_is_never_on_the_screen(count: str) -> None:
    """The tick at "Joins the fight" hides all characters who join with it.

    It is off for the next one.
    """
    seen = screened(fight(), act="gm-join", gm_new="guard", gm_count=count, gm_side="foes", gm_unseen="true")
    assert not seen.problems
    assert len(json.loads(seen.fields["screen_hidden"])) == int(count)
    assert "Guard" not in render_screen(seen)
    assert seen.fields["gm_unseen"] == ""
    seen = screened(seen, act="gm-join", gm_new="rat", gm_count="1", gm_side="foes")
    assert "Rat joins the fight." in render_screen(seen)


def test_hidden_characters_stay_hidden_in_a_new_set_up() -> None:
    """A new set-up preserves the players' sides and the hidden characters.

    They are also preserved in the fight that starts from it.
    """
    sheets = "Ann\nside: us\n3 toughness\n\nЗло\nside: them\n1 toughness\n\nRat\nside: them\n1 toughness"
    seen = view_fight(SystemRoller(), log="begin", sheets=sheets, screen_sides='["us"]')
    evil = require(seen.fight_view).fight.scenario.fighters[1].id
    hiding = json.dumps([evil, "no-one"])
    again = view_next(seen, act="setup", screen="on", screen_sides='["us"]', screen_hidden=hiding)
    assert (again.fields["screen_sides"], again.fields["screen_hidden"]) == ('["us"]', json.dumps([evil]))
    html = BeautifulSoup(render_calculator_response("fight", again.query).html, "html.parser")
    carried = {str(each["name"]): str(each["value"]) for each in html.select("input[type=hidden]")}
    next_fight = view_fight(SystemRoller(), **{**again.fields, **carried, "log": "begin", "before": ""})
    hidden = require(next_fight.screen_settings).hidden_toggles
    assert [own for own, each in hidden.items() if each.is_on] == [evil]


def test_new_character_is_not_hidden_like_one_that_left_the_set_up() -> None:
    """Another character may get the id of a removed one."""
    sheets = "Ann\nside: us\n3 toughness\n\nRat\nside: them\n1 toughness"
    hidden = '["rat"]'
    assert "hidden from the players" in view_setup_html(sheets, hidden)
    seen = view_fight(sheets=sheets, screen_hidden=hidden)
    assert seen.fields["screen_hidden"] == hidden
    removed = view_fight(sheets=sheets, screen_hidden=hidden, act="remove rat")
    assert (removed.fields["screen_hidden"], len(removed.fighters)) == ("", 1)
    edited = view_fight(sheets=sheets.replace("Rat", "Ra"), screen_hidden=hidden)
    assert edited.fields["screen_hidden"] == hidden, "expected no change while a name is typed"
    emptied = view_fight(sheets=sheets, screen_hidden=hidden, act="remove-all")
    assert emptied.fields["screen_hidden"] == ""
    assert "hidden from the players" not in view_setup_html(sheets, emptied.fields["screen_hidden"])


def view_setup_html(sheets: str, hidden: str) -> str:
    """Render a set-up with hidden characters, and return its sides as text."""
    html = render_calculator_response("fight", format_query({"sheets": sheets, "screen_hidden": hidden})).html
    return require(BeautifulSoup(html, "html.parser").select_one(".setup__sides")).get_text()


@pytest.mark.parametrize(
    ("side", "chosen", "sides"),
    [("us", "", '["us"]'), ("us", "[]", "[]"), ("heroes", "", "")],
    ids=["us", "off", "heroes"],
)
def test_starting_the_screen_gives_the_players_their_own_side(side: str, chosen: str, sides: str) -> None:
    """A side called *us* is the players' unless one was chosen before, also none."""
    seen = view_begun_fight(SHEETS.replace("heroes", side), "ann 19, vex 1, zed 2")
    seen = screened(seen, screen_sides=chosen)
    start = BeautifulSoup(render_calculator_response("fight", seen.query).html, "html.parser").select_one(
        "[data-screen-on]"
    )
    seen = screened(seen, act=str(require(start)["value"]))
    assert seen.player_view
    assert seen.fields["screen_sides"] == sides
