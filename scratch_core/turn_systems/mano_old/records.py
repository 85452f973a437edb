"""Mano a Mano, first revision: fighters with pools of hit points, states and events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from scratch_core.record_copies import replace_fields
from scratch_core.turn_systems import Event, EventOf
from scratch_core.turn_systems.generic import GenericFighter
from scratch_core.turn_systems.seats import SeatedState

Pool = Literal["stun", "damage", "ready", "defence", "other"]
POOLS: tuple[Pool, ...] = ("stun", "damage", "ready", "defence", "other")
"""The five pools. Each hit point is always in one of them. Rule: `mano-old.pools`."""

USES: Mapping[str, str] = {
    "manoeuvre": "to manoeuvre",
    "manipulate": "to manipulate an opponent",
    "power": "on the attack's power",
}
"""What a point can be spent on, in words. Rule: `mano-old.action.uses`."""

DESTINATIONS: tuple[Pool, ...] = ("defence", "other")
"""The pools that a spent point can go to. Rule: `mano-old.action.destination`."""

ELIGIBLE: tuple[Pool, ...] = ("defence", "other")
"""The pools whose points phase 2 can ready. Rule: `mano-old.phase.ready`."""

LOST_FIRST: Mapping[str, tuple[Pool, ...]] = {
    "stun": ("other", "defence", "ready"),
    "damage": ("other", "defence", "ready", "stun"),
}
"""The pools that stun and damage come from, in order, if the table names none."""

MAX_HP = 100

Step = Literal["start", "ready", "actions"]
"""What a turn waits for: its start, the choice of phase 2, or the actions of phase 3. Rule: `mano-old.phases`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OldFighter(GenericFighter):
    """A fighter with pools of hit points. Rules: `mano-old.pools`, `mano-old.phase.ready.cap`."""

    stun: int
    """The points in the stun pool."""
    damage: int
    """The points in the damage pool."""
    ready: int
    """The points that are ready to spend."""
    defence: int
    """The points in the defence pool."""
    other: int
    """The points in the pool “other”."""
    hp_round: int
    """The maximum number of points that phase 2 readies (HP/round)."""
    reach: int
    """The fighter's reach."""

    @property
    def hp(self) -> int:
        """The hit points in all pools. Rule: `mano-old.pools`."""
        return sum(self.get_points(pool) for pool in POOLS)

    @property
    def eligible_points(self) -> int:
        """The number of points that phase 2 could ready (ruling M16). Rule: `mano-old.phase.ready`."""
        return sum(self.get_points(pool) for pool in ELIGIBLE)

    def get_points(self, pool: Pool) -> int:
        """Get the number of points in a pool."""
        return int(getattr(self, pool))

    def with_points_moved(self, source: Pool, to: Pool, points: int) -> OldFighter:
        """Return the fighter with points moved between two pools. Rule: `mano-old.pools`."""
        pools: dict[str, Any] = {source: self.get_points(source) - points, to: self.get_points(to) + points}
        return replace_fields(self, **pools)


@dataclass(frozen=True, slots=True, kw_only=True)
class OldState(SeatedState[OldFighter]):
    """A state of a fight by the first revision.

    Rules: `mano-old.order.seating`, `mano-old.surprise`, `mano-old.phases`.
    """

    ambush: str = ""
    """The id of the fighter who ambushed the others, "" for none."""
    step: Step = "start"
    """What the turn waits for."""


# Events


@dataclass(frozen=True, slots=True)
class PhaseBegan(Event):
    """The turn waits for the choice of phase 2, or for actions. Rule: `mano-old.phases`."""

    step: Step
    """What the turn waits for now."""


@dataclass(frozen=True, slots=True)
class PointsMoved(EventOf):
    """Points move between two pools of a fighter. Rule: `mano-old.pools`."""

    source: Pool
    """The pool they come from."""
    to: Pool
    """The pool they go to."""
    points: int
    """The number of points."""


@dataclass(frozen=True, slots=True)
class PointsSpent(EventOf):
    """A fighter spends ready points. Rules: `mano-old.action.uses`, `mano-old.action.destination`."""

    points: int
    """The number of points."""
    use: str
    """What they are spent on, a key of `USES`."""
    to: Pool
    """The pool they go to."""
