"""The solver: the win chances that both sides can guarantee themselves in every state, and the value of actions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scratch_core.encounter.actions import Action
from scratch_core.encounter.engine import apply_events
from scratch_core.encounter.state import EncounterState
from scratch_core.errors import Problem, ScratchError
from scratch_core.odds.game_graph import Escape, GameGraph, Policy, encode_win_of_side
from scratch_core.odds.hit_point_layers import Layer, Layers, apply_jump
from scratch_core.odds.outcomes import list_outcomes


@dataclass(frozen=True, slots=True)
class RatedAction:
    """An available action with its value. Both chances are exact within `TOLERANCE`."""

    who: str
    """The id of the actor, or of the fighter whose turn begins."""
    action: Action | None
    """The action, or None if a group chooses whose turn begins."""
    value: float
    """The win chance of the actor's side after the action."""
    cost: float
    """How much lower the value is than that of the best action; 0 for the best."""


_EQUAL = 11
"""The number of decimals at which the values of actions count as equal; equal actions keep their order."""


class Game:
    """A fight between two sides that both play as well as possible, or by a fixed policy."""

    def __init__(
        self,
        starts: Sequence[EncounterState],
        escape: Escape = "draw",
        policies: Mapping[str, Policy] | None = None,
        rated_sides: Sequence[int] = (0, 1),
    ) -> None:
        """Start a game without solving it.

        `starts` are running states of one encounter without a map, which differ only in whose turn it is and in
        conditions. `policies` are fixed ways to choose, by side. `rated_sides` are the numbers of the sides whose
        chances are needed: the game of one side is less work, and the chance of the other remains unknown. Results are
        available after `solve_in_steps` or `solve`.
        """
        self.starts = tuple(starts)
        self.moments = GameGraph(starts[0], escape, policies)
        self.sides = self.moments.sides
        self.is_solved = False
        self.solved: list[int] = []
        self._layers = [Layers(self.moments, us) for us in (0, 1)]
        self.rated_sides = tuple(rated_sides)
        self._is_whole = False

    def solve_in_steps(self) -> Iterator[float]:
        """Solve in small steps of a few milliseconds and yield the share done.

        The share is that of the work known so far, 0 to 1.
        """
        moments = self.moments
        games = self.rated_sides if moments.runs else (0,)
        for state in self.starts:
            for us in games:
                moments.enqueue_next_choice_if_new(
                    moments.get_or_add_core_number(state, us), moments.classify_health(_hit_points_of(state)), us
                )
        for _ in moments.explore_in_steps():
            yield 0.0
        layers = [(_hit_points_of(state), moments.encode_once_per_encounter_uses(state)) for state in self.starts]
        for us in games:
            for done in self._layers[us].solve_in_steps(layers):
                yield (games.index(us) + done) / len(games)
            self.solved.append(us)
        if not moments.runs and 1 in self.rated_sides and not self._layers[0].is_certain:
            # The chance that side 0 cannot guarantee itself is not side 1's if a fight may never end.
            moments.reached[1].update(moments.reached[0])
            yield from self._layers[1].solve_in_steps(layers)
        self._is_whole = not moments.runs and self._layers[0].is_certain
        self.solved = list(self.rated_sides)
        self.is_solved = True

    def solve(self) -> Game:
        """Solve the game at once."""
        for _ in self.solve_in_steps():
            pass
        return self

    def compute_guaranteed_chances(self, state: EncounterState) -> tuple[float, float]:
        """Compute the win chances that both sides can guarantee themselves in a state.

        They are in the order of `sides`. The rest to 1 has no winner: fights that never end and, with `draw`, escapes.
        Raises `ScratchError` (`odds.state`) for a state that cannot occur in this game.
        """
        return self.win_probability(state, 0), self.win_probability(state, 1)

    def win_probability(self, state: EncounterState, us: int) -> float:
        """Return the win chance that a side, by number, can guarantee itself.

        Available as soon as the game of that side is solved. A state after an action that only used up a turn is not
        part of the game; its value follows from the actions in it. Raises `ScratchError` like
        `compute_guaranteed_chances`.
        """
        core = self.moments.find_core_number(state, us)
        if core is None:
            return self._compute_value_from_actions(state, us)
        hps = _hit_points_of(state)
        conditions = self.moments.classify_health(hps)
        here = self.moments.get_or_compute_choice_or_end(core, conditions)
        if here < 0:
            return float(here == encode_win_of_side(us))
        if (here, conditions) not in self.moments.reached[0 if self._is_whole else us]:
            raise _unknown_state_error()
        return self._get_stored_value((hps, self.moments.encode_once_per_encounter_uses(state)), here, us)

    def _compute_value_from_actions(self, state: EncounterState, us: int) -> float:
        """Compute a side's win chance in a state that the game's graph does not contain.

        `us` is the number of the side. The graph contains the states that the useful actions lead to, so the win chance
        of each action is known. The fighter whose turn it is chooses the highest if it is on that side, and the lowest
        if it is not. Raises `ScratchError` (`odds.state`) between two turns."""
        if state.turn_over:
            raise _unknown_state_error()
        actions = self.moments.list_best_useful_actions(state)
        found = [
            sum(
                float(way.chance) * self.win_probability(apply_events(state, way.decision.events), us)
                for way in list_outcomes(state, action)
            )
            for action in actions
        ]
        is_ours = self.moments.side_of[self.moments.seats[state.active]] == us
        return max(found) if is_ours else min(found)

    def _get_stored_value(self, layer: Layer, core: int, us: int) -> float:
        """Return the stored value of a core in a layer for a side."""
        whole = self._is_whole and us == 1
        worth = self._layers[0 if whole else us].worth.get(layer)
        if worth is None or core >= len(worth):
            raise _unknown_state_error()
        return 1 - worth[core] if whole else worth[core]

    def rank_actions(self, state: EncounterState) -> tuple[RatedAction, ...]:
        """Rate every available action in a state, the best first.

        Returns () when the fight is over. Excluded are actions that only use up the turn, lower totals to the same
        effect, and escapes, which win nothing. Forced passes and ends of turns are applied first. Raises `ScratchError`
        like `compute_guaranteed_chances`.
        """
        self.compute_guaranteed_chances(state)
        moments, layer = self.moments, (_hit_points_of(state), self.moments.encode_once_per_encounter_uses(state))
        conditions = moments.classify_health(layer[0])
        here = moments.get_or_compute_choice_or_end(moments.get_or_add_core_number(state, 0), conditions)
        if here < 0:
            return ()
        side = moments.side_of[moments.menus[here, conditions].seat]
        here = moments.get_or_compute_choice_or_end(moments.get_or_add_core_number(state, side), conditions)
        menu = moments.menus[here, conditions]
        worth = []
        for act in menu.acts:
            if not act.once & layer[1]:
                after = (
                    (chance, apply_jump(layer, (change, act.once)), cores[side]) for chance, cores, change in act.ways
                )
                worth.append(
                    (sum(chance * self._get_stored_value(each, core, side) for chance, each, core in after), act)
                )
        worth.sort(key=lambda each: -round(each[0], _EQUAL))
        best = worth[0][0]
        return tuple(RatedAction(act.who, act.action, value, max(0.0, best - value)) for value, act in worth)

    def compute_actor_chance_after(self, state: EncounterState, action: Action) -> float:
        """Compute the win chance of the actor's side after a legal action.

        Raises `ScratchError` like `compute_guaranteed_chances`.
        """
        side = self.sides.index(state.fighter(action.actor).side)
        after = ((way.chance, apply_events(state, way.decision.events)) for way in list_outcomes(state, action))
        return sum(float(chance) * self.win_probability(each, side) for chance, each in after)


def _hit_points_of(state: EncounterState) -> tuple[int, ...]:
    return tuple([each.hp for each in state.fighters])


def _unknown_state_error() -> ScratchError:
    return ScratchError(Problem("odds.state", "a state that can come up in this fight", "another", "the odds"))
