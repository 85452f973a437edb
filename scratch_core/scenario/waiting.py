"""Steps that wait for the interrupts written right after them, and how they are settled at last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from scratch_core.actions import Action, may_uncover, uncovered
from scratch_core.dice import Roller
from scratch_core.encounter import decide, legal_names, replay
from scratch_core.scenario.records import Step
from scratch_core.state import Prevented, State
from scratch_core.turns import Decision

ANSWERS = ("interrupt", "settle")
"""What may be written after a step that waits: an interrupt, or that there is none."""


def is_answered(steps: Sequence[Step], place: int) -> bool:
    """Whether an interrupt, or the end of all interrupts, is written after the step of that number, from 1.

    Somebody who leaves cover and interrupts then is one who answers. Rules: `grid.interrupt.what`, `act.cover.stay`.
    """
    if place >= len(steps):
        return False
    return steps[place].action.do in ANSWERS or steps[place].action.actor in leaving(steps, place)


def leaving(steps: Sequence[Step], place: int) -> frozenset[str]:
    """Who leaves cover to interrupt, in the answers after the step of that number (rulings A14, G04)."""
    interrupters, leavers = set(), set()
    for step in reversed(list(takewhile(_is_answer, steps[place:]))):
        if step.action.do == "interrupt":
            interrupters.add(step.action.actor)
        elif step.action.do == "leave-cover" and step.action.actor in interrupters:
            leavers.add(step.action.actor)
    return frozenset(leavers)


def _is_answer(step: Step) -> bool:
    return step.action.do in (*ANSWERS, "leave-cover")


def answers(state: State, action: Action) -> bool:
    """Whether an action is an answer to what waits, or leads to one: an interrupt, none, or leaving cover for it."""
    return action.do in ANSWERS or (action.do == "leave-cover" and may_uncover(state, action.actor))


def declare(state: State, action: Action, faces: Roller | Iterable[int], leavers: frozenset[str]) -> Decision:
    """Decide an action that may wait, also for those who are in cover still and will leave it to interrupt.

    Raises `ScratchError` for faces too few, too many or impossible.
    """
    if leavers:
        decision = decide(uncovered(state, leavers), action, _Tens())
        if replay(state, decision.events).exposure is not None:
            return decision
    return decide(state, action, faces)


class _Tens:
    """Dice that show a 10, to see what an action would be."""

    def roll(self, sides: int) -> int:
        return 10


def settle(state: State, faces: Roller | Iterable[int]) -> Decision:
    """Let what waits happen, with its dice, whoever might still interrupt a move. Rule: `grid.interrupt.what`.

    Raises `ScratchError` for faces too few, too many or impossible.
    """
    waiting = state.exposure
    assert waiting is not None
    decision = decide(state, Action(waiting.who, "settle"), faces)
    after = replay(state, decision.events)
    if after.exposure is None:
        return decision
    rest = settle(after, faces)
    return Decision((*decision.events, *rest.events), rest.rolls, rest.say)


def at_once(state: State, action: Action, faces: Roller | Iterable[int]) -> tuple[Decision, State | None]:
    """Decide an action and, where it waits, settle it; the second value is the state in which it waited.

    Raises `ScratchError` for faces too few, too many or impossible.
    """
    decision = decide(state, action, faces)
    declared = replay(state, decision.events)
    if declared.exposure is None or action.do in ANSWERS:
        return decision, None
    settled = settle(declared, faces)
    return Decision((*decision.events, *settled.events), settled.rolls, settled.say), declared


def is_prevented(events: Iterable[object]) -> bool:
    """Whether an interrupt among these events has prevented what waited. Rule: `grid.interrupt.prevent`."""
    return any(isinstance(event, Prevented) for event in events)


def asked(state: State, declared: State | None, who: str) -> frozenset[str]:
    """The names of somebody's legal actions after a step; an interrupt counts as it did when the step was declared."""
    offered = legal_names(state, who)
    return offered if declared is None else offered | (legal_names(declared, who) & {"interrupt"})
