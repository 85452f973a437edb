"""Playing a scenario of another turn order: every step decided, every state kept, every expectation held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scratch_core.dice import Roller, SystemRoller
from scratch_core.errors import Problem, ScratchError
from scratch_core.rounds import Act, Decision, State
from scratch_core.scenario.expecting import MAY_PATHS
from scratch_core.scenario.orders.records import OrderPlayed, OrderRecord, OrderScenario, OrderStep
from scratch_core.scenario.playing import Difference, may_difference, plain
from scratch_core.scenario.records import Expected

BEFORE = "surprise-rolls"
"""What comes before a fight begins."""


def play_order(
    scenario: OrderScenario, roller: Roller | None = None, until: int | None = None, strict: bool = False
) -> OrderPlayed:
    """Play a scenario, or its first `until` steps. The fight begins at once, or with the step of an ambush's rolls.

    An illegal step changes nothing and the play goes on, unless it is `strict`. Rules: `mano.surprise.two-rolls`,
    `mano.start.first`, `mano-old.initiative.reach`, `seize.roll`.
    """
    dice = roller or SystemRoller()
    steps = scenario.steps if until is None else scenario.steps[: max(0, until)]
    state = scenario.start()
    begun: Decision | None = None
    begun_state = state
    if not scenario.steps or scenario.steps[0].action.do != BEFORE:
        begun, state = _begin(scenario, state, dice)
        begun_state = state
    states, records, stopped = [state], list[OrderRecord](), False
    for n, step in enumerate(steps, 1):
        record = _record(scenario, n, step, state)
        if begun is None:
            begun, begun_state, record = _begun_with(scenario, record, state, dice)
        state = record.state
        records.append(record)
        states.append(state)
        if strict and not record.legal:
            stopped = True
            break
    if begun is None:
        begun, begun_state = _begin(scenario, state, dice)
    differences = _differences(scenario, records, state, len(records) == len(scenario.steps))
    problems = tuple(record.error for record in records if record.error)
    told = (begun.rolls, begun.say)
    return OrderPlayed(scenario, tuple(records), tuple(states), begun_state, *told, differences, problems, stopped)


def _begin(scenario: OrderScenario, state: State, dice: Roller) -> tuple[Decision, State]:
    decision = scenario.system.begin(state, dice, scenario.initiative)
    return decision, scenario.system.replay(state, decision.events)


def _begun_with(
    scenario: OrderScenario, record: OrderRecord, state: State, dice: Roller
) -> tuple[Decision, State, OrderRecord]:
    """The fight begins with the rolls of an ambush; where they make no sense it begins without them."""
    begun, after = _begin(scenario, record.state, dice)
    events, rolls = (*record.events, *begun.events), begun.rolls
    return begun, after, replace(record, events=events, rolls=rolls, say=f"{record.say} {begun.say}", state=after)


def _record(scenario: OrderScenario, n: int, step: OrderStep, state: State) -> OrderRecord:
    system = scenario.system
    try:
        decision = system.decide(state, step.action, step.faces or ())
    except ScratchError:
        wrong = Problem("scenario.faces", "no faces", str(len(step.faces or ())), f"{step.where}.faces")
        return OrderRecord(n, step, (), (), f"Not played: {wrong.message}.", (), state, wrong)
    after = system.replay(state, decision.events)
    return OrderRecord(n, step, decision.events, decision.rolls, decision.say, decision.problems, after)


# Expectations


def _differences(
    scenario: OrderScenario, records: Sequence[OrderRecord], final: State, is_whole: bool
) -> tuple[Difference, ...]:
    found = [
        difference
        for record in records
        for difference in _held(scenario, record, record.step.expect, record.n, f"{record.step.where}.expect")
    ]
    if is_whole and scenario.expect:
        nothing = OrderStep(Act("", ""), None, "", (), "steps", {})
        found += _held(scenario, OrderRecord(0, nothing, (), (), "", (), final), scenario.expect, 0, "expect")
    return tuple(found)


def _held(scenario: OrderScenario, record: OrderRecord, expect: Expected, n: int, where: str) -> list[Difference]:
    found = []
    offered = scenario.system.names(record.state) if any(key.startswith(MAY_PATHS) for key, _ in expect) else ()
    for key, value in expect:
        path, _, who = key.partition(".")
        if path in MAY_PATHS:
            wrong = may_difference(path, value, frozenset(do for each, do in offered if each == who))
        elif key == "rule":
            wrong = None if value in record.rules else (value, ", ".join(record.rules) or "a legal step")
        else:
            got = _value(scenario, record, key)
            wrong = None if got == value else (plain(value), plain(got))
        if wrong:
            found.append(Difference(n, where, f"{key} = {wrong[0]}", wrong[1]))
    return found


def _value(scenario: OrderScenario, record: OrderRecord, key: str) -> Any:
    if key in ("legal", "prevented"):
        return record.legal if key == "legal" else False
    return scenario.system.state_value(record.state, key)
