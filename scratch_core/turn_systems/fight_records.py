"""Records of a fight that all turn systems share: its fighters, its state and its events.

A turn system adds events of its own, and fields to these records.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, Self, TypeVar

from scratch_core.errors import Problem, ScratchError, format_input
from scratch_core.record_copies import replace_fields

Phase = Literal["before", "running", "over"]

# Fighters and states


@dataclass(frozen=True, slots=True)
class BaseFighter:
    """A fighter in a fight, without what a turn system adds."""

    id: str
    """The unique id, as in the file."""
    name: str
    """The name that players read."""
    side: str
    """The side it fights on. Fighters of other sides are enemies (ruling A33)."""

    @property
    def is_away(self) -> bool:
        """Whether it has left the fight."""
        raise NotImplementedError

    @property
    def is_out(self) -> bool:
        """Whether it does nothing in the fight at present."""
        return self.is_away


F = TypeVar("F", bound=BaseFighter)


@dataclass(frozen=True, slots=True, kw_only=True)
class FightState(Generic[F]):
    """The state before, during or after a fight."""

    fighters: tuple[F, ...]
    """All fighters in the order of the file, including those who are out."""
    phase: Phase = "before"
    """Whether the fight has not begun, is running or is over."""
    round: int = 0
    """The round, from 1, or 0 before the fight."""

    @property
    def active(self) -> str:
        """The id of the fighter whose turn it is, or was last. "" for none."""
        raise NotImplementedError

    @property
    def turn_owner(self) -> str:
        """The id of the fighter whose turn has begun. "" between turns and for none."""
        return self.active if self.phase == "running" else ""

    @property
    def initiative_fighter_or_group_ids(self) -> tuple[str, ...]:
        """The ids of the fighters or groups that roll initiative, as `[initiative]` has them."""
        raise NotImplementedError

    @property
    def turn_order(self) -> tuple[str, ...]:
        """The ids of the fighters or groups in turn order."""
        raise NotImplementedError

    @property
    def ids_to_reorder(self) -> tuple[str, ...]:
        """The ids of the fighters or groups that a new turn order must name."""
        return self.turn_order

    @property
    def winner(self) -> str:
        """The only side with a fighter left, or ""."""
        sides = {each.side for each in self.fighters if not each.is_out}
        return sides.pop() if len(sides) == 1 else ""

    @property
    def fighters_not_out(self) -> tuple[F, ...]:
        """The fighters who are not out."""
        return tuple(each for each in self.fighters if not each.is_out)

    @property
    def has_pending_action(self) -> bool:
        """Whether an action waits for an answer. Nothing else may happen before it."""
        return False

    def fighter(self, fighter_id: str) -> F:
        """Return the fighter with an id.

        Raises `ScratchError` (`state.id`) if there is none.
        """
        for each in self.fighters:
            if each.id == fighter_id:
                return each
        ids = ", ".join(each.id for each in self.fighters)
        raise ScratchError(Problem("state.id", f"one of {ids}", format_input(fighter_id), "the fight"))

    def name_of(self, fighter_id: str) -> str:
        """Return the name that players read of a fighter.

        Returns the id if there is no such fighter.
        """
        return next((each.name for each in self.fighters if each.id == fighter_id), fighter_id)

    def list_ids_sharing_turn(self, order_id: str) -> tuple[str, ...]:
        """List the ids of the fighters who share a turn: one fighter, or a group."""
        return (order_id,)

    def with_fighter(self, changed: F) -> Self:
        """Return the state with one fighter replaced."""
        return replace_fields(
            self, fighters=tuple(changed if each.id == changed.id else each for each in self.fighters)
        )

    def with_changed_fighter(self, fighter_id: str, **changes: object) -> Self:
        """Return the state with new values for the given fields of one fighter."""
        return self.with_fighter(replace_fields(self.fighter(fighter_id), **changes))


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
