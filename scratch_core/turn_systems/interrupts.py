"""The protocol of turn systems in which an action waits for interrupts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from scratch_core.dice import Roller
from scratch_core.turn_systems.records import Decision

S = TypeVar("S")
A = TypeVar("A")


class Interrupts(ABC, Generic[S, A]):
    """How a turn system handles actions that wait for interrupts.

    `TurnSystem.interrupts` is None if every action is resolved at once. `FightState.has_pending_action` is whether an
    action waits now.
    """

    exposing_actions: Sequence[str]
    """The names of the actions that may wait."""
    resolving_action: str
    """The name of the action that declines every interrupt."""

    @abstractmethod
    def is_followed_by_answer(self, acts: Sequence[A], next_index: int) -> bool:
        """Return whether the action at an index answers the previous action."""

    @abstractmethod
    def is_or_prepares_answer(self, state: S, act: A) -> bool:
        """Return whether an action answers the pending action, or leads to an answer."""

    @abstractmethod
    def has_prevented_pending(self, events: Iterable[Any]) -> bool:
        """Return whether an interrupt among these events prevented the pending action."""

    @abstractmethod
    def decide_or_wait(
        self, state: S, act: A, faces: Roller | Iterable[int], later: Sequence[A] | None = ()
    ) -> Decision:
        """Decide an action, which may have to wait for interrupts.

        The decision either resolves the action or, if someone may interrupt it first, only declares it. `later` are the
        actions that follow it; interrupts at their start answer this action. If the following actions are not known
        yet, `later` is None, and everyone who could interrupt counts."""

    @abstractmethod
    def resolve_pending_uninterrupted(self, state: S, faces: Roller | Iterable[int]) -> Decision:
        """Resolve the pending action with its dice, without waiting for further interrupts."""

    @abstractmethod
    def decide_discarding_pending(self, state: S) -> Decision:
        """Discard the pending action without an effect."""

    @abstractmethod
    def list_legal_action_names(self, state: S, declared: S | None, who: str) -> frozenset[str]:
        """Return the names of a fighter's legal actions after a step.

        For an interrupt these are the actions that were legal when the pending action was declared.
        """
