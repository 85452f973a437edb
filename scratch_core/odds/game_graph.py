"""The game as a graph of decisions, built with as few calls of the engine as possible.

The effect of an action depends on hit points only through health, and on spent actions only through legality. So the
engine is called with *moments*: a state with representative hit points for everyone's health, and without spent
actions. `hit_point_layers` applies the results to all hit points. Only one rule of the game is stated again here: which
parts of a state can still matter (`core_key`). A test compares both with the game, state by state.

Terms: a *core* is the relevant part of a state without hit points and spent actions; a *moment* is a core with
everyone's health; a *menu* is the actions of the fighter or group that has the choice in a moment.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from scratch_core.dice import SIDES, FixedRoller
from scratch_core.encounter.actions import Action, can_turn_be_skipped
from scratch_core.encounter.engine import apply, apply_events, decide, legal_actions
from scratch_core.encounter.state import (
    Damaged,
    EncounterState,
    Event,
    Fighter,
    Healed,
    OnceUsed,
    TurnBegan,
    TurnEnded,
    TurnPassed,
)
from scratch_core.odds.outcomes import list_outcomes
from scratch_core.record_copies import replace_fields
from scratch_core.rulebook.actions import DOUBLE_ATTACK, END_TURN, ESCAPE, EVADE, HOLD, NOTHING, SMALL_ACT

Escape = Literal["draw", "loss"]
ESCAPES: tuple[Escape, ...] = ("draw", "loss")
"""What an escape counts as: no winner, or a loss of the side that escapes."""

Policy = Callable[[EncounterState, Sequence[Action]], Action]
"""A function that chooses one of the useful legal actions in a state.

It must depend on health rather than hit points, and not on spent actions, because it is called with moments.
"""

Conditions = tuple[int, ...]
"""The health of each fighter in the file's order: 0 incapacitated, 1 injured, 2 healthy."""

Change = tuple[tuple[int, int], ...]
"""The effect of an action on hit points: a fighter's number, and the points lost or minus the number healed to."""

IDLE_ACTIONS = (SMALL_ACT.do, NOTHING.do)
"""The actions that only use up a turn. They are excluded, because they are never better than ending the turn."""

NO_WINNER, ENDLESS = -1, -2
"""The numbers of the ends without a winner: a fight that is over, and one that never ends."""


def encode_win_of_side(side_index: int) -> int:
    """Return the number of the end at which that side has won."""
    return -3 - side_index


Cores = tuple[int, int]
"""The core of a state in the game of side 0, and in that of side 1."""


@dataclass(frozen=True, slots=True)
class GameAction:
    """An available action or, between turns, the choice of whose turn begins."""

    who: str
    """The id of the actor, or of the fighter whose turn begins."""
    action: Action | None
    """The action, or None for the start of a turn."""
    once: int
    """The bit of the unrepeatable action that it spends, or 0."""
    ways: tuple[tuple[float, Cores, Change], ...]
    """The outcomes: chance, resulting cores, and change of hit points."""


@dataclass(frozen=True, slots=True)
class DecisionNode:
    """A choice in a moment: its menu."""

    seat: int
    """The number, in the file's order, of a fighter of the side that chooses."""
    acts: tuple[GameAction, ...]
    """The available actions."""


class GameGraph:
    """The moments of a fight between two sides, built on demand; `explore_in_steps` finds all that are reachable.

    The win chance of each side is a game of its own, `us` is the number of that side. They differ in one way: an escape
    is worth nothing to a side that wants to win, so in the game of a side its own fighters do not escape, and whether
    they could is irrelevant.
    """

    def __init__(
        self, start: EncounterState, escape: Escape = "draw", policies: Mapping[str, Policy] | None = None
    ) -> None:
        """Start with an empty graph.

        `start` is a running state of a fight between two sides; `escape` is what an escape counts as; `policies` are
        fixed ways to choose, by side.
        """
        self.runs = escape == "draw"
        self.policies = dict(policies or {})
        self.fighters = start.fighters
        self.seats = {each.id: seat for seat, each in enumerate(start.fighters)}
        self.sides = start.sides
        assert len(self.sides) == 2, "a game of two sides"
        self.side_of = tuple(self.sides.index(each.side) for each in start.fighters)
        self.menus: dict[tuple[int, Conditions], DecisionNode] = {}
        self.settled: dict[tuple[int, Conditions], int] = {}
        self.reached: tuple[dict[tuple[int, Conditions], None], ...] = ({}, {})
        self.cores: list[EncounterState] = []
        self._has_shared_groups = len(start.initiative_fighter_or_group_ids) < len(start.fighters)
        self._ranges = _list_hit_point_ranges_by_health(start)
        self._wrestlers = tuple(each.level("wrestling") > 0 for each in start.fighters)
        self._bits: dict[tuple[str, str, str], int] = {}
        self._numbers: dict[tuple[object, ...], int] = {}
        self._acts: dict[tuple[int, int, Action], GameAction] = {}
        self._lists: dict[tuple[int, Conditions], tuple[GameAction, ...] | None] = {}
        self._highest: dict[tuple[object, ...], int] = {}
        self._after: dict[tuple[Conditions, Change], tuple[Conditions, ...]] = {}
        self._ended: dict[int, int] = {}
        self._next: dict[tuple[int, Conditions], tuple[int, ...]] = {}
        self._queue: deque[tuple[int, int, Conditions]] = deque()

    # Cores

    def get_or_add_core_number(self, state: EncounterState, side_index: int) -> int:
        """Return the number of a state's core in the game of a side.

        A new core gets the next number.
        """
        return self._get_or_add_number(
            self._build_core_key(state, side_index), lambda: self._clear_irrelevant_escapes(state, side_index)
        )

    def _get_or_add_number(self, key: tuple[object, ...], build_core: Callable[[], EncounterState]) -> int:
        """Return the number of a core by its key.

        `build_core` builds the core if it is new.
        """
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.cores)
            self.cores.append(build_core())
        return number

    def find_core_number(self, state: EncounterState, us: int) -> int | None:
        """Return the number of a state's core, or None if it has not occurred."""
        return self._numbers.get(self._build_core_key(state, us))

    def _build_core_key(self, state: EncounterState, us: int) -> tuple[object, ...]:
        """Build the key of a state's core in the game of a side."""
        return core_key(state, self._has_shared_groups, self._list_escape_relevance_by_fighter(us))

    def _list_escape_relevance_by_fighter(self, maximizing_side: int) -> tuple[bool, ...]:
        """Return for each fighter whether its escapes matter in the game of a side."""
        return tuple([self.runs and side != maximizing_side for side in self.side_of])

    def _clear_irrelevant_escapes(self, state: EncounterState, us: int) -> EncounterState:
        """Clear the possible escapes of a state that do not matter.

        Such a core is the same in both games.
        """
        fighters = tuple(
            each if runs else replace_fields(each, evaded_this_turn=False, evaded_last_turn=False)
            for each, runs in zip(state.fighters, self._list_escape_relevance_by_fighter(us), strict=True)
        )
        return replace_fields(state, fighters=fighters)

    def classify_health(self, hps: Sequence[int]) -> Conditions:
        """Return the health of each fighter with these hit points.

        Rules: `hp.healthy`, `hp.injured`, `hp.incapacitated`.
        """
        return tuple([_classify_health(hp, each) for hp, each in zip(hps, self.fighters, strict=True)])

    def encode_once_per_encounter_uses(self, state: EncounterState) -> int:
        """Return the spent actions of a state as bits. Rule: `act.unrepeatable`."""
        found = 0
        for each in state.fighters:
            for do, target in each.used:
                found |= self._get_or_add_action_bit(state, each.id, do, target)
        return found

    def _get_or_add_action_bit(self, state: EncounterState, actor_id: str, do: str, target_id: str) -> int:
        """Return the bit of a spent action.

        A new action gets the next bit.
        """
        against = target_id if state.rulings.unrepeatable_scope == "pair" else ""
        return self._bits.setdefault((actor_id, do, against), 1 << len(self._bits))

    # From a core to the next choice

    def get_or_compute_choice_or_end(self, core: int, conditions: Conditions) -> int:
        """Return the core of the next choice, or the number of an end.

        Turns pass automatically while no fighter can do anything.
        """
        found = self.settled.get((core, conditions))
        if found is None:
            found = self.settled[core, conditions] = self._compute_choice_or_end_storing_menu(core, conditions)
        return found

    def _compute_choice_or_end_storing_menu(self, core: int, conditions: Conditions) -> int:
        """Compute the next choice after a core and store its menu."""
        end = self._encode_end_if_over(self.cores[core], conditions)
        if end:
            return end
        passed: set[int] = set()
        while core not in passed:
            if (core, conditions) in self.menus:
                return core
            passed.add(core)
            state = self.cores[core]
            if state.turn_over:
                next_cores = self._get_or_add_next_turn_cores(core, conditions)
                if len(next_cores) > 1:
                    turns = tuple(
                        GameAction(self.cores[each].active, None, 0, ((1.0, (each, each), ()),)) for each in next_cores
                    )
                    self.menus[core, conditions] = DecisionNode(self.seats[turns[0].who], turns)
                    return core
                core = next_cores[0]
                continue
            acts = self._list_actions_unless_forced_end(core, conditions)
            if acts is not None:
                self.menus[core, conditions] = DecisionNode(self.seats[state.active], acts)
                return core
            core = self._get_or_add_core_after_turn(core)
        return ENDLESS

    def _encode_end_if_over(self, state: EncounterState, conditions: Conditions) -> int:
        """Return the number of the end reached, or 0 while the fight continues.

        Rules: `hp.incapacitated`, `act.escape.effect`.
        """
        present = [
            condition > 0 and not each.is_away for each, condition in zip(state.fighters, conditions, strict=True)
        ]
        left = {side for side, is_present in zip(self.side_of, present, strict=True) if is_present}
        if self.runs and any(each.escaped for each in state.fighters):
            return NO_WINNER
        if len(left) == 2:
            return 0
        return encode_win_of_side(left.pop()) if left else NO_WINNER

    def _get_or_add_core_after_turn(self, core: int) -> int:
        """Return the core after the end of the turn.

        Which side's escapes matter does not change.
        """
        found = self._ended.get(core)
        if found is None:
            state = self.cores[core]
            found = self._ended[core] = self._get_or_add_core_for_successor(apply(state, TurnEnded(state.active)))
        return found

    def _get_or_add_next_turn_cores(self, core: int, conditions: Conditions) -> tuple[int, ...]:
        """Return the cores of the turns that may begin.

        They depend only on who is incapacitated, and on which wrestlers are healthy.
        """
        known = tuple([min(each, 1 + wrestles) for each, wrestles in zip(conditions, self._wrestlers, strict=True)])
        found = self._next.get((core, known))
        if found is None:
            turns = list_next_turn_states(self._build_representative_state(core, conditions))
            found = self._next[core, known] = tuple(self._get_or_add_core_for_successor(each) for each in turns)
        return found

    def _get_or_add_core_for_successor(self, successor: EncounterState) -> int:
        """Return the core of a state that follows from a stored core.

        Escapes that did not matter in the stored core are impossible in it.
        """
        key = core_key(successor, self._has_shared_groups, (self.runs,) * len(self.fighters))
        return self._get_or_add_number(key, lambda: successor)

    def _build_representative_state(self, core: int, conditions: Conditions) -> EncounterState:
        """Build a core's state with representative hit points and no spent actions."""
        state = self.cores[core]
        points = [spans[condition][1] for condition, spans in zip(conditions, self._ranges, strict=True)]
        fighters = tuple(
            each if each.hp == hp and not each.used else replace_fields(each, hp=hp, used=())
            for each, hp in zip(state.fighters, points, strict=True)
        )
        return replace_fields(state, fighters=fighters)

    # Actions

    def _list_actions_unless_forced_end(self, core: int, conditions: Conditions) -> tuple[GameAction, ...] | None:
        """Return the actions of a moment, or None if the turn can only end.

        The health of others matters only to healers and policies.
        """
        seat = self.seats[self.cores[core].active]
        me = self.fighters[seat]
        policy = self.policies.get(me.side)
        sees_all = policy is not None or me.level("healing") > 0
        known = (core, conditions if sees_all else (conditions[seat],))
        if known not in self._lists:
            state = self._build_representative_state(core, conditions)
            found = self.list_best_useful_actions(state)
            if policy is not None:
                found = [policy(state, found)]
            is_over = len(found) == 1 and found[0].do == END_TURN.do
            self._lists[known] = (
                None
                if is_over
                else tuple(self._get_or_compute_action(state, core, conditions[seat], each) for each in found)
            )
        return self._lists[known]

    def list_best_useful_actions(self, state: EncounterState) -> list[Action]:
        """Return the legal actions that have an effect.

        Of actions that differ only by their added abilities, the highest is returned. If an escape is a loss, escapes
        are excluded, because a fighter that may escape can always do something else. A fighter that may continue after
        the first of two attacks loses nothing by deciding then; with a single enemy there is nothing to decide.
        """
        by_effect: dict[tuple[object, ...], list[Action]] = {}
        actions = legal_actions(state)
        enemies = {each.id for each in state.fighters if each.side != state.fighter(actions[0].actor).side}
        is_open = sum(each.do == DOUBLE_ATTACK.do and {*each.targets} <= enemies for each in actions) > 2
        for action in actions:
            is_other = action.do == DOUBLE_ATTACK.do and (len(action.targets) == 1) != is_open
            if not is_other and action.do not in IDLE_ACTIONS and (self.runs or action.do != ESCAPE.do):
                by_effect.setdefault(_build_effect_key(action), []).append(action)
        return [
            each[0] if len(each) == 1 else each[self._index_of_highest_total(state, each)]
            for each in by_effect.values()
        ]

    def _index_of_highest_total(self, state: EncounterState, actions: Sequence[Action]) -> int:
        """Return the index of the action with the highest total or evade.

        The first of equals wins. Levels and surroundings do not change in an encounter without a map, so the result is
        cached.
        """
        known = (actions[0].actor, actions[0].do, *(action.uses for action in actions))
        found = self._highest.get(known)
        if found is None:
            totals = [_highest_total(state, action) for action in actions]
            found = self._highest[known] = totals.index(max(totals))
        return found

    def _get_or_compute_action(self, state: EncounterState, core: int, condition: int, action: Action) -> GameAction:
        """Return an action of a moment, computed at most once."""
        known = (core, condition, action)
        found = self._acts.get(known)
        if found is None:
            found = self._acts[known] = self._compute_action(state, action)
        return found

    def _compute_action(self, state: EncounterState, action: Action) -> GameAction:
        """Compute an action's outcomes with the engine."""
        merged: dict[tuple[Cores, Change], int] = {}
        known: dict[tuple[Event, ...], Cores] = {}
        once = 0
        ways_out = list_outcomes(state, action)
        for way in ways_out:
            events = way.decision.events
            others = tuple([event for event in events if type(event) not in _LAYER_EVENTS])
            if others not in known:
                after = apply_events(state, others)
                one = self.get_or_add_core_number(after, 0)
                known[others] = (one, self.get_or_add_core_number(after, 1) if self.runs else one)
            row = (known[others], self._encode_damage_or_new_hp(events) if len(others) < len(events) else ())
            merged[row] = merged.get(row, 0) + way.weight
            for event in events:
                if type(event) is OnceUsed:
                    once = self._get_or_add_action_bit(state, event.who, event.do, event.target)
        total = SIDES ** ways_out[0].throws
        return GameAction(action.actor, action, once, tuple((many / total, *row) for row, many in merged.items()))

    def _encode_damage_or_new_hp(self, events: Sequence[Event]) -> Change:
        """Return the change of hit points by events.

        Rules: `hp.damage`, `act.heal.injured`, `act.heal.revive`.
        """
        lost: dict[int, int] = {}
        for event in events:
            if type(event) is Damaged:
                seat = self.seats[event.who]
                lost[seat] = lost.get(seat, 0) + event.damage
            elif type(event) is Healed:
                lost[self.seats[event.who]] = -event.hp
        return tuple(lost.items())

    # Exploration

    def enqueue_next_choice_if_new(self, core: int, conditions: Conditions, side_index: int) -> None:
        """Mark the moment that a core leads to as reachable.

        `side_index` is the side in whose game it is reachable.
        """
        here = self.get_or_compute_choice_or_end(core, conditions)
        if here >= 0 and (here, conditions) not in self.reached[side_index]:
            self.reached[side_index][here, conditions] = None
            self._queue.append((side_index, here, conditions))

    def explore_in_steps(self) -> Iterator[None]:
        """Find every moment that is reachable from those entered.

        It pauses after each menu.
        """
        while self._queue:
            us, here, conditions = self._queue.popleft()
            for act in self.list_menu_or_opponent_escape(here, conditions, us):
                for _, cores, change in act.ways:
                    for after in self.list_health_after_change(conditions, change) if change else (conditions,):
                        self.enqueue_next_choice_if_new(cores[us], after, us)
            yield

    def list_menu_or_opponent_escape(
        self, here: int, conditions: Conditions, maximizing_side: int
    ) -> tuple[GameAction, ...]:
        """List the actions of a menu in the game of a side.

        If the other side can escape, it does, because nothing is worse for `maximizing_side`.
        """
        menu = self.menus[here, conditions]
        if self.runs and self.side_of[menu.seat] != maximizing_side:
            for act in menu.acts:
                if act.action is not None and act.action.do == ESCAPE.do:
                    return (act,)
        return menu.acts

    def list_health_after_change(self, conditions: Conditions, change: Change) -> tuple[Conditions, ...]:
        """List the possible health of everyone after a change of hit points."""
        found = self._after.get((conditions, change))
        if found is None:
            open_to: list[Sequence[int]] = [(each,) for each in conditions]
            for seat, points in change:
                hps = [-points] if points < 0 else [max(0, hp - points) for hp in self._ranges[seat][conditions[seat]]]
                ends = [_classify_health(hp, self.fighters[seat]) for hp in hps]
                open_to[seat] = range(ends[0], ends[-1] + 1)
            found = self._after[conditions, change] = tuple(product(*open_to))
        return found


_LAYER_EVENTS = (Damaged, Healed, OnceUsed)
"""The events whose effects are tracked by layers instead of cores."""


def _classify_health(hp: int, who: Fighter) -> int:
    """Return the health of a fighter with that many hit points, as in `Conditions`."""
    if hp == 0:
        return 0
    return 2 if hp > who.numbers.stamina else 1


def _list_hit_point_ranges_by_health(start: EncounterState) -> tuple[tuple[tuple[int, int], ...], ...]:
    """List the range of hit points that each fighter may have in each health.

    The maximum represents the health in moments. Rules: `hp.healthy`, `hp.injured`.
    """
    are_healed, found = any(each.level("healing") for each in start.fighters), []
    for who in start.fighters:
        stamina = who.numbers.stamina
        most = max(who.hp, stamina + 1) if are_healed and who.numbers.max_hp else max(who.hp, 1)
        injured = max(1, min(stamina, most))
        found.append(((0, 0), (1, injured), (stamina + 1, max(most, stamina + 1))))
    return tuple(found)


def list_next_turn_states(state: EncounterState) -> list[EncounterState]:
    """List one state for each turn that may begin now.

    Fighters that can do nothing are passed over. Rules: `turn.order`, `turn.member-turn`, `turn.member-order`.
    """
    while True:
        waiting, place = _list_next_members_with_turn(state)
        able = [each for each in waiting if not can_turn_be_skipped(state, each)]
        if able:
            return [apply(state, TurnBegan(each.id, *place)) for each in able]
        state = apply(state, TurnPassed(waiting[0].id, *place))


def _list_next_members_with_turn(state: EncounterState) -> tuple[list[Fighter], tuple[int, int]]:
    """Find the members of the next group with turns left, and its round and place.

    The group whose turn it is comes first, as long as a member has not had a turn.
    """
    number, place = state.round, state.place
    here = [each for each in state.list_members(state.initiative[place].group) if each.id not in state.acted]
    while not here:
        place += 1
        if place == len(state.initiative):
            number, place = number + 1, 0
        here = list(state.list_members(state.initiative[place].group))
    return here, (number, place)


def _build_effect_key(action: Action) -> tuple[object, ...]:
    """Build a key for what an action does on success, apart from the total.

    A wrestler's hold also does damage, and a swimmer's evade also dives.
    """
    uses = action.uses or ()
    kind = (action.do == HOLD.do and "wrestling" in uses) or (action.do == EVADE.do and "swimming" in uses)
    return action.do, action.targets, kind


def _highest_total(state: EncounterState, action: Action) -> int:
    """Return an action's total with the highest face, or the bonus of an evade."""
    decision = decide(state, action, FixedRoller())
    if decision.rolls:
        return int(decision.rolls[0].check.total)
    return max((getattr(event, "bonus", 0) for event in decision.events), default=0)


# Keys of cores


def core_key(state: EncounterState, has_shared_groups: bool, escapes_matter: tuple[bool, ...]) -> tuple[object, ...]:
    """Return a key of what can still matter in an encounter without a map.

    States with equal keys continue alike if their hit points and their spent actions, which the key excludes, are
    equal, too. The key also excludes the round, turn numbers, initiative rolls and the causes of delays, except who
    holds a wrestler. `has_shared_groups` says whether a group has several members. If so, the key contains who has had
    a turn, even during a turn. `escapes_matter` says for each fighter whether the key contains if it may escape next.
    Rules: `cond.delayed.expiry`, `act.evade.end`, `act.escape`, `act.wrestling.counter-hold`, `act.engage`."""
    whose = state.initiative[state.place].group if state.turn_over else state.active
    acted = tuple(sorted(state.acted)) if has_shared_groups or state.turn_over else ()
    ledger = state.ledger
    regular: object = ledger.regular if state.rulings.wrestling_double_legacy else bool(ledger.regular)
    opened = (ledger.opened,) if ledger.opened else ()
    turn = () if state.turn_over else (regular, bool(ledger.bonus), *opened)
    fighters = [_fighter_key(state, each, runs) for each, runs in zip(state.fighters, escapes_matter, strict=True)]
    return (whose, state.turn_over, acted, turn, *fighters)


def _fighter_key(state: EncounterState, who: Fighter, runs: bool) -> tuple[object, ...]:
    """Return the part of the key for one fighter."""
    if who.is_away:
        return ("away", who.escaped)
    delay = max([each.until for each in who.delays]) - who.turn if who.delays else -1
    evading = who.evading
    return (
        delay,
        who.panicked_until - who.turn if who.panicked_until else -1,
        (evading.bonus, who.is_deep_evading) if evading and (evading.bonus or who.is_deep_evading) else None,
        runs and _may_escape_this_or_next_turn(state, who, delay),
        tuple(sorted(who.held_by)) if who.delays and who.level("wrestling") else (),
        who.engaged,
        who.engage_penalty,
        who.in_cover,
        who.flying_immune,
    )


def _may_escape_this_or_next_turn(state: EncounterState, who: Fighter, delay: int) -> bool:
    """Return whether an evade still allows an escape, this turn or next. Rule: `act.escape`.

    A delay prevents it.
    """
    is_on_turn = not state.turn_over and state.active == who.id
    if is_on_turn and not state.ledger.regular:
        return who.evaded_last_turn and delay < 0
    return (who.evaded_this_turn if is_on_turn else who.evaded_last_turn) and delay < 1
