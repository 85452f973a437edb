"""Turn systems with a seating order, such as both revisions of Mano a Mano."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from scratch_core.dice import Roller
from scratch_core.figures import Figure, Part
from scratch_core.record_copies import replace_fields
from scratch_core.turn_systems import (
    GAME_MASTER,
    Decision,
    Event,
    FightEnded,
    FightState,
    GmAction,
    InitiativeRoll,
    Joined,
    Left,
    Narration,
    Reason,
    Reordered,
    Returned,
    TurnBegan,
    TurnOrderEntry,
    conceal,
    narrate,
)
from scratch_core.turn_systems.fight_records import F
from scratch_core.turn_systems.generic import (
    GenericAction,
    GenericTurnSystem,
    choose_opener,
    format_first_turn,
    list_ids_clockwise,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedState(FightState[F]):
    """A state of a fight in which turns go clockwise. `fighters` are in the order of their seats.

    Rules: `mano.order.seating`, `mano-old.order.seating`.
    """

    order: tuple[str, ...] = ()
    """The ids in turn order, clockwise from the fighter who goes first."""
    place: int = 0
    """The index of the active fighter in `order`."""

    @property
    def active(self) -> str:
        """The id of the active fighter, "" if no fight is running."""
        return self.order[self.place] if self.phase == "running" else ""

    @property
    def initiative_fighter_or_group_ids(self) -> tuple[str, ...]:
        """The ids of all fighters, as each rolls its own dice.

        Rules: `mano.start.first`, `mano-old.initiative.reach`.
        """
        return tuple(each.id for each in self.fighters)

    @property
    def turn_order(self) -> tuple[str, ...]:
        """The ids of the fighters still in the fight. Rules: `mano.order.seating`, `mano-old.order.seating`."""
        return tuple(each for each in self.order if not self.fighter(each).is_away)

    @property
    def ids_to_reorder(self) -> tuple[str, ...]:
        """The ids of all fighters in turn order, including those who are out."""
        return self.order


@dataclass(frozen=True, slots=True)
class FightBegan(Event):
    """The fight begins. Rules: `mano.order.seating`, `mano.start.first`, `mano-old.initiative.reach`."""

    order: tuple[str, ...]
    """The ids in turn order."""
    thrown: tuple[InitiativeRoll, ...]
    """The dice that decided who goes first. Empty if none were needed."""


@dataclass(frozen=True, slots=True)
class JoinedAtSeat(Joined):
    """A newcomer joins the fight at a seat."""

    after: str
    """The id of the fighter whose seat is before the newcomer's, "" for the last seat."""


S = TypeVar("S", bound=SeatedState[Any])


class SeatedTurnSystem(GenericTurnSystem[S]):
    """A turn system in which turns go clockwise around the seats."""

    first_rule: str
    """The id of the rule that decides who goes first."""
    seating_rule: str
    """The id of the rule that turns go by the seats."""

    @abstractmethod
    def list_first_candidate_ids(self, state: S) -> Sequence[str]:
        """List the fighters with equal claims to go first. Empty if there is no fight."""

    def begin(self, state: S, roller: Roller, faces: Mapping[str, Sequence[int]] | None = None) -> Decision:
        """Find who goes first, with a d20 for each of several candidates (rulings K25, M11)."""
        among = self.list_first_candidate_ids(state)
        if not among:
            return Decision((FightEnded(),), (), conceal(GAME_MASTER, "{}", self.build_no_fight_sentence(state)))
        first, thrown = choose_opener(among, faces, roller, self.first_rule)
        events = (FightBegan(list_ids_clockwise(state.fighters, first), thrown), TurnBegan(first, 1, 0))
        sentence = format_first_turn(first, thrown, state.name_of)
        return Decision(events, thrown, conceal(GAME_MASTER, "{}", sentence))

    def build_no_fight_sentence(self, state: S) -> str:
        """Explain in a sentence why there is no fight."""
        return "There is no one to fight."

    @abstractmethod
    def explain_first_fighter(self, state: S, *, is_rolled: bool) -> tuple[Reason, ...]:
        """Explain why the first fighter goes first. `is_rolled` means that dice decided it."""

    def explain_turn_order(
        self, state: S, rolls: Sequence[InitiativeRoll]
    ) -> tuple[tuple[TurnOrderEntry, ...], Reason]:
        """List the fighters clockwise from the first, each with its dice and reasons."""
        thrown = {each.who: each.faces for each in rolls}
        first = self.explain_first_fighter(state, is_rolled=bool(rolls))
        found = []
        for place, who in enumerate(state.order, 1):
            face, *ties = thrown.get(who, (0,))
            figure = Figure("die", (Part("die roll", face, first[0].rule),)) if face else None
            before = state.name_of(state.order[place - 2])
            reasons = [Reason(f"sits next, clockwise from {before}", self.seating_rule)] if place > 1 else [*first]
            if ties:
                reasons.append(Reason(f"rolled {', then '.join(map(str, thrown[who]))}", first[0].rule))
            found.append(TurnOrderEntry(place, state.name_of(who), figure, tuple(ties), tuple(reasons)))
        return tuple(found), Reason("Turns then go clockwise, round after round.", self.seating_rule)

    def build_join_event(self, state: S, change: GmAction, roller: Roller) -> tuple[Event, tuple[InitiativeRoll, ...]]:
        """Build the event of a newcomer taking a seat, which needs no dice.

        Rules: `mano.order.seating`, `mano-old.order.seating`.
        """
        return JoinedAtSeat(change.newcomer, change.after), ()

    def build_events_with_next_turn(self, state: S, events_so_far: Sequence[Event]) -> tuple[Event, ...]:
        """Append the beginning of the next turn to the events so far.

        Skips fighters who are out. Rules: `mano.order.seating`, `mano.turn.per-round`, `mano-old.order.seating`,
        `mano-old.round`.
        """
        after = self.apply_events(state, events_so_far)
        place, number = after.place, after.round
        for _ in after.order:
            place += 1
            if place == len(after.order):
                number, place = number + 1, 0
            if not after.fighter(after.order[place]).out:
                return (*events_so_far, TurnBegan(after.order[place], number, place))
        return (*events_so_far, FightEnded())

    def narrate_leaving(self, state: S, act: GenericAction) -> Narration:
        """Build the sentence about a fighter who leaves."""
        return narrate("{} leaves the fight.", state.fighter(act.actor))


def _apply_joining(state: SeatedState[Any], event: JoinedAtSeat) -> SeatedState[Any]:
    """Seat a newcomer, who is next if the seat follows the active fighter's."""
    ids = _insert_id_after([each.id for each in state.fighters], event.after, event.fighter.id)
    by_id = {each.id: each for each in (*state.fighters, event.fighter)}
    order = _insert_id_after(state.order, event.after, event.fighter.id)
    fighters = tuple(by_id[each] for each in ids)
    return replace_fields(state, fighters=fighters, order=order, place=order.index(state.order[state.place]))


def _insert_id_after(ids: Sequence[str], after_id: str, newcomer_id: str) -> tuple[str, ...]:
    """Insert an id directly after another, or at the end."""
    at = ids.index(after_id) + 1 if after_id else len(ids)
    return (*ids[:at], newcomer_id, *ids[at:])


SEATED_EFFECTS: Mapping[type[Event], Callable[[Any, Any], Any]] = {
    FightBegan: lambda state, event: replace_fields(state, phase="running", order=event.order, round=1, place=0),
    TurnBegan: lambda state, event: replace_fields(state, round=event.round, place=event.place),
    FightEnded: lambda state, event: replace_fields(state, phase="over"),
    Left: lambda state, event: state.with_changed_fighter(event.who, out=True),
    JoinedAtSeat: _apply_joining,
    Returned: lambda state, event: state.with_changed_fighter(event.who, out=False),
    Reordered: lambda state, event: replace_fields(
        state, order=event.order, place=event.order.index(state.order[state.place])
    ),
}
"""The function that applies each event that all turn systems with a seating order have."""
SeatedTurnSystem.effects = SEATED_EFFECTS
