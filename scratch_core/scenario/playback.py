"""Playing a scenario in any turn system: every step is decided, every state stored, every expectation checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scratch_core.dice import Roller, SystemRoller
from scratch_core.encounter.actions import FightRoll
from scratch_core.errors import Location
from scratch_core.scenario.expectations import MAY_PATHS, find_legality_difference, format_file_value
from scratch_core.scenario.playthrough import Playthrough
from scratch_core.scenario.reader import scenario_from_dict
from scratch_core.scenario.records import Difference, Expected, Scenario, ScenarioResult, Step, StepResult
from scratch_core.turn_systems import narrate


def play(
    scenario: Scenario,
    roller: Roller | None = None,
    until: int | None = None,
    strict: bool = False,
    waiting: bool = False,
) -> ScenarioResult:
    """Play a scenario, or its first `until` steps.

    A step without faces takes them from the roller. An illegal step changes nothing and the next step follows, unless
    `strict` ends the play. The fight begins at once, or after the steps that set it up: crafted bonuses, the rolls of
    an ambush. On a map, a step that exposes its actor waits for the interrupts directly after it; with `waiting` the
    file's last step does, too. Changes by the game master wait for nothing and begin no fight.

    Rules: `turn.encounter`, `craft.encounter-lock`, `grid.interrupt.what`, `mano.surprise.two-rolls`,
    `mano.start.first`, `mano-old.initiative.reach`, `seize.roll`.
    """
    dice = roller or SystemRoller()
    now = Playthrough.run(scenario, dice, until=until, strict=strict, waiting=waiting)
    now = now.with_beginning(dice)  # a fight that has not begun would begin like this
    assert now.beginning is not None
    stopped = strict and any(not record.is_legal for record in now.original_results[-1:])
    found = ScenarioResult(scenario, now.results, now.states, now.opening_state, now.beginning, is_stopped=stopped)
    problems = tuple(record.error for record in now.results if record.error)
    return replace(found, differences=_list_differences(found), problems=problems)


# Expectations


def _list_differences(played: ScenarioResult) -> tuple[Difference, ...]:
    """List the expectations of the steps and of the end that are not met.

    The end is checked only if all steps were played.
    """
    scenario = played.scenario
    found = [
        difference
        for record in played.results
        for difference in _list_unmet_expectations(
            played, record, record.step.expect, record.n, record.step.where / "expect"
        )
    ]
    if scenario.expect and len(played.results) == len(scenario.steps):
        found += _list_unmet_expectations(played, _build_end_result(played), scenario.expect, 0, "expect")
    return tuple(found)


def _build_end_result(played: ScenarioResult) -> StepResult:
    """Build the result at the end: the last one without what concerns only its step.

    Without any step, it has the state before the fight.
    """
    if played.results:
        return replace(played.results[-1], state_before_resolution=None, declared_state=None)
    system = played.system
    nothing = Step(system.action_type("", next(iter(system.action_titles))), None, "", (), Location("steps"), {})
    return StepResult(system, 0, nothing, (), (), narrate(""), (), played.states[0])


def _list_unmet_expectations(
    played: ScenarioResult, record: StepResult, expectations: Expected, step_number: int, where: str
) -> list[Difference]:
    """List the expectations of one step, or of the end, that are not met."""
    found = []
    for key, value in expectations:
        wrong = _find_expectation_difference(played, record, key, value)
        if wrong:
            found.append(Difference(step_number, where, f"{key} = {wrong[0]}", wrong[1]))
    return found


def _find_expectation_difference(
    played: ScenarioResult, record: StepResult, key: str, value: Any
) -> tuple[str, str] | None:
    """Find how an expectation differs from the result. Returns None if it is met.

    Otherwise returns what was expected and what came, as a file writes them.
    """
    path, _, who = key.partition(".")
    if who and all(each.id != who for each in (record.state_before_resolution or record.state).fighters):
        return format_file_value(value), f"no one called {who} in the fight"
    if path in MAY_PATHS:
        return find_legality_difference(path, value, _list_legal_action_names(record, who))
    if key == "rule":
        return None if value in record.broken_rules else (value, ", ".join(record.broken_rules) or "a legal step")
    is_list = isinstance(value, list) or key not in record.system.roll_keys
    wanted = value if is_list else [value]
    got = _get_expectation_value(played, record, key)
    return None if got == wanted else (format_file_value(wanted), format_file_value(got))


def _list_legal_action_names(record: StepResult, who: str) -> frozenset[str]:
    """List the names of a fighter's legal actions after a step."""
    state = record.state_before_resolution or record.state
    interrupts = record.system.interrupts
    if interrupts is None:
        return record.system.legal_action_names(state, who)
    return interrupts.list_legal_action_names(state, record.declared_state, who)


def _get_expectation_value(played: ScenarioResult, record: StepResult, key: str) -> Any:
    """Get the value of an expectation's key after a step."""
    if key in ("legal", "prevented"):
        return record.is_legal if key == "legal" else record.prevented
    if key in record.system.roll_keys:
        return [get_roll_value(roll, key) for roll in record.rolls if isinstance(roll, FightRoll)]
    state = record.state_before_resolution or record.state
    if key == "order" and state.phase == "before":
        state = played.opening_state
    return record.system.get_state_value(state, key)


def get_roll_value(roll: FightRoll, key: str) -> bool | int:
    """Get the value that a roll has for a key of rolls."""
    values: Mapping[str, bool | int] = {
        "success": roll.check.is_success,
        "automatic": roll.check.automatic,
        "total": roll.check.total,
        "against": roll.against.value,
    }
    return values[key]


# Forks


def fork(
    scenario: Scenario, step: int = 0, *, rulings: Mapping[str, Any] | None = None, **step_changes: Any
) -> Scenario:
    """Return the scenario with one step (from 1) or its rulings changed.

    `step_changes` are keys of the step with their new values (`with_` for `with`, `from_` for `from`); None removes a
    key. Raises `ScratchError` if the result is invalid.
    """
    before = scenario.tree
    tree = dict(before)
    if rulings:
        tree["rulings"] = {**before.get("rulings", {}), **rulings}
    if step_changes:
        given = {key.rstrip("_"): value for key, value in step_changes.items()}
        steps = list(tree["steps"])
        changed = {**steps[step - 1], **given}
        steps[step - 1] = {key: value for key, value in changed.items() if value is not None}
        tree["steps"] = steps
    return scenario_from_dict(tree)


def find_first_difference(one: ScenarioResult, other: ScenarioResult) -> int | None:
    """Find the first step, from 1, at which two plays differ.

    They differ in the action, its legality, its rolls or its events. Returns None if the plays are equal.
    """
    for ours, theirs in zip(one.results, other.results, strict=False):
        if _get_compared_parts(ours) != _get_compared_parts(theirs):
            return ours.n
    shorter = min(len(one.results), len(other.results))
    return None if len(one.results) == len(other.results) else shorter + 1


def _get_compared_parts(record: StepResult) -> Sequence[Any]:
    """Get what must be equal in equal plays."""
    return record.action, record.is_legal, record.broken_rules, record.rolls, record.events
