"""What happens, as records: a log of them rebuilds every state. Each has one meaning and is applied in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from scratch_core.state.encounter_state import Initiative
from scratch_core.state.fighters import Cause


@dataclass(frozen=True, slots=True)
class EncounterBegan:
    """Initiative has fallen; `initiative` is in the order of turns. Rules: `turn.initiative-roll`, `hp.start`."""

    initiative: tuple[Initiative, ...]


@dataclass(frozen=True, slots=True)
class EncounterEnded:
    """The encounter is over, and with it everything that lasts only in one. Rule: `turn.encounter`."""


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A turn begins: its round, its group's place in the order, and whose it is. Rule: `turn.member-turn`."""

    who: str
    round: int
    place: int


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The turn of the active character ends. Rules: `cond.delayed.expiry`, `cond.panicked.expiry`."""

    who: str


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """Somebody down, gone or delayed had a turn and could do nothing with it. Rule: `turn.member-turn`."""

    who: str
    round: int
    place: int


@dataclass(frozen=True, slots=True)
class RegularUsed:
    """The regular action of the turn is spent. Rule: `act.regular`."""

    who: str
    do: str


@dataclass(frozen=True, slots=True)
class BonusUsed:
    """The bonus action of the turn is spent. Rule: `act.bonus`."""

    who: str
    do: str


@dataclass(frozen=True, slots=True)
class OnceUsed:
    """An unrepeatable action is spent, against that target. Rule: `act.unrepeatable`."""

    who: str
    do: str
    target: str


@dataclass(frozen=True, slots=True)
class Damaged:
    """Hit points are lost: so much damage, and so many hit points left. Rules: `hp.damage`, `hp.floor`."""

    who: str
    by: str
    damage: int
    hp: int


@dataclass(frozen=True, slots=True)
class Healed:
    """Hit points are restored to that number. Rules: `act.heal.injured`, `act.heal.revive`."""

    who: str
    by: str
    hp: int


@dataclass(frozen=True, slots=True)
class Delayed:
    """Somebody is delayed through the end of its own turn of that number. Rule: `cond.delayed.expiry`."""

    who: str
    cause: Cause
    by: str
    until: int


@dataclass(frozen=True, slots=True)
class Panicked:
    """Somebody is panicked through the end of its own turn of that number. Rule: `cond.panicked.expiry`."""

    who: str
    by: str
    until: int


@dataclass(frozen=True, slots=True)
class Evaded:
    """An evade is in force. Rule: `act.evade`."""

    who: str
    ability: str
    bonus: int


@dataclass(frozen=True, slots=True)
class EvadeEnded:
    """A hold has ended an evade. Rule: `act.hold.stops-evade`."""

    who: str


@dataclass(frozen=True, slots=True)
class OutOfReach:
    """A flyer can't be reached by those on foot until its next turn. Rule: `flying.immunity`."""

    who: str


@dataclass(frozen=True, slots=True)
class Engaged:
    """Close attacks are better this turn, agility worse until the next. Rules: `act.engage`, `act.engage.penalty`."""

    who: str


@dataclass(frozen=True, slots=True)
class CoverTaken:
    """Somebody is in cover. Rule: `act.cover`."""

    who: str


@dataclass(frozen=True, slots=True)
class CoverLeft:
    """Somebody has left its cover. Rule: `act.cover.stay`."""

    who: str


@dataclass(frozen=True, slots=True)
class Escaped:
    """Somebody is out of the encounter. Rule: `act.escape.effect`."""

    who: str


@dataclass(frozen=True, slots=True)
class BonusPlaced:
    """A crafter has placed a temporary bonus. Rule: `craft.bonus`."""

    who: str
    by: str
    ability: str


@dataclass(frozen=True, slots=True)
class BonusRemoved:
    """A crafter has taken a temporary bonus away. Rule: `craft.duration`."""

    who: str
    by: str
    ability: str


@dataclass(frozen=True, slots=True)
class CraftFailed:
    """A hurried crafter has failed, and must wait for quieter times. Rule: `craft.hurry-fail`."""

    who: str
    by: str
    ability: str


@dataclass(frozen=True, slots=True)
class CraftUnhurried:
    """A crafter has time again, so that what failed in a hurry can be made. Rule: `craft.hurry-fail`."""

    by: str


Event = (
    EncounterBegan
    | EncounterEnded
    | TurnBegan
    | TurnEnded
    | TurnPassed
    | RegularUsed
    | BonusUsed
    | OnceUsed
    | Damaged
    | Healed
    | Delayed
    | Panicked
    | Evaded
    | EvadeEnded
    | OutOfReach
    | Engaged
    | CoverTaken
    | CoverLeft
    | Escaped
    | BonusPlaced
    | BonusRemoved
    | CraftFailed
    | CraftUnhurried
)

EVENTS: tuple[type[Event], ...] = get_args(Event)
"""Every kind of event, in the order of this module."""
