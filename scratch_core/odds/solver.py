"""A fight between two sides, solved: what each can make sure of in every state, and what each act keeps of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply_events
from scratch_core.encounter.state import EncounterState
from scratch_core.errors import Problem, ScratchError
from scratch_core.odds.game_graph import Escape, GameGraph, Policy, encode_winner
from scratch_core.odds.hit_point_layers import Layer, Layers, apply_jump
from scratch_core.odds.outcomes import list_outcomes


@dataclass(frozen=True, slots=True)
class RatedAction:
    """An act open to someone: the action, the chance to win that it keeps for the chooser's side, and what it costs.

    `action` is None where a group chooses whose turn begins: `who`'s. `cost` is how much less than the best act it
    keeps, 0 for the best. Both are chances, exact to `TOLERANCE`.
    """

    who: str
    action: Action | None
    value: float
    cost: float


_EQUAL = 11
"""The decimals in which acts that are equally good agree: of these the first stands first."""


class Game:
    """A fight between two sides in which both choose as well as can be, or by a fixed policy.

    `starts` are running states of one encounter without a board, alike but for whose turn it is and what has befallen
    whom. `policies` bind sides, by name, to a policy. `steps` does the work; everything else waits for it.
    `asked` are the sides, by number, whose chances are wanted: the game of one of them is less work, and tells nothing
    of the other.
    """

    def __init__(
        self,
        starts: Sequence[EncounterState],
        escape: Escape = "draw",
        policies: Mapping[str, Policy] | None = None,
        asked: Sequence[int] = (0, 1),
    ) -> None:
        self.starts = tuple(starts)
        self.moments = GameGraph(starts[0], escape, policies)
        self.sides = self.moments.sides
        self.is_solved = False
        self.solved: list[int] = []
        self._layers = [Layers(self.moments, us) for us in (0, 1)]
        self.asked = tuple(asked)
        self._is_whole = False

    def steps(self) -> Iterator[float]:
        """Do the work in small pieces, a few milliseconds each; gives the share done of what is known to be left."""
        moments = self.moments
        games = self.asked if moments.runs else (0,)
        for state in self.starts:
            for us in games:
                moments.enter(moments.core(state, us), moments.conditions(_hps(state)), us)
        for _ in moments.explore():
            yield 0.0
        layers = [(_hps(state), moments.encode_used_actions(state)) for state in self.starts]
        for us in games:
            for done in self._layers[us].solve(layers):
                yield (games.index(us) + done) / len(games)
            self.solved.append(us)
        if not moments.runs and 1 in self.asked and not self._layers[0].is_certain:
            moments.reached[1].update(moments.reached[0])  # what the one can't make sure of is not yet the other's
            yield from self._layers[1].solve(layers)
        self._is_whole = not moments.runs and self._layers[0].is_certain
        self.solved = list(self.asked)
        self.is_solved = True

    def solve(self) -> Game:
        """Do all the work at once."""
        for _ in self.steps():
            pass
        return self

    def compute_state_values(self, state: EncounterState) -> tuple[float, float]:
        """What each side, in the order of `sides`, can make sure of: its chance to win whatever the other does.

        What is missing to 1 is no one's: never-ending fights and, where they count so, escapes. Raises `ScratchError`
        (`odds.state`) for a state that can't come up in this game.
        """
        return self.win_probability(state, 0), self.win_probability(state, 1)

    def win_probability(self, state: EncounterState, us: int) -> float:
        """What one side, by number, can make sure of; also while the other side's game is still being solved.

        A state after an act that only used up a turn is none of the game's own: what may still be done in it leads to
        such. Raises `ScratchError` like `worth`.
        """
        core = self.moments.known_core(state, us)
        if core is None:
            return self._ahead(state, us)
        hps = _hps(state)
        conditions = self.moments.conditions(hps)
        here = self.moments.settle(core, conditions)
        if here < 0:
            return float(here == encode_winner(us))
        if (here, conditions) not in self.moments.reached[0 if self._is_whole else us]:
            raise _unknown()
        return self._value((hps, self.moments.encode_used_actions(state)), here, us)

    def _ahead(self, state: EncounterState, us: int) -> float:
        """The worth of a state outside the game, by what may be done in it: an act leads back into it."""
        if state.turn_over:
            raise _unknown()
        actions = self.moments.list_useful_actions(state)
        found = [
            sum(
                float(way.chance) * self.win_probability(apply_events(state, way.decision.events), us)
                for way in list_outcomes(state, action)
            )
            for action in actions
        ]
        is_ours = self.moments.side_of[self.moments.seats[state.active]] == us
        return max(found) if is_ours else min(found)

    def _value(self, layer: Layer, core: int, us: int) -> float:
        whole = self._is_whole and us == 1
        worth = self._layers[0 if whole else us].worth.get(layer)
        if worth is None or core >= len(worth):
            raise _unknown()
        return 1 - worth[core] if whole else worth[core]

    def rate_actions(self, state: EncounterState) -> tuple[RatedAction, ...]:
        """Every act open in a state, the best first, with what each keeps; none when the fight is over.

        Left out are acts that only use up the turn, a lower total to the same effect, and escapes, which win nothing.
        Forced passes and ends of turns come first by themselves. Raises `ScratchError` like `worth`.
        """
        self.compute_state_values(state)
        moments, layer = self.moments, (_hps(state), self.moments.encode_used_actions(state))
        conditions = moments.conditions(layer[0])
        here = moments.settle(moments.core(state, 0), conditions)
        if here < 0:
            return ()
        side = moments.side_of[moments.menus[here, conditions].seat]
        here = moments.settle(moments.core(state, side), conditions)
        menu = moments.menus[here, conditions]
        worth = []
        for act in menu.acts:
            if not act.once & layer[1]:
                after = (
                    (chance, apply_jump(layer, (change, act.once)), cores[side]) for chance, cores, change in act.ways
                )
                worth.append((sum(chance * self._value(each, core, side) for chance, each, core in after), act))
        worth.sort(key=lambda each: -round(each[0], _EQUAL))
        best = worth[0][0]
        return tuple(RatedAction(act.who, act.action, value, max(0.0, best - value)) for value, act in worth)

    def compute_kept_chance(self, state: EncounterState, action: Action) -> float:
        """The chance to win that a legal action keeps for its actor's side. Raises `ScratchError` like `worth`."""
        side = self.sides.index(state.fighter(action.actor).side)
        after = ((way.chance, apply_events(state, way.decision.events)) for way in list_outcomes(state, action))
        return sum(float(chance) * self.win_probability(each, side) for chance, each in after)


def _hps(state: EncounterState) -> tuple[int, ...]:
    return tuple([each.hp for each in state.fighters])


def _unknown() -> ScratchError:
    return ScratchError(Problem("odds.state", "a state that can come up in this fight", "another", "the odds"))
