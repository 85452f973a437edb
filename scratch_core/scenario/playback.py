"""Playing a scenario: every step decided, every state kept, every expectation held, whatever the order of turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scratch_core.dice import Roller, SystemRoller
from scratch_core.encounter.actions import FightRoll
from scratch_core.scenario.expectations import MAY_PATHS, may_difference, plain
from scratch_core.scenario.playthrough import Play
from scratch_core.scenario.reader import read_tree
from scratch_core.scenario.records import Difference, Expected, Played, Record, Scenario, Step


def play(
    scenario: Scenario,
    roller: Roller | None = None,
    until: int | None = None,
    strict: bool = False,
    waiting: bool = False,
) -> Played:
    """Play a scenario, or its first `until` steps; a step without faces takes them from the roller.

    An illegal step changes nothing and the play goes on, unless it is `strict`. The fight begins at once, or after the
    steps that come before it: bonuses crafted, the rolls of an ambush. On a board, a step that exposes its actor waits
    for the interrupts written right after it; with `waiting` the file's last step does too. The game master's steps
    wait for nothing and begin no fight.
    Rules: `turn.encounter`, `craft.encounter-lock`, `grid.interrupt.what`, `mano.surprise.two-rolls`,
    `mano.start.first`, `mano-old.initiative.reach`, `seize.roll`.
    """
    dice = roller or SystemRoller()
    now = Play.through(scenario, dice, until=until, strict=strict, waiting=waiting)
    now = now.with_beginning(dice)  # a fight that has not begun would begin like this
    assert now.beginning is not None
    stopped = strict and any(not record.legal for record in now.came[-1:])
    found = Played(scenario, now.records, now.states, now.begun, now.beginning, stopped=stopped)
    problems = tuple(record.error for record in now.records if record.error)
    return replace(found, differences=_differences(found), problems=problems)


# Expectations


def _differences(played: Played) -> tuple[Difference, ...]:
    scenario = played.scenario
    found = [
        difference
        for record in played.records
        for difference in _held(played, record, record.step.expect, record.n, f"{record.step.where}.expect")
    ]
    if scenario.expect and len(played.records) == len(scenario.steps):
        found += _held(played, _at_the_end(played), scenario.expect, 0, "expect")
    return tuple(found)


def _at_the_end(played: Played) -> Record:
    """The last record without what belongs to its step alone; where there is no step, the state as it is."""
    if played.records:
        return replace(played.records[-1], held=None, declared=None)
    system = played.system
    nothing = Step(system.act_type("", next(iter(system.acts))), None, "", (), "steps", {})
    return Record(system, 0, nothing, (), (), "", (), played.states[0])


def _held(played: Played, record: Record, expect: Expected, n: int, where: str) -> list[Difference]:
    found = []
    for key, value in expect:
        wrong = _difference(played, record, key, value)
        if wrong:
            found.append(Difference(n, where, f"{key} = {wrong[0]}", wrong[1]))
    return found


def _difference(played: Played, record: Record, key: str, value: Any) -> tuple[str, str] | None:
    """What was expected, as a file has it, and what came; None where it came so."""
    path, _, who = key.partition(".")
    if who and all(each.id != who for each in record.system.fighters(record.held or record.state)):
        return plain(value), f"no one called {who} in the fight"
    if path in MAY_PATHS:
        return may_difference(path, value, _offered(record, who))
    if key == "rule":
        return None if value in record.rules else (value, ", ".join(record.rules) or "a legal step")
    is_list = isinstance(value, list) or key not in record.system.roll_keys
    wanted = value if is_list else [value]
    got = _value(played, record, key)
    return None if got == wanted else (plain(wanted), plain(got))


def _offered(record: Record, who: str) -> frozenset[str]:
    """The names of someone's legal actions after a step."""
    state = record.held or record.state
    interrupts = record.system.interrupts
    if interrupts is None:
        return record.system.legal_names(state, who)
    return interrupts.offered(state, record.declared, who)


def _value(played: Played, record: Record, key: str) -> Any:
    if key in ("legal", "prevented"):
        return record.legal if key == "legal" else record.prevented
    if key in record.system.roll_keys:
        return [roll_value(roll, key) for roll in record.rolls if isinstance(roll, FightRoll)]
    state = record.held or record.state
    if key == "order" and state.phase == "before":
        state = played.begun
    return record.system.state_value(state, key)


def roll_value(roll: FightRoll, key: str) -> bool | int:
    """What a roll shows for one of the keys of rolls."""
    values: Mapping[str, bool | int] = {
        "success": roll.check.success,
        "automatic": roll.check.automatic,
        "total": roll.check.total,
        "against": roll.against.value,
    }
    return values[key]


# Forks


def fork(scenario: Scenario, step: int = 0, *, rulings: Mapping[str, Any] | None = None, **changes: Any) -> Scenario:
    """The same scenario with one step (from 1) changed, or other rulings, and everything else as it stands.

    `changes` are a step's keys with their new values (`with_` for `with`, `from_` for `from`); None takes a key away.
    Raises `ScratchError` when the outcome can't be read.
    """
    before = scenario.tree
    tree = dict(before)
    if rulings:
        tree["rulings"] = {**before.get("rulings", {}), **rulings}
    if changes:
        given = {key.rstrip("_"): value for key, value in changes.items()}
        steps = list(tree["steps"])
        changed = {**steps[step - 1], **given}
        steps[step - 1] = {key: value for key, value in changed.items() if value is not None}
        tree["steps"] = steps
    return read_tree(tree)


def first_difference(one: Played, other: Played) -> int | None:
    """The first step, from 1, at which two plays part: in what is done, allowed, thrown or brought about."""
    for ours, theirs in zip(one.records, other.records, strict=False):
        if _essence(ours) != _essence(theirs):
            return ours.n
    shorter = min(len(one.records), len(other.records))
    return None if len(one.records) == len(other.records) else shorter + 1


def _essence(record: Record) -> Sequence[Any]:
    return record.action, record.legal, record.rules, record.rolls, record.events
