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
from scratch_core.encounter.engine import replay
from scratch_core.encounter.state import EncounterBegan, Fighter, Initiative, State, gather
from scratch_core.errors import Problem, ScratchError
from scratch_core.figures import Figure, Part
from scratch_core.odds.game_graph import Escape, Policy
from scratch_core.odds.initiative import first_chance
from scratch_core.odds.playouts import sensible
from scratch_core.odds.solver import Choice, Game
from scratch_core.rulebook import Rulings

Order = Literal["first", "second", "initiative"]
ORDERS: tuple[Order, ...] = ("first", "second", "initiative")
"""Who has the first turn: the first of the two, the second, or whoever the initiative rolls name."""


@dataclass(frozen=True, slots=True)
class Bounds:
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
class Chances:
    """What the first of two can make sure of, what the second can, and what is left for no one.

    The chances are 0 to 1; exact ones sum to 1. A fight that never ends is won by no one.
    """

    first_wins: Bounds
    second_wins: Bounds
    nobody: Bounds

    def hundredths(self, places: int = 0) -> tuple[float, float, float]:
        """The three in percent, once they are known, each with `places` behind the point: they add up to 100.

        Both wins are rounded as everywhere else, and what they leave is no one's.
        """
        first, second = (round(100 * each.low, places) for each in (self.first_wins, self.second_wins))
        return first, second, max(0.0, 100 - first - second)

    def percents(self, places: int = 0) -> tuple[str, str, str]:
        """The `hundredths` as they are written; what the three lie between while that is not known."""
        if any(each.low != each.high for each in (self.first_wins, self.second_wins)):
            return self.first_wins.words, self.second_wins.words, self.nobody.words
        first, second, nobody = (f"{each:.{places}f}%" for each in self.hundredths(places))
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
        rulings: Rulings = DEFAULT_RULINGS,
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
        before = gather((first, second), rulings)
        self.first_begins: Fraction = first_chance(before, first.group)
        self.begun = {"first": _begun(before, (first, second)), "second": _begun(before, (second, first))}
        self.escape: Escape = escape
        self.policies = dict(policies or {})
        self.game = Game(tuple(self.begun.values()), escape, policies, asked)
        self._least = {"first": [0.0, 0.0], "second": [0.0, 0.0]}

    def steps(self) -> Iterator[float]:
        """Solve in small pieces; gives the share done. Stop when you like: `chances` tells what is known by then."""
        return self.game.steps()

    def bound_steps(self) -> Iterator[None]:
        """Find first bounds in small pieces: what each makes sure of by playing sensibly. A quarter of the work."""
        for us, side in enumerate((self.first.side, self.second.side)):
            policies = {**self.policies, side: sensible}
            game = Game(tuple(self.begun.values()), self.escape, policies, (us,))
            for _ in game.steps():
                yield
            for order, begun in self.begun.items():
                self._least[order][us] = _within(game.chance(begun, us))

    def solve(self) -> Duel:
        """Solve at once."""
        self.game.solve()
        return self

    @property
    def is_solved(self) -> bool:
        """Whether the chances are exact, to `TOLERANCE`."""
        return self.game.is_solved

    def chances(self, order: Order = "initiative") -> Chances:
        """What each can make sure of when `order` says who begins. Rules: `turn.order`, `turn.tie`."""
        if order == "initiative":
            share = float(self.first_begins)
            ahead, behind = self.chances("first"), self.chances("second")
            return Chances(
                _between(ahead.first_wins, behind.first_wins, share),
                _between(ahead.second_wins, behind.second_wins, share),
                _between(ahead.nobody, behind.nobody, share),
            )
        one, two = (self._least_of(order, us) for us in (0, 1))
        known = self.game.solved
        most = (one if 0 in known else 1 - two, two if 1 in known else 1 - one)
        rest = Bounds(max(0.0, 1 - most[0] - most[1]), max(0.0, 1 - one - two))
        return Chances(Bounds(one, max(one, most[0])), Bounds(two, max(two, most[1])), rest)

    def _least_of(self, order: Literal["first", "second"], us: int) -> float:
        """What one of the two is known to make sure of by now."""
        if us in self.game.solved:
            return _within(self.game.chance(self.begun[order], us))
        return self._least[order][us]

    def worth(self, state: State) -> tuple[float, float]:
        """What the first and the second can make sure of in any state of the duel. Raises `ScratchError`."""
        return self.game.worth(state)

    def choices(self, state: State) -> tuple[Choice, ...]:
        """The acts open in any state of the duel, the best first, with what each costs. Raises `ScratchError`."""
        return self.game.choices(state)

    def opening(self, order: Literal["first", "second"]) -> Choice | None:
        """The best first act of whoever begins; None when there is none, or not yet."""
        choices = self.choices(self.begun[order]) if self.is_solved else ()
        return choices[0] if choices else None


def duel(
    first: Fighter,
    second: Fighter,
    *,
    rulings: Rulings = DEFAULT_RULINGS,
    escape: Escape = "draw",
    policies: Mapping[str, Policy] | None = None,
) -> Duel:
    """Solve the duel of two fighters, both choosing the best of all legal actions of the basic rules.

    Their `here`, hit points and characters count; their ids, sides and groups must differ (see `twin`), and neither
    stands on a board. `rulings` are those their numbers were worked out with. `escape`: an escape is a `draw`, or the
    `loss` of whoever escapes. `policies`: by side, a fixed way to choose, such as `sensible`. Raises `ScratchError`.
    """
    return Duel(first, second, rulings=rulings, escape=escape, policies=policies).solve()


def twin(who: Fighter) -> Fighter:
    """The same fighter under another id, name, side and group: for a mirror."""
    name = f"{who.id} 2"
    return replace(who, id=name, name=f"{who.name} 2", side=f"{who.side} 2", group=f"{who.group} 2")


def _within(chance: float) -> float:
    return min(max(chance, 0.0), 1.0)


def _begun(before: State, order: tuple[Fighter, Fighter]) -> State:
    """The encounter begun in this order, whatever the dice. Rule: `turn.order`."""
    initiative = tuple(
        Initiative(each.group, Figure("initiative", (Part("die roll", face, "turn.initiative-roll"),)))
        for each, face in zip(order, (20, 1), strict=True)
    )
    return replay(before, (EncounterBegan(initiative),))


def _between(one: Bounds, two: Bounds, share: float) -> Bounds:
    return Bounds(share * one.low + (1 - share) * two.low, share * one.high + (1 - share) * two.high)
