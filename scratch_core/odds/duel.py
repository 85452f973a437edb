"""Two characters against each other: both orders of turns, the initiative between them, and the opening acts.

While a duel is being solved its chances are bounds: what someone can make sure of is no less than what it makes sure
of by playing sensibly, and no more than what the other one leaves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from scratch_core.characters import DEFAULT_RULINGS
from scratch_core.encounter.engine import apply_events
from scratch_core.encounter.state import EncounterBegan, EncounterState, Fighter, Initiative, build_initial_state
from scratch_core.errors import Problem, ScratchError
from scratch_core.figures import Figure, Part
from scratch_core.odds.game_graph import Escape, Policy
from scratch_core.odds.initiative import compute_first_chance
from scratch_core.odds.playouts import choose_sensible_action
from scratch_core.odds.solver import Game, RatedAction
from scratch_core.rulebook import RulingSettings

Order = Literal["first", "second", "initiative"]
ORDERS: tuple[Order, ...] = ("first", "second", "initiative")
"""Who has the first turn: the first of the two, the second, or whoever the initiative rolls name."""


@dataclass(frozen=True, slots=True)
class ProbabilityRange:
    """A chance known to lie between two numbers, which are equal when it is known."""

    low: float
    high: float

    @property
    def words(self) -> str:
        """The chance in percent, or what it lies between."""
        if self.low == self.high:
            return f"{100 * self.low:.1f}%"
        return f"{100 * self.low:.0f} to {100 * self.high:.0f}%"


@dataclass(frozen=True, slots=True)
class WinProbabilities:
    """What the first of two can make sure of, what the second can, and what is left for no one.

    The chances are 0 to 1; exact ones sum to 1. A fight that never ends is won by no one.
    """

    first_wins: ProbabilityRange
    second_wins: ProbabilityRange
    nobody: ProbabilityRange

    def round_percents(self, places: int = 0) -> tuple[float, float, float]:
        """The three in percent, once they are known, each with `places` behind the point: they add up to 100.

        Both wins are rounded as everywhere else, and what they leave is no one's.
        """
        first, second = (round(100 * each.low, places) for each in (self.first_wins, self.second_wins))
        return first, second, max(0.0, 100 - first - second)

    def format_percents(self, places: int = 0) -> tuple[str, str, str]:
        """The `hundredths` as they are written; what the three lie between while that is not known."""
        if any(each.low != each.high for each in (self.first_wins, self.second_wins)):
            return self.first_wins.words, self.second_wins.words, self.nobody.words
        first, second, nobody = (f"{each:.{places}f}%" for each in self.round_percents(places))
        return first, second, nobody


class Duel:
    """A duel of two fighters, made by `duel`; `steps` solves it piece by piece, `solve` at once.

    `asked` are the fighters, 0 and 1, whose chances are wanted; of the other nothing is told.
    """

    def __init__(  # noqa: PLR0913 -- two fighters, and four ways in which their duel may differ
        self,
        first: Fighter,
        second: Fighter,
        *,
        rulings: RulingSettings = DEFAULT_RULINGS,
        escape: Escape = "draw",
        policies: Mapping[str, Policy] | None = None,
        asked: tuple[int, ...] = (0, 1),
    ) -> None:
        problems = [
            Problem(
                "odds.same",
                f"two fighters of different {what}s",
                repr(getattr(first, what)),
                "the duel",
                facts={"what": what},
            )
            for what in ("id", "side", "group")
            if getattr(first, what) == getattr(second, what)
        ]
        if problems:
            raise ScratchError(*problems)
        self.first, self.second = first, second
        before = build_initial_state((first, second), rulings)
        self.first_begins: Fraction = compute_first_chance(before, first.group)
        self.opening_states = {"first": _begun(before, (first, second)), "second": _begun(before, (second, first))}
        self.escape: Escape = escape
        self.policies = dict(policies or {})
        self.game = Game(tuple(self.opening_states.values()), escape, policies, asked)
        self._least = {"first": [0.0, 0.0], "second": [0.0, 0.0]}

    def steps(self) -> Iterator[float]:
        """Solve in small pieces; gives the share done. Stop when you like: `chances` tells what is known by then."""
        return self.game.steps()

    def bound_steps(self) -> Iterator[None]:
        """Find first bounds in small pieces: what each makes sure of by playing sensibly. A quarter of the work."""
        for us, side in enumerate((self.first.side, self.second.side)):
            policies = {**self.policies, side: choose_sensible_action}
            game = Game(tuple(self.opening_states.values()), self.escape, policies, (us,))
            for _ in game.steps():
                yield
            for order, begun in self.opening_states.items():
                self._least[order][us] = _within(game.win_probability(begun, us))

    def solve(self) -> Duel:
        """Solve at once."""
        self.game.solve()
        return self

    @property
    def is_solved(self) -> bool:
        """Whether the chances are exact, to `TOLERANCE`."""
        return self.game.is_solved

    def win_probabilities(self, order: Order = "initiative") -> WinProbabilities:
        """What each can make sure of when `order` says who begins. Rules: `turn.order`, `turn.tie`."""
        if order == "initiative":
            share = float(self.first_begins)
            ahead, behind = self.win_probabilities("first"), self.win_probabilities("second")
            return WinProbabilities(
                _between(ahead.first_wins, behind.first_wins, share),
                _between(ahead.second_wins, behind.second_wins, share),
                _between(ahead.nobody, behind.nobody, share),
            )
        one, two = (self._least_of(order, us) for us in (0, 1))
        known = self.game.solved
        most = (one if 0 in known else 1 - two, two if 1 in known else 1 - one)
        rest = ProbabilityRange(max(0.0, 1 - most[0] - most[1]), max(0.0, 1 - one - two))
        return WinProbabilities(
            ProbabilityRange(one, max(one, most[0])), ProbabilityRange(two, max(two, most[1])), rest
        )

    def _least_of(self, order: Literal["first", "second"], us: int) -> float:
        """What one of the two is known to make sure of by now."""
        if us in self.game.solved:
            return _within(self.game.win_probability(self.opening_states[order], us))
        return self._least[order][us]

    def compute_state_values(self, state: EncounterState) -> tuple[float, float]:
        """What the first and the second can make sure of in any state of the duel. Raises `ScratchError`."""
        return self.game.compute_state_values(state)

    def rate_actions(self, state: EncounterState) -> tuple[RatedAction, ...]:
        """The acts open in any state of the duel, the best first, with what each costs. Raises `ScratchError`."""
        return self.game.rate_actions(state)

    def find_best_opening(self, order: Literal["first", "second"]) -> RatedAction | None:
        """The best first act of whoever begins; None when there is none, or not yet."""
        choices = self.rate_actions(self.opening_states[order]) if self.is_solved else ()
        return choices[0] if choices else None


def duel(
    first: Fighter,
    second: Fighter,
    *,
    rulings: RulingSettings = DEFAULT_RULINGS,
    escape: Escape = "draw",
    policies: Mapping[str, Policy] | None = None,
) -> Duel:
    """Solve the duel of two fighters, both choosing the best of all legal actions of the basic rules.

    Their `here`, hit points and characters count; their ids, sides and groups must differ (see `twin`), and neither
    stands on a board. `rulings` are those their numbers were worked out with. `escape`: an escape is a `draw`, or the
    `loss` of whoever escapes. `policies`: by side, a fixed way to choose, such as `sensible`. Raises `ScratchError`.
    """
    return Duel(first, second, rulings=rulings, escape=escape, policies=policies).solve()


def build_twin(who: Fighter) -> Fighter:
    """The same fighter under another id, name, side and group: for a mirror."""
    name = f"{who.id} 2"
    return replace(who, id=name, name=f"{who.name} 2", side=f"{who.side} 2", group=f"{who.group} 2")


def _within(chance: float) -> float:
    return min(max(chance, 0.0), 1.0)


def _begun(before: EncounterState, order: tuple[Fighter, Fighter]) -> EncounterState:
    """The encounter begun in this order, whatever the dice. Rule: `turn.order`."""
    initiative = tuple(
        Initiative(each.group, Figure("initiative", (Part("die roll", face, "turn.initiative-roll"),)))
        for each, face in zip(order, (20, 1), strict=True)
    )
    return apply_events(before, (EncounterBegan(initiative),))


def _between(one: ProbabilityRange, two: ProbabilityRange, share: float) -> ProbabilityRange:
    return ProbabilityRange(share * one.low + (1 - share) * two.low, share * one.high + (1 - share) * two.high)
