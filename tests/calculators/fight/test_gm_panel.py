"""The game master's panel on the fight page: its controls and what its buttons do."""

import json
from typing import Any

import pytest

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import View
from scratch_core.calculators.shared.problem_sentences import format_problem_sentence
from scratch_core.calculators.shared.query import format_query
from scratch_core.scenario import parse_scenario, play
from scratch_core.turn_systems.registry import VARIANT_TURN_SYSTEMS
from tests.support.fights import (
    LINES_BY_SYSTEM,
    list_error_controls,
    map_hit_points,
    parse_log_rounds,
    view_after_press,
    view_begun_fight,
    view_begun_variant,
    view_next,
)
from tests.support.known import require


def condition(name: str, **more: Any) -> str:
    """The step that gives Flipfire a condition."""
    return json.dumps({"do": "condition", "target": "flipfire", "condition": name, **more})


def last(seen: View) -> dict[str, Any]:
    """The last step of the fight's file."""
    return dict(json.loads(seen.fields["log"])["steps"][-1])


FLIPFIRE = {"gm_who": "flipfire"}
MIRA = format_query({"name": "Mira", "toughness": "4", "fighting": "2", "at": "play", "play": "hp 3"})
PRESSES = [
    pytest.param("gm-set-hp", {**FLIPFIRE, "gm_hp": "2"}, "Flipfire has 2 hit points", id="set-hp"),
    pytest.param(condition("delayed"), {}, "Flipfire is delayed", id="condition"),
    pytest.param("gm-evading", {**FLIPFIRE, "gm_bonus": "3"}, "with +3 agility", id="evading with a bonus"),
    pytest.param('{"do":"leave","target":"flipfire"}', {}, "Flipfire is removed from the fight", id="leave"),
    pytest.param("gm-join", {"gm_new": "guard", "gm_side": "pirate"}, "joins the fight with initiative", id="join"),
    pytest.param(
        "gm-join", {"gm_new": "own", "gm_sheet": "Ida\n2 toughness"}, "Ida joins the fight", id="join by a sheet"
    ),
    pytest.param(
        "gm-reorder",
        {"gm_moved": "chokestar", "gm_before": "flipfire"},
        "the turn order is now Chokestar, Flipfire and Breakhelm X-19",
        id="reorder",
    ),
]


@pytest.mark.parametrize(("act", "fields", "said"), PRESSES)
def test_gm_press_adds_a_marked_step_that_can_be_undone(act: str, fields: dict[str, str], said: str) -> None:
    """A press adds a step without an actor, and the log marks it.

    Undo and redo apply to it.
    """
    before = view_begun_fight()
    after = view_after_press(before, act, note="So be it.", **fields)
    assert not after.problems
    entry = require(after.fight_view).entries[0].result
    assert entry.is_gm_action
    assert entry.narration.startswith("Game master: ")
    assert said in entry.narration
    assert "actor" not in last(after)
    assert play(parse_scenario(after.fields["log"])).results[-1].is_legal
    back = view_after_press(after, "undo")
    assert back.fields["log"] == before.fields["log"]
    assert view_after_press(back, "redo").fields["log"] == after.fields["log"]


def test_redo_of_joining_at_a_tie_reuses_its_dice() -> None:
    """Redo of joining with a tied initiative reuses the dice of the tie.

    Rule `turn.tie`: the newcomer ties with Flipfire.
    """
    joins = {"gm_new": "own", "gm_sheet": "Ida\n2 toughness", "faces": "17, 5, 3"}
    after = view_after_press(view_begun_fight(), "gm-join", **joins)
    assert last(after)["faces"] == [17, 5, 3]
    assert view_after_press(view_after_press(after, "undo"), "redo").fields["log"] == after.fields["log"]


def test_several_of_the_cast_join_numbered_and_take_their_turns_together() -> None:
    """Three guards join in three steps and share the turns of the first.

    Rule `turn.group`: only the first one rolls.
    """
    seen = view_after_press(view_begun_fight(), "gm-join", gm_new="guard", gm_count="3", gm_side="pirate")
    guards = [row.fighter for row in require(seen.fight_view).rows[-3:]]
    assert [each.name for each in guards] == ["Guard 1", "Guard 2", "Guard 3"]
    assert {each.group for each in guards} == {"Guard 1"}
    assert {each.side for each in guards} == {"pirate"}
    again = view_after_press(seen, "gm-join", gm_new="guard", gm_group="Guard 1", gm_side="-")
    assert require(again.fight_view).rows[-1].fighter.name == "Guard 4"
    assert require(again.fight_view).rows[-1].fighter.group == "Guard 1"


@pytest.mark.parametrize("choosing", ["", "join"])
def test_join_with_a_stat_block_adds_the_requested_number(choosing: str) -> None:
    """Two copies of one stat block join with numbered names and shared turns.

    Rule `turn.group`. Each has all values of the stat block.
    """
    sheet = "Ida: a friend\n2 toughness\nhp: 1"
    seen = view_after_press(
        view_begun_fight(), "gm-join", choosing=choosing, gm_new="own", gm_sheet=sheet, gm_count="2", faces="4"
    )
    assert not list_error_controls(seen)
    joined = [row.fighter for row in require(seen.fight_view).rows[3:]]
    assert [(each.name, each.hp, each.level("toughness")) for each in joined] == [("Ida", 1, 2), ("Ida 2", 1, 2)]
    assert {each.group for each in joined} == {"Ida"}


def test_join_with_two_stat_blocks_adds_the_number_of_each() -> None:
    """Two of each of two stat blocks join, on the side that the text says."""
    sheet = "side: pirate\n\nIda\n2 toughness\n\nUlf\n1 toughness"
    seen = view_after_press(view_begun_fight(), "gm-join", gm_new="own", gm_sheet=sheet, gm_count="2", gm_side="pirate")
    assert not list_error_controls(seen)
    joined = [row.fighter for row in require(seen.fight_view).rows[3:]]
    assert sorted(each.name for each in joined) == ["Ida", "Ida 2", "Ulf", "Ulf 2"]
    assert {each.side for each in joined} == {"pirate"}


def test_ticked_saved_and_cast_characters_join() -> None:
    """Ticked characters of the saved list and the cast join, with damage and numbers.

    The chooser is open and lists the saved characters first.
    """
    saved = json.dumps([{"name": "Mira", "query": MIRA, "summary": "Mira: hit points 4", "saved": 0, "id": "1"}])
    seen = view_next(view_begun_fight(), act="choose join", kept=saved)
    assert [heading for heading, _ in require(seen.chooser).groups][:2] == ["Yours", "Opponents"]
    seen = view_after_press(seen, "gm-join", choosing="join", gm_count="2", **{"tick.0": MIRA, "tick.guard": "guard"})
    assert not seen.problems
    assert seen.chooser is None
    names = [row.fighter.name for row in seen.fight_view.rows]
    assert {"Mira 1", "Mira 2", "Guard 1", "Guard 2"} <= set(names)
    assert map_hit_points(seen)["mira-1"] == 3, "a wound comes along"
    seen = view_after_press(view_begun_fight(), "gm-join", choosing="join", **{"tick.0": "nobody=1"})
    assert list_error_controls(seen) == {"gm_new"}
    assert seen.chooser is not None, "what was chosen is not lost"


def test_lists_of_sides_and_turns_to_join_have_names() -> None:
    """A character without side and group is in both lists by name, not by id."""
    sheets = "Rook of Rye\n2 toughness\n\nKim\nside: pirates\ngroup: crew\n2 toughness"
    panel = require(view_begun_fight(sheets, "rook-of-rye 3, crew 2").game_master_panel)
    assert panel.side_options == (("rook-of-rye", "Rook of Rye"), ("pirates", "pirates"), ("-", "a side of their own"))
    assert [own for own, _ in panel.group_options[:2]] == ["", "-"]
    assert panel.group_options[2:] == (("rook-of-rye", "with Rook of Rye"), ("crew", "with crew"))


def test_gm_join_preselects_the_side_of_the_opponents() -> None:
    """The players' side is not the first in the list: reinforcements are mostly opponents."""
    sheets = "Rook\nside: us\n2 toughness\n\nKim\nside: them\n2 toughness"
    panel = require(view_begun_fight(sheets, "rook 3, them 2").game_master_panel)
    assert [own for own, _ in panel.side_options] == ["them", "us", "-"]


def test_deleted_step_is_undone_and_no_longer_deletable() -> None:
    """A deleted step no longer counts and cannot be deleted again.

    The latest step comes first in the list. The old branch is saved.
    """
    seen = view_after_press(view_begun_fight(), "gm-set-hp", gm_hp="1", **FLIPFIRE)
    assert [number for number, _ in require(seen.game_master_panel).deletable_steps] == [1]
    seen = view_after_press(seen, "gm-strike", gm_step="1", note="for the next act")
    assert seen.fields["note"] == "for the next act"  # no step carries it
    assert map_hit_points(seen)["flipfire"] == 4
    assert require(seen.game_master_panel).deletable_steps == ()
    assert "step 1 deleted" in seen.summary
    (story,) = seen.saved_branches
    assert map_hit_points(view_next(seen, act=story.restore_command, aside=seen.fields["aside"]))["flipfire"] == 1


def test_active_condition_toggle_ends_it() -> None:
    """The same button gives a condition and ends it."""
    seen = view_after_press(view_begun_fight(), condition("delayed"))
    seen = view_next(seen, act="gm-card flipfire")
    delayed = require(require(seen.game_master_panel).selected_fighter).condition_toggles[0]
    assert delayed.is_on
    assert "no longer delayed" in view_after_press(seen, delayed.step).summary


@pytest.mark.parametrize("act", ["gm-card", "gm-card chokestar"])
def test_typed_hit_points_are_set_when_the_card_closes(act: str) -> None:
    """Typed hit points are set when the card closes, or another one opens.

    One undo takes them back, and an open card then shows the hit points of the fight.
    """
    opened = view_next(view_begun_fight(), act="gm-card flipfire")
    closed = view_next(opened, act=act, gm_hp="2", **FLIPFIRE)
    assert map_hit_points(closed)["flipfire"] == 2
    assert closed.fields["gm_who"] == act.removeprefix("gm-card").strip()
    assert "Flipfire has 2 hit points" in closed.summary
    undone = view_next(view_next(closed, act="gm-card flipfire"), act="undo", gm_hp="2", **FLIPFIRE)
    assert map_hit_points(undone)["flipfire"] == 4
    assert not undone.fields["gm_hp"]


def test_typed_evade_bonus_counts_when_the_card_closes() -> None:
    """An evade bonus that is typed in the open card marks the character as evading."""
    opened = view_next(view_begun_fight(), act="gm-card flipfire")
    closed = view_next(opened, act="gm-card", gm_bonus="3", **FLIPFIRE)
    assert last(closed) == {"do": "condition", "target": "flipfire", "condition": "evading", "bonus": 3}


def test_typed_hit_points_are_set_before_an_action() -> None:
    """An action sets the typed hit points first, and one undo takes back both."""
    opened = view_next(view_begun_fight(), act="gm-card flipfire")
    after = view_next(opened, act='{"actor":"chokestar","do":"end-turn"}', gm_hp="2", **FLIPFIRE)
    assert map_hit_points(after)["flipfire"] == 2
    assert (last(after)["do"], after.fields["gm_hp"], after.fields["gm_who"]) == ("end-turn", "", "")
    undone = view_next(after, act="undo")
    assert undone.fields["log"] == opened.fields["log"]
    refused = view_next(opened, act='{"actor":"chokestar","do":"end-turn"}', gm_hp="99", **FLIPFIRE)
    assert (refused.fields["log"], refused.fields["gm_who"]) == (opened.fields["log"], "flipfire")


def test_change_by_the_game_master_leaves_typed_rolls_and_the_focus() -> None:
    """The rolls are for the next action, and the next turn comes into view."""
    opened = view_next(view_begun_fight(), act="gm-card flipfire")
    changed = view_next(opened, act="gm-set-hp", gm_hp="2", faces="17", **FLIPFIRE)
    assert (map_hit_points(changed)["flipfire"], changed.fields["faces"]) == (2, "17")
    ended = view_next(opened, act='{"actor":"chokestar","do":"end-turn"}', gm_hp="2", **FLIPFIRE)
    assert (map_hit_points(ended)["flipfire"], ended.focus) == (2, "")


@pytest.mark.parametrize(("typed", "control"), [("4", None), ("many", "gm_hp"), ("99", "act")])
def test_card_closes_without_a_step_or_stays_open_with_the_problem(typed: str, control: str | None) -> None:
    """Unchanged hit points add no step, invalid ones keep the card open."""
    opened = view_next(view_begun_fight(), act="gm-card flipfire")
    closed = view_next(opened, act="gm-card", gm_hp=typed, **FLIPFIRE)
    assert closed.fields["log"] == opened.fields["log"]
    assert list_error_controls(closed) == ({control} if control else set())
    assert closed.fields["gm_who"] == ("flipfire" if control else "")


@pytest.mark.parametrize("typed", ["-1", "x", ""])
def test_invalid_typed_hit_points_say_what_to_enter(typed: str) -> None:
    """The sentence is about the field, not about a step of the log."""
    [problem] = view_after_press(view_begun_fight(), "gm-set-hp", **FLIPFIRE, gm_hp=typed).problems
    assert (problem.where, format_problem_sentence(problem)) == ("gm_hp", "Enter a whole number from 0 to 1,000.")


WRONG = [
    pytest.param("gm-set-hp", {**FLIPFIRE, "gm_hp": "many"}, "gm_hp", id="no number"),
    pytest.param("gm-set-hp", {**FLIPFIRE, "gm_hp": "99"}, "act", id="too many hit points"),
    pytest.param("gm-join", {"gm_new": "own"}, "gm_sheet", id="no text"),
    pytest.param("gm-join", {"gm_new": "own", "gm_sheet": "Ida\n2 nonsense"}, "gm_sheet", id="no ability"),
    pytest.param("gm-join", {"gm_new": "nobody-known"}, "gm_new", id="not of the cast"),
    pytest.param("gm-join", {"gm_new": "guard", "gm_count": "99"}, "gm_count", id="too many"),
    pytest.param("gm-reorder", {"gm_moved": "nobody"}, "act", id="no one moved"),
    pytest.param("gm-strike", {"gm_step": "7"}, "act", id="a step to come"),
    pytest.param("gm-nonsense", {}, "act", id="no such button"),
]


@pytest.mark.parametrize(("act", "fields", "control"), WRONG)
def test_invalid_gm_change_is_reported_and_changes_nothing(act: str, fields: dict[str, str], control: str) -> None:
    """The problem is shown at its control, and the fight is unchanged."""
    before = view_begun_fight()
    after = view_after_press(before, act, **fields)
    assert list_error_controls(after) == {control}
    assert after.fields["log"] == before.fields["log"]


def test_newcomers_on_a_map_get_the_nearest_free_spaces() -> None:
    """Newcomers are placed on the requested space and the nearest free one.

    A returning character also has a requested space.
    """
    seen = view_begun_fight(map="......\n......", tokens="chokestar 0,0; flipfire 0,1; breakhelm x-19 5,0")
    assert require(seen.game_master_panel).free_space == "1,0"
    seen = view_after_press(seen, "gm-join", gm_new="guard", gm_count="2", gm_at="0,0")
    assert [row.fighter.at for row in require(seen.fight_view).rows[-2:]] == [(1, 0), (1, 1)]
    seen = view_after_press(
        view_after_press(seen, '{"do":"leave","target":"flipfire"}'), "gm-return", gm_at="3,1", **FLIPFIRE
    )
    assert require(seen.fight_view).state.fighter("flipfire").at == (3, 1)


@pytest.mark.parametrize("system", LINES_BY_SYSTEM)
def test_gm_steps_work_in_every_turn_system(system: str) -> None:
    """A character can join, leave and return in every turn system.

    Where characters have seats, the turn order can be changed too.
    """
    seen = view_begun_variant(system)
    assert seen.game_master_panel is not None
    assert seen.system_control_text
    seats = {"gm_after": "ann"} if seen.has_seating_order else {}
    seen = view_after_press(
        seen, "gm-join", gm_sheet=LINES_BY_SYSTEM[system].replace("Ann", "Cy").split("\n")[0], **seats
    )
    assert not seen.problems
    assert "Cy joins the fight" in seen.summary
    seen = view_after_press(seen, '{"do":"leave","target":"cy"}')
    assert "Cy" in seen.summary
    seen = view_next(seen, act="gm-card cy")
    assert "set-hp" not in seen.turn_system.gm_fields
    seen = view_after_press(seen, require(require(seen.game_master_panel).selected_fighter).return_step)
    assert "Cy is back" in seen.summary
    if system == "seize":
        assert seen.game_master_panel is None or not seen.game_master_panel.turn_order
        return
    first = require(seen.game_master_panel).turn_order[0][0]
    seen = view_after_press(seen, "gm-reorder", gm_moved=first)
    assert last(seen)["order"][-1] == first
    assert "fight-log__by-hand" in render_calculator_response("fight", format_query({"log": seen.fields["log"]})).html


@pytest.mark.parametrize("system", ["mano", "mano-old"])
def test_newcomers_take_the_seats_after_the_selected_character(system: str) -> None:
    """Newcomers take the seats after the selected character, in the order of their lines."""
    lines = "\n".join(LINES_BY_SYSTEM[system].replace("Ann", name).split("\n")[0] for name in ("Cy", "Di", "Ed"))
    seen = view_after_press(view_begun_variant(system), "gm-join", gm_sheet=lines, gm_after="ann")
    assert not seen.problems
    assert [row.fighter.id for row in require(seen.fight_view).rows] == ["ann", "cy", "di", "ed", "bo"]


def test_log_lists_a_change_by_the_game_master_in_the_round_that_is_shown() -> None:
    """A change or a join at the start of round 2 is listed there.

    Rule `turn.order`.
    """
    seen = view_begun_fight()
    for who in ("chokestar", "flipfire", "breakhelm-x-19"):
        seen = view_next(seen, act=json.dumps({"actor": who, "do": "end-turn"}))
    seen = view_after_press(seen, '{"do":"set-hp","target":"flipfire","hp":3}')
    seen = view_after_press(seen, "gm-join", gm_new="own", gm_sheet="Ida\n2 toughness", faces="1")
    assert (require(seen.fight_view).round, require(seen.fight_view).active) == (2, "chokestar")
    assert parse_log_rounds(require(seen.fight_view).full_log) == [1, 1, 1, 2, 2]


@pytest.mark.parametrize("system", ["", *VARIANT_TURN_SYSTEMS])
def test_undo_removes_all_who_joined_by_one_press(system: str) -> None:
    """One undo removes three characters who joined by one press.

    One redo adds them again with their dice.
    """
    fields = {"gm_new": "guard", "gm_count": "3", "gm_side": "pirate"}
    sheet = "\n".join(f"{name}: side red{', hp 5, hp/round 3' * (system == 'mano-old')}" for name in ("Cy", "Di", "Ed"))
    fields = fields if not system else {"gm_sheet": sheet}
    first = view_after_press(view_begun_variant(system) if system else view_begun_fight(), "gm-join", **fields)
    assert len(require(first.fight_view).fight.steps) == 3
    second = view_after_press(first, "gm-join", **{**fields, "gm_count": "2"})
    back = view_after_press(second, "undo")
    assert back.fields["log"] == first.fields["log"]
    start = view_after_press(back, "undo")
    assert (require(start.fight_view).fight.steps, start.undone_count) == (
        (),
        len(require(second.fight_view).fight.steps),
    )
    assert "Undone:" in start.summary
    again = view_next(start, act="redo")
    assert (again.fields["log"], again.problems) == (first.fields["log"], ())
    assert view_next(again, act="redo").fields["log"] == second.fields["log"]


def test_undo_removes_one_of_two_who_joined_by_single_presses() -> None:
    """Two characters who joined by two presses need two undos.

    This holds even if three joined at once in the branch that was left.
    """
    three = view_after_press(view_begun_fight(), "gm-join", gm_new="guard", gm_count="3", gm_side="pirate")
    one = view_after_press(view_after_press(three, "undo"), "gm-join", gm_new="guard", gm_count="1", gm_side="pirate")
    two = view_after_press(one, "gm-join", gm_new="guard", gm_count="1", gm_side="pirate")
    assert view_after_press(two, "undo").fields["log"] == one.fields["log"]


@pytest.mark.parametrize("same", ["x", "2 3 99999999", "-1", "\u0662 \u0663", "1 " * 9_000])
def test_damaged_numbers_of_a_press_change_nothing(same: str) -> None:
    """Undo works if the numbers of the steps of one press are damaged.

    It goes back to the start at most.
    """
    seen = view_after_press(view_begun_fight(), "gm-join", gm_new="guard", gm_count="2", gm_side="pirate")
    back = view_next(seen, act="undo", same_press=same)
    assert not back.problems
    assert len(require(back.fight_view).fight.steps) <= 1


CREW = "Ann\nside: us\n3 toughness\n\nBo\nside: us\n2 toughness\n\nRat\nside: them\n1 toughness"
CREW_FACES = "ann 12, bo 9, rat 7"


def newcomers(**fields: str) -> list[tuple[str, str]]:
    """The names and groups of two who join Ann, Bo and Rat."""
    seen = view_after_press(view_begun_fight(CREW, CREW_FACES), "gm-join", gm_new="guard", gm_count="2", **fields)
    assert not list_error_controls(seen)
    return [(row.fighter.name, row.fighter.group) for row in require(seen.fight_view).rows[3:]]


def test_join_on_the_game_masters_side_shares_its_turns() -> None:
    """Newcomers on a side with one initiative group share its turns without a roll.

    Rule `turn.group`, ruling A44.
    """
    assert newcomers(gm_side="them") == [("Guard 1", "them"), ("Guard 2", "them")]
    seen = view_after_press(view_begun_fight(CREW, CREW_FACES), "gm-join", gm_new="guard", gm_side="them")
    assert not last(seen).get("faces")


def test_join_with_separate_turns_rolls_for_each() -> None:
    """Newcomers do not share the side's turn if separate turns are selected.

    Rule `turn.group`: the same holds on the players' side.
    """
    assert newcomers(gm_side="them", gm_group="-") == [("Guard 1", "guard-1"), ("Guard 2", "guard-2")]
    assert newcomers(gm_side="us") == [("Guard 1", "Guard 1"), ("Guard 2", "Guard 1")]
    html = render_calculator_response("fight", view_begun_fight(CREW, CREW_FACES).query).html
    assert "separate: roll initiative for each" in html
