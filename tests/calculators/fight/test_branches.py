"""Branches: steps that were undone and replaced by another action are saved, announced and can be restored."""

import json
import re

import pytest
from bs4 import BeautifulSoup

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import View, branches
from scratch_core.calculators.shared.query import format_query, parse_query
from tests.support.fights import view_begun_fight as begun_by_sheets
from tests.support.fights import view_begun_variant, view_fight

END = [{"actor": "chokestar", "do": "evade"}, {"actor": "chokestar", "do": "end-turn"}]
OUT = [{"do": "leave", "target": "bo"}, {"do": "return", "target": "bo"}]
OTHER = {"basic": {"actor": "chokestar", "do": "nothing"}, "mano": {"do": "leave", "target": "ann"}}


def pressed(seen: View, act: object) -> View:
    """Return the view after a press, with the fields of the previous view."""
    fields = {name: parse_query(seen.query).text(name) for name in ("log", "redo", "aside", "dismissed", "screen")}
    return view_fight(None, **fields, act=act if isinstance(act, str) else json.dumps(act))


def steps(seen: View) -> list[object]:
    """The steps of the fight that is shown."""
    return list(json.loads(seen.fields["log"])["steps"])


def build_branch(kind: str) -> tuple[View, View]:
    """Return a fight of two steps and its branch.

    In the branch both steps were undone and another action was taken.
    """
    whole = begun_by_sheets() if kind == "basic" else view_begun_variant("mano")
    for act in END if kind == "basic" else OUT:
        whole = pressed(whole, act)
        assert not whole.problems
    return whole, pressed(pressed(pressed(whole, "undo"), "undo"), OTHER[kind])


@pytest.mark.parametrize("kind", ["basic", "mano"])
def test_different_action_after_undo_saves_a_restorable_branch(kind: str) -> None:
    """The branch that was left can be restored, and then its replacement."""
    whole, other = build_branch(kind)
    assert "2 undone steps are saved." in other.summary
    (story,) = other.saved_branches
    assert (story.step_count, other.undone_count) == (2, 0)
    html = render_calculator_response("fight", other.query).html
    assert f"2 undone steps are saved. Last: “{story.last_narration}”" in html
    assert re.search(r'value="aside 0">Restore them</button>', html)
    again = pressed(other, story.restore_command)
    assert steps(again) == steps(whole)
    assert again.saved_branches[0].step_count == 1
    assert steps(pressed(again, again.saved_branches[0].restore_command)) == steps(other)


def test_branch_that_is_too_long_is_announced_as_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    """A version beyond the limit isn't called saved."""
    monkeypatch.setattr(branches, "MAX_BRANCHES_LENGTH", 100)
    _, other = build_branch("basic")
    assert "2 undone steps are too long to save." in other.summary
    assert other.saved_branches == ()


def test_same_action_after_undo_saves_no_branch() -> None:
    """Repeating the undone action continues the same branch, and later steps can be redone."""
    whole, _ = build_branch("basic")
    same = pressed(pressed(pressed(whole, "undo"), "undo"), END[0])
    assert (same.saved_branches, same.undone_count) == ((), 1)
    assert steps(pressed(same, "redo")) == steps(whole)


def test_restoring_a_branch_saves_the_current_one() -> None:
    """Restoring any saved branch exchanges it with the current one.

    The others stay.
    """
    seen = begun_by_sheets()
    for left_hp in (1, 2, 3):
        seen = pressed(pressed(seen, {"do": "set-hp", "target": "flipfire", "hp": left_hp}), "undo")
    seen = pressed(seen, END[0])
    assert len(seen.saved_branches) == 3
    for story in seen.saved_branches:
        again = pressed(seen, story.restore_command)
        stories = sorted([*json.loads(again.fields["aside"]), again.fields["log"]])
        assert stories == sorted([*json.loads(seen.fields["aside"]), seen.fields["log"]])


def test_saved_branches_are_listed_latest_first() -> None:
    """Saved branches are listed latest first, each with the steps it adds.

    What can't be parsed is no branch.
    """
    _, seen = build_branch("basic")
    seen = pressed(seen, END[1])
    seen = pressed(pressed(pressed(seen, "undo"), "undo"), END[0])
    assert [each.step_count for each in seen.saved_branches] == [2, 1]
    damaged = view_fight(None, log=seen.fields["log"], aside='["no fight", 5, {"a": 1}]')
    assert (damaged.saved_branches, damaged.phase) == ((), "fight")
    assert render_calculator_response(
        "fight", format_query({"log": seen.fields["log"], "aside": "{", "act": "aside 7"})
    ).html


def notices(seen: View) -> tuple[list[str], list[str]]:
    """Return the values of the buttons that offer saved branches.

    The first list is above the actions, the second in the fold below the log.
    """
    page = BeautifulSoup(render_calculator_response("fight", seen.query).html, "html.parser")
    assert len(page.select("p[data-saved-versions]")) <= 1
    above, below = (
        page.select(f"{place} button") for place in ("p[data-saved-versions]", "details[data-saved-versions]")
    )
    return [str(each["value"]) for each in above], [str(each["value"]) for each in below]


def test_branch_notice_is_one_line_until_dismissed() -> None:
    """Only the latest branch is above the actions, the others in the fold.

    A dismissed one moves to the fold until the next branch is saved.
    """
    _, seen = build_branch("basic")
    hp = {"do": "set-hp", "target": "flipfire", "hp": 1}
    more = pressed(pressed(pressed(seen, "undo"), hp), "undo")
    more = pressed(more, {**hp, "hp": 2})
    assert len(more.saved_branches) == 3
    assert notices(more) == (["aside 0", "dismiss"], ["aside 1", "aside 2"])
    dismissed = pressed(more, "dismiss")
    assert steps(dismissed) == steps(more)
    assert notices(dismissed) == ([], ["aside 0", "aside 1", "aside 2"])
    again = pressed(pressed(dismissed, "undo"), {**hp, "hp": 1})
    assert notices(again)[0] == ["aside 0", "dismiss"]
    assert pressed(dismissed, "aside 2").fields["dismissed"] == ""


def test_branch_notice_is_folded_after_a_turn() -> None:
    """The notice stays until the turn in which the branch was left ends.

    If that action ended a turn, it stays for the next turn.
    """
    whole = begun_by_sheets()
    first = pressed(pressed(pressed(whole, END[0]), "undo"), {"actor": "chokestar", "do": "end-turn"})
    assert notices(first) == (["aside 0", "dismiss"], [])
    next_turn = pressed(first, {"actor": first.fight_view.active if first.fight_view else "", "do": "end-turn"})
    assert notices(next_turn) == ([], ["aside 0"])
    assert notices(pressed(next_turn, "undo"))[0] == ["aside 0", "dismiss"]


def test_end_after_an_undo_says_what_is_saved_and_names_the_end_once() -> None:
    """The undone step is a branch, and the view says the end."""
    changed = pressed(begun_by_sheets(), {"do": "set-hp", "target": "chokestar", "hp": 3})
    ended = pressed(pressed(changed, "undo"), {"do": "end-encounter"})
    assert ended.summary == "1 undone step is saved. The encounter is over."
