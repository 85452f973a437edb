"""The game as the engine tells it, asked as rarely as can be.

What an action brings depends on hit points only through healthy, injured or down, and on what has been used up only
through what is still legal. So the engine is asked about *moments*: who stands how, with hit points that stand for a
condition, and nothing used up. `layers` lays its answers over all hit points. Nothing of the rules is told again here
but which parts of a state can still matter (`core_key`); a test holds both against the game state by state.

Words: a *core* is what matters of a state besides hit points and acts used up; a *moment* is a core with everyone's
condition; a *menu* is what whoever has the choice in a moment may do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from scratch_core.encounter.actions import Action, can_be_passed_over
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
from scratch_core.fast_replace import replace_fields
from scratch_core.odds.outcomes import SIDES, list_outcomes
from scratch_core.rulebook.actions import DOUBLE_ATTACK, END_TURN, ESCAPE, EVADE, HOLD, NOTHING, SMALL_ACT

Escape = Literal["draw", "loss"]
ESCAPES: tuple[Escape, ...] = ("draw", "loss")
"""What an escape counts as: no one wins, or whoever escapes has lost."""

Policy = Callable[[EncounterState, Sequence[Action]], Action]
"""A way to choose: from a state and the legal acts that do anything, the one to do. It looks at conditions, not at hit
points, and at nothing used up, for it is asked about moments."""

Conditions = tuple[int, ...]
"""Of each fighter in the file's order: 0 down, 1 injured, 2 healthy."""

Change = tuple[tuple[int, int], ...]
"""What an act does to hit points: a fighter's number, and the points lost or, below 0, minus the number healed to."""

IDLE_ACTIONS = (SMALL_ACT.do, NOTHING.do)
"""Acts that only use up what the turn has: never better than ending the turn, so they are left out."""

NOBODY, ENDLESS = -1, -2
"""Where a fight has ended without a winner, or will never end. Side number n has won: -3 - n."""


def encode_winner(side: int) -> int:
    """The end at which that side has won."""
    return -3 - side


Cores = tuple[int, int]
"""The core of a state as it matters for the chances of side 0, and of side 1."""


@dataclass(frozen=True, slots=True)
class GameAction:
    """Something that may be done: the action, or whose turn begins when that is to choose.

    `once` is the bit of what it uses up, 0 for nothing. `ways` are chance, cores after it, and change of hit points.
    """

    who: str
    action: Action | None
    once: int
    ways: tuple[tuple[float, Cores, Change], ...]


@dataclass(frozen=True, slots=True)
class DecisionNode:
    """Whose choice it is, as a number in the file's order, and the acts."""

    seat: int
    acts: tuple[GameAction, ...]


class GameGraph:
    """The moments of a fight between two sides, found one after the other; `explore` finds all there can be.

    Each side's chance to win is a game of its own, and they differ in one thing: an escape is worth nothing to whoever
    wants to win, so in the game of a side no one of it escapes, and whether someone of it could doesn't matter.
    """

    def __init__(
        self, start: EncounterState, escape: Escape = "draw", policies: Mapping[str, Policy] | None = None
    ) -> None:
        self.runs = escape == "draw"
        self.policies = dict(policies or {})
        self.fighters = start.fighters
        self.seats = {each.id: seat for seat, each in enumerate(start.fighters)}
        self.sides = tuple(dict.fromkeys(each.side for each in start.fighters))
        assert len(self.sides) == 2, "a game of two sides"
        self.side_of = tuple(self.sides.index(each.side) for each in start.fighters)
        self.menus: dict[tuple[int, Conditions], DecisionNode] = {}
        self.settled: dict[tuple[int, Conditions], int] = {}
        self.reached: tuple[dict[tuple[int, Conditions], None], ...] = ({}, {})
        self.cores: list[EncounterState] = []
        self._are_shared = len(start.list_groups()) < len(start.fighters)
        self._ranges = _ranges(start)
        self._wrestlers = tuple(each.level("wrestling") > 0 for each in start.fighters)
        self._bits: dict[tuple[str, str, str], int] = {}
        self._numbers: dict[tuple[object, ...], int] = {}
        self._acts: dict[tuple[int, int, Action], GameAction] = {}
        self._lists: dict[tuple[int, Conditions], tuple[GameAction, ...] | None] = {}
        self._highest: dict[tuple[object, ...], int] = {}
        self._after: dict[tuple[Conditions, Change], tuple[Conditions, ...]] = {}
        self._ended: dict[int, int] = {}
        self._begun: dict[tuple[int, Conditions], tuple[int, ...]] = {}
        self._todo: deque[tuple[int, int, Conditions]] = deque()

    # What matters

    def core(self, state: EncounterState, us: int) -> int:
        """The number of a state's core in the game of a side; a new one when nothing like it has come up."""
        return self._numbered(self._key(state, us), lambda: self._without_escapes(state, us))

    def _numbered(self, key: tuple[object, ...], core: Callable[[], EncounterState]) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.cores)
            self.cores.append(core())
        return number

    def known_core(self, state: EncounterState, us: int) -> int | None:
        """The number of a state's core, None when it hasn't come up."""
        return self._numbers.get(self._key(state, us))

    def _key(self, state: EncounterState, us: int) -> tuple[object, ...]:
        return core_key(state, self._are_shared, self._runners(us))

    def _runners(self, us: int) -> tuple[bool, ...]:
        return tuple([self.runs and side != us for side in self.side_of])

    def _without_escapes(self, state: EncounterState, us: int) -> EncounterState:
        """A state in which those can't escape whose escapes don't matter: so it is the same in both games."""
        fighters = tuple(
            each if runs else replace_fields(each, evaded_this_turn=False, evaded_last_turn=False)
            for each, runs in zip(state.fighters, self._runners(us), strict=True)
        )
        return replace_fields(state, fighters=fighters)

    def conditions(self, hps: Sequence[int]) -> Conditions:
        """Everyone's condition. Rules: `hp.healthy`, `hp.injured`, `hp.incapacitated`."""
        return tuple([_condition(hp, each) for hp, each in zip(hps, self.fighters, strict=True)])

    def encode_used_actions(self, state: EncounterState) -> int:
        """What has been used up, as bits. Rule: `act.unrepeatable`."""
        found = 0
        for each in state.fighters:
            for do, target in each.used:
                found |= self._bit(state, each.id, do, target)
        return found

    def _bit(self, state: EncounterState, who: str, do: str, target: str) -> int:
        against = target if state.rulings.unrepeatable_scope == "pair" else ""
        return self._bits.setdefault((who, do, against), 1 << len(self._bits))

    # From a core to the next choice

    def settle(self, core: int, conditions: Conditions) -> int:
        """The core of the choice that a core leads to by itself, or an end: turns pass where no one can do a thing."""
        found = self.settled.get((core, conditions))
        if found is None:
            found = self.settled[core, conditions] = self._settled(core, conditions)
        return found

    def _settled(self, core: int, conditions: Conditions) -> int:
        end = self._end(self.cores[core], conditions)
        if end:
            return end
        passed: set[int] = set()
        while core not in passed:
            if (core, conditions) in self.menus:
                return core
            passed.add(core)
            state = self.cores[core]
            if state.turn_over:
                began = self._next_turns(core, conditions)
                if len(began) > 1:
                    turns = tuple(
                        GameAction(self.cores[each].active, None, 0, ((1.0, (each, each), ()),)) for each in began
                    )
                    self.menus[core, conditions] = DecisionNode(self.seats[turns[0].who], turns)
                    return core
                core = began[0]
                continue
            acts = self._listed(core, conditions)
            if acts is not None:
                self.menus[core, conditions] = DecisionNode(self.seats[state.active], acts)
                return core
            core = self._turn_ended(core)
        return ENDLESS

    def _end(self, state: EncounterState, conditions: Conditions) -> int:
        """How the fight has ended, 0 while it goes on. Rules: `hp.incapacitated`, `act.escape.effect`."""
        there = [condition > 0 and not each.is_away for each, condition in zip(state.fighters, conditions, strict=True)]
        left = {side for side, is_there in zip(self.side_of, there, strict=True) if is_there}
        if self.runs and any(each.escaped for each in state.fighters):
            return NOBODY
        if len(left) == 2:
            return 0
        return encode_winner(left.pop()) if left else NOBODY

    def _turn_ended(self, core: int) -> int:
        """The core when the turn in it ends; which sides' escapes matter stays as it is in the core."""
        found = self._ended.get(core)
        if found is None:
            state = self.cores[core]
            found = self._ended[core] = self._same_game(apply(state, TurnEnded(state.active)))
        return found

    def _next_turns(self, core: int, conditions: Conditions) -> tuple[int, ...]:
        """The cores of the turns that may begin. Who is down, and which wrestler is healthy, is all that counts."""
        known = tuple([min(each, 1 + wrestles) for each, wrestles in zip(conditions, self._wrestlers, strict=True)])
        found = self._begun.get((core, known))
        if found is None:
            turns = next_turns(self._placed(core, conditions))
            found = self._begun[core, known] = tuple(self._same_game(each) for each in turns)
        return found

    def _same_game(self, state: EncounterState) -> int:
        """The core of a state that came of a core's own: no one can escape in it whose escapes didn't matter there."""
        key = core_key(state, self._are_shared, (self.runs,) * len(self.fighters))
        return self._numbered(key, lambda: state)

    def _placed(self, core: int, conditions: Conditions) -> EncounterState:
        """A core's state with hit points that stand for conditions, and nothing used up."""
        state = self.cores[core]
        points = [spans[condition][1] for condition, spans in zip(conditions, self._ranges, strict=True)]
        fighters = tuple(
            each if each.hp == hp and not each.used else replace_fields(each, hp=hp, used=())
            for each, hp in zip(state.fighters, points, strict=True)
        )
        return replace_fields(state, fighters=fighters)

    # What may be done

    def _listed(self, core: int, conditions: Conditions) -> tuple[GameAction, ...] | None:
        """The acts of a moment, None when the turn can only end. Others' conditions matter to healers and policies."""
        seat = self.seats[self.cores[core].active]
        me = self.fighters[seat]
        policy = self.policies.get(me.side)
        sees_all = policy is not None or me.level("healing") > 0
        known = (core, conditions if sees_all else (conditions[seat],))
        if known not in self._lists:
            state = self._placed(core, conditions)
            found = self.list_useful_actions(state)
            if policy is not None:
                found = [policy(state, found)]
            is_over = len(found) == 1 and found[0].do == END_TURN.do
            self._lists[known] = (
                None if is_over else tuple(self._act(state, core, conditions[seat], each) for each in found)
            )
        return self._lists[known]

    def list_useful_actions(self, state: EncounterState) -> list[Action]:
        """The legal acts that do anything; of those that differ by what is added alone, the highest.

        Where escaping is losing, no one escapes who can do anything else, and whoever may escape can. Whoever may go on
        after the first of two blows loses nothing by waiting for it; with one enemy there is nothing to wait for.
        """
        kept: dict[tuple[object, ...], list[Action]] = {}
        actions = legal_actions(state)
        enemies = {each.id for each in state.fighters if each.side != state.fighter(actions[0].actor).side}
        is_open = sum(each.do == DOUBLE_ATTACK.do and {*each.targets} <= enemies for each in actions) > 2
        for action in actions:
            is_other = action.do == DOUBLE_ATTACK.do and (len(action.targets) == 1) != is_open
            if not is_other and action.do not in IDLE_ACTIONS and (self.runs or action.do != ESCAPE.do):
                kept.setdefault(_effect(action), []).append(action)
        return [each[0] if len(each) == 1 else each[self._best(state, each)] for each in kept.values()]

    def _best(self, state: EncounterState, actions: Sequence[Action]) -> int:
        """Which of these actions has the highest total or evade, of equals the first.

        Levels and surroundings stay as they are in an encounter without a board, so it is the same all along.
        """
        known = (actions[0].actor, actions[0].do, *(action.uses for action in actions))
        found = self._highest.get(known)
        if found is None:
            added = [_added(state, action) for action in actions]
            found = self._highest[known] = added.index(max(added))
        return found

    def _act(self, state: EncounterState, core: int, condition: int, action: Action) -> GameAction:
        known = (core, condition, action)
        found = self._acts.get(known)
        if found is None:
            found = self._acts[known] = self._asked(state, action)
        return found

    def _asked(self, state: EncounterState, action: Action) -> GameAction:
        """An act as the engine tells it."""
        merged: dict[tuple[Cores, Change], int] = {}
        known: dict[tuple[Event, ...], Cores] = {}
        once = 0
        ways_out = list_outcomes(state, action)
        for way in ways_out:
            events = way.decision.events
            others = tuple([event for event in events if type(event) not in _LAID_OVER])
            if others not in known:
                after = apply_events(state, others)
                one = self.core(after, 0)
                known[others] = (one, self.core(after, 1) if self.runs else one)
            row = (known[others], self._change(events) if len(others) < len(events) else ())
            merged[row] = merged.get(row, 0) + way.weight
            for event in events:
                if type(event) is OnceUsed:
                    once = self._bit(state, event.who, event.do, event.target)
        total = SIDES ** ways_out[0].throws
        return GameAction(action.actor, action, once, tuple((many / total, *row) for row, many in merged.items()))

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

    def enter(self, core: int, conditions: Conditions, us: int) -> None:
        """Note that a core may come up in the game of a side, and what it leads to."""
        here = self.settle(core, conditions)
        if here >= 0 and (here, conditions) not in self.reached[us]:
            self.reached[us][here, conditions] = None
            self._todo.append((us, here, conditions))

    def explore(self) -> Iterator[None]:
        """Find every moment that the acts of those found so far may lead to; it pauses after each menu."""
        while self._todo:
            us, here, conditions = self._todo.popleft()
            for act in self.acts(here, conditions, us):
                for _, cores, change in act.ways:
                    for after in self.after(conditions, change) if change else (conditions,):
                        self.enter(cores[us], after, us)
            yield

    def acts(self, here: int, conditions: Conditions, us: int) -> tuple[GameAction, ...]:
        """The acts of a menu in the game of a side: where the other side can escape it does, for nothing is worse."""
        menu = self.menus[here, conditions]
        if self.runs and self.side_of[menu.seat] != us:
            for act in menu.acts:
                if act.action is not None and act.action.do == ESCAPE.do:
                    return (act,)
        return menu.acts

    def after(self, conditions: Conditions, change: Change) -> tuple[Conditions, ...]:
        """The conditions that a change of hit points may lead to."""
        found = self._after.get((conditions, change))
        if found is None:
            open_to: list[Sequence[int]] = [(each,) for each in conditions]
            for seat, points in change:
                hps = [-points] if points < 0 else [max(0, hp - points) for hp in self._ranges[seat][conditions[seat]]]
                ends = [_condition(hp, self.fighters[seat]) for hp in hps]
                open_to[seat] = range(ends[0], ends[-1] + 1)
            found = self._after[conditions, change] = tuple(product(*open_to))
        return found


_LAID_OVER = (Damaged, Healed, OnceUsed)
"""The events whose effect is laid over the moments by layers."""


def _condition(hp: int, who: Fighter) -> int:
    if hp == 0:
        return 0
    return 2 if hp > who.numbers.stamina else 1


def _ranges(start: EncounterState) -> tuple[tuple[tuple[int, int], ...], ...]:
    """The hit points that each fighter may have in each condition, from the fewest to the most.

    The most is what stands for the condition when the engine is asked. Rules: `hp.healthy`, `hp.injured`.
    """
    are_healed, found = any(each.level("healing") for each in start.fighters), []
    for who in start.fighters:
        stamina = who.numbers.stamina
        most = max(who.hp, stamina + 1) if are_healed and who.numbers.max_hp else max(who.hp, 1)
        injured = max(1, min(stamina, most))
        found.append(((0, 0), (1, injured), (stamina + 1, max(most, stamina + 1))))
    return tuple(found)


def next_turns(state: EncounterState) -> list[EncounterState]:
    """The turns that may begin now, everyone passed over who can do nothing: one state for each.

    Rules: `turn.order`, `turn.member-turn`, `turn.member-order`.
    """
    while True:
        waiting, place = _waiting(state)
        able = [each for each in waiting if not can_be_passed_over(state, each)]
        if able:
            return [apply(state, TurnBegan(each.id, *place)) for each in able]
        state = apply(state, TurnPassed(waiting[0].id, *place))


def _waiting(state: EncounterState) -> tuple[list[Fighter], tuple[int, int]]:
    """Who of the group on turn has not had a turn, or the next group that has anyone; its round and place."""
    number, place = state.round, state.place
    here = [each for each in state.list_members(state.initiative[place].group) if each.id not in state.acted]
    while not here:
        place += 1
        if place == len(state.initiative):
            number, place = number + 1, 0
        here = list(state.list_members(state.initiative[place].group))
    return here, (number, place)


def _effect(action: Action) -> tuple[object, ...]:
    """What an action does when it succeeds, whatever it adds: a wrestler's hold also hurts, and swimmers dive."""
    uses = action.uses or ()
    kind = (action.do == HOLD.do and "wrestling" in uses) or (action.do == EVADE.do and "swimming" in uses)
    return action.do, action.targets, kind


def _added(state: EncounterState, action: Action) -> int:
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


def core_key(state: EncounterState, are_shared: bool, runners: tuple[bool, ...]) -> tuple[object, ...]:
    """What can still matter of a state in an encounter without a board, hit points and acts used up aside.

    Not the round, nor the number of a turn, nor who caused a delay, nor faces of initiative. `are_shared`: whether a
    group has several members, so that it matters who has had its turn. `runners`: whose escapes matter.
    Rules: `cond.delayed.expiry`, `act.evade.end`, `act.escape`, `act.wrestling.counter-hold`, `act.engage`.
    """
    whose = state.initiative[state.place].group if state.turn_over else state.active
    acted = tuple(sorted(state.acted)) if are_shared or state.turn_over else ()
    ledger = state.ledger
    regular: object = ledger.regular if state.rulings.wrestling_double_legacy else bool(ledger.regular)
    opened = (ledger.opened,) if ledger.opened else ()
    turn = () if state.turn_over else (regular, bool(ledger.bonus), *opened)
    fighters = [_fighter_key(state, each, runs) for each, runs in zip(state.fighters, runners, strict=True)]
    return (whose, state.turn_over, acted, turn, *fighters)


def _fighter_key(state: EncounterState, who: Fighter, runs: bool) -> tuple[object, ...]:
    if who.is_away:
        return ("away", who.escaped)
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


def _may_escape_next(state: EncounterState, who: Fighter, delay: int) -> bool:
    """Whether an evade still opens an escape, in this turn or the next: a delay takes it away. Rule: `act.escape`."""
    is_on_turn = not state.turn_over and state.active == who.id
    if is_on_turn and not state.ledger.regular:
        return who.evaded_last_turn and delay < 0
    return (who.evaded_this_turn if is_on_turn else who.evaded_last_turn) and delay < 1
