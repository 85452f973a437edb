"""Records of a fight that all turn systems share: its events.

A turn system adds events of its own, and fields to these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

# Events


@dataclass(frozen=True, slots=True)
class Event:
    """A change of a fight's state. A log of events is enough to rebuild every state."""

    json_name: ClassVar[str] = ""
    """The name in JSON, "" for that of the class. An event that adds fields to another has the other's name."""


@dataclass(frozen=True, slots=True)
class EventOf(Event):
    """An event of one fighter."""

    who: str
    """The fighter's id."""


@dataclass(frozen=True, slots=True)
class TurnBegan(EventOf):
    """A fighter's turn begins.

    Rules: `turn.member-turn`, `mano.turn.per-round`, `mano.counter.lapse`, `mano-old.order.seating`.
    """

    round: int
    """The round of the turn, from 1."""
    place: int
    """The index of the fighter, or of its group, in the turn order."""


@dataclass(frozen=True, slots=True)
class TurnEnded(EventOf):
    """A fighter's turn ends. Rules: `cond.delayed.expiry`, `cond.panicked.expiry`, `mano-old.turn.end`."""

    json_name: ClassVar[str] = "turn-ended"


@dataclass(frozen=True, slots=True)
class FightEnded(Event):
    """The fight is over: it never began, no fighter is left, or no fighter is left to choose (ruling S09).

    Rules: `mano.surprise.neither`, `seize.not-self`.
    """


@dataclass(frozen=True, slots=True)
class Joined(Event):
    """A newcomer joins the fight."""

    json_name: ClassVar[str] = "joined"
    fighter: Any
    """The newcomer."""


@dataclass(frozen=True, slots=True)
class Left(EventOf):
    """A fighter leaves the fight. Its unfinished actions are discarded."""

    json_name: ClassVar[str] = "left"


@dataclass(frozen=True, slots=True)
class Returned(EventOf):
    """The game master brings a fighter back into the fight."""

    json_name: ClassVar[str] = "returned"


@dataclass(frozen=True, slots=True)
class Reordered(Event):
    """The game master changes the turn order."""

    order: tuple[str, ...]
    """The ids of all fighters, or of all groups, in the new order."""
