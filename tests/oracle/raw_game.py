"""A duel by the engine, state by state, with every legal action: slow, and without shortcuts that may be wrong.

The only exception: `nothing` is left out, because the engine allows it repeatedly in a turn, so that no turn would have
to end. Values come from plain value iteration from below. The simplifications of `scratch_core.odds` are compared with
these values.
"""

from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply_events, legal_actions
from scratch_core.encounter.state import EncounterState, Fighter
from scratch_core.odds import list_outcomes

Node = tuple[object, ...]
Ways = dict[int, float]


class RawGame:
    """Every state reachable from the starts: the side that chooses, and the results of each legal action."""

    def __init__(self, starts: tuple[EncounterState, ...], escape: str) -> None:
        self.escape = escape
        self.sides = tuple(each.side for each in starts[0].fighters)
        self.numbers: dict[Node, int] = {}
        self.owners: list[int] = []
        self.acts: list[list[Ways]] = []
        self._todo: list[EncounterState] = []
        self.starts = [self.number(state) for state in starts]
        while self._todo:
            self._open(self._todo.pop())

    def number(self, state: EncounterState) -> int:
        """Return the node of a state.

        It is -1 if the first side has won, -2 if the second has, and -3 if neither has.
        """
        ended = self._ended(state)
        if ended:
            return ended
        key = raw_key(state)
        if key not in self.numbers:
            self.numbers[key] = len(self.owners)
            self.owners.append(-1)
            self.acts.append([])
            self._todo.append(state)
        return self.numbers[key]

    def _ended(self, state: EncounterState) -> int:
        there = [not each.is_down and not each.escaped for each in state.fighters]
        if all(there):
            return 0
        if not any(there) or (self.escape == "draw" and any(each.escaped for each in state.fighters)):
            return -3
        return -1 if there[0] else -2

    def _open(self, state: EncounterState) -> None:
        """Add every action of the current or next actor.

        Even a delayed actor may leave cover.
        """
        number = self.numbers[raw_key(state)]
        actor = next_actor(state)
        self.owners[number] = self.sides.index(state.fighter(actor).side)
        mine = [each for each in legal_actions(state) if each.actor == actor and each.do != "nothing"]
        self.acts[number] = [self._ways(state, action) for action in mine]
        assert self.acts[number]

    def _ways(self, state: EncounterState, action: Action) -> Ways:
        found: Ways = {}
        for way in list_outcomes(state, action):
            after = self.number(apply_events(state, way.decision.events))
            found[after] = found.get(after, 0.0) + way.weight / 20**way.throws
        return found

    def values(self, us: int, eps: float = 1e-13) -> list[float]:
        """Return the value of each node for a side.

        The sweeps start at 0 and end when nothing changes. The values of the three ends come last.
        """
        values = [0.0] * len(self.acts) + [0.0, float(us == 1), float(us == 0)]
        rows = [
            (node, owner == us, [list(each.items()) for each in acts])
            for node, (owner, acts) in enumerate(zip(self.owners, self.acts, strict=True))
        ]
        moved = 1.0
        while moved > eps:
            moved = 0.0
            for node, mine, acts in rows:
                worth = [sum(chance * values[after] for after, chance in each) for each in acts]
                new = max(worth) if mine else min(worth)
                moved = max(moved, abs(new - values[node]))
                values[node] = new
        return values


def next_actor(state: EncounterState) -> str:
    """Return the id of the character whose turn it is or would be next."""
    if not state.turn_over:
        return state.active
    if not state.active:
        return state.list_members(state.turn_order[0])[0].id
    return next(each.id for each in state.fighters if each.id != state.active)


def raw_key(state: EncounterState) -> Node:
    """Return a state without the numbers of rounds and turns and initiative faces.

    After two regular actions in a turn their names don't matter.
    """
    regular = state.ledger.regular
    return (
        state.initiative[state.place].group,
        state.turn_over,
        state.active,
        state.acted,
        regular if len(regular) < 2 else len(regular) > 1,
        state.ledger.bonus,
        state.ledger.opened,
        *(raw_fighter(each) for each in state.fighters),
    )


def raw_fighter(who: Fighter) -> Node:
    """Return a fighter's fields.

    The ends of delays and panic are counted from its turn.
    """
    return (
        who.hp,
        frozenset((each.cause, each.by, each.until - who.turn) for each in who.delays),
        who.panicked_until and who.panicked_until - who.turn,
        who.evading,
        who.evaded_this_turn,
        who.evaded_last_turn,
        who.held_by,
        who.engaged,
        who.engage_penalty,
        who.in_cover,
        who.flying_immune,
        frozenset(who.used),
        who.escaped,
    )
