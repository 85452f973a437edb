"""The fight calculator by the other turn orders: lines to fighters, offers and the rules, steps forward and back."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from typing import Any

import pytest

from build_scripts.calculator_html import render
from scratch_core.calculators.fight import CONTROLS, QUERY_LIMIT, View, view
from scratch_core.calculators.fight.by_fields import ACT_CONTROLS, MOST_BUTTONS, pressed_step
from scratch_core.calculators.fight.offers import Choice, Offer
from scratch_core.calculators.people.lines import read_head, read_lines, write_lines
from scratch_core.calculators.query import parse_query, query_string
from scratch_core.dice import RecordedFaces, SystemRoller
from scratch_core.rounds import MANO, MANO_OLD, SEIZE, SYSTEMS, Act, System
from scratch_core.scenario import Scenario, play, read
from tests.clock import in_time
from tests.core.fights import answered, errors
from tests.hostile import MET, typed
from tests.known import known

LINES = {
    "mano": "Ann: speed 1/2, weapons 2, side red\nBo: speed 2, side blue\nCy: speed 1/4, side red\nDee: not healthy",
    "mano-old": "Ann: hp 6, hp/round 3, defence 2, stun 1, side red\nBo: hp 8, hp/round 2, defence 4, side blue",
    "seize": "Ann: bonus 3, side heroes\nBo: side heroes\nGoblin 1: bonus 2, group goblins\nGoblin 2: group goblins",
}
BEGIN = {"mano": {"first": "ann"}, "mano-old": {"ambush": "Ann"}, "seize": {"initiative": "ann 9, bo 3, goblins 7"}}


def begun(system: str, lines: str = "", **fields: str) -> View:
    """A fight that has just begun."""
    given = {"fighters": lines or LINES[system], **({} if lines else BEGIN[system]), **fields}
    seen = answered(SystemRoller(), log="begin", system=system, **given)
    assert seen.phase == "fight", seen.problems
    return seen


def fighting(seen: View, **fields: str) -> View:
    """The next view of a fight after something was pressed; no dice are at hand, for no act throws any."""
    carried = {name: seen.fields[name] for name in ("log", "redo") if seen.fields[name]}
    return answered(None, **{**carried, **fields})


def press(seen: View, do: str, actor: str = "", *aim: str, **fields: str) -> View:
    """Press an offered button, told by its act, its actor and its target, with small fields filled in."""
    buttons = [one for row in (*_rows(seen), *known(seen.shown).facts) for one in row.front]
    (button,) = [one for one in (*buttons, *_ends(seen)) if (one.do, one.actor, *one.targets) == (do, actor, *aim)]
    return fighting(seen, act=button.step, **fields)


# Setting up


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=lambda system: system.name)
def test_lines_become_fighters_and_come_back(system: System[Any, Any]) -> None:
    """`mano.order.seating`: the seats are in the order of the lines; what is written back reads the same."""
    first = read_lines(LINES[system.name], system)
    assert first.problems == ()
    scenario = read(json.dumps({"format": "scratch-scenario/1", "system": system.name, "characters": first.characters}))
    assert isinstance(scenario, Scenario)
    assert read_lines(write_lines(scenario), system).characters == first.characters


def test_a_line_says_what_is_special_in_the_rules_words() -> None:
    """`mano-old.pools`: hit points that no pool names lie in other: 6 - 2 - 1 = 3; pools alone give the sum."""
    ann, bo = read_lines(
        "side: red\nAnn: HP 6, hp per round 3, defence 2, stun 1\nBo, other 4, hp_round 2", MANO_OLD
    ).characters
    assert (ann["hp"], ann["hp_round"], ann["side"]) == (6, 3, "red")
    assert ann["pools"] == {"defence": 2, "stun": 1, "other": 3}
    assert (bo["hp"], bo["pools"]) == (4, {"other": 4})
    (cy,) = read_lines("Cy: speed ½, unhealthy", MANO).characters
    assert (cy["speed"], cy["healthy"]) == ("½", False)
    ids = [each["id"] for each in read_lines("Ork\nOrk\nЁж", SEIZE).characters]
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
def test_a_wrong_line_is_told_with_its_place(system: str, text: str, expected: str, got: str) -> None:
    """What can't be read stands at the lines with its number and what was expected; no fight begins."""
    seen = answered(SystemRoller(), log="begin", system=system, fighters=text)
    assert seen.phase == "setup"
    assert errors(seen) == {"fighters"}
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
def test_a_wrong_beginning_is_told_at_its_control(system: str, fields: dict[str, str], where: str) -> None:
    """Whoever begins must be there; the problem stands at the control, and everything typed stays."""
    seen = answered(SystemRoller(), log="begin", system=system, fighters=LINES[system], **fields)
    assert seen.phase == "setup"
    assert errors(seen) == {where}
    assert all(seen.fields[name] == text for name, text in fields.items())


def test_the_story_an_ambush_or_dice_say_who_begins() -> None:
    """`mano.start.first`, `mano.surprise.one`, `mano-old.surprise`, `mano-old.initiative.reach`."""
    names = {"ann": "ann", "bo": "bo"}
    head, steps, problems = read_head(MANO, {"first": "Bo, Ann", "stalkers": "ann succeeds, bo: no"}, names)
    assert (head, problems) == ({"first": ["bo", "ann"]}, [])
    assert steps == [{"do": "surprise-rolls", "stalkers": {"ann": True, "bo": False}}]
    dispute = begun("mano", "Ann\nBo", first="ann, bo", initiative="ann 3, bo 11")
    assert known(dispute.shown).active == "bo"
    assert json.loads(dispute.fields["log"])["initiative"] == {"ann": [3], "bo": [11]}
    stalked = begun("mano", "Ann\nBo", stalkers="bo succeeds, ann fails")
    again = fighting(stalked, act="setup").fields["stalkers"]
    assert read_head(MANO, {"first": "", "stalkers": again}, names)[1][0]["stalkers"] == {"ann": False, "bo": True}
    assert (known(stalked.shown).active, known(stalked.shown).can_undo, len(known(stalked.shown).entries)) == (
        "bo",
        False,
        1,
    )
    unmet = begun("mano", "Ann\nBo", stalkers="ann fails, bo fails")
    assert known(unmet.shown).is_over  # `mano.surprise.neither`
    ambushed = begun("mano-old", "Ann: hp 3, hp/round 1, reach 9\nBo: hp 3, hp/round 1", ambush="bo")
    assert known(ambushed.shown).active == "bo"


def test_nothing_is_rolled_while_nobody_asks() -> None:
    """`seize.roll`: without a roller and faces no fight begins; a file without faces asks for them."""
    seen = answered(None, log="begin", system="seize", fighters=LINES["seize"])
    assert (seen.phase, errors(seen)) == ("setup", {"initiative"})
    tree = json.loads(begun("seize").fields["log"])
    del tree["initiative"]
    waiting = answered(None, log=json.dumps(tree))
    assert (waiting.phase, errors(waiting)) == ("dice", {"log"})
    assert answered(SystemRoller(), log=json.dumps(tree), act="open").phase == "fight"


def test_a_total_may_count_as_a_twenty_where_that_is_chosen() -> None:
    """`seize.natural-20`, ruling S01: 17 + 3 = 20 brings an extra action only where totals count."""
    faces = {"initiative": "ann 17, bo 3, goblins 7"}
    for value, extra in (("", False), ("on", True)):
        seen = begun("seize", LINES["seize"], **faces, **({"seize_on_total": value} if value else {}))
        assert ("extra-action" in {row.do for row in _rows(press(seen, "turn", "ann"))}) == extra
        assert bool(json.loads(seen.fields["log"]).get("rulings")) == extra


def _rows(seen: View) -> tuple[Choice, ...]:
    assert seen.shown is not None
    answers = seen.shown.question.choices if seen.shown.question else ()
    return (*answers, *(choice for turn in seen.shown.turns for choice in turn.choices), *seen.shown.starts)


def _ends(seen: View) -> list[Offer]:
    return [turn.end for turn in known(seen.shown).turns if turn.end]


def test_each_set_up_keeps_what_was_typed_into_the_others() -> None:
    """Changing the turn order to and fro loses nothing."""
    typed_in = {"sheets": "Rook\n2 toughness", "fighters": "Ann", "first": "Ann", "strength_base": "8"}
    for system in ("", "mano", "seize", "mano-old"):
        html = render("fight", query_string({**typed_in, "system": system})).html
        for name in typed_in:
            assert f'name="{name}"' in html, (system, name)
        assert all(
            parse_query(answered(None, **typed_in, system=system).query).text(n) == t for n, t in typed_in.items()
        )


# Acting


def offered(system: System[Any, Any], row: Choice) -> set[Act]:
    """Every act that a row's buttons and fields can send."""
    found = set()
    keys = {field.key: field for field in system.steps[row.do]}
    for button in row.front:
        combinations: list[dict[str, str]] = [{}]
        for control in row.controls:
            choices = [value for value, _ in control.options] if control.options else ["", "true"]
            combinations = [{**each, control.name: value} for each in combinations for value in choices]
        for typed_in in combinations:
            step = pressed_step(system, json.loads(button.step), typed_in)
            values = {("source" if key == "from" else key): value for key, value in step.items() if key in keys}
            if "take" in values:
                values["take"] = tuple(values["take"].items())
            found.add(system.settle(Act(step["actor"], step["do"], **values)))
    return found


def random_fight(system: str, seed: int, steps: int = 40) -> list[View]:
    """The views of a fight in which chance chooses among the offers, the facts of the table among them."""
    dice = random.Random(seed)
    seen = begun(system)
    views = [seen]
    for _ in range(steps):
        rows = [row for row in (*_rows(seen), *known(seen.shown).facts) if row.ways and row.do != "leave"]
        if not rows:
            break
        row = dice.choice(rows)
        button = dice.choice(row.front)
        ticks = {each.name: dice.choice(["", "true"]) for each in row.controls if each.kind == "tick"}
        sizes = {each.name: dice.choice(each.options)[0] for each in row.controls if each.kind != "tick"}
        after = fighting(seen, act=button.step, **ticks, **sizes)
        if row in _rows(seen):
            assert after.problems == (), (after.problems, button)
        seen = after
        views.append(seen)
    return views


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=lambda system: system.name)
@pytest.mark.parametrize("seed", range(4))
def test_the_offers_are_the_legal_acts(system: System[Any, Any], seed: int) -> None:
    """`mano.turn.options`, `mano-old.phases`, `seize.choose-next`: the buttons with their fields are the legal acts."""
    for seen in random_fight(system.name, seed):
        scenario = read(seen.fields["log"])
        assert isinstance(scenario, Scenario)
        state = play(scenario, RecordedFaces(())).final
        found = set[Act]()
        for row in _rows(seen):
            acts = offered(system, row)
            assert not found & acts
            found |= acts
        found |= {Act(each.actor, each.do) for each in _ends(seen)}
        weapons = {replaced(act) for act in found}
        assert weapons == {replaced(act) for act in system.legal_actions(state)}


def replaced(act: Act) -> tuple[Any, ...]:
    """An act as what it means: without a combo the number of weapons says nothing."""
    return (
        (*act.step().items(), act.count)
        if act.count
        else tuple((key, str(value)) for key, value in act.step().items() if key != "weapons")
    )


@pytest.mark.parametrize("system", SYSTEMS)
def test_undo_goes_back_to_the_start_and_redo_to_the_end(system: str) -> None:
    """Each step back gives the fight as it was, each step forward gives it again."""
    views = random_fight(system, 7, 25)
    texts = list(dict.fromkeys(each.fields["log"] for each in views))
    seen = views[-1]
    for text in reversed(texts[:-1]):
        seen = fighting(seen, act="undo")
        assert seen.fields["log"] == text
    assert fighting(seen, act="undo").fields["log"] == texts[0]
    for text in texts[1:]:
        seen = fighting(seen, act="redo")
        assert seen.fields["log"] == text
    assert seen.undone == 0


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_log_is_a_scenario_that_plays_the_same(system: str) -> None:
    """Played by the scenario player, the log gives the sentences on the page; its query reopens the same view."""
    seen = random_fight(system, 11)[-1]
    played = play(read(seen.fields["log"]), RecordedFaces(()))
    assert [record.say for record in played.records] == [
        entry.record.say for entry in reversed(known(seen.shown).entries)
    ]
    again = view(parse_query(seen.query, QUERY_LIMIT), None)
    assert (again.shown, again.query) == (seen.shown, seen.query)


def test_a_prepared_counterattack_is_asked_for_first() -> None:
    """`mano.counter.wait`, `mano.counter.timing`, `mano.counter.rethink`: the answer, then the act stated again."""
    seen = press(begun("mano", "Ann\nBo", first="ann"), "prepare-counter", "ann")
    seen = press(seen, "active", "bo", "ann", active_move="true")
    assert seen.shown is not None
    assert {row.do for row in _rows(seen)} == {"counter", "let-pass"}
    assert "Bo attacks Ann, who is prepared" in known(seen.shown.question).words
    assert len({each.problem.rule for each in seen.shown.turns[0].barred}) == len(seen.shown.turns[0].barred) == 1
    after = press(seen, "counter", "ann", "bo")
    assert known(after.shown).due == "may now change its act"
    (active,) = [row for row in _rows(after) if row.do == "active"]
    assert active.controls == ()  # it has moved already
    passed = press(seen, "let-pass", "ann")
    assert known(passed.shown).active == "ann"
    assert known(passed.shown).in_order[0].lasting == ()  # `mano.counter.lapse`: its own turn has begun


def test_owed_skips_and_combos_are_shown_and_offered_by_speed() -> None:
    """`mano.speed.half`: 1 skip owed after acting; `mano.combo.count`: speed 2, one weapon: 1 or 2 quick actions."""
    seen = press(begun("mano"), "combo", "ann", "bo", combo_count="2,2")
    assert known(seen.shown).entries[0].record.say == "Ann acts with a combo of 2 against Bo."
    (ann,) = [each for each in known(seen.shown).rows if each.fighter.id == "ann"]
    assert [(each.word, each.rule) for each in ann.lasting] == [("owes skips", "mano.speed.half")]
    assert ann.is_done
    (combo,) = [row for row in _rows(seen) if row.do == "combo"]
    assert [value for value, _ in combo.controls[0].options] == ["1,1", "2,1"]
    refused = fighting(seen, act='{"actor":"bo","do":"combo"}', combo_count="3,1")
    assert {problem.rule for problem in refused.problems} == {"mano.combo.count"}
    assert refused.fields["combo_count"] == "3,1"
    assert refused.fields["log"] == seen.fields["log"]


def test_pools_are_moved_by_hand_by_legal_moves_alone() -> None:
    """`mano-old.phase.ready.choice`: 3 of defence 2 and other 4 (3 and 1 shaken off stun); then points are spent."""
    seen = press(begun("mano-old"), "start-turn", "ann")
    assert seen.shown is not None
    (ready,) = _rows(seen)
    labels = [one.label for one in ready.front]
    assert labels == ["3 from other", "1 from defence, 2 from other", "2 from defence, 1 from other"]
    taken = next(one for one in ready.front if one.label.startswith("1 from"))
    seen = fighting(seen, act=taken.step)
    spend = '{"actor":"ann","do":"spend","use":"power","to":"other"}'
    seen = fighting(seen, act=spend, spend_points="2")
    (ann, bo) = known(seen.shown).in_order
    assert dict(ann.pools) == {"stun": 0, "damage": 0, "ready": 1, "defence": 1, "other": 4}
    assert (ann.standing.hp, bo.standing.hp) == (6, 8)
    wrong = fighting(seen, act=spend, spend_points="2")
    assert {problem.rule for problem in wrong.problems} == {"mano-old.phase.actions"}
    told = press(seen, "damage", "", "bo", damage_points="3", damage_from="defence")
    assert dict(known(told.shown).in_order[1].pools) == {"stun": 0, "damage": 3, "ready": 0, "defence": 1, "other": 4}
    strange = press(seen, "damage", "", "bo", damage_points="lots")
    assert errors(strange) == {"damage_points"}
    assert strange.fields["damage_points"] == "lots"


def test_seizing_is_offered_when_a_hit_point_was_lost() -> None:
    """`seize.claim`, `seize.claim.timing`: Ann opens with 12; Bo is hurt, seizes, and comes before whom she chose."""
    seen = press(begun("seize"), "turn", "ann")
    assert not any(row.do == "seize" for row in _rows(seen))
    unhurt = press(seen, "lose-hp", "", "bo", lose_hp_points="0")
    assert not any(row.do == "seize" for row in _rows(unhurt))
    seen = press(seen, "choose", "ann", "goblin-1")
    seen = press(seen, "lose-hp", "", "bo", lose_hp_points="3")
    assert seen.shown is not None
    assert known(seen.shown.question).words == "Bo lost hit points and may seize the initiative."
    assert [row.do for row in known(seen.shown.question).choices] == ["seize", "decline"]
    seen = press(seen, "seize", "bo")
    assert known(seen.shown).due == "is on turn; Bo has seized and comes next"
    assert {(one.do, one.actor) for row in _rows(seen) for one in row.front} == {("turn", "bo")}


def test_what_is_closed_has_a_reason_with_a_rule() -> None:
    """`mano.speed.half`, `seize.claim`, `mano-old.phases`: each act that is not open is listed with its reason."""
    seen = press(press(begun("mano", "Ann: speed 1/2\nBo", first="ann"), "active", "ann"), "skip", "bo")
    reasons = {title: each.problem for each in known(seen.shown).turns[0].barred for title in each.titles}
    assert reasons["Move and act"].rule == "mano.speed.half"
    assert reasons["Counterattack"].rule == "mano.counter.wait"
    for system in SYSTEMS:
        view_of = begun(system)
        assert known(view_of.shown).turns[0].barred
        assert all(each.problem.rule for each in known(view_of.shown).turns[0].barred)
    before = begun("seize")
    assert [row.do for row in known(before.shown).facts if row.closed] == ["lose-hp"]


def test_a_note_goes_into_the_log_and_a_winner_is_named() -> None:
    """The note stands in the step; whoever leaves is out, and the only side left is named."""
    seen = press(begun("seize", "Ann\nBo", initiative="ann 5, bo 4"), "leave", "bo", note="Ran away.")
    assert (known(seen.shown).winner, known(seen.shown).entries[0].record.step.note, seen.fields["note"]) == (
        "ann",
        "Ran away.",
        "",
    )
    assert json.loads(seen.fields["log"])["steps"] == [{"actor": "bo", "do": "leave", "note": "Ran away."}]


def test_many_targets_are_a_list_with_one_button() -> None:
    """Thirty fighters: the choice is a list; what is picked is carried out, and nothing picked is asked for."""
    lines = "\n".join(f"N{number}" for number in range(30))
    faces = ", ".join(("n0 20", *(f"n{number} 9" for number in range(1, 30))))
    seen = press(begun("seize", lines, initiative=faces), "turn", "n0")
    (choose,) = [row for row in _rows(seen) if row.do == "choose"]
    (button,) = choose.front
    (control,) = choose.controls
    assert len(control.options) > MOST_BUTTONS
    value = next(value for value, label in control.options if label == "N17")
    after = fighting(seen, act=button.step, **{control.name: value})
    assert known(after.shown).entries[0].record.say == "N0 chooses N17."
    assert fighting(seen, act=button.step).problems


def test_the_set_up_comes_back_and_the_fight_stays_within_reach() -> None:
    """A new set-up shows the fighters as lines, with who began; resuming brings the very same fight."""
    fight = press(begun("mano", LINES["mano"], first="ann"), "skip", "ann")
    seen = fighting(fight, act="setup")
    assert (seen.phase, seen.system, seen.fields["first"], len(seen.seats)) == ("setup", "mano", "ann", 4)
    assert answered(None, log="resume", before=seen.fields["before"]).fields["log"] == fight.fields["log"]


@pytest.mark.no_cover
def test_a_crowd_is_shown_in_time() -> None:
    """A hundred fighters of speed 20 with ten weapons: the page comes in under a second."""
    lines = "\n".join(f"N{number}: speed 20, weapons 10" for number in range(100))
    seen = begun("mano", lines, first="n0")
    with in_time():
        assert fighting(seen, act='{"actor":"n0","do":"skip"}').problems == ()


@pytest.mark.needs_process
def test_other_calculators_do_without_these_modules() -> None:
    """A page that needs none of this does not wait for it."""
    code = (
        "import sys; from build_scripts.calculator_html import render; render('dice', ''); render('character', '');"
        "assert not [name for name in sys.modules if 'fight' in name or 'rounds' in name]"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# Hostile

EVERY_CONTROL = ("system", "fighters", "first", "stalkers", "ambush", "seize_on_total", "initiative", "log", "redo")


@pytest.mark.no_cover
@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("turn", "control"),
    list(enumerate([*EVERY_CONTROL, "note", "act", "combo_count", "damage_points", "choose_pick"])),
)
def test_hostile_inputs_are_answered_in_time_with_a_sentence(turn: int, control: str) -> None:
    """Whatever stands in a control, in a set-up or in a fight, the view comes in under a second and can be read."""
    fights = {system: begun(system).fields["log"] for system in SYSTEMS}
    acts = {"combo_count": "combo", "damage_points": "damage", "choose_pick": "choose"}
    system = {"combo_count": "mano", "damage_points": "mano-old", "choose_pick": "seize"}.get(control, "mano")
    act = json.dumps({"do": acts[control]}) if control in acts else '{"actor":"ann","do":"skip"}'
    places = [
        {"system": system, "fighters": LINES[system], "log": "begin"},
        {"log": fights[system], "act": act},
    ]
    for name in MET[turn % 3 :: 3]:
        for place in places:
            company = query_string({key: value for key, value in place.items() if key != control})
            with in_time(name):
                seen = view(parse_query(f"{company}&{control}={typed(name)}", QUERY_LIMIT), None)
            assert len(seen.summary) <= 400, name
            for problem in seen.problems:
                assert 0 < len(problem.message) <= 400, name
                assert problem.message.isprintable(), (name, problem.message)
                assert problem.where in (*CONTROLS, *ACT_CONTROLS, "act"), name


@pytest.mark.parametrize("control", ["fighters", "first", "note", "combo_count"])
def test_no_part_of_what_is_typed_becomes_markup(control: str) -> None:
    """What is typed is printed as text alone, in every place of the page."""
    log = begun("mano").fields["log"]
    for text in ("<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</textarea><b>", "'onclick='x"):
        for company in ({"system": "mano", "fighters": "Ann"}, {"log": log}):
            html = render("fight", query_string({**company, control: text})).html
            assert text not in html.replace("&#39;", "'") or text.startswith("'")
            assert "<script" not in html
            assert "<img" not in html


@pytest.mark.parametrize(
    "text",
    [
        '{"format":"scratch-scenario/1","system":"mano"}',
        '{"format":"scratch-scenario/1","system":"mano","characters":[{"id":"a","speed":1e999}]}',
        '{"format":"scratch-scenario/1","system":"seize","characters":[{"id":"a"}],"steps":[{"do":"fly"}]}',
        '{"format":"scratch-scenario/1","system":"mano","characters":' + "[" * 100_000,
        '{"system":"mano"}',
    ],
    ids=["nobody", "huge", "strange-act", "deep", "no-format"],
)
def test_a_damaged_fight_is_refused_and_stays_as_it_was(text: str) -> None:
    """What is no fight is marked as refused, with its problems at the log, and kept as it came."""
    seen = answered(None, log=text)
    assert seen.is_refused
    assert seen.fields["log"] == text
    assert errors(seen) == {"log"}


def test_an_opened_file_keeps_its_illegal_steps_marked() -> None:
    """`mano.turn.per-round`: a step out of turn stays in the log, with its rule, and changes nothing."""
    tree = json.loads(begun("mano").fields["log"])
    tree["steps"] = [{"actor": "bo", "do": "skip"}, {"actor": "ann", "do": "skip", "note": "Waits."}]
    seen = answered(None, log=json.dumps(tree))
    assert [(entry.record.n, entry.record.legal) for entry in known(seen.shown).entries] == [(2, True), (1, False)]
    assert "mano.turn.per-round" in known(seen.shown).entries[1].record.rules
    assert known(seen.shown).active == "bo"
