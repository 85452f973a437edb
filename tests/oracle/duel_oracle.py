"""A duel solved the plain way, to hold the odds against: every state, act and roll, then sweeps until it stands.

Written from the rules of the game and the public words of `scratch_core.odds`, without reading how those are made.
Nothing is merged and nothing is guessed: two states are one only if they differ by how many turns have gone by,
or by how often somebody has done nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from scratch_core.actions import Action
from scratch_core.encounter import decide, legal_actions, replay
from scratch_core.state import Fighter, State

IDLE = {"end-encounter", "check", "craft", "bonus", "nothing"}
"""What belongs to no duel, and what only uses an action up: a turn can be ended instead."""
STILL = 1e-14

Ways = list[tuple[int, float]]
"""Where an act leads: numbers of states with their chances."""


def relative(fighter: Fighter) -> Fighter:
    """A fighter with its own turns counted from the one now on."""

    def from_now(until: int) -> int:
        return until - fighter.turn + 1_000 if until else 0

    return replace(
        fighter,
        turn=1_000,
        delays=tuple(sorted({replace(each, until=from_now(each.until)) for each in fighter.delays}, key=repr)),
        panicked_until=from_now(fighter.panicked_until),
        immobilized_until=from_now(fighter.immobilized_until),
        escape_banned_until=from_now(fighter.escape_banned_until),
        used=tuple(sorted(fighter.used)),
        fresh=False,
    )


def settled(state: State) -> State:
    """The same moment, whatever has gone before it; the engine goes on from it as from the real one."""
    fighters = tuple(relative(each) for each in state.fighters)
    ledger = replace(state.ledger, regular=tuple(dict.fromkeys(state.ledger.regular)))
    return replace(state, fighters=fighters, round=1_000, acted=tuple(sorted(state.acted)), ledger=ledger)


class _Given:
    """Dice that show what they are told, and tell when there are too few of them."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces = list(faces)
        self.asked = 0

    def roll(self, sides: int) -> int:
        self.asked += 1
        return self.faces.pop(0) if self.faces else 10


def dice_of(state: State, act: Action) -> int:
    """How many dice an act throws."""
    given = _Given(())
    decide(state, act, given)
    return given.asked


def outcomes(state: State, act: Action) -> Iterator[tuple[State, float]]:
    """Where an act leads, with the chances of the faces that lead there. Rule: `roll.success`."""
    for events, chance in _thrown(state, act, (), dice_of(state, act)):
        yield settled(replay(state, events)), chance


def _thrown(state: State, act: Action, faces: tuple[int, ...], more: int) -> Iterator[tuple[Any, float]]:
    """What happens, with its chance, for each class of faces of the dice that are still to fall."""
    if not more:
        yield decide(state, act, faces).events, 1.0
        return

    def seen(face: int) -> Any:
        """All that this face can still lead to: two faces with the same are one."""
        rest = ((), (1,), (20,)) if more == 2 else ((),)
        return [decide(state, act, (*faces, face, *tail)).events for tail in rest if len(tail) == more - 1]

    for low, high in _classes(seen):
        for events, chance in _thrown(state, act, (*faces, low), more - 1):
            yield events, chance * (high - low + 1) / 20


def _classes(seen: Callable[[int], Any]) -> Iterator[tuple[int, int]]:
    """Runs of faces that come to the same; a higher face is never worse, so each run is found from its ends."""
    low = 1
    while low <= 20:
        here, high = seen(low), 20
        if seen(20) != here:
            inside, outside = low, 20
            while outside - inside > 1:
                middle = (inside + outside) // 2
                if seen(middle) == here:
                    inside = middle
                else:
                    outside = middle
            high = inside
        yield low, high
        low = high + 1


def acts(state: State) -> list[Action]:
    """What may be done now by whoever's turn it is: a turn that is on is its owner's, then comes the next in order.

    Who could be passed over, because nothing but waiting is open to it, still has its own turn first.
    """
    found = [act for act in legal_actions(state) if act.do not in IDLE]
    groups = state.order[state.place :] + state.order[: state.place]
    if state.active and state.turn_over:
        groups = groups[1:] + groups[:1]
    for group in groups:
        own = [act for act in found if state.fighter(act.actor).group == group]
        if own:
            return own
    raise AssertionError(f"nobody can do anything in {state}")


@dataclass(frozen=True)
class Raw:
    """The whole graph: for each state who chooses (0, 1; None at an end) and where each act leads."""

    numbers: dict[State, int]
    owners: list[int | None]
    ways: list[list[Ways]]
    ends: dict[int, tuple[float, float]]


def end_of(state: State, escape: str) -> tuple[float, float] | None:
    """What an end is worth to each of two; None while it goes on."""
    one, other = state.fighters
    if one.escaped or other.escaped:
        if escape == "draw":
            return (0.0, 0.0)
        return (0.0, 1.0) if one.escaped else (1.0, 0.0)
    if one.is_down or other.is_down:
        return (float(other.is_down and not one.is_down), float(one.is_down and not other.is_down))
    return None


def explore(start: State, escape: str, most: int = 100_000) -> Raw:
    """Every state that can be reached. Raises OverflowError beyond `most`."""
    start = settled(start)
    raw = Raw({start: 0}, [None], [[]], {})
    waiting = [start]
    while waiting:
        state = waiting.pop()
        number = raw.numbers[state]
        end = end_of(state, escape)
        if end is not None:
            raw.ends[number] = end
            continue
        choices = acts(state)
        actors = {act.actor for act in choices}
        assert len(actors) == 1, (actors, state)
        raw.owners[number] = 0 if actors == {state.fighters[0].id} else 1
        for act in choices:
            chances: dict[int, float] = {}
            for after, chance in outcomes(state, act):
                if after not in raw.numbers:
                    raw.numbers[after] = len(raw.numbers)
                    raw.owners.append(None)
                    raw.ways.append([])
                    waiting.append(after)
                    if len(raw.numbers) > most:
                        raise OverflowError(f"more than {most:,} states")
                place = raw.numbers[after]
                chances[place] = chances.get(place, 0.0) + chance
            if chances.keys() != {number}:  # doing nothing again and again is no way to make a turn last for ever
                raw.ways[number].append(list(chances.items()))
    return raw


def worth(raw: Raw, who: int) -> list[float]:
    """What one of two can make sure of in every state: from nothing upwards, until no sweep changes anything.

    A fight without an end is never counted as won, for its worth never leaves nothing.
    """
    values = [raw.ends[number][who] if number in raw.ends else 0.0 for number in range(len(raw.owners))]
    places = [number for number, owner in enumerate(raw.owners) if owner is not None]
    change = 1.0
    while change > STILL:
        change = 0.0
        for number in reversed(places):
            choices = [sum(values[to] * chance for to, chance in way) for way in raw.ways[number]]
            best: Any = max(choices) if raw.owners[number] == who else min(choices)
            change = max(change, best - values[number])
            values[number] = best
    return values
