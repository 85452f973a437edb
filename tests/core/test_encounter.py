"""The turn machine: initiative, turns, what is legal, what events do, and properties over random fights."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scratch_core.abilities import NAMES
from scratch_core.actions import RESOLVE, Action
from scratch_core.catalogue import Rulings
from scratch_core.dice import RecordedFaces
from scratch_core.encounter import apply, begin, decide, legal_actions, legal_names, replay, why_not
from scratch_core.errors import ScratchError
from scratch_core.figures import Figure, Part
from scratch_core.state import (
    Damaged,
    EncounterEnded,
    Fighter,
    Initiative,
    State,
    TurnBegan,
    TurnPassed,
    gather,
)
from scratch_core.state import events as kinds_of_events
from scratch_core.turns import TIES_LIMIT
from scratch_core.turns.json_form import event_to_json
from tests.core.encounters import AB, begun, done, somebody
from tests.rollers import Always, Drawn
from tests.taste import examples

# Initiative


@pytest.mark.parametrize(
    ("levels", "multiplier", "face", "total"),
    [
        ([{"stealth": 2}, {"detection": 1, "stealth": 1}], 10, 9, 23),  # E011
        ([{"detection": 5}, {"detection": 3}], 10, 2, 52),  # E012
        ([{"stealth": 3}, {"stealth": 1}], 10, 1, 7),  # the rule's own 3 and 1: +6
        ([{"detection": 1}], 2, 6, 8),  # the switch
    ],
    ids=["E011", "E012", "stealth", "multiplier-2"],
)
def test_initiative_sums(levels: list[dict[str, int]], multiplier: Any, face: int, total: int) -> None:
    """A group adds twice its best stealth and ten times its best detection, whoever has them (ruling A20).

    `turn.initiative-roll`, `stealth.initiative`, `detection.initiative`
    """
    rulings = Rulings(detection_multiplier=multiplier)
    members = [somebody(f"m{n}", {**each, "toughness": 1}, group="g") for n, each in enumerate(levels)]
    state = begun(*members, rulings=rulings, g=[face])
    assert state.initiative[0].figure.value == total


def test_ties_that_never_end_are_refused() -> None:
    """Dice that never differ are named instead of being rolled for ever (`turn.tie`)."""
    with pytest.raises(ScratchError, match=f"within {TIES_LIMIT} throws") as caught:
        begin(gather(AB, Rulings()), Always(7))
    assert caught.value.code == "initiative.tie"


def test_ties_use_bare_dice_and_only_among_those_level() -> None:
    """E014: 9, 15, 9, then 4 and 16 put b first, then c, then a (`turn.tie`)."""
    state = begun(*AB, somebody("c", {"toughness": 3}), a=[12, 9, 4], b=[12, 15], c=[12, 9, 16])
    assert state.order == ("b", "c", "a")
    assert [each.faces for each in state.initiative] == [(12, 15), (12, 9, 16), (12, 9, 4)]


def test_a_new_encounter_gives_everything_back() -> None:
    """E022: what was used up in one encounter is there again in the next (`act.unrepeatable.illustration`)."""
    state = begun(somebody("sheriff", {"stealth": 1, "toughness": 3}), somebody("outlaw", {"toughness": 3}))
    surprise = Action("sheriff", "surprise", ("outlaw",))
    state = done(state, surprise, 1)
    state = replay(state, (EncounterEnded(),))
    assert why_not(state, surprise)[0].rule == "turn.encounter"
    again = replay(state, begin(state, Always(1), {"sheriff": [9], "outlaw": [2]}).events)
    assert why_not(again, surprise) == ()


# Turns


def test_turns_pass_over_those_who_cannot_act() -> None:
    """Somebody down is passed over, with a turn that counts (`turn.member-turn`, `turn.order`)."""
    a, b = AB
    state = begun(a, replace(b, hp=0, fresh=False), somebody("c", {"toughness": 3}))
    state = done(state, Action("a", "bonus"))
    decision = decide(state, Action("c", "bonus"), ())
    assert [type(event).__name__ for event in decision.events] == ["TurnEnded", "TurnPassed", "TurnBegan", "BonusUsed"]
    state = replay(state, decision.events)
    assert (state.fighter("b").turn, state.active, state.round) == (1, "c", 1)


def test_somebody_able_is_not_passed_over() -> None:
    """A step out of order names who is next, and changes nothing (`turn.order`)."""
    state = begun(*AB)
    (problem,) = why_not(state, Action("b", "bonus"))
    assert (problem.rule, problem.expected) == ("turn.order", "a, who is able to act")
    assert decide(state, Action("b", "bonus"), ()).events == ()


def test_a_held_wrestler_is_not_passed_over() -> None:
    """Whoever may still counter-hold is able to act (`act.wrestling.counter-hold`, `turn.order`)."""
    a, w, c = AB[0], somebody("w", {"wrestling": 1, "toughness": 3}), somebody("c", {"toughness": 3})
    state = done(begun(a, w, c), Action("a", "hold", ("w",)), 11)
    assert [problem.rule for problem in why_not(state, Action("c", "bonus"))] == ["turn.order"]
    distracted = done(begun(a, w, c), Action("a", "distract", ("w",)), 11)
    assert why_not(distracted, Action("c", "bonus")) == ()


def test_between_turns_everybody_who_may_begin_is_offered() -> None:
    """Every member of the group may be next, nobody of another group (`turn.member-order`, `turn.group`)."""
    state = begun(
        somebody("a", {"toughness": 3}, group="g"),
        somebody("b", {"toughness": 3}, group="g"),
        somebody("x", {"toughness": 3}),
    )
    assert {action.actor for action in legal_actions(state)} == {"a", "b"}
    state = done(state, Action("b", "bonus"))
    assert {action.actor for action in legal_actions(state)} == {"b"}
    state = done(state, Action("b", "end-turn"))
    assert {action.actor for action in legal_actions(state)} == {"a"}


def test_one_fighter_alone_takes_turn_after_turn() -> None:
    """Where everybody else is barred, the next round comes at once (`turn.order`, `turn.member-turn`)."""
    a, b = AB
    state = begun(a, replace(b, hp=0, fresh=False))
    for number in (1, 2, 3):
        state = done(state, Action("a", "evade"))
        assert state.round == number
        assert why_not(state, Action("a", "basic-attack", ("b",)))[0].rule == "act.regular"
        state = done(state, Action("a", "end-turn"))


# What is legal


def test_legal_actions_by_hand() -> None:
    """Two people without abilities, out of cover: counted by hand (`act.basic.available`).

    Basic attack, hold and distract on the other one, each with the bare face; evade with nothing; engage, a small act,
    nothing, the end of the turn: 8.
    """
    state = begun(*AB)
    assert [(action.do, action.targets, action.uses) for action in legal_actions(state)] == [
        ("basic-attack", ("b",), ()),
        ("hold", ("b",), ()),
        ("distract", ("b",), ()),
        ("evade", (), ()),
        ("engage", (), None),
        ("bonus", (), None),
        ("nothing", (), None),
        ("end-turn", (), None),
    ]


def test_illegal_actions_say_what_would_be_legal() -> None:
    """A refused action names the rule and what would be legal, throws no dice, and reads as a sentence."""
    state = begun(*AB)
    dice = RecordedFaces([20])
    decision = decide(state, Action("a", "shoot", ("b",)), dice)
    assert not decision.is_legal
    assert dice.used == 0
    assert (
        decision.say == "a: shooting not allowed, expected shooting of level 1 or more, got none in a (act.shooting)."
    )


@pytest.mark.parametrize("faces", [(), (3, 4), (0,), (21,)], ids=["few", "many", "0", "21"])
def test_wrong_faces_are_refused(faces: tuple[int, ...]) -> None:
    """E008: too few, too many and impossible faces are a caller's mistake (`roll.die-substitute`)."""
    with pytest.raises(ScratchError, match="face"):
        decide(begun(*AB), Action("a", "basic-attack", ("b",)), faces)


def test_every_part_of_a_roll_names_its_rule() -> None:
    """Engage, cover, water, evade and crafted bonuses are parts with rules of their own (`roll.modifier`)."""
    swimmer = somebody("a", {"fighting": 2, "swimming": 1, "toughness": 3}, here=["water"])
    flyer = somebody("b", {"quickness": 2, "toughness": 3})
    state = done(done(begun(flyer, swimmer), Action("b", "evade")), Action("a", "engage"))
    (roll,) = decide(state, Action("a", "basic-attack", ("b",)), [9]).rolls
    assert [(part.what, part.value, part.rule) for part in roll.check.figure.parts] == [
        ("face", 9, "roll.d20"),
        ("fighting", 2, "act.fighting.bonus"),
        ("engage", 2, "act.engage"),
        ("swimming in water", 1, "swimming.in-water"),
    ]
    assert [(part.value, part.rule) for part in roll.against.parts] == [
        (10, "def.agility"),
        (2, "def.agility"),
        (2, "act.evade"),
    ]


# Properties

levels = st.dictionaries(st.sampled_from(NAMES), st.integers(1, 5), max_size=5)
places = st.lists(
    st.sampled_from(["level", "cover", "throwable", "climbable", "open-air", "water", "deep-water"]),
    max_size=4,
    unique=True,
)
rulings = st.builds(
    Rulings,
    strength_base=st.sampled_from([7, 8]),
    detection_multiplier=st.sampled_from([10, 2]),
    unrepeatable_scope=st.sampled_from(["actor", "pair"]),
    stack_abilities=st.booleans(),
    strength_use_max=st.booleans(),
    wrestling_double_legacy=st.booleans(),
)


@st.composite
def companies(draw: st.DrawFn) -> tuple[Fighter, ...]:
    """Two to four fighters of two sides, some of them sharing a group."""
    found = []
    for own_id in "abcd"[: draw(st.integers(2, 4))]:
        more = {
            "side": draw(st.sampled_from("xy")),
            "group": draw(st.sampled_from(["g", own_id])),
            "here": draw(places),
        }
        found.append(somebody(own_id, {"toughness": draw(st.integers(1, 6)), **draw(levels)}, **more))
    return tuple(found)


def walked(data: st.DataObject, steps: int) -> Iterator[tuple[State, Action, tuple[Any, ...], State]]:
    """A random fight: before, action, events and after, step by step."""
    company, ruled = data.draw(companies()), data.draw(rulings)
    start = gather(company, ruled)
    faces = {group: [data.draw(st.integers(1, 20)), 20 - place] for place, group in enumerate(start.groups())}
    state = replay(start, begin(start, Always(1), faces).events)
    for _ in range(steps):
        offered = legal_actions(state)
        if not offered:
            return
        action = data.draw(st.sampled_from(offered))
        decision = decide(state, action, Drawn(data))
        assert decision.is_legal, f"listed and refused: {action}: {decision.say}"
        after = replay(state, decision.events)
        yield state, action, decision.events, after
        state = after


quick = settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.no_cover
@quick
@given(st.data())
def test_random_fights_hold_their_properties(data: st.DataObject) -> None:
    """Every listed action succeeds and is listed once; hit points stay in bounds; nobody acts while barred;
    the events give the state; the same faces bring the same events; no state given is changed.
    """
    for before, action, events, after in walked(data, 8):
        frozen = repr(before)
        offered = legal_actions(before)
        for each in before.fighters:
            assert legal_names(before, each.id) == {action.do for action in offered if action.actor == each.id}
        assert len(set(offered)) == len(offered)
        faces = [roll.check.figure.parts[0].value for roll in decide(before, action, Always(10)).rolls]
        assert decide(before, action, faces).events == decide(before, action, faces).events
        assert repr(before) == frozen
        for each in after.fighters:
            assert 0 <= each.hp <= each.numbers.max_hp
        actor = before.fighter(action.actor)
        if action.do not in ("end-turn", "nothing", "leave-cover", "counter-hold"):
            assert not actor.is_down
            assert not actor.escaped
            assert not actor.delays or before.turn_over
        assert replay(before, events) == after


@pytest.mark.no_cover
@quick
@given(st.data())
def test_unlisted_actions_are_refused_with_a_rule(data: st.DataObject) -> None:
    """What is not among the legal actions of who is on turn is refused, and a rule is named."""
    last = [after for *_, after in walked(data, 5)]
    if not last:
        return
    state = last[-1]
    listed = set(legal_actions(state))
    ids = [each.id for each in state.fighters]
    actor = data.draw(st.sampled_from([state.active] if not state.turn_over else ids))
    do = data.draw(st.sampled_from(sorted(set(RESOLVE) - {"check", "craft", "end-encounter"})))
    targets = {"blast": 2, "double-attack": 2}.get(do, 1 if do in TARGETED else 0)
    drawn = tuple(sorted(data.draw(st.sampled_from(ids)) for _ in range(targets)))
    for action in (Action(actor, do, drawn), Action(actor, do, drawn, ("fighting",)) if do in TARGETED else None):
        if action is None:
            continue
        same = [each for each in listed if (each.actor, each.do, each.targets) == (actor, do, drawn)]
        is_listed = any(action.uses in (None, each.uses) for each in same)
        problems = why_not(state, action)
        assert bool(problems) != is_listed, (action, problems)
        assert all(problem.rule for problem in problems)


TARGETED = (
    *("basic-attack", "double-attack", "throw", "hold", "counter-hold", "distract", "shoot", "blast", "knockout"),
    *("surprise", "intimidate", "heal", "revive"),
)


def test_a_log_rebuilds_every_state() -> None:
    """The events of a fight, applied anew, give the states they gave before."""
    state = begun(*AB)
    log, states = [], [state]
    for action, face in ((Action("a", "hold", ("b",)), 12), (Action("b", "end-turn"), 0), (Action("a", "evade"), 0)):
        events = decide(state, action, [face] if face else []).events
        log += events
        state = replay(state, events)
        states.append(state)
    rebuilt = [states[0]]
    for event in log:
        rebuilt.append(apply(rebuilt[-1], event))
    assert rebuilt[-1] == states[-1]


OF_A_KIND: dict[str, Any] = {
    "int": 1,
    "Cause": "hold",
    "Moved": "before",
    "Space": (1, 2),
    "Space | None": None,
    "tuple[Space, ...]": ((1, 2), (-1, 0)),
    "tuple[str, ...]": ("a", "b"),
    "tuple[str, ...] | None": ("fighting",),
    "Fighter": replace(AB[0], at=(1, 2), gone=True),
    "tuple[Initiative, ...]": (
        Initiative("a", Figure("initiative", (Part("face", 7, "turn.initiative-roll"),)), (3,)),
    ),
}
"""A value for each type of field that an event has."""


def test_events_are_told_apart() -> None:
    """Every kind of event has a JSON form of its own."""
    forms = []
    kinds = [
        kind
        for kind in vars(kinds_of_events).values()
        if isinstance(kind, type) and issubclass(kind, kinds_of_events.Event)
    ]
    for kind in kinds:
        values = {each: OF_A_KIND.get(str(field.type), "a") for each, field in kind.__dataclass_fields__.items()}
        event = kind(**values)
        forms.append(event_to_json(event))
    assert len({form["event"] for form in forms}) == len(forms) > 35
    assert event_to_json(TurnPassed("a", 1, 0)) == {"event": "turn-passed", "who": "a", "round": 1, "place": 0}
    assert event_to_json(TurnBegan("a", 1, 0))["event"] == "turn-began"


def test_damage_stops_at_nothing_for_both_blows() -> None:
    """Two blows on somebody with 1 hit point leave 0, not less (`hp.floor`, `act.fighting.double`)."""
    state = begun(somebody("a", {"fighting": 5, "toughness": 3}), replace(AB[1], hp=1, fresh=False))
    decision = decide(state, Action("a", "double-attack", ("b", "b")), [10, 20])
    assert [event for event in decision.events if isinstance(event, Damaged)] == [
        Damaged("b", "a", 1, 0),
        Damaged("b", "a", 2, 0),
    ]
