"""The fight calculator: sheets to a fight, offers and the rules, steps forward and back, and whatever else is typed."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from bs4 import BeautifulSoup

from build_scripts.calculator_html import render
from scratch_core.actions import Action
from scratch_core.calculators.fight import QUERY_LIMIT, View, view
from scratch_core.calculators.fight.head import won
from scratch_core.calculators.fight.offers import MOST_SETS
from scratch_core.calculators.fight.showing import Shown
from scratch_core.calculators.form import read_initiative
from scratch_core.calculators.people.blocks import read_setup, write_setup
from scratch_core.calculators.query import parse_query, query_string
from scratch_core.dice import RecordedFaces, SystemRoller
from scratch_core.encounter import legal_actions
from scratch_core.scenario import SHIPPED, play, read
from tests.clock import in_time
from tests.core.fights import FACES, HUNTERS, answered, begun, errors, fighting, hp, offers
from tests.known import known
from tests.rollers import Seeded

HOLD = '{"actor":"chokestar","do":"hold","with":"wrestling","target":"breakhelm-x-19"}'


# Setting up


def test_sheets_become_characters_with_sides_groups_places_and_hit_points() -> None:
    """Headings hold for everybody after them, lines below a name for that one, and a minion follows its leader."""
    text = """side: dock

The Boss: runs it
here: level, cover
4 command
3 toughness

Thug
minion of The Boss
hp: 1
2 toughness

Thug
minion of the boss
group: others
2 toughness

side: law

Rook
side: both
2 toughness"""
    setup = read_setup(text)
    assert setup.problems == ()
    boss, thug, second, rook = setup.characters
    assert (boss["id"], boss["side"], boss["here"]) == ("the-boss", "dock", ["level", "cover"])
    assert (thug["id"], thug["minion_of"], thug["hp"]) == ("thug", "the-boss", 1)
    assert (second["id"], second["name"], second["group"]) == ("thug-2", "Thug 2", "others")
    assert rook["side"] == "both"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Rook\nhp: many\n2 toughness", "hit points"),
        ("Rook\nhere: moon\n2 toughness", "level, cover"),
        ("Rook\nside:\n2 toughness", "the name of a side"),
        ("Rook\n2 magic", "one of the abilities"),
        ("", "a stat block"),
        ("Rook\nhp: 9\n2 toughness", "hit points from 0 to 2"),
    ],
    ids=["hp", "here", "side", "ability", "empty", "hp-above-maximum"],
)
def test_a_wrong_sheet_is_told_with_its_place(text: str, expected: str) -> None:
    """What can't be read stands at the sheets, and no fight begins."""
    seen = answered(SystemRoller(), log="begin", sheets=text)
    assert seen.phase == "setup"
    assert any(problem.where == "sheets" for problem in seen.problems)
    assert expected in " ".join(problem.expected for problem in seen.problems) or not text


def test_a_line_number_is_that_of_the_sheet_as_typed() -> None:
    """Lines like `side: hunters` count when a wrong line is named."""
    (problem,) = read_setup("side: a\n\nRook\nside: b\nx toughness").problems
    assert problem.got.endswith("on line 5")


def test_sheets_come_back_from_a_scenario() -> None:
    """What is written from a fight's characters gives the same characters."""
    before = read_setup(HUNTERS.replace("Flipfire", "Flipfire\nhp: 2\nhere: level, water\ngroup: pack")).characters
    scenario = read(json.dumps({"format": "scratch-scenario/1", "characters": before}))
    assert read_setup(write_setup(scenario)).characters == before


def test_initiative_is_typed_by_name_id_or_group_with_faces_for_ties() -> None:
    """`turn.initiative-roll`, `turn.tie`: each group's first face, then those of ties; any name of it will do."""
    names = {"chokestar": "hunters", "hunters": "hunters", "x-19": "x"}
    found, problems = read_initiative("CHOKESTAR 13 4, x-19 = 7", names)
    assert (found, problems) == ({"hunters": [13, 4], "x": [7]}, ())
    for wrong in ("nobody 3", "hunters", "hunters 21", "hunters 3, chokestar 4"):
        assert read_initiative(wrong, names)[1], wrong


def test_a_fight_begins_with_typed_faces_and_rolls_the_rest() -> None:
    """`turn.order`: 13 + 2 × stealth 3 = 19, then 17, then 14; a group without a face is rolled."""
    seen = begun()
    assert [name for name, _, _ in known(seen.shown).initiative] == ["chokestar", "flipfire", "breakhelm-x-19"]
    assert (known(seen.shown).active, known(seen.shown).round) == ("chokestar", 1)
    rolled = json.loads(begun(initiative="").fields["log"])["initiative"]
    assert all(1 <= faces[0] <= 20 for faces in rolled.values())


def test_nothing_is_rolled_while_nobody_asks() -> None:
    """Without a roller a fight with untyped initiative doesn't begin, and says what is missing."""
    seen = answered(None, log="begin", sheets=HUNTERS)
    assert seen.phase == "setup"
    assert errors(seen) == {"initiative"}
    assert answered(None, log="begin", sheets=HUNTERS, initiative=FACES).phase == "fight"


def test_rulings_are_chosen_before_the_fight() -> None:
    """`def.strength.fallback`: base 8 gives Breakhelm strength 14; the choice is in the file and on the page."""
    seen = begun(strength_base="8")
    assert json.loads(seen.fields["log"])["rulings"] == {"strength_base": 8}
    assert known(seen.shown).rulings == (("strength base", "8", "K01"),)
    assert "detection_multiplier" in errors(answered(None, sheets=HUNTERS, detection_multiplier="3"))


# Acting


def random_fight(seed: int, sheets: str = HUNTERS, steps: int = 40) -> list[View]:
    """The views of a fight in which chance chooses among the offers."""
    dice = Seeded(seed)
    seen = answered(dice, log="begin", sheets=sheets)
    views = [seen]
    for _ in range(steps):
        open_to = offers(seen)
        if not open_to:
            break
        seen = fighting(seen, dice, act=dice.random.choice(open_to).step)
        assert seen.problems == (), seen.problems
        views.append(seen)
    return views


EVERYTHING = """side: a
here: level, cover, throwable, climbable, open-air, deep-water

Ann
2 fighting
1 wrestling
1 knockout
2 flying
2 swimming
3 toughness

Bob
1 craftsmanship
2 healing
2 blasting
1 command
5 toughness

side: b

Cyd
group: bees
2 shooting
2 stealth
2 command
4 toughness

Dee
group: bees
2 wrestling
2 quickness
1 acrobatics
3 toughness"""


@pytest.mark.parametrize("sheets", [HUNTERS, EVERYTHING], ids=["three", "four"])
@pytest.mark.parametrize("seed", range(6))
def test_the_offers_are_the_legal_actions_each_once(seed: int, sheets: str) -> None:
    """`act.basic.available`: in every state of a random fight the buttons are just what the engine lists.

    Two blows have one target each at a time, so what names both at once has no button.
    """
    for seen in random_fight(seed, sheets, 30):
        found = [offer.step for offer in offers(seen) if offer.do != "craft"]
        legal = [
            json.dumps(action.step(), ensure_ascii=False, separators=(",", ":"))
            for action in legal_actions(known(seen.shown).state)
            if action.do != "craft" and not (action.do == "double-attack" and len(action.targets) == 2)
        ]
        assert len(found) == len(set(found))
        assert set(found) == set(legal)


def test_the_chance_is_that_of_the_current_defence() -> None:
    """`roll.success`: Chokestar's hold, +2 against strength 13, takes 11 or more, 50 %; with nothing added 13, 40 %."""
    by_step = {offer.step: offer for offer in offers(begun())}
    assert (by_step[HOLD].chance, by_step[HOLD].faces) == ("50%", "11 or more")
    assert by_step[HOLD.replace('"wrestling"', '"none"')].chance == "40%"


@pytest.mark.parametrize(
    ("faces", "expected"),
    [("", "faces of its dice"), ("11,4", "one face"), ("21", "from 1 to 20"), ("0", "from 1 to 20"), ("x", "whole")],
    ids=["none", "many", "high", "low", "words"],
)
def test_wrong_faces_change_nothing(faces: str, expected: str) -> None:
    """`roll.die-substitute`: too few, too many or impossible faces are a problem at their field; nothing is lost."""
    before = begun()
    seen = fighting(before, None, act=HOLD, faces=faces, note="kept")
    assert errors(seen) == {"faces"}
    assert expected in seen.problems[0].expected
    assert seen.fields["log"] == before.fields["log"]
    assert (seen.fields["faces"], seen.fields["note"]) == (faces, "kept")


def test_an_act_uses_typed_faces_and_takes_the_note_along() -> None:
    """`act.wrestling.hold-damage`: 11 + 2 reaches strength 13: 1 damage; the note stands in the step."""
    seen = fighting(begun(), None, act=HOLD, faces="11", note="From behind.")
    assert hp(seen)["breakhelm-x-19"] == 5
    (step,) = json.loads(seen.fields["log"])["steps"]
    assert (step["faces"], step["note"]) == ([11], "From behind.")
    assert (seen.fields["faces"], seen.fields["note"]) == ("", "")
    assert "Flipfire" not in seen.summary.split(":")[0]


def test_an_illegal_act_is_refused_with_its_rule() -> None:
    """`act.regular`: a second regular action is refused with the rule's id; the fight stays as it was."""
    after = fighting(begun(), None, act=HOLD, faces="11")
    seen = fighting(after, None, act=HOLD, faces="11")
    assert "act.regular" in {problem.rule for problem in seen.problems}
    assert seen.fields["log"] == after.fields["log"]


def test_every_action_that_is_closed_has_a_reason_with_a_rule() -> None:
    """Each action of the quick reference is either offered or listed with a rule id."""
    seen = begun()
    (turn,) = known(seen.shown).turns
    titles = {title for barred in turn.barred for title in barred.titles}
    open_to = {choice.verb for choice in turn.choices} | {offer.label for offer in turn.small}
    assert {"Shooting", "Blasting", "Heal", "Escape"} <= titles
    assert not titles & open_to
    assert all(barred.problem.rule for barred in turn.barred)


def test_undo_goes_back_to_the_start_and_redo_to_the_end() -> None:
    """Each step back gives the fight as it was; each step forward gives it again with the same dice and no roller."""
    views = random_fight(3)
    seen, texts = views[-1], [each.fields["log"] for each in views]
    for text in reversed(texts[:-1]):
        seen = fighting(seen, None, act="undo")
        assert seen.fields["log"] == text
    assert fighting(seen, None, act="undo").fields["log"] == texts[0]
    for text in texts[1:]:
        seen = fighting(seen, None, act="redo")
        assert seen.fields["log"] == text
    assert seen.undone == 0


def test_a_new_act_after_an_undo_starts_another_story() -> None:
    """What was undone is gone once something else is done."""
    seen = fighting(fighting(begun(), None, act=HOLD, faces="11"), None, act="undo")
    assert seen.undone == 1
    assert fighting(seen, None, act=HOLD, faces="3").undone == 0


@pytest.mark.parametrize("seed", range(4))
def test_the_log_is_a_scenario_that_plays_the_same(seed: int) -> None:
    """Played by the scenario player, the log gives the sentences and the state on the page."""
    seen = random_fight(seed, EVERYTHING)[-1]
    played = play(read(seen.fields["log"]), RecordedFaces(()))
    assert [record.say for record in played.records] == [
        each.record.say for each in reversed(known(seen.shown).entries)
    ]
    assert played.problems == ()
    assert (played.begun if played.final.phase == "before" else played.final) == known(seen.shown).state


def test_the_query_reopens_the_answer() -> None:
    """A view's query gives the same view, without a roller."""
    for seen in random_fight(5)[::7]:
        again = view(parse_query(seen.query, QUERY_LIMIT), None)
        assert again.shown == seen.shown
        assert again.query == seen.query


def test_the_shipped_scenario_opens_with_its_illegal_steps_marked() -> None:
    """The worked combat by the rules' text: Chokestar 3, Flipfire 4, Breakhelm 0 (catalogue 3.2)."""
    seen = answered(None, log=SHIPPED["worked-combat"])
    assert hp(seen) == {"chokestar": 3, "flipfire": 4, "breakhelm": 0}
    assert known(seen.shown).winner == "hunters"
    assert [each.record.n for each in known(seen.shown).entries if not each.record.legal]
    assert seen.fields["log"].startswith("{")


def test_steps_without_faces_wait_to_be_rolled_by_redo() -> None:
    """An opened file is played as far as its faces go; redo rolls the rest, step by step."""
    tree = json.loads(begun().fields["log"])
    tree["steps"] = [json.loads(HOLD), {"actor": "chokestar", "do": "end-turn"}]
    seen = answered(None, log=json.dumps(tree))
    assert (len(seen.shown.entries), seen.undone) == (0, 2) if seen.shown else False
    once = fighting(seen, Seeded(1), act="redo")
    assert (len(known(once.shown).entries), once.undone) == (1, 1)
    assert fighting(once, None, act="redo").undone == 0


def test_a_file_without_initiative_asks_for_its_dice() -> None:
    """No roller, no initiative: the page says so, and rolls when asked."""
    tree = {key: value for key, value in json.loads(begun().fields["log"]).items() if key != "initiative"}
    seen = answered(None, log=json.dumps(tree))
    assert (seen.phase, errors(seen)) == ("dice", {"log"})
    assert answered(Seeded(1), log=json.dumps(tree), act="open").phase == "fight"


def test_the_set_up_comes_back_and_the_fight_stays_within_reach() -> None:
    """A new set-up shows the fighters as sheets; resuming brings the very same fight."""
    fight = fighting(begun(), None, act=HOLD, faces="11")
    seen = fighting(fight, None, act="setup")
    assert seen.phase == "setup"
    assert len(seen.fighters) == 3
    assert answered(None, log="resume", before=seen.fields["before"]).fields["log"] == fight.fields["log"]


def test_a_bare_roll_is_made_at_any_time() -> None:
    """`roll.d20`: a check goes into the log; a difficulty that is none is a problem at its field."""
    seen = fighting(begun(), None, act="check", check_actor="flipfire", check_difficulty="12", faces="9")
    assert "9 against difficulty 12: failure" in known(seen.shown).entries[0].record.say
    assert errors(fighting(begun(), Seeded(1), act="check", check_difficulty="hard")) == {"check_difficulty"}


def test_after_the_encounter_there_is_time_to_craft() -> None:
    """`craft.encounter-lock`: crafted bonuses are offered before the first turn and after the end, not between."""
    sheets = EVERYTHING
    seen = begun(sheets, "")
    assert "craft" in {offer.do for offer in offers(seen)}
    first = next(offer for offer in offers(seen) if offer.do == "craft" and "hurry" not in offer.label)
    crafted = fighting(seen, None, act=first.step)
    assert crafted.problems == ()
    assert crafted.shown is not None
    end = next(offer for offer in offers(crafted) if offer.do == "end-turn")
    after = fighting(crafted, None, act=end.step)
    assert "craft" not in {offer.do for offer in offers(after)}
    over = fighting(after, None, act='{"do":"end-encounter"}')
    assert "craft" in {offer.do for offer in offers(over)}
    assert known(over.shown).is_over


def test_many_targets_are_picked_one_by_one() -> None:
    """`act.blasting`: with nine enemies a blast at any three of them is two picks and a tap away."""
    sheets = "side: a\n\nBob\n2 blasting\n3 toughness\n\nside: b\n\n" + "\n\n".join(
        f"Foe {letter}\n2 toughness" for letter in "abcdefghi"
    )
    foes = [f"foe-{letter}" for letter in "abcdefghi"]
    faces = ", ".join(("bob 20", *(f"{foe} {place + 1}" for place, foe in enumerate(foes))))
    seen = begun(sheets, faces)
    assert len(list(combinations(foes, 2))) > MOST_SETS
    blasts = {offer.targets for offer in offers(seen) if offer.do == "blast"}
    assert blasts == {(foe,) for foe in foes}
    third = fighting(seen, None, picked="bob foe-i foe-b foe-e")
    (step,) = [offer.step for offer in offers(third) if len(offer.targets) == 3]
    assert hp(fighting(third, None, act=step, faces="20,1,20")) == {"bob": 3, **dict.fromkeys(foes, 2)} | {
        "foe-b": 0,
        "foe-i": 0,
    }


# Speed


@cache
def long_log() -> str:
    """A fight of 300 steps."""
    tree = json.loads(begun().fields["log"])
    order = ("chokestar", "flipfire", "breakhelm-x-19")
    shot = {"actor": "flipfire", "do": "shoot", "target": "breakhelm-x-19", "faces": [1]}
    rounds = [[*([shot] if who == "flipfire" else []), {"actor": who, "do": "end-turn"}] for who in order]
    tree["steps"] = [step for _ in range(75) for turn in rounds for step in turn]
    return json.dumps(tree)


def test_a_long_fight_is_reopened_and_continued_fast() -> None:
    """300 steps are opened, and one more is taken, without a wait; the log's last lines are shown, all on request."""
    with in_time("opening"):
        seen = answered(None, log=long_log())
    assert (len(known(seen.shown).entries), known(seen.shown).before) == (48, 252)
    whole = fighting(seen, whole="true")
    assert (len(known(whole.shown).entries), known(whole.shown).before, whole.eye) == (300, 0, "log")
    assert known(whole.shown).entries[:48] == known(seen.shown).entries
    with in_time("continuing"):
        after = fighting(seen, None, act=HOLD, faces="11")
    assert after.problems == ()


def test_a_crowd_is_shown_in_time() -> None:
    """A hundred blasters in one group: the page comes in under a second, those not shown a button away."""
    sheets = "\n\n".join(f"N{number}\nside: s{number % 2}\ngroup: all\n2 blasting\n2 fighting" for number in range(100))
    characters = [
        {**each, "abilities": {"blasting": 2, "fighting": 2, "shooting": 2, "craftsmanship": 1, "toughness": 3}}
        for each in read_setup(sheets).characters
    ]
    tree = {"format": "scratch-scenario/1", "characters": characters, "initiative": {"all": [3]}, "steps": []}
    with in_time():
        seen = answered(None, log=json.dumps(tree))
    assert len(known(seen.shown).turns) + len(known(seen.shown).others) == 100
    chosen = answered(None, log=json.dumps(tree), who="n57")
    assert known(chosen.shown).turns[0].actor == "n57"
    over = fighting(seen, None, act='{"do":"end-encounter"}')
    assert over.shown is not None


# Hostile


TREES: dict[str, Any] = {
    "deep": "[" * 100_000,
    "huge-number": '{"format":"scratch-scenario/1","characters":[{"id":"a","abilities":{"toughness":1e999}}]}',
    "digits": '{"format":' + "9" * 5_000 + "}",
    "list": "[]",
    "null": "null",
    "board": '{"format":"scratch-scenario/1","board":{}}',
    "names": json.dumps(
        {"format": "scratch-scenario/1", "characters": [{"id": "a", "name": "\u202e\u200b<b>", "abilities": {}}]}
    ),
}


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("control", ["log", "redo", "act", "before"])
def test_a_damaged_tree_is_refused_in_place(control: str, name: str) -> None:
    """Trees that mean harm are refused with a place; a log that is no fight stays as it was, marked as refused."""
    fields = {"log": begun().fields["log"], control: str(TREES[name])}
    if control == "before":
        fields["log"] = "resume"
    seen = answered(Seeded(1), **fields)
    for problem in seen.problems:
        assert problem.message.isprintable()
    if control == "log" and name != "names":
        assert seen.phase in ("setup", "dice")
        assert seen.fields["log"] == TREES[name]
        assert seen.is_refused


def test_a_redo_list_in_bad_order_loses_nothing_of_the_fight() -> None:
    """A step to be done again that is not allowed is left out with its reason."""
    strange = [{"actor": "flipfire", "do": "escape"}, json.loads(HOLD) | {"faces": [11]}]
    seen = answered(None, log=begun().fields["log"], redo=json.dumps(strange), act="redo")
    assert seen.undone == 1
    assert errors(seen) == {"act"}
    assert hp(fighting(seen, None, act="redo"))["breakhelm-x-19"] == 5


def test_an_action_knows_how_it_is_written() -> None:
    """The buttons send what `Action.step` writes."""
    action = Action("chokestar", "hold", ("breakhelm-x-19",), ("wrestling",))
    assert json.loads(HOLD) == action.step()


def test_line_ends_of_every_kind_part_sheets() -> None:
    """Stat blocks whose lines end as on an old Macintosh are read like any others."""
    text = "Ada\n2 toughness\n\nBo\nside: b\n1 toughness\n"
    assert read_setup(text.replace("\n", "\r")) == read_setup(text) == read_setup(text.replace("\n", "\r\n"))


# What stays in view


def test_attacks_come_first_by_what_they_take_from_the_likeliest_target() -> None:
    """For a shooter, Shooting stands above Basic attack; what needs no roll comes after all attacks."""
    seen = fighting(begun(), act='{"actor":"chokestar","do":"end-turn"}')
    turn = shown(seen).turns[0]
    assert turn.name == "Flipfire"
    attacks = [choice for choice in turn.choices if choice.worth > (0, 0)]
    # Of twenty tries against agility 10 with 6 hit points: shooting +2 hits with 8 or more, 12 times 2 and once 5.
    by_hand = {"shoot": (2 * 12 + 5, 13), "double-attack": (2 * 14, 26), "basic-attack": (13 + 1, 13)}
    assert {choice.do: choice.worth for choice in attacks if choice.do in by_hand} == by_hand
    assert [choice.worth for choice in turn.choices] == sorted((each.worth for each in turn.choices), reverse=True)
    assert [choice.do for choice in turn.choices][:3] == ["shoot", "double-attack", "basic-attack"]
    assert turn.choices[-1].do == "evade"
    assert [offer.do for offer in turn.acts] == ["engage", "bonus", "nothing"]
    assert turn.end is not None


PASSED = {
    "nothing-done": ((), "", ["engage", "bonus", "nothing"]),
    "passed": (("nothing",), "", []),
    "nothing-left": (("hold", "bonus"), "11", []),
    "something-left": (("hold",), "11", ["bonus", "nothing"]),
}


@pytest.mark.parametrize("name", PASSED)
def test_nothing_is_not_offered_beside_the_turn_s_end_that_is_the_same(name: str) -> None:
    """`turn.do-nothing`: done already, or with nothing else to do, the turn's end alone is offered; both stay legal."""
    acts, faces, offered = PASSED[name]
    seen = begun()
    for act in acts:
        target = ',"target":"breakhelm-x-19"' if act == "hold" else ""
        seen = fighting(seen, act=f'{{"actor":"chokestar","do":"{act}"{target}}}', faces=faces if target else "")
    turn = shown(seen).turns[0]
    assert [offer.do for offer in turn.acts] == offered
    assert {offer.do for offer in turn.small} >= {"nothing"}
    soup = BeautifulSoup(render("fight", seen.query).html, "html.parser")
    assert bool(soup.select(".fight-choices [data-action=nothing][data-actor=chokestar]")) == ("nothing" in offered)
    assert soup.select_one(".fight-foot [data-action=end-turn][data-key=e]")


def test_the_acts_have_the_keys_1_to_9_in_their_order() -> None:
    """What stands open is numbered as it stands, nine acts at most; what is folded has no key."""
    soup = BeautifulSoup(render("fight", begun().query).html, "html.parser")
    acts = [each for each in soup.select(".fight-choices .act") if each.find_parent("details") is None]
    keys = [str(each.get("data-key", "")) for each in acts]
    assert keys == [*"123456789"[: len(acts)], *[""] * (len(acts) - 9)]
    assert [each.get("aria-keyshortcuts", "") for each in acts] == keys
    assert [each.kbd.text if each.kbd else "" for each in acts] == keys
    assert not [each for each in soup.select("details [data-key]") if each.get("data-action")]
    foes = "\n\n".join(f"Foe {n}\nside: foes\ngroup: foes\n2 toughness" for n in range(12))
    able = "3 fighting\n1 shooting\n1 knockout\n1 stealth\n3 toughness"
    many = begun(f"Ann\nside: we\n{able}\n\n{foes}", "ann 20, foes 1")
    soup = BeautifulSoup(render("fight", many.query).html, "html.parser")
    assert [each["data-key"] for each in soup.select(".fight-choices [data-key]")] == [*"123456789"]


def shown(seen: View) -> Shown:
    """The fight of a view."""
    assert seen.shown is not None
    return seen.shown


def test_the_head_has_everybody_in_the_order_of_turns() -> None:
    """By initiative 13 + 2, 17 and 14, with hit points, side and what has befallen each, a word or two."""
    seen = fighting(begun(), Seeded(1), act=HOLD, faces="20")
    chips = {row.fighter.id: row for row in shown(seen).in_order}
    assert [*chips] == [each for group in shown(seen).state.order for each in (group,)]
    held = chips["breakhelm-x-19"]
    assert (held.standing.hp, held.standing.most, held.marks) == (4, 6, ("delayed",))
    assert held.aloud == "Breakhelm X-19, pirate, 4 hit points of 6, healthy, delayed"
    assert chips["chokestar"].tint == chips["flipfire"].tint != held.tint
    assert [own for own, row in chips.items() if row.is_active] == ["chokestar"]


@pytest.mark.parametrize(
    ("acts", "last"),
    [
        ((), ""),
        (("nothing", "end-turn"), "Chokestar does nothing."),
        (("nothing", "end-turn", "end-turn"), "Flipfire ends the turn."),
        (("end-turn",), "Chokestar ends the turn."),
    ],
    ids=["nothing-yet", "act-and-end", "ends-alone-after", "ends-alone"],
)
def test_the_head_keeps_the_act_whose_turn_has_ended(acts: tuple[str, ...], last: str) -> None:
    """The result line keeps what was done last when its turn ends; a turn that held nothing is told by its end."""
    seen = begun()
    for act in acts:
        seen = fighting(seen, act=json.dumps({"actor": shown(seen).active, "do": act}))
    assert shown(seen).last == last
    head = render("fight", seen.query).html.split('class="fight-acts"')[0]
    assert (f"data-last>{last}</p>" in head) if last else ("data-last" not in head)


@pytest.mark.parametrize(
    ("fields", "is_ready"),
    [
        ({"sheets": HUNTERS}, True),
        ({"system": "seize", "fighters": "Ann: side x\nBo: side y"}, True),
        ({"sheets": "side: hunters\n\nChokestar\n2 wrestling"}, False),
        ({"sheets": HUNTERS, "initiative": "nobody 3"}, False),
        ({"sheets": ""}, False),
    ],
    ids=["two-sides", "another-order", "one-side", "a-problem", "nobody"],
)
def test_to_begin_is_in_reach_once_everybody_can(fields: dict[str, str], is_ready: bool) -> None:
    """The buttons of a set-up stay on the screen where a fight can begin, and only there."""
    html = render("fight", query_string(fields)).html
    assert html.count('value="begin"') == 1
    assert ("fight-ready" in html) is is_ready


def test_the_end_says_who_won_and_when() -> None:
    """The last side standing is named with the round; the strong button ends the encounter, healing is folded."""
    log = json.loads(begun().fields["log"])
    for character in log["characters"]:
        character.update({"hp": 0} if character.get("side") == "pirate" else {})
    seen = answered(SystemRoller(), log=json.dumps(log), act='{"actor":"chokestar","do":"end-turn"}')
    assert shown(seen).ended == "The hunters win, in round 1"
    html = render("fight", seen.query).html
    assert re.search(r'value=\'{"do":"end-encounter"}\' class="primary"', html)
    assert not re.search(r'<ul class="fight-choices">', html.split("<details")[0])
    over = render("fight", fighting(seen, act='{"do":"end-encounter"}').query).html
    assert "The hunters win, in round 1" in over
    assert 'href="../replay/?scenario=' in over
    assert "Chokestar ends the turn." in re.search(r'data-copy="([^"]*)"', over)[1]


@pytest.mark.parametrize(
    ("side", "members", "words"),
    [
        ("pirates", [("a", "A"), ("b", "B")], "The pirates win, in round 5"),
        ("the referee", [("a", "A"), ("b", "B")], "The referee win, in round 5"),
        ("pirate", [("a", "A")], "The pirate wins, in round 5"),
        ("hunters", [("a", "A")], "The hunters win, in round 5"),
        ("rook", [("rook", "Rook")], "Rook wins, in round 5"),
        ("theirs", [("guard", "Guard")], "Guard wins, in round 5"),
        ("theirs", [("the-boss", "The Boss")], "The Boss wins, in round 5"),
        ("Theirs", [("guard", "Guard"), ("rat", "Rat")], "Guard and Rat win, in round 5"),
        ("yours", [("a", "A"), ("b", "B"), ("c", "C")], "A, B and C win, in round 5"),
        ("yours", [("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")], "A and 3 others win, in round 5"),
    ],
    ids=[
        "many",
        "with-article",
        "one",
        "one-of-many",
        "alone",
        "theirs",
        "boss",
        "theirs-two",
        "yours-three",
        "yours-four",
    ],
)
def test_who_won_is_a_sentence(side: str, members: list[tuple[str, str]], words: str) -> None:
    """A side by its name, somebody alone and the people of a side that has no name by their own."""
    assert won(side, members, 5) == words
