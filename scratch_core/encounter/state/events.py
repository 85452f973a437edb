"""Events: records of what happened. A log of them rebuilds every state.

Each event has one meaning and is applied in one place. Those of every turn system are in
`scratch_core.turn_systems.fight_records`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scratch_core.board import Space
from scratch_core.encounter.state.encounter_state import Initiative
from scratch_core.encounter.state.fighters import Cause
from scratch_core.turn_systems import Event, EventOf, Joined, Returned


@dataclass(frozen=True, slots=True)
class EventBy(EventOf):
    """An event about one fighter that another one, or the fighter itself, caused."""

    by: str
    """The id of the fighter that caused it."""


@dataclass(frozen=True, slots=True)
class EncounterBegan(Event):
    """The encounter has begun with initiative rolls. Rules: `turn.initiative-roll`, `hp.start`."""

    initiative: tuple[Initiative, ...]
    """The groups' initiatives, in turn order."""


@dataclass(frozen=True, slots=True)
class EncounterEnded(Event):
    """The encounter is over, with every effect that lasts only in one. Rule: `turn.encounter`."""


@dataclass(frozen=True, slots=True)
class TurnPassed(EventOf):
    """A fighter's turn was passed over, because it is down, away or delayed. Rule: `turn.member-turn`."""

    round: int
    """The round, from 1."""
    place: int
    """The index of its group in the turn order."""


@dataclass(frozen=True, slots=True)
class GroupDue(Event):
    """The next turn belongs to another group, and all turns before it are over. Rule: `turn.order`."""

    round: int
    """The round, from 1."""
    place: int
    """The index of the group in the turn order."""


@dataclass(frozen=True, slots=True)
class RegularUsed(EventOf):
    """A regular action of the turn is spent. Rule: `act.regular`."""

    do: str
    """The name of the action."""


@dataclass(frozen=True, slots=True)
class Opened(EventOf):
    """A follow-up action is available, or no longer. Rule: `act.fighting.double`."""

    do: str
    """The name of the follow-up action, or "" if none is available any more."""


@dataclass(frozen=True, slots=True)
class BonusUsed(EventOf):
    """The bonus action of the turn is spent. Rule: `act.bonus`."""

    do: str
    """The name of the action."""


@dataclass(frozen=True, slots=True)
class OnceUsed(EventOf):
    """An unrepeatable action is spent. Rule: `act.unrepeatable`."""

    do: str
    """The name of the action."""
    target: str
    """The id of its target."""


@dataclass(frozen=True, slots=True)
class Damaged(EventBy):
    """A fighter has lost hit points. Rules: `hp.damage`, `hp.floor`."""

    damage: int
    """The damage."""
    hp: int
    """The hit points left."""


@dataclass(frozen=True, slots=True)
class Healed(EventBy):
    """A fighter has got hit points back. Rules: `act.heal.injured`, `act.heal.revive`."""

    hp: int
    """The hit points that it has now."""


@dataclass(frozen=True, slots=True)
class Delayed(EventOf):
    """A fighter is delayed. Rule: `cond.delayed.expiry`."""

    cause: Cause
    """The cause."""
    by: str
    """The id of the fighter that caused it."""
    until: int
    """The number of the delayed fighter's own turn at whose end it expires."""


@dataclass(frozen=True, slots=True)
class Panicked(EventBy):
    """A fighter is panicked. Rule: `cond.panicked.expiry`."""

    until: int
    """The number of the panicked fighter's own turn at whose end it expires."""


@dataclass(frozen=True, slots=True)
class Evaded(EventOf):
    """A fighter has evaded, and the evade is in force. Rule: `act.evade`."""

    ability: str
    """The movement ability used, or "" if none counts."""
    bonus: int
    """What it adds to agility and strength."""


@dataclass(frozen=True, slots=True)
class EvadeEnded(EventOf):
    """A hold or an interrupt has ended an evade. Rule: `act.hold.stops-evade`."""


@dataclass(frozen=True, slots=True)
class OutOfReach(EventOf):
    """Until its next turn only flyers with room to fly can reach this flyer with close attacks.

    Rule: `flying.immunity`.
    """


@dataclass(frozen=True, slots=True)
class Engaged(EventOf):
    """A fighter has engaged: better close attacks this turn, lower agility until the next.

    Rules: `act.engage`, `act.engage.penalty`.
    """


@dataclass(frozen=True, slots=True)
class CoverTaken(EventOf):
    """A fighter has taken cover. Rule: `act.cover`."""


@dataclass(frozen=True, slots=True)
class CoverLeft(EventOf):
    """A fighter has left cover. Rule: `act.cover.stay`."""


@dataclass(frozen=True, slots=True)
class Escaped(EventOf):
    """A fighter has escaped from the encounter. Rule: `act.escape.effect`."""


@dataclass(frozen=True, slots=True)
class BonusPlaced(EventBy):
    """A crafter has placed a temporary bonus. Rule: `craft.bonus`."""

    ability: str
    """The ability that it raises."""


@dataclass(frozen=True, slots=True)
class BonusRemoved(EventBy):
    """A crafter has removed a temporary bonus. Rule: `craft.duration`."""

    ability: str
    """The ability that it raised."""


@dataclass(frozen=True, slots=True)
class CraftFailed(EventBy):
    """A hurried crafter has failed and can only try again without hurry. Rule: `craft.hurry-fail`."""

    ability: str
    """The ability that the bonus was for."""


@dataclass(frozen=True, slots=True)
class CraftUnhurried(Event):
    """A crafter has worked without hurry and can make what failed in a hurry. Rule: `craft.hurry-fail`."""

    by: str
    """The id of the crafter."""


# On a board

Moved = Literal["before", "after"]
"""Whether a move was made before or after the regular action of the turn."""


@dataclass(frozen=True, slots=True)
class MoveUsed(EventOf):
    """The move of the turn is spent. Rule: `grid.move.once`."""

    moved: Moved
    """Whether it was before or after the regular action."""


@dataclass(frozen=True, slots=True)
class Walked(EventOf):
    """A fighter has moved of its own will. Rule: `grid.move.step`."""

    path: tuple[Space, ...]
    """The spaces entered, in order. The last one may be off the board."""


@dataclass(frozen=True, slots=True)
class Placed(EventBy):
    """A fighter was put into another space, which is not a move.

    Rules: `grid.hold.reposition`, `grid.interrupt.prevent`.
    """

    space: Space
    """The new space."""


@dataclass(frozen=True, slots=True)
class Repositioned(EventOf):
    """A holder has used its hold to reposition its target. Rule: `grid.hold.reposition`."""


@dataclass(frozen=True, slots=True)
class Immobilized(EventBy):
    """A fighter may not move. Rule: `grid.hold.immobilize`."""

    until: int
    """The number of that fighter's own turn at whose end it expires."""


@dataclass(frozen=True, slots=True)
class Exposed(EventOf):
    """A fighter has declared an action that exposes it and that waits for interrupts. Rule: `grid.interrupt.what`."""

    do: str
    """The name of the action."""
    targets: tuple[str, ...]
    """The ids of its targets."""
    uses: tuple[str, ...] | None
    """The abilities added; None for the best that the rules allow, () for none."""
    space: Space | None
    """The space that it is aimed at, or None."""
    path: tuple[Space, ...]
    """The spaces that a move enters, in order."""
    walked: int
    """How many spaces of the path have been entered."""


@dataclass(frozen=True, slots=True)
class InterruptTried(EventOf):
    """A fighter has tried to interrupt another. Rule: `grid.interrupt.once`."""

    target: str
    """The id of the fighter with the pending action."""


@dataclass(frozen=True, slots=True)
class Prevented(EventBy):
    """An interrupt has prevented the pending action, ended the actor's evade and barred its escape.

    Rules: `grid.interrupt.prevent`, `grid.interrupt.evade-loss`, `grid.interrupt.escape-ban`.
    """

    do: str
    """The name of the prevented action."""
    until: int
    """The number of the actor's own turn at whose end it may escape again."""


@dataclass(frozen=True, slots=True)
class Settled(EventOf):
    """No more interrupts follow, and the pending action is resolved. Rule: `grid.interrupt.what`."""


# Changes by the game master


@dataclass(frozen=True, slots=True)
class HitPointsSet(EventOf):
    """The game master has set the hit points of a fighter."""

    hp: int
    """The hit points that it has now."""


@dataclass(frozen=True, slots=True)
class ConditionGiven(EventOf):
    """The game master has given a fighter a condition."""

    condition: str
    """The condition."""
    bonus: int
    """What an evade adds; 0 for other conditions."""
    until: int
    """The number of the fighter's own turn at whose end it expires, or 0 for cover, which lasts until it is left."""


@dataclass(frozen=True, slots=True)
class ConditionEnded(EventOf):
    """The game master has ended a condition, whatever caused it."""

    condition: str
    """The condition."""


@dataclass(frozen=True, slots=True)
class SurroundingsChanged(Event):
    """The game master has changed the surroundings of all fighters. Rule: `move.terrain`."""

    surrounding: str
    """The word of `SURROUNDINGS`."""
    on: bool
    """Whether it is there now, or no longer."""


@dataclass(frozen=True, slots=True)
class JoinedWithInitiative(Joined):
    """A fighter has joined the fight."""

    initiative: tuple[Initiative, ...]
    """The initiatives of all groups, in turn order."""


@dataclass(frozen=True, slots=True)
class Gone(EventOf):
    """The game master has removed a fighter from the fight."""


@dataclass(frozen=True, slots=True)
class ReturnedToSpace(Returned):
    """A fighter has come back into the fight."""

    space: Space | None
    """Its space, or None without a board."""
