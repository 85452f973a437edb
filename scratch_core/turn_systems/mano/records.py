"""Mano a Mano rounds, latest revision: the state of a fight and what can happen in it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from scratch_core.turn_systems.generic import Event, EventOf, GenericAction, GenericFighter
from scratch_core.turn_systems.seating import SeatedState

Prepared = Literal["", "turn", "start"]
"""No counterattack prepared; one prepared on a turn; one ready from the start."""

How = Literal["active", "skipped", "prepared"]

EVADING_DEFENCE = 4
"""What a start by evading adds to the defence. Rule: `mano.start.evade`."""


def count_required_skips(speed: Fraction) -> int:
    """How many turns must be skipped after an active one: 3 at ¼, 1 at ½, none from 1 on (rulings M05, M06).

    Rules: `mano.speed.quarter`, `mano.speed.half`.
    """
    return {Fraction(1, 4): 3, Fraction(1, 2): 1}.get(speed, 0)


def find_max_combo(speed: Fraction, weapons: int) -> int:
    """The most quick actions of a combo: the speed, rounded up, and one more with two weapons or more.

    Rules: `mano.combo.count`, `mano.combo.weapons`.
    """
    return -(-speed.numerator // speed.denominator) + (1 if weapons > 1 else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ManoFighter(GenericFighter):
    """A fighter: speed, stun, health as the table says (ruling M01), weapons at hand, reach; and what it is up to.

    `owed` counts the turns it must still skip; `begun` says that its first turn has begun, `started` that it started
    evading or ready.
    Rules: `mano.speed.quarter`, `mano.speed.half`, `mano.stun.recover`, `mano.combo.healthy`, `mano.start.evade`.
    """

    speed: Fraction
    stun: int
    healthy: bool
    weapons: int
    reach: int
    owed: int = 0
    prepared: Prepared = ""
    evading: bool = False
    begun: bool = False
    started: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """An act that is not over: whose, whether it is a counterattack, whether its movement is used, what is declared.

    `walked` counts the spaces of a movement of which some is left.
    `waiting` is the attack that a prepared fighter may answer; None once it has answered and the act is to be stated
    again. Rules: `mano.counter.timing`, `mano.counter.rethink`.
    """

    who: str
    is_counter: bool
    moved: bool
    waiting: GenericAction | None
    walked: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ManoState(SeatedState):
    """A moment of a fight: `fighters` as they sit, clockwise, `order` from the one that goes first.

    `place` is the index in `order` of whose turn it is, `frames` are acts interrupted by counterattacks, the innermost
    last. `first` is who goes first by the circumstances, or who disputes it; `stalkers` the rolls of an ambush.
    Rules: `mano.order.seating`, `mano.start.first`, `mano.surprise.two-rolls`.
    """

    fighters: tuple[ManoFighter, ...]
    first: tuple[str, ...] = ()
    stalkers: tuple[tuple[str, bool], ...] = ()
    frames: tuple[Frame, ...] = ()

    @property
    def asked(self) -> str:
        """Whose counterattack is asked for, "" when nothing waits. Rule: `mano.counter.wait`."""
        waiting = self.frames[-1].waiting if self.frames else None
        return waiting.target if waiting else ""

    @property
    def surprising(self) -> str:
        """Who surprises without being surprised, "" for no one. Rules: `mano.surprise.one`, `mano.surprise.both`."""
        found = [who for who, success in self.stalkers if success]
        return found[0] if len(found) == 1 else ""


# Events


@dataclass(frozen=True, slots=True)
class Stalked(Event):
    """The rolls of an ambush are known. Rule: `mano.surprise.two-rolls`."""

    stalkers: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class TurnEnded(EventOf):
    """A turn ends: it was active, skipped, or spent on preparing. Rules: `mano.speed.half`, `mano.speed.quarter`."""

    how: How


@dataclass(frozen=True, slots=True)
class TurnDelayed(EventOf):
    """A turn is held back: the new order. Rule: `mano.order.formation`."""

    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StunRecovered(EventOf):
    """One stun is gone. Rule: `mano.stun.recover`."""


@dataclass(frozen=True, slots=True)
class Stunned(EventOf):
    """Someone has so much more stun. Rule: `mano.stun.recover`."""

    by: str
    points: int


@dataclass(frozen=True, slots=True)
class Started(EventOf):
    """Someone starts evading or ready. Rules: `mano.start.evade`, `mano.start.ready`."""

    evading: bool


@dataclass(frozen=True, slots=True)
class CounterPrepared(EventOf):
    """A counterattack is prepared. Rule: `mano.counter.wait`."""


@dataclass(frozen=True, slots=True)
class CounterSprung(EventOf):
    """A counterattack is sprung; it was the active turn. Rules: `mano.counter.timing`, `mano.counter.order`."""


@dataclass(frozen=True, slots=True)
class AttackDeclared(Event):
    """An attack on someone prepared waits; `depth` acts were interrupted before. Rule: `mano.counter.timing`."""

    act: GenericAction
    depth: int


@dataclass(frozen=True, slots=True)
class Acted(Event):
    """An act is carried out; whoever it interrupted may think again. Rule: `mano.counter.rethink`."""

    act: GenericAction
    depth: int
