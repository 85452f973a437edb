"""Mano a Mano, latest revision: fighters, states and events."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from scratch_core.turn_systems import Event, EventOf, TurnEnded
from scratch_core.turn_systems.generic import GenericAction, GenericFighter
from scratch_core.turn_systems.seats import SeatedState

Prepared = Literal["", "turn", "start"]
"""Whether a counterattack is prepared: not, in a turn, or by starting ready."""

How = Literal["active", "skipped", "prepared"]
"""How a turn was spent."""

EVADING_DEFENCE = 4
"""The defence bonus of a fighter who starts evading. Rule: `mano.start.evade`."""


def count_skips_after_active_turn(speed: Fraction) -> int:
    """Return how many turns a fighter must skip after an active one.

    3 at speed ¼, 1 at ½, none from 1 on (rulings M05, M06). Rules: `mano.speed.quarter`, `mano.speed.half`.
    """
    return {Fraction(1, 4): 3, Fraction(1, 2): 1}.get(speed, 0)


def compute_max_combo_size(speed: Fraction, weapons: int) -> int:
    """Compute the maximum number of quick actions in a combo.

    It is the speed, rounded up, and one more with two weapons or more. Rules: `mano.combo.count`, `mano.combo.weapons`.
    """
    return -(-speed.numerator // speed.denominator) + (1 if weapons > 1 else 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ManoFighter(GenericFighter):
    """A fighter with a speed, stun, and what it has prepared.

    Rules: `mano.speed.quarter`, `mano.speed.half`, `mano.stun.recover`, `mano.combo.healthy`, `mano.start.evade`.
    """

    speed: Fraction
    """The speed: ¼, ½, or 1 and more in quarters."""
    stun: int
    """The points of stun."""
    healthy: bool
    """Whether the fighter is healthy, as the table decides (ruling M01)."""
    weapons: int
    """The number of weapons at hand, from 1. Bare hands count as one."""
    reach: int
    """The reach of its weapon."""
    owed: int = 0
    """How many turns it must still skip."""
    prepared: Prepared = ""
    """How its counterattack was prepared, "" for none."""
    evading: bool = False
    """Whether it started evading and its first turn has not begun."""
    begun: bool = False
    """Whether its first turn has begun."""
    started: bool = False
    """Whether it started evading or ready."""


@dataclass(frozen=True, slots=True)
class Frame:
    """An action that is not resolved yet. Rules: `mano.counter.timing`, `mano.counter.rethink`."""

    who: str
    """The actor's id."""
    is_counter: bool
    """Whether the action is a counterattack."""
    moved: bool
    """Whether the actor's movement is used up."""
    waiting: GenericAction | None
    """The attack that its target may answer. None once the target has answered and the actor restates its action."""
    walked: int = 0
    """How many spaces of the movement are used if some are left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ManoState(SeatedState[ManoFighter]):
    """A state of a fight by the latest revision.

    Rules: `mano.order.seating`, `mano.start.first`, `mano.surprise.two-rolls`.
    """

    first: tuple[str, ...] = ()
    """The ids of those who go first by the circumstances, or dispute it."""
    stalkers: tuple[tuple[str, bool], ...] = ()
    """The rolls of an ambush: pairs of an id and whether the roll succeeds."""
    frames: tuple[Frame, ...] = ()
    """The unresolved actions, each interrupted by the next."""

    @property
    def possible_counterattacker(self) -> str:
        """The fighter who may counterattack now, "" if no attack waits. Rule: `mano.counter.wait`."""
        waiting = self.frames[-1].waiting if self.frames else None
        return waiting.target if waiting else ""

    @property
    def has_pending_action(self) -> bool:
        """Whether an attack waits for its answer. Rules: `mano.counter.wait`, `mano.counter.timing`."""
        return bool(self.possible_counterattacker)

    @property
    def surpriser(self) -> str:
        """The fighter who has surprise, "" for none. Rules: `mano.surprise.one`, `mano.surprise.both`."""
        found = [who for who, success in self.stalkers if success]
        return found[0] if len(found) == 1 else ""


# Events


@dataclass(frozen=True, slots=True)
class Stalked(Event):
    """The rolls of an ambush are known. Rule: `mano.surprise.two-rolls`."""

    stalkers: tuple[tuple[str, bool], ...]
    """Pairs of a stalker's id and whether its roll succeeds."""


@dataclass(frozen=True, slots=True)
class TurnSpent(TurnEnded):
    """A turn ends. Rules: `mano.speed.half`, `mano.speed.quarter`."""

    how: How
    """How the turn was spent."""


@dataclass(frozen=True, slots=True)
class TurnDelayed(EventOf):
    """The active fighter delays its turn. Rule: `mano.order.formation`."""

    order: tuple[str, ...]
    """The ids of those in the fight in the new order."""


@dataclass(frozen=True, slots=True)
class StunRecovered(EventOf):
    """A fighter recovers one point of stun. Rule: `mano.stun.recover`."""


@dataclass(frozen=True, slots=True)
class Stunned(EventOf):
    """A fighter takes stun. Rule: `mano.stun.recover`."""

    by: str
    """The id of the fighter who caused it, "" if the table reports none."""
    points: int
    """The points of stun taken."""


@dataclass(frozen=True, slots=True)
class Started(EventOf):
    """A fighter starts evading or ready. Rules: `mano.start.evade`, `mano.start.ready`."""

    evading: bool
    """Whether it starts evading, not ready."""


@dataclass(frozen=True, slots=True)
class CounterPrepared(EventOf):
    """A fighter prepares a counterattack. Rule: `mano.counter.wait`."""


@dataclass(frozen=True, slots=True)
class CounterSprung(EventOf):
    """A fighter counterattacks, which counts as its active turn. Rules: `mano.counter.timing`, `mano.counter.order`."""


@dataclass(frozen=True, slots=True)
class AttackDeclared(Event):
    """An attack waits for the answer of its prepared target. Rule: `mano.counter.timing`."""

    act: GenericAction
    """The attack."""
    depth: int
    """How many actions are interrupted below it."""


@dataclass(frozen=True, slots=True)
class Acted(Event):
    """An action is resolved, and the fighter it interrupted may restate its action. Rule: `mano.counter.rethink`."""

    act: GenericAction
    """The action."""
    depth: int
    """How many actions are interrupted below it."""
