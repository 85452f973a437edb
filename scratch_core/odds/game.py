"""A fight between two sides, solved: what each can make sure of in every state, and what each act keeps of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scratch_core.actions import Action
from scratch_core.encounter import legal_actions, replay
from scratch_core.errors import Problem, ScratchError
from scratch_core.odds.layers import Layers
from scratch_core.odds.moments import Act, Escape, Moments, Policy
from scratch_core.odds.outcomes import ways
from scratch_core.state import State


@dataclass(frozen=True, slots=True)
class Choice:
    """An act open to somebody: the action, the chance to win that it keeps for the chooser's side, and what it costs.

    `action` is None where a group chooses whose turn begins: `who`'s. `cost` is how much less than the best act it
    keeps, 0 for the best. Both are chances, exact to `TOLERANCE`.
    """

    who: str
    action: Action | None
    value: float
    cost: float


class Game:
    """A fight between two sides in which both choose as well as can be, or by a fixed policy.

    `starts` are running states of one encounter without a board, alike but for whose turn it is and what has befallen
    whom. `policies` bind sides, by name, to a policy. `steps` does the work; everything else waits for it.
    """

    def __init__(
        self, starts: Sequence[State], escape: Escape = "draw", policies: Mapping[str, Policy] | None = None
    ) -> None:
        self.starts = tuple(starts)
        self.moments = Moments(starts[0], escape, policies)
        self.layers = Layers(self.moments)
        self.is_solved = False
        self.sides = self.moments.sides

    def steps(self) -> Iterator[float]:
        """Do the work in small pieces, a few milliseconds each; gives the share of the second half that is done."""
        moments = self.moments
        for state in self.starts:
            moments.settle(moments.core(state), moments.conditions([each.hp for each in state.fighters]))
        for _ in moments.explore():
            yield 0.0
        layers = [(tuple(each.hp for each in state.fighters), moments.used(state)) for state in self.starts]
        yield from self.layers.solve(layers)
        self.is_solved = True

    def solve(self) -> Game:
        """Do all the work at once."""
        for _ in self.steps():
            pass
        return self

    def worth(self, state: State) -> tuple[float, float]:
        """What each side, in the order of `sides`, can make sure of: its chance to win whatever the other does.

        What is missing to 1 is nobody's: never-ending fights and, where they count so, escapes. Raises `ScratchError`
        (`odds.state`) for a state that can't come up in this game.
        """
        core = self.moments.known_core(state)
        worth = self.layers.worth.get((tuple(each.hp for each in state.fighters), self.moments.used(state)))
        if core is None or worth is None or core >= len(worth[0]):
            raise ScratchError(Problem("odds.state", "a state that can come up in this fight", "another", "the odds"))
        return worth[0][core], worth[1][core]

    def choices(self, state: State) -> tuple[Choice, ...]:
        """Every act open in a state, the best first, with what each keeps; none when the fight is over.

        Acts that only use up the turn are left out, as is a lower total to the same effect. Forced passes and ends of
        turns come first by themselves. Raises `ScratchError` like `worth`.
        """
        self.worth(state)
        moments, hps, used = self.moments, tuple(each.hp for each in state.fighters), self.moments.used(state)
        core = self.moments.core(state)
        conditions = moments.conditions(hps)
        here = moments.settle(core, conditions)
        if here < 0:
            return ()
        menu = moments.menus[here, conditions]
        side = moments.side_of[menu.seat]
        open_acts = [act for act in menu.acts if not act.once & used]
        worth = sorted(((self._value((hps, used), act, side), act) for act in open_acts), key=lambda each: -each[0])
        best = worth[0][0]
        return tuple(Choice(act.who, act.action, value, best - value) for value, act in worth)

    def _value(self, layer: tuple[tuple[int, ...], int], act: Act, side: int) -> float:
        total = 0.0
        for chance, core, change in act.ways:
            after = self.layers.jumped(layer, (change, act.once)) if change or act.once else layer
            total += chance * self.layers.worth[after][side][core]
        return total

    def keeps(self, state: State, action: Action) -> float:
        """The chance to win that a legal action keeps for its actor's side. Raises `ScratchError` like `worth`."""
        side = self.sides.index(state.fighter(action.actor).side)
        after = ((way.chance, replay(state, way.decision.events)) for way in ways(state, action))
        return sum(float(chance) * self.worth(each)[side] for chance, each in after)

    def listed(self, state: State) -> tuple[Choice, ...]:
        """Every legal action of a state, the best first, however pointless. Raises `ScratchError` like `worth`."""
        found = sorted(
            ((self.keeps(state, action), action) for action in legal_actions(state)), key=lambda each: -each[0]
        )
        best = found[0][0] if found else 0.0
        return tuple(Choice(action.actor, action, value, best - value) for value, action in found)
