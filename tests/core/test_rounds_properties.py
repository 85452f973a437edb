"""The other turn orders at random: whatever is listed succeeds, whatever is not is refused, and the rules hold."""

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scratch_core.catalogue import Rulings
from scratch_core.errors import ScratchError
from scratch_core.rounds import (
    MANO,
    MANO_OLD,
    SEIZE,
    SYSTEMS,
    Act,
    State,
    System,
)
from scratch_core.turns.json_form import event_to_json
from tests.taste import examples

pytestmark = pytest.mark.no_cover

IDS = "abcd"
SPEEDS = [Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2)]
FACES = st.one_of(st.integers(1, 20), st.sampled_from([1, 20]))


class Drawn:
    """Dice that hypothesis throws."""

    def __init__(self, data: st.DataObject) -> None:
        """Take faces from the data."""
        self.data = data

    def roll(self, sides: int) -> int:
        """Give a face."""
        return self.data.draw(FACES)


def rows(system: System[Any, Any], data: st.DataObject) -> list[dict[str, Any]]:
    """Two to four characters of a system, drawn."""
    number = data.draw(st.integers(2, 4))
    found = []
    for own_id in IDS[:number]:
        row: dict[str, Any] = {"id": own_id, "name": own_id.upper(), "side": data.draw(st.sampled_from("xy"))}
        if system is MANO:
            row |= {"speed": data.draw(st.sampled_from(SPEEDS)), "stun": data.draw(st.integers(0, 3))}
            row |= {"healthy": data.draw(st.booleans()), "weapons": data.draw(st.integers(1, 2)), "reach": 0}
        elif system is MANO_OLD:
            pools = [(pool, data.draw(st.integers(0, 3))) for pool in ("stun", "damage", "ready", "defence")]
            pools.append(("other", data.draw(st.integers(1, 3))))
            hp = sum(points for _, points in pools)
            row |= {"hp": hp, "hp_round": data.draw(st.integers(1, 4)), "reach": 0, "pools": tuple(pools)}
        else:
            row |= {"bonus": data.draw(st.integers(-1, 3)), "group": data.draw(st.sampled_from(["", "", "gang"]))}
        found.append(row)
    return found


def begun(system: System[Any, Any], data: st.DataObject) -> tuple[State, State]:
    """A fight that has begun, and the state before it."""
    head = {"first": (), "ambush": ""}
    before = system.gather(rows(system, data), head, Rulings(seize_on_total=data.draw(st.booleans())))
    try:
        decision = system.begin(before, Drawn(data))
    except ScratchError as error:  # dice that never differ
        if error.code != "initiative.tie":
            raise
        decision = system.begin(before, Drawn(data), {each: [n + 2] for n, each in enumerate((*IDS, "gang"))})
    return before, system.replay(before, decision.events)


def fact(system: System[Any, Any], state: Any, data: st.DataObject) -> Act | None:
    """Something that the table tells, or nothing."""
    who = data.draw(st.sampled_from([each.id for each in system.fighters(state)]))
    do = data.draw(st.sampled_from(sorted({*system.facts} - {"surprise-rolls"})))
    if do == "leave":
        return Act(who, "leave") if data.draw(st.integers(0, 7)) == 0 else None
    return Act("", do, who, points=data.draw(st.integers(0, 3)))


def walk(system: System[Any, Any], data: st.DataObject, most: int = 30) -> Iterator[tuple[Any, Act, Any, Any]]:
    """A fight by listed acts and told facts: each state, what is done, the decision, and the state after."""
    _, state = begun(system, data)
    for _ in range(data.draw(st.integers(1, most))):
        told = fact(system, state, data) if data.draw(st.integers(0, 2)) == 0 else None
        listed = system.legal_actions(state)
        if told is None and not listed:
            return
        act = told or data.draw(st.sampled_from(listed))
        decision = system.decide(state, act)
        after = system.replay(state, decision.events)
        yield state, act, decision, after
        state = after


def universe(system: System[Any, Any]) -> list[Act]:
    """Every act that four characters could write, in modest numbers."""
    targets = ("", *IDS)
    found: list[Act] = []
    for actor in IDS:
        if system is MANO:
            found += [Act(actor, "active", target, move) for target, move in product(targets, (False, True))]
            sizes = [(count, weapons) for count in range(1, 5) for weapons in (1, 2)]
            for do, target, move in product(("combo", "counter"), targets, (False, True)):
                found += [Act(actor, do, target, move, *size) for size in sizes]
            found += [Act(actor, "counter", target, move) for target, move in product(targets, (False, True))]
            found += [Act(actor, "delay-turn", target, after=after) for target, after in product(IDS, (True, False))]
            found += [Act(actor, do) for do in ("prepare-counter", "skip", "let-pass", "start-evading", "start-ready")]
        elif system is MANO_OLD:
            found += [Act(actor, "start-turn"), Act(actor, "end-turn")]
            for points, use, to in product(
                range(15), ("manoeuvre", "manipulate", "power"), ("defence", "other", "stun")
            ):
                found.append(Act(actor, "spend", points=points, use=use, to=to))
            for defence, other in product(range(5), range(5)):
                take = tuple((pool, n) for pool, n in (("defence", defence), ("other", other)) if n)
                found += [Act(actor, "ready", take=take)] if take else []
        else:
            found += [Act(actor, do) for do in ("turn", "seize", "decline", "extra-action")]
            found += [Act(actor, "choose", target) for target in IDS]
    return found


UNIVERSES = {name: universe(system) for name, system in SYSTEMS.items()}
BY_NAME = pytest.mark.parametrize("system", SYSTEMS.values(), ids=lambda system: system.name)


@BY_NAME
@settings(max_examples=examples(30), deadline=None)
@given(data=st.data())
def test_what_is_listed_succeeds_and_the_rest_is_refused(system: System[Any, Any], data: st.DataObject) -> None:
    """Of all acts that can be written exactly the listed ones are legal, each listed once; names agree."""
    for _, _, _, state in walk(system, data, 10):
        ids = {each.id for each in system.fighters(state)}
        listed = system.legal_actions(state)
        assert len(set(listed)) == len(listed)
        assert not [act for act in listed if system.why_not(state, act)]
        could = [act for act in UNIVERSES[system.name] if {act.actor, act.target} <= {*ids, ""}]
        legal = [act for act in could if not system.why_not(state, act)]
        assert {*legal} == {*listed} & {*could}
        for who in ids:
            assert system.legal_names(state, who) == {act.do for act in listed if act.actor == who}
        for act in could[:: max(1, len(could) // 20)]:
            refused = system.decide(state, act)
            assert refused.is_legal or (not refused.events and refused.problems[0].rule)


@BY_NAME
@settings(max_examples=examples(60), deadline=None)
@given(data=st.data())
def test_a_log_rebuilds_the_fight(system: System[Any, Any], data: st.DataObject) -> None:
    """The events alone give the same states again, and each of them can be written as JSON."""
    for state, act, decision, after in walk(system, data, 20):
        assert json.dumps([event_to_json(each) for each in decision.events])
        assert system.replay(state, decision.events) == after
        assert system.decide(state, act) == decision


@BY_NAME
@settings(max_examples=examples(60), deadline=None)
@given(data=st.data())
def test_everyone_acts_once_in_a_round(system: System[Any, Any], data: st.DataObject) -> None:
    """In a whole round each who may act has one turn and no more.

    Rules: `mano.turn.per-round`, `mano-old.round`, `seize.no-repeat`, `seize.round-complete`, `seize.natural-1`.
    """
    turns: Counter[tuple[int, str]] = Counter()
    here: dict[int, set[str]] = {}
    _, state = begun(system, data)
    for _ in range(40):
        listed = [act for act in system.legal_actions(state) if act.do != "delay-turn"]
        if not listed:
            break
        before = state
        here.setdefault(state.round, {each.id for each in system.fighters(state) if not getattr(each, "barred", False)})
        act = data.draw(st.sampled_from(listed))
        state = system.replay(state, system.decide(state, act).events)
        for old, new in zip(system.fighters(before), system.fighters(state), strict=True):
            if system is SEIZE:
                turns[state.round, new.id] += act.do == "turn" and act.actor == new.id
            else:
                turns[before.round, new.id] += new.turns - old.turns
    assert max(turns.values(), default=0) <= 1
    first = min(here, default=1)
    for number in range(first, state.round):
        acted = {who for (when, who), count in turns.items() if when == number and count}
        assert acted == (
            here[number] if system is not SEIZE or number == first else {each.id for each in state.fighters}
        )


@settings(max_examples=examples(100), deadline=None)
@given(data=st.data())
def test_pools_always_sum_to_the_hit_points(data: st.DataObject) -> None:
    """Whatever happens, no hit point is lost or made, and no pool is below 0. Rule: `mano-old.pools`."""
    for state, act, decision, after in walk(MANO_OLD, data):
        assert decision.is_legal or act.do in MANO_OLD.facts
        for old, new in zip(state.fighters, after.fighters, strict=True):
            assert old.hp == new.hp
            assert min(new.stun, new.damage, new.ready, new.defence, new.other) >= 0


@settings(max_examples=examples(100), deadline=None)
@given(data=st.data())
def test_a_counterattack_never_changes_the_order(data: st.DataObject) -> None:
    """Only holding a turn back changes the order; after a counterattack the same one is on turn.

    Rules: `mano.counter.order`, `mano.order.seating`, `mano.order.formation`.
    """
    for state, act, decision, after in walk(MANO, data):
        if act.do not in ("delay-turn", "leave"):
            assert after.order == state.order
        if act.do == "counter" and decision.is_legal:
            assert (after.active, after.round) == (state.active, state.round)


@settings(max_examples=examples(100), deadline=None)
@given(data=st.data())
def test_a_seizure_never_gives_a_second_turn(data: st.DataObject) -> None:
    """Nobody seizes who has acted or is barred, and the queue holds only such as have no turn yet.

    Rules: `seize.claim`, `seize.no-repeat`, `seize.chain`, `seize.multi-order`.
    """
    for state, act, decision, after in walk(SEIZE, data):
        if act.do == "seize" and decision.is_legal:
            assert not state.fighter(act.actor).acted
            assert not state.fighter(act.actor).barred
        assert not [who for who in after.queue if after.fighter(who).acted]
        if act.do == "turn":
            assert after.round > state.round or not state.fighter(act.actor).acted
        if after.phase == "running" and not after.due:
            assert SEIZE.legal_names(after, after.active) & {"choose"}
