"""Choose-next with seizing: the state of a fight and what can happen in it."""

from __future__ import annotations

from dataclasses import dataclass

from scratch_core.figures import Figure, Part
from scratch_core.turn_systems import InitiativeRoll
from scratch_core.turn_systems.generic import Event, EventOf, GenericFighter, GenericState


@dataclass(frozen=True, slots=True, kw_only=True)
class SeizeFighter(GenericFighter):
    """A combatant: who shares its roll, its Initiative Bonus, its face (0 before the roll), and what its turn has left.

    `acted`: it has had its turn in this round. `barred`: it has lost the first round. `extra`: it has one more action.
    `hurt`: points lost in the turn that is on; `declined`: it will not seize for them.
    Rules: `seize.bonus`, `seize.gm-roll`, `seize.no-repeat`, `seize.natural-1`, `seize.natural-20`, `seize.claim`.
    """

    group: str
    bonus: int
    face: int = 0
    acted: bool = False
    barred: bool = False
    extra: bool = False
    hurt: int = 0
    declined: bool = False

    @property
    def initiative(self) -> Figure:
        """The face and the bonus. Rules: `seize.roll`, `seize.bonus`."""
        return Figure(
            "initiative",
            (Part("die roll", self.face, "seize.roll"), Part("Initiative Bonus", self.bonus, "seize.bonus")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeizeState(GenericState):
    """A moment of a fight; `fighters` keep the order of the file.

    `active` is whose turn is on or was last, `turn` counts turns. `next` is who has been chosen, `openers` are those
    of whom one may take the first turn. `claims` are seizers in the order of their turns, each with the number of the
    turn in which it was hurt. `on_total` is the switch `seize_on_total`; `rolled` what was thrown.
    Rules: `seize.choose-next`, `seize.claim.timing`, `seize.multi-order`, `seize.gm-roll`.
    """

    fighters: tuple[SeizeFighter, ...]
    on_total: bool = False
    rolled: tuple[InitiativeRoll, ...] = ()
    turn: int = 0
    active: str = ""
    next: str = ""
    openers: tuple[str, ...] = ()
    claims: tuple[tuple[str, int], ...] = ()

    @property
    def queue(self) -> tuple[str, ...]:
        """The seizers, in the order of their turns."""
        return tuple(who for who, _ in self.claims)

    @property
    def due(self) -> tuple[str, ...]:
        """Of whom one takes the next turn: the first seizer, whoever is chosen, or the openers."""
        return self.queue[:1] or ((self.next,) if self.next else self.openers)

    @property
    def is_round_complete(self) -> bool:
        """Whether everyone has had a turn, those aside who lost the round. Rule: `seize.round-complete`."""
        return all(each.acted or each.barred for each in self.present)


# Events


@dataclass(frozen=True, slots=True)
class FightBegan(Event):
    """Initiative is rolled: a die for each group, whoever may open, and the round that begins. Rule: `seize.roll`."""

    rolled: tuple[InitiativeRoll, ...]
    openers: tuple[str, ...]
    round: int


@dataclass(frozen=True, slots=True)
class TurnTaken(EventOf):
    """A turn begins, and the one before it ends. Rules: `seize.no-repeat`, `seize.next-round`."""

    round: int


@dataclass(frozen=True, slots=True)
class Chosen(EventOf):
    """The next to act is chosen. Rule: `seize.choose-next`."""

    by: str


@dataclass(frozen=True, slots=True)
class HitPointsLost(EventOf):
    """Hit points are lost in the turn that is on. Rule: `seize.claim`."""

    by: str
    points: int


@dataclass(frozen=True, slots=True)
class Seized(EventOf):
    """Someone seizes the initiative; what was chosen is replaced. Rules: `seize.claim`, `seize.claim.timing`."""


@dataclass(frozen=True, slots=True)
class Declined(EventOf):
    """Someone will not seize. Rule: `seize.claim`."""


@dataclass(frozen=True, slots=True)
class ExtraActed(EventOf):
    """The extra action is taken. Rule: `seize.natural-20`."""


@dataclass(frozen=True, slots=True)
class Left(EventOf):
    """Someone is out of the fight; `openers` are those who may open now, where no one has yet, and in which round."""

    openers: tuple[str, ...]
    round: int


@dataclass(frozen=True, slots=True)
class Joined(Event):
    """Someone has joined the fight: every group's dice with those of a new one, and who may open where no one has."""

    fighter: SeizeFighter
    rolled: tuple[InitiativeRoll, ...]
    openers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CameBack(EventOf):
    """Someone is back in the fight; `openers` are those who may open now, where no one has yet."""

    openers: tuple[str, ...]
