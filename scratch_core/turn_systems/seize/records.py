"""Choose-next with seizing: fighters, states and events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scratch_core.figures import Figure, Part
from scratch_core.turn_systems import Event, EventOf, FightState, InitiativeRoll, Joined, Left
from scratch_core.turn_systems.generic import GenericFighter

FIRST_FACE, LATE_FACE = 20, 1
"""The faces that let a fighter act first and lose the first round. Rules: `seize.natural-20`, `seize.natural-1`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeizeFighter(GenericFighter):
    """A fighter with its roll and what has happened to it in this round and this turn.

    Rules: `seize.bonus`, `seize.gm-roll`, `seize.no-repeat`, `seize.natural-1`, `seize.natural-20`, `seize.claim`.
    """

    group: str
    """The group that shares its roll."""
    bonus: int
    """The Initiative Bonus."""
    face: int = 0
    """The face of its group's die, 0 before the roll."""
    acted: bool = False
    """Whether it has had its turn in this round."""
    barred: bool = False
    """Whether it has no turn in the first round."""
    extra: bool = False
    """Whether it has an extra action left."""
    hurt: int = 0
    """The hit points lost in the current turn."""
    declined: bool = False
    """Whether it has declined to seize in the current turn."""

    @property
    def initiative(self) -> Figure:
        """The face and the bonus. Rules: `seize.roll`, `seize.bonus`."""
        return Figure(
            "initiative",
            (Part("die roll", self.face, "seize.roll"), Part("Initiative Bonus", self.bonus, "seize.bonus")),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeizeState(FightState[SeizeFighter]):
    """A state of a fight in which each active fighter chooses the next.

    Rules: `seize.choose-next`, `seize.claim.timing`, `seize.multi-order`, `seize.gm-roll`.
    """

    on_total: bool = False
    """Whether a total of 20 or 1 counts instead of the face (ruling setting `seize_on_total`)."""
    rolled: tuple[InitiativeRoll, ...] = ()
    """The dice of each group."""
    turn: int = 0
    """The number of turns so far."""
    active: str = ""
    """The id of the fighter whose turn is current, or was last."""
    next: str = ""
    """The id of the chosen fighter, "" for none."""
    openers: tuple[str, ...] = ()
    """The ids of those who may take the first turn."""
    claims: tuple[tuple[str, int], ...] = ()
    """The seizers in the order of their turns, each with the number of the turn in which it was hurt."""

    @property
    def seizer_queue(self) -> tuple[str, ...]:
        """The ids of the seizers in the order of their turns."""
        return tuple(who for who, _ in self.claims)

    @property
    def ids_entitled_to_next_turn(self) -> tuple[str, ...]:
        """The ids of those who may take the next turn.

        They are the first seizer, else the chosen fighter, else the openers.
        """
        return self.seizer_queue[:1] or ((self.next,) if self.next else self.openers)

    @property
    def is_round_complete(self) -> bool:
        """Whether everyone has had a turn, barred fighters aside. Rule: `seize.round-complete`."""
        return all(each.acted or each.barred for each in self.fighters_not_out)

    @property
    def initiative_fighter_or_group_ids(self) -> tuple[str, ...]:
        """The ids of the groups, each of which shares one roll. Rule: `seize.gm-roll`."""
        return tuple(dict.fromkeys(each.group for each in self.fighters))

    @property
    def turn_order(self) -> tuple[str, ...]:
        """The ids of the fighters by initiative, which is not a turn order.

        A rolled 20 comes first, then totals, then bonuses, then the dice of ties. Rules: `seize.highest-first`,
        `seize.tie`, `seize.natural-20`.
        """
        return tuple(each.id for each in sorted(self.fighters_not_out, key=self.build_initiative_rank, reverse=True))

    def build_initiative_rank(self, who: SeizeFighter) -> tuple[bool, int, int, tuple[int, ...]]:
        """Build the key that orders the rolls: a 20, total, bonus, tie dice.

        A 20 outranks any total (ruling K29). Rules: `seize.natural-20`, `seize.highest-first`, `seize.tie`.
        """
        ties = next((each.faces[1:] for each in self.rolled if each.who == who.group), ())
        return self.get_face_or_total(who) == FIRST_FACE, who.initiative.value, who.bonus, ties

    def get_face_or_total(self, who: SeizeFighter) -> int:
        """Return the number that counts as a 20 or a 1.

        It is the face, or the total with `seize_on_total` (ruling S01).
        """
        return who.initiative.value if self.on_total else who.face


# Events


@dataclass(frozen=True, slots=True)
class InitiativeRolled(Event):
    """Initiative is rolled, which begins the fight. Rule: `seize.roll`."""

    json_name: ClassVar[str] = "fight-began"
    rolled: tuple[InitiativeRoll, ...]
    """The dice of each group."""
    openers: tuple[str, ...]
    """The ids of those who may take the first turn."""
    round: int
    """The first round, 2 if everyone is barred in round 1."""


@dataclass(frozen=True, slots=True)
class TurnTaken(EventOf):
    """A turn begins, and the previous one ends. Rules: `seize.no-repeat`, `seize.next-round`."""

    round: int
    """The round of the turn."""


@dataclass(frozen=True, slots=True)
class Chosen(EventOf):
    """The next fighter is chosen. Rule: `seize.choose-next`."""

    by: str
    """The id of the fighter who chooses."""


@dataclass(frozen=True, slots=True)
class HitPointsLost(EventOf):
    """A fighter loses hit points in the current turn. Rule: `seize.claim`."""

    by: str
    """The id of the fighter who caused it, "" if the table reports none."""
    points: int
    """The hit points lost."""


@dataclass(frozen=True, slots=True)
class Seized(EventOf):
    """A fighter seizes the initiative, which replaces the choice. Rules: `seize.claim`, `seize.claim.timing`."""


@dataclass(frozen=True, slots=True)
class Declined(EventOf):
    """A fighter declines to seize. Rule: `seize.claim`."""


@dataclass(frozen=True, slots=True)
class ExtraActed(EventOf):
    """A fighter takes its extra action. Rule: `seize.natural-20`."""


@dataclass(frozen=True, slots=True)
class LeftWithOpeners(Left):
    """A fighter leaves the fight."""

    openers: tuple[str, ...]
    """The ids of those who may take the first turn now. Empty once it has begun."""
    round: int
    """The round after the fighter has left."""


@dataclass(frozen=True, slots=True)
class JoinedWithRoll(Joined):
    """A newcomer joins the fight."""

    rolled: tuple[InitiativeRoll, ...]
    """The dice of each group, with those of a new group."""
    openers: tuple[str, ...]
    """The ids of those who may take the first turn now. Empty once it has begun."""


@dataclass(frozen=True, slots=True)
class CameBack(EventOf):
    """A fighter is back in the fight."""

    openers: tuple[str, ...]
    """The ids of those who may take the first turn now. Empty once it has begun."""
