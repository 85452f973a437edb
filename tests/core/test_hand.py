"""The game master's hand: steps of a file that nobody takes, in every order of turns."""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scratch_core.calculators.fight.table import Fight, add_step, open_fight
from scratch_core.errors import ScratchError
from scratch_core.scenario import FORMAT, Played, play, read, read_tree
from scratch_core.scenario.text import write_json
from tests.oracle import board_fight_situations, fight_situations, orders_situations
from tests.rollers import Seeded

FIGHTS = int(os.environ.get("HAND_FIGHTS", "200"))
"""How many random fights: `HAND_FIGHTS=5000 python -m pytest tests/core/test_hand.py -k random` is the long run."""

Step = dict[str, Any]

A: Step = {"id": "a", "side": "x", "abilities": {"fighting": 2, "toughness": 4, "quickness": 1}}
B: Step = {"id": "b", "side": "y", "abilities": {"fighting": 2, "toughness": 6}}
MAP = {"rows": ["....", "....", "..#."], "cover": [[0, 0]]}


def played(*steps: Step, system: str = "scratch", characters: tuple[Step, ...] = (A, B), **more: Any) -> Played:
    """A fight of a, who comes first, and b, step by step."""
    initiative = {"a": [15], "b": [10]} if system in ("scratch", "seize") else {}
    head = {"format": FORMAT, "system": system, "characters": list(characters), "initiative": initiative}
    found = play(read_tree({**head, **more, "steps": list(steps)}))
    assert not found.differences, [each.message for each in found.differences]
    assert not found.problems, [each.message for each in found.problems]
    return found


def on_board(*steps: Step, **more: Any) -> Played:
    """The same on a map: a in a corner with cover, b four spaces away."""
    characters = ({**A, "at": [0, 0]}, {**B, "at": [3, 0]})
    return played(*steps, characters=characters, board=MAP, **more)


def by_turns(*steps: Step, system: str) -> Played:
    """The same two in another order of turns; a goes first."""
    more = {"hp": 5, "hp_round": 3} if system == "mano-old" else {}
    rows = [{"id": "a", "side": "x", **more}, {"id": "b", "side": "y", **more}, {"id": "c", "side": "y", **more}]
    if system == "seize":
        initiative = {"a": [15], "b": [10], "c": [5]}
        return played(*steps, system=system, characters=tuple(rows), initiative=initiative)
    rows[0]["reach"] = 2
    return played(*steps, system=system, characters=tuple(rows))


END_A, END_B = {"actor": "a", "do": "end-turn"}, {"actor": "b", "do": "end-turn"}


def given(condition: str, target: str = "b", **more: Any) -> Step:
    """The step that gives somebody a condition."""
    return {"do": "condition", "target": target, "condition": condition, **more}


# Hit points and conditions


@pytest.mark.parametrize(
    ("hp", "expect"),
    [
        pytest.param(0, {"hp.b": 0, "condition.b": "incapacitated", "winner": "x"}, id="none"),
        pytest.param(3, {"hp.b": 3, "condition.b": "injured"}, id="injured"),
        pytest.param(6, {"hp.b": 6, "legal": True}, id="the maximum"),
        pytest.param(7, {"hp.b": 6, "legal": False}, id="one too many"),
    ],
)
def test_hit_points_are_set(hp: int, expect: Step) -> None:
    """Hit points go from none to the maximum, and no further."""
    played({"do": "set-hp", "target": "b", "hp": hp, "expect": expect})


def test_hit_points_set_before_the_fight_stay() -> None:
    """Whoever has hit points of its own when the fight begins keeps them, between crafted bonuses too (`hp.start`)."""
    craft = {"actor": "a", "do": "craft", "target": "a", "ability": "fighting"}
    crafter = {**A, "abilities": {**A["abilities"], "craftsmanship": 1}}
    steps = ({"do": "set-hp", "target": "b", "hp": 2}, craft, {**END_A, "expect": {"hp.b": 2, "hp.a": 4}})
    played(*steps, characters=(crafter, B))


PATHS = {
    "delayed": "delayed",
    "panicked": "panicked",
    "evading": "evading",
    "in-cover": "in_cover",
    "immobilized": "immobilized",
}


@pytest.mark.parametrize("condition", [each for each in PATHS if each != "in-cover"])
def test_a_condition_lasts_until_the_end_of_the_targets_next_own_turn(condition: str) -> None:
    """Given to somebody else, or in the target's own turn, it outlasts all turns but the target's next, and ends."""
    path = f"{PATHS[condition]}.b"
    evade = [{"actor": "b", "do": "evade"}] if condition == "panicked" else []
    before = ({**given(condition), "expect": {path: True}}, {**END_A, "expect": {path: True}})
    played(*before, *evade, {**END_B, "expect": {path: False}})
    own = ({**END_A}, {"actor": "b", "do": "basic-attack", "target": "a", "faces": [1]})
    on_turn = (*own, {**given(condition), "expect": {path: True}}, {**END_B, "expect": {path: True}}, END_A)
    played(*on_turn, *evade, {**END_B, "expect": {path: False}})


def test_an_evade_lasts_through_the_turn_with_its_bonus() -> None:
    """An evade given counts in the target's own next turn too, and its bonus on both defences (`act.evade`)."""
    evading = given("evading", bonus=3, expect={"agility.b": 13, "strength.b": 16})
    strike = {"actor": "b", "do": "basic-attack", "target": "a", "faces": [1], "expect": {"evading.b": True}}
    last = played(evading, END_A, strike, {**END_B, "expect": {"evading.b": False, "agility.b": 10}})
    assert last.records[0].say.startswith("Game master: ")


def test_cover_given_lasts_until_it_is_left() -> None:
    """Cover outlasts turns, and is left as any cover is (`act.cover.stay`)."""
    turns = (END_A, END_B, END_A, {**END_B, "expect": {"in_cover.b": True}}, END_A)
    leave = {"actor": "b", "do": "leave-cover", "expect": {"in_cover.b": False}}
    played(given("in-cover", expect={"in_cover.b": True}), *turns, leave)


@pytest.mark.parametrize("condition", PATHS)
def test_a_condition_is_ended_whatever_brought_it(condition: str) -> None:
    """`on = false` ends every cause of a condition."""
    path = f"{PATHS[condition]}.b"
    end = given(condition, on=False, expect={path: False, "legal": True})
    hold = {"actor": "a", "do": "hold", "target": "b", "faces": [20], "expect": {"delayed.b": True}}
    played(given(condition), given(condition), hold, end)


@pytest.mark.parametrize(("at", "legal"), [pytest.param("a", True, id="cover"), pytest.param("b", False, id="none")])
def test_cover_on_a_board_needs_a_space_with_cover(at: str, legal: bool) -> None:
    """On a board cover belongs to the space."""
    on_board(given("in-cover", at, expect={"legal": legal, f"in_cover.{at}": legal}))


# Coming and going

C = {"id": "c", "side": "x", "abilities": {"toughness": 2}}


@pytest.mark.parametrize(
    ("faces", "order"),
    [
        pytest.param([16], ["c", "a", "b"], id="first"),
        pytest.param([12], ["a", "c", "b"], id="between"),
        pytest.param([1], ["a", "b", "c"], id="last"),
        pytest.param([15, 4, 9], ["a", "c", "b"], id="a tie lost"),
        pytest.param([15, 9, 9, 12, 4], ["c", "a", "b"], id="a tie won at the second throw"),
    ],
)
def test_a_new_group_comes_where_its_initiative_says(faces: list[int], order: list[str]) -> None:
    """A new group rolls, and at a tie its next face and the other's decide (`turn.order`, `turn.tie`)."""
    found = played({"do": "join", "character": C, "faces": faces, "expect": {"order": order, "hp.c": 2, "round": 1}})
    assert found.records[0].faces == tuple(faces)


def test_a_tie_is_thrown_against_the_dice_that_broke_it_before() -> None:
    """Whoever has tie faces keeps them: the new group's are held against those."""
    join = {"do": "join", "character": C, "faces": [15, 10], "expect": {"order": ["b", "c", "a"]}}
    played(join, initiative={"a": [15, 8], "b": [15, 12]})


@pytest.mark.parametrize(
    ("face", "is_next"), [pytest.param(20, False, id="its place is past"), pytest.param(12, True, id="its place comes")]
)
def test_whoever_joins_acts_in_this_round_if_its_place_is_still_to_come(face: int, is_next: bool) -> None:
    """A place before the turn that is on is for the next round; one after it for this."""
    turns = ({"actor": "a", "do": "evade"}, {"do": "join", "character": C, "faces": [face]}, END_A)
    end = {"actor": "c", "do": "end-turn", "expect": {"legal": is_next, "active": "c" if is_next else "a"}}
    played(*turns, end)


def test_whoever_joins_a_group_shares_its_turns_and_throws_nothing() -> None:
    """A group's initiative stays as it is (`turn.group`)."""
    join = {"do": "join", "character": {**C, "group": "b"}, "faces": [], "expect": {"order": ["a", "b"]}}
    played(join, END_A, {"actor": "c", "do": "end-turn", "expect": {"legal": True}}, {**END_B, "expect": {"round": 1}})


LEAVE_B, RETURN_B = {"do": "leave", "target": "b"}, {"do": "return", "target": "b"}


def test_whoever_leaves_is_gone_and_not_escaped_and_comes_back_as_it_was() -> None:
    """Hit points are as they were, nothing else is left of what had befallen it."""
    hit = {"actor": "a", "do": "basic-attack", "target": "b", "faces": [15]}
    left = {**LEAVE_B, "expect": {"gone.b": True, "escaped.b": False, "winner": "x", "cannot.a": ["hold"]}}
    back = {**RETURN_B, "expect": {"gone.b": False, "hp.b": 5, "delayed.b": False, "winner": ""}}
    played(hit, given("delayed"), END_A, left, back, {**END_B, "expect": {"legal": True, "active": "b"}})


def test_the_escaped_can_be_brought_back() -> None:
    """Who escaped is in the fight again (`act.escape.effect`)."""
    escape = {"actor": "a", "do": "escape", "expect": {"escaped.a": True}}
    back = {"do": "return", "target": "a", "expect": {"escaped.a": False, "gone.a": False}}
    played({"actor": "a", "do": "evade"}, END_A, END_B, escape, back)


@pytest.mark.parametrize(
    "step", [pytest.param({"do": "leave"}, id="gone"), pytest.param({"do": "set-hp", "hp": 0}, id="down")]
)
def test_a_turn_ends_where_its_character_cannot_go_on(step: Step) -> None:
    """Whoever is on turn and goes down or away has no more turn; nobody else's turn ends."""
    evade = {"actor": "a", "do": "evade"}
    played(evade, {**step, "target": "a", "expect": {"can.b": ["nothing"]}}, {**END_B, "expect": {"legal": True}})
    played(evade, {**step, "target": "b", "expect": {"can.a": ["end-turn"], "active": "a"}})


def test_coming_back_on_a_board_takes_a_space() -> None:
    """Who leaves frees its space, and comes back on one where nobody is."""
    left = {**LEAVE_B, "expect": {"at.b": []}}
    wrong = [
        {**RETURN_B, "at": at, "expect": {"legal": False}} for at in ([0, 0], [2, 2], [9, 9])
    ]  # taken, a wall, beyond the map
    on_board(left, *wrong, {**RETURN_B, "at": [3, 1], "expect": {"at.b": [3, 1]}})


@pytest.mark.parametrize("inside", [True, False], ids=["in the character", "in the step"])
def test_who_joins_on_a_board_has_a_space(inside: bool) -> None:
    """The space stands with the character, or in the step."""
    where = {"character": {**C, "at": [1, 1]}} if inside else {"character": C, "at": [1, 1]}
    on_board({"do": "join", **where, "faces": [2], "expect": {"at.c": [1, 1]}})


def test_another_order_keeps_the_turn_that_is_on() -> None:
    """The turn goes on, and then comes whoever stands after it."""
    join = {"do": "join", "character": C, "faces": [1]}
    reorder = {"do": "reorder", "order": ["c", "a", "b"], "expect": {"order": ["c", "a", "b"], "active": "a"}}
    evade = {"actor": "a", "do": "evade"}
    played(join, evade, reorder, {**END_A}, {**END_B, "expect": {"legal": True, "round": 1}})
    first = {**reorder, "expect": {"order": ["c", "a", "b"]}}
    played(join, first, {"actor": "c", "do": "end-turn", "expect": {"legal": True}})


def hit(face: int = 15) -> Step:
    """A blow that takes 1 hit point."""
    return {"actor": "a", "do": "basic-attack", "target": "b", "faces": [face]}


# Striking steps out of a fight on the page


def fought(*steps: Step, **more: Any) -> Fight:
    """A fight on the page after these steps."""
    head = {"format": FORMAT, "characters": [A, B], "initiative": {"a": [15], "b": [10]}, **more}
    fight, left = open_fight(write_json({**head, "steps": list(steps)}), None)
    assert not left
    return fight


@pytest.mark.parametrize(("number", "hp"), [(1, 5), (5, 5), (3, 4)])
def test_a_fight_without_a_struck_step_is_as_if_it_had_not_been(number: int, hp: int) -> None:
    """The other steps are as they were, with their dice; the file has it no more."""
    blow = {"actor": "b", "do": "basic-attack", "target": "a", "faces": [15]}
    fight = fought(hit(), END_A, blow, END_B, hit())
    after = add_step(fight, {"do": "strike", "step": number}, None, None)
    assert isinstance(after, Fight)
    assert after.state.fighter("b").hp == hp
    assert after.state.fighter("a").hp == (4 if number == 3 else 3)
    assert after.steps == tuple(step for n, step in enumerate(fight.steps, 1) if n != number)
    assert f"step {number} struck" in after.say
    assert open_fight(after.text, None)[0].states == after.states


@pytest.mark.parametrize(
    ("steps", "named"),
    [
        pytest.param(
            ({"do": "join", "character": C, "faces": [20]}, {"actor": "c", "do": "end-turn"}),
            "everybody joins",
            id="who had joined acts",
        ),
        pytest.param(
            (END_A, {"actor": "b", "do": "evade"}, {"do": "leave", "target": "a"}), "step 2", id="out of order"
        ),
        pytest.param((LEAVE_B, RETURN_B, given("delayed")), "step 2", id="back without having left"),
    ],
)
def test_a_strike_that_breaks_later_steps_is_refused_and_names_them(steps: tuple[Step, ...], named: str) -> None:
    """Nothing changes, and the sentence says what could not be."""
    with pytest.raises(ScratchError, match=named):
        add_step(fought(*steps), {"do": "strike", "step": 1}, None, None)


@pytest.mark.parametrize("number", [0, 3, "1", None])
def test_only_what_has_been_can_be_struck(number: object) -> None:
    """A step to come, or none, is refused."""
    with pytest.raises(ScratchError, match="a step after the beginning"):
        add_step(fought(hit(), END_A), {"do": "strike", "step": number}, None, None)


def test_a_file_that_strikes_steps_is_told_what_to_write_instead() -> None:
    """`strike` is no step of a file any more."""
    with pytest.raises(ScratchError, match="the file without this step, and without those that it strikes"):
        read_tree({"format": FORMAT, "characters": [A, B], "steps": [hit(), {"do": "strike", "step": 1}]})


# Refusals

FLEE = {"actor": "a", "do": "leave"}


@pytest.mark.parametrize(
    ("before", "step", "words"),
    [
        pytest.param((), {"do": "return", "target": "b"}, "out of the fight", id="return of somebody there"),
        pytest.param((LEAVE_B,), LEAVE_B, "in the fight", id="leave of somebody gone"),
        pytest.param((LEAVE_B,), given("delayed"), "in the fight", id="a condition of somebody gone"),
        pytest.param((), {"do": "join", "character": {**C, "id": "a"}}, "nobody has", id="an id that is taken"),
        pytest.param((), {"do": "reorder", "order": ["a"]}, "each of a, b once", id="an order without somebody"),
        pytest.param((), {"do": "reorder", "order": ["a", "a"]}, "each of a, b once", id="an order with one twice"),
        pytest.param(({"do": "end-encounter"},), given("delayed"), "going on", id="a condition after the fight"),
    ],
)
def test_what_makes_no_sense_is_refused(before: tuple[Step, ...], step: Step, words: str) -> None:
    """It changes nothing, breaks no rule, and says what would be possible."""
    found = played(*before, {**step, "expect": {"legal": False}})
    assert words in found.records[-1].say
    assert found.records[-1].rules == ()
    assert found.states[-1] == found.states[-2]


@pytest.mark.parametrize(
    ("step", "where"),
    [
        pytest.param({"do": "set-hp", "target": "b", "hp": -1}, "steps[0].hp", id="hit points below none"),
        pytest.param({"do": "set-hp", "target": "b"}, "steps[0].hp", id="no hit points"),
        pytest.param({"do": "set-hp", "target": "z", "hp": 1}, "steps[0].target", id="nobody"),
        pytest.param({"do": "set-hp", "actor": "a", "target": "b", "hp": 1}, "steps[0].actor", id="with an actor"),
        pytest.param(given("asleep"), "steps[0].condition", id="an unknown condition"),
        pytest.param(given("delayed", bonus=2), "steps[0].bonus", id="a bonus without an evade"),
        pytest.param({"do": "join"}, "steps[0].character", id="joining without a character"),
        pytest.param({"do": "join", "character": {}}, "steps[0].character.id", id="a character without an id"),
        pytest.param(
            {"do": "join", "character": {**C, "hp": 9}}, "steps[0].character.hp", id="more hit points than it can have"
        ),
        pytest.param({"do": "join", "character": C, "at": [0, 0]}, "steps[0].at", id="a space without a board"),
        pytest.param({"do": "join", "character": C, "after": "a"}, "steps[0].after", id="nobody sits in order"),
        pytest.param({"do": "reorder", "order": "a"}, "steps[0].order", id="an order that is no list"),
        pytest.param({"actor": "b", "do": "set-hp"}, "steps[0].actor", id="somebody's"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(step: Step, where: str) -> None:
    """A file with such a step is no scenario."""
    with pytest.raises(ScratchError) as caught:
        read_tree({"format": FORMAT, "characters": [A, B], "steps": [step]})
    assert [each.where for each in caught.value.problems] == [where]


def test_nobody_can_and_nobody_is_asked() -> None:
    """The game master's steps stand among no legal acts."""
    names = ["set-hp", "condition", "join", "leave", "return", "reorder"]
    played({**hit(), "expect": {"cannot.a": names, "cannot.b": names}})


def test_steps_between_an_exposing_step_and_its_interrupts_are_refused() -> None:
    """What waits goes on waiting; the same step is fine where no interrupt follows."""
    characters = ({**A, "at": [0, 0]}, {**B, "at": [1, 0]})
    evade = {"actor": "a", "do": "evade"}
    between = {"do": "set-hp", "target": "b", "hp": 1, "expect": {"legal": False, "evading.a": False}}
    answer = {"actor": "b", "do": "interrupt", "target": "a", "faces": [20], "expect": {"legal": True}}
    found = played(evade, between, answer, characters=characters, board=MAP)
    assert found.records[0].prevented
    alone = {**between, "expect": {"legal": True, "evading.a": True}}
    played(evade, alone, characters=characters, board=MAP)


def test_a_play_can_be_played_again_and_says_whose_step_it_was() -> None:
    """The record is marked as the game master's, and the file with its faces reads as before."""
    found = played(hit(), {"do": "join", "character": C, "note": "Help."}, given("delayed"))
    again = play(read(write_json(found.tree())))
    assert [each.get("game_master", False) for each in again.tree()["steps"]] == [False, True, True]
    assert again.states == found.states
    assert again.records[1].step.note == "Help."


def test_the_example_of_the_page_comes_as_it_says() -> None:
    """The file in the page about scenario files is played, and everything that it expects holds."""
    page = (Path(__file__).parents[2] / "docs/build-on-it/scenario-file.md").read_text(encoding="utf-8")
    (text,) = [each for each in re.findall(r"```toml\n(.*?)```", page, re.DOTALL) if "Help comes late" in each]
    found = play(read(text))
    assert not found.differences
    assert all(record.legal for record in found.records)


# The other orders of turns

NEW = {"id": "d", "side": "x"}


@pytest.mark.parametrize("system", ["mano", "mano-old"])
@pytest.mark.parametrize(
    ("after", "order"),
    [
        pytest.param({"after": "a"}, ["a", "d", "b", "c"], id="next"),
        pytest.param({"after": "b"}, ["a", "b", "d", "c"], id="later"),
        pytest.param({}, ["a", "b", "c", "d"], id="last"),
    ],
)
def test_somebody_sits_down(system: str, after: Step, order: list[str]) -> None:
    """A newcomer has its place where it sits, and no dice (`mano.order.seating`, `mano-old.order.seating`)."""
    more = {"hp": 2, "hp_round": 1} if system == "mano-old" else {}
    by_turns({"do": "join", "character": {**NEW, **more}, **after, "expect": {"order": order}}, system=system)


@pytest.mark.parametrize("system", ["mano", "mano-old", "seize"])
def test_everybody_comes_and_goes_in_every_order(system: str) -> None:
    """Who is taken out has no turn, who comes back has; the order's own `leave` stays."""
    gone = {"do": "leave", "target": "b", "expect": {"out.b": True, "gone.b": True, "legal": True}}
    back = {"do": "return", "target": "b", "expect": {"out.b": False, "gone.b": False, "order": ["a", "b", "c"]}}
    own = {"actor": "c", "do": "leave", "expect": {"out.c": True, "legal": True}}
    by_turns(gone, {**gone, "expect": {"legal": False}}, back, own, system=system)


@pytest.mark.parametrize("system", ["mano", "mano-old"])
def test_a_turn_that_is_on_goes_on_in_another_order(system: str) -> None:
    """Everybody's order, and the turn stays; who is on turn and leaves has the next one begin."""
    reorder = {"do": "reorder", "order": ["c", "a", "b"], "expect": {"active": "a", "order": ["c", "a", "b"]}}
    by_turns(reorder, {"do": "leave", "target": "a", "expect": {"active": "b"}}, system=system)


def test_choose_next_has_no_order_to_change() -> None:
    """There is nothing to reorder where each chooses the next."""
    with pytest.raises(ScratchError, match=r"steps\[0\].do"):
        by_turns({"do": "reorder", "order": ["a", "b", "c"]}, system="seize")


@pytest.mark.parametrize("do", ["set-hp", "condition"])
@pytest.mark.parametrize("system", ["mano", "mano-old", "seize"])
def test_what_an_order_does_not_count_cannot_be_set(system: str, do: str) -> None:
    """Hit points and conditions are the basic rules'."""
    with pytest.raises(ScratchError, match=r"steps\[0\].do"):
        by_turns({"do": do, "target": "a"}, system=system)


@pytest.mark.parametrize(
    ("faces", "expect"),
    [
        pytest.param([12], {"openers": ["a"], "face.d": 12}, id="lower"),
        pytest.param([15, 7, 3], {"openers": ["d"]}, id="a tie won"),
        pytest.param([20], {"openers": ["d"], "extra.d": True}, id="a twenty"),
        pytest.param([1], {"openers": ["a"], "barred.d": True}, id="a one"),
    ],
)
def test_a_newcomer_throws_its_initiative_before_the_first_turn(faces: list[int], expect: Step) -> None:
    """Who has the highest opens (`seize.highest-first`, `seize.tie`, `seize.natural-20`, `seize.natural-1`)."""
    by_turns({"do": "join", "character": NEW, "faces": faces, "expect": expect}, system="seize")


def test_a_newcomer_in_a_complete_round_acts_in_the_next() -> None:
    """The round is over for it too (`seize.round-complete`)."""
    turns: list[Step] = []
    for who, then in (("a", "b"), ("b", "c")):
        turns += [{"actor": who, "do": "turn"}, {"actor": who, "do": "choose", "target": then}]
    turns += [{"actor": "c", "do": "turn"}, {"actor": "c", "do": "choose", "target": "a"}]
    join = {"do": "join", "character": NEW, "faces": [9], "expect": {"acted.d": True}}
    by_turns(*turns, join, {"actor": "a", "do": "turn", "expect": {"round": 2, "acted.d": False}}, system="seize")


def test_nothing_comes_between_an_attack_and_its_answer() -> None:
    """Whoever is prepared answers first (`mano.counter.timing`)."""
    ready = {"actor": "b", "do": "start-ready"}
    attack = {"actor": "a", "do": "active", "target": "b", "expect": {"waiting": "b"}}
    join = {"do": "join", "character": NEW, "expect": {"legal": False}}
    answer = {"actor": "b", "do": "let-pass", "expect": {"legal": True}}
    by_turns(ready, attack, join, answer, {**join, "expect": {"legal": True}}, system="mano")


def test_striking_works_in_other_orders() -> None:
    """As if an act had not been, or refused where others follow from it."""
    more = {"system": "mano", "characters": [{"id": "a", "reach": 2}, {"id": "b"}, {"id": "c"}], "initiative": {}}
    act, second = {"actor": "a", "do": "active"}, {"actor": "b", "do": "active"}
    after = add_step(fought(act, **more), {"do": "strike", "step": 1}, None, None)
    assert isinstance(after, Fight)
    assert after.state.active == "a"
    with pytest.raises(ScratchError, match="step 2, illegal then"):
        add_step(fought(act, second, **more), {"do": "strike", "step": 1}, None, None)


# Random fights


def random_hand(random: Random, ids: list[str], tree: Step) -> Step:
    """A step of the game master's, often one that can be carried out."""
    system, target = tree.get("system", "scratch"), random.choice(ids)
    kinds = ["join", "leave", "return", *(["reorder"] if system != "seize" else [])]
    kinds += ["set-hp", "set-hp", "condition", "condition"] if system == "scratch" else []
    do = random.choice(kinds)
    step: Step = {"do": do}
    if do == "reorder":
        key = "group" if system == "scratch" else "id"
        names = list(dict.fromkeys(each.get(key, each["id"]) for each in tree["characters"]))
        names += [each for each in ids if each.startswith("new")]
        return {**step, "order": random.sample(names, len(names))}
    if do == "join":
        return {**step, **newcomer(random, ids, tree)}
    step["target"] = target
    if do == "set-hp":
        step["hp"] = random.randint(0, 5)
    if do == "condition":
        step |= {"condition": random.choice(list(PATHS)), "on": random.random() < 0.7}
    if do == "return" and "board" in tree:
        step["at"] = somewhere(random, tree)
    return step


def somewhere(random: Random, tree: Step) -> list[int]:
    """A space of the board that nothing fills."""
    rows = tree["board"]["rows"]
    free = [[x, y] for y, row in enumerate(rows) for x, sign in enumerate(row) if sign not in "#o"]
    return random.choice(free)


def newcomer(random: Random, ids: list[str], tree: Step) -> Step:
    """Somebody new, like those who are there, in a group of its own or in another's."""
    own_id = f"new{len(ids)}"
    like = {key: value for key, value in tree["characters"][0].items() if key not in ("id", "minion_of", "name", "at")}
    if random.random() < 0.5:
        like.pop("group", None)
    step: Step = {"character": {**like, "id": own_id}}
    if "board" in tree:
        step["at"] = somewhere(random, tree)
    if tree.get("system", "").startswith("mano") and random.random() < 0.5:
        step["after"] = random.choice(ids)
    ids.append(own_id)
    return step


def random_fight(seed: int) -> Step:
    """A random fight of some order of turns, with steps of the game master's among the others."""
    random = Random(f"hand {seed}")
    kind = ("scratch", "board", "mano", "mano-old", "seize")[seed % 5]
    if kind == "scratch":
        tree = fight_situations.random_tree(seed)
    elif kind == "board":
        tree = board_fight_situations.random_tree(seed)
    else:
        tree = orders_situations.random_tree(kind, seed)
    ids = [each["id"] for each in tree["characters"]]
    steps: list[Step] = []
    for each in tree["steps"]:
        while random.random() < 0.25:
            steps.append(random_hand(random, ids, tree))
        steps.append({key: value for key, value in each.items() if key != "expect"})
    return {**{key: value for key, value in tree.items() if key != "expect"}, "steps": steps}


def as_toml(tree: Step) -> str:
    """A tree as TOML: a line for each key."""
    return "\n".join(f"{key} = {fight_situations.value_of(value)}" for key, value in tree.items()) + "\n"


def essence(found: Played) -> list[Any]:
    """What came of each step."""
    return [(each.legal, each.say, each.rules, each.rolls, each.events, each.prevented) for each in found.records]


def random_places(seed: int, count: int) -> list[int]:
    """Eight of the moments that a fight is taken back to, or all where there are fewer."""
    return Random(seed).sample(range(count), min(8, count))


@pytest.mark.no_cover
@pytest.mark.parametrize("batch", range(10))
def test_random_fights_are_written_read_and_undone(batch: int) -> None:
    """Played, undone step by step to the start, written as JSON and TOML and read: always the same."""
    carried_out = 0
    for seed in range(batch, FIGHTS, 10):
        tree = random_fight(seed)
        found = play(read_tree(tree), Seeded(seed))
        kept = ("format", "title", "system", "rulings", "characters", "board", "first", "ambush")
        head = {key: tree[key] for key in kept if key in tree} | {"initiative": found.initiative}
        pairs = zip(tree["steps"], found.records, strict=True)
        steps = [{**step, "faces": list(record.faces)} if record.faces else step for step, record in pairs]
        whole = {**head, "steps": steps}
        again = play(read_tree(whole), Seeded(seed))
        assert (again.states, essence(again)) == (found.states, essence(found)), seed
        for text in (write_json(whole), as_toml(whole), write_json(found.tree())):
            other = play(read(text), Seeded(seed))
            assert other.states == again.states, seed
            assert essence(other) == essence(again), seed
        for n in {*random_places(seed, len(steps)), 0}:
            undone = play(read_tree(whole), Seeded(seed), until=n)
            assert undone.states[-1] == again.states[n], (seed, n)
        carried_out += sum(record.is_hand and record.legal for record in found.records)
    assert carried_out
