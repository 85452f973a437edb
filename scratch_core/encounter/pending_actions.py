"""Steps that wait for interrupts, and their resolution.

The interrupts are the steps right after them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from scratch_core.dice import FixedRoller, Roller
from scratch_core.encounter.actions import (
    Action,
    list_others_in_cover,
    may_leave_cover_to_interrupt,
    take_fighters_out_of_cover,
)
from scratch_core.encounter.engine import apply_events, decide, legal_action_names
from scratch_core.encounter.state import EXPOSING_ACTIONS, EncounterState, Event, Prevented, Settled
from scratch_core.rulebook.actions import INTERRUPT, LEAVE_COVER, SETTLE
from scratch_core.turn_systems import Decision, Interrupts, narrate

ANSWER_ACTIONS = (INTERRUPT.do, SETTLE.do)
"""The actions that answer a pending action: an interrupt, or that there is none."""


class BoardInterrupts(Interrupts[EncounterState, Action]):
    """Interrupts on a board, where an action that exposes its actor waits.

    Rules: `grid.interrupt.what`, `grid.interrupt.prevent`.
    """

    exposing_actions = EXPOSING_ACTIONS
    resolving_action = SETTLE.do

    def is_followed_by_answer(self, acts: Sequence[Action], next_index: int) -> bool:
        """Return whether the action at an index answers the previous action.

        An answer is an interrupt, the end of all interrupts, or leaving cover for an interrupt.
        Rules: `grid.interrupt.what`, `act.cover.stay`.
        """
        if next_index >= len(acts):
            return False
        return acts[next_index].do in ANSWER_ACTIONS or acts[next_index].actor in list_interrupters_leaving_cover(
            acts[next_index:]
        )

    def is_or_prepares_answer(self, state: EncounterState, act: Action) -> bool:
        """Return whether an action answers the pending action or prepares an answer.

        Leaving cover prepares one, if the fighter may interrupt then.
        """
        return act.do in ANSWER_ACTIONS or (act.do == LEAVE_COVER.do and may_leave_cover_to_interrupt(state, act.actor))

    def has_prevented_pending(self, events: Iterable[Event]) -> bool:
        """Return whether the events prevent the pending action. Rule: `grid.interrupt.prevent`."""
        return any(isinstance(event, Prevented) for event in events)

    def decide_or_wait(
        self, state: EncounterState, act: Action, faces: Roller | Iterable[int], later: Sequence[Action] | None = ()
    ) -> Decision:
        """Decide an action that may wait for interrupts.

        It also waits for fighters in cover who may leave it to interrupt. `later` are the steps after it, or None while
        they are still open. Raises `ScratchError` for too few, too many or impossible faces.
        """
        answers = list(takewhile(_may_be_answer, later or ()))
        if later is None or any(each.do == SETTLE.do for each in answers):  # every fighter in cover could answer
            leavers = list_others_in_cover(state, act.actor)
        else:
            leavers = list_interrupters_leaving_cover(answers)
        if leavers and state.pending_action is None:
            without_cover = take_fighters_out_of_cover(state, leavers)
            decision = decide(without_cover, act, FixedRoller(10))  # any face: only whether it waits matters
            if apply_events(state, decision.events).pending_action is not None:
                return decision
        return decide(state, act, faces)

    def resolve_pending_uninterrupted(self, state: EncounterState, faces: Roller | Iterable[int]) -> Decision:
        """Resolve the pending action with its dice, ignoring further chances to interrupt it.

        Raises `ScratchError` for too few, too many or impossible faces. Rule: `grid.interrupt.what`.
        """
        decision = decide(state, Action(state.required_pending_action.who, self.resolving_action), faces)
        after = apply_events(state, decision.events)
        if after.pending_action is None:
            return decision
        rest = self.resolve_pending_uninterrupted(after, faces)
        return Decision((*decision.events, *rest.events), rest.rolls, rest.sentences)

    def decide_discarding_pending(self, state: EncounterState) -> Decision:
        """Discard the pending action, whose faces are invalid."""
        return Decision((Settled(state.required_pending_action.who),), (), narrate(""))

    def list_legal_action_names(
        self, state: EncounterState, declared: EncounterState | None, who: str
    ) -> frozenset[str]:
        """List the names of a fighter's legal actions.

        An interrupt is legal if it was legal when the step was declared.
        """
        offered = legal_action_names(state, who)
        return offered if declared is None else offered | (legal_action_names(declared, who) & {INTERRUPT.do})


def list_interrupters_leaving_cover(later_actions: Sequence[Action]) -> frozenset[str]:
    """List the fighters who leave cover to interrupt (rulings A14, G04).

    Only the answers at the start of `later_actions` count.
    """
    interrupters, leavers = set(), set()
    for act in reversed(list(takewhile(_may_be_answer, later_actions))):
        if act.do == INTERRUPT.do:
            interrupters.add(act.actor)
        elif act.do == LEAVE_COVER.do and act.actor in interrupters:
            leavers.add(act.actor)
    return frozenset(leavers)


def _may_be_answer(act: Action) -> bool:
    return act.do in (*ANSWER_ACTIONS, LEAVE_COVER.do)
