"""The sheet in play: hit points, conditions and rolls are steps that can be undone, and a link carries all of it."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators import fight
from scratch_core.calculators.character import View, view
from scratch_core.calculators.character.play_sheet import PlaySheet
from scratch_core.calculators.characters_text.sheet_log import (
    MAX_LOG_STEPS,
    LoggedRoll,
    apply_steps,
    format_steps,
    parse_steps,
)
from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.calculators.shared.query import DEFAULT_MAX_QUERY_LENGTH, format_query, parse_query
from scratch_core.cast import CAST
from scratch_core.dice import RecordedRoller
from scratch_core.scenario import SAMPLE_SCENARIOS
from tests.support.known import require

HUNTER: dict[str, Any] = {"name": "Ria", "shooting": "4", "toughness": "4", "detection": "2", "at": "play"}


def pressed(seen: View | None, do: str, face: int = 11, **fields: Any) -> View:
    """The answer to a press, on what was answered before."""
    before = {name: text for name, text in (seen.fields if seen else HUNTER).items() if text}
    return view(parse_query(format_query({**before, **fields, "do": do})), RecordedRoller((face,)))


def play_of(seen: View) -> PlaySheet:
    """The sheet in play of an answer."""
    return require(seen.sheet_in_play)


def test_roll_against_defence_or_number_shows_chance_and_result() -> None:
    """A roll against a defence or a number shows its chance and result.

    The Rat's agility is 12: with shooting 4 an 8 succeeds. Against 15 a 10 fails.
    """
    first = pressed(None, "build", rolled="shooting", whom="rat")
    assert first.sheet_in_play is None
    ready = pressed(first, "play")
    agility = next(each for each in play_of(ready).defence_targets if each.label == "agility")
    assert agility.is_usual
    rat = next(each for each in CAST if each.id == "rat").build_character().agility().value
    assert (agility.difficulty, agility.chance) == (rat, f"{5 * (21 - (rat - 4))}%")
    hit = pressed(ready, "roll agility", rat - 4)
    assert play_of(hit).last_roll_text == f"Shooting 4 against {rat} (Rat's agility): {rat}, success"
    miss = pressed(hit, "roll", 10, difficulty="15")
    assert play_of(miss).last_roll_text == "Shooting 4 against 15: 14, failure"
    assert [rolled.face for rolled in play_of(miss).state.rolls] == [10, rat - 4]
    assert miss.summary == "Shooting 4 against 15: 14, failure. Ria has 4 of 4 hit points."
    assert view(parse_query(miss.query), None).sheet_in_play == miss.sheet_in_play  # a link or a reload rolls nothing
    assert view(parse_query(f"{miss.query}&do=roll"), None).sheet_in_play == miss.sheet_in_play


def test_undo_reverts_every_press() -> None:
    """Undo reverts hit points, conditions, rolls and a rest, one by one, to the start."""
    seen = pressed(None, "hp 2")
    states = [play_of(seen).state]
    for do, more in (
        ("note delayed", {}),
        ("write", {"condition": "one boot lost"}),
        ("roll", {}),
        ("end delayed", {}),
        ("fight 1", {}),
        ("before", {}),
        ("rest", {}),
        ("fight 1", {}),
        ("rest", {}),
    ):
        seen = pressed(seen, do, **more)  # type: ignore[arg-type]  # its names are no others
        states.append(play_of(seen).state)
    assert [state.hp for state in states] == [2, 2, 2, 2, 2, 1, 2, 4, 1, 4]
    assert [state.health for state in states][:1] == ["injured"]
    assert states[3].conditions == ("delayed", "one boot lost")
    assert [state.conditions for state in states[4:]] == [("one boot lost",)] * 3 + [()] * 3
    assert [state.before_fight for state in states] == [None, None, None, None, None, 2, None, None, 4, None]
    assert seen.fields["condition"] == ""
    for state in reversed(states[:-1]):
        seen = pressed(seen, "undo")
        assert play_of(seen).state == state
    assert play_of(pressed(seen, "undo")).state == apply_steps((), 4)
    assert pressed(pressed(seen, "undo"), "undo").problems == seen.problems


def test_building_preserves_the_sheet_in_play() -> None:
    """Changes of the character preserve damage and conditions.

    A new character starts without them.
    """
    hurt = pressed(None, "hp 1")
    building = pressed(hurt, "build", toughness="5")
    assert building.sheet_in_play is None
    html = BeautifulSoup(render_calculator_response("character", building.query).html, "html.parser")
    assert html.select("input[name=play]")[0]["value"] == "hp 1"
    assert play_of(pressed(building, "play")).state.hp == 1
    other = view(parse_query(f"{hurt.query}&start=duellist"))
    assert (other.fields["play"], other.sheet_in_play) == ("", None)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        pytest.param("hp 3\nroll shooting 4 12 11 against agility of Rat\nrest", 3, id="whole"),
        pytest.param("hp -3\nhp 99999\nroll shooting 4 12 21\nroll x\nnote " + "x" * 41, 0, id="none-can-be-read"),
        pytest.param("\n".join(f"hp {n}" for n in range(10_000)), 4 * MAX_LOG_STEPS, id="far-too-many"),
        pytest.param("<b>hp 3</b>\nhp 3 \n\n  hp 4", 2, id="some"),
    ],
)
def test_damaged_play_log_gives_its_valid_steps(text: str, steps: int) -> None:
    """A damaged text gives the steps that can be parsed.

    The hit points stay between 0 and the maximum.
    """
    found = parse_steps(text)
    assert len(found) == steps
    assert 0 <= apply_steps(found, 4).hp <= 4


def test_play_log_drops_the_earliest_rolls_first() -> None:
    """Of too many steps only the earliest rolls are dropped, never damage or a condition.

    The link stays short.
    """
    roll = LoggedRoll("craftsmanship", 4, 12, 11, "intelligence of Captain of the guard").step
    steps: Sequence[str] = ("hp 2", "note delayed", *(roll for _ in range(3 * MAX_LOG_STEPS)))
    steps_left = parse_steps(format_steps(steps))
    assert len(steps_left) == MAX_LOG_STEPS
    assert steps_left[:2] == ("hp 2", "note delayed")
    assert len(format_query({**HUNTER, "play": format_steps(steps)})) < DEFAULT_MAX_QUERY_LENGTH // 2


@pytest.mark.parametrize(
    ("do", "fields", "code"),
    [
        pytest.param("roll", {"difficulty": "a lot"}, "play.difficulty", id="no-number"),
        pytest.param("write", {"condition": "x" * 60}, "play.condition", id="too-long"),
        pytest.param("write", {"condition": " "}, "play.condition", id="nothing"),
    ],
)
def test_invalid_play_command_is_reported(do: str, fields: Any, code: str) -> None:
    """An invalid command changes nothing, and the problem tells the player what to enter."""
    seen = pressed(None, do, **fields)
    assert [problem.code for problem in seen.problems] == [code]
    assert "Expected" not in format_problem_sentence(seen.problems[0])
    assert play_of(seen).state == apply_steps((), 4)
    assert (
        "data-problem"
        in render_calculator_response("character", format_query({**HUNTER, **fields, "do": do}), rolls_dice=True).html
    )


def test_hit_points_are_copied_between_sheet_and_fight() -> None:
    """Hit points are copied from a saved fight, and from the sheet into a fight.

    The sheet offers the hit points of a character with its name in a saved fight. A press restores those from before
    the fight. The next fight starts with the damage on the sheet.
    """
    log = SAMPLE_SCENARIOS["worked-combat"]  # Chokestar ends it unhurt, Breakhelm X-19 is down: catalogue 3.2
    saved = json.dumps([{"name": "Ours", "query": format_query({"log": log})}, {"name": "x", "query": "log=begin"}, 3])
    sheet = {"name": "breakhelm x-19", "shooting": "4", "fighting": "4", "toughness": "6", "at": "play"}
    ready = view(parse_query(format_query({**sheet, "play": "hp 5", "do": "fights", "kept": saved})))
    assert [(each.fight_name, each.hp, each.max_hp) for each in play_of(ready).fights or ()] == [("Ours", 0, 6)]
    assert "kept" not in ready.query
    assert play_of(ready).state.hp == 5, "requested, and not overwritten"
    after = pressed(ready, "fight 0")
    assert play_of(after).state.hp == 0
    assert play_of(pressed(after, "before")).state.hp == 5
    rat = next(each for group in ready.opponent_groups.values() for each in group if each.member.id == "rat")
    next_fight = fight.view(parse_query(rat.query_for_fight), None)
    assert [(each.name, each.hp) for each in next_fight.fighters if each.side == "us"] == [("breakhelm x-19", 5)]
    damaged = view(parse_query(format_query({**sheet, "do": "fights", "kept": "[[" * 3000})), None)
    assert play_of(damaged).fights == ()


def test_fights_of_others_do_not_hide_an_older_one() -> None:
    """Only fights with the character's name count."""
    others = [{"name": f"Others {n}", "query": fought(("Zed", 1, 2))} for n in range(9)]
    ours = [{"name": f"Ours {n}", "query": fought(("Ria", 2, 3))} for n in range(9)]
    sheet = {"name": "ria", "toughness": "3", "at": "play", "do": "fights"}
    ready = view(parse_query(format_query({**sheet, "kept": json.dumps(others + ours)})))
    assert [each.fight_name for each in play_of(ready).fights or ()] == ["Ours 0", "Ours 1", "Ours 2"]
    sheet["name"] = "Олена"
    ready = view(
        parse_query(format_query({**sheet, "kept": json.dumps([{"name": "x", "query": fought(("Олена", 1, 3))}])}))
    )
    assert [each.hp for each in play_of(ready).fights or ()] == [1]


def fought(*people: tuple[str, int, int]) -> str:
    """Return the query of a fight with recorded initiative.

    `people` are names, hit points and toughness.
    """
    lines = [
        f"{{ id = 'p{n}', name = '{name}', hp = {hp}, abilities = {{ toughness = {most} }} }}"
        for n, (name, hp, most) in enumerate(people)
    ]
    dice = ", ".join(f"p{n} = [{n + 1}]" for n, _ in enumerate(people))
    head = 'format = "scratch-scenario/1"\nsteps = []\n'
    return format_query({"log": f"{head}characters = [{', '.join(lines)}]\ninitiative = {{ {dice} }}"})


TAKEN = [
    pytest.param(
        {"one": [("Ria", 3, 4)]},
        [("Ria", 3)],
        ["Select the button to copy its hit points here. They replace the current ones."],
        id="one fight",
    ),
    pytest.param(
        {"one": [("Ria", 3, 4)], "two": [("Ria", 1, 4)]},
        [("Ria", 3), ("Ria", 1)],
        ["Choose one to copy its hit points here. They replace the current ones."],
        id="two fights at once",
    ),
    pytest.param(
        {"one": [("Ria", 5, 6)]},
        [("Ria", 5)],
        ["Ria's maximum was 6 in that fight and is 4 here: 5 becomes 4."],
        id="toughness",
    ),
    pytest.param(
        {"one": [("Ria 1", 2, 4), ("Ria 2", 0, 4), ("Riana", 1, 4)]},
        [("Ria 1", 2), ("Ria 2", 0)],
        ["Minions start each fight with full hit points."],
        id="several of one",
    ),
    pytest.param(
        {"one": [("Rianne", 3, 4), ("Ogre", 8, 8)], "two": [("Bo", 1, 4)]},
        [("Rianne", 3), ("Bo", 1)],
        [
            "No recent fight on this device has a character called Ria.",
            "If you renamed the character, choose its old name.",
            "From the fight “one”, as Rianne: Set Ria's hit points to 3 of 4",
        ],
        id="another name",
    ),
]


@pytest.mark.parametrize(("fights", "offered", "texts"), TAKEN)
def test_hit_points_of_fights_are_copied_only_on_request(
    fights: dict[str, list[tuple[str, int, int]]], offered: list[tuple[str, int]], texts: list[str]
) -> None:
    """Hit points of saved fights are copied only by a press.

    Several fights, another toughness and duplicates are named.
    """
    saved = json.dumps([{"name": name, "query": fought(("Rat", 1, 1), *people)} for name, people in fights.items()])
    sheet = {"name": "Ria", "toughness": "4", "command": "2", "minions": "2 toughness", "at": "play", "play": "hp 4"}
    query = format_query({**sheet, "do": "fights", "kept": saved})
    seen = view(parse_query(query))
    assert [(each.fighter_name, each.hp) for each in play_of(seen).fights or ()] == offered
    assert play_of(seen).state.hp == 4
    html = " ".join(
        BeautifulSoup(render_calculator_response("character", query).html, "html.parser")
        .select_one("[data-fights]")
        .text.split()
    )
    assert all(each in html for each in texts)
    after = pressed(seen, f"fight {offered[0][1]}")
    assert play_of(after).state.hp == min(offered[0][1], 4)
    assert play_of(pressed(after, "before")).state.hp == 4


def test_copies_of_a_wounded_character_are_wounded_but_not_its_minions() -> None:
    """Every copy of a wounded character joins a fight with its remaining hit points.

    Its minions are unhurt.
    """
    ria = format_query(
        {"name": "Ria", "toughness": "4", "command": "2", "minions": "2 toughness", "at": "play", "play": "hp 1"}
    )
    both = fight.view(parse_query(format_query({"act": "add", "tick.0": ria})), None)
    assert [(each.name, each.hp) for each in both.fighters] == [("Ria", 1), ("Minion 1", 2)]
    three = fight.view(parse_query(format_query({"act": "add", "add_count": "3", "tick.0": ria})), None)
    assert [(each.name, each.hp) for each in three.fighters] == [
        *(("Ria 1", 1), ("Minion 1", 2)),
        *(("Ria 2", 1), ("Minion 2", 2)),
        *(("Ria 3", 1), ("Minion 3", 2)),
    ]


def test_saved_character_joins_a_fight_with_its_damage() -> None:
    """Saved characters are listed by name, and the selected one joins with its damage.

    It also joins on the typed side.
    """
    saved = json.dumps([{"name": "My archer", "query": format_query({**HUNTER, "play": "hp 2"})}])
    rat = {"sheets": "Rat\nside: rats\n1 toughness"}
    choosing = fight.view(parse_query(format_query({"act": "choose us", "kept": saved, **rat})), None)
    (mine,) = require(choosing.chooser).groups[0][1]
    assert mine.name == "My archer"
    query = {**rat, "add_side": "hunters", mine.control: mine.value, "act": "add"}
    joined = fight.view(parse_query(format_query(query)), None)
    assert [(each.name, each.hp, each.side) for each in joined.fighters][-1] == ("Ria", 2, "hunters")
    assert "sheets" in joined.updated_fields
    assert fight.view(parse_query("act=add&tick.0=%3Cb%3E&sheets=Rat"), None).fields["sheets"] == "Rat"


def stored(seen: View) -> str:
    """Return a character's saved entry as the scripts send it.

    The entry has name, query and summary.
    """
    return json.dumps([{"name": seen.saved_name, "query": seen.query, "summary": seen.saved_summary}])


def test_editor_of_a_wounded_character_shows_and_passes_on_its_state() -> None:
    """The editor shows and passes on the hit points and conditions of the sheet.

    The saved list, every chooser and the next fight have them too.
    """
    editing = pressed(pressed(pressed(None, "hp 2"), "note delayed"), "build", wrestling="1")
    assert editing.sheet_in_play is None
    assert editing.saved_summary == "2 of 4 hit points, delayed: 4 toughness, 4 shooting, 1 wrestling, 2 detection"
    assert "2 of 4 hit points left, delayed" in editing.summary
    page = BeautifulSoup(render_calculator_response("character", editing.query).html, "html.parser")
    assert len(page.select(".builder__growing .track i.is-lost")) == 2
    assert "2 of 4 hit points, injured, delayed" in " ".join(page.select_one(".builder__growing").text.split())
    choosing = fight.view(parse_query(format_query({"act": "choose us", "kept": stored(editing)})), None)
    (mine,) = require(choosing.chooser).groups[0][1]
    assert mine.description.startswith("2 of 4 hit points, delayed")
    joined = fight.view(parse_query(format_query({mine.control: mine.value, "act": "add"})), None)
    assert [(each.name, each.hp) for each in joined.fighters] == [("Ria", 2)]
    rat = next(each for group in editing.opponent_groups.values() for each in group if each.member.id == "rat")
    against = fight.view(parse_query(rat.query_for_fight), None)
    assert [each.hp for each in against.fighters if each.side == "us"] == [2]


def test_healthy_character_has_no_state_to_show_in_the_editor() -> None:
    """Without damage and conditions the editor shows only the maximum hit points.

    The saved list and the summary do the same.
    """
    editing = pressed(pressed(None, "roll"), "build")
    assert editing.saved_summary.startswith("4 hit points: ")
    assert "left" not in editing.summary


def test_fight_offer_names_the_character_the_hit_points_and_the_fight() -> None:
    """The offer is the first thing on the sheet.

    Its button says which hit points it sets and to what number. The text names the fight that they are from.
    """
    saved = json.dumps([{"name": "Ria against Rat · over", "query": fought(("Ria", 1, 4), ("Rat", 0, 1))}])
    html = render_calculator_response("character", format_query({**HUNTER, "do": "fights", "kept": saved})).html
    (button,) = BeautifulSoup(html, "html.parser").select("[data-fights] button[value='fight 1']")
    assert " ".join(button.text.split()) == "Set Ria's hit points to 1 of 4"
    assert "From the fight “Ria against Rat · over”" in " ".join(require(button.parent).text.split())
    assert html.index("data-fights") < html.index("play-head")


def test_fight_offer_stays_until_its_hit_points_are_copied() -> None:
    """The offer stays on the sheet after a roll, until its hit points are copied.

    The sheet does not request the saved fights again.
    """
    saved = json.dumps([{"name": "Ria against Rat · over", "query": fought(("Ria", 1, 4), ("Rat", 0, 1))}])
    query = format_query({**HUNTER, "do": "fights", "kept": saved})
    for do, offers, focused in (("", 1, 1), ("roll", 1, 0), ("hp 3", 1, 0), ("fight 1", 0, 0)):
        if do:
            page = BeautifulSoup(render_calculator_response("character", query).html, "html.parser")
            saved_fights = require(page.select_one("[data-fights] input[name=kept]"))["value"]
            query = format_query({**HUNTER, "do": do, "kept": str(saved_fights)})
        page = BeautifulSoup(render_calculator_response("character", query).html, "html.parser")
        assert len(page.select("[data-fights] button")) == offers
        assert len(page.select("[data-focus=fights]")) == focused
