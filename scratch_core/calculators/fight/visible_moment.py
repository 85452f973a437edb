"""The moment of a fight that the players see: the present one, as if no hidden character were on the map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.calculators.fight.session import Fight
from scratch_core.calculators.fight.visibility import Visibility
from scratch_core.errors import ScratchError
from scratch_core.record_copies import replace_fields
from scratch_core.scenario import NoDice, StepResult


@dataclass(frozen=True, slots=True)
class VisibleMoment:
    """A moment of the fight as the players may know it."""

    state: Any
    """The state at this moment."""
    earlier: Sequence[Any]
    """The states before it, the oldest first."""
    results: Sequence[StepResult]
    """The results of the legal steps that led to it, a pending action and its resolution as one."""


def build_visible_moment(fight: Fight, visibility: Visibility) -> VisibleMoment:
    """Build the present moment as if no hidden character were on the map.

    A pending action that waits only for hidden characters is shown as resolved. If its dice are still to be rolled, it
    is shown as not declared.
    """
    state, legal = fight.state, [each for each in fight.results if each.is_legal]
    pending, exposed = getattr(state, "pending_action", None), fight.playthrough.last_interruptible_result
    if pending is None or exposed is None or visibility.is_hidden(pending.who):
        return VisibleMoment(state, fight.states[:-1], _merge_pending_with_resolutions(legal))
    earlier, records = fight.states[: exposed.n], [each for each in legal if each.n < exposed.n]
    before = VisibleMoment(earlier[-1], earlier[:-1], _merge_pending_with_resolutions(records))
    if before.state.phase != "running":
        before = replace(before, state=fight.playthrough.opening_state)
    try:
        return _replay_without_hidden(fight, visibility, before, exposed)
    except ScratchError:  # the dice are not rolled yet
        return before


def _replay_without_hidden(
    fight: Fight, visibility: Visibility, before: VisibleMoment, exposed: StepResult
) -> VisibleMoment:
    """Replay a pending action and the visible answers to it without hidden characters.

    `before` is the moment before the action, and `exposed` is its result. Returns `before` if the action is illegal
    without the hidden characters. Raises `ScratchError` (`fight.dice`) if faces are missing.
    """
    system, interrupts = fight.system, fight.system.interrupts
    assert interrupts is not None
    off_map = (
        replace_fields(each, at=None) if visibility.is_hidden(each.id) else each for each in before.state.fighters
    )
    redacted_state = replace_fields(before.state, fighters=tuple(off_map))
    dice = NoDice() if exposed.step.faces is None else exposed.step.faces
    decision = interrupts.decide_or_wait(redacted_state, exposed.action, dice, None)
    if decision.problems:
        return before
    state = system.apply_events(redacted_state, decision.events)
    records = [replace(exposed, sentences=decision.sentences, rolls=decision.rolls)]
    for answer in fight.playthrough.original_results[exposed.n :]:
        if state.pending_action is None or not answer.is_legal or visibility.is_hidden(answer.actor):
            continue
        answered_action = fight.states[answer.n - 1].pending_action
        if answer.do == interrupts.resolving_action and answered_action.walked != state.pending_action.walked:
            continue  # only hidden characters could answer
        faces = dice if answer.do == interrupts.resolving_action else (answer.step.faces or ())
        decision = system.decide(state, answer.action, faces)
        if not decision.problems:
            state = system.apply_events(state, decision.events)
            records.append(replace(answer, sentences=decision.sentences, rolls=decision.rolls))
    return VisibleMoment(
        state, (*before.earlier, before.state), _merge_pending_with_resolutions([*before.results, *records])
    )


def _merge_pending_with_resolutions(records: Sequence[StepResult]) -> list[StepResult]:
    """Merge each pending action and its resolution into one result.

    The merged result is at the place of the resolution. A step that declines all interrupts has no result of its own.
    Rule: `grid.interrupt.what`.
    """
    merged: list[StepResult] = []
    for record in records:
        interrupts = record.system.interrupts
        is_resolving = interrupts is not None and record.do == interrupts.resolving_action
        # the next action may decline all interrupts by itself
        resolution = record.resolution or (record if is_resolving else None)
        if interrupts is not None and resolution is not None and not resolution.problems:
            exposing = [n for n, each in enumerate(merged) if each.do in interrupts.exposing_actions]
            if exposing:
                exposed = merged.pop(exposing[-1])
                merged.append(replace(exposed, sentences=resolution.sentences, rolls=resolution.rolls))
        if not is_resolving:
            merged.append(record)
    return merged
