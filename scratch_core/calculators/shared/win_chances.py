"""Each side's chance to win, at every step of a fight: exact for a duel, by fights played out for anything larger.

Loaded only where someone asks for chances. Whoever escapes has lost, so the chances sum to 1 unless no one can end
the fight. The worked combat, which takes half a minute to solve, comes with a table of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scratch_core.calculators.shared.jobs import MOST_HP, MOST_PIECES, GoOn, Slices
from scratch_core.calculators.shared.sides import PLAYERS_SIDES
from scratch_core.characters import AbilityLevel
from scratch_core.encounter.engine import apply_events, begin
from scratch_core.encounter.state import EncounterState, Fighter, build_fighter, build_initial_state
from scratch_core.errors import ScratchError, join_words
from scratch_core.odds import Game, ProbabilityRange, Tally, choose_sensible_action, play_out_many
from scratch_core.odds.lookup_table import WinProbabilityTable, key_of

FIGHTS = 20
"""Fights played out between two looks at the clock's owner."""
ENOUGH = 0.03
"""Playouts stop when the interval reaches no further than this to either side."""
ENOUGH_BEFORE = 0.05
"""The same for a fight that has not begun, of which more is asked."""
TRIED = 60
"""Fights played out for each thing that might make it even; a third of them where the weaker side wins none."""

HOPELESS = 0.1
"""Where the weaker side wins less often than this, one change more or less would not make the fight even."""

MOST_MORE = 6


@dataclass(frozen=True, slots=True)
class Chance(ProbabilityRange):
    """One side's chance to win, 0 to 1, known to lie between two numbers; they are equal where it is exact."""

    side: str


Both = tuple[Chance, ...]
"""The chances of both sides at one moment."""


@dataclass(frozen=True, slots=True)
class StepChances:
    """The sides' chances to win after a step, in words, and how far below the top the first's is drawn, 0 to 100."""

    step: int
    words: tuple[str, ...]
    top: float


@dataclass(frozen=True, slots=True)
class FightChances:
    """Each side's chance to win: `here`, by side in words, and at all the `steps` where it is known, of `last` in all.

    `mattered` is the step whose dice changed the winner's chance most, where the chances before and after it are apart
    for certain; 0 for none. `fights` were played out for `here`, 0 where it is exact. `note` says why there are no
    chances. `unfinished`: there is more to come. `even`, before a fight, says what would make it more so.
    """

    here: tuple[tuple[str, str], ...] = ()
    steps: tuple[StepChances, ...] = ()
    last: int = 0
    mattered: int = 0
    fights: int = 0
    note: str = ""
    unfinished: bool = False
    even: str = ""

    @property
    def line(self) -> str:
        """The first side's chance as the points of a line, 300 wide and 100 high."""
        return " ".join(f"{300 * each.step / max(1, self.last):.1f},{each.top}" for each in self.steps)

    @property
    def aloud(self) -> str:
        """The chances as they are said once they are known; "" until then."""
        if self.unfinished or not self.here:
            return self.note
        return f"To win: {', '.join(f'{side} {words}' for side, words in self.here)}."


_games: Slices[Game] = Slices(4)
_tallies: Slices[Tally] = Slices(16)
_others: Slices[str] = Slices(4)


def forget() -> None:
    """Forget everything that was solved or played out: the next to ask begins anew."""
    _games.forget()
    _tallies.forget()
    _others.forget()


def chances(
    states: Sequence[EncounterState], rolled: Sequence[bool], step: int, go_on: GoOn, table: WinProbabilityTable | None
) -> FightChances:
    """The chances in the states of a fight, before its first step and after each; `rolled` says which steps threw dice.

    `table` has those of the worked combat; where people join or leave, each step has those of the people then there.
    Rules: `turn.order`, `act.escape.effect`.
    """
    why_not = _why_not(states[step])
    if why_not:
        return FightChances(last=len(states) - 1, note=why_not)
    if table is not None:
        known = _people(states[0])
        found = [_in_table(state, table) if _people(state) == known else None for state in states]
        if found[step] is not None:
            return _told(found, step, _mattered(found, rolled, states[-1].winner))
    return _best_known(states, rolled, step, go_on)


def chances_now(states: Sequence[EncounterState], rolled: Sequence[bool], go_on: GoOn) -> FightChances:
    """The chances where a fight stands: of a duel by one solve, else by fights played out.

    `states` and `rolled` are as in `chances`. What mattered is told once a duel is won, for all steps are looked up
    then. A state that the duel can't come to, as after the game master's hand, is played out too. Rules: `turn.order`,
    `act.escape.effect`.
    """
    begun, state = states[0], states[-1]
    why_not = _why_not(state)
    if why_not:
        return FightChances(note=why_not)
    is_told = bool(state.winner) and len({_people(each) for each in states}) == 1
    story, dice = (states, rolled) if is_told else ((begun, state), (False,))
    return _best_known(story, dice, len(story) - 1, go_on)


def chances_before(state: EncounterState, go_on: GoOn) -> FightChances:
    """The chances before anything is rolled, each fight with an initiative of its own; then what would make it even.

    Rules: `turn.initiative-roll`, `turn.order`, `act.escape.effect`.
    """
    why_not = _why_not(state)
    if why_not:
        return FightChances(note=why_not)
    found = _played_out((state,), 0, go_on)
    if found.unfinished:
        return found
    even, is_all = _others.known(state, lambda: _evening(state), go_on)
    return replace(found, even=even or "", unfinished=not is_all)


def _best_known(states: Sequence[EncounterState], rolled: Sequence[bool], step: int, go_on: GoOn) -> FightChances:
    """Exact chances where the duel that began is still on and can be solved, else those of fights played out."""
    is_small = len(states[0].fighters) == 2 and max(each.hp for each in states[0].fighters) <= MOST_HP
    if states[0].phase == "running" and is_small and _people(states[0]) == _people(states[step]):
        found = _solved(states, rolled, step, go_on)
        if found.here or found.unfinished:
            return found
    return _played_out(states, step, go_on)


def _told(
    found: Sequence[Both | None], step: int, mattered: int = 0, fights: int = 0, more: bool = False
) -> FightChances:
    """The chances at a step, and at all where they are known; None where they aren't."""
    steps = tuple(
        StepChances(n, tuple(each.words for each in both), round(100 - 50 * (both[0].low + both[0].high), 2))
        for n, both in enumerate(found)
        if both
    )
    here = tuple((each.side, each.words) for each in found[step] or ())
    return FightChances(here, steps, len(found) - 1, mattered, fights, unfinished=more)


def _people(state: EncounterState) -> tuple[tuple[str, str, frozenset[str]], ...]:
    """List who is there, and what is around them: where these differ, other acts are open."""
    return tuple((each.id, each.side, each.here) for each in state.fighters)


def _why_not(state: EncounterState) -> str:
    if state.board is not None:
        return "Win chances aren’t available for fights on a map."
    if len(_sides(state)) != 2:
        return "Win chances need exactly two sides."
    if state.phase == "over" and not state.winner:
        return "Win chances are shown until the fight ends."
    return ""


# A duel: solved once, then looked up


def _solved(states: Sequence[EncounterState], rolled: Sequence[bool], step: int, go_on: GoOn) -> FightChances:
    begun = states[0]
    game, is_all = _games.known(begun, lambda: _solving(begun), go_on)
    if not is_all or game is None:
        return FightChances(last=len(states) - 1, unfinished=not is_all)
    people = _people(begun)
    found = [_looked_up(game, state) if _people(state) == people else None for state in states]
    return _told(found, step, _mattered(found, rolled, states[-1].winner))


def _solving(begun: EncounterState) -> Iterator[Game | None]:
    game = Game([begun], "loss")
    for number, _ in enumerate(game.steps()):
        if number >= MOST_PIECES:
            return
        yield None
    yield game


def _looked_up(game: Game, state: EncounterState) -> Both | None:
    """Both chances in a state; None for one that the game can't come to, as after the game master's hand."""
    try:
        one, other = game.compute_state_values(state)
    except ScratchError:
        return None
    return Chance(one, one, game.sides[0]), Chance(other, other, game.sides[1])


def _in_table(state: EncounterState, table: WinProbabilityTable) -> Both | None:
    found = table.chances.get(key_of(state))
    if found is None:
        return None
    one, other = dict.fromkeys(each.side for each in state.fighters)
    return Chance(found, found, one), Chance(1 - found, 1 - found, other)


def _mattered(found: Sequence[Both | None], rolled: Sequence[bool], winner: str) -> int:
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


def _of(both: Both | None, side: str) -> Chance | None:
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


def _played_out(states: Sequence[EncounterState], step: int, go_on: GoOn) -> FightChances:
    """The chances at one step alone; where one side is left there is nothing to play."""
    state, is_all = states[step], True
    found: list[Both | None] = [None] * len(states)
    tally = Tally(0, {})
    if state.winner and state.phase != "before":
        sure = {side: float(side == state.winner) for side in _sides(state)}
        found[step] = tuple(Chance(chance, chance, side) for side, chance in sure.items())
    else:
        known, is_all = _tallies.known(state, lambda: _playing(state), go_on)
        tally = known or tally
        found[step] = tuple(Chance(*tally.interval(side), side) for side in _sides(state))
    return _told(found, step, fights=tally.fights, more=not is_all)


def _sides(state: EncounterState) -> tuple[str, ...]:
    """The sides of those who are there, and of whoever is left when the others are gone."""
    there = dict.fromkeys(each.side for each in state.fighters if not each.gone)
    return tuple(there) if len(there) > 1 else tuple(dict.fromkeys(each.side for each in state.fighters))


def _playing(state: EncounterState) -> Iterator[Tally | None]:
    dice, tally = _Dice(), Tally(0, {})
    sides = _sides(state)
    reach = 1.0
    while tally.fights < FIGHTS or reach > (ENOUGH if state.phase == "running" else ENOUGH_BEFORE):
        tally = _one_more(state, dice, tally)
        reach = max((high - low) / 2 for low, high in map(tally.interval, sides))
        yield tally


def _one_more(state: EncounterState, dice: _Dice, tally: Tally) -> Tally:
    """One more fight; one that has not begun begins with an initiative of its own."""
    begun = apply_events(state, begin(state, dice).events) if state.phase == "before" else state
    return play_out_many(begun, dict.fromkeys(_sides(state), choose_sensible_action), dice, 1, tally)


# What would make a fight even


def _evening(state: EncounterState) -> Iterator[str | None]:
    """One more or one less of someone, or a level: of all these the one that comes nearest to even.

    Where one change would not do, it is several more or several less, one after the other.
    """
    tally, _ = _tallies.known(state, lambda: _playing(state), lambda: False)
    assert tally is not None, "it is asked for once the chances are known"
    weak, strong = sorted(_sides(state), key=lambda side: tally.wins.get(side, 0))
    share = tally.wins.get(weak, 0) / tally.fights
    best, words, said = 0.5 - share - 0.05, "", ""
    steps = _many(state, weak, strong) if share < HOPELESS else _changes(state, weak, strong)
    for said, other in steps if best > 0 else ():
        dice, found = _Dice(), Tally(0, {})
        while found.fights < (TRIED if found.wins.get(weak) else TRIED // 3):
            found = _one_more(other, dice, found)
            yield None
        now = found.wins.get(weak, 0) / found.fights
        if abs(now - 0.5) < best:
            low, high = found.interval(weak)
            best, words = abs(now - 0.5), f"More even {said}: {Chance(low, high, weak).words} for {weak}."
            yield words
        if share < HOPELESS and now >= 0.5:
            break
    yield words or (f"Still uneven {said}." if said and share < HOPELESS else "")


def _many(state: EncounterState, weak: str, strong: str) -> Iterator[tuple[str, EncounterState]]:
    """Yield fights with fewer and fewer of the game master's side, the weakest first; or with more if it is weak."""
    side = strong if weak in PLAYERS_SIDES else weak
    least = [each for each in reversed(state.fighters) if each.side == side and each.character.lines]
    least.sort(key=lambda each: sum(line.level for line in each.character.lines))
    if side in PLAYERS_SIDES or not least:
        return
    for count in range(1, len(least)) if side == strong else range(1, MOST_MORE + 1):
        if side == strong:
            gone = least[:count]
            said = f"without {join_words([each.name for each in state.fighters if each in gone])}"
            yield said, build_initial_state(tuple(each for each in state.fighters if each not in gone), state.rulings)
        else:
            who = least[-1]
            further = [_another(who, f"{who.id} again {number}") for number in range(count)]
            yield (
                f"with {'one' if count == 1 else count} more {who.name}",
                build_initial_state((*state.fighters, *further), state.rulings),
            )


def _another(who: Fighter, name: str) -> Fighter:
    group = name if who.group == who.id else who.group
    return replace(who, id=name, group=group, character=replace(who.character, name=name))


def _changes(state: EncounterState, weak: str, strong: str) -> Iterator[tuple[str, EncounterState]]:
    """Yield fights that differ by one character or one level, in words and as they would begin; of namesakes the first.

    The players' side stays as it is, for the game master doesn't change their characters.
    """
    people = {(each.side, each.character.lines): each for each in reversed(state.fighters) if each.character.lines}
    for who in reversed(people.values()):
        if who.side in PLAYERS_SIDES:
            continue
        rest = tuple(each for each in state.fighters if each is not who)
        if who.side == weak:
            further = _another(who, f"{who.id} again")
            yield f"with one more {who.name}", build_initial_state((*state.fighters, further), state.rulings)
        elif any(each.side == strong for each in rest):
            yield f"without {who.name}", build_initial_state(rest, state.rulings)
        best = max(who.character.lines, key=lambda each: each.level)
        level = best.level + (1 if who.side == weak else -1)
        if level:
            yield f"with {best.ability} {level} for {who.name}", _with_level(state, who, best, level)


def _with_level(state: EncounterState, who: Fighter, line: AbilityLevel, level: int) -> EncounterState:
    """The fight with another level of someone, as it would begin; who is wounded has no more hit points for it."""
    lines = tuple(replace(each, level=level) if each is line else each for each in who.character.lines)
    again = build_fighter(
        replace(who.character, lines=lines),
        name=who.name,
        side=who.side,
        group=who.group,
        here=who.here,
        rulings=state.rulings,
    )
    if who.hp < who.numbers.max_hp:
        again = replace(again, hp=min(who.hp, again.hp))
    return build_initial_state(tuple(again if each is who else each for each in state.fighters), state.rulings)
