"""The fight calculator: stat blocks to a fight, actions and the rules, undo and redo, and any other input."""

import json
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from build_scripts.render import render_calculator_response
from scratch_core.calculators.characters_text.setup_text import format_setup, parse_setup
from scratch_core.calculators.fight import View
from scratch_core.calculators.fight.basic_menu import MAX_TARGET_SETS
from scratch_core.calculators.fight.roster import format_victory_sentence
from scratch_core.calculators.shared.names import NameIndex, parse_typed_initiative_faces
from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.calculators.shared.query import format_query
from scratch_core.dice import Roller, SeededRoller, SystemRoller, choose
from scratch_core.encounter.engine import legal_actions
from scratch_core.scenario import parse_scenario
from tests.support.clock import limit_time
from tests.support.fights import (
    FACES,
    HUNTERS,
    check_undo_and_redo,
    list_action_choices,
    list_error_controls,
    map_hit_points,
    play_file_again,
    view_begun_fight,
    view_fight,
    view_next,
)
from tests.support.known import require

HOLD = '{"actor":"chokestar","do":"hold","with":"wrestling","target":"breakhelm-x-19"}'


# Set-up


def test_sheets_are_parsed_with_sides_groups_places_and_hit_points() -> None:
    """Headings apply to all following characters, and lines below a name to that character.

    A minion has the side of its leader.
    """
    text = (
        "side: dock\n\nThe Boss: runs it\nhere: level, cover\n4 command\n3 toughness\n\n"
        "Thug\nminion of The Boss\nhp: 1\n2 toughness\n\nThug\nminion of the boss\ngroup: others\n2 toughness\n\n"
        "side: law\n\nRook\nside: both\n2 toughness"
    )
    keys = ("id", "name", "side", "here", "minion_of", "hp", "group")
    assert [{key: each[key] for key in keys if each.get(key)} for each in parse_setup(text).characters] == [
        {"id": "the-boss", "name": "The Boss", "side": "dock", "here": ["level", "cover"]},
        {"id": "thug", "name": "Thug", "side": "dock", "minion_of": "the-boss", "hp": 1},
        {"id": "thug-2", "name": "Thug 2", "side": "dock", "minion_of": "the-boss", "group": "others"},
        {"id": "rook", "name": "Rook", "side": "both"},
    ]


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
def test_invalid_sheet_is_reported_and_no_fight_begins(text: str, expected: str) -> None:
    """An unparsable text is reported at the sheets, and no fight begins."""
    seen = view_fight(SystemRoller(), log="begin", sheets=text)
    assert seen.phase == "setup"
    assert any(problem.where == "sheets" for problem in seen.problems)
    assert expected in " ".join(problem.expected for problem in seen.problems) or not text


def test_sheets_of_a_scenario_give_the_same_characters() -> None:
    """Stat blocks formatted from a fight's characters parse to the same characters."""
    before = parse_setup(HUNTERS.replace("Flipfire", "Flipfire\nhp: 2\nhere: level, water\ngroup: pack")).characters
    scenario = parse_scenario(json.dumps({"format": "scratch-scenario/1", "characters": before}))
    assert parse_setup(format_setup(scenario)).characters == before


def test_initiative_is_typed_by_name_id_or_group_with_faces_for_ties() -> None:
    """Initiative is typed by any name of a group, with faces for ties.

    Rules `turn.initiative-roll`, `turn.tie`: the first face is the roll, the others are those of ties.
    """
    members = [("hunters", "Chokestar", "chokestar"), ("x", "X-19", "x-19")]
    names = NameIndex.build_with_group_names(members)
    found, problems = parse_typed_initiative_faces("CHOKESTAR 13 4, x-19 = 7", names)
    assert (found, problems) == ({"hunters": [13, 4], "x": [7]}, ())
    for wrong in ("nobody 3", "hunters", "hunters 21", "hunters 3, chokestar 4"):
        assert parse_typed_initiative_faces(wrong, names)[1], wrong


def test_fight_without_a_roller_asks_for_initiative() -> None:
    """Without a roller a fight with untyped initiative doesn't begin, and says what is missing."""
    seen = view_fight(None, log="begin", sheets=HUNTERS)
    assert seen.phase == "setup"
    assert list_error_controls(seen) == {"initiative"}
    assert view_fight(None, log="begin", sheets=HUNTERS, initiative=FACES).phase == "fight"


# Actions


def random_fight(seed: int, sheets: str = HUNTERS, steps: int = 40) -> list[View]:
    """Return the views of a fight with random choices of the offered actions."""
    dice = SeededRoller(seed)
    seen = view_fight(dice, log="begin", sheets=sheets)
    views = [seen]
    for _ in range(steps):
        open_to = list_action_choices(seen)
        if not open_to:
            break
        seen = view_next(seen, dice, act=choose(dice, open_to).step)
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
def test_action_choices_are_the_legal_actions_each_once(seed: int, sheets: str) -> None:
    """In every state of a random fight each legal action has one button.

    Rule `act.basic.available`. Two attacks have one target each at a time, so an action with both targets has no
    button.
    """
    for seen in random_fight(seed, sheets, 30):
        found = [offer.step for offer in list_action_choices(seen) if offer.do != "craft"]
        legal = [
            json.dumps(action.to_step(), ensure_ascii=False, separators=(",", ":"))
            for action in legal_actions(require(seen.fight_view).state)
            if action.do != "craft" and not (action.do == "double-attack" and len(action.targets) == 2)
        ]
        assert len(found) == len(set(found))
        assert set(found) == set(legal)


@pytest.mark.parametrize(
    ("faces", "expected"),
    [("", "faces of its dice"), ("11,4", "one face"), ("21", "from 1 to 20"), ("0", "from 1 to 20"), ("x", "whole")],
    ids=["none", "many", "high", "low", "words"],
)
def test_wrong_faces_change_nothing(faces: str, expected: str) -> None:
    """Too few, too many or impossible faces are reported at their field.

    Rule `roll.die-substitute`. The fight, the faces and the note are unchanged.
    """
    before = view_begun_fight()
    seen = view_next(before, None, act=HOLD, faces=faces, note="unchanged")
    assert list_error_controls(seen) == {"faces"}
    assert expected in seen.problems[0].expected
    assert seen.fields["log"] == before.fields["log"]
    assert (seen.fields["faces"], seen.fields["note"]) == (faces, "unchanged")


DUEL = "Ann\n2 fighting\n3 toughness\n\nBo\n1 fighting\n3 toughness"


@pytest.mark.parametrize("seed", range(100))
def test_undo_reverts_one_press(seed: int) -> None:
    """Undo restores the fight before each press, and redo repeats it without rolling.

    Two attacks can be one press.
    """
    check_undo_and_redo(random_fight(seed, DUEL, steps=6))


@pytest.mark.parametrize("seed", range(4))
def test_log_replays_as_scenario_with_same_result(seed: int) -> None:
    """The scenario player gives the sentences and the state that the page shows."""
    seen = random_fight(seed, EVERYTHING)[-1]
    played = play_file_again(seen)
    assert (played.opening_state if played.final_state.phase == "before" else played.final_state) == require(
        seen.fight_view
    ).state


def test_steps_without_faces_wait_to_be_rolled_by_redo() -> None:
    """An opened file is played until faces are missing, and redo rolls them.

    Each redo rolls one step.
    """
    tree = json.loads(view_begun_fight().fields["log"])
    tree["steps"] = [json.loads(HOLD), {"actor": "chokestar", "do": "end-turn"}]
    seen = view_fight(None, log=json.dumps(tree))
    assert (len(seen.fight_view.entries), seen.undone_count) == (0, 2) if seen.fight_view else False
    once = view_next(seen, SeededRoller(1), act="redo")
    assert (len(require(once.fight_view).entries), once.undone_count) == (1, 1)
    assert view_next(once, None, act="redo").undone_count == 0


def test_new_setup_lists_fighters_and_fight_can_be_resumed() -> None:
    """A new set-up shows the characters as stat blocks.

    Resuming restores exactly the same fight.
    """
    fight = view_next(view_begun_fight(), None, act=HOLD, faces="11")
    seen = view_next(fight, None, act="setup")
    assert seen.phase == "setup"
    assert len(seen.fighters) == 3
    assert view_fight(None, log="resume", before=seen.fields["before"]).fields["log"] == fight.fields["log"]


def test_many_targets_are_picked_one_by_one() -> None:
    """A blast at any three of nine enemies takes two selections and one tap.

    Rule `act.blasting`.
    """
    sheets = "side: a\n\nBob\n2 blasting\n3 toughness\n\nside: b\n\n" + "\n\n".join(
        f"Foe {letter}\n2 toughness" for letter in "abcdefghi"
    )
    foes = [f"foe-{letter}" for letter in "abcdefghi"]
    faces = ", ".join(("bob 20", *(f"{foe} {place + 1}" for place, foe in enumerate(foes))))
    seen = view_begun_fight(sheets, faces)
    assert len(list(combinations(foes, 2))) > MAX_TARGET_SETS
    blasts = {offer.targets for offer in list_action_choices(seen) if offer.do == "blast"}
    assert blasts == {(foe,) for foe in foes}
    third = view_next(seen, None, picked="bob foe-i foe-b foe-e")
    (step,) = [offer.step for offer in list_action_choices(third) if len(offer.targets) == 3]
    assert map_hit_points(view_next(third, None, act=step, faces="20,1,20")) == {"bob": 3, **dict.fromkeys(foes, 2)} | {
        "foe-b": 0,
        "foe-i": 0,
    }


# Crafting before the first turn


TIED = """side: heroes

Ann
1 stealth
3 toughness

Cy
1 craftsmanship
3 toughness

side: foes

Bo
3 toughness"""
TIED_FACES = "ann 10, cy 5, bo 14"


def crafted_to_a_tie(roller: Roller | None) -> View:
    """Return the fight after a crafted bonus caused a tie of initiative.

    Cy crafts 1 more stealth for Ann, who was 2 behind Bo: both have 14.
    """
    craft = '{"actor":"cy","do":"craft","target":"ann","ability":"stealth","add":true,"hurry":false}'
    seen = view_begun_fight(TIED, TIED_FACES)
    assert craft in [offer.step for offer in list_action_choices(seen)]
    return view_next(seen, roller, act=craft)


def test_craft_that_ties_the_initiative_rolls_the_tie() -> None:
    """A crafted bonus that causes a tie rolls it, and the log has the dice.

    Rules `turn.tie`, `craft.encounter-lock`.
    """
    seen = crafted_to_a_tie(SeededRoller(2))
    assert seen.problems == ()
    tree = json.loads(seen.fields["log"])
    assert tree["initiative"] == {"ann": [10, 11], "bo": [14, 7], "cy": [5]}
    play_file_again(seen)


def test_tie_after_undo_and_redo_keeps_its_dice() -> None:
    """Undo takes the tie away and redo brings it back with the same dice."""
    seen = crafted_to_a_tie(SeededRoller(2))
    undone = view_next(seen, act="undo")
    assert [words for _, words, _ in require(undone.fight_view).initiative] == ["14", "12", "5"]
    assert view_next(undone, act="redo").fields["log"] == seen.fields["log"]


def test_tie_without_a_roller_is_a_problem_and_changes_nothing() -> None:
    """`turn.tie`: without a roller the tie is a problem, not an exception."""
    seen = crafted_to_a_tie(None)
    assert list_error_controls(seen) == {"faces"}
    assert seen.fields["log"] == view_begun_fight(TIED, TIED_FACES).fields["log"]


# Speed


@cache
def long_log() -> str:
    """A fight of 300 steps."""
    tree = json.loads(view_begun_fight().fields["log"])
    order = ("chokestar", "flipfire", "breakhelm-x-19")
    shot = {"actor": "flipfire", "do": "shoot", "target": "breakhelm-x-19", "faces": [1]}
    rounds = [[*([shot] if who == "flipfire" else []), {"actor": who, "do": "end-turn"}] for who in order]
    tree["steps"] = [step for _ in range(75) for turn in rounds for step in turn]
    return json.dumps(tree)


def test_fight_of_300_steps_opens_and_continues_in_time() -> None:
    """A fight of 300 steps opens and continues in time.

    The log shows the last lines, and all of them on request.
    """
    with limit_time("opening"):
        seen = view_fight(None, log=long_log())
    assert (len(require(seen.fight_view).entries), require(seen.fight_view).older_entry_count) == (48, 177)
    whole = view_next(seen, whole="true")
    assert (len(require(whole.fight_view).entries), require(whole.fight_view).older_entry_count, whole.focus) == (
        225,
        0,
        "log",
    )
    assert require(whole.fight_view).entries[:48] == require(seen.fight_view).entries
    with limit_time("continuing"):
        after = view_next(seen, None, act=HOLD, faces="11")
    assert after.problems == ()


END = '{"actor":"%s","do":"end-turn"}'


def test_log_end_of_a_turn_has_no_line_after_an_action() -> None:
    """The end of a turn has no log line if the turn had an action.

    Rule `turn.member-turn`: the action is the turn's line. A turn without an action and an end with a note have a line.
    """
    seen = view_next(view_next(view_begun_fight(), None, act=HOLD, faces="11"), None, act=END % "chokestar")
    assert [each.result.do for each in require(seen.fight_view).entries] == ["hold"]
    assert require(seen.fight_view).older_entry_count == 0
    assert "end" not in require(seen.fight_view).full_log
    assert len(require(seen.fight_view).fight.steps) == 2
    back = view_next(seen, None, act="undo")
    assert (back.undone_count, require(back.fight_view).active) == (1, "chokestar")
    noted = view_next(back, None, act=END % "chokestar", note="Enough")
    assert [each.result.do for each in require(noted.fight_view).entries] == ["end-turn", "hold"]
    alone = view_next(view_begun_fight(), None, act=END % "chokestar")
    assert [each.result.do for each in require(alone.fight_view).entries] == ["end-turn"]


def test_fight_of_hundred_characters_is_shown_in_time() -> None:
    """A fight with a hundred blasters in one group is shown in under a second.

    One button leads to each of the other characters.
    """
    sheets = "\n\n".join(f"N{number}\nside: s{number % 2}\ngroup: all\n2 blasting\n2 fighting" for number in range(100))
    characters = [
        {**each, "abilities": {"blasting": 2, "fighting": 2, "shooting": 2, "craftsmanship": 1, "toughness": 3}}
        for each in parse_setup(sheets).characters
    ]
    tree = {"format": "scratch-scenario/1", "characters": characters, "initiative": {"all": [3]}, "steps": []}
    with limit_time():
        seen = view_fight(None, log=json.dumps(tree))
    assert len(require(seen.fight_view).turn_menus) + len(require(seen.fight_view).other_actors) == 100
    chosen = view_fight(None, log=json.dumps(tree), who="n57")
    assert require(chosen.fight_view).turn_menus[0].actor == "n57"
    over = view_next(seen, None, act='{"do":"end-encounter"}')
    assert over.fight_view is not None


# Hostile input


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
def test_damaged_tree_is_rejected_at_its_control(control: str, name: str) -> None:
    """A damaged file is rejected with the place of the damage.

    An invalid log is unchanged and marked as refused.
    """
    fields = {"log": view_begun_fight().fields["log"], control: str(TREES[name])}
    if control == "before":
        fields["log"] = "resume"
    seen = view_fight(SeededRoller(1), **fields)
    for problem in seen.problems:
        assert problem.message.isprintable()
    if control == "log" and name != "names":
        assert seen.phase in ("setup", "dice")
        assert seen.fields["log"] == TREES[name]
        assert seen.is_refused


def test_redo_skips_illegal_steps_without_losing_the_fight() -> None:
    """A step to redo that is illegal is skipped with its reason."""
    strange = [{"actor": "flipfire", "do": "escape"}, json.loads(HOLD) | {"faces": [11]}]
    seen = view_fight(None, log=view_begun_fight().fields["log"], redo=json.dumps(strange), act="redo")
    assert seen.undone_count == 1
    assert list_error_controls(seen) == {"act"}
    assert map_hit_points(view_next(seen, None, act="redo"))["breakhelm-x-19"] == 5


def test_sheets_are_split_at_every_kind_of_line_end() -> None:
    """Stat blocks with any kind of line end are parsed."""
    text = "Ada\n2 toughness\n\nBo\nside: b\n1 toughness\n"
    assert parse_setup(text.replace("\n", "\r")) == parse_setup(text) == parse_setup(text.replace("\n", "\r\n"))


# Order of the actions


def test_attacks_come_first_by_expected_damage() -> None:
    """Attacks come first, sorted by expected damage to the likeliest target.

    For a shooter, Shooting comes before Basic attack. Actions without a roll come after all attacks.
    """
    seen = view_next(view_begun_fight(), act='{"actor":"chokestar","do":"end-turn"}')
    turn = require(seen.fight_view).turn_menus[0]
    assert turn.actor_name == "Flipfire"
    attacks = [choice for choice in turn.action_groups if choice.first_choice_attack_value > (0, 0)]
    # Of twenty tries against agility 10 with 6 hit points: shooting +2 hits with 8 or more, 12 times 2 and once 5.
    by_hand = {"shoot": (2 * 12 + 5, 13), "double-attack": (2 * 14, 26), "basic-attack": (13 + 1, 13)}
    assert {choice.do: choice.first_choice_attack_value for choice in attacks if choice.do in by_hand} == by_hand
    assert [choice.first_choice_attack_value for choice in turn.action_groups] == sorted(
        (each.first_choice_attack_value for each in turn.action_groups), reverse=True
    )
    assert [choice.do for choice in turn.action_groups][:3] == ["shoot", "double-attack", "basic-attack"]
    assert turn.action_groups[-1].do == "evade"
    assert [offer.do for offer in turn.offered_simple_choices] == ["engage", "bonus"]
    assert turn.end_turn_choice is not None


PASSED = {
    "nothing-done": ((), "", ["engage", "bonus"]),
    "passed": (("nothing",), "", []),
    "nothing-left": (("hold", "bonus"), "11", []),
    "something-left": (("hold",), "11", ["bonus"]),
}


@pytest.mark.parametrize("name", PASSED)
def test_end_of_turn_is_offered_instead_of_doing_nothing(name: str) -> None:
    """Only the end of the turn is offered, not also an action without effect.

    Rule `turn.do-nothing`: both are legal.
    """
    acts, faces, offered = PASSED[name]
    seen = view_begun_fight()
    for act in acts:
        target = ',"target":"breakhelm-x-19"' if act == "hold" else ""
        seen = view_next(seen, act=f'{{"actor":"chokestar","do":"{act}"{target}}}', faces=faces if target else "")
    turn = require(seen.fight_view).turn_menus[0]
    assert [offer.do for offer in turn.offered_simple_choices] == offered
    assert "nothing" in {offer.do for offer in turn.simple_choices}


@pytest.mark.parametrize(
    ("side", "members", "words"),
    [
        ("pirates", [("a", "A"), ("b", "B")], "The pirates win in round 5"),
        ("the referee", [("a", "A"), ("b", "B")], "The referee wins in round 5"),
        ("pirate", [("a", "A")], "Pirate wins in round 5"),
        ("hunters", [("a", "A")], "The hunters win in round 5"),
        ("rook", [("rook", "Rook")], "Rook wins in round 5"),
        ("theirs", [("guard", "Guard")], "Guard wins in round 5"),
        ("theirs", [("the-boss", "The Boss")], "The Boss wins in round 5"),
        ("Theirs", [("guard", "Guard"), ("rat", "Rat")], "The game master's side wins in round 5"),
        ("us", [("a", "A"), ("b", "B"), ("c", "C")], "The players' side wins in round 5"),
        ("ours", [("a", "A"), ("b", "B"), ("c", "C"), ("d", "D")], "The players' side wins in round 5"),
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
        "us-three",
        "ours-four",
    ],
)
def test_format_win_names_side_or_members(side: str, members: list[tuple[str, str]], words: str) -> None:
    """A win names the side, or the members of a single or unnamed side."""
    assert format_victory_sentence(side, members, 5) == words


def test_roll_typed_for_the_end_of_a_turn_asks_to_clear_the_field() -> None:
    """A face typed for the end of a turn is rejected, with what to do.

    The fight is unchanged.
    """
    seen = view_next(view_begun_fight(), None, act=HOLD, faces="11")
    refused = view_next(seen, None, act=END % "chokestar", faces="2")
    assert refused.fields["log"] == seen.fields["log"]
    assert [(each.where, format_problem_sentence(each)) for each in refused.problems] == [
        ("faces", "This action needs no roll. Clear this field, then select the action again.")
    ]


@pytest.mark.parametrize(("scope", "words"), [("", "once per encounter"), ("pair", "once per target")])
def test_unrepeatable_action_says_how_often_the_house_rules_allow_it(scope: str, words: str) -> None:
    """The row names the setting. Rule: `act.unrepeatable`."""
    sheets = "Ann\nside: us\n3 detection\n3 toughness\n\nBo\nside: them\n3 toughness"
    begun = view_fight(sheets=sheets, unrepeatable_scope=scope, act="begin", initiative="ann 9, them 3")
    html = render_calculator_response("fight", format_query(begun.fields)).html
    assert [each for each in ("once per encounter", "once per target") if f"{each} · " in html] == [words]
