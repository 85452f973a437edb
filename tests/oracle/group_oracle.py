"""A solver of fights of two sides by the rules' text alone: every state of the fight's oracle, then value iteration.

Actions that never improve a chance are left out: idling, escaping, harm to the own side, help to the other side,
attacks at incapacitated characters, both targets of a double attack at once, and rolls with less than the best ability.
There is no cover, water or air.
"""

from collections.abc import Iterator
from typing import Any

from tests.oracle import fight_oracle as oracle
from tests.oracle.fight_oracle import State, Step, is_down

LEFT_OUT = {"bonus", "nothing", "escape", "take-cover", "leave-cover", "throw", "blast"}
STILL = 1e-12

Ways = dict[int, float]
"""The results of an action: numbers of states (-1 won, -2 lost) with their chances."""


def key(state: State) -> tuple[Any, ...]:
    """Return everything of a state that can still matter.

    Own turns are counted from the current turn.
    """
    ledger = state["ledger"] if state["active"] else oracle.new_ledger()
    spent = ledger["regular"] and not ledger["second_blow"]
    found: list[Any] = [state["active"], state["group_index"], *state["had_turn"], bool(ledger["regular"]), bool(spent)]
    found += [ledger["second_blow"], ledger["bonus"] and not spent]
    for each in state["characters"].values():
        lasting = [max((until - each["turn"] for until in each[what]), default=-1) for what in ("delays", "panics")]
        held_by = sorted(each["held_by"]) if oracle.level(each, "wrestling") else []
        evade = each["evade"]["bonus"] if each["evade"] else 0
        marks = (each["engaged_attack"] and not spent, each["engage_penalty"])
        found.append((each["hp"], evade, *lasting, *marks, tuple(held_by), tuple(sorted(each["used"]))))
    return tuple(found)


def next_choice(state: State) -> State:
    """Advance a state until a character can act.

    A barred character has its turn and does nothing.
    """
    state = oracle.copied(state)
    while not state["active"]:
        waiting = [name for name in members(state) if name not in state["had_turn"]]
        if not waiting:
            state.update(group_index=(state["group_index"] + 1) % len(state["order"]), had_turn=[])
            continue
        oracle.begin_turn(state, waiting[0])
        if oracle.is_barred(state, waiting[0]):
            oracle.end_turn(state, waiting[0])
    return state


def members(state: State) -> list[str]:
    """Return the group whose turn it is.

    Each group has only one member here, so that no one chooses an order.
    """
    found: list[str] = state["groups"][state["order"][state["group_index"]]]
    assert len(found) == 1
    return found


def acts(state: State) -> Iterator[Step]:
    """Yield the legal actions that can be worth it."""
    name = state["active"]
    side = state["characters"][name]["side"]
    for step in oracle.candidates(state, name):
        do, targets = step["do"], [state["characters"][each] for each in oracle.targets_of(step)]
        if do in LEFT_OUT or (do == "double-attack" and "targets" in step):
            continue
        if do in oracle.ATTACKS and any(each["side"] == side or is_down(each) for each in targets):
            continue
        if do in oracle.SUPPORT and any(each["side"] != side for each in targets):
            continue
        if oracle.broken_by_action(state, name, step):
            continue
        if do not in oracle.ATTACKS or oracle.listed(step["with"]) == oracle.best_choice(state, name, do):
            yield step


def outcomes(state: State, step: Step) -> Iterator[tuple[State, float]]:
    """Yield the states after an action, with their chances.

    Faces with the same effect are one outcome: failures, successes, and the 20.
    """
    if step["do"] not in (*oracle.ATTACKS, *oracle.SUPPORT):
        after = oracle.copied(state)
        oracle.perform(after, step)
        yield after, 1.0
        return
    rolled = []
    for face in (1, 19, 20):
        after = oracle.copied(state)
        rolled.append((after, oracle.perform(after, {**step, "faces": [face]})[0]))
    first = rolled[0][1]
    needed = min(max(first["against"] - first["total"] + first["face"], 1), 20)
    for (after, _roll), faces in zip(rolled, (needed - 1, 20 - needed, 1), strict=True):
        if faces:
            yield after, faces / 20


def chance(start: State, side: str, most: int = 100_000) -> float:
    """Return the chance of winning that a side can guarantee from a state.

    A fight without end is not won. Raises OverflowError if there are more than `most` states.
    """
    numbers: dict[tuple[Any, ...], int] = {}
    waiting: list[State] = []
    owners: list[bool] = []
    ways: list[list[Ways]] = []

    def number(state: State) -> int:
        if oracle.winner(state):
            return -1 if oracle.winner(state) == side else -2
        state = next_choice(state)
        found = key(state)
        if found not in numbers:
            numbers[found] = len(numbers)
            owners.append(state["characters"][state["active"]]["side"] == side)
            ways.append([])
            waiting.append(state)
            if len(numbers) > most:
                raise OverflowError(f"more than {most:,} states")
        return numbers[found]

    root = number(start)
    while waiting:
        state = waiting.pop()
        here = numbers[key(state)]
        for step in acts(state):
            way: Ways = {}
            for after, likely in outcomes(state, step):
                there = number(after)
                way[there] = way.get(there, 0.0) + likely
            ways[here].append(way)
    return swept(owners, ways)[root]


def swept(owners: list[bool], ways: list[list[Ways]]) -> list[float]:
    """Iterate the values upwards from 0 until nothing changes."""
    values, change = [*[0.0] * len(owners), 0.0, 1.0], 1.0  # index -1: won; index -2: lost
    while change > STILL:
        change = 0.0
        for here in reversed(range(len(owners))):
            found = [sum(values[to] * likely for to, likely in way.items()) for way in ways[here]]
            best = max(found) if owners[here] else min(found)
            change, values[here] = max(change, best - values[here]), best
    return values
