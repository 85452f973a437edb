"""Steps that wait for the interrupts written right after them, and how they are settled at last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from scratch_core.dice import Roller
from scratch_core.encounter.actions import Action, list_fighters_in_cover, may_uncover, without_cover
from scratch_core.encounter.engine import apply_events, decide, legal_action_names
from scratch_core.encounter.state import EXPOSING_ACTIONS, EncounterState, Event, Prevented, Settled
from scratch_core.rulebook.actions import INTERRUPT, LEAVE_COVER, SETTLE
from scratch_core.turn_systems import Decision, Interrupts

ANSWER_ACTIONS = (INTERRUPT.do, SETTLE.do)
"""What may be written after a step that waits: an interrupt, or that there is none."""


class TensRoller:
    """Dice that show a 10, to see what an action would be, and how many dice it takes."""

    def roll(self, sides: int) -> int:
        """Show a 10."""
        return 10


class BoardInterrupts(Interrupts[EncounterState, Action]):
    """On a board an act that exposes its actor waits. Rules: `grid.interrupt.what`, `grid.interrupt.prevent`."""

    exposing_actions = EXPOSING_ACTIONS
    resolving_action = SETTLE.do

    def is_answered(self, acts: Sequence[Action], place: int) -> bool:
        """Whether an interrupt, or the end of all interrupts, is written after the act of that number, from 1.

        Someone who leaves cover and interrupts then is one who answers. Rules: `grid.interrupt.what`,
        `act.cover.stay`.
        """
        if place >= len(acts):
            return False
        return acts[place].do in ANSWER_ACTIONS or acts[place].actor in list_cover_leavers(acts[place:])

    def is_answer(self, state: EncounterState, act: Action) -> bool:
        """Whether an action answers what waits, or leads to an answer: an interrupt, none, or leaving cover for it."""
        return act.do in ANSWER_ACTIONS or (act.do == LEAVE_COVER.do and may_uncover(state, act.actor))

    def is_prevented(self, events: Iterable[Event]) -> bool:
        """Whether an interrupt among these events has prevented what waited. Rule: `grid.interrupt.prevent`."""
        return any(isinstance(event, Prevented) for event in events)

    def declare(
        self, state: EncounterState, act: Action, faces: Roller | Iterable[int], later: Sequence[Action] | None = ()
    ) -> Decision:
        """Decide an action that may wait, also for those who are in cover still and will or may leave it to interrupt.

        Raises `ScratchError` for faces too few, too many or impossible.
        """
        answers = list(takewhile(_may_be_answer, later or ()))
        if later is None or any(each.do == SETTLE.do for each in answers):  # all were asked, in cover or not
            leavers = list_fighters_in_cover(state, act.actor)
        else:
            leavers = list_cover_leavers(answers)
        if leavers and state.exposure is None:
            decision = decide(without_cover(state, leavers), act, TensRoller())
            if apply_events(state, decision.events).exposure is not None:
                return decision
        return decide(state, act, faces)

    def resolve_pending(self, state: EncounterState, faces: Roller | Iterable[int]) -> Decision:
        """Let what waits happen, with its dice, whoever might still interrupt a move. Rule: `grid.interrupt.what`.

        Raises `ScratchError` for faces too few, too many or impossible.
        """
        decision = decide(state, Action(state.pending_action.who, self.resolving_action), faces)
        after = apply_events(state, decision.events)
        if after.exposure is None:
            return decision
        rest = self.resolve_pending(after, faces)
        return Decision((*decision.events, *rest.events), rest.rolls, rest.narration)

    def discard_pending(self, state: EncounterState) -> Decision:
        """Let what waits go: its faces make no sense."""
        return Decision((Settled(state.pending_action.who),), (), "")

    def list_legal_names(self, state: EncounterState, declared: EncounterState | None, who: str) -> frozenset[str]:
        """The names of someone's legal actions; an interrupt counts as it did when the step was declared."""
        offered = legal_action_names(state, who)
        return offered if declared is None else offered | (legal_action_names(declared, who) & {INTERRUPT.do})


def list_cover_leavers(later: Sequence[Action]) -> frozenset[str]:
    """Who leaves cover to interrupt, in the answers that begin these acts (rulings A14, G04)."""
    interrupters, leavers = set(), set()
    for act in reversed(list(takewhile(_may_be_answer, later))):
        if act.do == INTERRUPT.do:
            interrupters.add(act.actor)
        elif act.do == LEAVE_COVER.do and act.actor in interrupters:
            leavers.add(act.actor)
    return frozenset(leavers)


def _may_be_answer(act: Action) -> bool:
    return act.do in (*ANSWER_ACTIONS, LEAVE_COVER.do)
