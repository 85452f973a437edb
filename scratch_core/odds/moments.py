"""The game as the engine tells it, asked as rarely as can be.

What an action brings depends on hit points only through healthy, injured or down, and on what has been used up only
through what is still legal. So the engine is asked about *moments*: who stands how, with hit points that stand for a
condition, and nothing used up. `layers` lays its answers over all hit points. Nothing of the rules is told again here
but which parts of a state can still matter (`core_key`); a test holds both against the game state by state.

Words: a *core* is what matters of a state besides hit points and acts used up; a *moment* is a core with everybody's
condition; a *menu* is what whoever has the choice in a moment may do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

from scratch_core.actions import Action, is_barred
from scratch_core.cards import END_TURN, ESCAPE, EVADE, HOLD, NOTHING, SMALL_ACT
from scratch_core.encounter import apply, decide, legal_actions, replay
from scratch_core.odds.outcomes import SIDES, ways
from scratch_core.state import Damaged, Event, Fighter, Healed, OnceUsed, State, TurnBegan, TurnEnded, TurnPassed

Escape = Literal["draw", "loss"]
ESCAPES: tuple[Escape, ...] = ("draw", "loss")
"""What an escape counts as: nobody wins, or whoever escapes has lost."""

Policy = Callable[[State, Sequence[Action]], Action]
"""A way to choose: from a state and the legal acts that do anything, the one to do. It looks at conditions, not at hit
points, and at nothing used up, for it is asked about moments."""

Conditions = tuple[int, ...]
"""Of each fighter in the file's order: 0 down, 1 injured, 2 healthy."""

Change = tuple[tuple[int, int], ...]
"""What an act does to hit points: a fighter's number, and the points lost or, below 0, minus the number healed to."""

IDLE = (SMALL_ACT.do, NOTHING.do)
"""Acts that only use up what the turn has: never better than ending the turn, so they are left out."""

NOBODY, ENDLESS = -1, -2
"""Where a fight has ended without a winner, or will never end. Side number n has won: -3 - n."""


def won_by(side: int) -> int:
    """The end at which that side has won."""
    return -3 - side


@dataclass(frozen=True, slots=True)
class Act:
    """Something that may be done: the action, or whose turn begins when that is to choose.

    `once` is the bit of what it uses up, 0 for nothing. `ways` are chance, core after it, and change of hit points.
    """

    who: str
    action: Action | None
    once: int
    ways: tuple[tuple[float, int, Change], ...]


@dataclass(frozen=True, slots=True)
class Menu:
    """Whose choice it is, as a number in the file's order, and the acts."""

    seat: int
    acts: tuple[Act, ...]


class Moments:
    """The moments of a fight between two sides, found one after the other; `explore` finds all there can be."""

    def __init__(self, start: State, escape: Escape = "draw", policies: Mapping[str, Policy] | None = None) -> None:
        self.runs = escape == "draw"
        self.policies = dict(policies or {})
        self.fighters = start.fighters
        self.seats = {each.id: seat for seat, each in enumerate(start.fighters)}
        self.sides = tuple(dict.fromkeys(each.side for each in start.fighters))
        assert len(self.sides) == 2, "a game of two sides"
        self.side_of = tuple(self.sides.index(each.side) for each in start.fighters)
        self.are_shared = len(start.groups()) < len(start.fighters)
        self.ranges = _ranges(start)
        self.states: list[State] = []
        self.menus: dict[tuple[int, Conditions], Menu] = {}
        self.settled: dict[tuple[int, Conditions], int] = {}
        self.bits: dict[tuple[str, str, str], int] = {}
        self._cores: dict[tuple[object, ...], int] = {}
        self._acts: dict[tuple[int, int, Action], Act] = {}
        self._lists: dict[tuple[int, Conditions], tuple[Act, ...] | None] = {}
        self._after: dict[tuple[Conditions, Change], tuple[Conditions, ...]] = {}
        self._todo: deque[tuple[int, Conditions]] = deque()

    # What matters

    def core(self, state: State) -> int:
        """The number of a state's core; a new one when nothing like it has come up."""
        key = core_key(state, self.runs, self.are_shared)
        number = self._cores.get(key)
        if number is None:
            number = self._cores[key] = len(self.states)
            self.states.append(state)
        return number

    def known_core(self, state: State) -> int | None:
        """The number of a state's core, None when it hasn't come up."""
        return self._cores.get(core_key(state, self.runs, self.are_shared))

    def conditions(self, hps: Sequence[int]) -> Conditions:
        """Everybody's condition. Rules: `hp.healthy`, `hp.injured`, `hp.incapacitated`."""
        return tuple(
            [
                0 if not hp else 2 if hp > each.numbers.stamina else 1
                for hp, each in zip(hps, self.fighters, strict=True)
            ]
        )

    def used(self, state: State) -> int:
        """What has been used up, as bits. Rule: `act.unrepeatable`."""
        found = 0
        for each in state.fighters:
            for do, target in each.used:
                found |= self._bit(state, each.id, do, target)
        return found

    def _bit(self, state: State, who: str, do: str, target: str) -> int:
        against = target if state.rulings.unrepeatable_scope == "pair" else ""
        return self.bits.setdefault((who, do, against), 1 << len(self.bits))

    # From a core to the next choice

    def settle(self, core: int, conditions: Conditions) -> int:
        """The core of the choice that a core leads to by itself, or an end: turns pass where nobody can do a thing."""
        found = self.settled.get((core, conditions))
        if found is None:
            found = self.settled[core, conditions] = self._settled(self._placed(core, conditions), conditions)
        return found

    def _placed(self, core: int, conditions: Conditions) -> State:
        state = self.states[core]
        standing = zip(state.fighters, conditions, self.ranges, strict=True)
        fighters = tuple(replace(each, hp=spans[condition][1], used=()) for each, condition, spans in standing)
        return replace(state, fighters=fighters)

    def _settled(self, state: State, conditions: Conditions) -> int:
        end = self._end(state)
        if end:
            return end
        passed = set()
        while True:
            here = self.core(state)
            if (here, conditions) in self.menus:
                return here
            if here in passed:
                return ENDLESS
            passed.add(here)
            if state.turn_over:
                began = next_turns(state)
                if len(began) == 1:
                    state = began[0]
                    continue
                acts = tuple(Act(each.active, None, 0, ((1.0, self.core(each), ()),)) for each in began)
                return self._open(here, conditions, began[0].active, acts)
            listed = self._listed(state, here, conditions)
            if listed is not None:
                return self._open(here, conditions, state.active, listed)
            state = apply(state, TurnEnded(state.active))

    def _open(self, here: int, conditions: Conditions, who: str, acts: tuple[Act, ...]) -> int:
        self.menus[here, conditions] = Menu(self.seats[who], acts)
        self._todo.append((here, conditions))
        return here

    def _end(self, state: State) -> int:
        """How the fight has ended, 0 while it goes on. Rules: `hp.incapacitated`, `act.escape.effect`."""
        left = {each.side for each in state.fighters if not each.is_down and not each.escaped}
        if len(left) == 2:
            return 0
        if not left or (self.runs and any(each.escaped for each in state.fighters)):
            return NOBODY
        return won_by(self.sides.index(left.pop()))

    # What may be done

    def _listed(self, state: State, here: int, conditions: Conditions) -> tuple[Act, ...] | None:
        """The acts of a moment, None when the turn can only end. Others' conditions matter to healers and policies."""
        me = state.fighter(state.active)
        seat = self.seats[me.id]
        policy = self.policies.get(me.side)
        sees_all = policy is not None or me.level("healing") > 0
        known = (here, conditions if sees_all else (conditions[seat],))
        if known not in self._lists:
            found = self._useful(state)
            if policy is not None:
                found = [policy(state, found)]
            is_over = len(found) == 1 and found[0].do == END_TURN.do
            acts = tuple(self._act(state, here, conditions[seat], each) for each in found)
            self._lists[known] = None if is_over else acts
        return self._lists[known]

    def _useful(self, state: State) -> list[Action]:
        """The legal acts that do anything; of those that differ by what is added alone, the highest.

        Where escaping is losing, nobody escapes who can do anything else, and whoever may escape can.
        """
        kept: dict[tuple[object, ...], list[Action]] = {}
        for action in legal_actions(state):
            if action.do not in IDLE and (self.runs or action.do != ESCAPE.do):
                kept.setdefault(_effect(action), []).append(action)
        return [each[0] if len(each) == 1 else _highest(state, each) for each in kept.values()]

    def _act(self, state: State, here: int, condition: int, action: Action) -> Act:
        known = (here, condition, action)
        found = self._acts.get(known)
        if found is None:
            found = self._acts[known] = self._asked(state, action)
        return found

    def _asked(self, state: State, action: Action) -> Act:
        """An act as the engine tells it."""
        merged: dict[tuple[int, Change], int] = {}
        once = 0
        ways_out = ways(state, action)
        for way in ways_out:
            events = way.decision.events
            row = (self.core(replay(state, events)), self._change(events))
            merged[row] = merged.get(row, 0) + way.weight
            for event in events:
                if type(event) is OnceUsed:
                    once = self._bit(state, event.who, event.do, event.target)
        total = SIDES ** ways_out[0].throws
        return Act(action.actor, action, once, tuple((many / total, *row) for row, many in merged.items()))

    def _change(self, events: Sequence[Event]) -> Change:
        """What events do to hit points. Rules: `hp.damage`, `act.heal.injured`, `act.heal.revive`."""
        lost: dict[int, int] = {}
        for event in events:
            if type(event) is Damaged:
                seat = self.seats[event.who]
                lost[seat] = lost.get(seat, 0) + event.damage
            elif type(event) is Healed:
                lost[self.seats[event.who]] = -event.hp
        return tuple(lost.items())

    # All there can be

    def explore(self) -> Iterator[None]:
        """Find every moment that the acts of those found so far may lead to; it pauses after each menu."""
        while self._todo:
            here, conditions = self._todo.popleft()
            for act in self.menus[here, conditions].acts:
                for _, core, change in act.ways:
                    for after in self.after(conditions, change) if change else (conditions,):
                        self.settle(core, after)
            yield

    def after(self, conditions: Conditions, change: Change) -> tuple[Conditions, ...]:
        """The conditions that a change of hit points may lead to."""
        found = self._after.get((conditions, change))
        if found is None:
            open_to: list[Sequence[int]] = [(each,) for each in conditions]
            for seat, points in change:
                open_to[seat] = self._conditions_after(seat, conditions[seat], points)
            found = self._after[conditions, change] = tuple(product(*open_to))
        return found

    def _conditions_after(self, seat: int, condition: int, points: int) -> Sequence[int]:
        stamina = self.fighters[seat].numbers.stamina
        if points < 0:
            return (2 if -points > stamina else 1,)
        low, high = (max(0, hp - points) for hp in self.ranges[seat][condition])
        least, most = (0 if not hp else 2 if hp > stamina else 1 for hp in (low, high))
        return range(least, most + 1)


def _ranges(start: State) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The hit points that each fighter may have in each condition, from the fewest to the most.

    The most is what stands for the condition when the engine is asked. Rules: `hp.healthy`, `hp.injured`.
    """
    are_healed = any(each.level("healing") for each in start.fighters)
    return tuple(_spans(each, are_healed) for each in start.fighters)


def _spans(who: Fighter, is_healed: bool) -> tuple[tuple[int, int], ...]:
    stamina = who.numbers.stamina
    most = max(who.hp, stamina + 1) if is_healed and who.numbers.max_hp else max(who.hp, 1)
    injured = max(1, min(stamina, most))
    return (0, 0), (1, injured), (stamina + 1, max(most, stamina + 1))


def next_turns(state: State) -> list[State]:
    """The turns that may begin now, everybody passed over who can do nothing: one state for each.

    Rules: `turn.order`, `turn.member-turn`, `turn.member-order`.
    """
    while True:
        waiting, place = _waiting(state)
        able = [each for each in waiting if not is_barred(state, each)]
        if able:
            return [apply(state, TurnBegan(each.id, *place)) for each in able]
        state = apply(state, TurnPassed(waiting[0].id, *place))


def _waiting(state: State) -> tuple[list[Fighter], tuple[int, int]]:
    """Who of the group on turn has not had a turn, or the next group that has anybody; its round and place."""
    number, place = state.round, state.place
    here = [each for each in state.members(state.initiative[place].group) if each.id not in state.acted]
    while not here:
        place += 1
        if place == len(state.initiative):
            number, place = number + 1, 0
        here = list(state.members(state.initiative[place].group))
    return here, (number, place)


def _effect(action: Action) -> tuple[object, ...]:
    """What an action does when it succeeds, whatever it adds: a wrestler's hold also hurts, and swimmers dive."""
    uses = action.uses or ()
    kind = (action.do == HOLD.do and "wrestling" in uses) or (action.do == EVADE.do and "swimming" in uses)
    return action.do, action.targets, kind


def _highest(state: State, actions: Sequence[Action]) -> Action:
    """The action whose total, or evade, is highest, as the engine works it out; of equals the first."""
    return max(actions, key=lambda action: _added(state, action))


def _added(state: State, action: Action) -> int:
    decision = decide(state, action, _Top())
    if decision.rolls:
        return int(decision.rolls[0].check.total)
    return max((getattr(event, "bonus", 0) for event in decision.events), default=0)


class _Top:
    """A roller whose every face is the highest."""

    def roll(self, sides: int) -> int:
        """The highest face."""
        return sides


# What can still matter


def core_key(state: State, runs: bool, are_shared: bool) -> tuple[object, ...]:
    """What can still matter of a state in an encounter without a board, hit points and acts used up aside.

    Not the round, nor the number of a turn, nor who caused a delay, nor faces of initiative. `runs`: whether who may
    escape matters. `are_shared`: whether a group has several members, so that it matters who has had its turn.
    Rules: `cond.delayed.expiry`, `act.evade.end`, `act.escape`, `act.wrestling.counter-hold`, `act.engage`.
    """
    whose = state.initiative[state.place].group if state.turn_over else state.active
    acted = tuple(sorted(state.acted)) if are_shared or state.turn_over else ()
    ledger = state.ledger
    regular: object = ledger.regular if state.rulings.wrestling_double_legacy else bool(ledger.regular)
    turn = () if state.turn_over else (regular, bool(ledger.bonus))
    return (whose, state.turn_over, acted, turn, *[_fighter_key(state, each, runs) for each in state.fighters])


def _fighter_key(state: State, who: Fighter, runs: bool) -> tuple[object, ...]:
    if who.escaped:
        return ("gone",)
    delay = max([each.until for each in who.delays]) - who.turn if who.delays else -1
    evading = who.evading
    return (
        delay,
        who.panicked_until - who.turn if who.panicked_until else -1,
        (evading.bonus, who.is_deep_evading) if evading and (evading.bonus or who.is_deep_evading) else None,
        runs and _may_escape_next(state, who, delay),
        tuple(sorted(who.held_by)) if who.delays and who.level("wrestling") else (),
        who.engaged,
        who.engage_penalty,
        who.in_cover,
        who.flying_immune,
    )


def _may_escape_next(state: State, who: Fighter, delay: int) -> bool:
    """Whether an evade still opens an escape, in this turn or the next: a delay takes it away. Rule: `act.escape`."""
    is_on_turn = not state.turn_over and state.active == who.id
    if is_on_turn and not state.ledger.regular:
        return who.evaded_last_turn and delay < 0
    return (who.evaded_this_turn if is_on_turn else who.evaded_last_turn) and delay < 1
