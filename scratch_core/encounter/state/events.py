"""What happens, as records: a log of them rebuilds every state. Each has one meaning and is applied in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scratch_core.board import Space
from scratch_core.encounter.state.encounter_state import Initiative
from scratch_core.encounter.state.fighters import Cause, Fighter


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened; a log of events rebuilds every state."""


@dataclass(frozen=True, slots=True)
class EventOf(Event):
    """Something that someone did, or that befell it."""

    who: str


@dataclass(frozen=True, slots=True)
class EventBy(EventOf):
    """Something that befell someone by someone else's doing, or its own."""

    by: str


@dataclass(frozen=True, slots=True)
class EncounterBegan(Event):
    """Initiative has fallen; `initiative` is in the order of turns. Rules: `turn.initiative-roll`, `hp.start`."""

    initiative: tuple[Initiative, ...]


@dataclass(frozen=True, slots=True)
class EncounterEnded(Event):
    """The encounter is over, and with it everything that lasts only in one. Rule: `turn.encounter`."""


@dataclass(frozen=True, slots=True)
class TurnBegan(EventOf):
    """A turn begins: its round, its group's place in the order, and whose it is. Rule: `turn.member-turn`."""

    round: int
    place: int


@dataclass(frozen=True, slots=True)
class TurnEnded(EventOf):
    """The turn of the active character ends. Rules: `cond.delayed.expiry`, `cond.panicked.expiry`."""


@dataclass(frozen=True, slots=True)
class TurnPassed(EventOf):
    """Someone down, gone or delayed had a turn and could do nothing with it. Rule: `turn.member-turn`."""

    round: int
    place: int


@dataclass(frozen=True, slots=True)
class GroupDue(Event):
    """The next turn is one of that group, in the order of turns; all turns before it are over. Rule: `turn.order`."""

    round: int
    place: int


@dataclass(frozen=True, slots=True)
class RegularUsed(EventOf):
    """The regular action of the turn is spent. Rule: `act.regular`."""

    do: str


@dataclass(frozen=True, slots=True)
class Opened(EventOf):
    """An act goes on with another one, for whoever wants to; "": it has, or was let go. Rule: `act.fighting.double`."""

    do: str


@dataclass(frozen=True, slots=True)
class BonusUsed(EventOf):
    """The bonus action of the turn is spent. Rule: `act.bonus`."""

    do: str


@dataclass(frozen=True, slots=True)
class OnceUsed(EventOf):
    """An unrepeatable action is spent, against that target. Rule: `act.unrepeatable`."""

    do: str
    target: str


@dataclass(frozen=True, slots=True)
class Damaged(EventBy):
    """Hit points are lost: so much damage, and so many hit points left. Rules: `hp.damage`, `hp.floor`."""

    damage: int
    hp: int


@dataclass(frozen=True, slots=True)
class Healed(EventBy):
    """Hit points are restored to that number. Rules: `act.heal.injured`, `act.heal.revive`."""

    hp: int


@dataclass(frozen=True, slots=True)
class Delayed(EventOf):
    """Someone is delayed through the end of its own turn of that number. Rule: `cond.delayed.expiry`."""

    cause: Cause
    by: str
    until: int


@dataclass(frozen=True, slots=True)
class Panicked(EventBy):
    """Someone is panicked through the end of its own turn of that number. Rule: `cond.panicked.expiry`."""

    until: int


@dataclass(frozen=True, slots=True)
class Evaded(EventOf):
    """An evade is in force. Rule: `act.evade`."""

    ability: str
    bonus: int


@dataclass(frozen=True, slots=True)
class EvadeEnded(EventOf):
    """A hold has ended an evade. Rule: `act.hold.stops-evade`."""


@dataclass(frozen=True, slots=True)
class OutOfReach(EventOf):
    """A flyer can't be reached until its next turn, but by flyers with room to fly. Rule: `flying.immunity`."""


@dataclass(frozen=True, slots=True)
class Engaged(EventOf):
    """Close attacks are better this turn, agility worse until the next. Rules: `act.engage`, `act.engage.penalty`."""


@dataclass(frozen=True, slots=True)
class CoverTaken(EventOf):
    """Someone is in cover. Rule: `act.cover`."""


@dataclass(frozen=True, slots=True)
class CoverLeft(EventOf):
    """Someone has left cover. Rule: `act.cover.stay`."""


@dataclass(frozen=True, slots=True)
class Escaped(EventOf):
    """Someone is out of the encounter. Rule: `act.escape.effect`."""


@dataclass(frozen=True, slots=True)
class BonusPlaced(EventBy):
    """A crafter has placed a temporary bonus. Rule: `craft.bonus`."""

    ability: str


@dataclass(frozen=True, slots=True)
class BonusRemoved(EventBy):
    """A crafter has taken a temporary bonus away. Rule: `craft.duration`."""

    ability: str


@dataclass(frozen=True, slots=True)
class CraftFailed(EventBy):
    """A hurried crafter has failed, and must wait for quieter times. Rule: `craft.hurry-fail`."""

    ability: str


@dataclass(frozen=True, slots=True)
class CraftUnhurried(Event):
    """A crafter has time again, so that what failed in a hurry can be made. Rule: `craft.hurry-fail`."""

    by: str


# On a board

Moved = Literal["before", "after"]
"""When someone has moved: before or after the regular action of the turn."""


@dataclass(frozen=True, slots=True)
class MoveUsed(EventOf):
    """The move of the turn is spent, `before` or `after` the regular action. Rule: `grid.move.once`."""

    moved: Moved


@dataclass(frozen=True, slots=True)
class Walked(EventOf):
    """Someone goes from space to space by its own will; the last may lie off the board. Rule: `grid.move.step`."""

    path: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class Placed(EventBy):
    """Someone is put on another space; no one walks. Rules: `grid.hold.reposition`, `grid.interrupt.prevent`."""

    space: Space


@dataclass(frozen=True, slots=True)
class Repositioned(EventOf):
    """The holder has made use of its hold. Rule: `grid.hold.reposition`."""


@dataclass(frozen=True, slots=True)
class Immobilized(EventBy):
    """Someone may not move through the end of its own turn of that number. Rule: `grid.hold.immobilize`."""

    until: int


@dataclass(frozen=True, slots=True)
class Exposed(EventOf):
    """An act is declared that exposes its actor, and waits for interrupts after so many spaces walked.

    `targets`, `uses`, `space` and `path` are those of the act. Rule: `grid.interrupt.what`.
    """

    do: str
    targets: tuple[str, ...]
    uses: tuple[str, ...] | None
    space: Space | None
    path: tuple[Space, ...]
    walked: int


@dataclass(frozen=True, slots=True)
class InterruptTried(EventOf):
    """An interrupting attack has been tried. Rule: `grid.interrupt.once`."""

    target: str


@dataclass(frozen=True, slots=True)
class Prevented(EventBy):
    """An act has been interrupted: it doesn't happen, an evade is lost, escaping is barred until the end of that turn.

    Rules: `grid.interrupt.prevent`, `grid.interrupt.evade-loss`, `grid.interrupt.escape-ban`.
    """

    do: str
    until: int


@dataclass(frozen=True, slots=True)
class Settled(EventOf):
    """No one interrupts any more, and the act that waited happens. Rule: `grid.interrupt.what`."""


# By the game master's hand


@dataclass(frozen=True, slots=True)
class HitPointsSet(EventOf):
    """The game master has set someone's hit points."""

    hp: int


@dataclass(frozen=True, slots=True)
class ConditionGiven(EventOf):
    """The game master has given someone a condition, through the end of its own turn of that number; 0: until left."""

    condition: str
    bonus: int
    until: int


@dataclass(frozen=True, slots=True)
class ConditionEnded(EventOf):
    """The game master has ended every cause of a condition."""

    condition: str


@dataclass(frozen=True, slots=True)
class SurroundingsChanged(Event):
    """The game master has changed what the place offers everyone, `on` or no longer. Rule: `move.terrain`."""

    surrounding: str
    on: bool


@dataclass(frozen=True, slots=True)
class Joined(Event):
    """Someone has joined the fight; `initiative` is that of all groups, in the order of turns."""

    fighter: Fighter
    initiative: tuple[Initiative, ...]


@dataclass(frozen=True, slots=True)
class Gone(EventOf):
    """The game master has taken someone out of the fight."""


@dataclass(frozen=True, slots=True)
class Returned(EventOf):
    """Someone is back in the fight, on a board at that space."""

    space: Space | None


@dataclass(frozen=True, slots=True)
class Reordered(Event):
    """The groups have another order."""

    order: tuple[str, ...]
