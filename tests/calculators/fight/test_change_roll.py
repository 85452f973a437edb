"""An earlier roll of a running fight is changed, and what follows is played again."""

import json

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import View, branches
from scratch_core.calculators.fight.session import build_repeat_head
from scratch_core.calculators.shared.query import format_query
from scratch_core.dice import SeededRoller
from tests.support.fights import view_begun_fight, view_fight, view_next
from tests.support.known import require
from tests.support.states import build_story

CHANGE = {"changed_step": "1", "changed_faces": "1, 1"}
ATTACKS = "1"
"""The number of the story's first step, two basic attacks with 14 and 8."""


def change_roll(seen: View, faces: str, act: str = f"change-roll {ATTACKS}") -> View:
    """Change the rolls of the first step."""
    return view_next(seen, act=act, changed_step=ATTACKS, changed_faces=faces)


def list_narrations(seen: View) -> list[str]:
    """List the narrations of all steps, the oldest first."""
    return [each.narration for each in require(seen.fight_view).fight.results]


def list_faces(seen: View) -> list[object]:
    """List the recorded faces of all steps, the oldest first."""
    return [each.get("faces") for each in require(seen.fight_view).fight.steps]


def test_changed_roll_is_played_again_with_what_follows() -> None:
    """The later rolls stay, and their results follow from the new one."""
    seen = change_roll(view_fight(log=build_story("first-fight", 6)), "1, 1")
    assert list_faces(seen) == [[1, 1], [11], None, [10], None, [5]]
    assert list_narrations(seen)[0].endswith("Tolk: 4 against agility 10. Miss. Tolk: 4 against agility 10. Miss.")
    assert "1 damage, 4 hit points left" in list_narrations(seen)[1], "a healthy Tolk squeezes hard enough"
    assert seen.summary.startswith("Step 1: rolled 1, 1 instead of 14, 8.")


def test_roll_of_the_page_can_be_changed_at_once() -> None:
    """The log offers it before the fight is read from its file again."""
    begun = view_begun_fight()
    act = '{"actor":"chokestar","do":"hold","with":"wrestling","target":"breakhelm-x-19"}'
    html = render_calculator_response("fight", format_query({**begun.fields, "act": act}), rolls_dice=True).html
    assert BeautifulSoup(html, "html.parser").select_one("[data-entry='1'] [data-change-roll]")


def test_later_steps_that_no_longer_fit_are_left_out_and_named() -> None:
    """A healthy Tolk can't be healed."""
    seen = change_roll(view_fight(log=build_story("first-fight", 10)), "1, 1")
    (problem,) = seen.problems
    assert problem.code == "roll.dropped"
    assert "Wren heals Tolk" in problem.facts["steps"]
    assert not any("heals" in each for each in list_narrations(seen))


def test_version_before_the_change_is_restored() -> None:
    """It is saved as a branch."""
    before = view_fight(log=build_story("first-fight", 6))
    seen = change_roll(before, "1, 1")
    assert len(seen.saved_branches) == 1
    restored = view_next(seen, aside=seen.fields["aside"], act=seen.saved_branches[0].restore_command)
    assert list_narrations(restored) == list_narrations(before)


@pytest.mark.parametrize("faces", ["1, 1", "20, 20"], ids=["all steps stay", "steps are dropped"])
def test_changed_roll_of_an_earlier_turn_names_the_saved_version_once(faces: str) -> None:
    """The next answer lists it among the saved versions."""
    fields = {"log": build_story("first-fight", 10), "changed_step": "1", "changed_faces": faces}
    page = render_calculator_response("fight", format_query({**fields, "act": "change-roll 1"})).html
    assert "The fight from before you changed the roll is saved." in page
    seen = view_fight(**fields, act="change-roll 1")
    later = format_query({"log": seen.fields["log"], "aside": seen.fields["aside"]})
    page = render_calculator_response("fight", later).html
    assert "before you changed" not in page
    assert "Saved versions (1)" in page


def press_with_versions(seen: View, act: str) -> View:
    """Press a button with the saved versions of the page."""
    return view_next(seen, SeededRoller(1), act=act, **{name: seen.fields[name] for name in ("aside", "replacement")})


def test_undo_and_redo_after_a_changed_roll_replace_the_version() -> None:
    """It also replaces a restored version, but after a step it removes the step."""
    before = view_fight(log=build_story("first-fight", 10))
    changed = change_roll(before, "1, 1")
    undone = press_with_versions(changed, "undo")
    assert (list_faces(undone), undone.undone_count, undone.recent_branch) == (list_faces(before), 1, None)
    redone = press_with_versions(undone, "redo")
    assert (list_faces(redone), redone.undone_count) == (list_faces(changed), 0)
    assert list_faces(press_with_versions(redone, "undo")) == list_faces(before)
    restored = press_with_versions(changed, "aside 0")
    assert list_faces(press_with_versions(restored, "undo")) == list_faces(changed)
    shorter = press_with_versions(press_with_versions(before, "undo"), "undo")
    changed_shorter = change_roll(shorter, "1, 1")
    undone_shorter = press_with_versions(changed_shorter, "undo")
    assert list_faces(undone_shorter) == list_faces(shorter)
    assert undone_shorter.undone_count == shorter.undone_count + 1
    assert list_faces(press_with_versions(restored, "")) == list_faces(before), "a request without a command"
    after_step = press_with_versions(changed, '{"actor":"wren","do":"end-turn"}')
    assert len(list_faces(after_step)) == len(list_faces(changed)) + 1, after_step.problems
    assert list_faces(press_with_versions(after_step, "")) == list_faces(after_step)
    assert list_faces(press_with_versions(after_step, "undo")) == list_faces(changed)


def test_undo_without_a_saved_version_removes_the_last_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """A version may be too long to save."""
    monkeypatch.setattr(branches, "MAX_BRANCHES_LENGTH", 100)
    changed = change_roll(view_fight(log=build_story("first-fight", 6)), "1, 1")
    assert "too long to save" in changed.summary
    undone = press_with_versions(changed, "undo")
    assert list_faces(undone) == list_faces(changed)[:-1]
    damaged = view_next(changed, act="undo", replacement="undo 2")
    assert list_faces(damaged) == list_faces(changed)[:-1]


def test_enter_in_the_field_changes_the_roll() -> None:
    """A request without a command takes the typed rolls."""
    before = view_fight(log=build_story("first-fight", 6))
    assert list_faces(change_roll(before, "1 1", act=""))[0] == [1, 1]
    unchanged = change_roll(before, "14, 8", act="")
    assert list_faces(unchanged) == list_faces(before)
    assert unchanged.saved_branches == ()


def test_wrong_rolls_change_nothing_and_are_reported_at_the_field() -> None:
    """Two attacks need two rolls, and a d20 has no 21."""
    before = view_fight(log=build_story("first-fight", 6))
    for faces in ("1", "1, 2, 3", "1, 21", "one", ""):
        seen = change_roll(before, faces)
        assert {each.where for each in seen.problems} == {"changed_faces"}, faces
        assert list_faces(seen) == list_faces(before)
        assert seen.focus == "roll"
    assert {each.code for each in change_roll(before, "4", act="change-roll 3").problems} == {"roll.change-none"}


def test_same_fight_begins_again_with_new_dice() -> None:
    """It has the characters of the beginning and no step."""
    before = view_fight(log=build_story("first-fight", 6))
    seen = view_next(before, SeededRoller(1), act="repeat")
    assert require(seen.fight_view).fight.steps == ()
    head = build_repeat_head(require(before.fight_view).fight)
    assert "initiative" not in head
    assert json.loads(seen.fields["log"])["characters"] == head["characters"]
