"""The replay calculator: a scenario and a step in, the state and the log out, and a fork next to the file's fight."""

import json
import re
from functools import partial

import pytest

from build_scripts.render import render_calculator_response
from scratch_core.calculators.replay import MAX_QUERY_LENGTH, View, view
from scratch_core.calculators.replay.answer import StepEditor
from scratch_core.calculators.replay.fork_changes import apply_edits, format_edits, parse_edits
from scratch_core.calculators.replay.printed_narration import PRINTED_STEPS
from scratch_core.calculators.replay.step_editor import edit_step, list_editable_keys
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.encounter.turn_system import SCRATCH
from scratch_core.errors import ScratchError
from scratch_core.rulebook import url_of
from scratch_core.scenario import SAMPLE_SCENARIOS, parse_scenario, play
from tests.support.clock import limit_time
from tests.support.known import require

WORKED = SAMPLE_SCENARIOS["worked-combat"]
DUEL = """format = "scratch-scenario/1"
[[characters]]
id = "a"
abilities = { toughness = 3, shooting = 1, fighting = 1 }
[[characters]]
id = "b"
abilities = { toughness = 3 }
[initiative]
a = [20]
b = [1]
[[steps]]
actor = "a"
do = "shoot"
target = "b"
"""
"""A duel whose shot has no face."""


def answered(**fields: str) -> View:
    """The view of these controls."""
    return view(parse_query(format_query(fields), MAX_QUERY_LENGTH))


def page(**fields: str) -> str:
    """The HTML of these controls."""
    return render_calculator_response("replay", format_query(fields)).html


def worked(step: int, **fields: str) -> View:
    """The worked combat at a step."""
    return answered(scenario="worked-combat", step=str(step), **fields)


def hit_points(seen: View) -> dict[str, int]:
    """Hit points by id."""
    return {who.id: who.status.hp or 0 for who in require(seen.answer).cards}


def chain(who: str, **fields: str) -> list[int]:
    """A character's hit points after each step, each number once in a row."""
    found = [hit_points(worked(step, **fields))[who] for step in range(16)]
    return [hp for n, hp in enumerate(found) if n == 0 or hp != found[n - 1]]


@pytest.mark.parametrize(
    ("way", "breakhelm", "chokestar"),
    [
        ("rules", [6, 5, 4, 2, 1, 0], [3]),  # audit 3.2, strict replay A
        ("base-8", [6, 5, 3, 2, 0], [3, 1, 2]),  # strict replay B; the two blows are one step
        ("as-printed", [6, 5, 3, 2, 0], [3, 1, 2]),  # legacy replay C
    ],
)
def test_three_sets_of_rulings_give_the_audited_hit_points(
    way: str, breakhelm: list[int], chokestar: list[int]
) -> None:
    """The same faces give the hit points computed by hand in each of three readings.

    The audit has the computation.
    """
    assert chain("breakhelm", way=way) == breakhelm
    assert chain("chokestar", way=way) == chokestar
    assert chain("flipfire", way=way) == [4]


def test_replay_uses_rulings_of_the_file_unless_overridden() -> None:
    """The rulings of the file apply unless a selected ruling overrides them."""
    text = WORKED.replace("[[characters]]", "[rulings]\nstrength_base = 8\n\n[[characters]]", 1)
    assert hit_points(answered(scenario=text, step="1"))["breakhelm"] == 6
    assert hit_points(answered(scenario=text, step="1", strength_base="7"))["breakhelm"] == 5
    assert "as in the file (untrained strength 8 + toughness)" in page(scenario=text)


def test_step_fields_become_edits() -> None:
    """`3.*` turns the fields of step 3 that differ from the file into edits."""
    fields = {"do_3": "shoot", "target_3": "breakhelm", "faces_3": "20"}
    assert worked(3, fork="1.faces = 1; 3.*", **fields).fields["fork"] == "1.faces = 1; 3.faces = 20"
    assert worked(3, fork="3.faces = 20; 3.*", **{**fields, "faces_3": "7"}).fields["fork"] == ""
    other = worked(3, fork="3.*", do_3="basic-attack", target_3="breakhelm", faces_3="19")
    assert other.fields["fork"] == "3.do = basic-attack; 3.faces = 19"
    assert hit_points(other)["breakhelm"] == 4  # 19 + fighting 2 against 10: 1 damage, 5 before


def test_step_0_has_the_initiative_faces() -> None:
    """At step 0 the fields are the groups' faces, in the turn order."""
    seen = worked(0, fork="0.*", initiative_1="13", initiative_2="1", initiative_3="14")
    assert seen.fields["fork"] == "initiative.flipfire = 1"
    assert [each.group for each in require(seen.answer).initiative_dice] == ["chokestar", "breakhelm", "flipfire"]


def test_changed_action_rolls_missing_dice_deterministically() -> None:
    """A changed action rolls missing faces, the same ones for each request.

    Two attacks need two faces, and the file has one.
    """
    fork = "3.do = double-attack; 3.target = breakhelm, breakhelm"
    seen = worked(3, fork=fork)
    assert len(require(require(seen.answer).current_step).rolls) == 2
    assert worked(3, fork=fork).answer == seen.answer
    assert seen.problems == ()


def test_missing_dice_are_the_same_for_each_request() -> None:
    """The missing faces of a file are the same for each request.

    Another number of the dice gives others.
    """
    faces = set()
    for dice in range(30):
        seen = answered(scenario=DUEL, step="1", dice=str(dice))
        assert seen.answer is not None
        assert seen.answer.position.current.has_rolled_faces
        faces.add(require(seen.answer.current_step).rolls[0].face)
        changed = json.loads(seen.answer.changed_file_text)
        assert changed["steps"][0]["faces"] == [require(seen.answer.current_step).rolls[0].face]
        assert answered(scenario=DUEL, step="1", dice=str(dice)).answer == seen.answer
    assert len(faces) > 10
    assert all(1 <= face <= 20 for face in faces)


@pytest.mark.parametrize(
    ("fields", "where", "words"),
    [
        ({"scenario": "nowhere"}, "scenario", "worked-combat"),
        ({"scenario": WORKED.replace('do = "heal"', 'do = "hail"')}, "scenario", "steps[5].do (line 70)"),
        ({"scenario": WORKED.replace("hp.breakhelm", "hp.nobody")}, "scenario", "expect"),
        ({"scenario": WORKED.replace("faces = [11]", "faces = [11, 2]")}, "scenario", "1 face"),
        ({"scenario": WORKED + "\n[[steps"}, "scenario", "TOML"),
        ({"scenario": "worked-combat", "step": "x"}, "step", "whole number"),
        ({"scenario": "worked-combat", "step": "16"}, "step", "from 0 to 15"),
        ({"scenario": "worked-combat", "strength_base": "9"}, "strength_base", "7, 8"),
        ({"scenario": "worked-combat", "way": "mine"}, "way", "as-printed"),
        ({"scenario": "worked-combat", "dice": "-1"}, "dice", "whole number"),
        ({"scenario": "worked-combat", "fork": "4.face = 3"}, "fork", "4.face = 3"),
        ({"scenario": "worked-combat", "fork": "99.faces = 3"}, "fork", "from 1 to 15"),
        ({"scenario": "worked-combat", "fork": "1.faces = 21"}, "fork", "die 1 of step 1"),
        ({"scenario": "worked-combat", "fork": "1.faces = one"}, "fork", "'one'"),
        ({"scenario": "worked-combat", "fork": "1.faces = 3, 4"}, "fork", "faces of step 1"),
        ({"scenario": "worked-combat", "fork": "1.target = nobody"}, "fork", "target of step 1"),
        ({"scenario": "worked-combat", "fork": "initiative.mob = 3"}, "fork", "initiative.mob"),
    ],
)
def test_every_problem_is_shown_at_its_control(fields: dict[str, str], where: str, words: str) -> None:
    """An input error is reported once, at its control, with its place.

    This holds for the page too.
    """
    seen = answered(**fields)
    (problem,) = seen.problems
    assert problem.where == where
    assert words in problem.message
    html = page(**fields)
    assert re.findall(r'data-problem data-field="([a-z_]+)"', html) == [where]
    assert (seen.answer is None) == (where == "scenario" and "1 face" not in words)


def test_failed_expectation_is_shown_at_its_step() -> None:
    """A failed expectation is shown with the actual value at its step.

    One about the end is shown at the last step.
    """
    text = WORKED.replace('"hp.flipfire" = 4', '"hp.flipfire" = 3')
    assert "data-unmet" not in page(scenario=text, step="14")
    assert "expected hp.flipfire = 3, got 4" in page(scenario=text, step="15")


def test_printed_steps_cover_every_step_of_worked_combat() -> None:
    """Each step of the worked combat has its printed story.

    Each reason for a difference names rules or rulings that exist.
    """
    assert list(PRINTED_STEPS) == list(range(1, 16))
    parted = {n for n, printed in PRINTED_STEPS.items() if printed.difference_reason}
    assert {1, 2, 4, 5, 6, 9, 10, 14} <= parted  # audit 3.2: e1, e2, e4-e5, e6, e7, e9, e10, e14
    for printed in PRINTED_STEPS.values():
        assert bool(printed.difference_reason) == bool(printed.rule_ids)
        assert all(url_of(each) for each in printed.rule_ids)
    assert "data-printed" in page(scenario="worked-combat", step="5")
    assert "data-printed" not in page(scenario=DUEL, step="1")


CHANGED = (
    "0a.do = evade; 1.actor = flipfire; 1.do = check; 2.with = none; 2.delete; 3.target = a, b; 4.faces =; 4a.do = hold"
)


def test_fork_text_round_trip_preserves_the_changes() -> None:
    """The text of a fork comes back in the order of the steps."""
    changes, taken = parse_edits(f"4.*\n{CHANGED}; initiative.rook = 3, 4", list_editable_keys(SCRATCH))
    assert taken == "4"
    assert format_edits(changes) == f"initiative.rook = 3, 4; {CHANGED}"
    assert parse_edits(format_edits(changes), list_editable_keys(SCRATCH)) == (changes, None)


def test_apply_edits_returns_a_new_tree() -> None:
    """Edits return a new tree and leave the scenario's own tree unchanged.

    A new action drops fields that it cannot use.
    """
    tree = parse_scenario(WORKED).tree
    before = json.dumps(tree)
    change_step = partial(edit_step, SCRATCH)
    changes = {("1", "do"): "nothing", ("4", "do"): "shoot", ("8", "do"): "double-attack", ("0", "breakhelm"): "2"}
    made = apply_edits(tree, changes, change_step)
    assert json.dumps(tree) == before
    assert made["initiative"]["breakhelm"] == [2]
    assert "target" not in made["steps"][0]
    assert "with" not in made["steps"][0]
    assert made["steps"][3]["target"] == "chokestar"
    assert made["steps"][7]["target"] == "flipfire"
    with pytest.raises(ScratchError, match="from 1 to 15"):
        apply_edits(tree, {("16", "do"): "shoot"}, change_step)


# Inserted and deleted steps


def test_edit_buttons_insert_and_delete_steps() -> None:
    """Buttons insert a step before or after the current one, or delete it.

    In an inserted step the same character does nothing.
    """
    edit = edit_of(worked(4))
    assert (edit.insert_before_fork, edit.insert_after_fork, edit.delete_fork) == (
        "3a.actor = breakhelm; 3a.do = nothing",
        "4a.actor = breakhelm; 4a.do = nothing",
        "4.delete",
    )
    first = edit_of(worked(1))
    assert first.insert_before_fork == "0a.actor = chokestar; 0a.do = nothing"
    assert edit_of(worked(0)).insert_after_fork == "0a.actor = chokestar; 0a.do = nothing"
    assert (edit_of(worked(0)).insert_before_fork, edit_of(worked(0)).delete_fork) == ("", "")
    two = worked(5, fork="4a.actor = chokestar; 4a.do = evade; 4b.actor = flipfire; 4b.do = evade")
    assert edit_of(two).take_over_fork.endswith("; 4a.*")
    assert edit_of(two).insert_after_fork == (
        "4a.actor = chokestar; 4a.do = evade; 4b.actor = chokestar; 4b.do = nothing; 4c.actor = flipfire; 4c.do = evade"
    )
    assert edit_of(two).insert_before_fork.startswith(
        "4a.actor = chokestar; 4a.do = nothing; 4b.actor = chokestar; 4b.do = evade"
    )
    assert edit_of(two).delete_fork == edit_of(two).revert_fork == "4a.actor = flipfire; 4a.do = evade"
    assert edit_of(worked(4, fork="4.faces = 2, 3")).delete_fork == "4.delete"


def test_restore_buttons_restore_the_step_of_their_line() -> None:
    """Of several deleted steps each has its own button, which restores that step alone."""
    seen = worked(1, fork="2.delete; 3.delete; 4a.actor = flipfire; 4a.do = evade; 9.delete")
    removed = [line for line in require(seen.answer).log_lines if line.restore_fork]
    own = [line.current.narration for line in require(worked(1).answer).log_lines]
    assert [line.current.narration for line in removed] == [own[1], own[2], own[8]]
    for step, line in zip((2, 3, 9), removed, strict=True):
        again = require(worked(1, fork=line.restore_fork).answer).log_lines
        left = [each.current.narration for each in again if each.restore_fork]
        assert left == [own[each - 1] for each in (2, 3, 9) if each != step]
        assert "4a.do = evade" in line.restore_fork


def edit_of(seen: View) -> StepEditor:
    """The fields and buttons of the step shown."""
    return require(seen.answer).step_editor


def test_inserted_step_fields_become_edits() -> None:
    """The fields of an inserted step are named with its label and become edits."""
    fields = {"actor_3a": "flipfire", "do_3a": "heal", "target_3a": "chokestar", "with_3a": "", "faces_3a": "12"}
    seen = worked(4, fork="3a.actor = chokestar; 3a.do = nothing; 3a.*", **fields)
    assert seen.fields["fork"] == "3a.actor = flipfire; 3a.do = heal; 3a.target = chokestar; 3a.faces = 12"
    reopened = worked(4, fork=f"{seen.fields['fork']}; 3a.*", **fields)
    assert reopened.answer == seen.answer
    thrown = worked(1, fork="0a.actor = chokestar; 0a.do = hold; 0a.target = breakhelm")
    # the page rolls the missing faces of a new step
    assert len(require(require(thrown.answer).current_step).rolls) == 1


def test_insert_buttons_end_after_26_steps_at_one_place() -> None:
    """After 26 inserted steps at one place no button offers another."""
    fork = "; ".join(f"4{letter}.actor = chokestar; 4{letter}.do = nothing" for letter in "abcdefghijklmnopqrstuvwxyz")
    seen = worked(30, fork=fork)
    assert (require(seen.answer).position.label, edit_of(seen).insert_after_fork, edit_of(seen).insert_before_fork) == (
        "4z",
        "",
        "",
    )
    assert require(seen.answer).step_count == 41


@pytest.mark.parametrize(
    "fork", ["4a.delete", "4.delete = 3", "0.delete", "4aa.do = evade", "4A.do = evade", "16a.do = evade"]
)
def test_invalid_insert_or_delete_is_reported(fork: str) -> None:
    """A step that cannot be inserted or deleted is a problem of the fork."""
    (problem,) = worked(1, fork=fork).problems
    assert problem.where == "fork"


def test_fork_with_inserted_and_deleted_steps_survives_link_and_file() -> None:
    """The canonical query reopens the fork, and the exported file plays the same fight."""
    fork = "0a.actor = chokestar; 0a.do = bonus; 2.delete; 4.faces = 1, 2; 9.delete; 9a.actor = flipfire; 9a.do = evade"
    seen = worked(9, fork=fork)
    assert view(parse_query(seen.query, MAX_QUERY_LENGTH)) == seen
    again = answered(scenario=require(seen.answer).changed_file_text, step="9")
    assert hit_points(again) == hit_points(seen)
    assert [line.current.narration for line in require(again.answer).log_lines] == [
        line.current.narration for line in require(seen.answer).log_lines if line.n
    ]


def test_long_replay_shows_every_step_in_time() -> None:
    """Each of 200 steps is shown in time, once the fight has been played.

    The log is shortened. `make bench` has the figures.
    """
    step = '[[steps]]\nactor = "{}"\ndo = "shoot"\ntarget = "breakhelm"\nfaces = [2]\n'
    turns = "".join(step.format(who) for who in ("chokestar", "flipfire"))
    pause = '[[steps]]\nactor = "breakhelm"\ndo = "nothing"\n'
    text = WORKED.split("[[steps]]")[0] + (turns + pause) * 67
    seen = answered(scenario=text)
    assert require(seen.answer).step_count == 201
    with limit_time():
        for number in range(201):
            seen = answered(scenario=text, step=str(number))
    assert (require(seen.answer).log_lines[0].n, require(seen.answer).log_lines[-1].n) == (180, 201)
    assert len(parse_scenario(text).steps) == len(play(parse_scenario(text)).results)
