"""The fight calculator by the other turn systems: lines to characters, actions and the rules, undo and redo."""

import json
import random
from typing import Any

import pytest

from build_scripts.render import render_calculator_response
from scratch_core.calculators.characters_text.fighter_lines import (
    format_lines,
    parse_fighter_lines,
    parse_head_and_ambush,
)
from scratch_core.calculators.fight import MAX_QUERY_LENGTH, View, view
from scratch_core.calculators.fight.menu_records import ActionChoice, ActionGroup
from scratch_core.calculators.fight.variant_controls import complete_button_step
from scratch_core.calculators.fight.variant_menu import MAX_BUTTONS
from scratch_core.calculators.shared.names import NameIndex
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.dice import RecordedRoller, SystemRoller
from scratch_core.scenario import Scenario, parse_scenario, play
from scratch_core.turn_systems import TurnSystem
from scratch_core.turn_systems.generic import GenericAction
from scratch_core.turn_systems.registry import MANO, MANO_OLD, SEIZE, VARIANT_TURN_SYSTEMS
from tests.support.fights import (
    check_undo_and_redo,
    list_error_controls,
    parse_log_rounds,
    play_file_again,
    view_fight,
    view_next,
)
from tests.support.known import require

LINES = {
    "mano": "Ann: speed 1/2, weapons 2, side red\nBo: speed 2, side blue\nCy: speed 1/4, side red\nDee: not healthy",
    "mano-old": "Ann: hp 6, hp/round 3, defence 2, stun 1, side red\nBo: hp 8, hp/round 2, defence 4, side blue",
    "seize": "Ann: bonus 3, side heroes\nBo: side heroes\nGoblin 1: bonus 2, group goblins\nGoblin 2: group goblins",
}
BEGIN = {"mano": {"first": "ann"}, "mano-old": {"ambush": "Ann"}, "seize": {"initiative": "ann 9, bo 3, goblins 7"}}


def begin_fight(system: str, lines: str = "", **fields: str) -> View:
    """A fight that has just begun."""
    given = {"fighters": lines or LINES[system], **({} if lines else BEGIN[system]), **fields}
    seen = view_fight(SystemRoller(), log="begin", system=system, **given)
    assert seen.phase == "fight", seen.problems
    return seen


def press(seen: View, do: str, actor: str = "", *aim: str, **fields: str) -> View:
    """Press an available button and fill in its fields.

    Its action, actor and targets identify it.
    """
    buttons = [one for row in (*_rows(seen), *require(seen.fight_view).table_events) for one in row.main_choices]
    (button,) = [one for one in (*buttons, *_ends(seen)) if (one.do, one.actor, *one.targets) == (do, actor, *aim)]
    return view_next(seen, None, act=button.step, **fields)


# Set-up


@pytest.mark.parametrize("system", VARIANT_TURN_SYSTEMS.values(), ids=lambda system: system.name)
def test_lines_round_trip_through_fighters(system: TurnSystem[Any, Any]) -> None:
    """Lines become characters, and the formatted characters parse to the same.

    Rule `mano.order.seating`: the seats are in the order of the lines.
    """
    first = parse_fighter_lines(LINES[system.name], system)
    assert first.problems == ()
    scenario = parse_scenario(
        json.dumps({"format": "scratch-scenario/1", "system": system.name, "characters": first.characters})
    )
    assert isinstance(scenario, Scenario)
    assert parse_fighter_lines(format_lines(scenario), system).characters == first.characters


def test_parse_lines_accepts_the_terms_of_the_rules() -> None:
    """Lines may use the terms of the rules for hit points and pools.

    Rule `mano-old.pools`: unassigned hit points are `other`: 6 - 2 - 1 = 3. Without hit points, their number is the sum
    of the pools.
    """
    ann, bo = parse_fighter_lines(
        "side: red\nAnn: HP 6, hp per round 3, defence 2, stun 1\nBo, other 4, hp_round 2", MANO_OLD
    ).characters
    assert (ann["hp"], ann["hp_round"], ann["side"]) == (6, 3, "red")
    assert ann["pools"] == {"defence": 2, "stun": 1, "other": 3}
    assert (bo["hp"], bo["pools"]) == (4, {"other": 4})
    (cy,) = parse_fighter_lines("Cy: speed ½, unhealthy", MANO).characters
    assert (cy["speed"], cy["healthy"]) == ("½", False)
    ids = [each["id"] for each in parse_fighter_lines("Ork\nOrk\nЁж", SEIZE).characters]
    assert ids == ["ork", "ork-2", "seat-3"]


@pytest.mark.parametrize(
    ("system", "text", "expected", "got"),
    [
        ("mano", "Ann\nBo: speed fast", "a speed of 1/4, 1/2", "'fast' on line 2"),
        ("mano", "Ann: weapons 11", "from 1 to 10", "11 on line 1"),
        ("mano", "Ann: healthy perhaps", "true or false", "'perhaps' on line 1"),
        ("mano", "Ann: not speed 1", "a speed", "'not speed 1' on line 1"),
        ("mano", "Ann: hp 3", "one of speed, stun", "'hp 3' on line 1"),
        ("mano", ": speed 1", "a name of 100", "': speed 1' on line 1"),
        ("mano-old", "\nAnn: hp 6", "hp/round", "'Ann' on line 2"),
        ("mano-old", "Ann: hp 6, hp/round 3, stun 9", "6 points in all", "9 in line 1"),
        ("seize", "Ann: bonus 101", "from -100 to 100", "101 on line 1"),
        ("seize", "\n".join(f"N{n}" for n in range(101)), "100 fighters", "101 on line 101"),
        ("seize", "Ann: group " + "x" * 101, "a name of 100", "on line 1"),
    ],
    ids=[
        *("speed", "weapons", "flag", "not", "strange-word", "nameless"),
        *("needed", "sum", "bonus", "crowd", "long-group"),
    ],
)
def test_invalid_line_is_reported_with_its_number(system: str, text: str, expected: str, got: str) -> None:
    """An invalid line is reported with its number and what was expected.

    No fight begins.
    """
    seen = view_fight(SystemRoller(), log="begin", system=system, fighters=text)
    assert seen.phase == "setup"
    assert list_error_controls(seen) == {"fighters"}
    assert any(expected in problem.expected and got in problem.got for problem in seen.problems), seen.problems
    assert seen.fields["fighters"] == text


@pytest.mark.parametrize(
    ("system", "fields", "where"),
    [
        ("mano", {"first": "nobody"}, "first"),
        ("mano", {"first": "ann, ann"}, "first"),
        ("mano", {"stalkers": "ann wins"}, "stalkers"),
        ("mano", {"initiative": "eve 3"}, "initiative"),
        ("mano", {"initiative": "ann 21"}, "initiative"),
        ("mano-old", {"ambush": "ann, bo"}, "ambush"),
        ("seize", {"seize_on_total": "perhaps"}, "seize_on_total"),
    ],
    ids=["first", "first-twice", "fate", "dice", "face", "two-ambushers", "ruling"],
)
def test_invalid_opening_is_reported_at_its_control(system: str, fields: dict[str, str], where: str) -> None:
    """An invalid opening is reported at its control, and all input stays.

    The first character, for example, must be present.
    """
    seen = view_fight(SystemRoller(), log="begin", system=system, fighters=LINES[system], **fields)
    assert seen.phase == "setup"
    assert list_error_controls(seen) == {where}
    assert all(seen.fields[name] == text for name, text in fields.items())


def test_first_turn_is_set_by_story_ambush_or_dice() -> None:
    """`mano.start.first`, `mano.surprise.one`, `mano-old.surprise`, `mano-old.initiative.reach`."""
    names = NameIndex.build([("ann", "Ann", "ann"), ("bo", "Bo", "bo")])
    head, steps, problems = parse_head_and_ambush(MANO, {"first": "Bo, Ann", "stalkers": "ann succeeds, bo: no"}, names)
    assert (head, problems) == ({"first": ["bo", "ann"]}, [])
    assert steps == [{"do": "surprise-rolls", "stalkers": {"ann": True, "bo": False}}]
    dispute = begin_fight("mano", "Ann\nBo", first="ann, bo", initiative="ann 3, bo 11")
    assert require(dispute.fight_view).active == "bo"
    assert json.loads(dispute.fields["log"])["initiative"] == {"ann": [3], "bo": [11]}
    stalked = begin_fight("mano", "Ann\nBo", stalkers="bo succeeds, ann fails")
    again = view_next(stalked, act="setup").fields["stalkers"]
    assert parse_head_and_ambush(MANO, {"first": "", "stalkers": again}, names)[1][0]["stalkers"] == {
        "ann": False,
        "bo": True,
    }
    assert (
        require(stalked.fight_view).active,
        require(stalked.fight_view).can_undo,
        len(require(stalked.fight_view).entries),
    ) == (
        "bo",
        False,
        1,
    )
    unmet = begin_fight("mano", "Ann\nBo", stalkers="ann fails, bo fails")
    assert require(unmet.fight_view).is_over  # `mano.surprise.neither`
    ambushed = begin_fight("mano-old", "Ann: hp 3, hp/round 1, reach 9\nBo: hp 3, hp/round 1", ambush="bo")
    assert require(ambushed.fight_view).active == "bo"


def test_fight_without_a_roller_and_faces_does_not_begin() -> None:
    """Without a roller and faces no fight begins.

    Rule `seize.roll`: a file without faces prompts for them.
    """
    seen = view_fight(None, log="begin", system="seize", fighters=LINES["seize"])
    assert (seen.phase, list_error_controls(seen)) == ("setup", {"initiative"})
    tree = json.loads(begin_fight("seize").fields["log"])
    del tree["initiative"]
    waiting = view_fight(None, log=json.dumps(tree))
    assert (waiting.phase, list_error_controls(waiting)) == ("dice", {"log"})
    assert view_fight(SystemRoller(), log=json.dumps(tree), act="open").phase == "fight"


def _rows(seen: View) -> tuple[ActionGroup, ...]:
    assert seen.fight_view is not None
    answers = seen.fight_view.question.action_groups if seen.fight_view.question else ()
    return (
        *answers,
        *(choice for turn in seen.fight_view.turn_menus for choice in turn.action_groups),
        *seen.fight_view.start_groups,
    )


def _ends(seen: View) -> list[ActionChoice]:
    return [turn.end_turn_choice for turn in require(seen.fight_view).turn_menus if turn.end_turn_choice]


def test_set_up_preserves_the_input_of_other_turn_systems() -> None:
    """Changing the turn system and back loses no input."""
    typed_in = {"sheets": "Rook\n2 toughness", "fighters": "Ann", "first": "Ann", "strength_base": "8"}
    for system in ("", "mano", "seize", "mano-old"):
        html = render_calculator_response("fight", format_query({**typed_in, "system": system})).html
        for name in typed_in:
            assert f'name="{name}"' in html, (system, name)
        assert all(
            parse_query(view_fight(None, **typed_in, system=system).query).text(n) == t for n, t in typed_in.items()
        )


# Actions


def offered(system: TurnSystem[Any, Any], row: ActionGroup) -> set[GenericAction]:
    """Return every action that a row's buttons and fields can send."""
    found = set()
    keys = {field.key: field for field in system.step_fields[row.do]}
    for button in row.main_choices:
        combinations: list[dict[str, str]] = [{}]
        for control in row.controls:
            choices = [value for value, _ in control.options] if control.options else ["", "true"]
            combinations = [{**each, control.name: value} for each in combinations for value in choices]
        for typed_in in combinations:
            step = complete_button_step(system, json.loads(button.step), typed_in)
            values = {("source" if key == "from" else key): value for key, value in step.items() if key in keys}
            if "take" in values:
                values["take"] = tuple(values["take"].items())
            found.add(system.fill_defaults(GenericAction(step["actor"], step["do"], **values)))
    return found


def random_fight(system: str, seed: int, steps: int = 40) -> list[View]:
    """Return the views of a fight with random actions and events."""
    dice = random.Random(seed)
    seen = begin_fight(system)
    views = [seen]
    for _ in range(steps):
        rows = [
            row for row in (*_rows(seen), *require(seen.fight_view).table_events) if row.variants and row.do != "leave"
        ]
        if not rows:
            break
        row = dice.choice(rows)
        button = dice.choice(row.main_choices)
        ticks = {each.name: dice.choice(["", "true"]) for each in row.controls if each.kind == "tick"}
        sizes = {each.name: dice.choice(each.options)[0] for each in row.controls if each.kind != "tick"}
        after = view_next(seen, None, act=button.step, **ticks, **sizes)
        if row in _rows(seen):
            assert after.problems == (), (after.problems, button)
        seen = after
        views.append(seen)
    return views


@pytest.mark.parametrize("system", VARIANT_TURN_SYSTEMS.values(), ids=lambda system: system.name)
@pytest.mark.parametrize("seed", range(4))
def test_turn_system_choices_are_the_legal_actions(system: TurnSystem[Any, Any], seed: int) -> None:
    """`mano.turn.options`, `mano-old.phases`, `seize.choose-next`: buttons and fields are the legal actions."""
    for seen in random_fight(system.name, seed):
        scenario = parse_scenario(seen.fields["log"])
        assert isinstance(scenario, Scenario)
        state = play(scenario, RecordedRoller(())).final_state
        found = set[GenericAction]()
        for row in _rows(seen):
            acts = offered(system, row)
            assert not found & acts
            found |= acts
        found |= {GenericAction(each.actor, each.do) for each in _ends(seen)}
        weapons = {replaced(act) for act in found}
        assert weapons == {replaced(act) for act in system.legal_actions(state)}


def replaced(act: GenericAction) -> tuple[Any, ...]:
    """Return an action in its canonical form.

    Without a combo the number of weapons has no meaning.
    """
    return (
        (*act.to_step().items(), act.count)
        if act.count
        else tuple((key, str(value)) for key, value in act.to_step().items() if key != "weapons")
    )


@pytest.mark.parametrize("system", VARIANT_TURN_SYSTEMS)
def test_undo_goes_back_to_the_start_and_redo_to_the_end(system: str) -> None:
    """Undo restores each earlier state of the fight, and redo each later one."""
    check_undo_and_redo(random_fight(system, 7, 25))


@pytest.mark.parametrize("system", VARIANT_TURN_SYSTEMS)
def test_turn_system_log_replays_as_scenario_with_same_result(system: str) -> None:
    """The scenario player gives the sentences on the page.

    The log's query reopens the same view.
    """
    seen = random_fight(system, 11)[-1]
    play_file_again(seen)
    again = view(parse_query(seen.query, MAX_QUERY_LENGTH), None)
    assert (again.fight_view, again.query) == (seen.fight_view, seen.query)


def test_pools_accept_legal_moves_only() -> None:
    """Points move between pools only by legal moves.

    Rule `mano-old.phase.ready.choice`: 3 points become ready from defence 2 and other 4 (3 and 1 from stun). Then they
    are spent.
    """
    seen = press(begin_fight("mano-old"), "start-turn", "ann")
    assert seen.fight_view is not None
    (ready,) = _rows(seen)
    labels = [one.label for one in ready.main_choices]
    assert labels == ["3 HP from other", "1 HP from defence, 2 HP from other", "2 HP from defence, 1 HP from other"]
    taken = next(one for one in ready.main_choices if one.label.startswith("1 HP"))
    seen = view_next(seen, act=taken.step)
    spend = '{"actor":"ann","do":"spend","use":"power","to":"other"}'
    seen = view_next(seen, act=spend, spend_points="2")
    (ann, bo) = require(seen.fight_view).ordered_rows
    assert dict(ann.hit_point_pools) == {"stun": 0, "damage": 0, "ready": 1, "defence": 1, "other": 4}
    assert (ann.status.hp, bo.status.hp) == (6, 8)
    wrong = view_next(seen, act=spend, spend_points="2")
    assert {problem.rule for problem in wrong.problems} == {"mano-old.phase.actions"}
    moved = press(seen, "damage", "", "bo", event_points="3", event_from="defence")
    assert dict(require(moved.fight_view).ordered_rows[1].hit_point_pools) == {
        "stun": 0,
        "damage": 3,
        "ready": 0,
        "defence": 1,
        "other": 4,
    }
    strange = press(seen, "damage", "", "bo", event_points="lots")
    assert list_error_controls(strange) == {"event_points"}
    assert strange.fields["event_points"] == "lots"


def test_selected_target_is_an_enemy_by_default_and_stays() -> None:
    """An action has one button for the selected target and one without a target.

    Rule `mano.turn.options`: an enemy is selected by default, and the last target stays selected.
    """
    seen = begin_fight("mano", "Ann: side red\nBo: side red\nCy: side blue\nDee: side blue", first="ann")
    for pressed, narration in (("", "Ann attacks Cy."), ("bo dee", "Ann attacks Dee.")):
        turn = require(require(view_next(seen, aimed=pressed).fight_view).current_menu)
        choice = next(each for each in turn.action_groups if each.do == "active")
        after = view_next(
            seen, act=choice.choose_for_targets(turn.targets).untargeted_step, aims=turn.default_targets_by_action_json
        )
        assert require(after.fight_view).last_narration == narration
        alone = view_next(seen, act=require(choice.untargeted_choice).step, aims=turn.default_targets_by_action_json)
        assert (require(alone.fight_view).last_narration, alone.problems) == ("Ann acts.", ())
    for who in ("bo", "cy", "dee"):
        after = press(after, "active", who)
    assert require(require(after.fight_view).current_menu).targets == ("dee",)


def test_counterattack_choices_list_the_attacker_first() -> None:
    """`mano.counter.timing`: the pending attack is answered at its attacker before any other."""
    seen = begin_fight("mano", "Ann: side red\nBo: side blue\nCy: side blue", first="ann")
    seen = press(press(press(seen, "prepare-counter", "ann"), "active", "bo"), "active", "cy", "ann")
    assert [one.label for one in _rows(seen)[0].main_choices] == ["Cy", "Bo", "not an attack"]


def test_group_of_more_than_two_is_named_as_one_of_it() -> None:
    """Eight characters who share a 20 are named as one of their group.

    Rule `seize.gm-roll`: this holds in the heading and in the log's first line.
    """
    lines = "\n".join(("Ann", "side: foes", "group: goblins", *(f"Goblin {n}" for n in range(1, 9))))
    shown = require(begin_fight("seize", lines, initiative="ann 4, goblins 20").fight_view)
    assert shown.active_name == "One of the goblins"
    assert shown.last_narration == "Initiative: Ann 4, goblins 20. One of the goblins goes first."


def test_many_targets_are_a_list_with_one_button() -> None:
    """Among thirty characters the target is selected from a list.

    The selected one is used, and without a selection there is a problem.
    """
    lines = "\n".join(f"N{number}" for number in range(30))
    faces = ", ".join(("n0 20", *(f"n{number} 9" for number in range(1, 30))))
    seen = press(begin_fight("seize", lines, initiative=faces), "turn", "n0")
    (choose,) = [row for row in _rows(seen) if row.do == "choose"]
    (button,) = choose.main_choices
    (control,) = choose.controls
    assert len(control.options) > MAX_BUTTONS
    value = next(value for value, label in control.options if label == "N17")
    after = view_next(seen, None, act=button.step, **{control.name: value})
    assert require(after.fight_view).entries[0].result.narration == "N0 chooses N17 to act next."
    assert view_next(seen, act=button.step).problems


@pytest.mark.parametrize(("hurt", "answers"), [(12, ["seize"]), (13, ["seize", "decline"])])
def test_seizers_have_buttons_and_many_are_a_list(hurt: int, answers: list[str]) -> None:
    """Characters who may seize have buttons sorted by bonus, or lists if too many.

    Rule `seize.multi-order`: with more than twelve characters each answer has a list.
    """
    people = [{"id": f"n{number}", "name": f"N{number}", "bonus": number} for number in range(hurt + 1)]
    steps = [{"actor": "n0", "do": "turn"}, *({"do": "lose-hp", "target": each["id"]} for each in people[1:])]
    tree: dict[str, Any] = {"format": "scratch-scenario/1", "system": "seize", "characters": people, "steps": steps}
    tree["initiative"] = {f"n{number}": [5 if number else 19] for number in range(hurt + 1)}
    shown = require(view_fight(None, log=json.dumps(tree)).fight_view)
    rows = shown.question.action_groups if shown.question else ()
    assert [row.do for row in rows] == answers
    assert all(row.controls for row in rows) or [way.label for way in rows[0].variants] == [
        f"N{n}" for n in range(12, 0, -1)
    ]


def test_new_setup_lists_lines_and_fight_can_be_resumed() -> None:
    """A new set-up shows the characters as lines, and the first one.

    Resuming restores the same fight.
    """
    fight = press(begin_fight("mano", LINES["mano"], first="ann"), "skip", "ann")
    seen = view_next(fight, act="setup")
    assert (seen.phase, seen.system_control_text, seen.fields["first"], len(seen.setup_rows)) == (
        "setup",
        "mano",
        "Ann",
        4,
    )
    assert view_fight(None, log="resume", before=seen.fields["before"]).fields["log"] == fight.fields["log"]


# Hostile input


@pytest.mark.parametrize(
    "text",
    [
        '{"format":"scratch-scenario/1","system":"mano"}',
        '{"format":"scratch-scenario/1","system":"mano","characters":[{"id":"a","speed":1e999}]}',
        '{"format":"scratch-scenario/1","system":"seize","characters":[{"id":"a"}],"steps":[{"do":"fly"}]}',
        '{"format":"scratch-scenario/1","system":"mano","characters":' + "[" * 100_000,
        '{"system":"mano"}',
    ],
    ids=["no one", "huge", "strange-act", "deep", "no-format"],
)
def test_damaged_turn_system_log_is_rejected_unchanged(text: str) -> None:
    """An invalid log is unchanged and marked as refused, with its problems."""
    seen = view_fight(None, log=text)
    assert seen.is_refused
    assert seen.fields["log"] == text
    assert list_error_controls(seen) == {"log"}


@pytest.mark.parametrize("system", ["mano", "mano-old"])
def test_log_lists_the_action_that_ends_a_round_in_that_round(system: str) -> None:
    """The log lists an action in the round in which it was taken.

    Rules `mano.turn.per-round`, `mano-old.round`.
    """
    seen, expected, steps = begin_fight(system), list[int](), list[int]()
    while len(expected) < 40 and not require(seen.fight_view).is_over:
        turn = require(require(seen.fight_view).current_menu)
        offer = turn.end_turn_choice or next(
            choice.main_choices[0] for choice in turn.action_groups if choice.do != "combo"
        )
        if turn.end_turn_choice is None:
            expected.append(require(seen.fight_view).round)
            steps.append(len(require(seen.fight_view).fight.steps) + 1)
        seen = view_next(seen, act=offer.step)
        assert seen.problems == ()
    assert expected[-1] > 2
    assert parse_log_rounds(require(seen.fight_view).full_log) == expected
    headings = [(entry.result.n, entry.new_round) for entry in require(seen.fight_view).entries if entry.new_round]
    assert headings == [(steps[expected.index(number)], number) for number in sorted(set(expected), reverse=True)]


def test_pool_lists_omit_pools_without_points() -> None:
    """`mano-old.pools`: stun and damage can be taken out of pools with points alone."""
    seen = view_fight(
        SystemRoller(),
        log="begin",
        system="mano-old",
        fighters="Ann: hp 6, hp/round 3, defence 2, side red\nBo: hp 5, hp/round 2, side blue",
    )
    facts = {each.do: each for each in require(seen.fight_view).table_events}
    lists = {
        do: {value for value, _ in control.options}
        for do in ("stun", "damage")
        for control in facts[do].controls
        if control.kind == "select"
    }
    fighters = require(seen.fight_view).state.fighters
    filled = [pool for pool in ("ready", "defence", "other", "stun") if any(who.get_points(pool) for who in fighters)]
    assert "stun" not in filled
    assert lists == {do: {"", *filled} for do in ("stun", "damage")}
