"""The limit of a file's steps: said before it is reached, and a new fight of the same people behind it."""

import json

import pytest

from build_scripts.render import render
from scratch_core.calculators.fight import QUERY_LIMIT, View, view
from scratch_core.calculators.fight.session import WARNED_BEFORE
from scratch_core.calculators.shared.query import parse_query, query_string
from scratch_core.dice import SystemRoller
from scratch_core.scenario.validation import MAX_STEPS
from tests.support.fights import begun, by_lines, hp, pressed
from tests.support.known import known

ENDS = [{"actor": who, "do": "end-turn"} for who in ("a", "b")]
PEOPLE = [
    {"id": "a", "side": "x", "abilities": {"fighting": 2, "toughness": 4}},
    {"id": "b", "side": "y", "abilities": {"fighting": 2, "toughness": 6}},
]


def fought(steps: int, **fields: str) -> View:
    """A fight of two who do nothing, after so many steps, and what is pressed then."""
    tree = {"format": "scratch-scenario/1", "characters": PEOPLE, "initiative": {"a": [15], "b": [10]}}
    log = json.dumps({**tree, "steps": (ENDS * steps)[:steps]})
    return view(parse_query(query_string({"log": log, **fields}), QUERY_LIMIT), SystemRoller())


@pytest.mark.parametrize(
    ("steps", "left"),
    [(MAX_STEPS - WARNED_BEFORE - 1, None), (MAX_STEPS - WARNED_BEFORE, WARNED_BEFORE), (MAX_STEPS, 0)],
)
def test_the_limit_is_said_before_it_is_reached(steps: int, left: int | None) -> None:
    """The last steps are counted down; at the limit a further one is refused, and the way on stands there."""
    seen = fought(steps)
    assert seen.left == left
    html = render("fight", seen.query).html
    assert ("data-go-on" in html) == (left is not None)
    after = fought(steps, act=json.dumps(ENDS[steps % 2]))
    assert [problem.code for problem in after.problems] == (["fight.steps"] if left == 0 else [])


def test_a_fight_goes_on_with_the_same_people_order_and_hit_points() -> None:
    """Who was hurt is hurt, who joined is there, who has left is not; nothing else is left of the first fight."""
    seen = fought(4)
    for act, more in (
        ("hand-set-hp", {"hand_who": "b", "hand_hp": "2"}),
        ("hand-join", {"hand_new": "own", "hand_sheet": "Ida\n2 toughness", "faces": "3"}),
        ("hand-join", {"hand_new": "own", "hand_sheet": "Leo\n2 toughness", "faces": "2"}),
        ('{"do":"leave","target":"leo"}', {}),
        ('{"do":"condition","target":"b","condition":"delayed"}', {}),
    ):
        seen = pressed(seen, act, **more)
        assert not seen.problems
    after = pressed(seen, "go-on")
    assert [(row.fighter.id, row.fighter.hp) for row in known(after.shown).rows] == [("a", 4), ("b", 2), ("ida", 2)]
    assert known(after.shown).state.order == ("a", "b", "ida")
    assert not known(after.shown).state.fighter("b").delays
    assert json.loads(after.fields["log"])["steps"] == []


def test_a_fight_goes_on_by_the_rulings_that_it_was_begun_with() -> None:
    """What a table has decided otherwise counts in the new fight too, and so do its title and its order of turns."""
    tree = {"format": "scratch-scenario/1", "title": "The cellar", "rulings": {"strength_base": 8}}
    log = json.dumps({**tree, "characters": PEOPLE, "initiative": {"a": [15], "b": [10]}, "steps": []})
    seen = view(parse_query(query_string({"log": log}), QUERY_LIMIT), SystemRoller())
    after = json.loads(pressed(seen, "go-on").fields["log"])
    assert {key: after.get(key) for key in tree} == tree


@pytest.mark.parametrize("system", ["mano", "mano-old", "seize"])
def test_a_fight_of_another_order_goes_on_too(system: str) -> None:
    """Everyone is there again, in the seats of today."""
    after = pressed(by_lines(system), "go-on")
    assert after.phase == "fight", after.problems
    assert {row.fighter.name for row in known(after.shown).rows} == {"Ann", "Bo"}


def test_go_on_without_a_crafted_bonus_keeps_hit_points_within_the_maximum() -> None:
    """`hp.max`, `craft.bonus`: the hit point of 1 more toughness is not carried into a fight without that bonus."""
    seen = begun("Ann\n1 craftsmanship\n3 toughness\n\nBo\n1 toughness", "ann 9, bo 8")
    seen = pressed(seen, '{"actor":"ann","do":"craft","target":"bo","ability":"toughness"}')
    assert hp(seen)["bo"] == 2
    after = pressed(seen, "go-on")
    assert after.problems == ()
    assert hp(after)["bo"] == 1
