"""Each side's chance to win, at every step of a fight: exact for a duel, by fights played out for anything larger.

Loaded only where somebody asks for chances. Whoever escapes has lost, so the chances sum to 1 unless nobody can end
the fight. The worked combat, which takes half a minute to solve, comes with a table of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scratch_core.calculators.slices import GoOn, Slices
from scratch_core.errors import ScratchError
from scratch_core.odds import Tally, plain, play_outs
from scratch_core.odds.game import Game
from scratch_core.odds.remembered import Table, key_of
from scratch_core.state import State

MOST_HP = 24
MOST_PIECES = 20_000
"""The hit points and the pieces of work up to which a duel is solved in a page."""

FIGHTS = 20
"""Fights played out between two looks at the clock's owner."""
ENOUGH = 0.03
"""Playouts stop when the interval reaches no further than this to either side."""


@dataclass(frozen=True, slots=True)
class Chance:
    """One side's chance to win, 0 to 1, known to lie between two numbers; they are equal where it is exact."""

    side: str
    low: float
    high: float

    @property
    def middle(self) -> float:
        """The one number to be drawn."""
        return (self.low + self.high) / 2


@dataclass(frozen=True, slots=True)
class Chances:
    """What is known of a fight's chances.

    `steps` are both sides' chances after each step, None where they aren't known, `here` those of the step asked
    about. `mattered` is the step at which the winner's chance changed most, where the chances before and after it are
    apart for certain; 0 for none. `fights` were played out for `here`, 0 where it is exact. `note` says why there are
    no chances. `unfinished`: there is more to come.
    """

    steps: tuple[tuple[Chance, ...] | None, ...]
    here: tuple[Chance, ...] | None
    mattered: int = 0
    fights: int = 0
    note: str = ""
    unfinished: bool = False


_games: Slices[Game] = Slices(4)
_tallies: Slices[Tally] = Slices(16)


def chances(states: Sequence[State], rolled: Sequence[bool], step: int, go_on: GoOn, table: Table | None) -> Chances:
    """The chances in the states of a fight, before its first step and after each; `rolled` says which steps threw dice.

    `table` has those of the worked combat. Rules: `turn.order`, `act.escape.effect`.
    """
    nothing: tuple[None, ...] = (None,) * len(states)
    why_not = _why_not(states)
    if why_not:
        return Chances(nothing, None, note=why_not)
    if table is not None:
        found = tuple(_in_table(state, table) for state in states)
        if found[step] is not None:
            return Chances(found, found[step], _mattered(found, rolled, states[-1].winner))
    if _is_small_duel(states[0]):
        return _solved(states, rolled, step, go_on)
    return _played_out(states, step, go_on)


def chances_now(states: Sequence[State], rolled: Sequence[bool], go_on: GoOn) -> Chances:
    """The chances where a fight stands: of a duel by one solve, else by fights played out.

    `states` and `rolled` are as in `chances`. What mattered is told once a duel is won, for all steps are looked up
    then. A state that the duel can't come to, as after the game master's hand, is played out too. Rules: `turn.order`,
    `act.escape.effect`.
    """
    begun, state = states[0], states[-1]
    why_not = _why_not((state,))
    if why_not:
        return Chances((None,), None, note=why_not)
    if _is_small_duel(begun) and _people(begun) == _people(state):
        is_told = bool(state.winner) and len({_people(each) for each in states}) == 1
        story = (states, rolled) if is_told else ((begun, state), (False,))
        found = _solved(*story, len(story[0]) - 1, go_on)
        if found.here is not None or found.unfinished:
            return found
    return _played_out((state,), 0, go_on)


def in_words(chance: Chance) -> str:
    """A chance in percent, and how far it may be off where it is no exact one."""
    if chance.low == chance.high:
        return f"{100 * chance.low:.1f} %"
    return f"{100 * chance.low:.0f} to {100 * chance.high:.0f} %"


def _is_small_duel(begun: State) -> bool:
    return len(begun.fighters) == 2 and max(each.hp for each in begun.fighters) <= MOST_HP


def _people(state: State) -> tuple[tuple[str, str], ...]:
    return tuple((each.id, each.side) for each in state.fighters)


def _why_not(states: Sequence[State]) -> str:
    if any(state.board is not None for state in states):
        return "On a board nobody has worked out the chances yet."
    names = {_people(state) for state in states}
    if len(names) != 1 or len({each.side for each in states[0].fighters}) != 2:
        return "There are chances for two sides that stay the same all through the fight."
    if states[0].phase != "running":
        return "There are chances once the fight has begun."
    return ""


# A duel: solved once, then looked up


def _solved(states: Sequence[State], rolled: Sequence[bool], step: int, go_on: GoOn) -> Chances:
    begun = states[0]
    game, is_all = _games.known(begun, lambda: _solving(begun), go_on)
    if not is_all or game is None:
        return Chances((None,) * len(states), None, unfinished=not is_all, note="" if not is_all else TOO_LARGE)
    found = tuple(_looked_up(game, state) for state in states)
    return Chances(found, found[step], _mattered(found, rolled, states[-1].winner))


TOO_LARGE = "This fight is too large to work out here."


def _solving(begun: State) -> Iterator[Game | None]:
    game = Game([begun], "loss")
    for number, _ in enumerate(game.steps()):
        if number >= MOST_PIECES:
            return
        yield None
    yield game


def _looked_up(game: Game, state: State) -> tuple[Chance, ...] | None:
    """Both chances in a state; None for one that the game can't come to, as after the game master's hand."""
    try:
        one, other = game.worth(state)
    except ScratchError:
        return None
    return Chance(game.sides[0], one, one), Chance(game.sides[1], other, other)


def _in_table(state: State, table: Table) -> tuple[Chance, ...] | None:
    found = table.chances.get(key_of(state))
    if found is None:
        return None
    one, other = dict.fromkeys(each.side for each in state.fighters)
    return Chance(one, found, found), Chance(other, 1 - found, 1 - found)


def _mattered(found: Sequence[tuple[Chance, ...] | None], rolled: Sequence[bool], winner: str) -> int:
    """The step whose dice changed the winner's chance most, from 1; 0 for none."""
    best, mattered = 0.0, 0
    for step, is_rolled in enumerate(rolled, 1):
        before, after = _of(found[step - 1], winner), _of(found[step], winner)
        if not is_rolled or before is None or after is None:
            continue
        change = max(after.low - before.high, before.low - after.high)
        if change > best:
            best, mattered = change, step
    return mattered


def _of(both: tuple[Chance, ...] | None, side: str) -> Chance | None:
    return next((each for each in both or () if each.side == side), None)


# Anything larger: fights played out from one step


class _Dice:
    """Dice for fights played out: the same ones each time, so that an answer is the same when it is opened again."""

    def __init__(self) -> None:
        self.state = 0

    def roll(self, sides: int) -> int:
        """A face; the generator of Lehmer, Park and Miller with the multiplier 48271."""
        self.state = (self.state or 1) * 48271 % 2147483647
        return self.state * sides // 2147483647 + 1


def _played_out(states: Sequence[State], step: int, go_on: GoOn) -> Chances:
    state = states[step]
    here, fights, is_all = _won(state), 0, True
    if not here:
        tally, is_all = _tallies.known(state, lambda: _playing(state), go_on)
        tally = tally or Tally(0, {})
        here, fights = tuple(Chance(side, *tally.interval(side)) for side in _sides(state)), tally.fights
    steps = tuple(here if n == step else None for n in range(len(states)))
    return Chances(steps, here, fights=fights, unfinished=not is_all)


def _won(state: State) -> tuple[Chance, ...]:
    """The chances where one side is left; none while more are."""
    if not state.winner:
        return ()
    return tuple(Chance(side, *(1.0, 1.0) if side == state.winner else (0.0, 0.0)) for side in _sides(state))


def _sides(state: State) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.side for each in state.fighters))


def _playing(state: State) -> Iterator[Tally | None]:
    dice, tally = _Dice(), Tally(0, {})
    sides = _sides(state)
    while tally.fights < FIGHTS or _reach(tally, sides) > ENOUGH:
        tally = play_outs(state, dict.fromkeys(sides, plain), dice, 1, tally)
        yield tally


def _reach(tally: Tally, sides: Sequence[str]) -> float:
    return max((high - low) / 2 for low, high in (tally.interval(side) for side in sides))
