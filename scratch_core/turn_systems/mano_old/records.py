"""Mano a Mano rounds, older revision: the state of a fight, its pools, and what can happen in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from scratch_core.turn_systems.generic import Event, EventOf, GenericFighter
from scratch_core.turn_systems.seating import SeatedState

Pool = Literal["stun", "damage", "ready", "defence", "other"]
POOLS: tuple[Pool, ...] = ("stun", "damage", "ready", "defence", "other")
"""The five pools; each hit point is always in one of them. Rule: `mano-old.pools`."""

USES: Mapping[str, str] = {
    "manoeuvre": "to manoeuvre",
    "manipulate": "to manipulate an opponent",
    "power": "on the attack's power",
}
"""What a point buys, in words. Rule: `mano-old.action.uses`."""

DESTINATIONS: tuple[Pool, ...] = ("defence", "other")
"""Where a spent point goes. Rule: `mano-old.action.destination`."""

ELIGIBLE: tuple[Pool, ...] = ("defence", "other")
"""What phase 2 moves: neither stun nor damage, nor what is ready already. Rule: `mano-old.phase.ready`."""

LOST_FIRST: Mapping[str, tuple[Pool, ...]] = {
    "stun": ("other", "defence", "ready"),
    "damage": ("other", "defence", "ready", "stun"),
}
"""From which pools stun and damage come where the table names none, in that order."""

MAX_HP = 100

Step = Literal["start", "ready", "actions"]
"""What a turn waits for: its start, the choice of phase 2, or what phase 3 does. Rule: `mano-old.phases`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OldFighter(GenericFighter):
    """A fighter: pools, HP/round, and reach. Rules: `mano-old.pools`, `mano-old.phase.ready.cap`."""

    stun: int
    damage: int
    ready: int
    defence: int
    other: int
    hp_round: int
    reach: int

    @property
    def hp(self) -> int:
        """All its hit points, wherever they are. Rule: `mano-old.pools`."""
        return sum(self.pool(pool) for pool in POOLS)

    @property
    def eligible(self) -> int:
        """How many points phase 2 could move (ruling M16). Rule: `mano-old.phase.ready`."""
        return sum(self.pool(pool) for pool in ELIGIBLE)

    def pool(self, pool: Pool) -> int:
        """How many points lie in a pool."""
        return int(getattr(self, pool))

    def with_points_moved(self, source: Pool, to: Pool, points: int) -> OldFighter:
        """With points moved from one pool to another. Rule: `mano-old.pools`."""
        pools: dict[str, Any] = {source: self.pool(source) - points, to: self.pool(to) + points}
        return replace(self, **pools)


@dataclass(frozen=True, slots=True, kw_only=True)
class OldState(SeatedState):
    """A moment of a fight: `fighters` as they sit, clockwise, `order` from the one that goes first; `place` is in it.

    `ambush` is who has ambushed the others, `step` what the turn waits for.
    Rules: `mano-old.order.seating`, `mano-old.surprise`, `mano-old.phases`.
    """

    fighters: tuple[OldFighter, ...]
    ambush: str = ""
    step: Step = "start"


# Events


@dataclass(frozen=True, slots=True)
class PhaseBegan(Event):
    """The turn waits for the choice of phase 2, or for actions. Rule: `mano-old.phases`."""

    step: Step


@dataclass(frozen=True, slots=True)
class PointsMoved(EventOf):
    """Points go from one pool to another. Rule: `mano-old.pools`."""

    source: Pool
    to: Pool
    points: int


@dataclass(frozen=True, slots=True)
class PointsSpent(EventOf):
    """Ready points are spent. Rules: `mano-old.action.uses`, `mano-old.action.destination`."""

    points: int
    use: str
    to: Pool


@dataclass(frozen=True, slots=True)
class TurnEnded(EventOf):
    """A turn ends; what is ready stays so (ruling M20). Rule: `mano-old.turn.end`."""
