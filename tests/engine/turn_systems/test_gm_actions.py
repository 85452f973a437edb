"""Changes by the game master: steps of a file without an actor, in every turn system."""

import re
from pathlib import Path
from typing import Any

import pytest

from scratch_core.calculators.fight.session import Fight, add_step, open_fight
from scratch_core.errors import ScratchError
from scratch_core.file_formats import SCENARIO_FORMAT
from scratch_core.scenario import ScenarioResult, parse_scenario, play, scenario_from_dict
from scratch_core.scenario.parser import format_json
from tests.oracle.fight_situations import value_of
from tests.support.rollers import ForbiddenRoller

Step = dict[str, Any]

A: Step = {"id": "a", "side": "x", "abilities": {"fighting": 2, "toughness": 4, "quickness": 1}}
B: Step = {"id": "b", "side": "y", "abilities": {"fighting": 2, "toughness": 6}}
MAP = {"rows": ["....", "....", "..#."], "cover": [[0, 0]]}


def play_steps(
    *steps: Step, system: str = "scratch", characters: tuple[Step, ...] = (A, B), **more: Any
) -> ScenarioResult:
    """A fight of a, who comes first, and b, step by step."""
    initiative = {"a": [15], "b": [10]} if system in ("scratch", "seize") else {}
    head = {"format": SCENARIO_FORMAT, "system": system, "characters": list(characters), "initiative": initiative}
    tree = {**head, **more, "steps": list(steps)}
    found = play(scenario_from_dict(tree))
    assert not found.differences, [each.message for each in found.differences]
    assert not found.problems, [each.message for each in found.problems]
    written_and_undone(tree, found)
    return found


def written_and_undone(tree: Step, found: ScenarioResult) -> None:
    """Check that a result is replayed from JSON and TOML, and undone stepwise.

    Nothing is rolled.
    """
    pairs = zip(tree["steps"], found.results, strict=True)
    steps = [{**step, "faces": list(record.faces)} if record.faces else step for step, record in pairs]
    whole = {**tree, "initiative": found.initiative, "steps": steps}
    toml = "\n".join(f"{key} = {value_of(value)}" for key, value in whole.items())
    for text in (format_json(whole), toml, format_json(found.to_dict())):
        other = play(parse_scenario(text), ForbiddenRoller())
        assert other.states == found.states, text
        assert [came_of(each) for each in other.results] == [came_of(each) for each in found.results], text
    for n in range(len(steps)):
        assert play(scenario_from_dict(whole), ForbiddenRoller(), until=n).states[-1] == found.states[n], n


def came_of(record: Any) -> tuple[Any, ...]:
    """What came of a step."""
    return record.is_legal, record.narration, record.broken_rules, record.rolls, record.events, record.prevented


def on_board(*steps: Step, **more: Any) -> ScenarioResult:
    """The same on a map: a in a corner with cover, b four spaces away."""
    characters = ({**A, "at": [0, 0]}, {**B, "at": [3, 0]})
    return play_steps(*steps, characters=characters, board=MAP, **more)


def by_turns(*steps: Step, system: str) -> ScenarioResult:
    """Play steps of the same fighters in another turn system.

    a goes first.
    """
    more = {"hp": 5, "hp_round": 3} if system == "mano-old" else {}
    rows = [{"id": "a", "side": "x", **more}, {"id": "b", "side": "y", **more}, {"id": "c", "side": "y", **more}]
    if system == "seize":
        initiative = {"a": [15], "b": [10], "c": [5]}
        return play_steps(*steps, system=system, characters=tuple(rows), initiative=initiative)
    rows[0]["reach"] = 2
    return play_steps(*steps, system=system, characters=tuple(rows))


END_A, END_B = {"actor": "a", "do": "end-turn"}, {"actor": "b", "do": "end-turn"}


def build_condition_step(condition: str, target: str = "b", **more: Any) -> Step:
    """The step that gives someone a condition."""
    return {"do": "condition", "target": target, "condition": condition, **more}


# Stories of two, with the expectations of each step

PATHS = {each: each.replace("-", "_") for each in ("delayed", "panicked", "evading", "in-cover", "immobilized")}
C = {"id": "c", "side": "x", "abilities": {"toughness": 2}}
LEAVE_B, RETURN_B = {"do": "leave", "target": "b"}, {"do": "return", "target": "b"}
EVADE, HIT = {"actor": "a", "do": "evade"}, {"actor": "a", "do": "basic-attack", "target": "b", "faces": [15]}
MISS = {"actor": "b", "do": "basic-attack", "target": "a", "faces": [1]}
OF_THE_HAND = ["set-hp", "condition", "join", "leave", "return", "reorder"]
HELD = {"actor": "a", "do": "hold", "target": "b", "faces": [20], "expect": {"delayed.b": True}}


def expecting(step: Step, **paths: Any) -> Step:
    """A step with figures that it expects, `hp_b` for hp.b."""
    return {**step, "expect": {name.replace("__", "."): value for name, value in paths.items()}}


def joins(*faces: int, **expect: Any) -> Step:
    """C joins with these faces."""
    return {"do": "join", "character": C, "faces": [*faces], "expect": expect}


def set_hp(hp: int, **paths: Any) -> Step:
    """B has so many hit points."""
    return expecting({"do": "set-hp", "target": "b", "hp": hp}, **paths)


def lasting(name: str) -> dict[str, tuple[Step, ...]]:
    """Return fights in which a condition lasts until the target's next turn ends.

    The condition is given before that turn or in a turn of the target.
    """
    path = f"{PATHS[name]}.b"
    flight: list[Step] = [{"actor": "b", "do": "evade"}] if name == "panicked" else []
    there: Step = {"expect": {path: True}}
    gone: Step = {"expect": {path: False}}
    return {
        f"{name}, given before its turn": (
            {**build_condition_step(name), **there},
            {**END_A, **there},
            *flight,
            {**END_B, **gone},
        ),
        f"{name}, given in its turn": (
            *(END_A, MISS, {**build_condition_step(name), **there}, {**END_B, **there}),
            *(END_A, *flight, {**END_B, **gone}),
        ),
    }


def ended(name: str) -> tuple[Step, ...]:
    """`on = false` ends every cause of a condition."""
    return (
        build_condition_step(name),
        build_condition_step(name),
        HELD,
        build_condition_step(name, on=False, expect={f"{PATHS[name]}.b": False, "legal": True}),
    )


STORIES: dict[str, tuple[Step, ...]] = {
    "hit points go down to none": (set_hp(0, hp__b=0, condition__b="incapacitated", winner="x"),),
    "hit points below stamina": (set_hp(3, hp__b=3, condition__b="injured"),),
    "hit points up to the maximum": (set_hp(6, hp__b=6, legal=True),),
    "hit points go no further": (set_hp(7, hp__b=6, legal=False),),
    **{key: story for name in PATHS if name != "in-cover" for key, story in lasting(name).items()},
    **{f"{name} is ended, whatever brought it": ended(name) for name in PATHS},
    "an evade counts in the target's own turn, with its bonus on both defences (act.evade)": (
        build_condition_step("evading", bonus=3, expect={"agility.b": 13, "strength.b": 16}),
        *(END_A, expecting(MISS, evading__b=True), expecting(END_B, evading__b=False, agility__b=10)),
    ),
    "cover outlasts turns, and is left as any cover is (act.cover.stay)": (
        build_condition_step("in-cover", expect={"in_cover.b": True}),
        *(END_A, END_B, END_A, expecting(END_B, in_cover__b=True), END_A),
        expecting({"actor": "b", "do": "leave-cover"}, in_cover__b=False),
    ),
    "who joins with the best initiative is first (turn.order)": (joins(16, order=["c", "a", "b"], round=1),),
    "who joins between": (joins(12, order=["a", "c", "b"]),),
    "who joins last has all its hit points": (joins(1, order=["a", "b", "c"], **{"hp.c": 2}),),
    "who joins at a tie and loses it (turn.tie)": (joins(15, 4, 9, order=["a", "c", "b"]),),
    "who wins a tie at the second throw": (joins(15, 9, 9, 12, 4, order=["c", "a", "b"]),),
    "whose place is past acts in the next round": (
        *(EVADE, joins(20), END_A),
        expecting({"actor": "c", "do": "end-turn"}, legal=False, active="a"),
    ),
    "whose place is still to come acts in this round": (
        *(EVADE, joins(12), END_A),
        expecting({"actor": "c", "do": "end-turn"}, legal=True, active="c"),
    ),
    "joining at the start of a round leaves the turn and comes later in that round": (
        *(END_A, END_B, joins(1, order=["a", "b", "c"], round=2)),
        expecting({"actor": "c", "do": "end-turn"}, legal=False),
        *(END_A, END_B, expecting({"actor": "c", "do": "end-turn"}, legal=True, round=2)),
    ),
    "joining at the start of a round with the best initiative leaves the turn": (
        *(END_A, END_B, joins(20, order=["c", "a", "b"], round=2)),
        expecting(END_A, legal=True, round=2),
        *(END_B, expecting({"actor": "c", "do": "end-turn"}, legal=True, round=3)),
    ),
    "joining between two turns leaves the turn that is next": (
        *(END_A, joins(12, order=["a", "c", "b"], round=1)),
        expecting({"actor": "c", "do": "end-turn"}, legal=False),
        expecting(END_B, legal=True, round=1),
        *(END_A, expecting({"actor": "c", "do": "end-turn"}, legal=True, round=2)),
    ),
    "joining a group whose turns are over leaves the turn that is next": (
        *(END_A, END_B, {"do": "join", "character": {**C, "group": "b"}, "faces": [], "expect": {"round": 2}}),
        expecting({"actor": "c", "do": "end-turn"}, legal=False),
        *(END_A, expecting({"actor": "c", "do": "end-turn"}, legal=True, round=2)),
    ),
    "joining twice between turns leaves the turn that is next": (
        *(END_A, joins(12), {"do": "join", "character": {**C, "id": "d"}, "faces": [20]}),
        expecting(END_B, legal=True, round=1),
        expecting({"actor": "d", "do": "end-turn"}, legal=True, round=2),
    ),
    "joining after an incapacitated character was passed over ends its delay": (
        *(build_condition_step("delayed"), set_hp(0), {**END_A, "expect": {"delayed.b": True}}),
        joins(1, round=2, **{"delayed.b": False}),
        expecting(END_A, legal=True, round=2),
    ),
    "who joins a group shares its turns and throws nothing (turn.group)": (
        {"do": "join", "character": {**C, "group": "b"}, "faces": [], "expect": {"order": ["a", "b"]}},
        *(END_A, expecting({"actor": "c", "do": "end-turn"}, legal=True), expecting(END_B, round=1)),
    ),
    "who leaves is gone and not escaped, and comes back as it was": (
        *(HIT, build_condition_step("delayed"), END_A),
        {**LEAVE_B, "expect": {"gone.b": True, "escaped.b": False, "winner": "x", "cannot.a": ["hold"]}},
        {**RETURN_B, "expect": {"gone.b": False, "hp.b": 5, "delayed.b": False, "winner": ""}},
        expecting(END_B, legal=True, active="b"),
    ),
    "the escaped can be brought back (act.escape.effect)": (
        *(EVADE, END_A, END_B, expecting({"actor": "a", "do": "escape"}, escaped__a=True)),
        expecting({"do": "return", "target": "a"}, escaped__a=False, gone__a=False),
    ),
    **{
        f"who {how} on turn has no more turn": (
            *(EVADE, {**step, "target": "a", "expect": {"can.b": ["nothing"]}}),
            expecting(END_B, legal=True),
        )
        for how, step in (("leaves", {"do": "leave"}), ("falls", {"do": "set-hp", "hp": 0}))
    },
    **{
        f"no one else's turn ends with who {how}": (
            *(EVADE, {**step, "target": "b", "expect": {"can.a": ["end-turn"], "active": "a"}}),
        )
        for how, step in (("leaves", {"do": "leave"}), ("falls", {"do": "set-hp", "hp": 0}))
    },
    "another order keeps the turn that is on": (
        *(joins(1), EVADE),
        {"do": "reorder", "order": ["c", "a", "b"], "expect": {"order": ["c", "a", "b"], "active": "a"}},
        *(END_A, expecting(END_B, legal=True, round=1)),
    ),
    "another order before the first turn": (
        *(joins(1), {"do": "reorder", "order": ["c", "a", "b"], "expect": {"order": ["c", "a", "b"]}}),
        expecting({"actor": "c", "do": "end-turn"}, legal=True),
    ),
    "no one can, and no one is asked": ({**HIT, "expect": {"cannot.a": OF_THE_HAND, "cannot.b": OF_THE_HAND}},),
}
ON_BOARD: dict[str, tuple[Step, ...]] = {
    "cover belongs to a space with cover": (
        build_condition_step("in-cover", "a", expect={"legal": True, "in_cover.a": True}),
    ),
    "no cover where there is none": (
        build_condition_step("in-cover", "b", expect={"legal": False, "in_cover.b": False}),
    ),
    "none to be lost either": (
        build_condition_step("in-cover", "b", on=False, expect={"legal": True, "in_cover.b": False}),
    ),
    "coming back takes a free space": (
        {**LEAVE_B, "expect": {"at.b": []}},
        *({**RETURN_B, "at": at, "expect": {"legal": False}} for at in ([0, 0], [2, 2], [9, 9])),
        {**RETURN_B, "at": [3, 1], "expect": {"at.b": [3, 1]}},
    ),
    "the space of who joins, in the character": (
        {"do": "join", "character": {**C, "at": [1, 1]}, "faces": [2], "expect": {"at.c": [1, 1]}},
    ),
    "the space of who joins, in the step": (
        {"do": "join", "character": C, "at": [1, 1], "faces": [2], "expect": {"at.c": [1, 1]}},
    ),
}


@pytest.mark.parametrize("name", STORIES)
def test_gm_action_stories_meet_their_expectations(name: str) -> None:
    """Every step of the story meets its expectations and uses exactly its faces."""
    found = play_steps(*STORIES[name])
    for step, record in zip(STORIES[name], found.results, strict=True):
        assert list(record.faces) == list(step.get("faces", ()))
        assert record.narration.startswith("Game master: ") == ("actor" not in step)


def test_newcomer_who_is_next_is_named_by_its_name() -> None:
    """A newcomer who wins initiative before the first turn is next.

    The state before has no such character.
    """
    step = {"do": "join", "character": {**C, "id": "zed", "name": "Zed the Swift"}, "faces": [20]}
    (record,) = play_steps(step).results
    assert record.narration.endswith(" Zed the Swift's turn.")


def test_removed_character_is_still_removed_after_the_encounter() -> None:
    """The end of an encounter ends conditions, but no removal: `turn.encounter`."""
    third = {"id": "c", "side": "y", "abilities": {"toughness": 3}}
    end = {"do": "end-encounter", "expect": {"gone.b": True, "gone.c": False, "escaped.b": False}}
    initiative = {"a": [15], "b": [10], "c": [5]}
    found = play_steps(LEAVE_B, end, characters=(A, B, third), initiative=initiative)
    assert [each.gone for each in found.final_state.fighters] == [False, True, False]


@pytest.mark.parametrize("name", ON_BOARD)
def test_gm_actions_on_a_map_meet_their_expectations(name: str) -> None:
    """The same on a map: spaces are taken, free, or offer cover."""
    on_board(*ON_BOARD[name])


def test_hit_points_set_before_the_fight_stay() -> None:
    """Hit points set before the fight remain when it begins (`hp.start`).

    Crafting a bonus does not change them.
    """
    craft = {"actor": "a", "do": "craft", "target": "a", "ability": "fighting"}
    crafter = {**A, "abilities": {**A["abilities"], "craftsmanship": 1}}
    play_steps(set_hp(2), craft, {**END_A, "expect": {"hp.b": 2, "hp.a": 4}}, characters=(crafter, B))


def test_joining_at_a_tie_rolls_against_earlier_tie_faces() -> None:
    """Earlier tie faces are preserved, and the new group's are compared with them."""
    play_steps(joins(15, 10, order=["b", "c", "a"]), initiative={"a": [15, 8], "b": [15, 12]})


def hit(face: int = 15) -> Step:
    """A blow that takes 1 hit point."""
    return {"actor": "a", "do": "basic-attack", "target": "b", "faces": [face]}


# Deleting steps of a fight on the page


def fought(*steps: Step, **more: Any) -> Fight:
    """A fight on the page after these steps."""
    head = {"format": SCENARIO_FORMAT, "characters": [A, B], "initiative": {"a": [15], "b": [10]}, **more}
    fight, left = open_fight(format_json({**head, "steps": list(steps)}), None)
    assert not left
    return fight


@pytest.mark.parametrize(("number", "hp"), [(1, 5), (5, 5), (3, 4)])
def test_deleted_step_is_removed_as_if_never_played(number: int, hp: int) -> None:
    """A deleted step leaves the other steps and their dice unchanged.

    The file no longer has the step.
    """
    blow = {"actor": "b", "do": "basic-attack", "target": "a", "faces": [15]}
    fight = fought(hit(), END_A, blow, END_B, hit())
    after = add_step(fight, {"do": "strike", "step": number}, None, None)
    assert isinstance(after, Fight)
    assert after.state.fighter("b").hp == hp
    assert after.state.fighter("a").hp == (4 if number == 3 else 3)
    assert after.steps == tuple(step for n, step in enumerate(fight.steps, 1) if n != number)
    assert f"step {number} deleted" in after.narration
    assert open_fight(after.file_text, None)[0].states == after.states


@pytest.mark.parametrize(
    ("steps", "named"),
    [
        pytest.param(
            ({"do": "join", "character": C, "faces": [20]}, {"actor": "c", "do": "end-turn"}),
            "everyone who acts has joined",
            id="who had joined acts",
        ),
        pytest.param(
            (END_A, {"actor": "b", "do": "evade"}, {"do": "leave", "target": "a"}), "step 2", id="out of order"
        ),
        pytest.param((LEAVE_B, RETURN_B, build_condition_step("delayed")), "step 2", id="back without having left"),
    ],
)
def test_deleting_a_step_that_breaks_later_steps_is_rejected(steps: tuple[Step, ...], named: str) -> None:
    """Nothing changes, and the message names the steps that would fail."""
    with pytest.raises(ScratchError, match=named):
        add_step(fought(*steps), {"do": "strike", "step": 1}, None, None)


@pytest.mark.parametrize("number", [0, 3, "1", None])
def test_deleting_a_future_or_missing_step_is_refused(number: object) -> None:
    """A step to come, or none, is refused."""
    with pytest.raises(ScratchError, match="a step after the beginning"):
        add_step(fought(hit(), END_A), {"do": "strike", "step": number}, None, None)


def test_file_with_strike_step_is_rejected_with_advice() -> None:
    """Files no longer have `strike` steps."""
    with pytest.raises(ScratchError, match="the file without this step, and without those that it strikes"):
        scenario_from_dict(
            {"format": SCENARIO_FORMAT, "characters": [A, B], "steps": [hit(), {"do": "strike", "step": 1}]}
        )


# Refusals

FLEE = {"actor": "a", "do": "leave"}


@pytest.mark.parametrize(
    ("before", "step", "words"),
    [
        pytest.param((), {"do": "return", "target": "b"}, "out of the fight", id="return of someone present"),
        pytest.param((LEAVE_B,), LEAVE_B, "in the fight", id="leave of someone gone"),
        pytest.param((LEAVE_B,), build_condition_step("delayed"), "in the fight", id="a condition of someone gone"),
        pytest.param((), {"do": "join", "character": {**C, "id": "a"}}, "no one has", id="an id that is taken"),
        pytest.param((), {"do": "reorder", "order": ["a"]}, "each of a, b once", id="an order without someone"),
        pytest.param((), {"do": "reorder", "order": ["a", "a"]}, "each of a, b once", id="an order with one twice"),
        pytest.param(
            ({"do": "end-encounter"},), build_condition_step("delayed"), "going on", id="a condition after the fight"
        ),
    ],
)
def test_impossible_gm_action_is_rejected(before: tuple[Step, ...], step: Step, words: str) -> None:
    """It changes nothing, breaks no rule, and the message says what is possible."""
    found = play_steps(*before, {**step, "expect": {"legal": False}})
    assert words in found.results[-1].narration
    assert found.results[-1].broken_rules == ()
    assert found.states[-1] == found.states[-2]


@pytest.mark.parametrize(
    ("step", "where"),
    [
        pytest.param({"do": "set-hp", "target": "b", "hp": -1}, "steps[0].hp", id="hit points below none"),
        pytest.param({"do": "set-hp", "target": "b"}, "steps[0].hp", id="no hit points"),
        pytest.param({"do": "set-hp", "target": "z", "hp": 1}, "steps[0].target", id="no one"),
        pytest.param({"do": "set-hp", "actor": "a", "target": "b", "hp": 1}, "steps[0].actor", id="with an actor"),
        pytest.param(build_condition_step("asleep"), "steps[0].condition", id="an unknown condition"),
        pytest.param(build_condition_step("delayed", bonus=2), "steps[0].bonus", id="a bonus without an evade"),
        pytest.param({"do": "join"}, "steps[0].character", id="joining without a character"),
        pytest.param({"do": "join", "character": {}}, "steps[0].character.id", id="a character without an id"),
        pytest.param(
            {"do": "join", "character": {**C, "hp": 9}}, "steps[0].character.hp", id="more hit points than it can have"
        ),
        pytest.param({"do": "join", "character": C, "at": [0, 0]}, "steps[0].at", id="a space without a board"),
        pytest.param({"do": "join", "character": C, "after": "a"}, "steps[0].after", id="no one has a seat"),
        pytest.param({"do": "reorder", "order": "a"}, "steps[0].order", id="an order that is no list"),
        pytest.param({"actor": "b", "do": "set-hp"}, "steps[0].actor", id="someone's"),
    ],
)
def test_unparsable_gm_step_problem_names_its_place(step: Step, where: str) -> None:
    """A file with such a step is rejected."""
    with pytest.raises(ScratchError) as caught:
        scenario_from_dict({"format": SCENARIO_FORMAT, "characters": [A, B], "steps": [step]})
    assert [each.where for each in caught.value.problems] == [where]


def test_steps_between_an_exposing_step_and_its_interrupts_are_refused() -> None:
    """A step between a pending action and its interrupt is refused.

    The action stays pending. The same step is legal if no interrupt follows.
    """
    characters = ({**A, "at": [0, 0]}, {**B, "at": [1, 0]})
    between = {"do": "set-hp", "target": "b", "hp": 1, "expect": {"legal": False, "evading.a": False}}
    answer = {"actor": "b", "do": "interrupt", "target": "a", "faces": [20], "expect": {"legal": True}}
    found = play_steps(EVADE, between, answer, characters=characters, board=MAP)
    assert found.results[0].prevented
    alone = {**between, "expect": {"legal": True, "evading.a": True}}
    play_steps(EVADE, alone, characters=characters, board=MAP)


def test_played_gm_steps_replay_and_are_marked() -> None:
    """Steps of the game master are marked in the result.

    The file with its faces replays the same.
    """
    found = play_steps(hit(), {"do": "join", "character": C, "note": "Help."}, build_condition_step("delayed"))
    again = play(parse_scenario(format_json(found.to_dict())))
    assert [each.get("game_master", False) for each in again.to_dict()["steps"]] == [False, True, True]
    assert again.states == found.states
    assert again.results[1].step.note == "Help."


def test_documented_gm_example_meets_its_expectations() -> None:
    """The example file in the page about scenario files plays as it expects."""
    page = (Path(__file__).parents[3] / "docs/build-on-it/scenario-file.md").read_text(encoding="utf-8")
    (text,) = [each for each in re.findall(r"```toml\n(.*?)```", page, re.DOTALL) if "Help comes late" in each]
    found = play(parse_scenario(text))
    assert not found.differences
    assert all(record.is_legal for record in found.results)


# The other turn systems

NEW = {"id": "d", "side": "x"}


GONE = {**LEAVE_B, "expect": {"out.b": True, "gone.b": True, "legal": True}}
BACK = {**RETURN_B, "expect": {"out.b": False, "gone.b": False, "order": ["a", "b", "c"]}}
OWN = {"actor": "c", "do": "leave", "expect": {"out.c": True, "legal": True}}
REORDER = {"do": "reorder", "order": ["c", "a", "b"], "expect": {"active": "a", "order": ["c", "a", "b"]}}


def sits(after: Step, *order: str) -> tuple[Step, ...]:
    """A newcomer sits down there."""
    return ({"do": "join", "character": {**NEW, "hp": 2, "hp_round": 1}, **after, "expect": {"order": [*order]}},)


def throws(*faces: int, **expect: Any) -> tuple[Step, ...]:
    """A newcomer rolls its initiative."""
    return (expecting({"do": "join", "character": NEW, "faces": [*faces]}, **expect),)


def turn(who: str, then: str) -> tuple[Step, ...]:
    """A turn, and whose comes next."""
    return {"actor": who, "do": "turn"}, {"actor": who, "do": "choose", "target": then}


IN_ORDERS: dict[str, tuple[tuple[str, ...], tuple[Step, ...]]] = {
    "someone sits down next (mano.order.seating)": (("mano", "mano-old"), sits({"after": "a"}, "a", "d", "b", "c")),
    "someone sits down later": (("mano", "mano-old"), sits({"after": "b"}, "a", "b", "d", "c")),
    "someone sits down last": (("mano", "mano-old"), sits({}, "a", "b", "c", "d")),
    "who is taken out has no turn, who comes back has": (
        *(("mano", "mano-old", "seize"), (GONE, {**GONE, "expect": {"legal": False}}, BACK, OWN)),
    ),
    "a turn that is on goes on in another order; who leaves on turn has the next begin": (
        *(("mano", "mano-old"), (REORDER, {"do": "leave", "target": "a", "expect": {"active": "b"}})),
    ),
    "a newcomer's lower initiative (seize.highest-first)": (("seize",), throws(12, openers=["a"], face__d=12)),
    "a newcomer's tie won (seize.tie)": (("seize",), throws(15, 7, 3, openers=["d"])),
    "a newcomer's twenty (seize.natural-20)": (("seize",), throws(20, openers=["d"], extra__d=True)),
    "a newcomer's one (seize.natural-1)": (("seize",), throws(1, openers=["a"], barred__d=True)),
    "nothing comes between an attack and its answer (mano.counter.timing)": (
        ("mano",),
        (
            {"actor": "b", "do": "start-ready"},
            {"actor": "a", "do": "active", "target": "b", "expect": {"waiting": "b"}},
            {"do": "join", "character": NEW, "expect": {"legal": False}},
            {"actor": "b", "do": "let-pass", "expect": {"legal": True}},
            {"do": "join", "character": NEW, "expect": {"legal": True}},
        ),
    ),
    "a newcomer in a complete round acts in the next (seize.round-complete)": (
        ("seize",),
        (
            *(*turn("a", "b"), *turn("b", "c"), *turn("c", "a")),
            {"do": "join", "character": NEW, "faces": [9], "expect": {"acted.d": True}},
            {"actor": "a", "do": "turn", "expect": {"round": 2, "acted.d": False}},
        ),
    ),
}


@pytest.mark.parametrize(("name", "system"), [(name, system) for name in IN_ORDERS for system in IN_ORDERS[name][0]])
def test_gm_actions_in_other_turn_systems_meet_their_expectations(name: str, system: str) -> None:
    """The same in the other orders of turns, three of them at a table."""
    steps = [dict(step) for step in IN_ORDERS[name][1]]
    for step in steps:
        if system == "mano" and "character" in step:
            step["character"] = NEW
    by_turns(*steps, system=system)


def test_choose_next_has_no_order_to_change() -> None:
    """There is nothing to reorder where each chooses the next."""
    with pytest.raises(ScratchError, match=r"steps\[0\].do"):
        by_turns({"do": "reorder", "order": ["a", "b", "c"]}, system="seize")


@pytest.mark.parametrize("do", ["set-hp", "condition"])
@pytest.mark.parametrize("system", ["mano", "mano-old", "seize"])
def test_gm_cannot_set_what_a_turn_system_lacks(system: str, do: str) -> None:
    """Hit points and conditions are the basic rules'."""
    with pytest.raises(ScratchError, match=r"steps\[0\].do"):
        by_turns({"do": do, "target": "a"}, system=system)


def test_deleting_a_step_works_in_other_turn_systems() -> None:
    """A deleted step is removed, or refused if later steps depend on it."""
    more = {"system": "mano", "characters": [{"id": "a", "reach": 2}, {"id": "b"}, {"id": "c"}], "initiative": {}}
    act, second = {"actor": "a", "do": "active"}, {"actor": "b", "do": "active"}
    after = add_step(fought(act, **more), {"do": "strike", "step": 1}, None, None)
    assert isinstance(after, Fight)
    assert after.state.active == "a"
    with pytest.raises(ScratchError, match="step 2, illegal then"):
        add_step(fought(act, second, **more), {"do": "strike", "step": 1}, None, None)
