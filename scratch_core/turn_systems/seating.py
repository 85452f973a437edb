"""Orders of turns that go round by the seats: what both revisions of Mano a Mano have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from scratch_core.dice import Roller
from scratch_core.figures import Figure, Part
from scratch_core.turn_systems import Decision, GmAction, InitiativeRoll, Reason, TurnOrderEntry
from scratch_core.turn_systems.generic import (
    Event,
    EventOf,
    FightEnded,
    GenericAction,
    GenericState,
    GenericTurnSystem,
    Reordered,
    Returned,
    apply_return,
    choose_opener,
    format_opening,
    order_by_seats,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedState(GenericState):
    """A moment of a fight: `fighters` as they sit, clockwise, `order` from the one that goes first, `place` in it.

    Rules: `mano.order.seating`, `mano-old.order.seating`.
    """

    order: tuple[str, ...] = ()
    place: int = 0

    @property
    def active(self) -> str:
        """Whose turn it is."""
        return self.order[self.place] if self.phase == "running" else ""


@dataclass(frozen=True, slots=True)
class FightBegan(Event):
    """The fight begins in that order. Rules: `mano.order.seating`, `mano.start.first`, `mano-old.initiative.reach`."""

    order: tuple[str, ...]
    thrown: tuple[InitiativeRoll, ...]


@dataclass(frozen=True, slots=True)
class TurnBegan(EventOf):
    """Someone's turn is next. Rules: `mano.turn.per-round`, `mano.counter.lapse`, `mano-old.order.seating`."""

    round: int
    place: int


@dataclass(frozen=True, slots=True)
class Left(EventOf):
    """Someone is out of the fight, and with it every act that it had under way."""


@dataclass(frozen=True, slots=True)
class Joined(Event):
    """Someone has joined the fight, and sits after whom, "" for last."""

    fighter: Any
    after: str


S = TypeVar("S", bound=SeatedState)


class SeatedTurnSystem(GenericTurnSystem[S]):
    """What goes round by the seats; `first_rule` says who goes first by nothing else, `seating_rule` who comes then.

    `effects` are what its own events do, and those of all that mean more here.
    """

    first_rule: str
    seating_rule: str
    effects: ClassVar[Mapping[type[Event], Callable[[Any, Any], Any]]] = {}

    @abstractmethod
    def list_first_candidates(self, state: S) -> Sequence[str]:
        """Those with equal claims to go first; () where there is no fight."""

    def list_initiative_keys(self, state: S) -> tuple[str, ...]:
        """A dispute is settled by everyone's own dice. Rules: `mano.start.first`, `mano-old.initiative.reach`."""
        return tuple(each.id for each in state.fighters)

    def begin(self, state: S, roller: Roller, faces: Mapping[str, Sequence[int]] | None = None) -> Decision:
        """Find who goes first: of several by a d20 each, high first (rulings K25, M11)."""
        among = self.list_first_candidates(state)
        if not among:
            return Decision((FightEnded(),), (), self.explain_no_fight(state))
        first, thrown = choose_opener(among, faces, roller, self.first_rule)
        events = (FightBegan(order_by_seats(state.fighters, first), thrown), TurnBegan(first, 1, 0))
        return Decision(events, thrown, format_opening(first, thrown, lambda who: self.name_of(state, who)))

    def explain_no_fight(self, state: S) -> str:
        """Why there is no fight, in a sentence."""
        return "There is no one to fight."

    @abstractmethod
    def explain_first(self, state: S, *, is_rolled: bool) -> tuple[Reason, ...]:
        """Why the first of the order goes first; `is_rolled`: dice settled it."""

    def explain_order(self, state: S, rolls: Sequence[InitiativeRoll]) -> tuple[tuple[TurnOrderEntry, ...], Reason]:
        """Everyone clockwise from the first, each with the dice that were thrown for it."""
        thrown = {each.who: each.faces for each in rolls}
        first = self.explain_first(state, is_rolled=bool(rolls))
        found = []
        for place, who in enumerate(state.order, 1):
            face, *ties = thrown.get(who, (0,))
            figure = Figure("die", (Part("die roll", face, first[0].rule),)) if face else None
            before = self.name_of(state, state.order[place - 2])
            reasons = [Reason(f"sits next, clockwise from {before}", self.seating_rule)] if place > 1 else [*first]
            if ties:
                reasons.append(Reason(f"rolled {', then '.join(map(str, thrown[who]))}", first[0].rule))
            found.append(TurnOrderEntry(place, self.name_of(state, who), figure, tuple(ties), tuple(reasons)))
        return tuple(found), Reason("Turns then go clockwise, round after round.", self.seating_rule)

    def find_active(self, state: S) -> str:
        """Whose turn it is."""
        return state.active

    def list_order(self, state: S) -> tuple[str, ...]:
        """The order of a round. Rules: `mano.order.seating`, `mano-old.order.seating`."""
        return tuple(each for each in state.order if not state.fighter(each).out)

    def list_order_ids(self, state: S) -> tuple[str, ...]:
        """Everyone, those who are out too."""
        return state.order

    def build_join_event(self, state: S, hand: GmAction, roller: Roller) -> tuple[Event, tuple[InitiativeRoll, ...]]:
        """Someone sits down; no one throws dice for it. Rules: `mano.order.seating`, `mano-old.order.seating`."""
        return Joined(hand.newcomer, hand.after), ()

    def apply(self, state: S, event: Event) -> S:
        """The state after an event."""
        effect: Callable[[Any, Any], Any] = self.effects.get(type(event)) or _EFFECTS[type(event)]
        after: S = effect(state, event)
        return after

    def advance(self, state: S, before: Sequence[Event]) -> tuple[Event, ...]:
        """The events so far, and then the next turn clockwise, past those who are out.

        Rules: `mano.order.seating`, `mano.turn.per-round`, `mano-old.order.seating`, `mano-old.round`.
        """
        after = self.apply_events(state, before)
        place, number = after.place, after.round
        for _ in after.order:
            place += 1
            if place == len(after.order):
                number, place = number + 1, 0
            if not after.fighter(after.order[place]).out:
                return (*before, TurnBegan(after.order[place], number, place))
        return (*before, FightEnded())

    def format_leaving(self, state: S, act: GenericAction) -> str:
        """What is said of someone who leaves."""
        return f"{self.name_of(state, act.actor)} leaves the fight."


def _joined(state: SeatedState, event: Joined) -> SeatedState:
    """Whoever sits down right after the turn that is on is next; before it, only in the next round."""
    ids = _after_whom([each.id for each in state.fighters], event.after, event.fighter.id)
    by_id = {each.id: each for each in (*state.fighters, event.fighter)}
    order = _after_whom(state.order, event.after, event.fighter.id)
    fighters = tuple(by_id[each] for each in ids)
    return replace(state, fighters=fighters, order=order, place=order.index(state.order[state.place]))


def _after_whom(ids: Sequence[str], after: str, newcomer: str) -> tuple[str, ...]:
    """Ids with one more among them, right after someone, or last."""
    at = ids.index(after) + 1 if after else len(ids)
    return (*ids[:at], newcomer, *ids[at:])


_EFFECTS: Mapping[type[Event], Callable[[Any, Any], SeatedState]] = {
    FightBegan: lambda state, event: replace(state, phase="running", order=event.order, round=1, place=0),
    TurnBegan: lambda state, event: replace(state, round=event.round, place=event.place),
    FightEnded: lambda state, event: replace(state, phase="over"),
    Left: lambda state, event: state.with_fighter(replace(state.fighter(event.who), out=True)),
    Joined: _joined,
    Returned: apply_return,
    Reordered: lambda state, event: replace(
        state, order=event.order, place=event.order.index(state.order[state.place])
    ),
}
