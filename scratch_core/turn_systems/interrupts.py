"""Acts that wait for those who may interrupt them, and what a play of written steps asks about that."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from scratch_core.dice import Roller
from scratch_core.turn_systems.records import Decision

S = TypeVar("S")
A = TypeVar("A")


class Interrupts(ABC, Generic[S, A]):
    """What an order of turns knows of acts that wait; an order without one lets every act happen as it is declared.

    `exposing` are the acts that may wait, `settling` the one that says that no one interrupts. Whether one waits
    now the order of turns itself says (`System.is_waiting`).
    """

    exposing_actions: Sequence[str]
    resolving_action: str

    @abstractmethod
    def is_answered(self, acts: Sequence[A], place: int) -> bool:
        """Whether an answer is written after the act of that number, from 1."""

    @abstractmethod
    def is_answer(self, state: S, act: A) -> bool:
        """Whether an act answers what waits, or leads to an answer."""

    @abstractmethod
    def is_prevented(self, events: Iterable[Any]) -> bool:
        """Whether an interrupt among these events has prevented what waited."""

    @abstractmethod
    def declare(self, state: S, act: A, faces: Roller | Iterable[int], later: Sequence[A] | None = ()) -> Decision:
        """Decide an act that may wait, for the answers among those written after it; None: they are still open."""

    @abstractmethod
    def resolve_pending(self, state: S, faces: Roller | Iterable[int]) -> Decision:
        """Let what waits happen, with its dice, whoever might still interrupt it."""

    @abstractmethod
    def discard_pending(self, state: S) -> Decision:
        """Let what waits go, without anything coming of it."""

    @abstractmethod
    def list_legal_names(self, state: S, declared: S | None, who: str) -> frozenset[str]:
        """The names of someone's legal acts after a step, an interrupt as when it was declared."""
