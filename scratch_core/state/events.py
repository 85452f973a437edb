"""What happens, as records: a log of them rebuilds every state. Each has one meaning and is applied in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scratch_core.board import Space
from scratch_core.state.encounter_state import Initiative
from scratch_core.state.fighters import Cause, Fighter


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
    """Somebody has left cover. Rule: `act.cover.stay`."""

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


# On a board

Moved = Literal["before", "after"]
"""When somebody has moved: before or after the regular action of the turn."""


@dataclass(frozen=True, slots=True)
class MoveUsed:
    """The move of the turn is spent, `before` or `after` the regular action. Rule: `grid.move.once`."""

    who: str
    moved: Moved


@dataclass(frozen=True, slots=True)
class Walked:
    """Somebody goes from space to space by its own will; the last may lie off the board. Rule: `grid.move.step`."""

    who: str
    path: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """Somebody is put on another space; nobody walks. Rules: `grid.hold.reposition`, `grid.interrupt.prevent`."""

    who: str
    by: str
    space: Space


@dataclass(frozen=True, slots=True)
class Repositioned:
    """The holder has made use of its hold. Rule: `grid.hold.reposition`."""

    who: str


@dataclass(frozen=True, slots=True)
class Immobilized:
    """Somebody may not move through the end of its own turn of that number. Rule: `grid.hold.immobilize`."""

    who: str
    by: str
    until: int


@dataclass(frozen=True, slots=True)
class Exposed:
    """An act is declared that exposes its actor, and waits for interrupts after so many spaces walked.

    `targets`, `uses`, `space` and `path` are those of the act. Rule: `grid.interrupt.what`.
    """

    who: str
    do: str
    targets: tuple[str, ...]
    uses: tuple[str, ...] | None
    space: Space | None
    path: tuple[Space, ...]
    walked: int


@dataclass(frozen=True, slots=True)
class InterruptTried:
    """An interrupting attack has been tried. Rule: `grid.interrupt.once`."""

    who: str
    target: str


@dataclass(frozen=True, slots=True)
class Prevented:
    """An act has been interrupted: it doesn't happen, an evade is lost, escaping is barred until the end of that turn.

    Rules: `grid.interrupt.prevent`, `grid.interrupt.evade-loss`, `grid.interrupt.escape-ban`.
    """

    who: str
    by: str
    do: str
    until: int


@dataclass(frozen=True, slots=True)
class Settled:
    """Nobody interrupts any more, and the act that waited happens. Rule: `grid.interrupt.what`."""

    who: str


# By the game master's hand


@dataclass(frozen=True, slots=True)
class HitPointsSet:
    """The game master has set somebody's hit points."""

    who: str
    hp: int


@dataclass(frozen=True, slots=True)
class ConditionGiven:
    """The game master has given somebody a condition, through the end of its own turn of that number; 0: until left."""

    who: str
    condition: str
    bonus: int
    until: int


@dataclass(frozen=True, slots=True)
class ConditionEnded:
    """The game master has ended every cause of a condition."""

    who: str
    condition: str


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody has joined the fight; `initiative` is that of all groups, in the order of turns."""

    fighter: Fighter
    initiative: tuple[Initiative, ...]


@dataclass(frozen=True, slots=True)
class Gone:
    """The game master has taken somebody out of the fight."""

    who: str


@dataclass(frozen=True, slots=True)
class Returned:
    """Somebody is back in the fight, on a board at that space."""

    who: str
    space: Space | None


@dataclass(frozen=True, slots=True)
class Reordered:
    """The groups have another order."""

    order: tuple[str, ...]


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
    | MoveUsed
    | Walked
    | Placed
    | Repositioned
    | Immobilized
    | Exposed
    | InterruptTried
    | Prevented
    | Settled
    | HitPointsSet
    | ConditionGiven
    | ConditionEnded
    | Joined
    | Gone
    | Returned
    | Reordered
)
