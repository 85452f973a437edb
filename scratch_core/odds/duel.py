"""Duels of two characters: both orders of turns, the initiative between them, and the best opening actions.

While a duel is being solved, its chances are bounds: a fighter's chance is at least what it guarantees by sensible
play, and at most what its opponent's guarantee leaves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from scratch_core.characters import DEFAULT_RULINGS
from scratch_core.encounter.engine import apply_events
from scratch_core.encounter.state import EncounterBegan, EncounterState, Fighter, Initiative, build_initial_state
from scratch_core.errors import Problems
from scratch_core.figures import Figure, Part
from scratch_core.odds.game_graph import Escape, Policy
from scratch_core.odds.initiative import compute_chance_to_begin
from scratch_core.odds.playouts import choose_sensible_action
from scratch_core.odds.solver import Game, RatedAction
from scratch_core.rulebook import RulingSettings

Order = Literal["first", "second", "initiative"]
ORDERS: tuple[Order, ...] = ("first", "second", "initiative")
"""Which fighter has the first turn: the first, the second, or the winner of initiative."""


@dataclass(frozen=True, slots=True)
class ProbabilityRange:
    """A probability between two bounds, which are equal if it is known exactly."""

    low: float
    """The lower bound, 0 to 1."""
    high: float
    """The upper bound, 0 to 1."""

    @property
    def words(self) -> str:
        """The probability or its bounds in percent, as text."""
        if self.low == self.high:
            return f"{100 * self.low:.1f}%"
        return f"{100 * self.low:.0f} to {100 * self.high:.0f}%"


@dataclass(frozen=True, slots=True)
class WinProbabilities:
    """The chances that two fighters can guarantee themselves, and the rest. Exact ones sum to 1."""

    first_wins: ProbabilityRange
    """The chance of the first fighter."""
    second_wins: ProbabilityRange
    """The chance of the second fighter."""
    nobody: ProbabilityRange
    """The chance of no winner, which includes a fight that never ends."""

    def round_percents(self, decimals: int = 0) -> tuple[float, float, float]:
        """Round the three chances to percents that add up to 100.

        `decimals` is the number of decimals. The chances must be exact. Both wins are rounded as usual; the rest is
        without a winner.
        """
        first, second = (round(100 * each.low, decimals) for each in (self.first_wins, self.second_wins))
        return first, second, max(0.0, round(100 - first - second, decimals))

    def format_percents(self, decimals: int = 0) -> tuple[str, str, str]:
        """Format the rounded percents, or the bounds while the chances are not exact."""
        if any(each.low != each.high for each in (self.first_wins, self.second_wins)):
            return self.first_wins.words, self.second_wins.words, self.nobody.words
        first, second, nobody = (f"{each:.{decimals}f}%" for each in self.round_percents(decimals))
        return first, second, nobody


class Duel:
    """A duel of two fighters. `solve_in_steps` solves it incrementally, `solve` at once."""

    def __init__(  # noqa: PLR0913 -- two fighters, and four ways in which their duel may differ
        self,
        first: Fighter,
        second: Fighter,
        *,
        rulings: RulingSettings = DEFAULT_RULINGS,
        escape: Escape = "draw",
        policies: Mapping[str, Policy] | None = None,
        rated_sides: tuple[int, ...] = (0, 1),
    ) -> None:
        """Start a duel without solving it.

        The ids, sides and groups of the fighters must differ. `rated_sides` are the fighters, 0 and 1, whose chances
        are needed; those of the other remain unknown. The other arguments are those of `duel`. Raises `ScratchError`
        (`odds.same`).
        """
        problems = Problems()
        for what in ("id", "side", "group"):
            own = getattr(first, what)
            if own == getattr(second, what):
                problems.report("odds.same", f"two fighters of different {what}s", repr(own), "the duel", what=what)
        problems.raise_if_any()
        self.first, self.second = first, second
        before = build_initial_state((first, second), rulings)
        self.first_begins: Fraction = compute_chance_to_begin(before, first.group)
        self.opening_states = {
            "first": _build_opening_state(before, (first, second)),
            "second": _build_opening_state(before, (second, first)),
        }
        self.escape: Escape = escape
        self.policies = dict(policies or {})
        self.game = Game(tuple(self.opening_states.values()), escape, policies, rated_sides)
        self._least = {"first": [0.0, 0.0], "second": [0.0, 0.0]}

    def solve_in_steps(self) -> Iterator[float]:
        """Solve in small steps and yield the share done, 0 to 1.

        The caller may stop at any step; `win_probabilities` returns the bounds known by then.
        """
        return self.game.solve_in_steps()

    def bound_chances_in_steps(self) -> Iterator[None]:
        """Compute initial bounds in small steps, by sensible play of each side.

        This takes a quarter of the work of `solve_in_steps`.
        """
        for us, side in enumerate((self.first.side, self.second.side)):
            policies = {**self.policies, side: choose_sensible_action}
            game = Game(tuple(self.opening_states.values()), self.escape, policies, (us,))
            for _ in game.solve_in_steps():
                yield
            for order, state in self.opening_states.items():
                self._least[order][us] = _clamp(game.win_probability(state, us))

    def solve(self) -> Duel:
        """Solve the duel at once."""
        self.game.solve()
        return self

    @property
    def is_solved(self) -> bool:
        """Whether the chances are exact, within `TOLERANCE`."""
        return self.game.is_solved

    def win_probabilities(self, order: Order = "initiative") -> WinProbabilities:
        """Return the win chances for an order of turns. Rules: `turn.order`, `turn.tie`."""
        if order == "initiative":
            share = float(self.first_begins)
            ahead, behind = self.win_probabilities("first"), self.win_probabilities("second")
            return WinProbabilities(
                _interpolate(ahead.first_wins, behind.first_wins, share),
                _interpolate(ahead.second_wins, behind.second_wins, share),
                _interpolate(ahead.nobody, behind.nobody, share),
            )
        one, two = (self._get_lower_bound(order, us) for us in (0, 1))
        known = self.game.solved
        most = (one if 0 in known else 1 - two, two if 1 in known else 1 - one)
        rest = ProbabilityRange(max(0.0, 1 - most[0] - most[1]), max(0.0, 1 - one - two))
        return WinProbabilities(
            ProbabilityRange(one, max(one, most[0])), ProbabilityRange(two, max(two, most[1])), rest
        )

    def _get_lower_bound(self, order: Literal["first", "second"], fighter_index: int) -> float:
        """Find the highest lower bound known so far for a fighter's chance."""
        if fighter_index in self.game.solved:
            return _clamp(self.game.win_probability(self.opening_states[order], fighter_index))
        return self._least[order][fighter_index]

    def compute_guaranteed_chances(self, state: EncounterState) -> tuple[float, float]:
        """Compute the chances that both fighters can guarantee themselves in a state.

        Raises `ScratchError` for a state that cannot occur in the duel.
        """
        return self.game.compute_guaranteed_chances(state)

    def rank_actions(self, state: EncounterState) -> tuple[RatedAction, ...]:
        """Return the available actions in a state, the best first, with their costs.

        Raises `ScratchError` for a state that cannot occur in the duel.
        """
        return self.game.rank_actions(state)

    def find_opening_if_solved(self, order: Literal["first", "second"]) -> RatedAction | None:
        """Return the best action of the fighter with the first turn.

        Returns None if there is none or the duel is not solved yet.
        """
        choices = self.rank_actions(self.opening_states[order]) if self.is_solved else ()
        return choices[0] if choices else None


def duel(
    first: Fighter,
    second: Fighter,
    *,
    rulings: RulingSettings = DEFAULT_RULINGS,
    escape: Escape = "draw",
    policies: Mapping[str, Policy] | None = None,
) -> Duel:
    """Solve the duel of two fighters that both choose the best legal action.

    The actions are those of the basic rules. The fighters' surroundings, hit points and characters count; their ids,
    sides and groups must differ (see `build_twin`), and neither may be on a map. `rulings` are those of the fighters'
    figures. `escape`: an escape is a `draw`, or the `loss` of the side that escapes. `policies` are fixed ways to
    choose, by side, such as `choose_sensible_action`. Raises `ScratchError`.
    """
    return Duel(first, second, rulings=rulings, escape=escape, policies=policies).solve()


def build_twin(who: Fighter) -> Fighter:
    """Copy a fighter under another id, name, side and group, for a mirror duel."""
    name = f"{who.id} 2"
    return replace(who, id=name, name=f"{who.name} 2", side=f"{who.side} 2", group=f"{who.group} 2")


def _clamp(chance: float) -> float:
    """Clamp a chance to 0 to 1, against rounding errors."""
    return min(max(chance, 0.0), 1.0)


def _build_opening_state(before: EncounterState, order: tuple[Fighter, Fighter]) -> EncounterState:
    """Build the started encounter with this order of turns. Rule: `turn.order`.

    The initiative rolls are made up.
    """
    initiative = tuple(
        Initiative(each.group, Figure("initiative", (Part("die roll", face, "turn.initiative-roll"),)))
        for each, face in zip(order, (20, 1), strict=True)
    )
    return apply_events(before, (EncounterBegan(initiative),))


def _interpolate(one: ProbabilityRange, two: ProbabilityRange, share: float) -> ProbabilityRange:
    """Return the mean of two ranges.

    The first has the weight `share`.
    """
    return ProbabilityRange(share * one.low + (1 - share) * two.low, share * one.high + (1 - share) * two.high)
