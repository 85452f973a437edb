"""The limit of a file's steps: announced in advance, with a new fight of the same characters after it."""

import json

import pytest

from build_scripts.render import render_calculator_response
from scratch_core.calculators.fight import MAX_QUERY_LENGTH, View, view
from scratch_core.calculators.fight.session import REMAINING_STEPS_TO_WARN
from scratch_core.calculators.shared.query import format_query, parse_query
from scratch_core.dice import SystemRoller
from scratch_core.scenario.validation import MAX_STEPS
from tests.support.fights import map_hit_points, view_after_press, view_begun_fight, view_begun_variant
from tests.support.known import require

ENDS = [{"actor": who, "do": "end-turn"} for who in ("a", "b")]
PEOPLE = [
    {"id": "a", "side": "x", "abilities": {"fighting": 2, "toughness": 4}},
    {"id": "b", "side": "y", "abilities": {"fighting": 2, "toughness": 6}},
]


def fought(steps: int, **fields: str) -> View:
    """Return the view of a fight after a number of steps and a press.

    Both characters do nothing.
    """
    tree = {"format": "scratch-scenario/1", "characters": PEOPLE, "initiative": {"a": [15], "b": [10]}}
    log = json.dumps({**tree, "steps": (ENDS * steps)[:steps]})
    return view(parse_query(format_query({"log": log, **fields}), MAX_QUERY_LENGTH), SystemRoller())


@pytest.mark.parametrize(
    ("steps", "left"),
    [
        (MAX_STEPS - REMAINING_STEPS_TO_WARN - 1, None),
        (MAX_STEPS - REMAINING_STEPS_TO_WARN, REMAINING_STEPS_TO_WARN),
        (MAX_STEPS, 0),
    ],
)
def test_step_limit_is_announced_before_it_is_reached(steps: int, left: int | None) -> None:
    """The last steps are counted down, and beyond the limit a step is rejected.

    The page offers a way to continue.
    """
    seen = fought(steps)
    assert seen.remaining_steps == left
    html = render_calculator_response("fight", seen.query).html
    assert ("data-continue-fight" in html) == (left is not None)
    after = fought(steps, act=json.dumps(ENDS[steps % 2]))
    assert [problem.code for problem in after.problems] == (["fight.steps"] if left == 0 else [])


def test_continued_fight_preserves_characters_order_and_hp() -> None:
    """A continued fight preserves damage, turn order and characters who joined.

    Characters who left are missing, and steps start at 1.
    """
    seen = fought(4)
    for act, more in (
        ("gm-set-hp", {"gm_who": "b", "gm_hp": "2"}),
        ("gm-join", {"gm_new": "own", "gm_sheet": "Ida\n2 toughness", "faces": "3"}),
        ("gm-join", {"gm_new": "own", "gm_sheet": "Leo\n2 toughness", "faces": "2"}),
        ('{"do":"leave","target":"leo"}', {}),
        ('{"do":"condition","target":"b","condition":"delayed"}', {}),
    ):
        seen = view_after_press(seen, act, **more)
        assert not seen.problems
    after = view_after_press(seen, "continue")
    assert [(row.fighter.id, row.fighter.hp) for row in require(after.fight_view).rows] == [
        ("a", 4),
        ("b", 2),
        ("ida", 2),
    ]
    assert require(after.fight_view).state.turn_order == ("a", "b", "ida")
    assert not require(after.fight_view).state.fighter("b").delays
    assert json.loads(after.fields["log"])["steps"] == []


def test_continued_fight_preserves_its_rulings() -> None:
    """The table's settings, the title and the turn system apply to the new fight, too."""
    tree = {"format": "scratch-scenario/1", "title": "The cellar", "rulings": {"strength_base": 8}}
    log = json.dumps({**tree, "characters": PEOPLE, "initiative": {"a": [15], "b": [10]}, "steps": []})
    seen = view(parse_query(format_query({"log": log}), MAX_QUERY_LENGTH), SystemRoller())
    after = json.loads(view_after_press(seen, "continue").fields["log"])
    assert {key: after.get(key) for key in tree} == tree


@pytest.mark.parametrize("system", ["mano", "mano-old", "seize"])
def test_continued_fight_works_in_every_turn_system(system: str) -> None:
    """Every character is present again, in the current order."""
    after = view_after_press(view_begun_variant(system), "continue")
    assert after.phase == "fight", after.problems
    assert {row.fighter.name for row in require(after.fight_view).rows} == {"Ann", "Bo"}


def test_continued_fight_without_a_bonus_limits_hit_points() -> None:
    """A continued fight without a crafted bonus limits hit points to the maximum.

    Rules `hp.max`, `craft.bonus`: the bonus was 1 more toughness, with one hit point.
    """
    seen = view_begun_fight("Ann\n1 craftsmanship\n3 toughness\n\nBo\n1 toughness", "ann 9, bo 8")
    seen = view_after_press(seen, '{"actor":"ann","do":"craft","target":"bo","ability":"toughness"}')
    assert map_hit_points(seen)["bo"] == 2
    after = view_after_press(seen, "continue")
    assert after.problems == ()
    assert map_hit_points(after)["bo"] == 1


def test_join_that_fails_at_the_second_character_announces_the_problem() -> None:
    """Two characters join with one step left: neither joins, and the typed note stays."""
    people = {"gm_new": "own", "gm_sheet": "Ida\n2 toughness\n\nMira\n2 toughness", "note": "The door opens."}
    seen = fought(MAX_STEPS - 1, act="gm-join", **people)
    assert [problem.code for problem in seen.problems] == ["fight.steps"]
    assert seen.fields["log"] == fought(MAX_STEPS - 1).fields["log"]
    assert seen.fields["note"] == "The door opens."
    assert "Ida" not in seen.summary
